/* SPDX-License-Identifier: MIT */
/* The run that a reader of record files builds. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "store/import.h"

void rg_import_tally(struct rg_import *import, enum rg_tally tally, size_t offset)
{
    if (import->tallies[tally]++ == 0) {
        import->tally_offsets[tally] = offset;
    }
}

void rg_import_note(struct rg_import *import, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (import->note_count == SIZE_MAX) {
        return;
    }
    const char *kept = rg_arena_strdup(&import->run->arena, text);
    if (!kept || !rg_reserve(import->context, (void *)&import->notes, &import->note_capacity, import->note_count + 1,
                             sizeof *import->notes)) {
        import->note_count = SIZE_MAX; /* told by the end of the import */
        return;
    }
    import->notes[import->note_count++] = kept;
}

ridge_status rg_import_identity(struct rg_import *import, const char *kernel, const char *device)
{
    struct ridge_run_info *info = &import->run->shown.info;
    const char *named_kernel = import->hints->kernel ? import->hints->kernel : kernel;
    const char *named_device = import->hints->device ? import->hints->device : device;
    info->kernel = rg_arena_strdup(&import->run->arena, named_kernel ? named_kernel : "");
    info->device = rg_arena_strdup(&import->run->arena, named_device ? named_device : "");
    if (!info->kernel || !info->device) {
        return rg_error_memory(import->error, 0);
    }
    if (info->kernel[0] == '\0') {
        rg_import_note(import, "the file does not name the kernel (give --kernel NAME)");
    }
    if (info->device[0] == '\0') {
        rg_import_note(import, "the file does not name the device (give --device NAME)");
    }
    if (device && device[0] && import->hints->device && strcmp(device, import->hints->device) != 0) {
        rg_import_note(import, "the file says it was measured on %.300s", device);
    }
    return RIDGE_OK;
}

static int compare_names(const void *left, const void *right)
{
    const char *const *a = left;
    const char *const *b = right;
    return strcmp(*a, *b);
}

ridge_status rg_import_dimensions(struct rg_import *import, const char *const *names, size_t count)
{
    struct rg_arena *arena = &import->run->arena;
    const char **sorted = rg_arena_array(arena, count, sizeof *sorted);
    if (!sorted) {
        return rg_error_memory(import->error, count);
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = rg_arena_strdup(arena, names[i]);
        if (!sorted[i]) {
            return rg_error_memory(import->error, strlen(names[i]));
        }
    }
    qsort((void *)sorted, count, sizeof *sorted, compare_names);
    for (size_t i = 0; i + 1 < count; i++) {
        if (strcmp(sorted[i], sorted[i + 1]) == 0) {
            const struct rg_place place = {.file = import->text.path};
            return rg_error_at(import->error, RIDGE_E_VALUE, &place, "dimension %.200s is listed twice", sorted[i]);
        }
    }
    import->run->shown.dimension_names = sorted;
    import->run->shown.dimension_count = count;
    return RIDGE_OK;
}

size_t rg_import_position(const struct rg_import *import, const char *name)
{
    const struct ridge_run *run = &import->run->shown;
    const char *const *found = bsearch(&name, (const void *)run->dimension_names, run->dimension_count,
                                       sizeof *run->dimension_names, compare_names);
    return found ? (size_t)(found - run->dimension_names) : run->dimension_count;
}

struct ridge_record *rg_import_begin(struct rg_import *import, struct ridge_value **values)
{
    struct ridge_record *record = &import->run->records[import->used];
    *values = rg_arena_array(&import->run->arena, import->run->shown.dimension_count, sizeof **values);
    if (!*values) {
        rg_error_memory(import->error, import->run->shown.dimension_count);
        return NULL;
    }
    *record = (struct ridge_record){.values = *values,
                                    .outcome = RIDGE_OUTCOME_OK,
                                    .kind = RIDGE_RECORDED,
                                    .in_space = true,
                                    .compile_s = (double)NAN,
                                    .run_s = (double)NAN,
                                    .registers = -1,
                                    .shared_bytes = -1,
                                    .spill_bytes = -1};
    import->sample_count = 0;
    import->rejected = 0;
    return record;
}

ridge_status rg_import_fail(struct rg_import *import, struct ridge_record *record, ridge_outcome outcome,
                            const char *text)
{
    record->outcome = outcome;
    record->text = rg_arena_strdup(&import->run->arena, text);
    return record->text ? RIDGE_OK : rg_error_memory(import->error, strlen(text));
}

ridge_status rg_import_end(struct rg_import *import, struct ridge_record *record, size_t offset)
{
    const struct ridge_run *run = &import->run->shown;
    struct rg_sha256 hash;
    rg_id_begin(&hash, run->info.kernel);
    for (size_t i = 0; i < run->dimension_count; i++) {
        rg_id_value(&hash, run->dimension_names[i], &record->values[i]);
    }
    rg_id_end(&hash, record->id);
    import->used++;
    record->rejected = import->rejected;
    if (record->outcome != RIDGE_OUTCOME_OK) {
        return RIDGE_OK;
    }
    const ridge_status status =
        rg_record_samples_set(import->run, record, import->samples_s, import->sample_count, import->error);
    for (uint64_t i = import->rejected; status == RIDGE_OK && i < record->rejected; i++) {
        rg_import_tally(import, RG_TALLY_SAMPLE, offset);
    }
    if (status == RIDGE_OK && record->sample_count == 0) {
        return rg_import_fail(import, record, RIDGE_OUTCOME_SKIPPED,
                              import->sample_count > 0 ? "none of its times is a time" : "it has no time");
    }
    return status;
}

ridge_status rg_import_sample_s(struct rg_import *import, double seconds)
{
    if (!rg_reserve(import->context, (void *)&import->samples_s, &import->sample_capacity, import->sample_count + 1,
                    sizeof *import->samples_s)) {
        return rg_error_memory(import->error, import->sample_count);
    }
    import->samples_s[import->sample_count++] = seconds;
    return RIDGE_OK;
}

void rg_import_time(struct rg_import *import, const char *timestamp)
{
    if (!timestamp || strlen(timestamp) >= sizeof import->began) {
        return;
    }
    memcpy(import->ended, timestamp, strlen(timestamp) + 1);
    if (!import->began[0]) {
        memcpy(import->began, timestamp, strlen(timestamp) + 1);
    }
}
