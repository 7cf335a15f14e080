# Kernels that appeared and vanished are no regression.
cd "$SRC/tests/fixtures/binary" || exit
ridge inspect --compare two.sm_80.cubin libboth.so --json
