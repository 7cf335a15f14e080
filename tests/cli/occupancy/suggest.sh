ridge occupancy --device A100 --suggest --regs 64 --smem-per-thread 16
