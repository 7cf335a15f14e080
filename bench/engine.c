/* SPDX-License-Identifier: MIT */
/**
 * \file Speed of the engine: thread instructions a second of each example kernel, not counting, counting, and checking.
 * PTX comes from tests/fixtures/ptx, or from the folder given. Usage: bench_engine [FOLDER [NAME BLOCKS]]: with a
 * name, that kernel alone, checking, with at most BLOCKS blocks in each direction; prints the seconds on a core.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "engine/engine.h"

enum {
    MOST = 6
};

struct kernel {
    const char *name;
    uint64_t grid[2];
    uint64_t block[2];
    uint64_t shared;
    size_t buffers;
    uint64_t bytes[4];
    uint32_t scalars[4];
    size_t scalar_count;
};

/* Problems of a few hundred blocks; the scalars follow the buffers, as in examples/. 0.5 and 0.125 are 3f000000, 3e000000. */
static const struct kernel kernels[MOST] = {
    {"matmul", {8, 8}, {16, 8}, 0, 3, {262144, 262144, 262144}, {256}, 1},
    {"reduction", {8, 1}, {64, 1}, 256, 4, {4000000, 512, 4, 4}, {1000000}, 1},
    {"transpose", {32, 32}, {16, 8}, 0, 2, {4194304, 4194304}, {1024, 1024}, 2},
    {"histogram", {8, 1}, {64, 1}, 8192, 2, {262144, 1024}, {262144}, 1},
    {"stencil", {16, 64}, {16, 4}, 0, 2, {1048576, 1048576}, {512, 512, 0x3f000000, 0x3e000000}, 4},
    {"convolution", {8, 8}, {16, 8}, 0, 3, {1088016, 196, 524288}, {512, 256}, 2},
};

static char *read_text(const char *folder, const char *name, const char *maker, size_t *size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.%s.ptx", folder, name, maker);
    FILE *file = fopen(path, "rb");
    char *text = malloc(1 << 20);
    *size = file && text ? fread(text, 1, (1 << 20) - 1, file) : 0;
    if (file) {
        fclose(file);
    }
    if (text) {
        text[*size] = '\0';
    }
    return text;
}

static double run_once(const struct ridge_context *context, const struct rg_ptx *ptx, const struct kernel *kernel,
                       void *const *memory, bool count, bool check, struct rg_engine_counts *counts)
{
    struct rg_engine_buffer buffers[4];
    struct rg_engine_argument arguments[8];
    for (size_t i = 0; i < kernel->buffers; i++) {
        buffers[i] = (struct rg_engine_buffer){"a buffer", memory[i], kernel->bytes[i], true, true};
        arguments[i] = (struct rg_engine_argument){.kind = RG_ENGINE_POINTER, .buffer = i};
    }
    const size_t entry = rg_ptx_entry_find(ptx, kernel->name);
    size_t used = kernel->buffers;
    if (rg_ptx_entry_at(ptx, entry)->parameter_count > used + kernel->scalar_count) { /* OpenCL C names local memory */
        arguments[used++] = (struct rg_engine_argument){.kind = RG_ENGINE_LOCAL, .size = kernel->shared};
    }
    for (size_t i = 0; i < kernel->scalar_count; i++) {
        arguments[used++] =
            (struct rg_engine_argument){.kind = RG_ENGINE_SCALAR, .bytes = &kernel->scalars[i], .size = 4};
    }
    const struct rg_engine_run request = {.context = context,
                                          .ptx = ptx,
                                          .entry = entry,
                                          .grid = {kernel->grid[0], kernel->grid[1], 1},
                                          .block = {kernel->block[0], kernel->block[1], 1},
                                          .shared_dynamic_bytes = kernel->shared,
                                          .buffers = buffers,
                                          .buffer_count = kernel->buffers,
                                          .arguments = arguments,
                                          .argument_count = used,
                                          .count = count,
                                          .check = check};
    const double start = cpu_seconds();
    struct ridge_error error = {0};
    if (rg_engine_run(&request, counts, &error) != RIDGE_OK) {
        fprintf(stderr, "%s: %s\n", kernel->name, error.message);
        exit(70);
    }
    return cpu_seconds() - start;
}

static void measure(const struct ridge_context *context, const char *folder, const struct kernel *kernel)
{
    size_t size;
    char *text = read_text(folder, kernel->name, "nvcc", &size);
    struct rg_ptx *ptx = NULL;
    struct ridge_error error = {0};
    const double start = cpu_seconds();
    if (rg_ptx_read(context, text, size, kernel->name, &ptx, &error) != RIDGE_OK) {
        fprintf(stderr, "%s: %s\n", kernel->name, error.message);
        exit(70);
    }
    const double read_s = cpu_seconds() - start;
    void *memory[4] = {0};
    for (size_t i = 0; i < kernel->buffers; i++) {
        memory[i] = calloc(1, kernel->bytes[i]);
    }
    struct rg_engine_counts counts = {0};
    double best[3] = {1e9, 1e9, 1e9};
    for (int round = 0; round < 3; round++) {
        for (int mode = 0; mode < 3; mode++) {
            struct rg_engine_counts *into = mode == 1 ? &counts : NULL;
            const double seconds = run_once(context, ptx, kernel, memory, mode == 1, mode == 2, into);
            best[mode] = seconds < best[mode] ? seconds : best[mode];
        }
    }
    double instructions = 0;
    for (int class = 0; class < RG_CLASS_COUNT; class ++) {
        instructions += (double)counts.thread_instructions[class];
    }
    printf("%-12s %8.2f %10.1f %12.0f %10.0f %10.0f\n", kernel->name, read_s * 1e3, instructions * 1e-6,
           instructions / best[0] * 1e-6, instructions / best[1] * 1e-6, instructions / best[2] * 1e-6);
    for (size_t i = 0; i < kernel->buffers; i++) {
        free(memory[i]);
    }
    rg_ptx_destroy(ptx);
    free(text);
}

/** Checking one kernel, with a grid that is cut: what bench/engine_peer.py holds against another tool. */
static int check_one(const struct ridge_context *context, const char *folder, const char *name, uint64_t most)
{
    for (int i = 0; i < MOST; i++) {
        struct kernel kernel = kernels[i];
        size_t size;
        if (strcmp(kernel.name, name) != 0) {
            continue;
        }
        char *text = read_text(folder, name, "clang", &size);
        struct rg_ptx *ptx = NULL;
        void *memory[4] = {0};
        for (size_t at = 0; at < kernel.buffers; at++) {
            memory[at] = calloc(1, kernel.bytes[at]);
        }
        kernel.grid[0] = kernel.grid[0] < most ? kernel.grid[0] : most;
        kernel.grid[1] = kernel.grid[1] < most ? kernel.grid[1] : most;
        if (rg_ptx_read(context, text, size, name, &ptx, NULL) == RIDGE_OK) {
            printf("%.9f\n", run_once(context, ptx, &kernel, memory, false, true, NULL));
        }
        for (size_t at = 0; at < kernel.buffers; at++) {
            free(memory[at]);
        }
        rg_ptx_destroy(ptx);
        free(text);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct ridge_context *context = NULL;
    const char *folder = argc > 1 ? argv[1] : "tests/fixtures/ptx";
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK) {
        return 70;
    }
    if (argc == 4) {
        const int code = check_one(context, folder, argv[2], strtoull(argv[3], NULL, 10));
        ridge_context_destroy(context);
        return code;
    }
    printf("measured      read ms   M instr.   M instr./s   counting   checking   (thread instructions, one core)\n");
    for (int i = 0; i < MOST; i++) {
        measure(context, folder, &kernels[i]);
    }
    ridge_context_destroy(context);
    return 0;
}
