/* SPDX-License-Identifier: MIT */
/** \file What the parts of ridge check share. */
#ifndef CLI_CMD_CHECK_H
#define CLI_CMD_CHECK_H

#include "options.h"
#include "ridge/check.h"

/** A verdict kept until it is printed; its texts are owned. */
struct check_kept {
    bool known;
    struct ridge_checked checked;
    struct ridge_finding *findings;
    char **texts; /* owned, ended by NULL: what the above point into */
};

/** A place and a rule that was told in full once. */
struct check_told {
    const struct ridge_finding *finding; /* the first one there */
    uint64_t first;                      /* the configuration it is of */
    uint64_t last;                       /* the newest one that has it */
    uint64_t configurations;             /* how many have it */
};

struct check_view {
    struct ridge_context *context;
    /* as given */
    const char *spec_path;
    const char *configuration; /* NULL: all, or the top */
    const char *device_name;
    const char *data; /* device files over those compiled in, or NULL */
    struct option_optional top;
    struct option_list set;
    struct ridge_check_options options;
    bool json;
    /* made */
    struct ridge_gate *gate;
    const struct ridge_space *space;
    uint32_t *choices;
    uint64_t count;
    const char *model; /* of --top: that ranked them; NULL: not ranked */
    bool counted;      /* of --top: by work that was counted */
    struct check_kept *kept;
    uint64_t printed;
    uint64_t counts[3]; /* by verdict */
    struct check_told *told;
    size_t told_count;
};

/** Print what has become known, in order. */
void check_print_rows(struct check_view *view);
void check_print_sum(const struct check_view *view);
/** Whether no configuration was run; then with a message that says why the first was not. */
bool check_nothing_run(const struct check_view *view);
int check_print_json(const struct check_view *view);

/** Keep a verdict. \return false when memory is out */
bool check_keep(struct check_kept *kept, const struct ridge_checked *checked);
void check_forget(struct check_kept *kept);

#endif
