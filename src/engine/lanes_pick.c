/* SPDX-License-Identifier: MIT */
#include "engine/run.h"

const rg_lane_fn *rg_lanes_pick(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        return rg_lanes_v4;
    }
    if (v3) {
        return rg_lanes_v3;
    }
#endif
    return rg_lanes_plain;
}
