/* SPDX-License-Identifier: MIT */
/** \file Memory that runs out at every point of reading and running PTX: always a status, never a leak. */
#include "failing_allocator.h"

#include <stdio.h>

#include "engine/engine.h"
#include "rg_test.h"

static const char text[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n.file 1 \"a.cu\"\n.const .align 4 .b8 c[4] = {1, 2, 3, 4};\n"
    ".global .align 8 .u64 g = c;\n.func (.param .b32 r) f(.param .b32 a)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r1, [a];\n"
    "st.param.b32 [r], %r1;\nret;\n}\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<5>;\n.reg .b64 %d<4>;\n"
    ".shared .align 4 .b8 s[256];\n.local .align 4 .b8 l[8];\nld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %d2, %r1, 4;\nadd.u64 %d1, %d1, %d2;\n{\n.param .b32 p0;\n.param .b32 r0;\nst.param.b32 [p0], %r1;\n"
    "call (r0), f, (p0);\nld.param.b32 %r2, [r0];\n}\nst.shared.u32 [s], %r2;\nst.local.u32 [l], %r2;\n"
    "cp.async.ca.shared.global [s+4], [%d1], 4;\ncp.async.wait_all;\nst.global.u32 [%d1], %r2;\nst.global.u32 [%d1+1024], %r2;\n"
    "ret;\n}\n";

static void ignore(void *user, const struct rg_engine_finding *finding)
{
    (void)user;
    (void)finding;
}

static void ignore_line(void *user, const struct rg_engine_line *line)
{
    (void)user;
    (void)line;
}

static ridge_status read_and_run(const struct ridge_context *context)
{
    struct rg_ptx *ptx = NULL;
    struct ridge_error error = {0};
    uint32_t memory[32] = {0};
    struct rg_engine_buffer buffer = {"p", memory, sizeof memory, true, false};
    const struct rg_engine_argument argument = {.kind = RG_ENGINE_POINTER};
    ridge_status status = rg_ptx_read(context, text, sizeof text - 1, "a.ptx", &ptx, &error);
    if (status) {
        return status;
    }
    struct rg_engine_run request = {.context = context,
                                    .ptx = ptx,
                                    .grid = {2, 1, 1},
                                    .block = {32, 1, 1},
                                    .buffers = &buffer,
                                    .buffer_count = 1,
                                    .arguments = &argument,
                                    .argument_count = 1,
                                    .count = true,
                                    .check = true,
                                    .finding = ignore,
                                    .line = ignore_line};
    status = rg_engine_run(&request, NULL, &error);
    rg_ptx_destroy(ptx);
    return status;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    for (size_t fail_at = 1;; fail_at++) {
        struct failing_allocator allocator = {.fail_at = fail_at};
        struct ridge_context *context = failing_context(&allocator);
        const ridge_status status = read_and_run(context);
        ridge_context_destroy(context);
        assert_int_equal(allocator.bytes, 0);
        if (!allocator.failed) {
            assert_int_equal(status, RIDGE_OK);
            assert_true(fail_at > 10);
            return;
        }
        if (status != RIDGE_E_MEMORY) {
            print_error("failing at %zu gave %d\n", fail_at, (int)status);
        }
        assert_int_equal(status, RIDGE_E_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
