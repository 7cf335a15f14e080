/* SPDX-License-Identifier: MIT */
/** \file Running another program without a shell. Thread rule: any thread. */
#ifndef RG_BASE_COMMAND_H
#define RG_BASE_COMMAND_H

#include "base/buffer.h"

/** What the program came to. */
struct rg_command_end {
    int exit_code;  /**< -1 when a signal ended it */
    int signal;     /**< 0 when it exited */
    bool timed_out; /**< it was killed at its deadline, with all that it had started */
};

/**
 * Run a program that is looked up on the PATH, in the C locale, and wait for its end.
 * \param argv       ended by NULL
 * \param timeout_s  0: it may take as long as it likes; else it is no part of the terminal's foreground
 * \param output     receives what it writes on standard output and error, up to 1 MiB
 * \retval RIDGE_E_UNAVAILABLE  there is no such program on the PATH
 */
ridge_status rg_command_run(const struct ridge_context *context, const char *const *argv, double timeout_s,
                            struct rg_buffer *output, struct rg_command_end *end, struct ridge_error *error);

#endif
