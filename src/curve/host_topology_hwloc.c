/* SPDX-License-Identifier: MIT */
/** \file The topology as hwloc tells it: one processor of each core first, and the caches. */
#include <hwloc.h>

#include "curve/host_limits.h"

static bool is_allowed(const struct rg_host_topology *plain, int cpu)
{
    for (unsigned i = 0; i < plain->cpu_count; i++) {
        if (plain->cpus[i] == cpu) {
            return true;
        }
    }
    return false;
}

static const hwloc_obj_type_t caches[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE};

/** Add a processor and the caches above it. */
static void add_unit(hwloc_topology_t topology, struct hwloc_obj *unit, struct rg_host_topology *out)
{
    const unsigned at = out->cpu_count++;
    out->cpus[at] = (int)unit->os_index;
    for (size_t level = 0; level < 3; level++) {
        const struct hwloc_obj *cache = hwloc_get_ancestor_obj_by_type(topology, caches[level], unit);
        out->cache_ids[level][at] = cache ? cache->logical_index : 0;
        out->cache_bytes[level] = cache && cache->attr ? cache->attr->cache.size : 0;
    }
}

/** Take the processors number `thread` of every core that are allowed. */
static void take_threads(hwloc_topology_t topology, const struct rg_host_topology *plain, unsigned thread,
                         struct rg_host_topology *out)
{
    const int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    for (int i = 0; i < cores; i++) {
        struct hwloc_obj *core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, (unsigned)i);
        struct hwloc_obj *unit =
            core ? hwloc_get_obj_inside_cpuset_by_type(topology, core->cpuset, HWLOC_OBJ_PU, thread) : NULL;
        if (unit && out->cpu_count < RG_HOST_MAX_THREADS && is_allowed(plain, (int)unit->os_index)) {
            add_unit(topology, unit, out);
        }
    }
}

void rg_host_topology(struct rg_host_topology *out)
{
    struct rg_host_topology plain;
    hwloc_topology_t topology;
    rg_host_topology_plain(&plain);
    *out = plain;
    if (hwloc_topology_init(&topology) != 0) {
        return;
    }
    hwloc_topology_set_cache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    out->cpu_count = 0;
    const bool loaded = hwloc_topology_load(topology) == 0;
    for (unsigned thread = 0; loaded && thread < 8; thread++) {
        take_threads(topology, &plain, thread, out);
    }
    hwloc_topology_destroy(topology);
    /* A topology without cores, or cut off by the machine's limits, must not lose a processor. */
    if (out->cpu_count != plain.cpu_count) {
        *out = plain;
    }
}
