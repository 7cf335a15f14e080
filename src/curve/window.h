/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Where in the pool a pass moves its bytes. Windows follow each other in a permuted order, since neighbours would let
 * the prefetchers run across their border, and the position is carried on, since a new start would find the first
 * windows still in the caches (docs/curve.md). Pure; any thread.
 */
#ifndef RG_CURVE_WINDOW_H
#define RG_CURVE_WINDOW_H

#include <stdint.h>

#include "ridge/curve.h"

#define RG_POOL_LEAST_BYTES (UINT64_C(1) << 20)

/** How a pool is cut. A copy has two buffers and a triad three: the pool is one allocation or one a buffer, each
 * `buffer_bytes` long, and a window is the same part of each. */
struct rg_window_plan {
    unsigned buffers;      /**< 1, 2 or 3; the last one is written by copy and triad */
    uint64_t buffer_bytes; /**< of each buffer */
    uint64_t window_bytes; /**< a pass moves in each buffer; a multiple of RG_PROBE_LINE_BYTES */
    uint64_t count;        /**< windows in a buffer, at least 1 */
    uint64_t step;         /**< from one window to the next, modulo count; coprime to it */
    uint64_t pass_bytes;   /**< buffers * window_bytes: what a pass really moves */
    uint64_t reuse_bytes;  /**< moved before a window comes again: the reuse distance */
};

/** \return how many buffers an access uses. */
unsigned rg_access_buffers(ridge_access access);

/** Cut a pool. \return false when the pool is too small for one window of `bytes`, or bytes is 0. */
bool rg_window_plan(ridge_access access, uint64_t pool_bytes, uint64_t bytes, struct rg_window_plan *out);

/** \return the window of pass number `pass`: 0 .. count - 1. Its bytes begin at that times window_bytes. */
uint64_t rg_window_at(const struct rg_window_plan *plan, uint64_t pass);

#endif
