/* SPDX-License-Identifier: MIT */
/* JSON as files of records hold it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/buffer.h"
#include "ridge/units.h"
#include "store/import.h"

/** Set the error of the parser, at a byte of the file. */
static ridge_status parse_error(struct rg_import *import, const json_error_t *json, size_t offset)
{
    offset -= offset > 0 ? 1 : 0; /* jansson tells the byte behind the one that it tripped over */
    const struct rg_place place = rg_import_place(&import->text, offset);
    return rg_error_at(import->error, RIDGE_E_SYNTAX, &place, "%s (byte %zu)", json->text, offset);
}

ridge_status rg_import_header(struct rg_import *import, json_t **out)
{
    const struct rg_import_text *text = &import->text;
    struct rg_buffer header;
    rg_buffer_init(&header, import->context);
    rg_buffer_append(&header, text->text, text->content_begin);
    size_t rest = text->length - text->content_end;
    if (rest == 0) {
        rg_buffer_puts(&header, text->format == RG_FORMAT_CACHE ? "}" : "]");
    }
    if (text->open) {
        const char *end = text->text + text->content_end;
        while (rest > 0 && strchr(", \t\r\n", end[rest - 1])) {
            rest--;
        }
    }
    rg_buffer_append(&header, text->text + text->content_end, rest);
    rg_buffer_puts(&header, text->open ? "}" : "");
    ridge_status status = header.failed ? rg_error_memory(import->error, header.capacity) : RIDGE_OK;
    if (status == RIDGE_OK) {
        json_error_t json;
        *out = json_loadb(rg_buffer_text(&header), header.length, 0, &json);
        const size_t at = json.position > 0 ? (size_t)json.position : 0;
        const size_t moved = at > text->content_begin ? text->content_end - text->content_begin : 0;
        status = *out ? RIDGE_OK : parse_error(import, &json, at + moved);
    }
    rg_buffer_fini(&header);
    return status;
}

ridge_status rg_import_record(struct rg_import *import, size_t index, json_t **out)
{
    const struct rg_span *span = &import->text.records[index];
    json_error_t json;
    *out = json_loadb(import->text.text + span->offset, span->length, 0, &json);
    return *out ? RIDGE_OK : parse_error(import, &json, span->offset + (json.position > 0 ? (size_t)json.position : 0));
}

ridge_status rg_import_version(struct rg_import *import, const json_t *header)
{
    const json_t *given = json_object_get(header, "schema_version");
    const struct rg_place place = {.file = import->text.path};
    const char *text = json_string_value(given);
    if (!given) {
        return RIDGE_OK;
    }
    const size_t digits = text ? strspn(text, "0123456789") : 0;
    if (digits == 0 || digits > 6 || text[digits] != '.' ||
        strspn(text + digits, ".0123456789") != strlen(text + digits)) {
        return rg_error_at(import->error, RIDGE_E_VALUE, &place, "schema_version '%.64s' is no version (such as 1.0.0)",
                           text ? text : "?");
    }
    if (text[0] != '1' || digits != 1) {
        return rg_error_at(import->error, RIDGE_E_VALUE, &place,
                           "schema_version %.64s is newer than supported (this Ridge reads 1)", text);
    }
    return RIDGE_OK;
}

bool rg_import_value(struct rg_import *import, const json_t *json, struct ridge_value *out)
{
    switch (json ? json_typeof(json) : JSON_NULL) {
    case JSON_INTEGER: *out = (struct ridge_value){RIDGE_INT, {.integer = json_integer_value(json)}}; return true;
    case JSON_REAL: *out = (struct ridge_value){RIDGE_FLOAT, {.number = json_real_value(json)}}; return true;
    case JSON_TRUE: *out = (struct ridge_value){RIDGE_BOOL, {.truth = true}}; return true;
    case JSON_FALSE: *out = (struct ridge_value){RIDGE_BOOL, {.truth = false}}; return true;
    case JSON_STRING:
        *out = (struct ridge_value){
            RIDGE_TEXT,
            {.text = rg_arena_copy(&import->run->arena, json_string_value(json), json_string_length(json))}};
        import->memory_out = import->memory_out || !out->as.text;
        return out->as.text != NULL;
    case JSON_NULL:
    case JSON_OBJECT:
    case JSON_ARRAY: break;
    }
    return false;
}

bool rg_import_values(struct rg_import *import, const json_t *from, struct ridge_value *values, size_t offset)
{
    const struct ridge_run *run = &import->run->shown;
    for (size_t i = 0; i < run->dimension_count; i++) {
        const json_t *value = json_object_get(from, run->dimension_names[i]);
        if (!value) {
            rg_import_tally(import, RG_TALLY_NAMES, offset);
            return false;
        }
        if (!rg_import_value(import, value, &values[i])) {
            rg_import_tally(import, RG_TALLY_VALUE, offset);
            return false;
        }
    }
    return true;
}

double rg_import_seconds(const struct rg_import *import, const json_t *json)
{
    return json_is_number(json) ? json_number_value(json) / import->units_each_s : (double)NAN;
}

ridge_status rg_import_sample(struct rg_import *import, const json_t *json, size_t offset)
{
    if (!json_is_number(json)) {
        rg_import_tally(import, RG_TALLY_TEXT, offset);
    }
    return rg_import_sample_s(import, rg_import_seconds(import, json));
}

struct unit_row {
    const char *name;
    double each_s;
    bool misspelt;
};

static const struct unit_row unit_rows[] = {
    {"ms", 1e3, false},        {"milliseconds", 1e3, false}, {"millisecond", 1e3, false}, {"miliseconds", 1e3, true},
    {"milisecond", 1e3, true}, {"millisec", 1e3, true},      {"milisec", 1e3, true},      {"msec", 1e3, false},
    {"s", 1, false},           {"seconds", 1, false},        {"second", 1, false},        {"sec", 1, false},
    {"us", 1e6, false},        {"microseconds", 1e6, false}, {"microsecond", 1e6, false}, {"usec", 1e6, false},
    {"\xC2\xB5s", 1e6, false}, {"ns", 1e9, false},           {"nanoseconds", 1e9, false}, {"nanosecond", 1e9, false},
    {"nsec", 1e9, false},
};

ridge_status rg_import_unit(struct rg_import *import, const char *name)
{
    for (size_t i = 0; name && i < sizeof unit_rows / sizeof unit_rows[0]; i++) {
        const struct unit_row *row = &unit_rows[i];
        if (!rg_same_letters(row->name, name)) {
            continue;
        }
        import->units_each_s = row->each_s;
        if (row->misspelt) {
            rg_import_note(import, "the unit of time is misspelt: %s is read as milliseconds", name);
        }
        return RIDGE_OK;
    }
    if (!name) {
        import->units_each_s = 1e3;
        rg_import_note(import, "the unit of time is not given: milliseconds are assumed");
        return RIDGE_OK;
    }
    const struct rg_place place = {.file = import->text.path};
    return rg_error_at(import->error, RIDGE_E_VALUE, &place,
                       "the unit of time '%.64s' is not known (known are seconds, milliseconds, microseconds and "
                       "nanoseconds)",
                       name);
}

struct word_row {
    const char *word;
    ridge_outcome outcome;
};

static const struct word_row word_rows[] = {{"CompilationFailedConfig", RIDGE_OUTCOME_COMPILE},
                                            {"RuntimeFailedConfig", RIDGE_OUTCOME_LAUNCH},
                                            {"InvalidConfig", RIDGE_OUTCOME_UNLAUNCHABLE},
                                            {"ErrorConfig", RIDGE_OUTCOME_LAUNCH}};

bool rg_import_error_word(const char *word, ridge_outcome *out)
{
    for (size_t i = 0; i < sizeof word_rows / sizeof word_rows[0]; i++) {
        if (strcmp(word_rows[i].word, word) == 0) {
            *out = word_rows[i].outcome;
            return true;
        }
    }
    return false;
}

ridge_status rg_import_extra(struct rg_import *import, struct ridge_record *record, const char *name,
                             const json_t *value)
{
    struct fact_row {
        const char *name;
        int64_t *target;
    };
    const struct fact_row facts[] = {{"ridge_registers", &record->registers},
                                     {"ridge_shared_bytes", &record->shared_bytes},
                                     {"ridge_spill_bytes", &record->spill_bytes}};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (strcmp(facts[i].name, name) == 0 && json_is_integer(value) && json_integer_value(value) >= 0) {
            *facts[i].target = json_integer_value(value);
        }
    }
    if (strcmp(name, "ridge_rejected") == 0 && json_is_integer(value) && json_integer_value(value) >= 0) {
        import->rejected = (uint64_t)json_integer_value(value);
    }
    const char *text = json_string_value(value);
    if (text && strcmp(name, "ridge_text") == 0) {
        return rg_import_fail(import, record, record->outcome, text);
    }
    const int outcome = text && strcmp(name, "ridge_outcome") == 0 ? rg_outcome_find(text) : -1;
    record->outcome = outcome >= 0 ? (ridge_outcome)outcome : record->outcome;
    return RIDGE_OK;
}
