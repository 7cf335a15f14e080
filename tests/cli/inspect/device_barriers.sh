# Nobody states how many barriers an A100 has: the kernel is judged without them, and that is said.
cd "$SRC/tests/fixtures/binary" || exit
ridge inspect two.sm_80.cubin --kernel shared --device A100 --threads 128
