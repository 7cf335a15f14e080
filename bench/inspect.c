/* SPDX-License-Identifier: MIT */
/*
 * How fast compiled code is read: bench_inspect FILE... visits every kernel of each file and prints kernels a second,
 * the attributes that are not known, and the peak memory of the process.
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "ridge/binary.h"

struct tally {
    uint64_t kernels;
    uint64_t mangled_left; /* names that begin as C++ names do and were not demangled */
    uint64_t without_registers;
    uint64_t spilling;
    uint64_t unknown[256];
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool count(void *user, const struct ridge_binary_kernel *kernel)
{
    struct tally *tally = user;
    tally->kernels++;
    tally->mangled_left += kernel->readable_name[0] == '_' && kernel->readable_name[1] == 'Z';
    tally->without_registers += kernel->registers == RIDGE_NOT_STATED;
    tally->spilling += kernel->spill_store_bytes != RIDGE_NOT_STATED && kernel->spill_store_bytes > 0;
    for (uint32_t i = 0; i < kernel->unknown_attributes; i++) {
        tally->unknown[kernel->attributes[i].code]++;
    }
    return true;
}

static void log_line(void *user, ridge_log_level level, const char *message)
{
    (void)user;
    (void)level;
    fprintf(stderr, "warning: %s\n", message);
}

/** \return whether all of a file could be read. */
static bool measure(const struct ridge_context *context, const char *path, struct tally *tally)
{
    struct ridge_binary *binary = NULL;
    struct ridge_error error = {0};
    struct tally file = {0};
    uint64_t skipped = 0;
    const double begin_s = now_s();
    ridge_status status = ridge_binary_open(context, path, &binary, &error);
    status = status == RIDGE_OK ? ridge_binary_each(binary, count, &file, &skipped, &error) : status;
    const double elapsed_s = now_s() - begin_s;
    if (status != RIDGE_OK) {
        char text[2048];
        ridge_error_format(&error, text, sizeof text);
        printf("%s\n", text);
    } else {
        printf("%8" PRIu64 " kernels %9.1f ms %10.0f kernels/s  %s", file.kernels, elapsed_s * 1e3,
               (double)file.kernels / elapsed_s, path);
        printf(skipped ? "  (%" PRIu64 " images could not be read)\n" : "\n", skipped);
    }
    ridge_binary_close(binary);
    tally->kernels += file.kernels;
    tally->mangled_left += file.mangled_left;
    tally->without_registers += file.without_registers;
    tally->spilling += file.spilling;
    for (size_t i = 0; i < 256; i++) {
        tally->unknown[i] += file.unknown[i];
    }
    return status == RIDGE_OK && skipped == 0;
}

int main(int argc, char **argv)
{
    const struct ridge_context_options options = {.log = log_line};
    struct ridge_context *context = NULL;
    struct tally tally = {0};
    int failed = 0;
    if (argc < 2 || ridge_context_create(&options, &context, NULL) != RIDGE_OK) {
        fprintf(stderr, "usage: bench_inspect FILE...\n");
        return 2;
    }
    const double begin_s = now_s();
    for (int i = 1; i < argc; i++) {
        failed += !measure(context, argv[i], &tally);
    }
    const double elapsed_s = now_s() - begin_s;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%d files, %d failed: %" PRIu64 " kernels in %.2f s, %.0f kernels/s; peak memory %.1f MiB\n", argc - 1,
           failed, tally.kernels, elapsed_s, (double)tally.kernels / elapsed_s, (double)usage.ru_maxrss / 1024);
    printf("without registers %" PRIu64 ", spilling %" PRIu64 ", names not demangled %" PRIu64
           "; attributes not known:",
           tally.without_registers, tally.spilling, tally.mangled_left);
    for (size_t i = 0; i < 256; i++) {
        if (tally.unknown[i]) {
            printf(" 0x%02zx (%" PRIu64 ")", i, tally.unknown[i]);
        }
    }
    printf("\n");
    ridge_context_destroy(context);
    return failed > 0;
}
