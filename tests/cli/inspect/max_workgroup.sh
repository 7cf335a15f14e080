# BP-084: built for at most 192 threads, asked for 256.
cd "$SRC/tests/fixtures/binary" || exit
ridge inspect two.gfx90a.co --kernel at_most --device gfx90a --threads 256
