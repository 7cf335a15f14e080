# Ranking by counted work needs nothing written by hand; a limit leaves the rest of the space last.
mkdir k && cd k || exit 1
cat > kernel.toml <<'SPEC'
[kernel]
name = "scale"
sources = { cuda = "scale.cu", opencl = "scale.cl" }
[dims.block_x]
values = [32, 64, 128, 256]
[dims.steps]
values = [1, 8, 64]
[bench]
params = { n = 65536 }
grid_x = "n / block_x"
[[bench.args]]
kind = "inout_f32"
len = "n"
SPEC
cat > scale.cu <<'SOURCE'
extern "C" __global__ void __launch_bounds__(block_x) scale(float *a)
{
    const int i = blockIdx.x * block_x + threadIdx.x;
    float value = a[i];
    for (int k = 0; k < steps; k++)
        value = value * 1.5f + 0.25f;
    a[i] = value;
}
SOURCE
cat > scale.cl <<'SOURCE'
kernel void scale(global float *a)
{
    const int i = (int)get_global_id(0);
    float value = a[i];
    for (int k = 0; k < steps; k++)
        value = fma(value, 1.5f, 0.25f);
    a[i] = value;
}
SOURCE
ridge rank . --device "RTX 3090" --count --csv >all.csv
code=$?
[ $code -eq 4 ] && exit 77
echo "exit $code"
python3 - <<'CHECK'
import csv
rows = list(csv.DictReader(open('all.csv')))
cost = {(r['block_x'], r['steps']): float(r['cost']) for r in rows}
print(len(rows), 'rows;', 'more steps cost more:', all(cost[b, '64'] >= cost[b, '1'] for b in ('32', '64', '128', '256')))
CHECK
ridge rank . --device "RTX 3090" --count --count-limit 4 --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
print(answer["counted"]["configurations"], "counted,", answer["counted"]["drawn"], "drawn;",
      sum(r["bound"] == "unknown" for r in answer["ranked"]), "of", len(answer["ranked"]), "not counted")'
# A name that fits devices of several sizes is what is wrong, not that nothing was counted.
ridge rank . --device H100 --count 2>&1
echo "exit $?"
