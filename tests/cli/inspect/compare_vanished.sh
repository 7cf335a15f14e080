cd "$SRC/tests/fixtures/binary" || exit
ridge inspect --compare libboth.so two.sm_80.cubin
