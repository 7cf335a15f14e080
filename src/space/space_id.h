/* SPDX-License-Identifier: MIT */
/**
 * \file Ids of configurations one after the other: a hash is taken up where it stood before the first dimension that
 * changed. Thread rule: one thread at a time.
 */
#ifndef RG_SPACE_SPACE_ID_H
#define RG_SPACE_SPACE_ID_H

#include "base/hash.h"
#include "space/space.h"

struct rg_id_maker {
    const struct ridge_spec *spec;
    size_t known;                                   /**< states[0 ... known] hold for the configuration at hand */
    struct rg_sha256 states[RG_MAX_DIMENSIONS + 1]; /**< by dimension: before it is put in */
};

void rg_id_maker_init(struct rg_id_maker *maker, const struct ridge_spec *spec);

/** Write the id of a configuration that has the dimensions before maker->known in common with the one before. */
void rg_id_maker_next(struct rg_id_maker *maker, const uint32_t *choice, char out[RIDGE_ID_BYTES]);

#endif
