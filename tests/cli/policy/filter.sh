# tune --filter footprint: only what is slower is left out, it is counted, and the check finds out when that was wrong.
cat >kernel.toml <<'T'
[kernel]
name = "staged"
sources = {}
[dims.stages]
values = [1, 2, 3, 4]
[dims.block_x]
values = [32, 64]
[bench]
grid_x = 1
[model]
smem_bytes = "2048 * stages"
T
record() {
    echo id,block_x,stages,outcome,median_s,samples_s,device,kernel
    for block in 32 64; do for stages in 1 2 3 4; do
        s=$(awk "BEGIN { print $1 * $stages + 0.00$block }")
        echo ",$block,$stages,ok,$s,$s $s $s $s $s $s $s,Apple M4 Pro,staged"
    done; done
}
show() { grep -vE '^  run|^  CSV|^Time|Ridge itself' | tail -"$1"; }
record '1 + 0.1' >slower.csv
record '5 - 0.1' >faster.csv
ridge tune . --device replay:slower.csv --filter footprint 2>/dev/null | show 40
ridge tune . --device replay:slower.csv --filter footprint --filter-check 3 2>/dev/null | show 6
ridge tune . --device replay:faster.csv --filter footprint --filter-check 100 2>/dev/null | show 6
ridge tune . --device replay:slower.csv --filter footprint --footprint-base 4096 2>/dev/null | show 3
ridge tune . --device replay:slower.csv --filter footprint --max-configs 1 2>/dev/null | grep tried
ridge tune . --device null --samples 7 --filter footprint 2>/dev/null | show 4
sed -i '/smem_bytes/d' kernel.toml
ridge tune . --device null --filter footprint
ridge tune . --device null --filter-check 3
ridge tune . --device null --filter footprint --footprint-base 0
