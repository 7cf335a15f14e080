/* SPDX-License-Identifier: MIT */
/** \file space/spec: what a kernel.toml means, what is refused and where, and the hashes. */
#include "spec_fixture.h"

#include "failing_allocator.h"

#define HEAD  "[kernel]\nname = \"k\"\n"
#define DIM_A "[dims.a]\nvalues = [1, 2, 4]\n"
#define SMALL HEAD DIM_A

/** The example of DESIGN section 7, which must load unchanged. */
static const char design_example[] =
    "[kernel]\n"
    "name = \"matmul\"                 # display name\n"
    "entry = \"matmul\"                # function to launch\n"
    "domain = 2                      # 1..3 launch dimensions\n"
    "sources = { opencl = \"matmul.cl\", cuda = \"matmul.cu\", c = \"matmul.c\" }\n"
    "\n"
    "[dims.block_x]                  # block_x/y/z are launch dimensions; every other one is a macro\n"
    "values = [8, 16, 32]            # integers, floats, strings or booleans\n"
    "[dims.block_y]\n"
    "values = { from = 8, to = 32, step = 8 }\n"
    "[dims.tile]                     # or { pow2_from = 1, pow2_to = 64 }\n"
    "values = { pow2_from = 1, pow2_to = 8 }\n"
    "\n"
    "[constraints]\n"
    "exprs = [\"block_x * block_y <= 1024\", \"tile % 2 == 0 or block_x >= 16\"]\n"
    "\n"
    "[bench]\n"
    "params = { n = 512 }            # names usable in every expression below\n"
    "grid_x = \"n / (block_x * tile)\" # in blocks; integer or expression\n"
    "grid_y = 4\n"
    "# block_x = \"block_size_x\"      # only when the launch dimensions have other names\n"
    "[[bench.args]]\n"
    "kind = \"in_f32\"                 # in_ out_ inout_ x f32 f64 i32 u32 u8 ...\n"
    "len = \"n * n\"\n"
    "fill = \"uniform\"                # seeded; constant, uniform, normal, iota, file\n"
    "[[bench.args]]\n"
    "kind = \"out_f64\"\n"
    "len = 16\n"
    "[[bench.args]]\n"
    "kind = \"i32\"\n"
    "value = \"n * tile\"\n"
    "[[bench.args]]\n"
    "kind = \"local_bytes\"\n"
    "bytes = \"block_x * 4\"\n"
    "\n"
    "[verify]\n"
    "reference = { c = \"reference.c\", entry = \"reference\" }   # or a named configuration, or a file\n"
    "rel = 1e-3\n"
    "abs = 0\n"
    "\n"
    "[model]\n"
    "smem_bytes = \"2 * block_x * tile * 4\"\n"
    "flops = \"2 * n * n * n\"\n"
    "bytes = 4096\n"
    "other = [1, 2]\n"
    "[model.let]\n"
    "loads = \"n / tile\"\n"
    "[model.work]\n"
    "fma = \"2 * loads\"\n"
    "registers = 32\n";

static void test_the_design_example(void **state)
{
    (void)state;
    struct spec_fixture f;
    assert_ok(fixture_load(&f, design_example, NULL, 0), &f.error);
    const struct ridge_spec *spec = f.spec;
    assert_string_equal(ridge_spec_kernel(spec), "matmul");
    assert_string_equal(ridge_spec_path(spec), f.path);
    assert_string_equal(spec->entry, "matmul");
    assert_int_equal(spec->domain, 2);
    char path[128];
    snprintf(path, sizeof path, "%s/matmul.cl", f.folder);
    assert_string_equal(spec->sources[RG_LANGUAGE_OPENCL], path);
    assert_int_equal(spec->source_places[RG_LANGUAGE_CUDA].line, 5);
    assert_int_equal(spec->dimension_count, 3);
    assert_string_equal(spec->dimensions[2].name, "tile");
    assert_true(spec->dimensions[0].launch && spec->dimensions[1].launch && !spec->dimensions[2].launch);
    assert_int_equal(spec->dimensions[1].count, 4);
    assert_int_equal(spec->dimensions[2].values[3].as.integer, 8);
    assert_int_equal(spec->constraint_count, 2);
    assert_int_equal(spec->param_count, 1);
    assert_string_equal(rg_expr_text(spec->grid[0]), "n / (block_x * tile)");
    assert_string_equal(rg_expr_text(spec->grid[1]), "4");
    assert_null(spec->grid[2]);
    assert_string_equal(rg_expr_text(spec->block[1]), "block_y");
    assert_int_equal(spec->argument_count, 4);
    const struct rg_argument *arguments = spec->arguments;
    assert_int_equal(arguments[0].access, RG_ACCESS_IN);
    assert_int_equal(arguments[0].element, RG_F32);
    assert_int_equal(arguments[0].fill, RG_FILL_UNIFORM);
    assert_true(arguments[0].fill_value == 1);
    assert_string_equal(arguments[1].name, "argument 2");
    assert_int_equal(arguments[1].fill, RG_FILL_CONSTANT);
    assert_int_equal(arguments[2].access, RG_ACCESS_SCALAR);
    assert_int_equal(arguments[3].access, RG_ACCESS_LOCAL);
    assert_int_equal(spec->verify.reference, RG_REFERENCE_C);
    assert_string_equal(spec->verify.c_entry, "reference");
    assert_true(spec->verify.relative == 1e-3 && spec->verify.absolute == 0 && !spec->verify.equal_nan);
    assert_non_null(spec->model_smem_bytes);
    assert_string_equal(rg_expr_text(spec->model_bytes), "4096");
    assert_string_equal(rg_expr_text(spec->work[RG_WORK_FMA]), "2 * loads");
    assert_int_equal(spec->let_count, 1);
    fixture_close(&f);
}

static void test_defaults(void **state)
{
    (void)state;
    struct spec_fixture f;
    assert_ok(fixture_load(&f, SMALL, NULL, 0), &f.error);
    assert_string_equal(f.spec->entry, "k");
    assert_int_equal(f.spec->domain, 1);
    assert_int_equal(f.spec->constraint_count, 0);
    assert_int_equal(f.spec->verify.reference, RG_REFERENCE_NONE);
    assert_true(f.spec->verify.relative == 1e-4 && f.spec->verify.absolute == 1e-6);
    fixture_close(&f);
    assert_ok(fixture_load(&f, SMALL "[bench]\nblock_x = \"a\"\ngrid_z = 2\n", NULL, 0), &f.error);
    assert_int_equal(f.spec->domain, 3);
    assert_true(f.spec->dimensions[0].launch);
    fixture_close(&f);
}

struct range_row {
    const char *values;
    size_t count;
    double first, third, last;
};

static void test_ranges(void **state)
{
    (void)state;
    static const struct range_row rows[] = {
        {"{ from = 0.1, to = 0.7, step = 0.1 }", 7, 0.1, 0.3, 0.7},
        {"{ from = -0.3, to = 0.3, step = 0.1 }", 7, -0.3, -0.1, 0.3},
        {"{ from = 0, to = 1, step = 0.25 }", 5, 0, 0.5, 1},
        {"{ from = 1e-7, to = 5e-7, step = 1e-7 }", 5, 1e-7, 3e-7, 5e-7},
        {"{ from = 1.0, to = 3.5 }", 3, 1, 3, 3},
        {"{ from = 32, to = 1024, step = 32 }", 32, 32, 96, 1024},
        {"{ from = 1, to = 10, step = 4 }", 3, 1, 9, 9},
        {"{ from = 5, to = 8 }", 4, 5, 7, 8},
        {"{ pow2_from = 1, pow2_to = 64 }", 7, 1, 4, 64},
        {"{ pow2_from = 4, pow2_to = 4611686018427387904 }", 61, 4, 16, 4611686018427387904.0},
        {"{ from = 0, to = 999999 }", 1000000, 0, 2, 999999},
        {"{ from = 0.333333333333333314, to = 1, step = 0.333333333333333314 }", 3, 0.333333333333333314, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, HEAD "[dims.a]\nvalues = %s\n", rows[i].values);
        struct spec_fixture f;
        assert_ok(fixture_load(&f, text, NULL, 0), &f.error);
        const struct rg_dimension *a = &f.spec->dimensions[0];
        assert_int_equal(a->count, rows[i].count);
        const double want[3] = {rows[i].first, rows[i].third, rows[i].last};
        const size_t at[3] = {0, 2, a->count - 1};
        for (size_t k = 0; k < 3; k++) {
            const struct ridge_value *value = &a->values[at[k]];
            assert_true((value->type == RIDGE_INT ? (double)value->as.integer : value->as.number) == want[k]);
        }
        fixture_close(&f);
    }
}

struct bad_row {
    const char *text;
    ridge_status status;
    unsigned line;
    const char *message; /**< a part of it */
};

static void check_bad(const struct bad_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct spec_fixture f;
        const ridge_status status = fixture_load(&f, rows[i].text, NULL, 0);
        if (status != rows[i].status || f.error.line != rows[i].line || !strstr(f.error.message, rows[i].message)) {
            fail_msg("row %zu: %s, line %u: '%s' (wanted '%s')", i, ridge_status_name(status), f.error.line,
                     f.error.message, rows[i].message);
        }
        assert_null(f.spec);
        const size_t length = strlen(f.error.message);
        /* It says what would be right; only the fault of a constant expression has nothing to say. */
        assert_true(length > 0 && (f.error.message[length - 1] == ')' || strstr(f.error.message, "division")));
        fixture_close(&f);
    }
}

static void test_bad_dimensions(void **state)
{
    (void)state;
    static const struct bad_row rows[] = {
        {HEAD, RIDGE_E_VALUE, 1, "[dims]"},
        {HEAD "[dims]\n", RIDGE_E_VALUE, 3, "no dimension"},
        {HEAD "[dims.a]\n", RIDGE_E_VALUE, 3, "no `values`"},
        {HEAD "[dims]\na = 1\n", RIDGE_E_VALUE, 4, "is an integer"},
        {HEAD "[dims.a]\nvalue = [1]\n", RIDGE_E_NAME, 4, "did you mean `values`"},
        {HEAD "[dims.a]\nvalues = []\n", RIDGE_E_VALUE, 4, "no values"},
        {HEAD "[dims.a]\nvalues = [1,\n true]\n", RIDGE_E_VALUE, 5, "mixes"},
        {HEAD "[dims.a]\nvalues = [[1]]\n", RIDGE_E_VALUE, 4, "a list is no value"},
        {HEAD "[dims.a]\nvalues = [inf]\n", RIDGE_E_VALUE, 4, "finite"},
        {HEAD "[dims.a]\nvalues = ['x\\n', \"x\\ny\"]\n", RIDGE_E_VALUE, 4, "control"},
        {HEAD "[dims.a]\nvalues = [3,\n 7,\n 3,\n 7]\n", RIDGE_E_VALUE, 6, "value 3 twice"},
        {HEAD "[dims.a]\nvalues = [0.0, -0.0]\n", RIDGE_E_VALUE, 4, "twice"},
        {HEAD "[dims.a]\nvalues = ['x', 'x']\n", RIDGE_E_VALUE, 4, "twice"},
        {HEAD "[dims.a]\nvalues = [true, true]\n", RIDGE_E_VALUE, 4, "twice"},
        {HEAD "[dims.a]\nrole = 'lunch'\nvalues = [1]\n", RIDGE_E_VALUE, 4, "role"},
        {HEAD "[dims.1a]\nvalues = [1]\n", RIDGE_E_NAME, 3, "cannot name"},
        {HEAD "[dims.a-b]\nvalues = [1]\n", RIDGE_E_NAME, 3, "cannot name"},
        {HEAD "[dims.and]\nvalues = [1]\n", RIDGE_E_NAME, 3, "word of the expression language"},
        {HEAD "[dims.a]\nvalues = { from = 1 }\n", RIDGE_E_VALUE, 4, "no `to`"},
        {HEAD "[dims.a]\nvalues = { from = 1, to = 2, stop = 3 }\n", RIDGE_E_NAME, 4, "did you mean `step`"},
        {HEAD "[dims.a]\nvalues = { from = 1, to = 2, step = 0 }\n", RIDGE_E_VALUE, 4, "not positive"},
        {HEAD "[dims.a]\nvalues = { from = 1, to = 2, step = -0.5 }\n", RIDGE_E_VALUE, 4, "not positive"},
        {HEAD "[dims.a]\nvalues = { from = 2, to = 1 }\n", RIDGE_E_VALUE, 4, "no values"},
        {HEAD "[dims.a]\nvalues = { from = nan, to = 1 }\n", RIDGE_E_VALUE, 4, "finite"},
        {HEAD "[dims.a]\nvalues = { from = 0, to = 1000000 }\n", RIDGE_E_LIMIT, 4, "too many"},
        {HEAD "[dims.a]\nvalues = { from = 0, to = 1, step = 1e-7 }\n", RIDGE_E_LIMIT, 4, "too many"},
        {HEAD "[dims.a]\nvalues = { from = -9223372036854775808, to = 9223372036854775807 }\n", RIDGE_E_LIMIT, 4,
         "many"},
        {HEAD "[dims.a]\nvalues = { from = 1e16, to = 10000000000000004.0 }\n", RIDGE_E_VALUE, 4, "too small"},
        {HEAD "[dims.a]\nvalues = { pow2_from = 0, pow2_to = 4 }\n", RIDGE_E_VALUE, 4, "power of two"},
        {HEAD "[dims.a]\nvalues = { pow2_from = 1, pow2_to = 100 }\n", RIDGE_E_VALUE, 4, "power of two"},
        {HEAD "[dims.a]\nvalues = { pow2_from = 8, pow2_to = 4 }\n", RIDGE_E_VALUE, 4, "no values"},
        {HEAD "[dims.a]\nvalues = { pow2_from = 1.0, pow2_to = 4 }\n", RIDGE_E_VALUE, 4, "is a float"},
        {HEAD "[dims.block_x]\nvalues = [0, 1]\n", RIDGE_E_VALUE, 3, "number of threads"},
        {HEAD "[dims.block_x]\nvalues = ['a']\n", RIDGE_E_VALUE, 3, "number of threads"},
    };
    check_bad(rows, sizeof rows / sizeof rows[0]);
}

static void test_bad_tables(void **state)
{
    (void)state;
    static const struct bad_row rows[] = {
        {DIM_A, RIDGE_E_VALUE, 1, "[kernel]"},
        {"kernel = 3\n" DIM_A, RIDGE_E_VALUE, 1, "is an integer"},
        {"[kernel]\n" DIM_A, RIDGE_E_VALUE, 1, "no `name`"},
        {"[kernel]\nname = ''\n" DIM_A, RIDGE_E_VALUE, 2, "empty"},
        {"[kernel]\nname = \"a\\tb\"\n" DIM_A, RIDGE_E_VALUE, 2, "control"},
        {HEAD "domain = 4\n" DIM_A, RIDGE_E_VALUE, 3, "domain is 4"},
        {HEAD "sources = { opencll = 'x' }\n" DIM_A, RIDGE_E_NAME, 3, "did you mean `opencl`"},
        {SMALL "[dim.b]\nvalues = [1]\n", RIDGE_E_NAME, 5, "did you mean `dims`"},
        {HEAD "domain = 1\n" DIM_A "[bench]\ngrid_y = 2\n", RIDGE_E_VALUE, 7, "domain = 2"},
        {HEAD "domain = 2\n[dims.block_z]\nvalues = [1]\n", RIDGE_E_VALUE, 4, "domain = 3"},
        {SMALL "[constraints]\n", RIDGE_E_VALUE, 5, "no `exprs`"},
        {SMALL "[constraints]\nexprs = 'a > 1'\n", RIDGE_E_VALUE, 6, "is a text"},
        {SMALL "[constraints]\nexprs = ['a > 1',\n 7]\n", RIDGE_E_VALUE, 7, "constraint 2 is an integer"},
        {SMALL "[constraints]\nexprs = ['a > 1',\n 'a >']\n", RIDGE_E_SYNTAX, 7, "("},
        {SMALL "[constraints]\nexprs = ['''\na > 1 and\nb > 2''']\n", RIDGE_E_NAME, 8, "`b`"},
        {SMALL "[bench]\nparams = { a = 1 }\n", RIDGE_E_NAME, 6, "a dimension already"},
        {SMALL "[bench]\nparams = { 'x y' = 1 }\n", RIDGE_E_NAME, 6, "cannot name"},
        {SMALL "[bench]\nparams = { x = [1] }\n", RIDGE_E_VALUE, 6, "no value"},
        {SMALL "[bench]\nparams = 1\n", RIDGE_E_VALUE, 6, "is an integer"},
        {SMALL "[bench]\ngrid_x = 1.5\n", RIDGE_E_VALUE, 6, "is a float"},
        {SMALL "[bench]\ngrid_x = 'b'\n", RIDGE_E_NAME, 6, "`b`"},
        {SMALL "[model]\nflops = 1.5\n", RIDGE_E_VALUE, 6, "is a float"},
        {SMALL "[model.work]\ninstruction = 1\n", RIDGE_E_NAME, 6, "`instructions`"},
        {SMALL "[model.work]\nfma = 'x'\n", RIDGE_E_NAME, 6, "unknown name `x`"},
        {SMALL "[model.work]\nfma = true\n", RIDGE_E_VALUE, 6, "is a boolean"},
        {SMALL "[model]\nwork = 3\n", RIDGE_E_VALUE, 6, "write [model.work]"},
        {SMALL "[model.let]\nx = 'y'\ny = 1\n", RIDGE_E_NAME, 6, "unknown name `y`"},
        {SMALL "[model.let]\nx = \"'text'\"\n", RIDGE_E_VALUE, 6, "it is text"},
        {SMALL "[model.let]\na = 1\n", RIDGE_E_NAME, 6, "is a dimension or param already"},
        {SMALL "[model.let]\nnot = 1\n", RIDGE_E_NAME, 6, "word of the expression language"},
        {SMALL "[verify]\nrel = -1\n", RIDGE_E_VALUE, 6, "negative"},
        {SMALL "[verify]\nreference = {}\n", RIDGE_E_VALUE, 6, "one of"},
        {SMALL "[verify]\nreference = { entry = 'x' }\n", RIDGE_E_VALUE, 6, "one of"},
        {SMALL "[verify]\nreference = { c = 'x', file = 'y' }\n", RIDGE_E_VALUE, 6, "one of"},
        {SMALL "[verify]\nreference = { config = 'c1-12' }\n", RIDGE_E_VALUE, 6, "16 hex digits"},
        {SMALL "[verify]\nreference = { config = { a = 3 } }\n", RIDGE_E_VALUE, 6, "no value of `a`"},
        {SMALL "[verify]\nreference = { config = { aa = 3 } }\n", RIDGE_E_NAME, 6, "did you mean `a`"},
        {SMALL "[verify]\nreference = { config = {} }\n", RIDGE_E_VALUE, 6, "has no `a`"},
        {SMALL "[verify]\nreference = { file = 'x' }\n", RIDGE_E_VALUE, 6, "0 outputs"},
    };
    check_bad(rows, sizeof rows / sizeof rows[0]);
}

#define ARG SMALL "[bench]\nparams = { n = 8 }\n[[bench.args]]\n"

static void test_bad_arguments(void **state)
{
    (void)state;
    static const struct bad_row rows[] = {
        {SMALL "[bench]\nargs = [1]\n", RIDGE_E_VALUE, 6, "argument 1 is an integer"},
        {ARG "len = 1\n", RIDGE_E_VALUE, 7, "no `kind`"},
        {ARG "kind = 'in_f23'\nlen = 1\n", RIDGE_E_VALUE, 8, "did you mean"},
        {ARG "kind = 'something'\nlen = 1\n", RIDGE_E_VALUE, 8, "in_, out_ or inout_"},
        {ARG "kind = 'in_f32'\n", RIDGE_E_VALUE, 7, "no `len`"},
        {ARG "kind = 'in_f32'\nlen = 'n * a'\n", RIDGE_E_VALUE, 9, "uses the dimension `a`"},
        {ARG "kind = 'in_f32'\nlen = 'n / 0'\n", RIDGE_E_VALUE, 9, "division by zero"},
        {ARG "kind = 'in_f32'\nlen = 'n - 8'\n", RIDGE_E_VALUE, 9, "`len` is 0"},
        {ARG "kind = 'in_f32'\nlen = 'n * 0.5'\n", RIDGE_E_VALUE, 9, "`len` is 4.0"},
        {ARG "kind = 'in_f32'\nlen = 9223372036854775807\n", RIDGE_E_LIMIT, 9, "more than a memory"},
        {ARG "kind = 'in_f32'\nlen = 1\nfill = 'unifrom'\n", RIDGE_E_VALUE, 10, "did you mean uniform"},
        {ARG "kind = 'in_f32'\nlen = 1\nfill = 'file'\n", RIDGE_E_VALUE, 7, "no `file`"},
        {ARG "kind = 'in_f32'\nlen = 1\nfill = 'iota'\nfile = 'x'\n", RIDGE_E_VALUE, 7, "only"},
        {ARG "kind = 'in_f32'\nlen = 1\nfill = 'iota'\nvalue = 1\n", RIDGE_E_VALUE, 11, "does not belong"},
        {ARG "kind = 'in_u8'\nlen = 1\nfill = 'constant'\nvalue = 256\n", RIDGE_E_VALUE, 11, "no u8"},
        {ARG "kind = 'in_i8'\nlen = 1\nfill = 'constant'\nvalue = -129\n", RIDGE_E_VALUE, 11, "no i8"},
        {ARG "kind = 'in_i32'\nlen = 1\nvalue = 1.5\n", RIDGE_E_VALUE, 10, "no i32"},
        {ARG "kind = 'in_f32'\nlen = 1\nvalue = 0\n", RIDGE_E_VALUE, 10, "not above 0"},
        {ARG "kind = 'in_u32'\nlen = 1\nsigned = true\n", RIDGE_E_VALUE, 10, "signed type"},
        {ARG "kind = 'in_f32'\nlen = 1\nseed = -1\n", RIDGE_E_VALUE, 10, "negative"},
        {ARG "kind = 'i32'\n", RIDGE_E_VALUE, 7, "no `value`"},
        {ARG "kind = 'i32'\nvalue = 'x'\n", RIDGE_E_NAME, 9, "`x`"},
        {ARG "kind = 'i32'\nvalue = 2147483648\n", RIDGE_E_VALUE, 9, "no i32"},
        {ARG "kind = 'u64'\nvalue = '0 - n'\n", RIDGE_E_VALUE, 9, "no u64"},
        {ARG "kind = 'i32'\nvalue = 1\nlen = 1\n", RIDGE_E_NAME, 10, "no key `len`"},
        {ARG "kind = 'local_bytes'\n", RIDGE_E_VALUE, 7, "one of `len` and `bytes`"},
        {ARG "kind = 'local_bytes'\nlen = 1\nbytes = 1\n", RIDGE_E_VALUE, 7, "one of `len` and `bytes`"},
        {ARG "kind = 'len_of'\nof = 0\n", RIDGE_E_VALUE, 9, "no buffer before"},
    };
    check_bad(rows, sizeof rows / sizeof rows[0]);
}

static void test_arguments(void **state)
{
    (void)state;
    struct spec_fixture f;
    assert_ok(
        fixture_load(
            &f,
            SMALL
            "[bench]\nelements = 32\n"
            "[[bench.args]]\nname = 'x'\nkind = 'inout_i16'\nlen = 'elements'\nsigned = true\nvalue = 5\nseed = 9\n"
            "[[bench.args]]\nkind = 'in_u32'\nlen = 4\n"
            "[[bench.args]]\nkind = 'len_of'\nof = 0\n"
            "[[bench.args]]\nkind = 'f32'\nvalue = 0.1\n"
            "[[bench.args]]\nkind = 'i64'\nvalue = 9223372036854775807\n"
            "[[bench.args]]\nkind = 'u8'\nvalue = true\n"
            "[[bench.args]]\nkind = 'in_f64'\nlen = 2\nfile = 'in.bin'\n"
            "[verify]\nreference = { files = ['out.bin'] }\nequal_nan = true\n",
            NULL, 0),
        &f.error);
    const struct rg_argument *arguments = f.spec->arguments;
    assert_string_equal(arguments[0].name, "x");
    assert_int_equal(arguments[0].access, RG_ACCESS_INOUT);
    assert_true(arguments[0].fill_signed && arguments[0].fill_value == 5 && arguments[0].seed == 9);
    assert_true(arguments[1].seed != arguments[0].seed && arguments[1].fill_value == 100);
    struct ridge_value value;
    assert_true(rg_expr_constant(arguments[2].value, &value) && value.as.integer == 32);
    assert_int_equal(arguments[2].element, RG_U64);
    assert_true(rg_expr_constant(arguments[3].value, &value) && value.as.number == 0.1);
    assert_true(rg_expr_constant(arguments[4].value, &value) && value.as.integer == INT64_MAX);
    assert_true(rg_expr_constant(arguments[5].value, &value) && value.as.integer == 1);
    assert_int_equal(arguments[6].fill, RG_FILL_FILE);
    assert_int_equal(f.spec->verify.reference, RG_REFERENCE_FILE);
    assert_int_equal(f.spec->verify.file_count, 1);
    assert_true(f.spec->verify.equal_nan);
    assert_int_equal(rg_element_bytes(RG_I16), 2);
    assert_string_equal(rg_element_word(RG_U64), "u64");
    fixture_close(&f);
}

static void test_reference_configuration(void **state)
{
    (void)state;
    struct spec_fixture f;
    assert_ok(fixture_load(&f, SMALL "[verify]\nreference = { config = { a = 4 } }\n", NULL, 0), &f.error);
    assert_int_equal(f.spec->verify.reference, RG_REFERENCE_CONFIGURATION);
    assert_int_equal(f.spec->verify.choice[0], 2);
    assert_null(f.spec->verify.configuration);
    fixture_close(&f);
    assert_ok(fixture_load(&f, SMALL "[verify]\nreference = { config = 'c1-0123456789abcdef' }\n", NULL, 0), &f.error);
    assert_string_equal(f.spec->verify.configuration, "c1-0123456789abcdef");
    assert_null(f.spec->verify.choice);
    fixture_close(&f);
}

static void test_set(void **state)
{
    (void)state;
    static const char text[] = SMALL "[bench]\nparams = { n = 8, scale = 0.5, fast = true, word = 'x' }\n";
    static const struct {
        const char *set;
        size_t param; /**< sorted: fast n scale word */
        ridge_type type;
        const char *shown;
    } rows[] = {{"n=1024", 1, RIDGE_INT, "1024"},       {"n=-3", 1, RIDGE_INT, "-3"},
                {"n=1.5", 1, RIDGE_FLOAT, "1.5"},       {"scale=2", 2, RIDGE_FLOAT, "2.0"},
                {"fast=false", 0, RIDGE_BOOL, "false"}, {"word=7", 3, RIDGE_TEXT, "7"},
                {"word=a=b", 3, RIDGE_TEXT, "a=b"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct spec_fixture f;
        assert_ok(fixture_load(&f, text, &rows[i].set, 1), &f.error);
        char shown[32];
        ridge_value_format(f.spec->params[rows[i].param].constant, shown, sizeof shown);
        assert_string_equal(shown, rows[i].shown);
        assert_int_equal(f.spec->params[rows[i].param].type, rows[i].type);
        fixture_close(&f);
    }
    static const char *const bad[] = {"n", "=3", "n=", "n=x", "fast=1", "scale=y", "m=1", "n=nan"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct spec_fixture f;
        assert_true(fixture_load(&f, text, &bad[i], 1) != RIDGE_OK);
        assert_non_null(strstr(f.error.message, "--set"));
        fixture_close(&f);
    }
}

static void load_hashes(const char *text, const char *set, char space[65], char arguments[65])
{
    struct spec_fixture f;
    assert_ok(fixture_load(&f, text, &set, set ? 1 : 0), &f.error);
    memcpy(space, f.spec->space_hash, 65);
    memcpy(arguments, f.spec->arguments_hash, 65);
    fixture_close(&f);
}

static void test_hashes(void **state)
{
    (void)state;
    static const char text[] = SMALL "[constraints]\nexprs = ['a < n']\n[bench]\nparams = { n = 3, nn = 1 }\n"
                                     "[[bench.args]]\nkind = 'in_f32'\nlen = 4\nfile = 'x.bin'\n";
    char space[65];
    char arguments[65];
    char other_space[65];
    char other_arguments[65];
    load_hashes(text, NULL, space, arguments);
    /* Python: hashlib.sha256 of the lines that spec_hash.c documents. */
    assert_string_equal(space, "735db16985ad46560da8b65cf39e7b67527fb2767a9766de77aeca6265b71c88");
    assert_string_equal(arguments, "63f36d0bf4c842de26a21fa3c39732939227ada731483349e74fe88654741040");
    load_hashes(text, NULL, other_space, other_arguments); /* in another folder */
    assert_string_equal(space, other_space);
    assert_string_equal(arguments, other_arguments);
    load_hashes(text, "nn=2", other_space, other_arguments);
    assert_string_equal(space, other_space);
    assert_string_not_equal(arguments, other_arguments);
    load_hashes(text, "n=2", other_space, other_arguments);
    assert_string_not_equal(space, other_space);
}

static void test_line_ends_do_not_change_hashes(void **state)
{
    (void)state;
    char space[65];
    char arguments[65];
    char other_space[65];
    char other_arguments[65];
    load_hashes(SMALL "[constraints]\nexprs = ['''\na > 1\nor a == 1''']\n", NULL, space, arguments);
    load_hashes("\xEF\xBB\xBF[kernel]\r\nname = \"k\"\r\n[dims.a]\r\nvalues = [1, 2, 4]\r\n[constraints]\r\n"
                "exprs = ['''\r\na > 1\r\nor a == 1''']\r\n",
                NULL, other_space, other_arguments);
    assert_string_equal(space, other_space);
    assert_string_equal(arguments, other_arguments);
}

static void test_paths(void **state)
{
    (void)state;
    struct spec_fixture f;
    fixture_write(&f, HEAD "sources = { c = '/absolute.c', opencl = 'sub/k.cl' }\n" DIM_A);
    f.context = test_context();
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(f.folder), 0);
    assert_ok(ridge_spec_load(f.context, "kernel.toml", NULL, 0, &f.spec, &f.error), &f.error);
    assert_string_equal(f.spec->folder, ".");
    assert_string_equal(f.spec->sources[RG_LANGUAGE_OPENCL], "sub/k.cl");
    assert_string_equal(f.spec->sources[RG_LANGUAGE_C], "/absolute.c");
    ridge_spec_destroy(f.spec);
    f.spec = NULL;
    assert_ok(ridge_spec_load(f.context, ".//", NULL, 0, &f.spec, &f.error), &f.error);
    assert_string_equal(f.spec->path, "./kernel.toml");
    assert_int_equal(chdir(here), 0);
    assert_int_equal(ridge_spec_load(f.context, "/nowhere/at all", NULL, 0, &f.spec, &f.error), RIDGE_E_IO);
    fixture_close(&f);
}

/** Each allocation fails in turn: an error every time, no leak, and no output. */
static void test_no_memory(void **state)
{
    (void)state;
    struct spec_fixture f;
    fixture_write(&f, design_example);
    ridge_status status = RIDGE_E_MEMORY;
    size_t fail_at = 1;
    for (; status != RIDGE_OK; fail_at++) {
        struct failing_allocator allocator = {.fail_at = fail_at};
        f.context = failing_context(&allocator);
        memset(&f.error, 0, sizeof f.error);
        status = ridge_spec_load(f.context, f.folder, NULL, 0, &f.spec, &f.error);
        assert_true(status == RIDGE_OK || (status == RIDGE_E_MEMORY && !f.spec && f.error.status == status));
        assert_true(fail_at < 10000);
        ridge_spec_destroy(f.spec);
        ridge_context_destroy(f.context);
        assert_int_equal(allocator.bytes, 0);
    }
    assert_true(fail_at > 3);
    f.spec = NULL;
    f.context = NULL;
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_design_example),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_bad_dimensions),
        cmocka_unit_test(test_bad_tables),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_reference_configuration),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_hashes),
        cmocka_unit_test(test_line_ends_do_not_change_hashes),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
