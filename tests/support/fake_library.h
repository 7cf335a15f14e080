/* SPDX-License-Identifier: MIT */
/**
 * \file What the tests of loaders share: a library that fails on demand stands in for a driver. Each case runs in the
 * test's program started anew, with LD_LIBRARY_PATH set: the dynamic linker reads it at the start only.
 */
#ifndef RG_FAKE_LIBRARY_H
#define RG_FAKE_LIBRARY_H

#include "rg_test.h"

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

static inline int child_end(const struct ridge_error *error, ridge_status status)
{
    char text[4096];
    ridge_error_format(error, text, sizeof text);
    printf("%s\n", text);
    return (int)status;
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
