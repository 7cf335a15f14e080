/* SPDX-License-Identifier: MIT */
/** \file store: files that are no database, newer, damaged, read-only, locked, and full disks. None loses anything. */
#include "rg_test.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "run_fixture.h"
#include "scratch.h"
#include "store/schema.h"
#include "store/store_internal.h"

/** Opening must fail with that status, name the file, and say this. */
static void refuse(const struct scratch *scratch, ridge_store_mode mode, ridge_status status, const char *words)
{
    struct ridge_store *store = NULL;
    struct ridge_error error = {0};
    assert_int_equal(ridge_store_open(scratch->context, scratch->path, mode, &store, &error), status);
    assert_null(store);
    char text[2048];
    ridge_error_format(&error, text, sizeof text);
    if (!strstr(text, words) || !strstr(text, scratch->folder)) {
        fail_msg("'%s' does not hold '%s' and '%s'", text, words, scratch->folder);
    }
}

/** Both modes must refuse, and the bytes of the file must stay as they are. */
static void refuse_unchanged(const struct scratch *scratch, ridge_status status, const char *words)
{
    struct rg_arena arena;
    rg_arena_init(&arena, scratch->context);
    char *before = NULL;
    char *after = NULL;
    size_t length_before = 0;
    size_t length_after = 0;
    assert_int_equal(rg_file_read(&arena, scratch->path, &before, &length_before, NULL), RIDGE_OK);
    refuse(scratch, RIDGE_STORE_READ, status, words);
    refuse(scratch, RIDGE_STORE_WRITE, status, words);
    assert_int_equal(rg_file_read(&arena, scratch->path, &after, &length_after, NULL), RIDGE_OK);
    assert_int_equal(length_before, length_after);
    assert_memory_equal(before, after, length_before);
    rg_arena_fini(&arena);
}

/** Run a function in a process of its own. \return what it returned; 77: it cannot be tried here. */
static int in_child(int (*body)(const struct scratch *scratch), const struct scratch *scratch)
{
    const pid_t child = fork();
    if (child == 0) {
        _exit(body(scratch));
    }
    int code = 0;
    waitpid(child, &code, 0);
    return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

/** Let the file hold a run of five results. */
static void make_run(const struct scratch *scratch)
{
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_WRITE);
    int64_t id = 0;
    assert_ok(fixture_run(store, 5, &id, &error), &error);
    ridge_store_close(store);
}

/** How many results the newest run holds. */
static size_t count_results(const struct scratch *scratch)
{
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_READ);
    struct ridge_run *run = NULL;
    assert_ok(ridge_store_run_load(store, 0, &run, &error), &error);
    const size_t count = run->record_count;
    ridge_run_destroy(run);
    ridge_store_close(store);
    return count;
}

static void test_missing(void **state)
{
    struct scratch *scratch = *state;
    refuse(scratch, RIDGE_STORE_READ, RIDGE_E_IO, "No such file");
    assert_int_equal(access(scratch->path, F_OK), -1);
    snprintf(scratch->path, sizeof scratch->path, "%s/a/b/evidence.db", scratch->folder);
    refuse(scratch, RIDGE_STORE_WRITE, RIDGE_E_IO, "cannot make the folder");
    snprintf(scratch->path, sizeof scratch->path, "%s/.ridge/evidence.db", scratch->folder);
    make_run(scratch);
    assert_int_equal(count_results(scratch), 5);
}

static void test_not_a_file(void **state)
{
    struct scratch *scratch = *state;
    assert_int_equal(mkdir(scratch->path, 0777), 0);
    refuse(scratch, RIDGE_STORE_READ, RIDGE_E_IO, "not a regular file");
    refuse(scratch, RIDGE_STORE_WRITE, RIDGE_E_IO, "not a regular file");
}

static void test_not_a_database(void **state)
{
    struct scratch *scratch = *state;
    static const char text[] = "kernel = \"matmul\" # a text that is longer than the head of a database: "
                               "0123456789 0123456789 0123456789 0123456789\n";
    assert_int_equal(rg_file_write(scratch->path, text, sizeof text - 1, NULL), RIDGE_OK);
    refuse_unchanged(scratch, RIDGE_E_STORE, "not an evidence database");
    assert_int_equal(rg_file_write(scratch->path, text, 5, NULL), RIDGE_OK);
    refuse_unchanged(scratch, RIDGE_E_STORE, "not an evidence database");
}

/** An empty file holds no evidence; it becomes a database when written to. */
static void test_empty_file(void **state)
{
    struct scratch *scratch = *state;
    assert_int_equal(rg_file_write(scratch->path, "", 0, NULL), RIDGE_OK);
    refuse(scratch, RIDGE_STORE_READ, RIDGE_E_STORE, "it is empty");
    make_run(scratch);
    assert_int_equal(count_results(scratch), 5);
}

static void run_sql(const struct scratch *scratch, const char *sql)
{
    sqlite3 *database = NULL;
    assert_int_equal(sqlite3_open(scratch->path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

static void test_a_database_of_something_else(void **state)
{
    run_sql(*state, "CREATE TABLE places(url TEXT)");
    refuse_unchanged(*state, RIDGE_E_STORE, "not one of Ridge");
    run_sql(*state, "PRAGMA application_id = 77");
    refuse_unchanged(*state, RIDGE_E_STORE, "not one of Ridge");
}

/** BP-042: a newer format is called newer, not damaged, and is not touched. */
static void test_bp_042_newer(void **state)
{
    make_run(*state);
    run_sql(*state, "PRAGMA user_version = 9");
    refuse_unchanged(*state, RIDGE_E_STORE, "newer Ridge, with schema 9 (this one knows up to 4");
    run_sql(*state, "PRAGMA user_version = 4");
    assert_int_equal(count_results(*state), 5);
}

/** Any byte of the file may be wrong: an error or a run comes out, never a crash. */
static void test_damaged(void **state)
{
    struct scratch *scratch = *state;
    make_run(scratch);
    struct rg_arena arena;
    rg_arena_init(&arena, scratch->context);
    char *bytes = NULL;
    size_t length = 0;
    assert_int_equal(rg_file_read(&arena, scratch->path, &bytes, &length, NULL), RIDGE_OK);
    struct rg_rng rng;
    rg_rng_init(&rng, 5);
    unsigned refused = 0;
    for (unsigned round = 0; round < 150; round++) {
        char *copy = rg_arena_copy(&arena, bytes, length);
        for (unsigned i = 0; i < 40; i++) {
            copy[rg_rng_below(&rng, length)] ^= (char)(1 + rg_rng_below(&rng, 255));
        }
        const size_t cut = round % 2 ? length : rg_rng_below(&rng, length);
        assert_int_equal(rg_file_write(scratch->path, copy, cut, NULL), RIDGE_OK);
        struct ridge_store *store = NULL;
        struct ridge_error error = {0};
        struct ridge_run *run = NULL;
        ridge_status status = ridge_store_open(scratch->context, scratch->path, RIDGE_STORE_READ, &store, &error);
        if (status == RIDGE_OK) {
            status = ridge_store_run_load(store, 0, &run, &error);
        }
        refused += status != RIDGE_OK;
        assert_true((status == RIDGE_OK) == (run != NULL));
        assert_true(status == RIDGE_OK || error.message[0] != '\0');
        ridge_run_destroy(run);
        ridge_store_close(store);
    }
    assert_true(refused > 50);
    rg_arena_fini(&arena);
}

/** Rows that the schema allows and that make no sense are called damage. */
static void test_rows_without_sense(void **state)
{
    static const char *const changes[] = {"DELETE FROM configuration_value WHERE position = 2",
                                          "UPDATE configuration_value SET value = 'x' WHERE position = 1",
                                          "UPDATE result SET configuration_id = 'far too long to be an id of Ridge'",
                                          "UPDATE run SET seed = 'many'",
                                          "INSERT INTO dimension SELECT run_id, position + 9, name FROM dimension"};
    struct scratch *scratch = *state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        folder_clear(scratch->folder);
        make_run(scratch);
        char sql[512];
        snprintf(sql, sizeof sql, "UPDATE OR IGNORE result SET converged = 0; %s%s", changes[i],
                 i == 2 ? " WHERE id = 1" : "");
        run_sql(scratch, sql);
        struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_READ);
        struct ridge_error error = {0};
        struct ridge_run *run = NULL;
        assert_int_equal(ridge_store_run_load(store, 0, &run, &error), RIDGE_E_STORE);
        assert_non_null(strstr(error.message, "damaged"));
        ridge_store_close(store);
    }
}

/** What does not fit is refused, what was there before stays, and the store goes on when there is room again. */
static void test_full_by_limit(void **state)
{
    struct scratch *scratch = *state;
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_WRITE);
    int64_t id = 0;
    assert_ok(fixture_run(store, 5, &id, &error), &error);
    assert_int_equal(sqlite3_exec(store->database, "PRAGMA max_page_count = 40", NULL, NULL, NULL), SQLITE_OK);
    unsigned put = 5;
    while (fixture_put(store, id, put, &error) == RIDGE_OK && put < 5000) {
        put++;
    }
    assert_int_equal(error.status, RIDGE_E_IO);
    assert_non_null(strstr(error.message, "no space left"));
    assert_int_equal(count_results(scratch), put);
    assert_int_equal(sqlite3_exec(store->database, "PRAGMA max_page_count = 4000", NULL, NULL, NULL), SQLITE_OK);
    error = (struct ridge_error){0};
    assert_ok(fixture_put(store, id, put, &error), &error);
    ridge_store_close(store);
    assert_int_equal(count_results(scratch), put + 1);
}

/** BP-051: a file system that is really full. Needs the right to mount one. */
static int fill_disk(const struct scratch *scratch)
{
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", scratch->folder, "tmpfs", 0, "size=512k") != 0) {
        return 77;
    }
    struct ridge_store *store = NULL;
    struct ridge_error error = {0};
    int64_t id = 0;
    const struct ridge_run_info info = fixture_info();
    if (ridge_store_open(scratch->context, scratch->path, RIDGE_STORE_WRITE, &store, NULL) != RIDGE_OK ||
        rg_store_run_begin(store, &info, fixture_names, FIXTURE_DIMENSIONS, &id, NULL) != RIDGE_OK) {
        return 1;
    }
    unsigned put = 0;
    while (put < 5000 && fixture_put(store, id, put, &error) == RIDGE_OK) {
        put++;
    }
    ridge_store_close(store);
    if (put == 0 || error.status != RIDGE_E_IO ||
        !(strstr(error.message, "no space left") || strstr(error.message, "No space left"))) {
        fprintf(stderr, "after %u: %s\n", put, error.message);
        return 2;
    }
    struct ridge_run *run = NULL;
    if (ridge_store_open(scratch->context, scratch->path, RIDGE_STORE_READ, &store, &error) != RIDGE_OK ||
        ridge_store_run_load(store, id, &run, &error) != RIDGE_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 3;
    }
    const bool whole = run->record_count == put;
    ridge_run_destroy(run);
    ridge_store_close(store);
    return whole ? 0 : 4;
}

static void test_bp_051_full_disk(void **state)
{
    const int code = in_child(fill_disk, *state);
    if (code == 77) {
        skip();
    }
    assert_int_equal(code, 0);
}

static void test_locked(void **state)
{
    struct scratch *scratch = *state;
    struct ridge_error error = {0};
    struct ridge_store *first = scratch_open(scratch, RIDGE_STORE_WRITE);
    int64_t id = 0;
    assert_ok(fixture_run(first, 5, &id, &error), &error);
    assert_ok(rg_store_begin(first, "test", &error), &error);
    struct ridge_store *second = scratch_open(scratch, RIDGE_STORE_WRITE);
    sqlite3_busy_timeout(second->database, 20); /* 30 s are long for a test */
    assert_int_equal(fixture_put(second, id, 6, &error), RIDGE_E_STORE);
    assert_non_null(strstr(error.message, "another process"));
    rg_store_rollback(first);
    error = (struct ridge_error){0};
    assert_ok(fixture_put(second, id, 6, &error), &error);
    ridge_store_close(first);
    ridge_store_close(second);
    assert_int_equal(count_results(scratch), 6);
}

/** Give up the rights of root, which no permission stops. */
static bool become_nobody(const struct scratch *scratch)
{
    return geteuid() != 0 || (chown(scratch->folder, 65534, 65534) == 0 && setgid(65534) == 0 && setuid(65534) == 0);
}

static int write_readonly(const struct scratch *scratch)
{
    if (chmod(scratch->path, 0444) != 0 || !become_nobody(scratch)) {
        return 77;
    }
    struct ridge_store *store = NULL;
    struct ridge_error error = {0};
    const ridge_status status = ridge_store_open(scratch->context, scratch->path, RIDGE_STORE_WRITE, &store, &error);
    return status == RIDGE_E_IO && strstr(error.message, "denied") ? 0 : 1;
}

/** Read from a folder that nobody may write to; `left` says whether a journal with results was left behind. */
static int read_in_readonly_folder(const struct scratch *scratch)
{
    char journal[256];
    snprintf(journal, sizeof journal, "%s-wal", scratch->path);
    const bool left = access(journal, F_OK) == 0;
    if (!become_nobody(scratch) || chmod(scratch->folder, 0555) != 0) {
        return 77;
    }
    struct ridge_store *store = NULL;
    struct ridge_error error = {0};
    const ridge_status status = ridge_store_open(scratch->context, scratch->path, RIDGE_STORE_READ, &store, &error);
    if (left) {
        return status == RIDGE_E_IO && strstr(error.message, "journal") ? 0 : 1;
    }
    struct ridge_run *run = NULL;
    if (status != RIDGE_OK || ridge_store_run_load(store, 0, &run, &error) != RIDGE_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    const bool whole = run->record_count == 5;
    ridge_run_destroy(run);
    ridge_store_close(store);
    return whole ? 0 : 3;
}

static void test_readonly(void **state)
{
    struct scratch *scratch = *state;
    snprintf(scratch->path, sizeof scratch->path, "%s/odd %%20?#name.db", scratch->folder);
    make_run(scratch);
    const int file = in_child(write_readonly, scratch);
    const int folder = in_child(read_in_readonly_folder, scratch);
    chmod(scratch->folder, 0755);
    if (file == 77 || folder == 77) {
        skip();
    }
    assert_int_equal(file, 0);
    assert_int_equal(folder, 0);
}

static int leave_journal(const struct scratch *scratch)
{
    struct ridge_store *store = NULL;
    int64_t id = 0;
    const bool made = ridge_store_open(scratch->context, scratch->path, RIDGE_STORE_WRITE, &store, NULL) == RIDGE_OK &&
                      fixture_run(store, 5, &id, NULL) == RIDGE_OK;
    _exit(made ? 0 : 1); /* without closing: as if it was killed */
}

/** After a kill the journal holds the results: they are read where the folder can be written, else it says why not. */
static void test_journal_left_behind(void **state)
{
    struct scratch *scratch = *state;
    assert_int_equal(in_child(leave_journal, scratch), 0);
    char shared[256];
    snprintf(shared, sizeof shared, "%s-shm", scratch->path);
    unlink(shared);
    const int code = in_child(read_in_readonly_folder, scratch);
    chmod(scratch->folder, 0755);
    if (code == 77) {
        skip();
    }
    assert_int_equal(code, 0);
    assert_int_equal(count_results(scratch), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_missing),
        scratch_test(test_not_a_file),
        scratch_test(test_not_a_database),
        scratch_test(test_empty_file),
        scratch_test(test_a_database_of_something_else),
        scratch_test(test_bp_042_newer),
        scratch_test(test_damaged),
        scratch_test(test_rows_without_sense),
        scratch_test(test_full_by_limit),
        scratch_test(test_bp_051_full_disk),
        scratch_test(test_locked),
        scratch_test(test_readonly),
        scratch_test(test_journal_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
