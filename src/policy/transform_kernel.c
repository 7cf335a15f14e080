/* SPDX-License-Identifier: MIT */
/* Writes a transform to be tuned: its space, and its sources for OpenCL, CUDA and C. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/file.h"
#include "policy/policy.h"
#include "policy/transform_sources.h"
#include "space/spec.h"

enum {
    BASE_IN_FLIGHT = 16384,
    PATH_BYTES = 4096,
    WIDE_BYTES = 64 /* a line of a cache, and the widest register of a processor */
};

/* In the first line of every file that is written. A file without it is a person's own, and stays. */
#define MADE_BY "Made by ridge policy tune"

/** An element of a kernel.toml. */
struct element {
    const char *word;
    const char *c_type;
    const char *cl_type;
    uint32_t bytes;
};

static const char spec_name[] = "kernel.toml";
static const char reference_name[] = "reference.c";

static const struct element elements[] = {
#define ELEMENT(name, word, bytes, c_type, cl_type) {word, c_type, cl_type, bytes},
    RG_ELEMENT_LIST(ELEMENT)
#undef ELEMENT
};

struct writer {
    const struct ridge_context *context;
    const char *folder;
    const struct element *inputs[RIDGE_TRANSFORM_INPUTS];
    size_t input_count;
    const struct element *output;
    bool staged;
    struct rg_buffer text;
    struct ridge_error *error;
};

static ridge_status element_find(const char *word, const struct element **out, struct ridge_error *error)
{
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        if (strcmp(elements[i].word, word) == 0) {
            *out = &elements[i];
            return RIDGE_OK;
        }
    }
    return rg_error_set(
        error, RIDGE_E_VALUE,
        "'%.40s' cannot be tuned (f32, f64, i8 to i64 and u8 to u64 can; for f16 take u16: as many bytes)", word);
}

static ridge_status path_of(const struct writer *writer, const char *name, char path[PATH_BYTES])
{
    if ((size_t)snprintf(path, PATH_BYTES, "%s/%s", writer->folder, name) >= PATH_BYTES) {
        return rg_error_set(writer->error, RIDGE_E_LIMIT, "the path of the work folder is too long");
    }
    return RIDGE_OK;
}

/** Refuse to write over a file that was not made here. */
static ridge_status check_own(const struct writer *writer, const char *name)
{
    char path[PATH_BYTES];
    char first[128] = "";
    const ridge_status status = path_of(writer, name, path);
    if (status != RIDGE_OK) {
        return status;
    }
    FILE *file = fopen(path, "r");
    if (!file && (errno == ENOENT || errno == ENOTDIR)) {
        return RIDGE_OK;
    }
    const bool own = file && fgets(first, sizeof first, file) && strstr(first, MADE_BY);
    if (file) {
        (void)fclose(file);
    }
    const struct rg_place place = {.file = path};
    return own ? RIDGE_OK
               : rg_error_at(writer->error, RIDGE_E_IO, &place,
                             "it was not made by ridge policy tune, and stays as it is (name another folder)");
}

static ridge_status check_all_own(const struct writer *writer)
{
    ridge_status status = check_own(writer, spec_name);
    status = status == RIDGE_OK ? check_own(writer, reference_name) : status;
    for (const struct rg_transform_source *source = rg_transform_sources; source->name && status == RIDGE_OK;
         source++) {
        status = check_own(writer, source->name);
    }
    return status;
}

/** Put the text into a file of the folder and begin anew. */
static ridge_status put(struct writer *writer, const char *name)
{
    char path[PATH_BYTES];
    ridge_status status = path_of(writer, name, path);
    if (status != RIDGE_OK) {
        return status;
    }
    status = writer->text.failed
                 ? rg_error_memory(writer->error, writer->text.capacity)
                 : rg_file_write(path, rg_buffer_text(&writer->text), writer->text.length, writer->error);
    rg_buffer_clear(&writer->text);
    return status;
}

/** Append "const float *in0, const float *in1, " with a qualifier before each pointer. */
static void put_parameters(struct writer *writer, bool opencl, const char *space, const char *restricted)
{
    for (size_t i = 0; i < writer->input_count; i++) {
        rg_buffer_printf(&writer->text, "%sconst %s *%s in%zu, ", space,
                         opencl ? writer->inputs[i]->cl_type : writer->inputs[i]->c_type, restricted, i);
    }
    rg_buffer_printf(&writer->text, "%s%s *%s out, int n", space,
                     opencl ? writer->output->cl_type : writer->output->c_type, restricted);
}

static ridge_status put_reference(struct writer *writer)
{
    struct rg_buffer *text = &writer->text;
    rg_buffer_puts(text, "/* " MADE_BY ". */\nvoid reference(");
    put_parameters(writer, false, "", "");
    rg_buffer_printf(text, ")\n{\n    for (int i = 0; i < n; i++)\n        out[i] = (%s)(2 * (",
                     writer->output->c_type);
    for (size_t i = 0; i < writer->input_count; i++) {
        rg_buffer_printf(text, "%s(%s)in%zu[i]", i > 0 ? " + " : "", writer->output->c_type, i);
    }
    rg_buffer_puts(text, writer->input_count > 0 ? "));\n}\n" : "1));\n}\n");
    return put(writer, reference_name);
}

static uint32_t smallest_of(const struct writer *writer, uint32_t *sum)
{
    uint32_t smallest = writer->output->bytes;
    *sum = 0;
    for (size_t i = 0; i < writer->input_count; i++) {
        const uint32_t bytes = writer->inputs[i]->bytes;
        smallest = bytes < smallest ? bytes : smallest;
        *sum += bytes;
    }
    return smallest;
}

/** Write what depends on the elements, as macros, and then the part that is the same for all. */
static ridge_status put_source(struct writer *writer, const struct rg_transform_source *source)
{
    struct rg_buffer *text = &writer->text;
    uint32_t sum = 0;
    rg_buffer_printf(text,
                     "/* " MADE_BY ": out[i] = 2 * (in0[i] + ...). Macros: alg, block_x, ipt, vec, bif, "
                     "unr, nts. */\n#define SMALLEST %u\n#define OUT_T %s\n",
                     smallest_of(writer, &sum), source->opencl ? writer->output->cl_type : writer->output->c_type);
    rg_buffer_puts(text, "#define PARAMETERS ");
    put_parameters(writer, source->opencl, source->space, source->restricted);
    rg_buffer_puts(text, "\n/* For each input: its type, its array, its tile. */\n#define EACH_INPUT(DO)");
    for (size_t i = 0; i < writer->input_count; i++) {
        rg_buffer_printf(text, " DO(%s, in%zu, tile%zu)",
                         source->opencl ? writer->inputs[i]->cl_type : writer->inputs[i]->c_type, i, i);
    }
    rg_buffer_puts(text, "\n#define SUM(OF) (");
    for (size_t i = 0; i < writer->input_count; i++) {
        rg_buffer_printf(text, "%sOF(%s, in%zu, tile%zu)", i > 0 ? " + " : "",
                         source->opencl ? writer->inputs[i]->cl_type : writer->inputs[i]->c_type, i, i);
    }
    rg_buffer_puts(text, writer->input_count > 0 ? ")\n\n" : "(OUT_T)1)\n\n");
    rg_buffer_puts(text, source->text);
    return put(writer, source->name);
}

/** Write the dimensions. The first value of each is that of the base: what the published rules give. */
static void put_dimensions(struct writer *writer)
{
    struct ridge_transform_request request = {.input_count = writer->input_count,
                                              .output_bytes = writer->output->bytes};
    struct ridge_transform_policy policy = {.min_bytes_in_flight = BASE_IN_FLIGHT};
    struct rg_buffer *text = &writer->text;
    uint32_t sum = 0;
    const uint32_t smallest = smallest_of(writer, &sum);
    for (size_t i = 0; i < writer->input_count; i++) {
        request.input_bytes[i] = writer->inputs[i]->bytes;
    }
    rg_transform_rules(&request, 0, 0, &policy);
    const uint32_t items = policy.vectorized.items_per_thread;
    const uint32_t vector = policy.vectorized.vec_size;
    const uint32_t wide = WIDE_BYTES / smallest < 16 ? WIDE_BYTES / smallest : 16;
    const uint32_t block = policy.vectorized.threads_per_block;
    rg_buffer_printf(text, "[dims.alg] # 0: prefetch, 1: vectorized%s\nvalues = [1, 0%s]\n",
                     writer->staged ? ", 2: staged in local memory" : "", writer->staged ? ", 2" : "");
    rg_buffer_printf(text, "[dims.block_x] # tpb: threads of a block\nvalues = [%u, %u]\n", block, block * 4);
    rg_buffer_printf(text, "[dims.ipt] # items of a thread\nvalues = [%u, %u]\n", items, items * 2);
    rg_buffer_printf(text, "[dims.vec] # elements of a vector\nvalues = [%u, 1%s", vector, vector > 1 ? "" : ", 2");
    if (wide > vector) {
        rg_buffer_printf(text, ", %u", wide);
    }
    rg_buffer_printf(text,
                     "]\n[dims.bif] # bytes of the smallest element that a thread loads before it stores\nvalues = "
                     "[%u, %u, %u]\n",
                     vector * smallest, smallest, WIDE_BYTES);
    rg_buffer_puts(text, "[dims.unr] # unrolling of the loop over what is in flight\nvalues = [1, 2]\n"
                         "[dims.nts] # 1: stores that pass by the caches\nvalues = [0, 1]\n");
    rg_buffer_printf(text,
                     "\n[constraints]\nexprs = [\n    \"bif %% (vec * %u) == 0 and ipt * %u %% bif == 0\",\n"
                     "    \"(alg == 1) == (vec > 1)\",\n    \"alg == 1 or (unr == 1 and nts == 0 and bif == %u)\",\n"
                     "    \"alg != 2 or block_x * ipt * %u <= 32768\",\n]\n",
                     smallest, smallest, smallest, sum);
}

static void put_argument(struct writer *writer, const char *name, const char *kind, const char *key, const char *value)
{
    rg_buffer_printf(&writer->text, "[[bench.args]]\nname = \"%s\"\nkind = \"%s\"\n%s = \"%s\"\n", name, kind, key,
                     value);
}

static ridge_status put_spec(struct writer *writer)
{
    struct rg_buffer *text = &writer->text;
    uint32_t sum = 0;
    (void)smallest_of(writer, &sum);
    rg_buffer_puts(text, "# " MADE_BY ": out[i] = 2 * (in0[i] + ...), to be tuned.\n[kernel]\n"
                         "name = \"transform\"\nsources = { opencl = \"transform.cl\", cuda = \"transform.cu\", c = "
                         "\"transform.c\" }\n\n");
    put_dimensions(writer);
    rg_buffer_puts(text,
                   "\n[bench]\nparams = { n = 1048576 }\ngrid_x = \"(n + block_x * ipt - 1) / (block_x * ipt)\"\n\n");
    for (size_t i = 0; i < writer->input_count; i++) {
        char name[16];
        char kind[16];
        snprintf(name, sizeof name, "in%u", (unsigned)i % 100);
        snprintf(kind, sizeof kind, "in_%.8s", writer->inputs[i]->word);
        put_argument(writer, name, kind, "len", "n");
    }
    char kind[16];
    snprintf(kind, sizeof kind, "out_%.8s", writer->output->word);
    put_argument(writer, "out", kind, "len", "n");
    put_argument(writer, "n", "i32", "value", "n");
    rg_buffer_printf(
        text,
        "\n[verify]\nreference = { c = \"reference.c\" }\nrel = 1e-6\n\n[model]\nsmem_bytes = \"alg * (alg - 1) "
        "/ 2 * block_x * ipt * %u\"\nbytes = \"n * %u\"\n",
        sum, sum + writer->output->bytes);
    return put(writer, spec_name);
}

ridge_status ridge_transform_kernel_write(const struct ridge_context *context,
                                          const struct ridge_transform_kernel *kernel, const char *folder,
                                          struct ridge_error *error)
{
    struct writer writer = {.context = context,
                            .folder = folder,
                            .input_count = kernel->input_count,
                            .staged = kernel->staged && kernel->input_count > 0,
                            .error = error};
    ridge_status status = element_find(kernel->output, &writer.output, error);
    for (size_t i = 0; status == RIDGE_OK && i < kernel->input_count; i++) {
        status = element_find(kernel->inputs[i], &writer.inputs[i], error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    if (mkdir(folder, 0755) != 0 && errno != EEXIST) {
        return rg_error_system(error, RIDGE_E_IO, errno, folder, "the work folder cannot be made");
    }
    status = check_all_own(&writer);
    if (status != RIDGE_OK) {
        return status;
    }
    rg_buffer_init(&writer.text, context);
    status = put_spec(&writer);
    status = status == RIDGE_OK ? put_reference(&writer) : status;
    for (const struct rg_transform_source *source = rg_transform_sources; source->name && status == RIDGE_OK;
         source++) {
        status = put_source(&writer, source);
    }
    rg_buffer_fini(&writer.text);
    return status;
}
