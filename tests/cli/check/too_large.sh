# A problem that is too large to be run whole is told from a wrong one: outputs that were not written yet are no fault.
mkdir k
cat > k/kernel.toml <<'SPEC'
[kernel]
name = "scale"
sources = { opencl = "scale.cl" }
[dims.block_x]
values = [256]
[bench]
params = { n = 65536, steps = 60 }
grid_x = "n / block_x"
[[bench.args]]
kind = "out_f32"
len = "n"
[[bench.args]]
kind = "i32"
value = "steps"
[verify]
reference = { c = "reference.c", entry = "reference" }
SPEC
cat > k/scale.cl <<'SOURCE'
__kernel void scale(__global float *out, int steps)
{
    float value = 0.0f;
    for (int i = 0; i < steps; i++) {
        value = value * 0.5f + 0.5f;
    }
    out[get_global_id(0)] = value;
}
SOURCE
cat > k/reference.c <<'SOURCE'
void reference(float *out, int steps)
{
    for (int i = 0; i < 65536; i++) {
        out[i] = 1.0f;
    }
    (void)steps;
}
SOURCE
ridge check k > small.txt
code=$?
[ $code -eq 4 ] && exit 77
echo "exit $code"
ridge check k --set steps=20000
echo "exit $?"
