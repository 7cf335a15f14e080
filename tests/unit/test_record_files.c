/* SPDX-License-Identifier: MIT */
/**
 * \file Round trips: a run, written in each format and read again, is the same run to the last bit; the same through
 * the store. With invented runs; or, given a folder, with every recorded file in it (exit 77: there is none).
 */
#include "rg_test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/buffer.h"
#include "ridge/record.h"
#include "ridge/report.h"
#include "ridge/units.h"
#include "scratch.h"
#include "store/import.h"

static bool buffer_sink(void *user, const char *bytes, size_t length)
{
    rg_buffer_append(user, bytes, length);
    return true;
}

/** Equal to the last bit, and two that are unknown are equal. */
static bool same_number(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool same_value(const struct ridge_value *a, const struct ridge_value *b)
{
    if (a->type != b->type) {
        return false;
    }
    switch (a->type) {
    case RIDGE_INT: return a->as.integer == b->as.integer;
    case RIDGE_FLOAT: return same_number(a->as.number, b->as.number);
    case RIDGE_BOOL: return a->as.truth == b->as.truth;
    case RIDGE_TEXT: return strcmp(a->as.text, b->as.text) == 0;
    }
    return false;
}

static bool same_record(const struct ridge_run *run, const struct ridge_record *a, const struct ridge_record *b)
{
    bool same = strcmp(a->id, b->id) == 0 && a->outcome == b->outcome && a->kind == b->kind &&
                a->sample_count == b->sample_count && a->rejected == b->rejected && a->registers == b->registers &&
                a->shared_bytes == b->shared_bytes && a->spill_bytes == b->spill_bytes &&
                same_number(a->compile_s, b->compile_s) && same_number(a->run_s, b->run_s) && !a->text == !b->text &&
                (!a->text || strcmp(a->text, b->text) == 0);
    for (size_t i = 0; i < run->dimension_count; i++) {
        same = same && same_value(&a->values[i], &b->values[i]);
    }
    return same &&
           (a->sample_count == 0 || memcmp(a->samples_s, b->samples_s, (size_t)a->sample_count * sizeof(double)) == 0);
}

static void check_same(const struct ridge_run *a, const struct ridge_run *b, const char *what)
{
    assert_string_equal(a->info.kernel, b->info.kernel);
    assert_string_equal(a->info.device, b->info.device);
    assert_int_equal(a->dimension_count, b->dimension_count);
    assert_int_equal(a->record_count, b->record_count);
    for (size_t i = 0; i < a->dimension_count; i++) {
        assert_string_equal(a->dimension_names[i], b->dimension_names[i]);
    }
    for (size_t i = 0; i < a->record_count; i++) {
        if (!same_record(a, &a->records[i], &b->records[i])) {
            fail_msg("%s: record %zu (%s) is not the same", what, i, a->records[i].id);
        }
    }
    assert_int_equal(a->ranked_count, b->ranked_count);
}

/** Write, read again, compare. `format` 2 is CSV. */
static void check_format(struct ridge_context *context, const struct ridge_run *run, int format, const char *what)
{
    struct rg_buffer text;
    struct ridge_error error = {0};
    struct ridge_run *again = NULL;
    rg_buffer_init(&text, context);
    const struct ridge_sink sink = {buffer_sink, &text};
    assert_ok(format == 2 ? ridge_report_csv(run, RIDGE_REPORT_SAMPLES, sink, &error)
                          : ridge_record_write(run, (ridge_record_format)format, sink, &error),
              &error);
    assert_ok(rg_record_parse(context, what, rg_buffer_text(&text), text.length, NULL, &again, &error), &error);
    check_same(run, again, what);
    rg_buffer_fini(&text);
    ridge_run_destroy(again);
}

static void check_store(const struct scratch *scratch, const struct ridge_run *run, const char *what)
{
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_WRITE);
    int64_t id = 0;
    int64_t second = 0;
    bool added = false;
    assert_ok(ridge_store_import(store, run, &id, &added, &error), &error);
    assert_true(added);
    assert_ok(ridge_store_import(store, run, &second, &added, &error), &error);
    assert_false(added);
    assert_int_equal(id, second);
    struct ridge_run *again = NULL;
    assert_ok(ridge_store_run_load(store, id, &again, &error), &error);
    check_same(run, again, what);
    assert_string_equal(again->started_at, run->started_at);
    assert_int_equal(again->state, run->state);
    assert_int_equal(again->note_count, run->note_count);
    assert_string_equal(again->info.source_hash, run->info.source_hash);
    ridge_run_destroy(again);
    ridge_store_close(store);
}

/** Every outcome, type, text and fact; times that milliseconds do not bring back. */
static struct ridge_run *invented(struct ridge_context *context)
{
    struct rg_buffer text;
    struct ridge_error error = {0};
    struct ridge_run *run = NULL;
    rg_buffer_init(&text, context);
    rg_buffer_puts(&text, "id,flag,size,type,outcome,kind,rejected,compile_s,run_s,text,samples_s,kernel,device,"
                          "registers,shared_bytes,spill_bytes\n");
    for (int i = 0; i < RIDGE_OUTCOME_COUNT; i++) {
        rg_buffer_printf(&text, "x,%s,%d.5,\"a, \"\"b\"\"\",%s,recorded,0,0.1,,%s,,\"k\"\"\n\",d,%d,0,\n",
                         i % 2 ? "true" : "false", i, ridge_outcome_word((ridge_outcome)i),
                         i > 0 ? "\"line one\nline two\"" : "", 10 + i);
    }
    for (int i = 0; i < 200; i++) {
        char number[2][RIDGE_NUMBER_BYTES];
        ridge_number_format(1.024 + i * 0.0048828125 + i * 2.220446049250313e-16, number[0]);
        ridge_number_format(1e-7 / (i + 3), number[1]);
        rg_buffer_printf(&text, "x,true,%d.0,t,ok,recorded,%d,%s,%s,,%s %s,\"k\"\"\n\",d,,,\n", i, i % 3, number[0],
                         number[1], number[0], number[1]);
    }
    assert_ok(rg_record_parse(context, "invented.csv", rg_buffer_text(&text), text.length, NULL, &run, &error), &error);
    rg_buffer_fini(&text);
    assert_int_equal(run->record_count, 200 + RIDGE_OUTCOME_COUNT);
    return run;
}

static void test_invented(void **state)
{
    const struct scratch *scratch = *state;
    struct ridge_run *run = invented(scratch->context);
    for (int format = 0; format < 3; format++) {
        check_format(scratch->context, run, format, "invented");
    }
    check_store(scratch, run, "invented");
    ridge_run_destroy(run);
}

static glob_t found;

static void test_recorded_files(void **state)
{
    const struct scratch *scratch = *state;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct ridge_error error = {0};
        struct ridge_run *run = NULL;
        assert_ok(ridge_record_read(scratch->context, found.gl_pathv[i], NULL, &run, &error), &error);
        assert_true(run->ranked_count > 2000);
        for (int format = 0; format < 3; format++) {
            check_format(scratch->context, run, format, found.gl_pathv[i]);
        }
        if (run->record_count < 4400) {
            check_store(scratch, run, found.gl_pathv[i]);
        }
        ridge_run_destroy(run);
    }
}

/** A gzip file, then one that is cut and one that is damaged. */
static void test_gzip(void **state)
{
    const struct scratch *scratch = *state;
    struct ridge_run *run = invented(scratch->context);
    struct rg_buffer text;
    struct ridge_error error = {0};
    char path[160];
    rg_buffer_init(&text, scratch->context);
    assert_ok(ridge_record_write(run, RIDGE_RECORD_CACHE, (struct ridge_sink){buffer_sink, &text}, &error), &error);
    snprintf(path, sizeof path, "%s/\xE8\xB0\x83\xE4\xBC\x98 a.json.gz", scratch->folder);
    gzFile file = gzopen(path, "wb");
    assert_int_equal(gzwrite(file, rg_buffer_text(&text), (unsigned)text.length), (int)text.length);
    gzclose(file);
    struct ridge_run *again = NULL;
    assert_ok(ridge_record_read(scratch->context, path, NULL, &again, &error), &error);
    check_same(run, again, "gzip");
    ridge_run_destroy(again);
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(truncate(path, facts.st_size / 2), 0);
    assert_ok(ridge_record_read(scratch->context, path, NULL, &again, &error), &error);
    assert_true(again->record_count > 10 && again->record_count < run->record_count);
    assert_string_equal(again->notes[0], "the gzip data ends early: what could be unpacked was read");
    ridge_run_destroy(again);
    FILE *damaged = fopen(path, "r+b");
    assert_non_null(damaged);
    fseek(damaged, 40, SEEK_SET);
    fwrite("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 1, 8, damaged);
    fclose(damaged);
    assert_int_equal(ridge_record_read(scratch->context, path, NULL, &again, &error), RIDGE_E_SYNTAX);
    assert_non_null(strstr(error.message, "gzip data is damaged"));
    rg_buffer_fini(&text);
    ridge_run_destroy(run);
}

/** What unpacks to more than the limit is refused, whatever its trailer says. */
static void test_gzip_bomb(void **state)
{
    const struct scratch *scratch = *state;
    const struct ridge_context_options options = {.max_input_bytes = 100000};
    struct ridge_context *context = NULL;
    struct ridge_error error = {0};
    struct ridge_run *run = NULL;
    char path[160];
    assert_ok(ridge_context_create(&options, &context, &error), &error);
    snprintf(path, sizeof path, "%s/bomb.gz", scratch->folder);
    gzFile file = gzopen(path, "wb");
    static char zeros[65536];
    for (int i = 0; i < 160; i++) {
        assert_int_equal(gzwrite(file, zeros, sizeof zeros), sizeof zeros);
    }
    gzclose(file);
    assert_int_equal(ridge_record_read(context, path, NULL, &run, &error), RIDGE_E_LIMIT);
    error = (struct ridge_error){0};
    assert_int_equal(ridge_record_read(context, scratch->folder, NULL, &run, &error), RIDGE_E_IO);
    ridge_context_destroy(context);
}

int main(int count, char **arguments)
{
    static const int skipped = 77;
    char pattern[4096];
    const struct CMUnitTest recorded[] = {scratch_test(test_recorded_files)};
    const struct CMUnitTest tests[] = {
        scratch_test(test_invented),
        scratch_test(test_gzip),
        scratch_test(test_gzip_bomb),
    };
    if (count < 2) {
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
    snprintf(pattern, sizeof pattern, "%s/*.json.gz", arguments[1]);
    if (glob(pattern, 0, NULL, &found) != 0) {
        return skipped;
    }
    const int failed = cmocka_run_group_tests(recorded, NULL, NULL);
    globfree(&found);
    return failed;
}
