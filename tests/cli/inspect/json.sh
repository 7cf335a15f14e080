# One kernel as JSON: what the file does not say is null; attributes that are not known are listed.
cd "$SRC/tests/fixtures/binary" || exit
ridge inspect two.sm_90a.cubin --kernel shared --json
