/* SPDX-License-Identifier: MIT */
/** \file [[bench.args]]: what the kernel is called with. */
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "ridge/units.h"
#include "space/spec_read.h"

/** What an entry says, whatever its kind. */
struct entry {
    const char *name;
    const struct rg_toml *length;
    const struct rg_toml *bytes;
    const struct rg_toml *value;
    const struct rg_toml *fill;
    const struct rg_toml *is_signed;
    const struct rg_toml *of;
    const struct rg_toml *by_value;
    const char *file;
    uint64_t seed;
};

#define KIND_KEY                                        \
    {                                                   \
        "kind", RG_IS_TEXT, true, "\"in_f32\"", NULL, 0 \
    }
#define ENTRY_KEY(name, field, types, right, required)                                 \
    {                                                                                  \
        name, types, required, right, rg_spec_read_node, offsetof(struct entry, field) \
    }

static const struct rg_key buffer_keys[] = {
    KIND_KEY,
    {"name", RG_IS_TEXT, false, "\"input\"", rg_spec_read_text, offsetof(struct entry, name)},
    ENTRY_KEY("len", length, RG_IS_EXPR, "\"n * n\"", true),
    ENTRY_KEY("fill", fill, RG_IS_TEXT, "\"uniform\"", false),
    ENTRY_KEY("value", value, RG_IS_NUMBER, "1.0", false),
    ENTRY_KEY("signed", is_signed, RG_IS_BOOL, "true", false),
    {"file", RG_IS_TEXT, false, "\"input.bin\"", rg_spec_read_path, offsetof(struct entry, file)},
    {"seed", RG_IS_INT, false, "1", rg_spec_read_seed, offsetof(struct entry, seed)},
    ENTRY_KEY("by_value", by_value, RG_IS_BOOL, "true", false),
};

static const struct rg_key scalar_keys[] = {
    KIND_KEY,
    {"name", RG_IS_TEXT, false, "\"n\"", rg_spec_read_text, offsetof(struct entry, name)},
    ENTRY_KEY("value", value, RG_IS_VALUE, "\"n\"", true),
};

static const struct rg_key local_keys[] = {
    KIND_KEY,
    {"name", RG_IS_TEXT, false, "\"scratch\"", rg_spec_read_text, offsetof(struct entry, name)},
    ENTRY_KEY("len", length, RG_IS_EXPR, "\"block_x * 4\"", false),
    ENTRY_KEY("bytes", bytes, RG_IS_EXPR, "\"block_x * 4\"", false),
};

static const struct rg_key len_of_keys[] = {
    KIND_KEY,
    {"name", RG_IS_TEXT, false, "\"n\"", rg_spec_read_text, offsetof(struct entry, name)},
    ENTRY_KEY("of", of, RG_IS_INT, "0", true),
};

enum shape {
    SHAPE_BUFFER,
    SHAPE_SCALAR,
    SHAPE_LOCAL,
    SHAPE_LEN_OF
};

static const struct rg_key_list shape_keys[] = {
    [SHAPE_BUFFER] = RG_KEY_LIST("a buffer argument", buffer_keys),
    [SHAPE_SCALAR] = RG_KEY_LIST("a scalar argument", scalar_keys),
    [SHAPE_LOCAL] = RG_KEY_LIST("a local_bytes argument", local_keys),
    [SHAPE_LEN_OF] = RG_KEY_LIST("a len_of argument", len_of_keys),
};

struct kind {
    const char *word;
    enum shape shape;
    rg_access access;
    rg_element element;
};

#define IN_ROW(element, word, bytes, c_type, cl_type)     {"in_" word, SHAPE_BUFFER, RG_ACCESS_IN, element},
#define OUT_ROW(element, word, bytes, c_type, cl_type)    {"out_" word, SHAPE_BUFFER, RG_ACCESS_OUT, element},
#define INOUT_ROW(element, word, bytes, c_type, cl_type)  {"inout_" word, SHAPE_BUFFER, RG_ACCESS_INOUT, element},
#define SCALAR_ROW(element, word, bytes, c_type, cl_type) {word, SHAPE_SCALAR, RG_ACCESS_SCALAR, element},

/* clang-format off */
static const struct kind kinds[] = {
    RG_ELEMENT_LIST(IN_ROW)
    RG_ELEMENT_LIST(OUT_ROW)
    RG_ELEMENT_LIST(INOUT_ROW)
    RG_ELEMENT_LIST(SCALAR_ROW)
    {"local_bytes", SHAPE_LOCAL, RG_ACCESS_LOCAL, RG_U8},
    {"len_of", SHAPE_LEN_OF, RG_ACCESS_SCALAR, RG_U64},
};
/* clang-format on */

enum {
    KIND_COUNT = sizeof kinds / sizeof kinds[0]
};

struct element_row {
    const char *word;
    size_t bytes;
};

static const struct element_row element_rows[] = {
#define ELEMENT_ROW(element, word, bytes, c_type, cl_type) [element] = {word, bytes},
    RG_ELEMENT_LIST(ELEMENT_ROW)
#undef ELEMENT_ROW
};

size_t rg_element_bytes(rg_element element)
{
    return element_rows[element].bytes;
}

const char *rg_element_word(rg_element element)
{
    return element_rows[element].word;
}

static const char *const fill_words[] = {
    [RG_FILL_UNIFORM] = "uniform",   [RG_FILL_NORMAL] = "normal", [RG_FILL_IOTA] = "iota",
    [RG_FILL_CONSTANT] = "constant", [RG_FILL_FILE] = "file",
};

enum {
    FILL_COUNT = sizeof fill_words / sizeof fill_words[0]
};

/** Limits of an element type. Floats have none: what they cannot hold becomes an infinity, as everywhere. */
static bool fits_element(rg_element element, double value)
{
    const char letter = rg_element_word(element)[0];
    const int bits = (int)(8 * rg_element_bytes(element));
    if (letter == 'f') {
        return isfinite(value);
    }
    const double least = letter == 'i' ? -ldexp(1, bits - 1) : 0;
    const double end = ldexp(1, letter == 'i' ? bits - 1 : bits);
    return value >= least && value < end && floor(value) == value;
}

static ridge_status wrong_value(struct rg_spec_reader *reader, const struct rg_toml *node, rg_element element)
{
    return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "`value` is no %s (%s)", rg_element_word(element),
                       rg_element_word(element)[0] == 'f' ? "write a finite number"
                                                          : "write a whole number that the type can hold");
}

/** \return the kind, or NULL with the error set to RIDGE_E_VALUE. */
static const struct kind *find_kind(struct rg_spec_reader *reader, const struct rg_toml *entry)
{
    const struct rg_toml *node = rg_toml_get(entry, "kind");
    if (!node || node->type != RG_TOML_TEXT) {
        (void)rg_error_at(reader->error, RIDGE_E_VALUE, node ? &node->place : &entry->place,
                          "the argument has no `kind` that is a text (write kind = \"in_f32\")");
        return NULL;
    }
    const char *names[KIND_COUNT];
    for (size_t i = 0; i < KIND_COUNT; i++) {
        names[i] = kinds[i].word;
        if (strcmp(node->text, kinds[i].word) == 0) {
            return &kinds[i];
        }
    }
    const char *near = ridge_near_name(node->text, names, KIND_COUNT);
    if (near) {
        (void)rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "there is no kind `%s` (did you mean `%s`?)",
                          node->text, near);
        return NULL;
    }
    (void)rg_error_at(reader->error, RIDGE_E_VALUE, &node->place,
                      "there is no kind `%s` (in_, out_ or inout_ before f32 f64 i8 u8 i16 u16 i32 u32 i64 u64; one of "
                      "these alone for a scalar; or local_bytes)",
                      node->text);
    return NULL;
}

/** The length of a buffer: an expression over params, so known now. */
static ridge_status read_length(struct rg_spec_reader *reader, const struct rg_toml *node, struct rg_argument *argument)
{
    const struct ridge_spec *spec = reader->spec;
    const ridge_status status = rg_spec_compile(reader, node, &argument->length);
    if (status != RIDGE_OK) {
        return status;
    }
    size_t used = 0;
    const unsigned *slots = rg_expr_slots(argument->length, &used);
    if (used > 0) {
        return rg_error_at(
            reader->error, RIDGE_E_VALUE, &node->place,
            "`len` uses the dimension `%s` (a buffer is as long in every configuration: use params only)",
            spec->dimensions[slots[0]].name);
    }
    struct ridge_value length;
    struct rg_fault fault;
    if (!rg_expr_eval(argument->length, NULL, &length, &fault)) {
        return rg_expr_fault_error(argument->length, "len", spec->symbols, spec->symbol_count, NULL, &fault,
                                   reader->error);
    }
    int64_t bytes;
    if (length.type != RIDGE_INT || length.as.integer < 1) {
        char text[64];
        ridge_value_format(&length, text, sizeof text);
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "`len` is %s (a whole number of at least 1)",
                           text);
    }
    if (!rg_multiply_i64(length.as.integer, (int64_t)rg_element_bytes(argument->element), &bytes)) {
        return rg_error_at(reader->error, RIDGE_E_LIMIT, &node->place,
                           "`len` is more than a memory can hold (write fewer)");
    }
    return RIDGE_OK;
}

static ridge_status read_fill_word(struct rg_spec_reader *reader, const struct entry *entry,
                                   struct rg_argument *argument)
{
    if (!entry->fill) {
        const rg_fill usual = argument->access == RG_ACCESS_OUT ? RG_FILL_CONSTANT : RG_FILL_UNIFORM;
        argument->fill = entry->file ? RG_FILL_FILE : usual;
        return RIDGE_OK;
    }
    for (size_t i = 0; i < FILL_COUNT; i++) {
        if (strcmp(entry->fill->text, fill_words[i]) == 0) {
            argument->fill = (rg_fill)i;
            return RIDGE_OK;
        }
    }
    const char *near = ridge_near_name(entry->fill->text, fill_words, FILL_COUNT);
    return rg_error_at(reader->error, RIDGE_E_VALUE, &entry->fill->place, "there is no fill `%s` (%s%s)",
                       entry->fill->text, near ? "did you mean " : "uniform, normal, iota, constant or file",
                       near ? near : "");
}

/** `value` and `signed`, which only some fills take. */
static ridge_status read_fill_value(struct rg_spec_reader *reader, const struct entry *entry,
                                    struct rg_argument *argument)
{
    const bool is_uniform = argument->fill == RG_FILL_UNIFORM;
    const bool is_float = rg_element_word(argument->element)[0] == 'f';
    if (entry->is_signed && (!is_uniform || rg_element_word(argument->element)[0] == 'u')) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &entry->is_signed->place,
                           "`signed` does not belong here (only a uniform fill of a signed type takes it)");
    }
    argument->fill_signed = entry->is_signed && entry->is_signed->truth;
    if (is_uniform) {
        argument->fill_value = is_float ? 1 : 100;
    }
    if (!entry->value) {
        return RIDGE_OK;
    }
    if (!is_uniform && argument->fill != RG_FILL_CONSTANT) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &entry->value->place,
                           "`value` does not belong to fill = \"%s\" (uniform and constant take it)",
                           fill_words[argument->fill]);
    }
    argument->fill_value = rg_toml_double(entry->value);
    if (!fits_element(argument->element, argument->fill_value)) {
        return wrong_value(reader, entry->value, argument->element);
    }
    if (is_uniform && !(argument->fill_value > 0)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &entry->value->place,
                           "the upper end of a uniform fill is not above 0 (write signed = true for both signs)");
    }
    return RIDGE_OK;
}

static ridge_status read_buffer(struct rg_spec_reader *reader, const struct rg_toml *node, const struct entry *entry,
                                struct rg_argument *argument)
{
    ridge_status status = read_length(reader, entry->length, argument);
    if (status == RIDGE_OK) {
        status = read_fill_word(reader, entry, argument);
    }
    if (status == RIDGE_OK && (argument->fill == RG_FILL_FILE) != (entry->file != NULL)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "%s",
                           entry->file ? "`file` goes with fill = \"file\" only (leave one of them out)"
                                       : "fill = \"file\" has no `file` (write file = \"input.bin\")");
    }
    argument->by_value = entry->by_value && entry->by_value->truth;
    if (argument->by_value && argument->access != RG_ACCESS_IN) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &entry->by_value->place,
                           "a kernel cannot write what it takes by value (write kind = \"in_%s\", or leave it out)",
                           rg_element_word(argument->element));
    }
    argument->fill_file = entry->file;
    argument->seed = entry->seed;
    return status == RIDGE_OK ? read_fill_value(reader, entry, argument) : status;
}

static ridge_status read_scalar(struct rg_spec_reader *reader, const struct entry *entry, struct rg_argument *argument)
{
    const ridge_status status = rg_spec_compile(reader, entry->value, &argument->value);
    struct ridge_value value;
    if (status != RIDGE_OK || !rg_expr_constant(argument->value, &value)) {
        return status;
    }
    const bool numeric = value.type != RIDGE_TEXT;
    const double number = value.type == RIDGE_INT ? (double)value.as.integer
                          : numeric               ? (value.type == RIDGE_BOOL ? value.as.truth : value.as.number)
                                                  : 0;
    const bool largest = value.type == RIDGE_INT && argument->element == RG_I64; /* rounds up to 2^63 */
    return numeric && (largest || fits_element(argument->element, number))
               ? RIDGE_OK
               : wrong_value(reader, entry->value, argument->element);
}

static ridge_status read_local(struct rg_spec_reader *reader, const struct rg_toml *node, const struct entry *entry,
                               struct rg_argument *argument)
{
    if (!entry->length == !entry->bytes) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place,
                           "local_bytes takes one of `len` and `bytes` (write bytes = \"block_x * 4\")");
    }
    return rg_spec_compile(reader, entry->bytes ? entry->bytes : entry->length, &argument->length);
}

/** The length of an argument before this one, as 64 bits. */
static ridge_status read_len_of(struct rg_spec_reader *reader, const struct entry *entry, struct rg_argument *argument)
{
    const struct ridge_spec *spec = reader->spec;
    const int64_t of = entry->of->integer;
    if (of < 0 || (uint64_t)of >= spec->argument_count || spec->arguments[of].access > RG_ACCESS_INOUT) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &entry->of->place,
                           "argument %lld is no buffer before this one (write its position, the first is 0)",
                           (long long)of);
    }
    argument->value = spec->arguments[of].length;
    return RIDGE_OK;
}

static ridge_status read_argument(struct rg_spec_reader *reader, const struct rg_toml *node, size_t index)
{
    struct rg_argument *argument = &reader->spec->arguments[index];
    if (node->type != RG_TOML_TABLE) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &node->place, "argument %zu is %s (write [[bench.args]])",
                           index + 1, rg_toml_type_name(node->type));
    }
    const struct kind *kind = find_kind(reader, node);
    if (!kind) {
        return RIDGE_E_VALUE;
    }
    struct entry entry = {.seed = index + 1};
    const ridge_status status = rg_spec_read_table(reader, &shape_keys[kind->shape], node, &entry);
    if (status != RIDGE_OK) {
        return status;
    }
    argument->access = kind->access;
    argument->element = kind->element;
    argument->place = node->place;
    argument->name = entry.name ? entry.name : rg_arena_printf(reader->arena, "argument %zu", index + 1);
    if (!argument->name) {
        return rg_error_memory(reader->error, sizeof "argument 00");
    }
    switch (kind->shape) {
    case SHAPE_BUFFER: return read_buffer(reader, node, &entry, argument);
    case SHAPE_SCALAR: return read_scalar(reader, &entry, argument);
    case SHAPE_LOCAL: return read_local(reader, node, &entry, argument);
    case SHAPE_LEN_OF: return read_len_of(reader, &entry, argument);
    }
    return RIDGE_OK;
}

ridge_status rg_spec_read_arguments(struct rg_spec_reader *reader, const struct rg_toml *list)
{
    struct ridge_spec *spec = reader->spec;
    if (list->count > RG_MAX_ARGUMENTS) {
        return rg_error_at(reader->error, RIDGE_E_LIMIT, &list->place, "%zu arguments are too many (at most %d)",
                           list->count, RG_MAX_ARGUMENTS);
    }
    spec->arguments = rg_arena_array(reader->arena, list->count, sizeof *spec->arguments);
    if (!spec->arguments) {
        return rg_error_memory(reader->error, list->count * sizeof *spec->arguments);
    }
    for (size_t i = 0; i < list->count; i++) {
        const ridge_status status = read_argument(reader, &list->children[i], i);
        if (status != RIDGE_OK) {
            return status;
        }
        spec->argument_count++;
    }
    return RIDGE_OK;
}
