/* SPDX-License-Identifier: MIT */
/** \file The device database: what is compiled in, a folder over it, and architectures whose limits products have. */
#include "device/device_db.h"

#include <string.h>

#include "text/fact_files.h"

const char *ridge_fact_key(ridge_fact fact)
{
    static const char *const keys[] = {
#define RIDGE_FACT_KEY(name, key, maximum, meaning) key,
        RIDGE_FACT_LIST(RIDGE_FACT_KEY)
#undef RIDGE_FACT_KEY
    };
    return (unsigned)fact < RIDGE_FACT_COUNT ? keys[fact] : "?";
}

const char *ridge_fact_meaning(ridge_fact fact)
{
    static const char *const meanings[] = {
#define RIDGE_FACT_MEANING(name, key, maximum, meaning) meaning,
        RIDGE_FACT_LIST(RIDGE_FACT_MEANING)
#undef RIDGE_FACT_MEANING
    };
    return (unsigned)fact < RIDGE_FACT_COUNT ? meanings[fact] : "?";
}

static ridge_status read_file(void *user, const char *name, const char *text, size_t length, struct ridge_error *error)
{
    return rg_device_read(user, name, text, length, error);
}

/** Give a record the limits of its architecture, where it states none itself. */
static ridge_status inherit(struct ridge_device_db *db, struct rg_device_record *record, struct ridge_error *error)
{
    struct ridge_device *device = &record->device;
    if (device->is_architecture) {
        device->architecture = device;
        return RIDGE_OK;
    }
    if (!record->architecture_name) {
        return RIDGE_OK;
    }
    const struct rg_device_record *from = rg_device_record_find(db, record->architecture_name);
    if (!from || !from->device.is_architecture) {
        return rg_error_at(error, RIDGE_E_NAME, &record->architecture_place,
                           "there is no architecture '%s' (give it an [[architecture]] record)",
                           record->architecture_name);
    }
    device->architecture = &from->device;
    device->family = device->family ? device->family : from->device.family;
    for (int i = 0; i < RIDGE_FACT_COUNT; i++) {
        if (!device->facts[i].known) {
            device->facts[i] = from->device.facts[i];
        }
    }
    return RIDGE_OK;
}

/** Put architectures first, each kind in the order of the files. */
static ridge_status sort_records(struct ridge_device_db *db, struct ridge_error *error)
{
    struct rg_device_slot *sorted = rg_arena_array(&db->arena, db->count, sizeof *sorted);
    if (!sorted) {
        return rg_error_memory(error, db->count * sizeof *sorted);
    }
    size_t used = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < db->count; i++) {
            if (db->slots[i].record->device.is_architecture == (pass == 0)) {
                sorted[used++] = db->slots[i];
            }
        }
    }
    memcpy(db->slots, sorted, db->count * sizeof *sorted);
    return RIDGE_OK;
}

static ridge_status finish(struct ridge_device_db *db, struct ridge_error *error)
{
    ridge_status status = sort_records(db, error);
    for (size_t i = 0; i < db->count && status == RIDGE_OK; i++) {
        status = inherit(db, db->slots[i].record, error);
    }
    return status;
}

ridge_status ridge_device_db_create(const struct ridge_context *context, const char *folder,
                                    struct ridge_device_db **out, struct ridge_error *error)
{
    struct ridge_device_db *db = rg_alloc(context, sizeof *db);
    if (!db) {
        return rg_error_memory(error, sizeof *db);
    }
    db->context = context;
    rg_arena_init(&db->arena, context);
    const struct rg_fact_files files = {"device", rg_device_files, folder, read_file, db};
    ridge_status status = rg_fact_files_read(&files, &db->arena, error);
    status = status == RIDGE_OK ? finish(db, error) : status;
    if (status != RIDGE_OK) {
        ridge_device_db_destroy(db);
        return status;
    }
    *out = db;
    return RIDGE_OK;
}

ridge_status ridge_device_db_create_with_file(const struct ridge_context *context, const char *path,
                                              struct ridge_device_db **out, struct ridge_error *error)
{
    return ridge_device_db_create(context, path, out, error);
}

void ridge_device_db_destroy(struct ridge_device_db *db)
{
    if (db) {
        const struct ridge_context *context = db->context;
        rg_free(context, db->slots, db->capacity * sizeof *db->slots);
        rg_arena_fini(&db->arena);
        rg_free(context, db, sizeof *db);
    }
}

size_t ridge_device_count(const struct ridge_device_db *db)
{
    return db->count;
}

const struct ridge_device *ridge_device_at(const struct ridge_device_db *db, size_t index)
{
    return index < db->count ? &db->slots[index].record->device : NULL;
}
