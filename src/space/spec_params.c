/* SPDX-License-Identifier: MIT */
/** \file [bench] params, what `--set` makes of them, and the names that expressions may use. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ridge/units.h"
#include "space/spec_read.h"

struct rg_symbol *rg_spec_param(const struct ridge_spec *spec, const char *name, size_t length)
{
    for (size_t i = 0; i < spec->param_count; i++) {
        if (strlen(spec->params[i].name) == length && memcmp(spec->params[i].name, name, length) == 0) {
            return &spec->params[i];
        }
    }
    return NULL;
}

static ridge_status unknown_param(struct rg_spec_reader *reader, const char *set, size_t length)
{
    const struct ridge_spec *spec = reader->spec;
    const char **names = rg_arena_array(reader->arena, spec->param_count, sizeof *names);
    const char *name = rg_arena_copy(reader->arena, set, length);
    if (!names || !name) {
        return rg_error_memory(reader->error, length + 1);
    }
    for (size_t i = 0; i < spec->param_count; i++) {
        names[i] = spec->params[i].name;
    }
    const char *near = ridge_near_name(name, names, spec->param_count);
    if (near) {
        return rg_error_set(reader->error, RIDGE_E_NAME, "--set %s: [bench] params has no `%s` (did you mean `%s`?)",
                            set, name, near);
    }
    if (spec->param_count == 0) {
        return rg_error_set(reader->error, RIDGE_E_NAME,
                            "--set %s: the spec has no [bench] params (add params = { %s })", set, set);
    }
    return rg_error_set(reader->error, RIDGE_E_NAME, "--set %s: [bench] params has no `%s` (its first one is `%s`)",
                        set, name, names[0]);
}

static bool parse_integer(const char *text, int64_t *out)
{
    const char *digits = text + (*text == '-' || *text == '+');
    if (digits[strspn(digits, "0123456789")] != '\0' || *digits == '\0') {
        return false;
    }
    errno = 0;
    *out = strtoll(text, NULL, 10);
    return errno == 0;
}

/** Read `text` as a value that can stand for `old`: a text stays one, a float stays one, an integer may become one. */
static bool parse_override(const struct ridge_value *old, const char *text, struct ridge_value *out)
{
    *out = *old;
    switch (old->type) {
    case RIDGE_TEXT: out->as.text = text; return true;
    case RIDGE_BOOL: out->as.truth = strcmp(text, "true") == 0; return out->as.truth || strcmp(text, "false") == 0;
    case RIDGE_INT:
        if (parse_integer(text, &out->as.integer)) {
            return true;
        }
        break;
    case RIDGE_FLOAT: break;
    }
    out->type = RIDGE_FLOAT;
    return ridge_number_parse(text, &out->as.number, NULL) == RIDGE_OK;
}

static ridge_status apply_set(struct rg_spec_reader *reader, const char *set)
{
    static const char *const right[] = {[RIDGE_INT] = "a number such as 1024",
                                        [RIDGE_FLOAT] = "a number such as 0.5",
                                        [RIDGE_BOOL] = "true or false",
                                        [RIDGE_TEXT] = "a text"};
    const size_t length = strcspn(set, "=");
    if (length == 0 || set[length] != '=') {
        return rg_error_set(reader->error, RIDGE_E_VALUE, "--set %s gives no value (write --set name=value)", set);
    }
    struct rg_symbol *param = rg_spec_param(reader->spec, set, length);
    if (!param) {
        return unknown_param(reader, set, length);
    }
    struct ridge_value *value = rg_arena_alloc(reader->arena, sizeof *value);
    const char *text = rg_arena_strdup(reader->arena, set + length + 1);
    if (!value || !text) {
        return rg_error_memory(reader->error, sizeof *value);
    }
    if (!parse_override(param->constant, text, value)) {
        return rg_error_set(reader->error, RIDGE_E_VALUE, "--set %s: the value does not fit the param (%s)", set,
                            right[param->constant->type]);
    }
    param->constant = value;
    param->type = value->type;
    return RIDGE_OK;
}

static ridge_status read_param(struct rg_spec_reader *reader, const struct rg_toml *member, struct rg_symbol *out)
{
    ridge_status status = rg_spec_check_name(reader, "param", member);
    if (status != RIDGE_OK) {
        return status;
    }
    if (rg_spec_dimension(reader->spec, member->key) != SIZE_MAX) {
        return rg_error_at(reader->error, RIDGE_E_NAME, &member->key_place,
                           "`%s` is a dimension already (give the param another name)", member->key);
    }
    struct ridge_value *value = rg_arena_alloc(reader->arena, sizeof *value);
    if (!value) {
        return rg_error_memory(reader->error, sizeof *value);
    }
    status = rg_spec_value(reader, member, value);
    *out = (struct rg_symbol){.name = member->key, .constant = value, .type = value->type};
    return status;
}

static int compare_names(const void *left, const void *right)
{
    const struct rg_symbol *a = left;
    const struct rg_symbol *b = right;
    return strcmp(a->name, b->name);
}

/** Dimensions, each its own slot, then the params. */
static ridge_status make_symbols(struct rg_spec_reader *reader)
{
    struct ridge_spec *spec = reader->spec;
    spec->symbol_count = spec->dimension_count + spec->param_count;
    spec->symbols = rg_arena_array(reader->arena, spec->symbol_count, sizeof *spec->symbols);
    if (!spec->symbols) {
        return rg_error_memory(reader->error, spec->symbol_count * sizeof *spec->symbols);
    }
    for (size_t i = 0; i < spec->dimension_count; i++) {
        const struct rg_dimension *dimension = &spec->dimensions[i];
        spec->symbols[i] = (struct rg_symbol){.name = dimension->name, .slot = (unsigned)i, .type = dimension->type};
    }
    for (size_t i = 0; i < spec->param_count; i++) {
        spec->symbols[spec->dimension_count + i] = spec->params[i];
    }
    return RIDGE_OK;
}

ridge_status rg_spec_read_params(struct rg_spec_reader *reader, const struct rg_toml *bench)
{
    struct ridge_spec *spec = reader->spec;
    const struct rg_toml *table = rg_toml_get(bench, "params");
    const struct rg_toml *elements = rg_toml_get(bench, "elements");
    const size_t listed = table && table->type == RG_TOML_TABLE ? table->count : 0;
    spec->params = rg_arena_array(reader->arena, listed + 1, sizeof *spec->params);
    if (!spec->params) {
        return rg_error_memory(reader->error, (listed + 1) * sizeof *spec->params);
    }
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < listed && status == RIDGE_OK; i++) {
        status = read_param(reader, &table->children[i], &spec->params[i]);
        spec->param_count += status == RIDGE_OK;
    }
    if (status == RIDGE_OK && elements && !rg_spec_param(spec, "elements", strlen("elements"))) {
        status = read_param(reader, elements, &spec->params[spec->param_count]);
        spec->param_count += status == RIDGE_OK;
    }
    if (status != RIDGE_OK) {
        return status;
    }
    qsort(spec->params, spec->param_count, sizeof *spec->params, compare_names);
    status = rg_spec_read_workloads(reader, bench);
    for (size_t i = 0; i < reader->set_count && status == RIDGE_OK; i++) {
        status = apply_set(reader, reader->set[i]);
    }
    return status == RIDGE_OK ? make_symbols(reader) : status;
}
