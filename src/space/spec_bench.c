/* SPDX-License-Identifier: MIT */
/** \file [constraints], and the launch of [bench]: grid and block. Arguments are read in spec_arguments.c. */
#include <string.h>

#include "space/run.h"
#include "space/spec_read.h"

struct launch {
    const struct rg_toml *grid[3];
    const struct rg_toml *block[3];
    const struct rg_toml *arguments;
    const struct rg_toml *base;
};

#define LAUNCH_KEY(name, field, right)                                                    \
    {                                                                                     \
        name, RG_IS_EXPR, false, right, rg_spec_read_node, offsetof(struct launch, field) \
    }

static const struct rg_key bench_keys[] = {
    {"params", RG_IS_TABLE, false, "{ n = 512 }", NULL, 0},
    {"elements", RG_IS_INT, false, "1048576", NULL, 0}, /* older files: a param with that name */
    LAUNCH_KEY("grid_x", grid[0], "\"n / block_x\""),
    LAUNCH_KEY("grid_y", grid[1], "\"n / block_y\""),
    LAUNCH_KEY("grid_z", grid[2], "\"n / block_z\""),
    LAUNCH_KEY("block_x", block[0], "\"block_size_x\""),
    LAUNCH_KEY("block_y", block[1], "\"block_size_y\""),
    LAUNCH_KEY("block_z", block[2], "\"block_size_z\""),
    {"args", RG_IS_LIST, false, "[{ kind = \"in_f32\", len = \"n\" }]", rg_spec_read_node,
     offsetof(struct launch, arguments)},
    {"workloads", RG_IS_LIST, false, "[{ params = { n = 1024 } }]", NULL, 0}, /* spec_workloads.c */
    {"base", RG_IS_TEXT | RG_IS_TABLE, false, "{ tile = 4 }", rg_spec_read_node, offsetof(struct launch, base)},
};

static const char *const axes[3] = {"block_x", "block_y", "block_z"};

static ridge_status check_launch_dimension(struct rg_spec_reader *reader, const struct rg_dimension *dimension)
{
    bool positive = dimension->type == RIDGE_INT;
    for (size_t i = 0; i < dimension->count && positive; i++) {
        positive = dimension->values[i].as.integer > 0;
    }
    if (positive) {
        return RIDGE_OK;
    }
    return rg_error_at(reader->error, RIDGE_E_VALUE, &dimension->place,
                       "`%s` is a launch dimension with a value that is no number of threads (whole numbers above 0)",
                       dimension->name);
}

/** The dimension `axis` is by default, compiled as the expression that it would be. */
static ridge_status default_block(struct rg_spec_reader *reader, unsigned axis)
{
    const size_t index = rg_spec_dimension(reader->spec, axes[axis]);
    if (index == SIZE_MAX) {
        return RIDGE_OK;
    }
    const struct rg_toml name = {
        .type = RG_TOML_TEXT, .key = axes[axis], .text = axes[axis], .place = reader->spec->dimensions[index].place};
    return rg_spec_compile(reader, &name, &reader->spec->block[axis]);
}

static ridge_status read_block(struct rg_spec_reader *reader, const struct rg_toml *written, unsigned axis)
{
    if (!written) {
        return default_block(reader, axis);
    }
    const size_t index = written->type == RG_TOML_TEXT ? rg_spec_dimension(reader->spec, written->text) : SIZE_MAX;
    if (index != SIZE_MAX) {
        reader->spec->dimensions[index].launch = true;
    }
    return rg_spec_compile(reader, written, &reader->spec->block[axis]);
}

static ridge_status check_axis(struct rg_spec_reader *reader, const struct launch *launch, unsigned axis)
{
    struct ridge_spec *spec = reader->spec;
    if (axis < spec->domain || (!spec->grid[axis] && !spec->block[axis])) {
        return RIDGE_OK;
    }
    const size_t index = rg_spec_dimension(spec, axes[axis]);
    const struct rg_toml *written = launch->grid[axis] ? launch->grid[axis] : launch->block[axis];
    const struct rg_place *place = written ? &written->key_place : &spec->dimensions[index].place;
    return rg_error_at(reader->error, RIDGE_E_VALUE, place, "domain = %u has no %c (write domain = %u in [kernel])",
                       spec->domain, "xyz"[axis], axis + 1);
}

/** Without `domain` in [kernel], the axes in use say it. */
static void default_domain(struct ridge_spec *spec)
{
    const bool given = spec->domain > 0;
    for (unsigned axis = 0; axis < 3 && !given; axis++) {
        if (axis == 0 || spec->grid[axis] || spec->block[axis]) {
            spec->domain = axis + 1;
        }
    }
}

static ridge_status read_launch(struct rg_spec_reader *reader, const struct launch *launch)
{
    struct ridge_spec *spec = reader->spec;
    ridge_status status = RIDGE_OK;
    for (unsigned axis = 0; axis < 3 && status == RIDGE_OK; axis++) {
        if (launch->grid[axis]) {
            spec->grid_places[axis] = launch->grid[axis]->place;
            status = rg_spec_compile(reader, launch->grid[axis], &spec->grid[axis]);
        }
        if (status == RIDGE_OK) {
            status = read_block(reader, launch->block[axis], axis);
        }
    }
    default_domain(spec);
    for (unsigned axis = 0; axis < 3 && status == RIDGE_OK; axis++) {
        status = check_axis(reader, launch, axis);
    }
    for (size_t i = 0; i < spec->dimension_count && status == RIDGE_OK; i++) {
        if (spec->dimensions[i].launch) {
            status = check_launch_dimension(reader, &spec->dimensions[i]);
        }
    }
    return status;
}

/** The configuration that others are compared with, as an id. */
static ridge_status read_base(struct rg_spec_reader *reader, const struct rg_toml *base)
{
    struct ridge_spec *spec = reader->spec;
    const uint32_t *choice = NULL;
    const ridge_status status = rg_spec_read_configuration(reader, base, &spec->base_id, &choice);
    if (status != RIDGE_OK || spec->base_id) {
        return status;
    }
    char id[RIDGE_ID_BYTES];
    struct rg_sha256 hash;
    rg_id_begin(&hash, spec->kernel);
    for (size_t i = 0; i < spec->dimension_count; i++) {
        rg_id_value(&hash, spec->dimensions[i].name, &spec->dimensions[i].values[choice[i]]);
    }
    rg_id_end(&hash, id);
    spec->base_id = rg_arena_strdup(reader->arena, id);
    return spec->base_id ? RIDGE_OK : rg_error_memory(reader->error, sizeof id);
}

ridge_status rg_spec_read_bench(struct rg_spec_reader *reader, const struct rg_toml *bench)
{
    static const struct rg_key_list keys = RG_KEY_LIST("[bench]", bench_keys);
    struct launch launch = {0};
    ridge_status status = rg_spec_read_table(reader, &keys, bench, &launch);
    if (status == RIDGE_OK) {
        status = read_launch(reader, &launch);
    }
    if (status == RIDGE_OK && launch.base) {
        status = read_base(reader, launch.base);
    }
    return status == RIDGE_OK && launch.arguments ? rg_spec_read_arguments(reader, launch.arguments) : status;
}

static ridge_status read_exprs(struct rg_spec_reader *reader, const struct rg_toml *list, void *target)
{
    (void)target;
    struct ridge_spec *spec = reader->spec;
    spec->constraints = rg_arena_array(reader->arena, list->count, sizeof *spec->constraints);
    if (!spec->constraints) {
        return rg_error_memory(reader->error, list->count * sizeof *spec->constraints);
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct rg_toml *text = &list->children[i];
        if (text->type != RG_TOML_TEXT) {
            return rg_error_at(reader->error, RIDGE_E_VALUE, &text->place,
                               "constraint %zu is %s (write a text such as \"tile <= 8\")", i + 1,
                               rg_toml_type_name(text->type));
        }
        spec->constraints[i].place = text->place;
        const ridge_status status = rg_spec_compile(reader, text, &spec->constraints[i].expr);
        if (status != RIDGE_OK) {
            return status;
        }
        spec->constraint_count++;
    }
    return RIDGE_OK;
}

ridge_status rg_spec_read_constraints(struct rg_spec_reader *reader, const struct rg_toml *constraints)
{
    static const struct rg_key constraint_keys[] = {
        {"exprs", RG_IS_LIST, true, "[\"tile <= 8\"]", read_exprs, 0},
    };
    static const struct rg_key_list keys = RG_KEY_LIST("[constraints]", constraint_keys);
    return rg_spec_read_table(reader, &keys, constraints, NULL);
}
