# A compute capability has no number of multiprocessors: the field is named.
ridge occupancy --device cc:8.0 --threads 256 --regs 32 --grid 100
