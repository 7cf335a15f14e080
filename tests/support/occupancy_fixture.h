/* SPDX-License-Identifier: MIT */
/** \file A context and a device database for a group of tests, and questions about a device by name. */
#ifndef RG_OCCUPANCY_FIXTURE_H
#define RG_OCCUPANCY_FIXTURE_H

#include "rg_test.h"

#include "ridge/occupancy.h"

struct fixture {
    struct ridge_context *context;
    struct ridge_device_db *db;
};

static inline int setup(void **state)
{
    static struct fixture fixture;
    struct ridge_error error = {0};
    fixture.context = test_context();
    assert_ok(ridge_device_db_create(fixture.context, NULL, &fixture.db, &error), &error);
    *state = &fixture;
    return 0;
}

static inline int teardown(void **state)
{
    struct fixture *fixture = *state;
    ridge_device_db_destroy(fixture->db);
    ridge_context_destroy(fixture->context);
    return 0;
}

static const struct ridge_occupancy_options opted = {.opt_in = true};

static inline struct ridge_occupancy_table *table_of(void **state, const char *name,
                                                     const struct ridge_occupancy_options *options)
{
    const struct fixture *fixture = *state;
    struct ridge_device_match match;
    struct ridge_occupancy_table *table = NULL;
    struct ridge_error error = {0};
    assert_ok(ridge_device_find(fixture->db, name, &match, &error), &error);
    assert_ok(ridge_occupancy_table_create(fixture->context, &match, options, &table, &error), &error);
    return table;
}

static inline struct ridge_occupancy ask(void **state, const char *name, const struct ridge_occupancy_options *options,
                                         struct ridge_launch launch)
{
    struct ridge_occupancy answer;
    struct ridge_occupancy_table *table = table_of(state, name, options);
    ridge_occupancy_one(table, &launch, &answer);
    ridge_occupancy_table_destroy(table);
    return answer;
}

#endif
