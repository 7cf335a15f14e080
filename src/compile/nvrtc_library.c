/* SPDX-License-Identifier: MIT */
#include "compile/nvrtc_library.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"

static const char stem[] = "libnvrtc.so";
static const char install[] = "install the CUDA toolkit's NVRTC, such as the package cuda-nvrtc-13-0, or name its "
                              "folder with --cuda-path";

/** Where a toolkit keeps its libraries, below its folder. */
static const char *const library_folders[] = {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
                                              "."};

struct call_row {
    const char *name;
    size_t offset; /* of its pointer in the table */
    bool required;
};

static const struct call_row calls[] = {
#define REQUIRED_ROW(name, parameters) {#name, offsetof(struct rg_nvrtc_api, name), true},
#define OPTIONAL_ROW(name, parameters) {#name, offsetof(struct rg_nvrtc_api, name), false},
    RG_NVRTC_CALLS(REQUIRED_ROW, OPTIONAL_ROW)
#undef REQUIRED_ROW
#undef OPTIONAL_ROW
};

static void *library_open(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

/** Find the name with a beginning that has the highest version in a folder. \return false when there is none. */
static bool newest_find(const char *folder, const char *beginning, char *out, size_t room)
{
    DIR *listing = opendir(folder);
    if (!listing) {
        return false;
    }
    char newest[NAME_MAX + 1] = "";
    for (const struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        if (strncmp(entry->d_name, beginning, strlen(beginning)) == 0 && strverscmp(entry->d_name, newest) > 0) {
            memcpy(newest, entry->d_name, strlen(entry->d_name) + 1);
        }
    }
    closedir(listing);
    return newest[0] != '\0' && (size_t)snprintf(out, room, "%s/%s", folder, newest) < room;
}

static void *toolkit_open(const char *folder)
{
    for (size_t i = 0; i < sizeof library_folders / sizeof library_folders[0]; i++) {
        char below[PATH_MAX];
        char path[PATH_MAX];
        if ((size_t)snprintf(below, sizeof below, "%s/%s", folder, library_folders[i]) < sizeof below &&
            newest_find(below, stem, path, sizeof path)) {
            void *library = library_open(path);
            if (library) {
                return library;
            }
        }
    }
    return NULL;
}

/** What the loader finds: from versions yet to come down to the first that compiles for today's names. */
static void *loader_open(void)
{
    static const char *const older[] = {"libnvrtc.so.11.2", "libnvrtc.so.11.1", "libnvrtc.so.11.0",
                                        "libnvrtc.so.10.2", "libnvrtc.so.10.1", stem};
    for (int major = 20; major >= 12; major--) {
        char name[32];
        snprintf(name, sizeof name, "%s.%d", stem, major);
        void *library = library_open(name);
        if (library) {
            return library;
        }
    }
    for (size_t i = 0; i < sizeof older / sizeof older[0]; i++) {
        void *library = library_open(older[i]);
        if (library) {
            return library;
        }
    }
    return NULL;
}

static void *default_open(void)
{
    void *library = loader_open();
    char newest[PATH_MAX];
    if (!library) {
        library = toolkit_open("/usr/local/cuda");
    }
    if (!library && newest_find("/usr/local", "cuda-", newest, sizeof newest)) {
        library = toolkit_open(newest);
    }
    return library ? library : toolkit_open("/opt/cuda");
}

static ridge_status named_open(const char *cuda_path, void **out, struct ridge_error *error)
{
    struct stat facts;
    if (stat(cuda_path, &facts) != 0) {
        return rg_error_set(
            error, RIDGE_E_UNAVAILABLE,
            "there is no '%.300s' (--cuda-path names the folder of a CUDA toolkit, or an NVRTC library)", cuda_path);
    }
    const bool folder = S_ISDIR(facts.st_mode);
    *out = folder ? toolkit_open(cuda_path) : library_open(cuda_path);
    if (*out) {
        return RIDGE_OK;
    }
    const char *reason = dlerror();
    return rg_error_set(error, RIDGE_E_UNAVAILABLE, "there is no NVRTC in '%.300s' (%s)%s%.400s", cuda_path,
                        folder ? "the folder of a CUDA toolkit has it as lib64/libnvrtc.so.*" : "it is no library",
                        reason ? ": " : "", reason ? reason : "");
}

static void path_write(struct rg_nvrtc_api *api)
{
    struct link_map *map = NULL;
    char resolved[PATH_MAX];
    if (dlinfo(api->library, RTLD_DI_LINKMAP, &map) == 0 && map && realpath(map->l_name, resolved)) {
        snprintf(api->path, sizeof api->path, "%s", resolved);
    }
}

ridge_status rg_nvrtc_load(struct rg_nvrtc_api *api, const char *cuda_path, struct ridge_error *error)
{
    memset(api, 0, sizeof *api);
    if (cuda_path) {
        const ridge_status status = named_open(cuda_path, &api->library, error);
        if (status != RIDGE_OK) {
            return status;
        }
    } else {
        api->library = default_open();
    }
    if (!api->library) {
        return rg_error_set(
            error, RIDGE_E_UNAVAILABLE,
            "there is no NVRTC, NVIDIA's compiler: libnvrtc.so.* is neither on the loader's path nor in "
            "/usr/local/cuda (%s)",
            install);
    }
    path_write(api);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        void *symbol = dlsym(api->library, calls[i].name);
        if (!symbol && calls[i].required) {
            return rg_error_set(error, RIDGE_E_UNAVAILABLE, "%s has no %s: it is too old, or no NVRTC (%s)", api->path,
                                calls[i].name, install);
        }
        /* ISO C has no conversion from an object pointer to a function pointer. */
        memcpy((char *)api + calls[i].offset, &symbol, sizeof symbol);
    }
    return RIDGE_OK;
}
