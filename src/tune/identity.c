/* SPDX-License-Identifier: MIT */
/* What makes two runs comparable: texts and hashes of everything that a time depends on. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "tune/session.h"

enum {
    MAX_INCLUDE_DEPTH = 8
};

/** Hash a source and, one below the other, the files that it includes by quoted names and that are there. */
static void hash_source(struct rg_arena *arena, struct rg_sha256 *hash, const char *folder, const char *text,
                        unsigned depth)
{
    rg_sha256_update(hash, text, strlen(text));
    for (const char *at = text; depth < MAX_INCLUDE_DEPTH && (at = strstr(at, "#include")) != NULL;) {
        at += strlen("#include");
        const char *open = at + strspn(at, " \t");
        const size_t length = *open == '"' ? strcspn(open + 1, "\"\n") : 0;
        if (length == 0) {
            continue;
        }
        const char *path = rg_arena_printf(arena, "%s/%.*s", folder, (int)length, open + 1);
        char *included = NULL;
        if (path && access(path, R_OK) == 0 && rg_file_read(arena, path, &included, NULL, NULL) == RIDGE_OK) {
            hash_source(arena, hash, folder, included, depth + 1);
        }
    }
}

static const char *source_hash(struct rg_tuning *tuning, const char *text)
{
    struct rg_sha256 hash;
    struct rg_arena scratch;
    char hex[RG_SHA256_HEX_BYTES];
    rg_sha256_init(&hash);
    rg_arena_init(&scratch, tuning->context);
    hash_source(&scratch, &hash, tuning->spec->folder, text ? text : "", 0);
    rg_arena_fini(&scratch);
    rg_sha256_final_hex(&hash, hex);
    return rg_arena_strdup(&tuning->arena, hex);
}

/** Hash a file's content; one that cannot be read is told of where it is used. */
static void hash_file(struct rg_arena *scratch, struct rg_sha256 *hash, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    if (path && rg_file_read(scratch, path, &text, &length, NULL) == RIDGE_OK) {
        rg_sha256_update(hash, text, length);
    }
}

/** What the spec says of arguments and verification, and the content of the files that it names. */
static const char *arguments_hash(struct rg_tuning *tuning)
{
    const struct ridge_spec *spec = tuning->spec;
    struct rg_sha256 hash;
    struct rg_arena scratch;
    char hex[RG_SHA256_HEX_BYTES];
    rg_sha256_init(&hash);
    rg_arena_init(&scratch, tuning->context);
    rg_sha256_update(&hash, spec->arguments_hash, strlen(spec->arguments_hash));
    hash_file(&scratch, &hash, spec->verify.c_source);
    for (size_t i = 0; i < spec->verify.file_count; i++) {
        hash_file(&scratch, &hash, spec->verify.files[i]);
    }
    for (size_t i = 0; i < spec->argument_count; i++) {
        hash_file(&scratch, &hash, spec->arguments[i].fill_file);
    }
    rg_arena_fini(&scratch);
    rg_sha256_final_hex(&hash, hex);
    return rg_arena_strdup(&tuning->arena, hex);
}

/** "n=512 steps=4": the spec's params, sorted by name. */
static const char *parameters_text(struct rg_tuning *tuning)
{
    struct rg_buffer text;
    rg_buffer_init(&text, tuning->context);
    for (size_t i = 0; i < tuning->spec->param_count; i++) {
        const struct rg_symbol *param = &tuning->spec->params[i];
        char value[512];
        ridge_value_format(param->constant, value, sizeof value);
        rg_buffer_printf(&text, "%s%s=%s", i > 0 ? " " : "", param->name, value);
    }
    const char *copy = text.failed ? NULL : rg_arena_strdup(&tuning->arena, rg_buffer_text(&text));
    rg_buffer_fini(&text);
    return copy;
}

static const char *reference_text(struct rg_tuning *tuning)
{
    const struct rg_verify *verify = &tuning->spec->verify;
    if (!tuning->setup.backend->computes) {
        return "none";
    }
    switch (verify->reference) {
    case RG_REFERENCE_NONE: return "none";
    case RG_REFERENCE_C: return rg_arena_printf(&tuning->arena, "C function %s", verify->c_entry);
    case RG_REFERENCE_CONFIGURATION: return "a configuration";
    case RG_REFERENCE_FILE: return "files";
    }
    return "none";
}

ridge_status rg_identity_fill(struct rg_tuning *tuning, const char *source_text, const char *order,
                              uint64_t space_count, struct ridge_error *error)
{
    const struct ridge_spec *spec = tuning->spec;
    const struct rg_device_facts *facts = tuning->setup.facts;
    char host[256] = "";
    (void)gethostname(host, sizeof host - 1);
    tuning->info = (struct ridge_run_info){
        .kernel = spec->kernel,
        .backend = tuning->setup.backend->name,
        .device = rg_arena_strdup(&tuning->arena, facts->name),
        .platform = rg_arena_strdup(&tuning->arena, facts->platform),
        .driver = rg_arena_strdup(&tuning->arena, facts->driver),
        .source_hash = source_hash(tuning, source_text),
        .arguments_hash = arguments_hash(tuning),
        .parameters = parameters_text(tuning),
        .cache = tuning->options.cold ? "cold" : "warm",
        .space_hash = spec->space_hash,
        .spec_path = spec->path,
        .order = order,
        .reference = reference_text(tuning),
        .ridge_version = ridge_version(),
        .host = rg_arena_strdup(&tuning->arena, host),
        .seed = tuning->options.seed,
        .space_count = space_count,
    };
    const struct ridge_run_info *info = &tuning->info;
    if (!info->device || !info->platform || !info->driver || !info->source_hash || !info->arguments_hash ||
        !info->parameters || !info->reference || !info->host) {
        return rg_error_memory(error, sizeof *info);
    }
    return RIDGE_OK;
}
