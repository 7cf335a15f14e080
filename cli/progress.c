/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ridge/units.h"

enum {
    MAX_COLUMNS = 200,
    LEAST_COLUMNS = 20
};

void progress_count(void *user, uint64_t done, uint64_t total)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%llu of %llu %s", (unsigned long long)done, (unsigned long long)total, (const char *)user);
        fputs(done == total ? "\r\033[K" : "", stderr);
    }
}

void progress_clear(void)
{
    if (isatty(STDERR_FILENO)) {
        fputs("\r\033[K", stderr);
    }
}

void progress_begin(struct progress *progress)
{
    struct winsize size;
    memset(progress, 0, sizeof *progress);
    progress->terminal = isatty(STDERR_FILENO);
    progress->columns = 80;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= LEAST_COLUMNS) {
        progress->columns = size.ws_col < MAX_COLUMNS ? size.ws_col : MAX_COLUMNS;
    }
}

/** "1.23 ms [1.21 ms, 1.25 ms]", or without the interval when it is not known. */
static void format_best(const struct ridge_summary *best, char *out, size_t bytes)
{
    char median[RIDGE_NUMBER_BYTES];
    char low[RIDGE_NUMBER_BYTES];
    char high[RIDGE_NUMBER_BYTES];
    ridge_duration_format(best->median_s, median);
    if (isnan(best->ci95_low_s)) {
        snprintf(out, bytes, "%s (n = %llu)", median, (unsigned long long)best->n);
        return;
    }
    ridge_duration_format(best->ci95_low_s, low);
    ridge_duration_format(best->ci95_high_s, high);
    snprintf(out, bytes, "%s [%s, %s]", median, low, high);
}

/** Seconds as a person counts them down: 42 s, 3 min, 2 h. */
static void format_left(double seconds, char *out, size_t bytes)
{
    if (isnan(seconds)) {
        snprintf(out, bytes, "?");
    } else if (seconds < 100) {
        snprintf(out, bytes, "%.0f s", seconds);
    } else if (seconds < 6000) {
        snprintf(out, bytes, "%.0f min", seconds / 60);
    } else {
        snprintf(out, bytes, "%.0f h", seconds / 3600);
    }
}

static void show_line(const struct progress *progress, const struct ridge_tune_progress *now)
{
    char best[128] = "no result yet";
    char left[32];
    char line[512];
    if (now->best_id) {
        char text[100];
        format_best(&now->best, text, sizeof text);
        snprintf(best, sizeof best, "best %s", text);
    }
    format_left(now->left_s, left, sizeof left);
    snprintf(line, sizeof line, "%llu/%llu  %llu failed  %s  %s%s%s%s", (unsigned long long)now->done,
             (unsigned long long)now->total, (unsigned long long)now->failed, best, now->finals ? "finals" : left,
             now->finals ? "" : " left", progress->order[0] ? "  order: " : "", progress->order[0] ? now->order : "");
    fprintf(stderr, "\r\033[K%.*s", (int)progress->columns - 1, line);
    fflush(stderr);
}

static void plain_line(const struct ridge_tune_progress *now)
{
    int width = 1;
    for (uint64_t rest = now->total; rest >= 10; rest /= 10) {
        width++;
    }
    fprintf(stderr, "%*llu/%llu  %s  ", width, (unsigned long long)now->done, (unsigned long long)now->total, now->id);
    if (now->outcome == RIDGE_OUTCOME_OK) {
        char median[RIDGE_NUMBER_BYTES];
        ridge_duration_format(now->median_s, median);
        fprintf(stderr, "ok  %s\n", median);
        return;
    }
    const char *text = now->text ? now->text : "";
    fprintf(stderr, "%s  %.*s\n", ridge_outcome_word(now->outcome), (int)strcspn(text, "\n"), text);
}

/** Remember "12 of 88 configurations tried, in the order of model work for ... (estimated)". */
static void keep_order(struct progress *progress, const struct ridge_tune_progress *now)
{
    if (now->order && strncmp(now->order, "model ", strlen("model ")) == 0) {
        snprintf(progress->order, sizeof progress->order, "%llu of %llu configurations tried, in the order of %s",
                 (unsigned long long)now->done, (unsigned long long)now->space, now->order);
    }
}

/** Say that another tuner has its turn: at once where the line is renewed, else once, when it takes long. */
static void waiting_line(struct progress *progress, double waiting_s)
{
    static const double long_s = 60;
    static const char text[] = "waiting for another ridge that measures on this machine";
    if (progress->terminal) {
        fprintf(stderr, "\r\033[K%s (%.0f s)", text, waiting_s);
        fflush(stderr);
    } else if (waiting_s >= long_s && !progress->waited) {
        progress->waited = true;
        fprintf(stderr, "%s\n", text);
    }
}

void progress_show(void *user, const struct ridge_tune_progress *now)
{
    static const double renew_every_s = 0.1;
    struct progress *progress = user;
    const bool finals_begin = now->finals && !progress->finals;
    progress->finals = now->finals;
    progress->any = progress->any || now->id;
    keep_order(progress, now);
    if (now->waiting_s > 0) {
        waiting_line(progress, now->waiting_s);
        return;
    }
    if (now->reference) {
        fprintf(stderr, progress->terminal ? "\r\033[Krunning the reference" : "");
        fflush(stderr);
        return;
    }
    if (!progress->terminal) {
        if (now->id) {
            plain_line(now);
        } else if (finals_begin) {
            fprintf(stderr, "measuring the best again, in turn\n");
        }
        return;
    }
    if (finals_begin || now->done == now->total || now->elapsed_s - progress->shown_s >= renew_every_s) {
        progress->shown_s = now->elapsed_s;
        show_line(progress, now);
    }
}

void progress_end(struct progress *progress)
{
    if (progress->terminal) {
        fprintf(stderr, "\r\033[K");
    }
    if (progress->order[0]) {
        fprintf(stderr, "%s\n", progress->order);
    }
    fflush(stderr);
}
