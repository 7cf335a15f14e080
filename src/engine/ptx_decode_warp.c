/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ptx_read.h"
#include "engine/run.h"

/** The predicate behind d|p, as a list of one; NULL: none. */
static ridge_status second_predicate(struct rg_reader *reader, struct rg_op *made)
{
    const struct rg_operand *target = &reader->instruction.operands[0];
    uint32_t *slot = rg_arena_alloc(&reader->ptx->arena, sizeof *slot);
    if (!slot) {
        return rg_read_memory(reader);
    }
    if (target->slot2 != RG_NO_SLOT && target->type2 != RG_PRED) {
        return rg_read_fail(reader, &target->word, RIDGE_E_SYNTAX, "a predicate should be behind |");
    }
    *slot = target->slot2;
    made->list = slot;
    return RIDGE_OK;
}

/** Add an operation that reads a, b, c and, when it synchronises, the member mask that is its last operand. */
static ridge_status add_warp_op(struct rg_reader *reader, struct rg_op *made, uint32_t sources, uint32_t target_bytes)
{
    const struct rg_instruction *in = &reader->instruction;
    const bool sync = rg_has(in, "sync");
    uint32_t reads[4] = {made->a, made->b, made->c};
    made->flow = sync ? RG_FLOW_WARP_SYNC : RG_FLOW_NONE;
    made->marks |= RG_MARK_UNKNOWN;
    if (sync) {
        made->extra = rg_source(reader, &in->operands[in->operand_count - 1], RG_B32);
        reads[sources++] = made->extra;
    }
    made->d = sync && made->extra == RG_NO_SLOT         ? RG_NO_SLOT
              : in->operands[0].kind == RG_OPERAND_SINK ? RG_NO_SLOT
                                                        : rg_target(reader, &in->operands[0], target_bytes);
    if (reader->error->status) {
        return reader->error->status;
    }
    const uint32_t writes[2] = {made->d, made->list ? made->list[0] : RG_NO_SLOT};
    return rg_op_from(reader, made, reads, sources, writes, made->list ? 2 : 1);
}

ridge_status rg_decode_shuffle(struct rg_reader *reader)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    const struct rg_instruction *in = &reader->instruction;
    struct rg_op made = {.run = rg_run_shuffle, .class = RG_CLASS_SHUFFLE};
    for (uint8_t i = 0; i < 4; i++) {
        made.mode = rg_has(in, modes[i]) ? i : made.mode;
    }
    const bool sync = rg_has(in, "sync");
    const ridge_status status = rg_expect(reader, 4 + sync, 4 + sync);
    if (status) {
        return status;
    }
    made.a = rg_source(reader, &in->operands[1], RG_B32);
    made.b = made.a == RG_NO_SLOT ? RG_NO_SLOT : rg_source(reader, &in->operands[2], RG_U32);
    made.c = made.b == RG_NO_SLOT ? RG_NO_SLOT : rg_source(reader, &in->operands[3], RG_U32);
    if (made.c == RG_NO_SLOT) {
        return reader->error->status;
    }
    const ridge_status second = second_predicate(reader, &made);
    return second ? second : add_warp_op(reader, &made, 3, 4);
}

ridge_status rg_decode_vote(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const bool ballot = rg_has(in, "ballot");
    const bool sync = rg_has(in, "sync");
    struct rg_op made = {.run = rg_run_vote, .class = RG_CLASS_SHUFFLE};
    made.mode = ballot              ? RG_VOTE_BALLOT
                : rg_has(in, "all") ? RG_VOTE_ALL
                : rg_has(in, "any") ? RG_VOTE_ANY
                                    : RG_VOTE_UNI;
    const ridge_status status = rg_expect(reader, 2 + sync, 2 + sync);
    if (status) {
        return status;
    }
    struct rg_operand source = in->operands[1];
    made.mode2 = source.negated;
    source.negated = false;
    if (source.kind == RG_OPERAND_INTEGER) {
        made.a = rg_slot_bits(reader, source.bits ? 0xffffffffU : 0, 4);
    } else {
        made.a = rg_source(reader, &source, RG_PRED);
    }
    return made.a == RG_NO_SLOT ? reader->error->status : add_warp_op(reader, &made, 1, ballot ? 4 : 0);
}

ridge_status rg_decode_match(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    struct rg_op made = {.run = rg_run_match, .class = RG_CLASS_SHUFFLE};
    const ridge_status status = rg_expect(reader, 3, 3);
    if (status) {
        return status;
    }
    made.mode = rg_has(in, "all");
    made.register_bytes = (uint8_t)rg_types[in->types[0]].bytes;
    made.a = rg_source(reader, &in->operands[1], in->types[0]);
    const ridge_status second = made.a == RG_NO_SLOT ? reader->error->status : second_predicate(reader, &made);
    return second ? second : add_warp_op(reader, &made, 1, 4);
}

ridge_status rg_decode_redux(struct rg_reader *reader)
{
    static const char *const words[] = {"add", "min", "max", "and", "or", "xor"};
    static const uint8_t atoms[] = {RG_ATOM_ADD, RG_ATOM_MIN, RG_ATOM_MAX, RG_ATOM_AND, RG_ATOM_OR, RG_ATOM_XOR};
    const struct rg_instruction *in = &reader->instruction;
    struct rg_op made = {.run = rg_run_redux, .class = RG_CLASS_SHUFFLE};
    for (unsigned i = 0; i < 6; i++) {
        made.mode = rg_has(in, words[i]) ? atoms[i] : made.mode;
    }
    const ridge_status status = rg_expect(reader, 3, 3);
    if (status) {
        return status;
    }
    made.type = (uint8_t)in->types[0];
    made.a = rg_source(reader, &in->operands[1], RG_B32);
    return made.a == RG_NO_SLOT ? reader->error->status : add_warp_op(reader, &made, 1, 4);
}

ridge_status rg_decode_activemask(struct rg_reader *reader)
{
    struct rg_op made = {.run = rg_run_activemask, .class = RG_CLASS_SHUFFLE};
    const ridge_status status = rg_expect(reader, 1, 1);
    return status ? status : add_warp_op(reader, &made, 0, 4);
}

ridge_status rg_decode_elect(struct rg_reader *reader)
{
    struct rg_op made = {.run = rg_run_elect, .class = RG_CLASS_SHUFFLE};
    ridge_status status = rg_expect(reader, 2, 2);
    status = status ? status : second_predicate(reader, &made);
    return status ? status : add_warp_op(reader, &made, 0, 4);
}

/** cp.async.ca.shared.global [to], [from], bytes{, source bytes}; commit_group; wait_group n; wait_all. */
ridge_status rg_decode_cp(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    struct rg_op made = {.class = RG_CLASS_GLOBAL};
    if (rg_has(in, "commit_group") || rg_has(in, "wait_all") || rg_has(in, "wait_group")) {
        const bool waits = rg_has(in, "wait_group");
        made.class = RG_CLASS_BARRIER;
        made.run = rg_has(in, "commit_group") ? rg_run_cp_commit : rg_run_cp_wait;
        made.immediate = waits ? (int64_t)(in->operands[0].bits & 0xffff) : 0;
        made.mode = rg_has(in, "wait_all"); /* those that are in no group too */
        const ridge_status status = rg_expect(reader, waits, waits);
        return status ? status : rg_op_from(reader, &made, NULL, 0, NULL, 0);
    }
    const bool policy = rg_has(in, "L2::cache_hint");
    ridge_status status = rg_expect(reader, 3 + policy, 4 + policy);
    struct rg_op from = {0};
    status = status ? status : rg_decode_address(reader, &in->operands[0], RG_SPACE_SHARED, &made);
    status = status ? status : rg_decode_address(reader, &in->operands[1], RG_SPACE_GLOBAL, &from);
    if (status) {
        return status;
    }
    const struct rg_operand *size = &in->operands[2];
    if (size->kind != RG_OPERAND_INTEGER || (size->bits != 4 && size->bits != 8 && size->bits != 16)) {
        return rg_read_fail(reader, &size->word, RIDGE_E_SYNTAX, "4, 8 or 16 bytes are copied");
    }
    made.run = rg_run_cp_async;
    made.bytes = (uint8_t)size->bits;
    made.b = from.a;
    made.mode2 = from.mode;
    uint32_t *more = rg_arena_array(&reader->ptx->arena, 3, sizeof *more);
    if (!more) {
        return rg_read_memory(reader);
    }
    more[0] = (uint32_t)(uint64_t)from.immediate;
    more[1] = (uint32_t)((uint64_t)from.immediate >> 32);
    made.list = more;
    if (in->operand_count > 3U + policy) {
        if (in->operands[3].type == RG_PRED && in->operands[3].kind == RG_OPERAND_REGISTER) {
            return rg_decode_unknown(reader, "ignore-src");
        }
        made.c = rg_source(reader, &in->operands[3], RG_U32);
        if (made.c == RG_NO_SLOT) {
            return reader->error->status;
        }
    }
    made.marks = 0;
    rg_note_grain(reader, RG_SPACE_SHARED, 4);
    rg_note_grain(reader, RG_SPACE_GLOBAL, 4);
    const uint32_t reads[3] = {made.a, made.b, made.c};
    return rg_op_from(reader, &made, reads, made.c == RG_NO_SLOT ? 2 : 3, NULL, 0);
}

ridge_status rg_decode_ldmatrix(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const uint32_t count = rg_has(in, "x4") ? 4 : rg_has(in, "x2") ? 2 : 1;
    struct rg_op made = {.run = rg_run_ldmatrix, .class = RG_CLASS_SHARED, .flow = RG_FLOW_NONE, .bytes = 16};
    ridge_status status = rg_expect(reader, 2, 2);
    const struct rg_operand *target = &in->operands[0];
    if (status || target->kind != RG_OPERAND_VECTOR || target->count != count) {
        return status ? status
                      : rg_decode_unknown(reader, "it needs a vector of as many registers as it loads matrices");
    }
    uint32_t *slots = rg_arena_array(&reader->ptx->arena, count, sizeof *slots);
    for (uint32_t i = 0; slots && i < count; i++) {
        slots[i] = rg_target(reader, &in->operands[target->first + i], 4);
        if (slots[i] == RG_NO_SLOT) {
            return reader->error->status;
        }
    }
    status = slots ? rg_decode_address(reader, &in->operands[1], rg_space_of(in), &made) : rg_read_memory(reader);
    made.list = slots;
    made.list_count = count;
    made.mode2 = rg_has(in, "trans");
    made.marks = RG_MARK_READS;
    rg_note_grain(reader, RG_SPACE_SHARED, 4);
    return status ? status : rg_op_from(reader, &made, &made.a, 1, slots, count);
}
