/* SPDX-License-Identifier: MIT */
/** \file Operations that wrap a lane loop (rounding, flushing, saturating, predicates) or move bits. */
#include <fenv.h>
#include <string.h>

#include "engine/lanes_math.h"
#include "engine/ptx_code.h"
#include "engine/run.h"

#if defined(__SSE2__)
#    include <immintrin.h>
#endif

/*
 * Subnormal operands and results of single and double precision count as zero, by the processor's own flag, between
 * begin_flush and end_flush. Source: Intel SDM, "MXCSR" (flush to zero, denormals are zero); Arm Architecture Reference
 * Manual, "FPCR", bit FZ.
 */
#if defined(__SSE2__)
typedef unsigned flush_state;

static flush_state begin_flush(void)
{
    const flush_state before = _mm_getcsr();
    _mm_setcsr(before | 0x8040U);
    return before;
}

static void end_flush(flush_state before)
{
    _mm_setcsr(before);
}
#elif defined(__aarch64__)
typedef uint64_t flush_state;

static void set_control(uint64_t value)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(value) : "memory");
}

static flush_state begin_flush(void)
{
    flush_state before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before) : : "memory");
    set_control(before | UINT64_C(1) << 24);
    return before;
}

static void end_flush(flush_state before)
{
    set_control(before);
}
#else /* not known how: sources are flushed one by one */
typedef int flush_state;

static flush_state begin_flush(void)
{
    return 0;
}

static void end_flush(flush_state before)
{
    (void)before;
}
#endif

#if defined(__SSE2__) || defined(__aarch64__)
static const bool flushes_itself = true;
#else
static const bool flushes_itself = false;
#endif

/** The bits of numbers of a type, each flushed. */
static uint64_t flush_bits(rg_type type, uint64_t bits)
{
    switch ((int)type) {
    case RG_F16: return rg_flush_half((uint16_t)bits, 0x7c00U);
    case RG_BF16: return rg_flush_half((uint16_t)bits, 0x7f80U);
    case RG_F16X2:
        return rg_flush_half((uint16_t)bits, 0x7c00U) | (uint32_t)rg_flush_half((uint16_t)(bits >> 16), 0x7c00U) << 16;
    case RG_BF16X2:
        return rg_flush_half((uint16_t)bits, 0x7f80U) | (uint32_t)rg_flush_half((uint16_t)(bits >> 16), 0x7f80U) << 16;
    case RG_F32: return rg_flush_f32((uint32_t)bits);
    case RG_F64: return bits & 0x7ff0000000000000U ? bits : bits & 0x8000000000000000U;
    default: return bits;
    }
}

static void flush_column(struct rg_warp *warp, uint32_t slot, rg_type type, uint32_t mask)
{
    const uint32_t bytes = rg_types[type].bytes;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        rg_lane_set(warp, slot, bytes, lane, flush_bits(type, rg_lane_get(warp, slot, bytes, lane)));
    }
}

/** What the processor would flush of halves depends on how they are widened, and functions of the C library look at bits:
 * flush copies of the sources. */
static void run_on_flushed(struct rg_warp *warp, const struct rg_op *op, rg_type type, uint32_t mask)
{
    enum {
        COLUMN = 8 * RG_LANES
    };
    _Alignas(RG_SLOT_UNIT) uint8_t columns[4 * COLUMN];
    struct rg_warp copy = {.registers = columns};
    struct rg_op moved = *op;
    const uint32_t bytes = rg_types[type].bytes;
    const uint32_t result_bytes = rg_types[rg_codes[op->code].types[0]].bytes;
    const uint32_t sources[] = {op->a, op->b, op->c};
    moved.d = 0;
    moved.a = COLUMN;
    moved.b = 2 * COLUMN;
    moved.c = 3 * COLUMN;
    const bool selects = op->around & RG_AROUND_FLUSH_SOURCES; /* by its third source, which alone is flushed */
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t width = selects ? rg_types[rg_codes[op->code].types[i + 1]].bytes : bytes;
        memcpy(columns + (size_t)(i + 1) * COLUMN,
               warp->registers + (i < rg_codes[op->code].sources ? sources[i] : op->a), (size_t)width * RG_LANES);
        if (!selects || i == 2) {
            flush_column(&copy, (i + 1) * COLUMN, selects ? RG_F32 : type, 0xffffffffU);
        }
    }
    op->inner(&copy, &moved, mask);
    warp->compare = copy.compare;
    for (uint32_t rest = op->d == RG_NO_SLOT || rg_codes[op->code].types[0] == RG_PRED ? 0 : mask; rest;
         rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        rg_lane_set(warp, op->d, result_bytes, lane, rg_lane_get(&copy, 0, result_bytes, lane));
    }
}

static bool is_half(rg_type type)
{
    return type == RG_F16 || type == RG_F16X2 || type == RG_BF16 || type == RG_BF16X2;
}

/** The plain operation with its subnormal sources taken for zeros. */
static void run_flushing(struct rg_warp *warp, const struct rg_op *op, rg_type type, uint32_t mask)
{
    if (!flushes_itself || is_half(type) || op->class == RG_CLASS_SPECIAL) {
        run_on_flushed(warp, op, type, mask);
        return;
    }
    const flush_state before = begin_flush();
    op->inner(warp, op, mask);
    end_flush(before);
}

/** .sat of floats: to [0, 1]; NaN becomes +0. */
static void saturate_column(struct rg_warp *warp, uint32_t slot, rg_type type, uint32_t mask)
{
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        if (!(mask >> lane & 1)) {
            continue;
        }
        const uint64_t bits = rg_lane_get(warp, slot, rg_types[type].bytes, lane);
        if (type == RG_F32) {
            const float value = rg_f32((uint32_t)bits);
            rg_lane_set(warp, slot, 4, lane, rg_f32_bits(value > 0 ? (value < 1 ? value : 1.0F) : 0.0F));
        } else if (type == RG_F64) {
            const double value = rg_f64(bits);
            rg_lane_set(warp, slot, 8, lane, rg_f64_bits(value > 0 ? (value < 1 ? value : 1.0) : 0.0));
        } else { /* f16 and its pairs */
            for (unsigned part = 0; part < rg_types[type].bytes; part += 2) {
                const float value = rg_half_float((uint16_t)(bits >> (8 * part)));
                const uint64_t kept = value > 0 ? (value < 1 ? bits >> (8 * part) : 0x3c00U) : 0;
                RG_COLUMN(uint16_t, warp, slot)[lane * rg_types[type].bytes / 2 + part / 2] = (uint16_t)kept;
            }
        }
    }
}

/** Compilers convert unsigned numbers by a difference of floats, which is -0 for 0 when it rounds down. */
static void clear_minus_zero(struct rg_warp *warp, uint32_t slot, rg_type type, uint32_t mask)
{
    const uint32_t bytes = rg_types[type].bytes;
    const uint64_t minus_zero = (uint64_t)1 << (8 * bytes - 1);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint64_t bits = rg_lane_get(warp, slot, bytes, lane);
        rg_lane_set(warp, slot, bytes, lane, bits == minus_zero ? 0 : bits);
    }
}

void rg_run_around(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    const unsigned rounding = op->around & RG_AROUND_ROUNDING;
    const rg_type type = (rg_type)op->type;
    if (rounding) {
        fesetround(modes[rounding]);
    }
    if (op->around & (RG_AROUND_FLUSH | RG_AROUND_FLUSH_SOURCES)) {
        run_flushing(warp, op, type, mask);
    } else {
        op->inner(warp, op, mask);
    }
    if (op->around & RG_AROUND_FLUSH) {
        flush_column(warp, op->d, type, mask);
    }
    if (rounding == RG_AROUND_DOWN && rg_types[rg_codes[op->code].types[1]].kind != RG_KIND_FLOAT) {
        clear_minus_zero(warp, op->d, type, mask);
    }
    if (rounding) {
        fesetround(FE_TONEAREST);
    }
    if (op->around & RG_AROUND_SATURATE) {
        saturate_column(warp, op->d, type, mask);
    }
}

static void compare(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    if (op->around & RG_AROUND_FLUSH) {
        run_flushing(warp, op, (rg_type)rg_codes[op->code].types[1], mask);
    } else {
        op->inner(warp, op, mask);
    }
}

static uint32_t join(uint32_t holds, uint32_t other, unsigned how)
{
    switch (how) {
    case 1: return holds & other;
    case 2: return holds | other;
    case 3: return holds ^ other;
    default: return holds;
    }
}

static void set_predicate(const struct rg_warp *warp, uint32_t slot, uint32_t value, uint32_t mask)
{
    uint32_t *predicate = rg_predicate(warp, slot);
    *predicate = (*predicate & ~mask) | (value & mask);
}

void rg_run_setp(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    compare(warp, op, mask);
    const uint32_t holds = warp->compare;
    const uint32_t other = op->mode ? *rg_predicate(warp, op->c) ^ (op->mode2 ? 0xffffffffU : 0) : 0;
    if (op->d != RG_NO_SLOT) {
        set_predicate(warp, op->d, join(holds, other, op->mode), mask);
    }
    if (op->extra != RG_NO_SLOT) {
        set_predicate(warp, op->extra, join(~holds, other, op->mode), mask);
    }
}

void rg_run_set(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    compare(warp, op, mask);
    const uint32_t other = op->mode ? *rg_predicate(warp, op->c) ^ (op->mode2 ? 0xffffffffU : 0) : 0;
    const uint32_t holds = join(warp->compare, other, op->mode);
    const rg_type type = (rg_type)op->type;
    const bool whole = rg_types[type].kind != RG_KIND_FLOAT;
    const uint64_t yes = whole             ? ~(uint64_t)0
                         : type == RG_F32  ? 0x3f800000U
                         : type == RG_F64  ? rg_f64_bits(1)
                         : type == RG_BF16 ? 0x3f80U
                                           : 0x3c00U;
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        if (mask >> lane & 1) {
            rg_lane_set(warp, op->d, rg_types[type].bytes, lane, holds >> lane & 1 ? yes : 0);
        }
    }
}

void rg_run_predicate(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const uint32_t a = *rg_predicate(warp, op->a) ^ (op->mode2 & 1 ? 0xffffffffU : 0);
    const uint32_t b = op->b == RG_NO_SLOT ? 0 : *rg_predicate(warp, op->b) ^ (op->mode2 & 2 ? 0xffffffffU : 0);
    const uint32_t results[] = {a & b, a | b, a ^ b, ~a, a};
    set_predicate(warp, op->d, results[op->mode], mask);
}

void rg_run_pack(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const uint32_t from_bytes = op->bytes < 2 ? 2 : op->bytes;
    const uint64_t ones = op->bytes == 8 ? ~(uint64_t)0 : ((uint64_t)1 << (8 * op->bytes)) - 1;
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        uint64_t whole = 0;
        for (uint32_t i = 0; i < op->list_count; i++) {
            whole |= (rg_lane_get(warp, op->list[i], from_bytes, lane) & ones) << (8 * op->bytes * i);
        }
        if (mask >> lane & 1) {
            rg_lane_set(warp, op->d, op->register_bytes, lane, whole);
        }
    }
}

void rg_run_unpack(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const uint32_t to_bytes = op->bytes < 2 ? 2 : op->bytes;
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        if (!(mask >> lane & 1)) {
            continue;
        }
        uint64_t whole = rg_lane_get(warp, op->a, op->register_bytes, lane);
        const uint64_t ones = op->bytes == 8 ? ~(uint64_t)0 : ((uint64_t)1 << (8 * op->bytes)) - 1;
        for (uint32_t i = 0; i < op->list_count; i++) {
            if (op->list[i] != RG_NO_SLOT) {
                rg_lane_set(warp, op->list[i], to_bytes, lane, whole >> (8 * op->bytes * i) & ones);
            }
        }
    }
}

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide;

/** The PTX ISA calls what sub.cc leaves a borrow and does not say how addc reads it. nvcc's own division of 128-bit
 * integers reads it with addc, as 1 where nothing was borrowed. */
void rg_run_carry(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const uint32_t bytes = op->register_bytes;
    const bool is_signed = rg_types[op->type].kind == RG_KIND_SIGNED;
    const wide ones = ((wide)1 << (8 * bytes)) - 1;
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        if (!(mask >> lane & 1)) {
            continue;
        }
        const uint64_t a = rg_lane_get(warp, op->a, bytes, lane);
        const uint64_t b = rg_lane_get(warp, op->b, bytes, lane);
        const unsigned carry = op->mode2 & RG_CARRY_IN ? warp->carry >> lane & 1 : 0;
        wide result;
        if (op->mode == RG_CARRY_SUB) { /* as the machine does it: what is carried is "nothing was borrowed" */
            result = (wide)a + (~(wide)b & ones) + (op->mode2 & RG_CARRY_IN ? carry : 1);
        } else if (op->mode == RG_CARRY_ADD) {
            result = (wide)a + b + carry;
        } else {
            wide product = (wide)a * b;
            if (is_signed && (op->mode2 & RG_CARRY_HIGH)) {
                const unsigned unused = 64 - 8 * bytes;
                product = (wide)((signed_wide)((int64_t)(a << unused) >> unused) * ((int64_t)(b << unused) >> unused));
            }
            product = op->mode2 & RG_CARRY_HIGH ? product >> (8 * bytes) & ones : product & ones;
            result = product + rg_lane_get(warp, op->c, bytes, lane) + carry;
        }
        if (op->mode2 & RG_CARRY_OUT) {
            const uint32_t out = (uint32_t)(result >> (8 * bytes)) & 1;
            warp->carry = (warp->carry & ~(1U << lane)) | out << lane;
        }
        rg_lane_set(warp, op->d, bytes, lane, (uint64_t)(result & ones));
    }
}

void rg_run_bfi(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const uint32_t bytes = op->register_bytes;
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        if (mask >> lane & 1) {
            const uint64_t a = rg_lane_get(warp, op->a, bytes, lane);
            const uint64_t b = rg_lane_get(warp, op->b, bytes, lane);
            const uint32_t c = RG_COLUMN(uint32_t, warp, op->c)[lane];
            const uint32_t d = RG_COLUMN(uint32_t, warp, op->extra)[lane];
            rg_lane_set(warp, op->d, bytes, lane, rg_bfi(a, b, c, d, 8 * bytes));
        }
    }
}

/** Global addresses are flat ones; the other spaces have a window each. */
void rg_run_cvta(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const uint64_t *from = RG_COLUMN(uint64_t, warp, op->a);
    uint64_t *to = RG_COLUMN(uint64_t, warp, op->d);
    const bool global = op->space == RG_SPACE_GLOBAL;
    const uint64_t window = global ? 0 : RG_WINDOW(op->space);
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        if (mask >> lane & 1) {
            to[lane] = op->mode ? from[lane] - window : from[lane] + window;
        }
    }
}

void rg_run_isspacep(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const uint64_t *address = RG_COLUMN(uint64_t, warp, op->a);
    uint32_t holds = 0;
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        const uint64_t region = address[lane] >> RG_REGION_BITS;
        const bool windowed = region >= RG_WINDOW(0) >> RG_REGION_BITS;
        const bool inside = op->space == RG_SPACE_GLOBAL ? !windowed : region == RG_WINDOW(op->space) >> RG_REGION_BITS;
        holds |= (uint32_t)inside << lane;
    }
    set_predicate(warp, op->d, holds, mask);
}

void rg_run_nothing(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    (void)warp;
    (void)op;
    (void)mask;
}

void rg_run_fence(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    rg_run_nothing(warp, op, mask); /* memory is in order here; checking looks at it */
}

void rg_run_clock(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        if (mask >> lane & 1) {
            rg_lane_set(warp, op->d, op->register_bytes, lane, warp->clock);
        }
    }
}

static void copy_one(struct rg_warp *warp, unsigned lane, const uint32_t copy[RG_CALL_COPY])
{
    uint8_t *area = warp->parameters + (size_t)lane * warp->run->ptx->param_bytes;
    const uint32_t bytes = copy[4];
    const uint32_t width = bytes < 2 ? 2 : bytes;
    uint64_t value = 0;
    if (copy[0] == RG_CALL_PARAMETER && copy[2] == RG_CALL_PARAMETER) {
        memmove(area + copy[3], area + copy[1], bytes);
        return;
    }
    if (copy[0] == RG_CALL_REGISTER) {
        value = rg_lane_get(warp, copy[1], width, lane);
    } else {
        memcpy(&value, area + copy[1], bytes);
    }
    if (copy[2] == RG_CALL_REGISTER) {
        rg_lane_set(warp, copy[3], width, lane, value);
    } else {
        memcpy(area + copy[3], &value, bytes);
    }
}

void rg_run_copy(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        for (uint32_t i = 0; i < op->list_count; i++) {
            copy_one(warp, (unsigned)__builtin_ctz(rest), op->list + (size_t)i * RG_CALL_COPY);
        }
    }
}

/** The same for the function that each lane's register points to; mode 1: its results. */
void rg_run_copy_found(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const struct rg_function *function = rg_function_at(warp->run->ptx, RG_COLUMN(uint64_t, warp, op->a)[lane]);
        const struct rg_op *call = op + (op->mode ? -1 : 1);
        if (!function || !rg_call_fits(call, function)) {
            continue; /* the call says so */
        }
        for (uint32_t i = 0; i < op->list_count; i++) {
            const uint32_t *own = op->list + (size_t)i * RG_CALL_SIDE;
            const struct rg_parameter *formal = op->mode ? &function->results[i] : &function->parameters[i];
            const uint32_t kind = formal->slot == RG_NO_SLOT ? RG_CALL_PARAMETER : RG_CALL_REGISTER;
            const uint32_t place = formal->slot == RG_NO_SLOT ? formal->offset : formal->slot;
            const uint32_t into[RG_CALL_COPY] = {own[0], own[1], kind, place, formal->bytes};
            const uint32_t back[RG_CALL_COPY] = {kind, place, own[0], own[1], formal->bytes};
            copy_one(warp, lane, op->mode ? back : into);
        }
    }
}
