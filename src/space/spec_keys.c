/* SPDX-License-Identifier: MIT */
/** \file Tables of a kernel.toml against their lists of keys, and the readers of single values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ridge/units.h"
#include "space/spec_read.h"

static const struct rg_key *key_find(const struct rg_key_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->keys[i].name, name) == 0) {
            return &list->keys[i];
        }
    }
    return NULL;
}

static ridge_status unknown_key(struct rg_spec_reader *reader, const struct rg_key_list *list,
                                const struct rg_toml *member)
{
    const char *names[32];
    size_t count = 0;
    char known[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < list->count && count < 32 && used < sizeof known - 64; i++) {
        names[count++] = list->keys[i].name;
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", list->keys[i].name);
    }
    const char *near = ridge_near_name(member->key, names, count);
    if (near) {
        return rg_error_at(reader->error, RIDGE_E_NAME, &member->key_place, "%s has no key `%s` (did you mean `%s`?)",
                           list->table, member->key, near);
    }
    return rg_error_at(reader->error, RIDGE_E_NAME, &member->key_place, "%s has no key `%s` (it takes %s)", list->table,
                       member->key, known);
}

static ridge_status read_key(struct rg_spec_reader *reader, const struct rg_key_list *list, const struct rg_key *key,
                             const struct rg_toml *table, void *target)
{
    const char *open = list->json ? "\"" : "";
    const char *close = list->json ? "\": " : " = ";
    const struct rg_toml *value = rg_toml_get(table, key->name);
    if (!value && key->required && key->right[0] == '[' && key->types == RG_IS_TABLE) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &table->place, "%s has no [%s] (write %s)", list->table,
                           key->name, key->right);
    }
    if (!value && key->required) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &table->place, "%s has no `%s` (write %s%s%s%s)", list->table,
                           key->name, open, key->name, close, key->right);
    }
    if (!value) {
        return RIDGE_OK;
    }
    if (!(key->types & (1U << value->type))) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place, "`%s` of %s is %s (write %s%s%s%s)", key->name,
                           list->table, rg_toml_type_name(value->type), open, key->name, close, key->right);
    }
    void *into = target ? (char *)target + key->offset : NULL;
    return key->read ? key->read(reader, value, into) : RIDGE_OK;
}

ridge_status rg_spec_read_table(struct rg_spec_reader *reader, const struct rg_key_list *list,
                                const struct rg_toml *table, void *target)
{
    if (!table) {
        return RIDGE_OK;
    }
    for (size_t i = 0; i < table->count; i++) {
        if (!key_find(list, table->children[i].key)) {
            return unknown_key(reader, list, &table->children[i]);
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        const ridge_status status = read_key(reader, list, &list->keys[i], table, target);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    return RIDGE_OK;
}

ridge_status rg_spec_read_text(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    if (value->text[0] == '\0') {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place, "the text is empty (it must say something)");
    }
    *(const char **)target = value->text;
    return RIDGE_OK;
}

ridge_status rg_spec_read_path(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    const char *written = value->text;
    const ridge_status status = rg_spec_read_text(reader, value, target);
    if (status != RIDGE_OK) {
        return status;
    }
    const char *folder = reader->spec->folder;
    const bool as_written = written[0] == '/' || strcmp(folder, ".") == 0;
    const char *path = as_written ? written : rg_arena_printf(reader->arena, "%s/%s", folder, written);
    if (!path) {
        return rg_error_memory(reader->error, strlen(folder) + strlen(written) + 2);
    }
    *(const char **)target = path;
    return RIDGE_OK;
}

ridge_status rg_spec_read_bool(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    (void)reader;
    *(bool *)target = value->truth;
    return RIDGE_OK;
}

ridge_status rg_spec_read_node(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    (void)reader;
    *(const struct rg_toml **)target = value;
    return RIDGE_OK;
}

ridge_status rg_spec_read_seed(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    if (value->integer < 0) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place, "a seed is not negative (write 0 or more)");
    }
    *(uint64_t *)target = (uint64_t)value->integer;
    return RIDGE_OK;
}

ridge_status rg_spec_read_tolerance(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    const double tolerance = rg_toml_double(value);
    if (!isfinite(tolerance) || tolerance < 0) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place,
                           "`%s` is negative or not finite (write 0 or more)", value->key);
    }
    *(double *)target = tolerance;
    return RIDGE_OK;
}

ridge_status rg_spec_read_expr(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    return rg_spec_compile(reader, value, target);
}

double rg_toml_double(const struct rg_toml *node)
{
    return node->type == RG_TOML_INT ? (double)node->integer : node->number;
}

/** \return a number or boolean as an expression writes it, or NULL when memory is out. */
static const char *literal_text(struct rg_spec_reader *reader, const struct rg_toml *value)
{
    struct ridge_value plain = {RIDGE_INT, .as.integer = value->type == RG_TOML_BOOL ? value->truth : value->integer};
    if (value->type == RG_TOML_FLOAT) {
        plain = (struct ridge_value){RIDGE_FLOAT, .as.number = value->number};
    }
    char text[64];
    ridge_value_format(&plain, text, sizeof text);
    return rg_arena_strdup(reader->arena, text);
}

ridge_status rg_spec_compile(struct rg_spec_reader *reader, const struct rg_toml *value, struct rg_expr **out)
{
    return rg_spec_compile_over(reader, value, reader->spec->symbols, reader->spec->symbol_count, out);
}

ridge_status rg_spec_compile_over(struct rg_spec_reader *reader, const struct rg_toml *value,
                                  const struct rg_symbol *symbols, size_t symbol_count, struct rg_expr **out)
{
    struct rg_expr_source source = {.text = value->text, .place = value->place, .dialect = reader->dialect};
    if (value->type == RG_TOML_FLOAT && !isfinite(value->number)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place, "`%s` is not finite (write a number)",
                           value->key);
    }
    if (value->type == RG_TOML_TEXT) {
        source.place = rg_toml_text_place(value);
    } else {
        source.text = literal_text(reader, value);
    }
    if (!source.text) {
        return rg_error_memory(reader->error, sizeof(struct ridge_value));
    }
    return rg_expr_compile(reader->arena, &source, symbols, symbol_count, out, reader->error);
}

ridge_status rg_spec_value(struct rg_spec_reader *reader, const struct rg_toml *node, struct ridge_value *out)
{
    switch (node->type) {
    case RG_TOML_INT: *out = (struct ridge_value){RIDGE_INT, .as.integer = node->integer}; return RIDGE_OK;
    case RG_TOML_BOOL: *out = (struct ridge_value){RIDGE_BOOL, .as.truth = node->truth}; return RIDGE_OK;
    case RG_TOML_TEXT: *out = (struct ridge_value){RIDGE_TEXT, .as.text = node->text}; return RIDGE_OK;
    case RG_TOML_FLOAT:
        if (isfinite(node->number)) {
            *out = (struct ridge_value){RIDGE_FLOAT, .as.number = node->number};
            return RIDGE_OK;
        }
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "the value is not finite (write a number)");
    case RG_TOML_TABLE:
    case RG_TOML_ARRAY:
    case RG_TOML_DATE:
    case RG_TOML_NULL: break;
    }
    return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place,
                       "%s is no value (write an integer, a float, a text or a boolean)",
                       rg_toml_type_name(node->type));
}

static bool is_identifier(const char *name)
{
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    return name[0] && !(name[0] >= '0' && name[0] <= '9') && name[strspn(name, letters)] == '\0';
}

ridge_status rg_spec_check_name(struct rg_spec_reader *reader, const char *what, const struct rg_toml *named)
{
    static const char *const words[] = {"and", "or", "not", "in", "is", "if", "else", "true", "false", "True", "False"};
    if (!is_identifier(named->key)) {
        return rg_error_at(reader->error, RIDGE_E_NAME, &named->key_place,
                           "`%s` cannot name a %s (letters, digits and _, and no digit first)", named->key, what);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i], named->key) == 0) {
            return rg_error_at(reader->error, RIDGE_E_NAME, &named->key_place,
                               "`%s` cannot name a %s (it is a word of the expression language)", named->key, what);
        }
    }
    return RIDGE_OK;
}

size_t rg_spec_dimension(const struct ridge_spec *spec, const char *name)
{
    for (size_t i = 0; i < spec->dimension_count; i++) {
        if (strcmp(spec->dimensions[i].name, name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}
