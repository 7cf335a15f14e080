ridge occupancy --threads 32 --regs 32
echo $?
ridge occupancy --device "apple m4" --threads 32
echo $?
ridge occupancy --device A1000000 --threads 32
echo $?
ridge occupancy --device cc:13.0 --threads 32
