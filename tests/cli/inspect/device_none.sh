cd "$SRC/tests/fixtures/binary" || exit
ridge inspect two.sm_90a.cubin --device A100 --threads 128
