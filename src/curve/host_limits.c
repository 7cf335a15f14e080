/* SPDX-License-Identifier: MIT */
#include "curve/host_limits.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
    PATH_BYTES = 1024,
    LINE_BYTES = 1024
};

/** Read the first line of a file. \return false when there is none */
static bool first_line(const char *path, char line[LINE_BYTES])
{
    FILE *file = fopen(path, "re");
    if (!file) {
        return false;
    }
    const bool ok = fgets(line, LINE_BYTES, file) != NULL;
    fclose(file);
    return ok;
}

bool rg_host_number(const char **text, int base, uint64_t *out)
{
    char *end = NULL;
    errno = 0;
    *out = strtoull(*text, &end, base);
    const bool found = end != *text && errno == 0;
    *text = end;
    return found;
}

/** The number that a file begins with. \return false: there is none, as with "max" and "-1" for no limit */
static bool number_in(const char *path, uint64_t *out)
{
    char line[LINE_BYTES];
    const char *at = line;
    return first_line(path, line) && line[0] != '-' && rg_host_number(&at, 10, out);
}

size_t rg_host_line(const char *path, const char *name, char *out, size_t bytes)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        return 0;
    }
    char line[LINE_BYTES];
    const size_t length = strlen(name);
    size_t written = 0;
    while (written == 0 && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, name, length) == 0 &&
            strspn(line + length, " \t") == (size_t)(colon - line) - length) {
            const char *value = colon + 1 + strspn(colon + 1, " \t");
            snprintf(out, bytes, "%.*s", (int)strcspn(value, "\n"), value);
            written = strlen(out);
        }
    }
    fclose(file);
    return written;
}

/** The control group of this process for a controller: "" is version 2. \return false when there is none */
static bool group_of(const char *root, const char *controller, char group[PATH_BYTES])
{
    char path[PATH_BYTES];
    char line[LINE_BYTES];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        char *names = strchr(line, ':');
        char *where = names ? strchr(names + 1, ':') : NULL;
        if (!where) {
            continue;
        }
        *where = '\0';
        char list[LINE_BYTES + 2];
        char wanted[64];
        snprintf(list, sizeof list, ",%s,", names + 1);
        snprintf(wanted, sizeof wanted, ",%s,", controller);
        found = strstr(list, wanted) != NULL;
        snprintf(group, PATH_BYTES, "%.*s", (int)strcspn(where + 1, "\n"), where + 1);
    }
    if (file) {
        fclose(file);
    }
    return found;
}

/** Visit a file of the group and of every group above it, where there is one. */
static void each_level(const char *root, const char *mount, const char *group, const char *name,
                       void (*visit)(const char *path, double *least), double *least)
{
    char at[PATH_BYTES];
    snprintf(at, sizeof at, "%s", group);
    for (bool more = true; more;) {
        char path[3 * PATH_BYTES];
        snprintf(path, sizeof path, "%s/sys/fs/cgroup%s%s/%s", root, mount, at, name);
        visit(path, least);
        char *slash = strrchr(at, '/');
        more = slash != NULL;
        if (slash) {
            *slash = '\0';
        }
    }
}

static void keep_least(double value, double *least)
{
    if (value > 0 && (*least == 0 || value < *least)) {
        *least = value;
    }
}

/** cpu.max of version 2: "200000 100000", or "max 100000". */
static void visit_cpu_max(const char *path, double *least)
{
    char line[LINE_BYTES];
    uint64_t quota = 0;
    uint64_t period = 0;
    const char *at = line;
    if (first_line(path, line) && rg_host_number(&at, 10, &quota) && rg_host_number(&at, 10, &period) && period > 0) {
        keep_least((double)quota / (double)period, least);
    }
}

/** cpu.cfs_quota_us of version 1, with its period beside it: -1 is no limit. */
static void visit_cfs_quota(const char *path, double *least)
{
    char beside[3 * PATH_BYTES + 32];
    uint64_t quota = 0;
    uint64_t period = 0;
    snprintf(beside, sizeof beside, "%.*scpu.cfs_period_us", (int)(strlen(path) - strlen("cpu.cfs_quota_us")), path);
    if (number_in(path, &quota) && number_in(beside, &period) && period > 0) {
        keep_least((double)quota / (double)period, least);
    }
}

double rg_host_cpu_quota(const char *root)
{
    char group[PATH_BYTES];
    double least = 0;
    if (group_of(root, "", group)) {
        each_level(root, "", group, "cpu.max", visit_cpu_max, &least);
    }
    if (group_of(root, "cpu", group)) {
        each_level(root, "/cpu", group, "cpu.cfs_quota_us", visit_cfs_quota, &least);
    }
    return least;
}

/** A limit in bytes less what is used, from the file of the limit and the one of the use beside it. */
static void visit_memory(const char *path, const char *limit_name, const char *use_name, double *least)
{
    char beside[3 * PATH_BYTES + 32];
    uint64_t limit = 0;
    uint64_t use = 0;
    snprintf(beside, sizeof beside, "%.*s%s", (int)(strlen(path) - strlen(limit_name)), path, use_name);
    if (number_in(path, &limit) && number_in(beside, &use)) {
        keep_least(limit > use ? (double)(limit - use) : 1, least);
    }
}

static void visit_memory_max(const char *path, double *least)
{
    visit_memory(path, "memory.max", "memory.current", least);
}

static void visit_memory_limit(const char *path, double *least)
{
    visit_memory(path, "memory.limit_in_bytes", "memory.usage_in_bytes", least);
}

uint64_t rg_host_memory_available(const char *root)
{
    char path[PATH_BYTES];
    char text[64];
    char group[PATH_BYTES];
    uint64_t kibibytes = 0;
    double least = 0;
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    const char *at = text;
    if (rg_host_line(path, "MemAvailable", text, sizeof text) > 0 && rg_host_number(&at, 10, &kibibytes)) {
        keep_least((double)kibibytes * 1024, &least);
    }
    if (group_of(root, "", group)) {
        each_level(root, "", group, "memory.max", visit_memory_max, &least);
    }
    if (group_of(root, "memory", group)) {
        each_level(root, "/memory", group, "memory.limit_in_bytes", visit_memory_limit, &least);
    }
    return (uint64_t)least;
}

uint64_t rg_host_cache_bytes(const struct rg_host_topology *topology, unsigned level, unsigned threads)
{
    const uint32_t *ids = topology->cache_ids[level];
    uint64_t caches = 0;
    for (unsigned i = 0; i < threads && i < topology->cpu_count; i++) {
        unsigned before = 0;
        while (before < i && ids[before] != ids[i]) {
            before++;
        }
        caches += before == i ? 1 : 0;
    }
    return caches * topology->cache_bytes[level];
}

uint64_t rg_host_huge_bytes(const void *begin, uint64_t bytes)
{
    static const char huge_pages[] = "AnonHugePages:";
    FILE *file = fopen("/proc/self/smaps", "re");
    char line[LINE_BYTES];
    bool inside = false;
    uint64_t huge = 0;
    while (file && fgets(line, sizeof line, file)) {
        uint64_t first = 0;
        uint64_t last = 0;
        uint64_t kibibytes = 0;
        const char *at = line;
        const char *value = line + strlen(huge_pages);
        if (rg_host_number(&at, 16, &first) && *at++ == '-' && rg_host_number(&at, 16, &last) && *at == ' ') {
            inside = first < (uint64_t)(uintptr_t)begin + bytes && last > (uint64_t)(uintptr_t)begin;
        } else if (inside && strncmp(line, huge_pages, strlen(huge_pages)) == 0 &&
                   rg_host_number(&value, 10, &kibibytes)) {
            huge += kibibytes * 1024;
        }
    }
    if (file) {
        fclose(file);
    }
    return huge < bytes ? huge : bytes;
}

ridge_status rg_host_threads(const char *root, const struct rg_host_topology *topology, unsigned asked,
                             unsigned *threads, char limit[RG_HOST_LIMIT_BYTES], struct ridge_error *error)
{
    const double quota = rg_host_cpu_quota(root);
    unsigned allowed = topology->cpu_count;
    limit[0] = '\0';
    if (quota > 0 && ceil(quota) < allowed) {
        allowed = (unsigned)ceil(quota);
        snprintf(limit, RG_HOST_LIMIT_BYTES, "the control group allows the time of %.2g processor%s of %u", quota,
                 quota == 1 ? "" : "s", topology->cpu_count);
    }
    if (asked > allowed) {
        return rg_error_set(error, RIDGE_E_ARGUMENT,
                            "%u threads are more than the processors that this process may use: %u", asked, allowed);
    }
    *threads = asked > 0 ? asked : allowed;
    return RIDGE_OK;
}
