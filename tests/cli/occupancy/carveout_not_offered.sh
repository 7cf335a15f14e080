# Field case BP-061, and a carve-out that the device does not have.
for carveout in 164 40% 20%; do
    ridge occupancy --device cc:8.0 --threads 160 --regs 48 --dynamic-smem 20480 --carveout $carveout | grep "^occupancy"
done
ridge occupancy --device cc:8.0 --threads 160 --regs 48 --carveout 50
