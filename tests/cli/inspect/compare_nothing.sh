# A gate that compares nothing must not pass.
cd "$SRC/tests/fixtures/binary" || exit
ridge inspect --compare two.sm_80.cubin two.sm_90a.cubin
