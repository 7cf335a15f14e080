/* SPDX-License-Identifier: MIT */
/** \file The peak of this machine's processors: loops in registers on every thread, and a chain of dependent loads. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "backend/backend.h"
#include "base/clock.h"
#include "base/error.h"
#include "curve/host_limits.h"
#include "curve/host_team.h"
#include "curve/peak.h"
#include "curve/peak_loops.h"

enum {
    SAMPLE_NS = 5 * 1000 * 1000, /* of a rate */
    CHASE_NS = 2 * 1000 * 1000,  /* of a latency, at least */
    CHASE_LEAST_STEPS = 4096,
    CHASE_MOST_STEPS = 1 << 18,
    CHASE_LIMIT_STEPS = CHASE_MOST_STEPS * 64 /* of a cache so fast that even this takes no time */
};

static const uint64_t huge_page_bytes = (uint64_t)2 << 20;

struct peak_host {
    struct rg_team team; /* first: a task finds this by its worker's team */
    const struct ridge_context *context;
    const struct rg_peak_loops *loops;
    struct rg_host_topology topology;
    rg_fma_loop loop; /* of the task that runs */
    uint64_t rounds;
    double factor;
    double addend;
    volatile double sink; /* of thread 0: what was computed is used */
    unsigned char *memory;
    size_t memory_bytes;
    uint64_t steps;
    uint32_t at; /* of the chase: it goes on where it was */
};

static struct peak_host *host_of(const struct rg_worker *worker)
{
    return (struct peak_host *)(void *)worker->team;
}

/** One worker's part of a sample: all of them begin together. */
static void task_fma(struct rg_worker *worker)
{
    struct peak_host *host = host_of(worker);
    rg_team_meet(&host->team);
    worker->begin_ns = rg_clock_ns();
    const double value = host->loop(host->rounds, host->factor, host->addend);
    worker->end_ns = rg_clock_ns();
    if (worker->index == 0) {
        host->sink = value;
    }
}

/** Seconds from the first begin to the last end. */
static double team_seconds(struct peak_host *host, rg_task task)
{
    rg_team_run(&host->team, task);
    uint64_t begin_ns = UINT64_MAX;
    uint64_t end_ns = 0;
    for (unsigned i = 0; i < host->team.count; i++) {
        begin_ns = host->team.workers[i].begin_ns < begin_ns ? host->team.workers[i].begin_ns : begin_ns;
        end_ns = host->team.workers[i].end_ns > end_ns ? host->team.workers[i].end_ns : end_ns;
    }
    return (double)(end_ns - begin_ns) * 1e-9;
}

/** Rounds that take SAMPLE_NS: doubled until they do, so that one interruption does not end the search early. */
static void rounds_find(struct peak_host *host)
{
    double least_s = 0;
    for (host->rounds = 1024; least_s < SAMPLE_NS * 1e-9; host->rounds *= 2) {
        least_s = (double)INFINITY;
        for (int i = 0; i < 3; i++) {
            least_s = fmin(least_s, team_seconds(host, task_fma));
        }
    }
    host->rounds /= 2;
}

static ridge_status rate_measure(struct peak_host *host, rg_fma_loop loop, unsigned lanes, struct ridge_peak_rate *out,
                                 struct ridge_error *error)
{
    double samples[RG_PEAK_SAMPLES];
    host->loop = loop;
    host->factor = 0.5;
    host->addend = 0.5;
    rounds_find(host);
    const double flop = 2.0 * lanes * host->loops->chains * (double)host->rounds * host->team.count;
    for (size_t i = 0; i < RG_PEAK_SAMPLES; i++) {
        samples[i] = flop / team_seconds(host, task_fma);
    }
    /* Every chain is halved and has a half added: whatever it began with, it has come to 1. */
    if (!(fabs(host->sink - 1) < 1e-6)) {
        return rg_error_set(error, RIDGE_E_MEASURE, "the multiply-adds came to %g and not to 1", host->sink);
    }
    rg_peak_rate_set(out, samples, RG_PEAK_SAMPLES);
    return RIDGE_OK;
}

static void empty_kernel(void) {}

/** A launch of the host backend is a call between two looks at the clock. */
static void launch_measure(struct ridge_peak *out)
{
    void (*volatile kernel)(void) = empty_kernel;
    double samples_s[RG_PEAK_SAMPLES];
    for (size_t i = 0; i < RG_PEAK_SAMPLES; i++) {
        const uint64_t begin_ns = rg_clock_ns();
        kernel();
        samples_s[i] = (double)(rg_clock_ns() - begin_ns) * 1e-9;
    }
    rg_peak_time_set(&out->launch, samples_s, RG_PEAK_SAMPLES);
    out->launch_device = out->launch;
}

static void task_chase(struct rg_worker *worker)
{
    struct peak_host *host = host_of(worker);
    if (worker->index != 0) {
        return;
    }
    const uint32_t *words = (const uint32_t *)(const void *)host->memory;
    uint32_t at = host->at;
    worker->begin_ns = rg_clock_ns();
    for (uint64_t i = 0; i < host->steps; i += 8) {
        at = words[words[words[words[at]]]];
        at = words[words[words[words[at]]]];
    }
    worker->end_ns = rg_clock_ns();
    host->at = at;
}

static double chase_seconds(struct peak_host *host)
{
    rg_team_run(&host->team, task_chase);
    return (double)(host->team.workers[0].end_ns - host->team.workers[0].begin_ns) * 1e-9;
}

/** Latency of one working set. */
static void chase_measure(struct peak_host *host, uint64_t bytes, struct ridge_peak_latency *out)
{
    const uint32_t lines = (uint32_t)(bytes / RG_CHASE_LINE_BYTES);
    double samples_s[RG_CHASE_SAMPLES];
    rg_chase_fill((uint32_t *)(void *)host->memory, lines);
    host->at = 0;
    host->steps = lines < CHASE_LEAST_STEPS ? CHASE_LEAST_STEPS : lines;
    host->steps = host->steps > CHASE_MOST_STEPS ? CHASE_MOST_STEPS : host->steps;
    while (chase_seconds(host) < CHASE_NS * 1e-9 && host->steps < CHASE_LIMIT_STEPS) {
        host->steps *= 2;
    }
    for (size_t i = 0; i < RG_CHASE_SAMPLES; i++) {
        samples_s[i] = chase_seconds(host) / (double)host->steps;
    }
    out->bytes = bytes;
    rg_peak_time_set(&out->time, samples_s, RG_CHASE_SAMPLES);
}

static void latencies_measure(struct peak_host *host, const struct ridge_peak_request *request, struct ridge_peak *out)
{
    const uint64_t usual_bytes = (uint64_t)256 << 20;
    const uint64_t free_bytes = rg_host_memory_available("");
    const uint64_t most = rg_chase_most(request, usual_bytes, free_bytes > 0 ? free_bytes / 4 : UINT64_MAX, out);
    if (most < RG_CHASE_LEAST_BYTES) {
        return;
    }
    host->memory_bytes = (size_t)(most + 2 * huge_page_bytes - most % huge_page_bytes);
    void *memory =
        mmap(NULL, host->memory_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        rg_peak_note(out, "no latencies: there is not enough memory for %llu bytes", (unsigned long long)most);
        return;
    }
    /* Huge pages: the latency of memory is wanted, not that of the tables of its pages. */
    (void)madvise(memory, host->memory_bytes, MADV_HUGEPAGE);
    const uintptr_t begin = ((uintptr_t)memory + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
    host->memory = (unsigned char *)memory + (begin - (uintptr_t)memory);
    for (uint64_t bytes = RG_CHASE_LEAST_BYTES; bytes <= most && out->latency_count < RIDGE_PEAK_LATENCIES;
         bytes *= 2) {
        chase_measure(host, bytes, &out->latencies[out->latency_count++]);
    }
    if (rg_host_huge_bytes(host->memory, most) < most / 2) {
        rg_peak_note(out, "the latencies are of small pages: the system gave no huge ones");
    }
    (void)munmap(memory, host->memory_bytes);
}

/** As the host backend names itself, so that its runs find this. */
static void facts_visit(void *user, const struct rg_device_facts *facts)
{
    struct ridge_peak *out = user;
    snprintf(out->device, sizeof out->device, "%s", facts->name);
    snprintf(out->driver, sizeof out->driver, "%s", facts->driver);
}

static void texts_fill(const struct peak_host *host, struct ridge_peak *out)
{
    snprintf(out->backend, sizeof out->backend, "host");
    snprintf(out->selector, sizeof out->selector, "host");
    snprintf(out->device, sizeof out->device, "%s", host->topology.model);
    (void)rg_backend_host.enumerate(host->context, facts_visit, out, NULL); /* without a compiler the model stands */
#ifdef __clang__
    snprintf(out->compiler, sizeof out->compiler, "%s; loops: %s", __VERSION__, host->loops->name);
#else
    snprintf(out->compiler, sizeof out->compiler, "gcc %s; loops: %s", __VERSION__, host->loops->name);
#endif
    out->threads = host->team.count;
    for (unsigned i = 0; i < host->team.count; i++) {
        if (host->team.workers[i].pin_error != 0) {
            rg_peak_note(out, "threads could not be bound to processors: %s",
                         strerror(host->team.workers[i].pin_error));
            return;
        }
    }
}

static ridge_status host_measure(struct peak_host *host, const struct ridge_peak_request *request,
                                 struct ridge_peak *out, struct ridge_error *error)
{
    char limit[RG_HOST_LIMIT_BYTES];
    unsigned threads = 0;
    ridge_status status = rg_host_threads("", &host->topology, request->threads, &threads, limit, error);
    if (status == RIDGE_OK) {
        status = rg_team_start(&host->team, host->context, host->topology.cpus, threads, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    if (limit[0]) {
        rg_peak_note(out, "%s", limit);
    }
    texts_fill(host, out);
    status = rate_measure(host, host->loops->f32, host->loops->lanes_f32, &out->f32, error);
    if (status == RIDGE_OK) {
        status = rate_measure(host, host->loops->f64, host->loops->lanes_f64, &out->f64, error);
    }
    if (status == RIDGE_OK) {
        launch_measure(out);
        if (!request->without_latency) {
            latencies_measure(host, request, out);
        }
    }
    rg_team_end(&host->team);
    return status;
}

ridge_status rg_peak_host(const struct ridge_context *context, const struct ridge_peak_request *request,
                          struct ridge_peak *out, struct ridge_error *error)
{
    struct peak_host *host = rg_alloc(context, sizeof *host);
    if (!host) {
        return rg_error_memory(error, sizeof *host);
    }
    host->context = context;
    host->loops = rg_peak_loops_best();
    rg_host_topology(&host->topology);
    const ridge_status status = host_measure(host, request, out, error);
    rg_free(context, host, sizeof *host);
    return status;
}
