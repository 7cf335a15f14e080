/* SPDX-License-Identifier: MIT */
/** \file What the times of a run come to against the ceilings that are saved of its device. */
#include <string.h>

#include "base/error.h"
#include "ridge/ceilings.h"
#include "store/store_internal.h"

/** Score one record. \return false when memory is out */
static bool record_score(struct rg_run *run, struct ridge_record *record, const struct ridge_ceilings *ceilings)
{
    struct ridge_peaks peaks;
    struct ridge_score score;
    ridge_ceilings_peaks(ceilings, record->work, &peaks);
    ridge_roofline_score(record->work, &peaks, record->summary.median_s, &score);
    if (score.binding < 0) {
        return true;
    }
    struct ridge_score *kept = rg_arena_alloc(&run->arena, sizeof *kept);
    if (kept) {
        *kept = score;
        record->score = kept;
    }
    return kept != NULL;
}

static ridge_status records_score(struct rg_run *run, const struct ridge_ceilings *ceilings, struct ridge_error *error)
{
    bool any = false;
    for (size_t i = 0; i < run->shown.record_count; i++) {
        struct ridge_record *record = &run->records[i];
        if (record->work && record->summary.n > 0 && !record_score(run, record, ceilings)) {
            return rg_error_memory(error, sizeof *record->score);
        }
        any = any || record->score;
    }
    if (!any) {
        return RIDGE_OK;
    }
    char words[RIDGE_CEILINGS_WORDS];
    ridge_ceilings_words(ceilings, words);
    run->shown.ceilings = rg_arena_strdup(&run->arena, words);
    return run->shown.ceilings ? RIDGE_OK : rg_error_memory(error, sizeof words);
}

static bool any_work(const struct rg_run *run)
{
    for (size_t i = 0; i < run->shown.record_count; i++) {
        if (run->records[i].work) {
            return true;
        }
    }
    return false;
}

ridge_status rg_run_score(struct ridge_store *store, struct rg_run *run, struct ridge_error *error)
{
    if (!any_work(run)) {
        return RIDGE_OK;
    }
    struct ridge_ceilings *ceilings = rg_alloc(store->context, sizeof *ceilings);
    if (!ceilings) {
        return rg_error_memory(error, sizeof *ceilings);
    }
    const struct ridge_run_info *info = &run->shown.info;
    struct ridge_error why = {0};
    ridge_status status =
        ridge_store_ceilings_load(store, info->backend, info->device, strcmp(info->cache, "warm") == 0, ceilings, &why);
    if (status == RIDGE_OK) {
        status = records_score(run, ceilings, error);
        ridge_ceilings_fini(ceilings);
    } else if (status == RIDGE_E_EMPTY) {
        status = RIDGE_OK;
    } else if (error && error->status == RIDGE_OK) {
        *error = why;
    }
    rg_free(store->context, ceilings, sizeof *ceilings);
    return status;
}
