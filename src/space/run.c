/* SPDX-License-Identifier: MIT */
#include "space/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "ridge/stats.h"

static const char *const outcome_words[] = {
#define OUTCOME_WORD(name, word, meaning) word,
    RIDGE_OUTCOME_LIST(OUTCOME_WORD)
#undef OUTCOME_WORD
};
static const char *const kind_words[] = {"measured", "recorded", "estimated", "stated"};
static const char *const state_words[] = {"open", "complete", "limited", "stopped", "failed"};

enum {
    KIND_COUNT = sizeof kind_words / sizeof kind_words[0],
    STATE_COUNT = sizeof state_words / sizeof state_words[0]
};

static int find_word(const char *const *words, int count, const char *word)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], word) == 0) {
            return i;
        }
    }
    return -1;
}

const char *ridge_outcome_word(ridge_outcome outcome)
{
    return (size_t)outcome < RIDGE_OUTCOME_COUNT ? outcome_words[outcome] : "?";
}

const char *ridge_kind_word(ridge_kind kind)
{
    return (size_t)kind < KIND_COUNT ? kind_words[kind] : "?";
}

const char *ridge_run_state_word(ridge_run_state state)
{
    return (size_t)state < STATE_COUNT ? state_words[state] : "?";
}

int rg_outcome_find(const char *word)
{
    return find_word(outcome_words, RIDGE_OUTCOME_COUNT, word);
}

int rg_kind_find(const char *word)
{
    return find_word(kind_words, KIND_COUNT, word);
}

int rg_run_state_find(const char *word)
{
    return find_word(state_words, STATE_COUNT, word);
}

void rg_id_begin(struct rg_sha256 *hash, const char *kernel)
{
    static const char domain[] = "launchbound.config.v1"; /* with its terminator, so that ids match other records */
    rg_sha256_init(hash);
    rg_sha256_update(hash, domain, sizeof domain);
    rg_sha256_update(hash, kernel, strlen(kernel) + 1);
}

void rg_id_value(struct rg_sha256 *hash, const char *name, const struct ridge_value *value)
{
    char number[64];
    const char *text = value->type == RIDGE_TEXT ? value->as.text : number;
    ridge_value_format(value, number, sizeof number);
    rg_sha256_update(hash, name, strlen(name));
    rg_sha256_update(hash, "=", 1);
    rg_sha256_update(hash, text, strlen(text));
    rg_sha256_update(hash, "\n", 1);
}

void rg_id_end(struct rg_sha256 *hash, char out[RIDGE_ID_BYTES])
{
    char hex[RG_SHA256_HEX_BYTES];
    rg_sha256_final_hex(hash, hex);
    memcpy(out, "c1-", 3);
    memcpy(out + 3, hex, 16);
    out[RIDGE_ID_BYTES - 1] = '\0';
}

ridge_status rg_run_create(const struct ridge_context *context, struct rg_run **out, struct ridge_error *error)
{
    struct rg_run *run = rg_alloc(context, sizeof *run);
    if (!run) {
        return rg_error_memory(error, sizeof *run);
    }
    rg_arena_init(&run->arena, context);
    run->shown.drift_ratio = (double)NAN;
    run->shown.spread_ratio = (double)NAN;
    *out = run;
    return RIDGE_OK;
}

void ridge_run_destroy(struct ridge_run *run)
{
    if (!run) {
        return;
    }
    struct rg_run *whole = (struct rg_run *)run;
    const struct ridge_context *context = whole->arena.context;
    rg_arena_fini(&whole->arena);
    rg_free(context, whole, sizeof *whole);
}

const struct ridge_context *rg_run_context(const struct ridge_run *run)
{
    return ((const struct rg_run *)run)->arena.context;
}

ridge_status rg_run_reserve(struct rg_run *run, size_t count, struct ridge_error *error)
{
    run->records = rg_arena_array(&run->arena, count, sizeof *run->records);
    if (!run->records) {
        return rg_error_memory(error, count);
    }
    for (size_t i = 0; i < count; i++) {
        run->records[i].registers = -1;
        run->records[i].shared_bytes = -1;
        run->records[i].spill_bytes = -1;
    }
    run->shown.records = run->records;
    run->shown.record_count = count;
    return RIDGE_OK;
}

ridge_status rg_record_samples_set(struct rg_run *run, struct ridge_record *record, const double *samples_s,
                                   uint64_t count, struct ridge_error *error)
{
    double *kept = rg_arena_array(&run->arena, (size_t)count, sizeof *kept);
    if (!kept) {
        return rg_error_memory(error, (size_t)count);
    }
    uint64_t used = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (samples_s[i] > 0 && isfinite(samples_s[i])) {
            kept[used++] = samples_s[i];
        }
    }
    record->samples_s = kept;
    record->sample_count = used;
    record->rejected += count - used;
    return RIDGE_OK;
}

/** Summarise every record. */
static ridge_status summarise_all(struct rg_run *run, struct ridge_error *error)
{
    const struct ridge_context *context = run->arena.context;
    uint64_t most = 1;
    for (size_t i = 0; i < run->shown.record_count; i++) {
        most = run->records[i].sample_count > most ? run->records[i].sample_count : most;
    }
    /* The samples themselves are in memory, so that this product cannot overflow. */
    const size_t bytes = (size_t)most * sizeof(double);
    double *scratch = rg_alloc(context, bytes);
    if (!scratch) {
        return rg_error_memory(error, bytes);
    }
    for (size_t i = 0; i < run->shown.record_count; i++) {
        struct ridge_record *record = &run->records[i];
        ridge_summarise(record->samples_s, record->sample_count, scratch, &record->summary);
        if (!record->finalist) {
            record->first = record->summary;
        }
    }
    rg_free(context, scratch, bytes);
    return RIDGE_OK;
}

/** A ranked record with what it is sorted by. */
struct place {
    const struct ridge_record *record;
    bool tied;
};

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left;
    const struct place *b = right;
    if (a->tied != b->tied) {
        return a->tied ? -1 : 1;
    }
    if (a->record->finalist != b->record->finalist) {
        return a->record->finalist ? -1 : 1;
    }
    const double first = a->record->summary.median_s;
    const double second = b->record->summary.median_s;
    const int order = (first > second) - (first < second);
    return order != 0 ? order : strcmp(a->record->id, b->record->id);
}

/** Collect the records that rank; count the outcomes. \return how many rank. */
static size_t collect_places(struct rg_run *run, struct place *places)
{
    size_t count = 0;
    memset(run->shown.outcomes, 0, sizeof run->shown.outcomes);
    for (size_t i = 0; i < run->shown.record_count; i++) {
        const struct ridge_record *record = &run->records[i];
        if (!record->in_space) {
            continue;
        }
        run->shown.outcomes[record->outcome]++;
        if (record->outcome == RIDGE_OUTCOME_OK && record->sample_count > 0) {
            places[count++].record = record;
        }
    }
    return count;
}

/**
 * Whether a record cannot be told apart from the best. Only times of the same pass are compared: the final rounds, in
 * which the machine treated all alike, when both were there; else the first pass, in which each had its own moment, so
 * that a difference within what the sentinel saw the machine move by says nothing.
 */
static bool is_tied(const struct ridge_record *best, const struct ridge_record *record, double drift_ratio)
{
    if (best->finalist && record->finalist) {
        return !ridge_distinguishable(&best->summary, &record->summary);
    }
    const double drift = drift_ratio > 1 ? drift_ratio : 1;
    return !ridge_is_slower(&record->first, &best->first, drift);
}

/** Sort the places: twice, since who is tied depends on who is best. \return how many are tied with the best. */
static size_t sort_places(struct place *places, size_t count, double drift_ratio)
{
    qsort(places, count, sizeof *places, compare_places);
    const struct ridge_record *best = places[0].record;
    size_t tied = 0;
    for (size_t i = 0; i < count; i++) {
        places[i].tied = i == 0 || is_tied(best, places[i].record, drift_ratio);
        tied += places[i].tied;
    }
    /* The best stays first: among finalists, or where there are none, it has the lowest median. */
    qsort(places, count, sizeof *places, compare_places);
    return tied;
}

static double spread_ratio(const struct place *places, size_t count)
{
    if (count < 2) {
        return (double)NAN;
    }
    double worst = 0;
    double best = (double)INFINITY;
    for (size_t i = 0; i < count; i++) {
        worst = fmax(worst, places[i].record->first.median_s);
        best = fmin(best, places[i].record->first.median_s);
    }
    return worst / best;
}

ridge_status rg_run_rank(struct rg_run *run, struct ridge_error *error)
{
    struct ridge_run *shown = &run->shown;
    const ridge_status status = summarise_all(run, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct place *places = rg_arena_array(&run->arena, shown->record_count, sizeof *places);
    size_t *ranked = rg_arena_array(&run->arena, shown->record_count, sizeof *ranked);
    if (!places || !ranked) {
        return rg_error_memory(error, shown->record_count);
    }
    const size_t count = collect_places(run, places);
    shown->tied_count = count > 0 ? sort_places(places, count, shown->drift_ratio) : 0;
    for (size_t i = 0; i < count; i++) {
        ranked[i] = (size_t)(places[i].record - run->records);
    }
    shown->ranked = ranked;
    shown->ranked_count = count;
    shown->spread_ratio = spread_ratio(places, count);
    return RIDGE_OK;
}
