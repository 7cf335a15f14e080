/* SPDX-License-Identifier: MIT */
/**
 * \file Any bytes as compiled code: read, or refused with a message that names a byte; every text and number that comes
 * out is touched. The targets differ in their corpus.
 */
#ifndef FUZZ_BINARY_H
#define FUZZ_BINARY_H

#include <stdlib.h>
#include <string.h>

#include "ridge/binary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool touch_kernel(void *user, const struct ridge_binary_kernel *kernel)
{
    size_t *touched = user;
    char name[64];
    *touched += strlen(kernel->name) + strlen(kernel->readable_name) + strlen(kernel->target) + strlen(kernel->image);
    *touched += strlen(kernel->toolkit) + ridge_binary_short_name(kernel->readable_name, name, sizeof name);
    *touched += ridge_binary_kernel_is(kernel, "axpb<float,3>");
    *touched += ridge_binary_target_runs(kernel->target, "cc:9.0");
    for (uint32_t i = 0; i < kernel->unknown_attributes; i++) {
        const struct ridge_binary_attribute *attribute = &kernel->attributes[i];
        *touched += attribute->bytes ? attribute->payload[attribute->bytes - 1] : attribute->code;
    }
    return true;
}

static bool touch_image(void *user, const struct ridge_binary_image *image)
{
    size_t *touched = user;
    *touched += strlen(image->place) + strlen(image->kind) + strlen(image->target) + strlen(image->codec);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ridge_context *context = NULL;
    struct ridge_binary *binary = NULL;
    struct ridge_error error = {0};
    size_t touched = 0;
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK) {
        return 0;
    }
    ridge_status status = ridge_binary_open_bytes(context, data, size, "fuzz", &binary, &error);
    if (status == RIDGE_OK) {
        status = ridge_binary_each(binary, touch_kernel, &touched, NULL, &error);
    }
    if (status == RIDGE_OK) {
        status = ridge_binary_each_image(binary, touch_image, &touched, &error);
    }
    if (status != RIDGE_OK && status != RIDGE_E_MEMORY && !strstr(error.message, "byte") &&
        !strstr(error.message, "empty")) {
        abort();
    }
    ridge_binary_close(binary);
    ridge_context_destroy(context);
    return 0;
}

#endif
