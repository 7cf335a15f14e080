/* SPDX-License-Identifier: MIT */
/** \file A fresh folder for each test with the path of a database in it. */
#ifndef RG_SCRATCH_H
#define RG_SCRATCH_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rg_test.h"
#include "ridge/store.h"

struct scratch {
    struct ridge_context *context;
    char folder[64];
    char path[128]; /* folder/evidence.db; not made yet */
};

static inline int scratch_remove_one(const char *path, const struct stat *facts, int kind, struct FTW *where)
{
    (void)facts;
    (void)kind;
    return where->level > 0 ? remove(path) : 0;
}

/** Remove everything in the folder. */
static inline void scratch_clear(const struct scratch *scratch)
{
    nftw(scratch->folder, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline int scratch_setup(void **state)
{
    struct scratch *scratch = calloc(1, sizeof *scratch);
    if (!scratch) {
        return -1;
    }
    snprintf(scratch->folder, sizeof scratch->folder, "/tmp/ridge-test-XXXXXX");
    if (!mkdtemp(scratch->folder)) {
        free(scratch);
        return -1;
    }
    snprintf(scratch->path, sizeof scratch->path, "%s/evidence.db", scratch->folder);
    scratch->context = test_context();
    *state = scratch;
    return 0;
}

static inline int scratch_teardown(void **state)
{
    struct scratch *scratch = *state;
    scratch_clear(scratch);
    rmdir(scratch->folder);
    ridge_context_destroy(scratch->context);
    free(scratch);
    return 0;
}

static inline struct ridge_store *scratch_open(const struct scratch *scratch, ridge_store_mode mode)
{
    struct ridge_store *store = NULL;
    struct ridge_error error = {0};
    assert_ok(ridge_store_open(scratch->context, scratch->path, mode, &store, &error), &error);
    return store;
}

#define scratch_test(function) cmocka_unit_test_setup_teardown(function, scratch_setup, scratch_teardown)

#endif
