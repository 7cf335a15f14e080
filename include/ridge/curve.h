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
#include "ridge/roofline.h"
#include "ridge/sink.h"
#include "ridge/stats.h"
#include "ridge/store.h"

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

/** What is to be known of a point beside its rate: name, word. */
#define RIDGE_POINT_FLAG_LIST(X)                                                                               \
    X(RIDGE_POINT_CONTENDED, "contended")       /* most samples were disturbed: all of them count */           \
    X(RIDGE_POINT_WIDE, "wide")                 /* its interval, when the time was over */                     \
    X(RIDGE_POINT_POOL_LIMITED, "pool-limited") /* larger than half the pool: no two windows */                \
    X(RIDGE_POINT_WARM_SUSPECT, "warm-suspect") /* cold, but caches may have held some of it */                \
    X(RIDGE_POINT_STEP_NOISE, "step-noise")     /* goes the wrong way from the size before, but */             \
    /* within the intervals or not in most rounds; clearly, but while the machine moved; clearly and always */ \
    X(RIDGE_POINT_STEP_CONTENTION, "step-contention")                                                          \
    X(RIDGE_POINT_STEP_STRUCTURAL, "step-structural")

typedef enum ridge_point_flag {
#define RIDGE_POINT_FLAG_ENUM(name, word) name,
    RIDGE_POINT_FLAG_LIST(RIDGE_POINT_FLAG_ENUM)
#undef RIDGE_POINT_FLAG_ENUM
} ridge_point_flag;

enum {
    RIDGE_POINT_FLAG_COUNT = RIDGE_POINT_STEP_STRUCTURAL + 1 /**< the last of the list */
};

RIDGE_API const char *ridge_point_flag_word(ridge_point_flag flag); /**< never NULL */

/** One working set. Rates are bytes a second, both directions counted. */
struct ridge_curve_point {
    uint64_t bytes;             /**< moved by a pass */
    double bytes_per_s;         /**< median */
    struct ridge_interval ci95; /**< of it; NaN: too few samples */
    double best_bytes_per_s;    /**< the ceiling of this point: the best rate that two rounds reached (their medians) */
    uint64_t n;                 /**< samples */
    unsigned flags;             /**< bits 1u << ridge_point_flag */
};

/** A level of the memory system, found from the curve. */
struct ridge_curve_level {
    const char *name;    /**< "L1", "L2", "L3", "memory"; "outermost": the sweep ended before memory was sure */
    uint64_t bytes;      /**< up to which working set; 0: no end (memory) */
    double bytes_per_s;  /**< its plateau: the median of the ceilings of its points */
    uint64_t hint_bytes; /**< what the system says that the caches of all threads hold; 0: it says nothing */
};

/** How fast so many workers were before a curve was measured: the best count was kept. */
struct ridge_thread_trial {
    unsigned threads;
    double bytes_per_s; /**< reached by two samples; NaN: it failed */
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
    const char *selector;     /**< what --device takes for the device: "host", "opencl:0:0"; NULL: unknown */
    uint64_t pool_bytes;      /**< that the windows lay in; 0: unknown */
    uint64_t reuse_bytes;     /**< least bytes moved before a window came again; 0: unknown, or warm */
    uint64_t trial_bytes;     /**< cold working set of the trials; 0: there were none */
    size_t trial_count;
    const struct ridge_thread_trial *trials; /**< most threads first */
    const char *sentinels; /**< "steady", "drift", "moved", "throttle": what the sentinels say; NULL: unknown */
    bool stopped; /**< measured just now, and ended before its time: it is incomplete, and a note says by how much */
};

/**
 * Put points in order as the published rule keeps them: positive sizes with a finite, positive rate, ascending, the
 * first of each size. \return how many are left at the beginning of `points`
 */
RIDGE_API size_t ridge_curve_points_clean(struct ridge_curve_point *points, size_t count);

/** The published rule: the sweep size of a working set. Source: behaviours section 2. */
RIDGE_API uint64_t ridge_curve_sweep_size(uint64_t bytes);

/**
 * The published ceiling: linear in log2(bytes) between points, the end rates outside.
 * \return bytes a second; NaN for an empty curve
 */
RIDGE_API double ridge_curve_ceiling_published(const struct ridge_curve *curve, uint64_t bytes);

/** Where a working set lies on a curve. */
typedef enum ridge_ceiling_place {
    RIDGE_CEILING_EXACT,  /**< at a measured point */
    RIDGE_CEILING_INSIDE, /**< between two */
    RIDGE_CEILING_KNEE,   /**< between two points of a warm curve with an edge between them: the lower counts */
    RIDGE_CEILING_BELOW,  /**< below the first */
    RIDGE_CEILING_ABOVE   /**< above the last */
} ridge_ceiling_place;

/** What a working set can reach. */
struct ridge_ceiling {
    double bytes_per_s;         /**< the ceiling: from the best that two rounds reached */
    double typical_bytes_per_s; /**< from the medians */
    struct ridge_interval ci95; /**< of the typical rate; NaN: unknown */
    ridge_ceiling_place place;
    uint64_t low_bytes, high_bytes; /**< the points that it comes from; equal at a point and outside */
    const char *level;              /**< in which it fits; NULL: the curve has no levels. Borrowed from the curve */
    bool outermost;                 /**< that level is the last that the curve reached, and not sure to be memory */
    /** "below_sweep", "ramp", "level:2" (from the inside), "transition", "memory", "above_sweep" */
    char regime[RIDGE_REGIME_BYTES];
    bool extrapolated; /**< above a curve whose last two octaves are not flat */
    unsigned flags;    /**< of the points that it comes from: bits 1u << ridge_point_flag */
};

RIDGE_API const char *ridge_ceiling_place_word(ridge_ceiling_place place); /**< never NULL */

/**
 * A pass of a cold curve as a fixed cost and a rate: seconds(bytes) = fixed_s + bytes / bytes_per_s, fitted to the medians
 * up to 4 MiB so that relative errors count alike. Source of the form: reference/curve.md 4.4.
 */
struct ridge_curve_fit {
    double fixed_s;      /**< not negative */
    double bytes_per_s;  /**< of very many bytes */
    double half_bytes;   /**< where half of that rate is reached: fixed_s * bytes_per_s */
    double worst_ratio;  /**< how far the time of the worst point lies from it: 0.1 is a tenth */
    uint64_t last_bytes; /**< the largest point that was fitted */
};

/** \return false: the curve is warm, or has fewer than three points up to 4 MiB; then `out` is all zero */
RIDGE_API bool ridge_curve_fit_ramp(const struct ridge_curve *curve, struct ridge_curve_fit *out);

/**
 * The nearest rates to the medians that a curve ought to have: never falling with the bytes when cold, never rising when
 * warm (isotonic, least squares). An extra beside what was measured, and never in its place.
 * \param[out] rates  one a point
 */
RIDGE_API void ridge_curve_envelope(const struct ridge_curve *curve, double *rates);

/**
 * The ceiling of a working set by end behaviour. Below the first point a stream is faster by what the fewer bytes take at
 * the rate of the fit, and a launch takes as long as there, so that the rate falls in proportion to the bytes. Above the
 * last the rate of the last two octaves holds where they are flat, else that of the last point. Between two points of a
 * cold curve the time is linear in the bytes, which cannot give more than either end; of a warm curve the logarithm of the
 * rate is linear in that of the bytes, and across an edge (the rates differ by more than a quarter) the lower one counts.
 * \retval RIDGE_E_EMPTY  the curve has no points
 */
RIDGE_API ridge_status ridge_curve_ceiling_at(const struct ridge_curve *curve, uint64_t bytes,
                                              struct ridge_ceiling *out, struct ridge_error *error);

/** The same, only its rate. \return bytes a second; NaN for an empty curve */
RIDGE_API double ridge_curve_ceiling(const struct ridge_curve *curve, uint64_t bytes);

/** \return the level of a curve in which so many bytes fit; NULL when it has none. */
RIDGE_API const struct ridge_curve_level *ridge_curve_level_of(const struct ridge_curve *curve, uint64_t bytes);

/** Curves that were measured together. */
struct ridge_curve_set {
    size_t count;
    const struct ridge_curve *curves; /**< the first is what was asked for; a warm one, for the levels, is the last */
    void *memory;                     /**< the set's own */
};

/** What to measure. All zero: a cold read curve of the host with as many threads as are fastest, up to 1 GiB. */
struct ridge_curve_request {
    const char *device; /**< as --device names it; NULL: "host" */
    ridge_access access;
    unsigned disciplines; /**< bits 1u << ridge_discipline; 0: stream, and below 4 MiB the others beside it */
    bool warm;            /**< every pass moves the same window */
    bool published;       /**< the published sweep alone */
    unsigned threads;     /**< 0: as many as are fastest, of all that may be used, half as many, a quarter, ... */
    uint64_t max_bytes;   /**< largest working set; 0: 1 GiB */
    double max_seconds;   /**< to measure, beyond touching the pool; 0: 15 */
    uint64_t seed;        /**< of the order of the points */
    /** Told before each sample, and some times a second, how far it is, 0 to 1. \return false to stop with what there
     * is. NULL: not asked */
    bool (*progress)(void *user, double done);
    void *user;
};

/**
 * Measure.
 * \param[out] out  owned by the caller; freed by ridge_curve_set_destroy
 * \retval RIDGE_E_UNAVAILABLE  no such device
 * \retval RIDGE_E_ARGUMENT     more threads than may be used, or an access that the device cannot do
 * \retval RIDGE_E_MEASURE      no point could be measured
 * \retval RIDGE_E_EMPTY        stopped before one was
 */
RIDGE_API ridge_status ridge_curve_measure(const struct ridge_context *context,
                                           const struct ridge_curve_request *request, struct ridge_curve_set **out,
                                           struct ridge_error *error);

/** Free a set. NULL is fine. */
RIDGE_API void ridge_curve_set_destroy(struct ridge_curve_set *set);

/** Put the curves of a set into a store, in one transaction. \param[out] id  of the set */
RIDGE_API ridge_status ridge_store_curves_put(struct ridge_store *store, const struct ridge_curve_set *set, int64_t *id,
                                              struct ridge_error *error);

/** Which saved curve is wanted. */
struct ridge_curve_key {
    const char *device; /**< "host", "opencl": the first of it that was saved, "opencl:0:1" */
    ridge_access access;
    ridge_discipline discipline;
    bool warm;
    bool published;
    unsigned threads; /**< 0: the one whose number was tried out, else the one with most threads */
    const char *name; /**< of the device, as its driver gives it; NULL: any */
};

/**
 * Load the newest saved curve of this machine that fits.
 * \param[out] out  a set of that curve alone, freed by ridge_curve_set_destroy
 * \retval RIDGE_E_EMPTY  there is none
 */
RIDGE_API ridge_status ridge_store_curve_find(struct ridge_store *store, const struct ridge_curve_key *key,
                                              struct ridge_curve_set **out, struct ridge_error *error);

/**
 * Say whether a curve is older than the driver of its device.
 * \param[out] why  in words; "" when it is not, or nobody can tell
 */
RIDGE_API bool ridge_curve_is_old(const struct ridge_curve *curve, char why[512]);

/**
 * Draw curves as an SVG picture, for light and dark pages: logarithmic axes, levels as bands, intervals as bars.
 * \param width_px  RIDGE_CHART_LEAST_WIDTH .. RIDGE_CHART_MOST_WIDTH (ridge/chart.h)
 */
RIDGE_API ridge_status ridge_curve_picture(const struct ridge_curve *curves, size_t count, unsigned width_px,
                                           struct ridge_sink sink, struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
