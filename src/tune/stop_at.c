/* SPDX-License-Identifier: MIT */
/*
 * --stop-at: ending a search when a candidate is near enough to the roofline. The ceilings are the saved ones of the
 * device; what is missing is measured in a process of its own before the first candidate, since a driver opened here
 * would be lost to the workers forked later, and saved, so that the run can be looked at again.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "ridge/units.h"
#include "space/space.h"
#include "tune/session.h"

static const double deadline_s = 300;

/** What the child says. */
struct answer {
    ridge_status status;
    char text[1024];
};

/** What has to be measured, and for which work. */
struct need {
    unsigned what; /* bits of RIDGE_CEILING_* */
    struct ridge_work work;
};

static bool is_warm(const struct rg_tuning *tuning)
{
    return !tuning->options.cold;
}

/** The child's whole life. */
_Noreturn static void child_run(const struct rg_tuning *tuning, const struct need *need, int to)
{
    struct answer answer = {.status = RIDGE_OK};
    struct ridge_error error = {0};
    struct ridge_ceilings *ceilings = rg_alloc(tuning->context, sizeof *ceilings);
    struct ridge_store *store = NULL;
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
    }
    answer.status = ceilings ? ridge_ceilings_measure(tuning->context, tuning->setup.facts->selector, need->what,
                                                      is_warm(tuning), &need->work, ceilings, &error)
                             : RIDGE_E_MEMORY;
    if (answer.status == RIDGE_OK) {
        answer.status =
            ridge_store_open(tuning->context, rg_store_path(tuning->store), RIDGE_STORE_WRITE, &store, &error);
    }
    if (answer.status == RIDGE_OK) {
        answer.status = ridge_store_ceilings_put(store, ceilings, &error);
    }
    ridge_store_close(store);
    snprintf(answer.text, sizeof answer.text, "%s", error.message);
    (void)!write(to, &answer, sizeof answer); /* smaller than a pipe's room: whole or not at all */
    _exit(0);
}

/** Wait for the answer, looking at the stop flag. \return false when it does not come */
static bool answer_wait(const struct rg_tuning *tuning, int from, struct answer *answer)
{
    const double until_s = rg_clock_s() + deadline_s;
    while (rg_clock_s() < until_s && rg_stop_level(tuning) < 2) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        if (poll(&ready, 1, 100) > 0) {
            return read(from, answer, sizeof *answer) == (ssize_t)sizeof *answer;
        }
    }
    return false;
}

static ridge_status measure_in_child(const struct rg_tuning *tuning, const struct need *need, struct ridge_error *error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return rg_error_system(error, RIDGE_E_IO, errno, NULL, "cannot make a pipe");
    }
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        child_run(tuning, need, ends[1]);
    }
    const int code = errno;
    close(ends[1]);
    struct answer answer = {.status = RIDGE_E_MEASURE, .text = "its process died, or was stopped"};
    if (child > 0) {
        (void)answer_wait(tuning, ends[0], &answer);
        (void)kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    close(ends[0]);
    if (child < 0) {
        return rg_error_system(error, RIDGE_E_IO, code, NULL, "cannot make a process");
    }
    return answer.status == RIDGE_OK
               ? RIDGE_OK
               : rg_error_set(error, answer.status, "the ceilings for --stop-at could not be measured: %s",
                              answer.text);
}

/** What a configuration uses up. */
static bool choice_work(const struct rg_tuning *tuning, const uint32_t *choice, struct ridge_work *work)
{
    struct ridge_value values[RG_MAX_DIMENSIONS];
    rg_space_choice_values(tuning->space, choice, values);
    return rg_spec_work(tuning->spec, values, work);
}

/** What the first configuration needs: another has other amounts of the same resources. */
static ridge_status need_find(const struct rg_tuning *tuning, struct need *need, struct ridge_error *error)
{
    struct ridge_space_cursor *cursor = NULL;
    const uint32_t *choice = NULL;
    ridge_status status = ridge_space_cursor_create(tuning->space, &cursor, error);
    if (status == RIDGE_OK) {
        status = ridge_space_cursor_next(cursor, &choice, error);
    }
    const bool says = status == RIDGE_OK && choice && choice_work(tuning, choice, &need->work);
    ridge_space_cursor_destroy(cursor);
    if (status == RIDGE_OK && !says) {
        const struct rg_place place = {.file = tuning->spec->path};
        return rg_error_at(error, RIDGE_E_VALUE, &place,
                           "--stop-at needs to know what a launch uses up (add flops, or bytes, or read_bytes and "
                           "write_bytes to [model])");
    }
    return status;
}

/** Load what is saved. \param[out] missing  bits of what is needed and not there */
static ridge_status saved_load(struct rg_tuning *tuning, const struct need *need, unsigned *missing,
                               struct ridge_error *error)
{
    static const struct {
        unsigned bit;
        ridge_access access;
    } rows[] = {{RIDGE_CEILING_READ, RIDGE_ACCESS_READ},
                {RIDGE_CEILING_WRITE, RIDGE_ACCESS_WRITE},
                {RIDGE_CEILING_COPY, RIDGE_ACCESS_COPY}};
    const struct rg_device_facts *facts = tuning->setup.facts;
    struct ridge_error why = {0};
    const ridge_status status = ridge_store_ceilings_load(tuning->store, tuning->setup.backend->name, facts->name,
                                                          is_warm(tuning), tuning->ceilings, &why);
    *missing = need->what;
    if (status == RIDGE_E_EMPTY) {
        return RIDGE_OK;
    }
    if (status != RIDGE_OK) {
        if (error && error->status == RIDGE_OK) {
            *error = why;
        }
        return status;
    }
    *missing &= tuning->ceilings->has_peak ? ~(unsigned)RIDGE_CEILING_PEAK : ~0U;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ridge_curve *curve = ridge_ceilings_curve(tuning->ceilings, rows[i].access);
        *missing &= curve && curve->warm == is_warm(tuning) ? ~rows[i].bit : ~0U;
    }
    return RIDGE_OK;
}

/** Say in the run what the search is held against. */
static ridge_status ceilings_note(const struct rg_tuning *tuning, struct ridge_error *error)
{
    char words[RIDGE_CEILINGS_WORDS];
    char text[RIDGE_CEILINGS_WORDS + 128];
    ridge_ceilings_words(tuning->ceilings, words);
    snprintf(text, sizeof text, "the search ends at %.4g %% of the roofline: %s (%s)",
             tuning->options.stop_at_ratio * 100, words,
             tuning->ceilings_measured ? "measured for this run" : "recorded before it");
    return rg_store_note_add(tuning->store, tuning->run, text, error);
}

/** A resumed run may have reached it already. */
static void leaders_look(struct rg_tuning *tuning)
{
    for (size_t i = 0; i < tuning->leader_count; i++) {
        struct ridge_work work;
        if (choice_work(tuning, tuning->leaders[i].choice, &work)) {
            rg_ceilings_look(tuning, tuning->leaders[i].id, &work, tuning->leaders[i].summary.median_s);
        }
    }
}

ridge_status rg_ceilings_open(struct rg_tuning *tuning, struct ridge_error *error)
{
    if (!(tuning->options.stop_at_ratio > 0)) {
        return RIDGE_OK;
    }
    tuning->ceilings = rg_alloc(tuning->context, sizeof *tuning->ceilings);
    if (!tuning->ceilings) {
        return rg_error_memory(error, sizeof *tuning->ceilings);
    }
    struct need need = {0};
    unsigned missing = 0;
    ridge_status status = need_find(tuning, &need, error);
    if (status == RIDGE_OK) {
        /* A launch costs something whatever it does: the peak is always needed. */
        need.what = ridge_ceilings_wanted(&need.work) | RIDGE_CEILING_PEAK;
        status = saved_load(tuning, &need, &missing, error);
    }
    tuning->ceilings_measured = missing != 0;
    if (status == RIDGE_OK && tuning->ceilings_measured) {
        need.what = missing;
        rg_machine_lock_alone(tuning);
        status = measure_in_child(tuning, &need, error);
        rg_machine_lock_share(tuning);
        ridge_ceilings_fini(tuning->ceilings);
        status = status == RIDGE_OK ? saved_load(tuning, &need, &missing, error) : status;
    }
    return status;
}

ridge_status rg_ceilings_begin(struct rg_tuning *tuning, struct ridge_error *error)
{
    if (!tuning->ceilings) {
        return RIDGE_OK;
    }
    leaders_look(tuning);
    return ceilings_note(tuning, error);
}

void rg_ceilings_close(struct rg_tuning *tuning)
{
    if (tuning->ceilings) {
        ridge_ceilings_fini(tuning->ceilings);
        rg_free(tuning->context, tuning->ceilings, sizeof *tuning->ceilings);
        tuning->ceilings = NULL;
    }
}

void rg_ceilings_look(struct rg_tuning *tuning, const char *id, const struct ridge_work *work, double median_s)
{
    if (!tuning->ceilings || tuning->reached[0]) {
        return;
    }
    struct ridge_peaks peaks;
    ridge_ceilings_peaks(tuning->ceilings, work, &peaks);
    const double limit_s = ridge_roofline_limit(work, &peaks, tuning->options.stop_at_ratio);
    if (!(median_s <= limit_s)) {
        return; /* also when the limit is NaN: then the search goes on */
    }
    char median[RIDGE_NUMBER_BYTES];
    char limit[RIDGE_NUMBER_BYTES];
    ridge_duration_format(median_s, median);
    ridge_duration_format(limit_s, limit);
    snprintf(tuning->reached, sizeof tuning->reached,
             "%s reached %.4g %% of the roofline: %s, and %s would have been enough", id,
             tuning->options.stop_at_ratio * 100, median, limit);
}
