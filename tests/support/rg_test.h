/* SPDX-License-Identifier: MIT */
/** \file The one include of every unit test: cmocka with what it needs before it, and comparison of doubles. */
#ifndef RG_TEST_H
#define RG_TEST_H

#include <stdarg.h>

#include <stddef.h>

#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ridge/status.h"

/** Fail unless |a - b| <= max(rel * |b|, abs). */
#define assert_close(a, b, rel, abs)                                          \
    do {                                                                      \
        const double close_a = (a);                                           \
        const double close_b = (b);                                           \
        if (!(fabs(close_a - close_b) <= fmax((rel)*fabs(close_b), (abs)))) { \
            fail_msg("%.17g is not close to %.17g", close_a, close_b);        \
        }                                                                     \
    } while (0)

/** Fail, printing the error, unless a call returned RIDGE_OK. */
#define assert_ok(call, error)                                    \
    do {                                                          \
        if ((call) != RIDGE_OK) {                                 \
            char ok_text[2048];                                   \
            ridge_error_format((error), ok_text, sizeof ok_text); \
            fail_msg("%s failed: %s", #call, ok_text);            \
        }                                                         \
    } while (0)

/** A default context, made anew; the test destroys it. */
static inline struct ridge_context *test_context(void)
{
    struct ridge_context *context = NULL;
    assert_int_equal(ridge_context_create(NULL, &context, NULL), RIDGE_OK);
    return context;
}

/** Repository root, so that tests find examples/ and fixtures; set by Meson. */
#ifndef RG_SOURCE_ROOT
#    define RG_SOURCE_ROOT "."
#endif

#endif
