/* SPDX-License-Identifier: MIT */
/** \file base: arena, buffer, errors, hash, random numbers, near names, files. */
#include "rg_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/rng.h"
#include "ridge/units.h"

static void test_sha256_vectors(void **state)
{
    (void)state;
    /* FIPS 180-4 example vectors: "abc", the 448-bit message, and the empty message. */
    static const char *const vectors[][2] = {
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}};
    for (size_t i = 0; i < 3; i++) {
        struct rg_sha256 hash;
        char hex[RG_SHA256_HEX_BYTES];
        rg_sha256_init(&hash);
        for (const char *at = vectors[i][0]; *at; at++) {
            rg_sha256_update(&hash, at, 1);
        }
        rg_sha256_final_hex(&hash, hex);
        assert_string_equal(hex, vectors[i][1]);
    }
}

static void test_sha256_block_edges(void **state)
{
    (void)state;
    /* 55, 56, 63, 64, 65 and 1,000,000 bytes of 'a': around the padding's edges; digests from coreutils' sha256sum. */
    static const struct {
        size_t length;
        const char *digest;
    } rows[] = {{55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
                {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
                {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
                {1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
    char *text = malloc(1000000);
    memset(text, 'a', 1000000);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rg_sha256 hash;
        char hex[RG_SHA256_HEX_BYTES];
        rg_sha256_init(&hash);
        rg_sha256_update(&hash, text, rows[i].length);
        rg_sha256_final_hex(&hash, hex);
        assert_string_equal(hex, rows[i].digest);
    }
    free(text);
}

static void test_rng_is_uniform_and_repeats(void **state)
{
    (void)state;
    struct rg_rng a;
    struct rg_rng b;
    rg_rng_init(&a, 7);
    rg_rng_init(&b, 7);
    unsigned seen[6] = {0};
    for (int i = 0; i < 60000; i++) {
        const uint64_t drawn = rg_rng_below(&a, 6);
        assert_int_equal(drawn, rg_rng_below(&b, 6));
        seen[drawn]++;
    }
    for (size_t face = 0; face < 6; face++) {
        assert_in_range(seen[face], 9500, 10500);
    }
    assert_int_equal(rg_rng_below(&a, 0), 0);
    assert_int_equal(rg_rng_below(&a, 1), 0);
}

static void test_error_form(void **state)
{
    (void)state;
    struct ridge_error error = {0};
    const struct rg_place place = {
        .file = "kernel.toml", .text = "a = 1\nb\t= \xC3\xA4x\n", .line = 2, .column = 7, .length = 1};
    assert_int_equal(rg_error_at(&error, RIDGE_E_VALUE, &place, "wrong (right)"), RIDGE_E_VALUE);
    rg_error_set(&error, RIDGE_E_IO, "a later error is not kept");
    char text[256];
    ridge_error_format(&error, text, sizeof text);
    assert_string_equal(text, "kernel.toml:2:7: wrong (right)\n  b\t= \xC3\xA4x\n   \t   ^");
    char cut[8];
    assert_int_equal(ridge_error_format(&error, cut, sizeof cut), strlen(text));
    assert_string_equal(cut, "kernel.");
    assert_int_equal(rg_error_set(NULL, RIDGE_E_IO, "no record"), RIDGE_E_IO);
}

/** Every status has a name and words of its own; a number that is none has neither, and no crash. */
static void test_status_words(void **state)
{
    (void)state;
    assert_string_equal(ridge_status_name(RIDGE_E_UNAVAILABLE), "RIDGE_E_UNAVAILABLE");
    assert_string_equal(ridge_status_text(RIDGE_E_UNAVAILABLE), "no such device or backend");
    for (int i = 0; i <= RIDGE_E_INTERNAL; i++) {
        assert_string_not_equal(ridge_status_name((ridge_status)i), "RIDGE_E_?");
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(ridge_status_text((ridge_status)i), ridge_status_text((ridge_status)k));
        }
    }
    assert_string_equal(ridge_status_name((ridge_status)(RIDGE_E_INTERNAL + 1)), "RIDGE_E_?");
    assert_string_equal(ridge_status_name((ridge_status)-1), "RIDGE_E_?");
    assert_string_equal(ridge_status_text((ridge_status)1000), "an unknown status");
}

static void test_error_long_path_keeps_its_end(void **state)
{
    (void)state;
    char path[900];
    memset(path, 'd', sizeof path);
    strcpy(path + sizeof path - 6, "/k.cl");
    struct ridge_error error = {0};
    const struct rg_place place = {.file = path};
    rg_error_at(&error, RIDGE_E_IO, &place, "gone");
    assert_int_equal(strlen(error.file), sizeof error.file - 1);
    assert_memory_equal(error.file, "...", 3);
    assert_string_equal(error.file + strlen(error.file) - 5, "/k.cl");
}

static void test_near_names(void **state)
{
    (void)state;
    static const char *const names[] = {"block_x", "tile", "unroll", NULL};
    assert_string_equal(ridge_near_name("blockx", names, 4), "block_x");
    assert_string_equal(ridge_near_name("TILE", names, 4), "tile");
    assert_string_equal(ridge_near_name("unrol", names, 4), "unroll");
    assert_null(ridge_near_name("problem", names, 4));
}

static void test_arena_and_buffer(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct rg_arena arena;
    rg_arena_init(&arena, context);
    char *big = rg_arena_alloc(&arena, 100000);
    assert_non_null(big);
    assert_int_equal(big[99999], 0);
    assert_null(rg_arena_array(&arena, SIZE_MAX / 2, 4));
    assert_string_equal(rg_arena_printf(&arena, "%s-%d", "x", 7), "x-7");
    rg_arena_fini(&arena);

    struct rg_buffer buffer;
    rg_buffer_init(&buffer, context);
    assert_string_equal(rg_buffer_text(&buffer), "");
    for (int i = 0; i < 1000; i++) {
        rg_buffer_printf(&buffer, "%d,", i % 10);
    }
    assert_int_equal(buffer.length, 2000);
    assert_false(buffer.failed);
    rg_buffer_fini(&buffer);
    ridge_context_destroy(context);
}

static void test_file_round_trip_and_refusals(void **state)
{
    (void)state;
    struct ridge_context *context = NULL;
    const struct ridge_context_options options = {.max_input_bytes = 10};
    assert_int_equal(ridge_context_create(&options, &context, NULL), RIDGE_OK);
    struct rg_arena arena;
    rg_arena_init(&arena, context);
    char path[] = "/tmp/ridge-base-XXXXXX";
    close(mkstemp(path));
    struct ridge_error error = {0};
    assert_ok(rg_file_write(path, "0123456789", 10, &error), &error);
    char *text = NULL;
    size_t length = 0;
    assert_ok(rg_file_read(&arena, path, &text, &length, &error), &error);
    assert_int_equal(length, 10);
    assert_string_equal(text, "0123456789");
    assert_ok(rg_file_write(path, "0123456789a", 11, &error), &error);
    assert_int_equal(rg_file_read(&arena, path, &text, &length, &error), RIDGE_E_LIMIT);
    unlink(path);
    assert_int_equal(rg_file_read(&arena, path, &text, &length, NULL), RIDGE_E_IO);
    assert_int_equal(mkfifo(path, 0600), 0); /* a pipe that nobody writes to: opening it must not wait */
    assert_int_equal(rg_file_read(&arena, path, &text, &length, NULL), RIDGE_E_IO);
    unlink(path);
    assert_int_equal(rg_file_read(&arena, "/tmp", &text, &length, NULL), RIDGE_E_IO);
    rg_arena_fini(&arena);
    ridge_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256_vectors),
        cmocka_unit_test(test_sha256_block_edges),
        cmocka_unit_test(test_rng_is_uniform_and_repeats),
        cmocka_unit_test(test_status_words),
        cmocka_unit_test(test_error_form),
        cmocka_unit_test(test_error_long_path_keeps_its_end),
        cmocka_unit_test(test_near_names),
        cmocka_unit_test(test_arena_and_buffer),
        cmocka_unit_test(test_file_round_trip_and_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
