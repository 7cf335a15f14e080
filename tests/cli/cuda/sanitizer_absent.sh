# No compute-sanitizer, one that is too old or no such program, no GPU, and a source that it cannot run.
. "$CASE_DIR/sanitizer_setup"
one() {
    check --config block_x=128,mode=0
}
printf 'NVIDIA (R) Compute Sanitizer\nVersion 2020.3.1\n' >says/version
sed -i.new '/padding/d' says/help
one
mv says/help.new says/help
echo 'some other program' >says/version
one
printf 'NVIDIA (R) Compute Sanitizer\nVersion 2025.3.0.0\n' >says/version
FAKE_CUDA=none one
ridge check "$SRC/tests/fixtures/planted/race_global_cl" --with compute-sanitizer
echo "exit $?"
rm bin/compute-sanitizer
for tool in bash cc gcc; do ln -s "$(command -v $tool || echo /bin/false)" bin/$tool; done
[ -e /usr/local/cuda/bin/compute-sanitizer ] && exit 77
ridge=$(command -v ridge)
PATH="$WORK/bin" "$ridge" check cuda_scale --with compute-sanitizer
echo "exit $?"
