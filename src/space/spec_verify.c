/* SPDX-License-Identifier: MIT */
/** \file [verify]: what outputs are compared with, and how closely. */
#include <string.h>

#include "expr/expr_arithmetic.h"
#include "ridge/space.h"
#include "space/spec_read.h"

struct reference {
    const char *c_source;
    const char *c_entry;
    const struct rg_toml *configuration;
    const char *file;
    const struct rg_toml *files;
};

static const struct rg_key reference_keys[] = {
    {"c", RG_IS_TEXT, false, "\"reference.c\"", rg_spec_read_path, offsetof(struct reference, c_source)},
    {"entry", RG_IS_TEXT, false, "\"reference\"", rg_spec_read_text, offsetof(struct reference, c_entry)},
    {"config", RG_IS_TEXT | RG_IS_TABLE, false, "{ tile = 4 }", rg_spec_read_node,
     offsetof(struct reference, configuration)},
    {"file", RG_IS_TEXT, false, "\"output.bin\"", rg_spec_read_path, offsetof(struct reference, file)},
    {"files", RG_IS_LIST, false, "[\"output.bin\"]", rg_spec_read_node, offsetof(struct reference, files)},
};

static bool is_id(const char *text)
{
    return strlen(text) == RIDGE_ID_BYTES - 1 && strncmp(text, "c1-", 3) == 0 &&
           strspn(text + 3, "0123456789abcdef") == RIDGE_ID_BYTES - 4;
}

/** Find one value of a configuration that is given by values. */
static ridge_status read_choice(struct rg_spec_reader *reader, const struct rg_toml *table,
                                const struct rg_dimension *dimension, uint32_t *out)
{
    const struct rg_toml *node = rg_toml_get(table, dimension->name);
    if (!node) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &table->place,
                           "the configuration has no `%s` (give each dimension a value)", dimension->name);
    }
    struct ridge_value value;
    const ridge_status status = rg_spec_value(reader, node, &value);
    if (status != RIDGE_OK) {
        return status;
    }
    for (size_t i = 0; i < dimension->count; i++) {
        if (rg_value_equal(dimension->values[i], value)) {
            *out = (uint32_t)i;
            return RIDGE_OK;
        }
    }
    char text[128];
    ridge_value_format(&value, text, sizeof text);
    return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "%s is no value of `%s` (take one of [dims.%s])",
                       text, dimension->name, dimension->name);
}

static ridge_status read_choices(struct rg_spec_reader *reader, const struct rg_toml *table, const uint32_t **out)
{
    const struct ridge_spec *spec = reader->spec;
    struct rg_key keys[RG_MAX_DIMENSIONS];
    for (size_t i = 0; i < spec->dimension_count; i++) {
        keys[i] = (struct rg_key){.name = spec->dimensions[i].name, .types = RG_IS_VALUE, .right = "one of its values"};
    }
    const struct rg_key_list list = {"the configuration", keys, spec->dimension_count, false};
    ridge_status status = rg_spec_read_table(reader, &list, table, NULL);
    uint32_t *choice = rg_arena_array(reader->arena, spec->dimension_count, sizeof *choice);
    if (!choice) {
        return rg_error_memory(reader->error, spec->dimension_count * sizeof *choice);
    }
    for (size_t i = 0; i < spec->dimension_count && status == RIDGE_OK; i++) {
        status = read_choice(reader, table, &spec->dimensions[i], &choice[i]);
    }
    *out = choice;
    return status;
}

ridge_status rg_spec_read_configuration(struct rg_spec_reader *reader, const struct rg_toml *node, const char **id,
                                        const uint32_t **choice)
{
    *id = NULL;
    *choice = NULL;
    if (node->type == RG_TOML_TABLE) {
        return read_choices(reader, node, choice);
    }
    if (!is_id(node->text)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place,
                           "\"%s\" is no configuration (c1- and 16 hex digits, as ridge space --list prints them)",
                           node->text);
    }
    *id = node->text;
    return RIDGE_OK;
}

static size_t output_count(const struct ridge_spec *spec)
{
    size_t count = 0;
    for (size_t i = 0; i < spec->argument_count; i++) {
        count += spec->arguments[i].access == RG_ACCESS_OUT || spec->arguments[i].access == RG_ACCESS_INOUT;
    }
    return count;
}

static ridge_status read_files(struct rg_spec_reader *reader, const struct rg_toml *node,
                               const struct reference *reference)
{
    struct rg_verify *verify = &reader->spec->verify;
    const size_t count = reference->files ? reference->files->count : 1;
    const size_t outputs = output_count(reader->spec);
    if (count != outputs) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place,
                           "the kernel has %zu outputs and the reference %zu files (one a file, in argument order)",
                           outputs, count);
    }
    const char **paths = rg_arena_array(reader->arena, count, sizeof *paths);
    if (!paths) {
        return rg_error_memory(reader->error, count * sizeof *paths);
    }
    paths[0] = reference->file;
    for (size_t i = 0; reference->files && i < count; i++) {
        const struct rg_toml *each = &reference->files->children[i];
        if (each->type != RG_TOML_TEXT) {
            return rg_error_at(reader->error, RIDGE_E_VALUE, &each->place, "a file is %s (write a path in quotes)",
                               rg_toml_type_name(each->type));
        }
        const ridge_status status = rg_spec_read_path(reader, each, &paths[i]);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    verify->reference = RG_REFERENCE_FILE;
    verify->files = paths;
    verify->file_count = count;
    return RIDGE_OK;
}

static ridge_status read_reference(struct rg_spec_reader *reader, const struct rg_toml *node, void *target)
{
    static const struct rg_key_list keys = RG_KEY_LIST("the reference", reference_keys);
    struct rg_verify *verify = target;
    struct reference reference = {.c_entry = NULL};
    const ridge_status status = rg_spec_read_table(reader, &keys, node, &reference);
    if (status != RIDGE_OK) {
        return status;
    }
    const int ways = (reference.c_source != NULL) + (reference.configuration != NULL) + (reference.file != NULL) +
                     (reference.files != NULL);
    if (ways != 1 || (reference.c_entry && !reference.c_source)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place,
                           "a reference is one of `c` (with `entry`), `config`, `file` and `files` (write { c = "
                           "\"reference.c\", entry = \"reference\" })");
    }
    if (reference.configuration) {
        verify->reference = RG_REFERENCE_CONFIGURATION;
        return rg_spec_read_configuration(reader, reference.configuration, &verify->configuration, &verify->choice);
    }
    if (!reference.c_source) {
        return read_files(reader, node, &reference);
    }
    verify->reference = RG_REFERENCE_C;
    verify->c_source = reference.c_source;
    verify->c_entry = reference.c_entry ? reference.c_entry : "reference";
    return RIDGE_OK;
}

ridge_status rg_spec_read_verify(struct rg_spec_reader *reader, const struct rg_toml *verify)
{
    static const struct rg_key verify_keys[] = {
        {"reference", RG_IS_TABLE, false, "{ c = \"reference.c\", entry = \"reference\" }", read_reference, 0},
        {"rel", RG_IS_NUMBER, false, "1e-4", rg_spec_read_tolerance, offsetof(struct rg_verify, relative)},
        {"abs", RG_IS_NUMBER, false, "1e-6", rg_spec_read_tolerance, offsetof(struct rg_verify, absolute)},
        {"equal_nan", RG_IS_BOOL, false, "true", rg_spec_read_bool, offsetof(struct rg_verify, equal_nan)},
    };
    static const struct rg_key_list keys = RG_KEY_LIST("[verify]", verify_keys);
    struct rg_verify *target = &reader->spec->verify;
    target->relative = 1e-4;
    target->absolute = 1e-6;
    if (verify) {
        target->place = verify->place;
    }
    return rg_spec_read_table(reader, &keys, verify, target);
}
