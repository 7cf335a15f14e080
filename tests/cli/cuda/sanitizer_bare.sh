# A launch beneath a judge has no guard zones: valgrind, which sees the stand-in driver's memory, finds the element behind it.
command -v valgrind >/dev/null || exit 77
ldd "$(command -v ridge)" | grep -q 'libasan\|libtsan' && exit 77
cp -r "$SRC/tests/fixtures/cuda_scale" .
order() {
    printf '%s\0' spec=cuda_scale/kernel.toml outcome=outcome outputs=outputs choice=0 "choice=$1" seconds=60 \
        "cuda-path=$FAKE_TOOLS/libnvrtc.so.99" >order
    valgrind -q --error-exitcode=9 ridge check-launch order 2>err
    echo "exit $?"
    grep -o 'Invalid write.*\|is 0 bytes after a block of size [0-9,]*' err
    cat outcome
}
order 0
wc -c <outputs
order 2
