/* SPDX-License-Identifier: MIT */
/** \file A fresh folder for each test with the path of a database in it. */
#ifndef RG_SCRATCH_H
#define RG_SCRATCH_H

#include "folder.h"
#include "ridge/store.h"

struct scratch {
    struct ridge_context *context;
    char folder[FOLDER_BYTES];
    char path[128]; /* folder/evidence.db; not made yet */
};

static inline int scratch_setup(void **state)
{
    struct scratch *scratch = calloc(1, sizeof *scratch);
    if (!scratch) {
        return -1;
    }
    folder_make(scratch->folder, "test");
    snprintf(scratch->path, sizeof scratch->path, "%s/evidence.db", scratch->folder);
    scratch->context = test_context();
    *state = scratch;
    return 0;
}

static inline int scratch_teardown(void **state)
{
    struct scratch *scratch = *state;
    folder_remove(scratch->folder);
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
