/* SPDX-License-Identifier: MIT */
/** \file How text looks on standard output. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "ridge/report.h"

/**
 * \return options for a report on standard output: the width of the terminal, and colour when it is one, unless
 * NO_COLOR is set or TERM is dumb. Anything but a terminal gets the default width and no colour.
 */
struct ridge_report_options terminal_options(void);

/** Print a text that came from elsewhere: control characters, which could steer the terminal, as '?'. */
void terminal_text(const char *text);

/**
 * Turn what a report came to into an exit code, printing the error unless the sink of standard output has done so.
 */
int report_exit(ridge_status status, const struct ridge_error *error);

#endif
