ridge occupancy --device A100 --threads 256 --sweep regs --json
