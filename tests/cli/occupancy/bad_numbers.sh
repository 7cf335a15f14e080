for arguments in "--threads -1" "--threads abc" "--threads 99999999999" "--threads 2x2x2x2" "--threads 70000x70000" \
    "--threads 32 --regs -3" "--threads 32 --regs 5000000000" "--threads 32 --smem 1e9" "--threads 32 --carveout lots" \
    "--threads 32 --carveout 101%" "--threads 32 --svg x.svg" "--threads 32 --suggest --sweep regs" "" \
    "--threads 32 --smem-per-thread 4" "--threads 32 --grid 1 --elements 1" "--threads 32 --sweep blocks"; do
    # shellcheck disable=SC2086
    ridge occupancy --device cc:8.6 $arguments
    echo "$?"
done
