/* SPDX-License-Identifier: MIT */
/* What the outputs of the reduced problem must be. The C function and the configuration run in a process of their own
 * and leave the outputs in memory that is shared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/temporary.h"
#include "space/space.h"
#include "tune/crew.h"
#include "tune/gate.h"
#include "tune/reference_parts.h"

/** One job: a reference that runs in a process. */
struct reference {
    struct ridge_gate *gate;
    char folder[4096];
    uint32_t choice[RG_MAX_DIMENSIONS];
    ridge_status status;
    struct ridge_error *error;
};

static void c_work(void *user, uint64_t job, void *memory)
{
    struct reference *reference = user;
    struct rg_gate_slot *slot = memory;
    (void)job;
    slot->tool.status = rg_reference_c(reference->gate->context, reference->gate->space,
                                       &reference->gate->problem.workload, reference->folder, &slot->tool.error);
}

static void configuration_work(void *user, uint64_t job, void *slot)
{
    struct reference *reference = user;
    (void)job;
    rg_gate_judge(reference->gate, reference->choice, true, slot);
}

static bool reference_done(void *user, uint64_t job, const void *memory, rg_crew_end end, int signal)
{
    struct reference *reference = user;
    const struct rg_gate_slot *slot = memory;
    const struct rg_place *place = &reference->gate->problem.spec->verify.place;
    (void)job;
    if (end == RG_CREW_DONE && slot->tool.status != RIDGE_OK) {
        reference->status = slot->tool.status;
        if (reference->error && reference->error->status == RIDGE_OK) {
            *reference->error = slot->tool.error;
        }
    } else if (end == RG_CREW_LATE) {
        reference->status =
            rg_error_at(reference->error, RIDGE_E_MEASURE, place, "the reference did not end within %g s (--timeout)",
                        reference->gate->options.timeout_s);
    } else if (end == RG_CREW_CRASHED) {
        reference->status = rg_error_at(reference->error, RIDGE_E_MEASURE, place, "the reference died: signal %d (%s)",
                                        signal, strsignal(signal));
    } else if (slot->verdict != RIDGE_GATE_CLEAN) {
        reference->status =
            rg_error_at(reference->error, RIDGE_E_MEASURE, place, "the reference configuration is no reference: %s",
                        slot->finding_count > 0 ? slot->findings[0].reason : slot->text);
    }
    return true;
}

static ridge_status reference_run(struct reference *reference, void (*work)(void *, uint64_t, void *))
{
    const struct rg_crew crew = {.context = reference->gate->context,
                                 .workers = 1,
                                 .slot_bytes = sizeof(struct rg_gate_slot),
                                 .timeout_s = reference->gate->options.timeout_s,
                                 .work = work,
                                 .done = reference_done,
                                 .user = reference};
    const ridge_status status = rg_crew_run(&crew, 1, reference->error);
    return status == RIDGE_OK ? reference->status : status;
}

static ridge_status c_reference(struct reference *reference)
{
    const char *root = reference->gate->options.work_folder ? reference->gate->options.work_folder : "/tmp";
    ridge_status status = rg_temporary_make(root, reference->folder, sizeof reference->folder, reference->error);
    if (status == RIDGE_OK) {
        status = reference_run(reference, c_work);
        rg_temporary_remove(reference->folder);
    }
    return status;
}

/** The configuration that [verify] names, by id or by values. */
static ridge_status configuration_find(struct reference *reference)
{
    const struct ridge_gate *gate = reference->gate;
    const struct rg_verify *verify = &gate->problem.spec->verify;
    const size_t bytes = ridge_space_dimension_count(gate->space) * sizeof *reference->choice;
    if (verify->choice) {
        memcpy(reference->choice, verify->choice, bytes);
        return RIDGE_OK;
    }
    struct ridge_space_cursor *cursor = NULL;
    ridge_status status = ridge_space_cursor_create(gate->space, &cursor, reference->error);
    const uint32_t *at = NULL;
    char id[RIDGE_ID_BYTES] = "";
    do {
        status = status == RIDGE_OK ? ridge_space_cursor_next(cursor, &at, reference->error) : status;
        if (status == RIDGE_OK && at) {
            ridge_space_id(gate->space, at, id);
        }
    } while (status == RIDGE_OK && at && strcmp(id, verify->configuration) != 0);
    if (status == RIDGE_OK && at) {
        memcpy(reference->choice, at, bytes);
    }
    ridge_space_cursor_destroy(cursor);
    if (status == RIDGE_OK && !at) {
        return rg_error_at(reference->error, RIDGE_E_NAME, &verify->place,
                           "the reference %s is not in the space (ridge space --list shows the ids)",
                           verify->configuration);
    }
    return status;
}

ridge_status rg_gate_reference(struct ridge_gate *gate, struct ridge_error *error)
{
    struct reference reference = {.gate = gate, .error = error};
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < gate->problem.workload.count; i++) { /* what a reference begins with */
        const struct rg_shape *shape = &gate->problem.workload.shapes[i];
        if (gate->problem.workload.expected[i] && !shape->read) {
            memset(gate->problem.workload.expected[i], RG_POISON_BYTE, (size_t)shape->bytes);
        }
    }
    switch (gate->problem.spec->verify.reference) {
    case RG_REFERENCE_NONE: return RIDGE_OK;
    case RG_REFERENCE_C: status = c_reference(&reference); break;
    case RG_REFERENCE_FILE: status = rg_reference_files(gate->context, &gate->problem.workload, error); break;
    case RG_REFERENCE_CONFIGURATION:
        status = configuration_find(&reference);
        status = status == RIDGE_OK ? reference_run(&reference, configuration_work) : status;
        break;
    }
    return status == RIDGE_OK ? rg_reference_refuse_nan(&gate->problem.workload, error) : status;
}
