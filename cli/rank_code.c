/* SPDX-License-Identifier: MIT */
#include "rank_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "progress.h"

/** The compilers' name of what a device is: "cc:8.6" is sm_86. \return false with a message */
static bool target_find(const struct ridge_device_match *device, char *out, size_t bytes)
{
    const struct ridge_device *first = device->devices[0]->architecture;
    for (size_t i = 0; first && i < device->count; i++) {
        if (device->devices[i]->architecture != first) {
            fprintf(stderr,
                    "ridge rank: --compile: %s: there is no one architecture to compile for (name one device)\n",
                    device->asked);
            return false;
        }
    }
    const char *name = first ? first->name : "";
    int major = 0;
    int minor = 0;
    if (sscanf(name, "cc:%d.%d", &major, &minor) == 2) { /* NOLINT(cert-err34-c): the database's own names */
        snprintf(out, bytes, "sm_%d%d", major, minor);
        return true;
    }
    if (strncmp(name, "gfx", 3) == 0) {
        snprintf(out, bytes, "%s", name);
        return true;
    }
    fprintf(stderr, "ridge rank: --compile: there is no compiler for %s (for NVIDIA and AMD GPUs)\n", device->asked);
    return false;
}

/** Sum up what came of it. */
static void summarise(struct rank_code *code, const struct ridge_compiled *compiled)
{
    const char *compiler = "";
    for (uint64_t i = 0; i < ridge_compiled_count(compiled, 0); i++) {
        const struct ridge_compiled_binary *binary = ridge_compiled_at(compiled, 0, i);
        compiler = compiler[0] == '\0' ? binary->compiler : compiler;
        if (binary->outcome == RIDGE_OUTCOME_OK) {
            continue;
        }
        code->failed += binary->configurations;
        if (code->reason[0] == '\0') {
            snprintf(code->reason, sizeof code->reason, "%.*s", (int)strcspn(binary->log, "\r\n"), binary->log);
        }
    }
    snprintf(code->words, sizeof code->words, "registers of the compiled code (%s, %s)", code->target, compiler);
}

static int rows_take(struct rank_code *code, const struct ridge_compiled *compiled)
{
    struct ridge_error error = {0};
    const struct ridge_compiled_target *target = ridge_compiled_target_at(compiled, 0);
    if (target->unavailable) {
        fprintf(stderr, "ridge: %s\n", target->unavailable);
        return EXIT_NO_DEVICE;
    }
    summarise(code, compiled);
    code->count = ridge_compiled_configurations(compiled);
    code->rows = calloc(code->count, sizeof *code->rows);
    if (!code->rows) {
        fprintf(stderr, "ridge: out of memory\n");
        return EXIT_INTERNAL;
    }
    return ridge_compiled_code(compiled, 0, code->rows, &error) == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

int rank_code_open(struct rank_code *code, const struct ridge_context *context, const struct ridge_spec *spec,
                   const struct ridge_space *space, const struct ridge_device_match *device, const char *cuda_path,
                   bool show)
{
    static char words[] = "specialisations compiled";
    char cache[4096];
    const char *const targets[] = {code->target};
    if (!target_find(device, code->target, sizeof code->target)) {
        return EXIT_NO_DEVICE;
    }
    snprintf(cache, sizeof cache, "%s/.ridge/compiled", ridge_spec_folder(spec));
    const struct ridge_compile_options options = {.targets = targets,
                                                  .target_count = 1,
                                                  .cuda_path = cuda_path,
                                                  .cache_folder = cache,
                                                  .work_folder = getenv("TMPDIR"),
                                                  .progress = show ? progress_count : NULL,
                                                  .user = words};
    struct ridge_compiled *compiled = NULL;
    struct ridge_error error = {0};
    if (ridge_compile_space(context, space, &options, &compiled, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    const int exit_code = rows_take(code, compiled);
    ridge_compiled_destroy(compiled);
    return exit_code;
}

void rank_code_close(struct rank_code *code)
{
    free(code->rows);
    code->rows = NULL;
}
