/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Policies: how to run a standard kernel on a chip that nobody tuned it for, from facts about the chip. The first is
 * `transform`: out[i] = f(in1[i], in2[i], ...) over long arrays (docs/policy.md).
 *
 * A policy says which facts it used, of what kind each is and where it comes from. A fact that nobody stated gives an
 * error that names it. Thread rule: a table or a policy is unchanging once made and may be read by any thread.
 */
#ifndef RIDGE_POLICY_H
#define RIDGE_POLICY_H

#include "ridge/device.h"
#include "ridge/header.h"
#include "ridge/sink.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Algorithms of a transform: name, word, what it needs. */
#define RIDGE_TRANSFORM_LIST(X)                                                                                  \
    X(RIDGE_TRANSFORM_PREFETCH, "prefetch", "works everywhere")                                                  \
    X(RIDGE_TRANSFORM_VECTORIZED, "vectorized", "contiguous inputs, no stable addresses, sizes 1, 2, 4, ...")    \
    X(RIDGE_TRANSFORM_LDGSTS, "ldgsts", "as vectorized, compute capability 8.0 or later, staged tiles that fit") \
    X(RIDGE_TRANSFORM_UBLKCP, "ublkcp", "as vectorized, compute capability 9.0 or later, staged tiles that fit")

typedef enum ridge_transform_algorithm {
#define RIDGE_TRANSFORM_ENUM(name, word, needs) name,
    RIDGE_TRANSFORM_LIST(RIDGE_TRANSFORM_ENUM)
#undef RIDGE_TRANSFORM_ENUM
} ridge_transform_algorithm;

enum {
    RIDGE_TRANSFORM_COUNT = RIDGE_TRANSFORM_UBLKCP + 1,
    RIDGE_TRANSFORM_INPUTS = 16,           /**< inputs, at most */
    RIDGE_TRANSFORM_ELEMENT_BYTES = 65536, /**< bytes of an element, at most */
    RIDGE_POLICY_FACTS = 16,
    RIDGE_POLICY_TEXT_BYTES = 256
};

RIDGE_API const char *ridge_transform_word(ridge_transform_algorithm algorithm); /**< never NULL */

/**
 * Read the bytes of an element: f16, bf16, f32, f64, i8 ... u64, or a number of bytes.
 * \retval RIDGE_E_VALUE  it is none of them, or out of 1 to RIDGE_TRANSFORM_ELEMENT_BYTES
 */
RIDGE_API ridge_status ridge_element_parse(const char *text, uint32_t *bytes, struct ridge_error *error);

/** What is to be transformed where. */
struct ridge_transform_request {
    const char *device;     /**< name of a device; NULL: `capability` says enough */
    const char *capability; /**< "8.6"; NULL: that of the device */
    size_t input_count;     /**< 0: it only fills */
    uint32_t input_bytes[RIDGE_TRANSFORM_INPUTS];
    uint32_t output_bytes;
    bool stable_address;       /**< the function wants the addresses of its inputs to be those of the arrays */
    bool not_contiguous;       /**< an input is not one array of trivially relocatable elements */
    uint64_t bytes_in_flight;  /**< instead of what the facts give, at most 2^30; 0: those */
    uint64_t smem_limit_bytes; /**< shared memory of a block that may be used; 0: what the facts say */
    double memory_latency_s;   /**< where no fact says it; 0: unknown */
};

/** A fact that a policy rests on. Pointers are borrowed from the table of policies and the devices. */
struct ridge_policy_fact {
    const char *name; /**< "multiprocessors" */
    char text[16];    /**< the value of a fact that is no number; "": a number */
    double number;
    const char *kind; /**< "stated", "recorded", "measured", "estimated" */
    const char *source;
};

/** Staged copies: tiles of the inputs in shared memory. */
struct ridge_transform_staged {
    bool possible;
    uint32_t threads_per_block;
    uint32_t min_items_per_thread;
    uint32_t max_items_per_thread;
    uint32_t unroll;
    uint32_t alignment_bytes; /**< of the copies */
    uint32_t store_vec_size;  /**< elements a store */
    uint64_t tile_bytes;      /**< shared memory at max_items_per_thread, padding included */
};

/** A transform policy. */
struct ridge_transform_policy {
    ridge_transform_algorithm algorithm;
    char reason[RIDGE_TRANSFORM_COUNT][RIDGE_POLICY_TEXT_BYTES]; /**< by algorithm: why it was taken, or not */
    uint64_t min_bytes_in_flight;
    struct {
        uint32_t threads_per_block, items_per_thread, vec_size;
    } vectorized;
    struct {
        uint32_t threads_per_block, items_per_thread_no_input, min_items_per_thread, max_items_per_thread, byte_stride;
    } prefetch;
    struct ridge_transform_staged async_copy;
    char row[RIDGE_POLICY_TEXT_BYTES];    /**< which row gave the bytes in flight, or what else did */
    char note[RIDGE_POLICY_TEXT_BYTES];   /**< what to know about it; "": nothing */
    char target[RIDGE_POLICY_TEXT_BYTES]; /**< the device or capability it is for */
    char capability[16];                  /**< "8.6"; "unknown" */
    const char *kind;                     /**< of the bytes in flight */
    size_t fact_count;
    struct ridge_policy_fact facts[RIDGE_POLICY_FACTS];
};

struct ridge_policy_table;

/**
 * Load the rows that are compiled in and then, when given, a folder of *.toml files or one file: a row with a name that
 * is known already takes its place.
 * \param[out] out  owned by the caller; freed by ridge_policy_table_destroy
 * \retval RIDGE_E_IO, RIDGE_E_SYNTAX, RIDGE_E_NAME, RIDGE_E_VALUE  with file and line: a value that is wrong, missing, or
 *         contradicts another
 */
RIDGE_API ridge_status ridge_policy_table_create(const struct ridge_context *context, const char *path,
                                                 struct ridge_policy_table **out, struct ridge_error *error);
/** Free a table. NULL is fine. */
RIDGE_API void ridge_policy_table_destroy(struct ridge_policy_table *table);

/**
 * Find the policy of a transform. Bytes in flight a multiprocessor come from the request, else from the row of the device,
 * else from the row of its compute capability, else from bandwidth a multiprocessor times latency (Little's law).
 * \param[out] out  borrows from `table` and `devices`
 * \retval RIDGE_E_UNAVAILABLE  no such device; or no row, and the message names the facts that are missing
 * \retval RIDGE_E_VALUE        facts contradict each other; the message names both
 */
RIDGE_API ridge_status ridge_transform_policy_find(const struct ridge_policy_table *table,
                                                   const struct ridge_device_db *devices,
                                                   const struct ridge_transform_request *request,
                                                   struct ridge_transform_policy *out, struct ridge_error *error);

/** Write a policy as a self-contained header. */
RIDGE_API ridge_status ridge_transform_policy_write(const struct ridge_context *context,
                                                    const struct ridge_transform_policy *policy, ridge_header form,
                                                    const struct ridge_header_about *about, struct ridge_sink sink,
                                                    struct ridge_error *error);

/** A transform kernel to be tuned: out[i] = 2 * (in1[i] + in2[i] + ...). */
struct ridge_transform_kernel {
    size_t input_count;                         /**< 0: it only fills */
    const char *inputs[RIDGE_TRANSFORM_INPUTS]; /**< "f32": an element of a kernel.toml */
    const char *output;
    bool staged; /**< with staged copies (OpenCL only) */
};

/**
 * Write a kernel.toml with its sources (OpenCL, CUDA, C) and reference into a folder, which is made when missing: a space over
 * algorithm, threads, items, vector width, unrolling, bytes in flight and streaming stores. Its first configuration is what
 * the published rules give for 16 KiB in flight. `--set n=...` sets the number of elements.
 * \retval RIDGE_E_VALUE  an element that no kernel.toml has (f16, bf16)
 * \retval RIDGE_E_IO     the folder cannot be made or written to, or holds a file of that name whose first line does not
 *                        say that it was made here; then nothing is written
 */
RIDGE_API ridge_status ridge_transform_kernel_write(const struct ridge_context *context,
                                                    const struct ridge_transform_kernel *kernel, const char *folder,
                                                    struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
