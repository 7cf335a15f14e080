/* SPDX-License-Identifier: MIT */
#include "engine/ptx_decode.h"

#include <stdio.h>
#include <string.h>

#include "engine/lanes_math.h"
#include "engine/run.h"

/**
 * Opcodes: how each is decoded and which modifiers it may have (types are known by themselves). A modifier that is not
 * listed makes the instruction unknown: nothing is skipped in silence. Source: PTX ISA, chapter "Instruction Set".
 */
static const struct opcode {
    const char *name;
    rg_decoder decode;
    const char *modifiers;
} opcodes[] = {
    {"abs", rg_decode_plain, " ftz "},
    {"activemask", rg_decode_activemask, " "},
    {"add", rg_decode_plain, " rn rz rm rp ftz sat cc "},
    {"addc", rg_decode_carry, " cc "},
    {"and", rg_decode_plain, " "},
    {"atom", rg_decode_atom, RG_ATOM_WORDS},
    {"bar", rg_decode_barrier, " sync arrive red warp aligned popc and or cta "},
    {"barrier", rg_decode_barrier, " sync arrive red aligned popc and or cta "},
    {"bfe", rg_decode_plain, " "},
    {"bfi", rg_decode_bfi, " "},
    {"bfind", rg_decode_plain, " shiftamt "},
    {"bmsk", rg_decode_plain, " wrap clamp "},
    {"bra", rg_decode_branch, " uni "},
    {"brev", rg_decode_plain, " "},
    {"brkpt", rg_decode_nothing, " "},
    {"brx", rg_decode_brx, " idx uni "},
    {"call", rg_decode_call, " uni "},
    {"clz", rg_decode_plain, " "},
    {"cnot", rg_decode_plain, " "},
    {"copysign", rg_decode_plain, " "},
    {"cos", rg_decode_plain, " approx ftz "},
    {"cp", rg_decode_cp,
     " async ca cg shared global shared::cta commit_group wait_group wait_all L2::64B L2::128B L2::256B L2::cache_hint "},
    {"cvt", rg_decode_cvt, " rn rz rm rp rna rni rzi rmi rpi ftz sat relu satfinite "},
    {"cvta", rg_decode_cvta, " to global shared shared::cta local const param "},
    {"discard", rg_decode_prefetch, " global L2 "},
    {"div", rg_decode_plain, " rn rz rm rp approx full ftz "},
    {"dp2a", rg_decode_plain, " lo hi "},
    {"dp4a", rg_decode_plain, " "},
    {"elect", rg_decode_elect, " sync "},
    {"ex2", rg_decode_plain, " approx ftz "},
    {"exit", rg_decode_exit, " "},
    {"fence", rg_decode_fence, " sc acq_rel acquire release cta gpu sys cluster "},
    {"fma", rg_decode_plain, " rn rz rm rp ftz sat relu "},
    {"isspacep", rg_decode_isspacep, " global shared shared::cta local const param "},
    {"ld", rg_decode_load, RG_LOAD_WORDS},
    {"ldmatrix", rg_decode_ldmatrix, " sync aligned m8n8 x1 x2 x4 trans shared shared::cta "},
    {"ldu", rg_decode_load, " global v2 v4 "},
    {"lg2", rg_decode_plain, " approx ftz "},
    {"lop3", rg_decode_plain, " "},
    {"mad", rg_decode_plain, " lo hi wide rn rz rm rp ftz sat cc "},
    {"mad24", rg_decode_plain, " lo hi "},
    {"madc", rg_decode_carry, " lo hi cc "},
    {"match", rg_decode_match, " any all sync "},
    {"max", rg_decode_plain, " ftz NaN xorsign abs relu "},
    {"membar", rg_decode_fence, " cta gl sys "},
    {"min", rg_decode_plain, " ftz NaN xorsign abs relu "},
    {"mma", rg_decode_mma, " sync aligned row col m16n8k16 m16n8k8 m16n8k4 m8n8k4 m16n8k32 satfinite rn "},
    {"mov", rg_decode_mov, " "},
    {"mul", rg_decode_plain, " lo hi wide rn rz rm rp ftz sat "},
    {"mul24", rg_decode_plain, " lo hi "},
    {"nanosleep", rg_decode_nothing, " "},
    {"neg", rg_decode_plain, " ftz "},
    {"not", rg_decode_plain, " "},
    {"or", rg_decode_plain, " "},
    {"pmevent", rg_decode_nothing, " mask "},
    {"popc", rg_decode_plain, " "},
    {"prefetch", rg_decode_prefetch, " global local L1 L2 L2::evict_last L2::evict_normal "},
    {"prefetchu", rg_decode_prefetch, " L1 "},
    {"prmt", rg_decode_plain, " f4e b4e rc8 ecl ecr rc16 "},
    {"rcp", rg_decode_plain, " approx rn rz rm rp ftz ftz64h "},
    {"red", rg_decode_atom, RG_ATOM_WORDS},
    {"redux", rg_decode_redux, " sync add min max and or xor "},
    {"rem", rg_decode_plain, " "},
    {"ret", rg_decode_return, " uni "},
    {"rsqrt", rg_decode_plain, " approx ftz "},
    {"sad", rg_decode_plain, " "},
    {"selp", rg_decode_selp, " "},
    {"set", rg_decode_set, RG_COMPARE_WORDS},
    {"setp", rg_decode_setp, RG_COMPARE_WORDS},
    {"shf", rg_decode_plain, " l r wrap clamp "},
    {"shfl", rg_decode_shuffle, " sync up down bfly idx "},
    {"shl", rg_decode_plain, " "},
    {"shr", rg_decode_plain, " "},
    {"sin", rg_decode_plain, " approx ftz "},
    {"slct", rg_decode_plain, " ftz "},
    {"sqrt", rg_decode_plain, " approx rn rz rm rp ftz "},
    {"st", rg_decode_store, RG_LOAD_WORDS},
    {"sub", rg_decode_plain, " rn rz rm rp ftz sat cc "},
    {"subc", rg_decode_carry, " cc "},
    {"szext", rg_decode_plain, " wrap clamp "},
    {"tanh", rg_decode_plain, " approx "},
    {"testp", rg_decode_testp, " finite infinite number notanumber normal subnormal "},
    {"trap", rg_decode_trap, " "},
    {"vote", rg_decode_vote, " sync all any uni ballot "},
    {"wmma", rg_decode_wmma,
     " load store mma sync aligned row col a b c d m16n16k16 m32n8k16 m8n32k16 m16n16k8 m8n8k4 global shared shared::cta satfinite rn "},
    {"xor", rg_decode_plain, " "},
};

static const struct opcode *find_opcode(const struct rg_word *word)
{
    for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++) {
        if (rg_word_is(word, opcodes[i].name)) {
            return &opcodes[i];
        }
    }
    return NULL;
}

/** The instruction as far as it was read, without its operands. */
static void write_instruction(const struct rg_instruction *in, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "%.*s", (int)in->opcode.length, in->opcode.text);
    for (uint32_t i = 0; i < in->modifier_count && at < size; i++) {
        at += (size_t)snprintf(text + at, size - at, "%.*s", (int)in->modifiers[i].length, in->modifiers[i].text);
    }
}

ridge_status rg_decode_unknown(struct rg_reader *reader, const char *why)
{
    char text[200];
    write_instruction(&reader->instruction, text, sizeof text);
    return rg_read_fail(reader, &reader->instruction.opcode, RIDGE_E_UNAVAILABLE,
                        "the instruction %s is not known here%s%s", text, *why ? ": " : "", why);
}

bool rg_has(const struct rg_instruction *in, const char *modifier)
{
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        const struct rg_word *word = &in->modifiers[i];
        if (strlen(modifier) == word->length - 1 && memcmp(word->text + 1, modifier, word->length - 1) == 0) {
            return true;
        }
    }
    return false;
}

static const char *refusal(const struct rg_word *word)
{
    static const struct {
        const char *start;
        const char *why;
    } refused[] = {
        {"tex", "textures are refused"},
        {"tld4", "textures are refused"},
        {"txq", "textures are refused"},
        {"istypep", "textures and surfaces are refused"},
        {"su", "surfaces are refused"},
        {"v", "video instructions are refused"},
        {"wgmma", "matrix instructions of a warp group are refused"},
        {"tcgen05", "tensor memory is refused"},
        {"mbarrier", "memory barriers as objects are refused"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const size_t length = strlen(refused[i].start);
        if (word->length >= length && memcmp(word->text, refused[i].start, length) == 0) {
            return refused[i].why;
        }
    }
    return "";
}

ridge_status rg_decode_known(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const struct opcode *opcode = find_opcode(&in->opcode);
    if (!opcode) {
        return rg_decode_unknown(reader, refusal(&in->opcode));
    }
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        const struct rg_word *word = &in->modifiers[i];
        char wanted[64];
        snprintf(wanted, sizeof wanted, " %.*s ", (int)word->length - 1, word->text + 1);
        if (rg_type_find(word->text + 1, word->length - 1) == RG_TYPE_COUNT && !strstr(opcode->modifiers, wanted)) {
            char why[100];
            snprintf(why, sizeof why, "%s may not have %.*s", opcode->name,
                     (int)(word->length > 40 ? 40 : word->length), word->text);
            return rg_decode_unknown(reader, why);
        }
    }
    return RIDGE_OK;
}

ridge_status rg_decode(struct rg_reader *reader)
{
    const struct opcode *opcode = find_opcode(&reader->instruction.opcode);
    return opcode ? opcode->decode(reader) : rg_decode_unknown(reader, "");
}

ridge_status rg_expect(struct rg_reader *reader, uint32_t least, uint32_t most)
{
    const struct rg_instruction *in = &reader->instruction;
    if (in->operand_count >= least && in->operand_count <= most) {
        return RIDGE_OK;
    }
    return rg_read_fail(reader, &in->opcode, RIDGE_E_SYNTAX, "%.*s has %u operands here (%u to %u would be right)",
                        (int)in->opcode.length, in->opcode.text, in->operand_count, least, most);
}

struct rg_op *rg_op_add(struct rg_reader *reader)
{
    struct rg_ptx *ptx = reader->ptx;
    const struct rg_instruction *in = &reader->instruction;
    if (ptx->op_count >= 1 << 24 ||
        !rg_reserve(ptx->context, &ptx->ops, &ptx->op_capacity, ptx->op_count + 1, sizeof *ptx->ops)) {
        rg_read_memory(reader);
        return NULL;
    }
    struct rg_op *op = &ptx->ops[ptx->op_count++];
    *op = (struct rg_op){.guard = in->guard, .guard_not = in->guard_not, .code = RG_CODE_COUNT};
    op->file = reader->file;
    op->line = reader->line;
    op->ptx_line = in->opcode.line ? in->opcode.line : reader->lexer.word.line;
    return op;
}

ridge_status rg_op_uses(struct rg_reader *reader, struct rg_op *op, const uint32_t *reads, uint32_t read_count,
                        const uint32_t *writes, uint32_t write_count)
{
    uint32_t *slots = rg_arena_array(&reader->ptx->arena, read_count + write_count + 1U, sizeof *slots);
    if (!slots) {
        return rg_read_memory(reader);
    }
    for (uint32_t i = 0; i < read_count; i++) {
        slots[i] = reads[i];
    }
    if (op->guard != RG_NO_SLOT) {
        slots[read_count++] = op->guard;
    }
    for (uint32_t i = 0; i < write_count; i++) {
        slots[read_count + i] = writes[i];
    }
    op->uses = (struct rg_uses){read_count, write_count, slots};
    return RIDGE_OK;
}

static bool literal_bits(const struct rg_operand *operand, rg_type type, uint64_t *bits)
{
    const bool is_float = rg_types[type].kind != RG_KIND_SIGNED;
    switch (operand->kind) {
    case RG_OPERAND_INTEGER: *bits = operand->bits; return true;
    case RG_OPERAND_F32:
        *bits = type == RG_F64 ? rg_f64_bits((double)rg_f32((uint32_t)operand->bits)) : operand->bits;
        return is_float && rg_types[type].bytes >= 4;
    case RG_OPERAND_F64:
        *bits = type == RG_F32 ? rg_f32_bits((float)rg_f64(operand->bits)) : operand->bits;
        return is_float && rg_types[type].bytes >= 4;
    case RG_OPERAND_FLOAT:
        *bits = rg_types[type].bytes == 8 ? rg_f64_bits(operand->number) : rg_f32_bits((float)operand->number);
        return is_float && rg_types[type].bytes >= 4;
    case RG_OPERAND_SINK:
    case RG_OPERAND_REGISTER:
    case RG_OPERAND_VARIABLE:
    case RG_OPERAND_PARAMETER:
    case RG_OPERAND_NAME:
    case RG_OPERAND_FUNCTION:
    case RG_OPERAND_TARGETS:
    case RG_OPERAND_PROTOTYPE:
    case RG_OPERAND_VECTOR:
    case RG_OPERAND_LIST: break;
    }
    return false;
}

/** The address of a variable as a column: in its space, as mov gives it. */
static uint32_t variable_column(struct rg_reader *reader, const struct rg_operand *operand, uint32_t bytes)
{
    const struct rg_fill fill = {RG_FILL_ADDRESS, operand->index, (int64_t)operand->bits, 0,
                                 bytes,           false,          reader->function};
    return rg_slot_fill(reader, &fill);
}

uint32_t rg_source_any(struct rg_reader *reader, const struct rg_operand *operand, rg_type type, uint32_t *bytes)
{
    uint64_t bits = 0;
    *bytes = rg_register_bytes(type);
    if (operand->address || operand->negated) {
        rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "a register or number should be here");
        return RG_NO_SLOT;
    }
    if (operand->kind == RG_OPERAND_REGISTER) {
        *bytes = rg_register_bytes(operand->type);
        if ((operand->type == RG_PRED) == (type == RG_PRED)) {
            return operand->slot;
        }
    } else if (operand->kind == RG_OPERAND_VARIABLE && *bytes >= 4 && type != RG_PRED) {
        return variable_column(reader, operand, *bytes);
    } else if (type != RG_PRED && literal_bits(operand, type, &bits)) {
        return rg_slot_bits(reader, bits, *bytes);
    }
    rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "%.*s does not fit here (a %s would be right)",
                 (int)operand->word.length, operand->word.text, rg_types[type].word);
    return RG_NO_SLOT;
}

uint32_t rg_source(struct rg_reader *reader, const struct rg_operand *operand, rg_type type)
{
    uint32_t bytes;
    const uint32_t slot = rg_source_any(reader, operand, type, &bytes);
    if (slot != RG_NO_SLOT && bytes != rg_register_bytes(type)) {
        rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "%.*s has %u bits where %u should be",
                     (int)operand->word.length, operand->word.text, bytes * 8, rg_register_bytes(type) * 8);
        return RG_NO_SLOT;
    }
    return slot;
}

uint32_t rg_target(struct rg_reader *reader, const struct rg_operand *operand, uint32_t bytes)
{
    if (operand->kind != RG_OPERAND_REGISTER || operand->address || operand->negated || operand->special) {
        rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "a register that is written should be here");
        return RG_NO_SLOT;
    }
    const uint32_t have = operand->type == RG_PRED ? 0 : rg_register_bytes(operand->type);
    if (have != bytes) {
        rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "%.*s is no register of %u bits",
                     (int)operand->word.length, operand->word.text, bytes * 8);
        return RG_NO_SLOT;
    }
    return operand->slot;
}
