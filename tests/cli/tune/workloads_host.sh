# SPDX-License-Identifier: MIT
# Real kernels, verified each with a reference of its own size: small likes one thread, large likes both variants alike.
mkdir s
cat >s/kernel.toml <<'T'
[kernel]
name = "fill"
sources = { c = "fill.c" }
[dims.repeat]
values = [1, 40]
[bench]
params = { n = 1000 }
grid_x = 1
base = { repeat = 40 }
[[bench.args]]
kind = "out_f32"
len = "n"
[[bench.args]]
kind = "i32"
value = "n"
[[bench.workloads]]
name = "small"
params = {}
[[bench.workloads]]
name = "large"
params = { n = 200000 }
weight = 2
[verify]
reference = { c = "reference.c" }
T
cat >s/fill.c <<'C'
void fill(volatile float *out, int n)
{
    for (int r = 0; r < repeat; r++)
        for (int i = 0; i < n; i++)
            out[i] = (float)i;
}
C
sed 's/fill(volatile /reference(/; s/repeat/1/' s/fill.c >s/reference.c
ridge tune s --device host --db e.db --samples 9 --json >out.json 2>/dev/null; echo $?
python3 - <<'P'
import json
g = json.load(open('out.json'))
small, large = g['workloads']
print(small['measured'], large['measured'], small['parameters'], large['parameters'])
print(large['best']['median_s'] > 10 * small['best']['median_s'])
print(g['best']['config'], g['indistinguishable'], g['best']['over_base']['low'] > 5)
P
