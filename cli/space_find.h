/* SPDX-License-Identifier: MIT */
/** \file A configuration as a person names it. */
#ifndef CLI_SPACE_FIND_H
#define CLI_SPACE_FIND_H

#include "ridge/space.h"

/**
 * Find a configuration by its id, by `#` and its index, or by `name=value,...` for all its dimensions.
 * \param[out] choice  the value index of each dimension
 */
ridge_status find_configuration(const struct ridge_space *space, const char *text, uint32_t *choice,
                                struct ridge_error *error);

#endif
