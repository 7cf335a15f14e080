/* SPDX-License-Identifier: MIT */
/** \file ridge rank --compile: the space compiled for the device that it is ranked for. */
#ifndef CLI_RANK_CODE_H
#define CLI_RANK_CODE_H

#include "ridge/compile.h"
#include "ridge/device.h"

/** What was compiled. */
struct rank_code {
    char target[64];         /* "sm_80" */
    char words[192];         /* "registers of the compiled code (sm_80, NVRTC 13.0)" */
    uint64_t failed;         /* configurations that do not compile */
    char reason[512];        /* of the first of these; "": none */
    struct ridge_code *rows; /* one a configuration */
    uint64_t count;
};

/** Compile a space for a device. \return an exit code; other than EXIT_DONE with a message. rank_code_close either way */
int rank_code_open(struct rank_code *code, const struct ridge_context *context, const struct ridge_spec *spec,
                   const struct ridge_space *space, const struct ridge_device_match *device, const char *cuda_path,
                   bool show);
void rank_code_close(struct rank_code *code);

#endif
