/* SPDX-License-Identifier: MIT */
/** \file Reading a file of devices: every value must have a source, and nothing unknown or absurd passes. */
#include <math.h>
#include <string.h>

#include "device/device_db.h"
#include "ridge/units.h"

enum {
    FORMAT = 1
};

/** What is being read. */
struct reader {
    struct ridge_device_db *db;
    struct ridge_error *error;
    const struct rg_toml *sources;          /**< [sources] */
    const struct rg_toml *field_sources;    /**< [field_sources]; NULL: none */
    const char *of_field[RIDGE_FACT_COUNT]; /**< texts of field_sources, made when first needed */
    const struct rg_toml *record_sources;   /**< `sources` of the record; NULL: none */
    const char *of_record;                  /**< its text, made when first needed */
};

static ridge_status no_memory(struct reader *reader)
{
    return rg_error_memory(reader->error, 0);
}

static ridge_status wrong_type(struct reader *reader, const struct rg_toml *node, const char *right)
{
    return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "'%s' is %s (it is %s)", node->key ? node->key : "",
                       rg_toml_type_name(node->type), right);
}

static int fact_of_key(const char *key)
{
    for (int i = 0; i < RIDGE_FACT_COUNT; i++) {
        if (strcmp(ridge_fact_key((ridge_fact)i), key) == 0) {
            return i;
        }
    }
    return -1;
}

/** Say that a key is unknown, with the nearest of the keys that there are. */
static ridge_status unknown_key(struct reader *reader, const struct rg_toml *node, const char *const *known,
                                size_t count, bool facts_too)
{
    const char *names[RIDGE_FACT_COUNT + 16];
    size_t used = 0;
    for (size_t i = 0; i < count && used < 16; i++) {
        names[used++] = known[i];
    }
    for (int i = 0; facts_too && i < RIDGE_FACT_COUNT; i++) {
        names[used++] = ridge_fact_key((ridge_fact)i);
    }
    const char *near = ridge_near_name(node->key, names, used);
    return rg_error_at(reader->error, RIDGE_E_NAME, &node->key_place, "there is no key '%s' here (%s%s)", node->key,
                       near ? "did you mean " : "see docs/device-format.md", near ? near : "");
}

/** Join the texts of source ids: one text or an array of them. */
static ridge_status join_sources(struct reader *reader, const struct rg_toml *ids, const char **out)
{
    const struct rg_toml *list = ids->type == RG_TOML_ARRAY ? ids->children : ids;
    const size_t count = ids->type == RG_TOML_ARRAY ? ids->count : 1;
    const char *joined = NULL;
    for (size_t i = 0; i < count; i++) {
        if (list[i].type != RG_TOML_TEXT) {
            return rg_error_at(reader->error, RIDGE_E_VALUE, &list[i].place,
                               "a source is %s (it is the text of an id in [sources])",
                               rg_toml_type_name(list[i].type));
        }
        const struct rg_toml *source = rg_toml_get(reader->sources, list[i].text);
        if (!source || source->type != RG_TOML_TEXT) {
            return rg_error_at(reader->error, RIDGE_E_NAME, &list[i].place,
                               "there is no source '%s' (give it a line in [sources])", list[i].text);
        }
        joined = joined ? rg_arena_printf(&reader->db->arena, "%s; %s", joined, source->text) : source->text;
        if (!joined) {
            return no_memory(reader);
        }
    }
    if (!joined) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &ids->place, "an empty list of sources (name at least one)");
    }
    *out = joined;
    return RIDGE_OK;
}

/** Find the source of a value: its own, the record's, or the field's. */
static ridge_status source_of(struct reader *reader, ridge_fact fact, const struct rg_toml *node,
                              const struct rg_toml *own, const char **out)
{
    if (own) {
        return join_sources(reader, own, out);
    }
    const struct rg_toml *field = rg_toml_get(reader->field_sources, ridge_fact_key(fact));
    const char **kept = reader->record_sources ? &reader->of_record : &reader->of_field[fact];
    const struct rg_toml *ids = reader->record_sources ? reader->record_sources : field;
    if (!ids) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place,
                           "%s has no source (give the record `sources`, the value { value = ..., sources = [...] }, "
                           "or the field a line in [field_sources])",
                           ridge_fact_key(fact));
    }
    if (!*kept) {
        const ridge_status status = join_sources(reader, ids, kept);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    *out = *kept;
    return RIDGE_OK;
}

static double fact_maximum(ridge_fact fact)
{
    static const double maxima[] = {
#define RIDGE_FACT_MAXIMUM(name, key, maximum, meaning) maximum,
        RIDGE_FACT_LIST(RIDGE_FACT_MAXIMUM)
#undef RIDGE_FACT_MAXIMUM
    };
    return maxima[fact];
}

/** Read one number of a fact. */
static ridge_status read_number(struct reader *reader, ridge_fact fact, const struct rg_toml *node, double *out)
{
    if (node->type != RG_TOML_INT && node->type != RG_TOML_FLOAT) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "%s is %s (it is a number)",
                           ridge_fact_key(fact), rg_toml_type_name(node->type));
    }
    const double number = node->type == RG_TOML_INT ? (double)node->integer : node->number;
    if (!isfinite(number) || number < 0 || number > fact_maximum(fact)) {
        char most[RIDGE_NUMBER_BYTES];
        ridge_number_format(fact_maximum(fact), most);
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "%s is out of range (0 to %s: %s)",
                           ridge_fact_key(fact), most, ridge_fact_meaning(fact));
    }
    *out = number;
    return RIDGE_OK;
}

/** Read a list of numbers, ascending. */
static ridge_status read_list(struct reader *reader, ridge_fact fact, const struct rg_toml *node,
                              struct ridge_fact_value *out)
{
    double *list = rg_arena_array(&reader->db->arena, node->count, sizeof *list);
    if (!list) {
        return no_memory(reader);
    }
    for (size_t i = 0; i < node->count; i++) {
        const ridge_status status = read_number(reader, fact, &node->children[i], &list[i]);
        if (status != RIDGE_OK) {
            return status;
        }
        if (i > 0 && list[i] <= list[i - 1]) {
            return rg_error_at(reader->error, RIDGE_E_VALUE, &node->children[i].place,
                               "the values of %s do not ascend (each is above the one before)", ridge_fact_key(fact));
        }
    }
    if (node->count == 0 || node->count > 16) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "%s has %zu values (1 to 16)",
                           ridge_fact_key(fact), node->count);
    }
    out->list = list;
    out->list_count = node->count;
    out->number = list[node->count - 1];
    return RIDGE_OK;
}

/** Read a value: a number, a list, or { value, sources, note }. */
static ridge_status read_fact(struct reader *reader, ridge_fact fact, const struct rg_toml *node,
                              struct ridge_device *device)
{
    static const char *const keys[] = {"value", "sources", "note"};
    struct ridge_fact_value *out = &device->facts[fact];
    const struct rg_toml *value = node;
    const struct rg_toml *own = NULL;
    if (node->type == RG_TOML_TABLE) {
        for (size_t i = 0; i < node->count; i++) {
            const char *key = node->children[i].key;
            if (strcmp(key, "value") != 0 && strcmp(key, "sources") != 0 && strcmp(key, "note") != 0) {
                return unknown_key(reader, &node->children[i], keys, 3, false);
            }
        }
        value = rg_toml_get(node, "value");
        own = rg_toml_get(node, "sources");
        const struct rg_toml *note = rg_toml_get(node, "note");
        if (note && note->type != RG_TOML_TEXT) {
            return wrong_type(reader, note, "a text");
        }
        out->note = note ? note->text : NULL;
        if (!value) {
            return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "%s has no value (value = ...)",
                               ridge_fact_key(fact));
        }
    }
    ridge_status status = value->type == RG_TOML_ARRAY ? read_list(reader, fact, value, out)
                                                       : read_number(reader, fact, value, &out->number);
    status = status == RIDGE_OK ? source_of(reader, fact, value, own, &out->source) : status;
    out->of = device->name;
    out->known = status == RIDGE_OK;
    return status;
}

/** Read the aliases: an array of texts. */
static ridge_status read_alias(struct reader *reader, const struct rg_toml *node, struct ridge_device *device)
{
    if (node->type != RG_TOML_ARRAY) {
        return wrong_type(reader, node, "an array of texts");
    }
    const char **alias = rg_arena_array(&reader->db->arena, node->count, sizeof *alias);
    if (!alias) {
        return no_memory(reader);
    }
    for (size_t i = 0; i < node->count; i++) {
        if (node->children[i].type != RG_TOML_TEXT) {
            return wrong_type(reader, &node->children[i], "a text");
        }
        alias[i] = node->children[i].text;
    }
    device->alias = alias;
    device->alias_count = node->count;
    return RIDGE_OK;
}

/** Read one member of a record. */
static ridge_status read_member(struct reader *reader, const struct rg_toml *node, struct rg_device_record *record)
{
    static const char *const keys[] = {"name", "vendor", "title", "family", "note", "architecture", "alias", "sources"};
    struct ridge_device *device = &record->device;
    const char **const texts[] = {&device->name,   &device->vendor, &device->title,
                                  &device->family, &device->note,   &record->architecture_name};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(node->key, keys[i]) != 0) {
            continue;
        }
        if (node->type != RG_TOML_TEXT || node->text[0] == '\0') {
            return wrong_type(reader, node, "a text that is not empty");
        }
        *texts[i] = node->text;
        record->architecture_place = i == 5 ? node->place : record->architecture_place;
        return RIDGE_OK;
    }
    if (strcmp(node->key, "alias") == 0) {
        return read_alias(reader, node, device);
    }
    if (strcmp(node->key, "sources") == 0) {
        return RIDGE_OK; /* read_record has it already */
    }
    const int fact = fact_of_key(node->key);
    return fact < 0 ? unknown_key(reader, node, keys, sizeof keys / sizeof keys[0], true)
                    : read_fact(reader, (ridge_fact)fact, node, device);
}

/** Put a record into the database; one of an earlier file with its name gives way. */
static ridge_status put_record(struct reader *reader, struct rg_device_record *record)
{
    struct ridge_device_db *db = reader->db;
    for (size_t i = 0; i < db->count; i++) {
        if (strcmp(db->slots[i].record->device.name, record->device.name) != 0) {
            continue;
        }
        if (db->slots[i].record->file == record->file) {
            return rg_error_at(reader->error, RIDGE_E_VALUE, &record->place,
                               "the name '%s' stands twice (first in line %u)", record->device.name,
                               db->slots[i].record->place.line);
        }
        db->slots[i].record = record;
        return RIDGE_OK;
    }
    if (!rg_reserve(db->context, &db->slots, &db->capacity, db->count + 1, sizeof *db->slots)) {
        return no_memory(reader);
    }
    db->slots[db->count++].record = record;
    return RIDGE_OK;
}

static ridge_status read_record(struct reader *reader, const struct rg_toml *table, bool is_architecture)
{
    if (table->type != RG_TOML_TABLE) {
        return wrong_type(reader, table, "a table");
    }
    struct rg_device_record *record = rg_arena_alloc(&reader->db->arena, sizeof *record);
    if (!record) {
        return no_memory(reader);
    }
    const struct rg_toml *name = rg_toml_get(table, "name");
    if (!name || name->type != RG_TOML_TEXT || !rg_toml_get(table, "vendor")) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, name ? &name->place : &table->place,
                           "a record lacks its name or vendor (name = \"...\", vendor = \"...\")");
    }
    struct rg_folded folded;
    if (!rg_device_fold(name->text, &folded) || folded.count == 0) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &name->place,
                           "the name is empty or too long (at most %d words and %d bytes)", RG_FOLDED_WORDS,
                           RG_FOLDED_BYTES - 1);
    }
    record->place = name->place;
    record->device.name = name->text;
    record->device.title = "";
    record->device.is_architecture = is_architecture;
    record->file = reader->db->files;
    reader->record_sources = rg_toml_get(table, "sources");
    reader->of_record = NULL;
    for (size_t i = 0; i < table->count; i++) {
        const ridge_status status = read_member(reader, &table->children[i], record);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    return put_record(reader, record);
}

static ridge_status read_records(struct reader *reader, const struct rg_toml *array, bool is_architecture)
{
    if (array && array->type != RG_TOML_ARRAY) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &array->key_place, "'%s' is %s (write [[%s]])", array->key,
                           rg_toml_type_name(array->type), array->key);
    }
    for (size_t i = 0; array && i < array->count; i++) {
        const ridge_status status = read_record(reader, &array->children[i], is_architecture);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    return RIDGE_OK;
}

/** Check the top of the file: its keys and its format number. */
static ridge_status read_top(struct reader *reader, const struct rg_toml *root, const char *name)
{
    static const char *const keys[] = {"format", "sources", "field_sources", "architecture", "device"};
    for (size_t i = 0; i < root->count; i++) {
        size_t k = 0;
        while (k < sizeof keys / sizeof keys[0] && strcmp(root->children[i].key, keys[k]) != 0) {
            k++;
        }
        if (k == sizeof keys / sizeof keys[0]) {
            return unknown_key(reader, &root->children[i], keys, k, false);
        }
    }
    const struct rg_toml *format = rg_toml_get(root, "format");
    if (!format || format->type != RG_TOML_INT || format->integer != FORMAT) {
        const struct rg_place top = {name, root->place.text, 1, 1, 0};
        return rg_error_at(reader->error, RIDGE_E_VALUE, format ? &format->place : &top,
                           "this is not a device file of format %d (its first line is format = %d)", FORMAT, FORMAT);
    }
    reader->sources = rg_toml_get(root, "sources");
    reader->field_sources = rg_toml_get(root, "field_sources");
    if (reader->sources && reader->sources->type != RG_TOML_TABLE) {
        return wrong_type(reader, reader->sources, "a table");
    }
    if (reader->field_sources && reader->field_sources->type != RG_TOML_TABLE) {
        return wrong_type(reader, reader->field_sources, "a table");
    }
    for (size_t i = 0; reader->field_sources && i < reader->field_sources->count; i++) {
        if (fact_of_key(reader->field_sources->children[i].key) < 0) {
            return unknown_key(reader, &reader->field_sources->children[i], NULL, 0, true);
        }
    }
    return RIDGE_OK;
}

ridge_status rg_device_read(struct ridge_device_db *db, const char *name, const char *text, size_t length,
                            struct ridge_error *error)
{
    const struct rg_toml *root = NULL;
    ridge_status status = rg_toml_read(&db->arena, name, text, length, &root, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct reader reader = {.db = db, .error = error};
    status = read_top(&reader, root, name);
    status = status == RIDGE_OK ? read_records(&reader, rg_toml_get(root, "architecture"), true) : status;
    status = status == RIDGE_OK ? read_records(&reader, rg_toml_get(root, "device"), false) : status;
    db->files++;
    return status;
}
