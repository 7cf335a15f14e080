/* SPDX-License-Identifier: MIT */
/** \file What fat binaries and bundles share. Pure; any thread. */
#ifndef RG_BINARY_FATBIN_H
#define RG_BINARY_FATBIN_H

#include "binary/mapping.h"
#include "binary/visit.h"

/** \return whether bytes begin as a fat binary does. */
bool rg_is_fatbin(struct rg_view bytes);

/** \return the offset of the next byte that is not 0, down to a multiple of 8, but not before `from`. */
uint64_t rg_skip_padding(struct rg_view bytes, uint64_t from);

#endif
