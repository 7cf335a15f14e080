/* SPDX-License-Identifier: MIT */
#include "store/import.h"

#include <string.h>

typedef ridge_status (*reader)(struct rg_import *import);

static const reader readers[] = {
    [RG_FORMAT_UNKNOWN] = NULL,      [RG_FORMAT_CACHE] = rg_import_cache, [RG_FORMAT_T4] = rg_import_t4,
    [RG_FORMAT_KTT] = rg_import_ktt, [RG_FORMAT_CSV] = rg_import_csv,
};

static const char *const format_words[] = {[RG_FORMAT_UNKNOWN] = "",
                                           [RG_FORMAT_CACHE] = "Kernel Tuner cache",
                                           [RG_FORMAT_T4] = "T4",
                                           [RG_FORMAT_KTT] = "KTT results",
                                           [RG_FORMAT_CSV] = "CSV"};

static const char *const tally_texts[] = {
#define TALLY_TEXT(name, text) text,
    RG_TALLY_LIST(TALLY_TEXT)
#undef TALLY_TEXT
};

/** An index into the records by id, to find those that occur twice. */
struct by_id {
    const char *id;
    size_t index;
};

static int compare_ids(const void *left, const void *right)
{
    const struct by_id *a = left;
    const struct by_id *b = right;
    const int order = memcmp(a->id, b->id, RIDGE_ID_BYTES);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

/** Drop each result that a later one of the same configuration replaces. */
static ridge_status drop_replaced(struct rg_import *import)
{
    const size_t bytes = import->used * sizeof(struct by_id);
    if (bytes == 0) {
        return RIDGE_OK;
    }
    struct by_id *order = rg_alloc(import->context, bytes);
    if (!order) {
        return rg_error_memory(import->error, bytes);
    }
    struct ridge_record *records = import->run->records;
    for (size_t i = 0; i < import->used; i++) {
        order[i] = (struct by_id){records[i].id, i};
    }
    qsort(order, import->used, sizeof *order, compare_ids);
    size_t replaced = 0;
    for (size_t i = 0; i + 1 < import->used; i++) {
        if (memcmp(order[i].id, order[i + 1].id, RIDGE_ID_BYTES) == 0) {
            records[order[i].index].in_space = false;
            replaced++;
        }
    }
    rg_free(import->context, order, bytes);
    size_t kept = 0;
    for (size_t i = 0; replaced > 0 && i < import->used; i++) {
        if (records[i].in_space) {
            records[kept++] = records[i];
        }
    }
    import->used = replaced > 0 ? kept : import->used;
    import->tallies[RG_TALLY_TWICE] = replaced;
    return RIDGE_OK;
}

/** Say what was skipped, doubtful or mended. */
static void put_notes(struct rg_import *import)
{
    const struct rg_import_text *text = &import->text;
    if (text->packed_cut) {
        rg_import_note(import, "the gzip data ends early: what could be unpacked was read");
    }
    if (text->open) {
        rg_import_note(import, "open file: its closing brackets are missing%s",
                       text->partial ? "; it ends in the middle of a result, which was dropped" : "");
    }
    import->tallies[RG_TALLY_LITERAL] = text->literals;
    import->tallies[RG_TALLY_COMMA] = text->commas;
    for (size_t i = 0; i < RG_TALLY_COUNT; i++) {
        if (import->tallies[i] == 0) {
            continue;
        }
        const size_t offset = import->tally_offsets[i];
        if (offset > 0) {
            rg_import_note(import, "%zu %s (the first in line %u)", import->tallies[i], tally_texts[i],
                           rg_import_place(text, offset).line);
        } else {
            rg_import_note(import, "%zu %s", import->tallies[i], tally_texts[i]);
        }
    }
}

/** How far `ok` records go, and what the others came to. */
static ridge_status nothing_usable(struct rg_import *import)
{
    const struct rg_place place = {.file = import->text.path};
    for (size_t i = 0; i < import->used; i++) {
        if (import->run->records[i].outcome != RIDGE_OUTCOME_SKIPPED) {
            return RIDGE_OK;
        }
    }
    if (import->text.record_count == 0) {
        return rg_error_at(import->error, RIDGE_E_VALUE, &place, "there are no results in it");
    }
    return rg_error_at(import->error, RIDGE_E_VALUE, &place, "none of its %zu results can be used: %s",
                       import->text.record_count,
                       import->used > 0         ? import->run->records[0].text
                       : import->note_count > 0 ? import->notes[import->note_count - 1]
                                                : "no names");
}

/** A time stamp as Ridge writes it: 2031-01-02T03:04:05.678Z. NULL only when memory is out. */
static const char *timestamp(struct rg_import *import, const char *given)
{
    char *text = rg_arena_strdup(&import->run->arena, given);
    if (!text) {
        return NULL;
    }
    char *zone = strstr(text, "+00:00");
    zone = zone ? zone : strstr(text, " UTC");
    if (zone) {
        zone[0] = 'Z';
        zone[1] = '\0';
    }
    char *blank = strchr(text, ' ');
    if (blank) {
        *blank = 'T';
    }
    return text;
}

static ridge_status put_info(struct rg_import *import)
{
    struct ridge_run *run = &import->run->shown;
    struct ridge_run_info *info = &run->info;
    const char **const texts[] = {&info->kernel,    &info->backend,       &info->device,         &info->platform,
                                  &info->driver,    &info->source_hash,   &info->arguments_hash, &info->parameters,
                                  &info->cache,     &info->space_hash,    &info->spec_path,      &info->order,
                                  &info->reference, &info->ridge_version, &info->host,           &run->state_text};
    info->backend = "replay";
    info->driver = format_words[import->text.format];
    info->spec_path = rg_arena_strdup(&import->run->arena, import->text.path);
    info->source_hash = rg_arena_strdup(&import->run->arena, import->text.hash);
    run->started_at = timestamp(import, import->began);
    run->ended_at = timestamp(import, import->ended);
    if (!info->spec_path || !info->source_hash || !run->started_at || !run->ended_at) {
        return rg_error_memory(import->error, 0);
    }
    info->reference = "none";
    info->ridge_version = ridge_version();
    info->space_count = import->used;
    run->state = import->text.open ? RIDGE_RUN_OPEN : RIDGE_RUN_COMPLETE;
    run->state_text = "imported";
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = *texts[i] ? *texts[i] : "";
    }
    return RIDGE_OK;
}

static ridge_status finish(struct rg_import *import)
{
    struct ridge_run *run = &import->run->shown;
    ridge_status status = import->memory_out ? rg_error_memory(import->error, 0) : drop_replaced(import);
    if (status == RIDGE_OK) {
        put_notes(import);
        status = nothing_usable(import);
    }
    if (status == RIDGE_OK) {
        status = put_info(import);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    const char **notes = rg_arena_array(&import->run->arena, import->note_count, sizeof *notes);
    if (!notes || import->note_count == SIZE_MAX) {
        return rg_error_memory(import->error, 0);
    }
    if (import->note_count > 0) {
        memcpy((void *)notes, (const void *)import->notes, import->note_count * sizeof *notes);
    }
    run->notes = notes;
    run->note_count = import->note_count;
    run->record_count = import->used;
    return rg_run_rank(import->run, import->error);
}

/** Everything behind reading the bytes. */
static ridge_status build(struct rg_import *import, struct ridge_run **out)
{
    ridge_status status = rg_import_text_split(&import->text, import->error);
    if (status == RIDGE_OK) {
        status = rg_run_create(import->context, &import->run, import->error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    status = rg_run_reserve(import->run, import->text.record_count, import->error);
    if (status == RIDGE_OK) {
        status = readers[import->text.format](import);
    }
    if (status == RIDGE_OK) {
        status = finish(import);
    }
    if (status != RIDGE_OK) {
        ridge_run_destroy(&import->run->shown);
        return status;
    }
    *out = &import->run->shown;
    return RIDGE_OK;
}

static void fini(struct rg_import *import)
{
    rg_import_text_fini(&import->text);
    rg_free(import->context, import->samples_s, import->sample_capacity * sizeof *import->samples_s);
    rg_free(import->context, (void *)import->notes, import->note_capacity * sizeof *import->notes);
}

ridge_status ridge_record_read(const struct ridge_context *context, const char *path,
                               const struct ridge_record_hints *hints, struct ridge_run **out,
                               struct ridge_error *error)
{
    static const struct ridge_record_hints none = {NULL, NULL};
    struct rg_import import = {.context = context, .hints = hints ? hints : &none, .error = error};
    ridge_status status = rg_import_text_read(context, path, &import.text, error);
    if (status == RIDGE_OK) {
        status = build(&import, out);
    }
    fini(&import);
    return status;
}

ridge_status rg_record_parse(const struct ridge_context *context, const char *name, const char *bytes, size_t length,
                             const struct ridge_record_hints *hints, struct ridge_run **out, struct ridge_error *error)
{
    static const struct ridge_record_hints none = {NULL, NULL};
    struct rg_import import = {.context = context, .hints = hints ? hints : &none, .error = error};
    ridge_status status = rg_import_text_copy(context, name, bytes, length, &import.text, error);
    if (status == RIDGE_OK) {
        status = build(&import, out);
    }
    fini(&import);
    return status;
}
