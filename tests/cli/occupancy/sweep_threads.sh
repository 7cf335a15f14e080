ridge occupancy --device cc:8.6 --regs 40 --sweep threads --svg out.svg | head -6
grep -c '<rect class="k' out.svg
grep -c script out.svg
