ridge tune "$SRC/examples/matmul" --device host --set n=1000000 --db e.db
