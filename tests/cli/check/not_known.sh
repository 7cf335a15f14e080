# What a compiler made and the engine does not know is a configuration that was not run, not the end of the check.
ridge backends --json | grep -q nvrtc 2>/dev/null || test -e /usr/local/cuda/lib64/libnvrtc.so || exit 77
cat >kernel.toml <<'END'
[kernel]
name = "k"
sources = { cuda = "k.cu" }
[dims.texture]
values = [1, 0]
[bench]
grid_x = 1
[[bench.args]]
name = "out"
kind = "out_i32"
len = "1"
END
cat >k.cu <<'END'
extern "C" __global__ void k(int *out)
{
    out[0] = texture ? tex1Dfetch<int>((cudaTextureObject_t)1, 3) : 1;
}
END
ridge check . | grep -E 'not-run|clean  |engine'
