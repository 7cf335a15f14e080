/* SPDX-License-Identifier: MIT */
#include "tune/verify.h"

#include <math.h>

#include "ridge/units.h"

/** An element as a double, and as the integer it is when it is one. */
static double element_load(const void *array, rg_element element, uint64_t index)
{
    switch (element) {
    case RG_F32: return (double)((const float *)array)[index];
    case RG_F64: return ((const double *)array)[index];
    case RG_I8: return ((const int8_t *)array)[index];
    case RG_U8: return ((const uint8_t *)array)[index];
    case RG_I16: return ((const int16_t *)array)[index];
    case RG_U16: return ((const uint16_t *)array)[index];
    case RG_I32: return ((const int32_t *)array)[index];
    case RG_U32: return ((const uint32_t *)array)[index];
    case RG_I64: return (double)((const int64_t *)array)[index];
    case RG_U64: return (double)((const uint64_t *)array)[index];
    }
    return 0;
}

/** Two 64-bit integers may be the same double and yet differ: compare their bits. */
static bool same_wide(const void *got, const void *want, rg_element element, uint64_t index)
{
    return (element != RG_I64 && element != RG_U64) ||
           ((const uint64_t *)got)[index] == ((const uint64_t *)want)[index];
}

/** How far off an element is: 0 when it passes, infinite for NaN and infinities, else the difference. */
static double element_error(const struct rg_verify *verify, double got, double want)
{
    if (isnan(got) || isnan(want)) {
        return isnan(got) && isnan(want) && verify->equal_nan ? 0 : (double)INFINITY;
    }
    if (got == want) {
        return 0;
    }
    if (isinf(got) || isinf(want)) {
        return (double)INFINITY; /* a bound relative to an infinity would let everything pass */
    }
    const double difference = fabs(got - want);
    return difference <= verify->absolute + verify->relative * fabs(want) ? 0 : difference;
}

static void format_pair(double value, char out[RIDGE_NUMBER_BYTES])
{
    ridge_number_format(value, out);
}

/*
 * Whether every element passes, without branches: most outputs are right, and they are compared twice for every
 * configuration. Whatever is not plainly inside the bound, NaN and infinities too, is left to the careful comparison.
 */
#define ALL_INSIDE(type)                                                                                             \
    static bool all_inside_##type(const struct rg_verify *verify, const type *got, const type *want, uint64_t count) \
    {                                                                                                                \
        uint64_t outside = 0;                                                                                        \
        for (uint64_t i = 0; i < count; i++) {                                                                       \
            const double difference = fabs((double)got[i] - (double)want[i]);                                        \
            const double bound = verify->absolute + verify->relative * fabs((double)want[i]);                        \
            outside += !(difference <= bound) | !(difference < (double)INFINITY);                                    \
        }                                                                                                            \
        return outside == 0;                                                                                         \
    }

ALL_INSIDE(float)
ALL_INSIDE(double)

static bool all_inside(const struct rg_verify *verify, rg_element element, const void *got, const void *want,
                       uint64_t count)
{
    if (element == RG_F32) {
        return all_inside_float(verify, got, want, count);
    }
    return element == RG_F64 && all_inside_double(verify, got, want, count);
}

/** A bound that the type's own rounding exceeds rejects right answers too: say so. The bound 0 asks for the same bits,
 * and rounding is the reason only where the two are near. */
static const char *bound_hint(const struct rg_verify *verify, rg_element element, double got, double want)
{
    static const double near_roundings = 16;
    const double rounding = (element == RG_F32 ? 0x1p-24 : (element == RG_F64 ? 0x1p-53 : 0)) * fabs(want);
    const double bound = verify->absolute + verify->relative * fabs(want);
    const bool possible = bound > 0 ? !isnan(got) : fabs(got - want) <= near_roundings * rounding;
    return bound < rounding && possible ? "the bound is below the rounding of the type: " : "";
}

void rg_verify_output(const struct rg_verify *verify, const struct rg_argument *argument, const void *got,
                      const void *want, uint64_t count, struct rg_trouble *trouble)
{
    const bool is_float = argument->element == RG_F32 || argument->element == RG_F64;
    if ((!want && !is_float) || (want && all_inside(verify, argument->element, got, want, count))) {
        return;
    }
    uint64_t wrong = 0;
    uint64_t first = 0;
    uint64_t worst = 0;
    double worst_error = 0;
    for (uint64_t i = 0; i < count; i++) {
        const double value = element_load(got, argument->element, i);
        double error = want ? element_error(verify, value, element_load(want, argument->element, i))
                            : (isnan(value) ? (double)INFINITY : 0);
        if (want && error == 0 && verify->absolute == 0 && verify->relative == 0 &&
            !same_wide(got, want, argument->element, i)) {
            error = 1;
        }
        if (error == 0) {
            continue;
        }
        first = wrong == 0 ? i : first;
        worst = error > worst_error ? i : worst;
        worst_error = error > worst_error ? error : worst_error;
        wrong++;
    }
    if (wrong == 0) {
        return;
    }
    char got_text[RIDGE_NUMBER_BYTES];
    char want_text[RIDGE_NUMBER_BYTES];
    char worst_text[RIDGE_NUMBER_BYTES];
    const double got_value = element_load(got, argument->element, first);
    format_pair(got_value, got_text);
    if (!want) {
        rg_trouble_set(trouble, RIDGE_OUTCOME_WRONG, "%s[%llu] is nan; %llu of %llu elements are", argument->name,
                       (unsigned long long)first, (unsigned long long)wrong, (unsigned long long)count);
        return;
    }
    const double want_value = element_load(want, argument->element, first);
    format_pair(want_value, want_text);
    format_pair(worst_error, worst_text);
    rg_trouble_set(trouble, RIDGE_OUTCOME_WRONG,
                   "%s%s[%llu] is %s, expected %s; %llu of %llu elements differ, most by %s at [%llu]",
                   bound_hint(verify, argument->element, got_value, want_value), argument->name,
                   (unsigned long long)first, got_text, want_text, (unsigned long long)wrong, (unsigned long long)count,
                   worst_text, (unsigned long long)worst);
}
