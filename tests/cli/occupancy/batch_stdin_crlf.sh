# CRLF, a byte-order mark, columns in another order with one more, quotes, spaces, no line end at the end.
printf '\xEF\xBB\xBFname,dynamic_smem,static_smem,regs,threads\r\na,0,0,40,1024\r\n\r\n"b", 0 ,"0",24,48' |
    ridge occupancy --device cc:8.6 --batch -
