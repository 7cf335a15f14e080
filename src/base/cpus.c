/* SPDX-License-Identifier: MIT */
#include "base/cpus.h"

#include <sched.h>

unsigned rg_usable_cpus(void)
{
    cpu_set_t set;
    const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < 1 ? 1 : (unsigned)count;
}
