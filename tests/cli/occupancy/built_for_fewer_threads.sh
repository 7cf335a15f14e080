# Field case BP-084: a code object that was built for at most 192 threads.
ridge occupancy --device gfx90a --threads 256 --regs 32 --max-threads 192 | grep verdict
exit "${PIPESTATUS[0]}"
