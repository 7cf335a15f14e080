/* SPDX-License-Identifier: MIT */
/** \file [model]: shared memory, FLOP and bytes; [model.let] and [model.work]: what a kernel does, counted. */
#include <string.h>

#include "expr/expr_columns.h"
#include "space/spec_read.h"

/** [model] also holds what other parts read, so an unknown key is passed over here. */
static ridge_status read_totals(struct rg_spec_reader *reader, const struct rg_toml *table)
{
    static const struct {
        const char *name;
        size_t offset;
    } rows[] = {{"smem_bytes", offsetof(struct ridge_spec, model_smem_bytes)},
                {"flops", offsetof(struct ridge_spec, model_flops)},
                {"bytes", offsetof(struct ridge_spec, model_bytes)},
                {"read_bytes", offsetof(struct ridge_spec, model_read_bytes)},
                {"write_bytes", offsetof(struct ridge_spec, model_write_bytes)}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rg_toml *value = rg_toml_get(table, rows[i].name);
        if (!value) {
            continue;
        }
        if (!((1U << value->type) & RG_IS_EXPR)) {
            return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place,
                               "`%s` of [model] is %s (write an integer or an expression such as \"2 * n\")",
                               rows[i].name, rg_toml_type_name(value->type));
        }
        const ridge_status status = rg_spec_read_expr(reader, value, (char *)reader->spec + rows[i].offset);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    return RIDGE_OK;
}

static ridge_status check_let_name(struct rg_spec_reader *reader, const struct rg_toml *named)
{
    const struct ridge_spec *spec = reader->spec;
    for (size_t i = 0; i < spec->work_symbol_count; i++) {
        if (strcmp(spec->work_symbols[i].name, named->key) == 0) {
            return rg_error_at(reader->error, RIDGE_E_NAME, &named->key_place,
                               "`%s` of [model.let] is a dimension or param already (choose another name)", named->key);
        }
    }
    return rg_spec_check_name(reader, "part of a work expression", named);
}

/** Add one named part; its type must be known, so that the expressions after it can be checked. */
static ridge_status read_let(struct rg_spec_reader *reader, const struct rg_toml *value)
{
    struct ridge_spec *spec = reader->spec;
    if (!((1U << value->type) & (RG_IS_NUMBER | RG_IS_TEXT))) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place,
                           "`%s` of [model.let] is %s (write an expression)", value->key,
                           rg_toml_type_name(value->type));
    }
    ridge_status status = check_let_name(reader, value);
    struct rg_expr *expr = NULL;
    if (status == RIDGE_OK) {
        status = rg_spec_compile_over(reader, value, spec->work_symbols, spec->work_symbol_count, &expr);
    }
    const struct rg_columns *columns = NULL;
    if (status == RIDGE_OK) {
        status =
            rg_columns_of(reader->arena, expr, spec->work_symbols, spec->work_symbol_count, &columns, reader->error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    ridge_type type = RIDGE_INT;
    if (!columns || !rg_columns_type(columns, &type)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place,
                           "the type of `%s` depends on the configuration, or it is text (use int(...) or float(...))",
                           value->key);
    }
    const unsigned slot = (unsigned)(spec->dimension_count + spec->let_count);
    spec->work_symbols[spec->work_symbol_count++] = (struct rg_symbol){.name = value->key, .slot = slot, .type = type};
    spec->lets[spec->let_count++] = expr;
    return RIDGE_OK;
}

static ridge_status read_lets(struct rg_spec_reader *reader, const struct rg_toml *table, void *target)
{
    (void)target;
    if (table->count > RG_MAX_LETS) {
        return rg_error_at(reader->error, RIDGE_E_LIMIT, &table->place, "[model.let] has %zu names (at most %d)",
                           table->count, RG_MAX_LETS);
    }
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < table->count && status == RIDGE_OK; i++) {
        status = read_let(reader, &table->children[i]);
    }
    return status;
}

static ridge_status read_count(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    const struct ridge_spec *spec = reader->spec;
    return rg_spec_compile_over(reader, value, spec->work_symbols, spec->work_symbol_count, target);
}

static ridge_status read_work(struct rg_spec_reader *reader, const struct rg_toml *table, void *target)
{
#define WORK_KEY(name, key, meaning) \
    {key, RG_IS_NUMBER | RG_IS_TEXT, false, "\"n / tile\"", read_count, (name) * sizeof(struct rg_expr *)},
    static const struct rg_key work_keys[] = {RG_WORK_LIST(WORK_KEY)};
#undef WORK_KEY
    static const struct rg_key_list keys = RG_KEY_LIST("[model.work]", work_keys);
    (void)target;
    return rg_spec_read_table(reader, &keys, table, reader->spec->work);
}

ridge_status rg_spec_read_model(struct rg_spec_reader *reader, const struct rg_toml *model)
{
    struct ridge_spec *spec = reader->spec;
    spec->work_symbols = rg_arena_array(reader->arena, spec->symbol_count + RG_MAX_LETS, sizeof *spec->work_symbols);
    if (!spec->work_symbols) {
        return rg_error_memory(reader->error, (spec->symbol_count + RG_MAX_LETS) * sizeof *spec->work_symbols);
    }
    if (spec->symbol_count > 0) {
        memcpy(spec->work_symbols, spec->symbols, spec->symbol_count * sizeof *spec->work_symbols);
    }
    spec->work_symbol_count = spec->symbol_count;
    static const struct {
        const char *name;
        ridge_status (*read)(struct rg_spec_reader *, const struct rg_toml *, void *);
    } tables[] = {{"let", read_lets}, {"work", read_work}};
    ridge_status status = read_totals(reader, model);
    for (size_t i = 0; i < 2 && status == RIDGE_OK; i++) {
        const struct rg_toml *table = rg_toml_get(model, tables[i].name);
        if (table && table->type != RG_TOML_TABLE) {
            return rg_error_at(reader->error, RIDGE_E_VALUE, &table->place, "`%s` of [model] is %s (write [model.%s])",
                               tables[i].name, rg_toml_type_name(table->type), tables[i].name);
        }
        status = table ? tables[i].read(reader, table, NULL) : RIDGE_OK;
    }
    return status;
}
