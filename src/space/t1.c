/* SPDX-License-Identifier: MIT */
/** \file T1 JSON files: the space, and what later parts need of the kernel (docs/spaces.md has the table). */
#include <string.h>

#include "space/spec_read.h"

enum {
    BLOCK_LIMIT = 1024
};

struct parameter {
    const char *name;
    const char *type;
    const struct rg_toml *name_node;
    const struct rg_toml *type_node;
    const struct rg_toml *values;
    const struct rg_toml *preset;
};

struct condition {
    const struct rg_toml *expression;
    const struct rg_toml *parameters;
};

/** A key that is known and of no use here. */
#define PASSED_OVER(name)                       \
    {                                           \
        name, RG_IS_ANY, false, "null", NULL, 0 \
    }

static ridge_status read_type(struct rg_spec_reader *reader, const struct parameter *parameter, ridge_type *type)
{
    static const struct {
        const char *word;
        ridge_type type;
    } types[] = {
        {"int", RIDGE_INT}, {"uint", RIDGE_INT}, {"float", RIDGE_FLOAT}, {"bool", RIDGE_BOOL}, {"string", RIDGE_TEXT}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i].word, parameter->type) == 0) {
            *type = types[i].type;
            return RIDGE_OK;
        }
    }
    return rg_error_at(reader->error, RIDGE_E_VALUE, &parameter->type_node->place,
                       "`%s` has the type \"%s\" (int, uint, float, bool or string)", parameter->name, parameter->type);
}

/** The preset is of no use here; one that cannot be meant is worth a word. */
static void check_preset(const struct rg_spec_reader *reader, const struct parameter *parameter)
{
    const struct rg_toml *preset = parameter->preset;
    if (preset && preset->type == RG_TOML_ARRAY) {
        rg_log(reader->spec->context, RIDGE_LOG_WARNING,
               "%s:%u:%u: the Default of `%s` is a list (a single value is meant; it is not used)", preset->place.file,
               preset->place.line, preset->place.column, parameter->name);
    }
}

static ridge_status check_sign(struct rg_spec_reader *reader, const struct parameter *parameter,
                               const struct rg_dimension *dimension)
{
    for (size_t i = 0; i < dimension->count && strcmp(parameter->type, "uint") == 0; i++) {
        if (dimension->values[i].as.integer < 0) {
            return rg_error_at(reader->error, RIDGE_E_VALUE, &parameter->values->place,
                               "`%s` is uint and has the value %lld (write int, or values from 0 on)", parameter->name,
                               (long long)dimension->values[i].as.integer);
        }
    }
    return RIDGE_OK;
}

static ridge_status read_parameter(struct rg_spec_reader *reader, const struct rg_toml *node,
                                   struct rg_dimension *dimension)
{
    static const struct rg_key parameter_keys[] = {
        {"Name", RG_IS_TEXT, true, "\"tile\"", rg_spec_read_node, offsetof(struct parameter, name_node)},
        {"Name", RG_IS_TEXT, true, "\"tile\"", rg_spec_read_text, offsetof(struct parameter, name)},
        {"Type", RG_IS_TEXT, true, "\"int\"", rg_spec_read_node, offsetof(struct parameter, type_node)},
        {"Type", RG_IS_TEXT, true, "\"int\"", rg_spec_read_text, offsetof(struct parameter, type)},
        {"Values", RG_IS_TEXT, true, "\"[1, 2, 4]\"", rg_spec_read_node, offsetof(struct parameter, values)},
        {"Default", RG_IS_ANY, false, "1", rg_spec_read_node, offsetof(struct parameter, preset)},
    };
    static const struct rg_key_list keys = RG_JSON_KEY_LIST("a tuning parameter", parameter_keys);
    struct parameter parameter = {0};
    ridge_type type = RIDGE_INT;
    ridge_status status = rg_spec_read_table(reader, &keys, node, &parameter);
    if (status == RIDGE_OK) {
        const struct rg_toml named = {.key = parameter.name, .key_place = parameter.name_node->place};
        status = rg_spec_check_name(reader, "parameter", &named);
    }
    if (status == RIDGE_OK) {
        status = read_type(reader, &parameter, &type);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    if (rg_spec_dimension(reader->spec, parameter.name) != SIZE_MAX) {
        return rg_error_at(reader->error, RIDGE_E_NAME, &parameter.name_node->place,
                           "two parameters are called `%s` (give one another name)", parameter.name);
    }
    dimension->name = parameter.name;
    dimension->place = parameter.name_node->place;
    status = rg_t1_read_values(reader, parameter.values, type, dimension);
    check_preset(reader, &parameter);
    return status == RIDGE_OK ? check_sign(reader, &parameter, dimension) : status;
}

static ridge_status check_object(struct rg_spec_reader *reader, const struct rg_toml *node, const char *what)
{
    if (node->type == RG_TOML_TABLE) {
        return RIDGE_OK;
    }
    return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "%s is %s (write an object, {...})", what,
                       rg_toml_type_name(node->type));
}

static ridge_status read_parameters(struct rg_spec_reader *reader, const struct rg_toml *list, void *target)
{
    struct ridge_spec *spec = reader->spec;
    (void)target;
    if (list->count == 0 || list->count > RG_MAX_DIMENSIONS) {
        return rg_error_at(reader->error, RIDGE_E_LIMIT, &list->place, "there are %zu tuning parameters (1 to %d)",
                           list->count, RG_MAX_DIMENSIONS);
    }
    spec->dimensions = rg_arena_array(reader->arena, list->count, sizeof *spec->dimensions);
    if (!spec->dimensions) {
        return rg_error_memory(reader->error, list->count * sizeof *spec->dimensions);
    }
    for (size_t i = 0; i < list->count; i++) {
        ridge_status status = check_object(reader, &list->children[i], "a tuning parameter");
        if (status == RIDGE_OK) {
            status = read_parameter(reader, &list->children[i], &spec->dimensions[i]);
        }
        if (status != RIDGE_OK) {
            return status;
        }
        spec->dimension_count++;
    }
    rg_spec_sort_dimensions(spec);
    return rg_spec_read_params(reader, NULL);
}

static bool lists(const struct rg_toml *parameters, const char *name)
{
    for (size_t i = 0; i < parameters->count; i++) {
        const struct rg_toml *item = &parameters->children[i];
        if (item->type == RG_TOML_TEXT && strcmp(item->text, name) == 0) {
            return true;
        }
    }
    return false;
}

static void warn_about_names(const struct rg_spec_reader *reader, const struct condition *condition,
                             const struct rg_expr *expr)
{
    const struct ridge_spec *spec = reader->spec;
    const struct rg_place *place = &condition->expression->place;
    size_t count = 0;
    const unsigned *slots = rg_expr_slots(expr, &count);
    for (size_t i = 0; i < count && condition->parameters; i++) {
        const char *name = spec->dimensions[slots[i]].name;
        if (!lists(condition->parameters, name)) {
            rg_log(spec->context, RIDGE_LOG_WARNING,
                   "%s:%u:%u: the condition uses `%s`, which its Parameters do not list (it is used all the same)",
                   place->file, place->line, place->column, name);
        }
    }
}

static ridge_status read_condition(struct rg_spec_reader *reader, const struct rg_toml *node,
                                   struct rg_constraint *constraint)
{
    static const struct rg_key condition_keys[] = {
        {"Expression", RG_IS_TEXT, true, "\"tile <= 8\"", rg_spec_read_node, offsetof(struct condition, expression)},
        {"Parameters", RG_IS_LIST, false, "[\"tile\"]", rg_spec_read_node, offsetof(struct condition, parameters)},
    };
    static const struct rg_key_list keys = RG_JSON_KEY_LIST("a condition", condition_keys);
    struct condition condition = {0};
    ridge_status status = rg_spec_read_table(reader, &keys, node, &condition);
    if (status == RIDGE_OK) {
        constraint->place = condition.expression->place;
        status = rg_spec_compile(reader, condition.expression, &constraint->expr);
    }
    if (status == RIDGE_OK) {
        warn_about_names(reader, &condition, constraint->expr);
    }
    return status;
}

static ridge_status read_conditions(struct rg_spec_reader *reader, const struct rg_toml *list, void *target)
{
    struct ridge_spec *spec = reader->spec;
    (void)target;
    /* One more: the block limit. */
    spec->constraints = rg_arena_array(reader->arena, list->count + 1, sizeof *spec->constraints);
    if (!spec->constraints) {
        return rg_error_memory(reader->error, (list->count + 1) * sizeof *spec->constraints);
    }
    for (size_t i = 0; i < list->count; i++) {
        ridge_status status = check_object(reader, &list->children[i], "a condition");
        if (status == RIDGE_OK) {
            status = read_condition(reader, &list->children[i], &spec->constraints[i]);
        }
        if (status != RIDGE_OK) {
            return status;
        }
        spec->constraint_count++;
    }
    return RIDGE_OK;
}

/** Kernel Tuner leaves out blocks beyond the device's limit, where the block sizes have its default names. */
static ridge_status add_block_limit(struct rg_spec_reader *reader)
{
    static const char *const names[] = {"block_size_x", "block_size_y", "block_size_z"};
    struct ridge_spec *spec = reader->spec;
    const char *product = "";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t dimension = rg_spec_dimension(spec, names[i]);
        if (dimension == SIZE_MAX || spec->dimensions[dimension].type != RIDGE_INT) {
            continue;
        }
        product = rg_arena_printf(reader->arena, "%s%s%s", product, product[0] ? " * " : "", names[i]);
        if (!product) {
            return rg_error_memory(reader->error, 1);
        }
    }
    if (product[0] == '\0' || reader->no_block_limit) {
        return RIDGE_OK;
    }
    if (!spec->constraints) {
        spec->constraints = rg_arena_array(reader->arena, 1, sizeof *spec->constraints);
    }
    const char *text = rg_arena_printf(reader->arena, "%s <= %d", product, BLOCK_LIMIT);
    if (!spec->constraints || !text) {
        return rg_error_memory(reader->error, sizeof *spec->constraints);
    }
    struct rg_constraint *constraint = &spec->constraints[spec->constraint_count];
    const struct rg_expr_source source = {.text = text, .place = {.file = spec->path}, .dialect = RG_DIALECT_PYTHON};
    constraint->place = source.place;
    const ridge_status status =
        rg_expr_compile(reader->arena, &source, spec->symbols, spec->symbol_count, &constraint->expr, reader->error);
    if (status != RIDGE_OK) {
        return status;
    }
    spec->constraint_count++;
    return rg_spec_add_note(reader, rg_arena_printf(reader->arena,
                                                    "`%s` was added, as Kernel Tuner does (--no-block-limit leaves it "
                                                    "out)",
                                                    text));
}

static ridge_status read_space(struct rg_spec_reader *reader, const struct rg_toml *table, void *target)
{
    static const struct rg_key space_keys[] = {
        {"TuningParameters", RG_IS_LIST, true, "[{\"Name\": \"tile\", \"Type\": \"int\", \"Values\": \"[1, 2, 4]\"}]",
         read_parameters, 0},
        {"Conditions", RG_IS_LIST, false, "[{\"Parameters\": [\"tile\"], \"Expression\": \"tile <= 8\"}]",
         read_conditions, 0},
    };
    static const struct rg_key_list keys = RG_JSON_KEY_LIST("ConfigurationSpace", space_keys);
    (void)target;
    const ridge_status status = rg_spec_read_table(reader, &keys, table, NULL);
    return status == RIDGE_OK ? add_block_limit(reader) : status;
}

static ridge_status read_name(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    if (rg_has_control_character(value->text)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place,
                           "the name holds a control character (such as a line end; leave it out)");
    }
    return rg_spec_read_text(reader, value, target);
}

#define LAUNCH(field) offsetof(struct ridge_spec, t1_launch.field)

static ridge_status read_kernel(struct rg_spec_reader *reader, const struct rg_toml *table, void *target)
{
    static const struct rg_key kernel_keys[] = {
        {"KernelName", RG_IS_TEXT, false, "\"matmul\"", read_name, offsetof(struct ridge_spec, kernel)},
        {"ProblemSize", RG_IS_ANY, false, "[1024]", rg_spec_read_node, LAUNCH(problem_size)},
        {"GridDivX", RG_IS_ANY, false, "[\"tile\"]", rg_spec_read_node, LAUNCH(grid_div[0])},
        {"GridDivY", RG_IS_ANY, false, "[\"tile\"]", rg_spec_read_node, LAUNCH(grid_div[1])},
        {"GridDivZ", RG_IS_ANY, false, "[\"tile\"]", rg_spec_read_node, LAUNCH(grid_div[2])},
        {"GlobalSize", RG_IS_ANY, false, "{\"X\": \"1024\"}", rg_spec_read_node, LAUNCH(global_size)},
        {"LocalSize", RG_IS_ANY, false, "{\"X\": \"tile\"}", rg_spec_read_node, LAUNCH(local_size)},
        {"GlobalSizeType", RG_IS_ANY, false, "\"CUDA\"", rg_spec_read_node, LAUNCH(global_size_type)},
        PASSED_OVER("Device"),
        PASSED_OVER("Language"),
        PASSED_OVER("KernelFile"),
        PASSED_OVER("KernelTypeNames"),
        PASSED_OVER("CompilerOptions"),
        PASSED_OVER("Profiling"),
        PASSED_OVER("SharedMemory"),
        PASSED_OVER("SimulationInput"),
        PASSED_OVER("Stream"),
        PASSED_OVER("Misc"),
        PASSED_OVER("BenchmarkName"),
        PASSED_OVER("Arguments"),
        PASSED_OVER("ReferenceArguments"),
    };
    static const struct rg_key_list keys = RG_JSON_KEY_LIST("KernelSpecification", kernel_keys);
    return rg_spec_read_table(reader, &keys, table, target);
}

static ridge_status read_version(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    (void)target;
    if (value->integer == 1) {
        return RIDGE_OK;
    }
    return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place,
                       "the file has format version %lld (version 1 is known)", (long long)value->integer);
}

static ridge_status read_general(struct rg_spec_reader *reader, const struct rg_toml *table, void *target)
{
    static const struct rg_key general_keys[] = {
        {"FormatVersion", RG_IS_INT, false, "1", read_version, 0},
        {"BenchmarkName", RG_IS_TEXT, false, "\"matmul\"", read_name, offsetof(struct ridge_spec, kernel)},
        PASSED_OVER("LoggingLevel"),
        PASSED_OVER("TimeUnit"),
        PASSED_OVER("OutputFile"),
        PASSED_OVER("OutputFormat"),
    };
    static const struct rg_key_list keys = RG_JSON_KEY_LIST("General", general_keys);
    return rg_spec_read_table(reader, &keys, table, target);
}

ridge_status rg_spec_read_t1(struct rg_spec_reader *reader, const struct rg_toml *root)
{
    /* In the order of the list: the kernel's name of KernelSpecification wins over the one of General. */
    static const struct rg_key root_keys[] = {
        {"General", RG_IS_TABLE, false, "{\"FormatVersion\": 1}", read_general, 0},
        {"KernelSpecification", RG_IS_TABLE, false, "{\"KernelName\": \"matmul\"}", read_kernel, 0},
        {"ConfigurationSpace", RG_IS_TABLE, true, "{\"TuningParameters\": []}", read_space, 0},
        PASSED_OVER("Search"),
        PASSED_OVER("Budget"),
        PASSED_OVER("BenchmarkConfig"),
    };
    static const struct rg_key_list keys = RG_JSON_KEY_LIST("the T1 file", root_keys);
    struct ridge_spec *spec = reader->spec;
    spec->format = RG_FORMAT_T1;
    spec->kernel = "kernel";
    spec->domain = 3;
    reader->dialect = RG_DIALECT_PYTHON;
    const ridge_status status = rg_spec_read_table(reader, &keys, root, spec);
    spec->entry = spec->kernel;
    return status;
}
