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

/** [check] params: values that make the problem small. Their names and types are checked, used or not. */
static ridge_status read_check_param(struct rg_spec_reader *reader, const struct rg_toml *member)
{
    struct rg_symbol *param = rg_spec_param(reader->spec, member->key, strlen(member->key));
    if (!param) {
        return rg_error_at(reader->error, RIDGE_E_NAME, &member->key_place,
                           "[bench] params has no `%s` (a param of [check] gives one of those another value)",
                           member->key);
    }
    struct ridge_value *value = rg_arena_alloc(reader->arena, sizeof *value);
    if (!value) {
        return rg_error_memory(reader->error, sizeof *value);
    }
    const ridge_status status = rg_spec_value(reader, member, value);
    if (status == RIDGE_OK && value->type != param->constant->type) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &member->place,
                           "`%s` has another type than in [bench] params (write the same kind of value)", member->key);
    }
    if (status == RIDGE_OK && reader->check) {
        param->constant = value;
    }
    return status;
}

static ridge_status read_check(struct rg_spec_reader *reader, const struct rg_toml *check)
{
    static const struct rg_key check_keys[] = {
        {"params", RG_IS_TABLE, true, "{ n = 64 }", NULL, 0},
    };
    static const struct rg_key_list keys = RG_KEY_LIST("[check]", check_keys);
    ridge_status status = rg_spec_read_table(reader, &keys, check, NULL);
    const struct rg_toml *params = status == RIDGE_OK && check ? rg_toml_get(check, "params") : NULL;
    for (size_t i = 0; params && i < params->count && status == RIDGE_OK; i++) {
        status = read_check_param(reader, &params->children[i]);
    }
    return status;
}

/** A whole param above 0 by the name that `node` holds. */
static const struct rg_symbol *whole_param(const struct rg_spec_reader *reader, const struct rg_toml *node)
{
    const struct rg_symbol *param = rg_spec_param(reader->spec, node->text, strlen(node->text));
    return param && param->constant->type == RIDGE_INT ? param : NULL;
}

ridge_status rg_spec_read_count_table(struct rg_spec_reader *reader, const struct rg_toml *count)
{
    static const struct rg_key count_keys[] = {
        {"along", RG_IS_TEXT, true, "\"k\"", NULL, 0},
        {"at", RG_IS_LIST, true, "[32, 64]", NULL, 0},
    };
    static const struct rg_key_list keys = RG_KEY_LIST("[count]", count_keys);
    const ridge_status status = rg_spec_read_table(reader, &keys, count, NULL);
    if (status != RIDGE_OK || !count) {
        return status;
    }
    const struct rg_toml *along = rg_toml_get(count, "along");
    const struct rg_toml *at = rg_toml_get(count, "at");
    const struct rg_symbol *param = whole_param(reader, along);
    if (!param) {
        return rg_error_at(reader->error, RIDGE_E_NAME, &along->place,
                           "`along` names `%s`, which is no whole number of [bench] params (name one of them)",
                           along->text);
    }
    const bool two = at->count == 2 && at->children[0].type == RG_TOML_INT && at->children[1].type == RG_TOML_INT;
    if (!two || at->children[0].integer < 1 || at->children[0].integer >= at->children[1].integer) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &at->place,
                           "`at` is not two whole numbers (write two, ascending and above 0: [32, 64])");
    }
    reader->spec->count_rule = (struct rg_count_rule){
        along->text, {at->children[0].integer, at->children[1].integer}, param->constant->as.integer};
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
    if (status == RIDGE_OK) {
        status = read_check(reader, reader->check_table);
    }
    for (size_t i = 0; i < reader->set_count && status == RIDGE_OK; i++) {
        status = apply_set(reader, reader->set[i]);
    }
    return status == RIDGE_OK ? make_symbols(reader) : status;
}
