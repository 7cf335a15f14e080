/* SPDX-License-Identifier: MIT */
#include "store/store.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/buffer.h"
#include "base/error.h"
#include "store/schema.h"
#include "store/store_internal.h"

static const char cannot_open[] = "cannot open the evidence database";

void ridge_store_close(struct ridge_store *store)
{
    if (!store) {
        return;
    }
    for (size_t i = 0; i < RG_SQL_COUNT; i++) {
        sqlite3_finalize(store->statements[i]);
    }
    sqlite3_close(store->database);
    rg_free(store->context, store->path, store->path_bytes);
    rg_free(store->context, store, sizeof *store);
}

const char *rg_store_path(const struct ridge_store *store)
{
    return store->path;
}

const struct ridge_context *rg_store_context(const struct ridge_store *store)
{
    return store->context;
}

/** Make the folder that the file stands in, when it is missing. */
static ridge_status make_folder(const struct ridge_store *store, struct ridge_error *error)
{
    const char *slash = strrchr(store->path, '/');
    if (!slash || slash == store->path) {
        return RIDGE_OK;
    }
    struct rg_buffer folder;
    rg_buffer_init(&folder, store->context);
    rg_buffer_append(&folder, store->path, (size_t)(slash - store->path));
    ridge_status status = RIDGE_OK;
    if (folder.failed) {
        status = rg_error_memory(error, store->path_bytes);
    } else if (mkdir(rg_buffer_text(&folder), 0777) != 0 && errno != EEXIST) {
        status = rg_error_system(error, RIDGE_E_IO, errno, rg_buffer_text(&folder),
                                 "cannot make the folder of the evidence database");
    } else if (access(rg_buffer_text(&folder), W_OK | X_OK) != 0) {
        status = rg_error_system(error, RIDGE_E_IO, errno, rg_buffer_text(&folder),
                                 "cannot make the evidence database in this folder");
    }
    rg_buffer_fini(&folder);
    return status;
}

/** Look at the path before SQLite does: its own words for these cases say little. */
static ridge_status check_path(const struct ridge_store *store, struct ridge_error *error)
{
    struct stat facts;
    if (stat(store->path, &facts) != 0) {
        if (errno == ENOENT && store->mode == RIDGE_STORE_WRITE) {
            return make_folder(store, error);
        }
        return rg_error_system(error, RIDGE_E_IO, errno, store->path, "%s", cannot_open);
    }
    if (!S_ISREG(facts.st_mode)) {
        const struct rg_place place = {.file = store->path};
        return rg_error_at(error, RIDGE_E_IO, &place, "%s: it is not a regular file", cannot_open);
    }
    const bool write = store->mode == RIDGE_STORE_WRITE;
    if (access(store->path, write ? R_OK | W_OK : R_OK) != 0) {
        return rg_error_system(error, RIDGE_E_IO, errno, store->path, "%s for %s", cannot_open,
                               write ? "writing" : "reading");
    }
    return RIDGE_OK;
}

/** Open the handle and look at the schema, which is the first read. */
static int open_handle(struct ridge_store *store, const char *name, int flags, struct rg_schema_facts *facts)
{
    sqlite3_close(store->database);
    store->database = NULL;
    int code = sqlite3_open_v2(name, &store->database, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK) {
        sqlite3_extended_result_codes(store->database, 1);
        code = sqlite3_busy_timeout(store->database, RG_STORE_WAIT_MS);
    }
    return code == SQLITE_OK ? rg_schema_look(store->database, facts) : code;
}

/** Whether a journal stands beside the file that may hold results, or what a killed process left half done. */
static bool has_journal(const struct ridge_store *store, struct rg_buffer *name)
{
    static const char *const endings[] = {"-wal", "-journal"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        struct stat facts;
        rg_buffer_clear(name);
        rg_buffer_printf(name, "%s%s", store->path, endings[i]);
        if (name->failed || (stat(rg_buffer_text(name), &facts) == 0 && facts.st_size > 0)) {
            return true;
        }
    }
    return false;
}

/**
 * A database with a write-ahead log needs a writable folder even to be read, unless nobody can be writing to it. That
 * is so when the folder is read-only and no log is left behind: then SQLite may be told that the file does not change.
 */
static ridge_status open_in_readonly_folder(struct ridge_store *store, int code, struct rg_schema_facts *facts,
                                            struct ridge_error *error)
{
    struct rg_buffer name;
    rg_buffer_init(&name, store->context);
    ridge_status status = RIDGE_OK;
    const bool journal = has_journal(store, &name);
    if (name.failed) {
        rg_buffer_fini(&name);
        return rg_error_memory(error, store->path_bytes);
    }
    if (journal) {
        const struct rg_place place = {.file = store->path};
        status = rg_error_at(error, RIDGE_E_IO, &place,
                             "%s: the journal beside it must be worked in first, which needs the right to write "
                             "(copy both files to a folder of yours, or let ridge tune open it)",
                             cannot_open);
        rg_buffer_fini(&name);
        return status;
    }
    rg_buffer_clear(&name);
    rg_buffer_puts(&name, "file:");
    for (const char *at = store->path; *at; at++) {
        if (rg_is_word(*at) || strchr("/.-", *at)) {
            rg_buffer_append(&name, at, 1);
        } else {
            rg_buffer_printf(&name, "%%%02X", (unsigned)(unsigned char)*at);
        }
    }
    rg_buffer_puts(&name, "?immutable=1");
    if (name.failed) {
        status = rg_error_memory(error, name.length);
    } else {
        const int again = open_handle(store, rg_buffer_text(&name), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, facts);
        status = again == SQLITE_OK ? RIDGE_OK : rg_store_error(store, code, cannot_open, error);
    }
    rg_buffer_fini(&name);
    return status;
}

static ridge_status open_file(struct ridge_store *store, struct rg_schema_facts *facts, struct ridge_error *error)
{
    const bool write = store->mode == RIDGE_STORE_WRITE;
    const int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const int code = open_handle(store, store->path, flags, facts);
    if (code == SQLITE_OK) {
        return RIDGE_OK;
    }
    const int primary = code & 0xFF;
    if (!write && (primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY)) {
        return open_in_readonly_folder(store, code, facts, error);
    }
    return rg_store_error(store, code, cannot_open, error);
}

/** Refuse what is not ours or too new. \param[out] migrate  whether the schema must be brought up to date first */
static ridge_status check_schema(const struct ridge_store *store, const struct rg_schema_facts *facts, bool *migrate,
                                 struct ridge_error *error)
{
    const int64_t known = (int64_t)rg_schema_step_count;
    const struct rg_place place = {.file = store->path};
    const bool empty = facts->application_id == 0 && facts->version == 0 && facts->objects == 0;
    *migrate = facts->version < known;
    if (!empty && (facts->application_id != RG_STORE_APPLICATION_ID || facts->version < 0)) {
        return rg_error_at(error, RIDGE_E_STORE, &place,
                           "%s: it is an SQLite database, but not one of Ridge (name another file with --db)",
                           cannot_open);
    }
    if (facts->version > known) {
        return rg_error_at(
            error, RIDGE_E_STORE, &place,
            "%s: it was made by a newer Ridge, with schema %lld (this one knows up to %lld; update Ridge)", cannot_open,
            (long long)facts->version, (long long)known);
    }
    if (empty && store->mode == RIDGE_STORE_READ) {
        return rg_error_at(error, RIDGE_E_STORE, &place, "%s: it is empty (ridge tune puts results into it)",
                           cannot_open);
    }
    return RIDGE_OK;
}

/**
 * Switch to a write-ahead log. Changing the mode does not always wait for other processes that are just opening the
 * file too, so that waiting is done here. A file system without shared memory keeps the rollback journal: also safe.
 */
static int use_write_ahead_log(struct ridge_store *store)
{
    int code = SQLITE_BUSY;
    for (int waited_ms = 0; (code & 0xFF) == SQLITE_BUSY && waited_ms < RG_STORE_WAIT_MS; waited_ms += 5) {
        code = sqlite3_exec(store->database, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
        if ((code & 0xFF) == SQLITE_BUSY) {
            usleep(5000);
        }
    }
    return code;
}

static ridge_status prepare_writing(struct ridge_store *store, bool migrate, struct ridge_error *error)
{
    int code = migrate ? rg_schema_migrate(store->database, rg_schema_steps, rg_schema_step_count) : SQLITE_OK;
    if (code == SQLITE_OK) {
        code = use_write_ahead_log(store);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_exec(store->database, "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON", NULL, NULL, NULL);
    }
    return code == SQLITE_OK ? RIDGE_OK : rg_store_error(store, code, cannot_open, error);
}

/** Copy the whole database into an empty one, waiting for other processes. \return a code of SQLite */
static int copy_all(sqlite3 *from, sqlite3 *to)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    if (!backup) {
        return sqlite3_errcode(to);
    }
    int code = SQLITE_BUSY;
    for (int waited_ms = 0; waited_ms < RG_STORE_WAIT_MS && (code == SQLITE_BUSY || code == SQLITE_LOCKED);
         waited_ms += 5) {
        code = sqlite3_backup_step(backup, -1);
        if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
            usleep(5000);
        }
    }
    const int finished = sqlite3_backup_finish(backup);
    return code == SQLITE_DONE ? finished : code;
}

/** Read a file of an older schema through a copy in memory that is brought up to date; the file stays as it is. */
static ridge_status prepare_older(struct ridge_store *store, struct ridge_error *error)
{
    sqlite3 *copy = NULL;
    int code = sqlite3_open_v2(":memory:", &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK) {
        sqlite3_extended_result_codes(copy, 1);
        code = copy_all(store->database, copy);
    }
    if (code == SQLITE_OK) {
        code = rg_schema_migrate(copy, rg_schema_steps, rg_schema_step_count);
    }
    if (code != SQLITE_OK) {
        sqlite3_close(copy);
        return rg_store_error(
            store, code, "cannot read it as it is of an older Ridge (ridge tune with it as --db brings it up to date)",
            error);
    }
    sqlite3_close(store->database);
    store->database = copy;
    return RIDGE_OK;
}

static ridge_status open_checked(struct ridge_store *store, struct ridge_error *error)
{
    struct rg_schema_facts facts = {0};
    bool migrate = false;
    ridge_status status = check_path(store, error);
    if (status == RIDGE_OK) {
        status = open_file(store, &facts, error);
    }
    if (status == RIDGE_OK) {
        status = check_schema(store, &facts, &migrate, error);
    }
    if (status == RIDGE_OK && store->mode == RIDGE_STORE_WRITE) {
        status = prepare_writing(store, migrate, error);
    } else if (status == RIDGE_OK && migrate) {
        status = prepare_older(store, error);
    }
    return status;
}

ridge_status ridge_store_open(const struct ridge_context *context, const char *path, ridge_store_mode mode,
                              struct ridge_store **out, struct ridge_error *error)
{
    struct ridge_store *store = rg_alloc(context, sizeof *store);
    if (!store) {
        return rg_error_memory(error, sizeof *store);
    }
    store->context = context;
    store->mode = mode;
    store->path_bytes = strlen(path) + 1;
    store->path = rg_alloc(context, store->path_bytes);
    if (!store->path) {
        const size_t bytes = store->path_bytes;
        ridge_store_close(store);
        return rg_error_memory(error, bytes);
    }
    memcpy(store->path, path, store->path_bytes);
    const ridge_status status = open_checked(store, error);
    if (status != RIDGE_OK) {
        ridge_store_close(store);
        return status;
    }
    *out = store;
    return RIDGE_OK;
}
