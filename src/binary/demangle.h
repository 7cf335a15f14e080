/* SPDX-License-Identifier: MIT */
/** \file C++ names as people write them: the one thing here that the C++ runtime does. */
#ifndef RG_BINARY_DEMANGLE_H
#define RG_BINARY_DEMANGLE_H

#ifdef __cplusplus
#    include <cstddef>
extern "C" {
#else
#    include <stddef.h>
#endif

/**
 * Demangle.
 * \param[in,out] text   memory of malloc, grown as needed; NULL at first
 * \param[in,out] bytes  its size
 * \return the text, or NULL when `name` is no mangled name. Borrowed until the next call with the same memory.
 */
const char *rg_demangle(const char *name, char **text, size_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
