/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "backend/cuda.h"
#include "base/checked.h"
#include "base/error.h"

uint64_t rg_cuda_dynamic_bytes(const struct rg_session *session, const struct rg_launch *launch)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < session->request.shape_count; i++) {
        if (session->request.shapes[i].kind == RG_SHAPE_LOCAL &&
            __builtin_add_overflow(sum, launch->scalars[i], &sum)) {
            return UINT64_MAX;
        }
    }
    return sum;
}

ridge_status rg_cuda_parameters_check(const struct rg_session *session, rg_cu_function function,
                                      struct ridge_error *error)
{
    const struct rg_session_request *request = &session->request;
    const struct rg_place place = {.file = request->source_path};
    size_t parameter = 0;
    if (!session->api.cuFuncGetParamInfo) {
        return RIDGE_OK; /* a driver before 12.4 */
    }
    for (size_t i = 0; i < request->shape_count; i++) {
        const struct rg_shape *shape = &request->shapes[i];
        size_t offset = 0;
        size_t bytes = 0;
        const size_t buffer = shape->by_value ? (size_t)shape->bytes : sizeof(rg_cu_pointer);
        const size_t wanted = shape->kind == RG_SHAPE_BUFFER ? buffer : shape->element_bytes;
        if (shape->kind == RG_SHAPE_LOCAL) {
            continue; /* dynamic shared memory is no parameter */
        }
        if (session->api.cuFuncGetParamInfo(function, parameter, &offset, &bytes) != RG_CUDA_SUCCESS) {
            return rg_error_at(error, RIDGE_E_VALUE, &place,
                               "kernel '%s' has %zu parameters, and the spec has more arguments ('%s' is one too many)",
                               request->entry, parameter, shape->name);
        }
        if (bytes != wanted) {
            return rg_error_at(error, RIDGE_E_VALUE, &place,
                               "parameter %zu of kernel '%s' has %zu bytes, and argument '%s' of the spec %zu (%s)",
                               parameter + 1, request->entry, bytes, shape->name, wanted, shape->c_type);
        }
        parameter++;
    }
    size_t offset = 0;
    size_t bytes = 0;
    if (session->api.cuFuncGetParamInfo(function, parameter, &offset, &bytes) == RG_CUDA_SUCCESS) {
        return rg_error_at(error, RIDGE_E_VALUE, &place,
                           "kernel '%s' has more parameters than the spec's %zu arguments", request->entry, parameter);
    }
    return RIDGE_OK;
}

static bool blocks_fit(const struct rg_session *session, const struct rg_launch *launch, struct rg_trouble *trouble)
{
    static const char axes[] = "xyz";
    const struct rg_cuda_limits *limits = &session->limits;
    for (unsigned i = 0; i < launch->dimensions; i++) {
        if (limits->max_grid[i] > 0 && launch->grid[i] > limits->max_grid[i]) {
            rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE,
                           "grid_%c is %" PRIu64 " blocks (the device's limit is %" PRIu64 ")", axes[i],
                           launch->grid[i], limits->max_grid[i]);
            return false;
        }
        if (limits->max_block[i] > 0 && launch->block[i] > limits->max_block[i]) {
            rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE,
                           "block_%c is %" PRIu64 " threads (the device's limit is %" PRIu64 ")", axes[i],
                           launch->block[i], limits->max_block[i]);
            return false;
        }
    }
    return true;
}

static bool threads_fit(const struct rg_session *session, const struct rg_kernel *kernel,
                        const struct rg_launch *launch, struct rg_trouble *trouble)
{
    uint64_t threads = 1;
    for (unsigned i = 0; i < launch->dimensions; i++) {
        threads *= launch->block[i]; /* each is at most 1024 by now */
    }
    if (threads > session->limits.max_block_threads) {
        rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE,
                       "the block has %" PRIu64 " threads (the device's limit is %" PRIu64 ")", threads,
                       session->limits.max_block_threads);
        return false;
    }
    if (threads > kernel->max_block_threads) {
        rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE,
                       "the block has %" PRIu64 " threads (the kernel's limit is %" PRIu64 ": it has %" PRIu64
                       " registers a thread, and its launch bounds)",
                       threads, kernel->max_block_threads, kernel->registers);
        return false;
    }
    return true;
}

static bool smem_fits(const struct rg_session *session, const struct rg_kernel *kernel, const struct rg_launch *launch,
                      struct rg_trouble *trouble)
{
    const struct rg_cuda_limits *limits = &session->limits;
    const uint64_t most =
        limits->smem_opt_in_bytes > limits->smem_block_bytes ? limits->smem_opt_in_bytes : limits->smem_block_bytes;
    uint64_t sum;
    if (__builtin_add_overflow(kernel->smem_static_bytes, rg_cuda_dynamic_bytes(session, launch), &sum)) {
        sum = UINT64_MAX;
    }
    if (most > 0 && sum > most) {
        rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE,
                       "the block needs %" PRIu64 " bytes of shared memory, %" PRIu64
                       " of them static (the device's limit with opt-in is %" PRIu64 ")",
                       sum, kernel->smem_static_bytes, most);
        return false;
    }
    return true;
}

bool rg_cuda_launchable(const struct rg_session *session, const struct rg_kernel *kernel,
                        const struct rg_launch *launch, struct rg_trouble *trouble)
{
    return rg_launch_is_positive(launch, trouble) && blocks_fit(session, launch, trouble) &&
           threads_fit(session, kernel, launch, trouble) && smem_fits(session, kernel, launch, trouble);
}
