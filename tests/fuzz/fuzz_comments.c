/* SPDX-License-Identifier: MIT */
/** \file Any bytes as a source with %RANGE% comments: its dimensions are read, or it is refused with a message. */
#include <stdlib.h>

#include "base/context.h"
#include "space/spec_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct ridge_spec *spec)
{
    for (size_t i = 0; i < spec->dimension_count; i++) {
        const struct rg_dimension *dimension = &spec->dimensions[i];
        for (size_t k = 1; k < dimension->count; k++) {
            if (dimension->values[k].as.integer <= dimension->values[k - 1].as.integer) {
                abort();
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ridge_context *context = NULL;
    struct ridge_error error = {0};
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK) {
        return 0;
    }
    struct ridge_spec *spec = rg_alloc(context, sizeof *spec);
    spec->context = context;
    spec->path = "fuzz.cu";
    rg_arena_init(&spec->arena, context);
    struct rg_spec_reader reader = {.spec = spec, .arena = &spec->arena, .error = &error};
    if (rg_spec_read_comments(&reader, rg_arena_copy(&spec->arena, (const char *)data, size)) == RIDGE_OK) {
        check(spec);
    } else if (error.message[0] == '\0') {
        abort();
    }
    ridge_spec_destroy(spec);
    ridge_context_destroy(context);
    return 0;
}
