/* SPDX-License-Identifier: MIT */
/**
 * \file What the readers of record files share: JSON values, times in any unit, words for failures, and the run that is
 * being built. What a reader skips or doubts is tallied by reason and becomes a note of the run: nothing is dropped
 * silently. jansson takes its own memory from the C library; everything else is from the context.
 * Thread rule: one thread.
 */
#ifndef RG_STORE_IMPORT_H
#define RG_STORE_IMPORT_H

#include <jansson.h>

#include "ridge/record.h"
#include "space/run.h"
#include "store/import_text.h"

/** Why something was left out or taken with a doubt: name, what the note says behind the number. */
#define RG_TALLY_LIST(X)                                                                                            \
    X(RG_TALLY_NAMES, "results were skipped: they do not have the dimensions of the first")                         \
    X(RG_TALLY_VALUE, "results were skipped: the value of a dimension is no number, text, true or false")           \
    X(RG_TALLY_TEXT, "times are text where a number belongs: they do not count")                                    \
    X(RG_TALLY_SAMPLE, "samples are zero, negative or no number: below what the clock can tell, they do not count") \
    X(RG_TALLY_HUGE, "times of 1e20 or more are what older tools write for a failure: taken as failed")             \
    X(RG_TALLY_TWICE, "results were replaced: a later one of the same configuration counts")                        \
    X(RG_TALLY_WORD, "results have an outcome that is not known: they count as not tried")                          \
    X(RG_TALLY_LITERAL, "NaN or Infinity literals stand where JSON has none: no numbers")                           \
    X(RG_TALLY_COMMA, "commas before a closing bracket were passed over")

enum rg_tally {
#define RG_TALLY_ENUM(name, text) name,
    RG_TALLY_LIST(RG_TALLY_ENUM)
#undef RG_TALLY_ENUM
    RG_TALLY_COUNT
};

struct rg_import {
    const struct ridge_context *context;
    const struct ridge_record_hints *hints;
    struct rg_import_text text;
    struct rg_run *run;
    struct ridge_error *error;
    size_t used;       /**< records that are complete */
    double *samples_s; /**< of the record at hand; NaN: not a time */
    size_t sample_count;
    size_t sample_capacity;
    uint64_t rejected;   /**< of the record at hand, before this file was written */
    double units_each_s; /**< of a time in the file: 1000 for milliseconds */
    const char **notes;
    size_t note_count;
    size_t note_capacity;
    bool memory_out; /**< of values; told by the end of the import */
    char began[72];  /**< time stamps of the first and the last record, as the file has them */
    char ended[72];
    size_t tallies[RG_TALLY_COUNT];
    size_t tally_offsets[RG_TALLY_COUNT]; /**< where the first of each was */
};

/* One reader a format. */
ridge_status rg_import_cache(struct rg_import *import);
ridge_status rg_import_t4(struct rg_import *import);
ridge_status rg_import_ktt(struct rg_import *import);
ridge_status rg_import_csv(struct rg_import *import);

/** Parse everything but the records. \param[out] out  an object; the caller's json_decref */
ridge_status rg_import_header(struct rg_import *import, json_t **out);

/** Parse one record. \param[out] out  an object; the caller's json_decref */
ridge_status rg_import_record(struct rg_import *import, size_t index, json_t **out);

/** Refuse a schema_version that is newer than 1, or no version. Absent is fine. */
ridge_status rg_import_version(struct rg_import *import, const json_t *header);

/** Set the kernel and device of the run from the file, unless the hints say otherwise. NULL: the file does not say. */
ridge_status rg_import_identity(struct rg_import *import, const char *kernel, const char *device);

/** Set the dimensions, in any order. They are copied and sorted. */
ridge_status rg_import_dimensions(struct rg_import *import, const char *const *names, size_t count);

/** \return the position of a dimension, or the count of them. */
size_t rg_import_position(const struct rg_import *import, const char *name);

/** Begin a record: room for its values; no samples yet. \return NULL when memory is out (the error is set). */
struct ridge_record *rg_import_begin(struct rg_import *import, struct ridge_value **values);

/** Complete the record: id, samples, outcome. One that is ok but has no usable time becomes skipped. */
ridge_status rg_import_end(struct rg_import *import, struct ridge_record *record, size_t offset);

/** Take a value from JSON; a text is copied. \return false when it is none that a dimension has. */
bool rg_import_value(struct rg_import *import, const json_t *json, struct ridge_value *out);

/** Take the value of every dimension from the members of an object. \return false when one is missing; tallied. */
bool rg_import_values(struct rg_import *import, const json_t *from, struct ridge_value *values, size_t offset);

/** Add a sample in the unit of the file, which may be anything: what is no number is tallied and rejected. */
ridge_status rg_import_sample(struct rg_import *import, const json_t *json, size_t offset);

/** Add a sample in seconds. */
ridge_status rg_import_sample_s(struct rg_import *import, double seconds);

/** \return a duration of the file in seconds, NaN when it is no number. */
double rg_import_seconds(const struct rg_import *import, const json_t *json);

/** Find out how many of a unit make a second; a name that is misspelt as real files do is taken, with a note. */
ridge_status rg_import_unit(struct rg_import *import, const char *name);

/** Find the outcome that an error word of Kernel Tuner stands for. \return false for any other word. */
bool rg_import_error_word(const char *word, ridge_outcome *out);

/** Give a failed record its outcome and text (copied). */
ridge_status rg_import_fail(struct rg_import *import, struct ridge_record *record, ridge_outcome outcome,
                            const char *text);

/**
 * Take what Ridge itself added to a file: members of `extras` called ridge_outcome, ridge_text, ridge_rejected and the
 * compiler's facts. Anything else is passed over.
 */
ridge_status rg_import_extra(struct rg_import *import, struct ridge_record *record, const char *name,
                             const json_t *value);

void rg_import_tally(struct rg_import *import, enum rg_tally tally, size_t offset);

/** Add a note to the run. Memory that is out is told at the end, by rg_import_finish. */
void rg_import_note(struct rg_import *import, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Remember when the run was: the first and the last time stamp that is given. NULL is passed over. */
void rg_import_time(struct rg_import *import, const char *timestamp);

/** Read a file as `ridge_record_read` does, from bytes in memory: for tests and fuzzing. */
ridge_status rg_record_parse(const struct ridge_context *context, const char *name, const char *bytes, size_t length,
                             const struct ridge_record_hints *hints, struct ridge_run **out, struct ridge_error *error);

#endif
