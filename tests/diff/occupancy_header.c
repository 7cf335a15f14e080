/* SPDX-License-Identifier: MIT */
/**
 * \file The occupancy core against cuda_occupancy.h of the CUDA toolkit: blocks, limiting factors, each resource's own
 * limit, allocated amounts, error or not. Exit 77 (skipped) when built without the header.
 *
 * Two things are set apart from the header on purpose and set back here for the comparison: Ridge refuses 256
 * registers a thread and static shared memory above 48 KiB, as the compilers do. One thing is mended: where the
 * barrier limit is strictly the tightest, the header keeps the factors of the limits above it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef RG_HAVE_CUDA_OCCUPANCY
int main(void)
{
    puts("cuda_occupancy.h is not installed");
    return 77;
}
#else
#    include <cuda_occupancy.h>

#    include "base/context.h"
#    include "base/rng.h"
#    include "occupancy/occupancy_table.h"

enum {
    BATCH = 4096,
    FAILURES_SHOWN = 10
};

/** A compute capability the header accepts, and the database's record with its limits. */
struct capability {
    int major, minor;
    const char *record;
    uint32_t max_blocks; /* 0: as in the record */
    uint32_t barriers;   /* per multiprocessor; 0: as in the record */
    uint32_t smem_total; /* 0: as in the record */
};

/** Minor versions that the header accepts and no device has get a sister's limits, on both sides. */
static const struct capability capabilities[] = {
    {5, 0, "cc:5.0", 0, 0, 0},      {5, 2, "cc:5.2", 0, 0, 0},     {5, 3, "cc:5.3", 0, 0, 0},
    {6, 0, "cc:6.0", 0, 0, 0},      {6, 1, "cc:6.1", 0, 0, 0},     {6, 2, "cc:6.2", 0, 0, 0},
    {7, 0, "cc:7.0", 0, 0, 0},      {7, 2, "cc:7.2", 0, 0, 0},     {7, 5, "cc:7.5", 0, 0, 0},
    {8, 0, "cc:8.0", 0, 0, 0},      {8, 6, "cc:8.6", 0, 0, 0},     {8, 7, "cc:8.7", 0, 0, 0},
    {8, 8, "cc:8.8", 0, 0, 0},      {8, 9, "cc:8.9", 0, 0, 0},     {9, 0, "cc:9.0", 0, 0, 0},
    {10, 0, "cc:10.0", 0, 0, 0},    {10, 1, "cc:10.1", 0, 0, 0},   {10, 3, "cc:10.3", 0, 0, 0},
    {11, 0, "cc:11.0", 0, 0, 0},    {12, 0, "cc:12.0", 0, 0, 0},   {12, 1, "cc:12.1", 0, 0, 0},
    {3, 5, "cc:5.0", 16, 0, 49152}, {5, 7, "cc:5.0", 0, 0, 0},     {6, 5, "cc:6.1", 0, 0, 0},
    {7, 1, "cc:7.0", 0, 0, 0},      {8, 1, "cc:8.6", 0, 0, 0},     {9, 5, "cc:9.0", 0, 0, 0},
    {11, 1, "cc:11.0", 32, 64, 0},  {11, 3, "cc:11.0", 32, 64, 0},
};
enum {
    CAPABILITIES = sizeof capabilities / sizeof capabilities[0]
};

/** One set of options, on both sides. */
struct setting {
    int carveout; /* percent, -1: default */
    cudaOccCacheConfig cache;
    bool opt_in;
    uint32_t dynamic_max; /* with opt_in; 0: as needed */
    uint32_t barriers, virtual_resources;
};

struct run {
    struct ridge_context *context;
    struct ridge_device_db *db;
    struct rg_rng rng;
    uint64_t compared;
    uint64_t failures;
    uint32_t threads[BATCH], registers[BATCH], smem_static[BATCH], smem_dynamic[BATCH];
    struct ridge_occupancy_cell cells[BATCH];
};

static uint32_t pick(struct run *run, const uint32_t *values, size_t count)
{
    return values[rg_rng_below(&run->rng, count)];
}

static int fact(const struct ridge_device *device, ridge_fact wanted)
{
    if (!device->facts[wanted].known) {
        fprintf(stderr, "%s: %s is not known\n", device->name, ridge_fact_key(wanted));
        exit(1);
    }
    return (int)device->facts[wanted].number;
}

/** What the header wants to be told of a device. */
static cudaOccDeviceProp properties_of(const struct ridge_device *device, const struct capability *capability)
{
    cudaOccDeviceProp made = {0};
    made.computeMajor = capability->major;
    made.computeMinor = capability->minor;
    made.maxThreadsPerBlock = fact(device, RIDGE_FACT_MAX_THREADS_PER_BLOCK);
    made.maxThreadsPerMultiprocessor = fact(device, RIDGE_FACT_MAX_THREADS_PER_SM);
    made.regsPerBlock = fact(device, RIDGE_FACT_REGISTERS_PER_BLOCK);
    made.regsPerMultiprocessor = fact(device, RIDGE_FACT_REGISTERS_PER_SM);
    made.warpSize = fact(device, RIDGE_FACT_WARP_THREADS);
    made.sharedMemPerBlock = (size_t)fact(device, RIDGE_FACT_SMEM_PER_BLOCK);
    made.sharedMemPerMultiprocessor =
        capability->smem_total ? capability->smem_total : (size_t)fact(device, RIDGE_FACT_SMEM_PER_SM);
    made.numSms = 1;
    made.sharedMemPerBlockOptin = (size_t)fact(device, RIDGE_FACT_SMEM_OPT_IN);
    made.reservedSharedMemPerBlock = (size_t)fact(device, RIDGE_FACT_SMEM_RESERVED);
    return made;
}

/** Ridge's table for a setting, with the header's register and static limits. NULL: refused. */
static struct ridge_occupancy_table *table_of(struct run *run, const struct capability *capability,
                                              const struct setting *setting)
{
    struct ridge_device_match match;
    struct ridge_occupancy_table *table = NULL;
    struct ridge_occupancy_options options = {.opt_in = setting->opt_in,
                                              .smem_dynamic_max_bytes = setting->dynamic_max,
                                              .barriers = capability->major >= 9 ? setting->barriers : 0,
                                              .virtual_resources =
                                                  capability->major >= 10 ? setting->virtual_resources : 0};
    int percent = setting->carveout;
    if (percent < 0 && setting->cache != CACHE_PREFER_NONE) {
        percent = setting->cache == CACHE_PREFER_L1 ? 0 : setting->cache == CACHE_PREFER_SHARED ? 100 : 50;
    }
    if (percent >= 0 && capability->major >= 7) {
        options.carveout = RIDGE_CARVEOUT_PERCENT;
        options.carveout_value = (uint32_t)percent;
    }
    if (ridge_device_find(run->db, capability->record, &match, NULL) != RIDGE_OK ||
        ridge_occupancy_table_create(run->context, &match, &options, &table, NULL) != RIDGE_OK) {
        return NULL;
    }
    struct rg_occupancy_rules rules = table->rules;
    rules.smem_static_max = RIDGE_NO_LIMIT;
    rules.max_registers = capability->major >= 7 ? 256 : 255;
    if (capability->max_blocks) {
        rules.max_blocks = capability->max_blocks;
        rules.max_blocks_single_warp = capability->max_blocks;
    }
    if (capability->barriers && options.barriers) {
        rules.barrier_blocks = capability->barriers / options.barriers;
    }
    if (capability->smem_total) {
        rules.smem_total = capability->smem_total;
        rules.smem_preferred = capability->smem_total;
    }
    rg_occupancy_table_fill(table, &rules);
    table->context = run->context;
    return table;
}

/** The header's factors, mended where only the barriers bind. */
static uint32_t factors_of(const cudaOccResult *result)
{
    const int others[] = {result->blockLimitRegs, result->blockLimitSharedMem, result->blockLimitWarps,
                          result->blockLimitBlocks, result->blockLimitVirtual};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (others[i] <= result->blockLimitBarriers) {
            return result->limitingFactors;
        }
    }
    return OCC_LIMIT_BARRIERS;
}

static bool same_limits(const struct ridge_occupancy *answer, const cudaOccResult *result)
{
    const int theirs[] = {result->blockLimitWarps,  result->blockLimitRegs,     result->blockLimitSharedMem,
                          result->blockLimitBlocks, result->blockLimitBarriers, result->blockLimitVirtual};
    for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++) {
        const uint32_t expected = theirs[i] == INT_MAX ? RIDGE_NO_LIMIT : (uint32_t)theirs[i];
        if (answer->limit[i] != expected) {
            return false;
        }
    }
    return answer->registers_per_block_allocated == (uint32_t)result->allocatedRegistersPerBlock &&
           answer->smem_per_block_allocated_bytes == result->allocatedSharedMemPerBlock;
}

static void complain(struct run *run, const struct capability *capability, const struct setting *setting, size_t i,
                     cudaOccError error, const cudaOccResult *result)
{
    if (++run->failures > FAILURES_SHOWN) {
        return;
    }
    printf("cc %d.%d carveout %d cache %d opt-in %d max %u barriers %u virtual %u: threads %u registers %u static %u "
           "dynamic %u: header error %d blocks %d factors 0x%x, Ridge blocks %u limiters 0x%x rule %s\n",
           capability->major, capability->minor, setting->carveout, (int)setting->cache, setting->opt_in,
           setting->dynamic_max, setting->barriers, setting->virtual_resources, run->threads[i], run->registers[i],
           run->smem_static[i], run->smem_dynamic[i], (int)error, result->activeBlocksPerMultiprocessor,
           result->limitingFactors, run->cells[i].blocks, run->cells[i].limiters,
           ridge_launch_word(run->cells[i].rule));
}

/** Compare one configuration of the batch. */
static bool same(struct run *run, const struct ridge_occupancy_table *table, const cudaOccDeviceProp *properties,
                 const struct capability *capability, const struct setting *setting, size_t i)
{
    const struct ridge_occupancy_cell *cell = &run->cells[i];
    cudaOccFuncAttributes attributes = {
        .maxThreadsPerBlock = INT_MAX,
        .numRegs = (int)run->registers[i],
        .sharedSizeBytes = run->smem_static[i],
        .shmemLimitConfig = setting->opt_in ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT,
        .maxDynamicSharedSizeBytes = setting->dynamic_max ? setting->dynamic_max : run->smem_dynamic[i],
        .numBlockBarriers = (int)setting->barriers,
        .virtualResourceCount = (int)setting->virtual_resources};
    const cudaOccDeviceState state = {.cacheConfig = setting->cache, .carveoutConfig = setting->carveout};
    cudaOccResult result = {0};
    const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, &attributes, &state,
                                                                       (int)run->threads[i], run->smem_dynamic[i]);
    bool equal = false;
    if (error != CUDA_OCC_SUCCESS) {
        equal = cell->blocks == 0 && cell->rule == RIDGE_LAUNCH_NO_THREADS;
    } else {
        equal = cell->blocks == result.activeBlocksPerMultiprocessor && cell->limiters == factors_of(&result) &&
                (cell->rule == RIDGE_LAUNCH_OK) == (cell->blocks > 0);
    }
    if (equal && error == CUDA_OCC_SUCCESS && i % 16 == 0) {
        const struct ridge_launch launch = {run->threads[i], run->registers[i], run->smem_static[i],
                                            run->smem_dynamic[i]};
        struct ridge_occupancy answer;
        ridge_occupancy_one(table, &launch, &answer);
        equal = same_limits(&answer, &result);
    }
    if (!equal) {
        complain(run, capability, setting, i, error, &result);
    }
    return equal;
}

static void compare(struct run *run, const struct capability *capability, const struct setting *setting, size_t count)
{
    struct ridge_device_match match;
    struct ridge_occupancy_table *table = table_of(run, capability, setting);
    if (!table || ridge_device_find(run->db, capability->record, &match, NULL) != RIDGE_OK) {
        printf("cc %d.%d: Ridge makes no table\n", capability->major, capability->minor);
        run->failures++;
        return;
    }
    const cudaOccDeviceProp properties = properties_of(match.devices[0], capability);
    const struct ridge_launch_columns columns = {run->threads, run->registers, run->smem_static, run->smem_dynamic};
    ridge_occupancy_batch(table, &columns, count, run->cells);
    for (size_t i = 0; i < count; i++) {
        (void)same(run, table, &properties, capability, setting, i);
    }
    run->compared += count;
    ridge_occupancy_table_destroy(table);
}

static const uint32_t edge_threads[] = {0,   1,   31,  32,  33,   48,   63,   64,   65,   96,   97,   127,   128,
                                        129, 159, 160, 191, 192,  255,  256,  257,  320,  383,  384,  385,   480,
                                        511, 512, 513, 544, 639,  640,  672,  767,  768,  769,  800,  895,   896,
                                        897, 960, 992, 993, 1023, 1024, 1025, 1536, 2048, 2049, 4096, 65536, 1000000};
static const uint32_t edge_registers[] = {0,   1,   7,   8,   9,   16,  24,  31,  32,  33,  40,  41,  48,  56,  63,
                                          64,  65,  72,  73,  80,  81,  96,  104, 120, 127, 128, 129, 160, 168, 169,
                                          200, 224, 240, 248, 249, 254, 255, 256, 257, 300, 511, 512, 513, 600};
static const uint32_t edge_smem[] = {
    0,      1,      127,    128,    129,    255,    256,    257,    1023,   1024,   1025,    4096,     7168,
    7169,   8192,   8193,   15360,  16384,  16385,  24576,  31744,  32768,  32769,  48128,   48129,    49151,
    49152,  49153,  50176,  64512,  65535,  65536,  65537,  98304,  98305,  101376, 101377,  102400,   102401,
    134144, 163840, 166912, 166913, 167936, 199680, 232448, 232449, 233472, 233473, 1048576, 100000000};

#    define PICK(run, values) pick((run), (values), sizeof(values) / sizeof((values)[0]))

static void random_configuration(struct run *run, size_t i)
{
    struct rg_rng *rng = &run->rng;
    const uint64_t kind = rg_rng_below(rng, 8);
    run->threads[i] = kind & 1 ? PICK(run, edge_threads) : 1 + (uint32_t)rg_rng_below(rng, 1100);
    run->registers[i] = kind & 2 ? PICK(run, edge_registers) : (uint32_t)rg_rng_below(rng, 270);
    if (kind & 4) {
        run->smem_static[i] = PICK(run, edge_smem);
        run->smem_dynamic[i] = rg_rng_below(rng, 2) ? 0 : PICK(run, edge_smem);
    } else {
        run->smem_static[i] = (uint32_t)rg_rng_below(rng, 50000) * (uint32_t)rg_rng_below(rng, 2);
        run->smem_dynamic[i] = (uint32_t)rg_rng_below(rng, UINT64_C(1) << rg_rng_below(rng, 19));
    }
}

static struct setting random_setting(struct run *run)
{
    static const uint32_t barriers[] = {0, 0, 1, 1, 2, 3, 5, 8, 13, 16, 24, 25, 64, 65};
    static const uint32_t resources[] = {0, 0, 0, 1, 3, 7, 32, 64, 127, 128, 129};
    struct setting made = {.carveout = (int)rg_rng_below(&run->rng, 102) - 1, .cache = CACHE_PREFER_NONE};
    if (rg_rng_below(&run->rng, 3) == 0) {
        made.carveout = -1;
        made.cache = (cudaOccCacheConfig)rg_rng_below(&run->rng, 4);
    }
    made.opt_in = rg_rng_below(&run->rng, 2);
    made.dynamic_max = made.opt_in && rg_rng_below(&run->rng, 2) ? PICK(run, edge_smem) : 0;
    made.barriers = PICK(run, barriers);
    made.virtual_resources = PICK(run, resources);
    return made;
}

/** Every combination of edges for a setting. */
static void all_edges(struct run *run, const struct capability *capability, const struct setting *setting)
{
    const size_t threads = sizeof edge_threads / sizeof edge_threads[0];
    const size_t registers = sizeof edge_registers / sizeof edge_registers[0];
    const size_t smem = sizeof edge_smem / sizeof edge_smem[0];
    size_t used = 0;
    for (size_t i = 0; i < threads * registers * smem; i++) {
        run->threads[used] = edge_threads[i % threads];
        run->registers[used] = edge_registers[i / threads % registers];
        run->smem_static[used] = i & 1 ? edge_smem[i / threads / registers] : 0;
        run->smem_dynamic[used] = i & 1 ? 0 : edge_smem[i / threads / registers];
        used++;
        if (used == BATCH) {
            compare(run, capability, setting, used);
            used = 0;
        }
    }
    compare(run, capability, setting, used);
}

/** Both sides refuse what neither knows. */
static void check_refusals(struct run *run)
{
    static const struct {
        int major, minor;
        const char *name;
    } unknown[] = {{10, 2, "cc:10.2"}, {11, 2, "cc:11.2"}, {12, 2, "cc:12.2"}, {13, 0, "cc:13.0"}, {4, 0, "cc:4.0"}};
    const struct ridge_device_match some = {0};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        struct ridge_device_match match = some;
        const cudaOccDeviceProp properties = {
            unknown[i].major, unknown[i].minor, 1024, 2048, 65536, 65536, 32, 49152, 65536, 1, 49152, 1024};
        const cudaOccFuncAttributes attributes = {.maxThreadsPerBlock = 1024, .numRegs = 32};
        const cudaOccDeviceState state = {.carveoutConfig = -1};
        cudaOccResult result = {0};
        const cudaOccError error =
            cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state, 128, 0);
        if (error == CUDA_OCC_SUCCESS || ridge_device_find(run->db, unknown[i].name, &match, NULL) == RIDGE_OK) {
            printf("%s: header error %d, Ridge knows %zu\n", unknown[i].name, (int)error, match.count);
            run->failures++;
        }
        run->compared++;
    }
    struct setting absurd = {.carveout = 101};
    if (table_of(run, &capabilities[9], &absurd)) {
        puts("a carve-out of 101 % passes");
        run->failures++;
    }
}

int main(int argc, char **argv)
{
    static struct run run;
    const uint64_t millions = argc > 1 ? strtoull(argv[1], NULL, 10) : 40;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 20260822;
    rg_rng_init(&run.rng, seed);
    if (ridge_context_create(NULL, &run.context, NULL) != RIDGE_OK ||
        ridge_device_db_create(run.context, NULL, &run.db, NULL) != RIDGE_OK) {
        puts("the database does not load");
        return 1;
    }
    check_refusals(&run);
    for (size_t c = 0; c < CAPABILITIES; c++) {
        const struct setting plain = {.carveout = -1};
        const struct setting opted = {.carveout = -1, .opt_in = true};
        all_edges(&run, &capabilities[c], &plain);
        all_edges(&run, &capabilities[c], &opted);
    }
    for (size_t c = 0; run.compared < millions * 1000000; c = (c + 1) % CAPABILITIES) {
        struct setting setting = random_setting(&run);
        if (capabilities[c].major == 3) {
            setting.cache =
                CACHE_PREFER_NONE; /* Kepler's cache preference is no carve-out, and Kepler is not in scope */
        }
        for (size_t i = 0; i < BATCH; i++) {
            random_configuration(&run, i);
        }
        compare(&run, &capabilities[c], &setting, BATCH);
    }
    ridge_device_db_destroy(run.db);
    ridge_context_destroy(run.context);
    printf("%llu configurations over %d compute capabilities, seed %llu: %llu differ\n",
           (unsigned long long)run.compared, (int)CAPABILITIES, (unsigned long long)seed,
           (unsigned long long)run.failures);
    return run.failures == 0 && run.compared >= 10000000 ? 0 : 1;
}
#endif
