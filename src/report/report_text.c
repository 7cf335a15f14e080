/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/page.h"
#include "report/report_common.h"
#include "report/report_units.h"
#include "ridge/units.h"
#include "space/run.h"
#include "text/columns.h"

enum {
    DEFAULT_LIMIT = 10,
    INDENT = 2
};

/** A report while it is written. Memory that runs out is remembered in page.text.failed. */
struct report {
    const struct ridge_run *run;
    struct rg_page page;
    struct rg_arena arena; /**< texts made on the way */
    struct rg_spread spread;
    size_t limit;
};

/** Formatted text in the arena, "" when memory is out. */
#define text_of(report, ...) keep((report), rg_arena_printf(&(report)->arena, __VA_ARGS__))

static const char *keep(struct report *report, const char *text)
{
    if (!text) {
        report->page.text.failed = true;
        return "";
    }
    return text;
}

/** A configuration on one line, in the arena. */
static const char *configuration_text(struct report *report, const struct ridge_record *record)
{
    struct rg_buffer buffer;
    rg_buffer_init(&buffer, report->arena.context);
    rg_report_configuration(report->run, record, &buffer);
    report->page.text.failed = report->page.text.failed || buffer.failed;
    const char *text = keep(report, rg_arena_strdup(&report->arena, rg_buffer_text(&buffer)));
    rg_buffer_fini(&buffer);
    return text;
}

static void new_line(struct report *report)
{
    rg_buffer_puts(&report->page.text, "\n");
}

/** A heading at the left edge, and the line that follows it on the same line. */
static void heading(struct report *report, rg_style style, const char *title, const char *rest)
{
    new_line(report);
    rg_page_text(&report->page, style, title);
    rg_page_wrap(&report->page, rest, rg_columns(title), INDENT);
}

/** A paragraph, indented. */
static void paragraph(struct report *report, const char *text)
{
    rg_page_spaces(&report->page, INDENT);
    rg_page_wrap(&report->page, text, INDENT, INDENT);
}

/** What was tuned, where and how. */
static void write_head(struct report *report)
{
    const struct ridge_run *run = report->run;
    const struct ridge_run_info *info = &run->info;
    rg_page_text(&report->page, RG_BOLD, info->kernel);
    rg_page_wrap(&report->page, text_of(report, " on %s (%s)", info->device, info->backend), rg_columns(info->kernel),
                 INDENT);
    paragraph(report, text_of(report, "run %lld of %s, %s%s%s", (long long)run->id, rg_report_time(run),
                              ridge_run_state_word(run->state), run->state_text[0] ? ": " : "", run->state_text));
    paragraph(report, text_of(report, "%s%s%s%s%s", info->platform, info->platform[0] ? ", " : "", info->driver,
                              info->host[0] ? " on " : "", info->host));
    paragraph(report,
              text_of(report, "%s%s%s cache, outputs checked against: %s", info->parameters,
                      info->parameters[0] ? ", " : "", info->cache[0] ? info->cache : "unknown", info->reference));
    if (run->workload) {
        paragraph(report, text_of(report, "workload %s of group g%lld (ridge show g%lld)", run->workload,
                                  (long long)run->group, (long long)run->group));
    }
    uint64_t tried = 0;
    for (size_t i = 0; i < RIDGE_OUTCOME_COUNT; i++) {
        tried += i == RIDGE_OUTCOME_SKIPPED ? 0 : run->outcomes[i];
    }
    const bool all_counted = info->space_count < INT64_MAX; /* a database holds no more */
    const char *counts = text_of(report, "%llu of %s%llu configurations tried", (unsigned long long)tried,
                                 all_counted ? "" : "more than ", (unsigned long long)info->space_count);
    const unsigned long long measured = run->outcomes[RIDGE_OUTCOME_OK];
    const unsigned long long seed = info->seed;
    const bool by_model = strncmp(info->order, "model ", strlen("model ")) == 0;
    paragraph(report, by_model         ? text_of(report, "%s, in the order of %s, %llu measured; seed %llu", counts,
                                                 info->order, measured, seed)
                      : info->order[0] ? text_of(report, "%s, %llu measured; %s order, seed %llu", counts, measured,
                                                 info->order, seed)
                                       : text_of(report, "%s, %llu measured; order unknown", counts, measured));
}

/** The set that the best stands in. */
static void write_tied(struct report *report)
{
    const size_t others = report->run->tied_count - 1;
    if (report->run->ranked_count < 2) {
        return;
    }
    if (others == 0) {
        paragraph(report, "No other configuration is indistinguishable from it.");
        return;
    }
    const bool one = others == 1;
    paragraph(report, text_of(report,
                              "%zu other configuration%s indistinguishable from it (marked 1= below): their 95 %% "
                              "intervals overlap, are unknown, or differ by less than the machine moved, so that this "
                              "run does not say which is fastest.",
                              others, one ? " is" : "s are"));
}

/** How near the best is to what the device can do. */
static void write_roofline(struct report *report, const struct ridge_record *best)
{
    const struct ridge_run_info *info = &report->run->info;
    char number[RIDGE_NUMBER_BYTES];
    if (best->score) {
        rg_short_format(rg_report_share(best) * 100, number);
        paragraph(report, text_of(report, "%s %% of the roofline, bound by %s (recorded: %s)", number,
                                  ridge_roof_words((ridge_roof)best->score->binding), report->run->ceilings));
    } else if (rg_report_lacks_ceilings(report->run)) {
        const bool measurable = strcmp(info->backend, "host") == 0 || strcmp(info->backend, "opencl") == 0;
        paragraph(report,
                  measurable ? text_of(report,
                                       "How near that is to what the device can do is not known: ridge peak --device "
                                       "%s --save and ridge curve --device %s --save, into this database, measure it.",
                                       info->backend, info->backend)
                             : "How near that is to what the device can do is not known: no ceilings of it are saved.");
    }
}

static void write_best(struct report *report)
{
    const struct ridge_record *best = rg_report_best(report->run);
    if (!best) {
        heading(report, RG_BAD, "No configuration was measured.", "");
        return;
    }
    heading(report, RG_GOOD, "Best", text_of(report, " (%s)", ridge_kind_word(best->kind)));
    rg_page_spaces(&report->page, INDENT);
    rg_page_wrap(&report->page, configuration_text(report, best), INDENT, INDENT);
    char median[RIDGE_NUMBER_BYTES];
    char interval[RG_INTERVAL_BYTES];
    ridge_duration_format(best->summary.median_s, median);
    rg_interval_format(&best->summary, interval);
    const char *of_interval =
        isnan(best->summary.ci95_low_s)
            ? text_of(report, "95 %% interval unknown (n = %llu is too few: it takes 6)",
                      (unsigned long long)best->summary.n)
            : text_of(report, "95 %% interval %s, n = %llu", interval, (unsigned long long)best->summary.n);
    paragraph(report, text_of(report, "median %s, %s", median, of_interval));
    if (!best->converged && best->kind == RIDGE_MEASURED) {
        paragraph(report, "Not converged: its sampling ended before the interval was as narrow as was asked for.");
    }
    paragraph(report, best->id);
    write_roofline(report, best);
    write_tied(report);
}

/** Whether tuning mattered, in words. */
static const char *verdict(struct report *report)
{
    const struct ridge_run *run = report->run;
    if (run->tied_count == run->ranked_count) {
        return "No two can be told apart: tuning made no difference that this run can see.";
    }
    char number[RIDGE_NUMBER_BYTES];
    const bool large = run->spread_ratio >= 2;
    rg_short_format(large ? run->spread_ratio : (run->spread_ratio - 1) * 100, number);
    if (large) {
        return text_of(report, "The worst takes %s times as long as the best: tuning matters a lot.", number);
    }
    return text_of(report, "The worst is %s %% slower than the best: tuning matters%s.", number,
                   run->spread_ratio < 1.05 ? " little here" : "");
}

static void write_spread(struct report *report)
{
    if (report->run->ranked_count < 2) {
        return;
    }
    char best[RIDGE_NUMBER_BYTES];
    char median[RIDGE_NUMBER_BYTES];
    char worst[RIDGE_NUMBER_BYTES];
    ridge_duration_format(report->spread.best_s, best);
    ridge_duration_format(report->spread.median_s, median);
    ridge_duration_format(report->spread.worst_s, worst);
    heading(report, RG_BOLD,
            "Spread:", text_of(report, " best %s, middle %s, worst %s (first pass)", best, median, worst));
    paragraph(report, verdict(report));
}

enum {
    COLUMN_RANK,
    COLUMN_MEDIAN,
    COLUMN_INTERVAL,
    COLUMN_N,
    COLUMN_SHARE, /* where ceilings of the device are saved */
    MOST_NUMBER_COLUMNS
};

/** Columns before those of the dimensions. */
static size_t number_columns(const struct report *report)
{
    return report->run->ceilings ? MOST_NUMBER_COLUMNS : COLUMN_SHARE;
}

/** The share of a record in the table: "" where its ceiling is not known. */
static const char *share_text(struct report *report, const struct ridge_record *record)
{
    char number[RIDGE_NUMBER_BYTES];
    if (!record->score) {
        return "";
    }
    rg_short_format(rg_report_share(record) * 100, number);
    return text_of(report, "%s %%", number);
}

/** Fill one row of the ranking. Joint places are all 1=, since their order means nothing. */
static void fill_row(struct report *report, struct rg_table *table, size_t row, size_t place)
{
    const struct ridge_record *record = &report->run->records[report->run->ranked[place]];
    char median[RIDGE_NUMBER_BYTES];
    char interval[RG_INTERVAL_BYTES];
    ridge_duration_format(record->summary.median_s, median);
    rg_interval_format(&record->summary, interval);
    const bool joint = report->run->tied_count > 1 && place < report->run->tied_count;
    rg_table_set(table, row, COLUMN_RANK, joint ? "1=" : text_of(report, "%zu", place + 1));
    rg_table_set(table, row, COLUMN_MEDIAN, median);
    rg_table_set(table, row, COLUMN_INTERVAL, interval);
    rg_table_set(table, row, COLUMN_N,
                 text_of(report, "%llu%s", (unsigned long long)record->summary.n, record->finalist ? "*" : ""));
    const size_t first = number_columns(report);
    if (first > COLUMN_SHARE) {
        rg_table_set(table, row, COLUMN_SHARE, share_text(report, record));
    }
    struct rg_buffer value;
    rg_buffer_init(&value, report->arena.context);
    for (size_t i = 0; first + i < table->column_count; i++) {
        rg_buffer_clear(&value);
        rg_report_value(&record->values[i], &value);
        table->failed = table->failed || value.failed;
        rg_table_set(table, row, first + i, rg_buffer_text(&value));
    }
    rg_buffer_fini(&value);
}

/** Make the table of the fastest with or without columns of the dimensions. */
static void fill_ranking(struct report *report, struct rg_table *table, size_t shown, bool dimensions)
{
    static const char *const titles[] = {"rank", "median", "95 % interval", "n", "of roof"};
    const struct ridge_run *run = report->run;
    const size_t first = number_columns(report);
    rg_table_init(table, &report->arena, shown + 1, first + (dimensions ? run->dimension_count : 0));
    for (size_t i = 0; i < table->column_count; i++) {
        rg_table_set(table, 0, i, i < first ? titles[i] : run->dimension_names[i - first]);
    }
    for (size_t row = 0; row < shown && !table->failed; row++) {
        fill_row(report, table, row + 1, row);
        if (!dimensions) {
            table->below[row + 1] = configuration_text(report, &run->records[run->ranked[row]]);
        }
    }
    for (size_t i = 0; i < table->column_count && !table->failed; i++) {
        const bool text = i >= first && run->records[run->ranked[0]].values[i - first].type == RIDGE_TEXT;
        table->right[i] = i != COLUMN_INTERVAL && !text;
    }
}

static void write_ranking(struct report *report)
{
    const struct ridge_run *run = report->run;
    const size_t shown = run->ranked_count < report->limit ? run->ranked_count : report->limit;
    if (shown == 0) {
        return;
    }
    heading(report, RG_BOLD, "Fastest",
            text_of(report, " %zu of %zu (%s)", shown, run->ranked_count, ridge_kind_word(rg_report_best(run)->kind)));
    struct rg_table table;
    fill_ranking(report, &table, shown, true);
    if (INDENT + rg_table_measure(&table) > report->page.width) {
        fill_ranking(report, &table, shown, false);
        rg_table_measure(&table);
    }
    rg_table_write(&table, &report->page, INDENT);
    if (rg_report_best(run)->finalist) {
        paragraph(report,
                  "* measured again at the end, in turn: compare these with each other, and the others, which are "
                  "of the first pass, with each other.");
    }
    if (run->ceilings) {
        paragraph(report,
                  "of roof: what share it reaches of the roof that binds it; above 100 %, the roof is too low.");
    }
    if (run->tied_count > shown) {
        paragraph(report,
                  text_of(report, "and %zu more that are indistinguishable from the best (ridge show %lld --json)",
                          run->tied_count - shown, (long long)run->id));
    }
}

/** Failures by outcome, with the first line of the first log. */
static void write_failures(struct report *report)
{
    const struct ridge_run *run = report->run;
    size_t kinds = 0;
    uint64_t count = 0;
    for (size_t i = 0; i < RIDGE_OUTCOME_COUNT; i++) {
        kinds += i != RIDGE_OUTCOME_OK && run->outcomes[i] > 0;
        count += i != RIDGE_OUTCOME_OK ? run->outcomes[i] : 0;
    }
    if (kinds == 0) {
        return;
    }
    heading(report, RG_BAD, "Not measured:",
            text_of(report, " %llu of %llu (ridge show %lld --failed has the whole logs)", (unsigned long long)count,
                    (unsigned long long)run->info.space_count, (long long)run->id));
    struct rg_table table;
    rg_table_init(&table, &report->arena, kinds + 1, 3);
    static const char *const titles[] = {"outcome", "count", "first reason"};
    for (size_t i = 0; i < 3; i++) {
        rg_table_set(&table, 0, i, titles[i]);
    }
    size_t row = 1;
    for (unsigned i = 0; i < RIDGE_OUTCOME_COUNT; i++) {
        if (i == RIDGE_OUTCOME_OK || run->outcomes[i] == 0) {
            continue;
        }
        const char *text = rg_report_first_text(run, (ridge_outcome)i);
        const char *line = keep(report, rg_arena_copy(&report->arena, text, rg_report_line_bytes(text)));
        rg_table_set(&table, row, 0, ridge_outcome_word((ridge_outcome)i));
        rg_table_set(&table, row, 1, text_of(report, "%llu", (unsigned long long)run->outcomes[i]));
        rg_table_set(&table, row++, 2, line);
    }
    if (!table.failed) {
        table.right[1] = true;
    }
    rg_table_measure(&table);
    rg_table_write(&table, &report->page, INDENT);
}

static void write_seconds(struct report *report)
{
    const struct ridge_run_seconds *seconds = &report->run->seconds;
    if (!(seconds->total > 0)) {
        return;
    }
    const double parts_s[] = {seconds->total, seconds->compile, seconds->run, seconds->own};
    char parts[4][RIDGE_NUMBER_BYTES];
    for (size_t i = 0; i < 4; i++) {
        ridge_duration_format(parts_s[i], parts[i]);
    }
    const double percent = 100 / seconds->total;
    heading(report, RG_BOLD, "Time",
            text_of(report, " %s: building %s (%.0f %%), measuring %s (%.0f %%), Ridge itself %s (%.0f %%)", parts[0],
                    parts[1], seconds->compile * percent, parts[2], seconds->run * percent, parts[3],
                    seconds->own * percent));
}

/** One warning, with a dash before it. The first one brings the heading. */
static void warn(struct report *report, bool *first, const char *text)
{
    if (*first) {
        heading(report, RG_BAD, "Warnings", "");
        *first = false;
    }
    rg_page_spaces(&report->page, INDENT);
    rg_page_text(&report->page, RG_PLAIN, "- ");
    rg_page_wrap(&report->page, text, INDENT + 2, INDENT + 2);
}

static void write_warnings(struct report *report)
{
    const struct ridge_run *run = report->run;
    bool first = true;
    uint64_t rejected = 0;
    size_t outside = 0;
    for (size_t i = 0; i < run->record_count; i++) {
        rejected += run->records[i].rejected;
        outside += run->records[i].in_space ? 0U : 1U;
    }
    for (size_t i = 0; i < run->note_count; i++) {
        warn(report, &first, run->notes[i]);
    }
    if (run->state == RIDGE_RUN_OPEN) {
        warn(report, &first, "The run has not ended: it goes on, or it was killed (ridge tune resumes it).");
    }
    if (run->drift_ratio >= 1.05) {
        warn(report, &first,
             text_of(report, "The machine drifted: the same configuration took up to %.0f %% longer at times.",
                     (run->drift_ratio - 1) * 100));
    }
    if (rejected > 0) {
        warn(report, &first,
             text_of(report, "%llu sample%s of zero or negative time %s left out.", (unsigned long long)rejected,
                     rejected == 1 ? "" : "s", rejected == 1 ? "was" : "were"));
    }
    if (outside > 0) {
        warn(report, &first,
             text_of(report, "%zu earlier result%s no longer in the space and not ranked.", outside,
                     outside == 1 ? " is" : "s are"));
    }
}

/** Every configuration that failed, with its whole text. */
static void write_failed(struct report *report)
{
    const struct ridge_run *run = report->run;
    size_t count = 0;
    for (size_t i = 0; i < run->record_count; i++) {
        const struct ridge_record *record = &run->records[i];
        if (record->outcome == RIDGE_OUTCOME_OK) {
            continue;
        }
        if (count++ > 0) {
            new_line(report);
        }
        rg_page_text(&report->page, RG_BAD, ridge_outcome_word(record->outcome));
        rg_page_text(&report->page, RG_PLAIN, text_of(report, " %s", record->id));
        new_line(report);
        paragraph(report, configuration_text(report, record));
        rg_page_block(&report->page, record->text ? record->text : "(no text)", (size_t)2 * INDENT);
    }
    if (count == 0) {
        rg_page_wrap(&report->page, text_of(report, "No configuration of run %lld failed.", (long long)run->id), 0, 0);
    }
}

static void write_all(struct report *report)
{
    write_head(report);
    write_best(report);
    write_spread(report);
    write_ranking(report);
    write_failures(report);
    write_seconds(report);
    write_warnings(report);
}

ridge_status ridge_report_text(const struct ridge_run *run, const struct ridge_report_options *options,
                               struct ridge_sink sink, struct ridge_error *error)
{
    static const struct ridge_report_options defaults = {0};
    options = options ? options : &defaults;
    struct report report = {.run = run, .limit = options->limit > 0 ? options->limit : DEFAULT_LIMIT};
    ridge_status status = rg_report_spread(run, &report.spread, error);
    if (status != RIDGE_OK) {
        return status;
    }
    rg_page_init(&report.page, rg_run_context(run), options->width, options->colour);
    rg_arena_init(&report.arena, rg_run_context(run));
    if (options->failed_only) {
        write_failed(&report);
    } else {
        write_all(&report);
    }
    status = rg_report_emit(&report.page.text, sink, error);
    rg_arena_fini(&report.arena);
    rg_page_fini(&report.page);
    return status;
}
