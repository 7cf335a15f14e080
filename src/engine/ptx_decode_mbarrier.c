/* SPDX-License-Identifier: MIT */
#include "engine/ptx_read.h"
#include "engine/run.h"

enum {
    RELEASES = RG_MARK_ATOMIC | RG_MARK_FENCE | RG_MARK_WRITES | RG_MARK_JOINS,
    JOINS = RG_MARK_ATOMIC | RG_MARK_WRITES | RG_MARK_JOINS,
    ACQUIRES = RG_MARK_ATOMIC | RG_MARK_FENCE | RG_MARK_READS
};

/** What the instructions are, by a word of theirs; the first that is there. The end of a barrier counts as atomic: libcu++
 * orders it behind arrivals of other lanes by a match of the warp, which orders nothing. */
static const struct {
    const char *word;
    rg_mbarrier_kind kind;
    uint16_t marks;
    bool answers;  /**< has a destination */
    uint8_t least; /**< operands behind the address */
    uint8_t most;
} kinds[] = {
    {"async", RG_MBARRIER_COPIED, RELEASES, false, 0, 0},      {"init", RG_MBARRIER_INIT, RG_MARK_WRITES, false, 1, 1},
    {"inval", RG_MBARRIER_INVAL, JOINS, false, 0, 0},          {"arrive", RG_MBARRIER_ARRIVE, RELEASES, true, 0, 1},
    {"arrive_drop", RG_MBARRIER_DROP, RELEASES, true, 0, 1},   {"expect_tx", RG_MBARRIER_EXPECT, JOINS, false, 1, 1},
    {"complete_tx", RG_MBARRIER_COMPLETE, JOINS, false, 1, 1}, {"test_wait", RG_MBARRIER_TEST, ACQUIRES, true, 1, 1},
    {"try_wait", RG_MBARRIER_TEST, ACQUIRES, true, 1, 2},      {"pending_count", RG_MBARRIER_PENDING, 0, true, 0, 0},
};

static size_t which_of(const struct rg_instruction *in)
{
    size_t which = 0;
    while (!rg_has(in, kinds[which].word)) {
        which++;
    }
    return which;
}

/** A word that PTX lets one leave out. */
static uint32_t count_source(struct rg_reader *reader, uint32_t at, uint64_t otherwise)
{
    const struct rg_instruction *in = &reader->instruction;
    return at < in->operand_count ? rg_source(reader, &in->operands[at], RG_U32) : rg_slot_bits(reader, otherwise, 4);
}

/** The number behind the address: of arrivals or bytes, or what is tested; *c: bytes that an arrival awaits. */
static bool decode_numbers(struct rg_reader *reader, uint32_t at, struct rg_op *made)
{
    const struct rg_instruction *in = &reader->instruction;
    const bool arrives = made->mode2 == RG_MBARRIER_ARRIVE || made->mode2 == RG_MBARRIER_DROP;
    const bool parity = rg_has(in, "parity");
    if (made->mode2 == RG_MBARRIER_TEST) {
        made->register_bytes = parity ? 4 : 8;
        made->b = rg_source(reader, &in->operands[at], parity ? RG_U32 : RG_B64);
        return made->b != RG_NO_SLOT;
    }
    if (made->mode2 == RG_MBARRIER_COPIED) {
        made->b = rg_slot_bits(reader, rg_has(in, "noinc"), 4);
        return made->b != RG_NO_SLOT;
    }
    if (arrives && rg_has(in, "expect_tx")) {
        made->b = rg_slot_bits(reader, 1, 4);
        made->c = count_source(reader, at, 0);
        return made->b != RG_NO_SLOT && made->c != RG_NO_SLOT;
    }
    made->b = count_source(reader, at, arrives);
    return made->b != RG_NO_SLOT;
}

/** mbarrier.pending_count count, state: no memory. */
static ridge_status decode_pending(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    struct rg_op made = {.run = rg_run_mbarrier, .class = RG_CLASS_INTEGER, .mode2 = RG_MBARRIER_PENDING};
    const ridge_status status = rg_expect(reader, 2, 2);
    if (status) {
        return status;
    }
    made.a = rg_source(reader, &in->operands[1], RG_B64);
    made.d = made.a == RG_NO_SLOT ? RG_NO_SLOT : rg_target(reader, &in->operands[0], 4);
    return made.d == RG_NO_SLOT ? reader->error->status : rg_op_from(reader, &made, &made.a, 1, &made.d, 1);
}

ridge_status rg_decode_mbarrier(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const size_t which = which_of(in);
    struct rg_op made = {.run = rg_run_mbarrier, .class = RG_CLASS_BARRIER, .mode2 = (uint8_t)kinds[which].kind};
    if (made.mode2 == RG_MBARRIER_PENDING) {
        return decode_pending(reader);
    }
    const uint32_t at = 1U + kinds[which].answers;
    ridge_status status = rg_expect(reader, at + kinds[which].least, at + kinds[which].most);
    status = status ? status : rg_decode_address(reader, &in->operands[at - 1], rg_space_of(in), &made);
    if (status) {
        return status;
    }
    const bool tests = made.mode2 == RG_MBARRIER_TEST;
    made.flow = tests ? RG_FLOW_PHASE : RG_FLOW_NONE;
    made.bytes = 8;
    made.marks = (uint16_t)(kinds[which].marks & (rg_has(in, "relaxed") ? ~RG_MARK_FENCE : ~0));
    made.marks |= kinds[which].answers ? RG_MARK_UNKNOWN : 0;
    if (!decode_numbers(reader, at, &made)) {
        return reader->error->status;
    }
    const bool writes = kinds[which].answers && in->operands[0].kind != RG_OPERAND_SINK;
    made.d = writes ? rg_target(reader, &in->operands[0], tests ? 0 : 8) : RG_NO_SLOT;
    if (writes && made.d == RG_NO_SLOT) {
        return reader->error->status;
    }
    rg_note_grain(reader, (rg_space)made.space, made.bytes);
    const uint32_t reads[3] = {made.a, made.b, made.c};
    return rg_op_from(reader, &made, reads, 2U + (made.c != RG_NO_SLOT), &made.d, writes);
}

/**
 * cp.async.bulk between global and shared memory of the block. a: where to, b: where from, c: how much, extra: the memory
 * barrier that is told, if one is; their displacements are in the list.
 */
ridge_status rg_decode_bulk(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const bool told = rg_has(in, "mbarrier::complete_tx::bytes");
    const bool policy = rg_has(in, "L2::cache_hint");
    struct rg_op places[3] = {{0}};
    const rg_space spaces[3] = {told ? RG_SPACE_SHARED : RG_SPACE_GLOBAL, told ? RG_SPACE_GLOBAL : RG_SPACE_SHARED,
                                RG_SPACE_SHARED};
    const uint32_t operands[3] = {0, 1, 3};
    if (rg_has(in, "commit_group") || rg_has(in, "wait_group")) {
        return rg_decode_nothing(reader); /* copies are made at once */
    }
    ridge_status status = rg_expect(reader, 3U + told + policy, 3U + told + policy);
    uint64_t *more = rg_arena_array(&reader->ptx->arena, 3, sizeof *more);
    if (!more) {
        return rg_read_memory(reader);
    }
    for (uint32_t i = 0; !status && i < 2U + told; i++) {
        status = rg_decode_address(reader, &in->operands[operands[i]], spaces[i], &places[i]);
        more[i] = (uint64_t)places[i].immediate;
    }
    if (status) {
        return status;
    }
    struct rg_op made = {.run = rg_run_bulk, .class = RG_CLASS_GLOBAL, .bytes = 16};
    made.c = rg_source(reader, &in->operands[2], RG_U32);
    if (made.c == RG_NO_SLOT) {
        return reader->error->status;
    }
    made.space = (uint8_t)spaces[0];
    made.a = places[0].a;
    made.b = places[1].a;
    made.extra = told ? places[2].a : RG_NO_SLOT;
    made.mode = places[0].mode;
    made.mode2 = places[1].mode;
    made.register_bytes = places[2].mode;
    made.list = (const uint32_t *)more;
    rg_note_grain(reader, RG_SPACE_SHARED, 16);
    rg_note_grain(reader, RG_SPACE_GLOBAL, 16);
    const uint32_t reads[4] = {made.a, made.b, made.c, made.extra};
    return rg_op_from(reader, &made, reads, 3U + told, NULL, 0);
}
