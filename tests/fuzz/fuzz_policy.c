/* SPDX-License-Identifier: MIT */
/** \file Any bytes as a file of policies: read or refused with a message; what is read gives policies, or a reason why not. */
#include <stdio.h>
#include <stdlib.h>

#include "base/context.h"
#include "policy/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_rows(const struct ridge_context *context, const struct ridge_policy_table *table)
{
    struct ridge_device_db *devices = NULL;
    if (ridge_device_db_create(context, NULL, &devices, NULL) != RIDGE_OK) {
        abort();
    }
    for (size_t i = 0; i < table->count; i++) {
        const struct rg_policy_row *row = table->rows[i];
        struct ridge_transform_policy policy;
        struct ridge_error error = {0};
        struct ridge_transform_request request = {.input_count = 1, .input_bytes = {4}, .output_bytes = 4};
        request.device = row->device;
        request.capability = row->device ? NULL : row->from_text;
        if (ridge_transform_policy_find(table, devices, &request, &policy, &error) != RIDGE_OK &&
            error.message[0] == '\0') {
            abort();
        }
    }
    ridge_device_db_destroy(devices);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ridge_context *context = NULL;
    struct ridge_policy_table *table = NULL;
    struct ridge_error error = {0};
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK ||
        ridge_policy_table_create(context, NULL, &table, NULL) != RIDGE_OK) {
        abort();
    }
    char *text = rg_arena_copy(&table->arena, (const char *)data, size);
    if (rg_policy_read(table, "fuzz.toml", text, size, &error) == RIDGE_OK) {
        check_rows(context, table);
    } else if (error.message[0] == '\0') {
        abort();
    }
    ridge_policy_table_destroy(table);
    ridge_context_destroy(context);
    return 0;
}
