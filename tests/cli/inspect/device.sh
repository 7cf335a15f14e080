# Only what the device can run is judged; the others are said.
cd "$SRC/tests/fixtures/binary" || exit
ridge inspect none.fatbin --device H100 --threads 128
ridge inspect none.fatbin --device "RTX 3090" --threads 256 --kernel axpb
