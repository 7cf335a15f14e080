# Field case BP-074: registers are to blame, not the shared memory that was opted in to.
ridge occupancy --device cc:9.0 --threads 1024 --regs 72 --dynamic-smem 61440 --opt-in | sed -n 4,12p
