# As formats.sh, for rankings with what the code says: of itself (stated), or by running it.
cat >kernel.toml <<'SPEC'
[kernel]
name = "scale"
sources = { cuda = "scale.cu" }
[dims.block_x]
values = [32, 64, 128, 256]
[bench]
params = { n = 65536 }
grid_x = "n / block_x"
[[bench.args]]
kind = "inout_f32"
len = "n"
SPEC
cat >scale.cu <<'SOURCE'
extern "C" __global__ void scale(float *a)
{
    a[blockIdx.x * block_x + threadIdx.x] *= 1.5f;
}
SOURCE
cat >own.json <<'RECORD'
{"device_name": "NVIDIA GeForce RTX 3090", "kernel_name": "scale", "tune_params_keys": ["block_x"],
 "tune_params": {"block_x": [32, 64, 128, 256]}, "objective": "time",
 "cache": {"32": {"block_x": 32, "time": 2.0, "times": [2.0]}, "64": {"block_x": 64, "time": 1.0, "times": [1.0]},
           "128": {"block_x": 128, "time": 1.5, "times": [1.5]}, "256": {"block_x": 256, "time": 3.0, "times": [3.0]}}}
RECORD
ridge rank . --device "GeForce RTX 3090" --count >out 2>err
[ $? -eq 4 ] && exit 77
for how in --count "--compile --model occupancy-waves"; do
    for form in "" --json --csv; do
        ridge rank . --device "GeForce RTX 3090" $how $form >out || exit 1
        echo "rank $how $form: $(grep -o -m1 estimated out | head -1) $(grep -o UNCALIBRATED out | head -1)" \
            "$(grep -oE 'stated|[0-9]+ of [0-9]+ configurations counted' out | head -1)"
        ridge rank . --device "GeForce RTX 3090" $how $form --evidence own.json >out || exit 1
        echo "rank $how $form, calibrated: $(grep -o -m1 estimated out | head -1) $(grep -oE 'rho -?[0-9]' out | head -1)"
    done
done
