/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What a device can do for one kernel: its peak, and its memory curves at the bytes that the kernel moves
 * (docs/roofline.md). Thread rule: ceilings belong to one thread; ridge_ceilings_measure runs alone.
 */
#ifndef RIDGE_CEILINGS_H
#define RIDGE_CEILINGS_H

#include "ridge/curve.h"
#include "ridge/peak.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RIDGE_CEILING_CURVES = 3, /**< of reads, writes and copies */
    RIDGE_CEILINGS_WORDS = 512
};

/** All zero: nothing is known. */
struct ridge_ceilings {
    bool has_peak;
    struct ridge_peak peak;
    struct ridge_curve_set *curves[RIDGE_CEILING_CURVES]; /**< by access: read, write, copy; NULL: none. Owned */
    ridge_kind kind;                                      /**< measured now, or recorded: saved before */
};

/** Free what the ceilings own. */
RIDGE_API void ridge_ceilings_fini(struct ridge_ceilings *ceilings);

/** \return the curve of an access; NULL: there is none. */
RIDGE_API const struct ridge_curve *ridge_ceilings_curve(const struct ridge_ceilings *ceilings, ridge_access access);

/**
 * Find the peaks of some work. The memory ceilings are those of all its bytes together: how much is moved decides how
 * fast it can be. Reads and writes are held against their own curves, their sum against that of a copy, or the fastest of
 * all where they are not known apart.
 */
RIDGE_API void ridge_ceilings_peaks(const struct ridge_ceilings *ceilings, const struct ridge_work *work,
                                    struct ridge_peaks *out);

/** Say what the ceilings are and of when: "peak of 2031-01-02, curves of 2031-01-02: warm read". */
RIDGE_API void ridge_ceilings_words(const struct ridge_ceilings *ceilings, char out[RIDGE_CEILINGS_WORDS]);

/**
 * Load what is saved of a device, the newest of each.
 * \param device  "host", "opencl", "opencl:0:1"
 * \param name    as its driver names it: what is saved of another device is passed over; NULL: any
 * \param warm    which curves; where there are none, the others
 * \retval RIDGE_E_EMPTY  nothing is saved; the message says how to
 */
RIDGE_API ridge_status ridge_store_ceilings_load(struct ridge_store *store, const char *device, const char *name,
                                                 bool warm, struct ridge_ceilings *out, struct ridge_error *error);

/** What to measure: bits. */
enum {
    RIDGE_CEILING_PEAK = 1,
    RIDGE_CEILING_READ = 2,
    RIDGE_CEILING_WRITE = 4,
    RIDGE_CEILING_COPY = 8
};

/** \return what some work cannot be scored without. */
RIDGE_API unsigned ridge_ceilings_needed(const struct ridge_work *work);

/** \return that, and what makes the answer better: the curve of a copy for reads beside writes. */
RIDGE_API unsigned ridge_ceilings_wanted(const struct ridge_work *work);

/**
 * Measure what is needed, quickly: the peak without latencies, the curves up to twice the bytes of the work.
 * \param what  a set of RIDGE_CEILING_*
 */
RIDGE_API ridge_status ridge_ceilings_measure(const struct ridge_context *context, const char *device, unsigned what,
                                              bool warm, const struct ridge_work *work, struct ridge_ceilings *out,
                                              struct ridge_error *error);

/** Put what the ceilings hold into a store. */
RIDGE_API ridge_status ridge_store_ceilings_put(struct ridge_store *store, const struct ridge_ceilings *ceilings,
                                                struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
