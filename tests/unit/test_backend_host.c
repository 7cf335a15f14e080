/* SPDX-License-Identifier: MIT */
/** \file backend/host: C functions compiled with the system's compiler and run. Exits 77 when there is none. */
#include "backend_test.h"

#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "backend/host_compile.h"
#include "failing_allocator.h"

static const struct rg_launch unit_launch = {.dimensions = 1, .grid = {1}, .block = {1}};

static const char scale_source[] = "void scale(const float *in, float *out, int n, float by)\n"
                                   "{\n"
                                   "    for (int i = 0; i < n; i++) {\n"
                                   "        out[i] = in[i] * by + SHIFT;\n"
                                   "    }\n"
                                   "}\n";

struct scale {
    struct rg_shape shapes[5];
    uint64_t scalars[5];
    struct rg_launch launch;
};

/** in, out, local memory (which the host has not), n = 10, by = 3. */
static void scale_init(struct scale *scale)
{
    const float by = 3;
    uint32_t by_bits;
    memcpy(&by_bits, &by, sizeof by_bits);
    *scale = (struct scale){
        .shapes = {buffer_shape("in", "float", "float", 4, 10),
                   buffer_shape("out", "float", "float", 4, 10),
                   {.kind = RG_SHAPE_LOCAL, .name = "tile"},
                   scalar_shape("n", "int", "int", 4),
                   scalar_shape("by", "float", "float", 4)},
        .scalars = {0, 0, 256, 10, by_bits},
        .launch = unit_launch,
    };
    scale->launch.scalars = scale->scalars;
}

static void test_runs_and_reads_back(void **state)
{
    (void)state;
    struct scale scale;
    struct bench bench;
    struct rg_kernel *kernel;
    const struct rg_macro macros[] = {{"SHIFT", "(1 + 0)", false}, {"block_x", "1", true}};
    float in[10];
    float out[10];
    scale_init(&scale);
    bench_open(&bench, &rg_backend_host, scale_source, "scale", scale.shapes, 5);
    for (int i = 0; i < 10; i++) {
        in[i] = (float)i;
    }
    assert_ok(bench.backend->buffer_write(bench.session, 0, in, &bench.error), &bench.error);
    assert_ok(bench_build(&bench, macros, 2, &scale.launch, &kernel), &bench.error);
    assert_non_null(kernel);
    assert_true(bench_launch(&bench, kernel, &scale.launch) >= 0);
    assert_ok(bench.backend->buffer_read(bench.session, 1, out, &bench.error), &bench.error);
    for (int i = 0; i < 10; i++) {
        assert_true(out[i] == 3 * in[i] + 1);
    }
    assert_ok(bench.backend->guards_check(bench.session, &bench.trouble, &bench.error), &bench.error);
    assert_int_equal(bench.trouble.outcome, RIDGE_OUTCOME_OK);
    bench.backend->kernel_destroy(bench.session, kernel);
    bench_close(&bench);
}

static void test_source_that_does_not_compile(void **state)
{
    (void)state;
    struct scale scale;
    struct bench bench;
    struct rg_kernel *kernel;
    scale_init(&scale);
    bench_open(&bench, &rg_backend_host, scale_source, "scale", scale.shapes, 5);
    assert_ok(bench_build(&bench, NULL, 0, &scale.launch, &kernel), &bench.error);
    assert_null(kernel);
    assert_trouble(&bench, RIDGE_OUTCOME_COMPILE, "kernel source.c:4:");
    const size_t first_line = strcspn(rg_buffer_text(&bench.text), "\n");
    assert_non_null(memmem(rg_buffer_text(&bench.text), first_line, "error:", 6));
    /* The session goes on: the next configuration compiles. */
    const struct rg_macro shift = {"SHIFT", "0", false};
    assert_ok(bench_build(&bench, &shift, 1, &scale.launch, &kernel), &bench.error);
    assert_non_null(kernel);
    bench.backend->kernel_destroy(bench.session, kernel);
    /* Undefined functions show when it is loaded. */
    bench_close(&bench);
    bench_open(&bench, &rg_backend_host, "int other(void); void f(void) { other(); }", "f", NULL, 0);
    assert_ok(bench_build(&bench, NULL, 0, &unit_launch, &kernel), &bench.error);
    assert_trouble(&bench, RIDGE_OUTCOME_COMPILE, "undefined symbol: other");
    bench_close(&bench);
}

/** One argument list against a source; what the status and the message are. */
static void refused(const char *source, const char *entry, const struct rg_shape *shapes, size_t count,
                    ridge_status status, const char *says)
{
    struct bench bench;
    struct rg_kernel *kernel;
    bench_open(&bench, &rg_backend_host, source, entry, shapes, count);
    assert_int_equal(bench_build(&bench, NULL, 0, &unit_launch, &kernel), status);
    assert_null(kernel);
    if (status == RIDGE_OK) {
        assert_trouble(&bench, RIDGE_OUTCOME_COMPILE, says);
    } else {
        assert_error_says(&bench.error, says);
    }
    bench_close(&bench);
}

static void test_arguments_that_do_not_fit(void **state)
{
    (void)state;
    const struct rg_shape floats = buffer_shape("a", "float", "float", 4, 4);
    const struct rg_shape whole = scalar_shape("n", "int", "int", 4);
    const struct rg_shape real = scalar_shape("n", "double", "double", 8);
    const struct rg_shape wide = scalar_shape("n", "long long", "long", 8);
    const struct rg_shape two[] = {floats, floats};
    refused("void f(float *a) { a[0] = 0; }", "g", &floats, 1, RIDGE_E_NAME, "there is no function 'g'");
    refused("int f;", "f", &floats, 1, RIDGE_E_VALUE, "takes other arguments");
    refused("void f(float *a) { a[0] = 0; }", "f", two, 2, RIDGE_E_VALUE, "too many arguments");
    refused("void f(float *a, int b) { a[b] = 0; }", "f", &floats, 1, RIDGE_E_VALUE, "too few arguments");
    refused("void f(double *a) { a[0] = 0; }", "f", &floats, 1, RIDGE_E_VALUE, "incompatible pointer type");
    refused("void f(int a) { (void)a; }", "f", &floats, 1, RIDGE_E_VALUE, "ridge-call");
    refused("void f(float *a) { (void)a; }", "f", &whole, 1, RIDGE_E_VALUE, "ridge-call");
    refused("void f(int n) { (void)n; }", "f", &real, 1, RIDGE_E_VALUE, "double");
    refused("void f(float n) { (void)n; }", "f", &whole, 1, RIDGE_E_VALUE, "float");
    refused("void f(int n) { (void)n; }", "f", &wide, 1, RIDGE_E_VALUE, "int");
    refused("void f(float *a) { g(a); }", "f", &floats, 1, RIDGE_OK, "implicit declaration");
}

static void test_signedness_and_widening_fit(void **state)
{
    (void)state;
    struct bench bench;
    struct rg_kernel *kernel;
    const struct rg_shape shapes[] = {buffer_shape("a", "unsigned int", "uint", 4, 1),
                                      scalar_shape("n", "int", "int", 4)};
    const uint64_t scalars[] = {0, 41};
    struct rg_launch launch = unit_launch;
    launch.scalars = scalars;
    unsigned out = 0;
    bench_open(&bench, &rg_backend_host, "#include <stddef.h>\nvoid f(int *a, size_t n) { a[0] = (int)n + 1; }", "f",
               shapes, 2);
    assert_ok(bench_build(&bench, NULL, 0, &launch, &kernel), &bench.error);
    assert_non_null(kernel);
    bench_launch(&bench, kernel, &launch);
    assert_ok(bench.backend->buffer_read(bench.session, 0, &out, &bench.error), &bench.error);
    assert_int_equal(out, 42);
    bench.backend->kernel_destroy(bench.session, kernel);
    bench_close(&bench);
}

/** A function that writes at `index` of a buffer of 4 ints. */
struct writer {
    struct bench bench;
    struct rg_shape shapes[2];
    uint64_t scalars[2];
    struct rg_launch launch;
    struct rg_kernel *kernel;
};

static void writer_open(struct writer *writer, int index)
{
    *writer = (struct writer){
        .shapes = {buffer_shape("victim", "int", "int", 4, 4), scalar_shape("i", "int", "int", 4)},
        .scalars = {0, (uint32_t)index},
        .launch = unit_launch,
    };
    writer->launch.scalars = writer->scalars;
    bench_open(&writer->bench, &rg_backend_host, "void f(int *a, int i) { a[i] = 7; }", "f", writer->shapes, 2);
    assert_ok(bench_build(&writer->bench, NULL, 0, &writer->launch, &writer->kernel), &writer->bench.error);
    assert_non_null(writer->kernel);
}

static void writer_close(struct writer *writer)
{
    writer->bench.backend->kernel_destroy(writer->bench.session, writer->kernel);
    bench_close(&writer->bench);
}

/** Write, and look at the guard zones: damage is told once and repaired. */
static void write_at(int index, const char *says)
{
    struct writer writer;
    struct bench *bench = &writer.bench;
    writer_open(&writer, index);
    bench_launch(bench, writer.kernel, &writer.launch);
    assert_guards(bench, says);
    writer_close(&writer);
}

static void test_guards(void **state)
{
    (void)state;
    write_at(3, NULL);
    write_at(4, "4 bytes behind 'victim', the nearest 1 bytes from its end");
    write_at(6, "the nearest 9 bytes from its end");
    write_at(-1, "4 bytes before 'victim', the nearest 1 bytes from its beginning");
}

static void crashes(int index)
{
    struct writer writer;
    writer_open(&writer, index);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGSEGV, SIG_DFL);
        bench_launch(&writer.bench, writer.kernel, &writer.launch);
        _exit(0);
    }
    int end = 0;
    assert_int_equal(waitpid(child, &end, 0), child);
    assert_true(WIFSIGNALED(end) && WTERMSIG(end) == SIGSEGV);
    writer_close(&writer);
}

static void test_far_write_crashes(void **state)
{
    (void)state;
    crashes(16); /* 48 bytes past the end: behind the pattern */
    crashes(200000);
    crashes(-5000);
}

static void test_too_much_memory(void **state)
{
    (void)state;
    struct bench bench;
    struct rg_shape shapes[] = {buffer_shape("huge", "float", "float", 4, UINT64_C(1) << 60),
                                buffer_shape("huge too", "float", "float", 4, UINT64_C(1) << 60)};
    bench_init(&bench, &rg_backend_host, scale_source, "scale", shapes, 2);
    assert_int_equal(bench.backend->open(&bench.request, &bench.session, &bench.error), RIDGE_E_LIMIT);
    assert_error_says(&bench.error, "9223372036854775808");
    shapes[0].bytes = UINT64_MAX;
    bench_calm(&bench);
    assert_int_equal(bench.backend->open(&bench.request, &bench.session, &bench.error), RIDGE_E_LIMIT);
    bench_close(&bench);
}

static void test_evict(void **state)
{
    (void)state;
    struct bench bench;
    bench_evict_twice(&bench, &rg_backend_host, scale_source, "scale");
    bench_close(&bench);
}

/** A source in a folder whose name has blanks and a quote, including a file beside it. */
static void test_odd_path_and_include(void **state)
{
    (void)state;
    struct bench bench;
    struct rg_kernel *kernel;
    char folder[128];
    char path[160];
    char header[160];
    const char *source = "#include \"beside.h\"\nvoid f(void) { (void)BESIDE; }";
    bench_init(&bench, &rg_backend_host, source, "f", NULL, 0);
    snprintf(folder, sizeof folder, "%s/a \"quoted\" $HOME", bench.folder);
    snprintf(path, sizeof path, "%s/k'ernel.c", folder);
    snprintf(header, sizeof header, "%s/beside.h", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    write_text(path, source);
    write_text(header, "#define BESIDE 1\n");
    bench.request.source_path = path;
    bench.request.source_folder = folder;
    assert_ok(bench.backend->open(&bench.request, &bench.session, &bench.error), &bench.error);
    assert_ok(bench_build(&bench, NULL, 0, &unit_launch, &kernel), &bench.error);
    assert_string_equal(rg_buffer_text(&bench.text), "");
    assert_non_null(kernel);
    bench.backend->kernel_destroy(bench.session, kernel);
    bench_close(&bench);
}

static void keep_facts(void *user, const struct rg_device_facts *facts)
{
    *(struct rg_device_facts *)user = *facts;
}

/** BP-109: a chosen set of processors is the number reported and the number used. */
static void test_affinity(void **state)
{
    (void)state;
    struct bench bench;
    struct rg_kernel *kernel;
    cpu_set_t before;
    cpu_set_t one;
    const struct rg_shape shape = buffer_shape("threads", "int", "int", 4, 1);
    struct rg_device_facts facts = {0};
    int threads = 0;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    bench_open(&bench, &rg_backend_host,
               "#include <omp.h>\nvoid f(int *a)\n{\n#pragma omp parallel\n#pragma omp single\n"
               "    a[0] = omp_get_num_threads();\n}\n",
               "f", &shape, 1);
    assert_ok(bench.backend->enumerate(bench.context, keep_facts, &facts, &bench.error), &bench.error);
    assert_ok(bench_build(&bench, NULL, 0, &unit_launch, &kernel), &bench.error);
    assert_non_null(kernel);
    bench_launch(&bench, kernel, &unit_launch);
    assert_ok(bench.backend->buffer_read(bench.session, 0, &threads, &bench.error), &bench.error);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(facts.compute_units, 1);
    assert_int_equal(threads, 1);
    assert_true(facts.memory_bytes > 0 && facts.name[0] && facts.driver[0]);
    assert_string_equal(facts.selector, "host");
    bench.backend->kernel_destroy(bench.session, kernel);
    bench_close(&bench);
}

/** Programs with OpenMP threads are built and unloaded one after another. */
static void test_many_builds(void **state)
{
    (void)state;
    struct bench bench;
    const struct rg_shape shape = buffer_shape("a", "int", "int", 4, 1);
    bench_open(&bench, &rg_backend_host,
               "void f(int *a)\n{\n    int sum = 0;\n#pragma omp parallel for reduction(+ : sum)\n"
               "    for (int i = 0; i < 100; i++) {\n        sum += N;\n    }\n    a[0] = sum;\n}\n",
               "f", &shape, 1);
    for (int i = 0; i < 4; i++) {
        char value[16];
        int sum = 0;
        struct rg_kernel *kernel;
        snprintf(value, sizeof value, "%d", i);
        const struct rg_macro macro = {"N", value, false};
        assert_ok(bench_build(&bench, &macro, 1, &unit_launch, &kernel), &bench.error);
        bench_launch(&bench, kernel, &unit_launch);
        assert_ok(bench.backend->buffer_read(bench.session, 0, &sum, &bench.error), &bench.error);
        assert_int_equal(sum, 100 * i);
        bench.backend->kernel_destroy(bench.session, kernel);
    }
    bench_close(&bench);
}

static void test_reference(void **state)
{
    (void)state;
    struct bench bench;
    struct ridge_error error = {0};
    const struct rg_shape shapes[] = {buffer_shape("a", "double", "double", 8, 2), scalar_shape("n", "int", "int", 4)};
    const uint64_t scalars[] = {0, 2};
    double data[] = {1, 2};
    void *const buffers[] = {data, NULL};
    bench_init(&bench, &rg_backend_host, "void reference(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= BY; }",
               "reference", shapes, 2);
    const struct rg_macro by = {"BY", "10", false};
    struct rg_host_source source = {.context = bench.context,
                                    .work_folder = bench.folder,
                                    .path = bench.path,
                                    .entry = "reference",
                                    .shapes = shapes,
                                    .shape_count = 2,
                                    .macros = &by,
                                    .macro_count = 1};
    assert_ok(rg_host_function_run(&source, scalars, buffers, &error), &error);
    assert_true(data[0] == 10 && data[1] == 20);
    source.macro_count = 0;
    assert_int_equal(rg_host_function_run(&source, scalars, buffers, &error), RIDGE_E_VALUE);
    assert_error_says(&error, "it does not compile: ");
    assert_error_says(&error, "BY");
    error = (struct ridge_error){0};
    source.entry = "referense";
    source.macro_count = 1;
    assert_int_equal(rg_host_function_run(&source, scalars, buffers, &error), RIDGE_E_NAME);
    error = (struct ridge_error){0};
    source.path = "/nonexistent/reference.c";
    assert_int_equal(rg_host_function_run(&source, scalars, buffers, &error), RIDGE_E_IO);
    bench_close(&bench);
}

/** Every allocation of opening and building fails in turn: the status says so and nothing leaks. */
static void test_out_of_memory(void **state)
{
    (void)state;
    struct bench bench;
    struct failing_allocator allocator = {.fail_at = 0};
    const struct rg_shape shape = buffer_shape("a", "int", "int", 4, 1);
    const struct rg_macro macro = {"N", "1", false};
    ridge_status status = RIDGE_E_MEMORY;
    bench_init(&bench, &rg_backend_host, "void f(int *a) { a[0] = N; }", "f", &shape, 1);
    struct ridge_context *context = failing_context(&allocator);
    const size_t before = allocator.bytes;
    bench.request.context = context;
    bench.trouble.text = NULL;
    for (size_t nth = 1; status == RIDGE_E_MEMORY; nth++) {
        struct rg_kernel *kernel = NULL;
        assert_in_range(nth, 1, 200);
        failing_at(&allocator, nth);
        bench.session = NULL;
        bench_calm(&bench);
        status = bench.backend->open(&bench.request, &bench.session, &bench.error);
        if (status == RIDGE_OK) {
            status = bench_build(&bench, &macro, 1, &unit_launch, &kernel);
            bench.backend->kernel_destroy(bench.session, kernel);
            bench.backend->close(bench.session);
        }
        assert_int_equal(allocator.bytes, before);
        assert_true(kernel || status != RIDGE_OK);
    }
    assert_ok(status, &bench.error);
    ridge_context_destroy(context);
    bench.session = NULL;
    bench_close(&bench);
}

static void test_no_compiler(void **state)
{
    (void)state;
    struct bench bench;
    struct rg_kernel *kernel;
    struct rg_device_facts facts;
    char *path = strdup(getenv("PATH"));
    bench_open(&bench, &rg_backend_host, "void f(void) {}", "f", NULL, 0);
    assert_int_equal(setenv("PATH", bench.folder, 1), 0);
    assert_int_equal(bench_build(&bench, NULL, 0, &unit_launch, &kernel), RIDGE_E_UNAVAILABLE);
    assert_error_says(&bench.error, "there is no C compiler");
    bench_calm(&bench);
    assert_int_equal(bench.backend->enumerate(bench.context, keep_facts, &facts, &bench.error), RIDGE_E_UNAVAILABLE);
    assert_error_says(&bench.error, "gcc");
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_and_reads_back),
        cmocka_unit_test(test_source_that_does_not_compile),
        cmocka_unit_test(test_arguments_that_do_not_fit),
        cmocka_unit_test(test_signedness_and_widening_fit),
        cmocka_unit_test(test_guards),
        cmocka_unit_test(test_far_write_crashes),
        cmocka_unit_test(test_too_much_memory),
        cmocka_unit_test(test_evict),
        cmocka_unit_test(test_odd_path_and_include),
        cmocka_unit_test(test_affinity),
        cmocka_unit_test(test_many_builds),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_no_compiler),
    };
    struct ridge_context *context = NULL;
    char name[256];
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK ||
        rg_host_compiler_name(context, name, sizeof name, NULL) != RIDGE_OK) {
        ridge_context_destroy(context);
        return 77;
    }
    ridge_context_destroy(context);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
