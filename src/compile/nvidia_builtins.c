/* SPDX-License-Identifier: MIT */
/*
 * What libclc leaves to functions that clang's backend for NVIDIA does not have, in front of a source. OpenCL leaves the
 * accuracy of native_ functions open (OpenCL C 1.2, 6.12.2); these are the approximate instructions that the hardware
 * has for them. Ridge launches without an offset.
 * libclc's barrier orders all memory, whatever it is asked for; a pragma, which means nothing to other readers of PTX, says
 * what it was (1 local, 2 global, 3 both; where the flags are no constant, both), so that the gate sees too weak ones.
 * Source: PTX ISA 7.5, sin, cos, ex2, lg2 (.approx.f32); 1.442695 is log2(e), 0.693147 ln(2), 3.321928 log2(10),
 * 0.301030 log10(2).
 */
#include "compile/clang.h"

const char rg_nvidia_builtins[] =
    "#line 1 \"ridge-builtins\"\n"
    "#define RIDGE_OF static __attribute__((overloadable, always_inline, unused))\n"
    "#define RIDGE_HALVES(f, of, parts) RIDGE_OF of f(of x) { return (of)parts; }\n"
    "#define RIDGE_NATIVE(f, value) RIDGE_OF float f(float x) { return value; }"
    " RIDGE_HALVES(f, float2, (f(x.x), f(x.y))) RIDGE_HALVES(f, float3, (f(x.xy), f(x.z)))"
    " RIDGE_HALVES(f, float4, (f(x.lo), f(x.hi))) RIDGE_HALVES(f, float8, (f(x.lo), f(x.hi)))"
    " RIDGE_HALVES(f, float16, (f(x.lo), f(x.hi)))\n"
    "RIDGE_NATIVE(ridge_native_sin, __nvvm_sin_approx_f(x))\n"
    "RIDGE_NATIVE(ridge_native_cos, __nvvm_cos_approx_f(x))\n"
    "RIDGE_NATIVE(ridge_native_tan, __nvvm_sin_approx_f(x) / __nvvm_cos_approx_f(x))\n"
    "RIDGE_NATIVE(ridge_native_exp, __nvvm_ex2_approx_f(x * 1.44269504f))\n"
    "RIDGE_NATIVE(ridge_native_exp2, __nvvm_ex2_approx_f(x))\n"
    "RIDGE_NATIVE(ridge_native_exp10, __nvvm_ex2_approx_f(x * 3.32192809f))\n"
    "RIDGE_NATIVE(ridge_native_log, __nvvm_lg2_approx_f(x) * 0.693147181f)\n"
    "RIDGE_NATIVE(ridge_native_log2, __nvvm_lg2_approx_f(x))\n"
    "RIDGE_NATIVE(ridge_native_log10, __nvvm_lg2_approx_f(x) * 0.301029996f)\n"
    "#define native_sin ridge_native_sin\n"
    "#define native_cos ridge_native_cos\n"
    "#define native_tan ridge_native_tan\n"
    "#define native_exp ridge_native_exp\n"
    "#define native_exp2 ridge_native_exp2\n"
    "#define native_exp10 ridge_native_exp10\n"
    "#define native_log ridge_native_log\n"
    "#define native_log2 ridge_native_log2\n"
    "#define native_log10 ridge_native_log10\n"
    "#define native_powr(x, y) ridge_native_exp2((y)*ridge_native_log2(x))\n"
    "#define get_global_offset(dimension) ((size_t)0)\n"
    "#define barrier(flags) __extension__({ __asm__ volatile(\".pragma \\\"ridge.fence %0\\\";\" ::"
    "\"n\"(__builtin_constant_p(flags) ? (int)(flags) : 3)); barrier(flags); })\n";
