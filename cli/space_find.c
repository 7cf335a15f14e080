/* SPDX-License-Identifier: MIT */
#include "space_find.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ridge/value.h"

static const uint64_t most_searched = 20000000; /* an id is found by making all ids: some seconds */

__attribute__((format(printf, 2, 3))) static ridge_status refuse(struct ridge_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->status = RIDGE_E_VALUE;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return RIDGE_E_VALUE;
}

static ridge_status find_id(const struct ridge_space *space, const char *id, uint32_t *choice,
                            struct ridge_error *error)
{
    uint64_t count = 0;
    struct ridge_space_cursor *cursor = NULL;
    ridge_status status = ridge_space_count(space, &count, error);
    if (status == RIDGE_OK && count > most_searched) {
        return refuse(error, "the space is too large to look for an id (name the configuration by name=value,... or "
                             "#index)");
    }
    if (status == RIDGE_OK) {
        status = ridge_space_cursor_create(space, &cursor, error);
    }
    const uint32_t *at = NULL;
    char own[RIDGE_ID_BYTES] = "";
    while (status == RIDGE_OK && strcmp(own, id) != 0) {
        status = ridge_space_cursor_next(cursor, &at, error);
        if (status == RIDGE_OK && !at) {
            status = refuse(
                error, "no configuration of the space has the id `%.40s` (ridge space SPEC --list shows them)", id);
        } else if (status == RIDGE_OK) {
            ridge_space_cursor_id(cursor, own);
        }
    }
    if (status == RIDGE_OK && at) {
        memcpy(choice, at, ridge_space_dimension_count(space) * sizeof *choice);
    }
    ridge_space_cursor_destroy(cursor);
    return status;
}

static ridge_status find_index(const struct ridge_space *space, const char *digits, uint32_t *choice,
                               struct ridge_error *error)
{
    if (digits[0] == '\0' || digits[strspn(digits, "0123456789")] != '\0') {
        return refuse(error, "`#%.40s` is no index (write # and a number from 0 on)", digits);
    }
    errno = 0;
    const unsigned long long index = strtoull(digits, NULL, 10);
    if (errno != 0) {
        return refuse(error, "`#%.40s` is no index (at most 18446744073709551615)", digits);
    }
    return ridge_space_at(space, index, choice, error);
}

/** Whether `text` of `length` bytes is what a value is printed as. */
static bool is_value(const struct ridge_value *value, const char *text, size_t length)
{
    char number[64];
    const char *own = value->type == RIDGE_TEXT ? value->as.text : number;
    ridge_value_format(value, number, sizeof number);
    return strlen(own) == length && memcmp(own, text, length) == 0;
}

/** The pair `name=value` at `text`. */
static ridge_status find_pair(const struct ridge_space *space, const char *text, size_t length, uint32_t *choice,
                              bool *given, struct ridge_error *error)
{
    const size_t name = strcspn(text, "=");
    if (name >= length) {
        return refuse(error, "`%.*s` names no configuration (give an id, #index, or name=value,...)",
                      length < 60 ? (int)length : 60, text);
    }
    for (size_t i = 0; i < ridge_space_dimension_count(space); i++) {
        const char *own = ridge_space_dimension_name(space, i);
        if (strlen(own) != name || memcmp(own, text, name) != 0) {
            continue;
        }
        const size_t size = ridge_space_dimension_size(space, i);
        size_t k = 0;
        while (k < size && !is_value(ridge_space_value(space, i, (uint32_t)k), text + name + 1, length - name - 1)) {
            k++;
        }
        if (k == size) {
            return refuse(error, "`%s` has no value %.*s", own, (int)(length - name - 1), text + name + 1);
        }
        if (given[i] && choice[i] != k) {
            return refuse(error, "`%s` is given twice (once is enough)", own);
        }
        choice[i] = (uint32_t)k;
        given[i] = true;
        return RIDGE_OK;
    }
    return refuse(error, "there is no dimension `%.*s`", name < 60 ? (int)name : 60, text);
}

static ridge_status find_values(const struct ridge_space *space, const char *text, uint32_t *choice,
                                struct ridge_error *error)
{
    bool given[64] = {false}; /* as many as a spec may have */
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, ",");
        const ridge_status status = find_pair(space, at, length, choice, given, error);
        if (status != RIDGE_OK) {
            return status;
        }
        at += length + (at[length] == ',');
    }
    for (size_t i = 0; i < ridge_space_dimension_count(space); i++) {
        if (!given[i] && ridge_space_dimension_size(space, i) > 1) {
            return refuse(error, "`%s` has no value given (name all dimensions, name=value,...)",
                          ridge_space_dimension_name(space, i));
        }
    }
    return RIDGE_OK;
}

ridge_status find_configuration(const struct ridge_space *space, const char *text, uint32_t *choice,
                                struct ridge_error *error)
{
    if (strncmp(text, "c1-", 3) == 0) {
        return find_id(space, text, choice, error);
    }
    return text[0] == '#' ? find_index(space, text + 1, choice, error) : find_values(space, text, choice, error);
}
