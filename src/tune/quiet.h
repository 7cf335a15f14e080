/* SPDX-License-Identifier: MIT */
/**
 * \file Whether the machine kept quiet while times were taken: its clock at each sample, and what other programs did.
 * Thread rule: pure; a watch belongs to one thread.
 */
#ifndef RG_TUNE_QUIET_H
#define RG_TUNE_QUIET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RG_QUIET_CLOCKS = 64, /**< medians of the clock that are kept */
    RG_QUIET_TEXT = 512
};

/** What was seen so far. All zero at first. */
struct rg_quiet {
    double clocks_hz[RG_QUIET_CLOCKS]; /**< medians of configurations, the newest in the place of the oldest */
    uint64_t clock_count;              /**< seen in all */
    double usual_hz;                   /**< 0: none is known yet */
    double lowest_hz;                  /**< of a sample that was throttled */
    uint64_t samples;
    uint64_t throttled;
    double watched_s; /**< wall time in which samples were taken */
    double others_s;  /**< processor time that other programs had meanwhile */
};

/**
 * Look at the clock of every sample of a configuration. The usual one is the median of what configurations had, or this
 * one's own where that is higher. \param[out] low  which samples lie more than a tenth below
 */
void rg_quiet_clocks(struct rg_quiet *quiet, const double *clocks_hz, uint64_t count, bool *low);

/** Add a time in which samples were taken. */
void rg_quiet_load(struct rg_quiet *quiet, double watched_s, double others_s);

/** Say what the clock did. \return false: nothing that is worth a note */
bool rg_quiet_clock_text(const struct rg_quiet *quiet, char text[RG_QUIET_TEXT]);

/** Say what other programs did. \param cpus  of the machine \return false: less than a tenth of it */
bool rg_quiet_load_text(const struct rg_quiet *quiet, unsigned cpus, char text[RG_QUIET_TEXT]);

#endif
