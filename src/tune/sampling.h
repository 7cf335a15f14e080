/* SPDX-License-Identifier: MIT */
/**
 * \file Which blocks of a grid are run to stand for all, and for how many each stands. Pure; any thread.
 */
#ifndef RG_TUNE_SAMPLING_H
#define RG_TUNE_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ridge/status.h"

enum {
    RG_SAMPLE_MOST = 4096 /**< blocks */
};

/** A block that is run. */
struct rg_sampled {
    uint64_t index; /**< in the grid, x fastest */
    double weight;  /**< blocks that it stands for */
};

/** How blocks are chosen. */
struct rg_sampling {
    uint64_t grid[3];
    uint64_t active[3]; /**< blocks that do something along each axis; the others are taken to do nothing */
    uint64_t wanted;    /**< evenly spaced; 0: the corners, the edges and the middle */
    bool all;
    bool quick; /**< the middle and the last block only */
};

/**
 * Choose. Weights add up to the active blocks. \param[out] out  room for RG_SAMPLE_MOST; ascending
 * \return how many; 0: more than RG_SAMPLE_MOST were wanted
 */
size_t rg_sampling_choose(const struct rg_sampling *sampling, struct rg_sampled *out);

/** \return blocks of the active part. */
double rg_sampling_active(const struct rg_sampling *sampling);

#endif
