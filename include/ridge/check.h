/* SPDX-License-Identifier: MIT */
/**
 * \file
 * The gate: is a configuration safe and right? Each is run whole on a reduced problem ([check] params) by this CPU, a
 * warp at a time, and judged by rules (docs/gate.md); then its outputs are compared with the reference. Clean means that
 * nothing was found in what was run. Thread rule: one call at a time a process; work is done in worker processes.
 */
#ifndef RIDGE_CHECK_H
#define RIDGE_CHECK_H

#include <signal.h>

#include "ridge/space.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Verdicts: name, word, meaning. */
#define RIDGE_GATE_LIST(X)                                                      \
    X(RIDGE_GATE_CLEAN, "clean", "nothing was found in what was run")           \
    X(RIDGE_GATE_REFUSED, "refused", "a rule is broken, or an output is wrong") \
    X(RIDGE_GATE_NOT_RUN, "not-run", "it could not be run to its end")

typedef enum ridge_gate_verdict {
#define RIDGE_GATE_ENUM(name, word, meaning) name,
    RIDGE_GATE_LIST(RIDGE_GATE_ENUM)
#undef RIDGE_GATE_ENUM
} ridge_gate_verdict;

RIDGE_API const char *ridge_gate_verdict_word(ridge_gate_verdict verdict); /**< never NULL */

/** Something that is wrong. Borrowed for the call. */
struct ridge_finding {
    const char *rule;   /**< "shared-race", ...; docs/gate.md lists them */
    const char *file;   /**< of the source, or of the PTX where the compiler named none */
    unsigned line;      /**< 0: no line */
    const char *reason; /**< threads, address, argument */
    uint64_t count;     /**< how often there */
};

/** What became of a configuration. Borrowed for the call. */
struct ridge_checked {
    char id[RIDGE_ID_BYTES];
    ridge_gate_verdict verdict;
    const char *reason;   /**< of not-run: why; else NULL */
    const char *language; /**< "CUDA", "OpenCL C", "PTX" */
    const char *compiler;
    const char *place;       /**< what it ran on: "this CPU", or a GPU's name */
    const char *other_entry; /**< of a PTX file: its only kernel, where that is not the spec's by name; else "" */
    uint64_t grid[3];
    uint64_t block[3];
    bool compared; /**< outputs were held against a reference */
    size_t finding_count;
    const struct ridge_finding *findings;
};

/** How to check. All zero is the default. */
struct ridge_check_options {
    const char *const *set; /**< params; they win over [check] */
    size_t set_count;
    const char *ptx;       /**< a .ptx file instead of the spec's source; NULL: none */
    double timeout_s;      /**< of a configuration, and of the reference; 0: 60 */
    unsigned workers;      /**< processes; 0: one a usable CPU */
    const char *cuda_path; /**< as in struct ridge_trace_options, and so the next two */
    const char *cache_folder;
    const char *work_folder;
    const volatile sig_atomic_t *stop; /**< not 0: end early; may be NULL */
    const char *with; /**< the judge in place of the engine: "oclgrind", for OpenCL C, or "compute-sanitizer", for CUDA
                         on a GPU; NULL: the engine */
    const char *launcher; /**< for compute-sanitizer: a program that, called with `check-launch FILE`, calls
                             ridge_check_launch, as that of Ridge does; NULL: "ridge", looked up on the PATH */
};

struct ridge_gate;

/**
 * Get ready: fill the arguments of the reduced problem and work out what the outputs must be.
 * \param path      of the kernel.toml or its folder
 * \param[out] out  freed by ridge_gate_close
 * \retval RIDGE_E_MEASURE  the reference failed
 * \retval RIDGE_E_VALUE    the spec has neither CUDA nor OpenCL source
 */
RIDGE_API ridge_status ridge_gate_open(const struct ridge_context *context, const char *path,
                                       const struct ridge_check_options *options, struct ridge_gate **out,
                                       struct ridge_error *error);
RIDGE_API void ridge_gate_close(struct ridge_gate *gate); /**< NULL is fine */

/** The space that configurations are of: that of the real problem. Borrowed. */
RIDGE_API const struct ridge_space *ridge_gate_space(const struct ridge_gate *gate);

/** The params of the reduced problem as text, "n=64 k=32"; "" when there are none. Borrowed. */
RIDGE_API const char *ridge_gate_problem(const struct ridge_gate *gate);

/**
 * Judge configurations, several at once.
 * \param choices  `count` rows of value indices
 * \param each     called for each when it has been judged, in any order; \return false to end early
 * \retval RIDGE_E_UNAVAILABLE  there is no compiler for the sources; says what is missing
 */
RIDGE_API ridge_status ridge_check_each(struct ridge_gate *gate, const uint32_t *choices, uint64_t count,
                                        bool (*each)(void *user, uint64_t index, const struct ridge_checked *checked),
                                        void *user, struct ridge_error *error);

/**
 * What the program beneath compute-sanitizer does: launch one configuration once on a GPU, and write down what became of
 * it. For a process that does nothing else: it ends itself by SIGALRM at its deadline.
 * \param file  that `ridge_check_each` wrote; the format is private
 */
RIDGE_API ridge_status ridge_check_launch(const struct ridge_context *context, const char *file,
                                          struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
