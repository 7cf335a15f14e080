# Code of a real NVRTC, launched beneath the stand-in on the stand-in GPU: its outputs are compared with the reference.
. "$CASE_DIR/sanitizer_setup"
export FAKE_CUDA_CAPABILITY=13
cp -r "$SRC/examples/transpose" .
for config in 0 3; do
    ridge check transpose --with compute-sanitizer --config "#$config" >out 2>err
    code=$?
    [ $code = 4 ] && exit 77 # no NVRTC
    cat out
    echo "exit $code"
done
sed -i 's/= matrix\[/= 1 + matrix[/' transpose/transpose.cu
ridge check transpose --with compute-sanitizer --config '#0' | sed -n '3,4p'
