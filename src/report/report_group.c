/* SPDX-License-Identifier: MIT */
/** \file A group of runs as JSON and as CSV. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/report_common.h"
#include "ridge/json.h"
#include "space/group.h"

static void write_ratio(struct ridge_json *json, const char *key, const struct ridge_ratio *ratio)
{
    if (isnan(ratio->value)) {
        ridge_json_null(json, key);
        return;
    }
    ridge_json_object_begin_compact(json, key);
    ridge_json_double(json, "value", ratio->value);
    ridge_json_double(json, "low", ratio->low);
    ridge_json_double(json, "high", ratio->high);
    ridge_json_object_end(json);
}

static void write_configuration(struct ridge_json *json, const struct ridge_group *group,
                                const struct ridge_value *values)
{
    ridge_json_object_begin_compact(json, "config");
    for (size_t i = 0; i < group->dimension_count; i++) {
        ridge_json_value(json, group->dimension_names[i], &values[i]);
    }
    ridge_json_object_end(json);
}

static void write_times(struct ridge_json *json, const struct ridge_summary *summary)
{
    ridge_json_double(json, "median_s", summary->median_s);
    if (isnan(summary->ci95_low_s)) {
        ridge_json_null(json, "ci95_s");
    } else {
        ridge_json_array_begin_compact(json, "ci95_s");
        ridge_json_double(json, NULL, summary->ci95_low_s);
        ridge_json_double(json, NULL, summary->ci95_high_s);
        ridge_json_array_end(json);
    }
    ridge_json_u64(json, "n", summary->n);
}

static void write_member(struct ridge_json *json, const struct ridge_group *group,
                         const struct ridge_group_member *member)
{
    const struct ridge_run *run = member->run;
    const struct ridge_record *best = rg_report_best(run);
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "name", member->name);
    ridge_json_double(json, "weight", member->weight);
    ridge_json_i64(json, "run", run->id);
    ridge_json_text(json, "parameters", run->info.parameters);
    ridge_json_text(json, "state", ridge_run_state_word(run->state));
    ridge_json_text(json, "state_text", run->state_text);
    ridge_json_u64(json, "space_count", run->info.space_count);
    ridge_json_u64(json, "measured", run->outcomes[RIDGE_OUTCOME_OK]);
    ridge_json_double(json, "fastest_s", member->fastest_s);
    if (best) {
        ridge_json_object_begin(json, "best");
        ridge_json_text(json, "id", best->id);
        write_configuration(json, group, best->values);
        ridge_json_text(json, "kind", ridge_kind_word(best->kind));
        write_times(json, &best->summary);
        ridge_json_object_end(json);
    } else {
        ridge_json_null(json, "best");
    }
    ridge_json_array_begin(json, "indistinguishable");
    for (size_t i = 1; i < run->tied_count; i++) {
        ridge_json_text(json, NULL, run->records[run->ranked[i]].id);
    }
    ridge_json_array_end(json);
    ridge_json_object_end(json);
}

/** \return the kind of the times of an entry; it has a record. */
static const char *kind_word(const struct ridge_group *group, const struct ridge_group_entry *entry)
{
    size_t i = 0;
    while (i + 1 < group->member_count && !entry->records[i]) {
        i++;
    }
    return ridge_kind_word(entry->records[i]->kind);
}

static void write_entry(struct ridge_json *json, const char *key, const struct ridge_group *group,
                        const struct ridge_group_entry *entry)
{
    ridge_json_object_begin(json, key);
    ridge_json_text(json, "id", entry->id);
    write_configuration(json, group, entry->values);
    ridge_json_text(json, "kind", kind_word(group, entry));
    write_ratio(json, "score", &entry->score);
    write_ratio(json, "over_base", &entry->over_base);
    ridge_json_bool(json, "tied_with_best", entry->tied);
    ridge_json_array_begin(json, "workloads");
    for (size_t i = 0; i < group->member_count; i++) {
        const struct ridge_record *record = entry->records[i];
        static const struct ridge_summary none = {0, (double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN,
                                                  0};
        ridge_json_object_begin_compact(json, NULL);
        ridge_json_text(json, "name", group->members[i].name);
        ridge_json_text(json, "outcome", record ? ridge_outcome_word(record->outcome) : NULL);
        write_times(json, record ? &record->first : &none);
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
    ridge_json_object_end(json);
}

static void write_info(struct ridge_json *json, const struct ridge_group *group)
{
    const struct ridge_run_info *info = &group->members[0].run->info;
    ridge_json_text(json, "schema", "ridge.group/1");
    ridge_json_text(json, "ridge", info->ridge_version);
    ridge_json_i64(json, "group", group->id);
    ridge_json_text(json, "kernel", info->kernel);
    ridge_json_text(json, "backend", info->backend);
    ridge_json_text(json, "device", info->device);
    ridge_json_text(json, "platform", info->platform);
    ridge_json_text(json, "driver", info->driver);
    ridge_json_text(json, "host", info->host);
    ridge_json_text(json, "spec", info->spec_path);
    ridge_json_text(json, "cache", info->cache);
    ridge_json_text(json, "reference", info->reference);
    ridge_json_text(json, "base", group->base_id);
}

ridge_status ridge_report_group_json(const struct ridge_group *group, unsigned flags, struct ridge_sink sink,
                                     struct ridge_error *error)
{
    const struct ridge_group_entry *winner = ridge_group_winner(group);
    struct ridge_json json;
    ridge_json_begin(&json, sink);
    ridge_json_object_begin(&json, NULL);
    write_info(&json, group);
    ridge_json_u64(&json, "workload_count", group->workload_count);
    ridge_json_array_begin(&json, "workloads");
    for (size_t i = 0; i < group->member_count; i++) {
        write_member(&json, group, &group->members[i]);
    }
    ridge_json_array_end(&json);
    ridge_json_object_begin_compact(&json, "configurations_count");
    ridge_json_u64(&json, "all", group->entry_count);
    ridge_json_u64(&json, "scored", group->ranked_count);
    ridge_json_object_end(&json);
    if (winner) {
        write_entry(&json, "best", group, winner);
    } else {
        ridge_json_null(&json, "best");
    }
    ridge_json_array_begin(&json, "indistinguishable");
    for (size_t i = 1; i < group->tied_count; i++) {
        ridge_json_text(&json, NULL, group->entries[i].id);
    }
    ridge_json_array_end(&json);
    if (flags & RIDGE_REPORT_RESULTS) {
        ridge_json_array_begin(&json, "configurations");
        for (size_t i = 0; i < group->entry_count; i++) {
            if (!(flags & RIDGE_REPORT_FAILED) || !group->entries[i].complete) {
                write_entry(&json, NULL, group, &group->entries[i]);
            }
        }
        ridge_json_array_end(&json);
    }
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? RIDGE_OK : rg_report_refused(error);
}

static void put_ratio(struct rg_buffer *row, const struct ridge_ratio *ratio)
{
    rg_csv_number(row, ratio->value);
    rg_csv_number(row, ratio->low);
    rg_csv_number(row, ratio->high);
}

static void put_header(const struct ridge_group *group, struct rg_buffer *name, struct rg_buffer *row)
{
    static const char *const ratios[] = {"score",         "score_low",      "score_high",    "over_base",
                                         "over_base_low", "over_base_high", "tied_with_best"};
    static const char *const columns[] = {"outcome", "median_s", "ci95_low_s", "ci95_high_s", "n"};
    rg_csv_text(row, "id");
    for (size_t i = 0; i < group->dimension_count; i++) {
        bool taken = strcmp(group->dimension_names[i], "id") == 0;
        for (size_t k = 0; k < sizeof ratios / sizeof ratios[0] && !taken; k++) {
            taken = strcmp(group->dimension_names[i], ratios[k]) == 0;
        }
        rg_buffer_clear(name);
        rg_buffer_printf(name, "%s%s", taken ? "dimension." : "", group->dimension_names[i]);
        rg_csv_text(row, rg_buffer_text(name));
    }
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        rg_csv_text(row, ratios[i]);
    }
    for (size_t i = 0; i < group->member_count; i++) {
        for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
            rg_buffer_clear(name);
            rg_buffer_printf(name, "%s.%s", group->members[i].name, columns[k]);
            rg_csv_text(row, rg_buffer_text(name));
        }
    }
}

static void put_entry(const struct ridge_group *group, const struct ridge_group_entry *entry, struct rg_buffer *value,
                      struct rg_buffer *row)
{
    rg_csv_text(row, entry->id);
    for (size_t i = 0; i < group->dimension_count; i++) {
        rg_buffer_clear(value);
        rg_report_value(&entry->values[i], value);
        rg_csv_text(row, rg_buffer_text(value));
    }
    put_ratio(row, &entry->score);
    put_ratio(row, &entry->over_base);
    rg_csv_text(row, entry->tied ? "true" : "false");
    for (size_t i = 0; i < group->member_count; i++) {
        const struct ridge_record *record = entry->records[i];
        rg_csv_text(row, record ? ridge_outcome_word(record->outcome) : "");
        rg_csv_number(row, record ? record->first.median_s : (double)NAN);
        rg_csv_number(row, record ? record->first.ci95_low_s : (double)NAN);
        rg_csv_number(row, record ? record->first.ci95_high_s : (double)NAN);
        rg_csv_number(row, record ? (double)record->first.n : (double)NAN);
    }
}

ridge_status ridge_report_group_csv(const struct ridge_group *group, unsigned flags, struct ridge_sink sink,
                                    struct ridge_error *error)
{
    struct rg_buffer row;
    struct rg_buffer value;
    rg_buffer_init(&row, rg_group_context(group));
    rg_buffer_init(&value, rg_group_context(group));
    put_header(group, &value, &row);
    rg_buffer_puts(&row, "\n");
    ridge_status status = rg_report_emit(&row, sink, error);
    for (size_t i = 0; status == RIDGE_OK && i < group->entry_count; i++) {
        if ((flags & RIDGE_REPORT_FAILED) && group->entries[i].complete) {
            continue;
        }
        rg_buffer_clear(&row);
        put_entry(group, &group->entries[i], &value, &row);
        rg_buffer_puts(&row, "\n");
        row.failed = row.failed || value.failed;
        status = rg_report_emit(&row, sink, error);
    }
    rg_buffer_fini(&row);
    rg_buffer_fini(&value);
    return status;
}
