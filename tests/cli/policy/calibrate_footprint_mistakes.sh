printf 'label,bytes,throughput\na,1024,1\na,2048,fast\n' >p.csv
ridge calibrate footprint --points p.csv --device x; echo $?
printf 'label,bytes\na,1024\n' >p.csv
ridge calibrate footprint --points p.csv --device x; echo $?
printf 'label,bytes,throughput\na,1024,1\na,2048,0.9\n' >p.csv
ridge calibrate footprint --points p.csv --device x --hold-out b; echo $?
ridge calibrate footprint --points p.csv --device x --hold-out a; echo $?
ridge calibrate footprint --points p.csv; echo $?
ridge calibrate footprint --device x; echo $?
ridge calibrate footprint --points gone.csv --device x; echo $?
ridge calibrate footprint --points p.csv --device "()"; echo $?
mkdir there && ridge calibrate footprint --points p.csv --device x --save there; echo $?
