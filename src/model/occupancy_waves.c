/* SPDX-License-Identifier: MIT */
/**
 * \file `occupancy-waves`, exactly as published (launchbound-model 1.x; docs/model.md): the baseline beside every other
 * model. Its own two devices are a table; any other device takes the same facts from the database.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/model.h"

/** The devices that were published with the model. */
static const struct {
    const char *name;
    const char *architecture;
    struct rg_occupancy_waves facts;
} published[] = {
    {"A10G", "8.6", {80, 1536, 48, 16, 49152, 102400}},
    {"Tesla T4", "7.5", {40, 1024, 32, 16, 49152, 65536}},
};

static const struct rg_occupancy_waves *find_published(const struct ridge_device_match *device)
{
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const bool named = device->count == 1 && strcmp(device->devices[0]->name, published[i].name) == 0;
        const char *cc = device->devices[0]->name;
        const bool by_cc = device->count == 1 && device->devices[0]->is_architecture && strncmp(cc, "cc:", 3) == 0 &&
                           strcmp(cc + 3, published[i].architecture) == 0;
        if (named || by_cc) {
            return &published[i].facts;
        }
    }
    return NULL;
}

static ridge_status nvidia_facts(struct rg_occupancy_waves *model, const struct ridge_device_match *device,
                                 struct ridge_error *error)
{
    const struct {
        ridge_fact fact;
        double *target;
    } rows[] = {{RIDGE_FACT_MULTIPROCESSORS, &model->sm_count},
                {RIDGE_FACT_MAX_THREADS_PER_SM, &model->threads_per_sm},
                {RIDGE_FACT_MAX_BLOCKS_PER_SM, &model->blocks_per_sm},
                {RIDGE_FACT_SMEM_PER_BLOCK, &model->smem_per_block},
                {RIDGE_FACT_SMEM_PER_SM, &model->smem_per_sm}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ridge_fact_value *value = NULL;
        const ridge_status status = ridge_match_fact(device, rows[i].fact, &value, error);
        if (status != RIDGE_OK) {
            return status;
        }
        *rows[i].target = value->number;
    }
    model->warps_per_sm = model->threads_per_sm / 32;
    return RIDGE_OK;
}

/** AMD has no threads per compute unit of its own: waves a SIMD, SIMDs, threads a wave. */
static ridge_status amd_facts(struct rg_occupancy_waves *model, const struct ridge_device_match *device,
                              struct ridge_error *error)
{
    double waves = 0;
    double simds = 0;
    double threads = 0;
    const struct {
        ridge_fact fact;
        double *target;
    } rows[] = {{RIDGE_FACT_MULTIPROCESSORS, &model->sm_count},
                {RIDGE_FACT_MAX_WAVES, &waves},
                {RIDGE_FACT_SIMDS_PER_CU, &simds},
                {RIDGE_FACT_WAVE_THREADS, &threads},
                {RIDGE_FACT_LDS_PER_GROUP, &model->smem_per_block},
                {RIDGE_FACT_LDS_PER_CU, &model->smem_per_sm}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ridge_fact_value *value = NULL;
        const ridge_status status = ridge_match_fact(device, rows[i].fact, &value, error);
        if (status != RIDGE_OK) {
            return status;
        }
        *rows[i].target = rows[i].fact == RIDGE_FACT_WAVE_THREADS && value->list ? value->list[0] : value->number;
    }
    model->threads_per_sm = waves * simds * threads;
    model->warps_per_sm = model->threads_per_sm / 32;
    model->blocks_per_sm = waves * simds;
    return RIDGE_OK;
}

ridge_status rg_occupancy_waves_init(struct rg_occupancy_waves *model, const struct ridge_device_match *device,
                                     struct rg_notes *notes, struct ridge_error *error)
{
    const struct rg_occupancy_waves *known = find_published(device);
    if (known) {
        *model = *known;
        return RIDGE_OK;
    }
    *model = (struct rg_occupancy_waves){0};
    const char *family = NULL;
    ridge_status status = ridge_match_family(device, &family, error);
    if (status != RIDGE_OK) {
        return status;
    }
    rg_note(notes,
            "occupancy-waves was published for cc 8.6 (A10G) and 7.5 (T4); the facts of %s are those of the "
            "device database",
            device->devices[0]->name);
    return strcmp(family, "nvidia") == 0 ? nvidia_facts(model, device, error) : amd_facts(model, device, error);
}

static double least_one(double value)
{
    return value >= 1 ? value : 1;
}

/** One configuration: the published formula, line by line. */
static inline struct ridge_estimate estimate(const struct rg_occupancy_waves *model, double threads, double smem,
                                             double grid)
{
    const double by_threads = floor(model->threads_per_sm / threads);
    const double by_smem = smem > 0 ? floor(model->smem_per_sm / smem) : (double)INFINITY;
    double blocks = by_threads < model->blocks_per_sm ? by_threads : model->blocks_per_sm;
    blocks = by_smem < blocks ? by_smem : blocks;
    if (blocks < 1 || smem > model->smem_per_block) {
        const bool memory = smem > model->smem_per_block || by_smem < 1;
        return (struct ridge_estimate){.cost = (double)INFINITY,
                                       .waves = (double)INFINITY,
                                       .bound = RIDGE_BOUND_UNLAUNCHABLE,
                                       .rule = memory ? RIDGE_LAUNCH_SMEM : RIDGE_LAUNCH_THREADS};
    }
    const double warps = ceil(threads / 32);
    const double share = blocks * warps / model->warps_per_sm;
    const double occupancy = share < 1 ? share : 1;
    const double waves = least_one(grid / (blocks * model->sm_count));
    const ridge_bound bound = blocks >= by_smem      ? RIDGE_BOUND_SHARED_MEMORY
                              : blocks >= by_threads ? RIDGE_BOUND_THREADS
                                                     : RIDGE_BOUND_BLOCKS;
    return (struct ridge_estimate){.cost = waves / (occupancy > 1e-6 ? occupancy : 1e-6),
                                   .occupancy = occupancy,
                                   .waves = waves,
                                   .bound = (uint8_t)bound,
                                   .rule = RIDGE_LAUNCH_OK};
}

void rg_occupancy_waves_estimate(const struct rg_occupancy_waves *model, const struct rg_desk *desk, size_t count,
                                 struct ridge_estimate *out)
{
    const double(*cells)[RG_COLUMN_ROWS] = desk->cells;
    for (size_t i = 0; i < count; i++) {
        const double threads = least_one(least_one(cells[RG_CELL_BLOCK_X][i]) * least_one(cells[RG_CELL_BLOCK_Y][i]) *
                                         least_one(cells[RG_CELL_BLOCK_Z][i]));
        const double grid = least_one(cells[RG_CELL_GRID_X][i]) * least_one(cells[RG_CELL_GRID_Y][i]) *
                            least_one(cells[RG_CELL_GRID_Z][i]);
        out[i] = estimate(model, threads, cells[RG_CELL_SMEM][i], grid);
        if (desk->faulted[i]) {
            out[i] = (struct ridge_estimate){.cost = (double)INFINITY, .bound = RIDGE_BOUND_UNKNOWN};
        }
    }
}
