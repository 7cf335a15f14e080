printf 'threads,reg,static_smem,dynamic_smem\n256,32,0,0\n' >in.csv
ridge occupancy --device cc:8.0 --batch in.csv
echo $?
: >empty.csv
ridge occupancy --device cc:8.0 --batch empty.csv
echo $?
ridge occupancy --device cc:8.0 --batch no.csv
echo $?
ridge occupancy --device cc:8.0 --batch .
