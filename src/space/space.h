/* SPDX-License-Identifier: MIT */
/** \file What the rest of the library asks of a space beyond ridge/space.h. Thread rule: as there. */
#ifndef RG_SPACE_SPACE_H
#define RG_SPACE_SPACE_H

#include "ridge/space.h"
#include "space/spec.h"

/** \return the spec. Borrowed. */
const struct ridge_spec *rg_space_spec(const struct ridge_space *space);

/** Write the values of a configuration, one a dimension, as expressions of the spec take them. */
void rg_space_choice_values(const struct ridge_space *space, const uint32_t *choice, struct ridge_value *values);

/** \return whether a configuration satisfies every constraint. A constraint that cannot be evaluated is not satisfied. */
bool rg_space_accepts(const struct ridge_space *space, const uint32_t *choice);

/**
 * Find the configuration with these values, one a dimension; an integer finds an equal float, and 1 finds true.
 * \param[out] choice  complete when every value is one of its dimension's, whatever the constraints say
 * \return whether it is in the space, constraints included
 */
bool rg_space_find(const struct ridge_space *space, const struct ridge_value *values, uint32_t *choice);

/**
 * Draw up to `most` distinct configurations uniformly, in random order: all of the space when it has no more. Needs
 * about 40 bytes a drawn configuration beside the rows.
 * \param[out] rows   `count` rows of choices; freed by rg_free(context, rows, count * dimensions * 4); NULL for none
 * \retval RIDGE_E_LIMIT  the space has 2^64 configurations or more
 */
ridge_status rg_space_shuffle(const struct ridge_space *space, uint64_t most, uint64_t seed, uint32_t **rows,
                              uint64_t *count, struct ridge_error *error);

#endif
