/* SPDX-License-Identifier: MIT */
/**
 * \file
 * A group: one kernel tuned with several workloads ([[bench.workloads]]), one run each, and what that comes to for all
 * of them together. Thread rule: a group is unchanging once made and may be read by any thread.
 */
#ifndef RIDGE_GROUP_H
#define RIDGE_GROUP_H

#include "ridge/spec.h"
#include "ridge/stats.h"
#include "ridge/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One workload of a group with its run. */
struct ridge_group_member {
    const char *name;
    double weight; /**< above 0 */
    const struct ridge_run *run;
    double fastest_s; /**< lowest median of the first pass: what scores are measured by; NaN: nothing was measured */
};

/** One configuration in all workloads. */
struct ridge_group_entry {
    char id[RIDGE_ID_BYTES];
    const struct ridge_value *values; /**< one a dimension, in their order */
    /** What became of it with each workload; NULL: it was not tried there, or is not in the space there. */
    const struct ridge_record *records[RIDGE_WORKLOAD_MAX];
    bool complete; /**< measured with every workload: only then there is a score */
    bool tied;     /**< it cannot be told apart from the best: the best itself, too */
    /** Weighted geometric mean over the workloads of `fastest_s` over its median, both of the first pass, in which all were
     * measured alike: 1 is the fastest with every workload. */
    struct ridge_ratio score;
    struct ridge_ratio
        over_base; /**< the same of the base's median over its own; NaN: no base, or it is not complete */
};

struct ridge_group {
    int64_t id;            /**< number of the group in its store; 0: not from one */
    size_t workload_count; /**< of the spec; more than `member_count`: some were not run, and nothing is complete */
    size_t member_count;   /**< at least 1 */
    const struct ridge_group_member *members;
    const char *base_id; /**< NULL: none */
    size_t dimension_count;
    const char *const *dimension_names;
    /** The complete ones first: the best (by score, unless final rounds tell that another is faster), then what is tied with it, then the others, each time by score; then the
     * incomplete ones by id. */
    size_t entry_count;
    const struct ridge_group_entry *entries;
    size_t ranked_count; /**< the complete ones */
    size_t tied_count;   /**< the first of these that cannot be told apart, the best included */
};

/** What to make a group of. Everything is borrowed, the runs for as long as the group is used. */
struct ridge_group_request {
    int64_t id;
    size_t workload_count;
    size_t member_count; /**< 1 to RIDGE_WORKLOAD_MAX */
    const struct ridge_run *const *runs;
    const char *const *names;
    const double *weights;
    const char *base_id;
};

/**
 * Compare the configurations of several runs.
 *
 * Two configurations are tied when the weighted geometric mean of the ratios of their times may be 1: of the final rounds
 * where both had them, else of the first pass, there widened by what the sentinel saw the machine drift.
 * \param[out] out  owned by the caller; freed by ridge_group_destroy
 * \retval RIDGE_E_ARGUMENT  no run, too many, a weight that is not above 0, runs whose dimensions differ
 */
RIDGE_API ridge_status ridge_group_create(const struct ridge_context *context,
                                          const struct ridge_group_request *request, struct ridge_group **out,
                                          struct ridge_error *error);

/** Free a group, and with it the runs that ridge_store_group_load loaded for it. NULL is fine. */
RIDGE_API void ridge_group_destroy(struct ridge_group *group);

/** \return what to use where one configuration must do for all workloads: the best; NULL: none is complete. */
RIDGE_API const struct ridge_group_entry *ridge_group_winner(const struct ridge_group *group);

/**
 * Load a group with all its runs.
 * \param id        number of the group: that of its first run
 * \param[out] out  owned by the caller; freed by ridge_group_destroy
 * \retval RIDGE_E_NAME  there is no such group; the message says which there are
 */
RIDGE_API ridge_status ridge_store_group_load(struct ridge_store *store, int64_t id, struct ridge_group **out,
                                              struct ridge_error *error);

/** \param[out] group  the group that a run belongs to; 0: none */
RIDGE_API ridge_status ridge_store_run_group(struct ridge_store *store, int64_t run, int64_t *group,
                                             struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
