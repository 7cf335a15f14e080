/* SPDX-License-Identifier: MIT */
/**
 * \file
 * One space measured at several sizes: each configuration as a variant with a short dotted name, its speed-up over a base
 * at each size, and a score. Thread rule: a set of variants is unchanging once made and may be read by any thread.
 */
#ifndef RIDGE_VARIANTS_H
#define RIDGE_VARIANTS_H

#include "ridge/stats.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RIDGE_VARIANT_RUNS = 16, /**< sizes, at most */
    RIDGE_VARIANT_NAME_BYTES = 160
};

/** What a dimension is called in a variant's name; one that is not listed keeps its own name. */
struct ridge_variant_label {
    const char *dimension; /**< "block_x" */
    const char *label;     /**< "tpb" */
};

/** What to compare. Everything is borrowed for as long as the result is used. */
struct ridge_variants_request {
    size_t run_count; /**< one run a size, of the same dimensions */
    const struct ridge_run *const *runs;
    const double *weights; /**< one a run, above 0; NULL: all alike */
    const char *base_id;   /**< the configuration that the others are held against */
    size_t label_count;
    const struct ridge_variant_label *labels;
};

struct ridge_variant {
    char name[RIDGE_VARIANT_NAME_BYTES]; /**< "alg_1.bif_64.tpb_256", labels sorted */
    char id[RIDGE_ID_BYTES];
    bool is_base;
    bool complete; /**< measured at every size: only then there is a score */
    bool tied;     /**< its score cannot be told from the best one: the intervals overlap, or are not known */
    struct ridge_ratio score;                     /**< weighted geometric mean over the sizes: ridge_ratio_mean */
    struct ridge_ratio sizes[RIDGE_VARIANT_RUNS]; /**< time of the base over its own, one a run */
};

struct ridge_variants {
    size_t count;
    size_t run_count;
    const struct ridge_variant *items;      /**< those with a score first, best first; then the others by name */
    size_t best_of_run[RIDGE_VARIANT_RUNS]; /**< which is fastest at that size; `count`: none was measured */
};

/**
 * Compare the configurations of several runs by their first pass, in which all were measured alike.
 * \param[out] out  owned by the caller; freed by ridge_variants_destroy
 * \retval RIDGE_E_ARGUMENT  no run, too many, runs of different dimensions, a weight that is not above 0
 * \retval RIDGE_E_EMPTY     the base was not measured at a size
 */
RIDGE_API ridge_status ridge_variants_create(const struct ridge_context *context,
                                             const struct ridge_variants_request *request, struct ridge_variants **out,
                                             struct ridge_error *error);
/** Free what was compared, with the context that made it. NULL is fine. */
RIDGE_API void ridge_variants_destroy(const struct ridge_context *context, struct ridge_variants *variants);

#ifdef __cplusplus
}
#endif
#endif
