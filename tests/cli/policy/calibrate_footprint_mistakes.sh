printf 'label,bytes,throughput\na,1024,1\na,2048,fast\n' >p.csv
ridge calibrate footprint --points p.csv --device x; echo $?
printf 'label,bytes\na,1024\n' >p.csv
ridge calibrate footprint --points p.csv --device x; echo $?
printf 'label,bytes,throughput\na,1024,1\na,2048,0.9\n' >p.csv
ridge calibrate footprint --points p.csv --device x --hold-out b; echo $?
ridge calibrate footprint --points p.csv --device x --hold-out a; echo $?
for bound in 0 -1 1 1e30 nan; do ridge calibrate footprint --points p.csv --device x --bound $bound; echo $?; done
ridge calibrate footprint --points p.csv; echo $?
ridge calibrate footprint --device x; echo $?
ridge calibrate footprint --points gone.csv --device x; echo $?
printf 'label,bytes,throughput\n' >none.csv
ridge calibrate footprint --points none.csv --device x; echo $?
ridge calibrate footprint --points p.csv --device "()"; echo $?
mkdir there && ridge calibrate footprint --points p.csv --device x --save there; echo $?
