/* SPDX-License-Identifier: MIT */
#include "text/toml_fields.h"

#include <math.h>
#include <string.h>

#include "ridge/units.h"

enum {
    MOST_NAMES = 32
};

static ridge_status wrong_type(const struct rg_fields_reader *reader, const struct rg_field *field,
                               const struct rg_toml *node, const char *right)
{
    return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "%s is %s (it is %s)", field->key,
                       rg_toml_type_name(node->type), right);
}

static ridge_status no_memory(const struct rg_fields_reader *reader)
{
    return rg_error_memory(reader->error, 1);
}

static ridge_status read_text(const struct rg_fields_reader *reader, const struct rg_field *field,
                              const struct rg_toml *node, const char **out)
{
    if (node->type != RG_TOML_TEXT || node->text[0] == '\0') {
        return wrong_type(reader, field, node, "a text that is not empty");
    }
    *out = node->text;
    return RIDGE_OK;
}

static ridge_status read_number(const struct rg_fields_reader *reader, const struct rg_field *field,
                                const struct rg_toml *node, double *out)
{
    const bool whole = field->type == RG_FIELD_COUNT;
    if (node->type != RG_TOML_INT && (whole || node->type != RG_TOML_FLOAT)) {
        return wrong_type(reader, field, node, whole ? "a whole number" : "a number");
    }
    const double number = node->type == RG_TOML_INT ? (double)node->integer : node->number;
    if (!isfinite(number) || number < field->least || number > field->most) {
        char least[RIDGE_NUMBER_BYTES];
        char most[RIDGE_NUMBER_BYTES];
        ridge_number_format(field->least, least);
        ridge_number_format(field->most, most);
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "%s is out of range (%s to %s)", field->key,
                           least, most);
    }
    *out = number;
    return RIDGE_OK;
}

static ridge_status read_texts(const struct rg_fields_reader *reader, const struct rg_field *field,
                               const struct rg_toml *node, struct rg_texts *out)
{
    const bool is_list = node->type == RG_TOML_ARRAY;
    const struct rg_toml *nodes = is_list ? node->children : node;
    const size_t count = is_list ? node->count : 1;
    const char **items = rg_arena_array(reader->arena, count + 1, sizeof *items);
    if (!items) {
        return no_memory(reader);
    }
    for (size_t i = 0; i < count; i++) {
        const ridge_status status = read_text(reader, field, &nodes[i], &items[i]);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    *out = (struct rg_texts){count, items};
    return RIDGE_OK;
}

static ridge_status read_numbers(const struct rg_fields_reader *reader, const struct rg_field *field,
                                 const struct rg_toml *node, struct rg_numbers *out)
{
    if (node->type != RG_TOML_ARRAY) {
        return wrong_type(reader, field, node, "an array of numbers");
    }
    double *items = rg_arena_array(reader->arena, node->count + 1, sizeof *items);
    if (!items) {
        return no_memory(reader);
    }
    for (size_t i = 0; i < node->count; i++) {
        const ridge_status status = read_number(reader, field, &node->children[i], &items[i]);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    *out = (struct rg_numbers){node->count, items};
    return RIDGE_OK;
}

static ridge_status read_source(const struct rg_fields_reader *reader, const struct rg_field *field,
                                const struct rg_toml *node, const char **out)
{
    struct rg_texts ids = {0};
    const ridge_status status = read_texts(reader, field, node, &ids);
    if (status != RIDGE_OK) {
        return status;
    }
    const char *joined = NULL;
    for (size_t i = 0; i < ids.count; i++) {
        const struct rg_toml *source = rg_toml_get(reader->sources, ids.items[i]);
        if (!source || source->type != RG_TOML_TEXT) {
            return rg_error_at(reader->error, RIDGE_E_NAME, &node->place,
                               "there is no source '%s' (give it a line in [sources])", ids.items[i]);
        }
        joined = joined ? rg_arena_printf(reader->arena, "%s; %s", joined, source->text) : source->text;
        if (!joined) {
            return no_memory(reader);
        }
    }
    if (!joined) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place,
                           "%s is an empty list (name at least one of [sources])", field->key);
    }
    *out = joined;
    return RIDGE_OK;
}

static ridge_status read_field(const struct rg_fields_reader *reader, const struct rg_field *field,
                               const struct rg_toml *node, void *target)
{
    void *out = (char *)target + field->offset;
    switch (field->type) {
    case RG_FIELD_TEXT: return read_text(reader, field, node, out);
    case RG_FIELD_NUMBER: return read_number(reader, field, node, out);
    case RG_FIELD_COUNT: {
        double number = 0;
        const ridge_status status = read_number(reader, field, node, &number);
        *(uint64_t *)out = status == RIDGE_OK ? (uint64_t)number : *(uint64_t *)out;
        return status;
    }
    case RG_FIELD_TEXTS: return read_texts(reader, field, node, out);
    case RG_FIELD_NUMBERS: return read_numbers(reader, field, node, out);
    case RG_FIELD_SOURCE: return read_source(reader, field, node, out);
    case RG_FIELD_NODE: *(const struct rg_toml **)out = node; break;
    }
    return RIDGE_OK;
}

static const struct rg_field *find(const struct rg_fields *fields, const char *key)
{
    for (size_t i = 0; i < fields->count; i++) {
        if (strcmp(fields->items[i].key, key) == 0) {
            return &fields->items[i];
        }
    }
    return NULL;
}

static ridge_status unknown_key(const struct rg_fields_reader *reader, const struct rg_fields *fields,
                                const struct rg_toml *node)
{
    const char *names[MOST_NAMES];
    const size_t count = fields->count < MOST_NAMES ? fields->count : MOST_NAMES;
    for (size_t i = 0; i < count; i++) {
        names[i] = fields->items[i].key;
    }
    const char *near = ridge_near_name(node->key, names, count);
    return rg_error_at(reader->error, RIDGE_E_NAME, &node->key_place, "there is no key '%s' in %s (%s%s)", node->key,
                       fields->table, near ? "did you mean " : "its first one is ", near ? near : names[0]);
}

ridge_status rg_fields_read(const struct rg_fields_reader *reader, const struct rg_fields *fields,
                            const struct rg_toml *table, void *target)
{
    if (table->type != RG_TOML_TABLE) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &table->place, "%s is %s (it is a table)", fields->table,
                           rg_toml_type_name(table->type));
    }
    for (size_t i = 0; i < table->count; i++) {
        const struct rg_field *field = find(fields, table->children[i].key);
        const ridge_status status = field ? read_field(reader, field, &table->children[i], target)
                                          : unknown_key(reader, fields, &table->children[i]);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    for (size_t i = 0; i < fields->count; i++) {
        if (fields->items[i].required && !rg_toml_get(table, fields->items[i].key)) {
            return rg_error_at(reader->error, RIDGE_E_VALUE, &table->place, "%s lacks its %s (give it one)",
                               fields->table, fields->items[i].key);
        }
    }
    return RIDGE_OK;
}
