/* SPDX-License-Identifier: MIT */
/**
 * \file Artifacts kept in a folder, each under a hash of all that it was made from. A file is complete or it is not
 * there; one that is damaged is seen, said and made again. Thread rule: any process may use a folder at any time.
 */
#ifndef RG_COMPILE_CACHE_H
#define RG_COMPILE_CACHE_H

#include "base/hash.h"
#include "compile/closure.h"

/** Write the key of a job: its macros are those that make a difference. \param identity  of the compiler */
void rg_cache_key(const struct rg_compile_job *job, const struct rg_closure *closure, const char *identity,
                  char key[RG_SHA256_HEX_BYTES]);

/**
 * Make the folder, before there are processes that would each say that it cannot be.
 * \return whether code can be kept in it; if not, a warning says why. NULL: false
 */
bool rg_cache_prepare(const struct ridge_context *context, const char *folder);

/** Find an artifact. \return whether it is there; then `out` is filled, its `context` set before. */
bool rg_cache_get(const char *folder, const char *key, struct rg_artifact *out);

/** Keep an artifact. A folder that cannot be written is told through the context's log; it is no error. */
void rg_cache_put(const char *folder, const char *key, const struct rg_artifact *artifact);

#endif
