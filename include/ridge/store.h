/* SPDX-License-Identifier: MIT */
/**
 * \file
 * The evidence database: one SQLite file with everything that was measured (schema: docs/evidence-format.md).
 * Each result is durable before the call that puts it returns. Several processes may use one file at once.
 * Thread rule: a store belongs to one thread at a time.
 */
#ifndef RIDGE_STORE_H
#define RIDGE_STORE_H

#include "ridge/run.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ridge_store;

/** How to open a store. */
typedef enum ridge_store_mode {
    RIDGE_STORE_READ, /**< it must exist; nothing is changed; an older schema is read through a copy in memory */
    RIDGE_STORE_WRITE /**< it is made, with its folder, when missing; an older schema is migrated */
} ridge_store_mode;

/**
 * Open an evidence database.
 * \retval RIDGE_E_IO     missing, no permission, read-only
 * \retval RIDGE_E_STORE  corrupt, not a database, or made by a newer Ridge; the file is left as it is
 */
RIDGE_API ridge_status ridge_store_open(const struct ridge_context *context, const char *path, ridge_store_mode mode,
                                        struct ridge_store **out, struct ridge_error *error);

/** Close a store. NULL is fine. */
RIDGE_API void ridge_store_close(struct ridge_store *store);

/**
 * Put a run of records into the store, in one transaction.
 * \param[out] id     the new run, or the one that the same file, kernel and device gave before
 * \param[out] added  false: it was there already, and nothing was changed
 */
RIDGE_API ridge_status ridge_store_import(struct ridge_store *store, const struct ridge_run *run, int64_t *id,
                                          bool *added, struct ridge_error *error);

/** One line of the list of runs. */
struct ridge_run_line {
    int64_t id;
    const char *kernel, *backend, *device, *started_at; /* borrowed for the visit */
    ridge_run_state state;
    uint64_t results;     /**< configurations with an outcome */
    uint64_t ok;          /**< of these, measured */
    double best_s;        /**< best median; NaN: none */
    int64_t group;        /**< that it belongs to (ridge/group.h); 0: none */
    const char *workload; /**< name of its workload there, or ""; borrowed for the visit */
};

/** Visit every run, oldest first. `visit` returns false to stop. */
RIDGE_API ridge_status ridge_store_run_each(struct ridge_store *store,
                                            bool (*visit)(void *user, const struct ridge_run_line *line), void *user,
                                            struct ridge_error *error);

/**
 * Load a run with all its records and its ranking.
 * \param id        a run; 0: the newest
 * \param[out] out  owned by the caller; freed by ridge_run_destroy
 * \retval RIDGE_E_NAME  there is no such run; the message says which there are
 */
RIDGE_API ridge_status ridge_store_run_load(struct ridge_store *store, int64_t id, struct ridge_run **out,
                                            struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
