# Field cases BP-075 and BP-077.
ridge occupancy --device MI250X --threads 256 --regs 96 --agprs 64 --smem 13000 --grid 10000
