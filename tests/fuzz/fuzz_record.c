/* SPDX-License-Identifier: MIT */
/** \file Any bytes as a file of records: read or refused; what was read can be written and read again. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "store/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool buffer_sink(void *user, const char *bytes, size_t length)
{
    rg_buffer_append(user, bytes, length);
    return true;
}

/** Written in a format and read again, as many records come back. */
static void write_and_read(const struct ridge_context *context, const struct ridge_run *run, ridge_record_format format)
{
    struct rg_buffer text;
    struct ridge_run *again = NULL;
    struct ridge_error error = {0};
    rg_buffer_init(&text, context);
    const ridge_status status = ridge_record_write(run, format, (struct ridge_sink){buffer_sink, &text}, &error);
    if (status == RIDGE_E_VALUE && format == RIDGE_RECORD_CACHE) {
        rg_buffer_fini(&text); /* a dimension with a name that the format uses itself */
        return;
    }
    if (status != RIDGE_OK) {
        abort();
    }
    const struct ridge_record_hints hints = {run->info.kernel, run->info.device};
    if (rg_record_parse(context, "again", rg_buffer_text(&text), text.length, &hints, &again, &error) != RIDGE_OK ||
        again->record_count != run->record_count || again->ranked_count != run->ranked_count) {
        abort();
    }
    ridge_run_destroy(again);
    rg_buffer_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ridge_context *context = NULL;
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK) {
        return 0;
    }
    struct ridge_run *run = NULL;
    struct ridge_error error = {0};
    const char *bytes = size > 0 ? (const char *)data : "";
    if (rg_record_parse(context, "fuzz", bytes, size, NULL, &run, &error) == RIDGE_OK) {
        write_and_read(context, run, RIDGE_RECORD_T4);
        write_and_read(context, run, RIDGE_RECORD_CACHE);
    } else if (error.message[0] == '\0') {
        abort();
    }
    ridge_run_destroy(run);
    ridge_context_destroy(context);
    return 0;
}
