# A launch that no device of the name can do is no change, and is said.
cd "$SRC/tests/fixtures/binary" || exit
ridge inspect --compare two.sm_80.cubin two.sm_80.cubin --device A100 --threads 2560 --fail-on occupancy
