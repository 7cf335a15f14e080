/* SPDX-License-Identifier: MIT */
/**
 * \file The schema of the evidence database and how an older file is brought up to date. docs/evidence-format.md
 * describes it. Thread rule: that of the database handle.
 */
#ifndef RG_STORE_SCHEMA_H
#define RG_STORE_SCHEMA_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

/** PRAGMA application_id: "Rdge". */
#define RG_STORE_APPLICATION_ID 0x52646765

/** Step number i (from 0) brings a file from schema version i to i + 1: statements, ended by NULL. */
struct rg_schema_step {
    const char *const *statements;
};

/** All steps; their number is the version that this Ridge reads and writes. */
extern const struct rg_schema_step rg_schema_steps[];
extern const size_t rg_schema_step_count;

/** What a file says about itself. */
struct rg_schema_facts {
    int64_t application_id;
    int64_t version; /**< PRAGMA user_version */
    int64_t objects; /**< tables, views and indices */
};

/** Read the facts. \return a code of SQLite. */
int rg_schema_look(sqlite3 *database, struct rg_schema_facts *out);

/**
 * Apply the steps that a file lacks, in one transaction: all of them or none. Another process may be doing the same:
 * the version is read again under the lock. \return a code of SQLite; the file is unchanged unless it is SQLITE_OK.
 */
int rg_schema_migrate(sqlite3 *database, const struct rg_schema_step *steps, size_t count);

#endif
