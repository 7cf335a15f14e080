/* SPDX-License-Identifier: MIT */
/** \file How offload bundles begin. Pure; any thread. */
#ifndef RG_BINARY_BUNDLE_H
#define RG_BINARY_BUNDLE_H

#include "binary/view.h"

bool rg_is_bundle(struct rg_view bytes);

/** \return whether bytes begin as a compressed bundle does ("CCOB"). */
bool rg_is_packed_bundle(struct rg_view bytes);

#endif
