/* SPDX-License-Identifier: MIT */
/** \file Reading PTX and running it in tests of the engine. */
#ifndef ENGINE_FIXTURE_H
#define ENGINE_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "engine/engine.h"
#include "rg_test.h"

struct engine_fixture {
    struct ridge_context *context;
    struct rg_ptx *ptx;
    struct rg_engine_buffer buffers[8];
    size_t buffer_count;
    struct rg_engine_argument arguments[16];
    uint64_t scalars[16];
    size_t argument_count;
    struct rg_engine_counts counts;
    size_t findings;
    char first[1024]; /**< "rule file:line reason" of the first finding */
    size_t by_rule[RG_RULE_COUNT];
};

static inline void engine_finding(void *user, const struct rg_engine_finding *finding)
{
    struct engine_fixture *fixture = user;
    if (fixture->findings++ == 0) {
        snprintf(fixture->first, sizeof fixture->first, "%s %s:%u %s", rg_rule_word(finding->rule), finding->file,
                 finding->line, finding->reason);
    }
    fixture->by_rule[finding->rule]++;
}

static inline void engine_read(struct engine_fixture *fixture, const char *text)
{
    struct ridge_error error = {0};
    memset(fixture, 0, sizeof *fixture);
    assert_ok(ridge_context_create(NULL, &fixture->context, &error), &error);
    assert_ok(rg_ptx_read(fixture->context, text, strlen(text), "test.ptx", &fixture->ptx, &error), &error);
}

static inline void engine_load(struct engine_fixture *fixture, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/fixtures/ptx/%s", RG_SOURCE_ROOT, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static char text[1 << 20];
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    engine_read(fixture, text);
}

static inline void engine_free(struct engine_fixture *fixture)
{
    rg_ptx_destroy(fixture->ptx);
    ridge_context_destroy(fixture->context);
}

static inline void engine_buffer(struct engine_fixture *fixture, void *bytes, uint64_t size, bool writable,
                                 const char *name)
{
    fixture->arguments[fixture->argument_count++] =
        (struct rg_engine_argument){.kind = RG_ENGINE_POINTER, .buffer = fixture->buffer_count};
    fixture->buffers[fixture->buffer_count++] = (struct rg_engine_buffer){
        .name = name, .bytes = bytes, .size = size, .writable = writable, .initialised = true};
}

static inline void engine_scalar(struct engine_fixture *fixture, const void *bytes, uint64_t size)
{
    memcpy(&fixture->scalars[fixture->argument_count], bytes, size);
    fixture->arguments[fixture->argument_count] = (struct rg_engine_argument){
        .kind = RG_ENGINE_SCALAR, .bytes = &fixture->scalars[fixture->argument_count], .size = size};
    fixture->argument_count++;
}

static inline void engine_u32(struct engine_fixture *fixture, uint32_t value)
{
    engine_scalar(fixture, &value, sizeof value);
}

static inline void engine_f32(struct engine_fixture *fixture, float value)
{
    engine_scalar(fixture, &value, sizeof value);
}

static inline void engine_local(struct engine_fixture *fixture, uint64_t size)
{
    fixture->arguments[fixture->argument_count++] = (struct rg_engine_argument){.kind = RG_ENGINE_LOCAL, .size = size};
}

static inline struct rg_engine_run engine_request(struct engine_fixture *fixture, uint64_t grid_x, uint64_t grid_y,
                                                  uint64_t block_x, uint64_t block_y)
{
    return (struct rg_engine_run){.context = fixture->context,
                                  .ptx = fixture->ptx,
                                  .grid = {grid_x, grid_y, 1},
                                  .block = {block_x, block_y, 1},
                                  .buffers = fixture->buffers,
                                  .buffer_count = fixture->buffer_count,
                                  .arguments = fixture->arguments,
                                  .argument_count = fixture->argument_count,
                                  .finding = engine_finding,
                                  .user = fixture};
}

static inline void engine_go(struct engine_fixture *fixture, const struct rg_engine_run *request)
{
    struct ridge_error error = {0};
    assert_ok(rg_engine_run(request, &fixture->counts, &error), &error);
}

#endif
