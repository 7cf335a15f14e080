spec=$SRC/examples/transpose
ridge trace "$spec" --config c1-0000000000000000 --set-dims block_x=1
echo "exit $?"
ridge trace "$spec" --ptx "$SRC/tests/fixtures/ptx/matmul.nvcc.ptx"
echo "exit $?"
ridge trace "$spec" --ptx nowhere.ptx
echo "exit $?"
ridge trace "$spec" --set-dims block_x=5
echo "exit $?"
printf '.version 9.0\n.target sm_80\n.address_size 64\n.visible .entry transpose(' > cut.ptx
ridge trace "$spec" --ptx cut.ptx
echo "exit $?"
mkdir none
cat > none/kernel.toml <<'SPEC'
[kernel]
name = "k"
[dims.block_x]
values = [32]
SPEC
ridge trace none
echo "exit $?"
ridge trace none --blocks 0
echo "exit $?"
