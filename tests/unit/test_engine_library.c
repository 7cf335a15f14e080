/* SPDX-License-Identifier: MIT */
/** \file Compiled code that leans on CUDA's libraries (tests/fixtures/ptx/library.cu), against loops in C. */
#include <math.h>

#include "engine_fixture.h"

enum {
    THREADS = 64
};
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static void run(const char *name, void *in, uint64_t in_bytes, void *out, uint64_t out_bytes)
{
    struct engine_fixture fixture;
    engine_load(&fixture, "library.nvcc.ptx");
    engine_buffer(&fixture, in, in_bytes, false, "in");
    engine_buffer(&fixture, out, out_bytes, true, "out");
    struct rg_engine_run request = engine_request(&fixture, 1, 1, THREADS, 1);
    request.entry = rg_ptx_entry_find(fixture.ptx, name);
    assert_true(request.entry != SIZE_MAX);
    request.check = true;
    request.count = true;
    engine_go(&fixture, &request);
    if (fixture.findings) {
        print_error("%s\n", fixture.first);
    }
    assert_int_equal(fixture.findings, 0);
    engine_free(&fixture);
}

static uint64_t noise(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state ^ *state >> 29;
}

/** nvcc's division reads with addc what sub.cc left. */
static void test_division_of_128_bits(void **state)
{
    (void)state;
    uint64_t seed = 1;
    uint64_t a[THREADS * 4];
    uint64_t out[THREADS * 6] = {0};
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < 4; i++) {
            a[4 * t + i] = noise(&seed) >> noise(&seed) % 64;
        }
        a[4 * t + 2] = t % 3 ? a[4 * t + 2] : 0;
        a[4 * t + 3] |= 1;
    }
    run("divide128", a, sizeof a, out, sizeof out);
    for (int t = 0; t < THREADS; t++) {
        const u128 x = (u128)a[4 * t] << 64 | a[4 * t + 1];
        const u128 y = (u128)a[4 * t + 2] << 64 | a[4 * t + 3];
        const u128 negative = (u128)((s128)x / -(s128)(y >> 1 | 1));
        const u128 wanted[3] = {x / y, x % y, negative};
        for (int i = 0; i < 3; i++) {
            assert_true(out[6 * t + 2 * i] == (uint64_t)wanted[i]);
            assert_true(out[6 * t + 2 * i + 1] == (uint64_t)(wanted[i] >> 64));
        }
    }
}

static void test_barriers(void **state)
{
    (void)state;
    int32_t a[512];
    int32_t out[512] = {0};
    for (int i = 0; i < 512; i++) {
        a[i] = i * i - 7;
    }
    run("barriers", a, sizeof a, out, THREADS * 4);
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(out[t], a[63 - t] + 2 * a[(t + 1) % 64]);
    }
    run("pipelines", a, sizeof a, out, sizeof out);
    for (int i = 0; i < 512; i++) {
        assert_int_equal(out[i], 2 * a[i]);
    }
}

static void test_calls_through_registers(void **state)
{
    (void)state;
    int32_t a[THREADS];
    int32_t out[THREADS] = {0};
    for (int t = 0; t < THREADS; t++) {
        a[t] = 3 * t + 1;
    }
    run("calls", a, sizeof a, out, sizeof out);
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(out[t], (t % 2 ? a[t] * 7 : a[t] + 1) + 1000 * (t / 2 % 2 ? a[t] : -a[t]));
    }
}

/** The nearest of the floats with `bits` bits behind the first. */
static float kept(float a, int bits)
{
    int exponent;
    const float fraction = frexpf(a, &exponent);
    return ldexpf(rintf(ldexpf(fraction, bits + 1)), exponent - bits - 1);
}

static void test_eight_bits(void **state)
{
    (void)state;
    float a[THREADS];
    float out[THREADS * 2] = {0};
    for (int t = 0; t < THREADS; t++) {
        a[t] = (float)(t - 30) * 1.37F + 0.3F;
    }
    a[0] = 1e6F;
    a[1] = -1e6F;
    run("narrow", a, sizeof a, out, sizeof out);
    assert_true(out[0] == 448 && out[1] == 57344 && out[2] == -448 && out[3] == -57344);
    for (int t = 2; t < THREADS; t++) {
        assert_true(out[2 * t] == kept(a[t], 3) && out[2 * t + 1] == kept(a[t], 2));
    }
}

static int half_of(uint32_t word, int half)
{
    return (int16_t)(word >> (16 * half));
}

static void test_pairs(void **state)
{
    (void)state;
    uint64_t seed = 5;
    uint32_t a[THREADS * 2];
    uint32_t out[THREADS * 4] = {0};
    for (int i = 0; i < THREADS * 2; i++) {
        a[i] = (uint32_t)noise(&seed);
    }
    run("pairs", a, sizeof a, out, sizeof out);
    for (int t = 0; t < THREADS; t++) {
        const uint32_t x = a[2 * t];
        const uint32_t y = a[2 * t + 1];
        for (int h = 0; h < 2; h++) {
            const int p = half_of(x, h);
            const int q = half_of(y, h);
            const uint16_t up = (uint16_t)p;
            const uint16_t uq = (uint16_t)q;
            const int most = p > q ? p : q;
            assert_int_equal(half_of(out[4 * t], h), p < q ? p : q);
            assert_int_equal((uint16_t)half_of(out[4 * t + 1], h), up > uq ? up : uq);
            assert_int_equal(half_of(out[4 * t + 2], h), most < 0 ? 0 : most);
        }
        for (int b = 0; b < 4; b++) {
            const int difference = (int)(x >> (8 * b) & 255) - (int)(y >> (8 * b) & 255);
            assert_int_equal(out[4 * t + 3] >> (8 * b) & 255, difference < 0 ? -difference : difference);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_division_of_128_bits),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_calls_through_registers),
        cmocka_unit_test(test_eight_bits),
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
