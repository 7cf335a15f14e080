/* SPDX-License-Identifier: MIT */
/** \file What the parts of ridge show share. */
#ifndef CLI_CMD_SHOW_H
#define CLI_CMD_SHOW_H

#include "ridge/run.h"

/** Print how the best of a run compares with that of an earlier one. \return EXIT_NEGATIVE: it is slower, or unknown */
int show_against(const struct ridge_run *run, const struct ridge_run *earlier);

#endif
