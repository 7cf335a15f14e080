# A gate that could run nothing does not pass. A grid that no launch can have is told as such, also where the reference
# needs no grid.
spec() { # grid_x, what else stands in the spec
    cat >kernel.toml <<EOF
[kernel]
name = "k"
sources = { opencl = "k.cl" }
[dims.block_x]
values = [32]
$2
[bench]
params = { n = 8, zero = 0 }
grid_x = $1
[[bench.args]]
name = "out"
kind = "out_f32"
len = "n"
[[bench.args]]
kind = "i32"
value = "n"
[verify]
reference = { c = "reference.c", entry = "reference" }
EOF
}
echo 'void reference(float *out, int n) { for (int i = 0; i < n; i++) out[i] = 1; }' >reference.c
echo '__kernel void k(__global float *out, int n) { if (get_global_id(0) < n) out[get_global_id(0)] = 1; }' >k.cl
for grid in 0 '"n - 9"' '"n / zero"'; do
    spec "$grid"
    ridge check . 2>&1
    echo "exit $?"
done
spec 1 '[constraints]
exprs = ["block_x > 32"]'
ridge check . 2>&1
echo "exit $?"
spec 0
ridge check . --json
echo "exit $?"
# One that was run, wrong or right, is enough to judge; the others are counted.
cat >k.ptx <<'END_OF_PTX'
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n)
{
    .reg .pred %q;
    .reg .b32 %r<3>;
    .reg .b64 %d<3>;
    ld.param.u64 %d1, [p];
    ld.param.u32 %r2, [n];
    mov.u32 %r1, %tid.x;
    setp.ge.u32 %q, %r1, %r2;
    @%q ret;
    mad.wide.u32 %d2, %r1, 4, %d1;
    st.global.u32 [%d2], 0f3F800000;
    ret;
}
END_OF_PTX
spec '"2 - part"' '[dims.part]
values = [1, 2]'
ridge check . --ptx k.ptx 2>&1
echo "exit $?"
