/* SPDX-License-Identifier: MIT */
#include "tune/crew_choices.h"

#include "space/space.h"

struct call {
    const struct rg_crew_choices *run;
    size_t width;
    ridge_status status;
    struct ridge_error *error;
};

static void work(void *user, uint64_t job, void *slot)
{
    const struct call *call = user;
    call->run->work(call->run->owner, call->run->choices + job * call->width, slot);
}

static void leave(void *user)
{
    const struct call *call = user;
    call->run->leave(call->run->owner);
}

static bool done(void *user, uint64_t job, const void *memory, rg_crew_end end, int signal)
{
    struct call *call = user;
    const struct rg_crew_choices *run = call->run;
    const struct rg_crew_slot *slot = memory;
    char id[RIDGE_ID_BYTES];
    if (end == RG_CREW_DONE && slot->status != RIDGE_OK) {
        call->status = slot->status;
        if (call->error && call->error->status == RIDGE_OK) {
            *call->error = slot->error;
        }
        return false;
    }
    ridge_space_id(run->space, run->choices + job * call->width, id);
    return run->take(run->user, job, id, memory, end, signal) && !(run->stop && *run->stop);
}

ridge_status rg_crew_choices_run(const struct rg_crew_choices *run, uint64_t count, struct ridge_error *error)
{
    struct call call = {.run = run, .width = ridge_space_dimension_count(run->space), .error = error};
    const struct rg_crew crew = {.context = run->context,
                                 .workers = run->workers,
                                 .slot_bytes = run->slot_bytes,
                                 .timeout_s = run->timeout_s,
                                 .work = work,
                                 .leave = leave,
                                 .done = done,
                                 .user = &call};
    const ridge_status status = rg_crew_run(&crew, count, error);
    return status == RIDGE_OK ? call.status : status;
}
