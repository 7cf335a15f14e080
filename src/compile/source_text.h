/* SPDX-License-Identifier: MIT */
/** \file Reading C-like source and compilers' logs as text. Pure; any thread. */
#ifndef RG_COMPILE_SOURCE_TEXT_H
#define RG_COMPILE_SOURCE_TEXT_H

#include "base/buffer.h"
#include "compile/source.h"

/** Whether an identifier stands in a text as a whole word. Comments and strings count: a false yes does no harm. */
bool rg_source_names(const char *text, const char *name);

/** Whether a text has an #include line. */
bool rg_source_includes(const char *text);

/** Turn comments into blanks, in place; line breaks stay. A text with raw strings (R"...") is left as it is. */
void rg_source_blank_comments(char *text);

/** Whether a macro can make a difference to a text: it, or the value of another macro, names it, or it puts names
 * together (##). */
bool rg_macro_may_matter(const char *text, const struct rg_macro *macros, size_t count, size_t at);

/** Whether a value can be the body of a macro: it has no line break and does not join the next line. */
bool rg_macro_is_possible(const struct rg_macro *macro);

/** Append a text as a C string literal, quotes included. */
void rg_source_quote(struct rg_buffer *out, const char *text);

/**
 * Find the line of a compiler's log that says what is wrong: the first with "error:", else the first that is not empty.
 * \param[out] length  bytes of the line, without its end
 * \return where it begins, inside `log`
 */
const char *rg_log_reason(const char *log, size_t *length);

/** Whether a compiler failed because a disk is full: that is no fault of what it compiled. */
bool rg_log_disk_full(const char *log);

/** Append the reason of a log as the first line, then the whole log. */
void rg_log_append(struct rg_buffer *out, const char *log);

#endif
