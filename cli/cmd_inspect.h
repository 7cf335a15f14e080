/* SPDX-License-Identifier: MIT */
/** \file What the parts of `ridge inspect` share: the kernels of a file, kept, and a device to judge them for. */
#ifndef CLI_CMD_INSPECT_H
#define CLI_CMD_INSPECT_H

#include "options.h"
#include "ridge/binary.h"
#include "ridge/occupancy.h"

/** A kernel that outlives the visit, with what a device makes of it. */
struct kept_kernel {
    struct ridge_binary_kernel kernel; /* attributes are without what they carry: the codes are listed */
    void *block;                       /* of its texts and attributes; those that it shares with others are theirs */
    size_t number;                     /* in the order of the file */
    bool runs;                         /* its target is one that the device runs */
    bool judged;                       /* those below were asked for and answered */
    bool launchable;
    uint32_t blocks, warps, max_warps; /* resident */
    double occupancy;
    char *verdict; /* "launchable", or why not */
};

struct judge;

/** A file with what was read of it. */
struct inspection {
    const char *path;
    const struct judge *judge; /* kernels that its device does not run are not read; NULL: all are */
    uint64_t left_out;         /* images with such kernels */
    const char *kind;
    struct kept_kernel *kernels;
    size_t count;
    size_t capacity;
    uint64_t skipped;   /* images that could not be read */
    unsigned objects;   /* that stand one behind the other in the file */
    uint64_t others;    /* kernels that were not asked for */
    bool failed;        /* memory ran out */
    const char *wanted; /* --kernel; NULL: all */
    char targets[512];  /* of all machine code: "sm_80, sm_90a" */
    char images[256];   /* what there is besides machine code: "2 PTX, 1 host code" */
};

/** A device to judge for. */
struct judge {
    struct ridge_context *context;
    const char *name; /* as asked; NULL: none */
    uint32_t threads;
    uint32_t smem_dynamic_bytes;
    struct ridge_device_db *db;
    struct ridge_device_match match;
    struct ridge_occupancy_table *table;    /* for the options below */
    struct ridge_occupancy_options options; /* as the kernel asks for */
    bool without_barriers;                  /* nobody states how many barriers the device has: they are not counted */
};

/** Find the device. `name` NULL does nothing. \return an exit code; EXIT_DONE: go on */
int judge_open(struct judge *judge, const char *data);
void judge_close(struct judge *judge);

/** Say whether the device runs a kernel, and how well. \return an exit code; EXIT_DONE: go on */
int judge_kernel(struct judge *judge, struct kept_kernel *kept);

/** Read a file. \return an exit code with a message; EXIT_DONE: go on. inspection_free is to be called either way. */
int inspection_read(struct ridge_context *context, struct inspection *inspection);
void inspection_free(struct inspection *inspection);

/** By name, then target, then in the order of the file. For qsort over struct kept_kernel. */
int inspection_order(const void *a, const void *b);

/** Print what was read. \return the exit code. */
int inspect_print_text(const struct inspection *inspection, const struct judge *judge);
int inspect_print_json(const struct inspection *inspection, const struct judge *judge);

/** What a comparison looks at; bits of `fail_on`. */
enum measure {
    MEASURE_REGISTERS,
    MEASURE_SPILLS,
    MEASURE_SHARED,
    MEASURE_OCCUPANCY,
    MEASURE_STACK, /* shown, never failed on */
    MEASURE_COUNT
};

/** \return the word of a measure, as in --fail-on; NULL behind the last. */
const char *measure_word(unsigned measure);

/** What a gate looks at. */
struct gate {
    unsigned fail_on; /* set of 1 << measure */
    bool named;       /* they were asked for by name: one that is known of no kernel fails */
};

/** Compare two files and print. \return the exit code. */
int inspect_compare(struct inspection *before, struct inspection *after, const struct judge *judge,
                    const struct gate *gate, bool json);

enum {
    SHORT_NAME_BYTES = 512
};

/** The short name of a kernel, cut where it is too long. */
const char *kernel_short_name(const struct ridge_binary_kernel *kernel, char out[SHORT_NAME_BYTES]);

#endif
