# Field case BP-058: static and dynamic count together, and the message names the opt-in.
ridge occupancy --device cc:8.6 --threads 128 --regs 40 --smem 256 --dynamic-smem 49000
code=$?
ridge occupancy --device cc:8.6 --threads 128 --regs 40 --smem 256 --dynamic-smem 49000 --opt-in | sed -n 4,5p
exit $code
