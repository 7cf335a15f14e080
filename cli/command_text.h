/* SPDX-License-Identifier: MIT */
/** \file A command line as a person would type it, for the comments of what it wrote. */
#ifndef CLI_COMMAND_TEXT_H
#define CLI_COMMAND_TEXT_H

#include <stddef.h>

/** Write "ridge <command> <argv[1...]>", quoted for a shell where needed; a longer one ends with "...". */
void command_text(const char *command, int argc, char **argv, char *out, size_t bytes);

#endif
