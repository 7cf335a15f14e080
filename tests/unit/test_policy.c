/* SPDX-License-Identifier: MIT */
/** \file Transform policies: every published row and rule, capabilities that no row covers, staged tiles, contradictions. */
#include "folder.h"

#include "policy/policy.h"

struct fixture {
    struct ridge_context *context;
    struct ridge_device_db *devices;
    struct ridge_policy_table *table;
    char folder[FOLDER_BYTES];
};

static int setup(void **state)
{
    static struct fixture fixture;
    struct ridge_error error = {0};
    fixture.context = test_context();
    folder_make(fixture.folder, "policy");
    assert_ok(ridge_device_db_create(fixture.context, NULL, &fixture.devices, &error), &error);
    assert_ok(ridge_policy_table_create(fixture.context, NULL, &fixture.table, &error), &error);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    folder_remove(fixture->folder);
    ridge_policy_table_destroy(fixture->table);
    ridge_device_db_destroy(fixture->devices);
    ridge_context_destroy(fixture->context);
    return 0;
}

static ridge_status find(void **state, const struct ridge_transform_request *request,
                         struct ridge_transform_policy *policy, struct ridge_error *error)
{
    const struct fixture *fixture = *state;
    return ridge_transform_policy_find(fixture->table, fixture->devices, request, policy, error);
}

static struct ridge_transform_policy found(void **state, const struct ridge_transform_request *request)
{
    struct ridge_transform_policy policy;
    struct ridge_error error = {0};
    assert_ok(find(state, request, &policy, &error), &error);
    for (size_t i = 0; i < policy.fact_count; i++) {
        assert_non_null(policy.facts[i].name);
        assert_non_null(policy.facts[i].kind);
        assert_non_null(policy.facts[i].source);
    }
    assert_true(policy.vectorized.items_per_thread >= 1 && policy.vectorized.items_per_thread <= 32);
    assert_int_equal(policy.vectorized.items_per_thread % policy.vectorized.vec_size, 0);
    return policy;
}

static struct ridge_transform_request of(const char *device, const char *capability, uint32_t in, uint32_t out)
{
    return (struct ridge_transform_request){
        .device = device, .capability = capability, .input_count = 1, .input_bytes = {in}, .output_bytes = out};
}

static double fact(const struct ridge_transform_policy *policy, const char *name)
{
    for (size_t i = 0; i < policy->fact_count; i++) {
        if (strcmp(policy->facts[i].name, name) == 0) {
            return policy->facts[i].number;
        }
    }
    fail_msg("there is no fact %s", name);
    return 0;
}

/** behaviours.md section 4, the first table. */
static void every_published_row_is_found(void **state)
{
    static const struct {
        const char *device, *capability;
        uint64_t kib;
    } rows[] = {
        {"Tesla V100 SXM2 32GB", NULL, 12},
        {NULL, "5.0", 12},
        {NULL, "7.5", 12},
        {"A100", NULL, 16},
        {NULL, "8.9", 16},
        {"H100", NULL, 48},
        {"H200 SXM 141GB", NULL, 48},
        {"B200", NULL, 64},
        {NULL, "10.3", 64},
        {NULL, "10.7", 128},
        {"BI-V100", NULL, 64},
        {"sm_80", NULL, 16},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ridge_transform_request request = of(rows[i].device, rows[i].capability, 2, 2);
        assert_int_equal(found(state, &request).min_bytes_in_flight, rows[i].kib * 1024);
    }
    /* The rows themselves: SM, bandwidth, and bandwidth per SM as printed. */
    static const struct {
        const char *name;
        double sm, bytes_per_s, gb_per_s_per_sm;
    } printed[] = {{"V100 and older", 80, 900e9, 11},
                   {"A100", 108, 2039e9, 19},
                   {"H100 and H200", 132, 3352e9, 25},
                   {"B200", 148, 8000e9, 54},
                   {"Iluvatar BI-V100", 16, 900e9, 56}};
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof printed / sizeof printed[0]; i++) {
        bool seen = false;
        for (size_t k = 0; k < fixture->table->count; k++) {
            const struct rg_policy_row *row = fixture->table->rows[k];
            if (strcmp(row->name, printed[i].name) == 0) {
                seen = true;
                assert_close((double)row->multiprocessors, printed[i].sm, 0, 0);
                assert_close(row->bandwidth_bytes_per_s, printed[i].bytes_per_s, 0, 0);
                assert_close(row->bandwidth_bytes_per_s / (double)row->multiprocessors / 1e9,
                             printed[i].gb_per_s_per_sm, 0, 0.6);
            }
        }
        assert_true(seen);
    }
}

/** behaviours.md section 4, the second table: 64 KiB wins at every size. */
static void the_recorded_speed_ups_are_kept(void **state)
{
    static const double speed_ups[3][3] = {{1.203, 1.059, 1.019}, {1.115, 1.033, 0}, {1.101, 1.030, 0}};
    const struct fixture *fixture = *state;
    const struct rg_policy_row *row = fixture->table->rows[fixture->table->count - 1];
    assert_string_equal(row->name, "Iluvatar BI-V100");
    assert_int_equal(row->record_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(row->records[i].bytes_in_flight, 65536 >> i);
        for (size_t k = 0; k < row->records[i].speed_up_ratio.count; k++) {
            assert_close(row->records[i].speed_up_ratio.items[k], speed_ups[i][k], 0, 0);
        }
    }
    assert_close(row->baseline_s.items[0], 47.2e-6, 1e-12, 0);
    assert_close(row->baseline_s.items[2], 454.9e-6, 1e-12, 0);
    struct ridge_transform_request request = of("BI-V100", NULL, 2, 2);
    const struct ridge_transform_policy policy = found(state, &request);
    assert_int_equal(policy.algorithm, RIDGE_TRANSFORM_VECTORIZED);
    assert_string_equal(policy.kind, "recorded");
    assert_int_equal(policy.vectorized.threads_per_block, 256);
    assert_close(fact(&policy, "multiprocessors"), 16, 0, 0);
    assert_close(fact(&policy, "bandwidth_bytes_per_s_per_multiprocessor"), 56.25e9, 0, 0);
    /* 56.25 GB/s x 1100 ns = 62 KB: the measured value agrees with Little's law. */
    assert_close(56.25e9 * fact(&policy, "memory_latency_s"), 62e3, 0.01, 0);
}

/** The published rules: vec_size, items. */
static void vector_sizes_and_items_follow_the_rules(void **state)
{
    static const struct {
        uint32_t in, out;
        uint64_t in_flight;
        uint32_t items, vector;
    } rows[] = {{1, 1, 16384, 32, 16},     {2, 2, 12288, 24, 8}, {2, 2, 65536, 32, 8},  {4, 4, 16384, 16, 4},
                {4, 4, 19800, 20, 4},      {8, 8, 16384, 8, 2},  {16, 16, 16384, 4, 1}, {4, 2, 12288, 24, 8},
                {4096, 4096, 16384, 1, 1}, {1, 1, 1, 16, 16},    {3, 3, 65536, 30, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ridge_transform_request request = of(NULL, "8.0", rows[i].in, rows[i].out);
        request.bytes_in_flight = rows[i].in_flight;
        const struct ridge_transform_policy policy = found(state, &request);
        assert_int_equal(policy.vectorized.vec_size, rows[i].vector);
        assert_int_equal(policy.vectorized.items_per_thread, rows[i].items);
        assert_int_equal(policy.prefetch.items_per_thread_no_input, 2);
        assert_int_equal(policy.prefetch.min_items_per_thread, 1);
        assert_int_equal(policy.prefetch.max_items_per_thread, 32);
        assert_int_equal(policy.prefetch.byte_stride, 128);
        assert_string_equal(policy.kind, "stated");
    }
}

static void what_is_demanded_decides_the_algorithm(void **state)
{
    static const struct {
        const char *capability;
        uint32_t in, out;
        bool stable, scattered, fill;
        ridge_transform_algorithm algorithm;
        const char *reason;
    } rows[] = {
        {"7.5", 4, 4, false, false, false, RIDGE_TRANSFORM_VECTORIZED, "no stable addresses"},
        {"8.0", 4, 4, false, false, false, RIDGE_TRANSFORM_LDGSTS, "the chip has the copy"},
        {"8.9", 2, 2, false, false, false, RIDGE_TRANSFORM_LDGSTS, "the chip has the copy"},
        {"9.0", 4, 4, false, false, false, RIDGE_TRANSFORM_UBLKCP, "the chip has the copy"},
        {"12.1", 4, 4, false, false, false, RIDGE_TRANSFORM_UBLKCP, "the chip has the copy"},
        {"9.0", 4, 4, true, false, false, RIDGE_TRANSFORM_PREFETCH, "no other can be used"},
        {"9.0", 4, 4, false, true, false, RIDGE_TRANSFORM_PREFETCH, "no other can be used"},
        {"9.0", 4, 4, false, false, true, RIDGE_TRANSFORM_VECTORIZED, "powers of two"},
        {"7.0", 12, 12, false, false, false, RIDGE_TRANSFORM_PREFETCH, "no other can be used"},
        {"8.0", 12, 12, false, false, false, RIDGE_TRANSFORM_LDGSTS, "the chip has the copy"},
        {"9.0", 4096, 4096, false, false, false, RIDGE_TRANSFORM_VECTORIZED, "powers of two"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ridge_transform_request request = of(NULL, rows[i].capability, rows[i].in, rows[i].out);
        request.stable_address = rows[i].stable;
        request.not_contiguous = rows[i].scattered;
        request.input_count = rows[i].fill ? 0 : 1;
        const struct ridge_transform_policy policy = found(state, &request);
        assert_int_equal(policy.algorithm, rows[i].algorithm);
        assert_non_null(strstr(policy.reason[policy.algorithm], rows[i].reason));
        for (int k = 0; k < RIDGE_TRANSFORM_COUNT; k++) { /* one is taken, and each has its reason */
            assert_int_equal(strncmp(policy.reason[k], "taken: ", 7) == 0, k == (int)policy.algorithm);
        }
    }
    struct ridge_transform_request two = of(NULL, "9.0", 2, 2);
    two.input_count = 2;
    two.input_bytes[1] = 1;
    assert_int_equal(found(state, &two).algorithm, RIDGE_TRANSFORM_VECTORIZED);
    two.capability = "10.0";
    assert_int_equal(found(state, &two).algorithm, RIDGE_TRANSFORM_UBLKCP);
}

/** BP-130: no row leaks to a newer chip. */
static void no_row_reaches_a_chip_it_was_not_written_for(void **state)
{
    struct ridge_transform_policy policy;
    for (int i = 0; i < 3; i++) {
        static const char *const capabilities[] = {"11.0", "12.0", "12.1"};
        const struct ridge_transform_request request = of(NULL, capabilities[i], 4, 4);
        policy = found(state, &request);
        assert_string_equal(policy.kind, "estimated");
        assert_string_equal(policy.row, "fallback: nothing is published (cc 11.0 to 12.1)");
        assert_string_equal(policy.capability, capabilities[i]);
        assert_true(policy.note[0] != '\0');
    }
    static const char *const refused[] = {"unknown", "12.2", "13.0", "4.0", "99.9"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct ridge_error error = {0};
        struct ridge_transform_request request = of(NULL, refused[i], 4, 4);
        assert_int_equal(find(state, &request, &policy, &error), RIDGE_E_UNAVAILABLE);
        assert_non_null(strstr(error.message, refused[i]));
        assert_non_null(strstr(error.message, "memory_latency_s"));
        request.bytes_in_flight = 8192; /* who knows better may say so */
        assert_int_equal(found(state, &request).min_bytes_in_flight, 8192);
    }
    struct ridge_error error = {0};
    struct ridge_transform_request request = of(NULL, "8.x", 4, 4);
    assert_int_equal(find(state, &request, &policy, &error), RIDGE_E_VALUE);
    request = of(NULL, NULL, 4, 4);
    assert_int_equal(find(state, &request, &policy, &error), RIDGE_E_ARGUMENT);
}

/** BP-132, for every size: staged tiles fit, padding included, and there is never a block without items. */
static void staged_tiles_fit_for_every_size(void **state)
{
    static const char *const capabilities[] = {"8.0", "9.0", "12.0"};
    unsigned possible = 0;
    for (uint32_t bytes = 1; bytes <= 4096; bytes++) {
        for (size_t i = 0; i < 3; i++) {
            for (size_t inputs = 1; inputs <= 3; inputs += 2) {
                struct ridge_transform_request request = of(NULL, capabilities[i], bytes, bytes);
                request.input_count = inputs;
                request.input_bytes[1] = 1;
                request.input_bytes[2] = 4;
                const struct ridge_transform_policy policy = found(state, &request);
                const struct ridge_transform_staged *staged = &policy.async_copy;
                const bool uses = policy.algorithm >= RIDGE_TRANSFORM_LDGSTS;
                possible += staged->possible;
                if (!staged->possible) {
                    assert_false(uses);
                    continue;
                }
                const uint64_t payload = (bytes + (inputs == 3 ? 5 : 0)) * (uint64_t)staged->threads_per_block *
                                         staged->max_items_per_thread;
                assert_true(staged->max_items_per_thread >= staged->min_items_per_thread &&
                            staged->min_items_per_thread == 1);
                assert_true(staged->threads_per_block >= 32 && staged->threads_per_block <= 256);
                assert_true(staged->tile_bytes <= 49152 && staged->tile_bytes >= payload);
                /* One item more would not fit: nothing is given away. */
                assert_true(staged->max_items_per_thread == 32 ||
                            payload + (bytes + (inputs == 3 ? 5 : 0)) * (uint64_t)staged->threads_per_block +
                                    16 * 8 * 4 * 2 >
                                49152 - 512);
            }
        }
    }
    assert_true(possible > 1000);
    struct ridge_transform_request request = of(NULL, "9.0", 4096, 4096);
    assert_false(found(state, &request).async_copy.possible);
    request = of(NULL, "8.0", 256, 256);
    assert_int_equal(found(state, &request).async_copy.threads_per_block, 128);
    request = of(NULL, "9.0", 4, 4);
    request.smem_limit_bytes = 8192;
    assert_true(found(state, &request).async_copy.tile_bytes <= 8192);
    assert_int_equal(found(state, &request).async_copy.max_items_per_thread, 7);
}

static const char *put(void **state, const char *name, const char *text)
{
    const struct fixture *fixture = *state;
    return folder_write(fixture->folder, name, text);
}

#define DEVICE(name, count)                                                                              \
    "[[device]]\nname = \"" name "\"\nvendor = \"Iluvatar\"\nsources = \"me\"\nmultiprocessors = " count \
    "\nbandwidth_bytes_per_s = 900e9\nmemory_latency_s = 1.1e-6\n"

/** The port that took 50 SMs for the BI-V100: a threefold error that made every policy three times too small. */
static void a_threefold_error_in_a_fact_changes_the_policy(void **state)
{
    struct fixture *fixture = *state;
    struct ridge_error error = {0};
    ridge_device_db_destroy(fixture->devices);
    fixture->devices = NULL;
    const char *path =
        put(state, "chips.toml",
            "format = 1\n[sources]\nme = \"measured by me\"\n" DEVICE("Right chip", "16") DEVICE("Wrong chip", "50"));
    assert_ok(ridge_device_db_create(fixture->context, path, &fixture->devices, &error), &error);
    struct ridge_transform_request request = of("Right chip", NULL, 4, 4);
    const struct ridge_transform_policy right = found(state, &request);
    request.device = "Wrong chip";
    const struct ridge_transform_policy wrong = found(state, &request);
    assert_int_equal(right.min_bytes_in_flight, 61875);
    assert_int_equal(wrong.min_bytes_in_flight, 19800);
    assert_int_equal(right.vectorized.items_per_thread, 32);
    assert_int_equal(wrong.vectorized.items_per_thread, 20);
    assert_string_equal(right.kind, "estimated");
    assert_non_null(strstr(right.row, "Little's law"));
    assert_close(fact(&wrong, "multiprocessors"), 50, 0, 0);
}

/** A record of the device that contradicts the row that was measured on it. */
static void a_contradiction_names_field_and_file(void **state)
{
    struct fixture *fixture = *state;
    struct ridge_error error = {0};
    struct ridge_transform_policy policy;
    ridge_device_db_destroy(fixture->devices);
    fixture->devices = NULL;
    const char *path =
        put(state, "chips.toml", "format = 1\n[sources]\nme = \"a guess\"\n" DEVICE("Iluvatar CoreX BI-V100", "50"));
    assert_ok(ridge_device_db_create(fixture->context, path, &fixture->devices, &error), &error);
    struct ridge_transform_request request = of("BI-V100", NULL, 2, 2);
    assert_int_equal(find(state, &request, &policy, &error), RIDGE_E_VALUE);
    assert_string_equal(error.file, "transform.toml");
    assert_true(error.line > 0);
    assert_non_null(strstr(error.message, "multiprocessors of the row 'Iluvatar BI-V100' is 16"));
    assert_non_null(strstr(error.message, "states 50 (from: a guess"));
    memset(&error, 0, sizeof error);
    request = of("A100", "9.0", 2, 2);
    assert_int_equal(find(state, &request, &policy, &error), RIDGE_E_VALUE);
    memset(&error, 0, sizeof error);
    request = of("A100", NULL, 2, 2);
    request.smem_limit_bytes = 1 << 20;
    assert_int_equal(find(state, &request, &policy, &error), RIDGE_E_VALUE);
    assert_non_null(strstr(error.message, "166912")); /* 163 KiB with opt-in */
}

static void missing_facts_are_named(void **state)
{
    static const struct {
        const char *device, *says, *not_says;
    } rows[] = {{"MI250X", "known for memory_latency_s (", NULL},
                {"Apple M4 Pro", "memory_latency_s", "multiprocessors"},
                {"gfx90a", "multiprocessors", NULL},
                {"no such chip", "no such chip", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ridge_error error = {0};
        struct ridge_transform_policy policy;
        struct ridge_transform_request request = of(rows[i].device, NULL, 4, 4);
        assert_int_equal(find(state, &request, &policy, &error), RIDGE_E_UNAVAILABLE);
        if (!strstr(error.message, rows[i].says) || (rows[i].not_says && strstr(error.message, rows[i].not_says))) {
            fail_msg("%s: %s", rows[i].device, error.message);
        }
    }
    struct ridge_transform_request request = of("MI250X", NULL, 4, 4);
    request.memory_latency_s = 800e-9;
    const struct ridge_transform_policy policy = found(state, &request);
    assert_close((double)policy.min_bytes_in_flight, fact(&policy, "bandwidth_bytes_per_s_per_multiprocessor") * 800e-9,
                 0, 1);
    assert_int_equal(policy.algorithm, RIDGE_TRANSFORM_VECTORIZED);
    request.memory_latency_s = 1e30; /* more bytes than any integer holds */
    struct ridge_transform_policy none;
    struct ridge_error error = {0};
    assert_int_equal(find(state, &request, &none, &error), RIDGE_E_VALUE);
    assert_non_null(strstr(error.message, "memory_latency_s 1e+30"));
}

#define TOP "format = 1\n[sources]\nme = \"me\"\n[[row]]\nname = \"x\"\nkind = \"stated\"\nsource = \"me\"\n"

static void bad_files_are_refused_with_field_and_place(void **state)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"", "format = 1"},
        {"format = 1\nrows = 2\n", "did you mean row"},
        {"format = 1\n[row]\n", "write [[row]]"},
        {TOP "cc_from = \"9.0\"\ncc_to = \"9.0\"\n", "lacks its min_bytes_in_flight"},
        {TOP "min_bytes_in_flight = 1024\n", "for a device or for a closed range"},
        {TOP "min_bytes_in_flight = 1024\ncc_from = \"9.0\"\n", "for a device or for a closed range"},
        {TOP "min_bytes_in_flight = 1024\ncc_from = \"9.0\"\ncc_to = \"8.0\"\n",
         "cc_to is '8.0' (it is not below cc_from)"},
        {TOP "min_bytes_in_flight = 1024\ncc_from = \"nine\"\ncc_to = \"8.0\"\n", "cc_from is 'nine'"},
        {TOP "min_bytes_in_flight = 0\ncc_from = \"8.0\"\ncc_to = \"8.0\"\n", "min_bytes_in_flight is out of range"},
        {TOP "min_bytes_in_flight = \"1 KiB\"\ncc_from = \"8.0\"\ncc_to = \"8.0\"\n", "min_bytes_in_flight is a text"},
        {TOP
         "min_bytes_in_flight = 65536\ndevice = \"c\"\nmultiprocessors = 50\nbandwidth_bytes_per_s = 900e9\nmemory_latency_s = 1.1e-6\n",
         "is 19800 bytes, and min_bytes_in_flight 65536"},
        {TOP
         "min_bytes_in_flight = 2\ndevice = \"c\"\nelements = [1]\n[[row.record]]\nbytes_in_flight = 1\nspeed_up_ratio = [2]\n"
         "[[row.record]]\nbytes_in_flight = 2\nspeed_up_ratio = [1]\n",
         "is not that of its fastest record"},
        {TOP "min_bytes_in_flight = 2\ndevice = \"c\"\n[[row.record]]\nbytes_in_flight = 2\nspeed_up_ratio = [2]\n",
         "has 1 values"},
        {TOP
         "min_bytes_in_flight = 2\ndevice = \"c\"\n[[row]]\nname = \"x\"\nkind = \"stated\"\nsource = \"me\"\ndevice = \"d\"\nmin_bytes_in_flight = 2\n",
         "stands twice"},
        {TOP
         "min_bytes_in_flight = 2\ndevice = \"c\"\n[[row]]\nname = \"y\"\nkind = \"stated\"\nsource = \"me\"\ndevice = \"c\"\nmin_bytes_in_flight = 2\n",
         "for one and the same chip"},
        {TOP
         "min_bytes_in_flight = 2\ncc_from = \"13.0\"\ncc_to = \"14.0\"\n[[row]]\nname = \"y\"\nkind = \"stated\"\nsource = \"me\"\n"
         "cc_from = \"14.0\"\ncc_to = \"15.0\"\nmin_bytes_in_flight = 2\n",
         "for one and the same chip"},
        {"format = 1\n[[row]]\nname = \"x\"\nkind = \"guessed\"\n", "lacks its min_bytes_in_flight"},
        {"format = 1\n[sources]\nme = \"me\"\n[[row]]\nname = \"x\"\nkind = \"guessed\"\nsource = \"me\"\nmin_bytes_in_flight = 2\n",
         "kind is 'guessed'"},
    };
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ridge_error error = {0};
        struct ridge_policy_table *table = NULL;
        const char *path = put(state, "bad.toml", rows[i].text);
        assert_int_not_equal(ridge_policy_table_create(fixture->context, path, &table, &error), RIDGE_OK);
        if (!strstr(error.message, rows[i].says) || error.line == 0 || strcmp(error.file, path) != 0) {
            fail_msg("row %zu: %s:%u: %s", i, error.file, error.line, error.message);
        }
    }
}

static void an_own_row_goes_first(void **state)
{
    struct fixture *fixture = *state;
    struct ridge_error error = {0};
    ridge_policy_table_destroy(fixture->table);
    fixture->table = NULL;
    const char *path = put(state, "mine.toml", TOP "min_bytes_in_flight = 24576\ncc_from = \"8.6\"\ncc_to = \"8.6\"\n");
    assert_ok(ridge_policy_table_create(fixture->context, path, &fixture->table, &error), &error);
    struct ridge_transform_request request = of(NULL, "8.6", 4, 4);
    assert_int_equal(found(state, &request).min_bytes_in_flight, 24576);
    request.capability = "8.9";
    assert_int_equal(found(state, &request).min_bytes_in_flight, 16384);
}

static void elements_are_read(void **state)
{
    static const struct {
        const char *text;
        uint32_t bytes;
    } rows[] = {{"f16", 2},     {"bf16", 2}, {"f32", 4}, {"f64", 8}, {"i8", 1}, {"u64", 8},   {"1", 1},
                {"4096", 4096}, {"", 0},     {"f8", 0},  {"0", 0},   {"-4", 0}, {"65537", 0}, {"F32", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t bytes = 0;
        struct ridge_error error = {0};
        const ridge_status status = ridge_element_parse(rows[i].text, &bytes, &error);
        assert_int_equal(status, rows[i].bytes > 0 ? RIDGE_OK : RIDGE_E_VALUE);
        assert_int_equal(bytes, rows[i].bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_published_row_is_found, setup, teardown),
        cmocka_unit_test_setup_teardown(the_recorded_speed_ups_are_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(vector_sizes_and_items_follow_the_rules, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_demanded_decides_the_algorithm, setup, teardown),
        cmocka_unit_test_setup_teardown(no_row_reaches_a_chip_it_was_not_written_for, setup, teardown),
        cmocka_unit_test_setup_teardown(staged_tiles_fit_for_every_size, setup, teardown),
        cmocka_unit_test_setup_teardown(a_threefold_error_in_a_fact_changes_the_policy, setup, teardown),
        cmocka_unit_test_setup_teardown(a_contradiction_names_field_and_file, setup, teardown),
        cmocka_unit_test_setup_teardown(missing_facts_are_named, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_files_are_refused_with_field_and_place, setup, teardown),
        cmocka_unit_test_setup_teardown(an_own_row_goes_first, setup, teardown),
        cmocka_unit_test(elements_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
