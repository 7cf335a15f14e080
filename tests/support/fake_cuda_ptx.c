/* SPDX-License-Identifier: MIT */
#include "fake_cuda_ptx.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/engine.h"

enum {
    MEMORIES = 256,
    MOST_PARAMETERS = 64
};

struct fake_ptx {
    struct ridge_context *context;
    struct rg_ptx *ptx;
};

struct fake_ptx *fake_ptx_open(const char *text)
{
    struct ridge_error error = {0};
    struct fake_ptx *made = calloc(1, sizeof *made);
    if (!made || ridge_context_create(NULL, &made->context, &error) != RIDGE_OK ||
        rg_ptx_read(made->context, text, strlen(text), "module.ptx", &made->ptx, &error) != RIDGE_OK) {
        fprintf(stderr, "fake driver: %s\n", error.message);
        fake_ptx_close(made);
        return NULL;
    }
    return made;
}

void fake_ptx_close(struct fake_ptx *ptx)
{
    if (ptx) {
        rg_ptx_destroy(ptx->ptx);
        ridge_context_destroy(ptx->context);
        free(ptx);
    }
}

bool fake_ptx_find(const struct fake_ptx *ptx, const char *name, size_t *entry)
{
    *entry = rg_ptx_entry_find(ptx->ptx, name);
    return *entry != SIZE_MAX;
}

bool fake_ptx_parameter(const struct fake_ptx *ptx, size_t entry, size_t index, size_t *bytes)
{
    const struct rg_ptx_entry *found = rg_ptx_entry_at(ptx->ptx, entry);
    *bytes = index < found->parameter_count ? found->parameter_bytes[index] : 0;
    return index < found->parameter_count;
}

/** The buffer that a value points into: from there to the end of its memory. \return false when it points nowhere. */
static bool buffer_of(uint64_t value, const struct fake_memory *memories, struct rg_engine_buffer *out)
{
    for (size_t i = 0; i < MEMORIES; i++) {
        const uint64_t begin = (uint64_t)(uintptr_t)memories[i].bytes;
        if (memories[i].bytes && value >= begin && value < begin + memories[i].size) {
            *out = (struct rg_engine_buffer){.name = "memory",
                                             .bytes = (unsigned char *)memories[i].bytes + (value - begin),
                                             .size = begin + memories[i].size - value,
                                             .writable = true,
                                             .initialised = true};
            return true;
        }
    }
    return false;
}

static void finding_print(void *user, const struct rg_engine_finding *finding)
{
    bool *astray = user;
    *astray = true;
    fprintf(stderr, "fake driver: %s: %s\n", rg_rule_word(finding->rule), finding->reason);
}

bool fake_ptx_run(const struct fake_ptx *ptx, size_t entry, const unsigned grid[3], const unsigned block[3],
                  unsigned shared_bytes, void **parameters, const struct fake_memory *memories, double *seconds)
{
    const struct rg_ptx_entry *declared = rg_ptx_entry_at(ptx->ptx, entry);
    struct rg_engine_buffer buffers[MOST_PARAMETERS];
    struct rg_engine_argument arguments[MOST_PARAMETERS];
    bool astray = false;
    size_t buffer_count = 0;
    for (size_t i = 0; i < declared->parameter_count && i < MOST_PARAMETERS; i++) {
        uint64_t value = 0;
        const uint32_t bytes = declared->parameter_bytes[i];
        memcpy(&value, parameters[i], bytes < sizeof value ? bytes : sizeof value);
        arguments[i] = (struct rg_engine_argument){.kind = RG_ENGINE_SCALAR, .bytes = parameters[i], .size = bytes};
        if (bytes == sizeof value && buffer_of(value, memories, &buffers[buffer_count])) {
            arguments[i] = (struct rg_engine_argument){.kind = RG_ENGINE_POINTER, .buffer = buffer_count++};
        }
    }
    const struct rg_engine_run run = {.context = ptx->context,
                                      .ptx = ptx->ptx,
                                      .entry = entry,
                                      .grid = {grid[0], grid[1], grid[2]},
                                      .block = {block[0], block[1], block[2]},
                                      .shared_dynamic_bytes = shared_bytes,
                                      .buffers = buffers,
                                      .buffer_count = buffer_count,
                                      .arguments = arguments,
                                      .argument_count = declared->parameter_count,
                                      .finding = finding_print,
                                      .user = &astray};
    struct ridge_error error = {0};
    const double began = rg_clock_s();
    const ridge_status status = rg_engine_run(&run, NULL, &error);
    *seconds = rg_clock_s() - began;
    if (status != RIDGE_OK) {
        fprintf(stderr, "fake driver: %s\n", error.message);
    }
    return status == RIDGE_OK && !astray;
}
