# Field cases BP-062 and BP-066: one figure, with its source and the one that disagrees.
ridge occupancy --device 12.0 --threads 32 --regs 20 | tail -4
ridge occupancy --device cc:5.2 --threads 128 --regs 70 | tail -4
