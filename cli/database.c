/* SPDX-License-Identifier: MIT */
#include "database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "ridge/units.h"

bool database_path(char *out, size_t bytes, const char *db_option, const char *spec_folder)
{
    const char *named = db_option ? db_option : getenv("RIDGE_DB");
    const bool given = named && named[0];
    const int length =
        given ? snprintf(out, bytes, "%s", named)
              : snprintf(out, bytes, "%s%s.ridge/evidence.db", spec_folder ? spec_folder : "", spec_folder ? "/" : "");
    if (length < 0 || (size_t)length >= bytes) {
        fprintf(stderr, "ridge: the path of the database is too long (at most %zu bytes)\n", bytes - 1);
        return false;
    }
    return true;
}

struct ridge_store *database_open(const struct ridge_context *context, const char *db_option, int *exit_code)
{
    char path[DATABASE_PATH_BYTES];
    *exit_code = EXIT_INPUT;
    if (!database_path(path, sizeof path, db_option, NULL)) {
        return NULL;
    }
    if (access(path, F_OK) != 0) {
        fprintf(stderr,
                "ridge: %s: there is no evidence database (ridge tune makes one beside its spec: go to that folder, or "
                "name the file with --db or RIDGE_DB)\n",
                path);
        return NULL;
    }
    struct ridge_store *store = NULL;
    struct ridge_error error = {0};
    if (ridge_store_open(context, path, RIDGE_STORE_READ, &store, &error) != RIDGE_OK) {
        *exit_code = report_error(&error);
        return NULL;
    }
    return store;
}

int database_check(const struct ridge_context *context, const char *db_option, const char *spec_folder)
{
    char path[DATABASE_PATH_BYTES];
    struct ridge_store *store = NULL;
    struct ridge_error error = {0};
    if (!database_path(path, sizeof path, db_option, spec_folder)) {
        return EXIT_USAGE;
    }
    const ridge_status status = ridge_store_open(context, path, RIDGE_STORE_WRITE, &store, &error);
    ridge_store_close(store);
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

bool run_number_parse(const char *command, const char *text, uint64_t *run)
{
    struct ridge_error error = {0};
    *run = 0;
    if (strcmp(text, "last") == 0) {
        return true;
    }
    if (ridge_count_parse(text, INT64_MAX, run, &error) == RIDGE_OK && *run > 0) {
        return true;
    }
    fprintf(stderr, "ridge %s: there is no run '%s' (name it by its number, see ridge runs, or write last)\n", command,
            text);
    return false;
}

bool is_group_name(const char *text)
{
    return text[0] == 'g';
}

bool group_number_parse(const char *command, const char *text, uint64_t *group)
{
    if (ridge_count_parse(text + 1, INT64_MAX, group, NULL) == RIDGE_OK && *group > 0) {
        return true;
    }
    fprintf(stderr, "ridge %s: there is no group '%s' (g and the number of its first run, such as g3)\n", command,
            text);
    return false;
}
