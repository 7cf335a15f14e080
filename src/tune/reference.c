/* SPDX-License-Identifier: MIT */
/* What the outputs must be: from a C function run in a process of its own, from a named configuration, or from files. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "tune/reference_parts.h"
#include "tune/session.h"

/** What the child that runs a C reference tells its parent, through shared memory. */
struct reference_report {
    bool whole; /**< the function came back */
    ridge_status status;
    struct ridge_error error;
};

/** A C reference may take this many times as long as a launch: it is plain code. */
static const double reference_patience = 10;

static double reference_timeout_s(const struct rg_tuning *tuning)
{
    return reference_patience * tuning->options.timeout_s;
}

/** The child: compile the reference and call it on the expected outputs. */
static ridge_status c_reference_call(struct rg_tuning *tuning, const char *folder, struct ridge_error *error)
{
    return rg_reference_c(tuning->context, tuning->space, &tuning->workload, folder, error);
}

static _Noreturn void c_reference_child(struct rg_tuning *tuning, struct reference_report *report, const char *folder,
                                        pid_t parent)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
    (void)setpgid(0, 0);
    (void)signal(SIGINT, SIG_IGN);
    rg_descriptors_close(-1);
    report->status = c_reference_call(tuning, folder, &report->error);
    report->whole = true;
    _exit(report->status == RIDGE_OK ? 0 : 1);
}

/** Wait for the child. \return its wait status; -1: it was killed at the deadline; -2: the run was stopped. */
static int child_wait(const struct rg_tuning *tuning, pid_t pid)
{
    const double end_s = rg_clock_s() + reference_timeout_s(tuning);
    int status = 0;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        const bool late = rg_clock_s() > end_s;
        if (late || rg_stop_level(tuning) > 0) {
            (void)kill(-pid, SIGKILL);
            (void)waitpid(pid, &status, 0);
            return late ? -1 : -2;
        }
        (void)poll(NULL, 0, 2);
    }
    return status;
}

static ridge_status c_reference_judge(const struct rg_tuning *tuning, const struct reference_report *report, int status,
                                      struct ridge_error *error)
{
    const struct rg_place *place = &tuning->spec->verify.place;
    if (status == -2) {
        return rg_error_set(error, RIDGE_E_MEASURE, "stopped while the reference ran");
    }
    if (status == -1) {
        return rg_error_at(error, RIDGE_E_MEASURE, place,
                           "the reference function %s did not end within %g s (ten times --timeout)",
                           tuning->spec->verify.c_entry, reference_timeout_s(tuning));
    }
    if (WIFSIGNALED(status)) {
        return rg_error_at(error, RIDGE_E_MEASURE, place, "the reference function %s died: signal %d (%s)",
                           tuning->spec->verify.c_entry, WTERMSIG(status), strsignal(WTERMSIG(status)));
    }
    if (report->status != RIDGE_OK) {
        if (error && error->status == RIDGE_OK) {
            *error = report->error;
        }
        return report->status;
    }
    if (!report->whole) {
        return rg_error_at(error, RIDGE_E_MEASURE, place, "the reference function %s ended the process with code %d",
                           tuning->spec->verify.c_entry, WEXITSTATUS(status));
    }
    return RIDGE_OK;
}

static ridge_status c_reference_run(struct rg_tuning *tuning, struct ridge_error *error)
{
    char folder[sizeof tuning->pool.root + 16];
    snprintf(folder, sizeof folder, "%s/reference", tuning->pool.root);
    if (mkdir(folder, 0700) != 0) {
        return rg_error_system(error, RIDGE_E_IO, errno, folder, "cannot make a temporary folder");
    }
    struct reference_report *report =
        mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (report == MAP_FAILED) {
        return rg_error_memory(error, sizeof *report);
    }
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
        c_reference_child(tuning, report, folder, parent);
    }
    ridge_status status;
    if (pid < 0) {
        status = rg_error_system(error, RIDGE_E_INTERNAL, errno, NULL, "cannot fork a process for the reference");
    } else {
        (void)setpgid(pid, pid);
        status = c_reference_judge(tuning, report, child_wait(tuning, pid), error);
    }
    munmap(report, sizeof *report);
    rg_folder_remove(folder);
    return status;
}

/** The configuration that the spec names, by id or by values. */
static ridge_status configuration_find(const struct rg_tuning *tuning, uint32_t *choice, struct ridge_error *error)
{
    const struct rg_verify *verify = &tuning->spec->verify;
    const size_t row = ridge_space_dimension_count(tuning->space);
    if (verify->choice) {
        memcpy(choice, verify->choice, row * sizeof *choice);
        return RIDGE_OK;
    }
    struct ridge_space_cursor *cursor = NULL;
    ridge_status status = ridge_space_cursor_create(tuning->space, &cursor, error);
    bool found = false;
    while (status == RIDGE_OK && !found) {
        const uint32_t *at = NULL;
        char id[RIDGE_ID_BYTES];
        status = ridge_space_cursor_next(cursor, &at, error);
        if (status != RIDGE_OK || !at) {
            break;
        }
        ridge_space_id(tuning->space, at, id);
        found = strcmp(id, verify->configuration) == 0;
        if (found) {
            memcpy(choice, at, row * sizeof *choice);
        }
    }
    ridge_space_cursor_destroy(cursor);
    if (status == RIDGE_OK && !found) {
        return rg_error_at(error, RIDGE_E_NAME, &verify->place,
                           "the reference %s is not in the space (ridge space --list shows the ids)",
                           verify->configuration);
    }
    return status;
}

static ridge_status configuration_run(struct rg_tuning *tuning, struct ridge_error *error)
{
    struct rg_request request = {.kind = RG_REQUEST_PREPARE, .slot = RG_SENTINEL_SLOT, .keep_outputs = true};
    struct rg_event event = {0};
    ridge_status status = configuration_find(tuning, request.choice, error);
    if (status == RIDGE_OK) {
        status = rg_pool_start(&tuning->pool, 0, error);
    }
    if (status == RIDGE_OK) {
        status = rg_ask(tuning, 0, &request, 1, &event, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    const bool tool_failed = event.kind == RG_EVENT_REPLY && event.reply.status != RIDGE_OK;
    if (tool_failed && error && error->status == RIDGE_OK) {
        *error = event.reply.error;
    }
    if (tool_failed) {
        return event.reply.status;
    }
    if (event.kind != RG_EVENT_REPLY || event.reply.outcome != RIDGE_OUTCOME_OK) {
        return rg_error_at(error, RIDGE_E_MEASURE, &tuning->spec->verify.place,
                           "the reference configuration failed: %.*s", (int)strcspn(event.text, "\n"), event.text);
    }
    return RIDGE_OK;
}

static ridge_status files_read(struct rg_tuning *tuning, struct ridge_error *error)
{
    return rg_reference_files(tuning->context, &tuning->workload, error);
}

ridge_status rg_reference_run(struct rg_tuning *tuning, struct ridge_error *error)
{
    static ridge_status (*const makers[])(struct rg_tuning *, struct ridge_error *) = {
        [RG_REFERENCE_C] = c_reference_run,
        [RG_REFERENCE_CONFIGURATION] = configuration_run,
        [RG_REFERENCE_FILE] = files_read,
    };
    if (tuning->spec->verify.reference == RG_REFERENCE_NONE || !tuning->setup.backend->computes) {
        return RIDGE_OK;
    }
    tuning->shown.reference = true;
    rg_show(tuning, NULL, RIDGE_OUTCOME_OK, NULL, NULL);
    tuning->shown.reference = false;
    const ridge_status status = makers[tuning->spec->verify.reference](tuning, error);
    return status == RIDGE_OK ? rg_reference_refuse_nan(&tuning->workload, error) : status;
}
