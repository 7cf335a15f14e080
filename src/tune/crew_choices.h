/* SPDX-License-Identifier: MIT */
/**
 * \file Configurations as the jobs of a crew: what the gate and the tracer have in common. Thread rule: as a crew.
 */
#ifndef RG_TUNE_CREW_CHOICES_H
#define RG_TUNE_CREW_CHOICES_H

#include <signal.h>

#include "ridge/space.h"
#include "tune/crew.h"

/** What a slot begins with. */
struct rg_crew_slot {
    ridge_status status; /**< of the tool; then `error` */
    struct ridge_error error;
};

struct rg_crew_choices {
    const struct ridge_context *context;
    const struct ridge_space *space;
    const uint32_t *choices;           /**< one after another */
    const volatile sig_atomic_t *stop; /**< NULL: none */
    unsigned workers;
    size_t slot_bytes; /**< a slot begins with struct rg_crew_slot */
    double timeout_s;
    void *owner;
    void (*work)(void *owner, const uint32_t *choice, void *slot);
    void (*leave)(void *owner);
    /** A configuration is done, and the tool did not fail. \return false to end early */
    bool (*take)(void *user, uint64_t index, const char *id, const void *slot, rg_crew_end end, int signal);
    void *user; /**< of `take` */
};

/** Do all; the first failure of the tool ends it, and is returned. */
ridge_status rg_crew_choices_run(const struct rg_crew_choices *run, uint64_t count, struct ridge_error *error);

#endif
