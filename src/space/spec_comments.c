/* SPDX-License-Identifier: MIT */
/**
 * \file The space of a source file: its comments `%RANGE% NAME short start:end:step`, both ends included, as CUB writes
 * them. Source of the form: NVIDIA/cccl docs/cub/tuning.rst and benchmarks/scripts/cccl/bench/config.py @0b7ead36.
 */
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "space/spec_read.h"

enum {
    MAX_VALUES = 1000000
};

static const char marker[] = "%RANGE%";

struct line {
    const char *text; /**< first byte */
    const char *at;   /**< behind the marker */
    const char *end;  /**< of the line */
    unsigned number;
};

/** A comment, read. */
struct range {
    struct rg_toml name; /**< key and its place, as rg_spec_check_name takes them */
    const char *label;
    int64_t start, stop, step;
};

bool rg_is_source_name(const char *path)
{
    static const char *const endings[] = {".cu", ".cuh", ".cl", ".c", ".h", ".cpp", ".cc", ".hpp"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++) {
        if (strcmp(dot, endings[i]) == 0) {
            return true;
        }
    }
    return false;
}

/** Find the marker in a line where only the beginning of a comment stands before it. \return NULL: there is none */
static const char *find_marker(const char *text, const char *end)
{
    const char *at = text;
    while (at < end && strchr(" \t/*", *at)) {
        at++;
    }
    const size_t length = sizeof marker - 1;
    return at > text && (size_t)(end - at) >= length && memcmp(at, marker, length) == 0 ? at + length : NULL;
}

static struct rg_place place_of(const struct rg_spec_reader *reader, const char *text, const struct line *line,
                                const char *at, size_t length)
{
    return (struct rg_place){.file = reader->spec->path,
                             .text = text,
                             .line = line->number,
                             .column = (unsigned)(at - line->text) + 1,
                             .length = (unsigned)length};
}

/** Take the next word of a line. \return its bytes; 0: there is none */
static size_t next_word(struct line *line, const char **word)
{
    while (line->at < line->end && strchr(" \t\r", *line->at)) {
        line->at++;
    }
    *word = line->at;
    while (line->at < line->end && !strchr(" \t\r", *line->at)) {
        line->at++;
    }
    return (size_t)(line->at - *word);
}

/** Read "7", behind which `after` stands. */
static bool read_number(const char **at, const char *end, char after, int64_t *out)
{
    char *stop = NULL;
    const bool minus = *at < end && **at == '-';
    if (*at + minus >= end || (*at)[minus] < '0' || (*at)[minus] > '9') {
        return false;
    }
    *out = strtoll(*at, &stop, 10);
    const bool good = stop <= end && (after ? stop < end && *stop == after : stop == end);
    *at = stop + (after != '\0');
    return good && *out<INT64_MAX && * out> INT64_MIN; /* those are what too large a number gives */
}

static ridge_status read_line(struct rg_spec_reader *reader, const char *text, struct line *line, struct range *out)
{
    const char *words[3] = {NULL, NULL, NULL};
    size_t lengths[3] = {0, 0, 0};
    for (size_t i = 0; i < 3; i++) {
        lengths[i] = next_word(line, &words[i]);
    }
    const struct rg_place name_place = place_of(reader, text, line, words[0], lengths[0]);
    const struct rg_place range_place = place_of(reader, text, line, words[2], lengths[2]);
    if (lengths[2] == 0) {
        return rg_error_at(reader->error, RIDGE_E_SYNTAX, &name_place,
                           "the comment is not whole (%%RANGE%% NAME short start:end:step)");
    }
    const char *at = words[2];
    const char *end = at + lengths[2];
    if (!read_number(&at, end, ':', &out->start) || !read_number(&at, end, ':', &out->stop) ||
        !read_number(&at, end, '\0', &out->step)) {
        return rg_error_at(reader->error, RIDGE_E_SYNTAX, &range_place,
                           "this is no range of whole numbers (start:end:step, such as 7:24:1)");
    }
    if (out->step <= 0 || out->stop < out->start) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &range_place,
                           "the range has no values (the step is above 0, and the end not below the start)");
    }
    out->name = (struct rg_toml){.type = RG_TOML_TEXT, .key_place = name_place, .place = name_place};
    out->name.key = rg_arena_copy(reader->arena, words[0], lengths[0]);
    out->label = rg_arena_copy(reader->arena, words[1], lengths[1]);
    return out->name.key && out->label ? rg_spec_check_name(reader, "dimension", &out->name)
                                       : rg_error_memory(reader->error, lengths[0]);
}

static ridge_status add_dimension(struct rg_spec_reader *reader, const struct range *range)
{
    struct ridge_spec *spec = reader->spec;
    if (spec->dimension_count == RG_MAX_DIMENSIONS) {
        return rg_error_at(reader->error, RIDGE_E_LIMIT, &range->name.key_place, "too many ranges (at most %d)",
                           RG_MAX_DIMENSIONS);
    }
    if (rg_spec_dimension(spec, range->name.key) != SIZE_MAX) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &range->name.key_place,
                           "`%s` has a range already (leave one of the two out)", range->name.key);
    }
    int64_t width = 0;
    if (!rg_subtract_i64(range->stop, range->start, &width) || width / range->step >= MAX_VALUES) {
        return rg_error_at(reader->error, RIDGE_E_LIMIT, &range->name.key_place,
                           "the range of `%s` has too many values (at most %d)", range->name.key, MAX_VALUES);
    }
    struct rg_dimension *dimension = &spec->dimensions[spec->dimension_count];
    const size_t count = (size_t)(width / range->step) + 1;
    *dimension = (struct rg_dimension){
        .name = range->name.key, .type = RIDGE_INT, .count = count, .place = range->name.key_place};
    dimension->values = rg_arena_array(reader->arena, count, sizeof *dimension->values);
    if (!dimension->values) {
        return rg_error_memory(reader->error, count * sizeof *dimension->values);
    }
    for (size_t i = 0; i < count; i++) {
        dimension->values[i] = (struct ridge_value){RIDGE_INT, .as.integer = range->start + (int64_t)i * range->step};
    }
    spec->dimension_count++;
    return RIDGE_OK;
}

/** Read every comment. \param[out] labels  "ipt is TUNE_ITEMS, ..." */
static ridge_status read_lines(struct rg_spec_reader *reader, const char *text, const char **labels)
{
    struct line line = {.text = text, .number = 1};
    for (const char *end; *line.text; line.text = *end ? end + 1 : end, line.number++) {
        struct range range = {.label = "", .step = 1};
        end = line.text + strcspn(line.text, "\n");
        line.end = end;
        line.at = find_marker(line.text, end);
        if (!line.at) {
            continue;
        }
        ridge_status status = read_line(reader, text, &line, &range);
        status = status == RIDGE_OK ? add_dimension(reader, &range) : status;
        if (status != RIDGE_OK) {
            return status;
        }
        *labels = rg_arena_printf(reader->arena, "%s%s%s is %s", *labels, (*labels)[0] ? ", " : "", range.label,
                                  range.name.key);
        if (!*labels) {
            return rg_error_memory(reader->error, 1);
        }
    }
    return RIDGE_OK;
}

ridge_status rg_spec_read_comments(struct rg_spec_reader *reader, const char *text)
{
    struct ridge_spec *spec = reader->spec;
    const char *slash = strrchr(spec->path, '/');
    const char *name = slash ? slash + 1 : spec->path;
    const char *labels = "";
    spec->format = RG_FORMAT_COMMENTS;
    spec->domain = 1;
    spec->kernel = rg_arena_copy(reader->arena, name, (size_t)(strrchr(name, '.') - name));
    spec->dimensions = rg_arena_array(reader->arena, RG_MAX_DIMENSIONS, sizeof *spec->dimensions);
    if (!spec->kernel || !spec->dimensions) {
        return rg_error_memory(reader->error, RG_MAX_DIMENSIONS * sizeof *spec->dimensions);
    }
    spec->kernel = spec->kernel[0] && !rg_has_control_character(spec->kernel) ? spec->kernel : "kernel";
    spec->entry = spec->kernel;
    ridge_status status = read_lines(reader, text, &labels);
    if (status == RIDGE_OK && spec->dimension_count == 0) {
        const struct rg_place place = {.file = spec->path};
        return rg_error_at(
            reader->error, RIDGE_E_VALUE, &place,
            "no comment of this source names a range (write // %%RANGE%% NAME short start:end:step, or give "
            "a kernel.toml)");
    }
    rg_spec_sort_dimensions(spec);
    status = status == RIDGE_OK ? rg_spec_read_params(reader, NULL) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    return rg_spec_add_note(reader, rg_arena_printf(reader->arena, "the space of its %%RANGE%% comments; %s", labels));
}
