/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ptx_read.h"
#include "engine/run.h"

/* NOLINTNEXTLINE(readability-non-const-parameter): the place is written later */
static ridge_status add_fixup(struct rg_reader *reader, uint32_t op, const struct rg_word *word, uint32_t *target)
{
    if (!rg_reserve(reader->ptx->context, &reader->fixups, &reader->fixup_capacity, reader->fixup_count + 1,
                    sizeof *reader->fixups)) {
        return rg_read_memory(reader);
    }
    reader->fixups[reader->fixup_count++] = (struct rg_fixup){op, *word, target};
    return RIDGE_OK;
}

ridge_status rg_decode_branch(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const struct rg_op made = {.flow = RG_FLOW_BRANCH, .class = RG_CLASS_BRANCH};
    ridge_status status = rg_expect(reader, 1, 1);
    if (!status && in->operands[0].kind != RG_OPERAND_NAME) {
        return rg_read_fail(reader, &in->operands[0].word, RIDGE_E_SYNTAX, "a label should be here");
    }
    status = status ? status : rg_op_from(reader, &made, NULL, 0, NULL, 0);
    return status ? status : add_fixup(reader, (uint32_t)reader->ptx->op_count - 1, &in->operands[0].word, NULL);
}

ridge_status rg_decode_brx(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    struct rg_op made = {.flow = RG_FLOW_BRANCH_INDEX, .class = RG_CLASS_BRANCH};
    const ridge_status status = rg_expect(reader, 2, 2);
    if (status) {
        return status;
    }
    if (in->operands[1].kind != RG_OPERAND_TARGETS) {
        return rg_read_fail(reader, &in->operands[1].word, RIDGE_E_SYNTAX, "a list of .branchtargets should be here");
    }
    const struct rg_symbol *targets = in->operands[1].symbol;
    const struct rg_word *words = targets->words;
    const uint32_t count = targets->word_count;
    uint32_t *list = rg_arena_array(&reader->ptx->arena, count, sizeof *list);
    made.a = rg_source(reader, &in->operands[0], RG_U32);
    if (!list || made.a == RG_NO_SLOT) {
        return list ? reader->error->status : rg_read_memory(reader);
    }
    made.list = list;
    made.list_count = count;
    ridge_status added = rg_op_from(reader, &made, &made.a, 1, NULL, 0);
    for (uint32_t i = 0; !added && i < count; i++) {
        added = add_fixup(reader, 0, &words[i], &list[i]);
    }
    return added;
}

/** A copy between registers and parameters: where from, where to. */
static ridge_status add_copy(struct rg_reader *reader, const struct rg_operand *operand,
                             const struct rg_parameter *formal, bool into_operand, uint32_t *list)
{
    const uint32_t bytes = formal->bytes;
    struct rg_call_side own = {RG_CALL_PARAMETER, 0};
    const struct rg_call_side other = {formal->slot == RG_NO_SLOT ? RG_CALL_PARAMETER : RG_CALL_REGISTER,
                                       formal->slot == RG_NO_SLOT ? formal->offset : formal->slot};
    if (operand->kind == RG_OPERAND_PARAMETER && !operand->symbol->kernel_parameter) {
        own.place = operand->symbol->parameter->offset;
        if (operand->symbol->parameter->bytes != bytes) {
            return rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "%.*s has %u bytes where the function takes %u",
                                (int)operand->word.length, operand->word.text, operand->symbol->parameter->bytes,
                                bytes);
        }
    } else {
        own.kind = RG_CALL_REGISTER;
        if (formal->type == RG_PRED || bytes > 8) {
            return rg_read_fail(reader, &operand->word, RIDGE_E_UNAVAILABLE,
                                "this parameter cannot be a register here");
        }
        own.place = into_operand ? rg_target(reader, operand, rg_register_bytes(formal->type))
                                 : rg_source(reader, operand, formal->type);
        if (own.place == RG_NO_SLOT) {
            return reader->error->status;
        }
    }
    const struct rg_call_side from = into_operand ? other : own;
    const struct rg_call_side to = into_operand ? own : other;
    const uint32_t copy[RG_CALL_COPY] = {from.kind, from.place, to.kind, to.place, bytes};
    memcpy(list, copy, sizeof copy);
    return RIDGE_OK;
}

/** One operation that copies all arguments or results of a call. */
static ridge_status add_copies(struct rg_reader *reader, const struct rg_operand *operand,
                               const struct rg_parameter *formals, uint32_t count, bool results)
{
    const struct rg_instruction *in = &reader->instruction;
    struct rg_op made = {.run = rg_run_copy, .class = RG_CLASS_COUNT};
    const uint32_t have = operand ? operand->count : 0;
    if (have != count) {
        return rg_read_fail(reader, &in->opcode, RIDGE_E_SYNTAX, "the call has %u %s where the function has %u", have,
                            results ? "results" : "arguments", count);
    }
    if (count == 0) {
        return RIDGE_OK;
    }
    uint32_t *list = rg_arena_array(&reader->ptx->arena, (size_t)count * RG_CALL_COPY, sizeof *list);
    if (!list) {
        return rg_read_memory(reader);
    }
    for (uint32_t i = 0; i < count; i++) {
        const ridge_status status =
            add_copy(reader, &in->operands[operand->first + i], &formals[i], results, list + (size_t)i * RG_CALL_COPY);
        if (status) {
            return status;
        }
    }
    made.list = list;
    made.list_count = count;
    return rg_op_from(reader, &made, NULL, 0, NULL, 0);
}

ridge_status rg_note_call(struct rg_reader *reader, struct rg_function *caller, struct rg_function *callee)
{
    struct rg_function **grown = caller->calls;
    if (caller->call_count == caller->call_capacity) {
        const size_t capacity = caller->call_capacity ? caller->call_capacity * 2 : 8;
        grown = rg_arena_array(&reader->ptx->arena, capacity, sizeof(struct rg_function *));
        if (!grown) {
            return rg_read_memory(reader);
        }
        if (caller->call_count) {
            memcpy(grown, caller->calls, caller->call_count * sizeof(struct rg_function *));
        }
        caller->calls = grown;
        caller->call_capacity = capacity;
    }
    grown[caller->call_count++] = callee;
    reader->ptx->has_calls = true;
    return RIDGE_OK;
}

/** What a call through a register passes, or takes: kind, place and bytes of each. */
static ridge_status add_sides(struct rg_reader *reader, const struct rg_operand *operand, bool results, uint32_t *list)
{
    const uint32_t count = operand ? operand->count : 0;
    for (uint32_t i = 0; i < count; i++, list += RG_CALL_SIDE) {
        const struct rg_operand *one = &reader->instruction.operands[operand->first + i];
        if (one->kind == RG_OPERAND_PARAMETER && !one->symbol->kernel_parameter) {
            list[0] = RG_CALL_PARAMETER;
            list[1] = one->symbol->parameter->offset;
            list[2] = one->symbol->parameter->bytes;
            continue;
        }
        if (one->kind != RG_OPERAND_REGISTER || one->type == RG_PRED || (results && one->special)) {
            return rg_read_fail(reader, &one->word, RIDGE_E_SYNTAX, "a parameter or register should be here");
        }
        list[0] = RG_CALL_REGISTER;
        list[1] = one->slot;
        list[2] = rg_register_bytes(one->type);
    }
    return RIDGE_OK;
}

/** call (results), register, (arguments), prototype: which function it is, each lane sees when it is there. */
static ridge_status decode_indirect(struct rg_reader *reader, bool returns)
{
    const struct rg_instruction *in = &reader->instruction;
    const uint32_t next = returns + 1U;
    const struct rg_operand *results = returns ? &in->operands[0] : NULL;
    const struct rg_operand *arguments =
        in->operand_count > next && in->operands[next].kind == RG_OPERAND_LIST ? &in->operands[next] : NULL;
    const uint32_t passed = arguments ? arguments->count : 0;
    const uint32_t taken = results ? results->count : 0;
    uint32_t *list = rg_arena_array(&reader->ptx->arena, (size_t)(passed + taken) * RG_CALL_SIDE + 1, sizeof *list);
    if (!list) {
        return rg_read_memory(reader);
    }
    struct rg_op copy = {.run = rg_run_copy_found, .class = RG_CLASS_COUNT, .list = list, .list_count = passed};
    struct rg_op call = {.flow = RG_FLOW_CALL, .class = RG_CLASS_BRANCH, .list = list, .list_count = passed};
    copy.a = rg_source(reader, &in->operands[returns], RG_U64);
    call.a = copy.a;
    call.immediate = taken;
    ridge_status status = copy.a == RG_NO_SLOT ? reader->error->status : RIDGE_OK;
    status = status ? status : add_sides(reader, arguments, false, list);
    status = status ? status : add_sides(reader, results, true, list + (size_t)passed * RG_CALL_SIDE);
    status = status ? status : rg_op_from(reader, &copy, &copy.a, 1, NULL, 0);
    status = status ? status : rg_op_from(reader, &call, &call.a, 1, NULL, 0);
    copy.list = list + (size_t)passed * RG_CALL_SIDE;
    copy.list_count = taken;
    copy.mode = 1;
    return status ? status : rg_op_from(reader, &copy, &copy.a, 1, NULL, 0);
}

ridge_status rg_decode_call(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const ridge_status status = rg_expect(reader, 1, 4);
    if (status) {
        return status;
    }
    const bool returns = in->operands[0].kind == RG_OPERAND_LIST;
    const struct rg_operand *name = &in->operands[returns];
    if (in->operand_count > returns && name->kind == RG_OPERAND_REGISTER) {
        return decode_indirect(reader, returns);
    }
    if (in->operand_count <= returns || name->kind != RG_OPERAND_FUNCTION || name->symbol->function->entry) {
        return rg_read_fail(reader, &name->word, RIDGE_E_SYNTAX, "%.*s is no function that was declared before",
                            (int)name->word.length, name->word.text);
    }
    struct rg_function *callee = name->symbol->function;
    reader->fence = 0; /* the barrier that it speaks of is elsewhere */
    const uint32_t next = returns + 1U;
    const bool passes = in->operand_count > next && in->operands[next].kind == RG_OPERAND_LIST;
    const struct rg_op made = {.flow = RG_FLOW_CALL, .class = RG_CLASS_BRANCH, .function = callee};
    if (!callee->defined && strcmp(callee->name, "printf") == 0) {
        return rg_op_from(reader, &made, NULL, 0, NULL, 0); /* any number of arguments; nothing is printed */
    }
    ridge_status done =
        add_copies(reader, passes ? &in->operands[next] : NULL, callee->parameters, callee->parameter_count, false);
    done = done ? done : rg_op_from(reader, &made, NULL, 0, NULL, 0);
    done = done ? done
                : add_copies(reader, returns ? &in->operands[0] : NULL, callee->results,
                             returns ? callee->result_count : 0, true);
    return done ? done : rg_note_call(reader, reader->function, callee);
}

ridge_status rg_decode_return(struct rg_reader *reader)
{
    const bool entry = reader->function->entry;
    const struct rg_op made = {
        .flow = entry ? RG_FLOW_EXIT : RG_FLOW_RETURN, .class = RG_CLASS_BRANCH, .function = reader->function};
    const ridge_status status = rg_expect(reader, 0, 0);
    return status ? status : rg_op_from(reader, &made, NULL, 0, NULL, 0);
}

ridge_status rg_decode_exit(struct rg_reader *reader)
{
    const struct rg_op made = {.flow = RG_FLOW_EXIT, .class = RG_CLASS_BRANCH};
    const ridge_status status = rg_expect(reader, 0, 0);
    return status ? status : rg_op_from(reader, &made, NULL, 0, NULL, 0);
}

ridge_status rg_decode_trap(struct rg_reader *reader)
{
    const struct rg_op made = {.flow = RG_FLOW_TRAP, .class = RG_CLASS_BRANCH};
    const ridge_status status = rg_expect(reader, 0, 0);
    return status ? status : rg_op_from(reader, &made, NULL, 0, NULL, 0);
}

ridge_status rg_decode_nothing(struct rg_reader *reader)
{
    const struct rg_op made = {.run = rg_run_nothing, .class = RG_CLASS_MOVE};
    return rg_op_from(reader, &made, NULL, 0, NULL, 0);
}

/** createpolicy: there is no cache to advise, so every policy is 0. */
ridge_status rg_decode_policy(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const ridge_status status = rg_expect(reader, 1, 2);
    struct rg_op made = {.code = RG_CODE_mov_b64, .class = RG_CLASS_MOVE};
    if (status) {
        return status;
    }
    made.a = rg_slot_bits(reader, 0, 8);
    made.d = made.a == RG_NO_SLOT ? RG_NO_SLOT : rg_target(reader, &in->operands[0], 8);
    return made.d == RG_NO_SLOT ? reader->error->status : rg_op_from(reader, &made, &made.a, 1, &made.d, 1);
}

static ridge_status decode_warp_barrier(struct rg_reader *reader)
{
    struct rg_op made = {.flow = RG_FLOW_WARP_SYNC, .run = rg_run_warp_barrier, .class = RG_CLASS_BARRIER};
    const ridge_status status = rg_expect(reader, 1, 1);
    if (status) {
        return status;
    }
    made.extra = rg_source(reader, &reader->instruction.operands[0], RG_B32);
    return made.extra == RG_NO_SLOT ? reader->error->status : rg_op_from(reader, &made, &made.extra, 1, NULL, 0);
}

ridge_status rg_decode_barrier(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    if (rg_has(in, "warp")) {
        return decode_warp_barrier(reader);
    }
    const bool reduces = rg_has(in, "red");
    const bool arrives = rg_has(in, "arrive");
    const bool predicate = reduces && !rg_has(in, "popc");
    struct rg_op made = {.flow = RG_FLOW_BARRIER, .class = RG_CLASS_BARRIER, .immediate = reader->fence};
    reader->fence = 0;
    made.mode = reduces ? RG_BARRIER_REDUCE : arrives ? RG_BARRIER_ARRIVE : RG_BARRIER_SYNC;
    made.mode2 = rg_has(in, "popc") ? RG_REDUCE_COUNT : rg_has(in, "and") ? RG_REDUCE_AND : RG_REDUCE_OR;
    made.marks = rg_word_is(&in->opcode, "bar") || rg_has(in, "aligned") ? RG_MARK_ALIGNED : 0;
    const uint32_t least = reduces ? 3 : arrives ? 2 : 1;
    const uint32_t most = reduces ? 4 : 2;
    const ridge_status status = rg_expect(reader, least, most);
    if (status) {
        return status;
    }
    uint32_t reads[3];
    uint32_t count = 0;
    made.a = rg_source(reader, &in->operands[reduces], RG_U32);
    reads[count++] = made.a;
    if (made.a != RG_NO_SLOT && in->operand_count > 1U + 2U * reduces) {
        made.b = rg_source(reader, &in->operands[1U + reduces], RG_U32);
        reads[count++] = made.b;
    }
    if (made.a == RG_NO_SLOT || (count == 2 && made.b == RG_NO_SLOT)) {
        return reader->error->status;
    }
    if (reduces) {
        struct rg_operand source = in->operands[in->operand_count - 1];
        made.bytes = source.negated;
        source.negated = false;
        made.c = rg_source(reader, &source, RG_PRED);
        made.d = made.c == RG_NO_SLOT ? RG_NO_SLOT : rg_target(reader, &in->operands[0], predicate ? 0 : 4);
        if (made.d == RG_NO_SLOT) {
            return reader->error->status;
        }
        reads[count++] = made.c;
    }
    return rg_op_from(reader, &made, reads, count, &made.d, reduces);
}
