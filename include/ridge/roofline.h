/* SPDX-License-Identifier: MIT */
/**
 * \file
 * The roofline: what a kernel uses up against what its device can do, and which of them binds (docs/roofline.md).
 * Thread rule: pure; any thread; nothing is kept.
 */
#ifndef RIDGE_ROOFLINE_H
#define RIDGE_ROOFLINE_H

#include <stdbool.h>

#include "ridge/kind.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a kernel uses up: name, key in JSON, words, unit. Reads and writes apart, or their sum, whichever is known. */
#define RIDGE_ROOF_LIST(X)                                  \
    X(RIDGE_ROOF_F32, "flop_f32", "f32 arithmetic", "FLOP") \
    X(RIDGE_ROOF_F64, "flop_f64", "f64 arithmetic", "FLOP") \
    X(RIDGE_ROOF_READ, "read", "memory reads", "B")         \
    X(RIDGE_ROOF_WRITE, "write", "memory writes", "B")      \
    X(RIDGE_ROOF_BYTES, "bytes", "memory reads and writes", "B")

typedef enum ridge_roof {
#define RIDGE_ROOF_ENUM(name, key, words, unit) name,
    RIDGE_ROOF_LIST(RIDGE_ROOF_ENUM)
#undef RIDGE_ROOF_ENUM
} ridge_roof;

enum {
    RIDGE_ROOF_COUNT = RIDGE_ROOF_BYTES + 1 /**< the last of the list */
};

RIDGE_API const char *ridge_roof_key(ridge_roof roof);   /**< "flop_f32"; never NULL */
RIDGE_API const char *ridge_roof_words(ridge_roof roof); /**< "f32 arithmetic"; never NULL */
RIDGE_API const char *ridge_roof_unit(ridge_roof roof);  /**< "FLOP" or "B"; never NULL */

/** What one launch uses up, in FLOP and bytes. 0: not used, or not known. */
struct ridge_work {
    double amount[RIDGE_ROOF_COUNT];
};

enum {
    RIDGE_REGIME_BYTES = 16 /**< of a name such as "level:2", with its end */
};

/** What a device can do. */
struct ridge_peaks {
    /** FLOP or bytes a second; NaN: unknown. That of RIDGE_ROOF_BYTES is a copy's where reads and writes are known apart */
    double per_s[RIDGE_ROOF_COUNT];
    ridge_kind kind[RIDGE_ROOF_COUNT];                 /**< where each is from */
    double spread_ratio[RIDGE_ROOF_COUNT];             /**< half the width of its 95 % interval, of it; 0: unknown */
    char regime[RIDGE_ROOF_COUNT][RIDGE_REGIME_BYTES]; /**< of a memory ceiling (ridge/curve.h); "": none */
    double launch_overhead_s;                          /**< seconds of a launch that does nothing; NaN: unknown */
};

/** \return peaks that are all unknown. */
RIDGE_API struct ridge_peaks ridge_peaks_unknown(void);

/** What a time comes to, resource by resource. */
struct ridge_score {
    double least_s[RIDGE_ROOF_COUNT];        /**< seconds of the amount at its peak; NaN: none */
    double achieved_per_s[RIDGE_ROOF_COUNT]; /**< NaN: the resource is not used */
    double share[RIDGE_ROOF_COUNT];          /**< achieved over peak, not clamped: above 1 says something of the
                                                      peak; NaN: the resource is not used or its peak not known */
    int binding;                             /**< ridge_roof that needs most time at its peak; -1: none known */
    double roofline_s;                       /**< its time; NaN: none */
    double overlap_s;    /**< reads beside writes, each at its own peak: the longer; NaN: not both used and known */
    double copy_s;       /**< both together at the rate of a copy; NaN: not both used, or it is not known */
    bool copy_counts;    /**< that is the roof of memory: as much is read as written, within 1:2 and 2:1 */
    bool ceiling_beaten; /**< the binding one, by more than its interval: something is wrong with it, or the amounts */
};

/**
 * Time of an amount at its peak, seconds. Source: behaviours section 2 (the roofline of cubecl).
 * \return NaN where the peak is not a normal positive number
 */
RIDGE_API double ridge_roof_time(double amount, double peak_per_s);

/**
 * Score a time. Reads and writes that are known apart, neither more than twice the other, are held against the rate of a
 * copy, as RIDGE_ROOF_BYTES; else each against its own peak. Source: reference/curve.md 4.8.
 * \param time_s  seconds of one launch; what is not a normal positive number scores nothing
 */
RIDGE_API void ridge_roofline_score(const struct ridge_work *work, const struct ridge_peaks *peaks, double time_s,
                                    struct ridge_score *out);

/**
 * The time at or under which a search may end: the longest of amount / (threshold * peak) over the resources that are
 * used, plus the launch overhead. Source: behaviours section 2. A copy counts as in ridge_roofline_score.
 * \param threshold  0.95: at 95 % of the roofline
 * \return seconds; NaN (the search does not end early) when the work uses nothing, or any amount used, its peak, the
 *         threshold or the overhead is not a normal positive number (an overhead of exactly 0 is taken)
 */
RIDGE_API double ridge_roofline_limit(const struct ridge_work *work, const struct ridge_peaks *peaks, double threshold);

/** What a point of a roofline picture can show: with no bytes or no FLOP its intensity is no number. */
typedef enum ridge_roofline_place {
    RIDGE_PLACE_POINT,        /**< intensity and FLOP a second */
    RIDGE_PLACE_NO_TRAFFIC,   /**< FLOP but no bytes: "no memory traffic measured" */
    RIDGE_PLACE_NO_OPERATION, /**< bytes but no FLOP: bandwidth only */
    RIDGE_PLACE_NOWHERE       /**< neither, or no time */
} ridge_roofline_place;

/** Place a launch. \param[out] intensity  FLOP a byte; NaN unless RIDGE_PLACE_POINT */
RIDGE_API ridge_roofline_place ridge_roofline_place_of(double flop, double bytes, double time_s, double *intensity);

/** \return all FLOP of a launch, of both widths. */
RIDGE_API double ridge_work_flop(const struct ridge_work *work);
/** \return all bytes of a launch: the sum when it is given, else reads and writes. */
RIDGE_API double ridge_work_bytes(const struct ridge_work *work);

/** \return whether reads and writes are both used and known apart. */
RIDGE_API bool ridge_work_is_mixed(const struct ridge_work *work);

#ifdef __cplusplus
}
#endif
#endif
