/* SPDX-License-Identifier: MIT */
/** \file text/toml: order, positions in bytes, line ends, marks, and what is refused. */
#include "rg_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "failing_allocator.h"
#include "text/toml.h"

struct fixture {
    struct ridge_context *context;
    struct rg_arena arena;
    const struct rg_toml *root;
    struct ridge_error error;
};

static ridge_status read_bytes(struct fixture *fixture, const char *text, size_t length)
{
    fixture->context = test_context();
    rg_arena_init(&fixture->arena, fixture->context);
    memset(&fixture->error, 0, sizeof fixture->error);
    fixture->root = NULL;
    return rg_toml_read(&fixture->arena, "a.toml", text, length, &fixture->root, &fixture->error);
}

static ridge_status read_text(struct fixture *fixture, const char *text)
{
    return read_bytes(fixture, text, strlen(text));
}

static void done(struct fixture *fixture)
{
    rg_arena_fini(&fixture->arena);
    ridge_context_destroy(fixture->context);
}

static void test_types_and_order(void **state)
{
    (void)state;
    struct fixture f;
    assert_ok(
        read_text(&f, "zeta = 1\nalpha = 2.5\nmid = true\ntext = 'x'\n[b]\nk = [1, 'two']\n[a]\nwhen = 1979-05-27\n"),
        &f.error);
    static const char *const keys[] = {"zeta", "alpha", "mid", "text", "b", "a"};
    assert_int_equal(f.root->count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(f.root->children[i].key, keys[i]);
    }
    assert_int_equal(rg_toml_get(f.root, "zeta")->integer, 1);
    assert_true(rg_toml_get(f.root, "alpha")->number == 2.5);
    assert_true(rg_toml_get(f.root, "mid")->truth);
    assert_string_equal(rg_toml_get(f.root, "text")->text, "x");
    const struct rg_toml *list = rg_toml_get(rg_toml_get(f.root, "b"), "k");
    assert_int_equal(list->type, RG_TOML_ARRAY);
    assert_int_equal(list->count, 2);
    assert_null(list->children[0].key);
    assert_int_equal(list->children[1].type, RG_TOML_TEXT);
    assert_int_equal(rg_toml_get(rg_toml_get(f.root, "a"), "when")->type, RG_TOML_DATE);
    assert_null(rg_toml_get(f.root, "none"));
    assert_null(rg_toml_get(NULL, "none"));
    assert_string_equal(rg_toml_type_name(RG_TOML_INT), "an integer");
    done(&f);
}

static void test_positions_are_bytes(void **state)
{
    (void)state;
    struct fixture f;
    assert_ok(read_text(&f, "\"gr\xC3\xB6\xC3\x9F\x65\" = [1, 22]\n  b = { c = 'd' }\n"), &f.error);
    const struct rg_toml *first = &f.root->children[0];
    assert_int_equal(first->key_place.line, 1);
    assert_int_equal(first->key_place.column, 1);
    assert_int_equal(first->key_place.length, 9);
    assert_int_equal(first->place.column, 13);
    assert_int_equal(first->children[1].place.column, 17);
    assert_int_equal(first->children[1].place.length, 2);
    const struct rg_toml *c = &f.root->children[1].children[0];
    assert_int_equal(c->key_place.line, 2);
    assert_int_equal(c->key_place.column, 9);
    assert_int_equal(c->place.column, 13);
    done(&f);
}

static void test_mark_and_line_ends(void **state)
{
    (void)state;
    struct fixture f;
    assert_ok(read_text(&f, "\xEF\xBB\xBF"
                            "a = 1\r\nb = \"\"\"\r\nx ==\r\n1\"\"\"\r\nc = '''p\r\nq'''\r\n"),
              &f.error);
    assert_int_equal(f.root->children[0].place.column, 5);
    assert_string_equal(rg_toml_get(f.root, "b")->text, "x ==\n1");
    assert_string_equal(rg_toml_get(f.root, "c")->text, "p\nq");
    done(&f);
}

static void test_text_places(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line, column;
    } rows[] = {
        {"a = \"x\"", 1, 6},         {"a = 'x'", 1, 6},
        {"a = \"\"\"x\"\"\"", 1, 8}, {"a = \"\"\"\nx\"\"\"", 2, 1},
        {"a = '''\r\nx'''", 2, 1},   {"\n  a = \"x \\\" y\"", 2, 0},
        {"a = \"\"", 1, 6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fixture f;
        assert_ok(read_text(&f, rows[i].text), &f.error);
        const struct rg_place place = rg_toml_text_place(&f.root->children[0]);
        assert_int_equal(place.line, rows[i].line);
        assert_int_equal(place.column, rows[i].column);
        done(&f);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line;
        const char *message;
    } rows[] = {
        {"a = 1\nb = \"open\nc = 2\n", 2, "close the quote"},
        {"a = 1\na = 2\n", 2, "once"},
        {"[t]\nx = 1\n[t]\n", 3, "once"},
        {"a = [1, 2", 1, "close"},
        {"a =\n", 1, "("},
        {"a 1\n", 1, "("},
        {"a = \"\\q\"\n", 1, "escape"},
        {"a = '\xFF'\n", 1, "UTF-8"},
        {"a = \"x\\u0000y\"\n", 1, "U+0000"},
        {"b = 1\ra = 2\n", 1, "("},
        {"x = 99999999999999999999\n", 1, "("},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fixture f;
        assert_int_equal(read_text(&f, rows[i].text), RIDGE_E_SYNTAX);
        assert_int_equal(f.error.line, rows[i].line);
        assert_string_equal(f.error.file, "a.toml");
        if (!strstr(f.error.message, rows[i].message)) {
            fail_msg("'%s' does not hold '%s'", f.error.message, rows[i].message);
        }
        done(&f);
    }
}

static void test_empty_and_zero_bytes(void **state)
{
    (void)state;
    struct fixture f;
    assert_ok(read_text(&f, ""), &f.error);
    assert_int_equal(f.root->count, 0);
    done(&f);
    assert_ok(read_text(&f, "\xEF\xBB\xBF"), &f.error);
    done(&f);
    assert_int_equal(read_bytes(&f, "a = 1\0b", 7), RIDGE_E_SYNTAX);
    done(&f);
}

/** Neither brackets nor dotted keys may exhaust the stack. */
static void test_deep_documents(void **state)
{
    (void)state;
    enum {
        DEPTH = 200000
    };
    char *text = calloc(1, 4 * DEPTH);
    assert_non_null(text);
    struct fixture f;
    memset(text, '[', DEPTH);
    memcpy(text, "a=", 2);
    assert_int_equal(read_text(&f, text), RIDGE_E_SYNTAX);
    done(&f);
    for (size_t i = 0; i < DEPTH; i++) {
        memcpy(text + 4 * i, "'='.", 4);
    }
    memcpy(text + 4 * (DEPTH - 1), "a=1", 4);
    assert_int_equal(read_text(&f, text), RIDGE_E_SYNTAX);
    assert_non_null(strstr(f.error.message, "dots"));
    done(&f);
    free(text);
    assert_ok(read_text(&f, "# ................................................................................... \n"
                            "a = '..................................................................................'"),
              &f.error);
    done(&f);
}

/** The deepest document that passes both limits of the reader: 64 dots in each of 255 nested tables. */
static void test_deepest_document_that_is_let_through(void **state)
{
    (void)state;
    char *text = calloc(1, 256 * 140);
    assert_non_null(text);
    size_t used = 0;
    for (int table = 0; table < 250; table++) {
        for (int dot = 0; dot < 64; dot++) {
            text[used++] = 'a';
            text[used++] = '.';
        }
        memcpy(text + used, "a={", 4);
        used += 3;
    }
    memset(text + used, '}', 250);
    struct fixture f;
    assert_int_equal(read_text(&f, text), RIDGE_E_SYNTAX);
    assert_non_null(strstr(f.error.message, "deep"));
    done(&f);
    free(text);
}

static void test_no_memory(void **state)
{
    (void)state;
    char text[60000] = "a = '";
    memset(text + 5, 'x', 40000);
    strcpy(text + 40005, "'\nb = 1\n");
    ridge_status status = RIDGE_E_MEMORY;
    for (size_t fail_at = 1; status == RIDGE_E_MEMORY; fail_at++) {
        struct failing_allocator allocator = {.fail_at = fail_at};
        struct ridge_context *context = failing_context(&allocator);
        struct rg_arena arena;
        rg_arena_init(&arena, context);
        const struct rg_toml *root = NULL;
        status = rg_toml_read(&arena, "a.toml", text, strlen(text), &root, NULL);
        assert_true(status == RIDGE_E_MEMORY ? root == NULL : root->count == 2);
        assert_true(fail_at < 20);
        rg_arena_fini(&arena);
        ridge_context_destroy(context);
    }
    assert_int_equal(status, RIDGE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_and_order),
        cmocka_unit_test(test_positions_are_bytes),
        cmocka_unit_test(test_mark_and_line_ends),
        cmocka_unit_test(test_text_places),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_empty_and_zero_bytes),
        cmocka_unit_test(test_deep_documents),
        cmocka_unit_test(test_deepest_document_that_is_let_through),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
