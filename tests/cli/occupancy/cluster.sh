ridge occupancy --device cc:9.0 --threads 256 --regs 32 --cluster 16 | grep cluster
ridge occupancy --device cc:12.0 --threads 256 --regs 32 --cluster 16
echo $?
ridge occupancy --device H100-PCIe --threads 256 --regs 32 --cluster 4 --grid 6
echo $?
ridge occupancy --device cc:8.6 --threads 256 --regs 32 --cluster 2
