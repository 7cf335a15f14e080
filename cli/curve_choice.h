/* SPDX-License-Identifier: MIT */
/** \file What ridge curve and ridge ceiling have in common: the options that say which curve, and how it is shown. */
#ifndef CLI_CURVE_CHOICE_H
#define CLI_CURVE_CHOICE_H

#include "options.h"
#include "ridge/curve.h"
#include "ridge/json.h"

/** The words of the command line. */
struct curve_choice {
    const char *device;
    const char *access;
    const char *cache;
    const char *discipline; /* NULL: not given */
    const char *rule;
    struct option_optional threads;
    double max_seconds; /* 0: not given */
};

#define CURVE_CHOICE_DEFAULT                                                 \
    {                                                                        \
        .device = "host", .access = "read", .cache = "cold", .rule = "ridge" \
    }

#define CURVE_ACCESS_WORDS     "read|write|copy|triad|streaming-write"
#define CURVE_DISCIPLINE_WORDS "stream|launch|oneshot"

/** Turn words into a request. \return false with a message that begins with the command */
bool curve_choice_take(const char *command, const struct curve_choice *choice, struct ridge_curve_request *out);

/** \return the discipline that was asked for, stream when none was. */
ridge_discipline curve_choice_discipline(const struct curve_choice *choice);

/** Catch SIGINT and SIGTERM: measuring then ends with what there is. */
void curve_signals_catch(void);

/** The progress function of a request: a line on a terminal, and whether to go on. `user` is NULL. */
bool curve_progress(void *user, double done);

/** Clear that line. */
void curve_progress_end(void);

/** How bytes of an access are counted, in words. */
const char *curve_counting(ridge_access access);

/** Print what lessens the trust in a curve, a line each. */
void curve_notes(const struct ridge_curve *curve);

/** Print a set for people. */
void curve_text(const struct ridge_curve_set *set);

/** Print a set as JSON. `saved`: number of the set in the database; 0: it was not saved. \return exit code */
int curve_json(const struct ridge_curve_set *set, int64_t saved);

/** Write the words of flags, an interval, or the notes of a curve as a member of an object. */
void curve_json_flags(struct ridge_json *json, unsigned flags);
void curve_json_interval(struct ridge_json *json, const char *name, struct ridge_interval interval);
void curve_json_notes(struct ridge_json *json, const struct ridge_curve *curve);

/** Print the words of flags, with commas between. */
void curve_flags_print(unsigned flags);

#endif
