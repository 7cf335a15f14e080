/* SPDX-License-Identifier: MIT */
/**
 * \file Any bytes as PTX: read or refused with a message; what is read runs, counted and checked, within its limits, and
 * touches nothing but its buffers. A text that does not begin with .version becomes the body of a kernel.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "ridge/context.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char head[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
    ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.reg .f32 %f<9>;\n"
    ".shared .align 16 .b8 s[256];\n.local .align 16 .b8 l[32];\nld.param.u64 %d0, [a];\n"
    "mov.u32 %r0, %tid.x;\nmul.wide.u32 %d1, %r0, 4;\nadd.s64 %d2, %d0, %d1;\n";
static const char tail[] = "\nret;\n}\n";

static void ignore_finding(void *user, const struct rg_engine_finding *finding)
{
    size_t *count = user;
    if (finding->reason[0] == '\0' || finding->count == 0) {
        abort();
    }
    ++*count;
}

static void run_entry(const struct ridge_context *context, const struct rg_ptx *ptx, size_t entry)
{
    enum {
        MOST = 16
    };
    static uint8_t memory[MOST][512];
    const struct rg_ptx_entry *facts = rg_ptx_entry_at(ptx, entry);
    struct rg_engine_buffer buffers[MOST];
    struct rg_engine_argument arguments[MOST];
    struct rg_engine_counts counts;
    static const uint8_t scalar[1 << 16];
    size_t findings = 0;
    if (facts->parameter_count > MOST) {
        return;
    }
    for (size_t i = 0; i < facts->parameter_count; i++) {
        const bool pointer = facts->parameter_bytes[i] == 8;
        buffers[i] = (struct rg_engine_buffer){"buffer", memory[i], 256, i % 2 == 0, i % 3 != 0};
        memset(memory[i], 0, sizeof memory[i]);
        arguments[i] = (struct rg_engine_argument){.kind = pointer ? RG_ENGINE_POINTER : RG_ENGINE_SCALAR,
                                                   .buffer = i,
                                                   .bytes = scalar,
                                                   .size = facts->parameter_bytes[i]};
    }
    for (int mode = 0; mode < 3; mode++) {
        const struct rg_engine_run request = {.context = context,
                                              .ptx = ptx,
                                              .entry = entry,
                                              .grid = {2, 1, 1},
                                              .block = {24, 2, 1},
                                              .shared_dynamic_bytes = 64,
                                              .buffers = buffers,
                                              .buffer_count = facts->parameter_count,
                                              .arguments = arguments,
                                              .argument_count = facts->parameter_count,
                                              .count = mode == 1,
                                              .check = mode == 2,
                                              .max_thread_instructions = 200000,
                                              .finding = ignore_finding,
                                              .user = &findings};
        (void)rg_engine_run(&request, &counts, NULL);
    }
    for (size_t i = 0; i < facts->parameter_count; i++) {
        for (size_t k = 256; k < sizeof memory[i]; k++) {
            if (memory[i][k] != 0) {
                abort(); /* written behind a buffer */
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ridge_context *context = NULL;
    struct rg_ptx *ptx = NULL;
    struct ridge_error error = {0};
    const bool whole = size >= 8 && memcmp(data, ".version", 8) == 0;
    char *text = malloc(size + sizeof head + sizeof tail);
    if (!text || ridge_context_create(NULL, &context, NULL) != RIDGE_OK) {
        free(text);
        return 0;
    }
    size_t length = 0;
    if (!whole) {
        memcpy(text, head, sizeof head - 1);
        length = sizeof head - 1;
    }
    if (size > 0) {
        memcpy(text + length, data, size);
    }
    length += size;
    if (!whole) {
        memcpy(text + length, tail, sizeof tail - 1);
        length += sizeof tail - 1;
    }
    if (rg_ptx_read(context, text, length, "fuzz.ptx", &ptx, &error) == RIDGE_OK) {
        for (size_t i = 0; i < rg_ptx_entry_count(ptx) && i < 4; i++) {
            run_entry(context, ptx, i);
        }
    } else if (error.message[0] == '\0') {
        abort();
    }
    rg_ptx_destroy(ptx);
    ridge_context_destroy(context);
    free(text);
    return 0;
}
