/* SPDX-License-Identifier: MIT */
/**
 * \file
 * The sweep: which working sets are measured, how often, in what order, and what is made of it (docs/curve.md). Every
 * point is visited in every round, in a new order each time; sentinels between them show whether the machine moved.
 * Thread rule: one thread; nothing else of the caller should run beside it.
 */
#ifndef RG_CURVE_SWEEP_H
#define RG_CURVE_SWEEP_H

#include "base/arena.h"
#include "base/rng.h"
#include "curve/curve_rules.h"
#include "curve/machine_watch.h"
#include "curve/probe.h"
#include "curve/window.h"

enum {
    RG_ITEMS_MOST = 256,
    RG_ITEM_SAMPLES = 160,
    RG_ROUNDS_MOST = 12, /**< with those for wide points */
    RG_SENTINELS_MOST = 512,
    RG_SWEEP_NOTES = 32,
    RG_TRIALS_MOST = 16 /**< 2^15 threads, halved again and again */
};

/** A time of one pass. */
struct rg_pass_time {
    double seconds;
    double bytes; /**< really moved by the pass */
    unsigned round;
    unsigned sentinel;  /**< number of the last one before it */
    unsigned disturbed; /**< bits RG_DISTURBED_* (machine_watch.h) */
};

/** Which curve of the set a point belongs to. */
enum rg_role {
    RG_ROLE_MAIN,    /**< what was asked for */
    RG_ROLE_LAUNCH,  /**< the same bytes below 4 MiB, a launch a pass */
    RG_ROLE_ONESHOT, /**< and waited for */
    RG_ROLE_WARM,    /**< the same access, warm */
    RG_ROLE_EDGES,   /**< a warm read, for the edges of the levels when something else is measured */
    RG_ROLE_COUNT
};

/** A point to measure. */
struct rg_item {
    enum rg_role role;
    struct rg_probe_job job; /**< `first` moves on with every sample */
    double pass_s;           /**< of a pass, roughly: from calibration */
    unsigned samples_a_visit;
    bool failed;
    size_t time_count;
    struct rg_pass_time times[RG_ITEM_SAMPLES];
};

/** What the machine was like at a moment. */
struct rg_sentinel {
    double clock_hz;  /**< NaN: unknown */
    double near_rate; /**< warm 16 KiB */
    double far_rate;  /**< cold 64 MiB, or what the pool has */
    bool moved;       /**< one of them is not what it usually was */
};

struct rg_sweep {
    const struct ridge_context *context;
    const struct ridge_curve_request *request;
    const struct rg_probe *probe;
    struct rg_probe_state *state;
    struct rg_probe_facts facts;
    struct rg_arena *arena; /**< of the set */
    struct rg_rng rng;
    uint64_t max_bytes;
    double begin_s;     /**< when measuring began */
    double deadline_s;  /**< when it should end */
    uint64_t llc_bytes; /**< of the outermost cache, from the warm curve; 0: unknown */
    double sample_s;    /**< least length of a sample */
    unsigned threads;   /**< to use; 0: as many as may be */
    uint64_t trial_bytes;
    size_t trial_count;
    struct ridge_thread_trial trials[RG_TRIALS_MOST];
    unsigned rounds;
    bool stopped; /**< by the caller: ask with rg_sweep_is_stopped */
    struct rg_item *items;
    size_t item_count;
    struct rg_item near;
    struct rg_item far;
    struct rg_sentinel *sentinels;
    size_t sentinel_count;
    uint64_t void_samples;
    uint64_t timeless_samples;
    size_t note_count;
    const char *notes[RG_SWEEP_NOTES];
    struct rg_plateau plateaus[RG_LEVELS_MOST];
    size_t plateau_count;
    bool memory;                            /**< the last plateau is sure to be memory */
    uint64_t plateau_begin[RG_LEVELS_MOST]; /**< smallest and largest working set of each */
    uint64_t plateau_end[RG_LEVELS_MOST];
    size_t moved;         /**< sentinels that did */
    enum rg_trend clock;  /**< what the clock did over the sweep */
    enum rg_trend rates;  /**< and the worse of the two rates of the sentinels */
    uint64_t reuse_bytes; /**< least of the cold points; 0: there are none */
};

/** Keep a note; the same text once. */
void rg_sweep_note(struct rg_sweep *sweep, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* sweep_plan.c */

/** Make the items of powers of two. */
ridge_status rg_sweep_plan(struct rg_sweep *sweep, struct ridge_error *error);

/** \return the rate of an item as its calibration saw it; NaN: it failed */
double rg_item_rough_rate(const struct rg_item *item);

/** Once they are calibrated: add points to the octaves of warm curves whose ends differ. */
void rg_sweep_refine(struct rg_sweep *sweep);

/** Say how much an item may move before its window comes again; 0: it is warm, or does not fit. */
uint64_t rg_sweep_reuse(const struct rg_sweep *sweep, const struct rg_item *item);

/* sweep_sample.c */

/** Tell the caller how far it is and ask whether to go on. \return whether it is to stop, now or since before */
bool rg_sweep_is_stopped(struct rg_sweep *sweep);

/** Find how long a sample must be for the clock that times are taken with. */
void rg_sweep_sample_length(struct rg_sweep *sweep);

/** Find how many passes make a sample. */
void rg_item_calibrate(struct rg_sweep *sweep, struct rg_item *item);

/** Find how many passes make a sample, for every item from `first` on. */
void rg_sweep_calibrate(struct rg_sweep *sweep, size_t first);

/** Measure every item, in rounds, within the budget. */
void rg_sweep_rounds(struct rg_sweep *sweep);

/** Run one sample of an item into `time`. \return false: it gave no time */
bool rg_sweep_sample(struct rg_sweep *sweep, struct rg_item *item, struct rg_pass_time *time);

/** Take one sentinel (sweep_sentinel.c). */
void rg_sentinel_take(struct rg_sweep *sweep);

/** Look at all of them: which moved. \return how many did */
size_t rg_sentinels_judge(struct rg_sweep *sweep);

/** Whether the machine moved as a whole: more than a tenth of the sentinels did. Single ones only void what is beside
 * them. */
bool rg_sweep_moved(const struct rg_sweep *sweep);

/** Look at how they went from first to last. */
void rg_sentinels_trend(struct rg_sweep *sweep);

/** \return the usual clock: the median of what sentinels found, in hertz; NaN: none did. */
double rg_sentinels_clock_hz(const struct rg_sweep *sweep);

/** \return in a word what the sentinels say: "steady", "drift", "moved", "throttle". */
const char *rg_sentinels_word(const struct rg_sweep *sweep);

/** Whether a time lies between sentinels that did not move. */
bool rg_time_is_steady(const struct rg_sweep *sweep, const struct rg_pass_time *time);

/* sweep_points.c */

/** The point of an item. \return false: it has no times */
bool rg_item_point(const struct rg_sweep *sweep, const struct rg_item *item, struct ridge_curve_point *out);

/** Whether more than half of the times of an item were disturbed: then all of them are kept. */
bool rg_item_is_contended(const struct rg_sweep *sweep, const struct rg_item *item);

/** Whether the interval of an item's point is wider than is aimed at: 3 % to either side in a cache, 7 % in memory. */
bool rg_point_is_wide(const struct rg_sweep *sweep, const struct rg_item *item, const struct ridge_curve_point *point);

/** Medians in seconds of the rounds in which an item was measured; NaN for the others. */
void rg_item_rounds(const struct rg_sweep *sweep, const struct rg_item *item, double medians[RG_ROUNDS_MOST]);

/** \return the median ceiling of the points from one size to another; NaN: there are none. */
double rg_middle_between(const struct ridge_curve_point *points, size_t count, uint64_t from, uint64_t to);

/** Points of a role, ascending; `rough`: with the rates of the calibration. \return how many */
size_t rg_role_points(const struct rg_sweep *sweep, enum rg_role role, bool rough,
                      struct ridge_curve_point out[RG_ITEMS_MOST]);

/** Find the plateaus, and with them the size of the outermost cache. */
void rg_sweep_levels(struct rg_sweep *sweep, bool rough);

/* sweep_threads.c */

/** Try all workers, half of them, a quarter, ... at one large cold size. \return the best number; 0: nothing to choose */
unsigned rg_sweep_try_threads(struct rg_sweep *sweep);

/* sweep_flags.c */

/** Fill the flags of the points of a role: what is to be known of each beside its rate. */
void rg_sweep_flags(const struct rg_sweep *sweep, enum rg_role role, struct ridge_curve_point *points, size_t count);

/** Whether more than a third of an item's times lie beside a sentinel that moved. */
bool rg_item_is_unsteady(const struct rg_sweep *sweep, const struct rg_item *item);

/** \return how large the outermost cache is taken to be for the reuse distance: from the curve, else assumed. */
uint64_t rg_sweep_cache_bytes(const struct rg_sweep *sweep);

/** Whether the windows of an item come again too soon to be cold: before three times that much was moved. */
bool rg_reuse_is_short(const struct rg_sweep *sweep, const struct rg_item *item);

/* sweep_notes.c */

/** Say what was missing, moved or remained wide. */
void rg_sweep_notes(struct rg_sweep *sweep);

/* sweep_set.c */

/** Make the set from what was measured. */
ridge_status rg_sweep_finish(struct rg_sweep *sweep, struct ridge_curve_set **out, struct ridge_error *error);

/** Measure with a given probe: what ridge_curve_measure does once it has found one. */
ridge_status rg_sweep_run(const struct ridge_context *context, const struct ridge_curve_request *request,
                          const struct rg_probe *probe, struct ridge_curve_set **out, struct ridge_error *error);

#endif
