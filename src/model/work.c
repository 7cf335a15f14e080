/* SPDX-License-Identifier: MIT */
/**
 * \file The counted-work model (docs/model.md): the time of a launch is the slowest of what its counted work needs of
 * this device. Rows go through ridge_occupancy_batch, so that its launch rules are the model's.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "model/model.h"

static const char *const count_keys[] = {
#define WORK_KEY(name, key, meaning) key,
    RG_WORK_LIST(WORK_KEY)
#undef WORK_KEY
};

/** Counts that need not be noted when missing: what stands in their place is not a guess. */
static bool has_default(size_t count)
{
    return count == RG_WORK_BLOCKS || count == RG_WORK_UNIFORM || count == RG_WORK_GUARDED_ACCESSES ||
           count == RG_WORK_CODE_BYTES;
}

/** Names in a note. */
struct names {
    char text[256];
    size_t used;
};

static void name_add(struct names *names, const char *name)
{
    const int length = snprintf(names->text + names->used, sizeof names->text - names->used, "%s%s",
                                names->used > 0 ? ", " : "", name);
    names->used += names->used + (size_t)length < sizeof names->text ? (size_t)length : 0;
    names->text[names->used] = '\0';
}

static ridge_status note_missing(struct rg_work_model *model, const struct ridge_spec *spec,
                                 const struct ridge_rank_options *options, struct rg_notes *notes,
                                 struct ridge_error *error)
{
    struct names missing = {.used = 0};
    struct names from_code = {.used = 0};
    bool counted[RG_WORK_COUNT];
    size_t given = 0;
    size_t written = 0;
    rg_code_counted(options, counted);
    for (size_t i = 0; i < RG_WORK_COUNT; i++) {
        const bool is_work = i != RG_WORK_REGISTERS && i != RG_WORK_BLOCKS && i != RG_WORK_CODE_BYTES;
        model->given[i] = spec->work[i] != NULL;
        given += is_work && (model->given[i] || counted[i]);
        written += is_work && model->given[i];
        if (!model->given[i] && counted[i] && i != RG_WORK_REGISTERS) {
            name_add(&from_code, count_keys[i]);
        } else if (!model->given[i] && !counted[i] && !has_default(i)) {
            name_add(&missing, count_keys[i]);
        }
    }
    if (given == 0) {
        return rg_error_set(error, RIDGE_E_VALUE,
                            "the spec counts no work (write [model.work] with fma, instructions, dram_bytes, ...; see "
                            "docs/model.md)");
    }
    model->by_counts = written == 0;
    if (from_code.used > 0) {
        rg_note(notes, "counted by running the code: %s", from_code.text);
    }
    if (missing.used > 0) {
        rg_note(notes, "not counted by the spec and left out: %s", missing.text);
    }
    return RIDGE_OK;
}

ridge_status rg_work_model_init(struct rg_work_model *model, const struct ridge_context *context,
                                const struct ridge_spec *spec, const struct ridge_rank_options *options,
                                struct rg_notes *notes, struct ridge_error *error)
{
    *model = (struct rg_work_model){.table = NULL};
    ridge_status status = note_missing(model, spec, options, notes, error);
    if (status == RIDGE_OK) {
        status = rg_code_table(context, options, &model->table, error);
    }
    if (status == RIDGE_OK) {
        status = rg_rates_init(&model->rates, options->device, model->table, options->without_judged, notes, error);
    }
    if (status != RIDGE_OK) {
        rg_work_model_fini(model);
    }
    return status;
}

void rg_work_model_fini(struct rg_work_model *model)
{
    ridge_occupancy_table_destroy(model->table);
    model->table = NULL;
}

/** A count that is not given is NaN: as work it is none. */
static double counted(double value)
{
    return value > 0 ? value : 0;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/** One row of counts, gathered. */
struct row {
    double threads;
    double grid;
    double blocks;
    double count[RG_WORK_COUNT];
};

/** Cycles that one block keeps its multiprocessor busy, at full rate, and what does. */
static inline double block_cycles(const struct rg_rates *rates, const struct row *row, double warps, uint8_t *bound)
{
    const double groups = ceil(row->threads / 32);
    const double fma = rates->fma_warps > 0 ? warps * row->count[RG_WORK_FMA] / rates->fma_warps : 0;
    /* AMD runs what is the same for all threads on the scalar unit, beside the vector instructions. */
    const double uniform = rates->amd ? 0 : row->count[RG_WORK_UNIFORM];
    const double guarded = row->count[RG_WORK_GUARDED_ACCESSES] * rates->guard_cycles;
    const double issue = warps * ((row->count[RG_WORK_INSTRUCTIONS] + uniform) / rates->issue_warps + guarded);
    const double shared =
        larger(row->count[RG_WORK_SHARED_ACCESSES] * rates->shared_cycles, row->count[RG_WORK_SHARED_WAVEFRONTS]);
    const double lines = row->count[RG_WORK_GLOBAL_WAVEFRONTS] * rates->global_hit_cycles;
    const double wavefronts = groups * (shared + lines) / rates->wavefronts;
    double most = fma;
    *bound = RIDGE_BOUND_FMA;
    if (issue > most) {
        most = issue;
        *bound = RIDGE_BOUND_ISSUE;
    }
    if (wavefronts > most) {
        most = wavefronts;
        *bound = RIDGE_BOUND_WAVEFRONTS;
    }
    const double code = row->count[RG_WORK_CODE_BYTES];
    return code > rates->code_cache_bytes ? most * (1 + rates->code_penalty * log2(code / rates->code_cache_bytes))
                                          : most;
}

/** Warps are dealt to partitions: what the fullest has over an even share. */
static inline double imbalance(const struct rg_rates *rates, double warps)
{
    return ceil(warps / rates->partitions) * rates->partitions / warps;
}

static inline struct ridge_estimate estimate(const struct rg_rates *rates, const struct row *row,
                                             const struct ridge_occupancy_cell *cell)
{
    struct ridge_estimate out = {.rule = cell->rule};
    const double warps = ceil(row->threads / rates->warp_threads);
    const double resident = cell->blocks;
    uint8_t bound;
    const double busy = block_cycles(rates, row, warps, &bound);
    const double latency = row->count[RG_WORK_LATENCY_CYCLES];
    const double each = ceil(row->blocks / rates->multiprocessors);
    const double full = floor(each / resident);
    const double rest = each - full * resident;
    const double wave = resident * busy * imbalance(rates, resident * warps);
    const double tail = rest > 0 ? rest * busy * imbalance(rates, rest * warps) : 0;
    const double cycles = full * larger(wave, latency) + (rest > 0 ? larger(tail, latency) : 0);
    const double compute = cycles / rates->clock_hz;
    out.bound = wave < latency ? (uint8_t)RIDGE_BOUND_LATENCY : bound;
    const double dram = rates->dram_bytes_per_s > 0 ? row->count[RG_WORK_DRAM_BYTES] / rates->dram_bytes_per_s : 0;
    const double l2 =
        rates->l2_bytes_per_s > 0 ? row->blocks * row->count[RG_WORK_L2_BYTES] / rates->l2_bytes_per_s : 0;
    const double memory = larger(dram, l2);
    const double launch = row->grid * rates->launch_s;
    double time = compute;
    if (memory > time) {
        time = memory;
        out.bound = dram >= l2 ? RIDGE_BOUND_DRAM : RIDGE_BOUND_L2;
    }
    if (launch > time) {
        time = launch;
        out.bound = RIDGE_BOUND_LAUNCH;
    }
    out.cost = time + rates->overlap * (compute < memory ? compute : memory);
    out.occupancy = cell->warps / rates->max_warps;
    out.waves = row->grid / (resident * rates->multiprocessors);
    return out;
}

/** The counts of a row: the spec's expressions, else what was counted by running the code. */
static void counts_take(const struct rg_work_model *model, const struct rg_desk *desk, size_t at, double *out)
{
    const double *from_code = desk->code ? desk->code[at].work : NULL;
    for (size_t k = 0; k < RG_WORK_COUNT; k++) {
        out[k] = counted(desk->cells[k][at]);
    }
    for (size_t k = 0; from_code && k < RG_WORK_COUNT; k++) {
        out[k] = model->given[k] ? out[k] : counted(from_code[k]);
    }
}

void rg_work_estimate(const struct rg_work_model *model, const struct rg_desk *desk, size_t count,
                      struct ridge_estimate *out)
{
    struct rg_launches launches;
    struct ridge_occupancy_cell cells[RG_COLUMN_ROWS];
    rg_launch_columns(desk, count, &launches);
    rg_launches_answer(model->table, desk, &launches, count, cells);
    for (size_t i = 0; i < count; i++) {
        const bool unknown = desk->faulted[i] || (model->by_counts && !(desk->code && desk->code[i].work));
        if (unknown || cells[i].blocks == 0) {
            const ridge_bound bound = unknown ? RIDGE_BOUND_UNKNOWN : RIDGE_BOUND_UNLAUNCHABLE;
            out[i] = (struct ridge_estimate){
                .cost = (double)INFINITY, .waves = (double)INFINITY, .bound = (uint8_t)bound, .rule = cells[i].rule};
            continue;
        }
        struct row row = {.threads = launches.threads[i]};
        row.grid = larger(1, desk->cells[RG_CELL_GRID_X][i]) * larger(1, desk->cells[RG_CELL_GRID_Y][i]) *
                   larger(1, desk->cells[RG_CELL_GRID_Z][i]);
        counts_take(model, desk, i, row.count);
        row.blocks = row.count[RG_WORK_BLOCKS] > 0 ? row.count[RG_WORK_BLOCKS] : row.grid;
        out[i] = estimate(&model->rates, &row, &cells[i]);
    }
}

const char *ridge_work_key(size_t index)
{
#define WORK_KEY(name, key, meaning) key,
    static const char *const keys[] = {RG_WORK_LIST(WORK_KEY)};
#undef WORK_KEY
    return index < sizeof keys / sizeof keys[0] ? keys[index] : NULL;
}
