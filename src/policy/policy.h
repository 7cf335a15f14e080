/* SPDX-License-Identifier: MIT */
/** \file The inside of policies. Thread rule: unchanging once made. */
#ifndef RG_POLICY_POLICY_H
#define RG_POLICY_POLICY_H

#include "base/arena.h"
#include "ridge/policy.h"
#include "text/toml_fields.h"

/** A recorded speed-up of one number of bytes in flight over a baseline, by problem size. */
struct rg_policy_record {
    uint64_t bytes_in_flight;
    struct rg_numbers speed_up_ratio;
};

/** One row of the table: bytes in flight of a range of capabilities, or of one device. */
struct rg_policy_row {
    const char *name;
    const char *device;              /**< NULL: by capability */
    const char *from_text, *to_text; /**< as written */
    unsigned cc_from, cc_to;         /**< ten times the major version plus the minor one; both included */
    uint64_t min_bytes_in_flight;
    const char *kind;
    const char *source;
    const char *note;
    uint64_t multiprocessors; /**< 0: not said, as with all that follow */
    double bandwidth_bytes_per_s;
    double memory_latency_s;
    uint64_t smem_limit_bytes;
    struct rg_numbers elements, baseline_s;
    size_t record_count;
    const struct rg_policy_record *records;
    struct rg_place place; /**< of the row */
    struct rg_place multiprocessors_place;
    struct rg_place bandwidth_place;
    unsigned file;
};

enum {
    RG_MAX_POLICY_ROWS = 256
};

struct ridge_policy_table {
    const struct ridge_context *context;
    struct rg_arena arena;
    size_t count;
    struct rg_policy_row *rows[RG_MAX_POLICY_ROWS];
    unsigned files; /**< read so far */
};

/** Read one file of rows into the table (docs/policy.md). The text lives as long as the table. */
ridge_status rg_policy_read(struct ridge_policy_table *table, const char *name, const char *text, size_t length,
                            struct ridge_error *error);

/** Check that no two rows cover one capability or device. */
ridge_status rg_policy_check(const struct ridge_policy_table *table, struct ridge_error *error);

/** \return "8.6" as 86; 0: it is no compute capability. */
unsigned rg_capability_number(const char *text);

/**
 * Fill algorithm, reasons and launch values by the published rules.
 * \param capability        0: none, or unknown
 * \param smem_limit_bytes  0: unknown
 */
void rg_transform_rules(const struct ridge_transform_request *request, unsigned capability, uint64_t smem_limit_bytes,
                        struct ridge_transform_policy *out);

#endif
