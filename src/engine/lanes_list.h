/* SPDX-License-Identifier: MIT */
/**
 * \file The operations that work lane by lane, one list: parser check, function, class and test names come from it.
 * X(key, class, sources, destination, a, b, c, what a lane computes). The key is the instruction with its dots as "_",
 * less what does not change the operation (.rn, .uni, .approx) and what is done around it (.ftz, .sat of floats, other
 * roundings). C's types by PTX's names: f16 and bf16 are their bits. Source: PTX ISA, chapter "Instruction Set".
 */
#ifndef RG_ENGINE_LANES_LIST_H
#define RG_ENGINE_LANES_LIST_H

/* NOLINTBEGIN(bugprone-macro-parentheses): parameters are types and names, which take no parentheses */

/** Integer operations of one width: U unsigned, S signed, W bits, UU and SS twice as wide. */
#define RG_INTEGER_LANES(X, U, S, B, UU, SS, W)                                               \
    X(add_##U, RG_CLASS_INTEGER, 2, U, U, U, U, a + b)                                        \
    X(add_##S, RG_CLASS_INTEGER, 2, U, U, U, U, a + b)                                        \
    X(sub_##U, RG_CLASS_INTEGER, 2, U, U, U, U, a - b)                                        \
    X(sub_##S, RG_CLASS_INTEGER, 2, U, U, U, U, a - b)                                        \
    X(mul_lo_##U, RG_CLASS_INTEGER, 2, U, U, U, U, (UU)a *b)                                  \
    X(mul_lo_##S, RG_CLASS_INTEGER, 2, U, U, U, U, (UU)a *b)                                  \
    X(mul_hi_##U, RG_CLASS_INTEGER, 2, U, U, U, U, (UU)a *b >> W)                             \
    X(mul_hi_##S, RG_CLASS_INTEGER, 2, S, S, S, S, (SS)a *b >> W)                             \
    X(mad_lo_##U, RG_CLASS_INTEGER, 3, U, U, U, U, (UU)a *b + c)                              \
    X(mad_lo_##S, RG_CLASS_INTEGER, 3, U, U, U, U, (UU)a *b + c)                              \
    X(mad_hi_##U, RG_CLASS_INTEGER, 3, U, U, U, U, (U)((UU)a * b >> W) + c)                   \
    X(mad_hi_##S, RG_CLASS_INTEGER, 3, U, S, S, U, (U)((SS)a * b >> W) + c)                   \
    X(div_##U, RG_CLASS_DIVIDE, 2, U, U, U, U, b == 0 ? (U) ~(U)0 : a / b)                    \
    X(div_##S, RG_CLASS_DIVIDE, 2, S, S, S, S, b == 0 ? -1 : b == -1 ? (S)(0 - (U)a) : a / b) \
    X(rem_##U, RG_CLASS_DIVIDE, 2, U, U, U, U, b == 0 ? a : a % b)                            \
    X(rem_##S, RG_CLASS_DIVIDE, 2, S, S, S, S, b == 0 ? a : b == -1 ? 0 : a % b)              \
    X(min_##U, RG_CLASS_INTEGER, 2, U, U, U, U, a < b ? a : b)                                \
    X(min_##S, RG_CLASS_INTEGER, 2, S, S, S, S, a < b ? a : b)                                \
    X(max_##U, RG_CLASS_INTEGER, 2, U, U, U, U, a > b ? a : b)                                \
    X(max_##S, RG_CLASS_INTEGER, 2, S, S, S, S, a > b ? a : b)                                \
    X(abs_##S, RG_CLASS_INTEGER, 1, U, S, S, S, a < 0 ? 0 - (U)a : (U)a)                      \
    X(neg_##S, RG_CLASS_INTEGER, 1, U, U, U, U, 0 - a)                                        \
    X(and_##B, RG_CLASS_INTEGER, 2, U, U, U, U, a &b)                                         \
    X(or_##B, RG_CLASS_INTEGER, 2, U, U, U, U, a | b)                                         \
    X(xor_##B, RG_CLASS_INTEGER, 2, U, U, U, U, a ^ b)                                        \
    X(not_##B, RG_CLASS_INTEGER, 1, U, U, U, U, ~a)                                           \
    X(cnot_##B, RG_CLASS_INTEGER, 1, U, U, U, U, a == 0)                                      \
    X(shl_##B, RG_CLASS_INTEGER, 2, U, U, u32, U, b >= W ? 0 : (UU)a << (b & (W - 1)))        \
    X(shr_##B, RG_CLASS_INTEGER, 2, U, U, u32, U, b >= W ? 0 : a >> (b & (W - 1)))            \
    X(shr_##U, RG_CLASS_INTEGER, 2, U, U, u32, U, b >= W ? 0 : a >> (b & (W - 1)))            \
    X(shr_##S, RG_CLASS_INTEGER, 2, S, S, u32, S, a >> (b >= W ? W - 1 : b))                  \
    X(sad_##U, RG_CLASS_INTEGER, 3, U, U, U, U, (a > b ? a - b : b - a) + c)                  \
    X(sad_##S, RG_CLASS_INTEGER, 3, U, S, S, U, (a > b ? (U)a - (U)b : (U)b - (U)a) + c)      \
    X(mov_##B, RG_CLASS_MOVE, 1, U, U, U, U, a)                                               \
    X(mov_##U, RG_CLASS_MOVE, 1, U, U, U, U, a)                                               \
    X(mov_##S, RG_CLASS_MOVE, 1, U, U, U, U, a)                                               \
    X(slct_##B##_s32, RG_CLASS_INTEGER, 3, U, U, U, s32, c >= 0 ? a : b)                      \
    X(slct_##U##_s32, RG_CLASS_INTEGER, 3, U, U, U, s32, c >= 0 ? a : b)                      \
    X(slct_##S##_s32, RG_CLASS_INTEGER, 3, U, U, U, s32, c >= 0 ? a : b)                      \
    X(slct_##B##_f32, RG_CLASS_INTEGER, 3, U, U, U, f32, c >= 0 ? a : b)                      \
    X(slct_##U##_f32, RG_CLASS_INTEGER, 3, U, U, U, f32, c >= 0 ? a : b)                      \
    X(slct_##S##_f32, RG_CLASS_INTEGER, 3, U, U, U, f32, c >= 0 ? a : b)

#define RG_BIT_LANES(X)                                                                                               \
    X(mul_wide_u16, RG_CLASS_INTEGER, 2, u32, u16, u16, u16, (u32)a *b)                                               \
    X(mul_wide_s16, RG_CLASS_INTEGER, 2, s32, s16, s16, s16, (s32)a *b)                                               \
    X(mul_wide_u32, RG_CLASS_INTEGER, 2, u64, u32, u32, u32, (u64)a *b)                                               \
    X(mul_wide_s32, RG_CLASS_INTEGER, 2, s64, s32, s32, s32, (s64)a *b)                                               \
    X(mad_wide_u16, RG_CLASS_INTEGER, 3, u32, u16, u16, u32, (u32)a *b + c)                                           \
    X(mad_wide_s16, RG_CLASS_INTEGER, 3, u32, s16, s16, u32, (u32)((s32)a * b) + c)                                   \
    X(mad_wide_u32, RG_CLASS_INTEGER, 3, u64, u32, u32, u64, (u64)a *b + c)                                           \
    X(mad_wide_s32, RG_CLASS_INTEGER, 3, u64, s32, s32, u64, (u64)((s64)a * b) + c)                                   \
    X(mul24_lo_u32, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, (a & 0xffffff) * (b & 0xffffff))                         \
    X(mul24_lo_s32, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, (u32)((s32)(a << 8) >> 8) * (u32)((s32)(b << 8) >> 8))   \
    X(mul24_hi_u32, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, (u64)(a & 0xffffff) * (b & 0xffffff) >> 16)              \
    X(mul24_hi_s32, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, (s64)((s32)(a << 8) >> 8) * ((s32)(b << 8) >> 8) >> 16)  \
    X(mad24_lo_u32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, (a & 0xffffff) * (b & 0xffffff) + c)                     \
    X(mad24_lo_s32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32,                                                          \
      (u32)((s32)(a << 8) >> 8) * (u32)((s32)(b << 8) >> 8) + c)                                                      \
    X(mad24_hi_u32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, (u32)((u64)(a & 0xffffff) * (b & 0xffffff) >> 16) + c)   \
    X(mad24_hi_s32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32,                                                          \
      (u32)((s64)((s32)(a << 8) >> 8) * ((s32)(b << 8) >> 8) >> 16) + c)                                              \
    X(mad24_hi_sat_s32, RG_CLASS_INTEGER, 3, s32, u32, u32, s32,                                                      \
      rg_clamp_s32((s64)(s32)((s64)((s32)(a << 8) >> 8) * ((s32)(b << 8) >> 8) >> 16) + c))                           \
    X(add_sat_s32, RG_CLASS_INTEGER, 2, s32, s32, s32, s32, rg_clamp_s32((s64)a + b))                                 \
    X(sub_sat_s32, RG_CLASS_INTEGER, 2, s32, s32, s32, s32, rg_clamp_s32((s64)a - b))                                 \
    X(mad_hi_sat_s32, RG_CLASS_INTEGER, 3, s32, s32, s32, s32, rg_clamp_s32(((s64)a * b >> 32) + c))                  \
    X(min_relu_s32, RG_CLASS_INTEGER, 2, s32, s32, s32, s32, (a < b ? a : b) < 0 ? 0 : (a < b ? a : b))               \
    X(max_relu_s32, RG_CLASS_INTEGER, 2, s32, s32, s32, s32, (a > b ? a : b) < 0 ? 0 : (a > b ? a : b))               \
    X(add_u16x2, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, ((a + b) & 0xffff) | ((a & 0xffff0000) + (b & 0xffff0000))) \
    X(add_s16x2, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, ((a + b) & 0xffff) | ((a & 0xffff0000) + (b & 0xffff0000))) \
    X(min_u16x2, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, RG_PAIR2(rg_min_u16, a, b))                                 \
    X(max_u16x2, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, RG_PAIR2(rg_max_u16, a, b))                                 \
    X(min_s16x2, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, RG_PAIR2(rg_min_s16, a, b))                                 \
    X(max_s16x2, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, RG_PAIR2(rg_max_s16, a, b))                                 \
    X(min_relu_s16x2, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, RG_PAIR2(rg_max_s16, RG_PAIR2(rg_min_s16, a, b), 0U))  \
    X(max_relu_s16x2, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, RG_PAIR2(rg_max_s16, RG_PAIR2(rg_max_s16, a, b), 0U))  \
    X(vabsdiff4_u32_u32_u32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_differences(a, b, false))                    \
    X(vabsdiff4_s32_s32_s32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_differences(a, b, true))                     \
    X(vabsdiff4_u32_u32_u32_add, RG_CLASS_INTEGER, 3, u32, u32, u32, u32,                                             \
      rg_dp4a(rg_differences(a, b, false), 0x01010101U, c, false, false))                                             \
    X(vabsdiff4_s32_s32_s32_add, RG_CLASS_INTEGER, 3, u32, u32, u32, u32,                                             \
      rg_dp4a(rg_differences(a, b, true), 0x01010101U, c, false, false))                                              \
    X(popc_b32, RG_CLASS_INTEGER, 1, u32, u32, u32, u32, (u32)__builtin_popcount(a))                                  \
    X(popc_b64, RG_CLASS_INTEGER, 1, u32, u64, u64, u64, (u32)__builtin_popcountll(a))                                \
    X(clz_b32, RG_CLASS_INTEGER, 1, u32, u32, u32, u32, a == 0 ? 32 : (u32)__builtin_clz(a))                          \
    X(clz_b64, RG_CLASS_INTEGER, 1, u32, u64, u64, u64, a == 0 ? 64 : (u32)__builtin_clzll(a))                        \
    X(brev_b32, RG_CLASS_INTEGER, 1, u32, u32, u32, u32, rg_reverse32(a))                                             \
    X(brev_b64, RG_CLASS_INTEGER, 1, u64, u64, u64, u64,                                                              \
      (u64)rg_reverse32((u32)a) << 32 | rg_reverse32((u32)(a >> 32)))                                                 \
    X(bfind_u32, RG_CLASS_INTEGER, 1, u32, u32, u32, u32, rg_bfind(a))                                                \
    X(bfind_u64, RG_CLASS_INTEGER, 1, u32, u64, u64, u64, rg_bfind(a))                                                \
    X(bfind_s32, RG_CLASS_INTEGER, 1, u32, s32, s32, s32, rg_bfind((u32)(a < 0 ? ~a : a)))                            \
    X(bfind_s64, RG_CLASS_INTEGER, 1, u32, s64, s64, s64, rg_bfind((u64)(a < 0 ? ~a : a)))                            \
    X(bfind_shiftamt_u32, RG_CLASS_INTEGER, 1, u32, u32, u32, u32, rg_bfind_shift(a, 32))                             \
    X(bfind_shiftamt_u64, RG_CLASS_INTEGER, 1, u32, u64, u64, u64, rg_bfind_shift(a, 64))                             \
    X(bfind_shiftamt_s32, RG_CLASS_INTEGER, 1, u32, s32, s32, s32, rg_bfind_shift((u32)(a < 0 ? ~a : a), 32))         \
    X(bfind_shiftamt_s64, RG_CLASS_INTEGER, 1, u32, s64, s64, s64, rg_bfind_shift((u64)(a < 0 ? ~a : a), 64))         \
    X(bfe_u32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_bfe_unsigned(a, b, c, 32))                                 \
    X(bfe_s32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_bfe_signed(a, b, c, 32))                                   \
    X(bfe_u64, RG_CLASS_INTEGER, 3, u64, u64, u32, u32, rg_bfe_unsigned(a, b, c, 64))                                 \
    X(bfe_s64, RG_CLASS_INTEGER, 3, u64, u64, u32, u32, rg_bfe_signed(a, b, c, 64))                                   \
    X(bmsk_wrap_b32, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, rg_bmsk(a, b, true))                                    \
    X(bmsk_clamp_b32, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, rg_bmsk(a, b, false))                                  \
    X(szext_wrap_u32, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, rg_bfe_unsigned(a, 0, b & 31, 32))                     \
    X(szext_wrap_s32, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, rg_bfe_signed(a, 0, b & 31, 32))                       \
    X(szext_clamp_u32, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, b >= 32 ? a : rg_bfe_unsigned(a, 0, b, 32))           \
    X(szext_clamp_s32, RG_CLASS_INTEGER, 2, u32, u32, u32, u32, b >= 32 ? a : rg_bfe_signed(a, 0, b, 32))             \
    X(shf_l_wrap_b32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_shf_left(a, b, c & 31))                             \
    X(shf_l_clamp_b32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_shf_left(a, b, c))                                 \
    X(shf_r_wrap_b32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_shf_right(a, b, c & 31))                            \
    X(shf_r_clamp_b32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_shf_right(a, b, c))                                \
    X(prmt_b32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_prmt(a, b, c))                                            \
    X(prmt_b32_f4e, RG_CLASS_INTEGER, 3, u32, u32, u32, u32,                                                          \
      rg_prmt_mode(a, b, c, (const u16[]){0x3210, 0x4321, 0x5432, 0x6543}))                                           \
    X(prmt_b32_b4e, RG_CLASS_INTEGER, 3, u32, u32, u32, u32,                                                          \
      rg_prmt_mode(a, b, c, (const u16[]){0x5670, 0x6701, 0x7012, 0x0123}))                                           \
    X(prmt_b32_rc8, RG_CLASS_INTEGER, 3, u32, u32, u32, u32,                                                          \
      rg_prmt_mode(a, b, c, (const u16[]){0x0000, 0x1111, 0x2222, 0x3333}))                                           \
    X(prmt_b32_ecl, RG_CLASS_INTEGER, 3, u32, u32, u32, u32,                                                          \
      rg_prmt_mode(a, b, c, (const u16[]){0x3210, 0x3211, 0x3222, 0x3333}))                                           \
    X(prmt_b32_ecr, RG_CLASS_INTEGER, 3, u32, u32, u32, u32,                                                          \
      rg_prmt_mode(a, b, c, (const u16[]){0x0000, 0x1110, 0x2210, 0x3210}))                                           \
    X(prmt_b32_rc16, RG_CLASS_INTEGER, 3, u32, u32, u32, u32,                                                         \
      rg_prmt_mode(a, b, c, (const u16[]){0x1010, 0x3232, 0x1010, 0x3232}))                                           \
    X(lop3_b32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_lop3(a, b, c, (u32)op->immediate))                        \
    X(dp4a_u32_u32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_dp4a(a, b, c, false, false))                          \
    X(dp4a_u32_s32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_dp4a(a, b, c, false, true))                           \
    X(dp4a_s32_u32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_dp4a(a, b, c, true, false))                           \
    X(dp4a_s32_s32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_dp4a(a, b, c, true, true))                            \
    X(dp2a_lo_u32_u32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_dp2a(a, b, c, false, false, 0))                    \
    X(dp2a_lo_u32_s32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_dp2a(a, b, c, false, true, 0))                     \
    X(dp2a_lo_s32_u32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_dp2a(a, b, c, true, false, 0))                     \
    X(dp2a_lo_s32_s32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_dp2a(a, b, c, true, true, 0))                      \
    X(dp2a_hi_u32_u32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_dp2a(a, b, c, false, false, 1))                    \
    X(dp2a_hi_u32_s32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_dp2a(a, b, c, false, true, 1))                     \
    X(dp2a_hi_s32_u32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_dp2a(a, b, c, true, false, 1))                     \
    X(dp2a_hi_s32_s32, RG_CLASS_INTEGER, 3, u32, u32, u32, u32, rg_dp2a(a, b, c, true, true, 1))

/** Float operations that f32 and f64 share: C's functions by suffix. */
#define RG_FLOAT_LANES(X, F, SUFFIX, CLASS, FUSED)                          \
    X(add_##F, CLASS, 2, F, F, F, F, a + b)                                 \
    X(sub_##F, CLASS, 2, F, F, F, F, a - b)                                 \
    X(mul_##F, CLASS, 2, F, F, F, F, a *b)                                  \
    X(fma_##F, FUSED, 3, F, F, F, F, fma##SUFFIX(a, b, c))                  \
    X(mad_##F, FUSED, 3, F, F, F, F, fma##SUFFIX(a, b, c))                  \
    X(div_##F, RG_CLASS_DIVIDE, 2, F, F, F, F, a / b)                       \
    X(abs_##F, CLASS, 1, F, F, F, F, fabs##SUFFIX(a))                       \
    X(neg_##F, CLASS, 1, F, F, F, F, -a)                                    \
    X(min_##F, CLASS, 2, F, F, F, F, rg_min_##F(a, b))                      \
    X(max_##F, CLASS, 2, F, F, F, F, rg_max_##F(a, b))                      \
    X(rcp_##F, RG_CLASS_SPECIAL, 1, F, F, F, F, 1 / a)                      \
    X(sqrt_##F, RG_CLASS_SPECIAL, 1, F, F, F, F, sqrt##SUFFIX(a))           \
    X(rsqrt_##F, RG_CLASS_SPECIAL, 1, F, F, F, F, (F)(1 / sqrt((double)a))) \
    X(copysign_##F, CLASS, 2, F, F, F, F, copysign##SUFFIX(b, a))           \
    X(mov_##F, RG_CLASS_MOVE, 1, F, F, F, F, a)                             \
    X(slct_##F##_s32, CLASS, 3, F, F, F, s32, c >= 0 ? a : b)               \
    X(slct_##F##_f32, CLASS, 3, F, F, F, f32, c >= 0 ? a : b)

#define RG_F32_LANES(X)                                                                                             \
    X(min_NaN_f32, RG_CLASS_FLOAT, 2, f32, f32, f32, f32, rg_or_nan(a, b, rg_min_f32(a, b)))                        \
    X(max_NaN_f32, RG_CLASS_FLOAT, 2, f32, f32, f32, f32, rg_or_nan(a, b, rg_max_f32(a, b)))                        \
    X(min_xorsign_abs_f32, RG_CLASS_FLOAT, 2, f32, f32, f32, f32, rg_xorsign(a, b, rg_min_f32(fabsf(a), fabsf(b)))) \
    X(max_xorsign_abs_f32, RG_CLASS_FLOAT, 2, f32, f32, f32, f32, rg_xorsign(a, b, rg_max_f32(fabsf(a), fabsf(b)))) \
    X(min_NaN_xorsign_abs_f32, RG_CLASS_FLOAT, 2, f32, f32, f32, f32,                                               \
      rg_or_nan(a, b, rg_xorsign(a, b, rg_min_f32(fabsf(a), fabsf(b)))))                                            \
    X(max_NaN_xorsign_abs_f32, RG_CLASS_FLOAT, 2, f32, f32, f32, f32,                                               \
      rg_or_nan(a, b, rg_xorsign(a, b, rg_max_f32(fabsf(a), fabsf(b)))))                                            \
    X(div_approx_f32, RG_CLASS_DIVIDE, 2, f32, f32, f32, f32, rg_div_approx(a, b))                                  \
    X(sin_f32, RG_CLASS_SPECIAL, 1, f32, f32, f32, f32, sinf(a))                                                    \
    X(cos_f32, RG_CLASS_SPECIAL, 1, f32, f32, f32, f32, cosf(a))                                                    \
    X(lg2_f32, RG_CLASS_SPECIAL, 1, f32, f32, f32, f32, log2f(a))                                                   \
    X(ex2_f32, RG_CLASS_SPECIAL, 1, f32, f32, f32, f32, exp2f(a))                                                   \
    X(tanh_f32, RG_CLASS_SPECIAL, 1, f32, f32, f32, f32, tanhf(a))

/** Half, bf16 and their pairs: P names the functions. */
#define RG_HALF_LANES(X, F, P)                                                                 \
    X(add_##F, RG_CLASS_HALF, 2, u16, u16, u16, u16, P##_add(a, b))                            \
    X(sub_##F, RG_CLASS_HALF, 2, u16, u16, u16, u16, P##_sub(a, b))                            \
    X(mul_##F, RG_CLASS_HALF, 2, u16, u16, u16, u16, P##_mul(a, b))                            \
    X(fma_##F, RG_CLASS_HALF, 3, u16, u16, u16, u16, P##_fma(a, b, c))                         \
    X(fma_relu_##F, RG_CLASS_HALF, 3, u16, u16, u16, u16, P##_fma_relu(a, b, c))               \
    X(neg_##F, RG_CLASS_HALF, 1, u16, u16, u16, u16, P##_neg(a))                               \
    X(abs_##F, RG_CLASS_HALF, 1, u16, u16, u16, u16, P##_abs(a))                               \
    X(min_##F, RG_CLASS_HALF, 2, u16, u16, u16, u16, P##_min(a, b))                            \
    X(max_##F, RG_CLASS_HALF, 2, u16, u16, u16, u16, P##_max(a, b))                            \
    X(min_NaN_##F, RG_CLASS_HALF, 2, u16, u16, u16, u16, P##_min_nan(a, b))                    \
    X(max_NaN_##F, RG_CLASS_HALF, 2, u16, u16, u16, u16, P##_max_nan(a, b))                    \
    X(ex2_##F, RG_CLASS_SPECIAL, 1, u16, u16, u16, u16, P##_ex2(a))                            \
    X(tanh_##F, RG_CLASS_SPECIAL, 1, u16, u16, u16, u16, P##_tanh(a))                          \
    X(add_##F##x2, RG_CLASS_HALF, 2, u32, u32, u32, u32, RG_PAIR2(P##_add, a, b))              \
    X(sub_##F##x2, RG_CLASS_HALF, 2, u32, u32, u32, u32, RG_PAIR2(P##_sub, a, b))              \
    X(mul_##F##x2, RG_CLASS_HALF, 2, u32, u32, u32, u32, RG_PAIR2(P##_mul, a, b))              \
    X(fma_##F##x2, RG_CLASS_HALF, 3, u32, u32, u32, u32, RG_PAIR3(P##_fma, a, b, c))           \
    X(fma_relu_##F##x2, RG_CLASS_HALF, 3, u32, u32, u32, u32, RG_PAIR3(P##_fma_relu, a, b, c)) \
    X(neg_##F##x2, RG_CLASS_HALF, 1, u32, u32, u32, u32, RG_PAIR1(P##_neg, a))                 \
    X(abs_##F##x2, RG_CLASS_HALF, 1, u32, u32, u32, u32, RG_PAIR1(P##_abs, a))                 \
    X(min_##F##x2, RG_CLASS_HALF, 2, u32, u32, u32, u32, RG_PAIR2(P##_min, a, b))              \
    X(max_##F##x2, RG_CLASS_HALF, 2, u32, u32, u32, u32, RG_PAIR2(P##_max, a, b))              \
    X(min_NaN_##F##x2, RG_CLASS_HALF, 2, u32, u32, u32, u32, RG_PAIR2(P##_min_nan, a, b))      \
    X(max_NaN_##F##x2, RG_CLASS_HALF, 2, u32, u32, u32, u32, RG_PAIR2(P##_max_nan, a, b))      \
    X(ex2_##F##x2, RG_CLASS_SPECIAL, 1, u32, u32, u32, u32, RG_PAIR1(P##_ex2, a))              \
    X(tanh_##F##x2, RG_CLASS_SPECIAL, 1, u32, u32, u32, u32, RG_PAIR1(P##_tanh, a))

/** Conversions whose registers are as wide as the types; the others go by a general way (convert.c). */
#define RG_CONVERT_FROM(X, D, S) X(cvt_##D##_##S, RG_CLASS_CONVERT, 1, D, S, S, S, (D)a)
#define RG_CONVERT_TO(X, D)    \
    RG_CONVERT_FROM(X, D, u16) \
    RG_CONVERT_FROM(X, D, s16) \
    RG_CONVERT_FROM(X, D, u32) \
    RG_CONVERT_FROM(X, D, s32) \
    RG_CONVERT_FROM(X, D, u64) \
    RG_CONVERT_FROM(X, D, s64)
#define RG_CONVERT_LANES(X)      \
    RG_CONVERT_TO(X, u16)        \
    RG_CONVERT_TO(X, s16)        \
    RG_CONVERT_TO(X, u32)        \
    RG_CONVERT_TO(X, s32)        \
    RG_CONVERT_TO(X, u64)        \
    RG_CONVERT_TO(X, s64)        \
    RG_CONVERT_TO(X, f32)        \
    RG_CONVERT_TO(X, f64)        \
    RG_CONVERT_FROM(X, f64, f32) \
    RG_CONVERT_FROM(X, f32, f64) \
    RG_CONVERT_FROM(X, f32, f32) \
    RG_CONVERT_FROM(X, f64, f64)

#define RG_PLAIN_LANES(X)                                      \
    RG_INTEGER_LANES(X, u16, s16, b16, u32, s32, 16)           \
    RG_INTEGER_LANES(X, u32, s32, b32, u64, s64, 32)           \
    RG_INTEGER_LANES(X, u64, s64, b64, u128, s128, 64)         \
    RG_BIT_LANES(X)                                            \
    RG_FLOAT_LANES(X, f32, f, RG_CLASS_FLOAT, RG_CLASS_FMA)    \
    RG_FLOAT_LANES(X, f64, , RG_CLASS_DOUBLE, RG_CLASS_DOUBLE) \
    RG_F32_LANES(X)                                            \
    RG_HALF_LANES(X, f16, rg_half)                             \
    RG_HALF_LANES(X, bf16, rg_bf)                              \
    RG_CONVERT_LANES(X)

/** Comparisons: X(key, class, type of a and b, what holds). Their result is a mask. */
#define RG_COMPARE_INTEGER(X, T, C) \
    X(eq_##T, C, T, a == b)         \
    X(ne_##T, C, T, a != b)         \
    X(lt_##T, C, T, a < b)          \
    X(le_##T, C, T, a <= b)         \
    X(gt_##T, C, T, a > b)          \
    X(ge_##T, C, T, a >= b)
#define RG_COMPARE_FLOAT(X, T, C, V)                \
    X(eq_##T, C, T, V(a) == V(b))                   \
    X(ne_##T, C, T, V(a) < V(b) || V(a) > V(b))     \
    X(lt_##T, C, T, V(a) < V(b))                    \
    X(le_##T, C, T, V(a) <= V(b))                   \
    X(gt_##T, C, T, V(a) > V(b))                    \
    X(ge_##T, C, T, V(a) >= V(b))                   \
    X(equ_##T, C, T, !(V(a) < V(b) || V(a) > V(b))) \
    X(neu_##T, C, T, V(a) != V(b))                  \
    X(ltu_##T, C, T, !(V(a) >= V(b)))               \
    X(leu_##T, C, T, !(V(a) > V(b)))                \
    X(gtu_##T, C, T, !(V(a) <= V(b)))               \
    X(geu_##T, C, T, !(V(a) < V(b)))                \
    X(num_##T, C, T, V(a) == V(a) && V(b) == V(b))  \
    X(nan_##T, C, T, V(a) != V(a) || V(b) != V(b))
#define RG_COMPARE_LANES(X)                                                      \
    RG_COMPARE_INTEGER(X, u16, RG_CLASS_INTEGER)                                 \
    RG_COMPARE_INTEGER(X, s16, RG_CLASS_INTEGER)                                 \
    RG_COMPARE_INTEGER(X, u32, RG_CLASS_INTEGER)                                 \
    RG_COMPARE_INTEGER(X, s32, RG_CLASS_INTEGER)                                 \
    RG_COMPARE_INTEGER(X, u64, RG_CLASS_INTEGER)                                 \
    RG_COMPARE_INTEGER(X, s64, RG_CLASS_INTEGER)                                 \
    X(lo_u16, RG_CLASS_INTEGER, u16, a < b)                                      \
    X(ls_u16, RG_CLASS_INTEGER, u16, a <= b)                                     \
    X(hi_u16, RG_CLASS_INTEGER, u16, a > b)                                      \
    X(hs_u16, RG_CLASS_INTEGER, u16, a >= b)                                     \
    X(lo_u32, RG_CLASS_INTEGER, u32, a < b)                                      \
    X(ls_u32, RG_CLASS_INTEGER, u32, a <= b)                                     \
    X(hi_u32, RG_CLASS_INTEGER, u32, a > b)                                      \
    X(hs_u32, RG_CLASS_INTEGER, u32, a >= b)                                     \
    X(lo_u64, RG_CLASS_INTEGER, u64, a < b)                                      \
    X(ls_u64, RG_CLASS_INTEGER, u64, a <= b)                                     \
    X(hi_u64, RG_CLASS_INTEGER, u64, a > b)                                      \
    X(hs_u64, RG_CLASS_INTEGER, u64, a >= b)                                     \
    X(eq_b16, RG_CLASS_INTEGER, u16, a == b)                                     \
    X(ne_b16, RG_CLASS_INTEGER, u16, a != b)                                     \
    X(eq_b32, RG_CLASS_INTEGER, u32, a == b)                                     \
    X(ne_b32, RG_CLASS_INTEGER, u32, a != b)                                     \
    X(eq_b64, RG_CLASS_INTEGER, u64, a == b)                                     \
    X(ne_b64, RG_CLASS_INTEGER, u64, a != b)                                     \
    RG_COMPARE_FLOAT(X, f32, RG_CLASS_FLOAT, )                                   \
    RG_COMPARE_FLOAT(X, f64, RG_CLASS_DOUBLE, )                                  \
    RG_COMPARE_FLOAT(X, f16, RG_CLASS_HALF, rg_half_float)                       \
    RG_COMPARE_FLOAT(X, bf16, RG_CLASS_HALF, rg_bf16_float)                      \
    X(finite_f32, RG_CLASS_FLOAT, f32, isfinite(a))                              \
    X(infinite_f32, RG_CLASS_FLOAT, f32, isinf(a) != 0)                          \
    X(number_f32, RG_CLASS_FLOAT, f32, !isnan(a))                                \
    X(notanumber_f32, RG_CLASS_FLOAT, f32, isnan(a))                             \
    X(normal_f32, RG_CLASS_FLOAT, f32, isnormal(a) || a == 0)                    \
    X(subnormal_f32, RG_CLASS_FLOAT, f32, isfinite(a) && !isnormal(a) && a != 0) \
    X(finite_f64, RG_CLASS_DOUBLE, f64, isfinite(a))                             \
    X(infinite_f64, RG_CLASS_DOUBLE, f64, isinf(a) != 0)                         \
    X(number_f64, RG_CLASS_DOUBLE, f64, !isnan(a))                               \
    X(notanumber_f64, RG_CLASS_DOUBLE, f64, isnan(a))                            \
    X(normal_f64, RG_CLASS_DOUBLE, f64, isnormal(a) || a == 0)                   \
    X(subnormal_f64, RG_CLASS_DOUBLE, f64, isfinite(a) && !isnormal(a) && a != 0)

typedef enum rg_code {
#define RG_CODE_PLAIN(key, class, count, d, a, b, c, text) RG_CODE_##key,
    RG_PLAIN_LANES(RG_CODE_PLAIN)
#undef RG_CODE_PLAIN
#define RG_CODE_COMPARE(key, class, t, text) RG_CODE_is_##key,
    RG_COMPARE_LANES(RG_CODE_COMPARE)
#undef RG_CODE_COMPARE
        RG_CODE_select_16,
    RG_CODE_select_32,
    RG_CODE_select_64,
    RG_CODE_load,
    RG_CODE_store,
    RG_CODE_COUNT
} rg_code;

/* NOLINTEND(bugprone-macro-parentheses) */

#endif
