ridge occupancy --device A100 --suggest --regs 255 --smem 60000
