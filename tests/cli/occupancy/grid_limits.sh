# Field case BP-071.
ridge occupancy --device A100 --threads 256 --regs 32 --elements 2147483647 | grep -E '^(grid|tail)'
ridge occupancy --device A100 --threads 256 --regs 32 --elements 0
echo $?
ridge occupancy --device A100 --threads 256 --regs 32 --grid 1,70000,1
