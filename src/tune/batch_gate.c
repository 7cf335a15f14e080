/* SPDX-License-Identifier: MIT */
/* ridge tune --gate: a batch is judged before any of it is built for the device; what is refused is never launched. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "tune/session.h"

/** A batch being judged. */
struct judged_batch {
    struct rg_tuning *tuning;
    struct rg_batch *batch;
    ridge_status status;
    struct ridge_error *error;
};

static bool judged(void *user, uint64_t index, const struct ridge_checked *checked)
{
    struct judged_batch *judged = user;
    if (checked->verdict != RIDGE_GATE_REFUSED) {
        return true; /* what could not be judged is left to the device: unknown discards nothing */
    }
    const struct ridge_finding *finding = &checked->findings[0];
    char text[2048];
    snprintf(text, sizeof text, "refused by the gate: %s: %s:%u: %s", finding->rule, finding->file, finding->line,
             finding->reason);
    const struct rg_event event = {.kind = RG_EVENT_REPLY, .text = text};
    judged->status =
        rg_record(judged->tuning, &judged->batch->candidates[index], &event, RIDGE_OUTCOME_SKIPPED, judged->error);
    return judged->status == RIDGE_OK;
}

ridge_status rg_batch_gate(struct rg_tuning *tuning, struct rg_batch *batch, struct ridge_error *error)
{
    if (!tuning->options.gate) {
        return RIDGE_OK;
    }
    const size_t row = ridge_space_dimension_count(tuning->space);
    uint32_t *choices = rg_arena_array(&tuning->arena, batch->count * row, sizeof *choices);
    if (!choices) {
        return rg_error_memory(error, batch->count * row * sizeof *choices);
    }
    for (size_t i = 0; i < batch->count; i++) {
        memcpy(choices + i * row, batch->candidates[i].choice, row * sizeof *choices);
    }
    struct judged_batch judging = {.tuning = tuning, .batch = batch, .error = error};
    rg_machine_lock_share(tuning);
    const ridge_status status = ridge_check_each(tuning->options.gate, choices, batch->count, judged, &judging, error);
    return status == RIDGE_OK ? judging.status : status;
}
