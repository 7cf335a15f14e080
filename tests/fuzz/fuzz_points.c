/* SPDX-License-Identifier: MIT */
/** \file Any bytes as a CSV of footprint points: fitted or refused with a message; what is fitted is written and read. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "fuzz_file.h"
#include "model/footprint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool keep(void *user, const char *bytes, size_t length)
{
    rg_buffer_append(user, bytes, length);
    return true;
}

/** What is written must be read again. */
static void check_fit(const struct ridge_context *context, const struct ridge_footprint *footprint)
{
    struct rg_buffer text;
    struct ridge_footprint_db *db = NULL;
    rg_buffer_init(&text, context);
    if (ridge_footprint_write(context, footprint, (struct ridge_sink){keep, &text}, NULL) != RIDGE_OK ||
        ridge_footprint_db_create(context, NULL, &db, NULL) != RIDGE_OK ||
        rg_footprint_read(db, "again.toml", text.text, text.length, NULL) != RIDGE_OK) {
        abort();
    }
    ridge_footprint_db_destroy(db);
    rg_buffer_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct ridge_footprint_fit_options options = {.device = "d"};
    struct ridge_context *context = NULL;
    struct ridge_footprint_fit *fit = NULL;
    struct ridge_error error = {0};
    char path[FUZZ_PATH_BYTES];
    const int descriptor = fuzz_file(data, size, path);
    if (descriptor < 0) {
        return 0;
    }
    if (ridge_context_create(NULL, &context, NULL) == RIDGE_OK) {
        if (ridge_footprint_fit_create(context, path, &options, &fit, &error) == RIDGE_OK) {
            check_fit(context, ridge_footprint_fit_get(fit));
        } else if (error.message[0] == '\0') {
            abort();
        }
    }
    ridge_footprint_fit_destroy(fit);
    ridge_context_destroy(context);
    close(descriptor);
    return 0;
}
