/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ptx_read.h"
#include "engine/run.h"

rg_space rg_space_of(const struct rg_instruction *in)
{
    static const struct {
        const char *word;
        rg_space space;
    } words[] = {{"global", RG_SPACE_GLOBAL},      {"shared", RG_SPACE_SHARED},
                 {"shared::cta", RG_SPACE_SHARED}, {"local", RG_SPACE_LOCAL},
                 {"const", RG_SPACE_CONST},        {"param", RG_SPACE_PARAM},
                 {"param::entry", RG_SPACE_PARAM}, {"param::func", RG_SPACE_CALL_PARAM}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (rg_has(in, words[i].word)) {
            return words[i].space;
        }
    }
    return RG_SPACE_GENERIC;
}

static uint8_t class_of(rg_space space)
{
    static const uint8_t classes[RG_SPACE_COUNT] = {RG_CLASS_GLOBAL, RG_CLASS_GLOBAL,   RG_CLASS_SHARED,
                                                    RG_CLASS_LOCAL,  RG_CLASS_CONSTANT, RG_CLASS_CONSTANT,
                                                    RG_CLASS_MOVE};
    return classes[space];
}

/** Where an address operand points: into op's space, a, mode (bytes of the address) and immediate. */
ridge_status rg_decode_address(struct rg_reader *reader, const struct rg_operand *operand, rg_space space,
                               struct rg_op *made)
{
    made->mode = 8;
    made->immediate = 0;
    made->space = (uint8_t)space;
    if (!operand->address) {
        return rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "an address in brackets should be here");
    }
    if (operand->kind == RG_OPERAND_REGISTER) {
        made->mode = (uint8_t)rg_register_bytes(operand->type);
        made->a = operand->slot;
        made->immediate = (int64_t)operand->bits;
        if (operand->type == RG_PRED || made->mode < 4) {
            return rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "an address has 32 or 64 bits");
        }
        return RIDGE_OK;
    }
    if (operand->kind == RG_OPERAND_VARIABLE) {
        const struct rg_variable *variable = reader->ptx->variables[operand->index];
        const struct rg_fill fill = {RG_FILL_ADDRESS, operand->index, 0, 0, 8, false, reader->function};
        made->space = (uint8_t)variable->space;
        if (space != RG_SPACE_GENERIC && space != variable->space) {
            return rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "%s lies in another state space",
                                variable->name);
        }
        made->a = rg_slot_fill(reader, &fill);
        made->immediate = (int64_t)operand->bits;
    } else if (operand->kind == RG_OPERAND_PARAMETER) {
        const struct rg_parameter *parameter = operand->symbol->parameter;
        made->space = operand->symbol->kernel_parameter ? RG_SPACE_PARAM : RG_SPACE_CALL_PARAM;
        made->a = rg_slot_bits(reader, parameter->offset, 8);
        made->immediate = (int64_t)operand->bits;
    } else if (operand->kind == RG_OPERAND_INTEGER) {
        made->a = rg_slot_bits(reader, operand->bits, 8);
    } else {
        return rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "%.*s is no address", (int)operand->word.length,
                            operand->word.text);
    }
    return made->a == RG_NO_SLOT ? reader->error->status : RIDGE_OK;
}

/** Smallest accesses: checking keeps its records in that grain. */
void rg_note_grain(struct rg_reader *reader, rg_space space, uint32_t bytes)
{
    struct rg_function *function = reader->function;
    if (space == RG_SPACE_SHARED || space == RG_SPACE_GENERIC) {
        uint32_t *least = &function->shared_bytes_min;
        *least = *least == 0 || bytes < *least ? bytes : *least;
    }
    if (space == RG_SPACE_GLOBAL || space == RG_SPACE_GENERIC) {
        uint32_t *least = &function->global_bytes_min;
        *least = *least == 0 || bytes < *least ? bytes : *least;
    }
}

uint16_t rg_order_marks(const struct rg_instruction *in)
{
    const bool strong =
        rg_has(in, "relaxed") || rg_has(in, "acquire") || rg_has(in, "release") || rg_has(in, "acq_rel");
    const bool ordering = rg_has(in, "acquire") || rg_has(in, "release") || rg_has(in, "acq_rel");
    return (uint16_t)((strong ? RG_MARK_ATOMIC : 0) | (ordering ? RG_MARK_FENCE : 0) |
                      (rg_has(in, "volatile") ? RG_MARK_ATOMIC | RG_MARK_VOLATILE : 0) |
                      (rg_has(in, "cta") ? RG_MARK_BLOCK : 0));
}

/** The registers of a vector operand, or one; all of one width. */
static ridge_status vector_slots(struct rg_reader *reader, const struct rg_operand *operand, rg_type type, bool writes,
                                 struct rg_op *made)
{
    const struct rg_instruction *in = &reader->instruction;
    const uint32_t wanted = rg_has(in, "v2") ? 2 : rg_has(in, "v4") ? 4 : 0;
    const bool is_vector = operand->kind == RG_OPERAND_VECTOR;
    const uint32_t count = is_vector ? operand->count : 1;
    uint32_t *slots = rg_arena_array(&reader->ptx->arena, count, sizeof *slots);
    if (!slots) {
        return rg_read_memory(reader);
    }
    if (is_vector != (wanted > 0) || (wanted && count != wanted) || wanted * made->bytes > 16) {
        return rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "%u registers where %u should be", count,
                            wanted ? wanted : 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct rg_operand *one = is_vector ? &in->operands[operand->first + i] : operand;
        uint32_t bytes = rg_register_bytes(type);
        if (one->kind == RG_OPERAND_SINK && !writes) {
            continue;
        }
        if (writes) {
            slots[i] = rg_source_any(reader, one, type, &bytes);
        } else {
            bytes = one->kind == RG_OPERAND_REGISTER ? rg_register_bytes(one->type) : bytes;
            slots[i] = rg_target(reader, one, bytes);
        }
        if (slots[i] == RG_NO_SLOT) {
            return reader->error->status;
        }
        if (bytes < made->bytes || (made->register_bytes && made->register_bytes != bytes)) {
            return rg_read_fail(reader, &one->word, RIDGE_E_SYNTAX, "%.*s has the wrong width for %s",
                                (int)one->word.length, one->word.text, rg_types[type].word);
        }
        made->register_bytes = (uint8_t)bytes;
    }
    made->register_bytes = made->register_bytes ? made->register_bytes : (uint8_t)rg_register_bytes(type);
    made->d = slots[0];
    made->list = slots;
    made->list_count = is_vector ? count : 0;
    return RIDGE_OK;
}

ridge_status rg_op_from(struct rg_reader *reader, const struct rg_op *made, const uint32_t *reads, uint32_t read_count,
                        const uint32_t *writes, uint32_t write_count)
{
    struct rg_op *op = rg_op_add(reader);
    if (!op) {
        return reader->error->status;
    }
    const struct rg_op place = *op;
    *op = *made;
    op->guard = place.guard;
    op->guard_not = place.guard_not;
    op->file = place.file;
    op->line = place.line;
    op->inlined = place.inlined;
    op->ptx_line = place.ptx_line;
    return rg_op_uses(reader, op, reads, read_count, writes, write_count);
}

static ridge_status decode_access(struct rg_reader *reader, bool writes)
{
    const struct rg_instruction *in = &reader->instruction;
    struct rg_op made = {.code = writes ? RG_CODE_store : RG_CODE_load};
    const bool policy = rg_has(in, "L2::cache_hint");
    ridge_status status = rg_expect(reader, 2 + policy, 2 + policy);
    if (status) {
        return status;
    }
    const rg_type type = in->types[0];
    made.type = (uint8_t)type;
    made.bytes = (uint8_t)rg_types[type].bytes;
    status = rg_decode_address(reader, &in->operands[writes ? 0 : 1], rg_space_of(in), &made);
    status = status ? status : vector_slots(reader, &in->operands[writes ? 1 : 0], type, writes, &made);
    if (status) {
        return status;
    }
    made.class = class_of((rg_space)made.space);
    made.marks = (uint16_t)(rg_order_marks(in) | (writes ? RG_MARK_WRITES : RG_MARK_READS));
    rg_note_grain(reader, (rg_space)made.space, made.bytes);
    const uint32_t count = made.list_count ? made.list_count : 1;
    uint32_t reads[17];
    reads[0] = made.a;
    if (!writes) {
        return rg_op_from(reader, &made, reads, 1, made.list_count ? made.list : &made.d, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        reads[i + 1] = made.list_count ? made.list[i] : made.d;
    }
    return rg_op_from(reader, &made, reads, count + 1, NULL, 0);
}

ridge_status rg_decode_load(struct rg_reader *reader)
{
    return decode_access(reader, false);
}

ridge_status rg_decode_store(struct rg_reader *reader)
{
    return decode_access(reader, true);
}

ridge_status rg_decode_atom(struct rg_reader *reader)
{
    static const char *const words[RG_ATOM_COUNT] = {"add", "exch", "min", "max", "inc",
                                                     "dec", "cas",  "and", "or",  "xor"};
    const struct rg_instruction *in = &reader->instruction;
    const bool reduces = rg_word_is(&in->opcode, "red");
    const uint32_t first = reduces ? 0 : 1;
    rg_atom atom = RG_ATOM_ADD;
    for (unsigned i = 0; i < RG_ATOM_COUNT; i++) {
        atom = rg_has(in, words[i]) ? (rg_atom)i : atom;
    }
    const rg_type type = in->types[0];
    const bool swaps = atom == RG_ATOM_CAS;
    struct rg_op made = {.run = rg_run_atom, .class = RG_CLASS_ATOMIC, .type = (uint8_t)type, .mode2 = (uint8_t)atom};
    ridge_status status = rg_expect(reader, first + 2 + swaps, first + 3 + swaps);
    status = status ? status : rg_decode_address(reader, &in->operands[first], rg_space_of(in), &made);
    if (status) {
        return status;
    }
    made.bytes = (uint8_t)rg_types[type].bytes;
    made.register_bytes = (uint8_t)rg_register_bytes(type);
    made.b = rg_source(reader, &in->operands[first + 1], type);
    made.c = !swaps || made.b == RG_NO_SLOT ? made.b : rg_source(reader, &in->operands[first + 2], type);
    if (made.c == RG_NO_SLOT) {
        return reader->error->status;
    }
    made.d = RG_NO_SLOT;
    if (!reduces && in->operands[0].kind != RG_OPERAND_SINK) {
        made.d = rg_target(reader, &in->operands[0], made.register_bytes);
        if (made.d == RG_NO_SLOT) {
            return reader->error->status;
        }
    }
    made.marks = RG_MARK_ATOMIC | RG_MARK_READS | RG_MARK_WRITES | RG_MARK_UNKNOWN;
    made.marks |= rg_order_marks(in);
    rg_note_grain(reader, (rg_space)made.space, made.bytes);
    const uint32_t reads[3] = {made.a, made.b, made.c};
    return rg_op_from(reader, &made, reads, 3, &made.d, made.d != RG_NO_SLOT);
}

void rg_mark_guesses(struct rg_ptx *ptx, const struct rg_function *function)
{
    struct rg_op *ops = &ptx->ops[function->first_op];
    for (uint32_t i = 0; i < function->op_count; i++) {
        const struct rg_op *swap = &ops[i];
        if (swap->run != rg_run_atom || swap->mode2 != RG_ATOM_CAS) {
            continue;
        }
        for (uint32_t k = 0; k < function->op_count; k++) {
            const bool same = ops[k].space == swap->space && ops[k].a == swap->a && ops[k].mode == swap->mode &&
                              ops[k].immediate == swap->immediate && ops[k].bytes == swap->bytes;
            if (ops[k].code == RG_CODE_load && ops[k].list_count == 0 && same) {
                ops[k].marks |= RG_MARK_GUESS;
            }
        }
    }
}

ridge_status rg_decode_cvta(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const ridge_status status = rg_expect(reader, 2, 2);
    if (status) {
        return status;
    }
    struct rg_op made = {.run = rg_run_cvta, .class = RG_CLASS_MOVE, .space = (uint8_t)rg_space_of(in)};
    made.mode = rg_has(in, "to");
    if (in->operands[1].kind == RG_OPERAND_PARAMETER) {
        made.a = rg_slot_bits(reader, in->operands[1].symbol->parameter->offset + in->operands[1].bits, 8);
    } else {
        made.a = rg_source(reader, &in->operands[1], RG_U64);
    }
    made.d = made.a == RG_NO_SLOT ? RG_NO_SLOT : rg_target(reader, &in->operands[0], 8);
    return made.d == RG_NO_SLOT ? reader->error->status : rg_op_from(reader, &made, &made.a, 1, &made.d, 1);
}

/** mov.b64 d, parameter: its address in parameter space. */
ridge_status rg_decode_parameter_address(struct rg_reader *reader)
{
    struct rg_instruction *in = &reader->instruction;
    struct rg_operand *source = &in->operands[1];
    if (!source->symbol->kernel_parameter) {
        return rg_decode_unknown(reader, "the address of a parameter of a function");
    }
    source->bits += source->symbol->parameter->offset;
    source->kind = RG_OPERAND_INTEGER;
    return rg_decode_plain(reader);
}

ridge_status rg_decode_isspacep(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const ridge_status status = rg_expect(reader, 2, 2);
    if (status) {
        return status;
    }
    struct rg_op made = {.run = rg_run_isspacep, .class = RG_CLASS_INTEGER, .space = (uint8_t)rg_space_of(in)};
    made.a = rg_source(reader, &in->operands[1], RG_U64);
    made.d = made.a == RG_NO_SLOT ? RG_NO_SLOT : rg_target(reader, &in->operands[0], 0);
    return made.d == RG_NO_SLOT ? reader->error->status : rg_op_from(reader, &made, &made.a, 1, &made.d, 1);
}

ridge_status rg_decode_prefetch(struct rg_reader *reader)
{
    const struct rg_op made = {.run = rg_run_nothing, .class = RG_CLASS_MOVE};
    return rg_op_from(reader, &made, NULL, 0, NULL, 0);
}

ridge_status rg_decode_fence(struct rg_reader *reader)
{
    const uint16_t scope = rg_has(&reader->instruction, "cta") ? RG_MARK_BLOCK : 0;
    const struct rg_op made = {
        .run = rg_run_fence, .class = RG_CLASS_BARRIER, .marks = (uint16_t)(RG_MARK_FENCE | scope)};
    const ridge_status status = rg_expect(reader, 0, 0);
    return status ? status : rg_op_from(reader, &made, NULL, 0, NULL, 0);
}
