# No machine code: said, exit 1.
ridge inspect "$SRC/tests/fixtures/binary/ptx.fatbin"
