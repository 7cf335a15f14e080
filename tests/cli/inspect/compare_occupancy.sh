cd "$SRC/tests/fixtures/binary" || exit
ridge inspect --compare spill.sm_80.cubin spill_32.sm_80.cubin --device A100 --threads 1024 --fail-on registers
