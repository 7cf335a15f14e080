/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/matrix.h"
#include "engine/ptx_read.h"
#include "engine/run.h"

struct shape {
    const char *word;
    uint32_t m;
    uint32_t n;
    uint32_t k;
};

static const struct shape shapes[] = {
    {"m16n16k16", 16, 16, 16}, {"m32n8k16", 32, 8, 16}, {"m8n32k16", 8, 32, 16},
    {"m16n16k8", 16, 16, 8},   {"m16n8k16", 16, 8, 16}, {"m16n8k8", 16, 8, 8},
    {"m16n8k4", 16, 8, 4},     {"m16n8k32", 16, 8, 32}, {"m8n8k4", 8, 8, 4},
};

static const struct shape *find_shape(const struct rg_instruction *in)
{
    const struct shape *shape = shapes;
    while (!rg_has(in, shape->word)) { /* the form has one of them */
        shape++;
    }
    return shape;
}

static uint32_t elements_of(rg_type type)
{
    return type == RG_F16 || type == RG_BF16 ? 2 : type == RG_S8 || type == RG_U8 ? 4 : 1;
}

/** The registers of a fragment: a vector, or one register of f64. */
static ridge_status read_fragment(struct rg_reader *reader, uint32_t index, bool writes, struct rg_fragment *fragment)
{
    const struct rg_instruction *in = &reader->instruction;
    const struct rg_operand *operand = &in->operands[index];
    const bool vector = operand->kind == RG_OPERAND_VECTOR;
    const uint32_t width = fragment->type == RG_F64 ? 8 : 4;
    fragment->count = vector ? operand->count : 1;
    uint32_t *slots = rg_arena_array(&reader->ptx->arena, fragment->count, sizeof *slots);
    if (!slots) {
        return rg_read_memory(reader);
    }
    for (uint32_t i = 0; i < fragment->count; i++) {
        const struct rg_operand *one = vector ? &in->operands[operand->first + i] : operand;
        slots[i] = writes ? rg_target(reader, one, width) : rg_source(reader, one, width == 8 ? RG_B64 : RG_B32);
        if (slots[i] == RG_NO_SLOT) {
            return reader->error->status;
        }
    }
    fragment->slots = slots;
    const uint32_t have = RG_LANES * fragment->count * elements_of(fragment->type);
    const uint32_t wanted = fragment->rows * fragment->columns;
    const bool repeats = fragment->layout == RG_FRAGMENT_OPAQUE && have % wanted == 0; /* f16: held twice or more */
    if (have != wanted && !repeats) {
        return rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "%u registers hold no fragment of %u x %u %s",
                            fragment->count, fragment->rows, fragment->columns, rg_types[fragment->type].word);
    }
    return RIDGE_OK;
}

/** Types of d, a, b, c as the instruction names them; halves are not named where d and c are floats. */
static void read_types(const struct rg_instruction *in, struct rg_matrix *matrix)
{
    const bool named = in->type_count == 4;
    matrix->d.type = in->types[0];
    matrix->a.type = named ? in->types[1] : RG_F16;
    matrix->b.type = named ? in->types[2] : RG_F16;
    matrix->c.type = in->types[named ? 3 : 1];
}

static ridge_status decode_product(struct rg_reader *reader, bool opaque)
{
    const struct rg_instruction *in = &reader->instruction;
    const struct shape *shape = find_shape(in);
    struct rg_matrix *matrix = rg_arena_alloc(&reader->ptx->arena, sizeof *matrix);
    if (!matrix) {
        return rg_read_memory(reader);
    }
    ridge_status status = rg_expect(reader, 4, 4);
    read_types(in, matrix);
    struct rg_fragment *const parts[4] = {&matrix->d, &matrix->a, &matrix->b, &matrix->c};
    static const rg_fragment_layout layouts[4] = {RG_FRAGMENT_C, RG_FRAGMENT_A, RG_FRAGMENT_B, RG_FRAGMENT_C};
    const uint32_t rows[4] = {shape->m, shape->m, shape->k, shape->m};
    const uint32_t columns[4] = {shape->n, shape->k, shape->n, shape->n};
    uint32_t reads[64];
    uint32_t count = 0;
    for (uint32_t i = 0; !status && i < 4; i++) {
        parts[i]->layout = opaque ? RG_FRAGMENT_OPAQUE : layouts[i];
        parts[i]->rows = rows[i];
        parts[i]->columns = columns[i];
        status = read_fragment(reader, i, i == 0, parts[i]);
        for (uint32_t k = 0; !status && i > 0 && k < parts[i]->count; k++) {
            reads[count++] = parts[i]->slots[k];
        }
    }
    matrix->saturates = rg_has(in, "satfinite");
    const struct rg_op made = {.run = rg_run_mma, .class = RG_CLASS_MATRIX, .matrix = matrix, .marks = RG_MARK_UNKNOWN};
    return status ? status : rg_op_from(reader, &made, reads, count, matrix->d.slots, matrix->d.count);
}

ridge_status rg_decode_mma(struct rg_reader *reader)
{
    return decode_product(reader, false);
}

static ridge_status decode_move(struct rg_reader *reader, bool writes)
{
    const struct rg_instruction *in = &reader->instruction;
    const struct shape *shape = find_shape(in);
    struct rg_matrix *matrix = rg_arena_alloc(&reader->ptx->arena, sizeof *matrix);
    const bool a = rg_has(in, "a");
    const bool b = rg_has(in, "b");
    if (!matrix) {
        return rg_read_memory(reader);
    }
    ridge_status status = rg_expect(reader, 2, 3);
    if (status) {
        return status;
    }
    struct rg_op made = {.class = RG_CLASS_GLOBAL, .matrix = matrix};
    matrix->d =
        (struct rg_fragment){.type = in->types[0], .rows = b ? shape->k : shape->m, .columns = a ? shape->k : shape->n};
    matrix->by_columns = rg_has(in, "col");
    status = read_fragment(reader, writes ? 1 : 0, !writes, &matrix->d);
    status = status ? status : rg_decode_address(reader, &in->operands[writes ? 0 : 1], rg_space_of(in), &made);
    if (!status && in->operand_count == 3) {
        matrix->stride = rg_source(reader, &in->operands[2], RG_U32);
        status = matrix->stride == RG_NO_SLOT ? reader->error->status : RIDGE_OK;
    }
    if (status) {
        return status;
    }
    made.run = writes ? rg_run_wmma_store : rg_run_wmma_load;
    made.class = made.space == RG_SPACE_SHARED ? RG_CLASS_SHARED : RG_CLASS_GLOBAL;
    made.bytes = (uint8_t)(matrix->d.rows * matrix->d.columns * rg_types[matrix->d.type].bytes / RG_LANES);
    made.marks = RG_MARK_UNKNOWN | (writes ? RG_MARK_WRITES : RG_MARK_READS);
    rg_note_grain(reader, (rg_space)made.space, 4);
    uint32_t reads[20] = {made.a, matrix->stride};
    uint32_t count = matrix->stride == RG_NO_SLOT ? 1 : 2;
    for (uint32_t i = 0; writes && i < matrix->d.count; i++) {
        reads[count++] = matrix->d.slots[i];
    }
    return rg_op_from(reader, &made, reads, count, matrix->d.slots, writes ? 0 : matrix->d.count);
}

ridge_status rg_decode_wmma(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    if (rg_has(in, "mma")) {
        return decode_product(reader, true);
    }
    return decode_move(reader, rg_has(in, "store"));
}
