/* SPDX-License-Identifier: MIT */
/** \file ridge trace for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd_trace.h"
#include "ridge/occupancy.h"
#include "ridge/units.h"
#include "terminal.h"

static double all_of(const double *instructions)
{
    double total = 0;
    for (size_t i = 0; i < RIDGE_TRACE_CLASSES; i++) {
        total += instructions[i];
    }
    return total;
}

/** A count in few digits: 4 digits below ten thousand, then with a unit of a thousand. */
static void print_count(double value)
{
    static const char *const units[] = {"", " k", " M", " G", " T", " P", " E"};
    size_t unit = 0;
    while (fabs(value) >= 9999.5 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1000;
        unit++;
    }
    char text[32];
    snprintf(text, sizeof text, "%.4g%s", value, units[unit]);
    printf("%12s", text);
}

static void print_head(const struct trace_view *view)
{
    const struct ridge_trace *trace = &view->trace;
    const double grid = (double)trace->grid[0] * (double)trace->grid[1] * (double)trace->grid[2];
    printf("%s", trace->id);
    for (size_t i = 0; i < ridge_space_dimension_count(view->space); i++) {
        char value[64];
        const struct ridge_value *own = ridge_space_value(view->space, i, view->choice[i]);
        ridge_value_format(own, value, sizeof value);
        printf("%s%s=%s", i % 6 == 0 ? "\n  " : " ", ridge_space_dimension_name(view->space, i),
               own->type == RIDGE_TEXT ? own->as.text : value);
    }
    printf("\n\nKind: counted, in code of %s%s%s for %s%s; what is not run is taken to be like what is.\n",
           trace->language, trace->compiler[0] ? ", " : "", trace->compiler, trace->target,
           trace->cached ? " (from the cache)" : "");
    if (trace->other_entry[0]) {
        printf("Kernel: %s, the only one of the file; the spec names another.\n", trace->other_entry);
    }
    printf(
        "Launch: blocks of %llu x %llu x %llu threads with %llu bytes of shared memory, a grid of %llu x %llu x %llu\n",
        (unsigned long long)trace->block[0], (unsigned long long)trace->block[1], (unsigned long long)trace->block[2],
        (unsigned long long)trace->shared_bytes, (unsigned long long)trace->grid[0], (unsigned long long)trace->grid[1],
        (unsigned long long)trace->grid[2]);
    if (memcmp(trace->active, trace->grid, sizeof trace->grid) != 0) {
        printf("Blocks beyond %llu x %llu x %llu leave at once.\n", (unsigned long long)trace->active[0],
               (unsigned long long)trace->active[1], (unsigned long long)trace->active[2]);
    }
    printf("Ran %zu of %.0f blocks", trace->block_count, grid);
    if (trace->along) {
        printf(" with %s = %lld and %lld, extended along a line to %lld", trace->along, (long long)trace->at[0],
               (long long)trace->at[1], (long long)trace->along_value);
    }
    printf(", in %.3g s.", trace->run_s);
    if (isinf(trace->spread)) {
        printf(" Some of them do nothing.\n");
    } else if (trace->spread > 1) {
        printf(" They differ: the longest has %.3g times the instructions of the shortest.\n", trace->spread);
    } else {
        printf(" They are all alike.\n");
    }
}

static void print_instructions(const struct ridge_trace *trace)
{
    const struct ridge_tally *sum = &trace->sum;
    const double warps = sum->of[RIDGE_TALLY_WARPS];
    const double all = all_of(sum->warp_instructions);
    printf("\nInstructions       a warp   share      of the grid  lanes on\n");
    for (size_t i = 0; i < RIDGE_TRACE_CLASSES; i++) {
        const double own = sum->warp_instructions[i];
        if (own > 0) {
            printf("  %-11s", ridge_trace_class_word(i));
            print_count(own / warps);
            printf("  %4.1f %%     ", 100 * own / all);
            print_count(own);
            printf("  %8.1f\n", sum->lane_instructions[i] / own);
        }
    }
    printf("  %-11s", "all");
    print_count(all / warps);
    printf("  %4.1f %%     ", 100.0);
    print_count(all);
    printf("  %8.1f\n  of these, the same in all lanes: %.1f %%\n", all_of(sum->lane_instructions) / all,
           100 * sum->of[RIDGE_TALLY_UNIFORM] / all);
}

/** Things that are of interest when they are there: a label, the tally, and what it is divided by. */
static void print_memory(const struct ridge_trace *trace)
{
    const double *of = trace->sum.of;
    const double warps = of[RIDGE_TALLY_WARPS];
    printf("\nMemory\n");
    if (of[RIDGE_TALLY_SHARED] > 0) {
        printf("  shared      ");
        print_count(of[RIDGE_TALLY_SHARED] / warps);
        printf(" requests a warp, %.3g wavefronts each\n", of[RIDGE_TALLY_WAVEFRONTS] / of[RIDGE_TALLY_SHARED]);
    }
    if (of[RIDGE_TALLY_REQUESTS] > 0) {
        const double requests = of[RIDGE_TALLY_REQUESTS];
        printf("  global      ");
        print_count(requests / warps);
        printf(" requests a warp, %.3g sectors of 32 bytes and %.3g lines of 128 each\n",
               of[RIDGE_TALLY_SECTORS] / requests, of[RIDGE_TALLY_LINES] / requests);
        printf("  reuse       ");
        print_count(32 * of[RIDGE_TALLY_SECTORS] / trace->work[0]);
        printf(" bytes a block in sectors,");
        print_count(32 * of[RIDGE_TALLY_DISTINCT] / trace->work[0]);
        printf(" in distinct ones\n");
    }
    static const struct {
        const char *name;
        ridge_tally_key read;
        ridge_tally_key written;
    } spaces[] = {{"global", RIDGE_TALLY_READ_GLOBAL, RIDGE_TALLY_WRITTEN_GLOBAL},
                  {"shared", RIDGE_TALLY_READ_SHARED, RIDGE_TALLY_WRITTEN_SHARED},
                  {"local", RIDGE_TALLY_READ_LOCAL, RIDGE_TALLY_WRITTEN_LOCAL},
                  {"constant", RIDGE_TALLY_READ_CONSTANT, RIDGE_TALLY_READ_CONSTANT}};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        const bool constant = spaces[i].read == spaces[i].written;
        if (of[spaces[i].read] + of[spaces[i].written] > 0) {
            printf("  %-11s ", spaces[i].name);
            print_count(of[spaces[i].read]);
            printf("B read");
            if (!constant) {
                print_count(of[spaces[i].written]);
                printf("B written");
            }
            printf(" by the lanes of the grid\n");
        }
    }
}

static void print_rest(const struct ridge_trace *trace)
{
    const double *of = trace->sum.of;
    const double warps = of[RIDGE_TALLY_WARPS];
    printf("\nOf a warp: %.4g barriers, %.4g branches that part it, %.4g cycles along its longest chain\n",
           of[RIDGE_TALLY_BARRIERS] / warps, of[RIDGE_TALLY_DIVERGENT] / warps, of[RIDGE_TALLY_CHAIN] / warps);
    if (of[RIDGE_TALLY_ATOMICS] > 0) {
        printf("Atomics: %.4g by a warp's lanes, %.1f %% of them meet another lane at their address\n",
               of[RIDGE_TALLY_ATOMICS] / warps, 100 * of[RIDGE_TALLY_CONFLICTS] / of[RIDGE_TALLY_ATOMICS]);
    }
}

static void print_work(const struct trace_view *view)
{
    const struct ridge_trace *trace = &view->trace;
    printf("\nWork                      counted  [model.work]     ratio%s\n", view->priced ? "     alone takes" : "");
    for (size_t i = 0; i < RIDGE_WORK_KEYS; i++) {
        const double counted = trace->work[i];
        const double written = trace->expression[i];
        if (isnan(counted) && isnan(written)) {
            continue;
        }
        printf("  %-20s", ridge_work_key(i));
        if (isnan(counted)) {
            printf("%12s", "-");
        } else {
            print_count(counted);
        }
        if (isnan(written)) {
            printf("%14s%10s", "-", "-");
        } else {
            printf("  ");
            print_count(written);
            if (isnan(counted) || written == 0) {
                printf("%10s", "-");
            } else {
                printf("%10.3f", counted / written);
            }
        }
        if (view->priced && !isnan(view->cost.part_s[i])) {
            char time[RIDGE_NUMBER_BYTES];
            ridge_duration_format(view->cost.part_s[i], time);
            printf("%16s", time);
        }
        putchar('\n');
    }
}

static void print_cost(const struct trace_view *view)
{
    char time[RIDGE_NUMBER_BYTES];
    const struct ridge_estimate *estimate = &view->cost.estimate;
    const bool several = view->device.count > 1;
    const char *name = several ? view->device.asked : view->device.devices[0]->name;
    if (isinf(estimate->cost)) {
        printf("\nOn %s it cannot be launched: %s\n", name, ridge_launch_word((ridge_launch_rule)estimate->rule));
        return;
    }
    ridge_duration_format(estimate->cost, time);
    printf("\nOn %s: %s (estimated; compare within this kernel only), limited by %s; occupancy %.2f, %.1f waves\n",
           name, time, ridge_bound_word((ridge_bound)estimate->bound), estimate->occupancy, estimate->waves);
    if (several) {
        printf("%zu devices fit that name: what they do not agree in is left out (name one, as '%s')\n",
               view->device.count, view->device.devices[0]->name);
    }
}

void trace_print_text(const struct trace_view *view)
{
    print_head(view);
    print_instructions(&view->trace);
    print_memory(&view->trace);
    print_rest(&view->trace);
    print_work(view);
    if (view->priced) {
        print_cost(view);
    }
    if (view->options.lines) {
        trace_print_lines(&view->trace);
    }
}
