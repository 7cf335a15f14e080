/* SPDX-License-Identifier: MIT */
/** \file The space of a Kernel Tuner cache file: its parameters. A cache file holds no constraints. */
#include <string.h>

#include "space/spec_read.h"

static ridge_status read_parameter(struct rg_spec_reader *reader, const struct rg_toml *member,
                                   struct rg_dimension *dimension)
{
    const ridge_status status = rg_spec_check_name(reader, "parameter", member);
    if (status != RIDGE_OK) {
        return status;
    }
    if (member->type != RG_TOML_ARRAY) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &member->place, "`%s` of tune_params is %s (a list of values)",
                           member->key, rg_toml_type_name(member->type));
    }
    dimension->name = member->key;
    dimension->place = member->key_place;
    return rg_spec_read_list(reader, member, dimension);
}

static ridge_status read_parameters(struct rg_spec_reader *reader, const struct rg_toml *params)
{
    struct ridge_spec *spec = reader->spec;
    if (params->type != RG_TOML_TABLE || params->count == 0 || params->count > RG_MAX_DIMENSIONS) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &params->place,
                           "`tune_params` is no object of 1 to %d parameters (write {\"tile\": [1, 2, 4]})",
                           RG_MAX_DIMENSIONS);
    }
    spec->dimensions = rg_arena_array(reader->arena, params->count, sizeof *spec->dimensions);
    if (!spec->dimensions) {
        return rg_error_memory(reader->error, params->count * sizeof *spec->dimensions);
    }
    for (size_t i = 0; i < params->count; i++) {
        const ridge_status status = read_parameter(reader, &params->children[i], &spec->dimensions[i]);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    spec->dimension_count = params->count;
    rg_spec_sort_dimensions(spec);
    return RIDGE_OK;
}

ridge_status rg_spec_read_ktcache(struct rg_spec_reader *reader, const struct rg_toml *root)
{
    struct ridge_spec *spec = reader->spec;
    const struct rg_toml *name = rg_toml_get(root, "kernel_name");
    spec->format = RG_FORMAT_KTCACHE;
    spec->kernel = name && name->type == RG_TOML_TEXT && name->text[0] ? name->text : "kernel";
    spec->entry = spec->kernel;
    spec->domain = 1;
    if (rg_has_control_character(spec->kernel)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &name->place,
                           "the name holds a control character (such as a line end; leave it out)");
    }
    ridge_status status = read_parameters(reader, rg_toml_get(root, "tune_params"));
    if (status == RIDGE_OK) {
        status = rg_spec_read_params(reader, NULL);
    }
    if (status == RIDGE_OK) {
        status = rg_spec_add_note(reader, "a Kernel Tuner cache file holds no constraints: the space is all "
                                          "combinations of its parameters");
    }
    return status;
}
