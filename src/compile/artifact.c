/* SPDX-License-Identifier: MIT */
#include "compile/artifact.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "compile/source_text.h"

static void text_free(const struct rg_artifact *artifact, char *text)
{
    if (text) {
        rg_free(artifact->context, text, strlen(text) + 1);
    }
}

ridge_status rg_artifact_text(struct rg_artifact *artifact, char **field, const char *text, struct ridge_error *error)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = rg_alloc(artifact->context, bytes);
    if (!copy) {
        return rg_error_memory(error, bytes);
    }
    memcpy(copy, text, bytes);
    text_free(artifact, *field);
    *field = copy;
    return RIDGE_OK;
}

ridge_status rg_artifact_fail_with_log(struct rg_artifact *artifact, const struct rg_buffer *log,
                                       struct ridge_error *error)
{
    struct rg_buffer text;
    rg_buffer_init(&text, artifact->context);
    rg_log_append(&text, rg_buffer_text(log));
    artifact->failed = true;
    artifact->failure = RG_FAILURE_SOURCE;
    const ridge_status status = text.failed || log->failed
                                    ? rg_error_memory(error, log->length)
                                    : rg_artifact_text(artifact, &artifact->log, rg_buffer_text(&text), error);
    rg_buffer_fini(&text);
    return status;
}

ridge_status rg_artifact_fail(struct rg_artifact *artifact, struct ridge_error *error, const char *format, ...)
{
    va_list arguments;
    va_list again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    const size_t bytes = length < 0 ? 1 : (size_t)length + 1;
    char *text = rg_alloc(artifact->context, bytes);
    if (text) {
        vsnprintf(text, bytes, format, again);
        text_free(artifact, artifact->log);
        artifact->log = text;
        artifact->failed = true;
        artifact->failure = RG_FAILURE_SOURCE;
    }
    va_end(again);
    return text ? RIDGE_OK : rg_error_memory(error, bytes);
}

void rg_artifact_fini(struct rg_artifact *artifact)
{
    if (artifact->bytes) {
        rg_free(artifact->context, artifact->bytes, artifact->size + 1);
    }
    text_free(artifact, artifact->entry);
    text_free(artifact, artifact->compiler);
    text_free(artifact, artifact->log);
    *artifact = (struct rg_artifact){0};
}
