/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What moves bytes for a curve. A probe opens a device, touches one pool once, and then runs passes over windows of
 * that pool and says how long they took. The sweep (sweep.c) decides which windows, how often and in what order; a
 * probe decides nothing and drops nothing. All instances are static const and listed in rg_probes[] (probe.c).
 * Thread rule: a probe state belongs to one thread; a probe may start threads of its own and ends them in close.
 */
#ifndef RG_CURVE_PROBE_H
#define RG_CURVE_PROBE_H

#include "base/context.h"
#include "ridge/curve.h"

enum {
    RG_PROBE_TEXT_BYTES = 256,
    RG_PROBE_NOTES = 8,
    RG_PROBE_LINE_BYTES = 64 /**< windows begin at, and are multiples of, this many bytes a buffer */
};

/** How to open a device. Borrowed for the call. */
struct rg_probe_request {
    const char *device;         /**< as --device names it: "host", "opencl:0:0" */
    uint64_t pool_bytes;        /**< in all buffers together; a probe may take less, and says so */
    unsigned threads;           /**< 0: as many as may be used */
    unsigned accesses;          /**< bit `1u << ridge_access`: what will be run, so that nothing else need be built */
    const unsigned char *loops; /**< rg_probe_facts.loops of an earlier opening, so that nothing is chosen anew; NULL */

    /** Asked some times a second, on the caller's thread, while the probe is open: whether to end at once. A job that is
     * ended so has no times. NULL: never */
    bool (*stopped)(void *user);
    void *user;
};

/** What was opened. Filled by open. */
struct rg_probe_facts {
    char backend[16];                   /**< "host", "opencl" */
    char selector[32];                  /**< what --device takes for it, complete: "opencl:0:0" */
    char device[RG_PROBE_TEXT_BYTES];   /**< as its driver names it */
    char driver[RG_PROBE_TEXT_BYTES];   /**< driver and version: another text makes a saved curve old */
    char compiler[RG_PROBE_TEXT_BYTES]; /**< compiler, its flags, and which instruction set the loops use */
    unsigned threads;                   /**< workers; OpenCL: compute units used */
    uint64_t pool_bytes;                /**< that there really are, in all buffers together, touched */
    uint64_t cache_hint_bytes[3];       /**< of the L1, L2, L3 caches that the workers use, together, as the system
                                        reports them; 0: it does not. Only a hint */
    unsigned accesses;                  /**< bits: what it can do of what was asked */
    unsigned disciplines;               /**< bit `1u << ridge_discipline`: what it can do */
    unsigned char loops[RIDGE_ACCESS_STREAMING_WRITE + 1]; /**< chosen, by access: the probe's own numbers; 0: none */
    double launch_overhead_s;                              /**< of one launch that does nothing; NaN: unknown */
    double clock_step_s; /**< least step of the clock of its times; 0: too fine to matter */
    size_t note_count;   /**< what was missing: no pinning, less memory, no profiling */
    char notes[RG_PROBE_NOTES][RG_PROBE_TEXT_BYTES];
};

/** Some passes, one after the other. */
struct rg_probe_job {
    ridge_access access;
    ridge_discipline discipline;
    uint64_t bytes;  /**< a pass moves, in all its buffers together (window.h cuts it into buffers) */
    uint64_t passes; /**< at least 1 */
    uint64_t first;  /**< number of the first pass: pass i uses window rg_window_at(first + i), so that the position is
                        carried from one job to the next. Ignored when warm */
    bool warm;       /**< every pass uses window 0 */
};

/** What a job came to. */
struct rg_probe_sample {
    double seconds;     /**< for all its passes; not positive: it is thrown away */
    uint64_t bytes;     /**< really moved, by all its passes together */
    bool void_sample;   /**< page faults inside the timed part: it is thrown away */
    unsigned disturbed; /**< a worker did not have its processor all the time: bits RG_DISTURBED_* (machine_watch.h) */
};

struct rg_probe_state; /**< each probe's own */

struct rg_probe {
    const char *backend; /**< the first word of --device */

    /**
     * Open a device, allocate the pool, touch it.
     * \retval RIDGE_E_UNAVAILABLE  no such device
     * \retval RIDGE_E_MEMORY       not even RG_POOL_LEAST_BYTES (window.h) could be had
     * \retval RIDGE_E_EMPTY        it was told to end
     */
    ridge_status (*open)(const struct ridge_context *context, const struct rg_probe_request *request,
                         struct rg_probe_state **out, struct rg_probe_facts *facts, struct ridge_error *error);
    void (*close)(struct rg_probe_state *state); /**< NULL is fine */

    /**
     * Prove once that the traffic of an access happens: one pass whose result is compared with what it must be (the sum
     * of the words read, the last value written, the copy).
     * \retval RIDGE_E_MEASURE  it is not
     */
    ridge_status (*verify)(struct rg_probe_state *state, ridge_access access, uint64_t bytes,
                           struct ridge_error *error);

    /**
     * Run a job.
     * \retval RIDGE_E_MEASURE, RIDGE_E_DEVICE  this point failed; others may still be run
     * \retval RIDGE_E_EMPTY                    it was told to end
     */
    ridge_status (*run)(struct rg_probe_state *state, const struct rg_probe_job *job, struct rg_probe_sample *out,
                        struct ridge_error *error);

    /** Effective clock of a processor in hertz, measured now by a chain of dependent instructions. NULL: cannot. */
    double (*clock_hz)(struct rg_probe_state *state);

    /** Let only so many of the workers take part from here on, with the pool cut anew among them. NULL: cannot. */
    void (*use_threads)(struct rg_probe_state *state, unsigned threads);
};

/** Every probe, ended by NULL. */
extern const struct rg_probe *const rg_probes[];
extern const struct rg_probe rg_probe_host;
extern const struct rg_probe rg_probe_opencl;
extern const struct rg_probe rg_probe_cuda;

/** \return the probe of a device text such as "opencl:0:0", or NULL. */
const struct rg_probe *rg_probe_find(const char *device);

/** What a probe says when it was told to end. \return RIDGE_E_EMPTY */
ridge_status rg_probe_ended(struct ridge_error *error);

/** Add a note to the facts; what does not fit is dropped. */
void rg_probe_note(struct rg_probe_facts *facts, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
