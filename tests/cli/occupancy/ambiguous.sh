# RTX 40 of two kinds agree in occupancy; "B300 or H100" do not exist; Titan of two generations do not agree.
ridge occupancy --device A100 --threads 256 --regs 32 | head -1
ridge occupancy --device Titan --threads 256 --regs 32
