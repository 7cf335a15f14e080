/* SPDX-License-Identifier: MIT */
/** \file Whether a saved curve is older than what drives its device. Only files are looked at: no driver is loaded. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include <dirent.h>

#include "curve/curve_rules.h"
#include "curve/host_limits.h"
#include "ridge/curve.h"

enum {
    WHY_BYTES = 512,
    PATH_BYTES = 1024
};

/** The host: its kernel and its processor say who they are. */
static bool host_is_old(const char *root, const struct ridge_curve *curve, char *why)
{
    (void)root;
    struct utsname system = {0};
    struct rg_host_topology topology;
    char driver[256];
    uname(&system);
    rg_host_topology_plain(&topology);
    snprintf(driver, sizeof driver, "%.64s %.64s %.64s", system.sysname, system.release, system.machine);
    if (curve->device && strcmp(curve->device, topology.model) != 0) {
        snprintf(why, WHY_BYTES, "it was measured on another processor: %.160s; this is %.120s", curve->device,
                 topology.model);
        return true;
    }
    if (curve->driver && strcmp(curve->driver, driver) != 0) {
        snprintf(why, WHY_BYTES, "it was measured under %.160s; this is %.160s", curve->driver, driver);
        return true;
    }
    return false;
}

/** Whether a file was put in place after the date of the curve: ctime, since packages keep an older mtime. */
static bool is_newer(const char *path, const char *made_at)
{
    struct stat facts;
    struct tm parts;
    char text[32];
    if (stat(path, &facts) != 0 || !gmtime_r(&facts.st_ctime, &parts)) {
        return false;
    }
    return strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts) > 0 && strcmp(text, made_at) > 0;
}

/** A driver that an .icd file names, by path or to be looked for. */
static bool library_is_newer(const char *root, const char *name, const char *made_at)
{
    static const char *const folders[] = {
        "", "/usr/lib/x86_64-linux-gnu/", "/usr/lib/aarch64-linux-gnu/", "/usr/lib64/", "/usr/lib/", "/usr/local/lib/"};
    bool newer = false;
    for (size_t i = name[0] == '/' ? 0 : 1; i < sizeof folders / sizeof folders[0]; i++) {
        char path[2 * PATH_BYTES];
        snprintf(path, sizeof path, "%s%s%s", root, folders[i], name);
        newer = newer || is_newer(path, made_at);
        if (name[0] == '/') {
            break;
        }
    }
    return newer;
}

static bool icd_is_newer(const char *root, const char *path, const char *made_at)
{
    char line[PATH_BYTES] = "";
    FILE *file = fopen(path, "re");
    if (!file) {
        return false;
    }
    const bool got = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
    return is_newer(path, made_at) || (got && line[0] && library_is_newer(root, line, made_at));
}

static bool opencl_is_old(const char *root, const struct ridge_curve *curve, char *why)
{
    char folder[PATH_BYTES];
    snprintf(folder, sizeof folder, "%s/etc/OpenCL/vendors", root);
    DIR *entries = opendir(folder);
    bool old = false;
    for (const struct dirent *entry = entries ? readdir(entries) : NULL; entry && !old; entry = readdir(entries)) {
        char path[2 * PATH_BYTES];
        const size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".icd") == 0 && curve->made_at) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            old = icd_is_newer(root, path, curve->made_at);
        }
        if (old) {
            snprintf(why, WHY_BYTES, "the driver of %.160s was installed after it was measured (%s)", path,
                     curve->made_at);
        }
    }
    if (entries) {
        closedir(entries);
    }
    return old;
}

static bool cuda_is_old(const char *root, const struct ridge_curve *curve, char *why)
{
    if (!curve->made_at || !library_is_newer(root, "libcuda.so.1", curve->made_at)) {
        return false;
    }
    snprintf(why, WHY_BYTES, "NVIDIA's driver was installed after it was measured (%s)", curve->made_at);
    return true;
}

bool rg_curve_is_old(const char *root, const struct ridge_curve *curve, char why[WHY_BYTES])
{
    static const struct {
        const char *backend;
        bool (*is_old)(const char *root, const struct ridge_curve *curve, char *why);
    } rows[] = {{"host", host_is_old}, {"opencl", opencl_is_old}, {"cuda", cuda_is_old}};
    why[0] = '\0';
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && curve->backend; i++) {
        if (strcmp(curve->backend, rows[i].backend) == 0) {
            return rows[i].is_old(root, curve, why);
        }
    }
    return false;
}

bool ridge_curve_is_old(const struct ridge_curve *curve, char why[WHY_BYTES])
{
    return rg_curve_is_old("", curve, why);
}
