printf 'threads,regs,static_smem,dynamic_smem\n128,40,256,48896\n896,80,0,0\n48,24,0,0\n2048,16,0,0\n0,1,0,0\n' >in.csv
ridge occupancy --device cc:9.0 --batch in.csv
