/* SPDX-License-Identifier: MIT */
/**
 * \file
 * The space of a spec: every configuration that satisfies its constraints, in canonical order (dimensions sorted by
 * name, the last one fastest, values as declared), each with an id that is the same on every machine.
 *
 * A constraint that cannot be evaluated for a configuration (division by zero, overflow, text in arithmetic) excludes
 * it, as one that is false does. The first such fault of each constraint is logged as a warning that names the
 * constraint and the values; ridge_space_explain counts them.
 *
 * A configuration is held as one value index a dimension. Thread rule: a space may be read by any thread; a cursor
 * belongs to one.
 */
#ifndef RIDGE_SPACE_H
#define RIDGE_SPACE_H

#include <stdbool.h>

#include "ridge/spec.h"
#include "ridge/value.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a configuration's id with its terminator: "c1-" and 16 hex digits. */
enum {
    RIDGE_ID_BYTES = 20
};

struct ridge_space;

/**
 * Make the space of a spec: all its configurations, factorised (docs/spaces.md), so that each can be had by its index.
 * \param spec      borrowed; must outlive the space
 * \param[out] out  owned by the caller; freed by ridge_space_destroy
 */
RIDGE_API ridge_status ridge_space_create(const struct ridge_context *context, const struct ridge_spec *spec,
                                          struct ridge_space **out, struct ridge_error *error);

/** Free a space. NULL is fine. */
RIDGE_API void ridge_space_destroy(struct ridge_space *space);

/** \return the number of dimensions. */
RIDGE_API size_t ridge_space_dimension_count(const struct ridge_space *space);

/** \return the name of a dimension, in canonical order. Borrowed. */
RIDGE_API const char *ridge_space_dimension_name(const struct ridge_space *space, size_t dimension);

/** \return how many values a dimension has. */
RIDGE_API size_t ridge_space_dimension_size(const struct ridge_space *space, size_t dimension);

/** \return value number `choice` of a dimension. Borrowed. */
RIDGE_API const struct ridge_value *ridge_space_value(const struct ridge_space *space, size_t dimension,
                                                      uint32_t choice);

/** \return the size of the Cartesian product; infinite precision is not needed: a double, for display only. */
RIDGE_API double ridge_space_cartesian(const struct ridge_space *space);

/** Count the configurations. \param[out] out  saturates at UINT64_MAX */
RIDGE_API ridge_status ridge_space_count(const struct ridge_space *space, uint64_t *out, struct ridge_error *error);

/** Bytes of a count in decimal with its terminator. */
enum {
    RIDGE_COUNT_BYTES = 40
};

/**
 * Write the number of configurations in decimal, exactly.
 * \retval RIDGE_E_LIMIT  it is 2^128 or more
 */
RIDGE_API ridge_status ridge_space_count_text(const struct ridge_space *space, char out[RIDGE_COUNT_BYTES],
                                              struct ridge_error *error);

/** \return how many groups of dimensions there are: no constraint ties dimensions of two groups together. */
RIDGE_API size_t ridge_space_group_count(const struct ridge_space *space);
/** \return the group of a dimension, counted from 0. */
RIDGE_API size_t ridge_space_dimension_group(const struct ridge_space *space, size_t dimension);
/** \return the combinations of values that the constraints leave a group. */
RIDGE_API uint64_t ridge_space_group_size(const struct ridge_space *space, size_t group);
/** \return the memory that holds all configurations, factorised, in bytes. */
RIDGE_API size_t ridge_space_bytes(const struct ridge_space *space);

/**
 * Find the configuration at an index of the canonical order, in time that does not depend on the size of the space.
 * \param[out] choice  ridge_space_dimension_count() value indices; the caller's memory
 * \retval RIDGE_E_VALUE  there are not that many
 * \retval RIDGE_E_LIMIT  there are 2^128 configurations or more
 */
RIDGE_API ridge_status ridge_space_at(const struct ridge_space *space, uint64_t index, uint32_t *choice,
                                      struct ridge_error *error);

/**
 * Find the index of a configuration.
 * \retval RIDGE_E_VALUE  it is not in the space
 * \retval RIDGE_E_LIMIT  the index is 2^64 or more
 */
RIDGE_API ridge_status ridge_space_index(const struct ridge_space *space, const uint32_t *choice, uint64_t *index,
                                         struct ridge_error *error);

/** \return whether a configuration is in the space: each choice is a value of its dimension, and the constraints hold. */
RIDGE_API bool ridge_space_contains(const struct ridge_space *space, const uint32_t *choice);

/** What a neighbour is: one dimension differs; by any value, or by one step in the order of its values. */
typedef enum ridge_neighbour {
    RIDGE_HAMMING,
    RIDGE_ADJACENT
} ridge_neighbour;

/**
 * Find the neighbours of a configuration that are in the space, by dimension, then in the order of its values.
 * \param[out] choices  rows of ridge_space_dimension_count() value indices; the caller's memory; NULL for none
 * \param capacity      rows that `choices` has room for
 * \param[out] count    how many neighbours there are, whatever the capacity
 * \retval RIDGE_E_VALUE  the configuration itself is not in the space
 */
RIDGE_API ridge_status ridge_space_neighbours(const struct ridge_space *space, const uint32_t *choice,
                                              ridge_neighbour kind, uint32_t *choices, uint64_t capacity,
                                              uint64_t *count, struct ridge_error *error);

struct ridge_space_cursor;

/** Stand before the first configuration. \param[out] out freed by ridge_space_cursor_destroy. */
RIDGE_API ridge_status ridge_space_cursor_create(const struct ridge_space *space, struct ridge_space_cursor **out,
                                                 struct ridge_error *error);
/** Free a cursor. NULL is fine. */
RIDGE_API void ridge_space_cursor_destroy(struct ridge_space_cursor *cursor);

/**
 * Go to the next configuration.
 * \param[out] choice  the value index of each dimension; borrowed until the next call; NULL at the end
 */
RIDGE_API ridge_status ridge_space_cursor_next(struct ridge_space_cursor *cursor, const uint32_t **choice,
                                               struct ridge_error *error);

/** \return the first dimension whose value the last ridge_space_cursor_next changed; those behind it may have changed. */
RIDGE_API size_t ridge_space_cursor_changed(const struct ridge_space_cursor *cursor);

/** Write the id of the configuration that the cursor stands at: as ridge_space_id, and faster one after the other. */
RIDGE_API void ridge_space_cursor_id(struct ridge_space_cursor *cursor, char out[RIDGE_ID_BYTES]);

/**
 * Draw distinct configurations uniformly. The same seed gives the same ones, and a larger `count` the same ones first.
 * As many as there are gives all of them in random order.
 * \param count        how many; more than there are gives all of them
 * \param[out] choices `count` rows of ridge_space_dimension_count() indices, in the order drawn; the caller's memory
 * \param[out] drawn   how many rows were written
 * \retval RIDGE_E_LIMIT  there are 2^64 configurations or more
 */
RIDGE_API ridge_status ridge_space_sample(const struct ridge_space *space, uint64_t count, uint64_t seed,
                                          uint32_t *choices, uint64_t *drawn, struct ridge_error *error);

/** Write the id of a configuration. */
RIDGE_API void ridge_space_id(const struct ridge_space *space, const uint32_t *choice, char out[RIDGE_ID_BYTES]);

/** What a constraint did. Numbers saturate at UINT64_MAX; above 2^53 they may be rounded. */
struct ridge_constraint_effect {
    const char *text; /**< the constraint as written; borrowed from the spec */
    uint64_t removed; /**< configurations that it is the first to reject */
    uint64_t failed;  /**< of these, those where it could not be evaluated (division by zero, overflow) */
    bool whole;       /**< it could not be taken apart: evaluated as bytecode once all its dimensions have values */
};

/**
 * Say why a space is as small as it is: how many configurations of the Cartesian product each constraint, in the
 * order written, is the first to reject. The sum over constraints plus the count is the Cartesian size.
 * \param[out] effects  one entry a constraint; the caller's memory, room for ridge_space_constraint_count()
 */
RIDGE_API ridge_status ridge_space_explain(const struct ridge_space *space, struct ridge_constraint_effect *effects,
                                           struct ridge_error *error);

/** \return how many constraints there are. */
RIDGE_API size_t ridge_space_constraint_count(const struct ridge_space *space);

#ifdef __cplusplus
}
#endif
#endif
