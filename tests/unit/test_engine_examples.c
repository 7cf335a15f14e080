/* SPDX-License-Identifier: MIT */
/** \file The example kernels, compiled by nvcc and by clang, give what a plain loop gives; nothing is found in them. */
#include "engine_fixture.h"

static float unit_value(uint32_t i)
{
    return (float)((i * 2654435761U) >> 8) / 16777216.0F - 0.5F;
}

static void fill(float *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = unit_value((uint32_t)i);
    }
}

static void run_clean(struct engine_fixture *fixture, struct rg_engine_run request)
{
    request.check = true;
    request.count = true;
    engine_go(fixture, &request);
    if (fixture->findings) {
        print_error("%s\n", fixture->first);
    }
    assert_int_equal(fixture->findings, 0);
}

static void matmul(const char *name)
{
    enum {
        N = 72
    };
    static float a[N * N];
    static float b[N * N];
    static float c[N * N];
    struct engine_fixture fixture;
    engine_load(&fixture, name);
    fill(a, N * N);
    fill(b, N * N);
    b[7] = 3;
    memset(c, 0xff, sizeof c);
    engine_buffer(&fixture, a, sizeof a, false, "argument a");
    engine_buffer(&fixture, b, sizeof b, false, "argument b");
    engine_buffer(&fixture, c, sizeof c, true, "argument c");
    engine_u32(&fixture, N);
    run_clean(&fixture, engine_request(&fixture, (N + 31) / 32, (N + 31) / 32, 16, 8));
    for (int row = 0; row < N; row++) {
        for (int column = 0; column < N; column++) {
            float sum = 0;
            for (int k = 0; k < N; k++) {
                sum = fmaf(a[row * N + k], b[k * N + column], sum);
            }
            assert_true(c[row * N + column] == sum);
        }
    }
    engine_free(&fixture);
}

static void transpose(const char *name)
{
    enum {
        ROWS = 70,
        COLUMNS = 45
    };
    static float from[ROWS * COLUMNS];
    static float to[ROWS * COLUMNS];
    struct engine_fixture fixture;
    engine_load(&fixture, name);
    fill(from, ROWS * COLUMNS);
    memset(to, 0, sizeof to);
    engine_buffer(&fixture, from, sizeof from, false, "matrix");
    engine_buffer(&fixture, to, sizeof to, true, "result");
    engine_u32(&fixture, ROWS);
    engine_u32(&fixture, COLUMNS);
    run_clean(&fixture, engine_request(&fixture, (COLUMNS + 31) / 32, (ROWS + 31) / 32, 16, 8));
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            assert_true(to[column * ROWS + row] == from[row * COLUMNS + column]);
        }
    }
    engine_free(&fixture);
}

static void reduction(const char *name, bool opencl)
{
    enum {
        N = 10007,
        GROUPS = 8,
        BLOCK = 64
    };
    static uint32_t data[N];
    uint32_t partials[128] = {0};
    uint32_t finished = 0;
    uint32_t result = 1;
    uint32_t sum = 0;
    struct engine_fixture fixture;
    engine_load(&fixture, name);
    for (uint32_t i = 0; i < N; i++) {
        data[i] = i * 2654435761U;
        sum += data[i];
    }
    engine_buffer(&fixture, data, sizeof data, false, "data");
    engine_buffer(&fixture, partials, sizeof partials, true, "partials");
    engine_buffer(&fixture, &finished, sizeof finished, true, "finished");
    engine_buffer(&fixture, &result, sizeof result, true, "result");
    if (opencl) {
        engine_local(&fixture, 4 * BLOCK);
    }
    engine_u32(&fixture, N);
    struct rg_engine_run request = engine_request(&fixture, GROUPS, 1, BLOCK, 1);
    request.entry = rg_ptx_entry_find(fixture.ptx, "reduction");
    request.shared_dynamic_bytes = opencl ? 0 : 4 * BLOCK;
    run_clean(&fixture, request);
    assert_int_equal(result, sum);
    assert_int_equal(finished, 0);
    engine_free(&fixture);
}

static void histogram(const char *name, bool opencl)
{
    enum {
        N = 20011,
        GROUPS = 3,
        BLOCK = 64
    };
    static uint8_t data[N + 13];
    uint32_t bins[256] = {0};
    uint32_t expected[256] = {0};
    struct engine_fixture fixture;
    engine_load(&fixture, name);
    for (uint32_t i = 0; i < N; i++) {
        data[i] = (uint8_t)((i * 2654435761U) >> 20);
        expected[data[i]]++;
    }
    engine_buffer(&fixture, data, N, false, "data");
    engine_buffer(&fixture, bins, sizeof bins, true, "bins");
    if (opencl) {
        engine_local(&fixture, 4 * 256 * 8);
    }
    engine_u32(&fixture, N);
    struct rg_engine_run request = engine_request(&fixture, GROUPS, 1, BLOCK, 1);
    request.entry = rg_ptx_entry_find(fixture.ptx, "histogram");
    request.shared_dynamic_bytes = opencl ? 0 : 4 * 256 * 8;
    run_clean(&fixture, request);
    assert_memory_equal(bins, expected, sizeof bins);
    engine_free(&fixture);
}

static void stencil(const char *name)
{
    enum {
        WIDTH = 61,
        HEIGHT = 37
    };
    static float before[WIDTH * HEIGHT];
    static float after[WIDTH * HEIGHT];
    struct engine_fixture fixture;
    engine_load(&fixture, name);
    fill(before, WIDTH * HEIGHT);
    memset(after, 0xff, sizeof after);
    engine_buffer(&fixture, before, sizeof before, false, "before");
    engine_buffer(&fixture, after, sizeof after, true, "after");
    engine_u32(&fixture, WIDTH);
    engine_u32(&fixture, HEIGHT);
    engine_f32(&fixture, 0.5F);
    engine_f32(&fixture, 0.125F);
    struct rg_engine_run request = engine_request(&fixture, (WIDTH + 31) / 32, (HEIGHT + 7) / 8, 16, 4);
    request.entry = rg_ptx_entry_find(fixture.ptx, "stencil");
    run_clean(&fixture, request);
    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < WIDTH; column++) {
            const float *here = before + row * WIDTH + column;
            const bool rim = row == 0 || column == 0 || row == HEIGHT - 1 || column == WIDTH - 1;
            const float expected =
                rim ? *here : 0.5F * *here + 0.125F * (here[-1] + here[1] + here[-WIDTH] + here[WIDTH]);
            assert_true(fabsf(after[row * WIDTH + column] - expected) < 1e-6F);
        }
    }
    engine_free(&fixture);
}

static void convolution(const char *name)
{
    enum {
        WIDTH = 70,
        HEIGHT = 41,
        PITCH = WIDTH + 6
    };
    static float image[PITCH * (HEIGHT + 6)];
    static float result[WIDTH * HEIGHT];
    float weights[49];
    struct engine_fixture fixture;
    engine_load(&fixture, name);
    fill(image, PITCH * (HEIGHT + 6));
    fill(weights, 49);
    engine_buffer(&fixture, image, sizeof image, false, "image");
    engine_buffer(&fixture, weights, sizeof weights, false, "weights");
    engine_buffer(&fixture, result, sizeof result, true, "result");
    engine_u32(&fixture, WIDTH);
    engine_u32(&fixture, HEIGHT);
    run_clean(&fixture, engine_request(&fixture, (WIDTH + 63) / 64, (HEIGHT + 31) / 32, 16, 8));
    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < WIDTH; column++) {
            float sum = 0;
            for (int k = 0; k < 49; k++) {
                sum = fmaf(weights[k], image[(row + k / 7) * PITCH + column + k % 7], sum);
            }
            assert_true(result[row * WIDTH + column] == sum);
        }
    }
    engine_free(&fixture);
}

/* clang-format off */
static void test_matmul_nvcc(void **state) { (void)state; matmul("matmul.nvcc.ptx"); }
static void test_matmul_clang(void **state) { (void)state; matmul("matmul.clang.ptx"); }
static void test_transpose_nvcc(void **state) { (void)state; transpose("transpose.nvcc.ptx"); }
static void test_transpose_clang(void **state) { (void)state; transpose("transpose.clang.ptx"); }
static void test_reduction_nvcc(void **state) { (void)state; reduction("reduction.nvcc.ptx", false); }
static void test_reduction_clang(void **state) { (void)state; reduction("reduction.clang.ptx", true); }
static void test_histogram_nvcc(void **state) { (void)state; histogram("histogram.nvcc.ptx", false); }
static void test_histogram_clang(void **state) { (void)state; histogram("histogram.clang.ptx", true); }
static void test_stencil_nvcc(void **state) { (void)state; stencil("stencil.nvcc.ptx"); }
static void test_stencil_clang(void **state) { (void)state; stencil("stencil.clang.ptx"); }
static void test_convolution_nvcc(void **state) { (void)state; convolution("convolution.nvcc.ptx"); }
static void test_convolution_clang(void **state) { (void)state; convolution("convolution.clang.ptx"); }
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matmul_nvcc),      cmocka_unit_test(test_matmul_clang),
        cmocka_unit_test(test_transpose_nvcc),   cmocka_unit_test(test_transpose_clang),
        cmocka_unit_test(test_reduction_nvcc),   cmocka_unit_test(test_reduction_clang),
        cmocka_unit_test(test_histogram_nvcc),   cmocka_unit_test(test_histogram_clang),
        cmocka_unit_test(test_stencil_nvcc),     cmocka_unit_test(test_stencil_clang),
        cmocka_unit_test(test_convolution_nvcc), cmocka_unit_test(test_convolution_clang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
