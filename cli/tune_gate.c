/* SPDX-License-Identifier: MIT */
#include "tune_gate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "ridge/rank.h"
#include "terminal.h"

static const char mark[] = "refused by the gate: ";

static bool is_refused(const struct ridge_record *record)
{
    return record->outcome == RIDGE_OUTCOME_SKIPPED && record->text &&
           strncmp(record->text, mark, sizeof mark - 1) == 0;
}

/** The estimated cost of a record; NaN: none. */
static double cost_of(const struct ridge_space *space, const struct ridge_ranking *ranking, const char *id)
{
    for (uint64_t i = 0; i < ranking->count; i++) {
        char own[RIDGE_ID_BYTES];
        ridge_space_id(space, ranking->choices + i * ranking->dimension_count, own);
        if (strcmp(own, id) == 0) {
            return ranking->estimates[i].cost;
        }
    }
    return (double)NAN;
}

static void print_record(const struct ridge_record *record)
{
    printf("  %s  ", record->id);
    char first[1024];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(record->text, "\n"), record->text);
    terminal_text(first + sizeof mark - 1);
    putchar('\n');
}

/** Those that an estimate puts before the best that was measured. */
static void print_faster(const struct ridge_space *space, const struct ridge_run *run,
                         const struct ridge_ranking *ranking)
{
    const struct ridge_record *best = &run->records[run->ranked[0]];
    const double limit = cost_of(space, ranking, best->id);
    uint64_t faster = 0;
    printf("  Faster than the best, by the estimate of model work (no measurement):\n");
    for (size_t i = 0; i < run->record_count; i++) {
        if (is_refused(&run->records[i]) && cost_of(space, ranking, run->records[i].id) < limit) {
            print_record(&run->records[i]);
            faster++;
        }
    }
    if (faster == 0) {
        printf("  none\n");
    }
}

/** Rank for the device that was tuned on. \return NULL: why is in `error` */
static struct ridge_ranking *rank(const struct ridge_space *space, const struct ridge_run *run,
                                  struct ridge_context *context, struct ridge_device_db **devices,
                                  struct ridge_error *error)
{
    struct ridge_device_match match;
    struct ridge_ranking *ranking = NULL;
    if (ridge_device_db_create(context, NULL, devices, error) != RIDGE_OK ||
        ridge_device_find(*devices, run->info.device, &match, error) != RIDGE_OK) {
        return NULL;
    }
    const struct ridge_rank_options options = {.model = RIDGE_MODEL_WORK, .devices = *devices, .device = &match};
    return ridge_rank(context, space, &options, &ranking, error) == RIDGE_OK ? ranking : NULL;
}

void tune_gate_print(const struct ridge_space *space, const struct ridge_run *run)
{
    uint64_t refused = 0;
    struct ridge_error error = {0};
    struct ridge_context *context = NULL;
    struct ridge_device_db *devices = NULL;
    for (size_t i = 0; i < run->record_count; i++) {
        refused += is_refused(&run->records[i]);
    }
    printf("\nGate: %llu configurations were refused and never launched (ridge check says more).\n",
           (unsigned long long)refused);
    if (refused == 0 || run->ranked_count == 0 || ridge_context_create(NULL, &context, &error) != RIDGE_OK) {
        return;
    }
    struct ridge_ranking *ranking = rank(space, run, context, &devices, &error);
    if (ranking) {
        print_faster(space, run, ranking);
    } else {
        printf("  Whether one of them would have been faster is unknown: there is no estimate (");
        terminal_text(error.message);
        printf(")\n");
    }
    ridge_ranking_destroy(ranking);
    ridge_device_db_destroy(devices);
    ridge_context_destroy(context);
}
