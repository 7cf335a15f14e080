/* SPDX-License-Identifier: MIT */
/**
 * \file The text of a file of records: read, unpacked where it is gzip, and split into its records before anything is
 * parsed. Splitting is what survives real files: it finds whole records by their brackets, so that a file that ends in
 * the middle of one, or without its closing brackets, gives all those before. Two things are changed in place, each
 * without moving a byte, so that positions in messages stay those of the file: NaN and Infinity literals become texts
 * of the same length ("N", "Infini"), and a comma before a closing bracket becomes a space.
 * Thread rule: one thread.
 */
#ifndef RG_STORE_IMPORT_TEXT_H
#define RG_STORE_IMPORT_TEXT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"

typedef enum rg_format {
    RG_FORMAT_UNKNOWN,
    RG_FORMAT_CACHE, /**< Kernel Tuner cache */
    RG_FORMAT_T4,
    RG_FORMAT_KTT,
    RG_FORMAT_CSV /**< what ridge show --csv and ridge export write */
} rg_format;

struct rg_span {
    size_t offset;
    size_t length;
};

struct rg_import_text {
    const struct ridge_context *context;
    const char *path;
    char *text; /**< NUL-terminated */
    size_t length;
    size_t capacity;
    char hash[RG_SHA256_HEX_BYTES]; /**< SHA-256 of the file as it stands */
    rg_format format;
    struct rg_span *records; /**< JSON: the text of each whole record */
    size_t record_count;
    size_t record_capacity;
    size_t content_begin; /**< JSON: what stands between the brackets of the list of records */
    size_t content_end;
    bool packed_cut; /**< the gzip data ends early */
    bool open;       /**< the closing brackets are missing */
    bool partial;    /**< something that is no whole record stood at the end of an open file */
    size_t literals; /**< NaN and Infinity */
    size_t commas;   /**< before a closing bracket */
};

/**
 * Read a file, unpacking gzip. All bytes, packed or not, count towards the context's max_input_bytes.
 * \param[out] text  zeroed by the call; freed by rg_import_text_fini whatever the result
 */
ridge_status rg_import_text_read(const struct ridge_context *context, const char *path, struct rg_import_text *text,
                                 struct ridge_error *error);

/** The same for bytes in memory that are not packed. They are copied. */
ridge_status rg_import_text_copy(const struct ridge_context *context, const char *name, const char *bytes,
                                 size_t length, struct rg_import_text *text, struct ridge_error *error);
void rg_import_text_fini(struct rg_import_text *text);

/**
 * Find out what the text is and split it into records.
 * \retval RIDGE_E_SYNTAX  brackets that do not fit, bytes behind the end, something else among the records
 * \retval RIDGE_E_VALUE   nothing in it, or no kind of file that is known
 */
ridge_status rg_import_text_split(struct rg_import_text *text, struct ridge_error *error);

/** \return the place of a byte, for rg_error_at. */
struct rg_place rg_import_place(const struct rg_import_text *text, size_t offset);

#endif
