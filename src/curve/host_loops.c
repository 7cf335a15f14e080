/* SPDX-License-Identifier: MIT */
#include "curve/host_loops.h"

#include <stddef.h>

extern const struct rg_host_loops rg_host_loops_portable;
#if defined(__x86_64__)
extern const struct rg_host_loops rg_host_loops_avx512;
extern const struct rg_host_loops rg_host_loops_avx2;
#endif

const struct rg_host_loops *const rg_host_loop_sets[] = {
#if defined(__x86_64__)
    &rg_host_loops_avx512,
    &rg_host_loops_avx2,
#endif
    &rg_host_loops_portable,
    NULL,
};

const struct rg_host_loops *rg_host_loops_best(void)
{
    for (size_t i = 0; rg_host_loop_sets[i]; i++) {
        if (rg_host_loop_sets[i]->usable()) {
            return rg_host_loop_sets[i];
        }
    }
    return &rg_host_loops_portable;
}
