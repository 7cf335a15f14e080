/* SPDX-License-Identifier: MIT */
/* A transform policy as a self-contained header. */
#include <stdio.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "policy/policy.h"
#include "ridge/units.h"
#include "text/c_write.h"

struct writer {
    struct rg_buffer text;
    const struct ridge_transform_policy *policy;
    char name[RG_C_NAME_BYTES];
    char macro[RG_C_NAME_BYTES];
};

/** A value of a policy: its name in structures, where it stands. */
struct member {
    const char *name;
    unsigned value;
};

enum {
    MEMBERS = 16
};

/** \return the members of the three kernels, in the order in which they are written. */
static size_t members_of(const struct ridge_transform_policy *policy, struct member out[MEMBERS])
{
    const struct member all[] = {
        {"min_bytes_in_flight", (unsigned)policy->min_bytes_in_flight},
        {"vectorized_threads_per_block", policy->vectorized.threads_per_block},
        {"vectorized_items_per_thread", policy->vectorized.items_per_thread},
        {"vectorized_vec_size", policy->vectorized.vec_size},
        {"prefetch_threads_per_block", policy->prefetch.threads_per_block},
        {"prefetch_items_per_thread_no_input", policy->prefetch.items_per_thread_no_input},
        {"prefetch_min_items_per_thread", policy->prefetch.min_items_per_thread},
        {"prefetch_max_items_per_thread", policy->prefetch.max_items_per_thread},
        {"prefetch_byte_stride", policy->prefetch.byte_stride},
        {"async_copy_threads_per_block", policy->async_copy.threads_per_block},
        {"async_copy_min_items_per_thread", policy->async_copy.min_items_per_thread},
        {"async_copy_max_items_per_thread", policy->async_copy.max_items_per_thread},
        {"async_copy_unroll", policy->async_copy.unroll},
        {"async_copy_alignment_bytes", policy->async_copy.alignment_bytes},
        {"async_copy_store_vec_size", policy->async_copy.store_vec_size},
        {"async_copy_tile_bytes", (unsigned)policy->async_copy.tile_bytes},
    };
    for (size_t i = 0; i < MEMBERS; i++) {
        out[i] = all[i];
    }
    return MEMBERS;
}

static void write_fact(struct rg_buffer *text, const struct ridge_policy_fact *fact)
{
    char number[RIDGE_NUMBER_BYTES];
    char line[1024];
    ridge_number_format(fact->number, number);
    snprintf(line, sizeof line, "  %s = %s (%s; %s)", fact->name, fact->text[0] ? fact->text : number, fact->kind,
             fact->source);
    rg_c_comment(text, "", line);
}

static void write_about(struct writer *writer, const struct ridge_header_about *about)
{
    const struct ridge_transform_policy *policy = writer->policy;
    struct rg_buffer *text = &writer->text;
    char now[RG_TIMESTAMP_BYTES];
    rg_clock_timestamp(now);
    rg_buffer_printf(text, "/* %s: a transform policy, written by ridge %s.\n", writer->name, ridge_version());
    rg_c_comment(text, "device", policy->target);
    rg_c_comment(text, "compute capability", policy->capability);
    rg_c_comment(text, "kind", policy->kind);
    rg_c_comment(text, "row", policy->row);
    if (policy->note[0]) {
        rg_c_comment(text, "note", policy->note);
    }
    rg_c_comment(text, "algorithm", policy->reason[policy->algorithm]);
    rg_c_comment(text, "date", about->date ? about->date : now);
    rg_c_comment(text, "command", about->command);
    rg_buffer_puts(text, " * facts:\n");
    for (size_t i = 0; i < policy->fact_count; i++) {
        write_fact(text, &policy->facts[i]);
    }
    rg_buffer_puts(text, " * The values of async_copy are 0 where no staged copy can be used.\n */\n");
}

static void write_c(struct writer *writer)
{
    struct rg_buffer *text = &writer->text;
    struct member members[MEMBERS];
    const size_t count = members_of(writer->policy, members);
    rg_buffer_printf(text, "#ifndef RIDGE_GUARD_%s\n#define RIDGE_GUARD_%s\n\nenum %s_algorithm {\n", writer->macro,
                     writer->macro, writer->name);
    for (int i = 0; i < RIDGE_TRANSFORM_COUNT; i++) {
        char word[RG_C_NAME_BYTES];
        rg_c_macro(ridge_transform_word((ridge_transform_algorithm)i), word);
        rg_buffer_printf(text, "    %s_%s = %d%s\n", writer->macro, word, i, i + 1 < RIDGE_TRANSFORM_COUNT ? "," : "");
    }
    rg_buffer_printf(text, "};\n\nstruct %s_transform {\n    enum %s_algorithm algorithm;\n", writer->name,
                     writer->name);
    for (size_t i = 0; i < count; i++) {
        rg_buffer_printf(text, "    unsigned %s;\n", members[i].name);
    }
    rg_buffer_puts(text, "};\n\n");
    char word[RG_C_NAME_BYTES];
    rg_c_macro(ridge_transform_word(writer->policy->algorithm), word);
    rg_buffer_printf(text, "#define %s_ALGORITHM %s_%s\n", writer->macro, writer->macro, word);
    for (size_t i = 0; i < count; i++) {
        char name[RG_C_NAME_BYTES];
        rg_c_macro(members[i].name, name);
        rg_buffer_printf(text, "#define %s_%s %uU\n", writer->macro, name, members[i].value);
    }
    rg_buffer_printf(text, "\nstatic const struct %s_transform %s = {\n    %s_%s", writer->name, writer->name,
                     writer->macro, word);
    for (size_t i = 0; i < count; i++) {
        rg_buffer_printf(text, ",\n    %uU /* %s */", members[i].value, members[i].name);
    }
    rg_buffer_puts(text, "\n};\n\n#endif\n");
}

static void write_cuda(struct writer *writer)
{
    struct rg_buffer *text = &writer->text;
    struct member members[MEMBERS];
    const size_t count = members_of(writer->policy, members);
    rg_buffer_printf(
        text, "#ifndef RIDGE_GUARD_%s\n#define RIDGE_GUARD_%s\n\nnamespace %s {\n\nenum class algorithm_kind {\n",
        writer->macro, writer->macro, writer->name);
    for (int i = 0; i < RIDGE_TRANSFORM_COUNT; i++) {
        rg_buffer_printf(text, "    %s = %d%s\n", ridge_transform_word((ridge_transform_algorithm)i), i,
                         i + 1 < RIDGE_TRANSFORM_COUNT ? "," : "");
    }
    rg_buffer_printf(text,
                     "};\n\n/* Usable on the host and in kernels: static members of a type, so that it can be a "
                     "template argument. */\nstruct policy {\n    static constexpr algorithm_kind algorithm = "
                     "algorithm_kind::%s;\n",
                     ridge_transform_word(writer->policy->algorithm));
    for (size_t i = 0; i < count; i++) {
        rg_buffer_printf(text, "    static constexpr unsigned %s = %uU;\n", members[i].name, members[i].value);
    }
    rg_buffer_printf(text, "};\n\n} /* namespace %s */\n\n#endif\n", writer->name);
}

ridge_status ridge_transform_policy_write(const struct ridge_context *context,
                                          const struct ridge_transform_policy *policy, ridge_header code,
                                          const struct ridge_header_about *about, struct ridge_sink sink,
                                          struct ridge_error *error)
{
    struct writer writer = {.policy = policy};
    rg_buffer_init(&writer.text, context);
    rg_c_name(about->name, writer.name);
    rg_c_macro(about->name, writer.macro);
    write_about(&writer, about);
    if (code == RIDGE_HEADER_CUDA) {
        write_cuda(&writer);
    } else {
        write_c(&writer);
    }
    ridge_status status = RIDGE_OK;
    if (writer.text.failed) {
        status = rg_error_memory(error, writer.text.capacity);
    } else if (!sink.write(sink.user, writer.text.text, writer.text.length)) {
        status = rg_error_set(error, RIDGE_E_IO, "the output could not be written");
    }
    rg_buffer_fini(&writer.text);
    return status;
}
