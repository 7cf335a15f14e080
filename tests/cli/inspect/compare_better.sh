cd "$SRC/tests/fixtures/binary" || exit
ridge inspect --compare spill.sm_80.cubin spill_32.sm_80.cubin --fail-on spills
