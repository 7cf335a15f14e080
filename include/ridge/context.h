/* SPDX-License-Identifier: MIT */
/**
 * \file
 * The context: allocator, log and limits that all other objects of the library use.
 *
 * Thread rule: a context is read-only after creation and may be shared by threads if its allocator and log
 * function may. Every object made from it must be destroyed before it.
 */
#ifndef RIDGE_CONTEXT_H
#define RIDGE_CONTEXT_H

#include "ridge/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where memory comes from. */
struct ridge_allocator {
    /**
     * Allocate (`pointer` NULL), grow or shrink, or free (`new_bytes` 0).
     * \return the block, or NULL on failure (the old block stays) and after freeing.
     */
    void *(*resize)(void *user, void *pointer, size_t old_bytes, size_t new_bytes);
    void *user; /**< handed to `resize` */
};

/** How much a log line matters. */
typedef enum ridge_log_level {
    RIDGE_LOG_WARNING,
    RIDGE_LOG_INFO,
    RIDGE_LOG_DEBUG
} ridge_log_level;

/** Receives one line without newline. May be called from the thread that made the call only. */
typedef void (*ridge_log_fn)(void *user, ridge_log_level level, const char *message);

/** How to make a context. All zero is the default: malloc, no log, default limits. */
struct ridge_context_options {
    struct ridge_allocator allocator; /**< `resize` NULL: the C library's */
    ridge_log_fn log;                 /**< NULL: nothing is logged */
    void *log_user;                   /**< handed to `log` */
    size_t max_input_bytes;           /**< longest input file read whole; 0: 64 MiB */
};

struct ridge_context;

/**
 * Make a context.
 * \param options  Borrowed for the call; NULL: all defaults.
 * \param[out] out Owned by the caller; freed by ridge_context_destroy.
 * \retval RIDGE_E_MEMORY  no memory.
 */
RIDGE_API ridge_status ridge_context_create(const struct ridge_context_options *options, struct ridge_context **out,
                                            struct ridge_error *error);

/** Free a context. NULL is fine. */
RIDGE_API void ridge_context_destroy(struct ridge_context *context);

/** \return the version of the library, such as "0.1.0". */
RIDGE_API const char *ridge_version(void);

#ifdef __cplusplus
}
#endif
#endif
