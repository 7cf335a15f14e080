cat "$SRC/tests/fixtures/binary/two.sm_80.cubin" | ridge inspect /dev/stdin
