/* SPDX-License-Identifier: MIT */
/*
 * What compiling costs beyond the compiler, and what workers gain: bench_compile [SPEC] [TARGET]. The same
 * specialisations are compiled by bare calls of NVRTC, by ridge_compile_space with one worker, and with two.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "compile/nvrtc_library.h"
#include "ridge/compile.h"
#include "space/spec.h"

struct bench {
    struct ridge_context *context;
    struct ridge_spec *spec;
    struct ridge_space *space;
    const char *target;
};

static int give_up(const struct ridge_error *error)
{
    char text[2048];
    ridge_error_format(error, text, sizeof text);
    fprintf(stderr, "bench_compile: %s\n", text);
    return 1;
}

/** Seconds by the clock, and of processors: those do not depend on what else runs. */
struct cost {
    double clock_s;
    double cpu_s;
};

static double cpu_of(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static struct cost cost_now(void)
{
    return (struct cost){rg_clock_s(), cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN)};
}

static struct cost cost_since(const struct cost *began)
{
    const struct cost now = cost_now();
    return (struct cost){now.clock_s - began->clock_s, now.cpu_s - began->cpu_s};
}

static ridge_status compile(const struct bench *bench, unsigned workers, struct ridge_compiled **out, struct cost *cost,
                            struct ridge_error *error)
{
    const char *const targets[] = {bench->target};
    const struct ridge_compile_options options = {.targets = targets, .target_count = 1, .workers = workers};
    const struct cost began = cost_now();
    const ridge_status status = ridge_compile_space(bench->context, bench->space, &options, out, error);
    *cost = cost_since(&began);
    return status;
}

/** Compile one specialisation by NVRTC's own calls, as little as can be. */
static bool bare_one(const struct rg_nvrtc_api *api, const struct bench *bench, const char *text, uint64_t first)
{
    char storage[RG_MAX_DIMENSIONS + 1][128];
    const char *options[RG_MAX_DIMENSIONS + 1];
    uint32_t choice[RG_MAX_DIMENSIONS];
    if (ridge_space_at(bench->space, first, choice, NULL) != RIDGE_OK) {
        return false;
    }
    const size_t width = ridge_space_dimension_count(bench->space);
    snprintf(storage[0], sizeof storage[0], "--gpu-architecture=%s", bench->target);
    for (size_t i = 0; i < width; i++) {
        char value[64];
        ridge_value_format(ridge_space_value(bench->space, i, choice[i]), value, sizeof value);
        snprintf(storage[i + 1], sizeof storage[0], "-D%.60s=%s", ridge_space_dimension_name(bench->space, i), value);
    }
    for (size_t i = 0; i <= width; i++) {
        options[i] = storage[i];
    }
    rg_nvrtc_program program = NULL;
    size_t bytes = 0;
    bool fine = api->nvrtcCreateProgram(&program, text, "k.cu", 0, NULL, NULL) == 0 &&
                api->nvrtcCompileProgram(program, (int)width + 1, options) == 0 &&
                api->nvrtcGetCUBINSize(program, &bytes) == 0;
    char *cubin = malloc(bytes + 1);
    fine = fine && cubin && api->nvrtcGetCUBIN(program, cubin) == 0;
    free(cubin);
    api->nvrtcDestroyProgram(&program);
    return fine;
}

/** All of them, one after the other, loading the library included. \return false when it failed */
static bool bare_all(const struct bench *bench, const struct ridge_compiled *like, struct cost *cost,
                     struct ridge_error *error)
{
    static struct rg_nvrtc_api api;
    static char text[1 << 20];
    FILE *file = fopen(bench->spec->sources[RG_LANGUAGE_CUDA], "rb");
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) {
        fclose(file);
    }
    text[length] = '\0';
    const struct cost began = cost_now();
    bool fine = rg_nvrtc_load(&api, NULL, error) == RIDGE_OK;
    for (uint64_t i = 0; fine && i < ridge_compiled_count(like, 0); i++) {
        fine = bare_one(&api, bench, text, ridge_compiled_at(like, 0, i)->first);
    }
    *cost = cost_since(&began);
    return fine;
}

static int measure(const struct bench *bench)
{
    struct ridge_error error = {0};
    struct ridge_compiled *one = NULL;
    struct ridge_compiled *two = NULL;
    struct cost by_one;
    struct cost by_two;
    struct cost bare;
    if (compile(bench, 1, &one, &by_one, &error) != RIDGE_OK || compile(bench, 2, &two, &by_two, &error) != RIDGE_OK) {
        return give_up(&error);
    }
    const struct ridge_compiled_target *target = ridge_compiled_target_at(one, 0);
    if (target->unavailable) {
        fprintf(stderr, "bench_compile: %s\n", target->unavailable);
        return 1;
    }
    if (!bare_all(bench, one, &bare, &error)) {
        return give_up(&error);
    }
    const uint64_t count = ridge_compiled_count(one, 0);
    printf("%" PRIu64 " specialisations for %s, %s\n", count, bench->target, ridge_compiled_at(one, 0, 0)->compiler);
    printf("%-22s %9s %9s\n", "", "clock s", "CPU s");
    printf("%-22s %9.2f %9.2f\n", "bare calls of NVRTC", bare.clock_s, bare.cpu_s);
    printf("%-22s %9.2f %9.2f\n", "one worker", by_one.clock_s, by_one.cpu_s);
    printf("%-22s %9.2f %9.2f\n", "two workers", by_two.clock_s, by_two.cpu_s);
    printf("own overhead: %.3f ms by the clock, %.3f ms CPU a compile (goal: below 2)\n",
           1e3 * (by_one.clock_s - bare.clock_s) / (double)count, 1e3 * (by_one.cpu_s - bare.cpu_s) / (double)count);
    printf("two workers are %.2f times as fast as one (goal: at least 1.9 on two cores)\n",
           by_one.clock_s / by_two.clock_s);
    ridge_compiled_destroy(one);
    ridge_compiled_destroy(two);
    return 0;
}

int main(int argc, char **argv)
{
    struct bench bench = {.target = argc > 2 ? argv[2] : "sm_90"};
    struct ridge_error error = {0};
    const char *path = argc > 1 ? argv[1] : "bench/specs/compile_200";
    ridge_status status = ridge_context_create(NULL, &bench.context, &error);
    status = status == RIDGE_OK ? ridge_spec_load(bench.context, path, NULL, 0, &bench.spec, &error) : status;
    status = status == RIDGE_OK ? ridge_space_create(bench.context, bench.spec, &bench.space, &error) : status;
    const int code = status == RIDGE_OK ? measure(&bench) : give_up(&error);
    ridge_space_destroy(bench.space);
    ridge_spec_destroy(bench.spec);
    ridge_context_destroy(bench.context);
    return code;
}
