/* SPDX-License-Identifier: MIT */
/** \file ridge rank --count: the work of the space, counted by running its code. */
#ifndef CLI_RANK_COUNT_H
#define CLI_RANK_COUNT_H

#include "ranker.h"
#include "ridge/trace.h"

/** What was counted. */
struct rank_count {
    struct option_optional limit;
    uint64_t seed;
    struct ridge_counted counted;
    char words[512]; /* "1000 of 17956 configurations counted, ..." */
};

/** Whether work that nobody wrote down is to be counted unasked: there is code to count it in, and nothing else to rank by. */
bool rank_count_is_needed(const struct ranker *ranker);

/** Count. \return an exit code; other than EXIT_DONE with a message. rank_count_close either way */
int rank_count_open(struct rank_count *count, const struct ranker *ranker, const char *cuda_path, bool show);
void rank_count_close(struct rank_count *count);

#endif
