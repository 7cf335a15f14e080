/* SPDX-License-Identifier: MIT */
/** \file Proof that the loops move what they say: each worker's bytes are looked at afterwards, plainly. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "curve/host_probe.h"
#include "curve/window.h"

enum {
    PASSES = 3
};

/** \return where buffer number `buffer` of the window of pass `pass` begins. */
static const unsigned char *window_of(const struct rg_host_work *work, unsigned buffer, uint64_t pass)
{
    const uint64_t window = (work->window + pass * work->step) % work->window_count;
    return work->buffers[buffer] + window * work->window_bytes;
}

static uint64_t word_at(const unsigned char *bytes, uint64_t index)
{
    uint64_t word;
    memcpy(&word, bytes + index * sizeof word, sizeof word);
    return word;
}

static double double_at(const unsigned char *bytes, uint64_t index)
{
    double number;
    memcpy(&number, bytes + index * sizeof number, sizeof number);
    return number;
}

static bool read_is_right(const struct rg_host_work *work, uint64_t result)
{
    uint64_t sum = 0;
    for (uint64_t pass = 0; pass < PASSES; pass++) {
        for (uint64_t i = 0; i < work->part_bytes / 8; i++) {
            sum += word_at(window_of(work, 0, pass), i);
        }
    }
    return sum == result;
}

/** Only the last pass is sure to be there: earlier windows may be the same one. */
static bool write_is_right(const struct rg_host_work *work, uint64_t result)
{
    bool right = result == work->value + PASSES - 1;
    for (uint64_t i = 0; i < work->part_bytes / 8; i++) {
        right = right && word_at(window_of(work, 0, PASSES - 1), i) == result;
    }
    return right;
}

static bool copy_is_right(const struct rg_host_work *work, uint64_t result)
{
    (void)result;
    return memcmp(window_of(work, 0, PASSES - 1), window_of(work, 1, PASSES - 1), work->part_bytes) == 0;
}

static bool triad_is_right(const struct rg_host_work *work, uint64_t result)
{
    bool right = true;
    (void)result;
    for (uint64_t i = 0; i < work->part_bytes / 8; i++) {
        const double wanted =
            double_at(window_of(work, 0, PASSES - 1), i) + 3.0 * double_at(window_of(work, 1, PASSES - 1), i);
        /* One rounding more or less: the loop may multiply and add in one instruction. */
        right = right && fabs(double_at(window_of(work, 2, PASSES - 1), i) - wanted) <= 4e-16 * fabs(wanted);
    }
    return right;
}

ridge_status rg_host_verify(struct rg_probe_state *state, ridge_access access, uint64_t bytes,
                            struct ridge_error *error)
{
    static bool (*const checks[RG_ACCESS_COUNT])(const struct rg_host_work *, uint64_t) = {
        [RIDGE_ACCESS_READ] = read_is_right,
        [RIDGE_ACCESS_WRITE] = write_is_right,
        [RIDGE_ACCESS_COPY] = copy_is_right,
        [RIDGE_ACCESS_TRIAD] = triad_is_right,
        [RIDGE_ACCESS_STREAMING_WRITE] = write_is_right,
    };
    const struct rg_probe_job job = {.access = access, .bytes = bytes, .passes = PASSES, .first = 1};
    struct rg_probe_sample sample;
    const ridge_status status = rg_host_run(state, &job, &sample, error);
    for (unsigned i = 0; status == RIDGE_OK && i < state->team.active; i++) {
        const struct rg_worker *worker = &state->team.workers[i];
        if (worker->work.part_bytes > 0 && !checks[access](&worker->work, worker->result)) {
            return rg_error_set(error, RIDGE_E_MEASURE,
                                "the %s probe did not move its bytes on thread %u: no rate of it can be trusted "
                                "(a fault in Ridge, its compiler or the memory)",
                                ridge_access_word(access), i);
        }
    }
    return status;
}
