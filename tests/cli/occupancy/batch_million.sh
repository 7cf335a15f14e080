# A million rows stream through; the answer of each is that of the row asked alone.
awk 'BEGIN { print "threads,regs,static_smem,dynamic_smem"; for (i = 0; i < 1000000; i++) print 32 + i % 993 "," i % 255 "," i % 4096 ",0" }' |
    ridge occupancy --device cc:8.6 --batch - >out.csv
echo $?
wc -l <out.csv
ridge occupancy --device cc:8.6 --threads $((32 + 777777 % 993)) --regs $((777777 % 255)) --smem $((777777 % 4096)) --json | grep blocks_per_sm | head -1
sed -n 777779p out.csv
