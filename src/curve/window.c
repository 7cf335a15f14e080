/* SPDX-License-Identifier: MIT */
#include "curve/window.h"

#include "curve/probe.h"

unsigned rg_access_buffers(ridge_access access)
{
    return access == RIDGE_ACCESS_TRIAD ? 3 : access == RIDGE_ACCESS_COPY ? 2 : 1;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/** An odd step near the golden section of the count: far from its neighbours, and every window is visited. */
static uint64_t step_for(uint64_t count)
{
    if (count < 4) {
        return 1;
    }
    uint64_t step = (uint64_t)((double)count * 0.6180339887498949) | 1;
    while (greatest_common_divisor(step, count) != 1) {
        step += 2;
    }
    return step % count;
}

bool rg_window_plan(ridge_access access, uint64_t pool_bytes, uint64_t bytes, struct rg_window_plan *out)
{
    const unsigned buffers = rg_access_buffers(access);
    const uint64_t line = RG_PROBE_LINE_BYTES;
    const uint64_t buffer_bytes = pool_bytes / buffers / line * line;
    uint64_t window_bytes = bytes / buffers / line * line;
    if (bytes > 0 && window_bytes == 0) {
        window_bytes = line;
    }
    if (bytes == 0 || window_bytes > buffer_bytes) {
        return false;
    }
    *out = (struct rg_window_plan){
        .buffers = buffers,
        .buffer_bytes = buffer_bytes,
        .window_bytes = window_bytes,
        .count = buffer_bytes / window_bytes,
        .pass_bytes = window_bytes * buffers,
    };
    out->step = step_for(out->count);
    out->reuse_bytes = out->count * out->pass_bytes;
    return true;
}

__extension__ typedef unsigned __int128 wide;

uint64_t rg_window_at(const struct rg_window_plan *plan, uint64_t pass)
{
    return (uint64_t)((wide)(pass % plan->count) * plan->step % plan->count);
}
