/* SPDX-License-Identifier: MIT */
/**
 * \file
 * The loops that move a worker's bytes, one set an instruction set, made from one text (host_loops.inc.h). Each loop
 * runs all passes of a job: the window steps inside it, so that nothing but the traffic is timed. The compiler cannot
 * drop any of it: memory is clobbered between passes, and what was read is returned. Pure; any thread.
 */
#ifndef RG_CURVE_HOST_LOOPS_H
#define RG_CURVE_HOST_LOOPS_H

#include "ridge/curve.h"

enum {
    RG_ACCESS_COUNT = RIDGE_ACCESS_STREAMING_WRITE + 1,
    RG_DISCIPLINE_COUNT = RIDGE_DISCIPLINE_ONESHOT + 1
};

/** What one worker does in a job. */
struct rg_host_work {
    unsigned char *buffers[3]; /**< its part of window 0 in each buffer, aligned to 64 bytes */
    uint64_t part_bytes;       /**< of each window, a multiple of 64; 0: nothing to do */
    uint64_t window_bytes;     /**< from one window to the next */
    uint64_t window_count;
    uint64_t step;   /**< windows from one pass to the next, modulo window_count */
    uint64_t window; /**< of the first pass */
    uint64_t passes;
    uint64_t value; /**< written by the first pass, one more by each later one */
};

/** \return the sum of all 64-bit words read (read); otherwise the value last written. */
typedef uint64_t (*rg_host_loop)(const struct rg_host_work *work);

struct rg_host_loops {
    const char *name;                    /**< "AVX-512", "AVX2", "NEON", "portable" */
    bool (*usable)(void);                /**< by this processor */
    rg_host_loop loops[RG_ACCESS_COUNT]; /**< NULL: it cannot */
};

/** Every set that was compiled, best first, ended by NULL. The last is usable everywhere. */
extern const struct rg_host_loops *const rg_host_loop_sets[];

/** \return the best usable set. */
const struct rg_host_loops *rg_host_loops_best(void);

#endif
