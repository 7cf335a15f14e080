# Field case BP-053: 1536 is the threads of a multiprocessor, 1024 those of a block.
ridge occupancy --device cc:8.6 --threads 1536 --regs 40 | head -5
