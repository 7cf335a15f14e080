/* SPDX-License-Identifier: MIT */
/**
 * \file The reader of PTX inside: symbols by scope, an instruction as it was written, and what the files of the reader
 * offer each other. ptx_parse.c reads a module, ptx_variable.c its variables, ptx_body.c functions and instructions;
 * ptx_decode*.c make operations of instructions. Thread rule: one thread a reader.
 */
#ifndef RG_ENGINE_PTX_READ_H
#define RG_ENGINE_PTX_READ_H

#include "engine/lanes_list.h"
#include "engine/ptx_lex.h"
#include "engine/ptx_module.h"

enum {
    RG_MAX_MODIFIERS = 20,
    RG_MAX_OPERANDS = 96, /**< parts of vectors count */
    RG_SYMBOL_BUCKETS = 4096,
    RG_MAX_SLOTS_BYTES = 1 << 28, /**< of one warp's registers */
    RG_MAX_DEPTH = 64             /**< of nested braces */
};

typedef enum rg_symbol_kind {
    RG_SYMBOL_REGISTER, /**< `count` of them when it is a range: %r<9> */
    RG_SYMBOL_VARIABLE,
    RG_SYMBOL_PARAMETER,
    RG_SYMBOL_FUNCTION,
    RG_SYMBOL_LABEL,
    RG_SYMBOL_TARGETS, /**< .branchtargets, .calltargets */
    RG_SYMBOL_PROTOTYPE
} rg_symbol_kind;

struct rg_symbol {
    rg_symbol_kind kind;
    const char *name;
    uint32_t length;
    uint32_t next; /**< in its bucket: index + 1 */
    uint32_t bucket;
    rg_type type;
    uint32_t count;  /**< registers of a range; 0: a single one */
    uint32_t *slots; /**< of registers; RG_NO_SLOT until used */
    uint32_t index;  /**< variable */
    uint32_t op;     /**< label */
    struct rg_parameter *parameter;
    bool kernel_parameter;
    struct rg_function *function;
    const struct rg_word *words; /**< targets: labels */
    uint32_t word_count;
};

typedef enum rg_operand_kind {
    RG_OPERAND_SINK, /**< _ */
    RG_OPERAND_REGISTER,
    RG_OPERAND_INTEGER,
    RG_OPERAND_FLOAT,
    RG_OPERAND_F32,
    RG_OPERAND_F64,
    RG_OPERAND_VARIABLE,  /**< its address, plus `bits` */
    RG_OPERAND_PARAMETER, /**< plus `bits` */
    RG_OPERAND_NAME,      /**< not declared so far: a label or function */
    RG_OPERAND_FUNCTION,
    RG_OPERAND_TARGETS,
    RG_OPERAND_PROTOTYPE,
    RG_OPERAND_VECTOR, /**< `count` operands from `first` */
    RG_OPERAND_LIST    /**< in parentheses */
} rg_operand_kind;

struct rg_operand {
    uint64_t bits;
    double number;
    const struct rg_symbol *symbol; /**< until the next symbol is added */
    struct rg_word word;
    rg_operand_kind kind;
    rg_type type;
    rg_type type2;
    uint32_t slot;
    uint32_t slot2; /**< p|q: the second */
    uint32_t index; /**< of a variable */
    uint32_t first;
    uint32_t count;
    bool address; /**< written in brackets */
    bool negated; /**< !p */
    bool special; /**< a special register: not to be written */
    bool clock;   /**< one that changes while a warp runs */
};

struct rg_form;

struct rg_instruction {
    struct rg_word opcode;
    struct rg_word modifiers[RG_MAX_MODIFIERS];
    uint32_t modifier_count;
    uint32_t operand_count; /**< of the instruction; parts of vectors lie behind */
    uint32_t part_end;
    uint32_t guard;
    bool guard_not;
    const struct rg_form *form; /**< the one that it fits */
    rg_type types[4];
    uint32_t type_count;
    struct rg_operand operands[RG_MAX_OPERANDS]; /**< last: not cleared between instructions */
};

/** A branch whose label was not known yet. */
struct rg_fixup {
    uint32_t op;
    struct rg_word word;
    uint32_t *target; /**< where the index goes; NULL: the immediate of the op */
};

struct rg_reader {
    struct rg_ptx *ptx;
    struct rg_ptx_lexer lexer;
    struct ridge_error *error;
    struct rg_symbol *symbols;
    size_t symbol_count;
    size_t symbol_capacity;
    uint32_t buckets[RG_SYMBOL_BUCKETS];
    struct rg_function *function; /**< being read; NULL outside */
    uint32_t slot_next;           /**< columns taken so far */
    uint32_t kernel_param_end;    /**< bytes of the parameters of the kernel being read */
    struct rg_fixup *fixups;
    size_t fixup_count;
    size_t fixup_capacity;
    struct rg_fixup *places; /**< of labels */
    size_t place_count;
    size_t place_capacity;
    uint16_t codes[4096]; /**< rg_code_index */
    uint16_t file;
    uint32_t line;
    uint32_t inlined; /**< as rg_op.inlined */
    size_t homeless;  /**< the first operation since a .loc of line 0, from 1; 0: none */
    unsigned depth;
    uint8_t fence; /**< of the next barrier: RG_ORDERS_*; 0: all */
    struct rg_instruction instruction;
    uint32_t uses[RG_MAX_OPERANDS * 2 + 8];
};

/** Symbols (ptx_symbol.c). A scope is left by cutting back to the count at its beginning. */
struct rg_symbol *rg_symbol_find(struct rg_reader *reader, const char *name, uint32_t length);
struct rg_symbol *rg_symbol_add(struct rg_reader *reader, const struct rg_word *word, rg_symbol_kind kind);
void rg_symbol_cut(struct rg_reader *reader, size_t count);

/** Columns (ptx_symbol.c). RG_NO_SLOT: memory or the limit is spent, and the error is set. */
uint32_t rg_slot_new(struct rg_reader *reader, uint32_t bytes);
uint32_t rg_slot_fill(struct rg_reader *reader, const struct rg_fill *fill);
uint32_t rg_slot_bits(struct rg_reader *reader, uint64_t bits, uint32_t bytes);
uint32_t rg_register_bytes(rg_type type); /**< of one lane of a register */

/** Words (ptx_parse.c). */
ridge_status rg_read_next(struct rg_reader *reader);
bool rg_read_at(const struct rg_reader *reader, const char *text);
ridge_status rg_read_take(struct rg_reader *reader, const char *text); /**< this word and on, or an error */
ridge_status rg_read_fail(struct rg_reader *reader, const struct rg_word *word, ridge_status status, const char *format,
                          ...) __attribute__((format(printf, 4, 5)));
ridge_status rg_read_memory(struct rg_reader *reader);
ridge_status rg_read_integer(struct rg_reader *reader, uint64_t *value);
ridge_status rg_read_file(struct rg_reader *reader);

/** Variables (ptx_variable.c): from behind the state space to the semicolon. */
ridge_status rg_read_variables(struct rg_reader *reader, rg_space space, bool external);
ridge_status rg_read_parameter(struct rg_reader *reader, struct rg_parameter *parameter, bool kernel, bool is_register);

/** Entries of the module after all was read (ptx_module.c). */
ridge_status rg_ptx_finish(struct rg_reader *reader);

/** Bodies (ptx_body.c). The current word is "{". */
ridge_status rg_read_body(struct rg_reader *reader, struct rg_function *function);

/** Operands (ptx_operand.c). */
ridge_status rg_read_operand(struct rg_reader *reader, struct rg_operand *operand);

/** Make operations of the instruction that was read (ptx_decode.c); before its operands: is there a form of it? */
ridge_status rg_decode_known(struct rg_reader *reader);
ridge_status rg_decode(struct rg_reader *reader);

/** For the files that decode. */
bool rg_has(const struct rg_instruction *in, const char *modifier); /**< without its dot */
struct rg_op *rg_op_add(struct rg_reader *reader); /**< guard, line and place are set; NULL: no memory */
ridge_status rg_op_uses(struct rg_reader *reader, struct rg_op *op, const uint32_t *reads, uint32_t read_count,
                        const uint32_t *writes, uint32_t write_count);
/** The column of a source operand that must fit a type of `bytes` (0: any register). RG_NO_SLOT: error is set. */
uint32_t rg_source(struct rg_reader *reader, const struct rg_operand *operand, rg_type type);
uint32_t rg_source_any(struct rg_reader *reader, const struct rg_operand *operand, rg_type type, uint32_t *bytes);
uint32_t rg_target(struct rg_reader *reader, const struct rg_operand *operand, uint32_t bytes);
ridge_status rg_decode_unknown(struct rg_reader *reader, const char *why);
ridge_status rg_expect(struct rg_reader *reader, uint32_t least, uint32_t most);
ridge_status rg_decode_code(struct rg_reader *reader, rg_code code, uint8_t around);
uint64_t rg_function_address(struct rg_reader *reader, struct rg_function *function); /**< 0: no memory */
ridge_status rg_note_call(struct rg_reader *reader, struct rg_function *caller, struct rg_function *callee);
ridge_status rg_decode_parameter_address(struct rg_reader *reader);
/** Mark loads that guess what a compare and swap of the same address will find: "old = *p; do ... while (swapped)". */
void rg_mark_guesses(struct rg_ptx *ptx, const struct rg_function *function);

/** Add the operation that was put together; place and guard come from the instruction. */
ridge_status rg_op_from(struct rg_reader *reader, const struct rg_op *made, const uint32_t *reads, uint32_t read_count,
                        const uint32_t *writes, uint32_t write_count);
rg_space rg_space_of(const struct rg_instruction *in);
ridge_status rg_decode_address(struct rg_reader *reader, const struct rg_operand *operand, rg_space space,
                               struct rg_op *made);
void rg_note_grain(struct rg_reader *reader, rg_space space, uint32_t bytes);
uint16_t rg_order_marks(const struct rg_instruction *in);

typedef enum rg_carry_kind {
    RG_CARRY_ADD,
    RG_CARRY_SUB,
    RG_CARRY_MAD
} rg_carry_kind;
enum { /* rg_op.mode2 of it */
    RG_CARRY_IN = 1,
    RG_CARRY_OUT = 2,
    RG_CARRY_HIGH = 4
};

/** Decoders by family: ptx_decode_*.c. */
typedef ridge_status (*rg_decoder)(struct rg_reader *reader);
ridge_status rg_decode_plain(struct rg_reader *reader);
ridge_status rg_decode_predicate(struct rg_reader *reader, const char *opcode);
ridge_status rg_decode_setp(struct rg_reader *reader);
ridge_status rg_decode_set(struct rg_reader *reader);
ridge_status rg_decode_testp(struct rg_reader *reader);
ridge_status rg_decode_selp(struct rg_reader *reader);
ridge_status rg_decode_mov(struct rg_reader *reader);
ridge_status rg_decode_cvt(struct rg_reader *reader);
ridge_status rg_decode_carry(struct rg_reader *reader);
ridge_status rg_decode_bfi(struct rg_reader *reader);
ridge_status rg_decode_load(struct rg_reader *reader);
ridge_status rg_decode_store(struct rg_reader *reader);
ridge_status rg_decode_atom(struct rg_reader *reader);
ridge_status rg_decode_cvta(struct rg_reader *reader);
ridge_status rg_decode_isspacep(struct rg_reader *reader);
ridge_status rg_decode_prefetch(struct rg_reader *reader);
ridge_status rg_decode_branch(struct rg_reader *reader);
ridge_status rg_decode_brx(struct rg_reader *reader);
ridge_status rg_decode_call(struct rg_reader *reader);
ridge_status rg_decode_return(struct rg_reader *reader);
ridge_status rg_decode_exit(struct rg_reader *reader);
ridge_status rg_decode_trap(struct rg_reader *reader);
ridge_status rg_decode_nothing(struct rg_reader *reader);
ridge_status rg_decode_policy(struct rg_reader *reader);
ridge_status rg_decode_barrier(struct rg_reader *reader);
ridge_status rg_decode_fence(struct rg_reader *reader);
ridge_status rg_decode_mbarrier(struct rg_reader *reader);
ridge_status rg_decode_bulk(struct rg_reader *reader);
ridge_status rg_decode_shuffle(struct rg_reader *reader);
ridge_status rg_decode_vote(struct rg_reader *reader);
ridge_status rg_decode_match(struct rg_reader *reader);
ridge_status rg_decode_redux(struct rg_reader *reader);
ridge_status rg_decode_activemask(struct rg_reader *reader);
ridge_status rg_decode_elect(struct rg_reader *reader);
ridge_status rg_decode_cp(struct rg_reader *reader);
ridge_status rg_decode_ldmatrix(struct rg_reader *reader);
ridge_status rg_decode_mma(struct rg_reader *reader);
ridge_status rg_decode_wmma(struct rg_reader *reader);
ridge_status rg_decode_refused(struct rg_reader *reader);

#endif
