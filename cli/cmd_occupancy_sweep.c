/* SPDX-License-Identifier: MIT */
/** \file ridge occupancy --sweep and --suggest: many answers as a table, JSON or a picture. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_occupancy.h"
#include "ridge/chart.h"
#include "ridge/json.h"
#include "ridge/units.h"

enum {
    OWN_COLOURS = 4, /* warps, registers, shared memory and blocks alone always have the same colours */
    OTHERS = 7,      /* colour of what has none of its own */
    BAR_TEXT_BYTES = 288,
    BEST_SHOWN = 10
};

/** What the rows of a sweep are shown as. */
struct sweep_view {
    const struct occupancy_view *view;
    ridge_sweep what;
    uint32_t max_warps;
    struct ridge_json json;
    bool is_json;
    struct ridge_chart_bar *bars;
    char (*texts)[BAR_TEXT_BYTES];
    size_t count, capacity;
    uint32_t kinds[RIDGE_CHART_KINDS]; /* limiters that a colour stands for; 0: not used yet */
};

static const struct {
    const char *word, *column, *axis;
} sweeps[] = {
    {"threads", "threads", "threads per block"},
    {"regs", "registers", "registers per thread"},
    {"smem", "dynamic bytes", "dynamic shared memory per block, KiB"},
};

static void range_text(const struct ridge_sweep_range *range, char *out, size_t bytes)
{
    if (range->first == range->last) {
        snprintf(out, bytes, "%u", range->first);
    } else {
        snprintf(out, bytes, "%u-%u", range->first, range->last);
    }
}

static void count_range(void *user, const struct ridge_sweep_range *range)
{
    (void)range;
    ((struct sweep_view *)user)->capacity++;
}

/** \return the colour of a set of limiters; sets beyond the frequent ones take the free colours as they come. */
static unsigned kind_of(struct sweep_view *sweep, uint32_t limiters)
{
    const bool one = (limiters & (limiters - 1)) == 0;
    unsigned kind = one ? (unsigned)__builtin_ctz(limiters) : OWN_COLOURS;
    if (kind >= OWN_COLOURS) {
        kind = OWN_COLOURS;
        while (kind < OTHERS && sweep->kinds[kind] != 0 && sweep->kinds[kind] != limiters) {
            kind++;
        }
    }
    sweep->kinds[kind] = limiters;
    return kind;
}

/** Keep a range for the picture. */
static void keep_bar(struct sweep_view *sweep, const struct ridge_sweep_range *range, const char *limiters)
{
    const double half = sweep->what == RIDGE_SWEEP_THREADS ? 13 : 0.5;
    const double scale = sweep->what == RIDGE_SWEEP_SMEM ? 1024 : 1;
    char *text = sweep->texts[sweep->count];
    char values[32];
    range_text(range, values, sizeof values);
    snprintf(text, BAR_TEXT_BYTES, "%s %s: %u blocks, %u warps, %.1f %%, limited by %s", values,
             sweeps[sweep->what].column, range->cell.blocks, range->cell.warps,
             100.0 * range->cell.warps / sweep->max_warps, limiters);
    sweep->bars[sweep->count++] = (struct ridge_chart_bar){(range->first - half) / scale, (range->last + half) / scale,
                                                           (double)range->cell.warps / sweep->max_warps,
                                                           kind_of(sweep, range->cell.limiters), text};
}

static void show_range(void *user, const struct ridge_sweep_range *range)
{
    struct sweep_view *sweep = user;
    char limiters[LIMITER_BYTES];
    char values[32];
    const double ratio = (double)range->cell.warps / sweep->max_warps;
    if (sweep->is_json) {
        occupancy_limiter_words(range->cell.limiters, "+", limiters);
        ridge_json_object_begin_compact(&sweep->json, NULL);
        ridge_json_u64(&sweep->json, "first", range->first);
        ridge_json_u64(&sweep->json, "last", range->last);
        ridge_json_u64(&sweep->json, "blocks_per_sm", range->cell.blocks);
        ridge_json_u64(&sweep->json, "warps_per_sm", range->cell.warps);
        ridge_json_double(&sweep->json, "occupancy", ratio);
        ridge_json_text(&sweep->json, "limiter", limiters);
        ridge_json_object_end(&sweep->json);
    } else {
        char bar[21];
        const int filled = (int)(ratio * 20 + 0.5);
        memset(bar, ' ', 20);
        memset(bar, '#', (size_t)filled);
        bar[20] = '\0';
        occupancy_limiter_words(range->cell.limiters, ", ", limiters);
        range_text(range, values, sizeof values);
        printf("%-15s %6u %6u %8.1f %%  %s  %s\n", values, range->cell.blocks, range->cell.warps, 100 * ratio, bar,
               limiters);
    }
    if (sweep->bars) {
        occupancy_limiter_words(range->cell.limiters, " and ", limiters);
        keep_bar(sweep, range, limiters);
    }
}

/** Say in words what is held while one thing varies. */
static void held(const struct sweep_view *sweep, char *out, size_t bytes)
{
    const struct ridge_launch *launch = &sweep->view->launch;
    size_t used = 0;
    if (sweep->what != RIDGE_SWEEP_THREADS) {
        used += (size_t)snprintf(out + used, bytes - used, "%u threads, ", launch->threads);
    }
    if (sweep->what != RIDGE_SWEEP_REGISTERS) {
        used += (size_t)snprintf(out + used, bytes - used, "%u registers, ", launch->registers);
    }
    if (sweep->what == RIDGE_SWEEP_SMEM) {
        snprintf(out + used, bytes - used, "%u bytes of static shared memory", launch->smem_static_bytes);
    } else {
        snprintf(out + used, bytes - used, "%" PRIu64 " bytes of shared memory",
                 (uint64_t)launch->smem_static_bytes + launch->smem_dynamic_bytes);
    }
}

static ridge_status write_chart(void *user, struct ridge_sink sink, struct ridge_error *error)
{
    const struct sweep_view *sweep = user;
    char title[200];
    char subtitle[300];
    char fixed[160];
    char label[40];
    char kinds[RIDGE_CHART_KINDS][LIMITER_BYTES];
    static const double ticks[] = {64, 0, 8};
    const struct ridge_launch *launch = &sweep->view->launch;
    const uint32_t now[] = {launch->threads, launch->registers, launch->smem_dynamic_bytes};
    const double scale = sweep->what == RIDGE_SWEEP_SMEM ? 1024 : 1;
    held(sweep, fixed, sizeof fixed);
    snprintf(title, sizeof title, "Occupancy of %s by %s", sweep->view->match.devices[0]->name,
             sweeps[sweep->what].axis);
    snprintf(subtitle, sizeof subtitle, "%s. Stated: vendors' rules, not measured.", fixed);
    snprintf(label, sizeof label, "asked: %u%s", now[sweep->what], sweep->what == RIDGE_SWEEP_SMEM ? " bytes" : "");
    struct ridge_chart chart = {.title = title,
                                .subtitle = subtitle,
                                .x_label = sweeps[sweep->what].axis,
                                .y_label = "resident warps; the colour says what limits",
                                .bars = sweep->bars,
                                .count = sweep->count,
                                .x_first = 0,
                                .x_last = sweep->bars[sweep->count - 1].last,
                                .x_tick = ticks[sweep->what],
                                .mark = now[sweep->what] ? now[sweep->what] / scale : (double)NAN,
                                .mark_label = label,
                                .width_px = (unsigned)sweep->view->question->svg_width};
    for (int i = 0; i < RIDGE_CHART_KINDS; i++) {
        occupancy_limiter_words(sweep->kinds[i], " and ", kinds[i]);
        for (char *at = kinds[i]; *at; at++) {
            *at = (char)(*at == '_' ? ' ' : *at);
        }
        chart.kinds[i] = sweep->kinds[i] == 0 ? NULL : i == OTHERS ? "other sets" : kinds[i];
    }
    return ridge_chart_write(&chart, sink, error);
}

static int draw(const struct ridge_context *context, struct sweep_view *sweep)
{
    struct ridge_error error = {0};
    const ridge_status status = ridge_file_fill(context, sweep->view->question->svg, write_chart, sweep, &error);
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

/** Print the table or JSON, keeping the bars when a picture is wanted. */
static void print_ranges(struct sweep_view *sweep)
{
    char fixed[160];
    const struct occupancy_view *view = sweep->view;
    held(sweep, fixed, sizeof fixed);
    if (sweep->is_json) {
        ridge_json_begin(&sweep->json, stdout_sink());
        ridge_json_object_begin(&sweep->json, NULL);
        ridge_json_text(&sweep->json, "device", view->match.devices[0]->name);
        ridge_json_text(&sweep->json, "kind", "stated");
        ridge_json_text(&sweep->json, "sweep", sweeps[sweep->what].word);
        ridge_json_array_begin(&sweep->json, "ranges");
    } else {
        printf("%s, %s (stated: vendors' rules, not measured)\n\n%-15s blocks  warps  occupancy                        "
               "limited by\n",
               view->match.devices[0]->name, fixed, sweeps[sweep->what].column);
    }
    ridge_occupancy_sweep(view->table, &view->launch, sweep->what, show_range, sweep);
    if (sweep->is_json) {
        ridge_json_array_end(&sweep->json);
        ridge_json_object_end(&sweep->json);
        (void)ridge_json_end(&sweep->json);
    }
}

int occupancy_print_sweep(struct ridge_context *context, const struct occupancy_view *view)
{
    struct ridge_occupancy answer;
    struct sweep_view sweep = {.view = view, .is_json = view->question->json};
    while (strcmp(view->question->sweep, sweeps[sweep.what].word) != 0) {
        sweep.what++;
    }
    ridge_occupancy_one(view->table, &view->launch, &answer);
    sweep.max_warps = answer.max_warps;
    ridge_occupancy_sweep(view->table, &view->launch, sweep.what, count_range, &sweep);
    if (sweep.capacity == 0) {
        fprintf(stderr, "ridge occupancy: no %s can be launched with the rest as given (%s)\n",
                sweeps[sweep.what].column, sweep.what == RIDGE_SWEEP_THREADS ? "try fewer registers" : answer.verdict);
        return EXIT_NEGATIVE;
    }
    int code = output_check(view->question->svg);
    if (code == EXIT_DONE && view->question->svg) {
        sweep.bars = calloc(sweep.capacity, sizeof *sweep.bars);
        sweep.texts = calloc(sweep.capacity, sizeof *sweep.texts);
        if (!sweep.bars || !sweep.texts) {
            fprintf(stderr, "ridge occupancy: out of memory\n");
            code = EXIT_INTERNAL;
        }
    }
    if (code == EXIT_DONE) {
        print_ranges(&sweep);
        code = view->question->svg ? draw(context, &sweep) : EXIT_DONE;
    }
    free(sweep.bars);
    free(sweep.texts);
    return code;
}

static void suggestions_json(const struct ridge_suggestion *list, size_t count, uint32_t max_warps)
{
    struct ridge_json json;
    ridge_json_begin(&json, stdout_sink());
    ridge_json_array_begin(&json, NULL);
    for (size_t i = 0; i < count; i++) {
        char limiters[LIMITER_BYTES];
        occupancy_limiter_words(list[i].cell.limiters, "+", limiters);
        ridge_json_object_begin_compact(&json, NULL);
        ridge_json_u64(&json, "threads", list[i].launch.threads);
        ridge_json_u64(&json, "smem_dynamic_bytes", list[i].launch.smem_dynamic_bytes);
        ridge_json_u64(&json, "blocks_per_sm", list[i].cell.blocks);
        ridge_json_u64(&json, "warps_per_sm", list[i].cell.warps);
        ridge_json_double(&json, "occupancy", (double)list[i].cell.warps / max_warps);
        ridge_json_text(&json, "limiter", limiters);
        ridge_json_object_end(&json);
    }
    ridge_json_array_end(&json);
    (void)ridge_json_end(&json);
}

static void suggestions_text(const struct occupancy_view *view, const struct ridge_suggestion *list, size_t count,
                             uint32_t max_warps)
{
    size_t equal = 0;
    while (equal < count && list[equal].cell.warps == list[0].cell.warps) {
        equal++;
    }
    printf("%s, %u registers (stated: vendors' rules, not measured)\n", view->match.devices[0]->name,
           view->launch.registers);
    printf("%zu block size%s with the most resident warps, %u of %u: these rules cannot tell them apart.\n"
           "Smaller blocks end and begin in finer steps; larger ones share more through shared memory.\n\n",
           equal, equal == 1 ? "" : "s", list[0].cell.warps, max_warps);
    puts("threads  bytes   blocks  warps  occupancy  limited by");
    for (size_t i = 0; i < count && (i < equal || i < BEST_SHOWN); i++) {
        char limiters[LIMITER_BYTES];
        if (i == equal) {
            puts("then, with fewer warps:");
        }
        occupancy_limiter_words(list[i].cell.limiters, " and ", limiters);
        printf("%7u  %6" PRIu64 "  %6u %6u %8.1f %%  %s\n", list[i].launch.threads,
               (uint64_t)list[i].launch.smem_static_bytes + list[i].launch.smem_dynamic_bytes, list[i].cell.blocks,
               list[i].cell.warps, 100.0 * list[i].cell.warps / max_warps, limiters);
    }
}

int occupancy_print_suggestions(const struct occupancy_view *view)
{
    struct ridge_suggestion list[RIDGE_SUGGESTION_MAX];
    struct ridge_occupancy answer;
    const uint64_t per_thread = view->question->smem_per_thread.value;
    ridge_occupancy_one(view->table, &view->launch, &answer);
    const size_t count = ridge_occupancy_suggest(view->table, &view->launch,
                                                 per_thread < UINT32_MAX ? (uint32_t)per_thread : UINT32_MAX, list);
    if (count == 0) {
        fprintf(stderr, "ridge occupancy: no block size can be launched with so many registers and so much shared "
                        "memory (ask for less)\n");
        return EXIT_NEGATIVE;
    }
    if (view->question->json) {
        suggestions_json(list, count, answer.max_warps);
    } else {
        suggestions_text(view, list, count, answer.max_warps);
    }
    return EXIT_DONE;
}
