/* SPDX-License-Identifier: MIT */
/** \file The commands below ridge policy. */
#ifndef CLI_CMD_POLICY_H
#define CLI_CMD_POLICY_H

#include "options.h"
#include "ridge/policy.h"

int cmd_policy_transform(struct ridge_context *context, int argc, char **argv);
int cmd_policy_table(struct ridge_context *context, int argc, char **argv);
int cmd_policy_tune(struct ridge_context *context, int argc, char **argv);

/** Print a policy for people. */
void policy_print(const struct ridge_transform_policy *policy);

/** Print a policy as JSON (ridge.policy/1). */
int policy_print_json(const struct ridge_transform_policy *policy);

/** Write a number of bytes as people read it: 64 KiB, 61875 bytes. */
void policy_bytes(uint64_t number, char *out, size_t bytes);

#endif
