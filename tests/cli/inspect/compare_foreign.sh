# A gate whose device runs none of the code has judged nothing: it does not pass.
cd "$SRC/tests/fixtures/binary" || exit
ridge inspect --compare spill_32.sm_80.cubin spill.sm_80.cubin --device cc:7.0 --threads 1024 --fail-on occupancy
