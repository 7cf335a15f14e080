/* SPDX-License-Identifier: MIT */
/** \file Ctrl-C while something is tuned: once: end after this candidate; twice: end now. */
#ifndef CLI_STOP_H
#define CLI_STOP_H

#include <signal.h>

/** Catch SIGINT and SIGTERM from now on. \return the level, as struct ridge_tune_options takes it. */
const volatile sig_atomic_t *stop_catch(void);

#endif
