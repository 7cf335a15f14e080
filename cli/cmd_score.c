/* SPDX-License-Identifier: MIT */
/** \file ridge score: what a time comes to against what the device can do, and which roof binds. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "database.h"
#include "options.h"
#include "ridge/ceilings.h"
#include "ridge/json.h"
#include "ridge/units.h"
#include "terminal.h"

struct score_arguments {
    struct ridge_context *context;
    const char *device;
    const char *db;
    const char *cache;
    double time_s;
    const char *amounts[RIDGE_ROOF_COUNT]; /* as given; flop in the place of its width */
    const char *flops;
    const char *stated[RIDGE_ROOF_COUNT]; /* ceilings by hand */
    bool f64;
    bool save;
    bool json;
};

/** What was worked out. */
struct scored {
    struct ridge_work work;
    struct ridge_peaks peaks;
    struct ridge_score score;
    char ceilings[RIDGE_CEILINGS_WORDS]; /* "" : all by hand */
};

/** The names of the options, by roof. */
static const char *const amount_names[RIDGE_ROOF_COUNT] = {"flops", "flops", "read", "write", "bytes"};
static const char *const stated_names[RIDGE_ROOF_COUNT] = {"peak-flops", "peak-flops-f64", "read-ceiling",
                                                           "write-ceiling", "bytes-ceiling"};

/** Read what one option says. \return false with a message */
static bool quantity_take(const char *name, const char *text, const char *unit, double *out)
{
    struct ridge_error error = {0};
    if (!text) {
        return true;
    }
    uint64_t bytes = 0;
    const bool size = strcmp(unit, "B") == 0;
    if ((size ? ridge_size_parse(text, &bytes, &error) : ridge_quantity_parse(text, unit, out, &error)) == RIDGE_OK) {
        *out = size ? (double)bytes : *out;
        return true;
    }
    fprintf(stderr, "ridge score: --%s: %s\n", name, error.message);
    return false;
}

/** Say which ceilings were given by hand for what the launch does not use. */
static void warn_of_unused(const struct score_arguments *arguments, const struct ridge_work *work)
{
    const bool mixed = ridge_work_is_mixed(work);
    for (unsigned i = 0; i < RIDGE_ROOF_COUNT; i++) {
        const bool used = work->amount[i] > 0 || (i == RIDGE_ROOF_BYTES && mixed);
        if (arguments->stated[i] && !used) {
            fprintf(stderr, "ridge: warning: --%s is not used: the launch is not said to use %s\n", stated_names[i],
                    ridge_roof_words((ridge_roof)i));
        }
    }
}

/** Read amounts and the ceilings that are given by hand. */
static bool arguments_take(struct score_arguments *arguments, struct scored *scored)
{
    arguments->amounts[arguments->f64 ? RIDGE_ROOF_F64 : RIDGE_ROOF_F32] = arguments->flops;
    bool any = false;
    for (unsigned i = 0; i < RIDGE_ROOF_COUNT; i++) {
        const char *unit = ridge_roof_unit((ridge_roof)i);
        char rate[16];
        snprintf(rate, sizeof rate, "%s/s", unit);
        if (!quantity_take(amount_names[i], arguments->amounts[i], unit, &scored->work.amount[i]) ||
            !quantity_take(stated_names[i], arguments->stated[i], rate, &scored->peaks.per_s[i])) {
            return false;
        }
        if (arguments->stated[i] && scored->peaks.per_s[i] <= 0) {
            fprintf(stderr, "ridge score: --%s: a ceiling of 0 says nothing (write a rate above 0, or leave it out)\n",
                    stated_names[i]);
            return false;
        }
        scored->peaks.kind[i] = RIDGE_STATED;
        any = any || scored->work.amount[i] > 0;
    }
    if (!(arguments->time_s > 0)) {
        fprintf(stderr, "ridge score: --time is missing (how long a launch takes, such as --time 1.2ms)\n");
        return false;
    }
    if (!any) {
        fprintf(stderr, "ridge score: there is nothing to score (say with --read, --write, --bytes or --flops what a "
                        "launch moves and computes)\n");
        return false;
    }
    warn_of_unused(arguments, &scored->work);
    return true;
}

/** The work that is left for ceilings that are not given by hand. */
static struct ridge_work work_left(const struct score_arguments *arguments, const struct ridge_work *work)
{
    struct ridge_work left = *work;
    for (size_t i = 0; i < RIDGE_ROOF_COUNT; i++) {
        left.amount[i] = arguments->stated[i] ? 0 : left.amount[i];
    }
    return left;
}

static bool is_warm(const struct score_arguments *arguments)
{
    return strcmp(arguments->cache, "warm") == 0;
}

/** Load the saved ceilings. RIDGE_E_EMPTY also where there is no database. */
static ridge_status saved_load(const struct score_arguments *arguments, const char *path, struct ridge_ceilings *out,
                               struct ridge_error *error)
{
    struct ridge_store *store = NULL;
    if (access(path, F_OK) != 0) {
        return RIDGE_E_EMPTY;
    }
    ridge_status status = ridge_store_open(arguments->context, path, RIDGE_STORE_READ, &store, error);
    if (status == RIDGE_OK) {
        status = ridge_store_ceilings_load(store, arguments->device, NULL, is_warm(arguments), out, error);
    }
    ridge_store_close(store);
    return status;
}

static bool has_all(const struct ridge_ceilings *ceilings, unsigned needed)
{
    const unsigned has = (ceilings->has_peak ? (unsigned)RIDGE_CEILING_PEAK : 0U) |
                         (ridge_ceilings_curve(ceilings, RIDGE_ACCESS_READ) ? (unsigned)RIDGE_CEILING_READ : 0U) |
                         (ridge_ceilings_curve(ceilings, RIDGE_ACCESS_WRITE) ? (unsigned)RIDGE_CEILING_WRITE : 0U) |
                         (ridge_ceilings_curve(ceilings, RIDGE_ACCESS_COPY) ? (unsigned)RIDGE_CEILING_COPY : 0U);
    return (needed & ~has) == 0;
}

static int measured_save(const struct score_arguments *arguments, const char *path,
                         const struct ridge_ceilings *ceilings)
{
    struct ridge_store *store = NULL;
    struct ridge_error error = {0};
    ridge_status status = ridge_store_open(arguments->context, path, RIDGE_STORE_WRITE, &store, &error);
    if (status == RIDGE_OK) {
        status = ridge_store_ceilings_put(store, ceilings, &error);
    }
    ridge_store_close(store);
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

/** Say which of the saved curves are older than the driver that is here now. */
static void warn_of_old(const struct ridge_ceilings *ceilings)
{
    for (unsigned access = 0; access <= RIDGE_ACCESS_COPY; access++) {
        char why[512];
        const struct ridge_curve *curve = ridge_ceilings_curve(ceilings, (ridge_access)access);
        if (curve && ridge_curve_is_old(curve, why)) {
            fprintf(stderr,
                    "ridge: warning: the %s curve is old: %s (ridge curve --access %s --save measures a new one)\n",
                    ridge_access_word(curve->access), why, ridge_access_word(curve->access));
        }
    }
}

/** Find the ceilings that are needed: saved ones, else measured now. */
static int ceilings_find(const struct score_arguments *arguments, const struct ridge_work *work,
                         struct ridge_ceilings *out)
{
    const struct ridge_work left = work_left(arguments, work);
    char path[DATABASE_PATH_BYTES];
    struct ridge_error error = {0};
    if (!database_path(path, sizeof path, arguments->db, NULL)) {
        return EXIT_USAGE;
    }
    const ridge_status status = saved_load(arguments, path, out, &error);
    if (status == RIDGE_OK && has_all(out, ridge_ceilings_needed(&left))) {
        warn_of_old(out);
        return EXIT_DONE;
    }
    if (status != RIDGE_OK && status != RIDGE_E_EMPTY) {
        return report_error(&error);
    }
    if (status == RIDGE_OK) {
        ridge_ceilings_fini(out);
    }
    const int ready = arguments->save ? database_check(arguments->context, arguments->db, NULL) : EXIT_DONE;
    if (ready != EXIT_DONE) {
        return ready;
    }
    fprintf(stderr, "ridge: the ceilings of %s are not saved in %s: they are measured now%s\n", arguments->device, path,
            arguments->save ? "" : " (--save keeps them)");
    error = (struct ridge_error){0};
    if (ridge_ceilings_measure(arguments->context, arguments->device, ridge_ceilings_wanted(&left), is_warm(arguments),
                               work, out, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    return arguments->save ? measured_save(arguments, path, out) : EXIT_DONE;
}

/** Fill the peaks that are not given by hand. */
static int peaks_complete(const struct score_arguments *arguments, struct scored *scored)
{
    const struct ridge_work left = work_left(arguments, &scored->work);
    if (ridge_ceilings_needed(&left) == 0) {
        return EXIT_DONE;
    }
    struct ridge_ceilings ceilings = {0};
    const int code = ceilings_find(arguments, &scored->work, &ceilings);
    if (code == EXIT_DONE) {
        struct ridge_peaks found;
        ridge_ceilings_peaks(&ceilings, &scored->work, &found);
        ridge_ceilings_words(&ceilings, scored->ceilings);
        scored->peaks.launch_overhead_s = found.launch_overhead_s;
        for (size_t i = 0; i < RIDGE_ROOF_COUNT; i++) {
            if (!arguments->stated[i]) {
                scored->peaks.per_s[i] = found.per_s[i];
                scored->peaks.kind[i] = found.kind[i];
                scored->peaks.spread_ratio[i] = found.spread_ratio[i];
                memcpy(scored->peaks.regime[i], found.regime[i], sizeof found.regime[i]);
            }
        }
    }
    ridge_ceilings_fini(&ceilings);
    return code;
}

/** What a roof is held against: the bytes that are read and written together where a copy counts. */
static double amount_of(const struct scored *scored, unsigned roof)
{
    const bool copied = roof == RIDGE_ROOF_BYTES && scored->score.copy_counts;
    return copied ? ridge_work_bytes(&scored->work) : scored->work.amount[roof];
}

/** Share in per cent, "unknown" where the ceiling is. */
static void share_format(double share, char out[RIDGE_NUMBER_BYTES])
{
    char number[RIDGE_NUMBER_BYTES];
    if (isnan(share)) {
        snprintf(out, RIDGE_NUMBER_BYTES, "unknown");
        return;
    }
    ridge_number_format(round(share * 1000) / 10, number);
    snprintf(out, RIDGE_NUMBER_BYTES, "%.24s %%", number);
}

static void print_row(const struct scored *scored, unsigned roof)
{
    char amount[RIDGE_NUMBER_BYTES];
    char achieved[RIDGE_NUMBER_BYTES];
    char ceiling[RIDGE_NUMBER_BYTES];
    char share[RIDGE_NUMBER_BYTES];
    char rate[16];
    const bool bytes = roof >= RIDGE_ROOF_READ;
    snprintf(rate, sizeof rate, "%s/s", ridge_roof_unit((ridge_roof)roof));
    if (bytes) {
        ridge_size_format((uint64_t)amount_of(scored, roof), amount);
    } else {
        ridge_quantity_format(scored->work.amount[roof], "FLOP", amount);
    }
    ridge_quantity_format(scored->score.achieved_per_s[roof], rate, achieved);
    ridge_quantity_format(scored->peaks.per_s[roof], rate, ceiling);
    share_format(scored->score.share[roof], share);
    const char *regime = scored->peaks.regime[roof];
    printf("%-26s  %12s  %15s  %15s  %-9s  %8s%s%s%s\n", ridge_roof_words((ridge_roof)roof), amount, achieved, ceiling,
           isnan(scored->peaks.per_s[roof]) ? "" : ridge_kind_word(scored->peaks.kind[roof]), share,
           (int)roof == scored->score.binding ? "  binds" : "", regime[0] ? "  " : "", regime);
}

/** A rate for both units side by side, with at least four digits. */
static void rate_format(double rate, char out[RIDGE_NUMBER_BYTES])
{
    const double power = rate >= 1000 ? 10 : rate >= 100 ? 100 : 1000;
    ridge_number_format(round(rate * power) / power, out);
}

/** Bytes a second in both units, and how they are counted. */
static void print_traffic(const struct score_arguments *arguments, const struct scored *scored)
{
    const double bytes_per_s = ridge_work_bytes(&scored->work) / arguments->time_s;
    char decimal[RIDGE_NUMBER_BYTES];
    char binary[RIDGE_NUMBER_BYTES];
    if (bytes_per_s > 0) {
        rate_format(bytes_per_s / 1e9, decimal);
        rate_format(bytes_per_s / 1073741824.0, binary);
        printf("\nmemory in all: %s GB/s (= %s GiB/s), bytes read and bytes written both counted\n", decimal, binary);
    }
}

/** The two bounds of reads beside writes, and which counts. */
static void print_bounds(const struct ridge_score *score)
{
    char overlap[RIDGE_NUMBER_BYTES];
    char copy[RIDGE_NUMBER_BYTES];
    if (isnan(score->overlap_s)) {
        return;
    }
    ridge_duration_format(score->overlap_s, overlap);
    ridge_duration_format(score->copy_s, copy);
    printf("reads beside writes: at least %s when they overlap in full, ", overlap);
    if (isnan(score->copy_s)) {
        printf("unknown at the rate of a copy (ridge curve --access copy --save)\n");
    } else {
        printf("%s at the rate of a copy; %s\n", copy,
               score->copy_counts ? "the copy counts: neither is more than twice the other"
                                  : "the overlap counts: one is more than twice the other");
    }
}

static int print_text(const struct score_arguments *arguments, const struct scored *scored)
{
    char time[RIDGE_NUMBER_BYTES];
    char share[RIDGE_NUMBER_BYTES];
    char least[RIDGE_NUMBER_BYTES];
    const struct ridge_score *score = &scored->score;
    ridge_duration_format(arguments->time_s, time);
    if (score->binding < 0) {
        printf("%s: no ceiling of what is used is known\n", time);
    } else {
        share_format(score->share[score->binding], share);
        ridge_duration_format(score->roofline_s, least);
        printf("%s is %s of the roofline, bound by %s: at least %s\n", time, share,
               ridge_roof_words((ridge_roof)score->binding), least);
    }
    printf("time and amounts are stated%s%s\n\n", scored->ceilings[0] ? "; ceilings: " : "", scored->ceilings);
    printf("%-26s  %12s  %15s  %15s  %-9s  %8s\n", "", "amount", "achieved", "ceiling", "kind", "share");
    for (unsigned i = 0; i < RIDGE_ROOF_COUNT; i++) {
        if (amount_of(scored, i) > 0) {
            print_row(scored, i);
        }
    }
    print_traffic(arguments, scored);
    print_bounds(score);
    if (score->ceiling_beaten) {
        printf("note: the ceiling is beaten, which says something about the ceiling or the amounts: were caches warm, "
               "or fewer bytes moved than stated?\n");
    }
    return EXIT_DONE;
}

static void json_row(struct ridge_json *json, const struct scored *scored, unsigned roof)
{
    ridge_json_object_begin_compact(json, NULL);
    ridge_json_text(json, "resource", ridge_roof_key((ridge_roof)roof));
    ridge_json_double(json, "amount", amount_of(scored, roof));
    ridge_json_text(json, "unit", ridge_roof_unit((ridge_roof)roof));
    ridge_json_double(json, "achieved_per_s", scored->score.achieved_per_s[roof]);
    ridge_json_double(json, "ceiling_per_s", scored->peaks.per_s[roof]);
    ridge_json_text(json, "kind", isnan(scored->peaks.per_s[roof]) ? NULL : ridge_kind_word(scored->peaks.kind[roof]));
    ridge_json_text(json, "regime", scored->peaks.regime[roof][0] ? scored->peaks.regime[roof] : NULL);
    ridge_json_double(json, "share", scored->score.share[roof]);
    ridge_json_double(json, "least_s", scored->score.least_s[roof]);
    ridge_json_object_end(json);
}

static int print_json(const struct score_arguments *arguments, const struct scored *scored)
{
    struct ridge_json json;
    const struct ridge_score *score = &scored->score;
    const double bytes = ridge_work_bytes(&scored->work);
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    ridge_json_double(&json, "time_s", arguments->time_s);
    ridge_json_text(&json, "kind", ridge_kind_word(RIDGE_STATED));
    ridge_json_text(&json, "device", arguments->device);
    ridge_json_text(&json, "binding", score->binding < 0 ? NULL : ridge_roof_key((ridge_roof)score->binding));
    ridge_json_double(&json, "share", score->binding < 0 ? (double)NAN : score->share[score->binding]);
    ridge_json_double(&json, "roofline_s", score->roofline_s);
    ridge_json_bool(&json, "ceiling_beaten", score->ceiling_beaten);
    ridge_json_double(&json, "overlap_s", score->overlap_s);
    ridge_json_double(&json, "copy_s", score->copy_s);
    ridge_json_bool(&json, "copy_counts", score->copy_counts);
    ridge_json_double(&json, "launch_overhead_s", scored->peaks.launch_overhead_s);
    ridge_json_double(&json, "bytes_per_s", bytes > 0 ? bytes / arguments->time_s : (double)NAN);
    ridge_json_text(&json, "counting", "bytes read and bytes written both counted");
    ridge_json_text(&json, "ceilings", scored->ceilings[0] ? scored->ceilings : NULL);
    ridge_json_array_begin(&json, "resources");
    for (unsigned i = 0; i < RIDGE_ROOF_COUNT; i++) {
        if (amount_of(scored, i) > 0) {
            json_row(&json, scored, i);
        }
    }
    ridge_json_array_end(&json);
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? EXIT_DONE : EXIT_INPUT;
}

static int score(struct score_arguments *arguments)
{
    struct scored scored = {.peaks = ridge_peaks_unknown()};
    if (!arguments_take(arguments, &scored)) {
        return EXIT_USAGE;
    }
    const int code = peaks_complete(arguments, &scored);
    if (code != EXIT_DONE) {
        return code;
    }
    ridge_roofline_score(&scored.work, &scored.peaks, arguments->time_s, &scored.score);
    return arguments->json ? print_json(arguments, &scored) : print_text(arguments, &scored);
}

int cmd_score(struct ridge_context *context, int argc, char **argv)
{
    struct score_arguments arguments = {.context = context, .device = "host", .cache = "cold"};
    const struct option options[] = {
        {"time", OPTION_DURATION, &arguments.time_s, "TIME", "how long a launch takes, such as 1.2ms", NULL},
        {"read", OPTION_TEXT, &arguments.amounts[RIDGE_ROOF_READ], "SIZE", "bytes read, such as 64MiB", NULL},
        {"write", OPTION_TEXT, &arguments.amounts[RIDGE_ROOF_WRITE], "SIZE", "bytes written", NULL},
        {"bytes", OPTION_TEXT, &arguments.amounts[RIDGE_ROOF_BYTES], "SIZE",
         "bytes read and written, where they are not known apart", NULL},
        {"flops", OPTION_TEXT, &arguments.flops, "AMOUNT", "operations, such as 2GFLOP; a multiply-add is two", NULL},
        {"f64", OPTION_FLAG, &arguments.f64, NULL, "the operations are on doubles", NULL},
        {"device", OPTION_TEXT, &arguments.device, "DEVICE",
         "host, opencl[:platform[:device]], cuda[:device] (default: host)", NULL},
        {"cache", OPTION_TEXT, &arguments.cache, "MODE", "cold or warm: which curve (default: cold)", "cold|warm"},
        {"peak-flops", OPTION_TEXT, &arguments.stated[RIDGE_ROOF_F32], "RATE", "f32 peak by hand, such as 300GFLOP/s",
         NULL},
        {"peak-flops-f64", OPTION_TEXT, &arguments.stated[RIDGE_ROOF_F64], "RATE", "f64 peak by hand", NULL},
        {"read-ceiling", OPTION_TEXT, &arguments.stated[RIDGE_ROOF_READ], "RATE", "by hand, such as 60GB/s", NULL},
        {"write-ceiling", OPTION_TEXT, &arguments.stated[RIDGE_ROOF_WRITE], "RATE", "by hand", NULL},
        {"bytes-ceiling", OPTION_TEXT, &arguments.stated[RIDGE_ROOF_BYTES], "RATE",
         "by hand, for --bytes, or for --read beside --write: of a copy", NULL},
        {"save", OPTION_FLAG, &arguments.save, NULL, "keep ceilings that had to be measured", NULL},
        {"db", OPTION_TEXT, &arguments.db, "FILE", "evidence database (default: RIDGE_DB, else .ridge/evidence.db)",
         NULL},
        {"json", OPTION_FLAG, &arguments.json, NULL, "print JSON", NULL},
        {0},
    };
    switch (options_parse(command_find("score"), options, argc, argv, NULL, 0, 0)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    return score(&arguments);
}
