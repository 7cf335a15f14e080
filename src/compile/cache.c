/* SPDX-License-Identifier: MIT */
#include "compile/cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "compile/artifact.h"
#include "compile/clang.h"

/* The number grows when the compilers are given other options or text than before. A file: this line, 64 hex digits of the rest's SHA-256, a line break, the sizes, then the texts (each with its
 * terminator) and the bytes. */
static const char magic[] = "ridge artifact 1\n";

enum {
    MAGIC_BYTES = sizeof magic - 1,
    HEAD_BYTES = MAGIC_BYTES + RG_SHA256_HEX_BYTES
};

/** Sizes of the parts, in their order; texts with their terminators. */
struct sizes {
    uint64_t entry;
    uint64_t compiler;
    uint64_t log;
    uint64_t bytes;
};

static void field_hash(struct rg_sha256 *hash, const char *bytes, size_t length)
{
    const uint64_t size = length;
    rg_sha256_update(hash, &size, sizeof size);
    rg_sha256_update(hash, bytes, length);
}

void rg_cache_key(const struct rg_compile_job *job, const struct rg_closure *closure, const char *identity,
                  char key[RG_SHA256_HEX_BYTES])
{
    const char *const fields[] = {
        magic,      identity,  job->target,       job->form == RG_ARTIFACT_PTX ? "ptx" : "binary",
        job->entry, job->path, rg_nvidia_builtins};
    struct rg_sha256 hash;
    rg_sha256_init(&hash);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        field_hash(&hash, fields[i], strlen(fields[i]));
    }
    field_hash(&hash, rg_buffer_text(&closure->text), closure->text.length);
    for (size_t i = 0; i < job->macro_count; i++) {
        field_hash(&hash, job->macros[i].name, strlen(job->macros[i].name));
        field_hash(&hash, job->macros[i].value, strlen(job->macros[i].value));
    }
    for (size_t i = 0; i < job->option_count; i++) {
        field_hash(&hash, job->options[i], strlen(job->options[i]));
    }
    rg_sha256_final_hex(&hash, key);
}

static void path_print(struct rg_buffer *out, const char *folder, const char *key)
{
    rg_buffer_printf(out, "%s/%s.artifact", folder, key);
}

static void content_hash(const char *bytes, size_t length, char hex[RG_SHA256_HEX_BYTES])
{
    struct rg_sha256 hash;
    rg_sha256_init(&hash);
    rg_sha256_update(&hash, bytes, length);
    rg_sha256_final_hex(&hash, hex);
}

/** Whether a text of so many bytes, its terminator counted, is one. */
static bool is_text(const char *text, uint64_t bytes)
{
    return bytes > 0 && memchr(text, '\0', bytes) == text + bytes - 1;
}

/** Take a file apart. \return false when it is damaged. */
static bool take_apart(const char *file, size_t length, struct sizes *sizes, const char **rest)
{
    char hex[RG_SHA256_HEX_BYTES];
    if (length < HEAD_BYTES + sizeof *sizes || memcmp(file, magic, MAGIC_BYTES) != 0) {
        return false;
    }
    content_hash(file + HEAD_BYTES, length - HEAD_BYTES, hex);
    hex[RG_SHA256_HEX_BYTES - 1] = '\n';
    if (memcmp(file + MAGIC_BYTES, hex, RG_SHA256_HEX_BYTES) != 0) {
        return false;
    }
    memcpy(sizes, file + HEAD_BYTES, sizeof *sizes);
    *rest = file + HEAD_BYTES + sizeof *sizes;
    const uint64_t have = length - HEAD_BYTES - sizeof *sizes;
    return sizes->entry <= have && sizes->compiler <= have && sizes->log <= have && sizes->bytes <= have &&
           sizes->entry + sizes->compiler + sizes->log + sizes->bytes == have && is_text(*rest, sizes->entry) &&
           is_text(*rest + sizes->entry, sizes->compiler) &&
           is_text(*rest + sizes->entry + sizes->compiler, sizes->log);
}

static bool artifact_fill(const struct sizes *sizes, const char *rest, struct rg_artifact *out)
{
    struct rg_artifact made = {.context = out->context, .cached = true, .size = sizes->bytes};
    const char *compiler = rest + sizes->entry;
    const char *log = compiler + sizes->compiler;
    made.bytes = rg_alloc(out->context, made.size + 1);
    if (!made.bytes || rg_artifact_text(&made, &made.entry, rest, NULL) != RIDGE_OK ||
        rg_artifact_text(&made, &made.compiler, compiler, NULL) != RIDGE_OK ||
        rg_artifact_text(&made, &made.log, log, NULL) != RIDGE_OK) {
        rg_artifact_fini(&made);
        return false;
    }
    memcpy(made.bytes, log + sizes->log, made.size);
    rg_artifact_fini(out);
    *out = made;
    return true;
}

bool rg_cache_get(const char *folder, const char *key, struct rg_artifact *out)
{
    const struct ridge_context *context = out->context;
    struct rg_arena arena;
    struct rg_buffer path;
    rg_arena_init(&arena, context);
    rg_buffer_init(&path, context);
    path_print(&path, folder, key);
    char *file = NULL;
    size_t length = 0;
    bool found = !path.failed && access(rg_buffer_text(&path), F_OK) == 0 &&
                 rg_file_read(&arena, rg_buffer_text(&path), &file, &length, NULL) == RIDGE_OK;
    if (found) {
        struct sizes sizes;
        const char *rest = NULL;
        found = take_apart(file, length, &sizes, &rest);
        out->damaged = !found;
        if (!found) {
            rg_log(context, RIDGE_LOG_WARNING, "%s: code that was kept there is damaged: it is compiled again", folder);
        }
        found = found && artifact_fill(&sizes, rest, out);
    }
    rg_buffer_fini(&path);
    rg_arena_fini(&arena);
    return found;
}

bool rg_cache_prepare(const struct ridge_context *context, const char *folder)
{
    struct ridge_error error = {0};
    if (!folder) {
        return false;
    }
    struct stat facts = {0};
    if (rg_folder_make(folder, &error) == RIDGE_OK && (stat(folder, &facts) != 0 || !S_ISDIR(facts.st_mode))) {
        rg_error_set(&error, RIDGE_E_IO, "it is no folder");
    } else if (error.status == RIDGE_OK && access(folder, W_OK | X_OK) != 0) {
        rg_error_set(&error, RIDGE_E_IO, "nothing can be written there");
    }
    if (error.status != RIDGE_OK) {
        rg_log(context, RIDGE_LOG_WARNING, "%s: %s (compiled code is not kept)", folder, error.message);
    }
    return error.status == RIDGE_OK;
}

void rg_cache_put(const char *folder, const char *key, const struct rg_artifact *artifact)
{
    const struct sizes sizes = {strlen(artifact->entry) + 1, strlen(artifact->compiler) + 1, strlen(artifact->log) + 1,
                                artifact->size};
    struct rg_buffer content;
    struct rg_buffer path;
    struct rg_buffer file;
    rg_buffer_init(&content, artifact->context);
    rg_buffer_init(&path, artifact->context);
    rg_buffer_init(&file, artifact->context);
    rg_buffer_append(&content, (const char *)&sizes, sizeof sizes);
    rg_buffer_append(&content, artifact->entry, sizes.entry);
    rg_buffer_append(&content, artifact->compiler, sizes.compiler);
    rg_buffer_append(&content, artifact->log, sizes.log);
    rg_buffer_append(&content, (const char *)artifact->bytes, artifact->size);
    char hex[RG_SHA256_HEX_BYTES];
    content_hash(rg_buffer_text(&content), content.length, hex);
    rg_buffer_printf(&file, "%s%s\n", magic, hex);
    rg_buffer_append(&file, rg_buffer_text(&content), content.length);
    path_print(&path, folder, key);
    struct ridge_error error = {0};
    const bool whole = !content.failed && !file.failed && !path.failed;
    if (whole && (rg_folder_make(folder, &error) != RIDGE_OK ||
                  rg_file_write_soon(rg_buffer_text(&path), rg_buffer_text(&file), file.length, &error) != RIDGE_OK)) {
        rg_log(artifact->context, RIDGE_LOG_WARNING, "%s: %s (compiled code is not kept)", folder, error.message);
    }
    rg_buffer_fini(&file);
    rg_buffer_fini(&path);
    rg_buffer_fini(&content);
}
