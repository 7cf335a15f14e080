/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What shows that a machine does not keep still while something is timed: its effective clock, what the system says about
 * a thread's time, and the rules by which readings are judged (docs/curve.md). Curves and the tuner use the same. Thread
 * rule: reading concerns the calling thread or process; judging is pure.
 */
#ifndef RG_CURVE_MACHINE_WATCH_H
#define RG_CURVE_MACHINE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Why a time says less than it seems to: bits. */
enum {
    RG_DISTURBED_STEAL = 1,  /**< the hypervisor ran something else on the processor */
    RG_DISTURBED_SHARE = 2,  /**< the thread had its processor for less than 98 % of the time */
    RG_DISTURBED_SWITCH = 4, /**< the system took the processor away */
    RG_DISTURBANCES = 3      /**< how many there are */
};

/** \return in words, of bit number `index`: "steal". */
const char *rg_disturbance_word(unsigned index);

/** What the system says about a thread, or the process, up to now. */
struct rg_account {
    uint64_t faults;   /**< pages */
    uint64_t switches; /**< involuntary */
    double busy_s;     /**< processor time */
};

struct rg_account rg_account_thread(void);
struct rg_account rg_account_process(void);

/** \return bits RG_DISTURBED_* but for steal, from what a thread's account grew by in so many seconds of wall time. */
unsigned rg_account_disturbances(const struct rg_account *before, const struct rg_account *after, double seconds);

/**
 * Time that the hypervisor gave to others, since the machine started: the sum over some processors.
 * \param root  "" for the real /proc/stat
 * \param cpus  which; NULL: all of them
 * \return in ticks of the system; 0 also where it says nothing
 */
uint64_t rg_steal_ticks(const char *root, const int *cpus, unsigned count);

/** \return processor seconds that the machine was at work, or its hypervisor elsewhere, since it started; 0: unknown. */
double rg_machine_busy_s(const char *root);

enum {
    RG_CLOCK_STEPS = 40000,     /**< about 0.6 ms */
    RG_CLOCK_STEPS_QUICK = 1500 /**< about 0.02 ms: between launches that are timed */
};

/** \return the effective clock of the processor that this thread runs on, in hertz, by a chain of dependent instructions;
 * NaN where it cannot be measured. */
double rg_clock_hz_now(unsigned steps);

/** \return the least step of the clock that times are taken with, in seconds. */
double rg_clock_step_s(void);

/** Whether a reading lies more than a tenth from the usual one; unknown ones do not. Source: reference/curve.md 4.6. */
bool rg_reading_is_off(double value, double usual);

/** What readings did over a run, from first to last. NaN readings are passed over. */
enum rg_trend {
    RG_TREND_STEADY,
    RG_TREND_DRIFT, /**< the medians of the first and the last third differ by more than 5 % */
    RG_TREND_FALL   /**< and the parts between never rise, and the last lies more than 10 % below the first */
};

/** Source of the rules: reference/curve.md 4.6. */
enum rg_trend rg_readings_trend(const double *values, size_t count);

#endif
