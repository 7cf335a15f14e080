/* SPDX-License-Identifier: MIT */
/**
 * \file The inside of the gate, and judging one configuration in a worker process. Thread rule: one thread at a time.
 */
#ifndef RG_TUNE_GATE_H
#define RG_TUNE_GATE_H

#include "ridge/check.h"
#include "ridge/run.h"
#include "tune/crew_choices.h"
#include "tune/problem.h"
#include "tune/program.h"

enum {
    RG_GATE_FINDINGS = 64, /**< that are told of a configuration */
    RG_GATE_TEXT = 4096,
    RG_GATE_REASON = 768,
    RG_GATE_FILE = 256
};

struct rg_gate_finding {
    rg_rule rule;
    char file[RG_GATE_FILE];
    uint32_t line;
    char reason[RG_GATE_REASON];
    uint64_t count;
};

/** What judging one configuration came to. Plain memory: another process reads it. */
struct rg_gate_slot {
    struct rg_crew_slot tool; /**< whether the tool itself failed */
    ridge_gate_verdict verdict;
    char text[RG_GATE_TEXT]; /**< why it was not run */
    rg_language language;
    bool is_ptx;
    bool compared;
    char place[256]; /**< what it ran on, where another judge says so; "": this CPU */
    char compiler[96];
    char other_entry[RG_GATE_FILE];
    uint64_t grid[3];
    uint64_t block[3];
    uint64_t finding_count;
    struct rg_gate_finding findings[RG_GATE_FINDINGS];
};

/** What to do about a run that takes too long. */
#define RG_GATE_SMALLER  "[check] params or --set make the problem smaller"
#define RG_GATE_TOO_LATE "(allow more with --timeout; " RG_GATE_SMALLER ")"

struct rg_judge;

struct ridge_gate {
    const struct ridge_context *context;
    struct ridge_check_options options;
    struct ridge_spec *spec; /**< with its real params */
    struct ridge_space *space;
    struct rg_sources sources;
    struct rg_problem problem; /**< the reduced one */
    struct rg_arena arena;
    const char *problem_text;
    const struct rg_judge *judge; /**< in place of the engine; NULL: the engine */
    char judge_program[4096];     /**< what is run of it */
    char judge_version[64];       /**< "": it was not asked */
    char judge_folder[400];       /**< temporary, with a folder for each run; "": none */
    bool judge_shared;            /**< compute-sanitizer: its initcheck can be told to watch shared memory */
    struct rg_gate_slot shown;    /**< what is handed out */
    struct ridge_finding findings[RG_GATE_FINDINGS];
};

/** Judge a configuration. \param keep  its outputs become those that others are held against. The slot is all zero. */
void rg_gate_judge(struct ridge_gate *gate, const uint32_t *choice, bool keep, struct rg_gate_slot *slot);

/** The name that the spec has for a file: compilers make it absolute. \param source  as the spec names it; NULL: none */
const char *rg_gate_own_name(const char *source, const char *file);

/** Fill the expected outputs of the reduced problem, as [verify] says. */
ridge_status rg_gate_reference(struct ridge_gate *gate, struct ridge_error *error);

#endif
