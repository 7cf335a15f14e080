/* SPDX-License-Identifier: MIT */
#include "store/schema.h"

#include <stdio.h>

/* The comments are inside the statements on purpose: SQLite keeps them, and `.schema` in sqlite3 shows them. */
static const char *const version_1[] = {
    "CREATE TABLE run( -- one tuning of one kernel on one device\n"
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "  kernel TEXT NOT NULL, -- display name\n"
    "  backend TEXT NOT NULL, -- opencl, host, null, ...\n"
    "  device TEXT NOT NULL, -- as the driver names it\n"
    "  platform TEXT NOT NULL, -- OpenCL platform, or ''\n"
    "  driver TEXT NOT NULL, -- driver and version; compiler and version for host\n"
    "  source_hash TEXT NOT NULL, -- SHA-256 of the kernel's source\n"
    "  arguments_hash TEXT NOT NULL, -- SHA-256 of entry, arguments, grid and verification\n"
    "  parameters TEXT NOT NULL, -- 'n=512 seed=0'\n"
    "  cache TEXT NOT NULL, -- warm or cold\n"
    "  space_hash TEXT NOT NULL, -- SHA-256 of dimensions and constraints\n"
    "  spec_path TEXT NOT NULL,\n"
    "  search_order TEXT NOT NULL, -- exhaustive, random, or the model that ranked it\n"
    "  reference TEXT NOT NULL, -- how outputs were verified, or none\n"
    "  ridge_version TEXT NOT NULL,\n"
    "  host TEXT NOT NULL, -- name of the machine\n"
    "  seed TEXT NOT NULL, -- decimal, up to 2^64 - 1\n"
    "  space_count INTEGER NOT NULL, -- configurations in the space\n"
    "  state TEXT NOT NULL DEFAULT 'open'\n"
    "    CHECK(state IN ('open', 'complete', 'limited', 'stopped', 'failed')), -- open: running, or killed\n"
    "  state_text TEXT NOT NULL DEFAULT '', -- why it ended\n"
    "  started_at TEXT NOT NULL, -- UTC\n"
    "  ended_at TEXT NOT NULL DEFAULT '', -- UTC\n"
    "  compile_s REAL NOT NULL DEFAULT 0, -- seconds spent building and verifying\n"
    "  run_s REAL NOT NULL DEFAULT 0, -- seconds spent measuring\n"
    "  own_s REAL NOT NULL DEFAULT 0, -- seconds spent otherwise\n"
    "  total_s REAL NOT NULL DEFAULT 0 -- seconds in all\n"
    ") STRICT",
    "CREATE INDEX run_by_kernel ON run(kernel)",
    "CREATE TABLE dimension( -- the dimensions of a run's space\n"
    "  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,\n"
    "  position INTEGER NOT NULL, -- from 0, sorted by name\n"
    "  name TEXT NOT NULL,\n"
    "  PRIMARY KEY(run_id, position)\n"
    ") STRICT, WITHOUT ROWID",
    "CREATE TABLE result( -- what became of one configuration; in the order of id\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,\n"
    "  configuration_id TEXT NOT NULL, -- c1-..., the same on every machine\n"
    "  outcome TEXT NOT NULL CHECK(outcome IN ('ok', 'constraint', 'unlaunchable', 'compile', 'launch', 'wrong',\n"
    "    'timeout', 'crashed', 'skipped')),\n"
    "  kind TEXT NOT NULL DEFAULT 'measured' CHECK(kind IN ('measured', 'recorded', 'estimated', 'stated')),\n"
    "  text TEXT, -- why it failed: the whole log\n"
    "  in_space INTEGER NOT NULL DEFAULT 1, -- 0: the spec no longer has it\n"
    "  converged INTEGER NOT NULL DEFAULT 0, -- 1: the interval became as narrow as asked for\n"
    "  finalist INTEGER NOT NULL DEFAULT 0, -- 1: measured again in the interleaved final rounds\n"
    "  rejected_samples INTEGER NOT NULL DEFAULT 0, -- thrown away: no time, or not a time\n"
    "  compile_s REAL, -- seconds to build it\n"
    "  run_s REAL, -- seconds to verify and measure it\n"
    "  -- The rest follows from the samples that count: the final ones of a finalist, else the first ones.\n"
    "  sample_count INTEGER NOT NULL DEFAULT 0,\n"
    "  median_s REAL, -- seconds\n"
    "  ci95_low_s REAL, -- 95 % interval of the median; NULL: fewer than 6 samples\n"
    "  ci95_high_s REAL,\n"
    "  minimum_s REAL,\n"
    "  UNIQUE(run_id, configuration_id)\n"
    ") STRICT",
    "CREATE INDEX result_by_run ON result(run_id)",
    "CREATE TABLE configuration_value( -- the value of each dimension\n"
    "  result_id INTEGER NOT NULL REFERENCES result(id) ON DELETE CASCADE,\n"
    "  position INTEGER NOT NULL, -- of the dimension\n"
    "  type TEXT NOT NULL CHECK(type IN ('int', 'float', 'bool', 'text')),\n"
    "  value ANY NOT NULL, -- bool: 'true' or 'false'\n"
    "  PRIMARY KEY(result_id, position)\n"
    ") STRICT, WITHOUT ROWID",
    "CREATE TABLE sample( -- every raw time\n"
    "  result_id INTEGER NOT NULL REFERENCES result(id) ON DELETE CASCADE,\n"
    "  final INTEGER NOT NULL CHECK(final IN (0, 1)), -- 1: of the interleaved final rounds\n"
    "  position INTEGER NOT NULL, -- from 0, in the order taken\n"
    "  seconds REAL NOT NULL, -- zero or negative: rejected, never ranked\n"
    "  PRIMARY KEY(result_id, final, position)\n"
    ") STRICT, WITHOUT ROWID",
    "CREATE TABLE sentinel( -- one configuration measured again and again shows the drift\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,\n"
    "  configuration_id TEXT NOT NULL,\n"
    "  at_s REAL NOT NULL, -- seconds since the run began\n"
    "  median_s REAL NOT NULL -- seconds\n"
    ") STRICT",
    "CREATE INDEX sentinel_by_run ON sentinel(run_id)",
    "CREATE TABLE note( -- warnings that belong to a run\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,\n"
    "  text TEXT NOT NULL,\n"
    "  UNIQUE(run_id, text)\n"
    ") STRICT",
    "CREATE VIEW configuration AS -- every configuration as 'name=value name=value'\n"
    "  SELECT result_id, group_concat(name || '=' || value, ' ') AS configuration FROM (\n"
    "    SELECT result_id, name, value FROM configuration_value\n"
    "      JOIN result ON result.id = result_id\n"
    "      JOIN dimension ON dimension.run_id = result.run_id AND dimension.position = configuration_value.position\n"
    "      ORDER BY result_id, configuration_value.position)\n"
    "  GROUP BY result_id",
    "CREATE VIEW ranking AS -- what ranks, by median; overlapping intervals are a tie all the same\n"
    "  SELECT run_id, row_number() OVER (PARTITION BY run_id\n"
    "      ORDER BY finalist DESC, median_s, configuration_id) AS place,\n"
    "    kernel, device, configuration_id, configuration, kind, median_s, ci95_low_s, ci95_high_s, sample_count,\n"
    "    minimum_s, finalist\n"
    "  FROM result JOIN run ON run.id = run_id JOIN configuration ON configuration.result_id = result.id\n"
    "  WHERE outcome = 'ok' AND in_space AND median_s IS NOT NULL",
    "CREATE VIEW best AS -- the best configuration of each run\n"
    "  SELECT * FROM ranking WHERE place = 1",
    NULL,
};

/* Imported runs: their file is in spec_path and its hash in source_hash. */
static const char *const version_2[] = {
    "ALTER TABLE run ADD COLUMN imported_at TEXT NOT NULL DEFAULT '' /* UTC; '': measured by Ridge */",
    "ALTER TABLE result ADD COLUMN registers INTEGER /* a thread; NULL: unknown */",
    "ALTER TABLE result ADD COLUMN shared_bytes INTEGER /* static shared memory of a block; NULL: unknown */",
    "ALTER TABLE result ADD COLUMN spill_bytes INTEGER /* a thread; NULL: unknown */",
    "CREATE INDEX run_by_source ON run(source_hash) WHERE imported_at <> ''",
    NULL,
};

static const char *const version_3[] = {
    /* Calibrations of rankings (ridge calibrate --save). */
    "CREATE TABLE calibration( -- how good a model's ranking was for one kernel on one device\n"
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "  kernel TEXT NOT NULL, -- display name\n"
    "  device TEXT NOT NULL, -- as ridge devices names it\n"
    "  model TEXT NOT NULL, -- occupancy-waves, work, transfer, auto\n"
    "  without_judged INTEGER NOT NULL, -- 1: without the constants that have no source\n"
    "  -- It holds only for a ranking that agrees in the next five; hashes are SHA-256, hex.\n"
    "  model_version INTEGER NOT NULL,\n"
    "  space_hash TEXT NOT NULL, -- of dimensions and constraints\n"
    "  work_hash TEXT NOT NULL, -- of parameters, launch dimensions and [model] of the spec\n"
    "  device_hash TEXT NOT NULL, -- of the known facts of the device\n"
    "  evidence_hash TEXT NOT NULL, -- of the records that were ranked by\n"
    "  record TEXT NOT NULL, -- the file that the ranking was compared with\n"
    "  record_hash TEXT NOT NULL, -- of that file\n"
    "  saved_at TEXT NOT NULL, -- UTC\n"
    "  ridge_version TEXT NOT NULL,\n"
    "  configurations INTEGER NOT NULL, -- that were compared, the failed ones included\n"
    "  outside INTEGER NOT NULL, -- records that are not in the space\n"
    "  n INTEGER NOT NULL, -- measured configurations that rho is of\n"
    "  rho REAL, -- Spearman: estimated cost against measured time; NULL: no answer\n"
    "  rho_ci95_low REAL, -- bootstrap\n"
    "  rho_ci95_high REAL,\n"
    "  recall10 INTEGER NOT NULL, -- of the ten fastest, in the first tenth of the order\n"
    "  regret_1 REAL, -- the fastest of the first 1 over the fastest of all; infinite: all of them failed\n"
    "  regret_10 REAL,\n"
    "  regret_50 REAL,\n"
    "  regret_100 REAL,\n"
    "  evals_to_5pct REAL, -- expected evaluations to come within 5 % of the fastest\n"
    "  evals_to_1pct REAL,\n"
    "  random_evals_to_5pct REAL, -- the same in random order\n"
    "  random_evals_to_1pct REAL,\n"
    "  UNIQUE(kernel, device, model, without_judged, model_version, space_hash, work_hash, device_hash, evidence_hash,\n"
    "    record_hash) ON CONFLICT REPLACE\n"
    ") STRICT",
    /* Runs of one kernel with several workloads. */
    "CREATE TABLE workload( -- runs that belong together: one spec tuned with each of its [[bench.workloads]]\n"
    "  run_id INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE,\n"
    "  group_id INTEGER NOT NULL, -- the first run that the group began with\n"
    "  position INTEGER NOT NULL, -- from 0, in the order of the spec\n"
    "  count INTEGER NOT NULL, -- workloads of the spec\n"
    "  name TEXT NOT NULL,\n"
    "  weight REAL NOT NULL CHECK(weight > 0), -- in the score over all workloads\n"
    "  base TEXT, -- configuration that others are compared with; NULL: none\n"
    "  UNIQUE(group_id, position) ON CONFLICT REPLACE\n"
    ") STRICT",
    /* Memory curves. */
    "CREATE TABLE curve( -- throughput against working set, measured; newest: largest id\n"
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "  set_id INTEGER NOT NULL, -- curves measured together: the id of the first of them\n"
    "  made_at TEXT NOT NULL, -- UTC\n"
    "  host TEXT NOT NULL, -- name of the machine\n"
    "  backend TEXT NOT NULL, -- host, opencl\n"
    "  selector TEXT NOT NULL, -- as --device takes it: opencl:0:0\n"
    "  device TEXT NOT NULL, -- as the driver names it\n"
    "  driver TEXT NOT NULL, -- another text makes the curve old\n"
    "  compiler TEXT NOT NULL, -- with its flags, and which vectors the loops use\n"
    "  ridge_version TEXT NOT NULL,\n"
    "  access TEXT NOT NULL CHECK(access IN ('read', 'write', 'copy', 'triad', 'streaming-write')),\n"
    "  discipline TEXT NOT NULL CHECK(discipline IN ('stream', 'launch', 'oneshot')),\n"
    "  cache TEXT NOT NULL CHECK(cache IN ('cold', 'warm')),\n"
    "  rule TEXT NOT NULL CHECK(rule IN ('ridge', 'published')),\n"
    "  threads INTEGER NOT NULL, -- OpenCL: compute units\n"
    "  pool_bytes INTEGER NOT NULL, -- that the windows lay in; 0: unknown\n"
    "  reuse_bytes INTEGER NOT NULL, -- least moved before a window came again; 0: warm\n"
    "  clock_hz REAL, -- effective, while measured; NULL: unknown\n"
    "  launch_overhead_s REAL, -- of a launch that does nothing, never subtracted; NULL: unknown\n"
    "  sentinels TEXT NOT NULL -- steady or moved; '': unknown\n"
    ") STRICT",
    "CREATE INDEX curve_by_key ON curve(selector, access, discipline, cache, rule)",
    "CREATE TABLE curve_point(\n"
    "  curve_id INTEGER NOT NULL REFERENCES curve(id) ON DELETE CASCADE,\n"
    "  bytes INTEGER NOT NULL, -- working set: moved by a pass, both directions counted\n"
    "  bytes_per_s REAL NOT NULL, -- median\n"
    "  ci95_low_bytes_per_s REAL, -- 95 % interval of the median; NULL: too few samples\n"
    "  ci95_high_bytes_per_s REAL,\n"
    "  best_bytes_per_s REAL, -- that two rounds reached: the ceiling; NULL: unknown\n"
    "  sample_count INTEGER NOT NULL,\n"
    "  PRIMARY KEY(curve_id, bytes)\n"
    ") STRICT, WITHOUT ROWID",
    "CREATE TABLE curve_level( -- levels of the memory system, found from the warm curve\n"
    "  curve_id INTEGER NOT NULL REFERENCES curve(id) ON DELETE CASCADE,\n"
    "  position INTEGER NOT NULL, -- from 0, inside out\n"
    "  name TEXT NOT NULL, -- L1, L2, ..., memory; outermost: not sure to be memory\n"
    "  bytes INTEGER NOT NULL, -- up to which working set; 0: no end\n"
    "  bytes_per_s REAL, -- its plateau\n"
    "  hint_bytes INTEGER NOT NULL, -- what the system reports; 0: nothing\n"
    "  PRIMARY KEY(curve_id, position)\n"
    ") STRICT, WITHOUT ROWID",
    "CREATE TABLE curve_note( -- what was missing, moved or remained wide\n"
    "  curve_id INTEGER NOT NULL REFERENCES curve(id) ON DELETE CASCADE,\n"
    "  position INTEGER NOT NULL,\n"
    "  text TEXT NOT NULL,\n"
    "  PRIMARY KEY(curve_id, position)\n"
    ") STRICT, WITHOUT ROWID",
    /* Peaks of devices, and what each configuration uses up. */
    "CREATE TABLE peak( -- what a device can do besides moving bytes\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  made_at TEXT NOT NULL, -- UTC\n"
    "  host TEXT NOT NULL, -- name of the machine\n"
    "  backend TEXT NOT NULL, -- host, opencl\n"
    "  selector TEXT NOT NULL, -- as --device takes it: opencl:0:0\n"
    "  device TEXT NOT NULL, -- as the driver names it\n"
    "  driver TEXT NOT NULL,\n"
    "  compiler TEXT NOT NULL, -- and which vectors the loops use\n"
    "  threads INTEGER NOT NULL -- OpenCL: compute units\n"
    ") STRICT",
    "CREATE TABLE peak_value(\n"
    "  peak_id INTEGER NOT NULL REFERENCES peak(id) ON DELETE CASCADE,\n"
    "  what TEXT NOT NULL CHECK(what IN ('f32', 'f64', 'launch', 'launch_device', 'latency')),\n"
    "  bytes INTEGER NOT NULL, -- latency: in which the accesses lie; 0 elsewhere\n"
    "  unit TEXT NOT NULL, -- FLOP/s or s\n"
    "  sample_count INTEGER NOT NULL,\n"
    "  median REAL NOT NULL,\n"
    "  ci95_low REAL, -- 95 % interval of the median; NULL: fewer than 6 samples\n"
    "  ci95_high REAL,\n"
    "  best REAL NOT NULL, -- FLOP/s: reached by two samples; s: the least\n"
    "  PRIMARY KEY(peak_id, what, bytes)\n"
    ") STRICT, WITHOUT ROWID",
    "CREATE TABLE peak_note( -- what was missing\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  peak_id INTEGER NOT NULL REFERENCES peak(id) ON DELETE CASCADE,\n"
    "  text TEXT NOT NULL\n"
    ") STRICT",
    "CREATE TABLE result_work( -- what one launch of a configuration uses up, as [model] of its spec says\n"
    "  result_id INTEGER NOT NULL REFERENCES result(id) ON DELETE CASCADE,\n"
    "  resource TEXT NOT NULL CHECK(resource IN ('flop_f32', 'flop_f64', 'read', 'write', 'bytes')),\n"
    "  amount REAL NOT NULL, -- FLOP or bytes\n"
    "  PRIMARY KEY(result_id, resource)\n"
    ") STRICT, WITHOUT ROWID",
    NULL,
};

/* What is to be known of a curve's points, and of the number of threads; the clock of each sample. */
static const char *const version_4[] = {
    "ALTER TABLE sample ADD COLUMN clock_hz REAL /* of the device, just before; NULL: unknown */",
    "ALTER TABLE sample ADD COLUMN throttled INTEGER NOT NULL DEFAULT 0 /* 1: at a clock far below the usual */",
    "ALTER TABLE curve_point ADD COLUMN flags TEXT NOT NULL DEFAULT '' /* contended, wide, ...: words with spaces */",
    "ALTER TABLE curve ADD COLUMN trial_bytes INTEGER NOT NULL DEFAULT 0 /* working set of curve_trial; 0: none */",
    "CREATE TABLE curve_trial( -- how fast so many threads were before the curve was measured with the best of them\n"
    "  curve_id INTEGER NOT NULL REFERENCES curve(id) ON DELETE CASCADE,\n"
    "  threads INTEGER NOT NULL,\n"
    "  bytes_per_s REAL, -- reached by two samples; NULL: it failed\n"
    "  PRIMARY KEY(curve_id, threads)\n"
    ") STRICT, WITHOUT ROWID",
    NULL,
};

const struct rg_schema_step rg_schema_steps[] = {{version_1}, {version_2}, {version_3}, {version_4}};
const size_t rg_schema_step_count = sizeof rg_schema_steps / sizeof rg_schema_steps[0];

static int read_number(sqlite3 *database, const char *sql, int64_t *out)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    if (code != SQLITE_OK) {
        return code;
    }
    if (sqlite3_step(statement) == SQLITE_ROW) {
        *out = sqlite3_column_int64(statement, 0);
    }
    return sqlite3_finalize(statement);
}

int rg_schema_look(sqlite3 *database, struct rg_schema_facts *out)
{
    /* One transaction: another process may be making the file at this moment. */
    int code = sqlite3_exec(database, "BEGIN", NULL, NULL, NULL);
    if (code == SQLITE_OK) {
        code = read_number(database, "PRAGMA application_id", &out->application_id);
    }
    if (code == SQLITE_OK) {
        code = read_number(database, "PRAGMA user_version", &out->version);
    }
    if (code == SQLITE_OK) {
        code = read_number(database, "SELECT count(*) FROM sqlite_schema", &out->objects);
    }
    sqlite3_exec(database, "ROLLBACK", NULL, NULL, NULL);
    return code;
}

static int apply_steps(sqlite3 *database, const struct rg_schema_step *steps, size_t count)
{
    int64_t version = 0;
    int code = read_number(database, "PRAGMA user_version", &version);
    for (size_t step = (size_t)version; code == SQLITE_OK && step < count; step++) {
        for (const char *const *sql = steps[step].statements; code == SQLITE_OK && *sql; sql++) {
            code = sqlite3_exec(database, *sql, NULL, NULL, NULL);
        }
    }
    if (code != SQLITE_OK || (size_t)version >= count) {
        return code;
    }
    char mark[128];
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %zu", RG_STORE_APPLICATION_ID,
             count);
    return sqlite3_exec(database, mark, NULL, NULL, NULL);
}

int rg_schema_migrate(sqlite3 *database, const struct rg_schema_step *steps, size_t count)
{
    int code = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code != SQLITE_OK) {
        return code;
    }
    code = apply_steps(database, steps, count);
    if (code == SQLITE_OK) {
        code = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    }
    if (code != SQLITE_OK) {
        sqlite3_exec(database, "ROLLBACK", NULL, NULL, NULL);
    }
    return code;
}
