/* SPDX-License-Identifier: MIT */
/*
 * The loops of one instruction set; included once by each host_<set>.c, which defines
 *   LOOPS (name of the table), LOOPS_NAME (text), TARGET (attribute of the functions), VECTOR_BYTES, USABLE (an
 *   expression) and, where there is one, STREAM(pointer, vector): a store that passes by the caches, and STREAM_END().
 * Vectors are of the compiler's own vector types, so that one text serves x86 and ARM.
 */
#include "curve/host_loops.h"

typedef uint64_t words __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef double doubles __attribute__((vector_size(VECTOR_BYTES), may_alias));

enum {
    UNROLLED = 8,       /* vectors in flight: adding takes a cycle, and two are loaded in one (docs/curve.md) */
    TRIAD_UNROLLED = 4, /* 2, 4 and 8 were alike on an AMD EPYC; 1 reached half as much in L1 */
    LINE_VECTORS = 64 / VECTOR_BYTES
};

/* What memory held before may have changed: nothing is carried over from pass to pass, no store is dropped. */
#define FORGET() __asm__ volatile("" ::: "memory")

/* The loop is not to become a call of memcpy or memset: those choose instructions of their own. */
#define KEEP(pointer) __asm__ volatile("" : "+r"(pointer))

#define HELPER TARGET __attribute__((always_inline)) static inline

/** \return this worker's part of a window. Parts are aligned to 64 bytes. */
HELPER words *part_at(unsigned char *buffer, uint64_t offset)
{
    return (words *)(void *)(buffer + offset);
}

/** \return where the window begins, and step to the next one. */
HELPER uint64_t next_window(const struct rg_host_work *work, uint64_t *window)
{
    const uint64_t offset = *window * work->window_bytes;
    *window += work->step;
    *window -= *window >= work->window_count ? work->window_count : 0;
    return offset;
}

HELPER uint64_t sum_of(words sums)
{
    uint64_t sum = 0;
    for (int i = 0; i < VECTOR_BYTES / 8; i++) {
        sum += sums[i];
    }
    return sum;
}

TARGET static uint64_t loop_read(const struct rg_host_work *shared)
{
    const struct rg_host_work work = *shared;
    words a = {0};
    words b = {0};
    words c = {0};
    words d = {0};
    words e = {0};
    words f = {0};
    words g = {0};
    words h = {0};
    uint64_t window = work.window;
    for (uint64_t pass = 0; pass < work.passes; pass++) {
        const words *at = part_at(work.buffers[0], next_window(&work, &window));
        const words *const end = at + work.part_bytes / VECTOR_BYTES;
        for (; end - at >= UNROLLED; at += UNROLLED) {
            a += at[0];
            b += at[1];
            c += at[2];
            d += at[3];
            e += at[4];
            f += at[5];
            g += at[6];
            h += at[7];
        }
        for (; at < end; at++) {
            a += *at;
        }
        FORGET();
    }
    return sum_of(((a + b) + (c + d)) + ((e + f) + (g + h)));
}

TARGET static uint64_t loop_write(const struct rg_host_work *shared)
{
    const struct rg_host_work work = *shared;
    uint64_t window = work.window;
    for (uint64_t pass = 0; pass < work.passes; pass++) {
        words *at = part_at(work.buffers[0], next_window(&work, &window));
        const words *const end = at + work.part_bytes / VECTOR_BYTES;
        const words value = (words){0} + (work.value + pass);
        for (; end - at >= UNROLLED; at += UNROLLED) {
#pragma GCC unroll 8
            for (int i = 0; i < UNROLLED; i++) {
                at[i] = value;
            }
            KEEP(at);
        }
        for (; at < end; at++) {
            *at = value;
            KEEP(at);
        }
        FORGET();
    }
    return work.value + work.passes - 1;
}

TARGET static uint64_t loop_copy(const struct rg_host_work *shared)
{
    const struct rg_host_work work = *shared;
    uint64_t window = work.window;
    for (uint64_t pass = 0; pass < work.passes; pass++) {
        const uint64_t offset = next_window(&work, &window);
        const words *from = part_at(work.buffers[0], offset);
        words *to = part_at(work.buffers[1], offset);
        const words *const end = to + work.part_bytes / VECTOR_BYTES;
        for (; end - to >= UNROLLED; to += UNROLLED, from += UNROLLED) {
#pragma GCC unroll 8
            for (int i = 0; i < UNROLLED; i++) {
                to[i] = from[i];
            }
            KEEP(to);
        }
        for (; to < end; to++, from++) {
            *to = *from;
            KEEP(to);
        }
        FORGET();
    }
    return work.value + work.passes - 1;
}

/** to = first + 3 * second, in doubles, as STREAM's triad. */
TARGET static uint64_t loop_triad(const struct rg_host_work *shared)
{
    const struct rg_host_work work = *shared;
    uint64_t window = work.window;
    for (uint64_t pass = 0; pass < work.passes; pass++) {
        const uint64_t offset = next_window(&work, &window);
        const doubles *first = (const void *)part_at(work.buffers[0], offset);
        const doubles *second = (const void *)part_at(work.buffers[1], offset);
        doubles *to = (void *)part_at(work.buffers[2], offset);
        const doubles *const end = to + work.part_bytes / VECTOR_BYTES;
        for (; end - to >= TRIAD_UNROLLED; to += TRIAD_UNROLLED, first += TRIAD_UNROLLED, second += TRIAD_UNROLLED) {
#pragma GCC unroll 4
            for (int i = 0; i < TRIAD_UNROLLED; i++) {
                to[i] = first[i] + 3.0 * second[i];
            }
            KEEP(to);
        }
        for (; to < end; to++, first++, second++) {
            *to = *first + 3.0 * *second;
            KEEP(to);
        }
        FORGET();
    }
    return work.value + work.passes - 1;
}

#ifdef STREAM
TARGET static uint64_t loop_streaming_write(const struct rg_host_work *shared)
{
    const struct rg_host_work work = *shared;
    uint64_t window = work.window;
    for (uint64_t pass = 0; pass < work.passes; pass++) {
        words *at = part_at(work.buffers[0], next_window(&work, &window));
        const words *const end = at + work.part_bytes / VECTOR_BYTES;
        const words value = (words){0} + (work.value + pass);
        for (; at < end; at += LINE_VECTORS) {
#    pragma GCC unroll 8
            for (int i = 0; i < LINE_VECTORS; i++) {
                STREAM(at + i, value);
            }
        }
        FORGET();
    }
    STREAM_END();
    return work.value + work.passes - 1;
}
#else
#    define loop_streaming_write NULL
#endif

static bool usable(void)
{
    return USABLE;
}

const struct rg_host_loops LOOPS = {
    .name = LOOPS_NAME,
    .usable = usable,
    .loops = {[RIDGE_ACCESS_READ] = loop_read,
              [RIDGE_ACCESS_WRITE] = loop_write,
              [RIDGE_ACCESS_COPY] = loop_copy,
              [RIDGE_ACCESS_TRIAD] = loop_triad,
              [RIDGE_ACCESS_STREAMING_WRITE] = loop_streaming_write},
};
