/* SPDX-License-Identifier: MIT */
/**
 * \file A CUDA driver without a GPU, for tests of the backend. It is found as libcuda.so.1 through LD_LIBRARY_PATH. Its
 * device memory is this process's; a "module" is a text with the options that the stand-in compiler was given
 * (fake_nvrtc.c), and the one kernel that it knows, `scale(in, out, n)`, does out[i] = 2 * in[i] as the macro `mode`
 * says. A module of PTX is really run, by the engine (fake_cuda_ptx.c); a compiler that does not know the device's
 * compute capability, which FAKE_CUDA_CAPABILITY changes, makes PTX. The variable FAKE_CUDA says what fails: "fail:<call>" or "fail:<call>:<code>"; "none": no device;
 * "other-facts": attributes that the device database does not agree with; "one-unit": one multiprocessor; "small": little memory.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/cuda_abi.h"
#include "fake_cuda_ptx.h"

#pragma GCC visibility push(default)

enum {
    FAILURE = 999, /* CUDA_ERROR_UNKNOWN */
    MEMORY_BYTES = 256 << 20,
    SMALL_BYTES = 1 << 16
};

/* What `mode` makes of the kernel. */
enum {
    MODE_RIGHT,
    MODE_WRONG,    /* the last element is not written */
    MODE_OUTSIDE,  /* one element behind the output is written */
    MODE_FAULT,    /* an illegal address: the context is spoilt */
    MODE_SLOW,     /* takes as long as it says */
    MODE_LOST,     /* the device falls off the bus */
    MODE_BIG,      /* 255 registers: at most 256 threads */
    MODE_NO_IMAGE, /* the driver does not take the image */
    MODE_HANG
};

struct rg_cu_module_handle {
    int mode;
    struct fake_ptx *ptx; /* NULL: no PTX */
};

struct rg_cu_function_handle {
    int mode;
    const struct fake_ptx *ptx;
    size_t entry;
};

/* Memory that is allocated. */
static struct fake_memory memories[256];

struct rg_cu_event_handle {
    double at_ms;
};

static rg_cu_result spoilt; /* what every call gives from now on */
static double now_ms;       /* the device's clock */
static size_t used_bytes;

static int mode_is(const char *mode)
{
    const char *asked = getenv("FAKE_CUDA");
    return asked && strcmp(asked, mode) == 0;
}

static rg_cu_result asked_failure(const char *call)
{
    const char *asked = getenv("FAKE_CUDA");
    const size_t length = strlen(call);
    if (!asked || strncmp(asked, "fail:", 5) != 0 || strncmp(asked + 5, call, length) != 0) {
        return RG_CUDA_SUCCESS;
    }
    const char *rest = asked + 5 + length;
    return *rest == '\0' ? FAILURE : *rest == ':' ? atoi(rest + 1) : RG_CUDA_SUCCESS;
}

#define FAIL_IF_ASKED                                         \
    do {                                                      \
        const rg_cu_result asked = asked_failure(__func__);   \
        if (asked != RG_CUDA_SUCCESS || spoilt != 0) {        \
            return asked != RG_CUDA_SUCCESS ? asked : spoilt; \
        }                                                     \
    } while (0)

rg_cu_result cuInit(unsigned flags)
{
    (void)flags;
    FAIL_IF_ASKED;
    return mode_is("none") ? RG_CUDA_ERROR_NO_DEVICE : RG_CUDA_SUCCESS;
}

/* NVRTC asks whatever driver is loaded for this, and calls it without looking. */
rg_cu_result cuGetExportTable(const void **table, const void *id)
{
    (void)id;
    *table = NULL;
    return RG_CUDA_ERROR_NOT_FOUND;
}

rg_cu_result cuDriverGetVersion(int *version)
{
    FAIL_IF_ASKED;
    *version = 13000;
    return RG_CUDA_SUCCESS;
}

static const struct {
    rg_cu_result code;
    const char *name;
} results[] = {
#define RESULT_ROW(name, value) {value, #name},
    RG_CU_RESULT_LIST(RESULT_ROW)
#undef RESULT_ROW
};

rg_cu_result cuGetErrorName(rg_cu_result result, const char **name)
{
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        if (results[i].code == result) {
            *name = results[i].name;
            return RG_CUDA_SUCCESS;
        }
    }
    return RG_CUDA_ERROR_INVALID_VALUE;
}

rg_cu_result cuGetErrorString(rg_cu_result result, const char **text)
{
    (void)result;
    *text = "as the test asked for";
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuDeviceGetCount(int *count)
{
    FAIL_IF_ASKED;
    *count = 1;
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuDeviceGet(rg_cu_device *device, int ordinal)
{
    FAIL_IF_ASKED;
    *device = ordinal;
    return ordinal == 0 ? RG_CUDA_SUCCESS : RG_CUDA_ERROR_INVALID_DEVICE;
}

rg_cu_result cuDeviceGetName(char *name, int length, rg_cu_device device)
{
    (void)device;
    FAIL_IF_ASKED;
    snprintf(name, (size_t)length, "NVIDIA A100-SXM4-40GB");
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuDeviceTotalMem_v2(size_t *bytes, rg_cu_device device)
{
    (void)device;
    FAIL_IF_ASKED;
    *bytes = mode_is("small") ? SMALL_BYTES : MEMORY_BYTES;
    return RG_CUDA_SUCCESS;
}

/* Source: data/devices/nvidia-limits.toml, compute capability 8.0. */
static const struct {
    int attribute;
    int value;
} attributes[] = {
    {RG_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
    {RG_CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
    {RG_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 108},
    {RG_CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 1 << 20},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
    {RG_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 8},
    {RG_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 167936},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 166912},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
    {RG_CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 1024},
};

rg_cu_result cuDeviceGetAttribute(int *value, int attribute, rg_cu_device device)
{
    (void)device;
    FAIL_IF_ASKED;
    const char *capability = getenv("FAKE_CUDA_CAPABILITY");
    if (capability && attribute == RG_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) {
        *value = atoi(capability);
        return RG_CUDA_SUCCESS;
    }
    if (mode_is("one-unit") && attribute == RG_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) {
        *value = 1;
        return RG_CUDA_SUCCESS;
    }
    if (mode_is("other-facts") && attribute == RG_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) {
        *value = 98;
        return RG_CUDA_SUCCESS;
    }
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        if (attributes[i].attribute == attribute) {
            *value = attributes[i].value;
            return RG_CUDA_SUCCESS;
        }
    }
    return RG_CUDA_ERROR_INVALID_VALUE;
}

rg_cu_result cuDevicePrimaryCtxRetain(rg_cu_context *context, rg_cu_device device)
{
    (void)device;
    FAIL_IF_ASKED;
    *context = (rg_cu_context)&now_ms;
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuDevicePrimaryCtxRelease_v2(rg_cu_device device)
{
    (void)device;
    FAIL_IF_ASKED;
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuCtxSetCurrent(rg_cu_context context)
{
    (void)context;
    FAIL_IF_ASKED;
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuCtxSynchronize(void)
{
    FAIL_IF_ASKED;
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
    FAIL_IF_ASKED;
    *total_bytes = mode_is("small") ? SMALL_BYTES : MEMORY_BYTES;
    *free_bytes = *total_bytes - used_bytes;
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuMemAlloc_v2(rg_cu_pointer *pointer, size_t bytes)
{
    FAIL_IF_ASKED;
    const size_t all = mode_is("small") ? SMALL_BYTES : MEMORY_BYTES;
    void *memory = bytes <= all - used_bytes ? malloc(bytes) : NULL;
    if (!memory) {
        return RG_CUDA_ERROR_OUT_OF_MEMORY;
    }
    size_t slot = 0;
    while (slot < 256 && memories[slot].bytes) {
        slot++;
    }
    if (slot == 256) {
        free(memory);
        return RG_CUDA_ERROR_OUT_OF_MEMORY;
    }
    memories[slot] = (struct fake_memory){memory, bytes};
    used_bytes += bytes;
    *pointer = (rg_cu_pointer)(uintptr_t)memory;
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuMemFree_v2(rg_cu_pointer pointer)
{
    for (size_t i = 0; i < 256; i++) {
        if (memories[i].bytes == (void *)(uintptr_t)pointer) {
            used_bytes -= memories[i].size;
            memories[i] = (struct fake_memory){0};
        }
    }
    free((void *)(uintptr_t)pointer);
    FAIL_IF_ASKED;
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuMemcpyHtoD_v2(rg_cu_pointer to, const void *from, size_t bytes)
{
    FAIL_IF_ASKED;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuMemcpyDtoH_v2(void *to, rg_cu_pointer from, size_t bytes)
{
    FAIL_IF_ASKED;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuMemsetD8_v2(rg_cu_pointer to, unsigned char value, size_t bytes)
{
    FAIL_IF_ASKED;
    memset((void *)(uintptr_t)to, value, bytes);
    return RG_CUDA_SUCCESS;
}

/** The value of -Dmode=N in the options that the stand-in compiler kept. */
static int image_mode(const char *image)
{
    const char *at = strstr(image, "mode=");
    return at ? atoi(at + 5) : MODE_RIGHT;
}

rg_cu_result cuModuleLoadData(rg_cu_module *module, const void *image)
{
    FAIL_IF_ASKED;
    if (image_mode(image) == MODE_NO_IMAGE) {
        return RG_CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    *module = calloc(1, sizeof **module);
    if (!*module) {
        return RG_CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (strstr(image, ".address_size")) {
        (*module)->ptx = fake_ptx_open(image);
        return (*module)->ptx ? RG_CUDA_SUCCESS : RG_CUDA_ERROR_INVALID_PTX;
    }
    (*module)->mode = image_mode(image);
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuModuleUnload(rg_cu_module module)
{
    fake_ptx_close(module->ptx);
    free(module);
    FAIL_IF_ASKED; /* what fails to be freed is gone all the same: no leak of the tests */
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuModuleGetFunction(rg_cu_function *function, rg_cu_module module, const char *name)
{
    FAIL_IF_ASKED;
    struct rg_cu_function_handle made = {module->mode, module->ptx, 0};
    if (module->ptx ? !fake_ptx_find(module->ptx, name, &made.entry) : strcmp(name, "scale") != 0) {
        return RG_CUDA_ERROR_NOT_FOUND;
    }
    static struct rg_cu_function_handle functions[4096]; /* a test's process takes no more */
    static size_t count;
    functions[count % 4096] = made;
    *function = &functions[count++ % 4096];
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuFuncGetAttribute(int *value, int attribute, rg_cu_function function)
{
    FAIL_IF_ASKED;
    const int big = function->mode == MODE_BIG;
    switch (attribute) {
    case RG_CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = big ? 256 : 1024; return RG_CUDA_SUCCESS;
    case RG_CU_FUNC_ATTRIBUTE_NUM_REGS: *value = big ? 255 : 16; return RG_CUDA_SUCCESS;
    case RG_CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = 0; return RG_CUDA_SUCCESS;
    default: return RG_CUDA_ERROR_INVALID_VALUE;
    }
}

rg_cu_result cuFuncSetAttribute(rg_cu_function function, int attribute, int value)
{
    (void)function;
    (void)attribute;
    FAIL_IF_ASKED;
    return value <= 166912 ? RG_CUDA_SUCCESS : RG_CUDA_ERROR_INVALID_VALUE;
}

rg_cu_result cuFuncGetParamInfo(rg_cu_function function, size_t index, size_t *offset, size_t *bytes)
{
    FAIL_IF_ASKED;
    if (function->ptx) {
        *offset = 0;
        return fake_ptx_parameter(function->ptx, function->entry, index, bytes) ? RG_CUDA_SUCCESS
                                                                                : RG_CUDA_ERROR_INVALID_VALUE;
    }
    static const size_t sizes[] = {8, 8, 4};
    if (index >= 3) {
        return RG_CUDA_ERROR_INVALID_VALUE;
    }
    *offset = 8 * index;
    *bytes = sizes[index];
    return RG_CUDA_SUCCESS;
}

static rg_cu_result run(int mode, const float *in, float *out, int n)
{
    now_ms += 0.5;
    switch (mode) {
    case MODE_FAULT: spoilt = RG_CUDA_ERROR_ILLEGAL_ADDRESS; return RG_CUDA_SUCCESS;
    case MODE_LOST: spoilt = RG_CUDA_ERROR_DEVICE_UNAVAILABLE; return spoilt;
    case MODE_SLOW: now_ms += 20; break;
    case MODE_HANG:
        for (;;) {
            const struct timespec second = {1, 0};
            nanosleep(&second, NULL);
        }
    default: break;
    }
    const int last = mode == MODE_WRONG ? n - 1 : mode == MODE_OUTSIDE ? n + 1 : n;
    for (int i = 0; i < last; i++) {
        out[i] = i < n ? 2 * in[i] : -1;
    }
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuLaunchKernel(rg_cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                            rg_cu_stream stream, void **parameters, void **extra)
{
    (void)stream;
    (void)extra;
    FAIL_IF_ASKED;
    if (grid_x * grid_y * grid_z == 0 || block_x * block_y * block_z > 1024 || shared_bytes > 166912) {
        return RG_CUDA_ERROR_INVALID_VALUE;
    }
    if (function->ptx) {
        const unsigned grid[3] = {grid_x, grid_y, grid_z};
        const unsigned block[3] = {block_x, block_y, block_z};
        double seconds = 0;
        spoilt = fake_ptx_run(function->ptx, function->entry, grid, block, shared_bytes, parameters, memories, &seconds)
                     ? RG_CUDA_SUCCESS
                     : RG_CUDA_ERROR_ILLEGAL_ADDRESS;
        now_ms += seconds * 1e3;
        return RG_CUDA_SUCCESS;
    }
    const rg_cu_pointer in = *(rg_cu_pointer *)parameters[0];
    const rg_cu_pointer out = *(rg_cu_pointer *)parameters[1];
    return run(function->mode, (const float *)(uintptr_t)in, (float *)(uintptr_t)out, *(int *)parameters[2]);
}

rg_cu_result cuEventCreate(rg_cu_event *event, unsigned flags)
{
    (void)flags;
    FAIL_IF_ASKED;
    *event = calloc(1, sizeof **event);
    return *event ? RG_CUDA_SUCCESS : RG_CUDA_ERROR_OUT_OF_MEMORY;
}

rg_cu_result cuEventDestroy_v2(rg_cu_event event)
{
    free(event);
    FAIL_IF_ASKED;
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuEventRecord(rg_cu_event event, rg_cu_stream stream)
{
    (void)stream;
    FAIL_IF_ASKED;
    event->at_ms = now_ms;
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuEventSynchronize(rg_cu_event event)
{
    (void)event;
    FAIL_IF_ASKED;
    return RG_CUDA_SUCCESS;
}

rg_cu_result cuEventElapsedTime(float *milliseconds, rg_cu_event begin, rg_cu_event end)
{
    FAIL_IF_ASKED;
    *milliseconds = (float)(end->at_ms - begin->at_ms);
    return RG_CUDA_SUCCESS;
}
