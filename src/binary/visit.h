/* SPDX-License-Identifier: MIT */
/**
 * \file What the readers of the different kinds of files share: an image (bytes with a name for messages) and a visit
 * (whom to tell what was found, with memory that is used again from image to image). Thread rule: one thread a visit.
 */
#ifndef RG_BINARY_VISIT_H
#define RG_BINARY_VISIT_H

#include "base/arena.h"
#include "base/error.h"
#include "binary/view.h"
#include "ridge/binary.h"

enum {
    RG_RANK_ANY = 255, /**< rank of what a whole file may be */
    RG_PLACE_BYTES = 256
};

struct rg_ahead;

/** A piece of a file. */
struct rg_image {
    struct rg_view bytes;
    const char *file;        /**< path, for messages */
    const char *place;       /**< "fatbin 2, entry 1"; "": the file itself */
    const char *codec;       /**< "LZ4", "zstd"; "": as it is */
    unsigned below;          /**< rank that its kind must be below: an archive may hold programs, not the reverse */
    unsigned object;         /**< 1: the file's first; more where files stand one behind the other */
    char target_suffix;      /**< 'a' or 'f', where a fat binary says so; 0: it does not */
    bool alone;              /**< an entry of a container: what stands behind its object is padding */
    bool mapped;             /**< its bytes are those of a file: pages that were read may be dropped */
    uint64_t stored_bytes;   /**< in the file, for rg_visit_image; 0: as many as it has */
    uint64_t unpacked_bytes; /**< as its container claims, for rg_visit_image; 0: as many as it has */
};

/** A growing piece of memory. */
struct rg_room {
    void *memory;
    size_t capacity; /**< elements */
    size_t element_bytes;
};

struct rg_visit {
    const struct ridge_context *context;
    bool (*kernel)(void *user, const struct ridge_binary_kernel *kernel); /**< NULL: kernels are not read */
    bool (*image)(void *user, const struct ridge_binary_image *image);    /**< NULL: images are not told */
    bool (*wants)(void *user, const char *target);                        /**< NULL: code for every target is read */
    void *user;
    bool stopped;       /**< a callback had enough */
    uint64_t skipped;   /**< images that could not be read */
    unsigned container; /**< fat binaries, or bundles, so far */
    char *readable;     /**< the demangler's memory (malloc) */
    size_t readable_bytes;
    const uint8_t *dropped;    /**< pages before it were dropped; NULL: none yet */
    uint64_t unpack_left;      /**< bytes that may still be unpacked: bombs end here */
    void *decoder;             /**< ZSTD_DCtx; NULL: none yet */
    struct rg_ahead *ahead;    /**< images that are unpacked ahead; NULL: none yet */
    unsigned threads;          /**< that unpack, this one counted; 0: one a usable processor */
    struct rg_room symbols;    /**< uint32_t a symbol of a cubin */
    struct rg_room sections;   /**< struct section_facts of a cubin */
    struct rg_room kernels;    /**< struct cubin_kernel of a cubin */
    struct rg_room attributes; /**< struct ridge_binary_attribute of a kernel */
};

/** Set RIDGE_E_SYNTAX: "FILE: PLACE: byte OFFSET: <what>". \return RIDGE_E_SYNTAX */
ridge_status rg_image_error(const struct rg_image *image, struct ridge_error *error, uint64_t offset,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

/** \return zeroed room for `count` elements, or NULL when memory is out. */
void *rg_room_take(struct rg_visit *visit, struct rg_room *room, size_t count, size_t element_bytes);

/** Read an image of any kind, and those that stand behind it where it is not alone, and tell what is in them. */
ridge_status rg_image_read(struct rg_visit *visit, const struct rg_image *image, struct ridge_error *error);

/**
 * Carry on after an image of a container was read: what was wrong with it becomes a warning and is counted.
 * \return RIDGE_OK; RIDGE_E_MEMORY, with `error` filled, when memory was out: that ends the visit
 */
ridge_status rg_image_carry(struct rg_visit *visit, ridge_status status, const struct ridge_error *problem,
                            struct ridge_error *error);

/** Hand a problem over as the error. \return its status */
ridge_status rg_image_fail(const struct ridge_error *problem, struct ridge_error *error);

/** \return whether kernels for a target are to be read. */
bool rg_visit_wants(const struct rg_visit *visit, const char *target);

/** Tell an image. */
void rg_visit_image(struct rg_visit *visit, const struct rg_image *image, const char *kind, const char *target);

/** Tell a kernel: fills in the readable name and the place. */
void rg_visit_kernel(struct rg_visit *visit, const struct rg_image *image, struct ridge_binary_kernel *kernel);

/** A kernel of which nothing is stated yet. */
struct ridge_binary_kernel rg_kernel_unstated(void);

/* One reader a kind of file. `*end` is the offset behind what it read, written on success: others may stand there. */
ridge_status rg_cubin_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end, struct ridge_error *error);
ridge_status rg_fatbin_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end, struct ridge_error *error);
ridge_status rg_amd_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end, struct ridge_error *error);
ridge_status rg_bundle_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end, struct ridge_error *error);
ridge_status rg_packed_bundle_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end, struct ridge_error *error);
ridge_status rg_host_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end, struct ridge_error *error);
ridge_status rg_archive_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end, struct ridge_error *error);

#endif
