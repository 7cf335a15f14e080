# PTX as it is, sound: the same with and without compilers.
ridge check "$SRC/examples/transpose" --ptx "$SRC/tests/fixtures/ptx/transpose.nvcc.ptx" \
    --config block_x=16,block_y=8,use_local=1,pad_tile=1,work_x=2,work_y=4
echo "exit $?"
# The same code for a block that it is not for.
ridge check "$SRC/examples/transpose" --ptx "$SRC/tests/fixtures/ptx/transpose.nvcc.ptx" \
    --config block_x=32,block_y=8,use_local=1,pad_tile=1,work_x=1,work_y=4
echo "exit $?"
# The only kernel of a file is run whatever its name, as a compiler may have mangled it: it is said which.
sed 's/\btranspose\b/_Z9transposePf/' "$SRC/tests/fixtures/ptx/transpose.nvcc.ptx" >other.ptx
ridge check "$SRC/examples/transpose" --ptx other.ptx \
    --config block_x=16,block_y=8,use_local=1,pad_tile=1,work_x=2,work_y=4 | tail -3
ridge check "$SRC/examples/transpose" --ptx other.ptx --json \
    --config block_x=16,block_y=8,use_local=1,pad_tile=1,work_x=2,work_y=4
ridge trace "$SRC/examples/transpose" --ptx other.ptx \
    --config block_x=16,block_y=8,use_local=1,pad_tile=1,work_x=2,work_y=4 | grep -B1 Kernel:
ridge trace "$SRC/examples/transpose" --ptx other.ptx --json \
    --config block_x=16,block_y=8,use_local=1,pad_tile=1,work_x=2,work_y=4 | grep other_entry
