# A source that does not compile, a compiler that crashes and one that hangs are outcomes.
. "$CASE_DIR/spec.inc"
sed -i 's/^\[dims.tile\]/[dims.fate]/; s/^values = \[1, 2, 4\]/values = ["fine", "error", "crash", "hang", "name"]/; s/ \* tile//' kernel.toml
echo "fate" >scale.cu
ridge compile . --target sm_90 --cuda-path "$FAKE" --timeout 200ms | sed -E 's/[0-9.]+ s in compilers/N s in compilers/'
ridge compile . --target sm_90 --cuda-path "$FAKE" --timeout 200ms --json | grep -E '"(outcome|reason|failed)"'
sed -i 's/^values = \["fine".*/values = ["error", "crash"]/' kernel.toml
ridge compile . --target sm_90 --cuda-path "$FAKE" >out; echo "exit $?"
