/* SPDX-License-Identifier: MIT */
/* Files of transform rows (docs/policy.md): every value checked, and held against the others. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "policy/policy.h"
#include "text/fact_files.h"

enum {
    FORMAT = 1
};

/* Stated bytes in flight are rounded to a handy size: within this factor of Little's law they do not contradict it. */
static const double agreement_ratio = 1.5;

struct reader {
    struct rg_fields_reader fields;
    struct ridge_policy_table *table;
};

struct file {
    uint64_t format;
    const struct rg_toml *sources, *row;
};

struct row_text {
    struct rg_policy_row row;
    const struct rg_toml *record;
};

#define ROW(field) offsetof(struct row_text, field)
static const struct rg_field row_items[] = {
    {"name", RG_FIELD_TEXT, true, ROW(row.name), 0, 0},
    {"device", RG_FIELD_TEXT, false, ROW(row.device), 0, 0},
    {"cc_from", RG_FIELD_TEXT, false, ROW(row.from_text), 0, 0},
    {"cc_to", RG_FIELD_TEXT, false, ROW(row.to_text), 0, 0},
    {"min_bytes_in_flight", RG_FIELD_COUNT, true, ROW(row.min_bytes_in_flight), 1, 1 << 30},
    {"kind", RG_FIELD_TEXT, true, ROW(row.kind), 0, 0},
    {"source", RG_FIELD_SOURCE, true, ROW(row.source), 0, 0},
    {"note", RG_FIELD_TEXT, false, ROW(row.note), 0, 0},
    {"multiprocessors", RG_FIELD_COUNT, false, ROW(row.multiprocessors), 1, 65536},
    {"bandwidth_bytes_per_s", RG_FIELD_NUMBER, false, ROW(row.bandwidth_bytes_per_s), 1, 1e15},
    {"memory_latency_s", RG_FIELD_NUMBER, false, ROW(row.memory_latency_s), 1e-12, 1},
    {"smem_limit_bytes", RG_FIELD_COUNT, false, ROW(row.smem_limit_bytes), 1, 16777216},
    {"elements", RG_FIELD_NUMBERS, false, ROW(row.elements), 1, 1e15},
    {"baseline_s", RG_FIELD_NUMBERS, false, ROW(row.baseline_s), 1e-12, 1e6},
    {"record", RG_FIELD_NODE, false, ROW(record), 0, 0},
};
#undef ROW
static const struct rg_fields row_fields = {"[[row]]", row_items, sizeof row_items / sizeof row_items[0]};

static const struct rg_field record_items[] = {
    {"bytes_in_flight", RG_FIELD_COUNT, true, offsetof(struct rg_policy_record, bytes_in_flight), 1, 1 << 30},
    {"speed_up_ratio", RG_FIELD_NUMBERS, true, offsetof(struct rg_policy_record, speed_up_ratio), 1e-6, 1e6},
};
static const struct rg_fields record_fields = {"[[row.record]]", record_items, 2};

static const struct rg_field top_items[] = {
    {"format", RG_FIELD_COUNT, false, offsetof(struct file, format), 0, 1e9},
    {"sources", RG_FIELD_NODE, false, offsetof(struct file, sources), 0, 0},
    {"row", RG_FIELD_NODE, false, offsetof(struct file, row), 0, 0},
};
static const struct rg_fields top_fields = {"a file of policies", top_items, 3};

unsigned rg_capability_number(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    if (digits < 1 || digits > 2 || text[digits] != '.' || text[digits + 1] < '0' || text[digits + 1] > '9' ||
        text[digits + 2] != '\0') {
        return 0;
    }
    unsigned number = 0;
    for (size_t i = 0; i < digits; i++) {
        number = number * 10 + (unsigned)(text[i] - '0');
    }
    return number * 10 + (unsigned)(text[digits + 1] - '0');
}

static ridge_status wrong(const struct reader *reader, const struct rg_toml *table, const char *key, const char *value,
                          const char *right)
{
    const struct rg_toml *node = rg_toml_get(table, key);
    return rg_error_at(reader->fields.error, RIDGE_E_VALUE, node ? &node->place : &table->place, "%s is '%.40s' (%s)",
                       key, value, right);
}

static ridge_status read_range(const struct reader *reader, const struct rg_toml *table, struct rg_policy_row *row)
{
    const bool range = row->from_text && row->to_text;
    if ((row->from_text != NULL) != (row->to_text != NULL) || range == (row->device != NULL)) {
        return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &table->place,
                           "the row '%.60s' is for a device or for a closed range of capabilities (give device, or "
                           "cc_from and cc_to)",
                           row->name);
    }
    if (!range) {
        return RIDGE_OK;
    }
    row->cc_from = rg_capability_number(row->from_text);
    row->cc_to = rg_capability_number(row->to_text);
    if (row->cc_from == 0) {
        return wrong(reader, table, "cc_from", row->from_text, "it is a compute capability, such as 8.6");
    }
    if (row->cc_to == 0) {
        return wrong(reader, table, "cc_to", row->to_text, "it is a compute capability, such as 8.6");
    }
    return row->cc_from <= row->cc_to ? RIDGE_OK
                                      : wrong(reader, table, "cc_to", row->to_text, "it is not below cc_from");
}

static ridge_status read_records(const struct reader *reader, const struct rg_toml *node, struct rg_policy_row *row)
{
    if (node->type != RG_TOML_ARRAY) {
        return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &node->place, "record is %s (write [[row.record]])",
                           rg_toml_type_name(node->type));
    }
    struct rg_policy_record *records = rg_arena_array(reader->fields.arena, node->count + 1, sizeof *records);
    if (!records) {
        return rg_error_memory(reader->fields.error, node->count * sizeof *records);
    }
    for (size_t i = 0; i < node->count; i++) {
        const ridge_status status = rg_fields_read(&reader->fields, &record_fields, &node->children[i], &records[i]);
        if (status != RIDGE_OK) {
            return status;
        }
        if (records[i].speed_up_ratio.count == 0 || records[i].speed_up_ratio.count > row->elements.count) {
            return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &node->children[i].place,
                               "speed_up_ratio has %zu values (one for each of the first of the %zu elements)",
                               records[i].speed_up_ratio.count, row->elements.count);
        }
    }
    row->records = records;
    row->record_count = node->count;
    return RIDGE_OK;
}

/** \return the geometric mean of the first `count` speed-ups. */
static double score(const struct rg_policy_record *record, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += log(record->speed_up_ratio.items[i]);
    }
    return exp(sum / (double)count);
}

/** The bytes in flight of a row must be those of its best record, over the sizes that both were measured at. */
static ridge_status check_records(const struct reader *reader, const struct rg_toml *table,
                                  const struct rg_policy_row *row)
{
    const struct rg_policy_record *own = NULL;
    for (size_t i = 0; i < row->record_count; i++) {
        own = row->records[i].bytes_in_flight == row->min_bytes_in_flight ? &row->records[i] : own;
    }
    for (size_t i = 0; own && i < row->record_count; i++) {
        const struct rg_policy_record *other = &row->records[i];
        const size_t count = own->speed_up_ratio.count < other->speed_up_ratio.count ? own->speed_up_ratio.count
                                                                                     : other->speed_up_ratio.count;
        if (score(other, count) > score(own, count)) {
            own = NULL;
        }
    }
    if (row->record_count == 0 || own) {
        return RIDGE_OK;
    }
    return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &rg_toml_get(table, "min_bytes_in_flight")->place,
                       "min_bytes_in_flight of the row '%.60s' is not that of its fastest record (one of the two is "
                       "wrong)",
                       row->name);
}

/** Bandwidth a multiprocessor times latency must come to the bytes in flight, where the row states all of them. */
static ridge_status check_law(const struct reader *reader, const struct rg_toml *table, const struct rg_policy_row *row)
{
    if (row->multiprocessors == 0 || !(row->bandwidth_bytes_per_s > 0) || !(row->memory_latency_s > 0)) {
        return RIDGE_OK;
    }
    const double law = row->bandwidth_bytes_per_s / (double)row->multiprocessors * row->memory_latency_s;
    const double ratio = law / (double)row->min_bytes_in_flight;
    if (ratio <= agreement_ratio && ratio >= 1 / agreement_ratio) {
        return RIDGE_OK;
    }
    return rg_error_at(
        reader->fields.error, RIDGE_E_VALUE, &rg_toml_get(table, "multiprocessors")->place,
        "the row '%.60s' contradicts itself: bandwidth_bytes_per_s / multiprocessors * memory_latency_s is "
        "%.0f bytes, and min_bytes_in_flight %llu (one of the four is wrong)",
        row->name, law, (unsigned long long)row->min_bytes_in_flight);
}

static ridge_status check_kind(const struct reader *reader, const struct rg_toml *table,
                               const struct rg_policy_row *row)
{
    static const char *const kinds[] = {"stated", "recorded", "measured", "estimated"};
    for (size_t i = 0; i < 4; i++) {
        if (strcmp(row->kind, kinds[i]) == 0) {
            return RIDGE_OK;
        }
    }
    return wrong(reader, table, "kind", row->kind, "it is stated, recorded, measured or estimated");
}

/** Put a row into the table; one of an earlier file with its name gives way. */
static ridge_status put(struct reader *reader, struct rg_policy_row *row)
{
    struct ridge_policy_table *table = reader->table;
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(table->rows[i]->name, row->name) != 0) {
            continue;
        }
        if (table->rows[i]->file == row->file) {
            return rg_error_at(reader->fields.error, RIDGE_E_VALUE, &row->place,
                               "the name '%.60s' stands twice (first in line %u)", row->name,
                               table->rows[i]->place.line);
        }
        table->rows[i] = row;
        return RIDGE_OK;
    }
    if (table->count == RG_MAX_POLICY_ROWS) {
        return rg_error_at(reader->fields.error, RIDGE_E_LIMIT, &row->place, "too many rows (at most %d)",
                           RG_MAX_POLICY_ROWS);
    }
    table->rows[table->count++] = row;
    return RIDGE_OK;
}

static ridge_status read_row(struct reader *reader, const struct rg_toml *table)
{
    struct row_text *text = rg_arena_alloc(reader->fields.arena, sizeof *text);
    if (!text) {
        return rg_error_memory(reader->fields.error, sizeof *text);
    }
    struct rg_policy_row *row = &text->row;
    row->place = table->place;
    row->file = reader->table->files;
    ridge_status status = rg_fields_read(&reader->fields, &row_fields, table, text);
    status = status == RIDGE_OK ? check_kind(reader, table, row) : status;
    status = status == RIDGE_OK ? read_range(reader, table, row) : status;
    status = status == RIDGE_OK && text->record ? read_records(reader, text->record, row) : status;
    status = status == RIDGE_OK ? check_records(reader, table, row) : status;
    status = status == RIDGE_OK ? check_law(reader, table, row) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    const struct rg_toml *multiprocessors = rg_toml_get(table, "multiprocessors");
    const struct rg_toml *bandwidth = rg_toml_get(table, "bandwidth_bytes_per_s");
    row->multiprocessors_place = multiprocessors ? multiprocessors->place : row->place;
    row->bandwidth_place = bandwidth ? bandwidth->place : row->place;
    return put(reader, row);
}

ridge_status rg_policy_read(struct ridge_policy_table *table, const char *name, const char *text, size_t length,
                            struct ridge_error *error)
{
    const struct rg_toml *root = NULL;
    struct file file = {.format = 0};
    struct reader reader = {{&table->arena, NULL, error}, table};
    ridge_status status = rg_toml_read(&table->arena, name, text, length, &root, error);
    status = status == RIDGE_OK ? rg_fields_read(&reader.fields, &top_fields, root, &file) : status;
    if (status == RIDGE_OK && file.format != FORMAT) {
        const struct rg_place top = {name, text, 1, 1, 0};
        status =
            rg_error_at(error, RIDGE_E_VALUE, &top,
                        "this is not a file of policies of format %d (its first line is format = %d)", FORMAT, FORMAT);
    }
    if (status == RIDGE_OK && file.row && file.row->type != RG_TOML_ARRAY) {
        status = rg_error_at(error, RIDGE_E_VALUE, &file.row->place, "row is %s (write [[row]])",
                             rg_toml_type_name(file.row->type));
    }
    reader.fields.sources = file.sources;
    for (size_t i = 0; status == RIDGE_OK && file.row && i < file.row->count; i++) {
        status = read_row(&reader, &file.row->children[i]);
    }
    table->files++;
    return status;
}

/** A row of a later file goes before those of earlier ones; within a file there must be no choice. */
static bool overlap(const struct rg_policy_row *a, const struct rg_policy_row *b)
{
    if (a->file != b->file) {
        return false;
    }
    if (a->device || b->device) {
        return a->device && b->device && strcmp(a->device, b->device) == 0;
    }
    return a->cc_from <= b->cc_to && b->cc_from <= a->cc_to;
}

ridge_status rg_policy_check(const struct ridge_policy_table *table, struct ridge_error *error)
{
    for (size_t i = 0; i < table->count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (overlap(table->rows[i], table->rows[k])) {
                return rg_error_at(error, RIDGE_E_VALUE, &table->rows[i]->place,
                                   "the rows '%.80s' and '%.80s' are for one and the same chip (narrow device, cc_from "
                                   "or cc_to of one)",
                                   table->rows[i]->name, table->rows[k]->name);
            }
        }
    }
    return RIDGE_OK;
}

static ridge_status read_file(void *user, const char *name, const char *text, size_t length, struct ridge_error *error)
{
    return rg_policy_read(user, name, text, length, error);
}

ridge_status ridge_policy_table_create(const struct ridge_context *context, const char *path,
                                       struct ridge_policy_table **out, struct ridge_error *error)
{
    struct ridge_policy_table *table = rg_alloc(context, sizeof *table);
    if (!table) {
        return rg_error_memory(error, sizeof *table);
    }
    table->context = context;
    rg_arena_init(&table->arena, context);
    const struct rg_fact_files files = {"policy", rg_policy_files, path, read_file, table};
    ridge_status status = rg_fact_files_read(&files, &table->arena, error);
    status = status == RIDGE_OK ? rg_policy_check(table, error) : status;
    if (status != RIDGE_OK) {
        ridge_policy_table_destroy(table);
        return status;
    }
    *out = table;
    return RIDGE_OK;
}

void ridge_policy_table_destroy(struct ridge_policy_table *table)
{
    if (table) {
        rg_arena_fini(&table->arena);
        rg_free(table->context, table, sizeof *table);
    }
}
