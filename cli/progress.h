/* SPDX-License-Identifier: MIT */
/** \file Showing how a tuning run stands: one line that renews itself on a terminal, else a line a configuration. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

#include "ridge/tune.h"

struct progress {
    bool terminal;    /* standard error is one */
    unsigned columns; /* its width */
    double shown_s;   /* when the line was last renewed */
    bool finals;      /* the finals were announced */
    bool waited;      /* that another one has its turn was said */
    bool any;         /* some configuration ended */
    char order[256];  /* how many were tried in the order of which model; empty: no model, or nothing was tried */
};

void progress_begin(struct progress *progress);

/** Renew a line that says how far it is, where standard error is a terminal; the last clears it. \param user  of what */
void progress_count(void *user, uint64_t done, uint64_t total);

/** Clear such a line, where standard error is a terminal. */
void progress_clear(void);

/** The callback of struct ridge_tune_options; `user` is a struct progress. */
void progress_show(void *user, const struct ridge_tune_progress *now);

/** Clear the line, so that what follows starts on an empty one; then say whose order it was, if a model's. */
void progress_end(struct progress *progress);

#endif
