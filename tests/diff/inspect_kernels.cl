/* SPDX-License-Identifier: MIT */
/* Kernels for AMD targets: tests/diff/inspect_amd.py compiles them, without any library. */

#define ID __builtin_amdgcn_workitem_id_x()
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void k_plain(global float *out, global const float *in, float b)
{
    const unsigned i = ID;
    out[i] = in[i] * 3 + b;
}

kernel __attribute__((reqd_work_group_size(64, 2, 1))) void k_required(global float *out)
{
    local float part[128];
    part[ID] = out[ID];
    __builtin_amdgcn_s_barrier();
    out[ID] = part[ID ^ 1];
}

kernel __attribute__((amdgpu_flat_work_group_size(64, 192))) void k_at_most(global float *out)
{
    out[ID] = 1;
}

kernel void k_scratch(global float *out, int n)
{
    float part[64];
    for (int i = 0; i < 64; i++) {
        part[i] = out[i * n];
    }
    out[ID] = part[n & 63] + part[(n * 7) & 63];
}

kernel __attribute__((amdgpu_flat_work_group_size(1024, 1024), amdgpu_num_vgpr(24))) void k_spill(global double *out,
                                                                                                 global const double *in,
                                                                                                 int n)
{
    double value[40];
#pragma unroll
    for (int i = 0; i < 40; i++) {
        value[i] = in[i * 64];
    }
    for (int k = 0; k < n; k++) {
#pragma unroll
        for (int i = 0; i < 40; i++) {
            value[i] = value[i] * value[(i + 7) % 40] + value[(i + 29) % 40];
        }
    }
#pragma unroll
    for (int i = 0; i < 40; i++) {
        out[i * 64] = value[i];
    }
}
