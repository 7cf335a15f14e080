/* SPDX-License-Identifier: MIT */
/**
 * \file What fences and strong accesses hand on. Each lane has three rows of clocks, one a thread of its block: what it
 * knows beyond barriers; what it would know after a fence, having heard of it (RG_HEARD); and of that what was fenced for
 * other blocks too (RG_WIDE). A fence turns what was heard into knowledge and makes all knowledge heard; a strong write leaves
 * what its lane has heard at its address, a strong read takes it. Barriers hand on all three. So a release is a fence
 * before a strong write, an acquire a strong read before a fence, and fences at both ends order across strong accesses
 * and barriers between. Other blocks ran before: of each it is kept what its threads handed on, and each address names the
 * blocks that left something there. Source: PTX ISA, "Memory Consistency Model".
 */
#include <string.h>

#include "engine/judge.h"

enum {
    BUCKETS = 1024,
    MOST_MESSAGES = 4096, /**< addresses; those beyond share one */
    RG_KNOWN = 0,
    RG_HEARD,
    RG_WIDE,
    ROW_KINDS
};

/** What lies at an address. */
struct message {
    struct message *next;
    uint64_t address;
    uint32_t block;  /**< whose clocks `row` has */
    uint32_t *row;   /**< by thread */
    uint8_t *blocks; /**< a bit each */
};

/** A set of blocks, and the lanes that have it. */
struct block_set {
    uint8_t *bits;
    uint32_t lanes;
};

struct rg_sync {
    const struct ridge_context *context;
    struct rg_arena arena;
    uint32_t threads; /**< whole warps */
    size_t set_bytes;
    uint32_t *rows[ROW_KINDS]; /**< a row of `threads` clocks for each thread */
    uint32_t used[ROW_KINDS][RG_MAX_WARPS];
    uint32_t *base[ROW_KINDS]; /**< a row that all threads of the block have */
    bool base_heard;           /**< that of RG_HEARD has anything */
    uint32_t *joined;          /**< scratch */
    struct block_set known[RG_MAX_WARPS];
    struct block_set heard[RG_MAX_WARPS];
    uint32_t **left; /**< by block: clocks of its threads that were handed to other blocks; NULL: none */
    uint64_t block_count;
    struct message *buckets[BUCKETS];
    size_t message_count;
};

static void join_row(uint32_t *into, const uint32_t *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        into[i] = into[i] > from[i] ? into[i] : from[i];
    }
}

static void join_bits(uint8_t *into, const uint8_t *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        into[i] |= from[i];
    }
}

static bool make_sets(struct rg_sync *sync, uint32_t warp_count)
{
    bool made = true;
    for (uint32_t w = 0; w < warp_count; w++) {
        sync->known[w].bits = rg_arena_alloc(&sync->arena, sync->set_bytes);
        sync->heard[w].bits = rg_arena_alloc(&sync->arena, sync->set_bytes);
        made = made && sync->known[w].bits && sync->heard[w].bits;
    }
    return made;
}

/** Made at the first fence: kernels without one pay nothing. */
static struct rg_sync *sync_of(struct rg_run *run)
{
    struct rg_judge *judge = run->judge;
    if (judge->sync || run->failed) {
        return judge->sync;
    }
    struct rg_sync *sync = rg_alloc(run->context, sizeof *sync);
    if (!sync) {
        run->failed = true;
        return NULL;
    }
    judge->sync = sync;
    sync->context = run->context;
    sync->threads = run->warp_count * RG_LANES;
    sync->block_count = judge->block_count;
    sync->set_bytes = judge->block_count / 8 + 1;
    rg_arena_init(&sync->arena, run->context);
    bool made = make_sets(sync, run->warp_count);
    for (int kind = 0; kind < ROW_KINDS; kind++) {
        sync->rows[kind] = rg_arena_array(&sync->arena, (size_t)sync->threads * sync->threads, sizeof(uint32_t));
        sync->base[kind] = rg_arena_array(&sync->arena, sync->threads, sizeof(uint32_t));
        made = made && sync->rows[kind] && sync->base[kind];
    }
    sync->joined = rg_arena_array(&sync->arena, sync->threads, sizeof(uint32_t));
    sync->left = rg_arena_array(&sync->arena, judge->block_count + 1, sizeof *sync->left);
    run->failed = !(made && sync->joined && sync->left);
    return run->failed ? NULL : sync;
}

void rg_sync_free(struct rg_run *run)
{
    struct rg_sync *sync = run->judge ? run->judge->sync : NULL;
    if (sync) {
        rg_arena_fini(&sync->arena);
        rg_free(run->context, sync, sizeof *sync);
    }
}

void rg_sync_block_begin(struct rg_run *run)
{
    struct rg_sync *sync = run->judge->sync;
    if (!sync) {
        return;
    }
    memset(sync->used, 0, sizeof sync->used);
    sync->base_heard = false;
    for (int kind = 0; kind < ROW_KINDS; kind++) {
        memset(sync->base[kind], 0, sync->threads * sizeof(uint32_t));
    }
    for (uint32_t w = 0; w < run->warp_count; w++) {
        memset(sync->known[w].bits, 0, sync->set_bytes);
        memset(sync->heard[w].bits, 0, sync->set_bytes);
        sync->known[w].lanes = 0;
        sync->heard[w].lanes = 0;
    }
}

/** The row of a lane, made when it is first needed. */
static uint32_t *row_of(struct rg_sync *sync, int kind, uint32_t warp, unsigned lane)
{
    uint32_t *row = sync->rows[kind] + (size_t)(warp * RG_LANES + lane) * sync->threads;
    if (!(sync->used[kind][warp] >> lane & 1)) {
        sync->used[kind][warp] |= 1U << lane;
        memcpy(row, sync->base[kind], sync->threads * sizeof *row);
    }
    return row;
}

/** The row of a lane for reading: its own, or that of all. */
static const uint32_t *row_seen(const struct rg_sync *sync, int kind, uint32_t warp, unsigned lane)
{
    const bool own = sync->used[kind][warp] >> lane & 1;
    return own ? sync->rows[kind] + (size_t)(warp * RG_LANES + lane) * sync->threads : sync->base[kind];
}

bool rg_sync_knows(const struct rg_warp *warp, unsigned lane, uint32_t block, uint32_t thread, uint32_t clock)
{
    const struct rg_sync *sync = warp->run->judge->sync;
    if (!sync) {
        return false;
    }
    if (block == (uint32_t)warp->run->block_serial) {
        return row_seen(sync, RG_KNOWN, warp->index, lane)[thread] >= clock;
    }
    const struct block_set *known = &sync->known[warp->index];
    return known->lanes >> lane & 1 && known->bits[block / 8] >> (block % 8) & 1 && sync->left[block] &&
           sync->left[block][thread] >= clock;
}

/** All that a lane knows, by barriers too, and its own accesses. */
static void knowledge(const struct rg_sync *sync, const struct rg_warp *warp, unsigned lane, uint32_t *out)
{
    const struct rg_order *order = warp->order;
    const struct rg_seen *by_barriers = &order->seen[RG_MEMORY_GLOBAL];
    memcpy(out, row_seen(sync, RG_KNOWN, warp->index, lane), sync->threads * sizeof *out);
    for (uint32_t thread = 0; thread < sync->threads; thread++) {
        const uint32_t theirs = thread / RG_LANES;
        const uint32_t seen =
            theirs == warp->index ? by_barriers->lanes[lane][thread % RG_LANES] : by_barriers->warps[theirs];
        out[thread] = out[thread] > seen ? out[thread] : seen;
    }
    out[warp->index * RG_LANES + lane] = order->clock;
}

static void join_set(struct block_set *into, const struct block_set *from, uint32_t lanes, size_t bytes)
{
    if (from->lanes && lanes) {
        join_bits(into->bits, from->bits, bytes);
        into->lanes |= lanes;
    }
}

void rg_sync_fence(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    struct rg_sync *sync = sync_of(warp->run);
    const bool wide = !(op->marks & RG_MARK_BLOCK);
    for (uint32_t rest = sync ? mask : 0; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t *known = row_of(sync, RG_KNOWN, warp->index, lane);
        uint32_t *heard = row_of(sync, RG_HEARD, warp->index, lane);
        join_row(known, heard, sync->threads);
        knowledge(sync, warp, lane, heard);
        if (wide) {
            memcpy(row_of(sync, RG_WIDE, warp->index, lane), heard, sync->threads * sizeof *heard);
        }
    }
    if (sync && wide) {
        join_set(&sync->known[warp->index], &sync->heard[warp->index], sync->heard[warp->index].lanes & mask,
                 sync->set_bytes);
    }
    rg_order_tick(warp->order);
}

static uint64_t address_of(const struct rg_warp *warp, unsigned lane)
{
    const bool shared = warp->reached == RG_SPACE_SHARED;
    return shared ? RG_WINDOW(RG_SPACE_SHARED) | (uint32_t)warp->addresses[lane] : warp->addresses[lane];
}

/** The message at an address; NULL: there is none, or no memory to make it. */
static struct message *message_at(struct rg_run *run, uint64_t address, bool make)
{
    struct rg_sync *sync = run->judge->sync;
    const bool full = sync->message_count >= MOST_MESSAGES;
    for (int attempt = 0; attempt < (full ? 2 : 1); attempt++) {
        struct message **bucket = &sync->buckets[(address * 0x9e3779b97f4a7c15U) >> 54];
        for (struct message *at = *bucket; at; at = at->next) {
            if (at->address == address) {
                return at;
            }
        }
        address = full && attempt == 0 ? 0 : address; /* all that is too much lies at one place */
    }
    if (!make) {
        return NULL;
    }
    struct message *made = rg_arena_alloc(&sync->arena, sizeof *made);
    uint32_t *row = rg_arena_array(&sync->arena, sync->threads, sizeof *row);
    uint8_t *blocks = rg_arena_alloc(&sync->arena, sync->set_bytes);
    if (!made || !row || !blocks) {
        run->failed = true;
        return NULL;
    }
    struct message **bucket = &sync->buckets[(address * 0x9e3779b97f4a7c15U) >> 54];
    *made = (struct message){*bucket, address, 0, row, blocks};
    *bucket = made;
    sync->message_count++;
    return made;
}

/** What this block's threads hand to others: clocks that are left for them. */
static void leave_for_others(struct rg_run *run, struct message *message, const uint32_t *row)
{
    struct rg_sync *sync = run->judge->sync;
    uint32_t **left = &sync->left[run->block_serial];
    if (!*left) {
        *left = rg_arena_array(&sync->arena, sync->threads, sizeof **left);
        run->failed |= !*left;
    }
    if (*left) {
        join_row(*left, row, sync->threads);
        message->blocks[run->block_serial / 8] |= (uint8_t)(1U << (run->block_serial % 8));
    }
}

static void lane_writes(struct rg_warp *warp, const struct rg_op *op, unsigned lane)
{
    struct rg_run *run = warp->run;
    struct rg_sync *sync = run->judge->sync;
    const bool releases = op->marks & RG_MARK_FENCE;
    const struct block_set *heard = &sync->heard[warp->index];
    const bool has_set = heard->lanes >> lane & 1;
    if (releases) {
        uint32_t *row = row_of(sync, RG_HEARD, warp->index, lane);
        knowledge(sync, warp, lane, sync->joined);
        join_row(row, sync->joined, sync->threads);
        if (!(op->marks & RG_MARK_BLOCK)) {
            join_row(row_of(sync, RG_WIDE, warp->index, lane), sync->joined, sync->threads);
        }
    }
    const uint32_t *row = row_seen(sync, RG_HEARD, warp->index, lane);
    const bool has_row = sync->used[RG_HEARD][warp->index] >> lane & 1 || sync->base_heard;
    struct message *message = message_at(run, address_of(warp, lane), has_row || has_set);
    if (!message) {
        return;
    }
    if (message->block != (uint32_t)run->block_serial ||
        !(op->marks & (RG_MARK_READS | RG_MARK_JOINS))) { /* a store begins anew */
        memset(message->row, 0, sync->threads * sizeof *message->row);
        message->block = (uint32_t)run->block_serial;
    }
    join_row(message->row, row, sync->threads);
    if (!(op->marks & RG_MARK_BLOCK)) {
        if (has_set) {
            join_bits(message->blocks, heard->bits, sync->set_bytes);
        }
        leave_for_others(run, message, row_seen(sync, RG_WIDE, warp->index, lane));
    }
}

static void lane_reads(struct rg_warp *warp, const struct rg_op *op, unsigned lane)
{
    struct rg_run *run = warp->run;
    struct rg_sync *sync = run->judge->sync;
    const bool acquires = op->marks & RG_MARK_FENCE;
    const struct message *message = message_at(run, address_of(warp, lane), false);
    if (!message) {
        return;
    }
    if (message->block == (uint32_t)run->block_serial) {
        join_row(row_of(sync, RG_HEARD, warp->index, lane), message->row, sync->threads);
        if (acquires) {
            join_row(row_of(sync, RG_KNOWN, warp->index, lane), message->row, sync->threads);
        }
    }
    if (op->marks & RG_MARK_BLOCK) {
        return;
    }
    const struct block_set set = {message->blocks, 1};
    join_set(&sync->heard[warp->index], &set, 1U << lane, sync->set_bytes);
    if (acquires) {
        join_set(&sync->known[warp->index], &set, 1U << lane, sync->set_bytes);
    }
}

void rg_sync_strong(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    struct rg_sync *sync = op->marks & RG_MARK_FENCE ? sync_of(warp->run) : warp->run->judge->sync;
    for (uint32_t rest = sync ? mask & warp->access : 0; rest && !warp->run->failed; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        if (op->marks & RG_MARK_READS) {
            lane_reads(warp, op, lane);
        }
        if (op->marks & RG_MARK_WRITES) {
            lane_writes(warp, op, lane);
        }
    }
    if (sync && (op->marks & RG_MARK_FENCE)) {
        rg_order_tick(warp->order);
    }
}

/** The union of a kind of rows of those that came; \return whether one of them has more than all have. */
static bool join_kind(struct rg_run *run, int kind, const uint32_t *warp_masks)
{
    struct rg_sync *sync = run->judge->sync;
    bool any = false;
    memcpy(sync->joined, sync->base[kind], sync->threads * sizeof *sync->joined);
    for (uint32_t w = 0; w < run->warp_count; w++) {
        for (uint32_t rest = warp_masks[w] & sync->used[kind][w]; rest; rest &= rest - 1) {
            join_row(sync->joined, row_seen(sync, kind, w, (unsigned)__builtin_ctz(rest)), sync->threads);
            any = true;
        }
    }
    return any;
}

static bool is_whole_block(const struct rg_run *run, const uint32_t *warp_masks, const bool *only_arrive)
{
    for (uint32_t w = 0; w < run->warp_count; w++) {
        if (only_arrive[w] || warp_masks[w] != run->warps[w].alive) {
            return false;
        }
    }
    return true;
}

static void join_sets(struct rg_run *run, struct block_set *sets, const uint32_t *warp_masks, const bool *only_arrive)
{
    const size_t bytes = run->judge->sync->set_bytes;
    uint32_t source = UINT32_MAX;
    for (uint32_t w = 0; w < run->warp_count; w++) {
        if (!(warp_masks[w] & sets[w].lanes)) {
            continue;
        }
        if (source != UINT32_MAX) {
            join_bits(sets[source].bits, sets[w].bits, bytes);
        }
        source = source == UINT32_MAX ? w : source;
    }
    for (uint32_t w = 0; source != UINT32_MAX && w < run->warp_count; w++) {
        if (warp_masks[w] && !only_arrive[w]) {
            join_set(&sets[w], &sets[source], warp_masks[w], bytes);
        }
    }
}

void rg_sync_join(struct rg_run *run, const uint32_t *warp_masks, const bool *only_arrive)
{
    struct rg_sync *sync = run->judge->sync;
    if (!sync) {
        return;
    }
    const bool whole = is_whole_block(run, warp_masks, only_arrive);
    for (int kind = 0; kind < ROW_KINDS; kind++) {
        const bool any = join_kind(run, kind, warp_masks);
        if (any && whole) {
            memcpy(sync->base[kind], sync->joined, sync->threads * sizeof *sync->joined);
            sync->base_heard |= kind == RG_HEARD;
            memset(sync->used[kind], 0, sizeof sync->used[kind]);
            continue;
        }
        for (uint32_t w = 0; any && w < run->warp_count; w++) {
            for (uint32_t rest = only_arrive[w] ? 0 : warp_masks[w]; rest; rest &= rest - 1) {
                join_row(row_of(sync, kind, w, (unsigned)__builtin_ctz(rest)), sync->joined, sync->threads);
            }
        }
    }
    join_sets(run, sync->known, warp_masks, only_arrive);
    join_sets(run, sync->heard, warp_masks, only_arrive);
}

void rg_sync_join_lanes(const struct rg_warp *warp, uint32_t mask)
{
    uint32_t masks[RG_MAX_WARPS] = {0};
    const bool only_arrive[RG_MAX_WARPS] = {false};
    if (warp->run->judge->sync) {
        masks[warp->index] = mask;
        rg_sync_join(warp->run, masks, only_arrive);
    }
}
