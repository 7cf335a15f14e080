ridge trace "$SRC/examples/transpose" --ptx "$SRC/tests/fixtures/ptx/transpose.nvcc.ptx" --json --blocks 3 \
    --set-dims block_x=16,block_y=8,use_local=1,pad_tile=1,work_x=2,work_y=4
