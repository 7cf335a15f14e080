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
# Counts are extended over one grid: a param that changes it is no length of a loop.
mkdir grid
cat > grid/kernel.toml <<'SPEC'
[kernel]
name = "k"
sources = { opencl = "k.cl" }
[dims.block_x]
values = [32]
[bench]
params = { n = 640 }
grid_x = "n / block_x"
[[bench.args]]
name = "out"
kind = "out_i32"
len = "n"
[count]
along = "n"
at = [32, 64]
SPEC
: > grid/k.cl
printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n    ret;\n}\n' > grid/k.ptx
ridge trace grid --ptx grid/k.ptx
echo "exit $?"
ridge trace none --blocks 0
echo "exit $?"
ridge trace "$spec" --blocks 5 --all-blocks
echo "exit $?"
