/* SPDX-License-Identifier: MIT */
/**
 * \file What the tests of loaders share: a library that fails on demand stands in for a driver. Each case runs in the
 * test's program started anew, with LD_LIBRARY_PATH set: the dynamic linker reads it at the start only.
 */
#ifndef RG_FAKE_LIBRARY_H
#define RG_FAKE_LIBRARY_H

#include "backend_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "backend/backend.h"
#include "ridge/backend.h"

enum {
    OUTPUT_BYTES = 8192
};

static const char *fake_variable; /**< the environment variable that says how it behaves */
static const char *fake_library;
static const char *own_program;

/** Run this program in a mode of its own; what it prints goes to `output`. \return its exit code. */
static inline int run_self(const char *library_folder, const char *fake_mode, const char *what, char *output)
{
    char command[1024];
    snprintf(command, sizeof command, "LD_LIBRARY_PATH='%s' %s='%s' '%s' --child '%s' 2>&1", library_folder,
             fake_variable, fake_mode, own_program, what);
    FILE *from = popen(command, "r");
    assert_non_null(from);
    const size_t length = fread(output, 1, OUTPUT_BYTES - 1, from);
    output[length] = '\0';
    const int end = pclose(from);
    return WIFEXITED(end) ? WEXITSTATUS(end) : -1;
}

static inline void folder_of_fake(char *folder, size_t room)
{
    snprintf(folder, room, "%.*s", (int)(strrchr(fake_library, '/') - fake_library), fake_library);
}

static inline void assert_says(const char *fake_mode, const char *what, int exit_code, const char *says)
{
    char folder[512];
    char output[OUTPUT_BYTES];
    folder_of_fake(folder, sizeof folder);
    const int code = run_self(folder, fake_mode, what, output);
    if (code != exit_code || !strstr(output, says)) {
        fail_msg("mode '%s', %s: exit code %d, not %d with '%s':\n%s", fake_mode, what, code, exit_code, says, output);
    }
}

/** Copy the fake library with one symbol renamed, so that it is missing. */
static inline void copy_without(const char *symbol, const char *to)
{
    static unsigned char bytes[1 << 26]; /* a stand-in may hold the whole library */
    FILE *from = fopen(fake_library, "rb");
    assert_non_null(from);
    const size_t length = fread(bytes, 1, sizeof bytes, from);
    assert_int_equal(fclose(from), 0);
    assert_true(length > 0 && length < sizeof bytes);
    const size_t name_bytes = strlen(symbol) + 1;
    size_t found = 0;
    for (size_t i = 1; i + name_bytes <= length; i++) {
        if (bytes[i - 1] == '\0' && memcmp(bytes + i, symbol, name_bytes) == 0) {
            bytes[i] = 'x';
            found++;
        }
    }
    assert_true(found > 0);
    FILE *file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/** A library that lacks a symbol. */
struct lacking {
    const char *file_name;       /**< what the backend opens */
    const char *const *required; /**< symbols that it cannot do without */
    size_t required_count;
    const char *says;               /**< of a missing symbol, behind "FILE has no SYMBOL (" */
    const char *optional[2];        /**< symbols that it can do without; NULL: no more */
    const char *run;                /**< what to run without them */
    const char *says_of_no_library; /**< of a file that is no library */
};

/** The backend is absent without any symbol that it needs, and says which. */
static inline void assert_lacking(const struct lacking *lacking)
{
    char folder[FOLDER_BYTES];
    char path[FOLDER_BYTES + 64];
    char output[OUTPUT_BYTES];
    char want[192];
    folder_make(folder, "loader");
    snprintf(path, sizeof path, "%s/%s", folder, lacking->file_name);
    for (size_t i = 0; i < lacking->required_count; i++) {
        copy_without(lacking->required[i], path);
        snprintf(want, sizeof want, "%s has no %s (%s", lacking->file_name, lacking->required[i], lacking->says);
        assert_int_equal(run_self(folder, "", "enumerate", output), RIDGE_E_UNAVAILABLE);
        if (!strstr(output, want)) {
            fail_msg("without %s: %s", lacking->required[i], output);
        }
    }
    for (size_t i = 0; i < 2 && lacking->optional[i]; i++) {
        copy_without(lacking->optional[i], path);
        assert_int_equal(run_self(folder, "", lacking->run, output), 0);
    }
    write_text(path, "not a library\n");
    assert_int_equal(run_self(folder, "", "enumerate", output), RIDGE_E_UNAVAILABLE);
    assert_non_null(strstr(output, lacking->says_of_no_library));
    folder_remove(folder);
}

/** A call that fails, and what becomes of a run. */
struct failing {
    const char *call;
    int exit_code; /**< status, or 100 and the trouble's outcome */
    const char *says;
};

static inline void assert_failing(const struct failing *rows, size_t count, const char *run)
{
    for (size_t i = 0; i < count; i++) {
        char mode[64];
        snprintf(mode, sizeof mode, "fail:%s", rows[i].call);
        assert_says(mode, run, rows[i].exit_code, rows[i].says);
    }
}

static inline int child_end(const struct ridge_error *error, ridge_status status)
{
    char text[4096];
    ridge_error_format(error, text, sizeof text);
    printf("%s\n", text);
    return (int)status;
}

/**
 * Everything a worker does with a session of one or two buffers: what is in the first goes in, what is in the last
 * comes out. \return 0, a status, or 100 and an outcome.
 */
static inline int child_run(struct bench *bench, const struct rg_macro *macro, const struct rg_launch *launch,
                            void *const buffers[], size_t buffer_count)
{
    const struct rg_backend *backend = bench->backend;
    const size_t last = buffer_count - 1;
    const ridge_outcome *outcome = &bench->trouble.outcome;
    struct rg_kernel *kernel = NULL;
    double seconds = 0;
    ridge_status status = backend->open(&bench->request, &bench->session, &bench->error);
    for (size_t i = 0; i < buffer_count && status == RIDGE_OK; i++) {
        status = backend->buffer_write(bench->session, i, buffers[i], &bench->error);
    }
    if (status == RIDGE_OK) {
        status = backend->build(bench->session, macro, macro ? 1 : 0, launch, &kernel, &bench->trouble, &bench->error);
    }
    if (status == RIDGE_OK && kernel) {
        status = backend->evict(bench->session, &bench->error);
    }
    if (status == RIDGE_OK && kernel) {
        status = backend->launch(bench->session, kernel, launch, &seconds, &bench->trouble, &bench->error);
    }
    if (status == RIDGE_OK && *outcome == RIDGE_OUTCOME_OK) {
        status = backend->guards_check(bench->session, &bench->trouble, &bench->error);
    }
    if (status == RIDGE_OK && *outcome == RIDGE_OUTCOME_OK) {
        status = backend->buffer_read(bench->session, last, buffers[last], &bench->error);
    }
    if (kernel) {
        backend->kernel_destroy(bench->session, kernel);
    }
    if (status != RIDGE_OK) {
        return child_end(&bench->error, status);
    }
    if (*outcome != RIDGE_OUTCOME_OK) {
        printf("%s%s\n", rg_buffer_text(&bench->text), bench->trouble.spoilt ? " the session is spoilt" : "");
        return 100 + (int)*outcome;
    }
    printf("seconds %.6f\n", seconds);
    return 0;
}

static inline void print_facts(void *user, const struct rg_device_facts *facts)
{
    (void)user;
    printf("%s %s\n", facts->selector, facts->name);
}

static inline void print_line(void *user, const struct ridge_backend_line *backend)
{
    (void)user;
    if (backend->absent_reason) {
        printf("%s absent: %s\n", backend->name, backend->absent_reason);
    }
    for (size_t i = 0; i < backend->device_count; i++) {
        const struct ridge_device_line *line = &backend->devices[i];
        printf("%s: %s %u units %llu bytes %s %s\n", backend->name, line->selector, line->compute_units,
               (unsigned long long)line->memory_bytes, line->kind, line->name);
    }
}

static inline void print_log(void *user, ridge_log_level level, const char *message)
{
    (void)user;
    (void)level;
    printf("log: %s\n", message);
}

#endif
