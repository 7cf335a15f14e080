/* SPDX-License-Identifier: MIT */
/** \file The inside of a group. Thread rule: one thread until it is handed out, then unchanging. */
#ifndef RG_SPACE_GROUP_H
#define RG_SPACE_GROUP_H

#include "base/arena.h"
#include "ridge/group.h"

struct rg_group {
    struct ridge_group shown; /**< first, so that a pointer to it is a pointer to the whole */
    struct rg_arena arena;
    struct ridge_run *owned[RIDGE_WORKLOAD_MAX]; /**< runs that go with the group; NULL: none */
};

/** \return the context that the group was made with. */
const struct ridge_context *rg_group_context(const struct ridge_group *group);

#endif
