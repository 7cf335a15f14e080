/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/cuda.h"
#include "base/error.h"
#include "ridge/device.h"

/** An attribute; 0 when the driver does not say. */
static uint64_t attribute(const struct rg_cuda_api *api, rg_cu_device device, int which)
{
    int value = 0;
    return api->cuDeviceGetAttribute(&value, which, device) == RG_CUDA_SUCCESS && value > 0 ? (uint64_t)value : 0;
}

void rg_cuda_limits_get(const struct rg_cuda_api *api, rg_cu_device device, struct rg_cuda_limits *limits)
{
    *limits = (struct rg_cuda_limits){0};
    limits->capability = (int)(10 * attribute(api, device, RG_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                               attribute(api, device, RG_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
    limits->max_block_threads = attribute(api, device, RG_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    for (int i = 0; i < 3; i++) {
        limits->max_block[i] = attribute(api, device, RG_CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i);
        limits->max_grid[i] = attribute(api, device, RG_CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i);
    }
    limits->smem_block_bytes = attribute(api, device, RG_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    limits->smem_opt_in_bytes = attribute(api, device, RG_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    limits->l2_bytes = attribute(api, device, RG_CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
}

/** Facts that the driver and the database both state. */
static const struct {
    int attribute;
    ridge_fact fact;
} compared[] = {
    {RG_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, RIDGE_FACT_MULTIPROCESSORS},
    {RG_CU_DEVICE_ATTRIBUTE_WARP_SIZE, RIDGE_FACT_WARP_THREADS},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, RIDGE_FACT_MAX_THREADS_PER_BLOCK},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, RIDGE_FACT_MAX_THREADS_PER_SM},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, RIDGE_FACT_MAX_BLOCKS_PER_SM},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, RIDGE_FACT_REGISTERS_PER_SM},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, RIDGE_FACT_REGISTERS_PER_BLOCK},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, RIDGE_FACT_SMEM_PER_SM},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, RIDGE_FACT_SMEM_PER_BLOCK},
    {RG_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, RIDGE_FACT_SMEM_OPT_IN},
    {RG_CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, RIDGE_FACT_SMEM_RESERVED},
};

/** Add "what: the driver says A, the database B" for every fact that differs. */
static void facts_compare(const struct rg_cuda_api *api, rg_cu_device device, const struct ridge_device_match *match,
                          struct rg_device_facts *facts)
{
    for (size_t i = 0; i < sizeof compared / sizeof compared[0]; i++) {
        const uint64_t told = attribute(api, device, compared[i].attribute);
        const struct ridge_fact_value *known = NULL;
        const size_t used = strlen(facts->note);
        if (told == 0 || ridge_match_fact(match, compared[i].fact, &known, NULL) != RIDGE_OK ||
            known->number == (double)told) {
            continue;
        }
        snprintf(facts->note + used, sizeof facts->note - used,
                 "%s%s: the driver says %" PRIu64 ", the device database %.0f (%s)", used > 0 ? "; " : "",
                 ridge_fact_key(compared[i].fact), told, known->number, known->source);
    }
}

/** Say where the driver and the database disagree; a device that the database does not know is said too. */
static void note_fill(const struct ridge_context *context, const struct rg_cuda_api *api, rg_cu_device device,
                      struct rg_device_facts *facts)
{
    struct ridge_device_db *db = NULL;
    if (ridge_device_db_create(context, NULL, &db, NULL) != RIDGE_OK) {
        return;
    }
    struct ridge_device_match match;
    struct rg_cuda_limits limits;
    rg_cuda_limits_get(api, device, &limits);
    char capability[16];
    snprintf(capability, sizeof capability, "sm_%d", limits.capability);
    if (ridge_device_find(db, facts->name, &match, NULL) == RIDGE_OK) {
        facts_compare(api, device, &match, facts);
    } else if (ridge_device_find(db, capability, &match, NULL) == RIDGE_OK) {
        snprintf(facts->note, sizeof facts->note, "the device database knows its compute capability only");
        facts_compare(api, device, &match, facts);
    } else {
        snprintf(facts->note, sizeof facts->note, "the device database does not know it");
    }
    ridge_device_db_destroy(db);
}

static void facts_fill(const struct ridge_context *context, const struct rg_cuda_api *api, rg_cu_device device,
                       unsigned index, struct rg_device_facts *facts)
{
    struct rg_cuda_limits limits;
    int version = 0;
    size_t memory = 0;
    rg_cuda_limits_get(api, device, &limits);
    if (api->cuDeviceGetName(facts->name, (int)sizeof facts->name, device) != RG_CUDA_SUCCESS) {
        facts->name[0] = '\0';
    }
    facts->name[sizeof facts->name - 1] = '\0';
    if (api->cuDriverGetVersion(&version) == RG_CUDA_SUCCESS) {
        snprintf(facts->driver, sizeof facts->driver, "CUDA driver %d.%d", version / 1000, version % 1000 / 10);
    }
    if (api->cuDeviceTotalMem_v2(&memory, device) == RG_CUDA_SUCCESS) {
        facts->memory_bytes = memory;
        facts->max_allocation_bytes = memory;
    }
    snprintf(facts->version, sizeof facts->version, "compute capability %d.%d", limits.capability / 10,
             limits.capability % 10);
    snprintf(facts->kind, sizeof facts->kind, "gpu");
    snprintf(facts->selector, sizeof facts->selector, "cuda:%u", index);
    facts->compute_units = (uint32_t)attribute(api, device, RG_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    facts->local_memory_bytes = limits.smem_opt_in_bytes > 0 ? limits.smem_opt_in_bytes : limits.smem_block_bytes;
    facts->max_block_threads = limits.max_block_threads;
    memcpy(facts->max_block, limits.max_block, sizeof facts->max_block);
    note_fill(context, api, device, facts);
}

/** \return how many devices there are, at most RG_CUDA_MAX_DEVICES. */
static ridge_status devices_count(const struct rg_cuda_api *api, unsigned *count, struct ridge_error *error)
{
    int found = 0;
    const rg_cu_result code = api->cuDeviceGetCount(&found);
    if (code != RG_CUDA_SUCCESS) {
        return rg_cuda_failed(api, error, code, "cuDeviceGetCount");
    }
    if (found <= 0) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "NVIDIA's driver is here and finds no GPU (see nvidia-smi)");
    }
    *count = found < RG_CUDA_MAX_DEVICES ? (unsigned)found : RG_CUDA_MAX_DEVICES;
    return RIDGE_OK;
}

ridge_status rg_cuda_find(const struct rg_cuda_api *api, unsigned index, rg_cu_device *device,
                          struct ridge_error *error)
{
    unsigned count = 0;
    const ridge_status status = devices_count(api, &count, error);
    if (status != RIDGE_OK) {
        return status;
    }
    if (index >= count) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "there is no CUDA device %u (0 to %u)", index, count - 1);
    }
    const rg_cu_result code = api->cuDeviceGet(device, (int)index);
    return code == RG_CUDA_SUCCESS ? RIDGE_OK : rg_cuda_failed(api, error, code, "cuDeviceGet");
}

ridge_status rg_cuda_enumerate(const struct ridge_context *context,
                               void (*visit)(void *user, const struct rg_device_facts *facts), void *user,
                               struct ridge_error *error)
{
    struct rg_cuda_api api;
    unsigned count = 0;
    ridge_status status = rg_cuda_load(&api, error);
    if (status == RIDGE_OK) {
        status = devices_count(&api, &count, error);
    }
    for (unsigned i = 0; i < count && status == RIDGE_OK; i++) {
        rg_cu_device device = 0;
        struct rg_device_facts facts = {0};
        status = rg_cuda_find(&api, i, &device, error);
        if (status == RIDGE_OK) {
            facts_fill(context, &api, device, i, &facts);
            visit(user, &facts);
        }
    }
    return status;
}
