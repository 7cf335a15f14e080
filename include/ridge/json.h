/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Writing JSON into a sink, two spaces an indent, members in the order written. Doubles are written with the
 * fewest digits that read back to the same bits; NaN and infinities become null, since JSON has neither. Text that
 * is not UTF-8 is written with U+FFFD in place of each bad byte, so that the output is always valid.
 * Thread rule: one thread a writer.
 */
#ifndef RIDGE_JSON_H
#define RIDGE_JSON_H

#include <stdint.h>

#include "ridge/sink.h"
#include "ridge/status.h"
#include "ridge/value.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RIDGE_JSON_MAX_DEPTH = 32
};

/** A writer; all fields are its own. */
struct ridge_json {
    struct ridge_sink sink;
    unsigned depth;                             /**< open objects and arrays */
    bool has_members[RIDGE_JSON_MAX_DEPTH + 1]; /**< by depth: something was written at it */
    bool compact[RIDGE_JSON_MAX_DEPTH + 1];     /**< by depth: written on one line */
    bool failed;                                /**< the sink refused bytes, or nesting was too deep */
};

/** Begin a document. What fails on the way is told by ridge_json_end; until then every call does nothing more. */
RIDGE_API void ridge_json_begin(struct ridge_json *json, struct ridge_sink sink);

/** End the document with a newline. \return false when anything failed on the way. */
RIDGE_API bool ridge_json_end(struct ridge_json *json);

/** Open and close objects and arrays. `key` names the member; it is NULL inside an array and for the outermost value. */
RIDGE_API void ridge_json_object_begin(struct ridge_json *json, const char *key);
RIDGE_API void ridge_json_object_end(struct ridge_json *json);
RIDGE_API void ridge_json_array_begin(struct ridge_json *json, const char *key);
RIDGE_API void ridge_json_array_end(struct ridge_json *json);
/** As above, but the whole object or array stands on one line. */
RIDGE_API void ridge_json_object_begin_compact(struct ridge_json *json, const char *key);
RIDGE_API void ridge_json_array_begin_compact(struct ridge_json *json, const char *key);

/** Write a value: a text, a number, a truth; doubles that are no number are written as null. `key` as above. */
RIDGE_API void ridge_json_text(struct ridge_json *json, const char *key, const char *value); /**< NULL: null */
RIDGE_API void ridge_json_i64(struct ridge_json *json, const char *key, int64_t value);
RIDGE_API void ridge_json_u64(struct ridge_json *json, const char *key, uint64_t value);
RIDGE_API void ridge_json_double(struct ridge_json *json, const char *key, double value);
RIDGE_API void ridge_json_bool(struct ridge_json *json, const char *key, bool value);
/** A value; a whole float keeps its point (2.0), so that it reads back as a float. */
RIDGE_API void ridge_json_value(struct ridge_json *json, const char *key, const struct ridge_value *value);
RIDGE_API void ridge_json_null(struct ridge_json *json, const char *key);

#ifdef __cplusplus
}
#endif
#endif
