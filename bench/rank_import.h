/* SPDX-License-Identifier: MIT */
/** \file How fast recorded files are read, beside what the JSON library needs to parse the same text. */
#ifndef BENCH_RANK_IMPORT_H
#define BENCH_RANK_IMPORT_H

#include <stddef.h>

#include "ridge/record.h"

/** A file below the folder of the data, and what it may not say itself. */
struct import_file {
    const char *name;
    struct ridge_record_hints hints;
};

/** Read every file, put each into a database of its own, and print the table. */
ridge_status print_import_speed(struct ridge_context *context, const char *data, const struct import_file *files,
                                size_t count, struct ridge_error *error);

#endif
