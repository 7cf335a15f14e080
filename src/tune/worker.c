/* SPDX-License-Identifier: MIT */
#include "tune/worker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "curve/machine_watch.h"
#include "space/space.h"
#include "tune/job.h"
#include "tune/verify.h"
#include "tune/wire.h"

/** A built configuration. */
struct slot {
    struct rg_job job;
    struct rg_kernel *kernel; /* NULL: the slot is free */
};

struct worker {
    const struct rg_worker_setup *setup;
    const struct rg_backend *backend;
    struct rg_session *session;
    struct rg_worker_page *page;
    struct slot slots[RG_WORKER_SLOTS];
    struct rg_buffer text; /* of the trouble at hand */
    double *samples;       /* RG_MAX_SAMPLES of them, as many for sorting, then the clock at each */
    double clock_hz;       /* when it was last looked at; NaN: it cannot be */
    double clock_at_s;
    void *scratch;  /* as large as the largest output */
    bool protected; /* the arguments in shared memory are read-only here */
    struct rg_reply reply;
};

static void stage_enter(struct worker *worker, rg_stage stage)
{
    atomic_store(&worker->page->since_ns, rg_clock_ns());
    atomic_store(&worker->page->stage, (int)stage);
}

static void slot_free(struct worker *worker, struct slot *slot)
{
    worker->backend->kernel_destroy(worker->session, slot->kernel);
    slot->kernel = NULL;
    rg_job_fini(&slot->job);
}

/** Which buffers to put back to their initial contents. */
typedef enum restore {
    RESTORE_ALL,              /* before a launch that is judged: outputs are poisoned */
    RESTORE_READ,             /* before timing: another candidate may have spoilt them */
    RESTORE_READ_AND_WRITTEN, /* before each launch: the last one changed them */
} restore;

static bool restore_wanted(const struct rg_shape *shape, restore which)
{
    return shape->kind == RG_SHAPE_BUFFER && (which == RESTORE_ALL || shape->read) &&
           (which != RESTORE_READ_AND_WRITTEN || shape->written);
}

/** Put buffers back to their initial contents. */
static ridge_status buffers_restore(struct worker *worker, restore which, struct ridge_error *error)
{
    const struct rg_workload *workload = worker->setup->workload;
    for (size_t i = 0; i < workload->count; i++) {
        const struct rg_shape *shape = &workload->shapes[i];
        if (!restore_wanted(shape, which)) {
            continue;
        }
        const ridge_status status = worker->backend->buffer_write(worker->session, i, workload->initial[i], error);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    return RIDGE_OK;
}

/** Read every output; compare it, or keep it as what is expected. */
static ridge_status outputs_check(struct worker *worker, bool keep, struct rg_trouble *trouble,
                                  struct ridge_error *error)
{
    const struct rg_workload *workload = worker->setup->workload;
    const struct ridge_spec *spec = worker->setup->spec;
    const size_t count = worker->backend->computes ? workload->count : 0;
    for (size_t i = 0; i < count && trouble->outcome == RIDGE_OUTCOME_OK; i++) {
        const struct rg_shape *shape = &workload->shapes[i];
        if (shape->kind != RG_SHAPE_BUFFER || !shape->written) {
            continue;
        }
        void *to = keep ? workload->expected[i] : worker->scratch;
        const ridge_status status = worker->backend->buffer_read(worker->session, i, to, error);
        if (status != RIDGE_OK) {
            return status;
        }
        const void *want = keep ? NULL : workload->expected[i];
        /* What is expected holds no NaN (reference.c refuses it), so equal bytes pass whatever the type. */
        if (!want || memcmp(to, want, (size_t)shape->bytes) != 0) {
            rg_verify_output(&spec->verify, &spec->arguments[i], to, want, shape->bytes / shape->element_bytes,
                             trouble);
        }
    }
    return RIDGE_OK;
}

static ridge_status launch_once(struct worker *worker, struct slot *slot, rg_stage stage, double *seconds,
                                struct rg_trouble *trouble, struct ridge_error *error)
{
    stage_enter(worker, stage);
    const double began = rg_clock_s();
    const ridge_status status =
        worker->backend->launch(worker->session, slot->kernel, &slot->job.launch, seconds, trouble, error);
    worker->reply.launch_s += rg_clock_s() - began;
    stage_enter(worker, RG_STAGE_IDLE);
    return status;
}

static ridge_status build(struct worker *worker, struct slot *slot, const uint32_t *choice, struct rg_trouble *trouble,
                          struct ridge_error *error)
{
    struct ridge_value values[RG_MAX_DIMENSIONS];
    rg_space_choice_values(worker->setup->space, choice, values);
    ridge_status status = rg_job_init(&slot->job, worker->setup->spec, values, trouble, error);
    if (status != RIDGE_OK || trouble->outcome != RIDGE_OUTCOME_OK) {
        return status;
    }
    stage_enter(worker, RG_STAGE_BUILD);
    const double began = rg_clock_s();
    status = worker->backend->build(worker->session, slot->job.macros, slot->job.macro_count, &slot->job.launch,
                                    &slot->kernel, trouble, error);
    worker->reply.build_s += rg_clock_s() - began;
    stage_enter(worker, RG_STAGE_IDLE);
    return status;
}

/** Launch once and look at what it wrote. */
static ridge_status first_launch(struct worker *worker, struct slot *slot, bool keep, struct rg_trouble *trouble,
                                 struct ridge_error *error)
{
    double seconds;
    ridge_status status = buffers_restore(worker, RESTORE_ALL, error);
    if (status == RIDGE_OK) {
        status = launch_once(worker, slot, RG_STAGE_FIRST_LAUNCH, &seconds, trouble, error);
    }
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK) {
        status = worker->backend->guards_check(worker->session, trouble, error);
        worker->reply.damaged = trouble->outcome != RIDGE_OUTCOME_OK;
    }
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK) {
        status = outputs_check(worker, keep, trouble, error);
    }
    return status;
}

static ridge_status prepare(struct worker *worker, const struct rg_request *request, struct rg_trouble *trouble,
                            struct ridge_error *error)
{
    struct slot *slot = &worker->slots[request->slot];
    slot_free(worker, slot);
    ridge_status status = build(worker, slot, request->choice, trouble, error);
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK) {
        status = first_launch(worker, slot, request->keep_outputs, trouble, error);
    }
    if (status != RIDGE_OK || trouble->outcome != RIDGE_OUTCOME_OK) {
        slot_free(worker, slot);
    }
    return status;
}

static double *clocks_of(const struct worker *worker)
{
    return worker->samples + (ptrdiff_t)2 * RG_MAX_SAMPLES;
}

/**
 * The clock of the processor, looked at between launches every few milliseconds: that costs little, and clocks do not
 * change faster. Only where kernels run on it. The higher of two looks, since one may have been interrupted.
 */
static double clock_now(struct worker *worker)
{
    static const double stale_s = 2e-3;
    const double now_s = rg_clock_s();
    if (!worker->backend->computes || strcmp(worker->setup->facts->kind, "cpu") != 0) {
        return (double)NAN;
    }
    if (now_s - worker->clock_at_s > stale_s) {
        worker->clock_hz = fmax(rg_clock_hz_now(RG_CLOCK_STEPS_QUICK), rg_clock_hz_now(RG_CLOCK_STEPS_QUICK));
        worker->clock_at_s = rg_clock_s();
    }
    return worker->clock_hz;
}

/** What the machine and this process had done so far. */
struct load {
    double at_s;
    double machine_s;
    double own_s;
};

static struct load load_now(void)
{
    return (struct load){rg_clock_s(), rg_machine_busy_s(""), rg_account_process().busy_s};
}

/** Say how long was measured, and what others did meanwhile: what the machine did beyond this process. */
static void load_report(struct worker *worker, const struct load *before)
{
    const struct load after = load_now();
    worker->reply.watched_s = after.at_s - before->at_s;
    worker->reply.others_s = (after.machine_s - before->machine_s) - (after.own_s - before->own_s);
}

/** One launch under the conditions that were asked for: caches, and buffers that the kernel both reads and writes. */
static ridge_status sample(struct worker *worker, struct slot *slot, double *seconds, struct rg_trouble *trouble,
                           struct ridge_error *error)
{
    ridge_status status = buffers_restore(worker, RESTORE_READ_AND_WRITTEN, error);
    if (status == RIDGE_OK && worker->setup->session.cold) {
        status = worker->backend->evict(worker->session, error);
    }
    return status == RIDGE_OK ? launch_once(worker, slot, RG_STAGE_LAUNCH, seconds, trouble, error) : status;
}

/** Whether enough is known of a configuration. */
static bool sampling_done(const struct rg_request *request, struct rg_reply *reply, const double *samples,
                          double *sorted, double spent_s)
{
    const uint64_t n = reply->sample_count;
    if (n >= request->most_samples) {
        return true;
    }
    if (n < request->least_samples) {
        return false;
    }
    struct ridge_summary summary;
    ridge_summarise(samples, n, sorted, &summary);
    if (isnan(summary.ci95_low_s)) {
        return spent_s >= request->budget_s;
    }
    reply->converged = (summary.ci95_high_s - summary.ci95_low_s) / 2 <= request->precision_ratio * summary.median_s;
    return reply->converged || summary.ci95_low_s > request->race_above_s || spent_s >= request->budget_s;
}

static ridge_status warm_up(struct worker *worker, struct slot *slot, double warm_up_s, struct rg_trouble *trouble,
                            struct ridge_error *error)
{
    const double began = rg_clock_s();
    double launched_s = 0;
    ridge_status status;
    do {
        double seconds = 0;
        status = sample(worker, slot, &seconds, trouble, error);
        launched_s += seconds;
    } while (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK && launched_s < warm_up_s &&
             rg_clock_s() - began < warm_up_s);
    return status;
}

/** What to measure: as asked for, or each recorded time once. */
static struct rg_request sampling_rules(const struct worker *worker, const struct slot *slot,
                                        const struct rg_request *asked)
{
    struct rg_request rules = *asked;
    if (worker->backend->sample_count) {
        const uint64_t count = worker->backend->sample_count(slot->kernel);
        rules.most_samples = count < RG_MAX_SAMPLES ? count : RG_MAX_SAMPLES;
        rules.least_samples = rules.most_samples;
    }
    return rules;
}

/** Take samples until enough is known. */
static ridge_status take_samples(struct worker *worker, struct slot *slot, const struct rg_request *request,
                                 struct rg_trouble *trouble, struct ridge_error *error)
{
    enum {
        MAX_REJECTED = 100
    };
    struct rg_reply *reply = &worker->reply;
    ridge_status status = RIDGE_OK;
    double spent_s = 0;
    while (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK &&
           !sampling_done(request, reply, worker->samples, worker->samples + RG_MAX_SAMPLES, spent_s)) {
        double seconds = 0;
        const double clock_hz = clock_now(worker);
        status = sample(worker, slot, &seconds, trouble, error);
        if (status != RIDGE_OK || trouble->outcome != RIDGE_OUTCOME_OK) {
            break;
        }
        if (seconds > 0) {
            spent_s += seconds;
            clocks_of(worker)[reply->sample_count] = clock_hz;
            worker->samples[reply->sample_count++] = seconds;
        } else if (++reply->rejected >= MAX_REJECTED) {
            rg_trouble_set(trouble, RIDGE_OUTCOME_LAUNCH, "every launch takes less than the timer can tell");
        }
    }
    return status;
}

static ridge_status measure(struct worker *worker, const struct rg_request *asked, struct rg_trouble *trouble,
                            struct ridge_error *error)
{
    struct slot *slot = &worker->slots[asked->slot];
    const struct rg_request rules = sampling_rules(worker, slot, asked);
    ridge_status status = buffers_restore(worker, RESTORE_READ, error);
    if (status == RIDGE_OK && !worker->backend->sample_count) {
        status = warm_up(worker, slot, rules.warm_up_s, trouble, error);
    }
    if (status == RIDGE_OK) {
        const struct load before = load_now();
        status = take_samples(worker, slot, &rules, trouble, error);
        load_report(worker, &before);
    }
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK) {
        status = worker->backend->guards_check(worker->session, trouble, error);
        worker->reply.damaged = trouble->outcome != RIDGE_OUTCOME_OK;
    }
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK) {
        status = outputs_check(worker, false, trouble, error);
    }
    return status;
}

static bool send_reply(struct worker *worker, int socket)
{
    struct rg_reply *reply = &worker->reply;
    const size_t length = worker->text.length;
    reply->mark = RG_REPLY_MARK;
    reply->text_bytes = (uint32_t)(length < RG_MAX_REPLY_TEXT ? length : RG_MAX_REPLY_TEXT);
    return rg_wire_send(socket, reply, sizeof *reply) &&
           rg_wire_send(socket, worker->samples, (size_t)reply->sample_count * sizeof(double)) &&
           rg_wire_send(socket, clocks_of(worker), (size_t)reply->sample_count * sizeof(double)) &&
           rg_wire_send(socket, rg_buffer_text(&worker->text), reply->text_bytes);
}

/** Answer one request. \return false when the parent is gone. */
static bool serve(struct worker *worker, const struct rg_request *request, int socket)
{
    if (request->slot >= RG_WORKER_SLOTS) {
        return false;
    }
    if (!request->keep_outputs && !worker->protected) {
        rg_workload_protect(worker->setup->workload);
        worker->protected = true;
    }
    if (request->kind == RG_REQUEST_RELEASE) {
        slot_free(worker, &worker->slots[request->slot]);
        return true;
    }
    memset(&worker->reply, 0, sizeof worker->reply);
    rg_buffer_clear(&worker->text);
    struct rg_trouble trouble = {.outcome = RIDGE_OUTCOME_OK, .text = &worker->text};
    const double began = rg_clock_s();
    struct rg_reply *reply = &worker->reply;
    reply->status = request->kind == RG_REQUEST_PREPARE ? prepare(worker, request, &trouble, &reply->error)
                                                        : measure(worker, request, &trouble, &reply->error);
    reply->outcome = trouble.outcome;
    reply->damaged |= trouble.spoilt;
    reply->own_s = rg_clock_s() - began - reply->build_s - reply->launch_s;
    return send_reply(worker, socket);
}

/** Looks for one device among those that are visited. */
struct device_search {
    char selector[sizeof((struct rg_device_facts *)NULL)->selector];
    struct rg_device_facts *facts;
    bool found;
};

static void device_visit(void *user, const struct rg_device_facts *facts)
{
    struct device_search *search = user;
    if (strcmp(facts->selector, search->selector) == 0) {
        *search->facts = *facts;
        search->found = true;
    }
}

/** Find the device that was asked for and keep its facts. */
static ridge_status device_find(const struct rg_worker_setup *setup, struct ridge_error *error)
{
    if (setup->session.recording) {
        rg_recording_facts(setup->session.recording, setup->facts);
        return RIDGE_OK;
    }
    struct device_search search = {.facts = setup->facts};
    rg_device_selector(setup->backend, setup->session.platform_index, setup->session.device_index, search.selector,
                       sizeof search.selector);
    const ridge_status status = setup->backend->enumerate(setup->session.context, device_visit, &search, error);
    if (status == RIDGE_OK && !search.found) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                            "there is no device %s (ridge backends lists those that are here)", search.selector);
    }
    return status;
}

/** Open the device and greet the parent with what was opened, or why not. */
static bool greet(struct worker *worker, int socket)
{
    stage_enter(worker, RG_STAGE_OPEN);
    struct rg_reply *reply = &worker->reply;
    reply->status = device_find(worker->setup, &reply->error);
    if (reply->status == RIDGE_OK) {
        reply->status = worker->backend->open(&worker->setup->session, &worker->session, &reply->error);
    }
    stage_enter(worker, RG_STAGE_IDLE);
    return send_reply(worker, socket) && reply->status == RIDGE_OK;
}

static bool worker_init(struct worker *worker, const struct rg_worker_setup *setup, struct rg_worker_page *page)
{
    worker->setup = setup;
    worker->backend = setup->backend;
    worker->page = page;
    rg_buffer_init(&worker->text, setup->session.context);
    uint64_t largest = 1;
    for (size_t i = 0; i < setup->workload->count; i++) {
        const struct rg_shape *shape = &setup->workload->shapes[i];
        largest = shape->written && shape->bytes > largest ? shape->bytes : largest;
    }
    worker->samples = rg_alloc(setup->session.context, (size_t)3 * RG_MAX_SAMPLES * sizeof(double));
    worker->scratch = rg_alloc(setup->session.context, (size_t)largest);
    return worker->samples && worker->scratch;
}

_Noreturn void rg_worker_main(const struct rg_worker_setup *setup, int socket, struct rg_worker_page *page)
{
    static const int out_of_memory = 3;
    struct worker *worker = rg_alloc(setup->session.context, sizeof *worker);
    if (!worker || !worker_init(worker, setup, page)) {
        _exit(out_of_memory);
    }
    struct rg_request request;
    if (greet(worker, socket)) {
        while (rg_wire_receive(socket, &request, sizeof request) && serve(worker, &request, socket)) {
        }
    }
    _exit(0);
}
