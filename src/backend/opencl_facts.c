/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/opencl.h"
#include "base/error.h"
#include "text/utf8.h"

enum {
    TEXT_BYTES = 1024,
    CL_PLATFORM_NOT_FOUND = -1001, /* cl_khr_icd */
    MAX_AXES = 16
};

struct platforms {
    cl_platform_id ids[RG_OPENCL_MAX_PLATFORMS];
    unsigned count;
};

struct devices {
    cl_device_id ids[RG_OPENCL_MAX_DEVICES];
    unsigned count;
};

/** Copy a text, cut between characters when it is too long. */
static void copy_text(char *to, size_t room, const char *from)
{
    size_t length = 0;
    while (from[length] != '\0') {
        const size_t width = rg_utf8_width(from + length);
        const size_t step = width == 0 ? 1 : width;
        if (length + step >= room) {
            break;
        }
        length += step;
    }
    memcpy(to, from, length);
    to[length] = '\0';
}

static void device_text(const struct rg_opencl_api *api, cl_device_id device, cl_device_info what, char *out,
                        size_t room)
{
    char text[TEXT_BYTES] = "";
    if (api->clGetDeviceInfo(device, what, sizeof text, text, NULL) != CL_SUCCESS) {
        text[0] = '\0';
    }
    text[sizeof text - 1] = '\0';
    copy_text(out, room, text);
}

static void platform_text(const struct rg_opencl_api *api, cl_platform_id platform, char *out, size_t room)
{
    char text[TEXT_BYTES] = "";
    if (api->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, NULL) != CL_SUCCESS) {
        text[0] = '\0';
    }
    text[sizeof text - 1] = '\0';
    copy_text(out, room, text);
}

/** A number of 4 or 8 bytes; 0 when the driver does not say. */
static uint64_t device_number(const struct rg_opencl_api *api, cl_device_id device, cl_device_info what)
{
    unsigned char bytes[sizeof(uint64_t)] = {0};
    size_t size = 0;
    uint32_t word = 0;
    uint64_t wide = 0;
    if (api->clGetDeviceInfo(device, what, sizeof bytes, bytes, &size) != CL_SUCCESS) {
        return 0;
    }
    if (size == sizeof word) {
        memcpy(&word, bytes, sizeof word);
        return word;
    }
    memcpy(&wide, bytes, sizeof wide);
    return wide;
}

void rg_opencl_limits_get(const struct rg_opencl_api *api, cl_device_id device, struct rg_opencl_limits *limits)
{
    *limits = (struct rg_opencl_limits){
        .memory_bytes = device_number(api, device, CL_DEVICE_GLOBAL_MEM_SIZE),
        .max_allocation_bytes = device_number(api, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
        .local_bytes = device_number(api, device, CL_DEVICE_LOCAL_MEM_SIZE),
        .max_block_threads = device_number(api, device, CL_DEVICE_MAX_WORK_GROUP_SIZE),
        .alignment_bytes = device_number(api, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8,
        .address_bits = (unsigned)device_number(api, device, CL_DEVICE_ADDRESS_BITS),
    };
    size_t axes[MAX_AXES] = {0};
    if (api->clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof axes, axes, NULL) == CL_SUCCESS) {
        for (size_t i = 0; i < 3; i++) {
            limits->max_block[i] = axes[i];
        }
    }
}

static const char *kind_word(cl_device_type type)
{
    if (type & CL_DEVICE_TYPE_GPU) {
        return "gpu";
    }
    if (type & CL_DEVICE_TYPE_ACCELERATOR) {
        return "accelerator";
    }
    return type & CL_DEVICE_TYPE_CPU ? "cpu" : "other";
}

static void device_facts(const struct rg_opencl_api *api, cl_platform_id platform, cl_device_id device,
                         struct rg_device_facts *facts)
{
    struct rg_opencl_limits limits;
    rg_opencl_limits_get(api, device, &limits);
    char driver[128];
    device_text(api, device, CL_DEVICE_NAME, facts->name, sizeof facts->name);
    platform_text(api, platform, facts->platform, sizeof facts->platform);
    device_text(api, device, CL_DRIVER_VERSION, driver, sizeof driver);
    snprintf(facts->driver, sizeof facts->driver, "%.120s %s", facts->platform, driver);
    device_text(api, device, CL_DEVICE_VERSION, facts->version, sizeof facts->version);
    snprintf(facts->kind, sizeof facts->kind, "%s", kind_word(device_number(api, device, CL_DEVICE_TYPE)));
    facts->compute_units = (uint32_t)device_number(api, device, CL_DEVICE_MAX_COMPUTE_UNITS);
    facts->memory_bytes = limits.memory_bytes;
    facts->max_allocation_bytes = limits.max_allocation_bytes;
    facts->local_memory_bytes = limits.local_bytes;
    facts->max_block_threads = limits.max_block_threads;
    memcpy(facts->max_block, limits.max_block, sizeof facts->max_block);
}

static ridge_status platforms_get(const struct rg_opencl_api *api, struct platforms *platforms,
                                  struct ridge_error *error)
{
    cl_uint count = 0;
    const cl_int code = api->clGetPlatformIDs(RG_OPENCL_MAX_PLATFORMS, platforms->ids, &count);
    if (code != CL_SUCCESS && code != CL_PLATFORM_NOT_FOUND) {
        return rg_opencl_failed(error, code, "clGetPlatformIDs");
    }
    if (code == CL_PLATFORM_NOT_FOUND || count == 0) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                            "the OpenCL loader finds no platform (install a driver, such as the package "
                            "pocl-opencl-icd)");
    }
    platforms->count = count < RG_OPENCL_MAX_PLATFORMS ? count : RG_OPENCL_MAX_PLATFORMS;
    return RIDGE_OK;
}

static ridge_status devices_get(const struct rg_opencl_api *api, cl_platform_id platform, struct devices *devices,
                                struct ridge_error *error)
{
    cl_uint count = 0;
    const cl_int code = api->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, RG_OPENCL_MAX_DEVICES, devices->ids, &count);
    if (code != CL_SUCCESS && code != CL_DEVICE_NOT_FOUND) {
        return rg_opencl_failed(error, code, "clGetDeviceIDs");
    }
    devices->count = code == CL_DEVICE_NOT_FOUND ? 0 : count;
    if (devices->count > RG_OPENCL_MAX_DEVICES) {
        devices->count = RG_OPENCL_MAX_DEVICES;
    }
    return RIDGE_OK;
}

ridge_status rg_opencl_enumerate(const struct ridge_context *context,
                                 void (*visit)(void *user, const struct rg_device_facts *facts), void *user,
                                 struct ridge_error *error)
{
    struct rg_opencl_api api;
    struct platforms platforms;
    ridge_status status = rg_opencl_load(&api, error);
    if (status == RIDGE_OK) {
        status = platforms_get(&api, &platforms, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    unsigned found = 0;
    for (unsigned p = 0; p < platforms.count; p++) {
        struct devices devices;
        struct ridge_error platform_error = {0};
        if (devices_get(&api, platforms.ids[p], &devices, &platform_error) != RIDGE_OK) {
            /* One broken driver does not hide the others. */
            rg_log(context, RIDGE_LOG_WARNING, "OpenCL platform %u: %s", p, platform_error.message);
            status = RIDGE_E_DEVICE;
            rg_error_set(error, status, "OpenCL platform %u: %s", p, platform_error.message);
            continue;
        }
        for (unsigned d = 0; d < devices.count; d++, found++) {
            struct rg_device_facts facts = {0};
            device_facts(&api, platforms.ids[p], devices.ids[d], &facts);
            snprintf(facts.selector, sizeof facts.selector, "opencl:%u:%u", p, d);
            visit(user, &facts);
        }
    }
    if (found > 0) {
        if (error) {
            *error = (struct ridge_error){0};
        }
        return RIDGE_OK;
    }
    return status != RIDGE_OK
               ? status
               : rg_error_set(error, RIDGE_E_UNAVAILABLE,
                              "the OpenCL drivers here find no device (%u platforms; install a driver for the "
                              "device, or the package pocl-opencl-icd for the processor)",
                              platforms.count);
}

ridge_status rg_opencl_find(const struct rg_opencl_api *api, unsigned platform_index, unsigned device_index,
                            cl_device_id *device, struct ridge_error *error)
{
    struct platforms platforms;
    struct devices devices;
    ridge_status status = platforms_get(api, &platforms, error);
    if (status != RIDGE_OK) {
        return status;
    }
    if (platform_index >= platforms.count) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "there is no OpenCL platform %u (0 to %u)", platform_index,
                            platforms.count - 1);
    }
    status = devices_get(api, platforms.ids[platform_index], &devices, error);
    if (status != RIDGE_OK) {
        return status;
    }
    if (devices.count == 0) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "OpenCL platform %u has no device (see ridge backends)",
                            platform_index);
    }
    if (device_index >= devices.count) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "OpenCL platform %u has no device %u (0 to %u)", platform_index,
                            device_index, devices.count - 1);
    }
    *device = devices.ids[device_index];
    return RIDGE_OK;
}
