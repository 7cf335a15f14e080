# Field case BP-064: no division by 0 blocks, and no grid of 1 either.
ridge occupancy --device H100 --threads 256 --regs 72 --persistent --multiprocessors 132 | grep persistent
ridge occupancy --device cc:9.0 --threads 1024 --regs 72 --persistent --multiprocessors 132
