/* SPDX-License-Identifier: MIT */
/** \file [dims]: names, values and what is refused about them. Ranges are read in spec_range.c. */
#include <stdlib.h>
#include <string.h>

#include "ridge/units.h"
#include "space/spec_read.h"

struct entry {
    const struct rg_toml *values;
    const char *role;
};

static const struct rg_key entry_keys[] = {
    {"values", RG_IS_LIST | RG_IS_TABLE, true, "[1, 2, 4]", rg_spec_read_node, offsetof(struct entry, values)},
    {"role", RG_IS_TEXT, false, "\"spec\"", rg_spec_read_text, offsetof(struct entry, role)},
};

bool rg_has_control_character(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7F) {
            return true;
        }
    }
    return false;
}

static const char *type_word(ridge_type type)
{
    static const rg_toml_type types[] = {[RIDGE_INT] = RG_TOML_INT,
                                         [RIDGE_FLOAT] = RG_TOML_FLOAT,
                                         [RIDGE_BOOL] = RG_TOML_BOOL,
                                         [RIDGE_TEXT] = RG_TOML_TEXT};
    return rg_toml_type_name(types[type]);
}

/** Read one value of a list and compare its type with the first one's. */
static ridge_status read_value(struct rg_spec_reader *reader, const struct rg_toml *node, const char *name,
                               ridge_type type, bool first, struct ridge_value *out)
{
    const ridge_status status = rg_spec_value(reader, node, out);
    if (status != RIDGE_OK) {
        return status;
    }
    if (out->type == RIDGE_TEXT && rg_has_control_character(out->as.text)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place,
                           "a value of `%s` holds a control character (such as a line end; leave it out)", name);
    }
    if (first || out->type == type) {
        return RIDGE_OK;
    }
    const bool numbers = out->type <= RIDGE_FLOAT && type <= RIDGE_FLOAT;
    return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "`%s` mixes %s with %s (%s)", name, type_word(type),
                       type_word(out->type),
                       numbers ? "one type only: write 1.0 for a float" : "all values of a dimension have one type");
}

struct numbered {
    const struct ridge_value *value;
    size_t index;
};

static int compare_values(const struct ridge_value *a, const struct ridge_value *b)
{
    switch (a->type) {
    case RIDGE_INT: return (a->as.integer > b->as.integer) - (a->as.integer < b->as.integer);
    case RIDGE_FLOAT: return (a->as.number > b->as.number) - (a->as.number < b->as.number);
    case RIDGE_BOOL: return a->as.truth - b->as.truth;
    case RIDGE_TEXT: return strcmp(a->as.text, b->as.text);
    }
    return 0;
}

static int compare_numbered(const void *left, const void *right)
{
    const struct numbered *a = left;
    const struct numbered *b = right;
    const int order = compare_values(a->value, b->value);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

ridge_status rg_spec_find_repeated(struct rg_spec_reader *reader, const struct rg_dimension *dimension,
                                   size_t *repeated)
{
    struct numbered *sorted = rg_arena_array(reader->arena, dimension->count, sizeof *sorted);
    if (!sorted) {
        return rg_error_memory(reader->error, dimension->count * sizeof *sorted);
    }
    for (size_t i = 0; i < dimension->count; i++) {
        sorted[i] = (struct numbered){&dimension->values[i], i};
    }
    qsort(sorted, dimension->count, sizeof *sorted, compare_numbered);
    *repeated = SIZE_MAX;
    for (size_t i = 1; i < dimension->count; i++) {
        if (compare_values(sorted[i - 1].value, sorted[i].value) == 0 && sorted[i].index < *repeated) {
            *repeated = sorted[i].index;
        }
    }
    return RIDGE_OK;
}

/** Refuse a value that stands twice, at the place of the first repetition in the file. */
static ridge_status check_duplicates(struct rg_spec_reader *reader, const struct rg_toml *list,
                                     const struct rg_dimension *dimension)
{
    size_t repeated = SIZE_MAX;
    const ridge_status status = rg_spec_find_repeated(reader, dimension, &repeated);
    if (status != RIDGE_OK || repeated == SIZE_MAX) {
        return status;
    }
    char text[128];
    ridge_value_format(&dimension->values[repeated], text, sizeof text);
    return rg_error_at(reader->error, RIDGE_E_VALUE, &list->children[repeated].place,
                       "`%s` has the value %s twice (each value may stand once)", dimension->name, text);
}

ridge_status rg_spec_read_list(struct rg_spec_reader *reader, const struct rg_toml *list,
                               struct rg_dimension *dimension)
{
    if (list->count == 0) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &list->place, "`%s` has no values (write values = [1, 2, 4])",
                           dimension->name);
    }
    dimension->count = list->count;
    dimension->values = rg_arena_array(reader->arena, list->count, sizeof *dimension->values);
    if (!dimension->values) {
        return rg_error_memory(reader->error, list->count * sizeof *dimension->values);
    }
    for (size_t i = 0; i < list->count; i++) {
        const ridge_status status =
            read_value(reader, &list->children[i], dimension->name, dimension->type, i == 0, &dimension->values[i]);
        if (status != RIDGE_OK) {
            return status;
        }
        dimension->type = dimension->values[0].type;
    }
    return check_duplicates(reader, list, dimension);
}

static bool is_launch_name(const char *name)
{
    return strcmp(name, "block_x") == 0 || strcmp(name, "block_y") == 0 || strcmp(name, "block_z") == 0;
}

static ridge_status check_role(struct rg_spec_reader *reader, const struct rg_toml *member, const char *role)
{
    if (!role || strcmp(role, "spec") == 0 || strcmp(role, "launch") == 0) {
        return RIDGE_OK;
    }
    return rg_error_at(reader->error, RIDGE_E_VALUE, &rg_toml_get(member, "role")->place,
                       "there is no role \"%s\" (\"spec\" or \"launch\")", role);
}

static ridge_status read_dimension(struct rg_spec_reader *reader, const struct rg_toml *member,
                                   struct rg_dimension *dimension)
{
    ridge_status status = rg_spec_check_name(reader, "dimension", member);
    if (status != RIDGE_OK) {
        return status;
    }
    dimension->name = member->key;
    dimension->place = member->key_place;
    dimension->launch = is_launch_name(member->key);
    const char *table = rg_arena_printf(reader->arena, "[dims.%s]", member->key);
    if (!table) {
        return rg_error_memory(reader->error, strlen(member->key) + 8);
    }
    if (member->type != RG_TOML_TABLE) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &member->place, "%s is %s (write %s and values = [1, 2, 4])",
                           table, rg_toml_type_name(member->type), table);
    }
    const struct rg_key_list keys = RG_KEY_LIST(table, entry_keys);
    struct entry entry = {0};
    status = rg_spec_read_table(reader, &keys, member, &entry);
    if (status == RIDGE_OK) {
        status = check_role(reader, member, entry.role);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    return entry.values->type == RG_TOML_ARRAY ? rg_spec_read_list(reader, entry.values, dimension)
                                               : rg_spec_read_range(reader, entry.values, dimension);
}

static int compare_names(const void *left, const void *right)
{
    const struct rg_dimension *a = left;
    const struct rg_dimension *b = right;
    return strcmp(a->name, b->name);
}

void rg_spec_sort_dimensions(struct ridge_spec *spec)
{
    qsort(spec->dimensions, spec->dimension_count, sizeof *spec->dimensions, compare_names);
}

ridge_status rg_spec_read_dimensions(struct rg_spec_reader *reader, const struct rg_toml *dims)
{
    struct ridge_spec *spec = reader->spec;
    if (dims->count == 0) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &dims->place,
                           "there is no dimension (write [dims.tile] and values = [1, 2, 4])");
    }
    if (dims->count > RG_MAX_DIMENSIONS) {
        return rg_error_at(reader->error, RIDGE_E_LIMIT, &dims->place, "%zu dimensions are too many (at most %d)",
                           dims->count, RG_MAX_DIMENSIONS);
    }
    spec->dimensions = rg_arena_array(reader->arena, dims->count, sizeof *spec->dimensions);
    if (!spec->dimensions) {
        return rg_error_memory(reader->error, dims->count * sizeof *spec->dimensions);
    }
    for (size_t i = 0; i < dims->count; i++) {
        const ridge_status status = read_dimension(reader, &dims->children[i], &spec->dimensions[i]);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    spec->dimension_count = dims->count;
    rg_spec_sort_dimensions(spec);
    return RIDGE_OK;
}
