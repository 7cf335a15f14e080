/* SPDX-License-Identifier: MIT */
/** \file Writing evidence. The public side, and the thread rule, is ridge/store.h. */
#ifndef RG_STORE_STORE_H
#define RG_STORE_STORE_H

#include "base/context.h"
#include "ridge/store.h"

/** \return the context that the store was opened with. */
const struct ridge_context *rg_store_context(const struct ridge_store *store);

/** The clock of the device at each sample. Both NULL: not known. */
struct rg_sample_clocks {
    const double *hz; /**< NaN: unknown */
    const bool *low;  /**< far below the usual: the device was throttled */
};

/**
 * Leave out the samples that were taken at a low clock, unless those are more than half: then all of them stay, in the
 * order taken. \param low  NULL: none was \return how many are left
 */
uint64_t rg_samples_keep(double *samples_s, const bool *low, uint64_t count);

/** Summarise the samples that are times and count (rg_samples_keep). \retval RIDGE_E_MEMORY no memory. */
ridge_status rg_samples_summarise(const struct ridge_store *store, const double *samples_s, const bool *low,
                                  uint64_t count, struct ridge_summary *out, struct ridge_error *error);

/** A result to put. Everything is borrowed for the call. */
struct rg_result {
    const char *id;
    const struct ridge_value *values; /**< one a dimension of the run, in its order */
    ridge_outcome outcome;
    const char *text; /**< NULL: none */
    const double *samples_s;
    uint64_t sample_count;
    struct rg_sample_clocks clocks; /**< of the samples */
    uint64_t rejected;
    bool converged;
    double compile_s;
    double run_s;
    ridge_kind kind;
    const struct ridge_work *work;       /**< what a launch uses up; NULL: [model] of the spec does not say */
    const struct ridge_record *compiled; /**< whose registers, shared and spill bytes to keep; NULL: unknown */
};

/** \return the path of the database. Borrowed. */
const char *rg_store_path(const struct ridge_store *store);

/** Begin a run: one transaction. `names` are the dimensions in canonical order. */
ridge_status rg_store_run_begin(struct ridge_store *store, const struct ridge_run_info *info, const char *const *names,
                                size_t dimension_count, int64_t *run, struct ridge_error *error);

/**
 * Find the newest run of a kernel, whatever its state, to resume it. Imported ones are passed over.
 * \param before    look among older runs than this; INT64_MAX: among all
 * \param[out] run  its id, or 0 when there is none
 */
ridge_status rg_store_run_newest(struct ridge_store *store, const char *kernel, int64_t before, int64_t *run,
                                 struct ridge_error *error);

/** Open a run again: state open, a new info (its space may have changed) and which ids are in the space now. */
ridge_status rg_store_run_reopen(struct ridge_store *store, int64_t run, const struct ridge_run_info *info,
                                 bool (*in_space)(void *user, const struct ridge_value *values), void *user,
                                 struct ridge_error *error);

/** Put a result: one durable transaction. A result that is there already (same run and id) is an error. */
ridge_status rg_store_result_put(struct ridge_store *store, int64_t run, const struct rg_result *result,
                                 struct ridge_error *error);

/** Replace the final-round samples of one configuration (round by round they grow): one durable transaction. `clocks` NULL:
 * not known. */
ridge_status rg_store_final_put(struct ridge_store *store, int64_t run, const char *id, const double *samples_s,
                                uint64_t count, const struct rg_sample_clocks *clocks, struct ridge_error *error);

/** Set the finals of a run aside, before new ones: the samples taken before them count again. They are kept until new
 * ones of the same configuration take their place. */
ridge_status rg_store_finals_reset(struct ridge_store *store, int64_t run, struct ridge_error *error);

/** Add one median of the sentinel, taken `at_s` seconds after the run began. */
ridge_status rg_store_sentinel_add(struct ridge_store *store, int64_t run, const char *id, double at_s, double median_s,
                                   struct ridge_error *error);

/** Add a warning that belongs to the run. The same text is kept once. */
ridge_status rg_store_note_add(struct ridge_store *store, int64_t run, const char *text, struct ridge_error *error);

/** A run as one of several that belong together. Everything is borrowed for the call. */
struct rg_member {
    int64_t group;   /**< that it joins; 0: the one that it belongs to already, else it begins one */
    size_t position; /**< of its workload in the spec, from 0 */
    size_t count;    /**< workloads of the spec */
    const char *name;
    double weight;
    const char *base; /**< id of the configuration to compare others with; NULL: none */
};

/** Make a run a member of a group, in the place of a member with the same position; members beyond `count` leave. */
ridge_status rg_store_member_put(struct ridge_store *store, int64_t run, const struct rg_member *member,
                                 struct ridge_error *error);

/** End a run: its state, why, and where its time went (added to what a resumed run has already used). */
ridge_status rg_store_run_end(struct ridge_store *store, int64_t run, ridge_run_state state, const char *text,
                              const struct ridge_run_seconds *seconds, struct ridge_error *error);

#endif
