/* SPDX-License-Identifier: MIT */
/** \file What ridge compile writes: JSON, and a folder of binaries with an index. */
#ifndef CLI_COMPILE_OUTPUT_H
#define CLI_COMPILE_OUTPUT_H

#include "ridge/compile.h"
#include "ridge/sink.h"

/** Smallest and largest of a number over the specialisations of a target that state it. */
struct compile_range {
    uint64_t low;
    uint64_t high;
    bool any;
};

/** What a target came to, summed up. */
struct compile_sum {
    uint64_t failed;
    uint64_t skipped;
    uint64_t cached;
    double seconds;
    const char *compiler; /* of the first that says */
    struct compile_range sharing;
    struct compile_range registers;
    struct compile_range accumulation_registers;
    struct compile_range scalar_registers;
    struct compile_range smem;
    struct compile_range stack;
    struct compile_range spills; /* stores and loads, bytes; AMD: spilled registers */
    struct compile_range size;
};

struct compile_sum compile_sum_of(const struct ridge_compiled *compiled, size_t target);

/** Bytes of the first line of a log. */
int compile_reason_length(const struct ridge_compiled_binary *binary);

/** Write all as JSON. \param files  name the file of each binary, as compile_folder_write puts it; ids of sharers too */
ridge_status compile_json(const struct ridge_compiled *compiled, const struct ridge_space *space, const char *kernel,
                          bool files, struct ridge_sink sink);

/** Make the folder that compile_folder_write fills, before the work, and find out whether it may be filled. */
ridge_status compile_folder_check(const char *folder, struct ridge_error *error);

/** Write each binary into DIR/TARGET/KEY.cubin (.ptx, .co), and DIR/index.json. */
ridge_status compile_folder_write(const struct ridge_context *context, const struct ridge_compiled *compiled,
                                  const struct ridge_space *space, const char *kernel, const char *folder,
                                  struct ridge_error *error);

#endif
