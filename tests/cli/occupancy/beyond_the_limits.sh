# Each is a clear verdict and exit code 1.
for arguments in "--threads 1025 --regs 32" "--threads 4294967295 --regs 32" "--threads 256 --regs 256" \
    "--threads 256 --regs 32 --dynamic-smem 101377 --opt-in" "--threads 256 --regs 32 --smem 49153 --opt-in" \
    "--threads 1x1x65 --regs 32"; do
    # shellcheck disable=SC2086
    ridge occupancy --device cc:8.6 $arguments | grep verdict
    echo "${PIPESTATUS[0]}"
done
