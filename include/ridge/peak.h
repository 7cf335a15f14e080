/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What a device can do besides moving bytes: fused multiply-adds a second, what a launch costs, how long a dependent
 * access takes (docs/roofline.md). A peak is plain memory: nothing in it is to be freed. Thread rule: ridge_peak_measure
 * runs alone, starts threads of its own and ends them; a driver that it opens may leave threads behind.
 */
#ifndef RIDGE_PEAK_H
#define RIDGE_PEAK_H

#include "ridge/roofline.h"
#include "ridge/stats.h"
#include "ridge/store.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RIDGE_PEAK_LATENCIES = 24,
    RIDGE_PEAK_NOTES = 8,
    RIDGE_PEAK_TEXT_BYTES = 256
};

/** How fast the device computes: fused multiply-adds, each counted as two operations. */
struct ridge_peak_rate {
    uint64_t n;                 /**< samples; 0: not measured, or the device does not compute with this width */
    double flop_per_s;          /**< median */
    struct ridge_interval ci95; /**< of it; NaN: too few samples */
    double best_flop_per_s;     /**< reached by two samples: the ceiling */
};

/** How long one access takes that the next one waits for. */
struct ridge_peak_latency {
    uint64_t bytes;            /**< in which the accesses lie, in random order */
    struct ridge_summary time; /**< seconds of one access */
};

struct ridge_peak {
    char backend[16];                     /**< "host", "opencl" */
    char selector[32];                    /**< what --device takes for it: "opencl:0:0" */
    char device[RIDGE_PEAK_TEXT_BYTES];   /**< as its driver names it */
    char driver[RIDGE_PEAK_TEXT_BYTES];   /**< and its version */
    char compiler[RIDGE_PEAK_TEXT_BYTES]; /**< compiler, and which vectors the loops use */
    char made_at[32];                     /**< UTC */
    unsigned threads;                     /**< OpenCL: compute units */
    struct ridge_peak_rate f32;
    struct ridge_peak_rate f64;
    struct ridge_summary launch; /**< seconds of a launch of nothing: asked for until known to be done; n 0: unknown */
    struct ridge_summary
        launch_device; /**< the same by the device's own times, as kernels are timed; n 0: it has none */
    size_t latency_count;
    struct ridge_peak_latency latencies[RIDGE_PEAK_LATENCIES]; /**< ascending */
    size_t note_count;
    char notes[RIDGE_PEAK_NOTES][RIDGE_PEAK_TEXT_BYTES]; /**< what was missing */
};

/** What to measure. All zero: the host with every thread. */
struct ridge_peak_request {
    const char *device;   /**< as --device names it; NULL: "host" */
    unsigned threads;     /**< host: 0: as many as may be used */
    bool without_latency; /**< leave out what takes most of the time */
    uint64_t
        latency_bytes; /**< largest working set of the latencies, as far as there is memory; 0: 256 MiB, 64 MiB of a device */
};

/**
 * Measure. What a device cannot do is a note and no error.
 * \retval RIDGE_E_UNAVAILABLE  no such device
 * \retval RIDGE_E_MEASURE      nothing could be measured, or a kernel did not compute what it must
 */
RIDGE_API ridge_status ridge_peak_measure(const struct ridge_context *context, const struct ridge_peak_request *request,
                                          struct ridge_peak *out, struct ridge_error *error);

/** Put a peak into a store, in one transaction. */
RIDGE_API ridge_status ridge_store_peak_put(struct ridge_store *store, const struct ridge_peak *peak, int64_t *id,
                                            struct ridge_error *error);

/**
 * Load the newest saved peak of a device.
 * \param device  "host", "opencl": the newest of any of its devices, "opencl:0:1"
 * \param name    as the driver names it; NULL: any
 * \retval RIDGE_E_EMPTY  there is none
 */
RIDGE_API ridge_status ridge_store_peak_find(struct ridge_store *store, const char *device, const char *name,
                                             struct ridge_peak *out, struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
