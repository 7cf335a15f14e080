/* SPDX-License-Identifier: MIT */
/**
 * \file A PTX module after reading: operations with their operands as places in a warp's registers.
 *
 * A warp's registers are one block of memory; a register is a column of 32 values (a predicate: one 32-bit mask) at an
 * offset. Literals, special registers and addresses of variables are columns too, filled before a warp starts, so that
 * every operand is read alike. Functions do not recurse: each has columns of its own.
 * Thread rule: unchanging once read.
 */
#ifndef RG_ENGINE_PTX_MODULE_H
#define RG_ENGINE_PTX_MODULE_H

#include "base/arena.h"
#include "engine/engine.h"
#include "engine/ptx_type.h"

enum {
    RG_LANES = 32,
    RG_SLOT_UNIT = 64, /**< columns are aligned to this many bytes */
    RG_NO_SLOT = 0     /**< offset 0 is no register */
};

struct rg_warp;
struct rg_op;
struct rg_function;
struct rg_matrix;
typedef void (*rg_lane_fn)(struct rg_warp *warp, const struct rg_op *op, uint32_t mask);

/** What the loop of the executor itself does with an operation. */
typedef enum rg_flow {
    RG_FLOW_NONE, /**< calls `run` */
    RG_FLOW_BRANCH,
    RG_FLOW_BRANCH_INDEX,
    RG_FLOW_CALL,
    RG_FLOW_RETURN,
    RG_FLOW_EXIT,
    RG_FLOW_BARRIER,
    RG_FLOW_WARP_SYNC, /**< calls `run` once all lanes of its member mask are there */
    RG_FLOW_TRAP,
    RG_FLOW_PHASE /**< waits until a phase of a memory barrier is complete */
} rg_flow;

/** Columns that an operation reads and writes, for counting. */
struct rg_uses {
    uint32_t read_count;
    uint32_t write_count;
    const uint32_t *slots; /**< reads, then writes; in bytes */
};

struct rg_op {
    rg_lane_fn run;
    rg_lane_fn inner; /**< the plain operation, where `run` rounds, flushes or saturates around it */
    uint32_t d;       /**< offsets of columns */
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t guard; /**< a predicate, or RG_NO_SLOT */
    uint32_t extra; /**< second destination, or a fourth source */
    int64_t immediate;
    const uint32_t *list; /**< columns of a vector, fragment or call */
    uint32_t list_count;
    uint16_t code; /**< of the lane table; RG_CODE_COUNT: none */
    uint8_t guard_not;
    uint8_t flow;
    uint8_t class;
    uint8_t space;
    uint8_t type;
    uint8_t bytes;          /**< one element of memory */
    uint8_t register_bytes; /**< of the register that holds it */
    uint8_t mode;           /**< meaning is the operation's own */
    uint8_t mode2;
    uint8_t around; /**< RG_AROUND_* */
    uint16_t marks; /**< RG_MARK_* */
    uint16_t file;
    uint32_t line;                      /**< of the source; 0: unknown */
    uint32_t inlined;                   /**< where the function of this line was inlined: a place + 1; 0: it was not */
    uint32_t ptx_line;                  /**< of the PTX */
    const struct rg_function *function; /**< called, or whose return this is */
    const struct rg_matrix *matrix;     /**< of matrix instructions */
    struct rg_uses uses;
};

enum { /* rg_op.around */
    RG_AROUND_ZERO = 1,
    RG_AROUND_DOWN = 2,
    RG_AROUND_UP = 3,
    RG_AROUND_ROUNDING = 3,
    RG_AROUND_FLUSH = 4,
    RG_AROUND_SATURATE = 8,
    RG_AROUND_FLUSH_SOURCES = 16 /**< not the result */
};

typedef enum rg_atom { /* rg_op.mode2 */
    RG_ATOM_ADD,
    RG_ATOM_EXCHANGE,
    RG_ATOM_MIN,
    RG_ATOM_MAX,
    RG_ATOM_INCREMENT,
    RG_ATOM_DECREMENT,
    RG_ATOM_CAS,
    RG_ATOM_AND,
    RG_ATOM_OR,
    RG_ATOM_XOR,
    RG_ATOM_COUNT
} rg_atom;

typedef enum rg_barrier_kind { /* rg_op.mode of RG_FLOW_BARRIER */
    RG_BARRIER_SYNC,
    RG_BARRIER_ARRIVE,
    RG_BARRIER_REDUCE
} rg_barrier_kind;

typedef enum rg_mbarrier_kind { /* rg_op.mode2 of rg_run_mbarrier */
    RG_MBARRIER_INIT,
    RG_MBARRIER_INVAL,
    RG_MBARRIER_ARRIVE,
    RG_MBARRIER_DROP,
    RG_MBARRIER_EXPECT,
    RG_MBARRIER_COMPLETE,
    RG_MBARRIER_COPIED, /**< arrives when the thread's copies are there */
    RG_MBARRIER_TEST,   /**< register_bytes 4: by parity */
    RG_MBARRIER_PENDING
} rg_mbarrier_kind;

typedef enum rg_reduce_kind { /* rg_op.mode2 of it */
    RG_REDUCE_COUNT,
    RG_REDUCE_AND,
    RG_REDUCE_OR
} rg_reduce_kind;

typedef enum rg_vote_kind { /* rg_op.mode */
    RG_VOTE_ALL,
    RG_VOTE_ANY,
    RG_VOTE_UNI,
    RG_VOTE_BALLOT
} rg_vote_kind;

typedef enum rg_pair_comparison { /* rg_op.mode of rg_run_pair_compare */
    RG_PAIR_EQ,
    RG_PAIR_NE,
    RG_PAIR_LT,
    RG_PAIR_LE,
    RG_PAIR_GT,
    RG_PAIR_GE,
    RG_PAIR_EQU,
    RG_PAIR_NEU,
    RG_PAIR_LTU,
    RG_PAIR_LEU,
    RG_PAIR_GTU,
    RG_PAIR_GEU,
    RG_PAIR_NUM,
    RG_PAIR_NAN,
    RG_PAIR_COUNT
} rg_pair_comparison;

/** Arguments and results of calls: an operation copies RG_CALL_COPY words each: kind and place, twice, and bytes. */
enum {
    RG_CALL_REGISTER,
    RG_CALL_PARAMETER,
    RG_CALL_COPY = 5,
    RG_CALL_SIDE = 3 /**< of a call through a register: kind, place and bytes; what the function has is known later */
};
struct rg_call_side {
    uint32_t kind;
    uint32_t place;
};

typedef enum rg_convert_rounding { /* rg_op.mode of rg_run_convert; mode2: the source's type */
    RG_CONVERT_EXACT,
    RG_CONVERT_NEAREST,
    RG_CONVERT_ZERO,
    RG_CONVERT_DOWN,
    RG_CONVERT_UP,
    RG_CONVERT_AWAY,
    RG_CONVERT_INTEGER_NEAREST,
    RG_CONVERT_INTEGER_ZERO,
    RG_CONVERT_INTEGER_DOWN,
    RG_CONVERT_INTEGER_UP
} rg_convert_rounding;
enum { /* rg_op.immediate of it */
    RG_CONVERT_SATURATES = 1,
    RG_CONVERT_FLUSHES = 2,
    RG_CONVERT_RELU = 4,
    RG_CONVERT_FINITE = 8 /**< what is beyond the largest number becomes it */
};

enum { /* rg_op.immediate of barriers: memory that it orders; 0: all */
    RG_ORDERS_SHARED = 1,
    RG_ORDERS_GLOBAL = 2,
    RG_ORDERS_ALL = 3
};

enum {                      /* rg_op.marks */
    RG_MARK_ATOMIC = 1,     /**< does not race with its like */
    RG_MARK_WRITES = 2,     /**< memory */
    RG_MARK_READS = 4,      /**< memory */
    RG_MARK_ALIGNED = 8,    /**< all lanes of the warp must come together */
    RG_MARK_FENCE = 16,     /**< orders memory: acquire, release */
    RG_MARK_UNKNOWN = 32,   /**< its result differs between lanes whatever its operands */
    RG_MARK_GUESS = 64,     /**< a read whose value a compare and swap of the same place will confirm */
    RG_MARK_VOLATILE = 128, /**< strong, but orders nothing between the lanes of a warp */
    RG_MARK_BLOCK = 256,    /**< a fence or strong access for the threads of one block: scope .cta */
    RG_MARK_JOINS = 512     /**< a write that changes what lies there and takes nothing from it: an arrival */
};

/** A literal, special register or address, and the column that holds it. */
typedef enum rg_fill_kind {
    RG_FILL_BITS,
    RG_FILL_SPECIAL,
    RG_FILL_ADDRESS, /**< of a variable: `bits` is its index */
} rg_fill_kind;

struct rg_fill {
    rg_fill_kind kind;
    uint64_t bits; /**< value, special register or variable */
    int64_t addend;
    uint32_t slot;
    uint32_t bytes;
    bool generic;                       /**< address: in the flat map */
    const struct rg_function *function; /**< whose column it is */
};

typedef enum rg_special {
    RG_SPECIAL_TID_X,
    RG_SPECIAL_TID_Y,
    RG_SPECIAL_TID_Z,
    RG_SPECIAL_NTID_X,
    RG_SPECIAL_NTID_Y,
    RG_SPECIAL_NTID_Z,
    RG_SPECIAL_CTAID_X,
    RG_SPECIAL_CTAID_Y,
    RG_SPECIAL_CTAID_Z,
    RG_SPECIAL_NCTAID_X,
    RG_SPECIAL_NCTAID_Y,
    RG_SPECIAL_NCTAID_Z,
    RG_SPECIAL_LANEID,
    RG_SPECIAL_WARPID,
    RG_SPECIAL_NWARPID,
    RG_SPECIAL_ZERO,
    RG_SPECIAL_ONE,
    RG_SPECIAL_LANEMASK_EQ,
    RG_SPECIAL_LANEMASK_LT,
    RG_SPECIAL_LANEMASK_LE,
    RG_SPECIAL_LANEMASK_GT,
    RG_SPECIAL_LANEMASK_GE,
    RG_SPECIAL_DYNAMIC_SHARED,
    RG_SPECIAL_TOTAL_SHARED,
    RG_SPECIAL_CLOCK
} rg_special;

/** An address inside the initial bytes of a variable. */
struct rg_relocation {
    uint32_t offset;
    uint32_t variable;
    int64_t addend;
    bool generic;
};

/** A place of the source that .loc names, and where its function was inlined: a place + 1; 0: nowhere. */
struct rg_source_place {
    uint32_t file;
    uint32_t line;
    uint32_t column;
    uint32_t inlined;
};

struct rg_variable {
    const char *name;
    rg_space space;
    rg_type type;
    uint32_t align;
    uint64_t size;    /**< bytes */
    uint64_t offset;  /**< inside its space; global and shared: 0 */
    uint8_t *initial; /**< NULL: zeros */
    struct rg_relocation *relocations;
    size_t relocation_count;
    size_t relocation_capacity;
    bool external;
    bool dynamic; /**< .extern .shared x[]: begins behind all others */
};

/** A parameter of a function or kernel, or a .param variable of a body. */
struct rg_parameter {
    const char *name;
    uint32_t bytes;
    uint32_t align;
    uint32_t offset; /**< inside the kernel's or the threads' parameter space */
    uint32_t slot;   /**< a register parameter's column; else RG_NO_SLOT */
    rg_type type;
};

struct rg_function {
    const char *name;
    uint32_t line; /**< of its name, where it stands last */
    uint32_t column;
    struct rg_function *next;
    bool entry;
    bool declared;
    bool defined;
    struct rg_parameter *parameters;
    uint32_t parameter_count;
    struct rg_parameter *results;
    uint32_t result_count;
    uint32_t first_op;
    uint32_t op_count;
    uint32_t return_slot; /**< where each lane goes on after returning */
    uint32_t index;       /**< of an entry */
    uint32_t kernel_param_bytes;
    uint32_t shared_bytes_min; /**< smallest access to shared memory; 0: none */
    uint32_t global_bytes_min;
    struct rg_function **calls; /**< functions it calls */
    size_t call_count;
    size_t call_capacity;
    uint64_t address;    /**< what a register holds that points to it; 0: nothing asks for it */
    uint32_t mark;       /**< of walks over calls */
    uint32_t slot_start; /**< its columns */
    uint32_t slot_end;
    struct rg_function **reached; /**< of an entry: itself and what it calls, directly or not */
    size_t reached_count;
    uint8_t *uses_variable; /**< of an entry: by variable */
};

/** Addresses of functions: a window of their own, 16 bytes each. */
#define RG_FUNCTION_BASE RG_WINDOW(RG_SPACE_COUNT)
enum {
    RG_FUNCTION_BYTES = 16
};

struct rg_ptx {
    const struct ridge_context *context;
    struct rg_arena arena;
    const char *path;
    struct rg_op *ops;
    size_t op_count;
    size_t op_capacity;
    struct rg_fill *fills;
    size_t fill_count;
    size_t fill_capacity;
    struct rg_variable **variables;
    size_t variable_count;
    size_t variable_capacity;
    struct rg_function *functions;
    struct rg_function **addressed; /**< those with an address, in its order */
    size_t addressed_count;
    size_t addressed_capacity;
    struct rg_ptx_entry *entries;
    struct rg_function **entry_functions;
    size_t entry_count;
    size_t entry_capacity;
    size_t entry_function_capacity;
    const char **files; /**< by .file number */
    size_t file_count;
    size_t file_capacity;
    struct rg_source_place *places; /**< at which functions were inlined */
    size_t place_count;
    size_t place_capacity;
    uint32_t slot_end;    /**< bytes of a warp's registers */
    uint64_t local_bytes; /**< of a thread, over all functions */
    uint32_t param_bytes; /**< of a thread */
    uint64_t const_bytes;
    uint32_t target; /**< 80 for sm_80 */
    bool has_calls;
};

#endif
