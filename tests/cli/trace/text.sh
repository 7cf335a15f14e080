# Counts of a fixed PTX file: the same with and without compilers.
ridge trace "$SRC/examples/transpose" --ptx "$SRC/tests/fixtures/ptx/transpose.nvcc.ptx" --lines --device A100 \
    --set-dims block_x=16,block_y=8,use_local=1,pad_tile=1,work_x=2,work_y=4
