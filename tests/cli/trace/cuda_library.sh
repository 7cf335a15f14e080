# CUDA 13 keeps cub and libcu++ in include/cccl, where nvcc looks unasked: so does Ridge. Skips without that toolkit.
test -e /usr/local/cuda/include/cccl/cub/block/block_reduce.cuh || exit 77
test -e /usr/local/cuda/lib64/libnvrtc.so || exit 77
cat >k.cu <<'END'
#include <cub/block/block_reduce.cuh>
#include <cuda/barrier>
extern "C" __global__ void k(const unsigned *a, unsigned *out)
{
    typedef cub::BlockReduce<unsigned, block_x> reduce;
    __shared__ reduce::TempStorage storage;
    __shared__ alignas(8) unsigned char place[sizeof(cuda::barrier<cuda::thread_scope_block>)];
    auto *barrier = (cuda::barrier<cuda::thread_scope_block> *)place;
    if (threadIdx.x == 0)
        init(barrier, block_x);
    __syncthreads();
    barrier->arrive_and_wait();
    const unsigned sum = reduce(storage).Sum(a[threadIdx.x]);
    if (threadIdx.x == 0)
        out[0] = sum;
}
END
cat >kernel.toml <<'END'
[kernel]
name = "k"
entry = "k"
domain = 1
sources = { cuda = "k.cu" }
[dims.block_x]
values = [64]
[bench]
grid_x = "1"
[[bench.args]]
kind = "in_u32"
len = "64"
fill = "iota"
[[bench.args]]
kind = "out_u32"
len = "1"
END
ridge trace kernel.toml --set-dims block_x=64 --cuda-path /usr/local/cuda >out && grep -E "^(Kind|Launch|Ran|  barrier)" out | sed 's/NVRTC [0-9.]*/NVRTC/; s/in [0-9.]* s/in TIME/'
