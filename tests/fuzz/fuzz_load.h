/* SPDX-License-Identifier: MIT */
/**
 * \file Any bytes as a file that ridge space takes: loaded or refused with a message; a loaded small space counts, walks
 * and indexes alike.
 */
#ifndef FUZZ_LOAD_H
#define FUZZ_LOAD_H

#include <stdlib.h>
#include <string.h>

#include "fuzz_file.h"
#include "ridge/space.h"
#include "space/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static double spec_size(const struct ridge_spec *spec)
{
    double size = 1;
    for (size_t i = 0; i < spec->dimension_count; i++) {
        size *= (double)spec->dimensions[i].count;
    }
    return size;
}

static void check_configuration(const struct ridge_space *space, const uint32_t *choice, uint64_t index)
{
    uint32_t back[RG_MAX_DIMENSIONS];
    char id[RIDGE_ID_BYTES];
    uint64_t found = 0;
    uint64_t neighbours = 0;
    ridge_space_id(space, choice, id);
    if (ridge_space_at(space, index, back, NULL) != RIDGE_OK ||
        memcmp(back, choice, ridge_space_dimension_count(space) * sizeof *back) != 0 ||
        ridge_space_index(space, choice, &found, NULL) != RIDGE_OK || found != index ||
        ridge_space_neighbours(space, choice, RIDGE_HAMMING, NULL, 0, &neighbours, NULL) != RIDGE_OK) {
        abort();
    }
}

static void check_space(const struct ridge_context *context, const struct ridge_spec *spec)
{
    struct ridge_space *space = NULL;
    struct ridge_space_cursor *cursor = NULL;
    uint64_t count = 0;
    uint64_t walked = 0;
    const uint32_t *choice = NULL;
    if (spec_size(spec) > 3000 || ridge_space_create(context, spec, &space, NULL) != RIDGE_OK) {
        return;
    }
    if (ridge_space_count(space, &count, NULL) == RIDGE_OK &&
        ridge_space_cursor_create(space, &cursor, NULL) == RIDGE_OK) {
        while (ridge_space_cursor_next(cursor, &choice, NULL) == RIDGE_OK && choice) {
            check_configuration(space, choice, walked++);
        }
        if (walked != count) {
            abort();
        }
    }
    ridge_space_cursor_destroy(cursor);
    ridge_space_destroy(space);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ridge_context *context = NULL;
    struct ridge_spec *spec = NULL;
    struct ridge_error error = {0};
    char path[FUZZ_PATH_BYTES];
    const int descriptor = fuzz_file(data, size, path);
    if (descriptor < 0) {
        return 0;
    }
    if (ridge_context_create(NULL, &context, NULL) == RIDGE_OK) {
        if (ridge_spec_load(context, path, NULL, 0, &spec, &error) == RIDGE_OK) {
            check_space(context, spec);
        } else if (error.message[0] == '\0') {
            abort();
        }
    }
    ridge_spec_destroy(spec);
    ridge_context_destroy(context);
    close(descriptor);
    return 0;
}

#endif
