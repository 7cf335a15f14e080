/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Memory throughput against working set, and what follows from it: ceilings, peaks, the roofline and the share of it
 * that a time reaches (docs/curve.md). Thread rule: the pure functions may be called from any thread;
 * ridge_curve_measure and ridge_peak_measure run alone.
 */
#ifndef RIDGE_CURVE_H
#define RIDGE_CURVE_H

#include "ridge/context.h"
#include "ridge/stats.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a pass does with its bytes: name, word. */
#define RIDGE_ACCESS_LIST(X)       \
    X(RIDGE_ACCESS_READ, "read")   \
    X(RIDGE_ACCESS_WRITE, "write") \
    X(RIDGE_ACCESS_COPY, "copy")   \
    X(RIDGE_ACCESS_TRIAD, "triad") \
    X(RIDGE_ACCESS_STREAMING_WRITE, "streaming-write") /* stores that pass by the caches */

typedef enum ridge_access {
#define RIDGE_ACCESS_ENUM(name, word) name,
    RIDGE_ACCESS_LIST(RIDGE_ACCESS_ENUM)
#undef RIDGE_ACCESS_ENUM
} ridge_access;

/** How the bytes are asked for: name, word. Below some MiB the answer differs a hundredfold between them. */
#define RIDGE_DISCIPLINE_LIST(X)                                                            \
    X(RIDGE_DISCIPLINE_STREAM, "stream")   /* passes follow each other inside one kernel */ \
    X(RIDGE_DISCIPLINE_LAUNCH, "launch")   /* a launch a pass, many in flight */            \
    X(RIDGE_DISCIPLINE_ONESHOT, "oneshot") /* a launch a pass, waited for */

typedef enum ridge_discipline {
#define RIDGE_DISCIPLINE_ENUM(name, word) name,
    RIDGE_DISCIPLINE_LIST(RIDGE_DISCIPLINE_ENUM)
#undef RIDGE_DISCIPLINE_ENUM
} ridge_discipline;

RIDGE_API const char *ridge_access_word(ridge_access access);             /**< never NULL */
RIDGE_API const char *ridge_discipline_word(ridge_discipline discipline); /**< never NULL */

/** One working set. Rates are bytes a second, both directions counted. */
struct ridge_curve_point {
    uint64_t bytes;             /**< moved by a pass */
    double bytes_per_s;         /**< median */
    struct ridge_interval ci95; /**< of it; NaN: too few samples */
    double best_bytes_per_s;    /**< the ceiling of this point: a high quantile that another round confirmed */
    uint64_t n;                 /**< samples */
};

/** A level of the memory system, found from the curve. */
struct ridge_curve_level {
    const char *name;   /**< "L1", "L2", "L3", "memory" */
    uint64_t bytes;     /**< up to which working set; 0: no end (memory) */
    double bytes_per_s; /**< its plateau */
};

/** A curve; points ascending, no two of one size. All pointers are borrowed from whoever made it. */
struct ridge_curve {
    const char *device;  /**< as its driver names it */
    const char *backend; /**< "host", "opencl" */
    ridge_access access;
    ridge_discipline discipline;
    bool warm;
    bool published; /**< measured and interpolated by the published rule */
    unsigned threads;
    size_t point_count;
    const struct ridge_curve_point *points;
    size_t level_count;
    const struct ridge_curve_level *levels;
    const char *made_at;  /**< UTC */
    const char *compiler; /**< and its flags; driver of an OpenCL device */
    const char *driver;
    double clock_hz;          /**< effective, while measured; NaN: unknown */
    double launch_overhead_s; /**< of one launch; NaN: unknown; never subtracted */
    size_t note_count;
    const char *const *notes; /**< what was missing, drifted or was measured again */
};

/** The published rule: the sweep size of a working set. Source: behaviours section 2. */
RIDGE_API uint64_t ridge_curve_sweep_size(uint64_t bytes);

/**
 * The published ceiling: linear in log2(bytes) between points, the end rates outside.
 * \return bytes a second; NaN for an empty curve
 */
RIDGE_API double ridge_curve_ceiling_published(const struct ridge_curve *curve, uint64_t bytes);

/** Ceiling by end behaviour: below the first point the rate falls in proportion to the bytes, above the last it is the
 * last; between, interpolated in log-log. \return bytes a second; NaN for an empty curve */
RIDGE_API double ridge_curve_ceiling(const struct ridge_curve *curve, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
