/* SPDX-License-Identifier: MIT */
/** \file The device database: what is compiled in, names, agreement of candidates, bad files, out of memory. */
#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "failing_allocator.h"
#include "ridge/device.h"

struct fixture {
    struct ridge_context *context;
    struct ridge_device_db *db;
};

static int setup(void **state)
{
    static struct fixture fixture;
    struct ridge_error error = {0};
    fixture.context = test_context();
    assert_ok(ridge_device_db_create(fixture.context, NULL, &fixture.db, &error), &error);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    ridge_device_db_destroy(fixture->db);
    ridge_context_destroy(fixture->context);
    return 0;
}

static struct ridge_device_match found(void **state, const char *name)
{
    const struct fixture *fixture = *state;
    struct ridge_device_match match;
    struct ridge_error error = {0};
    assert_ok(ridge_device_find(fixture->db, name, &match, &error), &error);
    return match;
}

/** The message of a name that must be refused. */
static const char *refused(void **state, const char *name)
{
    static struct ridge_error error;
    const struct fixture *fixture = *state;
    struct ridge_device_match match;
    memset(&error, 0, sizeof error);
    const ridge_status status = ridge_device_find(fixture->db, name, &match, &error);
    if (status != RIDGE_E_UNAVAILABLE) {
        fail_msg("'%s' gives %s", name, ridge_status_name(status));
    }
    return error.message;
}

static void every_value_has_a_source(void **state)
{
    const struct fixture *fixture = *state;
    assert_true(ridge_device_count(fixture->db) > 180);
    for (size_t i = 0; i < ridge_device_count(fixture->db); i++) {
        const struct ridge_device *device = ridge_device_at(fixture->db, i);
        for (int fact = 0; fact < RIDGE_FACT_COUNT; fact++) {
            if (device->facts[fact].known && (!device->facts[fact].source || !device->facts[fact].source[0])) {
                fail_msg("%s: %s has no source", device->name, ridge_fact_key((ridge_fact)fact));
            }
        }
        assert_true(device->is_architecture || !device->architecture || device->architecture->is_architecture);
    }
    assert_null(ridge_device_at(fixture->db, ridge_device_count(fixture->db)));
}

static void names_lead_to_one_device(void **state)
{
    static const char *const pairs[][2] = {
        {"NVIDIA A100-PCIE-40GB", "A100 PCIe 40GB"},
        {"nvidia a100 sxm4 80gb", "A100 SXM4 80GB"},
        {"NVIDIA A100 80GB PCIe", "A100 PCIe 80GB"},
        {"NVIDIA GeForce RTX 3090", "GeForce RTX 3090"},
        {"rtx3090", "GeForce RTX 3090"},
        {"RTX 3060", "GeForce RTX 3060 12GB"},
        {"NVIDIA GeForce RTX 3060 Laptop GPU", "GeForce RTX 3060 Laptop GPU"},
        {"NVIDIA RTX A4000", "RTX A4000"},
        {"A4000", "RTX A4000"},
        {"A6000", "RTX A6000"},
        {"A10", "A10"},
        {"A10G", "A10G"},
        {"NVIDIA H100 80GB HBM3", "H100 SXM5 80GB"},
        {"Tesla T4", "Tesla T4"},
        {"AMD Instinct MI250X", "Instinct MI250X (one of two GPUs)"},
        {"mi50", "Instinct MI50"},
        {"W6600", "Radeon Pro W6600"},
        {"AMD Radeon RX 7900 XTX", "Radeon RX 7900 XTX"},
        {"Intel(R) Arc(TM) A380 Graphics", "Arc A380"},
        {"Apple M4", "Apple M4 (10-core)"},
        {"BI-V100", "Iluvatar CoreX BI-V100"},
        {"RTX 2080 Ti", "GeForce RTX 2080 Ti"},
        {"GTX 980", "GeForce GTX 980"},
        {"L4", "L4"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const struct ridge_device_match match = found(state, pairs[i][0]);
        assert_int_equal(match.count, 1);
        assert_string_equal(match.devices[0]->name, pairs[i][1]);
    }
}

/* Field case BP-067. */
static void compute_capabilities(void **state)
{
    static const char *const pairs[][2] = {
        {"cc:8.6", "cc:8.6"},
        {"8.6", "cc:8.6"},
        {"sm_86", "cc:8.6"},
        {"SM86", "cc:8.6"},
        {"86", "cc:8.6"},
        {"cc 86", "cc:8.6"},
        {"sm_90a", "cc:9.0"},
        {"compute_120", "cc:12.0"},
        {"12.0", "cc:12.0"},
        {"cc:10.1", "cc:11.0"},
        {"sm_101", "cc:11.0"},
        {"gfx90a", "gfx90a"},
        {"gfx90a:sramecc+:xnack-", "gfx90a"},
        {"GFX1030", "gfx1030"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const struct ridge_device_match match = found(state, pairs[i][0]);
        assert_int_equal(match.count, 1);
        assert_string_equal(match.devices[0]->name, pairs[i][1]);
    }
    const char *message = refused(state, "cc:13.0");
    assert_non_null(strstr(message, "13.0 is unknown and nothing is assumed"));
    assert_non_null(strstr(message, "cc:12.1"));
    assert_non_null(strstr(refused(state, "gfx9999"), "gfx942"));
    static const char *const bad[] = {"cc 9", "cc -1", "-1",  "",    "   ", "8.",
                                      "8.66", "sm_",   "90a", "cc:", "4.0", "gfx"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        (void)refused(state, bad[i]);
    }
}

static void unknown_names_are_refused_with_near_ones(void **state)
{
    assert_non_null(strstr(refused(state, "A10000"), "A100"));
    assert_non_null(strstr(refused(state, "GeForce RTX 3095"), "RTX 309"));
    assert_non_null(strstr(refused(state, "NVIDIA GeForce RTX 3070 Laptop GPU"), "RTX 3070"));
    (void)refused(state, "AMD A100");
    (void)refused(state, "Quadro RTX 4000");
    (void)refused(state, "x");
    (void)refused(state, "Ti");
    (void)refused(state, "NVIDIA");
    (void)refused(state, "AMD Radeon Graphics");
    char huge[5000];
    memset(huge, 'a', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    (void)refused(state, huge);
}

static void candidates_must_agree(void **state)
{
    const struct ridge_device_match match = found(state, "A100");
    struct ridge_error error = {0};
    uint32_t count = 0;
    const struct ridge_fact_value *value = NULL;
    assert_int_equal(match.count, 4);
    assert_ok(ridge_match_count(&match, RIDGE_FACT_MULTIPROCESSORS, &count, &error), &error);
    assert_int_equal(count, 108);
    assert_ok(ridge_match_count(&match, RIDGE_FACT_SMEM_PER_SM, &count, &error), &error);
    assert_int_equal(count, 167936);
    assert_int_equal(ridge_match_fact(&match, RIDGE_FACT_MEMORY, &value, &error), RIDGE_E_UNAVAILABLE);
    assert_non_null(strstr(error.message, "memory_gb"));
    assert_non_null(strstr(error.message, "A100 PCIe 40GB (40)"));
    assert_non_null(strstr(error.message, "A100 SXM4 80GB (80)"));
}

static void unknown_facts_are_errors_that_name_the_field(void **state)
{
    struct ridge_error error = {0};
    uint32_t count = 0;
    const char *family = NULL;
    struct ridge_device_match match = found(state, "cc:8.6");
    assert_int_equal(ridge_match_count(&match, RIDGE_FACT_MULTIPROCESSORS, &count, &error), RIDGE_E_UNAVAILABLE);
    assert_non_null(strstr(error.message, "multiprocessors"));
    match = found(state, "B300");
    memset(&error, 0, sizeof error);
    assert_int_equal(ridge_match_count(&match, RIDGE_FACT_MULTIPROCESSORS, &count, &error), RIDGE_E_UNAVAILABLE);
    match = found(state, "Apple M4");
    memset(&error, 0, sizeof error);
    assert_int_equal(ridge_match_family(&match, &family, &error), RIDGE_E_UNAVAILABLE);
    assert_non_null(strstr(error.message, "Apple"));
}

static void known_figures(void **state)
{
    static const struct {
        const char *name;
        ridge_fact fact;
        double number;
    } rows[] = {
        {"NVIDIA A10G", RIDGE_FACT_MULTIPROCESSORS, 80}, {"T4", RIDGE_FACT_MULTIPROCESSORS, 40},
        {"MI250X", RIDGE_FACT_MULTIPROCESSORS, 110},     {"W6600", RIDGE_FACT_MULTIPROCESSORS, 28},
        {"RTX 3090", RIDGE_FACT_MULTIPROCESSORS, 82},    {"RTX 3090", RIDGE_FACT_BANDWIDTH, 935.8e9},
        {"BI-V100", RIDGE_FACT_MULTIPROCESSORS, 16},     {"H100 SXM5", RIDGE_FACT_L2, 52428800},
        {"MI250X", RIDGE_FACT_BOOST_CLOCK, 1700e6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ridge_device_match match = found(state, rows[i].name);
        const struct ridge_fact_value *value = NULL;
        struct ridge_error error = {0};
        assert_ok(ridge_match_fact(&match, rows[i].fact, &value, &error), &error);
        assert_close(value->number, rows[i].number, 1e-12, 0);
    }
    const struct ridge_device_match match = found(state, "cc:12.0");
    assert_non_null(strstr(match.devices[0]->facts[RIDGE_FACT_MAX_BLOCKS_PER_SM].note, "tuning guide"));
    assert_non_null(strstr(match.devices[0]->facts[RIDGE_FACT_MAX_BLOCKS_PER_SM].source, "cuda_occupancy.h"));
}

/* Field case BP-083. */
static void drivers_report_pairs_on_rdna(void **state)
{
    struct ridge_error error = {0};
    struct ridge_device_reported read;
    struct ridge_device_match match = found(state, "gfx1100");
    assert_ok(ridge_device_reported_read(&match, 30, 0, &read, &error), &error);
    assert_int_equal(read.compute_units, 60);
    assert_true(read.counted_in_pairs);
    assert_false(read.blocks_implausible);
    match = found(state, "gfx90a");
    assert_ok(ridge_device_reported_read(&match, 104, 2, &read, &error), &error);
    assert_int_equal(read.compute_units, 104);
    assert_false(read.counted_in_pairs);
    assert_true(read.blocks_implausible);
    assert_int_equal(ridge_device_reported_read(&match, 0, 2, &read, &error), RIDGE_E_VALUE);
}

/** A file of devices with a text of its own. */
static const char *write_file(const char *text)
{
    static char path[64];
    snprintf(path, sizeof path, "test_device_%ld.toml", (long)getpid());
    write_text(path, text);
    return path;
}

#define HEAD "format = 1\n[sources]\nme = \"my own\"\n"

static void own_files_add_and_replace(void **state)
{
    const struct fixture *fixture = *state;
    struct ridge_device_db *db = NULL;
    struct ridge_error error = {0};
    struct ridge_device_match match;
    uint32_t count = 0;
    const char *path = write_file(HEAD "[[device]]\nname = \"Chip X1\"\nvendor = \"Me\"\narchitecture = \"cc:8.6\"\n"
                                       "sources = \"me\"\nmultiprocessors = 3\n"
                                       "[[device]]\nname = \"Tesla T4\"\nvendor = \"NVIDIA\"\nsources = [\"me\"]\n"
                                       "multiprocessors = { value = 41, note = \"counted\" }\n");
    assert_ok(ridge_device_db_create_with_file(fixture->context, path, &db, &error), &error);
    assert_ok(ridge_device_find(db, "chip x1", &match, &error), &error);
    assert_ok(ridge_match_count(&match, RIDGE_FACT_MAX_BLOCKS_PER_SM, &count, &error), &error);
    assert_int_equal(count, 16);
    assert_ok(ridge_device_find(db, "T4", &match, &error), &error);
    assert_ok(ridge_match_count(&match, RIDGE_FACT_MULTIPROCESSORS, &count, &error), &error);
    assert_int_equal(count, 41);
    assert_string_equal(match.devices[0]->facts[RIDGE_FACT_MULTIPROCESSORS].source, "my own");
    ridge_device_db_destroy(db);
    (void)remove(path);
}

static void bad_files_are_refused_with_a_position(void **state)
{
    static const struct {
        const char *text;
        ridge_status status;
        unsigned line;
        const char *part;
    } rows[] = {
        {"", RIDGE_E_VALUE, 1, "format = 1"},
        {"format = 2\n", RIDGE_E_VALUE, 1, "format 1"},
        {"format = 1\n[[gpu]]\n", RIDGE_E_NAME, 2, "gpu"},
        {"format = = 1\n", RIDGE_E_SYNTAX, 1, ""},
        {"format = 1\nsources = 3\n", RIDGE_E_VALUE, 2, "a table"},
        {"format = 1\n[field_sources]\nl2 = \"x\"\n", RIDGE_E_NAME, 3, "l2"},
        {"format = 1\ndevice = 4\n", RIDGE_E_VALUE, 2, "[[device]]"},
        {HEAD "[[device]]\nvendor = \"v\"\n", RIDGE_E_VALUE, 4, "lacks its name"},
        {HEAD "[[device]]\nname = \"n1\"\n", RIDGE_E_VALUE, 5, "vendor"},
        {HEAD "[[device]]\nname = \"NVIDIA\"\nvendor = \"v\"\n", RIDGE_E_VALUE, 5, "empty or too long"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nl2_bytes = 4\n", RIDGE_E_VALUE, 7, "no source"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nsources = \"you\"\nl2_bytes = 4\n", RIDGE_E_NAME, 7, "you"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nsources = []\nl2_bytes = 4\n", RIDGE_E_VALUE, 7, "empty"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nsources = 4\nl2_bytes = 4\n", RIDGE_E_VALUE, 7, "source"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nsources = \"me\"\nl2_byte = 4\n", RIDGE_E_NAME, 8,
         "l2_bytes"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nsources = \"me\"\nl2_bytes = -1\n", RIDGE_E_VALUE, 8,
         "range"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nsources = \"me\"\nl2_bytes = inf\n", RIDGE_E_VALUE, 8,
         "range"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nsources = \"me\"\nwarp_threads = 1000\n", RIDGE_E_VALUE, 8,
         "range"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nsources = \"me\"\nl2_bytes = \"4\"\n", RIDGE_E_VALUE, 8,
         "number"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nsources = \"me\"\nl2_bytes = { note = \"4\" }\n",
         RIDGE_E_VALUE, 8, "no value"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nsources = \"me\"\nl2_bytes = { valu = 4 }\n", RIDGE_E_NAME, 8,
         "value"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nsources = \"me\"\ncarveouts_kib = [8, 4]\n", RIDGE_E_VALUE, 8,
         "ascend"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nsources = \"me\"\ncarveouts_kib = []\n", RIDGE_E_VALUE, 8,
         "0 values"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\narchitecture = \"cc:1.0\"\n", RIDGE_E_NAME, 7, "cc:1.0"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\nalias = \"a\"\n", RIDGE_E_VALUE, 7, "array"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = 4\n", RIDGE_E_VALUE, 6, "a text"},
        {HEAD "[[device]]\nname = \"n1\"\nvendor = \"v\"\n[[device]]\nname = \"n1\"\nvendor = \"v\"\n", RIDGE_E_VALUE,
         8, "stands twice"},
    };
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ridge_device_db *db = NULL;
        struct ridge_error error = {0};
        const char *path = write_file(rows[i].text);
        const ridge_status status = ridge_device_db_create_with_file(fixture->context, path, &db, &error);
        (void)remove(path);
        if (status != rows[i].status || error.line != rows[i].line || !strstr(error.message, rows[i].part)) {
            fail_msg("row %zu: %s, line %u: %s", i, ridge_status_name(status), error.line, error.message);
        }
    }
}

static void missing_folders_and_files(void **state)
{
    const struct fixture *fixture = *state;
    struct ridge_device_db *db = NULL;
    assert_int_equal(ridge_device_db_create(fixture->context, "no/such/folder", &db, NULL), RIDGE_E_IO);
    assert_int_equal(ridge_device_db_create(fixture->context, RG_SOURCE_ROOT "/include", &db, NULL), RIDGE_E_IO);
    assert_int_equal(ridge_device_db_create_with_file(fixture->context, "no_such.toml", &db, NULL), RIDGE_E_IO);
    ridge_device_db_destroy(NULL);
}

static void out_of_memory_at_every_point(void **state)
{
    (void)state;
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at += fail_at < 60 ? 1 : 7) {
        struct failing_allocator allocator = {.fail_at = fail_at};
        struct ridge_context *context = failing_context(&allocator);
        struct ridge_device_db *db = NULL;
        struct ridge_error error = {0};
        const ridge_status status = ridge_device_db_create(context, NULL, &db, &error);
        done = status == RIDGE_OK;
        assert_true(done || status == RIDGE_E_MEMORY);
        ridge_device_db_destroy(db);
        ridge_context_destroy(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_has_a_source),
        cmocka_unit_test(names_lead_to_one_device),
        cmocka_unit_test(compute_capabilities),
        cmocka_unit_test(unknown_names_are_refused_with_near_ones),
        cmocka_unit_test(candidates_must_agree),
        cmocka_unit_test(unknown_facts_are_errors_that_name_the_field),
        cmocka_unit_test(known_figures),
        cmocka_unit_test(drivers_report_pairs_on_rdna),
        cmocka_unit_test(own_files_add_and_replace),
        cmocka_unit_test(bad_files_are_refused_with_a_position),
        cmocka_unit_test(missing_folders_and_files),
        cmocka_unit_test(out_of_memory_at_every_point),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
