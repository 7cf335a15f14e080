/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Images unpacked ahead of a visit, on threads of their own: nearly all of the time of reading a packed library is
 * unpacking, and images do not depend on each other. The visit names images in the order in which it will come to
 * them; reading, and all that is told, stays with the visit's thread and its order. What is unpacked and not yet read
 * has a limit in bytes, whatever the number of threads. Thread rule: one thread a visit calls these.
 */
#ifndef RG_BINARY_AHEAD_H
#define RG_BINARY_AHEAD_H

#include "binary/unpack.h"

/** \return whether it is worth it: a small image is unpacked before a thread wakes up, a large one goes to a file. */
bool rg_ahead_suits(const struct rg_packed *packed);

/** Have an image unpacked that suits. \return false: not now, there is no room; or it is refused */
bool rg_ahead_push(struct rg_visit *visit, const struct rg_packed *packed);

/**
 * Take the bytes of an image: what was unpacked ahead, where it was.
 * \param[out] out  valid until rg_ahead_release, which is to be called before the next one is taken
 */
ridge_status rg_ahead_take(struct rg_visit *visit, const struct rg_image *image, const struct rg_packed *packed,
                           struct rg_view *out, struct ridge_error *error);
void rg_ahead_release(struct rg_visit *visit);

/** Forget the images that were named and not taken. */
void rg_ahead_clear(struct rg_visit *visit);

/** End the threads and free everything. */
void rg_ahead_fini(struct rg_visit *visit);

#endif
