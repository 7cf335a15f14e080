/* SPDX-License-Identifier: MIT */
/**
 * \file The code of a configuration as PTX: CUDA through NVRTC where it is there, else OpenCL C through clang, or a PTX
 * file. Thread rule: one thread at a time; called in a worker process.
 */
#ifndef RG_TUNE_PROGRAM_H
#define RG_TUNE_PROGRAM_H

#include "backend/backend.h"
#include "compile/compiler.h"
#include "engine/engine.h"
#include "tune/job.h"

/** The sources of a spec, read once before workers are forked. */
struct rg_sources {
    const struct ridge_context *context;
    const struct ridge_spec *spec;
    struct rg_arena arena;
    const char *texts[RG_LANGUAGE_COUNT]; /**< NULL: none */
    const char *folders[RG_LANGUAGE_COUNT];
    const char *ptx_path; /**< NULL: none; else its text is */
    const char *ptx_text;
    size_t ptx_bytes;
    char target_text[32];           /**< "compute_80" */
    bool without_cuda;              /**< NVRTC was asked and is not there */
    struct rg_compilers *compilers; /**< NULL until the first is needed */
    struct rg_compilers_options how;
};

/** \retval RIDGE_E_VALUE  no source that can be run */
ridge_status rg_sources_open(const struct ridge_context *context, const struct ridge_spec *spec, const char *ptx,
                             struct rg_sources *out, struct ridge_error *error);
void rg_sources_close(struct rg_sources *sources);

/** A program ready to be run. */
struct rg_ptx_program {
    struct rg_ptx *ptx;
    const struct rg_ptx_entry *entry;
    size_t entry_index;
    rg_language language;
    bool is_cuda; /**< arguments are passed as CUDA does */
    bool renamed; /**< of a PTX file: its only kernel, which has another name than the spec's */
    bool cached;
    char compiler[64];
    double compile_s;
    struct rg_artifact artifact; /**< the PTX is read from it */
};

/**
 * Make the program of a configuration. Trouble: RIDGE_OUTCOME_COMPILE with the log, or
 * RIDGE_OUTCOME_UNLAUNCHABLE where the compiler made PTX that the reader does not know.
 * \retval RIDGE_E_UNAVAILABLE  no compiler, or a PTX file that the reader does not know
 */
ridge_status rg_ptx_program_make(struct rg_sources *sources, const struct rg_job *job, struct rg_ptx_program *out,
                                 struct rg_trouble *trouble, struct ridge_error *error);
/** What machine code says of itself. */
struct rg_machine_facts {
    bool known;
    uint32_t registers;
    uint32_t spill_bytes;
};

/** Compile the same source for a machine and read what its code says. Where that cannot be done, nothing is known. */
void rg_machine_facts_find(struct rg_sources *sources, const struct rg_ptx_program *program, const struct rg_job *job,
                           const char *machine, struct rg_machine_facts *out);

/** A launch that the engine refuses is trouble of its configuration, not of the tool. \return the status that is left */
ridge_status rg_engine_refusal(ridge_status status, struct ridge_error *error, struct rg_trouble *trouble);

void rg_ptx_program_fini(struct rg_ptx_program *program);

#endif
