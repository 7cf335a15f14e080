# BP-107, BP-101: a busy loop on every processor is seen while times are taken, and the run says so wherever it is shown; the
# clock of the processor stands beside each sample.
[ -r /proc/stat ] || exit 77
mkdir s
printf 'void k(float *o)\n{\n    float x = n;\n    for (int i = 0; i < 3000000; i++) {\n        x = x * 0.9f + 0.5f;\n    }\n    o[0] = x;\n}\n' >s/k.c
printf '[kernel]\nname = "k"\nsources = { c = "k.c" }\n[dims.n]\nvalues = { from = 1, to = 3 }\n[bench]\ngrid_x = 1\n' >s/kernel.toml
printf '[[bench.args]]\nname = "o"\nkind = "out_f32"\nlen = "1"\n' >>s/kernel.toml
loops=()
for _ in $(seq "$(nproc)"); do while :; do :; done & loops+=($!); done
ridge tune s --device host --db a.db --samples 7 >a.txt 2>&1
kill "${loops[@]}"
tr '\n' ' ' <a.txt | tr -s ' ' | grep -o 'the machine was busy: while times were taken, other programs had'
ridge show last --db a.db --json | grep -c 'the machine was busy'
sqlite3 a.db "SELECT count(*) > 0 AND count(*) = count(clock_hz) AND min(clock_hz) > 1e8 AND max(clock_hz) < 1e10 FROM sample"
