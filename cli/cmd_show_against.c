/* SPDX-License-Identifier: MIT */
/** \file ridge show --against: whether the best of a run is slower than the best of an earlier one: a gate for CI. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd_show.h"
#include "options.h"
#include "ridge/units.h"
#include "ridge/value.h"
#include "terminal.h"

/** How the best of now compares with the best of then. */
struct against {
    const struct ridge_record *then;
    const struct ridge_record *now;
    double drift; /* at least 1: how far the machine itself moved in either run */
    double low;   /* now over then, with intervals and drift; NaN: not known */
    double high;
};

static const struct ridge_record *best_of(const struct ridge_run *run)
{
    return run->ranked_count > 0 ? &run->records[run->ranked[0]] : NULL;
}

/** \return what differs that must not, or NULL. The source, the compiler and the space may: they are what is judged. */
static const char *mismatch(const struct ridge_run *run, const struct ridge_run *earlier)
{
    const struct {
        const char *what, *now, *then;
    } same[] = {
        {"kernel", run->info.kernel, earlier->info.kernel},
        {"backend", run->info.backend, earlier->info.backend},
        {"device", run->info.device, earlier->info.device},
        {"parameters", run->info.parameters, earlier->info.parameters},
        {"cache mode", run->info.cache, earlier->info.cache},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        if (strcmp(same[i].now, same[i].then) != 0) {
            return same[i].what;
        }
    }
    return NULL;
}

static struct against compare(const struct ridge_run *run, const struct ridge_run *earlier)
{
    struct against against = {best_of(earlier), best_of(run), 1, (double)NAN, (double)NAN};
    against.drift = fmax(1, fmax(run->drift_ratio, earlier->drift_ratio)); /* fmax passes over NaN */
    if (against.then && against.now) {
        const struct ridge_summary *then = &against.then->summary;
        const struct ridge_summary *now = &against.now->summary;
        against.low = now->ci95_low_s / (then->ci95_high_s * against.drift);
        against.high = now->ci95_high_s * against.drift / then->ci95_low_s;
    }
    return against;
}

static void print_best(const char *word, const struct ridge_run *run, const struct ridge_record *record)
{
    const struct ridge_summary *summary = &record->summary;
    char times[3][RIDGE_NUMBER_BYTES];
    char interval[2 * RIDGE_NUMBER_BYTES + 8] = "unknown";
    ridge_duration_format(summary->median_s, times[0]);
    ridge_duration_format(summary->ci95_low_s, times[1]);
    ridge_duration_format(summary->ci95_high_s, times[2]);
    if (!isnan(summary->ci95_low_s) && !isnan(summary->ci95_high_s)) {
        snprintf(interval, sizeof interval, "%s to %s", times[1], times[2]);
    }
    printf("  %-4s  %s, 95 %% interval %s, %s: ", word, times[0], interval, ridge_kind_word(record->kind));
    for (size_t i = 0; i < run->dimension_count; i++) {
        char text[64];
        ridge_value_format(&record->values[i], text, sizeof text);
        printf(" %s=", run->dimension_names[i]);
        terminal_text(record->values[i].type == RIDGE_TEXT ? record->values[i].as.text : text);
    }
    putchar('\n');
}

static void print_verdict(const struct against *against)
{
    if (against->low > 1) {
        printf("SLOWER: at least %.3g times as long", against->low);
    } else if (against->high < 1) {
        printf("faster: at most %.3g times as long", against->high);
    } else {
        printf("not to be told apart: between %.3g and %.3g times as long", against->low, against->high);
    }
    printf(", by the 95 %% intervals and a drift of %.1f %%\n", 100 * (against->drift - 1));
}

int show_against(const struct ridge_run *run, const struct ridge_run *earlier)
{
    const char *other = mismatch(run, earlier);
    if (other) {
        fprintf(stderr, "ridge: run %lld and run %lld do not compare: they differ in %s\n", (long long)run->id,
                (long long)earlier->id, other);
        return EXIT_INPUT;
    }
    const struct against against = compare(run, earlier);
    printf("%s on %s: the best of run %lld against that of run %lld\n", run->info.kernel, run->info.device,
           (long long)run->id, (long long)earlier->id);
    if (against.then) {
        print_best("then", earlier, against.then);
    }
    if (against.now) {
        print_best("now", run, against.now);
    }
    if (isnan(against.low) || isnan(against.high)) {
        (void)fflush(stdout);
        fprintf(stderr, "ridge: nothing was judged: %s\n",
                against.then && against.now ? "an interval is not known (it takes 6 samples)"
                                            : "a run has no configuration that was measured");
        return EXIT_NEGATIVE;
    }
    print_verdict(&against);
    return against.low > 1 ? EXIT_NEGATIVE : EXIT_DONE;
}
