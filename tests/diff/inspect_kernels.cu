/* SPDX-License-Identifier: MIT */
/* Kernels that differ in what ridge inspect reads: tests/diff/inspect_ptxas.py compiles them for every target. */

struct big {
    char bytes[3000];
};

__constant__ float table_of_constants[64] = {1, 2, 3};

namespace lab {
template <typename T, int N> __global__ void axpb(T *out, const T *in, T b)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * N + b;
}
template __global__ void axpb<float, 3>(float *, const float *, float);
template __global__ void axpb<double, 5>(double *, const double *, double);
} // namespace lab

namespace {
__global__ void hidden(float *out)
{
    out[threadIdx.x] = 1;
}
} // namespace

void *use_hidden()
{
    return (void *)hidden;
}

extern "C" __global__ void k_static(float *out)
{
    __shared__ float part[256];
    part[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x ^ 1];
}

extern "C" __global__ void k_dynamic(float *out)
{
    extern __shared__ float part[];
    part[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x ^ 1];
}

extern "C" __global__ void k_both(float *out)
{
    extern __shared__ float part[];
    __shared__ double other[33];
    part[threadIdx.x] = out[threadIdx.x];
    other[threadIdx.x % 33] = out[threadIdx.x + 1];
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x ^ 1] + (float)other[threadIdx.x % 31];
}

/* Many values alive at once, so that few registers mean spills. */
#define MANY_VALUES(out, in, n)                                             \
    double value[48];                                                       \
    _Pragma("unroll") for (int i = 0; i < 48; i++)                          \
    {                                                                       \
        value[i] = in[i * 64 + threadIdx.x];                                \
    }                                                                       \
    for (int k = 0; k < n; k++) {                                           \
        _Pragma("unroll") for (int i = 0; i < 48; i++)                      \
        {                                                                   \
            value[i] = value[i] * value[(i + 7) % 48] + value[(i + 29) % 48]; \
        }                                                                   \
    }                                                                       \
    _Pragma("unroll") for (int i = 0; i < 48; i++)                          \
    {                                                                       \
        out[i * 64 + threadIdx.x] = value[i];                               \
    }

extern "C" __global__ void __launch_bounds__(128) k_bounds(double *out, const double *in, int n)
{
    MANY_VALUES(out, in, n)
}

extern "C" __global__ void __launch_bounds__(1024, 1) k_spill_bounds(double *out, const double *in, int n)
{
    MANY_VALUES(out, in, n)
}

extern "C" __global__ void __maxnreg__(40) k_spill_maxnreg(double *out, const double *in, int n)
{
    MANY_VALUES(out, in, n)
}

extern "C" __global__ void __launch_bounds__(256, 8) k_spill_blocks(double *out, const double *in, int n)
{
    MANY_VALUES(out, in, n)
}

extern "C" __global__ void k_local(float *out, int n)
{
    float part[64];
    for (int i = 0; i < 64; i++) {
        part[i] = out[i * n];
    }
    out[threadIdx.x] = part[n & 63] + part[(n * 7) & 63];
}

extern "C" __global__ void k_barriers(float *out)
{
    asm volatile("bar.sync 0;\n\tbar.sync 1, 64;\n\tbar.sync 2, 64;\n\tbar.sync 3, 64;\n\tbar.sync 4, 64;\n\tbar.sync 5, 64;");
    out[threadIdx.x] = 1;
}

extern "C" __global__ void k_barrier_at_run_time(float *out, int id)
{
    asm volatile("bar.sync %0, 64;" ::"r"(id));
    out[threadIdx.x] = 1;
}

extern "C" __global__ void k_big(struct big big, char *out)
{
    out[threadIdx.x] = big.bytes[threadIdx.x];
}

extern "C" __global__ void k_constants(float *out, int n)
{
    out[threadIdx.x] = table_of_constants[n & 63];
}

__device__ __noinline__ float called(float *in, int n)
{
    float part[32];
    for (int i = 0; i < 32; i++) {
        part[i] = in[i * n];
    }
    return part[n & 31] + part[(n * 3) & 31];
}

extern "C" __global__ void k_call(float *out)
{
    out[threadIdx.x] = called(out, threadIdx.x);
}

__device__ __noinline__ void called_and_spilling(double *out, const double *in, int n)
{
    MANY_VALUES(out, in, n)
}

extern "C" __global__ void __maxnreg__(40) k_spill_in_call(double *out, const double *in, int n)
{
    called_and_spilling(out, in, n);
    out[n] = in[n] * 3;
}

__device__ __noinline__ int recursive(int n)
{
    return n < 2 ? n : recursive(n - 1) + recursive(n - 2);
}

extern "C" __global__ void k_recursion(int *out)
{
    out[threadIdx.x] = recursive(out[threadIdx.x]);
}

extern "C" __global__ void k_nothing()
{
}
