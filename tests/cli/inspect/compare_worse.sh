# The gate of a CI job: exit 1 on a regression.
cd "$SRC/tests/fixtures/binary" || exit
ridge inspect --compare spill_32.sm_80.cubin spill.sm_80.cubin
