/* SPDX-License-Identifier: MIT */
/** \file ridge occupancy for people: one launch, in words and a small table. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd_occupancy.h"

void occupancy_limiter_words(uint32_t limiters, const char *joint, char out[LIMITER_BYTES])
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < RIDGE_RESOURCE_COUNT; i++) {
        if (limiters >> i & 1 && used < LIMITER_BYTES) {
            used += (size_t)snprintf(out + used, LIMITER_BYTES - used, "%s%s", used ? joint : "",
                                     ridge_resource_word((ridge_resource)i));
        }
    }
}

double occupancy_ratio(const struct occupancy_view *view, const struct ridge_occupancy_cell *cell)
{
    struct ridge_occupancy answer;
    ridge_occupancy_one(view->table, &view->launch, &answer);
    return (double)cell->warps / answer.max_warps;
}

/** Facts behind each limit; the first of each vendor's list that is known says where the limit comes from. */
static const struct {
    ridge_resource resource;
    ridge_fact fact;
} facts_of[] = {
    {RIDGE_RESOURCE_WARPS, RIDGE_FACT_MAX_THREADS_PER_SM},
    {RIDGE_RESOURCE_WARPS, RIDGE_FACT_MAX_WAVES},
    {RIDGE_RESOURCE_WARPS, RIDGE_FACT_MAX_THREADS_PER_BLOCK},
    {RIDGE_RESOURCE_REGISTERS, RIDGE_FACT_REGISTERS_PER_SM},
    {RIDGE_RESOURCE_REGISTERS, RIDGE_FACT_REGISTERS_PER_BLOCK},
    {RIDGE_RESOURCE_REGISTERS, RIDGE_FACT_VGPRS_WAVE32},
    {RIDGE_RESOURCE_REGISTERS, RIDGE_FACT_VGPRS_WAVE64},
    {RIDGE_RESOURCE_REGISTERS, RIDGE_FACT_ACCUMULATION},
    {RIDGE_RESOURCE_SHARED_MEMORY, RIDGE_FACT_SMEM_PER_SM},
    {RIDGE_RESOURCE_SHARED_MEMORY, RIDGE_FACT_SMEM_OPT_IN},
    {RIDGE_RESOURCE_SHARED_MEMORY, RIDGE_FACT_LDS_PER_CU},
    {RIDGE_RESOURCE_SHARED_MEMORY, RIDGE_FACT_LDS_UNIT},
    {RIDGE_RESOURCE_BLOCKS, RIDGE_FACT_MAX_BLOCKS_PER_SM},
    {RIDGE_RESOURCE_BLOCKS, RIDGE_FACT_GROUPS_PER_CU},
    {RIDGE_RESOURCE_BARRIERS, RIDGE_FACT_BARRIERS_PER_SM},
    {RIDGE_RESOURCE_VIRTUAL, RIDGE_FACT_VIRTUAL_PER_SM},
    {RIDGE_RESOURCE_SCALAR_REGISTERS, RIDGE_FACT_SGPRS_PER_SIMD},
};

bool occupancy_fact_of(const struct occupancy_view *view, ridge_resource resource, size_t index, ridge_fact *out)
{
    for (size_t i = 0; i < sizeof facts_of / sizeof facts_of[0]; i++) {
        const bool is_known = view->match.devices[0]->facts[facts_of[i].fact].known;
        if (facts_of[i].resource == resource && is_known && index-- == 0) {
            *out = facts_of[i].fact;
            return true;
        }
    }
    return false;
}

/** Print which device it is about: its name, or how many a name fits. */
static void print_device(const struct occupancy_view *view)
{
    const struct ridge_device *device = view->match.devices[0];
    const struct ridge_device *architecture = device->architecture ? device->architecture : device;
    if (view->match.count > 1) {
        printf("%s: %zu devices that agree (%s, ...)", view->match.asked, view->match.count, device->name);
    } else {
        fputs(device->name, stdout);
    }
    if (architecture != device) {
        printf(", %s", architecture->name);
    }
    printf(" %s\nkind          stated: vendors' rules, not measured\n", architecture->title);
}

static void print_launch(const struct occupancy_view *view, const struct ridge_occupancy *answer)
{
    const struct ridge_launch *launch = &view->launch;
    const char *warp = ridge_occupancy_simds(view->table) ? "wave" : "warp";
    printf("block         %u threads (%u %s%s", launch->threads, answer->warps_per_block, warp,
           answer->warps_per_block == 1 ? "" : "s");
    printf(answer->idle_lanes ? ", %u lanes of the last idle)" : ")", answer->idle_lanes);
    if (view->question->registers.given) {
        printf(", %u registers a thread", launch->registers);
    } else {
        fputs(", registers not given", stdout);
    }
    printf(", %" PRIu64 " bytes of shared memory\n", (uint64_t)launch->smem_static_bytes + launch->smem_dynamic_bytes);
    printf("verdict       %s\n", answer->verdict);
}

/** What a resource has and what a block takes of it. */
static void print_use(const struct occupancy_view *view, const struct ridge_occupancy *answer, int resource)
{
    switch (resource) {
    case RIDGE_RESOURCE_WARPS: printf("%u of %u", answer->warps_per_block, answer->max_warps); break;
    case RIDGE_RESOURCE_REGISTERS:
        printf("%u of %u", answer->registers_per_block_allocated, answer->registers_total);
        if (answer->registers_per_thread_allocated != view->launch.registers) {
            printf(" (%u a thread are given as %u)", view->launch.registers, answer->registers_per_thread_allocated);
        }
        break;
    case RIDGE_RESOURCE_SHARED_MEMORY:
        printf("%u of %u bytes", answer->smem_per_block_allocated_bytes, answer->smem_total_bytes);
        if (answer->smem_reserved_bytes) {
            printf(" (with %u that the driver takes)", answer->smem_reserved_bytes);
        }
        break;
    default: fputs("1", stdout); break;
    }
}

static void print_limits(const struct occupancy_view *view, const struct ridge_occupancy *answer)
{
    puts("\nresource          blocks  a block takes");
    for (int i = 0; i < RIDGE_RESOURCE_COUNT; i++) {
        const bool always = i <= RIDGE_RESOURCE_BLOCKS;
        if (answer->limit[i] == RIDGE_NO_LIMIT && !always) {
            continue;
        }
        printf("%-17s ", ridge_resource_word((ridge_resource)i));
        if (answer->limit[i] == RIDGE_NO_LIMIT) {
            puts("  none  -");
            continue;
        }
        printf("%6u", answer->limit[i]);
        if (i < RIDGE_RESOURCE_BLOCKS) {
            fputs("  ", stdout);
            print_use(view, answer, i);
        }
        puts(answer->limiters >> i & 1 ? "  <- limits" : "");
    }
}

static void print_occupancy(const struct occupancy_view *view, const struct ridge_occupancy *answer)
{
    char limiters[LIMITER_BYTES];
    const uint32_t simds = ridge_occupancy_simds(view->table);
    occupancy_limiter_words(answer->limiters, " and ", limiters);
    printf("occupancy     %.1f %%: %u block%s, %u of %u %s per %s\n", 100 * answer->ratio, answer->blocks,
           answer->blocks == 1 ? "" : "s", answer->warps, answer->max_warps, simds ? "waves" : "warps",
           simds == 0                                  ? "multiprocessor"
           : ridge_occupancy_counts_pairs(view->table) ? "work-group processor (two compute units)"
                                                       : "compute unit");
    if (simds) {
        printf("              %u waves on the busiest of %u SIMDs\n", (answer->warps + simds - 1) / simds, simds);
    }
    printf("limited by    %s\n", limiters);
}

static void print_next(const struct occupancy_view *view)
{
    for (int i = 0; i < RIDGE_RESOURCE_COUNT; i++) {
        uint64_t needed = 0;
        uint64_t available = 0;
        if (ridge_occupancy_next_need(view->table, &view->launch, (ridge_resource)i, &needed, &available)) {
            printf("next block    would need %" PRIu64 " of %" PRIu64 " %s\n", needed, available,
                   i == RIDGE_RESOURCE_REGISTERS ? "registers" : "bytes of shared memory");
        }
    }
}

/** Print a change as "32 registers instead of 44". */
static void print_change(const struct occupancy_view *view, const struct ridge_advice *advice)
{
    const struct ridge_launch *from = &view->launch;
    const struct ridge_launch *to = &advice->launch;
    const char *joint = "";
    if (advice->changes_opt_in) {
        fputs("opt in to more dynamic shared memory (--opt-in)", stdout);
    }
    if (advice->changes_threads) {
        printf("%u threads instead of %u", to->threads, from->threads);
        joint = " and ";
    }
    if (advice->changes_registers) {
        printf("%s%u registers instead of %u", joint, to->registers, from->registers);
        joint = " and ";
    }
    if (advice->changes_smem) {
        printf("%s%" PRIu64 " bytes of shared memory instead of %" PRIu64, joint,
               (uint64_t)to->smem_static_bytes + to->smem_dynamic_bytes,
               (uint64_t)from->smem_static_bytes + from->smem_dynamic_bytes);
    }
}

static void print_advice(const struct occupancy_view *view, const struct ridge_occupancy *now)
{
    struct ridge_advice advice[RIDGE_ADVICE_MAX];
    const size_t count = ridge_occupancy_advise(view->table, &view->launch, advice);
    if (count == 0) {
        puts(now->ratio >= 1 ? "\nNothing to gain: the multiprocessor is full."
                             : "\nNo change of registers, shared memory or block size alone gives more.");
        return;
    }
    puts("\nThe nearest changes that give more (each was tried on the same rules):");
    for (size_t i = 0; i < count; i++) {
        fputs("  ", stdout);
        print_change(view, &advice[i]);
        printf(": %u block%s, %u warps (%.1f %%)\n", advice[i].to.blocks, advice[i].to.blocks == 1 ? "" : "s",
               advice[i].to.warps, 100 * occupancy_ratio(view, &advice[i].to));
    }
}

static void print_waste(const struct ridge_occupancy *answer)
{
    if (answer->registers_per_block_wasted == 0 && answer->smem_per_block_wasted_bytes == 0) {
        return;
    }
    printf("waste         %u registers and %u bytes of shared memory a block, by allocation units\n",
           answer->registers_per_block_wasted, answer->smem_per_block_wasted_bytes);
}

static void print_grid(const struct occupancy_view *view)
{
    const struct ridge_grid_answer *grid = &view->grid_answer;
    if (view->has_grid) {
        printf("grid          %" PRIu64 " blocks, %" PRIu64 " at a time on %u multiprocessors: %.2f waves\n",
               grid->blocks, grid->blocks_per_wave, view->multiprocessors, grid->waves);
        if (grid->tail_blocks) {
            printf("tail          %" PRIu64
                   " blocks in the last wave: it fills %.1f %% of the device; %.1f %% over all "
                   "waves\n",
                   grid->tail_blocks, 100 * grid->tail_ratio, 100 * grid->efficiency);
        } else {
            puts("tail          none: the last wave is full");
        }
    }
    if (view->question->persistent) {
        printf("persistent    %" PRIu64 " blocks fill the device once\n", view->persistent_blocks);
    }
    if (view->question->cluster.given) {
        printf("cluster       %" PRIu64 " blocks: taken%s; how many clusters are resident is not known\n",
               view->question->cluster.value,
               view->cluster_needs_opt_in ? ", above the portable size: needs opt-in" : "");
    }
}

/** Print where the limits come from that matter here, and where sources disagree. */
static void print_sources(const struct occupancy_view *view, uint32_t limiters)
{
    puts("\nSources of what limits:");
    for (int i = 0; i < RIDGE_RESOURCE_COUNT; i++) {
        ridge_fact fact = RIDGE_FACT_WARP_THREADS;
        for (size_t k = 0; limiters >> i & 1 && occupancy_fact_of(view, (ridge_resource)i, k, &fact); k++) {
            const struct ridge_fact_value *value = &view->match.devices[0]->facts[fact];
            printf("  %s %.0f: %s\n", ridge_fact_key(fact), value->number, value->source);
            if (value->note) {
                printf("    %s\n", value->note);
            }
        }
    }
}

int occupancy_print_text(const struct occupancy_view *view)
{
    struct ridge_occupancy answer;
    ridge_occupancy_one(view->table, &view->launch, &answer);
    print_device(view);
    print_launch(view, &answer);
    if (answer.blocks > 0) {
        print_occupancy(view, &answer);
        print_next(view);
        print_waste(&answer);
        print_grid(view);
    }
    print_limits(view, &answer);
    print_advice(view, &answer);
    print_sources(view, answer.limiters);
    return answer.blocks > 0 ? EXIT_DONE : EXIT_NEGATIVE;
}
