# Field case BP-079: waves of 64 threads take twice the registers; both modes of RDNA.
for wave in 32 64; do
    ridge occupancy --device gfx1030 --threads $wave --regs 98 --wave $wave | grep busiest
    ridge occupancy --device gfx1100 --threads $wave --regs 98 --wave $wave --cu-mode | grep -A1 occupancy
done
