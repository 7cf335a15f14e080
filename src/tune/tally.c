/* SPDX-License-Identifier: MIT */
#include "tune/tally.h"

#include <math.h>
#include <string.h>

_Static_assert((int)RG_CLASS_COUNT == (int)RIDGE_TRACE_CLASSES, "ridge/trace.h knows another number of classes");
_Static_assert((int)RG_WORK_COUNT == (int)RIDGE_WORK_KEYS, "ridge/trace.h knows another number of work keys");
_Static_assert(sizeof(struct ridge_tally) % sizeof(double) == 0, "a tally is numbers only");

enum {
    NUMBERS = sizeof(struct ridge_tally) / sizeof(double)
};

/** Issue slots of what takes more than one. A multiprocessor gives 16 results of special functions a cycle, and 128 of
 * other instructions: 8. A division is two of them (a reciprocal, a check of its range) and about six others. Source:
 * CUDA C++ Programming Guide, throughput of native arithmetic instructions; the sequence: what ptxas writes. */
static double slots_of(size_t class)
{
    switch (class) {
    case RG_CLASS_MOVE: /* of PTX: names registers */
    case RG_CLASS_CONSTANT: /* an operand */ return 0;
    case RG_CLASS_SPECIAL: return 8;
    case RG_CLASS_DIVIDE: return 22;
    default: return 1;
    }
}

const char *ridge_trace_class_word(size_t index)
{
    return index < RG_CLASS_COUNT ? rg_class_word((rg_class)index) : NULL;
}

static const struct {
    const char *key;
    const char *meaning;
} tally_rows[] = {
#define TALLY_ROW(name, key, meaning) {key, meaning},
    RIDGE_TALLY_LIST(TALLY_ROW)
#undef TALLY_ROW
};

const char *ridge_tally_key_word(size_t index)
{
    return index < RIDGE_TALLY_COUNT ? tally_rows[index].key : NULL;
}

const char *ridge_tally_meaning(size_t index)
{
    return index < RIDGE_TALLY_COUNT ? tally_rows[index].meaning : NULL;
}

void rg_tally_add(struct ridge_tally *tally, const struct rg_engine_counts *counts, double weight)
{
    const double own[RIDGE_TALLY_LOOP] = {
        [RIDGE_TALLY_WARPS] = (double)counts->warps,
        [RIDGE_TALLY_THREADS] = (double)counts->threads,
        [RIDGE_TALLY_UNIFORM] = (double)counts->uniform_instructions,
        [RIDGE_TALLY_SHARED] = (double)counts->shared_accesses,
        [RIDGE_TALLY_WAVEFRONTS] = (double)counts->shared_wavefronts,
        [RIDGE_TALLY_REQUESTS] = (double)counts->global_requests,
        [RIDGE_TALLY_SECTORS] = (double)counts->global_sectors,
        [RIDGE_TALLY_LINES] = (double)counts->global_lines,
        [RIDGE_TALLY_GUARDED] = (double)counts->guarded_accesses,
        [RIDGE_TALLY_READ_GLOBAL] = (double)counts->bytes_read[0],
        [RIDGE_TALLY_READ_SHARED] = (double)counts->bytes_read[1],
        [RIDGE_TALLY_READ_LOCAL] = (double)counts->bytes_read[2],
        [RIDGE_TALLY_READ_CONSTANT] = (double)counts->bytes_read[3],
        [RIDGE_TALLY_WRITTEN_GLOBAL] = (double)counts->bytes_written[0],
        [RIDGE_TALLY_WRITTEN_SHARED] = (double)counts->bytes_written[1],
        [RIDGE_TALLY_WRITTEN_LOCAL] = (double)counts->bytes_written[2],
        [RIDGE_TALLY_DISTINCT] = (double)counts->distinct_sectors,
        [RIDGE_TALLY_ATOMICS] = (double)counts->atomics,
        [RIDGE_TALLY_CONFLICTS] = (double)counts->atomic_conflicts,
        [RIDGE_TALLY_BARRIERS] = (double)counts->barriers,
        [RIDGE_TALLY_DIVERGENT] = (double)counts->divergent_branches,
        [RIDGE_TALLY_CHAIN] = counts->chain_cycles * (double)counts->warps,
    };
    for (size_t i = 0; i < RIDGE_TALLY_LOOP; i++) {
        tally->of[i] += weight * own[i];
    }
    for (size_t i = 0; i < RG_CLASS_COUNT; i++) {
        tally->warp_instructions[i] += weight * (double)counts->warp_instructions[i];
        tally->lane_instructions[i] += weight * (double)counts->thread_instructions[i];
    }
}

void rg_tally_extend(const struct ridge_tally *low, const struct ridge_tally *high, const struct rg_count_rule *rule,
                     struct ridge_tally *out)
{
    double a[NUMBERS];
    double b[NUMBERS];
    memcpy(a, low, sizeof a);
    memcpy(b, high, sizeof b);
    const double steps = (double)(rule->value - rule->at[0]) / (double)(rule->at[1] - rule->at[0]);
    for (size_t i = 0; i < NUMBERS; i++) {
        b[i] = fmax(0, a[i] + (b[i] - a[i]) * steps);
    }
    memcpy(out, b, sizeof b);
    out->of[RIDGE_TALLY_LOOP] = high->of[RIDGE_TALLY_LOOP]; /* code, which does not grow */
}

static double all_instructions(const struct ridge_tally *sum)
{
    double total = 0;
    for (size_t i = 0; i < RG_CLASS_COUNT; i++) {
        total += sum->warp_instructions[i] * slots_of(i);
    }
    return total;
}

void rg_tally_work(const struct ridge_tally *sum, const struct rg_tally_grid *grid, double *work)
{
    const double *of = sum->of;
    const double *warp = sum->warp_instructions;
    const double warps = of[RIDGE_TALLY_WARPS];
    for (size_t i = 0; i < RIDGE_WORK_KEYS; i++) {
        work[i] = (double)NAN;
    }
    if (warps <= 0 || grid->active_blocks <= 0) {
        return;
    }
    const double uniform = fmax(0, of[RIDGE_TALLY_UNIFORM] - warp[RG_CLASS_MOVE] - warp[RG_CLASS_CONSTANT]);
    work[RG_WORK_BLOCKS] = grid->active_blocks;
    work[RG_WORK_FMA] =
        (warp[RG_CLASS_FMA] + warp[RG_CLASS_FLOAT] + warp[RG_CLASS_HALF] + warp[RG_CLASS_DOUBLE]) / warps;
    work[RG_WORK_UNIFORM] = fmin(uniform, all_instructions(sum)) / warps;
    work[RG_WORK_INSTRUCTIONS] = all_instructions(sum) / warps - work[RG_WORK_UNIFORM];
    work[RG_WORK_SHARED_ACCESSES] = of[RIDGE_TALLY_SHARED] / warps;
    work[RG_WORK_SHARED_WAVEFRONTS] = of[RIDGE_TALLY_WAVEFRONTS] / warps;
    work[RG_WORK_GLOBAL_WAVEFRONTS] = of[RIDGE_TALLY_LINES] / warps;
    /* With the accesses behind a condition stands the arithmetic that hangs on them: compilers for AMD move it there
     * (docs/model.md). */
    const double requests = of[RIDGE_TALLY_REQUESTS];
    const double guarded = requests > 0 ? of[RIDGE_TALLY_GUARDED] / requests : 0;
    work[RG_WORK_GUARDED_ACCESSES] = guarded * (requests / warps + work[RG_WORK_FMA]);
    work[RG_WORK_L2_BYTES] = 32 * of[RIDGE_TALLY_DISTINCT] / grid->active_blocks;
    work[RG_WORK_DRAM_BYTES] = fmin(32 * of[RIDGE_TALLY_DISTINCT], grid->argument_bytes);
    work[RG_WORK_LATENCY_CYCLES] = of[RIDGE_TALLY_CHAIN] / warps;
    work[RG_WORK_CODE_BYTES] = of[RIDGE_TALLY_LOOP];
}
