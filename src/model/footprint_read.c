/* SPDX-License-Identifier: MIT */
/* Files of footprint calibrations (docs/footprint.md): every value checked, and the points against the slope. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "model/footprint.h"

enum {
    FORMAT = 1
};

/** Points are written with three decimals. */
static const double rounding_ratio = 0.0006;

struct reader {
    struct rg_fields_reader fields;
    struct ridge_footprint_db *db;
};

struct file {
    uint64_t format;
    const struct rg_toml *sources, *family, *calibration;
};

/** A series and a calibration as the fields give them, before they become what is public. */
struct series_text {
    struct ridge_footprint_series series;
    const char *role;
    struct rg_numbers bytes, relative;
};

struct calibration_text {
    struct ridge_footprint footprint;
    const struct rg_toml *series, *wrong;
};

#define SERIES(field) offsetof(struct series_text, field)
static const struct rg_field series_items[] = {
    {"label", RG_FIELD_TEXT, true, SERIES(series.label), 0, 0},
    {"how", RG_FIELD_TEXT, false, SERIES(series.how), 0, 0},
    {"role", RG_FIELD_TEXT, true, SERIES(role), 0, 0},
    {"bytes", RG_FIELD_NUMBERS, true, SERIES(bytes), 1, 1e15},
    {"relative", RG_FIELD_NUMBERS, true, SERIES(relative), 1e-9, 1e9},
};
#undef SERIES
static const struct rg_fields series_fields = {"[[calibration.series]]", series_items, 5};

#define WRONG(field) offsetof(struct ridge_footprint_wrong, field)
static const struct rg_field wrong_items[] = {
    {"what", RG_FIELD_TEXT, true, WRONG(what), 0, 0},
    {"predicted_ratio", RG_FIELD_NUMBER, true, WRONG(predicted_ratio), 0, 1e6},
    {"measured_ratio", RG_FIELD_NUMBER, true, WRONG(measured_ratio), 0, 1e6},
    {"note", RG_FIELD_TEXT, false, WRONG(note), 0, 0},
};
#undef WRONG
static const struct rg_fields wrong_fields = {"[[calibration.wrong]]", wrong_items, 4};

#define CALIBRATION(field) offsetof(struct calibration_text, field)
static const struct rg_field calibration_items[] = {
    {"name", RG_FIELD_TEXT, true, CALIBRATION(footprint.name), 0, 0},
    {"family", RG_FIELD_TEXT, false, CALIBRATION(footprint.family), 0, 0},
    {"device", RG_FIELD_TEXT, false, CALIBRATION(footprint.device), 0, 0},
    {"kind", RG_FIELD_TEXT, true, CALIBRATION(footprint.kind), 0, 0},
    {"source", RG_FIELD_SOURCE, true, CALIBRATION(footprint.source), 0, 0},
    {"scope", RG_FIELD_TEXT, true, CALIBRATION(footprint.scope), 0, 0},
    {"note", RG_FIELD_TEXT, false, CALIBRATION(footprint.note), 0, 0},
    {"slope_ratio", RG_FIELD_NUMBER, true, CALIBRATION(footprint.slope_ratio), -1e9, 1e9},
    {"dead_band_ratio", RG_FIELD_NUMBER, true, CALIBRATION(footprint.dead_band_ratio), 0, 1e9},
    {"fit_error_ratio", RG_FIELD_NUMBER, true, CALIBRATION(footprint.fit_error_ratio), 0, 1e9},
    {"held_out_error_ratio", RG_FIELD_NUMBER, false, CALIBRATION(footprint.held_out_error_ratio), 0, 1e9},
    {"bound_ratio", RG_FIELD_NUMBER, true, CALIBRATION(footprint.bound_ratio), 0, 1e9},
    {"series", RG_FIELD_NODE, true, CALIBRATION(series), 0, 0},
    {"wrong", RG_FIELD_NODE, false, CALIBRATION(wrong), 0, 0},
};
#undef CALIBRATION
static const struct rg_fields calibration_fields = {"[[calibration]]", calibration_items,
                                                    sizeof calibration_items / sizeof calibration_items[0]};

#define FAMILY(field) offsetof(struct rg_footprint_family, field)
static const struct rg_field family_items[] = {
    {"name", RG_FIELD_TEXT, true, FAMILY(name), 0, 0},
    {"vendor", RG_FIELD_TEXT, false, FAMILY(vendor), 0, 0},
    {"words", RG_FIELD_TEXTS, true, FAMILY(words), 0, 0},
    {"unknown", RG_FIELD_TEXT, false, FAMILY(unknown), 0, 0},
};
#undef FAMILY
static const struct rg_fields family_fields = {"[[family]]", family_items, 4};

#define TOP(field) offsetof(struct file, field)
static const struct rg_field top_items[] = {
    {"format", RG_FIELD_COUNT, false, TOP(format), 0, 1e9},
    {"sources", RG_FIELD_NODE, false, TOP(sources), 0, 0},
    {"family", RG_FIELD_NODE, false, TOP(family), 0, 0},
    {"calibration", RG_FIELD_NODE, false, TOP(calibration), 0, 0},
};
#undef TOP
static const struct rg_fields top_fields = {"a file of calibrations", top_items, 4};

/** Check that a series is one, and say which point is not. */
static ridge_status check_series(const struct reader *reader, const struct rg_toml *table,
                                 const struct series_text *text)
{
    const struct rg_toml *bytes = rg_toml_get(table, "bytes");
    const struct rg_toml *relative = rg_toml_get(table, "relative");
    const struct rg_toml *role = rg_toml_get(table, "role");
    if (text->bytes.count < 2 || text->bytes.count != text->relative.count) {
        return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &relative->place,
                           "bytes has %zu values and relative %zu (as many, and at least two: a baseline and a point)",
                           text->bytes.count, text->relative.count);
    }
    for (size_t i = 1; i < text->bytes.count; i++) {
        if (text->bytes.items[i] <= text->bytes.items[i - 1]) {
            return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &bytes->children[i].place,
                               "bytes do not ascend (the smallest footprint is the baseline and comes first)");
        }
    }
    if (fabs(text->relative.items[0] - 1) > rounding_ratio) {
        return rg_error_at(
            reader->fields.error, RIDGE_E_VALUE, &relative->children[0].place,
            "the first value of relative is not 1 (it is the baseline that the others are held against)");
    }
    if (strcmp(text->role, "fitted") != 0 && strcmp(text->role, "held-out") != 0) {
        return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &role->place,
                           "role is '%.40s' (it is \"fitted\" or \"held-out\")", text->role);
    }
    return RIDGE_OK;
}

static ridge_status read_series(struct reader *reader, const struct rg_toml *table, struct ridge_footprint_series *out)
{
    struct series_text text = {.role = ""};
    ridge_status status = rg_fields_read(&reader->fields, &series_fields, table, &text);
    status = status == RIDGE_OK ? check_series(reader, table, &text) : status;
    *out = text.series;
    out->held_out = strcmp(text.role, "held-out") == 0;
    out->count = text.bytes.count;
    out->bytes = text.bytes.items;
    out->relative = text.relative.items;
    return status;
}

/** Make room for what an array of tables says. */
static ridge_status array_of(struct reader *reader, const struct rg_toml *node, const char *key, size_t element_bytes,
                             void **out)
{
    if (node->type != RG_TOML_ARRAY) {
        return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &node->place, "%s is %s (write [[%s]])", key,
                           rg_toml_type_name(node->type), key);
    }
    *out = rg_arena_array(reader->fields.arena, node->count + 1, element_bytes);
    return *out ? RIDGE_OK : rg_error_memory(reader->fields.error, node->count * element_bytes);
}

static ridge_status read_all_series(struct reader *reader, const struct rg_toml *node, struct ridge_footprint *out)
{
    void *room = NULL;
    ridge_status status = array_of(reader, node, "calibration.series", sizeof(struct ridge_footprint_series), &room);
    struct ridge_footprint_series *series = room;
    for (size_t i = 0; status == RIDGE_OK && series && i < node->count; i++) {
        status = read_series(reader, &node->children[i], &series[i]);
    }
    out->series = series;
    out->series_count = series ? node->count : 0;
    return status;
}

static ridge_status read_all_wrong(struct reader *reader, const struct rg_toml *node, struct ridge_footprint *out)
{
    void *room = NULL;
    ridge_status status = array_of(reader, node, "calibration.wrong", sizeof(struct ridge_footprint_wrong), &room);
    struct ridge_footprint_wrong *wrong = room;
    for (size_t i = 0; status == RIDGE_OK && wrong && i < node->count; i++) {
        status = rg_fields_read(&reader->fields, &wrong_fields, &node->children[i], &wrong[i]);
    }
    out->wrong = wrong;
    out->wrong_count = wrong ? node->count : 0;
    return status;
}

/** Hold the points against the slope and the errors that the calibration states. */
static ridge_status check_points(const struct reader *reader, const struct rg_toml *table,
                                 const struct calibration_text *text)
{
    const struct ridge_footprint *footprint = &text->footprint;
    bool fitted = false;
    bool held_out = false;
    for (size_t i = 0; i < footprint->series_count; i++) {
        const struct ridge_footprint_series *series = &footprint->series[i];
        const char *field = series->held_out ? "held_out_error_ratio" : "fit_error_ratio";
        const double stated = series->held_out ? footprint->held_out_error_ratio : footprint->fit_error_ratio;
        const double residual = rg_footprint_residual(footprint, series);
        fitted = fitted || !series->held_out;
        held_out = held_out || series->held_out;
        if (!(residual <= stated + rounding_ratio)) {
            return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &text->series->children[i].place,
                               "the points of '%.60s' are up to %.3f from the slope_ratio %g, and %s states %g (one of "
                               "the three is wrong)",
                               series->label, residual, footprint->slope_ratio, field, stated);
        }
    }
    if (!fitted) {
        return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &table->place,
                           "the calibration has no fitted series (role = \"fitted\")");
    }
    if (!held_out && !isnan(footprint->held_out_error_ratio)) {
        return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &table->place,
                           "held_out_error_ratio is given and no series is held out (role = \"held-out\")");
    }
    return RIDGE_OK;
}

static ridge_status check_words(const struct reader *reader, const struct rg_toml *table,
                                const struct ridge_footprint *footprint)
{
    if (!footprint->family == !footprint->device) {
        return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &table->place,
                           "[[calibration]] is for a family or for a device (give one of the two)");
    }
    if (strcmp(footprint->kind, "recorded") != 0 && strcmp(footprint->kind, "measured") != 0) {
        return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &rg_toml_get(table, "kind")->place,
                           "kind is '%.40s' (it is \"recorded\" or \"measured\")", footprint->kind);
    }
    return RIDGE_OK;
}

/** Put a calibration into the database; one with its name, device and family gives way. */
static ridge_status put(struct reader *reader, const struct rg_toml *table, const struct ridge_footprint *footprint)
{
    struct ridge_footprint_db *db = reader->db;
    for (size_t i = 0; i < db->count; i++) {
        if (strcmp(db->footprints[i]->name, footprint->name) == 0) {
            db->footprints[i] = footprint;
            return RIDGE_OK;
        }
    }
    if (db->count == RG_MAX_FOOTPRINTS) {
        return rg_error_at(reader->fields.error, RIDGE_E_LIMIT, &table->place, "too many calibrations (at most %d)",
                           RG_MAX_FOOTPRINTS);
    }
    db->footprints[db->count++] = footprint;
    return RIDGE_OK;
}

static ridge_status read_calibration(struct reader *reader, const struct rg_toml *table)
{
    struct calibration_text *text = rg_arena_alloc(reader->fields.arena, sizeof *text);
    if (!text) {
        return rg_error_memory(reader->fields.error, sizeof *text);
    }
    text->footprint.held_out_error_ratio = (double)NAN;
    ridge_status status = rg_fields_read(&reader->fields, &calibration_fields, table, text);
    status = status == RIDGE_OK ? check_words(reader, table, &text->footprint) : status;
    status = status == RIDGE_OK ? read_all_series(reader, text->series, &text->footprint) : status;
    status = status == RIDGE_OK && text->wrong ? read_all_wrong(reader, text->wrong, &text->footprint) : status;
    status = status == RIDGE_OK ? check_points(reader, table, text) : status;
    return status == RIDGE_OK ? put(reader, table, &text->footprint) : status;
}

static ridge_status read_family(struct reader *reader, const struct rg_toml *table)
{
    struct ridge_footprint_db *db = reader->db;
    struct rg_footprint_family family = {.name = NULL};
    const ridge_status status = rg_fields_read(&reader->fields, &family_fields, table, &family);
    if (status != RIDGE_OK) {
        return status;
    }
    size_t at = 0;
    while (at < db->family_count && strcmp(db->families[at].name, family.name) != 0) {
        at++;
    }
    if (at == RG_MAX_FAMILIES) {
        return rg_error_at(reader->fields.error, RIDGE_E_LIMIT, &table->place, "too many families (at most %d)",
                           RG_MAX_FAMILIES);
    }
    db->families[at] = family;
    db->family_count += at == db->family_count;
    return RIDGE_OK;
}

static ridge_status read_each(struct reader *reader, const struct rg_toml *array, const char *key,
                              ridge_status (*read)(struct reader *, const struct rg_toml *))
{
    if (array && array->type != RG_TOML_ARRAY) {
        return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &array->key_place, "'%s' is %s (write [[%s]])", key,
                           rg_toml_type_name(array->type), key);
    }
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; array && i < array->count && status == RIDGE_OK; i++) {
        status = read(reader, &array->children[i]);
    }
    return status;
}

ridge_status rg_footprint_read(struct ridge_footprint_db *db, const char *name, const char *text, size_t length,
                               struct ridge_error *error)
{
    const struct rg_toml *root = NULL;
    struct file file = {.format = 0};
    struct reader reader = {{&db->arena, NULL, error}, db};
    ridge_status status = rg_toml_read(&db->arena, name, text, length, &root, error);
    status = status == RIDGE_OK ? rg_fields_read(&reader.fields, &top_fields, root, &file) : status;
    if (status == RIDGE_OK && file.format != FORMAT) {
        const struct rg_place top = {name, text, 1, 1, 0};
        status = rg_error_at(error, RIDGE_E_VALUE, &top,
                             "this is not a file of calibrations of format %d (its first line is format = %d)", FORMAT,
                             FORMAT);
    }
    reader.fields.sources = file.sources;
    status = status == RIDGE_OK ? read_each(&reader, file.family, "family", read_family) : status;
    return status == RIDGE_OK ? read_each(&reader, file.calibration, "calibration", read_calibration) : status;
}
