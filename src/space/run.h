/* SPDX-License-Identifier: MIT */
/**
 * \file A run while it is being made. Whoever has results (store, importers) creates one, fills `shown` and `records`
 * from its arena, ranks it, and hands out `shown`. Thread rule: one thread until it is handed out, then unchanging.
 */
#ifndef RG_SPACE_RUN_H
#define RG_SPACE_RUN_H

#include "base/arena.h"
#include "base/hash.h"
#include "ridge/run.h"

struct rg_run {
    struct ridge_run shown; /**< first, so that a pointer to it is a pointer to the whole */
    struct ridge_record *records;
    struct rg_arena arena; /**< everything that the run points to, but not the run itself */
};

/** Make an empty run. \param[out] out  owned by the caller; freed by ridge_run_destroy(&out->shown) */
ridge_status rg_run_create(const struct ridge_context *context, struct rg_run **out, struct ridge_error *error);

/** \return the context that the run was made with. */
const struct ridge_context *rg_run_context(const struct ridge_run *run);

/** Give a run room for `count` zeroed records, whose compiler facts are unknown. */
ridge_status rg_run_reserve(struct rg_run *run, size_t count, struct ridge_error *error);

/**
 * Give a record its samples. A sample that is zero, negative or not finite is below what the clock can tell or a fault
 * of the driver: it is left out and counted in record->rejected.
 * \param samples_s  borrowed for the call
 */
ridge_status rg_record_samples_set(struct rg_run *run, struct ridge_record *record, const double *samples_s,
                                   uint64_t count, struct ridge_error *error);

/**
 * Fill what follows from the records: summaries, counts of outcomes, ranking, tied set and spread.
 *
 * Ranked is a record in the space whose outcome is ok and that has samples. When there are finalists the best is the
 * finalist with the lowest median, else the record with the lowest; equal medians go by id. Next come the records that
 * cannot be told apart from the best, then the others: each time finalists first, then by median, then by id.
 */
ridge_status rg_run_rank(struct rg_run *run, struct ridge_error *error);

/* The id of a configuration: begin, add each dimension's value in canonical order (sorted by name), end. */
void rg_id_begin(struct rg_sha256 *hash, const char *kernel);
void rg_id_value(struct rg_sha256 *hash, const char *name, const struct ridge_value *value);
void rg_id_end(struct rg_sha256 *hash, char out[RIDGE_ID_BYTES]);

/** \return the enumerator with that word, or -1 when there is none. */
int rg_outcome_find(const char *word);
int rg_kind_find(const char *word);
int rg_run_state_find(const char *word);

#endif
