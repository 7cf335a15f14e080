ridge occupancy --device "Intel(R) Arc(TM) A770 Graphics" --threads 256 --regs 100 --smem 20000 --wave 32 | head -16
ridge occupancy --device A770 --threads 256
