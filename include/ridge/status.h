/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Status codes and the error record that every call may fill.
 *
 * A call that can fail returns a ridge_status; its results are out-parameters that are written only on
 * RIDGE_OK; its last parameter is a struct ridge_error that may be NULL. The record is plain memory: nothing
 * in it is to be freed. Thread rule: everything here is pure; a record belongs to one thread at a time.
 */
#ifndef RIDGE_STATUS_H
#define RIDGE_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Marks a symbol that the library exports. */
#if defined(__GNUC__)
#    define RIDGE_API __attribute__((visibility("default")))
#else
#    define RIDGE_API
#endif

/** Every status: name, and what it means in a few words. The numbers are stable: new ones are appended. */
#define RIDGE_STATUS_LIST(X)                             \
    X(RIDGE_OK, "no error")                              \
    X(RIDGE_E_ARGUMENT, "the call was wrong")            \
    X(RIDGE_E_MEMORY, "out of memory")                   \
    X(RIDGE_E_IO, "a file could not be read or written") \
    X(RIDGE_E_SYNTAX, "input text is not well formed")   \
    X(RIDGE_E_NAME, "an unknown name in the input")      \
    X(RIDGE_E_VALUE, "a value in the input is wrong")    \
    X(RIDGE_E_LIMIT, "a limit was exceeded")             \
    X(RIDGE_E_UNAVAILABLE, "no such device or backend")  \
    X(RIDGE_E_DEVICE, "the device or its driver failed") \
    X(RIDGE_E_STORE, "the evidence database failed")     \
    X(RIDGE_E_EMPTY, "nothing is valid")                 \
    X(RIDGE_E_MEASURE, "measuring failed")               \
    X(RIDGE_E_INTERNAL, "a fault in Ridge")

/** What a call came to. RIDGE_OK is 0. */
typedef enum ridge_status {
#define RIDGE_STATUS_ENUM(name, text) name,
    RIDGE_STATUS_LIST(RIDGE_STATUS_ENUM)
#undef RIDGE_STATUS_ENUM
} ridge_status;

/** What went wrong, where, and what would be right. */
struct ridge_error {
    ridge_status status;   /**< RIDGE_OK: no error has been set */
    int native;            /**< code of the system or driver (errno, cl_int); 0: none */
    unsigned line;         /**< 1-based line in `file`; 0: no position */
    unsigned column;       /**< 1-based column in bytes; 0: no column */
    unsigned length;       /**< bytes that the fault covers, for the caret; 0 is drawn as 1 */
    char file[512];        /**< file concerned, or empty; long paths lose their beginning */
    char source_line[256]; /**< text of that line, or empty */
    char message[1024];    /**< what is wrong (what would be right) */
};

/** \return the name of a status, such as "RIDGE_E_IO"; "RIDGE_E_?" for a number that is none. Never NULL. */
RIDGE_API const char *ridge_status_name(ridge_status status);

/** \return what a status means in a few words. Never NULL. */
RIDGE_API const char *ridge_status_text(ridge_status status);

/**
 * Write an error in the one form of all messages: `file:line:column: what is wrong (what would be right)`,
 * then, when known, the source line and a caret line. No newline at the end.
 *
 * \param error  Borrowed. NULL writes an empty string.
 * \param out    Where to write; cut at `bytes` - 1 and always terminated when `bytes` > 0.
 * \param bytes  Room at `out` in bytes.
 * \return bytes that the whole text needs, without the terminator, as snprintf does.
 */
RIDGE_API size_t ridge_error_format(const struct ridge_error *error, char *out, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
