/* SPDX-License-Identifier: MIT */
/**
 * \file The state of one call of ridge_tune, and what its steps do with it. Thread rule: one thread.
 */
#ifndef RG_TUNE_SESSION_H
#define RG_TUNE_SESSION_H

#include "ridge/ceilings.h"
#include "ridge/tune.h"
#include "store/store.h"
#include "tune/filter.h"
#include "tune/pool.h"
#include "tune/quiet.h"

enum {
    RG_BATCH_MAX = 47,    /**< candidates built before they are measured */
    RG_FINALISTS_MAX = 8, /**< candidates measured again at the end */
    RG_SENTINEL_SLOT = 0  /**< slot of the sentinel; candidate number i of a batch has slot i + 1 */
};

/** How far a candidate is. */
typedef enum rg_progress {
    RG_WAITING,
    RG_PREPARING,
    RG_PREPARED,
    RG_ENDED
} rg_progress;

/** A configuration being tried. */
struct rg_candidate {
    uint32_t choice[RG_MAX_DIMENSIONS];
    char id[RIDGE_ID_BYTES];
    rg_progress progress;
    size_t worker;     /**< that holds it; RG_PREPARING and RG_PREPARED only */
    unsigned attempts; /**< times that its worker died under it */
    double build_s;
    double run_s;
};

/** A measured configuration near the top. */
struct rg_leader {
    uint32_t choice[RG_MAX_DIMENSIONS];
    char id[RIDGE_ID_BYTES];
    struct ridge_summary summary;
};

struct rg_tuning {
    struct ridge_run *records; /**< --device replay:FILE: what the file holds; NULL elsewhere */
    const struct ridge_context *context;
    const struct ridge_space *space;
    const struct ridge_spec *spec;
    struct ridge_store *store;
    struct ridge_tune_options options; /**< defaults filled in */
    struct rg_workload workload;
    struct rg_worker_setup setup;
    struct rg_pool pool;
    struct rg_arena arena; /**< texts of the run's info */
    struct ridge_run_info info;
    int64_t run;    /**< 0: not begun */
    char *done_ids; /**< ids that a resumed run has, RIDGE_ID_BYTES each, sorted */
    size_t done_count;
    bool finals_done;    /**< a resumed run has had its finals */
    int lock;            /**< descriptor of the machine's lock; -1: none */
    int lock_turn;       /**< of the file that whoever waits for it holds; -1: none */
    int run_lock;        /**< descriptor of the lock of the run; -1: none */
    char *run_lock_path; /**< in the arena */
    uint64_t wrong_count;
    double lock_wait_s; /**< seconds spent waiting for other tuners */
    struct rg_quiet quiet;
    double began_s;
    struct ridge_run_seconds seconds; /**< compile and run, as they add up */
    struct ridge_tune_progress shown;
    uint64_t ok_count;
    struct rg_leader leaders[RG_FINALISTS_MAX]; /**< by median */
    size_t leader_count;
    struct rg_candidate sentinel; /**< the first that was measured; id empty: none yet */
    double sentinel_low_s;
    double sentinel_high_s;
    char *first_failure; /**< first line of the first failure to compile, while nothing else happened */
    size_t first_failure_bytes;
    struct rg_filter filter;
    uint64_t same_failures;          /**< candidates that failed with it; 0 once any other outcome was seen */
    struct ridge_ceilings *ceilings; /**< --stop-at: what the device can do; NULL: not asked for */
    bool ceilings_measured;          /**< at the start of this run */
    char reached[256];               /**< which candidate was near enough to the roofline, in words; "": none yet */
};

/* order.c */

/** Draws candidates in the order that was asked for. */
struct rg_order {
    const struct ridge_space *space;
    const char *text;                  /**< as the run records it: "exhaustive", "random", "model work for ..." */
    struct ridge_space_cursor *cursor; /**< exhaustive */
    uint32_t *drawn;                   /**< random: rows of choices */
    uint64_t drawn_count;
    struct ridge_ranking *ranking; /**< model, auto */
    uint32_t *rows;                /**< auto: rows of the ranking in the order taken */
    uint64_t next;
    uint64_t most; /**< candidates to draw at most */
};

/** Make the order, once the device is open. `order` is to be ended by rg_order_fini either way. */
ridge_status rg_order_init(struct rg_order *order, struct rg_tuning *tuning, uint64_t space_count,
                           struct ridge_error *error);
void rg_order_fini(struct rg_order *order, const struct rg_tuning *tuning);
/** \param[out] choice  the next candidate, borrowed until the next call; NULL at the end */
ridge_status rg_order_next(struct rg_order *order, const uint32_t **choice, struct ridge_error *error);

/* reference.c */

/** Fill the expected outputs as the spec's [verify] says. Starts worker 0 when a configuration is the reference. */
ridge_status rg_reference_run(struct rg_tuning *tuning, struct ridge_error *error);

/* recording.c */

/** Read a file of records, to be a device. Everything is in the arena of the tuning, but the records: rg_recording_close. */
ridge_status rg_recording_open(struct rg_tuning *tuning, const char *file, const struct rg_recording **out,
                               struct ridge_error *error);
void rg_recording_close(struct rg_tuning *tuning);

/** \return whether times come from a file and not from this machine. */
bool rg_is_replay(const struct rg_tuning *tuning);

/* identity.c */

/** Fill `info` from the spec, the device that worker 0 opened, and the options. */
ridge_status rg_identity_fill(struct rg_tuning *tuning, const char *source_text, const char *order,
                              uint64_t space_count, struct ridge_error *error);

/* run_lock.c */

/**
 * Hold a run for this process, so that no other resumes it meanwhile.
 * \retval RIDGE_E_STORE  another process holds it; the message says which
 */
ridge_status rg_run_lock(struct rg_tuning *tuning, int64_t run, struct ridge_error *error);
void rg_run_unlock(struct rg_tuning *tuning);

/* resume.c */

/** Begin a run in the store, or open the newest again: sets `run`, `done_ids`, leaders and counts. */
ridge_status rg_run_begin_or_resume(struct rg_tuning *tuning, struct ridge_error *error);
bool rg_run_has(const struct rg_tuning *tuning, const char *id);

/* record.c */

/** Keep the outcome of a candidate: durable in the store, then shown. */
ridge_status rg_record(struct rg_tuning *tuning, struct rg_candidate *candidate, const struct rg_event *event,
                       ridge_outcome outcome, struct ridge_error *error);
/** Put a measured configuration among the leaders, if it belongs there. */
void rg_leaders_add(struct rg_tuning *tuning, const uint32_t *choice, const char *id,
                    const struct ridge_summary *summary);
/** Tell the caller how the run stands. `candidate` NULL: nothing ended. */
void rg_show(struct rg_tuning *tuning, const struct rg_candidate *candidate, ridge_outcome outcome,
             const struct ridge_summary *summary, const char *text);

/* batch.c */

struct rg_batch {
    size_t count;
    struct rg_candidate candidates[RG_BATCH_MAX];
};

/** Judge a batch by the gate, where there is one; what it refuses is recorded as skipped, with the rule. */
ridge_status rg_batch_gate(struct rg_tuning *tuning, struct rg_batch *batch, struct ridge_error *error);
/** Build, verify, measure and record every candidate of a batch, unless stopped. */
ridge_status rg_batch_run(struct rg_tuning *tuning, struct rg_batch *batch, struct ridge_error *error);
/** Prepare candidates that wait, on all workers at once. */
ridge_status rg_batch_prepare(struct rg_tuning *tuning, struct rg_batch *batch, struct ridge_error *error);
/** \return the request that measures what is in a slot, with the session's sampling rules. */
struct rg_request rg_measure_request(const struct rg_tuning *tuning, uint32_t slot);
/** Send a request to a worker and wait for what becomes of it. */
ridge_status rg_ask(struct rg_tuning *tuning, size_t worker, const struct rg_request *request, int stop_level,
                    struct rg_event *event, struct ridge_error *error);
/** \return what is left of the budget for candidates: not the part of the finals. Infinite: there is none. */
double rg_seconds_left(const struct rg_tuning *tuning);
/** \return whether the person or the budget wants the run to end. */
bool rg_should_end(const struct rg_tuning *tuning);
/** \return the level of the stop flag. */
int rg_stop_level(const struct rg_tuning *tuning);

/* sentinel.c */

/** Measure the sentinel, preparing it anew when its worker is gone. Its loss is no error: a note says so. */
ridge_status rg_sentinel_measure(struct rg_tuning *tuning, struct ridge_error *error);
/** \return slowest over fastest median so far; NaN with fewer than one. */
double rg_sentinel_drift(const struct rg_tuning *tuning);

/* finals.c */

/** Measure the leaders again, interleaved, so that drift hits all alike. */
ridge_status rg_finals_run(struct rg_tuning *tuning, struct ridge_error *error);

/* stop_at.c */

/** For --stop-at: load the ceilings of the device, measure and save those that are missing.
 * \retval RIDGE_E_VALUE  [model] of the spec does not say what a launch uses up
 * \retval RIDGE_E_UNAVAILABLE  nothing is saved of a device that cannot be measured */
ridge_status rg_ceilings_open(struct rg_tuning *tuning, struct ridge_error *error);
/** Note in the run, which has begun, what the ceilings are, and look at what a resumed run has measured. */
ridge_status rg_ceilings_begin(struct rg_tuning *tuning, struct ridge_error *error);
void rg_ceilings_close(struct rg_tuning *tuning);
/** Look whether a measured candidate is near enough to the roofline; then `reached` says so and the search ends. */
void rg_ceilings_look(struct rg_tuning *tuning, const char *id, const struct ridge_work *work, double median_s);

/* machine_lock.c */

/** Open the lock that all tuners of this machine share. Failing is no error: then there is none. */
void rg_machine_lock_open(struct rg_tuning *tuning);
/** Share the machine with other builds, or hold it alone while timing. */
void rg_machine_lock_share(struct rg_tuning *tuning);
void rg_machine_lock_alone(struct rg_tuning *tuning);
void rg_machine_lock_close(struct rg_tuning *tuning);

#endif
