/* SPDX-License-Identifier: MIT */
/** \file What a kernel.toml says, as the rest of the library sees it. Thread rule: unchanging after loading. */
#ifndef RG_SPACE_SPEC_H
#define RG_SPACE_SPEC_H

#include "expr/expr.h"
#include "ridge/roofline.h"
#include "ridge/spec.h"

struct rg_toml;

enum {
    RG_MAX_DIMENSIONS = 64,
    RG_MAX_ARGUMENTS = 64
};

/** A dimension of the space. */
struct rg_dimension {
    const char *name;
    bool launch;     /**< block_x, block_y or block_z (or named so by [bench]): a launch dimension */
    ridge_type type; /**< of all its values */
    size_t count;    /**< values, at least one, distinct */
    struct ridge_value *values;
    struct rg_place place;
};

struct rg_constraint {
    struct rg_expr *expr;
    struct rg_place place;
};

/** How the kernel uses an argument. */
typedef enum rg_access {
    RG_ACCESS_IN,
    RG_ACCESS_OUT,
    RG_ACCESS_INOUT,
    RG_ACCESS_SCALAR,
    RG_ACCESS_LOCAL
} rg_access;

/** Element types: enum, word in kernel.toml, bytes, C type, OpenCL C type. */
#define RG_ELEMENT_LIST(X)                          \
    X(RG_F32, "f32", 4, "float", "float")           \
    X(RG_F64, "f64", 8, "double", "double")         \
    X(RG_I8, "i8", 1, "signed char", "char")        \
    X(RG_U8, "u8", 1, "unsigned char", "uchar")     \
    X(RG_I16, "i16", 2, "short", "short")           \
    X(RG_U16, "u16", 2, "unsigned short", "ushort") \
    X(RG_I32, "i32", 4, "int", "int")               \
    X(RG_U32, "u32", 4, "unsigned int", "uint")     \
    X(RG_I64, "i64", 8, "long long", "long")        \
    X(RG_U64, "u64", 8, "unsigned long long", "ulong")

typedef enum rg_element {
#define RG_ELEMENT_ENUM(name, word, bytes, c_type, cl_type) name,
    RG_ELEMENT_LIST(RG_ELEMENT_ENUM)
#undef RG_ELEMENT_ENUM
} rg_element;

typedef enum rg_fill {
    RG_FILL_UNIFORM,
    RG_FILL_NORMAL,
    RG_FILL_IOTA,
    RG_FILL_CONSTANT,
    RG_FILL_FILE
} rg_fill;

/** One argument of the kernel, in order. */
struct rg_argument {
    const char *name; /**< as given, or "argument 3", counted from 1 */
    rg_access access;
    rg_element element;
    struct rg_expr *length; /**< buffers: elements, over params only; RG_ACCESS_LOCAL: bytes, over params and dims */
    struct rg_expr *value;  /**< RG_ACCESS_SCALAR: over params and dims */
    rg_fill fill;
    double fill_value;     /**< RG_FILL_CONSTANT: the value; UNIFORM: upper end (lower is 0) */
    bool fill_signed;      /**< RG_FILL_UNIFORM: from -fill_value instead of 0 */
    bool by_value;         /**< RG_ACCESS_IN: CUDA: the kernel takes the array itself, as a structure */
    const char *fill_file; /**< RG_FILL_FILE: path of raw little-endian elements, beside the spec */
    uint64_t seed;
    struct rg_place place;
};

/** How outputs are judged. */
typedef enum rg_reference {
    RG_REFERENCE_NONE,
    RG_REFERENCE_C,             /**< a C function with the kernel's arguments */
    RG_REFERENCE_CONFIGURATION, /**< the outputs of a named configuration */
    RG_REFERENCE_FILE           /**< raw elements, one file an output */
} rg_reference;

struct rg_verify {
    rg_reference reference;
    const char *c_source; /**< path, beside the spec */
    const char *c_entry;
    const char *configuration; /**< an id, or NULL when given by values */
    const uint32_t *choice;    /**< value indices by dimension when given by values, else NULL */
    const char *const *files;  /**< one an output argument, in argument order */
    size_t file_count;
    double relative; /**< |got - want| <= absolute + relative * |want| passes */
    double absolute;
    bool equal_nan; /**< a NaN where the reference has one passes; default false: it fails */
    struct rg_place place;
};

/** Languages that `sources` can name. */
typedef enum rg_language {
    RG_LANGUAGE_OPENCL,
    RG_LANGUAGE_CUDA,
    RG_LANGUAGE_C,
    RG_LANGUAGE_COUNT
} rg_language;

/**
 * What a kernel does, counted ([model.work], docs/model.md): name, key, of what. A lane group is 32 neighbouring
 * threads; every count is over all that one of them does.
 */
#define RG_WORK_LIST(X)                                                                                           \
    X(RG_WORK_BLOCKS, "blocks", "blocks that do the work; the grid when not given")                               \
    X(RG_WORK_FMA, "fma", "fused multiply-adds, additions and multiplications of a thread")                       \
    X(RG_WORK_INSTRUCTIONS, "instructions", "instructions of a thread, but for the uniform ones")                 \
    X(RG_WORK_UNIFORM, "uniform_instructions", "instructions that are the same for all threads of a warp")        \
    X(RG_WORK_SHARED_ACCESSES, "shared_accesses", "shared-memory instructions of a thread")                       \
    X(RG_WORK_SHARED_WAVEFRONTS, "shared_wavefronts", "shared-memory wavefronts of a lane group")                 \
    X(RG_WORK_GLOBAL_WAVEFRONTS, "global_wavefronts", "lines of the first-level cache that a lane group touches") \
    X(RG_WORK_GUARDED_ACCESSES, "guarded_accesses", "global accesses of a thread behind a condition on its lane") \
    X(RG_WORK_L2_BYTES, "l2_bytes", "bytes that a block moves between L2 and its multiprocessor")                 \
    X(RG_WORK_DRAM_BYTES, "dram_bytes", "bytes that the whole launch moves to and from memory")                   \
    X(RG_WORK_LATENCY_CYCLES, "latency_cycles", "cycles of a lone warp along its longest dependence chain")       \
    X(RG_WORK_REGISTERS, "registers", "registers of a thread")                                                    \
    X(RG_WORK_CODE_BYTES, "code_bytes", "bytes of the innermost loop body, unrolled")

typedef enum rg_work_count {
#define RG_WORK_ENUM(name, key, meaning) name,
    RG_WORK_LIST(RG_WORK_ENUM)
#undef RG_WORK_ENUM
} rg_work_count;

enum {
    RG_WORK_COUNT = RG_WORK_CODE_BYTES + 1, /**< the last of the list */
    RG_MAX_LETS = 32
};

/** How work is counted where the whole loop would take long ([count]). */
struct rg_count_rule {
    const char *along; /**< a param that only says how often a loop runs; NULL: count the problem as it is */
    int64_t at[2];     /**< counted with these, ascending, and extended along a straight line */
    int64_t value;     /**< what the param is */
};

/** What kind of file a spec was read from. */
typedef enum rg_spec_format {
    RG_FORMAT_RIDGE,   /**< kernel.toml: the only one that can be tuned */
    RG_FORMAT_T1,      /**< T1 JSON */
    RG_FORMAT_KTCACHE, /**< a Kernel Tuner cache file */
    RG_FORMAT_COMMENTS /**< %RANGE% comments of a source */
} rg_spec_format;

/** How a T1 file sizes the launch, as written: nodes of its document, NULL where it says nothing. */
struct rg_t1_launch {
    const struct rg_toml *problem_size; /**< Kernel Tuner: with grid_div; KTT: global_size with local_size */
    const struct rg_toml *grid_div[3];
    const struct rg_toml *global_size;
    const struct rg_toml *local_size;
    const struct rg_toml *global_size_type;
};

enum {
    RG_MAX_NOTES = 4
};

struct ridge_spec {
    const struct ridge_context *context;
    rg_spec_format format;
    struct rg_t1_launch t1_launch;
    const char *notes[RG_MAX_NOTES];
    size_t note_count;
    struct rg_arena arena;
    const char *path;   /**< the kernel.toml, as opened */
    const char *folder; /**< where relative paths start; no trailing slash; "." for none */
    const char *kernel;
    const char *entry;
    unsigned domain;                        /**< launch dimensions, 1 to 3 */
    const char *sources[RG_LANGUAGE_COUNT]; /**< paths, folder included; NULL: none */
    struct rg_place source_places[RG_LANGUAGE_COUNT];
    size_t dimension_count;          /**< at least 1 */
    struct rg_dimension *dimensions; /**< sorted by name */
    size_t constraint_count;
    struct rg_constraint *constraints; /**< as written */
    size_t param_count;
    struct rg_symbol *params; /**< constants, sorted by name */
    size_t workload_count;
    size_t workload;                                     /**< whose params these are, from 1; 0: of none */
    struct ridge_workload workloads[RIDGE_WORKLOAD_MAX]; /**< as written */
    const char *base_id;                                 /**< configuration that others are compared with; NULL: none */
    struct rg_symbol *symbols; /**< dimensions (slot = index), then params: what an expression may use */
    size_t symbol_count;
    struct rg_expr *grid[3];  /**< blocks; NULL: 1 */
    struct rg_expr *block[3]; /**< threads; NULL: 1. By default the dimension block_x, block_y, block_z */
    struct rg_place grid_places[3];
    size_t argument_count;
    struct rg_argument *arguments;
    struct rg_verify verify;
    struct rg_count_rule count_rule;
    struct rg_expr *model_smem_bytes; /**< NULL: not given */
    struct rg_expr *model_flops;
    struct rg_expr *model_bytes;
    struct rg_expr *model_read_bytes;
    struct rg_expr *model_write_bytes;
    struct rg_expr *work[RG_WORK_COUNT]; /**< NULL: not counted */
    struct rg_expr
        *lets[RG_MAX_LETS]; /**< [model.let]: named parts of work expressions, each may use those before it */
    size_t let_count;
    struct rg_symbol *work_symbols; /**< those of `symbols`, then the lets (slot = dimension_count + index) */
    size_t work_symbol_count;
    char space_hash[65];     /**< SHA-256 of dimensions and constraints */
    char arguments_hash[65]; /**< SHA-256 of entry, grid, block, arguments, verification */
    char model_hash[65];     /**< SHA-256 of parameters, grid, block and [model] */
};

/** Work out what a launch uses up, from [model] flops, bytes, read_bytes and write_bytes. `flops` are of doubles when
 * a buffer is f64 and none is f32. An amount that has no value for this configuration, or is negative, is NaN.
 * \param values  one a dimension \return false: [model] has none of them */
bool rg_spec_work(const struct ridge_spec *spec, const struct ridge_value *values, struct ridge_work *out);

/** \return bytes of one element. */
size_t rg_element_bytes(rg_element element);
/** \return the word in kernel.toml, "f32". */
const char *rg_element_word(rg_element element);

#endif
