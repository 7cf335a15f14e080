/* SPDX-License-Identifier: MIT */
/**
 * \file Other judges in place of the engine: oclgrind and compute-sanitizer, programs that are installed or not.
 * Thread rule: one thread at a time; `run` is called in a worker process.
 */
#ifndef RG_TUNE_GATE_TOOL_H
#define RG_TUNE_GATE_TOOL_H

#include "tune/gate.h"

/** One configuration that is to be judged. Borrowed for the call. */
struct rg_judged {
    const struct rg_job *job;
    const uint32_t *choice;
    const char *folder;         /**< private and empty; whoever calls removes it */
    struct rg_gate_slot *slot;  /**< receives findings, or the text of what went wrong */
    struct rg_trouble *trouble; /**< set where the configuration cannot be run at all */
};

struct rg_judge {
    const char *name;          /**< what --with takes */
    rg_language language;      /**< of the source that it judges */
    const char *language_name; /**< for messages */
    bool on_device;            /**< it runs kernels on a GPU: one configuration at a time */

    /** Find the program. What it learns for `run` it keeps in the gate: judge_program, judge_version, judge_shared.
     * \retval RIDGE_E_UNAVAILABLE  it is not installed, or lacks what it needs */
    ridge_status (*find)(struct ridge_gate *gate, struct ridge_error *error);

    /** Run a configuration under it: findings go into the slot, outputs into the problem. */
    ridge_status (*run)(struct ridge_gate *gate, const struct rg_judged *judged, struct ridge_error *error);
};

extern const struct rg_judge rg_judge_oclgrind;
extern const struct rg_judge rg_judge_sanitizer;

/**
 * Find the judge of the options, where there is one, and see whether it can read the spec's sources: sets gate->judge.
 * To be ended by rg_judge_close, also when it fails.
 * \retval RIDGE_E_UNAVAILABLE  it is not installed
 * \retval RIDGE_E_VALUE        there is no judge of that name, or the spec has no source for it
 */
ridge_status rg_judge_find(struct ridge_gate *gate, struct ridge_error *error);

/** Remove what finding it made. Without one nothing is done. */
void rg_judge_close(struct ridge_gate *gate);

/** Let gate->judge judge a configuration, in a temporary folder. `folder` of `judged` is set here. */
ridge_status rg_judge_run(struct ridge_gate *gate, struct rg_judged *judged, struct ridge_error *error);

/* For the judges themselves. */

/** Seconds that a judge may take for a configuration: a worker is killed at its deadline, its tool ends a little before. */
double rg_judge_seconds(const struct ridge_gate *gate);

/** The text of a file in the folder, or "" where there is none. */
const char *rg_judge_file(struct rg_arena *arena, const char *folder, const char *name);

/** Say why it could not be run. The first to say so wins. */
void rg_judge_say(struct rg_gate_slot *slot, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** \return `line` behind `word`, or NULL where it does not begin with it. */
const char *rg_judge_after(const char *line, const char *word);

/** Add a finding, or one more of a known: same rule, file and line. Without room it is left out. */
void rg_judge_add(struct rg_gate_slot *slot, const struct rg_gate_finding *finding);

/** Turn a log of oclgrind into findings. \param source  the file that findings name */
void rg_oclgrind_read_log(const char *log, const char *source, struct rg_gate_slot *slot);

/** What a log of compute-sanitizer comes to. */
struct rg_sanitizer_log {
    bool whole;        /**< it ends with its summary */
    uint64_t errors;   /**< that the summary counts, printed or not */
    uint64_t findings; /**< paragraphs that became findings */
    char unknown[320]; /**< the first line that no rule is known for; "": none */
};

/**
 * Turn a log of compute-sanitizer into findings.
 * \param source  the kernel's source: a place in it wins over one in a header that it calls
 */
void rg_sanitizer_read_log(const char *log, const char *source, struct rg_gate_slot *slot,
                           struct rg_sanitizer_log *out);

#endif
