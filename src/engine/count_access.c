/* SPDX-License-Identifier: MIT */
#include "engine/watch_count.h"

enum {
    BANKS = 32,
    WORD_BITS = 2,   /**< a bank is 4 bytes wide */
    SECTOR_BITS = 5, /**< 32 bytes */
    LINE_BITS = 7,   /**< 128 bytes */
    MOST_WORDS = RG_LANES * 4
};

/** Which counter of bytes a space has. */
static int byte_counter(rg_space space)
{
    switch (space) {
    case RG_SPACE_GLOBAL:
    case RG_SPACE_GENERIC: return 0;
    case RG_SPACE_SHARED: return 1;
    case RG_SPACE_LOCAL: return 2;
    case RG_SPACE_CONST:
    case RG_SPACE_PARAM: return 3;
    case RG_SPACE_CALL_PARAM:
    case RG_SPACE_COUNT: break;
    }
    return -1;
}

/** Add the words of one lane to the banks; the same word is read once for all. \return the fullest bank so far. */
static unsigned add_words(uint64_t address, uint32_t bytes, uint32_t words[BANKS][RG_LANES], uint8_t used[BANKS],
                          unsigned fullest)
{
    const uint64_t last = (address + bytes - 1) >> WORD_BITS;
    for (uint64_t word = address >> WORD_BITS; word <= last; word++) {
        const unsigned bank = (unsigned)(word % BANKS);
        unsigned i = 0;
        while (i < used[bank] && words[bank][i] != (uint32_t)word) {
            i++;
        }
        if (i == used[bank] && i < RG_LANES) {
            words[bank][used[bank]++] = (uint32_t)word;
        }
        fullest = used[bank] > fullest ? used[bank] : fullest;
    }
    return fullest;
}

/** Whether no two lanes want different words of one bank: one cycle, the usual case. Words of 4 bytes or less. */
static bool is_conflict_free(const uint64_t *addresses, uint32_t access)
{
    uint64_t first[BANKS];
    uint32_t seen = 0;
    for (uint32_t rest = access; rest; rest &= rest - 1) {
        const uint64_t word = addresses[__builtin_ctz(rest)] >> WORD_BITS;
        const unsigned bank = (unsigned)(word % BANKS);
        if (!(seen >> bank & 1)) {
            seen |= 1U << bank;
            first[bank] = word;
        } else if (first[bank] != word) {
            return false;
        }
    }
    return true;
}

/**
 * Cycles of the banks. 32 banks of 4 bytes serve one word each a cycle; accesses of 8 bytes go in two halves of the
 * warp, of 16 bytes in four quarters. Source: CUDA C++ Programming Guide, "Shared Memory"; NVIDIA developer blog,
 * "Using Shared Memory in CUDA C/C++"; the halves and quarters: measured by many, documented for 64 bits.
 */
static unsigned count_wavefronts(const uint64_t *addresses, uint32_t access, uint32_t bytes)
{
    const unsigned phases = bytes <= 4 ? 1 : bytes / 4;
    const unsigned lanes = RG_LANES / phases;
    unsigned sum = 0;
    if (phases == 1 && is_conflict_free(addresses, access)) {
        return 1;
    }
    for (unsigned phase = 0; phase < phases; phase++) {
        uint32_t words[BANKS][RG_LANES];
        uint8_t used[BANKS] = {0};
        unsigned fullest = 0;
        for (unsigned lane = phase * lanes; lane < (phase + 1) * lanes; lane++) {
            if (access >> lane & 1) {
                fullest = add_words(addresses[lane] & 0xffffffffU, bytes, words, used, fullest);
            }
        }
        sum += fullest;
    }
    return sum ? sum : 1;
}

/** Distinct granules that an access touches, in the order they come; \return how many. */
static unsigned distinct_granules(const uint64_t *addresses, uint32_t access, unsigned bits, uint64_t *granules)
{
    unsigned count = 0;
    uint64_t highest = 0;
    for (uint32_t rest = access; rest; rest &= rest - 1) {
        const uint64_t granule = addresses[__builtin_ctz(rest)] >> bits;
        if (count > 0 && granule == granules[count - 1]) {
            continue;
        }
        if (count > 0 && granule <= highest) {
            unsigned i = 0;
            while (i < count && granules[i] != granule) {
                i++;
            }
            if (i < count) {
                continue;
            }
        }
        highest = count == 0 || granule > highest ? granule : highest;
        granules[count++] = granule;
    }
    return count;
}

/** Sectors that this block, and this run, touch for the first time. */
static void stamp_sectors(struct rg_run *run, const uint64_t *sectors, unsigned count)
{
    struct rg_engine_counts *block = &run->tally->block;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t address = sectors[i] << SECTOR_BITS;
        const uint64_t number = address >> RG_REGION_BITS;
        if (number < 1 || number > run->region_count) {
            continue;
        }
        struct rg_region *region = &run->regions[number - 1];
        if (!region->stamps) {
            region->stamps = rg_pages_new(run->context, (region->size >> SECTOR_BITS) + 1, sizeof(uint32_t));
        }
        uint32_t *stamp =
            region->stamps
                ? rg_pages_at(region->stamps, sectors[i] & (((uint64_t)1 << (RG_REGION_BITS - SECTOR_BITS)) - 1))
                : NULL;
        if (!stamp) {
            run->failed = true;
            return;
        }
        block->launch_sectors += *stamp == 0;
        block->distinct_sectors += *stamp != (uint32_t)run->block_serial;
        *stamp = (uint32_t)run->block_serial;
    }
}

static void count_global(struct rg_warp *warp, const struct rg_op *op)
{
    struct rg_run *run = warp->run;
    struct rg_engine_counts *block = &run->tally->block;
    struct rg_op_count *mine = &run->tally->ops[rg_op_index(run, op)];
    uint64_t granules[RG_LANES];
    const unsigned sectors = distinct_granules(warp->addresses, warp->access, SECTOR_BITS, granules);
    stamp_sectors(run, granules, sectors);
    block->global_requests++;
    block->global_sectors += sectors;
    mine->requests++;
    mine->sectors += sectors;
    block->global_lines += distinct_granules(granules, (uint32_t)(((uint64_t)1 << sectors) - 1),
                                             LINE_BITS - SECTOR_BITS, (uint64_t[RG_LANES]){0});
}

static void count_shared(struct rg_warp *warp, const struct rg_op *op, const uint64_t *addresses, uint32_t bytes)
{
    struct rg_run *run = warp->run;
    const unsigned wavefronts = count_wavefronts(addresses, warp->access, bytes);
    run->tally->block.shared_accesses++;
    run->tally->block.shared_wavefronts += wavefronts;
    run->tally->ops[rg_op_index(run, op)].wavefronts += wavefronts;
}

static void count_atomic(struct rg_warp *warp)
{
    struct rg_engine_counts *block = &warp->run->tally->block;
    uint64_t distinct[RG_LANES];
    const unsigned lanes = rg_popcount(warp->access);
    block->atomics += lanes;
    block->atomic_conflicts += lanes - distinct_granules(warp->addresses, warp->access, 0, distinct);
}

/** A part of a bulk copy, 16 bytes a "lane": its bytes, sectors and banks; each part is a request of its own. */
void rg_count_bulk(struct rg_warp *warp, const struct rg_op *op)
{
    struct rg_engine_counts *block = &warp->run->tally->block;
    const uint64_t moved = (uint64_t)op->bytes * rg_popcount(warp->access);
    const bool loads = op->space == RG_SPACE_SHARED;
    block->bytes_read[loads ? 0 : 1] += moved;
    block->bytes_written[loads ? 1 : 0] += moved;
    count_global(warp, op);
    count_shared(warp, op, warp->addresses2, op->bytes);
}

void rg_count_access(struct rg_warp *warp, const struct rg_op *op)
{
    const uint32_t bytes = op->run == rg_run_ldmatrix ? 16 : op->bytes * (op->list_count ? op->list_count : 1U);
    const uint64_t moved = (uint64_t)bytes * rg_popcount(warp->access);
    struct rg_engine_counts *block = &warp->run->tally->block;
    const int counter = byte_counter(warp->reached);
    if (warp->access == 0) {
        return;
    }
    if (op->run == rg_run_cp_async) {
        block->bytes_read[0] += (uint64_t)op->bytes * rg_popcount(warp->access);
        block->bytes_written[1] += (uint64_t)op->bytes * rg_popcount(warp->access);
        count_global(warp, op);
        count_shared(warp, op, warp->addresses2, op->bytes);
        return;
    }
    if (counter >= 0 && (op->marks & RG_MARK_READS)) {
        block->bytes_read[counter] += moved;
    }
    if (counter >= 0 && (op->marks & RG_MARK_WRITES)) {
        block->bytes_written[counter] += moved;
    }
    if (op->class == RG_CLASS_ATOMIC) {
        count_atomic(warp);
    }
    if (counter == 0) {
        count_global(warp, op);
    } else if (counter == 1) {
        count_shared(warp, op, warp->addresses, bytes);
    }
}
