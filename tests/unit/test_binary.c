/* SPDX-License-Identifier: MIT */
/** \file Reading compiled code: what the fixtures say, damaged files, names, and which target runs where. */
#include "rg_test.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "binary_fixture.h"
#include "failing_allocator.h"

static const char *folder;

/** Read a fixture that must be good. */
static void read_good(const char *name, struct found *found)
{
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    const struct blob blob = blob_read(folder, name);
    assert_ok(found_read(context, blob, found, &error), &error);
    assert_int_equal(found->skipped, 0);
    free(blob.bytes);
    ridge_context_destroy(context);
}

/** \return the one kernel of that target that a person calls so. */
static const struct ridge_binary_kernel *only(const struct found *found, const char *target, const char *name)
{
    const struct ridge_binary_kernel *one = NULL;
    for (size_t i = 0; i < found->count; i++) {
        const struct ridge_binary_kernel *kernel = &found->kernels[i];
        if (strcmp(kernel->target, target) == 0 && ridge_binary_kernel_is(kernel, name)) {
            assert_null(one);
            one = kernel;
        }
    }
    assert_non_null(one);
    return one;
}

/** What bytes are refused with. */
static void assert_refused(struct blob blob, const char *part)
{
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct found found;
    assert_int_equal(found_read(context, blob, &found, &error), RIDGE_E_SYNTAX);
    if (!strstr(error.message, part)) {
        fail_msg("'%s' is not in: %s", part, error.message);
    }
    ridge_context_destroy(context);
}

/** What bytes are refused with, put at an offset of a fixture. */
static void assert_refused_with(const char *name, size_t offset, const void *bytes, size_t size, const char *part)
{
    const struct blob blob = blob_read(folder, name);
    assert_true(offset + size <= blob.size);
    memcpy(blob.bytes + offset, bytes, size);
    assert_refused(blob, part);
    free(blob.bytes);
}

static void assert_two(const struct found *found, const char *target, uint32_t registers, uint32_t reserve)
{
    const struct ridge_binary_kernel *axpb = only(found, target, "axpb<float,3>");
    assert_string_equal(axpb->name, "_ZN3lab4axpbIfLi3EEEvPT_PKS1_S1_");
    assert_string_equal(axpb->readable_name, "void lab::axpb<float, 3>(float*, float const*, float)");
    assert_string_equal(axpb->toolkit, "13.0");
    assert_int_equal(axpb->registers, registers);
    assert_int_equal(axpb->smem_static_bytes, 0);
    assert_int_equal(axpb->barriers, 0);
    assert_int_equal(axpb->parameter_bytes, 20);
    assert_int_equal(axpb->max_threads[0], RIDGE_NOT_STATED);
    assert_int_equal(axpb->spill_store_bytes, 0);
    const struct ridge_binary_kernel *shared = only(found, target, "shared");
    assert_int_equal(shared->smem_static_bytes, 1024);
    assert_int_equal(shared->smem_reserved_bytes, reserve);
    assert_int_equal(shared->barriers, 1);
    assert_int_equal(shared->max_threads[0], 128);
    assert_int_equal(shared->max_threads[1], 1);
    assert_int_equal(only(found, target, "axpb<double,5>")->parameter_bytes, 24);
}

static void test_cubins(void **state)
{
    (void)state;
    struct found found;
    read_good("two.sm_80.cubin", &found);
    assert_int_equal(found.count, 3);
    assert_two(&found, "sm_80", 10, RIDGE_NOT_STATED);
    assert_int_equal(found.unknown[0], 0x35);
    read_good("two.sm_90a.cubin", &found);
    assert_two(&found, "sm_90a", 12, 1024);
    read_good("two.sm_100f.cubin", &found); /* only the command line of its compiler says f */
    assert_two(&found, "sm_100f", 12, 1024);
    read_good("two.sm_120.cubin", &found);
    assert_int_equal(found.count, 3);
    assert_two(&found, "sm_120", 12, 1024);
}

static void test_spills(void **state)
{
    (void)state;
    struct found found;
    read_good("spill.sm_80.cubin", &found);
    assert_int_equal(found.kernels[0].registers, 24);
    assert_int_equal(found.kernels[0].stack_bytes, 152);
    assert_int_equal(found.kernels[0].spill_store_bytes, 352);
    assert_int_equal(found.kernels[0].spill_load_bytes, 432);
    read_good("spill.sm_120.cubin", &found);
    assert_int_equal(found.kernels[0].spill_store_bytes, 324);
    assert_int_equal(found.kernels[0].spill_load_bytes, 408);
}

/** Turn a cubin of CUDA 13 into the older form: the SM number in the low byte, barriers beside the code. */
static void make_older(struct blob blob)
{
    const uint32_t flags = 80U << 16 | 80U;
    uint64_t table;
    uint16_t count;
    blob.bytes[7] = 0x33;
    blob.bytes[8] = 7;
    memcpy(blob.bytes + 0x30, &flags, sizeof flags);
    memcpy(&table, blob.bytes + 0x28, sizeof table);
    memcpy(&count, blob.bytes + 0x3c, sizeof count);
    for (uint16_t i = 0; i < count; i++) {
        uint8_t *section = blob.bytes + table + 64U * i;
        uint64_t bits;
        memcpy(&bits, section + 8, sizeof bits);
        if (bits & 4) { /* code */
            bits |= 3U << 20;
            memcpy(section + 8, &bits, sizeof bits);
        }
    }
}

/** BP-085: the version of the ABI decides where the SM number stands. */
static void test_older_form(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct found found;
    const struct blob blob = blob_read(folder, "spill.sm_80.cubin");
    make_older(blob);
    assert_ok(found_read(context, blob, &found, &error), &error);
    assert_string_equal(found.kernels[0].target, "sm_80");
    assert_int_equal(found.kernels[0].barriers, 3);
    assert_int_equal(found.kernels[0].registers, 24);
    free(blob.bytes);
    ridge_context_destroy(context);
}

/** BP-087: plain or packed, the same kernels and numbers. */
static void test_fatbins(void **state)
{
    (void)state;
    static const char *const names[] = {"none.fatbin", "size.fatbin", "speed.fatbin"};
    for (size_t i = 0; i < 3; i++) {
        struct found found;
        read_good(names[i], &found);
        assert_int_equal(found.count, 6);
        assert_two(&found, "sm_80", 10, RIDGE_NOT_STATED);
        assert_two(&found, "sm_90a", 12, 1024);
        assert_non_null(strstr(found.kernels[0].image, "fatbin 1, entry "));
    }
}

struct images {
    size_t ptx, cubins;
};

static bool count_image(void *user, const struct ridge_binary_image *image)
{
    struct images *images = user;
    images->ptx += strcmp(image->kind, "PTX") == 0;
    images->cubins += strcmp(image->kind, "cubin") == 0;
    assert_true(image->unpacked_bytes >= image->stored_bytes || image->codec[0] == '\0');
    return true;
}

static void test_images(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct ridge_binary *binary = NULL;
    struct images images = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/size.fatbin", folder);
    assert_ok(ridge_binary_open(context, path, &binary, &error), &error);
    assert_string_equal(ridge_binary_kind(binary), "fatbin");
    assert_ok(ridge_binary_each_image(binary, count_image, &images, &error), &error);
    assert_int_equal(images.ptx, 1);
    assert_int_equal(images.cubins, 2);
    ridge_binary_close(binary);
    ridge_context_destroy(context);
}

static void test_host_files(void **state)
{
    (void)state;
    struct found found;
    read_good("libboth.so", &found);
    assert_int_equal(found.count, 4);
    assert_two(&found, "sm_80", 10, RIDGE_NOT_STATED);
    assert_int_equal(only(&found, "sm_80", "spill")->spill_load_bytes, 432);
    assert_non_null(strstr(only(&found, "sm_80", "spill")->image, "fatbin 2")); /* two containers, one section */
    read_good("relocatable.obj", &found);
    assert_int_equal(found.count, 3);
    assert_true(found.kernels[0].relocatable);
    assert_two(&found, "sm_80", 10, RIDGE_NOT_STATED);
}

static void assert_amd(const struct found *found, const char *target, uint32_t wave, uint32_t scalars)
{
    const struct ridge_binary_kernel *at_most = only(found, target, "at_most");
    assert_int_equal(at_most->registers, 3);
    assert_int_equal(at_most->accumulation_registers, 0);
    assert_int_equal(at_most->scalar_registers, scalars);
    assert_int_equal(at_most->smem_static_bytes, 512);
    assert_int_equal(at_most->max_threads[0], 192);
    assert_int_equal(at_most->wave_threads, wave);
    assert_int_equal(at_most->parameter_bytes, 8);
    assert_true(at_most->code_bytes > 0 && at_most->code_bytes < 4096);
    assert_int_equal(only(found, target, "plain")->registers, 2);
}

static void test_amd(void **state)
{
    (void)state;
    struct found found;
    read_good("two.gfx90a.co", &found);
    assert_amd(&found, "gfx90a:xnack+", 64, 10);
    read_good("two.gfx1030.co", &found);
    assert_amd(&found, "gfx1030", 32, 6);
    read_good("two.gfx1100.obj", &found);
    assert_amd(&found, "gfx1100", 32, 2);
    read_good("bundle.hipfb", &found);
    assert_int_equal(found.count, 4);
    assert_amd(&found, "gfx90a:xnack+", 64, 10);
    assert_amd(&found, "gfx1030", 32, 6);
}

/** Versions of code objects: v6 has the metadata of v5; v2 has others. */
static void test_amd_versions(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct found found;
    const struct blob blob = blob_read(folder, "two.gfx1100.obj");
    blob.bytes[8] = 4;
    assert_ok(found_read(context, blob, &found, &error), &error);
    assert_amd(&found, "gfx1100", 32, 2);
    free(blob.bytes);
    assert_refused_with("two.gfx1100.obj", 8, "\0", 1, "v3 to v6");
    ridge_context_destroy(context);
}

/** Without metadata the descriptors are read: registers rounded up. */
static void test_amd_descriptors(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct found found;
    const struct blob blob = blob_read(folder, "two.gfx90a.co");
    for (size_t i = 0; i + 8 < blob.size; i++) {
        if (memcmp(blob.bytes + i, "AMDGPU\0", 7) == 0) {
            memcpy(blob.bytes + i, "NOBODY", 6);
        }
    }
    assert_ok(found_read(context, blob, &found, &error), &error);
    assert_int_equal(found.count, 2);
    assert_string_equal(found.kernels[0].name, "at_most");
    assert_string_equal(found.kernels[0].target, "");
    assert_int_equal(found.kernels[0].registers, 4);
    assert_int_equal(found.kernels[0].smem_static_bytes, 512);
    assert_int_equal(found.kernels[0].wave_threads, 64);
    free(blob.bytes);
    ridge_context_destroy(context);
}

/** Pack a bundle as CCOB version 2. */
static struct blob pack_bundle(struct blob bundle)
{
    struct blob packed = {malloc(24 + ZSTD_compressBound(bundle.size)), 0};
    if (!packed.bytes) {
        abort();
    }
    const size_t size = ZSTD_compress(packed.bytes + 24, ZSTD_compressBound(bundle.size), bundle.bytes, bundle.size, 3);
    assert_false(ZSTD_isError(size));
    const uint16_t version_method[2] = {2, 1};
    const uint32_t sizes[2] = {(uint32_t)size + 24, (uint32_t)bundle.size};
    memcpy(packed.bytes, "CCOB", 4);
    memcpy(packed.bytes + 4, version_method, 4);
    memcpy(packed.bytes + 8, sizes, 8);
    memset(packed.bytes + 16, 0, 8);
    packed.size = size + 24;
    return packed;
}

static void test_packed_bundles(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct found found;
    const struct blob bundle = blob_read(folder, "bundle.hipfb");
    struct blob packed = pack_bundle(bundle);
    assert_ok(found_read(context, packed, &found, &error), &error);
    assert_amd(&found, "gfx1030", 32, 6);
    assert_refused((struct blob){packed.bytes, packed.size - 1}, "cut off");
    assert_refused((struct blob){packed.bytes, 20}, "byte 20: the file is cut off");
    packed.bytes[24 + 40] ^= 0x55;
    packed.bytes[24 + 60] ^= 0x55;
    struct ridge_error damage = {0};
    assert_int_equal(found_read(context, packed, &found, &damage), RIDGE_E_SYNTAX);
    const uint32_t claim = UINT32_MAX;
    memcpy(packed.bytes + 12, &claim, sizeof claim);
    assert_refused(packed, "claim to hold 4294967295");
    packed.bytes[6] = 0;
    assert_refused(packed, "method 0");
    packed.bytes[4] = 3;
    assert_refused(packed, "--no-offload-compress");
    free(packed.bytes);
    free(bundle.bytes);
    ridge_context_destroy(context);
}

/** BP-092: empty, cut off (its table of segments comes last), a picture, an offset behind the end. */
static void test_bad_files(void **state)
{
    (void)state;
    uint8_t png[16] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
    struct blob cut = blob_read(folder, "two.sm_80.cubin");
    assert_refused((struct blob){png, 0}, "empty");
    assert_refused((struct blob){png, sizeof png}, "no compiled code");
    assert_refused((struct blob){cut.bytes, 1000}, "byte 1000: the file is cut off");
    assert_refused((struct blob){cut.bytes, 30}, "cut off in its ELF header");
    assert_refused((struct blob){cut.bytes, cut.size - 1}, "cut off or damaged: its table of");
    free(cut.bytes);
    const uint64_t far = UINT64_MAX - 7;
    assert_refused_with("two.sm_80.cubin", 0x28, &far, 8, "table of");
    assert_refused_with("two.sm_80.cubin", 4, "\1", 1, "64 bits");
    assert_refused_with("none.fatbin", 8, &far, 8, "cut off or damaged");
    assert_refused_with("bundle.hipfb", 32, &far, 8, "lies outside of the bundle");
}

enum {
    SIZE_FATBIN_CUBIN = 648 /* where size.fatbin has its second entry, a cubin for sm_80 packed with zstd */
};

static size_t warnings;

static void count_warning(void *user, ridge_log_level level, const char *message)
{
    (void)user;
    warnings += level == RIDGE_LOG_WARNING && strstr(message, "fatbin 1, entry") != NULL;
}

/** Break one image of a fat binary: it is told, and the other one is read. */
static void read_half(const struct blob *blob, struct found *found)
{
    const struct ridge_context_options options = {.log = count_warning};
    struct ridge_context *context = NULL;
    struct ridge_error error = {0};
    assert_int_equal(ridge_context_create(&options, &context, NULL), RIDGE_OK);
    warnings = 0;
    assert_ok(found_read(context, *blob, found, &error), &error);
    assert_int_equal(warnings, 1);
    assert_int_equal(found->skipped, 1);
    assert_int_equal(found->count, 3);
    ridge_context_destroy(context);
}

/** BP-087: an image that cannot be read does not hide the others. */
static void test_one_bad_image(void **state)
{
    (void)state;
    struct found found;
    struct blob blob = blob_read(folder, "size.fatbin");
    const size_t entry = SIZE_FATBIN_CUBIN;
    blob.bytes[entry + 56 + 3] = 0x7f; /* it claims gigabytes */
    read_half(&blob, &found);
    free(blob.bytes);
    blob = blob_read(folder, "size.fatbin");
    blob.bytes[entry + 41] = 0x40; /* a codec that nobody knows */
    read_half(&blob, &found);
    free(blob.bytes);
}

static void test_paths(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_binary *binary = NULL;
    char pipe_path[] = "/tmp/ridge-binary-XXXXXX";
    struct ridge_error error = {0};
    assert_int_equal(ridge_binary_open(context, folder, &binary, &error), RIDGE_E_IO);
    assert_non_null(strstr(error.message, "a directory"));
    assert_non_null(mkdtemp(pipe_path));
    char path[64];
    snprintf(path, sizeof path, "%s/pipe", pipe_path);
    assert_int_equal(mkfifo(path, 0600), 0);
    error = (struct ridge_error){0};
    assert_int_equal(ridge_binary_open(context, path, &binary, &error), RIDGE_E_IO);
    assert_non_null(strstr(error.message, "a pipe"));
    unlink(path);
    error = (struct ridge_error){0};
    assert_int_equal(ridge_binary_open(context, path, &binary, &error), RIDGE_E_IO);
    assert_null(binary);
    rmdir(pipe_path);
    ridge_context_destroy(context);
}

/** A bundle of entries that all are the whole bundle, or all the first half of it. */
static struct blob make_bundle(uint64_t entries, bool whole)
{
    struct blob blob = {calloc(1, 4096), 4096};
    if (!blob.bytes) {
        abort();
    }
    memcpy(blob.bytes, "__CLANG_OFFLOAD_BUNDLE__", 24);
    memcpy(blob.bytes + 24, &entries, 8);
    for (uint64_t i = 0; i < entries; i++) {
        const uint64_t entry[3] = {0, whole ? 4096 : 2048, 0};
        memcpy(blob.bytes + 32 + 24 * i, entry, sizeof entry);
    }
    return blob;
}

/** A file that holds itself, or one part many times, is told and ends: it does not take exponential time. */
static void test_files_in_themselves(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct found found;
    const struct blob itself = make_bundle(1, true);
    assert_ok(found_read(context, itself, &found, &error), &error);
    assert_int_equal(found.skipped, 1);
    assert_int_equal(found.count, 0);
    free(itself.bytes);
    const struct blob overlapping = make_bundle(160, false);
    assert_refused(overlapping, "overlap");
    free(overlapping.bytes);
    ridge_context_destroy(context);
}

static bool stop_at_once(void *user, const struct ridge_binary_kernel *kernel)
{
    (void)kernel;
    ++*(unsigned *)user;
    return false;
}

static void test_stopping(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct ridge_binary *binary = NULL;
    const struct blob blob = blob_read(folder, "libboth.so");
    unsigned visits = 0;
    assert_ok(ridge_binary_open_bytes(context, blob.bytes, blob.size, "x", &binary, &error), &error);
    assert_string_equal(ridge_binary_kind(binary), "host program");
    assert_ok(ridge_binary_each(binary, stop_at_once, &visits, NULL, &error), &error);
    assert_int_equal(visits, 1);
    ridge_binary_close(binary);
    ridge_context_destroy(context);
    free(blob.bytes);
}

/** Memory that runs out anywhere is an error that says so, and everything is given back. */
static void test_memory_faults(void **state)
{
    (void)state;
    static const char *const names[] = {"size.fatbin", "two.gfx90a.co", "bundle.hipfb", "libboth.so"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct blob blob = blob_read(folder, names[i]);
        bool failed = true;
        size_t tries = 0;
        while (failed) {
            struct failing_allocator allocator = {.fail_at = ++tries};
            struct ridge_context *context = failing_context(&allocator);
            const size_t before = allocator.bytes;
            struct ridge_error error = {0};
            struct found found;
            const ridge_status status = found_read(context, blob, &found, &error);
            failed = allocator.failed;
            assert_int_equal(status, failed ? RIDGE_E_MEMORY : RIDGE_OK);
            assert_int_equal(allocator.bytes, before);
            ridge_context_destroy(context);
        }
        assert_true(tries > 3);
        free(blob.bytes);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cubins),
        cmocka_unit_test(test_spills),
        cmocka_unit_test(test_older_form),
        cmocka_unit_test(test_fatbins),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_host_files),
        cmocka_unit_test(test_amd),
        cmocka_unit_test(test_amd_versions),
        cmocka_unit_test(test_amd_descriptors),
        cmocka_unit_test(test_packed_bundles),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_one_bad_image),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_memory_faults),
        cmocka_unit_test(test_files_in_themselves),
    };
    if (argc != 2) {
        return 2;
    }
    folder = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
