/* SPDX-License-Identifier: MIT */
/**
 * \file Packed images unpacked on several threads: the same kernels in the same order as on one, damage told where it
 * is, memory that has a limit and may run out, and images that are too large to be kept in it.
 */
#include "rg_test.h"

#include <lz4.h>
#include <pthread.h>
#include <sys/resource.h>
#include <zstd.h>

#include "base/rng.h"
#include "binary_fixture.h"
#include "failing_allocator.h"

static const char *folder;

enum {
    ENTRY_BYTES = 64,
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    PLENTY = 100,      /* entries: more than are ever unpacked ahead */
    EIGHT = 8,         /* threads: more than this machine may have */
    PAD_BYTES = 11000, /* images of 11 to 99 kB: below 16 KiB they are not unpacked ahead */
    MIB = 1 << 20
};

static void blob_add(struct blob *blob, const void *bytes, size_t size)
{
    blob->bytes = realloc(blob->bytes, blob->size + size);
    assert_non_null(blob->bytes);
    memcpy(blob->bytes + blob->size, bytes, size);
    blob->size += size;
}

/** Begin a fat binary; fatbin_end writes its size. */
static struct blob fatbin_begin(void)
{
    static const uint8_t header[16] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
    struct blob fatbin = {NULL, 0};
    blob_add(&fatbin, header, sizeof header);
    return fatbin;
}

static void fatbin_end(const struct blob *fatbin)
{
    const uint64_t content_bytes = fatbin->size - 16;
    memcpy(fatbin->bytes + 8, &content_bytes, sizeof content_bytes);
}

/** Add an image, packed. \return the offset of its packed bytes */
static size_t fatbin_add(struct blob *fatbin, struct blob image, uint64_t flags)
{
    const size_t room = flags & FLAG_LZ4 ? (size_t)LZ4_compressBound((int)image.size) : ZSTD_compressBound(image.size);
    char *packed = calloc(1, room + 8);
    assert_non_null(packed);
    const size_t size =
        flags & FLAG_LZ4 ? (size_t)LZ4_compress_default((const char *)image.bytes, packed, (int)image.size, (int)room)
                         : ZSTD_compress(packed, room, image.bytes, image.size, 3);
    const uint16_t kind = 2;
    const uint32_t header_bytes = ENTRY_BYTES;
    const uint64_t padded = (size + 7) / 8 * 8;
    const uint32_t packed_bytes = (uint32_t)size;
    const uint32_t arch = 80;
    const uint64_t unpacked = image.size;
    uint8_t header[ENTRY_BYTES] = {0};
    memcpy(header, &kind, sizeof kind);
    memcpy(header + 4, &header_bytes, sizeof header_bytes);
    memcpy(header + 8, &padded, sizeof padded);
    memcpy(header + 16, &packed_bytes, sizeof packed_bytes);
    memcpy(header + 28, &arch, sizeof arch);
    memcpy(header + 40, &flags, sizeof flags);
    memcpy(header + 56, &unpacked, sizeof unpacked);
    blob_add(fatbin, header, sizeof header);
    const size_t at = fatbin->size;
    blob_add(fatbin, packed, padded);
    free(packed);
    return at;
}

/** A cubin with zeros and some noise behind it: as large as is wanted, packed to little, and no bomb. */
static struct blob padded_cubin(const char *name, size_t size)
{
    struct blob blob = blob_read(folder, name);
    assert_true(size >= blob.size);
    blob.bytes = realloc(blob.bytes, size);
    assert_non_null(blob.bytes);
    memset(blob.bytes + blob.size, 0, size - blob.size);
    struct rg_rng rng;
    rg_rng_init(&rng, 1);
    for (size_t i = blob.size; i < size; i += rg_rng_below(&rng, 64)) {
        blob.bytes[i] = (uint8_t)rg_rng_below(&rng, 256);
    }
    blob.size = size;
    return blob;
}

/** Many images of three kinds and two codecs. \param[out] at  where their packed bytes begin; may be NULL */
static struct blob plenty_make(size_t at[PLENTY])
{
    static const char *const names[] = {"two.sm_80.cubin", "spill.sm_80.cubin", "spill_32.sm_80.cubin"};
    struct blob fatbin = fatbin_begin();
    for (size_t i = 0; i < PLENTY; i++) {
        const struct blob image = padded_cubin(names[i % 3], (i % 9 + 1) * PAD_BYTES);
        const size_t begin = fatbin_add(&fatbin, image, i % 4 == 3 ? FLAG_LZ4 : FLAG_ZSTD);
        if (at) {
            at[i] = begin;
        }
        free(image.bytes);
    }
    fatbin_end(&fatbin);
    return fatbin;
}

/** All that a visit tells, as text: kernels and warnings in the order in which they come. */
struct told {
    char *text;
    size_t size, room;
    uint64_t skipped;
    size_t kernels, most; /* `most` 0: all */
    pthread_t thread;
    bool strayed; /* something was told from another thread */
};

static void tell(struct told *told, const char *first, const char *second, uint32_t registers, uint32_t spills)
{
    const size_t needed = told->size + strlen(first) + strlen(second) + 64;
    if (needed > told->room) {
        told->room = 2 * needed;
        told->text = realloc(told->text, told->room);
        assert_non_null(told->text);
    }
    told->size += (size_t)snprintf(told->text + told->size, told->room - told->size, "%s %s %u %u\n", first, second,
                                   registers, spills);
    told->strayed = told->strayed || !pthread_equal(told->thread, pthread_self());
}

static bool tell_kernel(void *user, const struct ridge_binary_kernel *kernel)
{
    struct told *told = user;
    tell(told, kernel->image, kernel->readable_name, kernel->registers, kernel->spill_load_bytes);
    return ++told->kernels != told->most;
}

static void tell_warning(void *user, ridge_log_level level, const char *message)
{
    (void)level;
    tell(user, "warning", message, 0, 0);
}

static ridge_status read_told(struct ridge_context *context, struct blob blob, unsigned threads, struct told *told,
                              struct ridge_error *error)
{
    const struct ridge_binary_visitor visitor = {.kernel = tell_kernel, .user = told, .threads = threads};
    struct ridge_binary *binary = NULL;
    ridge_status status = ridge_binary_open_bytes(context, blob.bytes, blob.size, "file", &binary, error);
    if (status == RIDGE_OK) {
        status = ridge_binary_visit(binary, &visitor, &told->skipped, error);
    }
    ridge_binary_close(binary);
    return status;
}

/** Read with so many threads; the text is to be freed. */
static struct told read_all(struct blob blob, unsigned threads, size_t most)
{
    struct told told = {.thread = pthread_self(), .most = most};
    const struct ridge_context_options options = {.log = tell_warning, .log_user = &told};
    struct ridge_context *context = NULL;
    struct ridge_error error = {0};
    assert_int_equal(ridge_context_create(&options, &context, NULL), RIDGE_OK);
    assert_ok(read_told(context, blob, threads, &told, &error), &error);
    assert_false(told.strayed);
    ridge_context_destroy(context);
    return told;
}

static void assert_same_told(struct blob blob, size_t most, uint64_t skipped, size_t kernels)
{
    struct told one = read_all(blob, 1, most);
    assert_int_equal(one.skipped, skipped);
    assert_int_equal(one.kernels, kernels);
    for (unsigned threads = 0; threads <= EIGHT; threads += 2) {
        struct told many = read_all(blob, threads, most);
        assert_string_equal(one.text, many.text);
        assert_int_equal(many.skipped, skipped);
        free(many.text);
    }
    free(one.text);
}

static void test_same_on_all_threads(void **state)
{
    (void)state;
    const struct blob blob = plenty_make(NULL);
    assert_same_told(blob, 0, 0, 34 * 3 + 66);
    free(blob.bytes);
}

/** Damage in the middle is told at its place, between what comes before it and behind it. */
static void test_damage_in_order(void **state)
{
    (void)state;
    size_t at[PLENTY];
    const struct blob blob = plenty_make(at);
    memset(blob.bytes + at[40] + 8, 0xff, 32);               /* zstd: damaged bytes */
    memset(blob.bytes + at[43] + 8, 0xff, 32);               /* LZ4 */
    memset(blob.bytes + at[52] - ENTRY_BYTES + 62, 0x7f, 1); /* a claim beyond everything */
    memset(blob.bytes + at[60] - ENTRY_BYTES + 56, 0xff, 1); /* a claim of some bytes more */
    memset(blob.bytes + at[61] - ENTRY_BYTES + 17, 0xff, 1); /* more packed bytes than there are */
    assert_same_told(blob, 0, 5, 34 * 3 + 66 - 5 - 2 * (40 % 3 == 0) - 2 * (60 % 3 == 0));
    struct told told = read_all(blob, EIGHT, 0);
    static const char *const parts[] = {"fatbin 1, entry 40 ",
                                        "warning file: fatbin 1, entry 41: byte 0: damaged zstd data",
                                        "fatbin 1, entry 42 ",
                                        "warning file: fatbin 1, entry 44: byte 0: damaged LZ4 data",
                                        "warning file: fatbin 1, entry 53: byte 0: ",
                                        "warning file: fatbin 1, entry 61: byte 0: damaged zstd data",
                                        "warning file: fatbin 1, entry 62: byte 0: ",
                                        "fatbin 1, entry 63 "};
    const char *rest = told.text;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *found = strstr(rest, parts[i]);
        if (!found) {
            fail_msg("'%s' is not told, or not in its order", parts[i]);
        }
        rest = found;
    }
    free(told.text);
    free(blob.bytes);
}

/** Cut off in the middle of a frame: what is whole was read. */
static void test_cut_frame(void **state)
{
    (void)state;
    size_t at[PLENTY];
    struct blob blob = plenty_make(at);
    const uint64_t half = (at[50] - at[49] - ENTRY_BYTES) / 2;
    const uint32_t packed_bytes = (uint32_t)half;
    memcpy(blob.bytes + at[49] - ENTRY_BYTES + 16, &packed_bytes, sizeof packed_bytes);
    assert_same_told(blob, 0, 1, 34 * 3 + 66 - 1);
    free(blob.bytes);
}

/** Enough was seen: images that were unpacked ahead are forgotten. */
static void test_stopping(void **state)
{
    (void)state;
    const struct blob blob = plenty_make(NULL);
    for (size_t most = 1; most < 12; most++) {
        assert_same_told(blob, most, 0, most);
    }
    free(blob.bytes);
}

/** An allocator that notes the most bytes that were out. */
struct noting {
    size_t bytes, peak;
};

static void *noting_resize(void *user, void *pointer, size_t old_bytes, size_t new_bytes)
{
    struct noting *noting = user;
    noting->bytes += new_bytes - (pointer ? old_bytes : 0);
    noting->peak = noting->bytes > noting->peak ? noting->bytes : noting->peak;
    if (new_bytes == 0) {
        free(pointer);
        return NULL;
    }
    return realloc(pointer, new_bytes);
}

/** \return the most bytes that reading took. */
static size_t peak_of(struct blob blob, unsigned threads, size_t kernels)
{
    struct noting noting = {0};
    struct told told = {.thread = pthread_self()};
    const struct ridge_context_options options = {.allocator = {noting_resize, &noting}};
    struct ridge_context *context = NULL;
    struct ridge_error error = {0};
    assert_int_equal(ridge_context_create(&options, &context, NULL), RIDGE_OK);
    assert_ok(read_told(context, blob, threads, &told, &error), &error);
    assert_int_equal(told.skipped, 0);
    assert_int_equal(told.kernels, kernels);
    free(told.text);
    ridge_context_destroy(context);
    assert_int_equal(noting.bytes, 0);
    return noting.peak;
}

/** What is unpacked ahead has a limit, however many threads there are. */
static void test_memory_ceiling(void **state)
{
    (void)state;
    struct blob blob = fatbin_begin();
    for (size_t i = 0; i < 12; i++) {
        const struct blob image = padded_cubin("spill.sm_80.cubin", (size_t)(i % 5 + 1) * 3 * MIB);
        (void)fatbin_add(&blob, image, i % 7 == 3 ? FLAG_LZ4 : FLAG_ZSTD);
        free(image.bytes);
    }
    fatbin_end(&blob);
    assert_in_range(peak_of(blob, EIGHT, 12), 25 * MIB, 33 * MIB);
    assert_in_range(peak_of(blob, 1, 12), 15 * MIB, 17 * MIB);
    free(blob.bytes);
}

/** Images too large for that go to a file, or into memory where there can be none. */
static void test_large_images(void **state)
{
    (void)state;
    struct blob blob = fatbin_begin();
    for (size_t i = 0; i < 4; i++) {
        const struct blob image = padded_cubin("spill.sm_80.cubin", (i == 2 ? 1 : 40) * MIB);
        (void)fatbin_add(&blob, image, FLAG_ZSTD);
        free(image.bytes);
    }
    fatbin_end(&blob);
    assert_same_told(blob, 0, 0, 4);
    assert_in_range(peak_of(blob, EIGHT, 4), MIB, 2 * MIB);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit little = {MIB, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    assert_in_range(peak_of(blob, EIGHT, 4), 40 * MIB, 42 * MIB);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    memset(blob.bytes + 16 + ENTRY_BYTES + 20, 0xff, 64);
    struct told told = read_all(blob, EIGHT, 0);
    assert_int_equal(told.skipped, 1);
    assert_non_null(strstr(told.text, "warning file: fatbin 1, entry 1: byte 0: damaged zstd data"));
    free(told.text);
    free(blob.bytes);
}

/** Memory that runs out at any point is an error that says so, and everything is given back. */
static void test_memory_faults(void **state)
{
    (void)state;
    const struct blob blob = plenty_make(NULL);
    for (unsigned threads = 1; threads <= EIGHT; threads += 7) {
        bool failed = true;
        size_t tries = 0;
        while (failed) {
            struct failing_allocator allocator = {.fail_at = ++tries};
            struct ridge_context *context = failing_context(&allocator);
            const size_t before = allocator.bytes;
            struct ridge_error error = {0};
            struct told told = {.thread = pthread_self()};
            const ridge_status status = read_told(context, blob, threads, &told, &error);
            failed = allocator.failed;
            assert_int_equal(status, failed ? RIDGE_E_MEMORY : RIDGE_OK);
            assert_int_equal(allocator.bytes, before);
            free(told.text);
            ridge_context_destroy(context);
        }
        assert_true(tries > 5);
    }
    free(blob.bytes);
}

static bool wants_none(void *user, const char *target)
{
    (void)user;
    return strcmp(target, "sm_80") != 0;
}

static bool wants_two(void *user, const char *target)
{
    ++*(unsigned *)user;
    return strcmp(target, "sm_90a") == 0;
}

static bool is_sm_90a(void *user, const struct ridge_binary_kernel *kernel)
{
    (void)user;
    assert_string_equal(kernel->target, "sm_90a");
    return true;
}

/** Code for targets that are not wanted is not even unpacked: damage in it is not seen. */
static void test_wanted_targets(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct ridge_binary *binary = NULL;
    uint64_t skipped = 1;
    size_t at[PLENTY];
    struct blob blob = plenty_make(at);
    memset(blob.bytes + at[40] + 8, 0xff, 32);
    const struct ridge_binary_visitor none = {.kernel = is_sm_90a, .wants = wants_none};
    assert_ok(ridge_binary_open_bytes(context, blob.bytes, blob.size, "x", &binary, &error), &error);
    assert_ok(ridge_binary_visit(binary, &none, &skipped, &error), &error);
    assert_int_equal(skipped, 0);
    ridge_binary_close(binary);
    free(blob.bytes);
    static const char *const names[] = {"size.fatbin", "none.fatbin", "two.sm_80.cubin", "two.gfx90a.co"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unsigned asked = 0;
        const struct ridge_binary_visitor two = {.kernel = is_sm_90a, .wants = wants_two, .user = &asked};
        blob = blob_read(folder, names[i]);
        assert_ok(ridge_binary_open_bytes(context, blob.bytes, blob.size, "x", &binary, &error), &error);
        assert_ok(ridge_binary_visit(binary, &two, NULL, &error), &error);
        assert_true(asked > 0);
        ridge_binary_close(binary);
        free(blob.bytes);
    }
    ridge_context_destroy(context);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_on_all_threads), cmocka_unit_test(test_damage_in_order),
        cmocka_unit_test(test_cut_frame),           cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_memory_ceiling),      cmocka_unit_test(test_large_images),
        cmocka_unit_test(test_memory_faults),       cmocka_unit_test(test_wanted_targets),
    };
    if (argc != 2) {
        return 2;
    }
    folder = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
