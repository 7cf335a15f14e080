/* SPDX-License-Identifier: MIT */
/** \file Planted faults: each is found, at its line, under its rule; the sound twin beside it is clean. */
#include "engine_fixture.h"

enum {
    WORDS = 256
};

/** A kernel k(out, n) with a 512-byte shared array `s`, a 64-byte local one `l`, and the body given. */
static void build(struct engine_fixture *fixture, const char *body)
{
    static char text[8192];
    snprintf(text, sizeof text,
             ".version 7.0\n.target sm_80\n.address_size 64\n"
             ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
             ".reg .pred %%p<8>;\n.reg .b32 %%r<32>;\n.reg .b64 %%d<16>;\n.reg .b16 %%h<4>;\n"
             ".shared .align 16 .b8 s[512];\n.local .align 8 .b8 l[64];\n"
             "ld.param.u64 %%d0, [out];\nld.param.u32 %%r31, [n];\nmov.u32 %%r0, %%tid.x;\n"
             "mov.u64 %%d1, s;\ncvta.to.global.u64 %%d0, %%d0;\n"
             "mul.wide.u32 %%d2, %%r0, 4;\nadd.u64 %%d3, %%d1, %%d2;\nadd.u64 %%d4, %%d0, %%d2;\n"
             ".loc 1 7 1\n%s\nret;\n}\n.file 1 \"k.cu\"\n",
             body);
    engine_read(fixture, text);
}

static void run(struct engine_fixture *fixture, uint64_t blocks, uint64_t threads, uint32_t *out, bool writable)
{
    engine_buffer(fixture, out, WORDS * 4, writable, "argument out");
    engine_u32(fixture, 3);
    struct rg_engine_run request = engine_request(fixture, blocks, 1, threads, 1);
    request.check = true;
    request.max_thread_instructions = 4000000;
    engine_go(fixture, &request);
}

static void expect_blocks(const char *body, uint64_t blocks, uint64_t threads, rg_rule rule, const char *words)
{
    struct engine_fixture fixture;
    uint32_t out[WORDS] = {0};
    build(&fixture, body);
    run(&fixture, blocks, threads, out, true);
    if (fixture.findings == 0 || fixture.by_rule[rule] == 0 || !strstr(fixture.first, words)) {
        print_error("wanted %s with \"%s\", got %zu: %s\n", rg_rule_word(rule), words, fixture.findings, fixture.first);
    }
    assert_true(fixture.by_rule[rule] > 0);
    assert_non_null(strstr(fixture.first, words));
    engine_free(&fixture);
}

static void expect(const char *body, uint64_t threads, rg_rule rule, const char *words)
{
    expect_blocks(body, 1, threads, rule, words);
}

static void expect_clean_blocks(const char *body, uint64_t blocks, uint64_t threads)
{
    struct engine_fixture fixture;
    uint32_t out[WORDS] = {0};
    build(&fixture, body);
    run(&fixture, blocks, threads, out, true);
    if (fixture.findings) {
        print_error("%s\n", fixture.first);
    }
    assert_int_equal(fixture.findings, 0);
    engine_free(&fixture);
}

static void expect_clean(const char *body, uint64_t threads)
{
    expect_clean_blocks(body, 1, threads);
}

/* What a load gave goes to the outputs: a read that nobody uses is no finding. */
#define USED "\nst.global.u32 [%d4], %r2;"

/* Each thread writes its word; then reads the word of the thread 32 on, of another warp. */
#define NEIGHBOUR                                                                                       \
    "add.u32 %r1, %r0, 32;\nand.b32 %r1, %r1, 63;\nmul.wide.u32 %d5, %r1, 4;\nadd.u64 %d5, %d1, %d5;\n" \
    "st.shared.u32 [%d3], %r0;\n"

static void test_shared_race(void **state)
{
    (void)state;
    expect(NEIGHBOUR "ld.shared.u32 %r2, [%d5];\nst.global.u32 [%d4], %r2;", 64, RG_RULE_SHARED_RACE, "k.cu:7");
    expect_clean(NEIGHBOUR "bar.sync 0;\nld.shared.u32 %r2, [%d5];\nst.global.u32 [%d4], %r2;", 64);
    /* Write after read: the loop's second store needs a barrier too. */
    expect(NEIGHBOUR "bar.sync 0;\nld.shared.u32 %r2, [%d5];\nst.shared.u32 [%d3], %r2;" USED, 64, RG_RULE_SHARED_RACE,
           "nothing orders");
    /* All threads of two warps write one word. */
    expect("st.shared.u32 [s], %r0;", 64, RG_RULE_WARP_RACE, "shared s");
    expect("and.b32 %r1, %r0, 31;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 st.shared.u32 [s+4], %r0;", 64, RG_RULE_SHARED_RACE,
           "byte 4 of shared s");
    /* Atomics do not race with atomics, but with plain reads. */
    expect_clean("mov.u32 %r1, 0;\nsetp.eq.u32 %p1, %r0, 0;\n@%p1 st.shared.u32 [s], %r1;\nbar.sync 0;\n"
                 "atom.shared.add.u32 %r1, [s], 1;",
                 64);
    expect("setp.eq.u32 %p1, %r0, 0;\n@%p1 st.shared.u32 [s], 0;\nbar.sync 0;\natom.shared.add.u32 %r1, [s], 1;\n"
           "ld.shared.u32 %r2, [s];" USED,
           64, RG_RULE_SHARED_RACE, "only one of them is atomic");
    /* Bytes beside each other are no race. */
    expect_clean("cvt.u64.u32 %d6, %r0;\nadd.u64 %d6, %d1, %d6;\nst.shared.u8 [%d6], %r0;", 64);
}

static void test_named_barriers(void **state)
{
    (void)state;
    /* Warp 0 produces and arrives; warp 1 waits for 64 threads. */
    expect_clean("setp.lt.u32 %p1, %r0, 32;\n@!%p1 bra WAIT;\nst.shared.u32 [%d3], %r0;\nbar.arrive 1, 64;\n"
                 "bra DONE;\nWAIT:\nbar.sync 1, 64;\nld.shared.u32 %r2, [%d3+-128];\nst.global.u32 [%d4], %r2;\nDONE:",
                 64);
    expect("setp.lt.u32 %p1, %r0, 32;\n@!%p1 bra WAIT;\nst.shared.u32 [%d3], %r0;\nbra DONE;\nWAIT:\n"
           "ld.shared.u32 %r2, [%d3+-128];\nst.global.u32 [%d4], %r2;\nDONE:",
           64, RG_RULE_SHARED_RACE, "nothing orders");
}

/** Many loads of one warp, all ordered before the store, do not hide the one of another warp that is not. */
static void test_read_among_many(void **state)
{
    (void)state;
#define FOUR "ld.shared.u32 %r2, [s];\nld.shared.u32 %r3, [s];\nld.shared.u32 %r2, [s];\nld.shared.u32 %r3, [s];\n"
#define MANY FOUR FOUR FOUR FOUR FOUR FOUR FOUR
#define READERS(other)                                                                                                  \
    "setp.eq.u32 %p1, %r0, 0;\n@%p1 st.shared.u32 [s], %r0;\nbar.sync 0;\nmov.u32 %r2, 0;\nsetp.lt.u32 %p1, %r0, 32;\n" \
    "setp.ge.u32 %p2, %r0, 64;\n@%p1 bra FIRST;\n@%p2 bra THIRD;\n" other "bra USE;\nFIRST:\n" MANY                     \
    "bar.sync 1, 64;\nbra USE;\nTHIRD:\nbar.sync 1, 64;\nsetp.eq.u32 %p1, %r0, 64;\n@%p1 st.shared.u32 [s], %r0;\n"     \
    "bra DONE;\nUSE:\nst.global.u32 [%d4], %r2;\nDONE:"
    expect_clean(READERS(""), 96);
    expect(READERS("ld.shared.u32 %r2, [s];\n"), 96, RG_RULE_SHARED_RACE, "thread (32, 0, 0)");
#undef FOUR
#undef MANY
#undef READERS
}

#define EXCHANGE "xor.b32 %r1, %r0, 1;\nmul.wide.u32 %d5, %r1, 4;\nadd.u64 %d5, %d1, %d5;\n"

static void test_warp_race(void **state)
{
    (void)state;
    expect(EXCHANGE "st.shared.u32 [%d3], %r0;\nld.shared.u32 %r2, [%d5];" USED, 32, RG_RULE_WARP_RACE, "__syncwarp");
    expect(EXCHANGE "st.volatile.shared.u32 [%d3], %r0;\nld.volatile.shared.u32 %r2, [%d5];", 32, RG_RULE_WARP_RACE,
           "__syncwarp");
    expect_clean(EXCHANGE "st.shared.u32 [%d3], %r0;\nbar.warp.sync -1;\nld.shared.u32 %r2, [%d5];", 32);
}

#define LAST_BLOCK(fence)                                                                                   \
    "mov.u32 %r1, %ctaid.x;\nmul.wide.u32 %d5, %r1, 4;\nadd.u64 %d5, %d0, %d5;\nsetp.ne.u32 %p1, %r0, 0;\n" \
    "@%p1 bra END;\nst.global.u32 [%d5+64], %r1;\n" fence "atom.global.add.u32 %r2, [%d0], 1;\n"            \
    "setp.ne.u32 %p2, %r2, 3;\n@%p2 bra END;\n" fence "ld.global.u32 %r3, [%d0+64];\n"                      \
    "st.global.u32 [%d0+128], %r3;\nEND:"

/** Line 0 is code that was moved or merged: it is of the line that follows it, not of what stands before. */
static void test_line_of_moved_code(void **state)
{
    (void)state;
    struct engine_fixture fixture;
    uint32_t out[WORDS] = {0};
    build(&fixture, ".loc 1 0 0\nld.volatile.shared.u32 %r2, [%d3];\n.loc 1 9 4\nadd.u32 %r2, %r2, 1;");
    run(&fixture, 1, 32, out, true);
    assert_non_null(strstr(fixture.first, "k.cu:9 "));
    engine_free(&fixture);
    build(&fixture, ".loc 1 0 0\nld.volatile.shared.u32 %r2, [%d3];\nNEXT:\n.loc 1 9 4\nadd.u32 %r2, %r2, 1;");
    run(&fixture, 1, 32, out, true);
    assert_non_null(strstr(fixture.first, "k.cu:7 ")); /* past a label it is a guess no longer */
    engine_free(&fixture);
}

static void test_global_race(void **state)
{
    (void)state;
    expect_blocks("st.global.u32 [%d4], %r0;", 2, 32, RG_RULE_GLOBAL_RACE, "another block");
    expect_clean_blocks("red.global.add.u32 [%d4], %r0;", 2, 32);
    expect_clean_blocks("mov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r1, %r1, 32, %r0;\nmul.wide.u32 %d5, %r1, 4;\n"
                        "add.u64 %d5, %d0, %d5;\nst.global.u32 [%d5], %r0;",
                        2, 32);
    /* A block passes data on through a fence and an atomic; the last one reads what the others wrote. */
    expect_clean_blocks(LAST_BLOCK("membar.gl;"), 4, 32);
    expect_blocks(LAST_BLOCK(""), 4, 32, RG_RULE_GLOBAL_RACE, "reads");
}

static void test_divergent_barrier(void **state)
{
    (void)state;
    /* The classic: safe with one warp, undefined with more. */
    const char *leader = "setp.lt.u32 %p1, %r0, 32;\n@!%p1 bra AFTER;\nbar.sync 0;\nAFTER:";
    expect_clean(leader, 32);
    expect(leader, 64, RG_RULE_DIVERGENT_BARRIER, "have ended");
    expect("setp.lt.u32 %p1, %r0, 32;\n@!%p1 bra AFTER;\nbar.sync 0;\nbra END;\nAFTER: bar.sync 1;\nEND:", 64,
           RG_RULE_DIVERGENT_BARRIER, "waits for ever");
    expect("setp.lt.u32 %p1, %r0, 16;\n@%p1 bra OTHER;\nbar.sync 0;\nbra END;\nOTHER: bar.sync 0;\nEND:", 32,
           RG_RULE_DIVERGENT_BARRIER, "other threads of its warp");
    expect("setp.ge.u32 %p1, %r0, 40;\n@%p1 exit;\nbar.sync 0;", 64, RG_RULE_DIVERGENT_BARRIER, "40 of its 64");
}

static void test_uninitialised(void **state)
{
    (void)state;
    expect("ld.shared.u32 %r2, [%d3];" USED, 32, RG_RULE_UNINITIALISED, "nobody wrote");
    expect("st.local.u32 [l], %r0;\nld.local.u32 %r2, [l+4];" USED, 32, RG_RULE_UNINITIALISED, "local memory");
    expect_clean("st.local.u64 [l+8], %d0;\nld.local.u32 %r2, [l+12];", 32);
    /* Shared memory of an earlier block is not this block's. */
    expect_blocks("mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 st.shared.u32 [%d3], %r0;\n"
                  "@!%p1 ld.shared.u32 %r2, [%d3];\n@!%p1 st.global.u32 [%d4], %r2;",
                  2, 32, RG_RULE_UNINITIALISED, "block (1, 0, 0)");
}

static void test_bounds(void **state)
{
    (void)state;
    expect("ld.global.u32 %r2, [%d4+1024];", 32, RG_RULE_OUT_OF_BOUNDS, "0 bytes behind the end of argument out");
    expect("ld.global.u32 %r2, [%d4+-4];", 32, RG_RULE_OUT_OF_BOUNDS, "4 bytes before argument out");
    expect("st.shared.u32 [%d3+448], %r0;", 32, RG_RULE_OUT_OF_BOUNDS, "behind the end of shared s");
    expect("ld.local.u32 %r1, [l+64];", 32, RG_RULE_OUT_OF_BOUNDS, "local memory");
    expect("mov.u64 %d6, 0x123456789abcdef0;\nld.global.u32 %r2, [%d6];", 32, RG_RULE_OUT_OF_BOUNDS,
           "belongs to nothing");
    expect("mov.u64 %d6, 0;\nld.global.u32 %r2, [%d6];", 32, RG_RULE_OUT_OF_BOUNDS, "belongs to nothing");
    expect("ld.global.u32 %r2, [%d4+2];", 32, RG_RULE_MISALIGNED, "no multiple of 4");
    expect("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d0+8];", 32, RG_RULE_MISALIGNED, "no multiple of 16");
    expect("red.global.add.u32 [%d4+2], 1;", 32, RG_RULE_MISALIGNED, "no multiple of 4");
}

static void test_write_to_input(void **state)
{
    (void)state;
    struct engine_fixture fixture;
    uint32_t out[WORDS] = {0};
    build(&fixture, "st.global.u32 [%d4], 1;");
    run(&fixture, 1, 32, out, false);
    assert_int_equal(fixture.by_rule[RG_RULE_READ_ONLY], 1);
    assert_int_equal(out[0], 0); /* it was not done */
    engine_free(&fixture);
}

static void test_never_ends(void **state)
{
    (void)state;
    expect("LOOP: bra LOOP;", 32, RG_RULE_NEVER_ENDS, "had not ended");
    expect("trap;", 32, RG_RULE_TRAP, "traps");
    /* A lane that spins on another of its warp: both go forward. */
    expect_clean("setp.eq.u32 %p1, %r0, 0;\n@%p1 bra SET;\nSPIN: ld.relaxed.gpu.global.u32 %r2, [%d0];\n"
                 "setp.eq.u32 %p2, %r2, 0;\n@%p2 bra SPIN;\nbra END;\nSET: st.relaxed.gpu.global.u32 [%d0], 1;\nEND:",
                 32);
}

static void test_shuffle(void **state)
{
    (void)state;
    expect("setp.lt.u32 %p1, %r0, 16;\n@!%p1 bra END;\nshfl.sync.down.b32 %r2, %r0, 8, 31, 0xffff;" USED "\nEND:", 32,
           RG_RULE_SHUFFLE, "does not take part");
    expect("setp.lt.u32 %p1, %r0, 16;\n@!%p1 exit;\nshfl.sync.idx.b32 %r2, %r0, 3, 31, 0xffff0000;", 32,
           RG_RULE_SHUFFLE, "member mask");
    expect_clean("shfl.sync.bfly.b32 %r2, %r0, 1, 31, -1;\nst.global.u32 [%d4], %r2;", 32);
}

#define COPY(left)                                                                                  \
    "cp.async.ca.shared.global [%d3], [%d4], 4;\ncp.async.commit_group;\ncp.async.wait_group " left \
    ";\nld.shared.u32 %r2, [%d3];" USED

static void test_async_copy(void **state)
{
    (void)state;
    expect_clean(COPY("0"), 32);
    expect(COPY("1"), 32, RG_RULE_SHARED_RACE, "was not waited for");
}

/** Reads in a race, of what nobody wrote, or from an absent lane: only where the value reaches something. */
static void test_unused_reads(void **state)
{
    (void)state;
#define MOVED(use)                                                                                           \
    "mov.u32 %r2, 0;\nsetp.eq.u32 %p1, %r0, 0;\n@%p1 st.shared.u32 [s], %r0;\nld.shared.u32 %r3, [s];\n" use \
    "\nst.global.u32 [%d4], %r2;"
    expect_clean(MOVED("selp.u32 %r2, %r3, 7, %p1;"), 64);
    expect(MOVED("selp.u32 %r2, 7, %r3, %p1;"), 64, RG_RULE_WARP_RACE, "reads byte 0 of shared s");
    expect(MOVED("setp.gt.u32 %p2, %r3, 5;\n@%p2 mov.u32 %r2, 1;"), 64, RG_RULE_WARP_RACE, "byte 0 of shared s");
    expect_clean("ld.shared.u32 %r2, [%d3];", 32);
    expect("ld.volatile.shared.u32 %r2, [%d3];", 32, RG_RULE_UNINITIALISED, "nobody wrote"); /* it is to be read */
    expect_clean("setp.lt.u32 %p1, %r0, 16;\n@!%p1 bra END;\nshfl.sync.down.b32 %r2, %r0, 8, 31, 0xffff;\n"
                 "setp.lt.u32 %p2, %r0, 8;\n@%p2 st.global.u32 [%d4], %r2;\nEND:",
                 32);
}

/** A phase that nobody completes; a barrier that was never made; data read without waiting for the phase. */
static void test_memory_barriers(void **state)
{
    (void)state;
#define MADE "setp.eq.u32 %p1, %r0, 0;\n@%p1 mbarrier.init.shared.b64 [s+256], 64;\nbar.sync 0;\n"
#define LOOP "N:\nmbarrier.try_wait.shared.b64 %p2, [s+256], %d5;\n@!%p2 bra N;\n"
#define READ \
    "xor.b32 %r5, %r0, 63;\nmul.wide.u32 %d6, %r5, 4;\nadd.u64 %d6, %d1, %d6;\nld.shared.u32 %r6, [%d6];\nst.global.u32 [%d4], %r6;\n"
    expect_clean(MADE "st.shared.u32 [%d3], %r0;\nmbarrier.arrive.shared.b64 %d5, [s+256];\n" LOOP READ, 64);
    expect(MADE "mbarrier.arrive.shared.b64 %d5, [s+256];\n" LOOP, 32, RG_RULE_DIVERGENT_BARRIER,
           "waits for ever at a memory barrier");
    expect("mbarrier.arrive.shared.b64 %d5, [s+256];\n", 32, RG_RULE_UNINITIALISED, "that was not initialised");
    expect("st.shared.u32 [%d3], 0;\n" MADE
           "st.shared.u32 [%d3], %r0;\nmbarrier.arrive.shared.b64 %d5, [s+256];\n" READ,
           64, RG_RULE_SHARED_RACE, "nothing orders the two");
#undef MADE
#undef LOOP
#undef READ
}

/** An address that is no function, and one whose function takes other arguments. */
static void test_calls_through_registers(void **state)
{
    (void)state;
    expect("mov.u64 %d5, 12345;\nP: .callprototype _ ();\ncall %d5, P;\n", 32, RG_RULE_OUT_OF_BOUNDS,
           "where there is no function");
}

static void test_launch_bounds(void **state)
{
    (void)state;
    struct engine_fixture fixture;
    engine_read(&fixture, ".version 7.0\n.target sm_80\n.address_size 64\n.entry k() .maxntid 32, 1, 1\n{ ret; }\n");
    struct rg_engine_run request = engine_request(&fixture, 1, 1, 64, 1);
    engine_go(&fixture, &request);
    assert_int_equal(fixture.by_rule[RG_RULE_LAUNCH_BOUNDS], 1);
    engine_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_race),
        cmocka_unit_test(test_named_barriers),
        cmocka_unit_test(test_read_among_many),
        cmocka_unit_test(test_warp_race),
        cmocka_unit_test(test_line_of_moved_code),
        cmocka_unit_test(test_global_race),
        cmocka_unit_test(test_divergent_barrier),
        cmocka_unit_test(test_uninitialised),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_write_to_input),
        cmocka_unit_test(test_never_ends),
        cmocka_unit_test(test_shuffle),
        cmocka_unit_test(test_async_copy),
        cmocka_unit_test(test_unused_reads),
        cmocka_unit_test(test_memory_barriers),
        cmocka_unit_test(test_calls_through_registers),
        cmocka_unit_test(test_launch_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
