/* SPDX-License-Identifier: MIT */
#include "curve/machine_watch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "curve/host_limits.h"
#include "stats/sort.h"

static const double least_share = 0.98; /* of wall time that a thread must have its processor. Source: curve.md 4.6 */
static const double allowed_off = 0.10; /* of the usual reading. Source: curve.md 4.6 */

const char *rg_disturbance_word(unsigned index)
{
    static const char *const words[RG_DISTURBANCES] = {"steal", "less than 98 % of the processor", "switches"};
    return index < RG_DISTURBANCES ? words[index] : "?";
}

static struct rg_account account_of(int who, clockid_t clock)
{
    struct rusage usage = {0};
    struct timespec busy = {0};
    getrusage(who, &usage);
    clock_gettime(clock, &busy);
    return (struct rg_account){(uint64_t)(usage.ru_minflt + usage.ru_majflt), (uint64_t)usage.ru_nivcsw,
                               (double)busy.tv_sec + (double)busy.tv_nsec * 1e-9};
}

struct rg_account rg_account_thread(void)
{
    return account_of(RUSAGE_THREAD, CLOCK_THREAD_CPUTIME_ID);
}

struct rg_account rg_account_process(void)
{
    return account_of(RUSAGE_SELF, CLOCK_PROCESS_CPUTIME_ID);
}

unsigned rg_account_disturbances(const struct rg_account *before, const struct rg_account *after, double seconds)
{
    const bool starved = seconds > 0 && (after->busy_s - before->busy_s) / seconds < least_share;
    return (starved ? (unsigned)RG_DISTURBED_SHARE : 0U) |
           (after->switches > before->switches ? (unsigned)RG_DISTURBED_SWITCH : 0U);
}

static bool is_listed(int cpu, const int *cpus, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (cpus[i] == cpu) {
            return true;
        }
    }
    return false;
}

/** Columns of a line "cpu0 user nice system idle iowait irq softirq steal" of /proc/stat, in ticks (man 5 proc_stat). */
enum {
    IDLE = 3,
    WAITING = 4,
    STEAL = 7,
    COLUMNS = 8
};

/** Read the columns of a line that begins with "cpu". \param[out] cpu  -1: of all together. \return false: nonsense */
static bool columns_read(const char *line, int *cpu, uint64_t columns[COLUMNS])
{
    const char *at = line + strlen("cpu");
    uint64_t number = 0;
    const bool all = *at == ' ';
    if (!all && !rg_host_number(&at, 10, &number)) {
        return false;
    }
    *cpu = all ? -1 : (int)number;
    for (int i = 0; i < COLUMNS; i++) {
        if (!rg_host_number(&at, 10, &columns[i])) {
            return false;
        }
    }
    return true;
}

/** Add up what a function says of every line of /proc/stat that is of processors. */
static uint64_t sum_lines(const char *root, uint64_t (*of_line)(int cpu, const uint64_t *columns, const void *user),
                          const void *user)
{
    char path[1024];
    char line[512];
    uint64_t sum = 0;
    snprintf(path, sizeof path, "%s/proc/stat", root);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file) && strncmp(line, "cpu", 3) == 0) {
        int cpu = 0;
        uint64_t columns[COLUMNS];
        sum += columns_read(line, &cpu, columns) ? of_line(cpu, columns, user) : 0;
    }
    if (file) {
        fclose(file);
    }
    return sum;
}

/** Which processors; none are listed: all together. */
struct cpu_list {
    const int *cpus;
    unsigned count;
};

static uint64_t steal_of_line(int cpu, const uint64_t *columns, const void *user)
{
    const struct cpu_list *list = user;
    const bool wanted = list->cpus ? is_listed(cpu, list->cpus, list->count) : cpu < 0;
    return wanted ? columns[STEAL] : 0;
}

static uint64_t busy_of_line(int cpu, const uint64_t *columns, const void *user)
{
    uint64_t busy = 0;
    (void)user;
    for (int i = 0; i < COLUMNS && cpu < 0; i++) {
        busy += i == IDLE || i == WAITING ? 0 : columns[i];
    }
    return busy;
}

uint64_t rg_steal_ticks(const char *root, const int *cpus, unsigned count)
{
    const struct cpu_list list = {cpus, count};
    return sum_lines(root, steal_of_line, &list);
}

double rg_machine_busy_s(const char *root)
{
    return (double)sum_lines(root, busy_of_line, NULL) / (double)sysconf(_SC_CLK_TCK);
}

/*
 * A chain in which every instruction waits for the one before. Sources: a 64-bit multiplication takes 3 cycles on every
 * x86-64 processor since 2008 (uops.info, IMUL_R64_R64); an addition of registers takes 1 cycle on ARM (the software
 * optimization guides of Cortex-A and Neoverse).
 */
double rg_clock_hz_now(unsigned steps)
{
    enum {
        CHAIN = 16 /* as in the loop below */
    };
    uint64_t value = 1;
    const uint64_t begin_ns = rg_clock_ns();
    for (unsigned i = 0; i < steps; i++) {
#if defined(__x86_64__)
        __asm__ volatile(".rept 16\n\timulq %0, %0\n\t.endr" : "+r"(value));
#elif defined(__aarch64__)
        __asm__ volatile(".rept 16\n\tadd %0, %0, %0\n\t.endr" : "+r"(value));
#endif
    }
    const double seconds = (double)(rg_clock_ns() - begin_ns) * 1e-9;
#if defined(__x86_64__)
    return 3.0 * steps * CHAIN / seconds;
#elif defined(__aarch64__)
    return 1.0 * steps * CHAIN / seconds;
#else
    (void)value;
    return (double)NAN + 0 * seconds;
#endif
}

double rg_clock_step_s(void)
{
    enum {
        TRIES = 100
    };
    uint64_t least_ns = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        const uint64_t begin_ns = rg_clock_ns();
        uint64_t end_ns = rg_clock_ns();
        while (end_ns == begin_ns) {
            end_ns = rg_clock_ns();
        }
        least_ns = end_ns - begin_ns < least_ns ? end_ns - begin_ns : least_ns;
    }
    return (double)least_ns * 1e-9;
}

bool rg_reading_is_off(double value, double usual)
{
    return isfinite(value) && isfinite(usual) && fabs(value - usual) > allowed_off * usual;
}

/** Medians of consecutive parts of equal length. */
static void part_medians(const double *values, size_t count, size_t parts, double *out)
{
    double part[64];
    for (size_t i = 0; i < parts; i++) {
        const size_t begin = count * i / parts;
        const size_t end = count * (i + 1) / parts;
        size_t kept = 0;
        /* Of a long part some readings, evenly spaced, are enough. */
        const size_t stride = (end - begin + 63) / 64;
        for (size_t k = begin; k < end; k += stride) {
            part[kept++] = values[k];
        }
        out[i] = rg_median(part, kept);
    }
}

/** Whether parts fall from first to last: none rises by more than what one reading differs from the next. */
static bool is_falling(const double *medians, size_t parts)
{
    static const double allowed_rise = 0.01;
    for (size_t i = 1; i < parts; i++) {
        if (medians[i] > medians[i - 1] * (1 + allowed_rise)) {
            return false;
        }
    }
    return medians[parts - 1] < medians[0] * (1 - allowed_off);
}

enum rg_trend rg_readings_trend(const double *values, size_t count)
{
    enum {
        MOST = 512,
        FEWEST = 6,
        PARTS = 6
    };
    static const double drift = 0.05;
    double known[MOST];
    double medians[PARTS];
    size_t kept = 0;
    for (size_t i = 0; i < count && kept < MOST; i++) {
        if (isfinite(values[i])) {
            known[kept++] = values[i];
        }
    }
    if (kept < FEWEST) {
        return RG_TREND_STEADY;
    }
    part_medians(known, kept, PARTS, medians);
    if (is_falling(medians, PARTS)) {
        return RG_TREND_FALL;
    }
    part_medians(known, kept, 3, medians);
    return fabs(medians[2] / medians[0] - 1) > drift ? RG_TREND_DRIFT : RG_TREND_STEADY;
}
