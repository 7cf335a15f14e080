/* SPDX-License-Identifier: MIT */
/** \file Filling an artifact. Thread rule: one thread an artifact. */
#ifndef RG_COMPILE_ARTIFACT_H
#define RG_COMPILE_ARTIFACT_H

#include "base/buffer.h"
#include "compile/compiler.h"

/** Set one of the artifact's texts to a copy; what was there is freed. */
ridge_status rg_artifact_text(struct rg_artifact *artifact, char **field, const char *text, struct ridge_error *error);

/** It does not compile: the log is the formatted text, whose first line is the reason. */
ridge_status rg_artifact_fail(struct rg_artifact *artifact, struct ridge_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** It does not compile: the log is the compiler's, its first error in front. */
ridge_status rg_artifact_fail_with_log(struct rg_artifact *artifact, const struct rg_buffer *log,
                                       struct ridge_error *error);

#endif
