/* SPDX-License-Identifier: MIT */
/** \file Unpacking gzip. Pure; any thread. */
#ifndef RG_TEXT_GUNZIP_H
#define RG_TEXT_GUNZIP_H

#include "base/arena.h"
#include "base/error.h"

/** \return whether bytes start as gzip does. */
bool rg_is_gzip(const char *bytes, size_t length);

/**
 * Unpack a whole gzip file into an arena, with a terminator behind it.
 * \param name  path shown in messages
 * \retval RIDGE_E_SYNTAX  damaged or cut off
 * \retval RIDGE_E_LIMIT   more than the context's max_input_bytes
 */
ridge_status rg_gunzip(struct rg_arena *arena, const char *name, const char *bytes, size_t length, char **text,
                       size_t *out_length, struct ridge_error *error);

#endif
