ridge occupancy --device "NVIDIA GeForce RTX 3090" --threads 256 --regs 66 --smem 32768 --grid 1000 --json
