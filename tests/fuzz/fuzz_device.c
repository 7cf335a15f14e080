/* SPDX-License-Identifier: MIT */
/** \file Any bytes as a device file: read or refused with a message, never a crash; what is read has sources. */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "device/device_db.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_records(const struct ridge_device_db *db)
{
    for (size_t i = 0; i < db->count; i++) {
        const struct ridge_device *device = &db->slots[i].record->device;
        for (int fact = 0; fact < RIDGE_FACT_COUNT; fact++) {
            if (device->facts[fact].known && !device->facts[fact].source) {
                abort();
            }
        }
        struct ridge_device_match match;
        (void)ridge_device_find(db, device->name, &match, NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ridge_context *context = NULL;
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK) {
        return 0;
    }
    struct ridge_device_db *db = rg_alloc(context, sizeof *db);
    struct ridge_error error = {0};
    db->context = context;
    rg_arena_init(&db->arena, context);
    char *text = rg_arena_alloc(&db->arena, size + 1);
    if (size > 0) {
        memcpy(text, data, size);
    }
    if (rg_device_read(db, "fuzz.toml", text, size, &error) == RIDGE_OK) {
        check_records(db);
    } else if (error.message[0] == '\0') {
        abort();
    }
    ridge_device_db_destroy(db);
    ridge_context_destroy(context);
    return 0;
}
