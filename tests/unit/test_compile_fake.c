/* SPDX-License-Identifier: MIT */
/* Compiling with a stand-in for NVRTC and for clang: each function missing, each call failing, what is kept and when it
 * is made again, compilers that crash or hang. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "compile/compiler.h"
#include "folder.h"

static const char *fake_library;
static char folder[FOLDER_BYTES];
static char cache[300];
static char compiles[300];
static char warning[512];
static struct ridge_context *context;

static const char *const calls[] = {
    "nvrtcVersion",           "nvrtcCreateProgram",        "nvrtcDestroyProgram", "nvrtcCompileProgram",
    "nvrtcGetProgramLogSize", "nvrtcGetProgramLog",        "nvrtcGetPTXSize",     "nvrtcGetPTX",
    "nvrtcAddNameExpression", "nvrtcGetLoweredName",       "nvrtcGetCUBINSize",   "nvrtcGetCUBIN",
    "nvrtcGetSupportedArchs", "nvrtcGetNumSupportedArchs",
};

enum {
    CALL_COUNT = sizeof calls / sizeof calls[0],
    REQUIRED_COUNT = 10
};

static void keep_log(void *user, ridge_log_level level, const char *message)
{
    (void)user;
    (void)level;
    snprintf(warning, sizeof warning, "%s", message);
}

static void path_in(char *out, size_t room, const char *name)
{
    snprintf(out, room, "%s/%s", folder, name);
}

static int setup(void **state)
{
    (void)state;
    folder_make(folder, "compile");
    path_in(cache, sizeof cache, "cache");
    path_in(compiles, sizeof compiles, "compiles");
    setenv("FAKE_NVRTC_LOG", compiles, 1);
    unsetenv("FAKE_NVRTC");
    const struct ridge_context_options options = {.log = keep_log};
    warning[0] = '\0';
    return (int)ridge_context_create(&options, &context, NULL);
}

static int teardown(void **state)
{
    (void)state;
    ridge_context_destroy(context);
    folder_remove(folder);
    return 0;
}

static struct rg_compile_job job_of(const struct rg_macro *macros, size_t count)
{
    return (struct rg_compile_job){.language = RG_SOURCE_CUDA,
                                   .path = "k.cu",
                                   .text = "tile fate\n#include \"k.h\"\n",
                                   .folder = folder,
                                   .entry = "k",
                                   .macros = macros,
                                   .macro_count = count,
                                   .target = "sm_90",
                                   .form = RG_ARTIFACT_PTX};
}

/** Open the compilers with a library, compile one job, close. */
static ridge_status compile_with(const char *library, const char *cache_folder, const struct rg_compile_job *job,
                                 struct rg_artifact *out, struct ridge_error *error)
{
    struct rg_compilers *compilers = NULL;
    const struct rg_compilers_options options = {
        .cuda_path = library, .cache_folder = cache_folder, .work_folder = folder, .timeout_s = 0.5};
    *error = (struct ridge_error){0};
    assert_int_equal(rg_compilers_open(context, &options, &compilers, error), RIDGE_OK);
    const ridge_status status = rg_compile(compilers, job, out, error);
    rg_compilers_close(compilers);
    return status;
}

static void test_whole(void **state)
{
    (void)state;
    static const struct rg_macro macros[] = {{"tile", "8", false}, {"block_x", "64", true}};
    struct rg_compile_job job = job_of(macros, 2);
    struct rg_artifact made = {0};
    struct ridge_error error;
    folder_write(folder, "k.h", "");
    assert_ok(compile_with(fake_library, NULL, &job, &made, &error), &error);
    assert_string_equal(made.compiler, "NVRTC 99.1");
    char want[512];
    snprintf(want, sizeof want, "// --gpu-architecture=compute_90\n// -lineinfo\n// --include-path=%s\n// -Dtile=8\n",
             folder);
    assert_string_equal((const char *)made.bytes, want); /* block_x is named nowhere */
    assert_false(made.cached);
    rg_artifact_fini(&made);
}

/** Copy the library with one symbol renamed, so that it is missing. */
static void library_copy(const char *missing, char *path, size_t room)
{
    struct rg_arena arena;
    char *bytes = NULL;
    size_t length = 0;
    rg_arena_init(&arena, context);
    assert_int_equal(rg_file_read(&arena, fake_library, &bytes, &length, NULL), RIDGE_OK);
    char word[64];
    const size_t size = (size_t)snprintf(word, sizeof word, "%s", missing) + 1;
    char *at = memmem(bytes, length, word, size);
    assert_non_null(at);
    for (; at; at = memmem(bytes, length, word, size)) {
        at[0] = 'x';
    }
    snprintf(path, room, "%s/lib-%s.so", folder, missing);
    assert_int_equal(rg_file_write_soon(path, bytes, length, NULL), RIDGE_OK);
    rg_arena_fini(&arena);
}

static void test_each_call_missing(void **state)
{
    (void)state;
    struct rg_compile_job job = job_of(NULL, 0);
    job.form = RG_ARTIFACT_BINARY;
    for (size_t i = 0; i < CALL_COUNT; i++) {
        char library[512];
        struct rg_artifact made = {0};
        struct ridge_error error;
        library_copy(calls[i], library, sizeof library);
        const ridge_status status = compile_with(library, NULL, &job, &made, &error);
        if (i < REQUIRED_COUNT) {
            assert_int_equal(status, RIDGE_E_UNAVAILABLE);
            assert_non_null(strstr(error.message, calls[i]));
            assert_non_null(strstr(error.message, "it is too old, or no NVRTC"));
        } else if (strcmp(calls[i], "nvrtcGetCUBIN") == 0 || strcmp(calls[i], "nvrtcGetCUBINSize") == 0) {
            assert_int_equal(status, RIDGE_E_UNAVAILABLE);
            assert_non_null(strstr(error.message, "makes no machine code (that of CUDA 11.1 or newer does)"));
        } else {
            assert_int_equal(status, RIDGE_OK); /* it cannot say its targets: the compiler itself refuses */
        }
        rg_artifact_fini(&made);
    }
}

static void test_each_call_failing(void **state)
{
    (void)state;
    for (size_t i = 0; i < CALL_COUNT; i++) {
        char mode[64];
        struct rg_artifact made = {0};
        struct ridge_error error;
        struct rg_compile_job job = job_of(NULL, 0);
        job.form = strstr(calls[i], "PTX") ? RG_ARTIFACT_PTX : RG_ARTIFACT_BINARY;
        snprintf(mode, sizeof mode, "fail:%s", calls[i]);
        setenv("FAKE_NVRTC", mode, 1);
        const ridge_status status = compile_with(fake_library, NULL, &job, &made, &error);
        if (strcmp(calls[i], "nvrtcVersion") == 0) {
            assert_int_equal(status, RIDGE_E_UNAVAILABLE);
        } else if (strstr(calls[i], "Archs") || strstr(calls[i], "Destroy")) {
            assert_int_equal(status, RIDGE_OK);
        } else {
            assert_int_equal(status, RIDGE_E_DEVICE);
            assert_non_null(strstr(error.message, "NVRTC 99.1: nvrtc"));
        }
        rg_artifact_fini(&made);
    }
}

static void test_too_old(void **state)
{
    (void)state;
    struct rg_compile_job job = job_of(NULL, 0);
    struct rg_artifact made = {0};
    struct ridge_error error;
    setenv("FAKE_NVRTC", "targets:35,50,75", 1);
    assert_int_equal(compile_with(fake_library, NULL, &job, &made, &error), RIDGE_E_UNAVAILABLE);
    assert_string_equal(error.message,
                        "NVRTC 99.1 does not know the target 'sm_90' (it knows sm_35, sm_50, sm_75; an "
                        "older toolkit knows older targets, a newer one newer: name it with --cuda-path)");
}

static void test_refusals(void **state)
{
    (void)state;
    struct rg_macro macro = {"fate", "error", false};
    struct rg_compile_job job = job_of(&macro, 1);
    struct rg_artifact made = {0};
    struct ridge_error error;
    folder_write(folder, "k.h", "");
    assert_ok(compile_with(fake_library, cache, &job, &made, &error), &error);
    assert_true(made.failed);
    assert_string_equal(made.log, "k.cu(7): error: that is no C++\nk.cu(3): warning: a variable is not used\n"
                                  "k.cu(7): error: that is no C++\n");
    rg_artifact_fini(&made);
    macro.value = "name";
    assert_ok(compile_with(fake_library, cache, &job, &made, &error), &error);
    assert_memory_equal(made.log, "k.cu: error: there is no kernel 'k' in it\n", 42);
    rg_artifact_fini(&made);
    static const char *const wrong[] = {"--wrong"};
    job.macro_count = 0;
    job.options = wrong;
    job.option_count = 1;
    assert_int_equal(compile_with(fake_library, cache, &job, &made, &error), RIDGE_E_VALUE);
    assert_non_null(strstr(error.message, "refuses an option: nvrtc: error: unrecognized option --wrong found"));
}

/** Compile and say whether it came from what was kept. */
static bool was_kept(const struct rg_compile_job *job)
{
    struct rg_artifact made = {0};
    struct ridge_error error;
    assert_ok(compile_with(fake_library, cache, job, &made, &error), &error);
    const bool kept = made.cached;
    assert_non_null(strstr((const char *)made.bytes, "-Dtile="));
    assert_string_equal(made.entry, "k");
    rg_artifact_fini(&made);
    return kept;
}

static void test_kept(void **state)
{
    (void)state;
    struct rg_macro macros[] = {{"tile", "8", false}, {"block_x", "64", true}};
    struct rg_compile_job job = job_of(macros, 2);
    folder_write(folder, "k.h", "// one: block_x\n");
    assert_false(was_kept(&job));
    assert_true(was_kept(&job));
    macros[1].value = "128"; /* nothing names block_x: the same artifact */
    assert_true(was_kept(&job));
    macros[0].value = "16";
    assert_false(was_kept(&job));
    folder_write(folder, "k.h", "block_x\n");
    assert_false(was_kept(&job));
    assert_true(was_kept(&job));
    macros[1].value = "256"; /* now a file that it includes names it */
    assert_false(was_kept(&job));
    job.target = "sm_75";
    assert_false(was_kept(&job));
    job.path = "l.cu"; /* messages and lines name it */
    assert_false(was_kept(&job));
    assert_int_equal(count_lines(compiles), 6);
    job.text = "#include TILE\ntile\n"; /* which file that is, only the compiler knows */
    assert_false(was_kept(&job));
    assert_false(was_kept(&job));
}

static void test_macro_in_other_places(void **state)
{
    (void)state;
    struct rg_macro macros[] = {{"tile", "block_x", false}, {"block_x", "64", true}};
    struct rg_compile_job job = job_of(macros, 2);
    folder_write(folder, "k.h", "");
    assert_false(was_kept(&job));
    macros[1].value = "128";
    assert_false(was_kept(&job)); /* a macro's value names it */
    macros[0].value = "8";
    job.text = "#define joined(a, b) a##b\ntile\n";
    assert_false(was_kept(&job));
    macros[1].value = "256";
    assert_false(was_kept(&job)); /* names may be put together */
}

/** Damage the kept file at one place. \return false when there is no such place. */
static bool damage(long at, int how)
{
    char command[700];
    char path[600] = "";
    snprintf(command, sizeof command, "ls %s/*.artifact", cache);
    FILE *list = popen(command, "r");
    assert_non_null(list);
    assert_non_null(fgets(path, sizeof path, list));
    pclose(list);
    path[strcspn(path, "\n")] = '\0';
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    if (at >= facts.st_size) {
        return false;
    }
    if (how == 0) {
        assert_int_equal(truncate(path, at), 0);
        return true;
    }
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, at, SEEK_SET);
    const int c = getc(file);
    fseek(file, at, SEEK_SET);
    putc(c ^ how, file);
    fclose(file);
    return true;
}

static void test_damaged(void **state)
{
    (void)state;
    static const struct rg_macro macros[] = {{"tile", "8", false}};
    struct rg_compile_job job = job_of(macros, 1);
    folder_write(folder, "k.h", "");
    assert_false(was_kept(&job));
    for (int how = 0; how < 2; how++) {
        for (long at = 0; damage(at, how); at += how == 0 ? 7 : 1) {
            warning[0] = '\0';
            assert_false(was_kept(&job));
            assert_non_null(strstr(warning, "code that was kept there is damaged: it is compiled again"));
            assert_true(was_kept(&job));
        }
    }
}

static void test_folder_that_cannot_be(void **state)
{
    (void)state;
    static const struct rg_macro macros[] = {{"tile", "8", false}};
    struct rg_compile_job job = job_of(macros, 1);
    struct rg_artifact made = {0};
    struct ridge_error error;
    folder_write(folder, "k.h", "");
    assert_ok(compile_with(fake_library, "/dev/null/cache", &job, &made, &error), &error);
    assert_non_null(strstr(warning, "(compiled code is not kept)"));
    rg_artifact_fini(&made);
}

static void test_no_nvrtc(void **state)
{
    (void)state;
    struct rg_compile_job job = job_of(NULL, 0);
    struct rg_artifact made = {0};
    struct ridge_error error;
    assert_int_equal(compile_with("/nowhere/cuda", NULL, &job, &made, &error), RIDGE_E_UNAVAILABLE);
    assert_non_null(strstr(error.message, "there is no '/nowhere/cuda' (--cuda-path names the folder"));
    assert_int_equal(compile_with(folder, NULL, &job, &made, &error), RIDGE_E_UNAVAILABLE);
    assert_non_null(strstr(error.message, "there is no NVRTC in"));
    folder_write(folder, "text", "no library\n");
    char path[512];
    path_in(path, sizeof path, "text");
    assert_int_equal(compile_with(path, NULL, &job, &made, &error), RIDGE_E_UNAVAILABLE);
    assert_non_null(strstr(error.message, "it is no library"));
}

/** A `clang` that is a script, alone on the PATH. */
static void clang_write(const char *compile)
{
    char path[512];
    char text[1024];
    path_in(path, sizeof path, "clang");
    snprintf(
        text, sizeof text,
        "#!/bin/sh\ncase \"$*\" in\n*--version*) echo 'fake clang version 99.2.3 (x)' ;;\n*probe*) : ;;\n*) %s ;;\n"
        "esac\n",
        compile);
    folder_write(folder, "clang", text);
    assert_int_equal(chmod(path, 0755), 0);
}

static void test_fake_clang(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        const char *log;
        rg_failure failure;
    } cases[] = {
        {"kill -9 $$", "clang 99.2.3 crashed: signal 9\n", RG_FAILURE_CRASH},
        {"/bin/sleep 100", "clang 99.2.3 was killed: it had not ended after 0.5 s", RG_FAILURE_TIMEOUT},
        {"echo 'k.cl:2:1: note: a'; echo 'k.cl:3:4: error: b'; exit 1",
         "k.cl:3:4: error: b\nk.cl:2:1: note: a\nk.cl:3:4: error: b\n", RG_FAILURE_SOURCE},
        {"for last; do :; done; echo '.visible .entry other(' >\"${last%.cl}.o\"",
         "k.cl: error: there is no kernel 'k' in it", RG_FAILURE_SOURCE},
    };
    char path[4096];
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rg_compile_job job = job_of(NULL, 0);
        job.language = RG_SOURCE_OPENCL;
        job.path = "k.cl";
        struct rg_artifact made = {0};
        struct ridge_error error;
        clang_write(cases[i].script);
        setenv("PATH", folder, 1);
        const ridge_status status = compile_with(NULL, NULL, &job, &made, &error);
        setenv("PATH", path, 1);
        assert_ok(status, &error);
        assert_true(made.failed);
        assert_string_equal(made.log, cases[i].log);
        assert_int_equal(made.failure, cases[i].failure);
        rg_artifact_fini(&made);
    }
}

/** A compile that was killed leaves its folder; the next one removes it. That of a living process stays. */
static void test_folders_left_behind(void **state)
{
    (void)state;
    char dead[512];
    char living[512];
    char path[4096];
    char name[64];
    struct rg_compile_job job = job_of(NULL, 0);
    job.language = RG_SOURCE_OPENCL;
    struct rg_artifact made = {0};
    struct rg_compilers *compilers = NULL;
    struct ridge_error error = {0};
    const struct rg_compilers_options options = {.work_folder = folder, .timeout_s = 5};
    path_in(dead, sizeof dead, "ridge-999999999-AbCdEf"); /* no process has that number */
    snprintf(name, sizeof name, "ridge-%ld-AbCdEf", (long)getppid());
    path_in(living, sizeof living, name);
    assert_int_equal(mkdir(dead, 0700), 0);
    assert_int_equal(mkdir(living, 0700), 0);
    folder_write(folder, "ridge-999999999-AbCdEf/kernel-1.cl", "");
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    clang_write("exit 1");
    setenv("PATH", folder, 1);
    assert_ok(rg_compilers_open(context, &options, &compilers, &error), &error);
    const ridge_status status = rg_compile(compilers, &job, &made, &error);
    rg_compilers_close(compilers);
    setenv("PATH", path, 1);
    assert_ok(status, &error);
    rg_artifact_fini(&made);
    assert_int_equal(access(dead, F_OK), -1);
    assert_int_equal(rmdir(living), 0);
}

static void test_no_clang(void **state)
{
    (void)state;
    char path[4096];
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    struct rg_compile_job job = job_of(NULL, 0);
    job.language = RG_SOURCE_OPENCL;
    job.target = "gfx90a";
    job.form = RG_ARTIFACT_BINARY;
    struct rg_artifact made = {0};
    struct ridge_error error;
    setenv("PATH", folder, 1);
    const ridge_status status = compile_with(NULL, NULL, &job, &made, &error);
    setenv("PATH", path, 1);
    assert_int_equal(status, RIDGE_E_UNAVAILABLE);
    assert_string_equal(error.message,
                        "there is no clang on the PATH, which compiles OpenCL C for AMD GPUs (install the "
                        "packages clang-15, lld and libclc-15-dev)");
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        return 2;
    }
    fake_library = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(test_each_call_missing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_each_call_failing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_old, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(test_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(test_macro_in_other_places, setup, teardown),
        cmocka_unit_test_setup_teardown(test_damaged, setup, teardown),
        cmocka_unit_test_setup_teardown(test_folder_that_cannot_be, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_nvrtc, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fake_clang, setup, teardown),
        cmocka_unit_test_setup_teardown(test_folders_left_behind, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_clang, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
