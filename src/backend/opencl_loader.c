/* SPDX-License-Identifier: MIT */
#include "backend/opencl_loader.h"

#include <dlfcn.h>
#include <string.h>

#include "base/error.h"

static const char library_name[] = "libOpenCL.so.1";

struct call_row {
    const char *name;
    size_t offset; /* of its pointer in the table */
    bool required;
};

static const struct call_row calls[] = {
#define REQUIRED_ROW(name) {#name, offsetof(struct rg_opencl_api, name), true},
#define OPTIONAL_ROW(name) {#name, offsetof(struct rg_opencl_api, name), false},
    RG_OPENCL_CALLS(REQUIRED_ROW, OPTIONAL_ROW)
#undef REQUIRED_ROW
#undef OPTIONAL_ROW
};

struct error_row {
    cl_int code;
    const char *name;
};

static const struct error_row errors[] = {
#define ERROR_ROW(name) {name, #name},
    ERROR_ROW(CL_SUCCESS) ERROR_ROW(CL_DEVICE_NOT_FOUND) ERROR_ROW(CL_DEVICE_NOT_AVAILABLE) ERROR_ROW(
        CL_COMPILER_NOT_AVAILABLE) ERROR_ROW(CL_MEM_OBJECT_ALLOCATION_FAILURE) ERROR_ROW(CL_OUT_OF_RESOURCES)
        ERROR_ROW(CL_OUT_OF_HOST_MEMORY) ERROR_ROW(CL_PROFILING_INFO_NOT_AVAILABLE) ERROR_ROW(CL_MEM_COPY_OVERLAP)
            ERROR_ROW(CL_IMAGE_FORMAT_MISMATCH) ERROR_ROW(CL_IMAGE_FORMAT_NOT_SUPPORTED) ERROR_ROW(
                CL_BUILD_PROGRAM_FAILURE) ERROR_ROW(CL_MAP_FAILURE) ERROR_ROW(CL_MISALIGNED_SUB_BUFFER_OFFSET)
                ERROR_ROW(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) ERROR_ROW(CL_COMPILE_PROGRAM_FAILURE) ERROR_ROW(
                    CL_LINKER_NOT_AVAILABLE) ERROR_ROW(CL_LINK_PROGRAM_FAILURE) ERROR_ROW(CL_DEVICE_PARTITION_FAILED)
                    ERROR_ROW(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) ERROR_ROW(CL_INVALID_VALUE) ERROR_ROW(
                        CL_INVALID_DEVICE_TYPE) ERROR_ROW(CL_INVALID_PLATFORM) ERROR_ROW(CL_INVALID_DEVICE)
                        ERROR_ROW(CL_INVALID_CONTEXT) ERROR_ROW(CL_INVALID_QUEUE_PROPERTIES) ERROR_ROW(
                            CL_INVALID_COMMAND_QUEUE) ERROR_ROW(CL_INVALID_HOST_PTR) ERROR_ROW(CL_INVALID_MEM_OBJECT)
                            ERROR_ROW(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) ERROR_ROW(CL_INVALID_IMAGE_SIZE) ERROR_ROW(
                                CL_INVALID_SAMPLER) ERROR_ROW(CL_INVALID_BINARY) ERROR_ROW(CL_INVALID_BUILD_OPTIONS)
                                ERROR_ROW(CL_INVALID_PROGRAM) ERROR_ROW(CL_INVALID_PROGRAM_EXECUTABLE)
                                    ERROR_ROW(CL_INVALID_KERNEL_NAME) ERROR_ROW(CL_INVALID_KERNEL_DEFINITION) ERROR_ROW(
                                        CL_INVALID_KERNEL) ERROR_ROW(CL_INVALID_ARG_INDEX)
                                        ERROR_ROW(CL_INVALID_ARG_VALUE) ERROR_ROW(CL_INVALID_ARG_SIZE) ERROR_ROW(
                                            CL_INVALID_KERNEL_ARGS) ERROR_ROW(CL_INVALID_WORK_DIMENSION)
                                            ERROR_ROW(CL_INVALID_WORK_GROUP_SIZE) ERROR_ROW(CL_INVALID_WORK_ITEM_SIZE)
                                                ERROR_ROW(CL_INVALID_GLOBAL_OFFSET) ERROR_ROW(
                                                    CL_INVALID_EVENT_WAIT_LIST) ERROR_ROW(CL_INVALID_EVENT)
                                                    ERROR_ROW(CL_INVALID_OPERATION) ERROR_ROW(CL_INVALID_GL_OBJECT)
                                                        ERROR_ROW(CL_INVALID_BUFFER_SIZE) ERROR_ROW(
                                                            CL_INVALID_MIP_LEVEL) ERROR_ROW(CL_INVALID_GLOBAL_WORK_SIZE)
                                                            ERROR_ROW(CL_INVALID_PROPERTY)
                                                                ERROR_ROW(CL_INVALID_IMAGE_DESCRIPTOR)
                                                                    ERROR_ROW(CL_INVALID_COMPILER_OPTIONS)
                                                                        ERROR_ROW(CL_INVALID_LINKER_OPTIONS)
                                                                            ERROR_ROW(CL_INVALID_DEVICE_PARTITION_COUNT)
#undef ERROR_ROW
                                                                                {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

ridge_status rg_opencl_load(struct rg_opencl_api *api, struct ridge_error *error)
{
    memset(api, 0, sizeof *api);
    api->library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!api->library) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                            "%s is not here (install an OpenCL loader, such as the package ocl-icd-libopencl1, and a "
                            "driver, such as pocl-opencl-icd): %s",
                            library_name, dlerror());
    }
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        void *symbol = dlsym(api->library, calls[i].name);
        if (!symbol && calls[i].required) {
            return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                                "%s has no %s (an OpenCL 1.2 loader is needed, such as the package "
                                "ocl-icd-libopencl1)",
                                library_name, calls[i].name);
        }
        /* ISO C has no conversion from an object pointer to a function pointer. */
        memcpy((char *)api + calls[i].offset, &symbol, sizeof symbol);
    }
    return RIDGE_OK;
}

const char *rg_opencl_error_name(cl_int code)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (errors[i].code == code) {
            return errors[i].name;
        }
    }
    return "an unknown OpenCL error";
}

ridge_status rg_opencl_failed(struct ridge_error *error, cl_int code, const char *call)
{
    const bool first = error && error->status == RIDGE_OK;
    rg_error_set(error, RIDGE_E_DEVICE, "%s failed: %s (%d)", call, rg_opencl_error_name(code), code);
    if (first) {
        error->native = code;
    }
    return RIDGE_E_DEVICE;
}
