/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What this process may use: processors, their time, memory. Everything is read from the files of Linux below `root`
 * ("" for the real ones), so that tests can bring their own. Pure apart from reading; any thread.
 */
#ifndef RG_CURVE_HOST_LIMITS_H
#define RG_CURVE_HOST_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ridge/status.h"

enum {
    RG_HOST_MAX_THREADS = 1024,
    RG_HOST_LIMIT_BYTES = 128
};

/** \return processors' worth of time that the control group allows; 0: no limit is known. */
double rg_host_cpu_quota(const char *root);

/** \return bytes that may still be allocated: what the system has available, less where the control group allows less;
 * 0: unknown. */
uint64_t rg_host_memory_available(const char *root);

/** \return bytes of the memory from `begin` on that lie on huge pages. */
uint64_t rg_host_huge_bytes(const void *begin, uint64_t bytes);

/** The processors that this process may run on, best first: one of each core, then the others. */
struct rg_host_topology {
    unsigned cpu_count;
    int cpus[RG_HOST_MAX_THREADS];
    uint64_t cache_bytes[3]; /**< of one L1 data, L2, L3 cache as the system reports them; 0: it does not */
    uint32_t cache_ids[3][RG_HOST_MAX_THREADS]; /**< which of them each of `cpus` uses */
    char model[128];                            /**< of the processor; "processor" when it does not say */
};

/** Look (host_topology_hwloc.c, or host_topology_plain.c without hwloc). cpu_count is at least 1. */
void rg_host_topology(struct rg_host_topology *out);

/** \return what the caches of a level that the first `threads` processors use hold together; 0: unknown */
uint64_t rg_host_cache_bytes(const struct rg_host_topology *topology, unsigned level, unsigned threads);

/**
 * Say how many threads may be used: so many as were asked for, else (0) as many as there are processors, and time for them.
 * \param root        where /proc and /sys are: "" but in tests
 * \param[out] limit  what the control group allows, in words, where that is less; else ""
 * \retval RIDGE_E_ARGUMENT  more are asked for
 */
ridge_status rg_host_threads(const char *root, const struct rg_host_topology *topology, unsigned asked,
                             unsigned *threads, char limit[RG_HOST_LIMIT_BYTES], struct ridge_error *error);

/** The parts that both share: allowed processors in their own order, and the name. */
void rg_host_topology_plain(struct rg_host_topology *out);

/** Read a whole number at `*text` and move behind it. \return false: there is none */
bool rg_host_number(const char **text, int base, uint64_t *out);

/** The first value of `name` (as "MemAvailable") in a file of lines `name: value`. \return its length; 0: none */
size_t rg_host_line(const char *path, const char *name, char *out, size_t bytes);

#endif
