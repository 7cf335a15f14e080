/* SPDX-License-Identifier: MIT */
/** \file Any bytes as TOML: read or refused, never a crash. */
#include <stdlib.h>
#include <string.h>

#include "text/toml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Touch every node, so that a bad pointer is found. \return how many there are. */
static size_t visit(const struct rg_toml *node)
{
    size_t count = 1;
    if (node->type == RG_TOML_TEXT) {
        count += strlen(node->text) + rg_toml_text_place(node).line;
    }
    for (size_t i = 0; i < node->count; i++) {
        count += visit(&node->children[i]);
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ridge_context *context = NULL;
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK) {
        return 0;
    }
    struct rg_arena arena;
    rg_arena_init(&arena, context);
    char *text = rg_arena_alloc(&arena, size + 1);
    const struct rg_toml *root = NULL;
    struct ridge_error error = {0};
    if (size > 0) {
        memcpy(text, data, size);
    }
    if (rg_toml_read(&arena, "fuzz.toml", text, size, &root, &error) == RIDGE_OK) {
        if (visit(root) == 0) {
            abort();
        }
    } else if (error.message[0] == '\0') {
        abort();
    }
    rg_arena_fini(&arena);
    ridge_context_destroy(context);
    return 0;
}
