# int64_t, long and long long are the same thing to a kernel and to its reference.
mkdir s
printf '#include <stdint.h>\nvoid k(const int64_t *in, uint64_t *out, int n)\n{\n    for (int i = 0; i < n; i++) out[i] = (uint64_t)in[i] << 40;\n}\n' > s/k.c
printf 'void r(const long *in, unsigned long long *out, int n)\n{\n    for (int i = 0; i < n; i++) out[i] = (unsigned long long)in[i] << 40;\n}\n' > s/r.c
cat > s/kernel.toml <<'T'
[kernel]
name = "k"
sources = { c = "k.c" }
[dims.a]
values = [1, 2]
[bench]
params = { n = 100 }
grid_x = 1
[[bench.args]]
kind = "in_i64"
len = "n"
fill = "iota"
[[bench.args]]
kind = "out_u64"
len = "n"
[[bench.args]]
kind = "i32"
value = "n"
[verify]
reference = { c = "r.c", entry = "r" }
T
ridge tune s --device host --db e.db --samples 7 --json 2> /dev/null | grep '"outcomes"'
