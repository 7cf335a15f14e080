/* SPDX-License-Identifier: MIT */
/*
 * What compiling costs beyond the compiler, and what workers gain: bench_compile [SPEC] [TARGET] [ROUNDS]. The same
 * specialisations are compiled by one and by two workers of ridge_compile_space, and by bare calls of NVRTC in one and
 * in two processes at once: the floor, which is what the machine allows. In turn, so that what else runs hits all alike.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compile/nvrtc_library.h"
#include "cost.h"
#include "ridge/compile.h"
#include "space/spec.h"
#include "stats/sort.h"

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

static struct cost cost_since(const struct cost *began)
{
    const struct cost now = cost_now(true);
    return cost_between(began, &now);
}

static ridge_status compile(const struct bench *bench, unsigned workers, struct ridge_compiled **out, struct cost *cost,
                            struct ridge_error *error)
{
    const char *const targets[] = {bench->target};
    const struct ridge_compile_options options = {.targets = targets, .target_count = 1, .workers = workers};
    const struct cost began = cost_now(true);
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

/** What the bare processes share. */
struct bare {
    atomic_uint_fast64_t next;
    atomic_uint failed;
};

/** Load the library and compile one after the other until there are no more, in a process of its own. */
static void bare_process(const struct bench *bench, const struct ridge_compiled *like, struct bare *bare)
{
    static struct rg_nvrtc_api api;
    static char text[1 << 20];
    FILE *file = fopen(bench->spec->sources[RG_LANGUAGE_CUDA], "rb");
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    bool fine = length > 0 && rg_nvrtc_load(&api, NULL, NULL) == RIDGE_OK;
    for (uint64_t i = bare->next++; fine && i < ridge_compiled_count(like, 0); i = bare->next++) {
        fine = bare_one(&api, bench, text, ridge_compiled_at(like, 0, i)->first);
    }
    bare->failed += !fine;
    _exit(0);
}

static bool bare_all(const struct bench *bench, unsigned processes, const struct ridge_compiled *like,
                     struct cost *cost)
{
    struct bare *bare = mmap(NULL, sizeof *bare, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (bare == MAP_FAILED) {
        return false;
    }
    const struct cost began = cost_now(true);
    for (unsigned i = 0; i < processes; i++) {
        const pid_t child = fork();
        if (child == 0) {
            bare_process(bench, like, bare);
        }
        bare->failed += child < 0;
    }
    for (int status = 0; wait(&status) > 0;) {
        bare->failed += status != 0;
    }
    *cost = cost_since(&began);
    const bool fine = bare->failed == 0;
    munmap(bare, sizeof *bare);
    return fine;
}

enum {
    WAYS = 4,
    ROUNDS_MOST = 16
};

static const char *const ways[WAYS] = {"bare, one process", "one worker", "bare, two processes", "two workers"};

/** Every way once, in turn. \return false when one failed */
static bool round_run(const struct bench *bench, const struct ridge_compiled *like, struct cost costs[WAYS],
                      struct ridge_error *error)
{
    for (unsigned way = 0; way < WAYS; way++) {
        struct ridge_compiled *made = NULL;
        const unsigned processes = way < 2 ? 1 : 2;
        const bool is_bare = way % 2 == 0;
        if (is_bare ? !bare_all(bench, processes, like, &costs[way])
                    : compile(bench, processes, &made, &costs[way], error) != RIDGE_OK) {
            return false;
        }
        ridge_compiled_destroy(made);
        printf("%-22s %9.2f %9.2f\n", ways[way], costs[way].clock_s, costs[way].cpu_s);
        fflush(stdout);
    }
    return true;
}

static int measure(const struct bench *bench, unsigned rounds)
{
    struct ridge_error error = {0};
    struct ridge_compiled *like = NULL;
    struct cost first;
    if (compile(bench, 2, &like, &first, &error) != RIDGE_OK) { /* a first one that is not counted reads the library */
        return give_up(&error);
    }
    const struct ridge_compiled_target *target = ridge_compiled_target_at(like, 0);
    if (target->unavailable) {
        fprintf(stderr, "bench_compile: %s\n", target->unavailable);
        return 1;
    }
    const uint64_t count = ridge_compiled_count(like, 0);
    double clocks[WAYS][ROUNDS_MOST];
    double cpus[WAYS][ROUNDS_MOST];
    printf("%" PRIu64 " specialisations for %s, %s\n", count, bench->target, ridge_compiled_at(like, 0, 0)->compiler);
    printf("%-22s %9s %9s\n", "", "clock s", "CPU s");
    for (unsigned round = 0; round < rounds; round++) {
        struct cost costs[WAYS];
        if (!round_run(bench, like, costs, &error)) {
            return give_up(&error);
        }
        for (unsigned way = 0; way < WAYS; way++) {
            clocks[way][round] = costs[way].clock_s;
            cpus[way][round] = costs[way].cpu_s;
        }
    }
    double clock_s[WAYS];
    double cpu_s[WAYS];
    for (unsigned way = 0; way < WAYS; way++) {
        clock_s[way] = rg_median(clocks[way], rounds);
        cpu_s[way] = rg_median(cpus[way], rounds);
    }
    printf("medians of %u rounds:\n", rounds);
    printf("own overhead: %.3f ms by the clock, %.3f ms CPU a compile (goal: below 2)\n",
           1e3 * (clock_s[1] - clock_s[0]) / (double)count, 1e3 * (cpu_s[1] - cpu_s[0]) / (double)count);
    printf("two workers are %.2f times as fast as one (goal: at least 1.9 on two cores); two bare processes %.2f times "
           "as fast as one: what this machine allows\n",
           clock_s[1] / clock_s[3], clock_s[0] / clock_s[2]);
    printf("CPU with two against one: workers %.3f, bare %.3f\n", cpu_s[3] / cpu_s[1], cpu_s[2] / cpu_s[0]);
    ridge_compiled_destroy(like);
    return 0;
}

int main(int argc, char **argv)
{
    struct bench bench = {.target = argc > 2 ? argv[2] : "sm_90"};
    struct ridge_error error = {0};
    const char *path = argc > 1 ? argv[1] : "bench/specs/compile_200";
    const unsigned rounds = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1;
    ridge_status status = ridge_context_create(NULL, &bench.context, &error);
    status = status == RIDGE_OK ? ridge_spec_load(bench.context, path, NULL, 0, &bench.spec, &error) : status;
    status = status == RIDGE_OK ? ridge_space_create(bench.context, bench.spec, &bench.space, &error) : status;
    const int code = status == RIDGE_OK ? measure(&bench, rounds < 1             ? 1
                                                          : rounds < ROUNDS_MOST ? rounds
                                                                                 : ROUNDS_MOST)
                                        : give_up(&error);
    ridge_space_destroy(bench.space);
    ridge_spec_destroy(bench.spec);
    ridge_context_destroy(bench.context);
    return code;
}
