/* SPDX-License-Identifier: MIT */
/** \file Temporary folders that name their process, so that those of killed ones can be removed. Any thread. */
#ifndef RG_BASE_TEMPORARY_H
#define RG_BASE_TEMPORARY_H

#include "ridge/context.h"

/**
 * Make a temporary folder of this process below `root`, and remove those that killed ones left there.
 * \param[out] out  its path; "" on failure
 */
ridge_status rg_temporary_make(const char *root, char *out, size_t bytes, struct ridge_error *error);

/** Remove it with its files, and its folders of plain files. One that is not there is fine. */
void rg_temporary_remove(const char *path);

#endif
