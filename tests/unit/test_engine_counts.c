/* SPDX-License-Identifier: MIT */
/** \file Counts that can be derived by hand: docs/engine.md has the derivations. */
#include "engine_fixture.h"

/** One warp-wide access in a kernel of one block of 32 threads; d1: shared s, d0: global, r0: lane. */
static void count_access(const char *body, struct rg_engine_counts *counts)
{
    static char text[4096];
    static uint8_t memory[65536];
    struct engine_fixture fixture;
    snprintf(text, sizeof text,
             ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %%p<4>;\n"
             ".reg .b32 %%r<16>;\n.reg .b64 %%d<8>;\n.shared .align 16 .b8 s[8192];\nld.param.u64 %%d0, [p];\n"
             "mov.u32 %%r0, %%tid.x;\nmov.u64 %%d1, s;\n%s\nret;\n}\n",
             body);
    engine_read(&fixture, text);
    engine_buffer(&fixture, memory, sizeof memory, true, "p");
    struct rg_engine_run request = engine_request(&fixture, 1, 1, 32, 1);
    request.count = true;
    engine_go(&fixture, &request);
    *counts = fixture.counts;
    engine_free(&fixture);
}

#define AT(base, scale) "mul.wide.u32 %d2, %r0, " scale ";\nadd.u64 %d2, " base ", %d2;\n"

static void wavefronts(const char *body, uint64_t wanted)
{
    struct rg_engine_counts counts;
    count_access(body, &counts);
    assert_int_equal(counts.shared_accesses, 1);
    assert_int_equal(counts.shared_wavefronts, wanted);
}

static void test_wavefronts(void **state)
{
    (void)state;
    wavefronts(AT("%d1", "4") "st.shared.u32 [%d2], %r0;", 1);
    wavefronts(AT("%d1", "8") "st.shared.u32 [%d2], %r0;", 2);    /* every second bank */
    wavefronts(AT("%d1", "12") "st.shared.u32 [%d2], %r0;", 1);   /* odd strides meet no bank twice */
    wavefronts(AT("%d1", "128") "st.shared.u32 [%d2], %r0;", 32); /* one bank */
    wavefronts(AT("%d1", "132") "st.shared.u32 [%d2], %r0;", 1);  /* padded */
    wavefronts("ld.shared.u32 %r1, [s];", 1);                     /* one word for all */
    wavefronts(AT("%d1", "1") "ld.shared.u8 %r1, [%d2];", 1);     /* 8 words, each for 4 lanes */
    wavefronts(AT("%d1", "8") "ld.shared.v2.u32 {%r1, %r2}, [%d2];", 2);
    wavefronts(AT("%d1", "16") "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%d2];", 4);
    wavefronts(AT("%d1", "64") "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%d2];", 16); /* four of eight lanes meet */
    wavefronts(AT("%d1", "8") "st.shared.u64 [%d2], %d0;", 2);
}

static void sectors(const char *body, uint64_t wanted_sectors, uint64_t wanted_lines)
{
    struct rg_engine_counts counts;
    count_access(body, &counts);
    assert_int_equal(counts.global_requests, 1);
    assert_int_equal(counts.global_sectors, wanted_sectors);
    assert_int_equal(counts.global_lines, wanted_lines);
    assert_int_equal(counts.distinct_sectors, wanted_sectors);
    assert_int_equal(counts.launch_sectors, wanted_sectors);
}

static void test_sectors(void **state)
{
    (void)state;
    sectors(AT("%d0", "4") "ld.global.u32 %r1, [%d2];", 4, 1);
    sectors(AT("%d0", "4") "ld.global.u32 %r1, [%d2+4];", 5, 2);
    sectors(AT("%d0", "8") "ld.global.u32 %r1, [%d2];", 8, 2);
    sectors(AT("%d0", "128") "st.global.u32 [%d2], %r0;", 32, 32);
    sectors("ld.global.u32 %r1, [%d0];", 1, 1);
    sectors(AT("%d0", "16") "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d2];", 16, 4);
    sectors(AT("%d0", "1") "ld.global.u8 %r1, [%d2];", 1, 1);
}

static void test_classes(void **state)
{
    (void)state;
    struct rg_engine_counts counts;
    count_access(
        "mov.f32 %r1, 0f3f800000;\nfma.rn.f32 %r2, %r1, %r1, %r1;\nadd.f32 %r2, %r2, %r1;\nsin.approx.f32 %r3, %r2;\n"
        "cvt.rzi.s32.f32 %r4, %r3;\nsetp.lt.u32 %p1, %r0, 8;\n@%p1 add.u32 %r5, %r0, 1;\n@%p1 bra SKIP;\n"
        "bar.warp.sync 0xffffff00;\nSKIP: bar.sync 0;\nshfl.sync.bfly.b32 %r6, %r0, 1, 31, -1;\n"
        "atom.global.add.u32 %r7, [%d0], 1;\nred.global.add.u32 [%d0], 1;",
        &counts);
    assert_int_equal(counts.warp_instructions[RG_CLASS_FMA], 1);
    assert_int_equal(counts.thread_instructions[RG_CLASS_FMA], 32);
    assert_int_equal(counts.warp_instructions[RG_CLASS_FLOAT], 1);
    assert_int_equal(counts.warp_instructions[RG_CLASS_SPECIAL], 1);
    assert_int_equal(counts.warp_instructions[RG_CLASS_CONVERT], 1);
    assert_int_equal(counts.warp_instructions[RG_CLASS_INTEGER], 2);
    assert_int_equal(counts.thread_instructions[RG_CLASS_INTEGER], 32 + 8);
    assert_int_equal(counts.warp_instructions[RG_CLASS_BRANCH], 2); /* and the return */
    assert_int_equal(counts.divergent_branches, 1);
    assert_int_equal(counts.barriers, 1);
    assert_int_equal(counts.warp_instructions[RG_CLASS_BARRIER], 2);
    assert_int_equal(counts.warp_instructions[RG_CLASS_SHUFFLE], 1);
    assert_int_equal(counts.warp_instructions[RG_CLASS_ATOMIC], 2);
    assert_int_equal(counts.atomics, 64);
    assert_int_equal(counts.atomic_conflicts, 62);
    assert_int_equal(counts.warp_instructions[RG_CLASS_CONSTANT], 1); /* ld.param */
}

/** Three dependent multiply-adds, then a store: 450 for the load, 4.5 each. */
static void test_chain(void **state)
{
    (void)state;
    struct rg_engine_counts counts;
    count_access("ld.global.f32 %r1, [%d0];\nfma.rn.f32 %r2, %r1, %r1, %r1;\nfma.rn.f32 %r2, %r2, %r1, %r1;\n"
                 "fma.rn.f32 %r2, %r2, %r1, %r1;\nst.global.f32 [%d0], %r2;",
                 &counts);
    assert_true(counts.chain_cycles == 4.5 + 450 + 3 * 4.5); /* ld.param first */
    count_access("ld.global.f32 %r1, [%d0];\nfma.rn.f32 %r2, %r1, %r1, %r1;\nfma.rn.f32 %r3, %r1, %r1, %r1;\n"
                 "fma.rn.f32 %r4, %r1, %r1, %r1;\nadd.u32 %r5, %r0, 1;",
                 &counts);
    assert_true(counts.chain_cycles == 4.5 + 450 + 4.5);
}

static void test_uniform(void **state)
{
    (void)state;
    struct rg_engine_counts counts;
    count_access("mov.u32 %r1, %ctaid.x;\nadd.u32 %r2, %r1, 5;\nadd.u32 %r3, %r2, %r0;\nsetp.eq.u32 %p1, %r0, 3;\n"
                 "@%p1 mov.u32 %r2, 7;\nadd.u32 %r4, %r2, 1;",
                 &counts);
    /* mov of s, mov of ctaid and the addition to it; no longer after one lane has changed it. */
    assert_int_equal(counts.uniform_instructions, 3);
}

struct lines {
    struct engine_fixture fixture;
    uint64_t instructions;
    uint64_t wavefronts;
    uint64_t blocks;
    uint64_t fma;
};

static void add_line(void *user, const struct rg_engine_line *line)
{
    struct lines *lines = user;
    lines->instructions += line->warp_instructions;
    lines->wavefronts += line->shared_wavefronts;
    assert_true(line->line == 0 || strcmp(line->file, "examples/matmul/matmul.cu") == 0);
}

static void add_block(void *user, uint64_t block, const struct rg_engine_counts *counts)
{
    struct lines *lines = user;
    assert_int_equal(block, lines->blocks++);
    lines->fma += counts->warp_instructions[RG_CLASS_FMA];
}

/** matmul, n 64: 32 x 32 tiles, 128 threads with 8 results each, 8 steps of 8. */
static void test_matmul(void **state)
{
    (void)state;
    enum {
        N = 64
    };
    static float memory[3][N * N];
    struct lines lines = {0};
    struct engine_fixture *fixture = &lines.fixture;
    engine_load(fixture, "matmul.nvcc.ptx");
    for (int i = 0; i < 3; i++) {
        engine_buffer(fixture, memory[i], sizeof memory[i], i == 2, "matrix");
    }
    engine_u32(fixture, N);
    struct rg_engine_run request = engine_request(fixture, 2, 2, 16, 8);
    request.count = true;
    request.line = add_line;
    request.block_done = add_block;
    request.user = &lines;
    request.finding = NULL;
    engine_go(fixture, &request);
    const struct rg_engine_counts *counts = &fixture->counts;
    uint64_t sum = 0;
    for (int class = 0; class < RG_CLASS_COUNT; class ++) {
        sum += counts->warp_instructions[class];
    }
    assert_int_equal(counts->blocks, 4);
    assert_int_equal(counts->warps, 16);
    assert_int_equal(counts->warp_instructions[RG_CLASS_FMA], 4 * 4 * 64 * 8);
    assert_int_equal(counts->barriers, 16 * 2 * 8);
    assert_int_equal(counts->distinct_sectors, 4 * (256 + 256 + 128));
    assert_int_equal(counts->launch_sectors, 3 * N * N * 4 / 32);
    assert_int_equal(counts->bytes_written[0], N * N * 4);
    assert_int_equal(counts->bytes_read[0], 4 * 2 * 32 * N * 4);
    assert_int_equal(lines.instructions, sum);
    assert_int_equal(lines.wavefronts, counts->shared_wavefronts);
    assert_int_equal(lines.blocks, 4);
    assert_int_equal(lines.fma, counts->warp_instructions[RG_CLASS_FMA]);
    engine_free(fixture);
}

/** transpose, 64 x 64: stores of two lines of 16 at a pitch of 33 need two cycles, loads down a column one. */
static void test_transpose(void **state)
{
    (void)state;
    static float memory[2][64 * 64];
    struct engine_fixture fixture;
    engine_load(&fixture, "transpose.nvcc.ptx");
    engine_buffer(&fixture, memory[0], sizeof memory[0], false, "matrix");
    engine_buffer(&fixture, memory[1], sizeof memory[1], true, "result");
    engine_u32(&fixture, 64);
    engine_u32(&fixture, 64);
    struct rg_engine_run request = engine_request(&fixture, 2, 2, 16, 8);
    request.count = true;
    engine_go(&fixture, &request);
    assert_int_equal(fixture.counts.shared_accesses, 4 * (32 + 32));
    assert_int_equal(fixture.counts.shared_wavefronts, 4 * (32 * 2 + 32));
    assert_int_equal(fixture.counts.launch_sectors, 2 * 64 * 64 * 4 / 32);
    assert_int_equal(fixture.counts.barriers, 4 * 4);
    engine_free(&fixture);
}

/** convolution, one block: 784 FMA a thread; two lines of 16 pixels at a pitch of 71 overlap in 9 banks. */
static void test_convolution(void **state)
{
    (void)state;
    enum {
        WIDTH = 64,
        HEIGHT = 32
    };
    static float image[(WIDTH + 6) * (HEIGHT + 6)];
    static float weights[49];
    static float result[WIDTH * HEIGHT];
    struct engine_fixture fixture;
    engine_load(&fixture, "convolution.nvcc.ptx");
    engine_buffer(&fixture, image, sizeof image, false, "image");
    engine_buffer(&fixture, weights, sizeof weights, false, "weights");
    engine_buffer(&fixture, result, sizeof result, true, "result");
    engine_u32(&fixture, WIDTH);
    engine_u32(&fixture, HEIGHT);
    struct rg_engine_run request = engine_request(&fixture, 1, 1, 16, 8);
    request.count = true;
    engine_go(&fixture, &request);
    assert_int_equal(fixture.counts.thread_instructions[RG_CLASS_FMA], 128 * 49 * 16);
    assert_int_equal(fixture.counts.warp_instructions[RG_CLASS_FMA], 4 * 49 * 16);
    const uint64_t loads = 4 * 49 * 16; /* of pixels, two cycles each; the rest fills the tile, one cycle each */
    const uint64_t fills = fixture.counts.shared_accesses - loads;
    assert_int_equal(fills, (38 * 70 + 31) / 32);
    assert_true(fixture.counts.shared_wavefronts >= 2 * loads + fills);
    assert_true(fixture.counts.shared_wavefronts <= 2 * loads + 2 * fills);
    engine_free(&fixture);
}

/** histogram: an atomic in shared memory a byte, and 256 in global memory a block. */
static void test_histogram(void **state)
{
    (void)state;
    static uint8_t data[8192];
    uint32_t bins[256] = {0};
    struct engine_fixture fixture;
    engine_load(&fixture, "histogram.nvcc.ptx");
    engine_buffer(&fixture, data, sizeof data, false, "data");
    engine_buffer(&fixture, bins, sizeof bins, true, "bins");
    engine_u32(&fixture, sizeof data);
    struct rg_engine_run request = engine_request(&fixture, 2, 1, 64, 1);
    request.count = true;
    request.shared_dynamic_bytes = 8192;
    engine_go(&fixture, &request);
    assert_int_equal(fixture.counts.atomics, 8192 + 2 * 256);
    assert_int_equal(fixture.counts.barriers, 2 * 2 * 2);
    /* All bytes are 0 and 8 copies of the bins serve 32 lanes: four meet in each. */
    assert_int_equal(fixture.counts.atomic_conflicts, 8192 / 32 * 24);
    engine_free(&fixture);
}

/** reduction, 64 threads: a barrier, then one a step of the tree. */
static void test_reduction(void **state)
{
    (void)state;
    static uint32_t data[4096];
    uint32_t partials[128] = {0};
    uint32_t finished = 0;
    uint32_t result = 0;
    struct engine_fixture fixture;
    engine_load(&fixture, "reduction.nvcc.ptx");
    engine_buffer(&fixture, data, sizeof data, false, "data");
    engine_buffer(&fixture, partials, sizeof partials, true, "partials");
    engine_buffer(&fixture, &finished, 4, true, "finished");
    engine_buffer(&fixture, &result, 4, true, "result");
    engine_u32(&fixture, 4096);
    struct rg_engine_run request = engine_request(&fixture, 4, 1, 64, 1);
    request.count = true;
    request.shared_dynamic_bytes = 256;
    engine_go(&fixture, &request);
    assert_int_equal(fixture.counts.barriers, 4 * 2 * 7);
    assert_int_equal(fixture.counts.bytes_read[0], 4096 * 4 + (4 + 4 + 4 + 1) * 4); /* data; each atomic reads */
    assert_int_equal(fixture.counts.atomics, 4 + 4 + 4 + 1);
    engine_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wavefronts), cmocka_unit_test(test_sectors),     cmocka_unit_test(test_classes),
        cmocka_unit_test(test_chain),      cmocka_unit_test(test_uniform),     cmocka_unit_test(test_matmul),
        cmocka_unit_test(test_transpose),  cmocka_unit_test(test_convolution), cmocka_unit_test(test_histogram),
        cmocka_unit_test(test_reduction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
