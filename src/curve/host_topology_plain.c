/* SPDX-License-Identifier: MIT */
/** \file The topology as the files of Linux tell it. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/host_limits.h"

/** The processors that may be used, in the order of their numbers. */
static void allowed_cpus(struct rg_host_topology *out)
{
    /* The kernel refuses a set that is too small for its number of processors. */
    for (int room = RG_HOST_MAX_THREADS; room <= 64 * RG_HOST_MAX_THREADS; room *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)room);
        const size_t bytes = CPU_ALLOC_SIZE((size_t)room);
        if (!set) {
            break;
        }
        const int got = sched_getaffinity(0, bytes, set);
        for (int i = 0; got == 0 && i < room && out->cpu_count < RG_HOST_MAX_THREADS; i++) {
            if (CPU_ISSET_S((size_t)i, bytes, set)) {
                out->cpus[out->cpu_count++] = i;
            }
        }
        CPU_FREE(set);
        if (got == 0 || errno != EINVAL) {
            break;
        }
    }
    if (out->cpu_count == 0) {
        out->cpus[out->cpu_count++] = -1; /* nobody says: one thread, not pinned */
    }
}

void rg_host_topology_plain(struct rg_host_topology *out)
{
    memset(out, 0, sizeof *out);
    allowed_cpus(out);
    if (rg_host_line("/proc/cpuinfo", "model name", out->model, sizeof out->model) == 0) {
        snprintf(out->model, sizeof out->model, "processor");
    }
}

#ifndef RG_HAVE_HWLOC
static bool read_text(const char *path, char *text, int bytes)
{
    FILE *file = fopen(path, "re");
    const bool ok = file && fgets(text, bytes, file);
    if (file) {
        fclose(file);
    }
    return ok;
}

/** Read a number from a file of a cache. */
static bool cache_number(int cpu, unsigned index, const char *name, uint64_t *out)
{
    char path[128];
    char text[64];
    const char *at = text;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index%u/%s", cpu, index, name);
    return read_text(path, text, sizeof text) && rg_host_number(&at, 10, out);
}

/** The caches of the processor at `position` from sysfs. A cache is known by the first processor that shares it. */
static void read_caches(struct rg_host_topology *out, unsigned position)
{
    const int cpu = out->cpus[position];
    for (unsigned index = 0; cpu >= 0 && index < 8; index++) {
        char path[128];
        char text[64];
        uint64_t level = 0;
        uint64_t kibibytes = 0;
        uint64_t first = 0;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index%u/type", cpu, index);
        if (!read_text(path, text, sizeof text) || strncmp(text, "Instruction", 11) == 0 ||
            !cache_number(cpu, index, "level", &level) || level < 1 || level > 3 ||
            !cache_number(cpu, index, "size", &kibibytes)) {
            continue;
        }
        (void)cache_number(cpu, index, "shared_cpu_list", &first);
        out->cache_bytes[level - 1] = kibibytes * 1024;
        out->cache_ids[level - 1][position] = (uint32_t)first;
    }
}

void rg_host_topology(struct rg_host_topology *out)
{
    rg_host_topology_plain(out);
    for (unsigned i = 0; i < out->cpu_count; i++) {
        read_caches(out, i);
    }
}
#endif
