/* SPDX-License-Identifier: MIT */
/** \file What the rest of the library asks of a compiled space beyond ridge/compile.h. Thread rule: as there. */
#ifndef RG_TUNE_COMPILED_H
#define RG_TUNE_COMPILED_H

#include "ridge/compile.h"

/** \return the space that was compiled. Borrowed. */
const struct ridge_space *rg_compiled_space(const struct ridge_compiled *compiled);

#endif
