/* SPDX-License-Identifier: MIT */
/**
 * \file The models: each is made for a spec and a device and then estimates blocks of configurations.
 * Thread rule: a model is unchanging after it is made; a desk belongs to one thread.
 */
#ifndef RG_MODEL_MODEL_H
#define RG_MODEL_MODEL_H

#include "model/sheet.h"
#include "ridge/occupancy.h"
#include "ridge/rank.h"

/** Constants without a source: name, key, with, without, meaning. */
#define RG_JUDGED_LIST(X)                                                                                            \
    X(RG_JUDGED_SHARED_CYCLES, "shared_cycles_cc_8.6", 2.0, 1.0,                                                     \
      "cycles of a shared-memory instruction without conflicts on compute capability 8.6 to 8.9")                    \
    X(RG_JUDGED_GLOBAL_HIT, "global_hit_wavefronts", 2.0, 1.0, "cycles of a line of a global access that hits L1")   \
    X(RG_JUDGED_CODE, "code_penalty", 0.25, 0.0, "longer by so much for each doubling of code above the cache")      \
    X(RG_JUDGED_L2, "l2_over_dram", 2.8, 0.0, "L2 bandwidth over that of memory; 0: L2 is left out")                 \
    X(RG_JUDGED_OVERLAP, "overlap", 0.15, 0.0, "part of the lesser of computing and memory that is not hidden")      \
    X(RG_JUDGED_GUARD, "amd_guard_cycles", 16.0, 0.0,                                                                \
      "AMD: cycles of a compute unit that a wave takes for each access behind a condition on its lanes")             \
    X(RG_JUDGED_SAME, "weight_same_architecture", 4.0, 1.0, "transfer: weight of a device of the same architecture") \
    X(RG_JUDGED_FAMILY, "weight_same_generation", 2.0, 1.0, "transfer: weight of a device of the same generation")

enum rg_judged {
#define RG_JUDGED_ENUM(name, key, with, without, meaning) name,
    RG_JUDGED_LIST(RG_JUDGED_ENUM)
#undef RG_JUDGED_ENUM
};

/** \return the value of a judged constant, or what stands in its place. */
double rg_judged(enum rg_judged which, bool without_judged);

/** What a model has to say beside its estimates. */
struct rg_notes {
    struct rg_arena *arena;
    size_t count;
    const char *items[32];
    bool failed; /**< memory ran out */
};
/** Add a note; one beyond the room is dropped, and memory that runs out is remembered. `notes` NULL: nothing is kept. */
void rg_note(struct rg_notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** What blocks of rows ask for. */
struct rg_launches {
    uint32_t threads[RG_COLUMN_ROWS];
    uint32_t registers[RG_COLUMN_ROWS];
    uint32_t smem_static[RG_COLUMN_ROWS];
    uint32_t smem_dynamic[RG_COLUMN_ROWS];
};

/** Whether there is a row of code for each configuration, or none at all. */
ridge_status rg_code_check(const struct ridge_rank_options *options, uint64_t rows, struct ridge_error *error);
/** Make the launch rules of a device, as its code is launched. */
ridge_status rg_code_table(const struct ridge_context *context, const struct ridge_rank_options *options,
                           struct ridge_occupancy_table **out, struct ridge_error *error);
/** Fill what rows ask for: from their compiled code where it is known, else from the spec's expressions. */
void rg_launch_columns(const struct rg_desk *desk, size_t count, struct rg_launches *out);
/** Answer them; launch bounds, and code that is not there, count too. */
void rg_launches_answer(const struct ridge_occupancy_table *table, const struct rg_desk *desk,
                        const struct rg_launches *launches, size_t count, struct ridge_occupancy_cell *out);
/** Refuse the rows whose code says that they cannot be launched; leave the rest as they are. */
void rg_code_verdicts(const struct ridge_occupancy_table *table, const struct rg_desk *desk, size_t count,
                      struct ridge_estimate *estimates);
/** Which counts of work are known of the code of any configuration. */
void rg_code_counted(const struct ridge_rank_options *options, bool counted[RG_WORK_COUNT]);
/** Say what is known of the code. */
void rg_code_note(const struct ridge_rank_options *options, struct rg_notes *notes);

/** The published relative cost (docs/model.md). */
struct rg_occupancy_waves {
    double sm_count;
    double threads_per_sm;
    double warps_per_sm;
    double blocks_per_sm;
    double smem_per_block;
    double smem_per_sm;
};
ridge_status rg_occupancy_waves_init(struct rg_occupancy_waves *model, const struct ridge_device_match *device,
                                     struct rg_notes *notes, struct ridge_error *error);
void rg_occupancy_waves_estimate(const struct rg_occupancy_waves *model, const struct rg_desk *desk, size_t count,
                                 struct ridge_estimate *out);

/** What a device does in a cycle and in a second; a rate of 0 is not known and left out of the maximum. */
struct rg_rates {
    bool amd;
    double warp_threads;
    double multiprocessors;
    double partitions;        /**< of a multiprocessor: warps are dealt to them */
    double fma_warps;         /**< warp instructions a cycle */
    double issue_warps;       /**< warp instructions a cycle */
    double wavefronts;        /**< of 32 lanes, a cycle */
    double shared_cycles;     /**< of a shared-memory instruction without conflicts */
    double global_hit_cycles; /**< of a line of a global access */
    double code_cache_bytes;
    double code_penalty;
    double clock_hz;
    double dram_bytes_per_s;
    double l2_bytes_per_s;
    double launch_s; /**< of a block */
    double overlap;
    double guard_cycles; /**< each guarded access waits */
    double max_warps;    /**< of a multiprocessor */
};

struct rg_work_model {
    struct rg_rates rates;
    struct ridge_occupancy_table *table;
    bool given[RG_WORK_COUNT]; /**< the spec has an expression for it */
    bool by_counts;            /**< it has none: a row that was not counted has no estimate */
};
/** \param[out] model  freed by rg_work_model_fini */
ridge_status rg_work_model_init(struct rg_work_model *model, const struct ridge_context *context,
                                const struct ridge_spec *spec, const struct ridge_rank_options *options,
                                struct rg_notes *notes, struct ridge_error *error);
void rg_work_model_fini(struct rg_work_model *model);
void rg_work_estimate(const struct rg_work_model *model, const struct rg_desk *desk, size_t count,
                      struct ridge_estimate *out);

/** Fill the rates of a device. `table` counts in pairs of compute units where it says so. */
ridge_status rg_rates_init(struct rg_rates *rates, const struct ridge_device_match *device,
                           const struct ridge_occupancy_table *table, bool without_judged, struct rg_notes *notes,
                           struct ridge_error *error);

/** The rows of a space, and where each is found. */
struct rg_rows {
    const struct ridge_space *space;
    uint64_t count;
    const uint32_t *choices;
    const uint64_t *keys; /**< ascending */
};
/** \return the row of a configuration, or UINT64_MAX. */
uint64_t rg_rows_find(const struct rg_rows *rows, const uint32_t *choice);
uint64_t rg_rows_key(const struct ridge_space *space, const uint32_t *choice);

/** The records of a run against the rows of a space. */
struct rg_join {
    const struct rg_rows *rows;
    const struct ridge_run *run;
    size_t column[RG_MAX_DIMENSIONS]; /**< by dimension of the space: that of the run */
};
/** Find each dimension in the run; one with a single value may be absent. \return a name that is not there, or NULL. */
const char *rg_join_init(struct rg_join *join, const struct rg_rows *rows, const struct ridge_run *run);
/** \return the row of a record, or UINT64_MAX when it is not in the space. */
uint64_t rg_join_row(const struct rg_join *join, const struct ridge_record *record);
/** \return its median, seconds; infinite when it was not measured. */
double rg_record_time(const struct ridge_record *record);

/** \return the weight of a record in a transfer; 0: it is not used, and a note says why. `notes` may be NULL. */
double rg_evidence_weight(const struct ridge_rank_options *options, const struct ridge_evidence *evidence,
                          struct rg_notes *notes);

/**
 * The mean normalised rank of each row on other devices of the same vendor. \param[out] score  by row; NaN: not covered
 * \param[out] used  how many records were used
 */
ridge_status rg_transfer(const struct ridge_context *context, const struct rg_rows *rows,
                         const struct ridge_rank_options *options, double *score, size_t *used, struct rg_notes *notes,
                         struct ridge_error *error);

/** Fill `order` with the indices by ascending cost; equal costs by `ties`, or by index where that is NULL. */
ridge_status rg_order_by_cost(const struct ridge_context *context, const double *cost, const uint64_t *ties,
                              uint64_t count, uint32_t *order, struct ridge_error *error);

/** Average ranks (0 to 1: over count) of costs by their order. */
void rg_normalised_ranks(const double *cost, const uint32_t *order, uint64_t count, double *ranks);

#endif
