/* SPDX-License-Identifier: MIT */
/**
 * \file
 * One warm working set, measured once by Ridge's probe or by STREAM-like loops on the same threads and memory:
 *
 *     bench_curve ridge|loops|SET read|write|copy|triad BYTES THREADS SECONDS
 *
 * (SET: Ridge's loops of one instruction set) prints the median and the best rate of its samples in bytes a second.
 * bench/curve_peer.py runs it in turn with likwid-bench.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "curve/host_probe.h"
#include "curve_loops.h"
#include "ridge/stats.h"

enum {
    MOST_SAMPLES = 4096
};

static const double sample_s = 2e-3;

/** The plain loops in the place of a probe's, over one worker's part. */
static uint64_t plain(const struct rg_host_work *work, ridge_access access)
{
    const uint64_t count = work->part_bytes / sizeof(double);
    uint64_t sum = 0;
    for (uint64_t pass = 0; pass < work->passes; pass++) {
        double *const buffers[3] = {(double *)(void *)work->buffers[0], (double *)(void *)work->buffers[1],
                                    (double *)(void *)work->buffers[2]};
        switch (access) {
        case RIDGE_ACCESS_READ: sum += loop_read((const uint64_t *)(const void *)buffers[0], count); break;
        case RIDGE_ACCESS_COPY: loop_copy(buffers[1], buffers[0], count); break;
        case RIDGE_ACCESS_TRIAD: loop_triad(buffers[2], buffers[0], buffers[1], count); break;
        case RIDGE_ACCESS_WRITE:
        case RIDGE_ACCESS_STREAMING_WRITE: loop_write(buffers[0], (double)(work->value + pass), count); break;
        }
        __asm__ volatile("" ::: "memory");
    }
    return sum;
}

static uint64_t plain_read(const struct rg_host_work *work)
{
    return plain(work, RIDGE_ACCESS_READ);
}

static uint64_t plain_write(const struct rg_host_work *work)
{
    return plain(work, RIDGE_ACCESS_WRITE);
}

static uint64_t plain_copy(const struct rg_host_work *work)
{
    return plain(work, RIDGE_ACCESS_COPY);
}

static uint64_t plain_triad(const struct rg_host_work *work)
{
    return plain(work, RIDGE_ACCESS_TRIAD);
}

static const struct rg_host_loops plain_loops = {.name = "plain",
                                                 .loops = {[RIDGE_ACCESS_READ] = plain_read,
                                                           [RIDGE_ACCESS_WRITE] = plain_write,
                                                           [RIDGE_ACCESS_COPY] = plain_copy,
                                                           [RIDGE_ACCESS_TRIAD] = plain_triad}};

static double run(struct rg_probe_state *state, struct rg_probe_job *job, double *bytes)
{
    struct rg_probe_sample sample = {0};
    struct ridge_error error = {0};
    if (rg_probe_host.run(state, job, &sample, &error) != RIDGE_OK) {
        fprintf(stderr, "bench_curve: %s\n", error.message);
        exit(1);
    }
    *bytes = (double)sample.bytes;
    return sample.seconds;
}

/** Samples of 2 ms until the time is over; the median and the best. */
static void measure(struct rg_probe_state *state, struct rg_probe_job job, double seconds)
{
    static double times[MOST_SAMPLES];
    static double scratch[MOST_SAMPLES];
    double bytes = 0;
    uint64_t count = 0;
    while (run(state, &job, &bytes) < sample_s / 2 && job.passes < UINT64_C(1) << 32) {
        job.passes *= 2;
    }
    const double end_s = rg_clock_s() + seconds;
    while ((count < 5 || rg_clock_s() < end_s) && count < MOST_SAMPLES) {
        times[count++] = run(state, &job, &bytes);
    }
    struct ridge_summary summary;
    ridge_summarise(times, count, scratch, &summary);
    printf("%.6g %.6g\n", bytes / summary.median_s, bytes / summary.minimum_s);
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr,
                "usage: bench_curve ridge|loops|AVX-512|AVX2|portable read|write|copy|triad BYTES THREADS SECONDS\n");
        return 2;
    }
    unsigned access = 0;
    while (access < RIDGE_ACCESS_STREAMING_WRITE && strcmp(argv[2], ridge_access_word((ridge_access)access)) != 0) {
        access++;
    }
    struct ridge_context *context = NULL;
    struct rg_probe_state *state = NULL;
    struct rg_probe_facts facts;
    struct ridge_error error = {0};
    const uint64_t bytes = strtoull(argv[3], NULL, 10);
    const struct rg_probe_request request = {.device = "host",
                                             .pool_bytes = bytes + (UINT64_C(4) << 20),
                                             .threads = (unsigned)strtoul(argv[4], NULL, 10),
                                             .accesses = 1U << access};
    if (ridge_context_create(NULL, &context, &error) != RIDGE_OK ||
        rg_probe_host.open(context, &request, &state, &facts, &error) != RIDGE_OK) {
        fprintf(stderr, "bench_curve: %s\n", error.message);
        return 1;
    }
    const struct rg_host_loops **loops = &state->loops[access];
    *loops = strcmp(argv[1], "loops") == 0 ? &plain_loops : *loops;
    for (size_t i = 0; rg_host_loop_sets[i]; i++) {
        *loops = strcmp(argv[1], rg_host_loop_sets[i]->name) == 0 ? rg_host_loop_sets[i] : *loops;
    }
    measure(state, (struct rg_probe_job){.access = (ridge_access)access, .bytes = bytes, .passes = 2, .warm = true},
            strtod(argv[5], NULL));
    rg_probe_host.close(state);
    ridge_context_destroy(context);
    return 0;
}
