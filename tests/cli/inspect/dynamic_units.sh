# Shared memory is given in bytes or with a unit; none is fine.
cd "$SRC/tests/fixtures/binary" || exit
for size in 0 64KiB 65536 "1.5 KiB"; do
    ridge inspect two.sm_80.cubin --device A100 --threads 128 --dynamic-smem "$size" | grep judged
done
ridge inspect two.sm_80.cubin --device A100 --threads 128 --dynamic-smem 64kilo 2>&1
ridge inspect two.sm_80.cubin --device A100 --threads 128 --dynamic-smem 3GiB 2>&1
