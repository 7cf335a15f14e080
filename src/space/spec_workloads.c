/* SPDX-License-Identifier: MIT */
/** \file [[bench.workloads]]: the same kernel with other params, each of which is tuned. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "ridge/units.h"
#include "space/spec_read.h"

/** One of the list, while it is read. */
struct written {
    const char *name;
    const struct rg_toml *params;
    double weight;
};

static ridge_status read_weight(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    const double weight = rg_toml_double(value);
    if (!isfinite(weight) || !(weight > 0)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place,
                           "the weight is not above 0, or not finite (leave the workload out, or write 1)");
    }
    *(double *)target = weight;
    return RIDGE_OK;
}

static ridge_status read_name(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    if (rg_has_control_character(value->text)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place,
                           "the name holds a control character (such as a line end; leave it out)");
    }
    return rg_spec_read_text(reader, value, target);
}

static ridge_status unknown_param(struct rg_spec_reader *reader, const struct rg_toml *member)
{
    const struct ridge_spec *spec = reader->spec;
    const char **names = rg_arena_array(reader->arena, spec->param_count + 1, sizeof *names);
    if (!names) {
        return rg_error_memory(reader->error, spec->param_count * sizeof *names);
    }
    for (size_t i = 0; i < spec->param_count; i++) {
        names[i] = spec->params[i].name;
    }
    const char *near = ridge_near_name(member->key, names, spec->param_count);
    if (near || spec->param_count > 0) {
        return rg_error_at(reader->error, RIDGE_E_NAME, &member->key_place, "[bench] params has no `%s` (%s `%s`%s)",
                           member->key, near ? "did you mean" : "its first one is", near ? near : names[0],
                           near ? "?" : "");
    }
    return rg_error_at(reader->error, RIDGE_E_NAME, &member->key_place,
                       "[bench] has no params that a workload could change (add params = { %s = 1 })", member->key);
}

/** Read a param of a workload as a value that can stand for that of [bench]: --set takes the same. */
static ridge_status read_value(struct rg_spec_reader *reader, const struct rg_toml *member, struct ridge_value *out)
{
    static const char *const right[] = {[RIDGE_INT] = "a number such as 1024",
                                        [RIDGE_FLOAT] = "a number such as 0.5",
                                        [RIDGE_BOOL] = "true or false",
                                        [RIDGE_TEXT] = "a text"};
    const struct rg_symbol *param = rg_spec_param(reader->spec, member->key, strlen(member->key));
    if (!param) {
        return unknown_param(reader, member);
    }
    const ridge_status status = rg_spec_value(reader, member, out);
    if (status != RIDGE_OK) {
        return status;
    }
    const ridge_type wanted = param->constant->type;
    if (wanted == RIDGE_FLOAT && out->type == RIDGE_INT) {
        *out = (struct ridge_value){RIDGE_FLOAT, .as.number = (double)out->as.integer};
    }
    if (out->type != wanted && !(wanted == RIDGE_INT && out->type == RIDGE_FLOAT)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &member->place, "`%s` does not fit the param of [bench] (%s)",
                           member->key, right[wanted]);
    }
    return RIDGE_OK;
}

/** Every param as `name=value`, with those of the workload in their place: what two workloads must differ in. */
static ridge_status describe(struct rg_spec_reader *reader, const struct written *written, bool all, const char **out)
{
    const struct ridge_spec *spec = reader->spec;
    struct rg_buffer text;
    ridge_status status = RIDGE_OK;
    rg_buffer_init(&text, spec->context);
    for (size_t i = 0; i < spec->param_count && status == RIDGE_OK; i++) {
        const struct rg_toml *member = rg_toml_get(written->params, spec->params[i].name);
        struct ridge_value value = *spec->params[i].constant;
        if (member) {
            status = read_value(reader, member, &value);
        }
        if (status == RIDGE_OK && (member || all)) {
            char number[64];
            ridge_value_format(&value, number, sizeof number);
            rg_buffer_printf(&text, "%s%s=%s", text.length > 0 ? " " : "", spec->params[i].name,
                             value.type == RIDGE_TEXT ? value.as.text : number);
        }
    }
    *out = text.failed ? NULL : rg_arena_strdup(reader->arena, text.length > 0 ? rg_buffer_text(&text) : "as written");
    rg_buffer_fini(&text);
    return status == RIDGE_OK && !*out ? rg_error_memory(reader->error, sizeof *written) : status;
}

static ridge_status read_written(struct rg_spec_reader *reader, const struct rg_toml *node, struct written *out)
{
    static const struct rg_key workload_keys[] = {
        {"name", RG_IS_TEXT, false, "\"large\"", read_name, offsetof(struct written, name)},
        {"params", RG_IS_TABLE, true, "{ n = 1048576 }", rg_spec_read_node, offsetof(struct written, params)},
        {"weight", RG_IS_NUMBER, false, "1", read_weight, offsetof(struct written, weight)},
    };
    static const struct rg_key_list keys = RG_KEY_LIST("the workload", workload_keys);
    *out = (struct written){.weight = 1};
    if (node->type != RG_TOML_TABLE) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place,
                           "a workload is %s (write [[bench.workloads]] and below it params = { n = 1048576 })",
                           rg_toml_type_name(node->type));
    }
    ridge_status status = rg_spec_read_table(reader, &keys, node, out);
    for (size_t i = 0; status == RIDGE_OK && i < out->params->count; i++) {
        struct ridge_value value;
        status = read_value(reader, &out->params->children[i], &value);
    }
    if (status == RIDGE_OK && !out->name) {
        status = describe(reader, out, false, &out->name);
    }
    return status;
}

static bool is_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/** Refuse a name or a set of params that stands twice. `params[i]` describes workload number i. */
static ridge_status check_distinct(struct rg_spec_reader *reader, const struct rg_toml *list, const char **params)
{
    const struct ridge_spec *spec = reader->spec;
    const size_t last = spec->workload_count - 1;
    for (size_t i = 0; i < last; i++) {
        if (is_same(spec->workloads[i].name, spec->workloads[last].name)) {
            return rg_error_at(reader->error, RIDGE_E_NAME, &list->children[last].place,
                               "the name `%s` stands twice (give each workload its own)", spec->workloads[i].name);
        }
        if (is_same(params[i], params[last])) {
            return rg_error_at(reader->error, RIDGE_E_VALUE, &list->children[last].place,
                               "workload `%s` has the same params as `%s` (leave one out, and add its weight)",
                               spec->workloads[last].name, spec->workloads[i].name);
        }
    }
    return RIDGE_OK;
}

/** Whether `--set` names a param. */
static const char *set_of(const struct rg_spec_reader *reader, const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < reader->set_count; i++) {
        if (strncmp(reader->set[i], name, length) == 0 && reader->set[i][length] == '=') {
            return reader->set[i];
        }
    }
    return NULL;
}

/** Put the params of a workload in the place of those of [bench]. */
static ridge_status choose(struct rg_spec_reader *reader, const struct written *written)
{
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < written->params->count && status == RIDGE_OK; i++) {
        const struct rg_toml *member = &written->params->children[i];
        struct rg_symbol *param = rg_spec_param(reader->spec, member->key, strlen(member->key));
        const char *set = set_of(reader, member->key);
        if (set) {
            return rg_error_set(reader->error, RIDGE_E_VALUE,
                                "--set %s: workload `%s` sets `%s` itself (leave --set out, or give --no-workloads)",
                                set, written->name, member->key);
        }
        struct ridge_value *value = rg_arena_alloc(reader->arena, sizeof *value);
        if (!value) {
            return rg_error_memory(reader->error, sizeof *value);
        }
        status = read_value(reader, member, value);
        param->constant = value;
        param->type = value->type;
    }
    return status;
}

ridge_status rg_spec_read_workloads(struct rg_spec_reader *reader, const struct rg_toml *bench)
{
    struct ridge_spec *spec = reader->spec;
    const struct rg_toml *list = rg_toml_get(bench, "workloads");
    const size_t count = list && list->type == RG_TOML_ARRAY ? list->count : 0; /* spec_bench.c refuses other types */
    const char *params[RIDGE_WORKLOAD_MAX] = {NULL};
    struct written chosen = {0};
    if (count > RIDGE_WORKLOAD_MAX) {
        return rg_error_at(reader->error, RIDGE_E_LIMIT, &list->children[RIDGE_WORKLOAD_MAX].place,
                           "there are %zu workloads (at most %d)", count, RIDGE_WORKLOAD_MAX);
    }
    for (size_t i = 0; i < count; i++) {
        struct written written;
        ridge_status status = read_written(reader, &list->children[i], &written);
        if (status == RIDGE_OK) {
            status = describe(reader, &written, true, &params[i]);
        }
        if (status == RIDGE_OK) {
            spec->workloads[spec->workload_count++] =
                (struct ridge_workload){.name = written.name, .weight = written.weight};
            status = check_distinct(reader, list, params);
        }
        if (status != RIDGE_OK) {
            return status;
        }
        chosen = i + 1 == reader->workload ? written : chosen;
    }
    if (reader->workload > count) {
        return rg_error_set(reader->error, RIDGE_E_ARGUMENT, "%s has %zu workloads and no number %zu (from 1)",
                            spec->path, count, reader->workload);
    }
    spec->workload = reader->workload;
    return chosen.params ? choose(reader, &chosen) : RIDGE_OK;
}

const struct ridge_workload *ridge_spec_workload(const struct ridge_spec *spec, size_t index)
{
    return index < spec->workload_count ? &spec->workloads[index] : NULL;
}

ridge_status ridge_spec_workload_find(const struct ridge_spec *spec, const char *name, size_t *index,
                                      struct ridge_error *error)
{
    const char *names[RIDGE_WORKLOAD_MAX];
    char known[512] = "";
    for (size_t i = 0; i < spec->workload_count; i++) {
        if (strcmp(spec->workloads[i].name, name) == 0) {
            *index = i;
            return RIDGE_OK;
        }
        const size_t used = strlen(known);
        names[i] = spec->workloads[i].name;
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const struct rg_place place = {.file = spec->path};
    if (spec->workload_count == 0) {
        return rg_error_at(error, RIDGE_E_NAME, &place, "there are no workloads (add [[bench.workloads]])");
    }
    const char *near = ridge_near_name(name, names, spec->workload_count);
    return near ? rg_error_at(error, RIDGE_E_NAME, &place, "there is no workload `%s` (did you mean `%s`?)", name, near)
                : rg_error_at(error, RIDGE_E_NAME, &place, "there is no workload `%s` (there are: %s)", name, known);
}

const char *ridge_spec_base(const struct ridge_spec *spec)
{
    return spec->base_id;
}
