/* SPDX-License-Identifier: MIT */
/** \file ridge rank: the configurations of a spec by estimated cost. Every form of output says `estimated` and how well
 * the estimate is known to do. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rank_code.h"
#include "rank_count.h"
#include "ranker.h"
#include "ridge/json.h"
#include "ridge/occupancy.h"
#include "ridge/units.h"
#include "saved_calibration.h"
#include "terminal.h"

enum {
    RESAMPLES = 500,
    WORDS_BYTES = CALIBRATION_BYTES + 640
};

struct rank {
    struct ranker ranker;
    struct option_optional top;
    const char *db;
    bool json;
    bool csv;
    bool compile;
    const char *cuda_path;
    struct rank_code code;
    bool count;
    struct rank_count counts;
    const struct ridge_ranking *ranking;
    struct ridge_calibration calibration; /* rho NaN: there is none */
    struct saved_calibration saved;
    char words[WORDS_BYTES];
};

static uint64_t rows_shown(const struct rank *rank)
{
    const uint64_t most = rank->top.given ? rank->top.value : 20;
    return most < rank->ranking->count ? most : rank->ranking->count;
}

static const uint32_t *choice_at(const struct rank *rank, uint64_t place)
{
    return rank->ranking->choices + rank->ranking->order[place] * rank->ranking->dimension_count;
}

static const struct ridge_estimate *estimate_at(const struct rank *rank, uint64_t place)
{
    return &rank->ranking->estimates[rank->ranking->order[place]];
}

/** Why it cannot be launched or estimated, or "launchable". */
static const char *verdict(const struct ridge_estimate *estimate)
{
    return estimate->bound == RIDGE_BOUND_UNKNOWN ? "not counted, or without a value"
                                                  : ridge_launch_word((ridge_launch_rule)estimate->rule);
}

static void print_values(const struct rank *rank, const uint32_t *choice, const char *between)
{
    for (size_t i = 0; i < rank->ranking->dimension_count; i++) {
        char text[64];
        ridge_value_format(ridge_space_value(rank->ranker.space, i, choice[i]), text, sizeof text);
        if (strcmp(between, ",") == 0) {
            printf(",%s", text);
        } else if (ridge_space_dimension_size(rank->ranker.space, i) > 1) {
            printf(" %s=%s", ridge_space_dimension_name(rank->ranker.space, i), text);
        }
    }
}

static void print_text(const struct rank *rank)
{
    const struct ridge_ranking *ranking = rank->ranking;
    const struct ridge_device_match *match = &rank->ranker.device;
    const char *device = match->count > 1 ? match->asked : match->devices[0]->name;
    printf("%s on %s: %" PRIu64 " configurations by model %s, estimated\n", ridge_spec_kernel(rank->ranker.spec),
           device, ranking->count, ridge_model_word(ranking->model));
    printf("cost: %s\ncalibration for this kernel and device: ", ranking->cost_meaning);
    terminal_text(rank->words);
    putchar('\n');
    if (rank->compile) {
        printf("%s, stated\n", rank->code.words);
    }
    if (rank->count) {
        printf("%s\n", rank->counts.words);
    }
    for (size_t i = 0; i < ranking->note_count; i++) {
        printf("note: %s\n", ranking->notes[i]);
    }
    if (rank->saved.stale[0]) {
        printf("note: ");
        terminal_text(rank->saved.stale);
        putchar('\n');
    }
    if (rank->code.reason[0] != '\0') {
        printf("note: the first that does not compile: ");
        terminal_text(rank->code.reason);
        putchar('\n');
    }
    printf("\n%6s  %-19s  %12s  %9s  %9s  %-13s  %-12s  %s\n", "rank", "id", "cost (est.)", "occupancy", "waves",
           "limited by", "launch", "configuration");
    for (uint64_t place = 0; place < rows_shown(rank); place++) {
        const struct ridge_estimate *estimate = estimate_at(rank, place);
        char id[RIDGE_ID_BYTES];
        ridge_space_id(rank->ranker.space, choice_at(rank, place), id);
        printf("%6" PRIu64 "  %-19s  %12.6g  %9.2f  %9.1f  %-13s  %-12s ", place + 1, id, estimate->cost,
               estimate->occupancy, estimate->waves, ridge_bound_word((ridge_bound)estimate->bound), verdict(estimate));
        print_values(rank, choice_at(rank, place), " ");
        putchar('\n');
    }
}

/** A field in quotes, those within it doubled. */
static void csv_text(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        printf(*text == '"' ? "\"\"" : "%c", *text);
    }
    putchar('"');
}

static void print_csv(const struct rank *rank)
{
    printf("kind,model,calibration,rank,id,cost,occupancy,waves,bound,launch");
    for (size_t i = 0; i < rank->ranking->dimension_count; i++) {
        printf(",%s", ridge_space_dimension_name(rank->ranker.space, i));
    }
    putchar('\n');
    for (uint64_t place = 0; place < rows_shown(rank); place++) {
        const struct ridge_estimate *estimate = estimate_at(rank, place);
        char numbers[3][RIDGE_NUMBER_BYTES];
        char id[RIDGE_ID_BYTES];
        ridge_space_id(rank->ranker.space, choice_at(rank, place), id);
        ridge_number_format(estimate->cost, numbers[0]);
        ridge_number_format(estimate->occupancy, numbers[1]);
        ridge_number_format(estimate->waves, numbers[2]);
        printf("estimated,%s,", ridge_model_word(rank->ranking->model));
        csv_text(rank->words);
        printf(",%" PRIu64 ",%s,%s,%s,%s,%s,%s", place + 1, id, numbers[0], numbers[1], numbers[2],
               ridge_bound_word((ridge_bound)estimate->bound), verdict(estimate));
        print_values(rank, choice_at(rank, place), ",");
        putchar('\n');
    }
}

static void json_value(struct ridge_json *json, const char *key, const struct ridge_value *value)
{
    switch (value->type) {
    case RIDGE_INT: ridge_json_i64(json, key, value->as.integer); break;
    case RIDGE_FLOAT: ridge_json_double(json, key, value->as.number); break;
    case RIDGE_BOOL: ridge_json_bool(json, key, value->as.truth); break;
    case RIDGE_TEXT: ridge_json_text(json, key, value->as.text); break;
    }
}

static void json_row(struct ridge_json *json, const struct rank *rank, uint64_t place)
{
    const struct ridge_estimate *estimate = estimate_at(rank, place);
    const uint32_t *choice = choice_at(rank, place);
    char id[RIDGE_ID_BYTES];
    ridge_space_id(rank->ranker.space, choice, id);
    ridge_json_object_begin_compact(json, NULL);
    ridge_json_u64(json, "rank", place + 1);
    ridge_json_text(json, "id", id);
    ridge_json_double(json, "cost", estimate->cost);
    ridge_json_double(json, "occupancy", estimate->occupancy);
    ridge_json_double(json, "waves", estimate->waves);
    ridge_json_text(json, "bound", ridge_bound_word((ridge_bound)estimate->bound));
    ridge_json_text(json, "launch", verdict(estimate));
    ridge_json_object_begin(json, "values");
    for (size_t i = 0; i < rank->ranking->dimension_count; i++) {
        json_value(json, ridge_space_dimension_name(rank->ranker.space, i),
                   ridge_space_value(rank->ranker.space, i, choice[i]));
    }
    ridge_json_object_end(json);
    ridge_json_object_end(json);
}

static int print_json(const struct rank *rank)
{
    struct ridge_json json;
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "kind", "estimated");
    ridge_json_text(&json, "kernel", ridge_spec_kernel(rank->ranker.spec));
    ridge_json_text(&json, "device", rank->ranker.device.devices[0]->name);
    ridge_json_text(&json, "model", ridge_model_word(rank->ranking->model));
    ridge_json_text(&json, "cost", rank->ranking->cost_meaning);
    ridge_json_text(&json, "calibration", rank->words);
    ridge_json_double(&json, "rho", rank->calibration.rho);
    if (rank->saved.found) {
        ridge_json_object_begin_compact(&json, "saved");
        ridge_json_text(&json, "at", rank->saved.saved_at);
        ridge_json_text(&json, "record", rank->saved.record);
        ridge_json_object_end(&json);
    }
    ridge_json_u64(&json, "configurations", rank->ranking->count);
    ridge_json_double(&json, "transfer_share", rank->ranking->transfer_share);
    if (rank->count) {
        ridge_json_object_begin(&json, "counted");
        ridge_json_text(&json, "meaning", rank->counts.words);
        ridge_json_u64(&json, "configurations", rank->counts.counted.counted);
        ridge_json_u64(&json, "drawn", rank->counts.counted.drawn);
        ridge_json_u64(&json, "failed", rank->counts.counted.failed);
        ridge_json_double(&json, "median_run_s", rank->counts.counted.median_run_s);
        ridge_json_double(&json, "median_compile_s", rank->counts.counted.median_compile_s);
        ridge_json_object_end(&json);
    }
    if (rank->compile) {
        ridge_json_object_begin_compact(&json, "code");
        ridge_json_text(&json, "kind", "stated");
        ridge_json_text(&json, "meaning", rank->code.words);
        ridge_json_text(&json, "target", rank->code.target);
        ridge_json_u64(&json, "failed", rank->code.failed);
        if (rank->code.reason[0] != '\0') {
            ridge_json_text(&json, "first_reason", rank->code.reason);
        }
        ridge_json_object_end(&json);
    }
    ridge_json_array_begin(&json, "notes");
    for (size_t i = 0; i < rank->ranking->note_count; i++) {
        ridge_json_text(&json, NULL, rank->ranking->notes[i]);
    }
    if (rank->saved.stale[0]) {
        ridge_json_text(&json, NULL, rank->saved.stale);
    }
    ridge_json_array_end(&json);
    ridge_json_array_begin(&json, "ranked");
    for (uint64_t place = 0; place < rows_shown(rank); place++) {
        json_row(&json, rank, place);
    }
    ridge_json_array_end(&json);
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? EXIT_DONE : EXIT_INPUT;
}

/** Records of this very device among the evidence say how good the ranking is; they are not ranked by. */
static void calibrate_by_evidence(struct rank *rank)
{
    for (size_t i = 0; i < rank->ranker.evidence_count; i++) {
        const struct ridge_evidence *evidence = &rank->ranker.evidence[i];
        const char *name = evidence->device ? evidence->device : evidence->run->info.device;
        struct ridge_device_match match;
        struct ridge_error ignored = {0};
        if (ridge_device_find(rank->ranker.devices, name, &match, &ignored) != RIDGE_OK ||
            match.devices[0] != rank->ranker.device.devices[0]) {
            continue;
        }
        struct ridge_calibration found;
        if (ridge_calibrate(rank->ranker.context, rank->ranker.space, rank->ranking, evidence->run, RESAMPLES, &found,
                            NULL, &ignored) == RIDGE_OK) {
            rank->calibration = found;
        }
    }
}

/** How good the ranking is: by the evidence at hand, else as it was saved. \return an exit code */
static int calibrate(struct rank *rank)
{
    rank->calibration.rho = (double)NAN;
    calibrate_by_evidence(rank);
    int code = EXIT_DONE;
    if (isnan(rank->calibration.rho) && !rank->ranker.code) { /* a saved one is of a ranking without the code */
        code = saved_calibration_look(&rank->ranker, rank->db, &rank->saved);
    }
    if (rank->saved.found) {
        rank->calibration = rank->saved.calibration;
    }
    calibration_words(&rank->calibration, rank->words);
    if (rank->saved.found && !isnan(rank->calibration.rho)) {
        const size_t used = strlen(rank->words);
        snprintf(rank->words + used, sizeof rank->words - used, ", saved %s against %s", rank->saved.saved_at,
                 rank->saved.record);
    }
    return code;
}

static int show(struct rank *rank)
{
    int code = EXIT_DONE;
    struct ridge_ranking *ranking = ranker_rank(&rank->ranker, rank->ranker.model, &code);
    if (!ranking) {
        return code;
    }
    rank->ranking = ranking;
    code = calibrate(rank);
    if (code != EXIT_DONE) {
        ridge_ranking_destroy(ranking);
        return code;
    }
    if (rank->json) {
        code = print_json(rank);
    } else if (rank->csv) {
        print_csv(rank);
    } else {
        print_text(rank);
    }
    ridge_ranking_destroy(ranking);
    return code;
}

/** Whether the options that were given go together. \return false with a message */
static bool fits_together(const struct rank *rank)
{
    const struct {
        bool wrong;
        const char *words;
    } rows[] = {
        {rank->json && rank->csv, "--json and --csv were both given (take one)"},
        {rank->compile && rank->count, "--compile and --count were both given (--count alone compiles too)"},
        {rank->counts.limit.given && rank->counts.limit.value == 0, "--count-limit: 0 counts nothing (1 or more)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].wrong) {
            fprintf(stderr, "ridge rank: %s\n", rows[i].words);
            return false;
        }
    }
    return true;
}

int cmd_rank(struct ridge_context *context, int argc, char **argv)
{
    struct rank rank = {.ranker.context = context};
    const struct option options[] = {
        RANKER_OPTIONS(&rank.ranker),
        {"top", OPTION_OPTIONAL, &rank.top, "N", "how many to print (default 20)", NULL},
        {"db", OPTION_TEXT, &rank.db, "FILE",
         "where ridge calibrate --save kept calibrations (default: RIDGE_DB, else .ridge/evidence.db beside the spec)",
         NULL},
        {"json", OPTION_FLAG, &rank.json, NULL, "print JSON", NULL},
        {"csv", OPTION_FLAG, &rank.csv, NULL, "print CSV, one row a configuration", NULL},
        {"compile", OPTION_FLAG, &rank.compile, NULL,
         "compile for the device, and take registers and shared memory from the code", NULL},
        {"count", OPTION_FLAG, &rank.count, NULL,
         "count the work by running the code on this CPU, compiled (also done when there is nothing else to rank by)",
         NULL},
        {"without-expressions", OPTION_FLAG, &rank.ranker.without_work, NULL,
         "with --count: leave out [model.work], which wins over what is counted", NULL},
        {"count-limit", OPTION_OPTIONAL, &rank.counts.limit, "N",
         "with --count: count at most N, some at random, then neighbours of the best (default 1000)", NULL},
        {"seed", OPTION_COUNT, &rank.counts.seed, "S", "with --count: of what is drawn at random", NULL},
        {"cuda-path", OPTION_TEXT, &rank.cuda_path, "PATH",
         "with --compile and --count: a CUDA toolkit's folder, or an NVRTC library", NULL},
        {0},
    };
    switch (options_parse(command_find("rank"), options, argc, argv, &rank.ranker.spec_path, 1, 1)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    if (!fits_together(&rank)) {
        return EXIT_USAGE;
    }
    int code = ranker_open(&rank.ranker);
    rank.count = rank.count || (code == EXIT_DONE && !rank.compile && rank_count_is_needed(&rank.ranker));
    if (code == EXIT_DONE && rank.counts.limit.given && !rank.count) {
        fprintf(stderr, "ridge rank: --count-limit: nothing is counted here (give --count too)\n");
        code = EXIT_USAGE;
    }
    if (code == EXIT_DONE && rank.count) {
        code = rank_count_open(&rank.counts, &rank.ranker, rank.cuda_path, !rank.json && !rank.csv);
        rank.ranker.code = rank.counts.counted.code;
        rank.ranker.code_count = rank.counts.counted.configurations;
    } else if (code == EXIT_DONE && rank.compile) {
        code = rank_code_open(&rank.code, context, rank.ranker.spec, rank.ranker.space, &rank.ranker.device,
                              rank.cuda_path, !rank.json && !rank.csv);
        rank.ranker.code = rank.code.rows;
        rank.ranker.code_count = rank.code.count;
    }
    code = code == EXIT_DONE ? show(&rank) : code;
    rank_count_close(&rank.counts);
    rank_code_close(&rank.code);
    ranker_close(&rank.ranker);
    return code;
}
