/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/page.h"
#include "report/report_common.h"
#include "report/report_units.h"
#include "space/group.h"
#include "text/columns.h"

enum {
    DEFAULT_LIMIT = 10,
    INDENT = 2
};

/** A report of a group while it is written. Memory that runs out is remembered in page.text.failed. */
struct report {
    const struct ridge_group *group;
    struct rg_page page;
    struct rg_arena arena;
    size_t limit;
};

/** Formatted text in the arena, "" when memory is out. */
#define text_of(report, ...) keep((report), rg_arena_printf(&(report)->arena, __VA_ARGS__))

static const char *keep(struct report *report, const char *text)
{
    report->page.text.failed = report->page.text.failed || !text;
    return text ? text : "";
}

static void heading(struct report *report, rg_style style, const char *title, const char *rest)
{
    rg_buffer_puts(&report->page.text, "\n");
    rg_page_text(&report->page, style, title);
    rg_page_wrap(&report->page, rest, rg_columns(title), INDENT);
}

static void paragraph(struct report *report, const char *text)
{
    rg_page_spaces(&report->page, INDENT);
    rg_page_wrap(&report->page, text, INDENT, INDENT);
}

/** A configuration on one line, in the arena. The runs have the same dimensions. */
static const char *configuration_text(struct report *report, const struct ridge_record *record)
{
    struct rg_buffer buffer;
    rg_buffer_init(&buffer, report->arena.context);
    rg_report_configuration(report->group->members[0].run, record, &buffer);
    report->page.text.failed = report->page.text.failed || buffer.failed;
    const char *text = keep(report, rg_arena_strdup(&report->arena, rg_buffer_text(&buffer)));
    rg_buffer_fini(&buffer);
    return text;
}

/** "0.982 (0.970-0.991)", or without the interval where it is not known, or "-". */
static const char *ratio_text(struct report *report, const struct ridge_ratio *ratio)
{
    if (isnan(ratio->value)) {
        return "-";
    }
    if (isnan(ratio->low)) {
        return text_of(report, "%.3f (unknown)", ratio->value);
    }
    return text_of(report, "%.3f (%.3f-%.3f)", ratio->value, ratio->low, ratio->high);
}

/** \return the kind of the times. There is a winner. */
static const char *kind_word(const struct ridge_group *group)
{
    return ridge_kind_word(ridge_group_winner(group)->records[0]->kind);
}

static const char *duration_text(struct report *report, double seconds)
{
    char text[RIDGE_NUMBER_BYTES];
    ridge_duration_format(seconds, text);
    return text_of(report, "%s", text);
}

static void write_head(struct report *report)
{
    const struct ridge_group *group = report->group;
    const struct ridge_run_info *info = &group->members[0].run->info;
    rg_page_text(&report->page, RG_BOLD, info->kernel);
    rg_page_wrap(&report->page, text_of(report, " on %s (%s)", info->device, info->backend), rg_columns(info->kernel),
                 INDENT);
    paragraph(report,
              text_of(report, "group g%lld of %s: %zu workload%s, one run each", (long long)group->id,
                      rg_report_time(group->members[0].run), group->member_count, group->member_count == 1 ? "" : "s"));
    paragraph(report,
              text_of(report, "%s%s%s on %s", info->platform, info->platform[0] ? ", " : "", info->driver, info->host));
    paragraph(report, text_of(report, "%s cache, outputs checked against: %s", info->cache, info->reference));
}

/** The table of the workloads: each with its own best. */
static void write_members(struct report *report)
{
    static const char *const titles[] = {"workload", "weight",        "run",         "measured",
                                         "best",     "95 % interval", "winner there"};
    enum {
        COLUMNS = sizeof titles / sizeof titles[0]
    };
    const struct ridge_group *group = report->group;
    const struct ridge_group_entry *winner = ridge_group_winner(group);
    struct rg_table table;
    heading(report, RG_BOLD, "Best of each workload", winner ? text_of(report, " (%s)", kind_word(group)) : "");
    rg_table_init(&table, &report->arena, group->member_count + 1, winner ? COLUMNS : COLUMNS - 1);
    for (size_t i = 0; i < table.column_count; i++) {
        rg_table_set(&table, 0, i, titles[i]);
    }
    for (size_t i = 0; i < group->member_count; i++) {
        const struct ridge_group_member *member = &group->members[i];
        const struct ridge_run *run = member->run;
        const struct ridge_record *best = rg_report_best(run);
        char interval[RG_INTERVAL_BYTES] = "-";
        if (best) {
            rg_interval_format(&best->summary, interval);
        }
        rg_table_set(&table, i + 1, 0, member->name);
        rg_table_set(&table, i + 1, 1, text_of(report, "%g", member->weight));
        rg_table_set(&table, i + 1, 2, text_of(report, "%lld", (long long)run->id));
        rg_table_set(&table, i + 1, 3,
                     text_of(report, "%llu of %llu", (unsigned long long)run->outcomes[RIDGE_OUTCOME_OK],
                             (unsigned long long)run->info.space_count));
        rg_table_set(&table, i + 1, 4, best ? duration_text(report, best->summary.median_s) : "-");
        rg_table_set(&table, i + 1, 5, interval);
        if (winner) {
            const double ratio = member->fastest_s / winner->records[i]->first.median_s;
            rg_table_set(&table, i + 1, 6, text_of(report, "%.3f", ratio));
        }
        if (best && !table.failed) {
            table.below[i + 1] = text_of(
                report, "%s%s", configuration_text(report, best),
                run->tied_count > 1 ? text_of(report, " (and %zu indistinguishable)", run->tied_count - 1) : "");
        }
    }
    for (size_t i = 1; i < table.column_count && !table.failed; i++) {
        table.right[i] = i != 5;
    }
    rg_table_measure(&table);
    rg_table_write(&table, &report->page, INDENT);
    if (winner) {
        paragraph(report, "winner there: the best time of the workload over that of the overall winner (first pass).");
    }
}

static void write_tied(struct report *report)
{
    const size_t others = report->group->tied_count - 1;
    if (report->group->ranked_count < 2) {
        return;
    }
    if (others == 0) {
        paragraph(report, "No other configuration is indistinguishable from it over all workloads.");
        return;
    }
    paragraph(report,
              text_of(report,
                      "%zu other configuration%s indistinguishable from it over all workloads (marked 1= below): "
                      "these runs do not say which is best.",
                      others, others == 1 ? " is" : "s are"));
}

/** What the winner gains over the base. */
static void write_base(struct report *report, const struct ridge_group_entry *winner)
{
    const struct ridge_group *group = report->group;
    for (size_t i = 0; group->base_id && i < group->ranked_count; i++) {
        if (strcmp(group->entries[i].id, group->base_id) == 0) {
            paragraph(report, text_of(report, "%s times as fast as the base %s", ratio_text(report, &winner->over_base),
                                      configuration_text(report, group->entries[i].records[0])));
            return;
        }
    }
    if (group->base_id) {
        paragraph(report, text_of(report, "The base %s was not measured with every workload.", group->base_id));
    }
}

static void write_winner(struct report *report)
{
    const struct ridge_group *group = report->group;
    const struct ridge_group_entry *winner = ridge_group_winner(group);
    if (!winner) {
        heading(report, RG_BAD, "No configuration is best overall:", " none was measured with every workload.");
        if (group->member_count < group->workload_count) {
            paragraph(report,
                      text_of(report, "%zu of the %zu workloads of the spec were run (ridge tune --resume goes on).",
                              group->member_count, group->workload_count));
        }
        return;
    }
    heading(report, RG_GOOD, "Best overall", text_of(report, " (%s)", kind_word(group)));
    paragraph(report, configuration_text(report, winner->records[0]));
    paragraph(report, text_of(report, "score %s", ratio_text(report, &winner->score)));
    write_base(report, winner);
    paragraph(report, winner->id);
    write_tied(report);
}

enum {
    COLUMN_RANK,
    COLUMN_SCORE,
    COLUMN_BASE
};

static void fill_row(struct report *report, struct rg_table *table, size_t place, bool dimensions)
{
    const struct ridge_group *group = report->group;
    const struct ridge_group_entry *entry = &group->entries[place];
    const size_t row = place + 1;
    size_t column = COLUMN_BASE;
    const bool joint = group->tied_count > 1 && place < group->tied_count;
    rg_table_set(table, row, COLUMN_RANK, joint ? "1=" : text_of(report, "%zu", place + 1));
    rg_table_set(table, row, COLUMN_SCORE, ratio_text(report, &entry->score));
    if (group->base_id) {
        rg_table_set(table, row, column++, ratio_text(report, &entry->over_base));
    }
    for (size_t i = 0; i < group->member_count; i++) {
        rg_table_set(table, row, column++, duration_text(report, entry->records[i]->first.median_s));
    }
    if (!dimensions) {
        table->below[row] = configuration_text(report, entry->records[0]);
        return;
    }
    struct rg_buffer value;
    rg_buffer_init(&value, report->arena.context);
    for (size_t i = 0; i < group->dimension_count; i++) {
        rg_buffer_clear(&value);
        rg_report_value(&entry->values[i], &value);
        table->failed = table->failed || value.failed;
        rg_table_set(table, row, column++, rg_buffer_text(&value));
    }
    rg_buffer_fini(&value);
}

static void fill_ranking(struct report *report, struct rg_table *table, size_t shown, bool dimensions)
{
    const struct ridge_group *group = report->group;
    const size_t times = (size_t)COLUMN_BASE + (group->base_id ? 1U : 0U);
    const size_t values = times + group->member_count;
    rg_table_init(table, &report->arena, shown + 1, values + (dimensions ? group->dimension_count : 0));
    rg_table_set(table, 0, COLUMN_RANK, "rank");
    rg_table_set(table, 0, COLUMN_SCORE, "score");
    if (group->base_id) {
        rg_table_set(table, 0, COLUMN_BASE, "over base");
    }
    for (size_t i = times; i < table->column_count; i++) {
        rg_table_set(table, 0, i, i < values ? group->members[i - times].name : group->dimension_names[i - values]);
    }
    for (size_t place = 0; place < shown && !table->failed; place++) {
        fill_row(report, table, place, dimensions);
    }
    for (size_t i = 0; i < table->column_count && !table->failed; i++) {
        table->right[i] = i == COLUMN_RANK || (i >= times && i < values) ||
                          (i >= values && group->entries[0].values[i - values].type != RIDGE_TEXT);
    }
}

static void write_ranking(struct report *report)
{
    const struct ridge_group *group = report->group;
    const size_t shown = group->ranked_count < report->limit ? group->ranked_count : report->limit;
    if (shown == 0) {
        return;
    }
    heading(report, RG_BOLD, "Overall",
            text_of(report, " %zu of %zu (%s, first pass)", shown, group->ranked_count, kind_word(group)));
    struct rg_table table;
    fill_ranking(report, &table, shown, true);
    if (INDENT + rg_table_measure(&table) > report->page.width) {
        fill_ranking(report, &table, shown, false);
        rg_table_measure(&table);
    }
    rg_table_write(&table, &report->page, INDENT);
    paragraph(report,
              "score: over the workloads, the weighted geometric mean of the fastest time over its own; 1 is the "
              "fastest with every workload. In brackets what the 95 % intervals allow.");
    if (group->tied_count > shown) {
        paragraph(report,
                  text_of(report, "and %zu more that are indistinguishable from the best (ridge show g%lld --json)",
                          group->tied_count - shown, (long long)group->id));
    }
}

/** Why a configuration that is not complete has no score, of one workload. */
static const char *missing_word(const struct ridge_group_member *member, const struct ridge_record *record)
{
    if (record) {
        return ridge_outcome_word(record->outcome);
    }
    return member->run->state == RIDGE_RUN_COMPLETE ? "not in the space" : "not tried";
}

/** Count, for one workload, the configurations without a score by the reason. */
static const char *missing_text(struct report *report, size_t at)
{
    const struct ridge_group *group = report->group;
    const struct ridge_group_member *member = &group->members[at];
    const char *words[RIDGE_OUTCOME_COUNT + 1];
    size_t counts[RIDGE_OUTCOME_COUNT + 1];
    size_t kinds = 0;
    for (size_t i = group->ranked_count; i < group->entry_count; i++) {
        const struct ridge_record *record = group->entries[i].records[at];
        if (record && record->outcome == RIDGE_OUTCOME_OK) {
            continue;
        }
        const char *word = missing_word(member, record);
        size_t kind = 0;
        while (kind < kinds && words[kind] != word) {
            kind++;
        }
        if (kind == kinds) {
            words[kinds] = word;
            counts[kinds++] = 0;
        }
        counts[kind]++;
    }
    const char *text = "";
    for (size_t kind = 0; kind < kinds; kind++) {
        text = text_of(report, "%s%s%zu %s", text, kind > 0 ? ", " : "", counts[kind], words[kind]);
    }
    return text;
}

static void write_missing(struct report *report)
{
    const struct ridge_group *group = report->group;
    const size_t missing = group->entry_count - group->ranked_count;
    if (missing == 0) {
        return;
    }
    heading(report, RG_BAD, "No score:",
            text_of(report, " %zu of %zu configurations %s not measured with every workload", missing,
                    group->entry_count, missing == 1 ? "was" : "were"));
    for (size_t i = 0; i < group->member_count; i++) {
        const char *text = missing_text(report, i);
        if (text[0]) {
            paragraph(report, text_of(report, "%s: %s", group->members[i].name, text));
        }
    }
}

/** Runs that ended early, and their warnings by number. */
static void write_runs(struct report *report)
{
    const struct ridge_group *group = report->group;
    heading(report, RG_BOLD, "Runs", text_of(report, " (ridge show N has each)"));
    for (size_t i = 0; i < group->member_count; i++) {
        const struct ridge_run *run = group->members[i].run;
        const bool drifted = run->drift_ratio >= 1.05;
        const size_t notes = run->note_count + drifted;
        paragraph(report, text_of(report, "%lld %s: %s%s%s%s", (long long)run->id, run->info.parameters,
                                  ridge_run_state_word(run->state), run->state_text[0] ? ", " : "", run->state_text,
                                  notes > 0 ? text_of(report, "; %zu warning%s", notes, notes == 1 ? "" : "s") : ""));
    }
}

ridge_status ridge_report_group_text(const struct ridge_group *group, const struct ridge_report_options *options,
                                     struct ridge_sink sink, struct ridge_error *error)
{
    static const struct ridge_report_options defaults = {0};
    options = options ? options : &defaults;
    struct report report = {.group = group, .limit = options->limit > 0 ? options->limit : DEFAULT_LIMIT};
    rg_page_init(&report.page, rg_group_context(group), options->width, options->colour);
    rg_arena_init(&report.arena, rg_group_context(group));
    write_head(&report);
    write_members(&report);
    write_winner(&report);
    write_ranking(&report);
    write_missing(&report);
    write_runs(&report);
    const ridge_status status = rg_report_emit(&report.page.text, sink, error);
    rg_arena_fini(&report.arena);
    rg_page_fini(&report.page);
    return status;
}
