/* SPDX-License-Identifier: MIT */
/**
 * \file The part of the CUDA driver API that is used, declared here so that no toolkit is needed to build. Names with a
 * `_v2` are what cuda.h maps the plain names to.
 * Source: CUDA Driver API reference, CUDA 13.0 (cuda.h). Checked by: tests/cuda/abi_matches.c where cuda.h is installed.
 */
#ifndef RG_BACKEND_CUDA_ABI_H
#define RG_BACKEND_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef int rg_cu_result;
typedef int rg_cu_device;
typedef uint64_t rg_cu_pointer; /**< device address */
typedef struct rg_cu_context_handle *rg_cu_context;
typedef struct rg_cu_module_handle *rg_cu_module;
typedef struct rg_cu_function_handle *rg_cu_function;
typedef struct rg_cu_event_handle *rg_cu_event;
typedef struct rg_cu_stream_handle *rg_cu_stream;

/** Result codes that are told apart: name, value. */
#define RG_CU_RESULT_LIST(X)                   \
    X(CUDA_SUCCESS, 0)                         \
    X(CUDA_ERROR_INVALID_VALUE, 1)             \
    X(CUDA_ERROR_OUT_OF_MEMORY, 2)             \
    X(CUDA_ERROR_DEINITIALIZED, 4)             \
    X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46)       \
    X(CUDA_ERROR_NO_DEVICE, 100)               \
    X(CUDA_ERROR_INVALID_DEVICE, 101)          \
    X(CUDA_ERROR_INVALID_CONTEXT, 201)         \
    X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)       \
    X(CUDA_ERROR_ECC_UNCORRECTABLE, 214)       \
    X(CUDA_ERROR_INVALID_PTX, 218)             \
    X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222) \
    X(CUDA_ERROR_NOT_FOUND, 500)               \
    X(CUDA_ERROR_ILLEGAL_ADDRESS, 700)         \
    X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701) \
    X(CUDA_ERROR_LAUNCH_TIMEOUT, 702)          \
    X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)    \
    X(CUDA_ERROR_ASSERT, 710)                  \
    X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714)    \
    X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715)     \
    X(CUDA_ERROR_MISALIGNED_ADDRESS, 716)      \
    X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717)   \
    X(CUDA_ERROR_INVALID_PC, 718)              \
    X(CUDA_ERROR_LAUNCH_FAILED, 719)           \
    X(CUDA_ERROR_SYSTEM_NOT_READY, 802)        \
    X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803)

/** Device attributes: name, value. */
#define RG_CU_ATTRIBUTE_LIST(X)                                     \
    X(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1)                 \
    X(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 2)                       \
    X(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 3)                       \
    X(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 4)                       \
    X(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 5)                        \
    X(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 6)                        \
    X(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 7)                        \
    X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 8)           \
    X(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 10)                            \
    X(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 12)              \
    X(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16)                 \
    X(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 38)                        \
    X(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 39)       \
    X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)             \
    X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)             \
    X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 81) \
    X(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 82)     \
    X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)    \
    X(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 106)       \
    X(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 111)

/** Function attributes: name, value. */
#define RG_CU_FUNCTION_LIST(X)                    \
    X(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0) \
    X(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1)     \
    X(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 3)      \
    X(CU_FUNC_ATTRIBUTE_NUM_REGS, 4)              \
    X(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8)

/** The same lists as constants. The prefix keeps them apart from those of cuda.h, which a test includes as well. */
enum {
#define RG_CU_ENUM(name, value) RG_##name = (value),
    RG_CU_RESULT_LIST(RG_CU_ENUM)
    RG_CU_ATTRIBUTE_LIST(RG_CU_ENUM) RG_CU_FUNCTION_LIST(RG_CU_ENUM)
#undef RG_CU_ENUM
        RG_CU_EVENT_DEFAULT = 0
};

/** Calls that are used: name, result is rg_cu_result, arguments. REQ must be there, OPT may be missing (then NULL). */
#define RG_CU_CALLS(REQ, OPT)                                                                                          \
    REQ(cuInit, (unsigned flags))                                                                                      \
    REQ(cuDriverGetVersion, (int *version))                                                                            \
    REQ(cuGetErrorName, (rg_cu_result result, const char **name))                                                      \
    REQ(cuGetErrorString, (rg_cu_result result, const char **text))                                                    \
    REQ(cuDeviceGetCount, (int *count))                                                                                \
    REQ(cuDeviceGet, (rg_cu_device * device, int ordinal))                                                             \
    REQ(cuDeviceGetName, (char *name, int length, rg_cu_device device))                                                \
    REQ(cuDeviceTotalMem_v2, (size_t * bytes, rg_cu_device device))                                                    \
    REQ(cuDeviceGetAttribute, (int *value, int attribute, rg_cu_device device))                                        \
    REQ(cuDevicePrimaryCtxRetain, (rg_cu_context * context, rg_cu_device device))                                      \
    REQ(cuDevicePrimaryCtxRelease_v2, (rg_cu_device device))                                                           \
    REQ(cuCtxSetCurrent, (rg_cu_context context))                                                                      \
    REQ(cuCtxSynchronize, (void))                                                                                      \
    REQ(cuMemGetInfo_v2, (size_t * free_bytes, size_t * total_bytes))                                                  \
    REQ(cuMemAlloc_v2, (rg_cu_pointer * pointer, size_t bytes))                                                        \
    REQ(cuMemFree_v2, (rg_cu_pointer pointer))                                                                         \
    REQ(cuMemcpyHtoD_v2, (rg_cu_pointer to, const void *from, size_t bytes))                                           \
    REQ(cuMemcpyDtoH_v2, (void *to, rg_cu_pointer from, size_t bytes))                                                 \
    REQ(cuMemsetD8_v2, (rg_cu_pointer to, unsigned char value, size_t bytes))                                          \
    REQ(cuModuleLoadData, (rg_cu_module * module, const void *image))                                                  \
    REQ(cuModuleUnload, (rg_cu_module module))                                                                         \
    REQ(cuModuleGetFunction, (rg_cu_function * function, rg_cu_module module, const char *name))                       \
    REQ(cuFuncGetAttribute, (int *value, int attribute, rg_cu_function function))                                      \
    REQ(cuFuncSetAttribute, (rg_cu_function function, int attribute, int value))                                       \
    REQ(cuLaunchKernel, (rg_cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, \
                         unsigned block_y, unsigned block_z, unsigned shared_bytes, rg_cu_stream stream,               \
                         void **parameters, void **extra))                                                             \
    REQ(cuEventCreate, (rg_cu_event * event, unsigned flags))                                                          \
    REQ(cuEventDestroy_v2, (rg_cu_event event))                                                                        \
    REQ(cuEventRecord, (rg_cu_event event, rg_cu_stream stream))                                                       \
    REQ(cuEventSynchronize, (rg_cu_event event))                                                                       \
    REQ(cuEventElapsedTime, (float *milliseconds, rg_cu_event begin, rg_cu_event end))                                 \
    OPT(cuFuncGetParamInfo, (rg_cu_function function, size_t index, size_t * offset, size_t * bytes))

#endif
