/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "store/store_internal.h"

static const char *const statement_texts[] = {
#define STATEMENT_TEXT(name, text) text,
    RG_STATEMENT_LIST(STATEMENT_TEXT)
#undef STATEMENT_TEXT
};

struct rg_query rg_query_begin(struct ridge_store *store, enum rg_sql which)
{
    struct rg_query query = {store->statements[which], 0, SQLITE_OK};
    if (!query.statement) {
        query.code = sqlite3_prepare_v3(store->database, statement_texts[which], -1, SQLITE_PREPARE_PERSISTENT,
                                        &query.statement, NULL);
        store->statements[which] = query.statement;
    }
    return query;
}

static void note_code(struct rg_query *query, int code)
{
    if (query->code == SQLITE_OK) {
        query->code = code;
    }
}

void rg_query_text(struct rg_query *query, const char *text)
{
    query->position++;
    if (query->code != SQLITE_OK) {
        return;
    }
    if (!text) {
        note_code(query, sqlite3_bind_null(query->statement, query->position));
        return;
    }
    const size_t length = strlen(text);
    note_code(query, length > INT_MAX
                         ? SQLITE_TOOBIG
                         : sqlite3_bind_text(query->statement, query->position, text, (int)length, SQLITE_STATIC));
}

void rg_query_i64(struct rg_query *query, int64_t value)
{
    query->position++;
    if (query->code == SQLITE_OK) {
        note_code(query, sqlite3_bind_int64(query->statement, query->position, value));
    }
}

void rg_query_u64(struct rg_query *query, uint64_t value)
{
    rg_query_i64(query, value > INT64_MAX ? INT64_MAX : (int64_t)value);
}

void rg_query_double(struct rg_query *query, double value)
{
    query->position++;
    if (query->code == SQLITE_OK) {
        note_code(query, sqlite3_bind_double(query->statement, query->position, value));
    }
}

bool rg_query_row(struct rg_query *query)
{
    if (query->code != SQLITE_OK) {
        return false;
    }
    const int code = sqlite3_step(query->statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        query->code = code;
    }
    return code == SQLITE_ROW;
}

int rg_query_end(struct rg_query *query)
{
    if (query->statement) {
        sqlite3_reset(query->statement);
        sqlite3_clear_bindings(query->statement);
    }
    return query->code;
}

int rg_query_run(struct rg_query *query)
{
    while (rg_query_row(query)) {
    }
    return rg_query_end(query);
}

int rg_query_number(struct rg_query *query, int64_t *out)
{
    const bool found = rg_query_row(query);
    if (found) {
        *out = sqlite3_column_int64(query->statement, 0);
    }
    const int code = rg_query_end(query);
    return code == SQLITE_OK && !found ? SQLITE_NOTFOUND : code;
}

double rg_column_double(const struct rg_query *query, int column)
{
    return sqlite3_column_type(query->statement, column) == SQLITE_NULL
               ? (double)NAN
               : sqlite3_column_double(query->statement, column);
}

const char *rg_column_text(const struct rg_query *query, int column)
{
    const unsigned char *text = sqlite3_column_text(query->statement, column);
    return text ? (const char *)text : "";
}

/** Codes of SQLite, the status they become and what a person should know. The first row that fits counts. */
struct code_row {
    int code; /**< primary code */
    ridge_status status;
    const char *text; /**< NULL: SQLite's own */
};

static const struct code_row code_rows[] = {
    {SQLITE_NOMEM, RIDGE_E_MEMORY, "out of memory"},
    {SQLITE_FULL, RIDGE_E_IO, "no space left on the device (what was stored before is intact)"},
    {SQLITE_READONLY, RIDGE_E_IO, "it, or its folder, is read-only (make it writable or name another with --db)"},
    {SQLITE_CANTOPEN, RIDGE_E_IO, NULL},
    {SQLITE_PERM, RIDGE_E_IO, NULL},
    {SQLITE_IOERR, RIDGE_E_IO, NULL},
    {SQLITE_TOOBIG, RIDGE_E_LIMIT, NULL},
    {SQLITE_BUSY, RIDGE_E_STORE, "another process holds it locked (end that process, or name another file with --db)"},
    {SQLITE_NOTADB, RIDGE_E_STORE, "it is not an evidence database (move it away or name another with --db)"},
    {SQLITE_CORRUPT, RIDGE_E_STORE,
     "the file is damaged (it is left as it is; `sqlite3 FILE .recover` saves what can be read)"},
};

ridge_status rg_store_error(const struct ridge_store *store, int code, const char *what, struct ridge_error *error)
{
    const int primary = code & 0xFF;
    const int native = store->database ? sqlite3_system_errno(store->database) : 0;
    const struct rg_place place = {.file = store->path};
    for (size_t i = 0; i < sizeof code_rows / sizeof code_rows[0]; i++) {
        const struct code_row *row = &code_rows[i];
        if (row->code != primary) {
            continue;
        }
        if (!row->text && row->status == RIDGE_E_IO && native != 0) {
            return rg_error_system(error, row->status, native, store->path, "%s", what);
        }
        return rg_error_at(error, row->status, &place, "%s: %s", what, row->text ? row->text : sqlite3_errstr(code));
    }
    return rg_error_at(error, RIDGE_E_STORE, &place, "%s: %s", what, sqlite3_errmsg(store->database));
}

ridge_status rg_store_damaged(const struct ridge_store *store, struct ridge_error *error, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const struct rg_place place = {.file = store->path};
    return rg_error_at(error, RIDGE_E_STORE, &place, "the file is damaged: %s (it is left as it is)", text);
}

ridge_status rg_store_begin(struct ridge_store *store, const char *what, struct ridge_error *error)
{
    if (store->mode != RIDGE_STORE_WRITE) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "%s: the database was opened for reading", what);
    }
    struct rg_query begin = rg_query_begin(store, RG_SQL_BEGIN_WRITE);
    const int code = rg_query_run(&begin);
    return code == SQLITE_OK ? RIDGE_OK : rg_store_error(store, code, what, error);
}

void rg_store_rollback(struct ridge_store *store)
{
    /* A failed write may have ended the transaction already. */
    if (!sqlite3_get_autocommit(store->database)) {
        struct rg_query rollback = rg_query_begin(store, RG_SQL_ROLLBACK);
        rg_query_run(&rollback);
    }
}

ridge_status rg_store_finish(struct ridge_store *store, int code, const char *what, struct ridge_error *error)
{
    if (code == SQLITE_OK) {
        struct rg_query commit = rg_query_begin(store, RG_SQL_COMMIT);
        code = rg_query_run(&commit);
    }
    if (code == SQLITE_OK) {
        return RIDGE_OK;
    }
    const ridge_status status = rg_store_error(store, code, what, error);
    rg_store_rollback(store);
    return status;
}
