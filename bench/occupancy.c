/* SPDX-License-Identifier: MIT */
/**
 * \file How many configurations a second the occupancy core answers, beside cuda_occupancy.h's own function called in
 * a loop over the same configurations, in the same run: bench/occupancy [SECONDS [DEVICE]].
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ridge/occupancy.h"

#ifdef RG_HAVE_CUDA_OCCUPANCY
#    include <cuda_occupancy.h>
#endif

enum {
    COUNT = 65536,
    ROUNDS = 7
};

struct data {
    uint32_t threads[COUNT], registers[COUNT], smem_static[COUNT], smem_dynamic[COUNT];
    struct ridge_occupancy_cell cells[COUNT];
    uint16_t blocks[COUNT];
};

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/** Configurations of a usual space: about a tenth cannot be launched. */
static void fill(struct data *data)
{
    uint64_t state = 88172645463325252U;
    for (size_t i = 0; i < COUNT; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        data->threads[i] = 32 + (uint32_t)(state % 1000);
        data->registers[i] = 16 + (uint32_t)(state >> 16) % 112;
        data->smem_static[i] = (uint32_t)(state >> 32) % 8192;
        data->smem_dynamic[i] = (uint32_t)(state >> 40) % 40000;
    }
}

static void run_ridge(const struct ridge_occupancy_table *table, struct data *data)
{
    const struct ridge_launch_columns columns = {data->threads, data->registers, data->smem_static, data->smem_dynamic};
    ridge_occupancy_batch(table, &columns, COUNT, data->cells);
}

#ifdef RG_HAVE_CUDA_OCCUPANCY
static void run_header(const cudaOccDeviceProp *properties, struct data *data)
{
    const cudaOccDeviceState state = {.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    for (size_t i = 0; i < COUNT; i++) {
        const cudaOccFuncAttributes attributes = {
            .maxThreadsPerBlock = 1024, .numRegs = (int)data->registers[i], .sharedSizeBytes = data->smem_static[i]};
        cudaOccResult result = {0};
        (void)cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, &attributes, &state, (int)data->threads[i],
                                                      data->smem_dynamic[i]);
        data->blocks[i] = (uint16_t)result.activeBlocksPerMultiprocessor;
    }
}

static cudaOccDeviceProp properties_of(const struct ridge_device *device)
{
    const struct ridge_fact_value *facts = device->facts;
    int major = 0;
    int minor = 0;
    if (sscanf(device->architecture->name, "cc:%d.%d", &major, &minor) != 2) {
        fprintf(stderr, "%s is no NVIDIA device\n", device->name);
        exit(2);
    }
    const cudaOccDeviceProp made = {major,
                                    minor,
                                    (int)facts[RIDGE_FACT_MAX_THREADS_PER_BLOCK].number,
                                    (int)facts[RIDGE_FACT_MAX_THREADS_PER_SM].number,
                                    (int)facts[RIDGE_FACT_REGISTERS_PER_BLOCK].number,
                                    (int)facts[RIDGE_FACT_REGISTERS_PER_SM].number,
                                    (int)facts[RIDGE_FACT_WARP_THREADS].number,
                                    (size_t)facts[RIDGE_FACT_SMEM_PER_BLOCK].number,
                                    (size_t)facts[RIDGE_FACT_SMEM_PER_SM].number,
                                    1,
                                    (size_t)facts[RIDGE_FACT_SMEM_OPT_IN].number,
                                    (size_t)facts[RIDGE_FACT_SMEM_RESERVED].number};
    return made;
}
#endif

/** Rounds of each, in turns; the best of each. */
static void measure(const struct ridge_occupancy_table *table, const struct ridge_device *device, double seconds,
                    struct data *data, double best[2])
{
#ifdef RG_HAVE_CUDA_OCCUPANCY
    const cudaOccDeviceProp properties = properties_of(device);
    const int peers = 2;
#else
    const int peers = 1;
    (void)device;
#endif
    for (int round = 0; round < ROUNDS; round++) {
        for (int peer = 0; peer < peers; peer++) {
            uint64_t done = 0;
            const double begin = now_s();
            double end = begin;
            do {
                if (peer == 0) {
                    run_ridge(table, data);
                }
#ifdef RG_HAVE_CUDA_OCCUPANCY
                else {
                    run_header(&properties, data);
                }
#endif
                done += COUNT;
                end = now_s();
            } while (end - begin < seconds / ROUNDS / peers);
            const double rate = (double)done / (end - begin);
            best[peer] = rate > best[peer] ? rate : best[peer];
        }
    }
}

int main(int argc, char **argv)
{
    static struct data data;
    const double seconds = argc > 1 ? atof(argv[1]) : 2;
    struct ridge_context *context = NULL;
    struct ridge_device_db *db = NULL;
    struct ridge_device_match match;
    struct ridge_occupancy_table *table = NULL;
    struct ridge_error error = {0};
    if (ridge_context_create(NULL, &context, &error) != RIDGE_OK ||
        ridge_device_db_create(context, NULL, &db, &error) != RIDGE_OK ||
        ridge_device_find(db, argc > 2 ? argv[2] : "cc:8.6", &match, &error) != RIDGE_OK ||
        ridge_occupancy_table_create(context, &match, NULL, &table, &error) != RIDGE_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    double best[2] = {0, 0};
    fill(&data);
    measure(table, match.devices[0], seconds, &data, best);
    size_t unlaunchable = 0;
    size_t differ = 0;
    for (size_t i = 0; i < COUNT; i++) {
        unlaunchable += data.cells[i].blocks == 0;
        differ += best[1] > 0 && data.cells[i].blocks != data.blocks[i];
    }
    printf("%s, %d configurations, %zu of them unlaunchable\n", match.devices[0]->name, (int)COUNT, unlaunchable);
    printf("ridge_occupancy_batch  %7.1f million a second\n", best[0] * 1e-6);
    if (best[1] > 0) {
        printf(
            "cuda_occupancy.h       %7.1f million a second\nratio                  %7.1f\ndifferent answers      %zu\n",
            best[1] * 1e-6, best[0] / best[1], differ);
    } else {
        puts("cuda_occupancy.h       not installed");
    }
    ridge_occupancy_table_destroy(table);
    ridge_device_db_destroy(db);
    ridge_context_destroy(context);
    return differ ? 1 : 0;
}
