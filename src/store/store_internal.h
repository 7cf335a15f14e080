/* SPDX-License-Identifier: MIT */
/**
 * \file The inside of a store: kept statements, transactions, and errors of SQLite in the house form.
 *
 * A query remembers its first failure, so that a caller binds freely and looks at the code once at the end. SQLite
 * takes its own memory from the C library; everything else is from the context. Thread rule: that of the store.
 */
#ifndef RG_STORE_STORE_INTERNAL_H
#define RG_STORE_STORE_INTERNAL_H

#include <sqlite3.h>

#include "base/arena.h"
#include "space/run.h"
#include "store/store.h"

/** The columns of a calibration, as they are written and read. */
#define RG_CALIBRATION_COLUMNS                                                                                     \
    "kernel, device, model, without_judged, model_version, space_hash, work_hash, device_hash, evidence_hash, "    \
    "record, record_hash, saved_at, ridge_version, configurations, outside, n, rho, rho_ci95_low, rho_ci95_high, " \
    "recall10, regret_1, regret_10, regret_50, regret_100, evals_to_5pct, evals_to_1pct, random_evals_to_5pct, "   \
    "random_evals_to_1pct"

/** Every statement that a store keeps prepared: name, SQL. */
#define RG_STATEMENT_LIST(X)                                                                                           \
    X(RG_SQL_BEGIN_READ, "BEGIN")                                                                                      \
    X(RG_SQL_BEGIN_WRITE, "BEGIN IMMEDIATE")                                                                           \
    X(RG_SQL_COMMIT, "COMMIT")                                                                                         \
    X(RG_SQL_ROLLBACK, "ROLLBACK")                                                                                     \
    X(RG_SQL_RUN_INSERT,                                                                                               \
      "INSERT INTO run(kernel, backend, device, platform, driver, source_hash, arguments_hash, parameters, cache, "    \
      "space_hash, spec_path, search_order, reference, ridge_version, host, seed, space_count, started_at) "           \
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)")                       \
    X(RG_SQL_RUN_REOPEN,                                                                                               \
      "UPDATE run SET kernel=?1, backend=?2, device=?3, platform=?4, driver=?5, source_hash=?6, arguments_hash=?7, "   \
      "parameters=?8, cache=?9, space_hash=?10, spec_path=?11, search_order=?12, reference=?13, ridge_version=?14, "   \
      "host=?15, seed=?16, space_count=?17, state='open', state_text='', ended_at='' WHERE id=?18")                    \
    X(RG_SQL_RUN_END,                                                                                                  \
      "UPDATE run SET state=?1, state_text=?2, ended_at=?3, compile_s=compile_s+?4, run_s=run_s+?5, own_s=own_s+?6, "  \
      "total_s=total_s+?7 WHERE id=?8")                                                                                \
    X(RG_SQL_RUN_IMPORTED,                                                                                             \
      "UPDATE run SET state=?1, state_text=?2, started_at=?3, ended_at=?4, imported_at=?5 WHERE id=?6")                \
    X(RG_SQL_RUN_SAME,                                                                                                 \
      "SELECT id FROM run WHERE imported_at <> '' AND source_hash=?1 AND kernel=?2 AND device=?3 LIMIT 1")             \
    X(RG_SQL_RUN_NEWEST, "SELECT coalesce(max(id), 0) FROM run WHERE kernel=?1 AND id<?2 AND imported_at=''")          \
    X(RG_SQL_RUN_LAST, "SELECT coalesce(max(id), 0) FROM run")                                                         \
    X(RG_SQL_RUN_IDS, "SELECT id FROM run ORDER BY id")                                                                \
    X(RG_SQL_RUN_DIMENSIONS, "SELECT (SELECT count(*) FROM dimension WHERE run_id=run.id) FROM run WHERE id=?1")       \
    X(RG_SQL_RUN_LOAD,                                                                                                 \
      "SELECT kernel, backend, device, platform, driver, source_hash, arguments_hash, parameters, cache, space_hash, " \
      "spec_path, search_order, reference, ridge_version, host, seed, space_count, state, state_text, started_at, "    \
      "ended_at, compile_s, run_s, own_s, total_s FROM run WHERE id=?1")                                               \
    X(RG_SQL_RUN_LIST,                                                                                                 \
      "SELECT run.id, kernel, backend, device, started_at, state, "                                                    \
      "count(result.id) FILTER (WHERE in_space), count(result.id) FILTER (WHERE in_space AND outcome='ok'), "          \
      "coalesce(min(median_s) FILTER (WHERE in_space AND outcome='ok' AND finalist), "                                 \
      "min(median_s) FILTER (WHERE in_space AND outcome='ok')), coalesce(group_id, 0), name "                          \
      "FROM run LEFT JOIN result ON result.run_id=run.id LEFT JOIN workload ON workload.run_id=run.id "                \
      "GROUP BY run.id ORDER BY run.id")                                                                               \
    X(RG_SQL_DIMENSION_INSERT, "INSERT INTO dimension(run_id, position, name) VALUES(?1, ?2, ?3)")                     \
    X(RG_SQL_DIMENSION_LOAD, "SELECT name FROM dimension WHERE run_id=?1 ORDER BY position")                           \
    X(RG_SQL_RESULT_INSERT,                                                                                            \
      "INSERT INTO result(run_id, configuration_id, outcome, text, converged, rejected_samples, compile_s, run_s, "    \
      "kind, registers, shared_bytes, spill_bytes) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")         \
    X(RG_SQL_RESULT_FIND, "SELECT id FROM result WHERE run_id=?1 AND configuration_id=?2")                             \
    X(RG_SQL_RESULT_NEXT, "SELECT id, in_space FROM result WHERE run_id=?1 AND id>?2 ORDER BY id LIMIT 1")             \
    X(RG_SQL_RESULT_FINALIST, "SELECT id FROM result WHERE run_id=?1 AND finalist ORDER BY id LIMIT 1")                \
    X(RG_SQL_RESULT_COUNT, "SELECT count(*) FROM result WHERE run_id=?1")                                              \
    X(RG_SQL_RESULT_LOAD,                                                                                              \
      "SELECT id, configuration_id, outcome, kind, text, in_space, finalist, converged, rejected_samples, compile_s, " \
      "run_s, registers, shared_bytes, spill_bytes FROM result WHERE run_id=?1 ORDER BY id")                           \
    X(RG_SQL_RESULT_IN_SPACE, "UPDATE result SET in_space=?1 WHERE id=?2")                                             \
    X(RG_SQL_RESULT_SUMMARY,                                                                                           \
      "UPDATE result SET finalist=?1, sample_count=?2, median_s=?3, ci95_low_s=?4, ci95_high_s=?5, minimum_s=?6 "      \
      "WHERE id=?7")                                                                                                   \
    X(RG_SQL_VALUE_INSERT, "INSERT INTO configuration_value(result_id, position, type, value) VALUES(?1, ?2, ?3, ?4)") \
    X(RG_SQL_VALUE_LOAD, "SELECT type, value FROM configuration_value WHERE result_id=?1 ORDER BY position")           \
    X(RG_SQL_SAMPLE_INSERT, "INSERT INTO sample(result_id, final, position, seconds, clock_hz, throttled) "            \
                            "VALUES(?1, ?2, ?3, ?4, ?5, ?6)")                                                          \
    X(RG_SQL_SAMPLE_DELETE, "DELETE FROM sample WHERE result_id=?1 AND final=?2")                                      \
    X(RG_SQL_SAMPLE_LOAD, "SELECT seconds, throttled FROM sample WHERE result_id=?1 AND final=?2 ORDER BY position")   \
    X(RG_SQL_SENTINEL_INSERT, "INSERT INTO sentinel(run_id, configuration_id, at_s, median_s) VALUES(?1, ?2, ?3, ?4)") \
    X(RG_SQL_DRIFT_LOAD, "SELECT max(ratio) FROM (SELECT max(median_s) / min(median_s) AS ratio FROM sentinel "        \
                         "WHERE run_id=?1 AND median_s > 0 GROUP BY configuration_id HAVING count(*) > 1)")            \
    X(RG_SQL_NOTE_INSERT, "INSERT OR IGNORE INTO note(run_id, text) VALUES(?1, ?2)")                                   \
    X(RG_SQL_NOTE_LOAD, "SELECT text FROM note WHERE run_id=?1 ORDER BY id")                                           \
    X(RG_SQL_CALIBRATION_INSERT,                                                                                       \
      "INSERT INTO calibration(" RG_CALIBRATION_COLUMNS ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, " \
      "?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28)")                               \
    X(RG_SQL_CALIBRATION_LOAD,                                                                                         \
      "SELECT " RG_CALIBRATION_COLUMNS " FROM calibration WHERE kernel=?1 ORDER BY saved_at DESC, id DESC")            \
    X(RG_SQL_WORKLOAD_PUT,                                                                                             \
      "INSERT OR REPLACE INTO workload(run_id, group_id, position, count, name, weight, base) "                        \
      "VALUES(?1, coalesce(nullif(?2, 0), (SELECT group_id FROM workload WHERE run_id=?1), ?1), ?3, ?4, ?5, ?6, ?7)")  \
    X(RG_SQL_WORKLOAD_TRIM,                                                                                            \
      "DELETE FROM workload WHERE group_id=(SELECT group_id FROM workload WHERE run_id=?1) AND position>=?2")          \
    X(RG_SQL_WORKLOAD_GROUP, "SELECT group_id FROM workload WHERE run_id=?1")                                          \
    X(RG_SQL_WORKLOAD_RUN, "SELECT group_id, name FROM workload WHERE run_id=?1")                                      \
    X(RG_SQL_GROUP_LOAD, "SELECT run_id, name, weight, count, base FROM workload WHERE group_id=?1 ORDER BY position") \
    X(RG_SQL_GROUP_IDS, "SELECT DISTINCT group_id FROM workload ORDER BY group_id")                                    \
    X(RG_SQL_CURVE_INSERT,                                                                                             \
      "INSERT INTO curve(set_id, made_at, host, backend, selector, device, driver, compiler, ridge_version, access, "  \
      "discipline, cache, rule, threads, pool_bytes, reuse_bytes, clock_hz, launch_overhead_s, sentinels, "            \
      "trial_bytes) "                                                                                                  \
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)")             \
    X(RG_SQL_CURVE_SET_OWN, "UPDATE curve SET set_id=id WHERE id=?1")                                                  \
    X(RG_SQL_CURVE_POINT_INSERT, "INSERT INTO curve_point VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")                     \
    X(RG_SQL_CURVE_LEVEL_INSERT, "INSERT INTO curve_level VALUES(?1, ?2, ?3, ?4, ?5, ?6)")                             \
    X(RG_SQL_CURVE_NOTE_INSERT, "INSERT INTO curve_note VALUES(?1, ?2, ?3)")                                           \
    X(RG_SQL_CURVE_TRIAL_INSERT, "INSERT INTO curve_trial VALUES(?1, ?2, ?3)")                                         \
    X(RG_SQL_CURVE_TRIALS, "SELECT threads, bytes_per_s FROM curve_trial WHERE curve_id=?1 ORDER BY threads DESC")     \
    X(RG_SQL_CURVE_FIND,                                                                                               \
      "SELECT id, made_at, backend, selector, device, driver, compiler, sentinels, threads, pool_bytes, reuse_bytes, " \
      "clock_hz, launch_overhead_s, trial_bytes FROM curve "                                                           \
      "WHERE (selector=?1 OR substr(selector, 1, length(?1) + 1)=?1||':') "                                            \
      "AND access=?2 AND discipline=?3 AND cache=?4 AND rule=?5 AND (?6=0 OR threads=?6) "                             \
      "AND (?7 IS NULL OR device=?7) "                                                                                 \
      "ORDER BY selector, trial_bytes > 0 DESC, CASE WHEN trial_bytes > 0 THEN 0 ELSE threads END DESC, id DESC "      \
      "LIMIT 1")                                                                                                       \
    X(RG_SQL_CURVE_POINTS,                                                                                             \
      "SELECT bytes, bytes_per_s, ci95_low_bytes_per_s, ci95_high_bytes_per_s, best_bytes_per_s, sample_count, flags " \
      "FROM curve_point WHERE curve_id=?1 ORDER BY bytes")                                                             \
    X(RG_SQL_CURVE_LEVELS,                                                                                             \
      "SELECT name, bytes, bytes_per_s, hint_bytes FROM curve_level WHERE curve_id=?1 ORDER BY position")              \
    X(RG_SQL_CURVE_NOTES, "SELECT text FROM curve_note WHERE curve_id=?1 ORDER BY position")                           \
    X(RG_SQL_PEAK_INSERT, "INSERT INTO peak(made_at, host, backend, selector, device, driver, compiler, threads) "     \
                          "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")                                                    \
    X(RG_SQL_PEAK_FIND,                                                                                                \
      "SELECT id, made_at, backend, selector, device, driver, compiler, threads FROM peak "                            \
      "WHERE (selector=?1 OR substr(selector, 1, length(?1) + 1)=?1||':') AND (?2 IS NULL OR device=?2) "              \
      "ORDER BY id DESC LIMIT 1")                                                                                      \
    X(RG_SQL_PEAK_VALUE_INSERT,                                                                                        \
      "INSERT INTO peak_value(peak_id, what, bytes, unit, sample_count, median, ci95_low, ci95_high, best) "           \
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")                                                                    \
    X(RG_SQL_PEAK_VALUE_LOAD,                                                                                          \
      "SELECT what, bytes, sample_count, median, ci95_low, ci95_high, best FROM peak_value WHERE peak_id=?1 "          \
      "ORDER BY what, bytes")                                                                                          \
    X(RG_SQL_PEAK_NOTE_INSERT, "INSERT INTO peak_note(peak_id, text) VALUES(?1, ?2)")                                  \
    X(RG_SQL_PEAK_NOTE_LOAD, "SELECT text FROM peak_note WHERE peak_id=?1 ORDER BY id")                                \
    X(RG_SQL_WORK_INSERT, "INSERT INTO result_work(result_id, resource, amount) VALUES(?1, ?2, ?3)")                   \
    X(RG_SQL_WORK_LOAD, "SELECT resource, amount FROM result_work WHERE result_id=?1")

enum rg_sql {
#define RG_SQL_ENUM(name, text) name,
    RG_STATEMENT_LIST(RG_SQL_ENUM)
#undef RG_SQL_ENUM
    RG_SQL_COUNT
};

enum {
    RG_STORE_WAIT_MS = 30000 /**< how long to wait for another process before giving up */
};

struct ridge_store {
    const struct ridge_context *context;
    sqlite3 *database;
    char *path;
    size_t path_bytes; /**< of the block at `path` */
    ridge_store_mode mode;
    sqlite3_stmt *statements[RG_SQL_COUNT]; /**< prepared when first used */
};

/** One use of a kept statement. */
struct rg_query {
    sqlite3_stmt *statement; /**< NULL when it could not be prepared */
    int position;            /**< of the last parameter bound */
    int code;                /**< SQLITE_OK, or the first failure */
};

struct rg_query rg_query_begin(struct ridge_store *store, enum rg_sql which);
/* Bind the next parameter. Text is borrowed until the query ends; a double that is NaN becomes NULL. */
void rg_query_text(struct rg_query *query, const char *text);
void rg_query_i64(struct rg_query *query, int64_t value);
void rg_query_u64(struct rg_query *query, uint64_t value); /**< saturates at INT64_MAX */
void rg_query_double(struct rg_query *query, double value);

/** Go to the next row. \return false at the end and on failure. */
bool rg_query_row(struct rg_query *query);

/** End a query, so that its statement can be used again. \return its code. */
int rg_query_end(struct rg_query *query);

/** Run a query that gives no rows, to its end. \return its code. */
int rg_query_run(struct rg_query *query);

/** Run a query and take the number in its first row. \return its code, or SQLITE_NOTFOUND without a row. */
int rg_query_number(struct rg_query *query, int64_t *out);

/** \return column `column` of the row as a double, NaN for NULL. */
double rg_column_double(const struct rg_query *query, int column);

/** \return column `column` of the row, "" for NULL; borrowed until the next row. */
const char *rg_column_text(const struct rg_query *query, int column);

/** Insert a run and its dimensions into the open transaction. \return a code of SQLite. */
int rg_store_insert_run(struct ridge_store *store, const struct ridge_run_info *info, const char *const *names,
                        size_t dimension_count, int64_t *run);

/** Insert a result into the open transaction. \return a code of SQLite. */
int rg_store_insert_result(struct ridge_store *store, int64_t run, const struct rg_result *result,
                           const struct ridge_summary *summary, size_t dimension_count);

/** Begin a write transaction, waiting for other processes. */
ridge_status rg_store_begin(struct ridge_store *store, const char *what, struct ridge_error *error);

/** The same, for a write that belongs to a run. \retval RIDGE_E_NAME  there is no such run */
ridge_status rg_store_begin_run(struct ridge_store *store, int64_t run, size_t *dimension_count, const char *what,
                                struct ridge_error *error);

/** Commit when `code` is SQLITE_OK, else undo everything since rg_store_begin and set the error. */
ridge_status rg_store_finish(struct ridge_store *store, int code, const char *what, struct ridge_error *error);

/** Undo what rg_store_begin began; the error is the caller's. Also ends a read transaction. */
void rg_store_rollback(struct ridge_store *store);

/** Set an error for a code of SQLite; `what` is what could not be done ("cannot put the result"). */
ridge_status rg_store_error(const struct ridge_store *store, int code, const char *what, struct ridge_error *error);

/** Set RIDGE_E_STORE: what is in the file makes no sense. */
ridge_status rg_store_damaged(const struct ridge_store *store, struct ridge_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** \return RIDGE_OK when that run exists; else RIDGE_E_NAME, and the message lists the runs there are. */
ridge_status rg_store_run_check(struct ridge_store *store, int64_t run, size_t *dimension_count,
                                struct ridge_error *error);

/** Load the values of a result into `values`, texts into the arena. */
ridge_status rg_store_values_load(struct ridge_store *store, int64_t result, size_t dimension_count,
                                  struct rg_arena *arena, struct ridge_value *values, struct ridge_error *error);

/** Score the records of a loaded run that say what they use up, against what is saved of its device. Nothing saved is
 * no error: then there are no scores. */
ridge_status rg_run_score(struct ridge_store *store, struct rg_run *run, struct ridge_error *error);

/** The samples of one result; the arrays grow as they are loaded again and again. All zero at first. */
struct rg_sample_list {
    double *items; /**< that count */
    bool *low;
    size_t capacity;
    size_t low_capacity;
    size_t count;
    uint64_t throttled; /**< taken at a low clock, whether they count or not */
};

/** Load the samples of a result: those of the finals, or those before. \return a code of SQLite */
int rg_samples_load(struct ridge_store *store, int64_t result, bool final, struct rg_sample_list *list);
void rg_samples_free(const struct ridge_store *store, struct rg_sample_list *list);

#endif
