# Field case BP-069: only block counts that exist are listed.
ridge occupancy --device cc:8.9 --threads 160 --regs 100 --opt-in --sweep smem
