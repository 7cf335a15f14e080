/* SPDX-License-Identifier: MIT */
/**
 * \file Every plain instruction against a definition in C, over edge values and random ones. A case: the text, with d the
 * result and a, b, c the sources (%d %a %b %c), their C types, and what C says. The definitions are written from the PTX
 * ISA's text, not from the engine's.
 */
#include <fenv.h>

#include "base/rng.h"
#include "engine_fixture.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshift-count-overflow"
#if !defined(__clang__)
#    pragma GCC diagnostic ignored "-Wduplicated-branches"
#    pragma GCC diagnostic ignored "-Wlogical-op"
#endif

typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;
typedef unsigned __int128 u128;
typedef __int128 s128;

enum {
    EDGES = 16,
    VALUES = 2048
};

/** The values of a case: all sources, then what the engine gave. */
struct values {
    u64 a[VALUES];
    u64 b[VALUES];
    u64 c[VALUES];
    u64 d[VALUES];
};
static struct values values;

static const u64 edges32[EDGES] = {0,          1,          2,          0xffffffff, 0x7fffffff, 0x80000000,
                                   0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
                                   0x007fffff, 0x4f000000, 31,         0x7f7fffff};
static const u64 edges64[EDGES] = {0,
                                   1,
                                   2,
                                   ~(u64)0,
                                   ~(u64)0 >> 1,
                                   (u64)1 << 63,
                                   0x3ff0000000000000,
                                   0xbff0000000000000,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x7ff8000000000000,
                                   0x000fffffffffffff,
                                   0x41dfffffffc00000,
                                   63,
                                   0xc3e0000000000000,
                                   0x7fefffffffffffff};

static float half_value(u16 h)
{
    const int exponent = h >> 10 & 31;
    const float sign = h & 0x8000 ? -1.0F : 1.0F;
    if (exponent == 31) {
        return h & 0x3ff ? NAN : sign * INFINITY;
    }
    return exponent ? sign * ldexpf(1024 + (h & 0x3ff), exponent - 25) : sign * ldexpf(h & 0x3ff, -24);
}

/** Holds every sum of a product of halves and a half exactly. */
__extension__ typedef __float128 wide;

/** Nearest number of a 16-bit format below `top` (infinity), ties to even, by looking at the two neighbours. */
static u16 nearest16(wide x, u16 top, float beyond, float (*value)(u16))
{
    if (x != x) {
        return 0x7fff;
    }
    const wide magnitude = x < 0 ? -x : x;
    u16 low = 0;
    for (u16 bit = 0x4000; bit; bit >>= 1) { /* the largest number not above the magnitude */
        const u16 tried = low | bit;
        if (tried <= top && value(tried) <= magnitude) {
            low = tried;
        }
    }
    u16 result = low;
    if (low < top) {
        const wide next = low + 1 == top ? (wide)beyond : (wide)value(low + 1);
        const wide below = magnitude - value(low);
        const wide above = next - magnitude;
        result += above < below || (above == below && (low & 1));
    }
    return result | (x < 0 || (x == 0 && signbit((double)x)) ? 0x8000 : 0);
}

static u16 half_nearest(wide x)
{
    return nearest16(x, 0x7c00, 65536.0F, half_value);
}

static float bf16_value(u16 h)
{
    const u32 bits = (u32)h << 16;
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static u16 bf16_nearest(wide x)
{
    return x > 0x1.ffp127 || x < -0x1.ffp127 ? nearest16(x < 0 ? -INFINITY : INFINITY, 0x7f80, INFINITY, bf16_value)
                                             : nearest16(x, 0x7f80, INFINITY, bf16_value);
}

/** Which of two halves min and max take: the number where one is NaN, -0 below +0. */
static u16 extreme(u16 a, u16 b, float x, float y, bool smaller)
{
    if (x != x || y != y) {
        return x != x ? (y != y ? 0x7fff : b) : a;
    }
    const bool less = x < y || (x == y && signbit(x));
    return less == smaller ? a : b;
}

static u32 popcount(u64 x)
{
    u32 n = 0;
    for (; x; x >>= 1) {
        n += x & 1;
    }
    return n;
}

static u64 reversed(u64 x, int width)
{
    u64 r = 0;
    for (int i = 0; i < width; i++) {
        r |= (x >> i & 1) << (width - 1 - i);
    }
    return r;
}

static s32 top_bit(u64 x)
{
    s32 n = -1;
    for (; x; x >>= 1) {
        n++;
    }
    return n;
}

/** bfe bit by bit, as the ISA's pseudo code has it. */
static u64 extract(u64 a, u32 b, u32 c, int width, bool is_signed)
{
    const int pos = b & 0xff;
    const int len = c & 0xff;
    const int msb = width - 1;
    const bool sbit = !is_signed || len == 0 ? false : a >> (pos + len - 1 < msb ? pos + len - 1 : msb) & 1;
    u64 d = 0;
    for (int i = 0; i <= msb; i++) {
        const bool bit = i < len && pos + i <= msb ? a >> (pos + i) & 1 : sbit;
        d |= (u64)bit << i;
    }
    return d;
}

static u64 insert(u64 a, u64 b, u32 c, u32 d, int width)
{
    const int pos = c & 0xff;
    const int len = d & 0xff;
    for (int i = 0; i < len && pos + i < width; i++) {
        b = (b & ~((u64)1 << (pos + i))) | (a >> i & 1) << (pos + i);
    }
    return b;
}

static u32 permuted(u32 a, u32 b, u32 c)
{
    const u64 both = (u64)b << 32 | a;
    u32 r = 0;
    for (int i = 0; i < 4; i++) {
        const u32 select = c >> (4 * i) & 15;
        const u32 byte = both >> (8 * (select & 7)) & 0xff;
        r |= (select & 8 ? (byte >> 7) * 0xff : byte) << (8 * i);
    }
    return r;
}

static u32 table3(u32 a, u32 b, u32 c, u32 table)
{
    u32 r = 0;
    for (int i = 0; i < 32; i++) {
        r |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
    }
    return r;
}

static f32 rounded(int mode, f32 (*f)(f32, f32, f32), f32 a, f32 b, f32 c)
{
    fesetround(mode);
    const volatile f32 r = f(a, b, c);
    fesetround(FE_TONEAREST);
    return r;
}
/* clang-format off */
static f32 add3(f32 a, f32 b, f32 c) { (void)c; const volatile f32 x = a; const volatile f32 y = b; return x + y; }
static f32 mul3(f32 a, f32 b, f32 c) { (void)c; const volatile f32 x = a; const volatile f32 y = b; return x * y; }
static f32 div3(f32 a, f32 b, f32 c) { (void)c; const volatile f32 x = a; const volatile f32 y = b; return x / y; }
static f32 fma3(f32 a, f32 b, f32 c) { const volatile f32 x = a; const volatile f32 y = b; const volatile f32 z = c; return fmaf(x, y, z); }
static f32 lesser(f32 a, f32 b) { return a == b ? (signbit(a) ? a : b) : a != a ? b : b != b ? a : a < b ? a : b; }
static f32 greater(f32 a, f32 b) { return a == b ? (signbit(a) ? b : a) : a != a ? b : b != b ? a : a > b ? a : b; }
static f64 lesser64(f64 a, f64 b) { return a == b ? (signbit(a) ? a : b) : a != a ? b : b != b ? a : a < b ? a : b; }
static f32 flushed(f32 x) { return fabsf(x) < 0x1p-126F ? copysignf(0, x) : x; }
static f32 clamped(f32 x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
/* clang-format on */

static s64 to_s64(double x, double low, double high, s64 least, s64 most)
{
    return x != x ? 0 : x <= low ? least : x >= high ? most : (s64)x;
}

#define INTEGERS(X, U, S, UU, SS, W)                                                         \
    X("add.u" #W " %d, %a, %b", U, U, U, U, a + b)                                           \
    X("add.s" #W " %d, %a, %b", U, U, U, U, a + b)                                           \
    X("sub.s" #W " %d, %a, %b", U, U, U, U, a - b)                                           \
    X("mul.lo.s" #W " %d, %a, %b", U, U, U, U, (UU)a *b)                                     \
    X("mul.lo.u" #W " %d, %a, %b", U, U, U, U, (UU)a *b)                                     \
    X("mul.hi.u" #W " %d, %a, %b", U, U, U, U, ((UU)a * b) >> W)                             \
    X("mul.hi.s" #W " %d, %a, %b", U, S, S, S, ((SS)a * b) >> W)                             \
    X("mad.lo.s" #W " %d, %a, %b, %c", U, U, U, U, (UU)a *b + c)                             \
    X("mad.hi.u" #W " %d, %a, %b, %c", U, U, U, U, (((UU)a * b) >> W) + c)                   \
    X("mad.hi.s" #W " %d, %a, %b, %c", U, S, S, U, (U)(((SS)a * b) >> W) + c)                \
    X("div.u" #W " %d, %a, %b", U, U, U, U, b ? a / b : (U)-1)                               \
    X("div.s" #W " %d, %a, %b", U, S, S, S, b ? (SS)a / b : -1)                              \
    X("rem.u" #W " %d, %a, %b", U, U, U, U, b ? a % b : a)                                   \
    X("rem.s" #W " %d, %a, %b", U, S, S, S, b ? (SS)a % b : a)                               \
    X("min.u" #W " %d, %a, %b", U, U, U, U, a < b ? a : b)                                   \
    X("min.s" #W " %d, %a, %b", S, S, S, S, a < b ? a : b)                                   \
    X("max.u" #W " %d, %a, %b", U, U, U, U, a > b ? a : b)                                   \
    X("max.s" #W " %d, %a, %b", S, S, S, S, a > b ? a : b)                                   \
    X("abs.s" #W " %d, %a", U, S, S, S, a < 0 ? -(SS)a : (SS)a)                              \
    X("neg.s" #W " %d, %a", U, U, U, U, 0 - (UU)a)                                           \
    X("and.b" #W " %d, %a, %b", U, U, U, U, a &b)                                            \
    X("or.b" #W " %d, %a, %b", U, U, U, U, a | b)                                            \
    X("xor.b" #W " %d, %a, %b", U, U, U, U, a ^ b)                                           \
    X("not.b" #W " %d, %a", U, U, U, U, ~a)                                                  \
    X("cnot.b" #W " %d, %a", U, U, U, U, a == 0 ? 1 : 0)                                     \
    X("shl.b" #W " %d, %a, %b", U, U, u32, U, b >= W ? 0 : (UU)a << b)                       \
    X("shr.u" #W " %d, %a, %b", U, U, u32, U, b >= W ? 0 : a >> b)                           \
    X("shr.b" #W " %d, %a, %b", U, U, u32, U, b >= W ? 0 : a >> b)                           \
    X("shr.s" #W " %d, %a, %b", U, S, u32, U, b >= W ? (a < 0 ? -1 : 0) : a >> b)            \
    X("sad.u" #W " %d, %a, %b, %c", U, U, U, U, (U)(a < b ? b - a : a - b) + c)              \
    X("sad.s" #W " %d, %a, %b, %c", U, S, S, U, (U)(a < b ? (SS)b - a : (SS)a - b) + c)      \
    X("mov.b" #W " %d, %a", U, U, U, U, a)                                                   \
    X("slct.u" #W ".s32 %d, %a, %b, %c", U, U, U, s32, c >= 0 ? a : b)                       \
    X("slct.b" #W ".f32 %d, %a, %b, %c", U, U, U, f32, c >= 0 ? a : b)                       \
    X("setp.lt.s" #W " %p, %a, %b;\nselp.b" #W " %d, %a, %b, %p", U, S, S, S, a < b ? a : b) \
    X("setp.gt.u" #W " %p, %a, %b;\nselp.u32 %d, 1, 0, %p", u32, U, U, U, a > b)             \
    X("setp.ls.u" #W " %p, %a, %b;\nselp.u32 %d, 1, 0, %p", u32, U, U, U, a <= b)            \
    X("setp.ge.s" #W " %p, %a, %b;\nselp.u32 %d, 1, 0, %p", u32, S, S, S, a >= b)            \
    X("setp.eq.b" #W " %p, %a, %b;\nselp.u32 %d, 1, 0, %p", u32, U, U, U, a == b)            \
    X("setp.ne.s" #W " %p, %a, %b;\nselp.u32 %d, 1, 0, !%p", u32, U, U, U, a == b)           \
    X("set.le.u32.s" #W " %d, %a, %b", u32, S, S, S, a <= b ? 0xffffffff : 0)

#define BITS(X)                                                                                                        \
    X("mul.wide.u16 %d, %a, %b", u32, u16, u16, u16, (u32)a *b)                                                        \
    X("mul.wide.s16 %d, %a, %b", s32, s16, s16, s16, a *b)                                                             \
    X("mul.wide.u32 %d, %a, %b", u64, u32, u32, u32, (u64)a *b)                                                        \
    X("mul.wide.s32 %d, %a, %b", s64, s32, s32, s32, (s64)a *b)                                                        \
    X("mad.wide.u32 %d, %a, %b, %c", u64, u32, u32, u64, (u64)a *b + c)                                                \
    X("mad.wide.s32 %d, %a, %b, %c", u64, s32, s32, u64, (u64)((s64)a * b) + c)                                        \
    X("mul24.lo.u32 %d, %a, %b", u32, u32, u32, u32, (u64)(a % 16777216) * (b % 16777216))                             \
    X("mul24.hi.u32 %d, %a, %b", u32, u32, u32, u32, ((u64)(a % 16777216) * (b % 16777216)) / 65536)                   \
    X("add.sat.s32 %d, %a, %b", s32, s32, s32, s32,                                                                    \
      (s64)a + b > INT32_MAX   ? INT32_MAX                                                                             \
      : (s64)a + b < INT32_MIN ? INT32_MIN                                                                             \
                               : a + (s64)b)                                                                           \
    X("popc.b32 %d, %a", u32, u32, u32, u32, popcount(a))                                                              \
    X("popc.b64 %d, %a", u32, u64, u64, u64, popcount(a))                                                              \
    X("clz.b32 %d, %a", u32, u32, u32, u32, 31 - top_bit(a))                                                           \
    X("clz.b64 %d, %a", u32, u64, u64, u64, 63 - top_bit(a))                                                           \
    X("brev.b32 %d, %a", u32, u32, u32, u32, reversed(a, 32))                                                          \
    X("brev.b64 %d, %a", u64, u64, u64, u64, reversed(a, 64))                                                          \
    X("bfind.u32 %d, %a", u32, u32, u32, u32, top_bit(a))                                                              \
    X("bfind.s32 %d, %a", u32, s32, s32, s32, top_bit((u32)(a < 0 ? ~a : a)))                                          \
    X("bfind.s64 %d, %a", u32, s64, s64, s64, top_bit((u64)(a < 0 ? ~a : a)))                                          \
    X("bfind.shiftamt.u32 %d, %a", u32, u32, u32, u32, a ? 31 - top_bit(a) : -1)                                       \
    X("bfe.u32 %d, %a, %b, %c", u32, u32, u32, u32, extract(a, b, c, 32, false))                                       \
    X("bfe.s32 %d, %a, %b, %c", u32, u32, u32, u32, extract(a, b, c, 32, true))                                        \
    X("bfe.u64 %d, %a, %b, %c", u64, u64, u32, u32, extract(a, b, c, 64, false))                                       \
    X("bfe.s64 %d, %a, %b, %c", u64, u64, u32, u32, extract(a, b, c, 64, true))                                        \
    X("bfi.b32 %d, %a, %b, %c, 5", u32, u32, u32, u32, insert(a, b, c, 5, 32))                                         \
    X("bfi.b64 %d, %a, %b, 9, %c", u64, u64, u64, u32, insert(a, b, 9, c, 64))                                         \
    X("prmt.b32 %d, %a, %b, %c", u32, u32, u32, u32, permuted(a, b, c))                                                \
    X("prmt.b32.f4e %d, %a, %b, %c", u32, u32, u32, u32, ((u64)b << 32 | a) >> (8 * (c & 3)))                          \
    X("prmt.b32.rc8 %d, %a, %b, %c", u32, u32, u32, u32, (a >> (8 * (c & 3)) & 0xff) * 0x01010101U)                    \
    X("prmt.b32.rc16 %d, %a, %b, %c", u32, u32, u32, u32, (a >> (16 * (c & 1)) & 0xffff) * 0x00010001U)                \
    X("lop3.b32 %d, %a, %b, %c, 0x96", u32, u32, u32, u32, a ^ b ^ c)                                                  \
    X("lop3.b32 %d, %a, %b, %c, 0xe2", u32, u32, u32, u32, table3(a, b, c, 0xe2))                                      \
    X("shf.l.wrap.b32 %d, %a, %b, %c", u32, u32, u32, u32, (u32)((((u64)b << 32 | a) << (c & 31)) >> 32))              \
    X("shf.l.clamp.b32 %d, %a, %b, %c", u32, u32, u32, u32, (u32)((((u64)b << 32 | a) << (c < 32 ? c : 32)) >> 32))    \
    X("shf.r.wrap.b32 %d, %a, %b, %c", u32, u32, u32, u32, (u32)(((u64)b << 32 | a) >> (c & 31)))                      \
    X("shf.r.clamp.b32 %d, %a, %b, %c", u32, u32, u32, u32, (u32)(((u64)b << 32 | a) >> (c < 32 ? c : 32)))            \
    X("dp4a.u32.u32 %d, %a, %b, %c", u32, u32, u32, u32,                                                               \
      c + (a & 255) * (b & 255) + (a >> 8 & 255) * (b >> 8 & 255) + (a >> 16 & 255) * (b >> 16 & 255) +                \
          (a >> 24) * (b >> 24))                                                                                       \
    X("dp4a.s32.s32 %d, %a, %b, %c", u32, u32, u32, u32,                                                               \
      c + (u32)((int8_t)a * (int8_t)b + (int8_t)(a >> 8) * (int8_t)(b >> 8) + (int8_t)(a >> 16) * (int8_t)(b >> 16) +  \
                (int8_t)(a >> 24) * (int8_t)(b >> 24)))                                                                \
    X("dp2a.lo.u32.u32 %d, %a, %b, %c", u32, u32, u32, u32, c + (a & 65535) * (b & 255) + (a >> 16) * (b >> 8 & 255))  \
    X("dp2a.hi.u32.u32 %d, %a, %b, %c", u32, u32, u32, u32, c + (a & 65535) * (b >> 16 & 255) + (a >> 16) * (b >> 24)) \
    X("add.cc.u32 %x, %a, %b;\naddc.u32 %d, %c, 0", u32, u32, u32, u32, c + (((u64)a + b) >> 32))                      \
    X("sub.cc.u32 %x, %a, %b;\nsubc.u32 %d, %c, 0", u32, u32, u32, u32, c - (a < b))                                   \
    X("mad.lo.cc.u32 %x, %a, %b, %c;\nmadc.hi.u32 %d, %a, %b, 0", u32, u32, u32, u32, ((u64)a * b + c) >> 32)          \
    X("mov.b64 %d, {%a, %b}", u64, u32, u32, u32, (u64)b << 32 | a)                                                    \
    X("mov.b64 {%x, %d}, %a", u32, u64, u64, u64, a >> 32)                                                             \
    X("mov.b32 %d, {%a, %b}", u32, u16, u16, u16, (u32)b << 16 | a)                                                    \
    X("setp.lt.and.s32 %p, %a, %b, %q;\nselp.u32 %d, 1, 0, %p", u32, s32, s32, s32, a<b && c> 5)                       \
    X("setp.lt.or.s32 %p|%t, %a, %b, !%q;\nselp.u32 %d, 1, 0, %t", u32, s32, s32, s32, !(a < b) || !(c > 5))           \
    X("and.pred %p, %q, !%q;\nselp.u32 %d, 1, 0, %p", u32, s32, s32, s32, 0)                                           \
    X("not.pred %p, %q;\nselp.u32 %d, 1, 0, %p", u32, s32, s32, s32, !(c > 5))                                         \
    X("mov.u32 %d, 7;\n@%q mov.u32 %d, %a", u32, u32, u32, s32, c > 5 ? a : 7)                                         \
    X("mov.u32 %d, 7;\n@!%q add.u32 %d, %a, 1", u32, u32, u32, s32, c > 5 ? 7 : a + 1)

#define FLOATS(X)                                                                                                  \
    X("add.f32 %d, %a, %b", f32, f32, f32, f32, a + b)                                                             \
    X("add.rn.f32 %d, %a, %b", f32, f32, f32, f32, a + b)                                                          \
    X("sub.f32 %d, %a, %b", f32, f32, f32, f32, a - b)                                                             \
    X("mul.f32 %d, %a, %b", f32, f32, f32, f32, a *b)                                                              \
    X("mul.ftz.f32 %d, %a, %b", f32, f32, f32, f32, flushed(flushed(a) * flushed(b)))                              \
    X("add.sat.f32 %d, %a, %b", f32, f32, f32, f32, clamped(a + b))                                                \
    X("add.rz.f32 %d, %a, %b", f32, f32, f32, f32, rounded(FE_TOWARDZERO, add3, a, b, c))                          \
    X("add.rm.f32 %d, %a, %b", f32, f32, f32, f32, rounded(FE_DOWNWARD, add3, a, b, c))                            \
    X("mul.rp.f32 %d, %a, %b", f32, f32, f32, f32, rounded(FE_UPWARD, mul3, a, b, c))                              \
    X("div.rz.f32 %d, %a, %b", f32, f32, f32, f32, rounded(FE_TOWARDZERO, div3, a, b, c))                          \
    X("fma.rm.f32 %d, %a, %b, %c", f32, f32, f32, f32, rounded(FE_DOWNWARD, fma3, a, b, c))                        \
    X("fma.rn.f32 %d, %a, %b, %c", f32, f32, f32, f32, fmaf(a, b, c))                                              \
    X("div.rn.f32 %d, %a, %b", f32, f32, f32, f32, a / b)                                                          \
    X("abs.f32 %d, %a", f32, f32, f32, f32, fabsf(a))                                                              \
    X("neg.f32 %d, %a", f32, f32, f32, f32, -a)                                                                    \
    X("min.f32 %d, %a, %b", f32, f32, f32, f32, lesser(a, b))                                                      \
    X("max.f32 %d, %a, %b", f32, f32, f32, f32, greater(a, b))                                                     \
    X("min.NaN.f32 %d, %a, %b", f32, f32, f32, f32, a != a || b != b ? NAN : lesser(a, b))                         \
    X("rcp.rn.f32 %d, %a", f32, f32, f32, f32, 1 / a)                                                              \
    X("sqrt.rn.f32 %d, %a", f32, f32, f32, f32, sqrtf(a))                                                          \
    X("copysign.f32 %d, %a, %b", f32, f32, f32, f32, copysignf(b, a))                                              \
    X("setp.ltu.f32 %p, %a, %b;\nselp.u32 %d, 1, 0, %p", u32, f32, f32, f32, !(a >= b))                            \
    X("setp.ne.f32 %p, %a, %b;\nselp.u32 %d, 1, 0, %p", u32, f32, f32, f32, a == a && b == b && a != b)            \
    X("setp.neu.f32 %p, %a, %b;\nselp.u32 %d, 1, 0, %p", u32, f32, f32, f32, a != b)                               \
    X("setp.nan.f32 %p, %a, %b;\nselp.u32 %d, 1, 0, %p", u32, f32, f32, f32, a != a || b != b)                     \
    X("setp.num.f64 %p, %a, %b;\nselp.u32 %d, 1, 0, %p", u32, f64, f64, f64, a == a && b == b)                     \
    X("testp.subnormal.f32 %p, %a;\nselp.u32 %d, 1, 0, %p", u32, f32, f32, f32, fpclassify(a) == FP_SUBNORMAL)     \
    X("testp.normal.f64 %p, %a;\nselp.u32 %d, 1, 0, %p", u32, f64, f64, f64, fpclassify(a) == FP_NORMAL || a == 0) \
    X("testp.finite.f32 %p, %a;\nselp.u32 %d, 1, 0, %p", u32, f32, f32, f32, fabsf(a) <= 3.4028234663852886e38F)   \
    X("set.gt.f32.f32 %d, %a, %b", f32, f32, f32, f32, a > b ? 1 : 0)                                              \
    X("add.f64 %d, %a, %b", f64, f64, f64, f64, a + b)                                                             \
    X("mul.f64 %d, %a, %b", f64, f64, f64, f64, a *b)                                                              \
    X("div.rn.f64 %d, %a, %b", f64, f64, f64, f64, a / b)                                                          \
    X("fma.rn.f64 %d, %a, %b, %c", f64, f64, f64, f64, fma(a, b, c))                                               \
    X("sqrt.rn.f64 %d, %a", f64, f64, f64, f64, sqrt(a))                                                           \
    X("min.f64 %d, %a, %b", f64, f64, f64, f64, lesser64(a, b))                                                    \
    X("rcp.rn.f64 %d, %a", f64, f64, f64, f64, 1 / a)                                                              \
    X("cvt.rn.f32.s32 %d, %a", f32, s32, s32, s32, (f32)a)                                                         \
    X("cvt.rn.f32.u64 %d, %a", f32, u64, u64, u64, (f32)a)                                                         \
    X("cvt.rn.f64.s64 %d, %a", f64, s64, s64, s64, (f64)a)                                                         \
    X("cvt.f64.f32 %d, %a", f64, f32, f32, f32, (f64)a)                                                            \
    X("cvt.rn.f32.f64 %d, %a", f32, f64, f64, f64, (f32)a)                                                         \
    X("cvt.rzi.s32.f32 %d, %a", s32, f32, f32, f32,                                                                \
      to_s64(trunc(a), -2147483648.0, 2147483647.0, INT32_MIN, INT32_MAX))                                         \
    X("cvt.rni.s32.f64 %d, %a", s32, f64, f64, f64,                                                                \
      a != a ? INT32_MIN : to_s64(rint(a), -2147483648.0, 2147483647.0, INT32_MIN, INT32_MAX))                     \
    X("cvt.rmi.u32.f32 %d, %a", u32, f32, f32, f32, to_s64(floor(a), 0, 4294967295.0, 0, UINT32_MAX))              \
    X("cvt.rpi.u16.f32 %d, %a", u16, f32, f32, f32, to_s64(ceil(a), 0, 65535.0, 0, UINT16_MAX))                    \
    X("cvt.rni.f32.f32 %d, %a", f32, f32, f32, f32, rintf(a))                                                      \
    X("cvt.sat.f32.f32 %d, %a", f32, f32, f32, f32, clamped(a))                                                    \
    X("cvt.u64.u32 %d, %a", u64, u32, u32, u32, a)                                                                 \
    X("cvt.s64.s32 %d, %a", s64, s32, s32, s32, a)                                                                 \
    X("cvt.u32.u64 %d, %a", u32, u64, u64, u64, (u32)a)                                                            \
    X("cvt.u32.u8 %d, %a", u32, u32, u32, u32, a & 0xff)                                                           \
    X("cvt.s32.s8 %d, %a", s32, u32, u32, u32, (int8_t)a)                                                          \
    X("cvt.s64.s16 %d, %a", s64, u16, u16, u16, (s16)a)                                                            \
    X("cvt.sat.u8.s32 %d, %a", u32, s32, s32, s32, a<0 ? 0 : a> 255 ? 255 : a)                                     \
    X("cvt.sat.s32.u32 %d, %a", s32, u32, u32, u32, a > INT32_MAX ? INT32_MAX : a)

#define HALVES(X)                                                                                                  \
    X("add.f16 %d, %a, %b", u16, u16, u16, u16, half_nearest((f64)half_value(a) + half_value(b)))                  \
    X("fma.rn.f16 %d, %a, %b, %c", u16, u16, u16, u16,                                                             \
      half_nearest((wide)half_value(a) * half_value(b) + half_value(c)))                                           \
    X("fma.rn.bf16 %d, %a, %b, %c", u16, u16, u16, u16,                                                            \
      bf16_nearest((wide)bf16_value(a) * bf16_value(b) + bf16_value(c)))                                           \
    X("min.f16 %d, %a, %b", u16, u16, u16, u16, extreme(a, b, half_value(a), half_value(b), true))                 \
    X("max.f16 %d, %a, %b", u16, u16, u16, u16, extreme(a, b, half_value(a), half_value(b), false))                \
    X("max.bf16 %d, %a, %b", u16, u16, u16, u16, extreme(a, b, bf16_value(a), bf16_value(b), false))               \
    X("neg.f16 %d, %a", u16, u16, u16, u16, half_value(a) != half_value(a) ? 0x7fff : a ^ 0x8000)                  \
    X("abs.f16 %d, %a", u16, u16, u16, u16, half_value(a) != half_value(a) ? 0x7fff : a & 0x7fff)                  \
    X("cvt.rn.bf16.f32 %d, %a", u16, f32, f32, f32, bf16_nearest(a))                                               \
    X("cvt.rni.s16.f16 %d, %a", s16, u16, u16, u16,                                                                \
      to_s64(rint(half_value(a)), -32768.0, 32767.0, INT16_MIN, INT16_MAX))                                        \
    X("cvt.rn.f16.s32 %d, %a", u16, s32, s32, s32, half_nearest(a))                                                \
    X("cvt.rn.f16.f64 %d, %a", u16, f64, f64, f64, half_nearest(a))                                                \
    X("set.lt.u32.f16x2 %d, %a, %b", u32, u32, u32, u32,                                                           \
      (half_value(a) < half_value(b) ? 0xffff : 0) | (half_value(a >> 16) < half_value(b >> 16) ? 0xffff0000 : 0)) \
    X("sub.rn.f16 %d, %a, %b", u16, u16, u16, u16, half_nearest((f64)half_value(a) - half_value(b)))               \
    X("mul.f16 %d, %a, %b", u16, u16, u16, u16, half_nearest((f64)half_value(a) * half_value(b)))                  \
    X("cvt.rn.f16.f32 %d, %a", u16, f32, f32, f32, half_nearest(a))                                                \
    X("cvt.f32.f16 %d, %a", f32, u16, u16, u16, half_value(a))                                                     \
    X("cvt.f32.bf16 %d, %a", f32, u16, u16, u16, bf16_value(a))                                                    \
    X("setp.lt.f16 %p, %a, %b;\nselp.u32 %d, 1, 0, %p", u32, u16, u16, u16, half_value(a) < half_value(b))         \
    X("add.f16x2 %d, %a, %b", u32, u32, u32, u32,                                                                  \
      half_nearest((f64)half_value(a) + half_value(b)) |                                                           \
          (u32)half_nearest((f64)half_value(a >> 16) + half_value(b >> 16)) << 16)                                 \
    X("cvt.rn.f16x2.f32 %d, %a, %b", u32, f32, f32, f32, (u32)half_nearest(a) << 16 | half_nearest(b))

#define APPROXIMATE(X)                                                          \
    X("rsqrt.approx.f32 %d, %a", f32, f32, f32, f32, 1 / sqrt((f64)a))          \
    X("ex2.approx.f32 %d, %a", f32, f32, f32, f32, exp2((f64)a))                \
    X("lg2.approx.f32 %d, %a", f32, f32, f32, f32, log2((f64)a))                \
    X("sin.approx.f32 %d, %a", f32, f32, f32, f32, sin((f64)a))                 \
    X("cos.approx.f32 %d, %a", f32, f32, f32, f32, cos((f64)a))                 \
    X("tanh.approx.f32 %d, %a", f32, f32, f32, f32, tanh((f64)a))               \
    X("div.full.f32 %d, %a, %b", f32, f32, f32, f32, a / b)                     \
    X("rcp.approx.ftz.f32 %d, %a", f32, f32, f32, f32, flushed(1 / flushed(a))) \
    X("sqrt.approx.f32 %d, %a", f32, f32, f32, f32, sqrt((f64)a))

#define IS_FLOAT(T) _Generic((T)0, f32 : true, f64 : true, default : false)

static u64 pick(struct rg_rng *rng, unsigned bytes, size_t i, unsigned place)
{
    const u64 random = rg_rng_next(rng);
    const unsigned edge = place == 0 ? i % EDGES : place == 1 ? i / EDGES % EDGES : (i * 7 + i / 31) % EDGES;
    if (i < (size_t)EDGES * EDGES) {
        return bytes == 8 ? edges64[edge] : bytes == 4 ? edges32[edge] : edges32[edge] >> (edge & 1 ? 16 : 0);
    }
    if (i % 4 == 0) {
        return random % 80; /* small numbers: shifts, lengths */
    }
    return i % 4 == 1 && bytes == 4 ? (random & 0x807fffff) | (0x3a000000 + (random >> 40 & 0x0b800000)) : random;
}

static void run_case(const char *text, const unsigned bytes[4])
{
    static const char *const loads[] = {"a", "b", "c"};
    struct engine_fixture fixture;
    struct rg_rng rng;
    static char ptx[4096];
    rg_rng_init(&rng, 1);
    for (size_t i = 0; i < VALUES; i++) {
        values.a[i] = pick(&rng, bytes[1], i, 0);
        values.b[i] = pick(&rng, bytes[2], i, 1);
        values.c[i] = pick(&rng, bytes[3], i, 2);
        values.d[i] = 0;
    }
    int at = snprintf(ptx, sizeof ptx,
                      ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
                      ".reg .pred %%p, %%q, %%t;\n.reg .b%u %%d;\n.reg .b%u %%a;\n.reg .b%u %%b;\n.reg .b%u %%c;\n"
                      ".reg .b32 %%x, %%i;\n.reg .b64 %%base, %%at;\n"
                      "ld.param.u64 %%base, [p];\nmov.u32 %%i, %%tid.x;\nmad.wide.u32 %%at, %%i, 8, %%base;\n",
                      bytes[0] * 8, bytes[1] * 8, bytes[2] * 8, bytes[3] * 8);
    for (int i = 0; i < 3; i++) {
        at += snprintf(ptx + at, sizeof ptx - (size_t)at, "ld.global.b%u %%%s, [%%at+%d];\n", bytes[i + 1] * 8,
                       loads[i], i * VALUES * 8);
    }
    snprintf(ptx + at, sizeof ptx - (size_t)at,
             "%ssetp.gt.s32 %%q, %s, 5;\n%s;\nst.global.b%u [%%at+%d], %%d;\nret;\n}\n", bytes[3] == 4 ? "" : "// ",
             "%c", text, bytes[0] * 8, 3 * VALUES * 8);
    engine_read(&fixture, ptx);
    engine_buffer(&fixture, &values, sizeof values, true, "values");
    struct rg_engine_run request = engine_request(&fixture, 1, 1, VALUES, 1);
    engine_go(&fixture, &request);
    assert_int_equal(fixture.findings, 0);
    engine_free(&fixture);
}

static bool close_enough(double got, double wanted, double relative)
{
    if (got != got || wanted != wanted) {
        return got != got && wanted != wanted;
    }
    return got == wanted || fabs(got - wanted) <= relative * fabs(wanted) + relative * 0x1p-20;
}

/** Run the text over all values and compare with the expression, exactly or within a relative error. */
#define CHECK(text, D, A, B, C, expression, relative)                                                       \
    {                                                                                                       \
        const unsigned bytes[4] = {sizeof(D), sizeof(A), sizeof(B), sizeof(C)};                             \
        run_case(text, bytes);                                                                              \
        for (size_t i = 0; i < VALUES; i++) {                                                               \
            A a;                                                                                            \
            B b;                                                                                            \
            C c;                                                                                            \
            D got;                                                                                          \
            memcpy(&a, &values.a[i], sizeof a);                                                             \
            memcpy(&b, &values.b[i], sizeof b);                                                             \
            memcpy(&c, &values.c[i], sizeof c);                                                             \
            memcpy(&got, &values.d[i], sizeof got);                                                         \
            const D wanted = (D)(expression);                                                               \
            const bool same = IS_FLOAT(D) ? (relative) > 0 ? close_enough(got, wanted, relative)            \
                                                           : same_float(&got, &wanted, sizeof got)          \
                                          : got == wanted;                                                  \
            if (!same) {                                                                                    \
                print_error("%s: a %llx b %llx c %llx gives %llx\n", text, (unsigned long long)values.a[i], \
                            (unsigned long long)values.b[i], (unsigned long long)values.c[i],               \
                            (unsigned long long)values.d[i]);                                               \
            }                                                                                               \
            assert_true(same);                                                                              \
        }                                                                                                   \
    }
#define EXACTLY(text, D, A, B, C, expression) CHECK(text, D, A, B, C, expression, 0.0)
#define NEARLY(text, D, A, B, C, expression)  CHECK(text, D, A, B, C, expression, 0x1p-20)

/** Bits, but one NaN is as good as another. */
static bool same_float(const void *a, const void *b, size_t bytes)
{
    double x;
    double y;
    if (bytes == 4) {
        float f;
        memcpy(&f, a, 4);
        x = f;
        memcpy(&f, b, 4);
        y = f;
    } else {
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
    }
    return (x != x && y != y) || memcmp(a, b, bytes) == 0;
}

/* clang-format off */
static void test_integers_16(void **state) { (void)state; INTEGERS(EXACTLY, u16, s16, u32, s32, 16) }
static void test_integers_32(void **state) { (void)state; INTEGERS(EXACTLY, u32, s32, u64, s64, 32) }
static void test_integers_64(void **state) { (void)state; INTEGERS(EXACTLY, u64, s64, u128, s128, 64) }
static void test_bits(void **state) { (void)state; BITS(EXACTLY) }
static void test_floats(void **state) { (void)state; FLOATS(EXACTLY) }
static void test_halves(void **state) { (void)state; HALVES(EXACTLY) }
static void test_approximate(void **state) { (void)state; APPROXIMATE(NEARLY) }
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers_16), cmocka_unit_test(test_integers_32), cmocka_unit_test(test_integers_64),
        cmocka_unit_test(test_bits),        cmocka_unit_test(test_floats),      cmocka_unit_test(test_halves),
        cmocka_unit_test(test_approximate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
