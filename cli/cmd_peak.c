/* SPDX-License-Identifier: MIT */
/** \file ridge peak: how fast a device computes, what a launch costs, how long a dependent access takes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "database.h"
#include "options.h"
#include "ridge/json.h"
#include "ridge/peak.h"
#include "ridge/units.h"
#include "terminal.h"

enum {
    MOST_THREADS = 1024,
    INTERVAL_BYTES = 2 * RIDGE_NUMBER_BYTES + 4
};

struct peak_arguments {
    const char *device;
    const char *db;
    const char *max;
    struct option_optional threads;
    bool without_latency;
    bool save;
    bool json;
};

static void json_rate(struct ridge_json *json, const char *key, const struct ridge_peak_rate *rate)
{
    if (rate->n == 0) {
        ridge_json_null(json, key);
        return;
    }
    ridge_json_object_begin_compact(json, key);
    ridge_json_double(json, "flop_per_s", rate->flop_per_s);
    ridge_json_double(json, "ci95_low_flop_per_s", rate->ci95.low);
    ridge_json_double(json, "ci95_high_flop_per_s", rate->ci95.high);
    ridge_json_double(json, "best_flop_per_s", rate->best_flop_per_s);
    ridge_json_u64(json, "n", rate->n);
    ridge_json_object_end(json);
}

static void json_time(struct ridge_json *json, const struct ridge_summary *time)
{
    ridge_json_double(json, "median_s", time->median_s);
    ridge_json_double(json, "ci95_low_s", time->ci95_low_s);
    ridge_json_double(json, "ci95_high_s", time->ci95_high_s);
    ridge_json_double(json, "min_s", time->minimum_s);
    ridge_json_u64(json, "n", time->n);
}

static void json_launch(struct ridge_json *json, const char *key, const struct ridge_summary *time)
{
    if (time->n == 0) {
        ridge_json_null(json, key);
        return;
    }
    ridge_json_object_begin_compact(json, key);
    json_time(json, time);
    ridge_json_object_end(json);
}

static int print_json(const struct ridge_peak *peak)
{
    struct ridge_json json;
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "kind", ridge_kind_word(RIDGE_MEASURED));
    ridge_json_text(&json, "device", peak->device);
    ridge_json_text(&json, "backend", peak->backend);
    ridge_json_text(&json, "selector", peak->selector);
    ridge_json_text(&json, "driver", peak->driver);
    ridge_json_text(&json, "compiler", peak->compiler);
    ridge_json_u64(&json, "threads", peak->threads);
    ridge_json_text(&json, "made_at", peak->made_at);
    json_rate(&json, "f32", &peak->f32);
    json_rate(&json, "f64", &peak->f64);
    json_launch(&json, "launch", &peak->launch);
    json_launch(&json, "launch_device", &peak->launch_device);
    ridge_json_array_begin(&json, "latencies");
    for (size_t i = 0; i < peak->latency_count; i++) {
        ridge_json_object_begin_compact(&json, NULL);
        ridge_json_u64(&json, "bytes", peak->latencies[i].bytes);
        json_time(&json, &peak->latencies[i].time);
        ridge_json_object_end(&json);
    }
    ridge_json_array_end(&json);
    ridge_json_array_begin(&json, "notes");
    for (size_t i = 0; i < peak->note_count; i++) {
        ridge_json_text(&json, NULL, peak->notes[i]);
    }
    ridge_json_array_end(&json);
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? EXIT_DONE : EXIT_INPUT;
}

static void print_rate(const char *name, const struct ridge_peak_rate *rate)
{
    char median[RIDGE_NUMBER_BYTES];
    char low[RIDGE_NUMBER_BYTES];
    char high[RIDGE_NUMBER_BYTES];
    char best[RIDGE_NUMBER_BYTES];
    char interval[INTERVAL_BYTES];
    if (rate->n == 0) {
        printf("%-23s  %14s\n", name, "unknown");
        return;
    }
    ridge_quantity_format(rate->flop_per_s, "FLOP/s", median);
    ridge_quantity_format(rate->ci95.low, "FLOP/s", low);
    ridge_quantity_format(rate->ci95.high, "FLOP/s", high);
    ridge_quantity_format(rate->best_flop_per_s, "FLOP/s", best);
    snprintf(interval, sizeof interval, "%s to %s", low, high);
    printf("%-23s  %14s  %-34s  best %s, n = %" PRIu64 "\n", name, median, interval, best, rate->n);
}

static void print_time(const char *name, const struct ridge_summary *time)
{
    char median[RIDGE_NUMBER_BYTES];
    char low[RIDGE_NUMBER_BYTES];
    char high[RIDGE_NUMBER_BYTES];
    char interval[INTERVAL_BYTES];
    if (time->n == 0) {
        printf("%-23s  %14s\n", name, "unknown");
        return;
    }
    ridge_duration_format(time->median_s, median);
    ridge_duration_format(time->ci95_low_s, low);
    ridge_duration_format(time->ci95_high_s, high);
    snprintf(interval, sizeof interval, "%s to %s", low, high);
    printf("%-23s  %14s  %-34s  n = %" PRIu64 "\n", name, median, interval, time->n);
}

static int print_text(const struct ridge_peak *peak)
{
    terminal_text(peak->device);
    printf(" (%s), %u %s%s, measured\n", peak->selector, peak->threads,
           strcmp(peak->backend, "host") == 0 ? "thread" : "compute unit", peak->threads == 1 ? "" : "s");
    terminal_text(peak->compiler);
    printf("\n\n%-23s  %14s  %s\n", "fused multiply-adds", "median", "95 % interval");
    print_rate("  f32", &peak->f32);
    print_rate("  f64", &peak->f64);
    printf("\na launch of nothing\n");
    print_time("  until known done", &peak->launch);
    print_time("  by the device's clock", &peak->launch_device);
    if (peak->latency_count > 0) {
        printf("\none access that waits for the one before, in random order, by working set\n");
    }
    for (size_t i = 0; i < peak->latency_count; i++) {
        char size[RIDGE_NUMBER_BYTES];
        char name[RIDGE_NUMBER_BYTES + 2];
        ridge_size_format(peak->latencies[i].bytes, size);
        snprintf(name, sizeof name, "  %s", size);
        print_time(name, &peak->latencies[i].time);
    }
    for (size_t i = 0; i < peak->note_count; i++) {
        printf("%snote: ", i == 0 ? "\n" : "");
        terminal_text(peak->notes[i]);
        printf("\n");
    }
    return EXIT_DONE;
}

static int save(struct ridge_context *context, const struct peak_arguments *arguments, const struct ridge_peak *peak)
{
    char path[DATABASE_PATH_BYTES];
    struct ridge_store *store = NULL;
    struct ridge_error error = {0};
    int64_t id = 0;
    if (!database_path(path, sizeof path, arguments->db, NULL)) {
        return EXIT_USAGE;
    }
    ridge_status status = ridge_store_open(context, path, RIDGE_STORE_WRITE, &store, &error);
    if (status == RIDGE_OK) {
        status = ridge_store_peak_put(store, peak, &id, &error);
    }
    ridge_store_close(store);
    if (status != RIDGE_OK) {
        return report_error(&error);
    }
    fprintf(stderr, "ridge: saved as peak %lld in %s\n", (long long)id, path);
    return EXIT_DONE;
}

static int measure(struct ridge_context *context, const struct peak_arguments *arguments)
{
    struct ridge_error error = {0};
    struct ridge_peak peak;
    struct ridge_peak_request request = {.device = arguments->device,
                                         .threads = (unsigned)arguments->threads.value,
                                         .without_latency = arguments->without_latency};
    if (arguments->max && ridge_size_parse(arguments->max, &request.latency_bytes, &error) != RIDGE_OK) {
        fprintf(stderr, "ridge peak: --max: %s\n", error.message);
        return EXIT_USAGE;
    }
    const int ready = arguments->save ? database_check(context, arguments->db, NULL) : EXIT_DONE;
    if (ready != EXIT_DONE) {
        return ready;
    }
    if (ridge_peak_measure(context, &request, &peak, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    const int code = arguments->json ? print_json(&peak) : print_text(&peak);
    return code == EXIT_DONE && arguments->save ? save(context, arguments, &peak) : code;
}

int cmd_peak(struct ridge_context *context, int argc, char **argv)
{
    struct peak_arguments arguments = {.device = "host"};
    const struct option options[] = {
        {"device", OPTION_TEXT, &arguments.device, "DEVICE",
         "host, opencl[:platform[:device]], cuda[:device] (default: host)", NULL},
        {"threads", OPTION_OPTIONAL, &arguments.threads, "N", "of the host (default: as many as may be used)", NULL},
        {"max", OPTION_TEXT, &arguments.max, "SIZE", "largest working set of the latencies (default: 256MiB)", NULL},
        {"no-latency", OPTION_FLAG, &arguments.without_latency, NULL, "leave out the latencies", NULL},
        {"save", OPTION_FLAG, &arguments.save, NULL, "keep it, for ridge score and ridge tune", NULL},
        {"db", OPTION_TEXT, &arguments.db, "FILE", "evidence database (default: RIDGE_DB, else .ridge/evidence.db)",
         NULL},
        {"json", OPTION_FLAG, &arguments.json, NULL, "print JSON", NULL},
        {0},
    };
    switch (options_parse(command_find("peak"), options, argc, argv, NULL, 0, 0)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    if (arguments.threads.given && (arguments.threads.value == 0 || arguments.threads.value > MOST_THREADS)) {
        fprintf(stderr, "ridge peak: --threads: %" PRIu64 " makes no sense (1 to %d)\n", arguments.threads.value,
                MOST_THREADS);
        return EXIT_USAGE;
    }
    return measure(context, &arguments);
}
