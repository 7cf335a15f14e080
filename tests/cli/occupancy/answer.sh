# Field case BP-070: what limits, the next step up, advice that holds.
ridge occupancy --device cc:6.1 --threads 640 --regs 44
