# Field case BP-073 in a file: bad rows are reported with row and column, and the run goes on.
printf 'threads,regs,static_smem,dynamic_smem\n256,32,0,0\nabc,32,0,0\n256,-1,0,0\n256,32\n256,32,,0\n256,32,0,99999999999\n64,32,0,0\n256,3' >in.csv
ridge occupancy --device cc:8.0 --batch in.csv
