cd "$SRC/tests/fixtures/binary"
ridge inspect --compare libboth.so two.sm_80.cubin
