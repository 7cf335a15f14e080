/* SPDX-License-Identifier: MIT */
/** \file Which evidence database a command uses, and opening it with a message that helps. */
#ifndef CLI_DATABASE_H
#define CLI_DATABASE_H

#include "ridge/store.h"

enum {
    DATABASE_PATH_BYTES = 4096
};

/**
 * Find the path: the option --db, else RIDGE_DB of the environment, else .ridge/evidence.db in a folder.
 * \param db_option    the value of --db, or NULL
 * \param spec_folder  the folder that the spec stands in; NULL: the current one
 * \return false with a message on standard error when the path is too long
 */
bool database_path(char *out, size_t bytes, const char *db_option, const char *spec_folder);

/**
 * Find out before the work whether its result can be put into the database, which is made where there is none.
 * \return EXIT_DONE, or what to exit with: the message has been printed
 */
int database_check(const struct ridge_context *context, const char *db_option, const char *spec_folder);

/** Read RUN: a number, or `last` (0). \return false with a message that begins with the command. */
bool run_number_parse(const char *command, const char *text, uint64_t *run);

/** \return whether a word means a group of runs: g3. */
bool is_group_name(const char *text);

/** Read GROUP, of which is_group_name is true. \return false with a message that begins with the command. */
bool group_number_parse(const char *command, const char *text, uint64_t *group);

/**
 * Open the database of `runs` and `show` for reading.
 * \param[out] exit_code  what to exit with on failure; the message has been printed
 * \return NULL on failure
 */
struct ridge_store *database_open(const struct ridge_context *context, const char *db_option, int *exit_code);

#endif
