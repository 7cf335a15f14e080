/* SPDX-License-Identifier: MIT */
/** \file Any bytes as a file of footprint calibrations: read or refused with a message; what is read gives verdicts. */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "model/footprint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ridge_context *context = NULL;
    struct ridge_footprint_db *db = NULL;
    struct ridge_error error = {0};
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK ||
        ridge_footprint_db_create(context, NULL, &db, NULL) != RIDGE_OK) {
        abort();
    }
    char *text = rg_arena_copy(&db->arena, (const char *)data, size);
    if (rg_footprint_read(db, "fuzz.toml", text, size, &error) == RIDGE_OK) {
        struct ridge_prediction prediction;
        for (size_t i = 0; i < db->count; i++) {
            const char *name = db->footprints[i]->device ? db->footprints[i]->device : db->footprints[i]->family;
            ridge_footprint_predict(db, name, 2048, 4096, &prediction);
        }
    } else if (error.message[0] == '\0') {
        abort();
    }
    ridge_footprint_db_destroy(db);
    ridge_context_destroy(context);
    return 0;
}
