/* SPDX-License-Identifier: MIT */
/**
 * \file curve on bad days: memory that runs out, an address space that is too small for the pool, threads that may not be
 * pinned or not be started. What is left is measured, and what is missing is said. Each runs in a process of its own.
 */
#include "rg_test.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failing_allocator.h"
#include "ridge/curve.h"
#include "sanitized.h"
#include "scratch.h"

enum {
    CHILD_FINE = 0,
    CHILD_SKIPS = 77
};

static const struct ridge_curve_request quick = {.max_bytes = 64 << 10, .max_seconds = 0.2};

static ridge_status measure(const struct ridge_context *context, struct ridge_error *error)
{
    struct ridge_curve_set *set = NULL;
    struct ridge_curve_request request = quick;
    request.disciplines = 1U << RIDGE_DISCIPLINE_STREAM;
    request.max_bytes = 8192;
    request.max_seconds = 0.01;
    const ridge_status status = ridge_curve_measure(context, &request, &set, error);
    ridge_curve_set_destroy(set);
    return status;
}

/** The nth allocation fails. A note that cannot be kept is no failure. */
static void test_allocations(void **state)
{
    (void)state;
    size_t fail_at = 0;
    struct failing_allocator allocator;
    do {
        allocator = (struct failing_allocator){.fail_at = ++fail_at};
        struct ridge_context *context = failing_context(&allocator);
        const size_t bytes = allocator.bytes;
        struct ridge_error error = {0};
        const ridge_status status = measure(context, &error);
        assert_true(status == RIDGE_OK || (allocator.failed && status == RIDGE_E_MEMORY));
        assert_int_equal(allocator.bytes, bytes);
        allocator.fail_at = 0;
        ridge_context_destroy(context);
        assert_true(fail_at < 200);
    } while (allocator.failed);
    assert_true(fail_at > 5);
}

static ridge_status load_curve(const struct ridge_context *context, const char *path, struct ridge_error *error)
{
    struct ridge_store *store = NULL;
    struct ridge_curve_set *set = NULL;
    const struct ridge_curve_key key = {.device = "host"};
    ridge_status status = ridge_store_open(context, path, RIDGE_STORE_READ, &store, error);
    if (status == RIDGE_OK) {
        status = ridge_store_curve_find(store, &key, &set, error);
    }
    ridge_curve_set_destroy(set);
    ridge_store_close(store);
    return status;
}

static void test_allocations_of_loading(void **state)
{
    struct scratch *scratch = *state;
    static const struct ridge_curve_point points[] = {{.bytes = 8192, .bytes_per_s = 1, .n = 1},
                                                      {.bytes = 16384, .bytes_per_s = 2, .n = 1},
                                                      {.bytes = 32768, .bytes_per_s = 3, .n = 1}};
    const struct ridge_curve curve = {.selector = "host", .points = points, .point_count = 3};
    const struct ridge_curve_set set = {.count = 1, .curves = &curve};
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_WRITE);
    int64_t id = 0;
    assert_ok(ridge_store_curves_put(store, &set, &id, &error), &error);
    ridge_store_close(store);
    size_t fail_at = 0;
    struct failing_allocator allocator;
    do {
        allocator = (struct failing_allocator){.fail_at = ++fail_at};
        struct ridge_context *context = failing_context(&allocator);
        const size_t bytes = allocator.bytes;
        const ridge_status status = load_curve(context, scratch->path, &error);
        assert_int_equal(status, allocator.failed ? RIDGE_E_MEMORY : RIDGE_OK);
        assert_int_equal(allocator.bytes, bytes);
        allocator.fail_at = 0;
        ridge_context_destroy(context);
    } while (allocator.failed);
    assert_true(fail_at > 3);
}

static void test_a_full_store(void **state)
{
    struct scratch *scratch = *state;
    const struct ridge_curve curve = {.selector = "host"};
    const struct ridge_curve_set set = {.count = 1, .curves = &curve};
    struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_WRITE);
    struct ridge_error error = {0};
    int64_t id = 0;
    const struct rlimit none = {0, RLIM_INFINITY};
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    (void)signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &none);
    const ridge_status status = ridge_store_curves_put(store, &set, &id, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_true(status == RIDGE_E_IO || status == RIDGE_E_STORE);
    ridge_store_close(store);
}

/** Run in a child, since limits and filters cannot be taken back. */
static void in_child(int (*child)(void))
{
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        _exit(child());
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == CHILD_SKIPS) {
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), CHILD_FINE);
}

/** Measure, and look for a note. \return exit code of the child */
static int measure_with_note(const char *part)
{
    struct ridge_context *context = NULL;
    struct ridge_curve_set *set = NULL;
    struct ridge_error error = {0};
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK) {
        return 1;
    }
    if (ridge_curve_measure(context, &quick, &set, &error) != RIDGE_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    int code = 3;
    for (size_t i = 0; i < set->curves[0].note_count; i++) {
        code = strstr(set->curves[0].notes[i], part) ? CHILD_FINE : code;
    }
    for (size_t i = 0; code != CHILD_FINE && i < set->curves[0].note_count; i++) {
        fprintf(stderr, "note: %s\n", set->curves[0].notes[i]);
    }
    code = set->curves[0].point_count == 4 ? code : 4;
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
    return code;
}

/** Less address space than the pool asks for. */
static int little_memory(void)
{
    const struct rlimit little = {160 << 20, 160 << 20};
    if (setrlimit(RLIMIT_AS, &little) != 0) {
        return CHILD_SKIPS;
    }
    return measure_with_note("no more memory may be used");
}

static void test_little_memory(void **state)
{
    (void)state;
    if (RG_SANITIZED) {
        skip();
    }
    in_child(little_memory);
}

/** Let one system call of this process and its threads fail. \return false: filters are not to be had */
static bool refuse_call(unsigned number, int error)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((unsigned)error & SECCOMP_RET_DATA)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int no_pinning(void)
{
    if (!refuse_call(SYS_sched_setaffinity, EPERM)) {
        return CHILD_SKIPS;
    }
    return measure_with_note("cannot be pinned (Operation not permitted)");
}

static void test_no_pinning(void **state)
{
    (void)state;
    in_child(no_pinning);
}

static int no_huge_pages(void)
{
    if (!refuse_call(SYS_madvise, EINVAL)) {
        return CHILD_SKIPS;
    }
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
    char line[64] = "";
    const bool always = file && fgets(line, sizeof line, file) && strstr(line, "[always]");
    return always ? CHILD_SKIPS : measure_with_note("of the pool lies on huge pages");
}

static void test_no_huge_pages(void **state)
{
    (void)state;
    in_child(no_huge_pages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocations), scratch_test(test_allocations_of_loading),
        scratch_test(test_a_full_store),    cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_no_pinning),  cmocka_unit_test(test_no_huge_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
