/* SPDX-License-Identifier: MIT */
/** \file The device database: what is compiled in, a folder over it, and architectures whose limits products have. */
#include "device/device_db.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file.h"

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

static ridge_status read_embedded(struct ridge_device_db *db, struct ridge_error *error)
{
    for (const struct rg_embedded *file = rg_device_files; file->name; file++) {
        const ridge_status status = rg_device_read(db, file->name, file->text, file->length, error);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    return RIDGE_OK;
}

static ridge_status read_file(struct ridge_device_db *db, const char *path, struct ridge_error *error)
{
    char *text = NULL;
    size_t length = 0;
    const char *kept = rg_arena_strdup(&db->arena, path);
    if (!kept) {
        return rg_error_memory(error, strlen(path));
    }
    const ridge_status status = rg_file_read(&db->arena, kept, &text, &length, error);
    return status == RIDGE_OK ? rg_device_read(db, kept, text, length, error) : status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_toml(const char *name)
{
    const size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".toml") == 0 && name[0] != '.';
}

/** Collect the paths of the device files of an open folder. */
static ridge_status list_folder(struct ridge_device_db *db, DIR *folder, const char *path, const char ***paths,
                                size_t *capacity, size_t *count, struct ridge_error *error)
{
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (!is_toml(entry->d_name)) {
            continue;
        }
        const char *full = rg_arena_printf(&db->arena, "%s/%s", path, entry->d_name);
        if (!full || !rg_reserve(db->context, paths, capacity, *count + 1, sizeof **paths)) {
            return rg_error_memory(error, strlen(path));
        }
        (*paths)[(*count)++] = full;
    }
    return RIDGE_OK;
}

static ridge_status read_folder(struct ridge_device_db *db, const char *path, struct ridge_error *error)
{
    DIR *folder = opendir(path);
    if (!folder) {
        return rg_error_system(error, RIDGE_E_IO, errno, path, "the folder of device files cannot be read");
    }
    const char **paths = NULL;
    size_t capacity = 0;
    size_t count = 0;
    ridge_status status = list_folder(db, folder, path, &paths, &capacity, &count, error);
    closedir(folder);
    if (status == RIDGE_OK && !paths) {
        status = rg_error_set(error, RIDGE_E_IO, "%s holds no device files (*.toml)", path);
    }
    if (status == RIDGE_OK && paths) {
        qsort(paths, count, sizeof *paths, by_name);
    }
    for (size_t i = 0; paths && i < count && status == RIDGE_OK; i++) {
        status = read_file(db, paths[i], error);
    }
    rg_free(db->context, (void *)paths, capacity * sizeof *paths);
    return status;
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

static ridge_status create(const struct ridge_context *context, const char *folder, const char *file,
                           struct ridge_device_db **out, struct ridge_error *error)
{
    struct ridge_device_db *db = rg_alloc(context, sizeof *db);
    if (!db) {
        return rg_error_memory(error, sizeof *db);
    }
    db->context = context;
    rg_arena_init(&db->arena, context);
    ridge_status status = read_embedded(db, error);
    status = status == RIDGE_OK && folder ? read_folder(db, folder, error) : status;
    status = status == RIDGE_OK && file ? read_file(db, file, error) : status;
    status = status == RIDGE_OK ? finish(db, error) : status;
    if (status != RIDGE_OK) {
        ridge_device_db_destroy(db);
        return status;
    }
    *out = db;
    return RIDGE_OK;
}

ridge_status ridge_device_db_create(const struct ridge_context *context, const char *folder,
                                    struct ridge_device_db **out, struct ridge_error *error)
{
    return create(context, folder, NULL, out, error);
}

ridge_status ridge_device_db_create_with_file(const struct ridge_context *context, const char *path,
                                              struct ridge_device_db **out, struct ridge_error *error)
{
    return create(context, NULL, path, out, error);
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
