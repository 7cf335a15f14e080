/* SPDX-License-Identifier: MIT */
/** \file Writing pieces of TOML. Thread rule: one thread a buffer. */
#ifndef RG_TEXT_TOML_WRITE_H
#define RG_TEXT_TOML_WRITE_H

#include "base/buffer.h"

/** Append `key = "text"` and a line end. Bytes that are no UTF-8 become U+FFFD. */
void rg_toml_write_text(struct rg_buffer *buffer, const char *key, const char *text);

/** Append `key = number` and a line end, with the fewest digits that read back to the same bits. */
void rg_toml_write_number(struct rg_buffer *buffer, const char *key, double number);

/** Append `key = [numbers]` and a line end. */
void rg_toml_write_numbers(struct rg_buffer *buffer, const char *key, const double *numbers, size_t count);

#endif
