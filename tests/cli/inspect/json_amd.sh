cd "$SRC/tests/fixtures/binary" || exit
ridge inspect bundle.hipfb --kernel at_most --device gfx1030 --threads 128 --json
