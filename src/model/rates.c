/* SPDX-License-Identifier: MIT */
/**
 * \file What a device does in a cycle and in a second (docs/model.md lists each rate with its source). Facts come from
 * the device database; what is the same for an architecture and not in it is a table here.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/model.h"

/**
 * FP32 lanes of a multiprocessor by compute capability. Source: CUDA C++ Programming Guide 13.0, "Throughput of Native
 * Arithmetic Instructions" (and guide 11.8 for 5.x); used where the database has no FP32 rate.
 */
static const struct {
    const char *name;
    double lanes;
} fp32_lanes[] = {
    {"cc:5.0", 128},  {"cc:5.2", 128},  {"cc:5.3", 128},  {"cc:6.0", 64},   {"cc:6.1", 128},
    {"cc:6.2", 128},  {"cc:7.0", 64},   {"cc:7.2", 64},   {"cc:7.5", 64},   {"cc:8.0", 64},
    {"cc:8.6", 128},  {"cc:8.7", 128},  {"cc:8.8", 128},  {"cc:8.9", 128},  {"cc:9.0", 128},
    {"cc:10.0", 128}, {"cc:10.3", 128}, {"cc:11.0", 128}, {"cc:12.0", 128}, {"cc:12.1", 128},
};

/** Instruction cache of a multiprocessor that loops should fit. Source: as above (48 KiB measured as 3000 of 16 bytes). */
static const double instruction_cache_bytes = 48 * 1024.0;

/** Dispatch of one block. Source: measured with empty blocks on Turing, 0.75 to 0.77 ns. */
static const double block_launch_s = 0.8e-9;

static double fact(const struct ridge_device_match *device, ridge_fact which)
{
    const struct ridge_fact_value *value = NULL;
    struct ridge_error ignored = {0};
    return ridge_match_fact(device, which, &value, &ignored) == RIDGE_OK && value->known ? value->number : 0;
}

/** FP32 lanes of a multiprocessor: of the data sheet's rate, a multiple of 32; else of the table. */
static double lanes_of(const struct ridge_device_match *device, double clock_hz, double multiprocessors)
{
    const struct ridge_device *architecture = device->devices[0]->architecture;
    for (size_t i = 0; architecture && i < sizeof fp32_lanes / sizeof fp32_lanes[0]; i++) {
        if (strcmp(architecture->name, fp32_lanes[i].name) == 0) {
            return fp32_lanes[i].lanes;
        }
    }
    const double rate = fact(device, RIDGE_FACT_FP32);
    return clock_hz > 0 ? 32 * round(rate / (2 * multiprocessors * clock_hz) / 32) : 0;
}

static bool is_8_6(const struct ridge_device_match *device)
{
    const struct ridge_device *architecture = device->devices[0]->architecture;
    const char *name = architecture ? architecture->name : "";
    return strcmp(name, "cc:8.6") == 0 || strcmp(name, "cc:8.7") == 0 || strcmp(name, "cc:8.8") == 0 ||
           strcmp(name, "cc:8.9") == 0;
}

static void nvidia_rates(struct rg_rates *rates, const struct ridge_device_match *device, bool without_judged)
{
    const double partitions = fact(device, RIDGE_FACT_SUB_PARTITIONS);
    rates->warp_threads = 32;
    rates->partitions = partitions > 0 ? partitions : 4;
    rates->issue_warps = rates->partitions; /* one warp instruction a partition a cycle */
    rates->wavefronts = 1;
    rates->shared_cycles = is_8_6(device) ? rg_judged(RG_JUDGED_SHARED_CYCLES, without_judged) : 1;
    rates->max_warps = fact(device, RIDGE_FACT_MAX_THREADS_PER_SM) / 32;
}

/** By the rules that the device follows, not by who makes it: a chip of somebody else may follow NVIDIA's. */
static bool follows_nvidia(const struct ridge_device_match *device)
{
    const char *family = NULL;
    return ridge_match_family(device, &family, NULL) == RIDGE_OK && strcmp(family, "nvidia") == 0;
}

/** A SIMD of GCN and CDNA has 16 lanes and takes four cycles for a wave of 64; one of RDNA has 32 lanes. */
static void amd_rates(struct rg_rates *rates, const struct ridge_device_match *device, double lanes)
{
    const struct ridge_fact_value *waves = NULL;
    struct ridge_error ignored = {0};
    rates->amd = true;
    rates->warp_threads = 64;
    if (ridge_match_fact(device, RIDGE_FACT_WAVE_THREADS, &waves, &ignored) == RIDGE_OK && waves->list) {
        rates->warp_threads = waves->list[0]; /* RDNA: wave32 is what compilers take */
    }
    rates->partitions = fact(device, RIDGE_FACT_SIMDS_PER_CU);
    rates->issue_warps = lanes / rates->warp_threads;
    rates->wavefronts = 1; /* LDS: 32 banks of 4 bytes */
    rates->shared_cycles = 1;
    rates->max_warps = rates->partitions * fact(device, RIDGE_FACT_MAX_WAVES);
}

/** RDNA counts resident blocks for pairs of compute units: everything of one multiprocessor is then twice as much. */
static void count_pairs(struct rg_rates *rates)
{
    rates->multiprocessors /= 2;
    rates->partitions *= 2;
    rates->fma_warps *= 2;
    rates->issue_warps *= 2;
    rates->wavefronts *= 2;
    rates->max_warps *= 2;
}

static void set_judged(struct rg_rates *rates, bool without_judged)
{
    rates->global_hit_cycles = rg_judged(RG_JUDGED_GLOBAL_HIT, without_judged);
    rates->code_penalty = rg_judged(RG_JUDGED_CODE, without_judged);
    rates->l2_bytes_per_s = rates->dram_bytes_per_s * rg_judged(RG_JUDGED_L2, without_judged);
    rates->overlap = rg_judged(RG_JUDGED_OVERLAP, without_judged);
    rates->guard_cycles = rates->amd ? rg_judged(RG_JUDGED_GUARD, without_judged) : 0;
}

/** Say what is left out: nobody states it, or the name fits devices that differ in it and one must be chosen. */
static void note_left_out(struct rg_notes *notes, const struct ridge_device_match *device, const char *what,
                          const char *effect)
{
    const char *name = device->devices[0]->name;
    if (device->count > 1) {
        rg_note(notes,
                "the %s is not the same, or not known, for all %zu devices that '%s' fits: %s (name one, as '%s')",
                what, device->count, device->asked, effect, name);
    } else {
        rg_note(notes, "the %s of %s is not known: %s", what, name, effect);
    }
}

ridge_status rg_rates_init(struct rg_rates *rates, const struct ridge_device_match *device,
                           const struct ridge_occupancy_table *table, bool without_judged, struct rg_notes *notes,
                           struct ridge_error *error)
{
    *rates = (struct rg_rates){.code_cache_bytes = instruction_cache_bytes, .launch_s = block_launch_s};
    uint32_t multiprocessors = 0;
    const ridge_status status = ridge_match_count(device, RIDGE_FACT_MULTIPROCESSORS, &multiprocessors, error);
    if (status != RIDGE_OK) {
        return status;
    }
    rates->multiprocessors = multiprocessors > 0 ? multiprocessors : 1;
    rates->clock_hz = fact(device, RIDGE_FACT_BOOST_CLOCK);
    rates->dram_bytes_per_s = fact(device, RIDGE_FACT_BANDWIDTH);
    const double lanes = lanes_of(device, rates->clock_hz, rates->multiprocessors);
    if (follows_nvidia(device)) {
        nvidia_rates(rates, device, without_judged);
    } else {
        amd_rates(rates, device, lanes);
    }
    rates->fma_warps = lanes / rates->warp_threads;
    set_judged(rates, without_judged);
    if (ridge_occupancy_counts_pairs(table)) {
        count_pairs(rates);
    }
    if (lanes <= 0) {
        note_left_out(notes, device, "FP32 rate", "FMA are left out");
    }
    if (rates->clock_hz <= 0 || rates->dram_bytes_per_s <= 0) {
        const bool has_clock = rates->clock_hz > 0;
        note_left_out(notes, device, has_clock ? "bandwidth" : "clock",
                      has_clock ? "memory is left out" : "memory and launch are left out");
        rates->dram_bytes_per_s = 0;
        rates->l2_bytes_per_s = 0;
        rates->launch_s = rates->clock_hz > 0 ? rates->launch_s : 0;
        rates->clock_hz = rates->clock_hz > 0 ? rates->clock_hz : 1e9;
    }
    return RIDGE_OK;
}
