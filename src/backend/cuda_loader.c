/* SPDX-License-Identifier: MIT */
#include "backend/cuda_loader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static const char library_name[] = "libcuda.so.1";

struct call_row {
    const char *name;
    size_t offset; /* of its pointer in the table */
    bool required;
};

static const struct call_row calls[] = {
#define REQUIRED_ROW(name, arguments) {#name, offsetof(struct rg_cuda_api, name), true},
#define OPTIONAL_ROW(name, arguments) {#name, offsetof(struct rg_cuda_api, name), false},
    RG_CU_CALLS(REQUIRED_ROW, OPTIONAL_ROW)
#undef REQUIRED_ROW
#undef OPTIONAL_ROW
};

static ridge_status calls_take(struct rg_cuda_api *api, struct ridge_error *error)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        void *symbol = dlsym(api->library, calls[i].name);
        if (!symbol && calls[i].required) {
            return rg_error_set(error, RIDGE_E_UNAVAILABLE, "%s has no %s (a driver of CUDA 11.0 or later is needed)",
                                library_name, calls[i].name);
        }
        /* ISO C has no conversion from an object pointer to a function pointer. */
        memcpy((char *)api + calls[i].offset, &symbol, sizeof symbol);
    }
    return RIDGE_OK;
}

ridge_status rg_cuda_load(struct rg_cuda_api *api, struct ridge_error *error)
{
    memset(api, 0, sizeof *api);
    api->library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!api->library) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                            "%s is not here (it comes with NVIDIA's driver, on a machine with such a GPU): %s",
                            library_name, dlerror());
    }
    const ridge_status status = calls_take(api, error);
    if (status != RIDGE_OK) {
        return status;
    }
    const rg_cu_result code = api->cuInit(0);
    if (code == RG_CUDA_ERROR_NO_DEVICE) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "NVIDIA's driver is here and finds no GPU (see nvidia-smi)");
    }
    if (code != RG_CUDA_SUCCESS) {
        char text[256];
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "NVIDIA's driver does not start: %s (see nvidia-smi)",
                            rg_cuda_error_text(api, code, text, sizeof text));
    }
    return RIDGE_OK;
}

const char *rg_cuda_error_text(const struct rg_cuda_api *api, rg_cu_result code, char *out, size_t bytes)
{
    const char *name = NULL;
    const char *text = NULL;
    if (api->cuGetErrorName(code, &name) != RG_CUDA_SUCCESS || !name) {
        snprintf(out, bytes, "an unknown CUDA error (%d)", code);
    } else if (api->cuGetErrorString(code, &text) != RG_CUDA_SUCCESS || !text) {
        snprintf(out, bytes, "%s (%d)", name, code);
    } else {
        snprintf(out, bytes, "%s: %s (%d)", name, text, code);
    }
    return out;
}

ridge_status rg_cuda_failed(const struct rg_cuda_api *api, struct ridge_error *error, rg_cu_result code,
                            const char *call)
{
    char text[256];
    const bool first = error && error->status == RIDGE_OK;
    rg_error_set(error, RIDGE_E_DEVICE, "%s failed: %s", call, rg_cuda_error_text(api, code, text, sizeof text));
    if (first) {
        error->native = code;
    }
    return RIDGE_E_DEVICE;
}
