mkdir mine
cat >mine/chip.toml <<'T'
format = 1
[sources]
me = "measured by me"
[[device]]
name = "Chip X1"
vendor = "Me"
architecture = "cc:8.6"
sources = "me"
multiprocessors = 3
T
ridge devices --check mine/chip.toml
ridge devices --data mine "chip x1" | head -8
ridge occupancy --data mine --device "Chip X1" --threads 128 --regs 32 --grid 36 | grep grid
sed -i 's/^multiprocessors.*/multiprocessor = 3/' mine/chip.toml
ridge devices --check mine/chip.toml
