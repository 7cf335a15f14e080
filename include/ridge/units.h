/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Numbers and names as people write them, in and out, independent of the program's locale. Thread rule: pure; any thread.
 */
#ifndef RIDGE_UNITS_H
#define RIDGE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "ridge/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RIDGE_NUMBER_BYTES = 32
};

/**
 * Read a whole non-negative number: decimal digits, or 0x and hex digits.
 * \retval RIDGE_E_VALUE  it is not one, or it is above `maximum`; the message says what would be right.
 */
RIDGE_API ridge_status ridge_count_parse(const char *text, uint64_t maximum, uint64_t *out, struct ridge_error *error);

/** Read a finite decimal number such as 0.95, -3 or 1e-6. \retval RIDGE_E_VALUE it is not one. */
RIDGE_API ridge_status ridge_number_parse(const char *text, double *out, struct ridge_error *error);

/**
 * Read a duration: a number and one of ns, us, ms, s, m, h (none: seconds).
 * \param[out] seconds  positive and finite
 * \retval RIDGE_E_VALUE  it is not one, or not positive.
 */
RIDGE_API ridge_status ridge_duration_parse(const char *text, double *seconds, struct ridge_error *error);

/**
 * Read a number of bytes: a number and a unit, with or without a space: B, kB MB GB TB (powers of 1000), KiB MiB GiB
 * TiB PiB EiB and K M G T alone (powers of 1024); none: bytes. Letters of either case.
 * \param[out] bytes  at least 1, whole
 * \retval RIDGE_E_VALUE  it is not one, not a whole number of bytes, 0, or above 2^63 - 1
 */
RIDGE_API ridge_status ridge_size_parse(const char *text, uint64_t *bytes, struct ridge_error *error);

/** Write a number of bytes for people, exactly where that is short: 3 MiB, 46.6 KiB, 100 B. */
RIDGE_API void ridge_size_format(uint64_t bytes, char out[RIDGE_NUMBER_BYTES]);

/**
 * Write the shortest decimal text that reads back as the same double; "nan", "inf" and "-inf" for those.
 * A whole number has no point: 2.0 is written 2.
 */
RIDGE_API void ridge_number_format(double value, char out[RIDGE_NUMBER_BYTES]);

/** Write a duration in seconds for people, with three digits and a unit: 1.23 ms. */
RIDGE_API void ridge_duration_format(double seconds, char out[RIDGE_NUMBER_BYTES]);

/**
 * Read an amount or a rate: a number, a prefix (k, M, G, T, P: powers of 1000; Ki, Mi, Gi, Ti, Pi: of 1024) and its
 * unit, such as 64MiB, 2 GFLOP or 300GB/s. A number alone is in the unit itself.
 * \param unit  "B", "FLOP", "B/s" or "FLOP/s"
 * \param[out] out  positive and finite, or 0
 * \retval RIDGE_E_VALUE  it is not one; the message says what would be right
 */
RIDGE_API ridge_status ridge_quantity_parse(const char *text, const char *unit, double *out, struct ridge_error *error);

/** Write an amount or a rate for people, with four digits and a decimal prefix: 53.42 GB/s. "unknown" for NaN. */
RIDGE_API void ridge_quantity_format(double value, const char *unit, char out[RIDGE_NUMBER_BYTES]);

/**
 * Find the candidate nearest to `name` by edit distance, ignoring case: for "did you mean".
 * \param count  candidates at `names`; a NULL entry is passed over
 * \return one of `names`, or NULL when none is near enough (a third of the length, at least one edit).
 */
RIDGE_API const char *ridge_near_name(const char *name, const char *const *names, size_t count);

#ifdef __cplusplus
}
#endif
#endif
