/* SPDX-License-Identifier: MIT */
/**
 * \file The inside of the reader of kernel.toml: what its files share. A table of the file is described by a const
 * list of keys; spec_keys.c checks it and calls one function a key, in the order of the list.
 * Thread rule: one thread a reader.
 */
#ifndef RG_SPACE_SPEC_READ_H
#define RG_SPACE_SPEC_READ_H

#include "base/arena.h"
#include "ridge/spec.h"
#include "space/spec.h"
#include "text/toml.h"

struct rg_spec_reader {
    struct ridge_spec *spec;
    struct rg_arena *arena; /**< the spec's */
    const char *const *set; /**< `--set` texts, name=value */
    size_t set_count;
    bool no_block_limit;
    bool without_work;                 /**< [model.work] is left out */
    bool check;                        /**< [check] params count */
    const struct rg_toml *check_table; /**< [check]; NULL: none */
    size_t workload;                   /**< whose params to take, from 1; 0: of none */
    rg_dialect dialect;                /**< of expressions */
    struct ridge_error *error;
};

/** Sets of rg_toml_type. */
enum {
    RG_IS_TABLE = 1U << RG_TOML_TABLE,
    RG_IS_LIST = 1U << RG_TOML_ARRAY,
    RG_IS_TEXT = 1U << RG_TOML_TEXT,
    RG_IS_INT = 1U << RG_TOML_INT,
    RG_IS_FLOAT = 1U << RG_TOML_FLOAT,
    RG_IS_BOOL = 1U << RG_TOML_BOOL,
    RG_IS_NUMBER = RG_IS_INT | RG_IS_FLOAT,
    RG_IS_EXPR = RG_IS_INT | RG_IS_TEXT,
    RG_IS_VALUE = RG_IS_NUMBER | RG_IS_TEXT | RG_IS_BOOL,
    RG_IS_ANY = 0xFF
};

/** One key that a table may have. */
struct rg_key {
    const char *name;
    unsigned types; /**< RG_IS_ */
    bool required;
    const char *right; /**< an example, for messages */
    /** Read it into `target`; NULL: the key is read elsewhere, or allowed and passed over. */
    ridge_status (*read)(struct rg_spec_reader *reader, const struct rg_toml *value, void *target);
    size_t offset; /**< added to the target */
};

struct rg_key_list {
    const char *table; /**< as messages call it: "[kernel]" */
    const struct rg_key *keys;
    size_t count;
    bool json; /**< messages write keys as JSON does */
};

/** A list from an array of keys. */
#define RG_KEY_LIST(name, keys)                               \
    {                                                         \
        (name), (keys), sizeof(keys) / sizeof(keys)[0], false \
    }

/** The same for JSON. */
#define RG_JSON_KEY_LIST(name, keys)                         \
    {                                                        \
        (name), (keys), sizeof(keys) / sizeof(keys)[0], true \
    }

/** Check every key of a table and read them into `target`. `table` NULL: nothing is read, required or not. */
ridge_status rg_spec_read_table(struct rg_spec_reader *reader, const struct rg_key_list *list,
                                const struct rg_toml *table, void *target);

/* Readers of single keys, by what the target is. */
ridge_status rg_spec_read_text(struct rg_spec_reader *reader, const struct rg_toml *value,
                               void *target); /**< not empty */
ridge_status rg_spec_read_path(struct rg_spec_reader *reader, const struct rg_toml *value,
                               void *target); /**< + folder */
ridge_status rg_spec_read_bool(struct rg_spec_reader *reader, const struct rg_toml *value, void *target);
ridge_status rg_spec_read_node(struct rg_spec_reader *reader, const struct rg_toml *value, void *target);
ridge_status rg_spec_read_seed(struct rg_spec_reader *reader, const struct rg_toml *value, void *target);
ridge_status rg_spec_read_tolerance(struct rg_spec_reader *reader, const struct rg_toml *value, void *target);
ridge_status rg_spec_read_expr(struct rg_spec_reader *reader, const struct rg_toml *value, void *target);

/** Compile an integer, a number or a text over dimensions and params. */
ridge_status rg_spec_compile(struct rg_spec_reader *reader, const struct rg_toml *value, struct rg_expr **out);

/** As above, over other symbols. */
ridge_status rg_spec_compile_over(struct rg_spec_reader *reader, const struct rg_toml *value,
                                  const struct rg_symbol *symbols, size_t symbol_count, struct rg_expr **out);

/** \return the number of an integer or float node. */
double rg_toml_double(const struct rg_toml *node);

/** A value node (RG_IS_VALUE) as a value. \retval RIDGE_E_VALUE a float is not finite. */
ridge_status rg_spec_value(struct rg_spec_reader *reader, const struct rg_toml *node, struct ridge_value *out);

/** Refuse a name that is no C identifier or that expressions cannot use. */
ridge_status rg_spec_check_name(struct rg_spec_reader *reader, const char *what, const struct rg_toml *named);

/** \return the param called `name` (`length` bytes), or NULL. */
struct rg_symbol *rg_spec_param(const struct ridge_spec *spec, const char *name, size_t length);

/**
 * Read a configuration: an id, or a table with a value for each dimension.
 * \param[out] id      the id as written; NULL: it was given by values
 * \param[out] choice  value indices by dimension; NULL: it was given by id
 */
ridge_status rg_spec_read_configuration(struct rg_spec_reader *reader, const struct rg_toml *node, const char **id,
                                        const uint32_t **choice);

/** \return the index of the dimension with that name, or SIZE_MAX. */
size_t rg_spec_dimension(const struct ridge_spec *spec, const char *name);

/* The parts of a kernel.toml, in the order in which they must be read. */
ridge_status rg_spec_read_dimensions(struct rg_spec_reader *reader, const struct rg_toml *dims);
ridge_status rg_spec_read_params(struct rg_spec_reader *reader, const struct rg_toml *bench);
/** [[bench.workloads]]: check all of them, and put the params of the chosen one in the place of those of [bench]. */
ridge_status rg_spec_read_workloads(struct rg_spec_reader *reader, const struct rg_toml *bench);
ridge_status rg_spec_read_constraints(struct rg_spec_reader *reader, const struct rg_toml *constraints);
ridge_status rg_spec_read_bench(struct rg_spec_reader *reader, const struct rg_toml *bench);
ridge_status rg_spec_read_arguments(struct rg_spec_reader *reader, const struct rg_toml *list);
ridge_status rg_spec_read_verify(struct rg_spec_reader *reader, const struct rg_toml *verify);
ridge_status rg_spec_read_model(struct rg_spec_reader *reader, const struct rg_toml *model);
ridge_status rg_spec_read_count_table(struct rg_spec_reader *reader, const struct rg_toml *count);

/** \return whether a path ends as sources of kernels do: .cu .cuh .cl .c .h .cpp .cc .hpp */
bool rg_is_source_name(const char *path);

/** Read the %RANGE% comments of a source. */
ridge_status rg_spec_read_comments(struct rg_spec_reader *reader, const char *text);

/** Read values from a list; the dimension has its name. */
ridge_status rg_spec_read_list(struct rg_spec_reader *reader, const struct rg_toml *list,
                               struct rg_dimension *dimension);

/** Read `values` as a range table. */
ridge_status rg_spec_read_range(struct rg_spec_reader *reader, const struct rg_toml *table,
                                struct rg_dimension *dimension);

/** Find the first value of a dimension that stands twice. \param[out] repeated its index, SIZE_MAX: none. */
ridge_status rg_spec_find_repeated(struct rg_spec_reader *reader, const struct rg_dimension *dimension,
                                   size_t *repeated);

/** Whether a text holds a control character. */
bool rg_has_control_character(const char *text);

/** Sort the dimensions by name. */
void rg_spec_sort_dimensions(struct ridge_spec *spec);

/** Add a note (ridge_spec_note). \retval RIDGE_E_MEMORY no memory */
ridge_status rg_spec_add_note(struct rg_spec_reader *reader, const char *text);

/* Other formats (t1.c, ktcache.c). The spec has its path; everything else is filled. */
ridge_status rg_spec_read_t1(struct rg_spec_reader *reader, const struct rg_toml *root);
ridge_status rg_spec_read_ktcache(struct rg_spec_reader *reader, const struct rg_toml *root);

/**
 * Read the values of a T1 parameter, Python text: lists, range(), list(), comprehensions over one name, sums of them.
 * \param type  of the dimension, as the file declares it; the values are converted where nothing is lost
 */
ridge_status rg_t1_read_values(struct rg_spec_reader *reader, const struct rg_toml *node, ridge_type type,
                               struct rg_dimension *dimension);

/** Fill space_hash and arguments_hash. */
void rg_spec_hash(struct ridge_spec *spec);

#endif
