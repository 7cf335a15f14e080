/* SPDX-License-Identifier: MIT */
#include "compile/closure.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "compile/source_text.h"

enum {
    MAX_FILES = 256
};

/** Files still to be read, and those that were. */
struct gathering {
    struct rg_closure *closure;
    struct rg_arena arena;
    const char *folder;
    size_t count;
    const char *paths[MAX_FILES];
};

/** Options that read further files, or look for them elsewhere. */
static bool option_reads_files(const char *option)
{
    static const char *const beginnings[] = {"-I", "-i", "--include", "--pre-include", "--options-file", "@"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        if (strncmp(option, beginnings[i], strlen(beginnings[i])) == 0) {
            return true;
        }
    }
    return false;
}

/** Note a file to be read, once. \return false when there is no such file or no room. */
static bool file_note(struct gathering *gathering, const char *folder, const char *name, size_t length)
{
    char path[PATH_MAX];
    char resolved[PATH_MAX];
    const bool absolute = length > 0 && name[0] == '/';
    const int written = absolute ? snprintf(path, sizeof path, "%.*s", (int)length, name)
                                 : snprintf(path, sizeof path, "%s/%.*s", folder, (int)length, name);
    if (written < 0 || (size_t)written >= sizeof path || !realpath(path, resolved)) {
        return false;
    }
    for (size_t i = 0; i < gathering->count; i++) {
        if (strcmp(gathering->paths[i], resolved) == 0) {
            return true;
        }
    }
    char *kept = gathering->count < MAX_FILES ? rg_arena_strdup(&gathering->arena, resolved) : NULL;
    if (!kept) {
        gathering->closure->complete = false;
        return true;
    }
    gathering->paths[gathering->count++] = kept;
    return true;
}

/** One #include: `at` is behind the word. What is not beside the source is the compiler's, or does not compile. */
static void include_note(struct gathering *gathering, const char *folder, const char *at)
{
    at += strspn(at, " \t");
    const char closing = *at == '"' ? '"' : '>';
    const char *name = at + 1;
    const char *end = *at == '"' || *at == '<' ? strchr(name, closing) : NULL;
    if (!end || (size_t)(end - name) > strcspn(name, "\n")) {
        gathering->closure->complete = false; /* #include MACRO, #include_next */
        return;
    }
    const size_t length = (size_t)(end - name);
    const bool beside = *at == '"' && folder && file_note(gathering, folder, name, length);
    if (!beside && gathering->folder) {
        file_note(gathering, gathering->folder, name, length);
    }
}

static void text_scan(struct gathering *gathering, const char *folder, const char *text)
{
    if (strstr(text, "__has_include")) {
        gathering->closure->complete = false;
    }
    for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#')) {
        const char *word = at + 1 + strspn(at + 1, " \t");
        if (strncmp(word, "include", 7) == 0) {
            include_note(gathering, folder, word + 7);
        }
    }
}

static ridge_status file_read(struct gathering *gathering, const char *path, struct ridge_error *error)
{
    char *text = NULL;
    size_t length = 0;
    if (rg_file_read(&gathering->arena, path, &text, &length, NULL) != RIDGE_OK) {
        gathering->closure->complete = false; /* the compiler says what is wrong with it */
        return RIDGE_OK;
    }
    char *folder = rg_arena_copy(&gathering->arena, path, (size_t)(strrchr(path, '/') - path));
    if (!folder) {
        return rg_error_memory(error, length);
    }
    rg_buffer_append(&gathering->closure->text, "", 1);
    rg_buffer_append(&gathering->closure->text, text, length);
    text_scan(gathering, folder, text);
    return RIDGE_OK;
}

/** Copy the texts and blank the comments of each. */
static void code_make(struct rg_closure *closure)
{
    rg_buffer_append(&closure->code, rg_buffer_text(&closure->text), closure->text.length);
    closure->code.failed = closure->code.failed || closure->text.failed;
    char *end = closure->code.text + closure->code.length;
    for (char *text = closure->code.text; text && text < end; text += strlen(text) + 1) {
        rg_source_blank_comments(text);
    }
}

ridge_status rg_closure_init(struct rg_closure *out, const struct ridge_context *context,
                             const struct rg_compile_job *job, struct ridge_error *error)
{
    out->complete = true;
    rg_buffer_init(&out->text, context);
    rg_buffer_init(&out->code, context);
    rg_buffer_puts(&out->text, job->text);
    for (size_t i = 0; i < job->option_count; i++) {
        out->complete = out->complete && !option_reads_files(job->options[i]);
    }
    struct gathering *gathering = rg_alloc(context, sizeof *gathering);
    if (!gathering) {
        return rg_error_memory(error, sizeof *gathering);
    }
    gathering->closure = out;
    gathering->folder = job->folder;
    rg_arena_init(&gathering->arena, context);
    text_scan(gathering, job->folder, job->text);
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < gathering->count && status == RIDGE_OK; i++) {
        status = file_read(gathering, gathering->paths[i], error);
    }
    rg_arena_fini(&gathering->arena);
    rg_free(context, gathering, sizeof *gathering);
    code_make(out);
    return status == RIDGE_OK && out->code.failed ? rg_error_memory(error, out->text.length) : status;
}

void rg_closure_fini(struct rg_closure *closure)
{
    rg_buffer_fini(&closure->code);
    rg_buffer_fini(&closure->text);
}

bool rg_closure_needs(const struct rg_closure *closure, const struct rg_compile_job *job, size_t macro)
{
    if (!closure->complete || rg_source_names(job->entry, job->macros[macro].name)) {
        return true;
    }
    const char *text = rg_buffer_text(&closure->code);
    const char *end = text + closure->code.length;
    for (; text <= end; text += strlen(text) + 1) {
        if (rg_macro_may_matter(text, job->macros, job->macro_count, macro)) {
            return true;
        }
    }
    return false;
}
