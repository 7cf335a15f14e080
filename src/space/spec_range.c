/* SPDX-License-Identifier: MIT */
/** \file Ranges of values: { from, to, step } and { pow2_from, pow2_to }. */
#include <math.h>

#include "base/checked.h"
#include "space/spec_read.h"

enum {
    MAX_VALUES = 1000000,
    MAX_DECIMALS = 22 /* 10^22 is the last power of ten that a double holds exactly */
};

static const double max_exact = 9007199254740992.0; /* 2^53 */

struct range {
    const struct rg_toml *from;
    const struct rg_toml *to;
    const struct rg_toml *step;
};

static const struct rg_key step_keys[] = {
    {"from", RG_IS_NUMBER, true, "32", rg_spec_read_node, offsetof(struct range, from)},
    {"to", RG_IS_NUMBER, true, "1024", rg_spec_read_node, offsetof(struct range, to)},
    {"step", RG_IS_NUMBER, false, "32", rg_spec_read_node, offsetof(struct range, step)},
};

static const struct rg_key pow2_keys[] = {
    {"pow2_from", RG_IS_INT, true, "1", rg_spec_read_node, offsetof(struct range, from)},
    {"pow2_to", RG_IS_INT, true, "64", rg_spec_read_node, offsetof(struct range, to)},
};

static ridge_status make_values(struct rg_spec_reader *reader, struct rg_dimension *dimension, ridge_type type,
                                size_t count)
{
    dimension->type = type;
    dimension->count = count;
    dimension->values = rg_arena_array(reader->arena, count, sizeof *dimension->values);
    return dimension->values ? RIDGE_OK : rg_error_memory(reader->error, count * sizeof *dimension->values);
}

static ridge_status too_many(struct rg_spec_reader *reader, const struct rg_toml *table, const char *name)
{
    return rg_error_at(reader->error, RIDGE_E_LIMIT, &table->place,
                       "the range of `%s` has too many values (at most %d)", name, MAX_VALUES);
}

/** \return the one power of ten below 10^23 that makes both numbers whole and exact, or 0. */
static double decimal_scale(const double *numbers, size_t count)
{
    double scale = 1;
    for (int decimals = 0; decimals <= MAX_DECIMALS; decimals++) {
        bool whole = true;
        for (size_t i = 0; i < count && whole; i++) {
            const double scaled = nearbyint(numbers[i] * scale);
            whole = fabs(scaled) <= max_exact && scaled / scale == numbers[i];
        }
        if (whole) {
            return scale;
        }
        scale *= 10;
    }
    return 0;
}

/**
 * Floats: from + i * step, counted in whole decimals where the three numbers have few enough of them, so that each
 * value is the double nearest to the decimal that a person would write, and the end is neither lost nor doubled.
 */
static ridge_status read_floats(struct rg_spec_reader *reader, const struct rg_toml *table, const struct range *range,
                                struct rg_dimension *dimension)
{
    double numbers[3] = {rg_toml_double(range->from), range->step ? rg_toml_double(range->step) : 1.0,
                         rg_toml_double(range->to)};
    if (!isfinite(numbers[0]) || !isfinite(numbers[1]) || !isfinite(numbers[2])) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &table->place,
                           "the range of `%s` is not finite (write numbers)", dimension->name);
    }
    const double scale = decimal_scale(numbers, 3);
    double divisor = 1;
    const double end_slack = 1e-9; /* of a step, where decimals are not counted */
    if (scale > 0) {
        divisor = scale;
        for (size_t i = 0; i < 3; i++) {
            numbers[i] = nearbyint(numbers[i] * scale);
        }
    }
    double steps = floor((numbers[2] - numbers[0]) / numbers[1] + end_slack);
    if (scale > 0) {
        const int64_t whole_steps = (int64_t)(numbers[2] - numbers[0]) / (int64_t)numbers[1];
        steps = (double)whole_steps;
    }
    if (!(steps < MAX_VALUES)) {
        return too_many(reader, table, dimension->name);
    }
    const size_t count = (size_t)steps + 1;
    const ridge_status status = make_values(reader, dimension, RIDGE_FLOAT, count);
    for (size_t i = 0; status == RIDGE_OK && i < count; i++) {
        const double number = (numbers[0] + (double)i * numbers[1]) / divisor;
        dimension->values[i] = (struct ridge_value){RIDGE_FLOAT, .as.number = number};
        if (i > 0 && !(number > dimension->values[i - 1].as.number)) {
            return rg_error_at(reader->error, RIDGE_E_VALUE, &table->place,
                               "the step of `%s` is too small to tell values apart (write a larger one)",
                               dimension->name);
        }
    }
    return status;
}

static ridge_status read_integers(struct rg_spec_reader *reader, const struct rg_toml *table, const struct range *range,
                                  struct rg_dimension *dimension)
{
    const int64_t from = range->from->integer;
    const int64_t step = range->step ? range->step->integer : 1;
    int64_t width;
    if (!rg_subtract_i64(range->to->integer, from, &width) || width / step >= MAX_VALUES) {
        return too_many(reader, table, dimension->name);
    }
    const size_t count = (size_t)(width / step) + 1;
    const ridge_status status = make_values(reader, dimension, RIDGE_INT, count);
    for (size_t i = 0; status == RIDGE_OK && i < count; i++) {
        dimension->values[i] = (struct ridge_value){RIDGE_INT, .as.integer = from + (int64_t)i * step};
    }
    return status;
}

static ridge_status read_steps(struct rg_spec_reader *reader, const struct rg_toml *table, const struct range *range,
                               struct rg_dimension *dimension)
{
    if (range->step && !(rg_toml_double(range->step) > 0)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &range->step->place,
                           "the step of `%s` is not positive (write a step above 0)", dimension->name);
    }
    if (rg_toml_double(range->to) < rg_toml_double(range->from)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &table->place,
                           "the range of `%s` has no values (`to` must not be below `from`)", dimension->name);
    }
    const bool integers = range->from->type == RG_TOML_INT && range->to->type == RG_TOML_INT &&
                          (!range->step || range->step->type == RG_TOML_INT);
    return integers ? read_integers(reader, table, range, dimension) : read_floats(reader, table, range, dimension);
}

static ridge_status check_power(struct rg_spec_reader *reader, const struct rg_toml *node)
{
    if (node->integer > 0 && (node->integer & (node->integer - 1)) == 0) {
        return RIDGE_OK;
    }
    return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place,
                       "`%s` is not a power of two (write 1, 2, 4, 8 and so on)", node->key);
}

static ridge_status read_powers(struct rg_spec_reader *reader, const struct rg_toml *table, const struct range *range,
                                struct rg_dimension *dimension)
{
    ridge_status status = check_power(reader, range->from);
    if (status == RIDGE_OK) {
        status = check_power(reader, range->to);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    if (range->to->integer < range->from->integer) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &table->place,
                           "the range of `%s` has no values (`pow2_to` must not be below `pow2_from`)",
                           dimension->name);
    }
    size_t count = 1;
    for (int64_t ratio = range->to->integer / range->from->integer; ratio > 1; ratio /= 2) {
        count++;
    }
    status = make_values(reader, dimension, RIDGE_INT, count);
    int64_t value = range->from->integer;
    for (size_t i = 0; status == RIDGE_OK && i < count; i++) {
        dimension->values[i] = (struct ridge_value){RIDGE_INT, .as.integer = value};
        value = i + 1 < count ? value * 2 : value;
    }
    return status;
}

ridge_status rg_spec_read_range(struct rg_spec_reader *reader, const struct rg_toml *table,
                                struct rg_dimension *dimension)
{
    static const struct rg_key_list steps = RG_KEY_LIST("a range", step_keys);
    static const struct rg_key_list powers = RG_KEY_LIST("a range of powers", pow2_keys);
    const bool is_powers = rg_toml_get(table, "pow2_from") || rg_toml_get(table, "pow2_to");
    struct range range = {0};
    const ridge_status status = rg_spec_read_table(reader, is_powers ? &powers : &steps, table, &range);
    if (status != RIDGE_OK) {
        return status;
    }
    return is_powers ? read_powers(reader, table, &range, dimension) : read_steps(reader, table, &range, dimension);
}
