/* SPDX-License-Identifier: MIT */
/**
 * \file What a judge hands to the program that it runs beneath compute-sanitizer, and what that program writes down: two
 * private files. The first is the order, texts `key=value` that each end with a zero byte; the second is the outcome.
 * Thread rule: one thread at a time.
 */
#ifndef RG_TUNE_GATE_LAUNCH_H
#define RG_TUNE_GATE_LAUNCH_H

#include "tune/gate.h"

enum {
    RG_LAUNCH_ORDER_SETS = 256
};

/** Launch this configuration once. Texts are borrowed. */
struct rg_launch_order {
    const char *spec;
    const char *set[RG_LAUNCH_ORDER_SETS];
    size_t set_count;
    uint32_t choice[RG_MAX_DIMENSIONS];
    size_t choice_count;
    const char *cuda_path;    /**< NULL: looked for */
    const char *cache_folder; /**< NULL: compiled code is not kept */
    const char *outcome;      /**< the file to write */
    const char *outputs;      /**< the file for the outputs; NULL: not wanted, and then they are not filled before */
    unsigned seconds;         /**< the process ends itself after so many; 0: never */
};

/** Write an order. \retval RIDGE_E_MEMORY no memory */
ridge_status rg_launch_order_write(const struct rg_launch_order *order, struct rg_buffer *out,
                                   struct ridge_error *error);

/**
 * Read an order. Texts point into `text`.
 * \retval RIDGE_E_SYNTAX  no such key, no number, a text without its end, or something is missing
 */
ridge_status rg_launch_order_read(const char *text, size_t length, struct rg_launch_order *out,
                                  struct ridge_error *error);

/** What became of it. */
struct rg_launched {
    ridge_status status;   /**< of the tool; then `text` is its message */
    ridge_outcome outcome; /**< of the configuration; ok or why not, then `text` says more */
    char device[256];
    const char *text; /**< borrowed from what was read */
};

void rg_launched_write(const struct rg_launched *launched, struct rg_buffer *out);

/** Read an outcome. \return false when it is not one: the process did not come so far. */
bool rg_launched_read(const char *text, struct rg_launched *out);

#endif
