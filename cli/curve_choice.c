/* SPDX-License-Identifier: MIT */
#include "curve_choice.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

void curve_signals_catch(void)
{
    /* A second one ends the program at once. */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool curve_progress(void *user, double done)
{
    static int shown = -1;
    const int percent = (int)(100 * done);
    (void)user;
    if (percent != shown && isatty(STDERR_FILENO)) {
        fprintf(stderr, "\rmeasuring: %3d %% of the time", percent);
        fflush(stderr);
        shown = percent;
    }
    return !stopped;
}

void curve_progress_end(void)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r\033[K");
    }
}

ridge_discipline curve_choice_discipline(const struct curve_choice *choice)
{
    unsigned at = 0;
    while (choice->discipline && strcmp(ridge_discipline_word((ridge_discipline)at), choice->discipline) != 0) {
        at++;
    }
    return (ridge_discipline)at;
}

bool curve_choice_take(const char *command, const struct curve_choice *choice, struct ridge_curve_request *out)
{
    enum {
        MOST_THREADS = 1024
    };
    unsigned access = 0;
    while (strcmp(ridge_access_word((ridge_access)access), choice->access) != 0) {
        access++;
    }
    if (choice->threads.given && (choice->threads.value == 0 || choice->threads.value > MOST_THREADS)) {
        fprintf(stderr, "ridge %s: --threads: %llu makes no sense (1 to %d)\n", command,
                (unsigned long long)choice->threads.value, MOST_THREADS);
        return false;
    }
    *out = (struct ridge_curve_request){
        .device = choice->device,
        .access = (ridge_access)access,
        .disciplines = choice->discipline ? 1U << curve_choice_discipline(choice) : 0,
        .warm = strcmp(choice->cache, "warm") == 0,
        .published = strcmp(choice->rule, "published") == 0,
        .threads = (unsigned)choice->threads.value,
        .max_seconds = choice->max_seconds,
        .progress = curve_progress,
    };
    if (out->published && out->warm) {
        fprintf(stderr, "ridge %s: the published curve is cold (leave out --cache warm)\n", command);
        return false;
    }
    return true;
}

const char *curve_counting(ridge_access access)
{
    static const char *const texts[] = {
        [RIDGE_ACCESS_READ] = "bytes read",
        [RIDGE_ACCESS_WRITE] = "bytes written; that caches fetch the lines first is not counted",
        [RIDGE_ACCESS_COPY] = "bytes read plus bytes written",
        [RIDGE_ACCESS_TRIAD] = "bytes of two arrays read plus one written",
        [RIDGE_ACCESS_STREAMING_WRITE] = "bytes written, past the caches",
    };
    return (size_t)access < sizeof texts / sizeof texts[0] ? texts[access] : "bytes moved";
}
