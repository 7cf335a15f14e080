/* SPDX-License-Identifier: MIT */
/**
 * \file Damaged compiled code: every fixture cut at every byte, with every byte changed, and overwritten at random. It
 * is read or refused with a message that names a byte; a sanitizer build finds reads outside. Prints its seed.
 */
#include "rg_test.h"

#include <dirent.h>
#include <time.h>

#include "base/rng.h"
#include "binary_fixture.h"

static const char *folder;
static uint64_t seed;

struct damage {
    struct ridge_context *context;
    uint64_t read, refused;
};

/** Read a copy of the exact size, so that a read behind its end is one outside of the block. */
static void read_copy(struct damage *damage, struct blob blob)
{
    struct ridge_error error = {0};
    struct found found;
    const struct blob copy = {malloc(blob.size ? blob.size : 1), blob.size};
    assert_non_null(copy.bytes);
    memcpy(copy.bytes, blob.bytes, blob.size);
    const ridge_status status = found_read(damage->context, copy, &found, &error);
    if (status == RIDGE_OK) {
        damage->read++;
    } else {
        assert_int_equal(status, RIDGE_E_SYNTAX);
        assert_true(strstr(error.message, "byte ") || strstr(error.message, "empty"));
        damage->refused++;
    }
    free(copy.bytes);
}

static void cut_everywhere(struct damage *damage, struct blob blob)
{
    for (size_t size = 0; size < blob.size; size++) {
        read_copy(damage, (struct blob){blob.bytes, size});
    }
}

static void change_everywhere(struct damage *damage, struct blob blob, struct rg_rng *rng)
{
    for (size_t i = 0; i < blob.size; i++) {
        const uint8_t was = blob.bytes[i];
        blob.bytes[i] = (uint8_t)(was ^ (1U << rg_rng_below(rng, 8)));
        read_copy(damage, blob);
        blob.bytes[i] = was;
    }
}

/** Numbers that break sums and products, anywhere. */
static void overwrite(struct damage *damage, struct blob blob, struct rg_rng *rng)
{
    static const uint64_t numbers[] = {0,           1,         0x7fffffff, 0xffffffff,
                                       0x100000000, INT64_MAX, UINT64_MAX, UINT64_MAX - 63};
    for (size_t i = 0; i < 2000 && blob.size > 8; i++) {
        uint64_t was;
        const size_t at = rg_rng_below(rng, blob.size - 8);
        const size_t bytes = 2U << rg_rng_below(rng, 3);
        memcpy(&was, blob.bytes + at, sizeof was);
        memcpy(blob.bytes + at, &numbers[rg_rng_below(rng, 8)], bytes);
        read_copy(damage, blob);
        memcpy(blob.bytes + at, &was, sizeof was);
    }
}

static bool is_fixture(const char *name)
{
    static const char *const suffixes[] = {".cubin", ".fatbin", ".so", ".obj", ".co", ".hipfb"};
    const char *suffix = strrchr(name, '.');
    for (size_t i = 0; suffix && i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (strcmp(suffix, suffixes[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void test_damage(void **state)
{
    (void)state;
    struct damage damage = {.context = test_context()};
    struct rg_rng rng;
    size_t files = 0;
    DIR *listing = opendir(folder);
    rg_rng_init(&rng, seed);
    assert_non_null(listing);
    for (const struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        if (!is_fixture(entry->d_name)) {
            continue;
        }
        const struct blob blob = blob_read(folder, entry->d_name);
        cut_everywhere(&damage, blob);
        change_everywhere(&damage, blob, &rng);
        overwrite(&damage, blob, &rng);
        free(blob.bytes);
        files++;
    }
    closedir(listing);
    printf("%zu files: %llu damaged ones read, %llu refused\n", files, (unsigned long long)damage.read,
           (unsigned long long)damage.refused);
    assert_true(files >= 10);
    assert_true(damage.refused > 10000);
    assert_true(damage.read > 1000);
    ridge_context_destroy(damage.context);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_damage)};
    if (argc < 2) {
        return 2;
    }
    folder = argv[1];
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
