/* SPDX-License-Identifier: MIT */
/**
 * \file What a spec's three hashes are made of.
 *
 * Each is SHA-256 over lines `word field field ...`, each field written as its length in bytes, `:` and its bytes, so
 * that no content can look like another. Values are as ridge_value_format writes them, after a word for their type;
 * numbers as ridge_number_format does; expressions as written; paths as written, so that a folder may move; what is
 * not given is an empty field.
 *
 * space:     `ridge.space.v1`; `dimension name type value...` sorted by name; `constraint text` in the order written;
 *            `param name type value` for each param that a constraint names
 * arguments: `ridge.arguments.v1`; `entry name`; `domain n`; `param name type value` of all; `grid x y z`; `block x y z`;
 *            `argument access element length value fill fill_value signed file seed` in order;
 *            `verify reference source entry configuration value-index... file... relative absolute equal_nan`
 * model:     `ridge.model.v1`; `domain n`; `param` of all; `grid x y z`; `block x y z`; `shared smem_bytes`;
 *            `let name text` in order; `work text...`, one for each key that there is
 */
#include <string.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "ridge/units.h"
#include "space/spec_read.h"

static void put(struct rg_sha256 *hash, const char *bytes)
{
    rg_sha256_update(hash, bytes, strlen(bytes));
}

static void put_count(struct rg_sha256 *hash, uint64_t count)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + count % 10);
        count /= 10;
    } while (count > 0);
    put(hash, digits + at);
}

static void put_field(struct rg_sha256 *hash, const char *text)
{
    put(hash, " ");
    put_count(hash, text ? strlen(text) : 0);
    put(hash, ":");
    put(hash, text ? text : "");
}

static void put_count_field(struct rg_sha256 *hash, uint64_t count)
{
    put(hash, " ");
    put_count(hash, count);
}

static void put_number_field(struct rg_sha256 *hash, double number)
{
    char text[RIDGE_NUMBER_BYTES];
    ridge_number_format(number, text);
    put_field(hash, text);
}

static void put_value_fields(struct rg_sha256 *hash, const struct ridge_value *value)
{
    static const char *const words[] = {
        [RIDGE_INT] = "int", [RIDGE_FLOAT] = "float", [RIDGE_BOOL] = "bool", [RIDGE_TEXT] = "text"};
    char text[64];
    put_field(hash, words[value->type]);
    if (value->type == RIDGE_TEXT) {
        put_field(hash, value->as.text);
        return;
    }
    ridge_value_format(value, text, sizeof text);
    put_field(hash, text);
}

static void put_param(struct rg_sha256 *hash, const struct rg_symbol *param)
{
    put(hash, "param");
    put_field(hash, param->name);
    put_value_fields(hash, param->constant);
    put(hash, "\n");
}

static void put_expr_field(struct rg_sha256 *hash, const struct rg_expr *expr)
{
    put_field(hash, expr ? rg_expr_text(expr) : NULL);
}

/** Whether a name stands in an expression's text as a whole word. */
static bool names(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        if ((at == text || !rg_is_word(at[-1])) && !rg_is_word(at[length])) {
            return true;
        }
    }
    return false;
}

static bool constraints_name(const struct ridge_spec *spec, const char *name)
{
    for (size_t i = 0; i < spec->constraint_count; i++) {
        if (names(rg_expr_text(spec->constraints[i].expr), name)) {
            return true;
        }
    }
    return false;
}

static void hash_space(struct ridge_spec *spec)
{
    struct rg_sha256 hash;
    rg_sha256_init(&hash);
    put(&hash, "ridge.space.v1\n");
    for (size_t i = 0; i < spec->dimension_count; i++) {
        const struct rg_dimension *dimension = &spec->dimensions[i];
        put(&hash, "dimension");
        put_field(&hash, dimension->name);
        for (size_t k = 0; k < dimension->count; k++) {
            put_value_fields(&hash, &dimension->values[k]);
        }
        put(&hash, "\n");
    }
    for (size_t i = 0; i < spec->constraint_count; i++) {
        put(&hash, "constraint");
        put_expr_field(&hash, spec->constraints[i].expr);
        put(&hash, "\n");
    }
    for (size_t i = 0; i < spec->param_count; i++) {
        if (constraints_name(spec, spec->params[i].name)) {
            put_param(&hash, &spec->params[i]);
        }
    }
    rg_sha256_final_hex(&hash, spec->space_hash);
}

/** \return the path as the spec writes it: without the folder. */
static const char *as_written(const struct ridge_spec *spec, const char *path)
{
    const size_t length = strlen(spec->folder);
    const bool inside = path && strncmp(path, spec->folder, length) == 0 && path[length] == '/';
    return inside ? path + length + 1 : path;
}

static void put_argument(struct rg_sha256 *hash, const struct ridge_spec *spec, const struct rg_argument *argument)
{
    put(hash, "argument");
    put_count_field(hash, argument->access);
    put_field(hash, rg_element_word(argument->element));
    put_expr_field(hash, argument->length);
    put_expr_field(hash, argument->value);
    put_count_field(hash, argument->fill);
    put_number_field(hash, argument->fill_value);
    put_count_field(hash, argument->fill_signed);
    put_field(hash, as_written(spec, argument->fill_file));
    put_count_field(hash, argument->seed);
    if (argument->by_value) { /* absent in older hashes */
        put(hash, "by value");
    }
    put(hash, "\n");
}

static void put_verify(struct rg_sha256 *hash, const struct ridge_spec *spec)
{
    const struct rg_verify *verify = &spec->verify;
    put(hash, "verify");
    put_count_field(hash, verify->reference);
    put_field(hash, as_written(spec, verify->c_source));
    put_field(hash, verify->c_entry);
    put_field(hash, verify->configuration);
    for (size_t i = 0; verify->choice && i < spec->dimension_count; i++) {
        put_value_fields(hash, &spec->dimensions[i].values[verify->choice[i]]);
    }
    for (size_t i = 0; i < verify->file_count; i++) {
        put_field(hash, as_written(spec, verify->files[i]));
    }
    put_number_field(hash, verify->relative);
    put_number_field(hash, verify->absolute);
    put_count_field(hash, verify->equal_nan);
    put(hash, "\n");
}

/** How it is launched: domain, params, grid and block. */
static void put_launch(struct rg_sha256 *hash, const struct ridge_spec *spec)
{
    put(hash, "domain");
    put_count_field(hash, spec->domain);
    put(hash, "\n");
    for (size_t i = 0; i < spec->param_count; i++) {
        put_param(hash, &spec->params[i]);
    }
    put(hash, "grid");
    for (size_t i = 0; i < 3; i++) {
        put_expr_field(hash, spec->grid[i]);
    }
    put(hash, "\nblock");
    for (size_t i = 0; i < 3; i++) {
        put_expr_field(hash, spec->block[i]);
    }
    put(hash, "\n");
}

static void hash_model(struct ridge_spec *spec)
{
    struct rg_sha256 hash;
    rg_sha256_init(&hash);
    put(&hash, "ridge.model.v1\n");
    put_launch(&hash, spec);
    put(&hash, "shared");
    put_expr_field(&hash, spec->model_smem_bytes);
    put(&hash, "\n");
    for (size_t i = 0; i < spec->let_count; i++) {
        put(&hash, "let");
        put_field(&hash, spec->work_symbols[spec->symbol_count + i].name);
        put_expr_field(&hash, spec->lets[i]);
        put(&hash, "\n");
    }
    put(&hash, "work");
    for (size_t i = 0; i < RG_WORK_COUNT; i++) {
        put_expr_field(&hash, spec->work[i]);
    }
    put(&hash, "\n");
    rg_sha256_final_hex(&hash, spec->model_hash);
}

static void hash_arguments(struct ridge_spec *spec)
{
    struct rg_sha256 hash;
    rg_sha256_init(&hash);
    put(&hash, "ridge.arguments.v1\nentry");
    put_field(&hash, spec->entry);
    put(&hash, "\n");
    put_launch(&hash, spec);
    for (size_t i = 0; i < spec->argument_count; i++) {
        put_argument(&hash, spec, &spec->arguments[i]);
    }
    put_verify(&hash, spec);
    rg_sha256_final_hex(&hash, spec->arguments_hash);
}

void rg_spec_hash(struct ridge_spec *spec)
{
    hash_space(spec);
    hash_arguments(spec);
    hash_model(spec);
}
