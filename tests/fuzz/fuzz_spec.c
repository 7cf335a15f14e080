/* SPDX-License-Identifier: MIT */
/** \file Any bytes as a kernel.toml: loaded or refused with a message; a loaded small space counts and walks alike. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ridge/space.h"
#include "ridge/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(const struct ridge_context *context, const struct ridge_spec *spec)
{
    struct ridge_space *space = NULL;
    struct ridge_space_cursor *cursor = NULL;
    uint64_t count = 0;
    uint64_t walked = 0;
    const uint32_t *choice = NULL;
    if (ridge_space_create(context, spec, &space, NULL) != RIDGE_OK) {
        return;
    }
    if (ridge_space_cartesian(space) < 10000 && ridge_space_count(space, &count, NULL) == RIDGE_OK &&
        ridge_space_cursor_create(space, &cursor, NULL) == RIDGE_OK) {
        while (ridge_space_cursor_next(cursor, &choice, NULL) == RIDGE_OK && choice) {
            char id[RIDGE_ID_BYTES];
            ridge_space_id(space, choice, id);
            walked++;
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
    char path[64];
    const int descriptor = memfd_create("fuzz", 0);
    if (descriptor < 0) {
        return 0;
    }
    if ((size == 0 || write(descriptor, data, size) == (ssize_t)size) &&
        ridge_context_create(NULL, &context, NULL) == RIDGE_OK) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
        if (ridge_spec_load(context, path, NULL, 0, &spec, &error) == RIDGE_OK) {
            walk(context, spec);
        } else if (error.message[0] == '\0') {
            abort();
        }
    }
    ridge_spec_destroy(spec);
    ridge_context_destroy(context);
    close(descriptor);
    return 0;
}
