/* SPDX-License-Identifier: MIT */
/**
 * \file An NVRTC that compiles nothing: what comes out is a list of what it was given. The variable FAKE_NVRTC says how
 * it behaves: "fail:<call>" makes that call return 11, "targets:<a>,<b>" changes those that it knows. A macro `fate`
 * decides about a compile: error, crash, hang, name (the entry is not there). FAKE_NVRTC_LOG names a file that gets a
 * line a compile; FAKE_NVRTC_CUBIN one that holds the machine code it gives.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC visibility push(default)

enum {
    FAILURE = 11,
    INVALID_OPTION = 5,
    COMPILATION = 6,
    ROOM = 1 << 16
};

struct program {
    char name[1024];
    char entry[1024];
    char log[ROOM];
    char output[ROOM];
    size_t size;
};

static int fails(const char *call)
{
    const char *asked = getenv("FAKE_NVRTC");
    return asked && strncmp(asked, "fail:", 5) == 0 && strcmp(asked + 5, call) == 0;
}

#define FAIL_IF_ASKED      \
    if (fails(__func__)) { \
        return FAILURE;    \
    }

static const char *targets(void)
{
    const char *asked = getenv("FAKE_NVRTC");
    return asked && strncmp(asked, "targets:", 8) == 0 ? asked + 8 : "75,90";
}

int nvrtcVersion(int *major, int *minor)
{
    FAIL_IF_ASKED
    *major = 99;
    *minor = 1;
    return 0;
}

int nvrtcGetNumSupportedArchs(int *count)
{
    FAIL_IF_ASKED
    *count = 1;
    for (const char *at = targets(); *at; at++) {
        *count += *at == ',';
    }
    return 0;
}

int nvrtcGetSupportedArchs(int *out)
{
    FAIL_IF_ASKED
    char *at = NULL;
    for (const char *from = targets(); *from; from = *at ? at + 1 : at) {
        *out++ = (int)strtol(from, &at, 10);
    }
    return 0;
}

int nvrtcCreateProgram(struct program **program, const char *text, const char *name, int header_count,
                       const char *const *headers, const char *const *header_names)
{
    (void)text;
    (void)header_count;
    (void)headers;
    (void)header_names;
    FAIL_IF_ASKED
    *program = calloc(1, sizeof **program);
    if (!*program) {
        return FAILURE;
    }
    snprintf((*program)->name, sizeof(*program)->name, "%s", name);
    return 0;
}

int nvrtcDestroyProgram(struct program **program)
{
    free(*program);
    *program = NULL;
    FAIL_IF_ASKED
    return 0;
}

int nvrtcAddNameExpression(struct program *program, const char *expression)
{
    FAIL_IF_ASKED
    snprintf(program->entry, sizeof program->entry, "%s", expression);
    return 0;
}

static void count_compile(const struct program *program)
{
    const char *path = getenv("FAKE_NVRTC_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) {
        fprintf(file, "%s\n", program->name);
        fclose(file);
    }
}

static int fate(struct program *program, const char *option)
{
    static const char macro[] = "-Dfate=";
    const char *word = strncmp(option, macro, strlen(macro)) == 0 ? option + strlen(macro) : "";
    while (strcmp(word, "hang") == 0) {
        pause();
    }
    if (strcmp(word, "crash") == 0) {
        abort();
    }
    if (strcmp(word, "error") == 0) {
        snprintf(program->log, ROOM, "%s(3): warning: a variable is not used\n%s(7): error: that is no C++\n",
                 program->name, program->name);
        return COMPILATION;
    }
    if (strcmp(word, "name") == 0) {
        snprintf(program->log, ROOM, "__nv_name_map(2): error: identifier \"%s\" is undefined\n", program->entry);
        return COMPILATION;
    }
    if (strcmp(option, "--wrong") == 0) {
        snprintf(program->log, ROOM, "nvrtc: error: unrecognized option --wrong found\n");
        return INVALID_OPTION;
    }
    return 0;
}

int nvrtcCompileProgram(struct program *program, int option_count, const char *const *options)
{
    FAIL_IF_ASKED
    count_compile(program);
    for (int i = 0; i < option_count; i++) {
        const int code = fate(program, options[i]);
        if (code != 0) {
            return code;
        }
        program->size += (size_t)snprintf(program->output + program->size, ROOM - program->size, "// %s\n", options[i]);
    }
    return 0;
}

static int text_give(const char *text, char *out)
{
    memcpy(out, text, strlen(text) + 1);
    return 0;
}

int nvrtcGetProgramLogSize(struct program *program, size_t *bytes)
{
    FAIL_IF_ASKED
    *bytes = strlen(program->log) + 1;
    return 0;
}

int nvrtcGetProgramLog(struct program *program, char *out)
{
    FAIL_IF_ASKED
    return text_give(program->log, out);
}

int nvrtcGetPTXSize(struct program *program, size_t *bytes)
{
    FAIL_IF_ASKED
    *bytes = program->size + 1;
    return 0;
}

int nvrtcGetPTX(struct program *program, char *out)
{
    FAIL_IF_ASKED
    return text_give(program->output, out);
}

/** Put the file that was asked for in the place of the output. */
static void object_read(struct program *program)
{
    const char *path = getenv("FAKE_NVRTC_CUBIN");
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (file) {
        program->size = fread(program->output, 1, ROOM, file);
        fclose(file);
    }
}

int nvrtcGetCUBINSize(struct program *program, size_t *bytes)
{
    FAIL_IF_ASKED
    object_read(program);
    *bytes = program->size;
    return 0;
}

int nvrtcGetCUBIN(struct program *program, char *out)
{
    FAIL_IF_ASKED
    memcpy(out, program->output, program->size);
    return 0;
}

int nvrtcGetLoweredName(struct program *program, const char *expression, const char **out)
{
    FAIL_IF_ASKED
    if (strcmp(expression, program->entry) != 0) {
        return FAILURE;
    }
    *out = program->entry;
    return 0;
}
