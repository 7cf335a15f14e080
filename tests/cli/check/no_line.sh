# A wrong output belongs to no line of a PTX: the file alone is named, never line 0.
cat >kernel.toml <<'EOF'
[kernel]
name = "zero"
sources = { opencl = "zero.cl" }
[dims.block_x]
values = [32]
[bench]
grid_x = 1
[[bench.args]]
name = "out"
kind = "out_f32"
len = 32
[verify]
reference = { c = "reference.c", entry = "reference" }
EOF
echo 'void reference(float *out) { for (int i = 0; i < 32; i++) out[i] = 1; }' >reference.c
echo '__kernel void zero(__global float *out) { out[get_global_id(0)] = 0; }' >zero.cl
cat >zero.ptx <<'EOF'
.version 8.0
.target sm_80
.address_size 64
.visible .entry zero(.param .u64 p)
{
    .reg .b32 %r<2>;
    .reg .b64 %d<3>;
    ld.param.u64 %d1, [p];
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %d2, %r1, 4, %d1;
    st.global.u32 [%d2], 0;
    ret;
}
EOF
ridge check . --ptx zero.ptx --config '#0'
