/* SPDX-License-Identifier: MIT */
/** \file ridge ceiling: what a working set can reach, from the saved curve, else from one measured now. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "curve_choice.h"
#include "database.h"
#include "ridge/json.h"
#include "ridge/units.h"
#include "terminal.h"

enum {
    WHY_BYTES = 512
};

struct ceiling_arguments {
    struct curve_choice choice;
    uint64_t bytes;
    const char *db;
    bool json;
};

/** The answer, and where it comes from. */
struct answer {
    const struct ridge_curve *curve;
    struct ridge_ceiling ceiling;
    uint64_t bytes;
    bool saved;
    bool old;
    char why[WHY_BYTES]; /* it is old; "" when it is not */
};

static enum parsed parse(int argc, char **argv, struct ceiling_arguments *out)
{
    struct curve_choice *choice = &out->choice;
    const struct option options[] = {
        {"bytes", OPTION_SIZE, &out->bytes, "SIZE", "that a launch of the kernel moves, such as 3MiB (needed)", NULL},
        {"device", OPTION_TEXT, &choice->device, "DEVICE",
         "host, opencl[:platform[:device]], cuda[:device] (default: host)", NULL},
        {"access", OPTION_TEXT, &choice->access, "ACCESS", CURVE_ACCESS_WORDS " (default: read)", CURVE_ACCESS_WORDS},
        {"cache", OPTION_TEXT, &choice->cache, "MODE", "cold or warm (default: cold)", "cold|warm"},
        {"discipline", OPTION_TEXT, &choice->discipline, "WAY",
         "how the bytes are asked for: " CURVE_DISCIPLINE_WORDS " (default: stream)", CURVE_DISCIPLINE_WORDS},
        {"threads", OPTION_OPTIONAL, &choice->threads, "N",
         "threads (default: those tried out, else the saved curve with most)", NULL},
        {"rule", OPTION_TEXT, &choice->rule, "RULE", "ridge or published (default: ridge)", "ridge|published"},
        {"max-seconds", OPTION_DURATION, &choice->max_seconds, "TIME",
         "to measure when no curve is saved (default: 15s)", NULL},
        {"db", OPTION_TEXT, &out->db, "FILE", "evidence database (default: RIDGE_DB, else .ridge/evidence.db)", NULL},
        {"json", OPTION_FLAG, &out->json, NULL, "print JSON", NULL},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, NULL},
    };
    return options_parse(command_find("ceiling"), options, argc, argv, NULL, 0, 0);
}

/** Find the saved curve. RIDGE_E_EMPTY: there is none, or no database. */
static ridge_status find_saved(struct ridge_context *context, const struct ceiling_arguments *arguments,
                               const struct ridge_curve_request *request, struct ridge_curve_set **out,
                               struct ridge_error *error)
{
    char path[DATABASE_PATH_BYTES];
    struct ridge_store *store = NULL;
    const struct ridge_curve_key key = {
        .device = request->device,
        .access = request->access,
        .discipline = curve_choice_discipline(&arguments->choice),
        .warm = request->warm,
        .published = request->published,
        .threads = request->threads,
    };
    if (!database_path(path, sizeof path, arguments->db, NULL) || access(path, F_OK) != 0) {
        return RIDGE_E_EMPTY;
    }
    ridge_status status = ridge_store_open(context, path, RIDGE_STORE_READ, &store, error);
    if (status == RIDGE_OK) {
        status = ridge_store_curve_find(store, &key, out, error);
    }
    ridge_store_close(store);
    return status;
}

/** Measure up to the working set and the octave above it: no more is needed for its ceiling. */
static ridge_status measure(struct ridge_context *context, const struct ceiling_arguments *arguments,
                            struct ridge_curve_request *request, struct ridge_curve_set **out,
                            struct ridge_error *error)
{
    const uint64_t above = ridge_curve_sweep_size(arguments->bytes);
    const uint64_t largest = UINT64_C(1) << 30;
    request->disciplines = 1U << curve_choice_discipline(&arguments->choice);
    request->max_bytes = above < largest / 2 ? 2 * above : largest;
    fprintf(stderr, "ridge: no such curve is saved: it is measured now (ridge curve --save keeps one)\n");
    curve_signals_catch();
    const ridge_status status = ridge_curve_measure(context, request, out, error);
    curve_progress_end();
    return status;
}

/** The published rule knows one number; the other has its place too. */
static ridge_status look_up(struct answer *answer, struct ridge_error *error)
{
    const ridge_status status = ridge_curve_ceiling_at(answer->curve, answer->bytes, &answer->ceiling, error);
    if (status == RIDGE_OK && answer->curve->published) {
        answer->ceiling.bytes_per_s = ridge_curve_ceiling_published(answer->curve, answer->bytes);
        answer->ceiling.typical_bytes_per_s = answer->ceiling.bytes_per_s;
    }
    return status;
}

static const char *kind_of(const struct answer *answer)
{
    return answer->old ? "recorded" : "measured";
}

static int print_json(const struct answer *answer)
{
    struct ridge_json json;
    const struct ridge_curve *curve = answer->curve;
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    ridge_json_u64(&json, "bytes", answer->bytes);
    ridge_json_double(&json, "bytes_per_s", answer->ceiling.bytes_per_s);
    ridge_json_text(&json, "kind", kind_of(answer));
    ridge_json_double(&json, "typical_bytes_per_s", answer->ceiling.typical_bytes_per_s);
    curve_json_interval(&json, "ci95_bytes_per_s", answer->ceiling.ci95);
    ridge_json_double(&json, "seconds", (double)answer->bytes / answer->ceiling.bytes_per_s);
    ridge_json_text(&json, "place", ridge_ceiling_place_word(answer->ceiling.place));
    ridge_json_text(&json, "regime", answer->ceiling.regime);
    ridge_json_bool(&json, "extrapolated", answer->ceiling.extrapolated);
    curve_json_flags(&json, answer->ceiling.flags);
    ridge_json_u64(&json, "low_bytes", answer->ceiling.low_bytes);
    ridge_json_u64(&json, "high_bytes", answer->ceiling.high_bytes);
    ridge_json_text(&json, "fits_in", answer->ceiling.level);
    ridge_json_text(&json, "access", ridge_access_word(curve->access));
    ridge_json_text(&json, "counts", curve_counting(curve->access));
    ridge_json_text(&json, "cache", curve->warm ? "warm" : "cold");
    ridge_json_text(&json, "discipline", ridge_discipline_word(curve->discipline));
    ridge_json_text(&json, "rule", curve->published ? "published" : "ridge");
    ridge_json_u64(&json, "threads", curve->threads);
    ridge_json_text(&json, "device", curve->device);
    ridge_json_text(&json, "made_at", curve->made_at);
    ridge_json_bool(&json, "complete", !curve->stopped);
    ridge_json_bool(&json, "saved", answer->saved);
    ridge_json_text(&json, "old", answer->why[0] ? answer->why : NULL);
    curve_json_notes(&json, curve);
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? EXIT_DONE : EXIT_INPUT;
}

/** Where so many bytes would stay. What ends a curve without being memory for sure has no name of its own. */
static void print_level(const struct ridge_ceiling *ceiling)
{
    if (!ceiling->level) {
        printf("\n");
    } else if (ceiling->outermost) {
        printf("; so many bytes lie in the outermost level that the curve reached\n");
    } else {
        printf("; so many bytes fit in %s\n", ceiling->level);
    }
}

static int print_text(const struct answer *answer)
{
    const struct ridge_curve *curve = answer->curve;
    const struct ridge_ceiling *ceiling = &answer->ceiling;
    char size[RIDGE_NUMBER_BYTES];
    char least[RIDGE_NUMBER_BYTES];
    char low[RIDGE_NUMBER_BYTES];
    char high[RIDGE_NUMBER_BYTES];
    ridge_size_format(answer->bytes, size);
    ridge_duration_format((double)answer->bytes / ceiling->bytes_per_s, least);
    ridge_size_format(ceiling->low_bytes, low);
    ridge_size_format(ceiling->high_bytes, high);
    printf("%s, %s %s (%s), %u thread%s: at most %.4g GB/s (%.4g GiB/s), typically %.4g GB/s, %s\n", size,
           curve->warm ? "warm" : "cold", ridge_access_word(curve->access), ridge_discipline_word(curve->discipline),
           curve->threads, curve->threads == 1 ? "" : "s", ceiling->bytes_per_s / 1e9, ceiling->bytes_per_s / 0x1p30,
           ceiling->typical_bytes_per_s / 1e9, kind_of(answer));
    printf("that is %s a launch at least; counted are %s\n", least, curve_counting(curve->access));
    printf("from the %s curve of ", answer->saved ? "saved" : "present");
    terminal_text(curve->device);
    printf(" of %s, %s (%s%s%s)", curve->made_at, ridge_ceiling_place_word(ceiling->place), low,
           ceiling->low_bytes == ceiling->high_bytes ? "" : " and ",
           ceiling->low_bytes == ceiling->high_bytes ? "" : high);
    print_level(ceiling);
    printf("regime: %s%s", ceiling->regime, ceiling->extrapolated ? ", extrapolated: the curve is not flat there" : "");
    printf("%s", ceiling->flags ? "; points: " : "");
    curve_flags_print(ceiling->flags);
    putchar('\n');
    curve_notes(curve);
    return EXIT_DONE;
}

static int print(const struct answer *answer, bool json)
{
    if (answer->old) {
        fprintf(stderr, "ridge: warning: the curve is old: ");
        fprintf(stderr, "%s (ridge curve --save measures a new one)\n", answer->why);
    }
    return json ? print_json(answer) : print_text(answer);
}

static int answer_for(struct ridge_context *context, const struct ceiling_arguments *arguments,
                      struct ridge_curve_request *request)
{
    struct ridge_error error = {0};
    struct ridge_curve_set *set = NULL;
    struct answer answer = {.bytes = arguments->bytes};
    ridge_status status = find_saved(context, arguments, request, &set, &error);
    answer.saved = status == RIDGE_OK;
    if (status == RIDGE_E_EMPTY) {
        error = (struct ridge_error){0};
        status = measure(context, arguments, request, &set, &error);
    }
    if (status == RIDGE_OK) {
        answer.curve = &set->curves[0];
        answer.old = ridge_curve_is_old(answer.curve, answer.why);
        status = look_up(&answer, &error);
    }
    int code = status == RIDGE_OK ? print(&answer, arguments->json) : report_error(&error);
    code = code == EXIT_DONE && answer.curve->stopped ? EXIT_NEGATIVE : code;
    ridge_curve_set_destroy(set);
    return code;
}

int cmd_ceiling(struct ridge_context *context, int argc, char **argv)
{
    struct ceiling_arguments arguments = {.choice = CURVE_CHOICE_DEFAULT};
    const enum parsed parsed = parse(argc, argv, &arguments);
    if (parsed != PARSED_GO) {
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    }
    if (arguments.bytes == 0) {
        fprintf(stderr, "ridge ceiling: an argument is missing (--bytes SIZE, such as 3MiB)\n");
        return EXIT_USAGE;
    }
    struct ridge_curve_request request;
    if (!curve_choice_take("ceiling", &arguments.choice, &request)) {
        return EXIT_USAGE;
    }
    return answer_for(context, &arguments, &request);
}
