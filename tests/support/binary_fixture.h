/* SPDX-License-Identifier: MIT */
/** \file Fixtures of compiled code in memory, and the kernels in them. */
#ifndef BINARY_FIXTURE_H
#define BINARY_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ridge/binary.h"

enum {
    FIXTURE_MOST_KERNELS = 16
};

/** Bytes of a file. */
struct blob {
    uint8_t *bytes;
    size_t size;
};

/** Read a file into a block of its exact size. One that is missing or empty ends the program. */
static inline struct blob blob_read(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        abort();
    }
    const long size = ftell(file);
    rewind(file);
    struct blob blob = {malloc(size > 0 ? (size_t)size : 1), 0};
    if (!blob.bytes || size <= 0) {
        abort();
    }
    blob.size = fread(blob.bytes, 1, (size_t)size, file);
    fclose(file);
    return blob;
}

/** What a visit found, kept. */
struct found {
    size_t count;
    struct ridge_binary_kernel kernels[FIXTURE_MOST_KERNELS]; /* without attributes */
    char texts[FIXTURE_MOST_KERNELS][5][256];                 /* name, readable, target, toolkit, image */
    uint8_t unknown[FIXTURE_MOST_KERNELS];                    /* code of the first attribute not known; 0: none */
    uint64_t skipped;
};

static inline bool found_add(void *user, const struct ridge_binary_kernel *kernel)
{
    struct found *found = user;
    if (found->count == FIXTURE_MOST_KERNELS) {
        return false;
    }
    char(*texts)[256] = found->texts[found->count];
    struct ridge_binary_kernel *own = &found->kernels[found->count];
    found->unknown[found->count++] = kernel->unknown_attributes ? kernel->attributes[0].code : 0;
    *own = *kernel;
    snprintf(texts[0], sizeof texts[0], "%s", kernel->name);
    snprintf(texts[1], sizeof texts[1], "%s", kernel->readable_name);
    snprintf(texts[2], sizeof texts[2], "%s", kernel->target);
    snprintf(texts[3], sizeof texts[3], "%s", kernel->toolkit);
    snprintf(texts[4], sizeof texts[4], "%s", kernel->image);
    own->name = texts[0];
    own->readable_name = texts[1];
    own->target = texts[2];
    own->toolkit = texts[3];
    own->image = texts[4];
    own->attributes = NULL;
    return true;
}

/** Read all kernels of bytes. */
static inline ridge_status found_read(const struct ridge_context *context, struct blob blob, struct found *found,
                                      struct ridge_error *error)
{
    struct ridge_binary *binary = NULL;
    memset(found, 0, sizeof *found);
    ridge_status status = ridge_binary_open_bytes(context, blob.bytes, blob.size, "file", &binary, error);
    if (status == RIDGE_OK) {
        status = ridge_binary_each(binary, found_add, found, &found->skipped, error);
    }
    ridge_binary_close(binary);
    return status;
}

#endif
