# A block of 0 threads is no launch that a device refuses but a mistake of whoever asks: exit 2, in every form.
for threads in 0 0x8 32x0; do
    ridge occupancy --device cc:8.6 --threads "$threads"; echo "exit $?"
done
ridge occupancy --device cc:8.6 --threads 0 --json; echo "exit $?"
ridge occupancy --device cc:8.6 --threads 0 --sweep regs; echo "exit $?"
