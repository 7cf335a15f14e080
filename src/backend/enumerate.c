/* SPDX-License-Identifier: MIT */
/** \file Looking for devices in a child process: a driver that crashes or hangs is reported, not suffered. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/backend.h"
#include "base/checked.h"
#include "base/clock.h"
#include "base/error.h"
#include "ridge/backend.h"

static const double default_deadline_s = 30;
static const double max_poll_s = 1e6; /* poll takes milliseconds in an int */

enum {
    MESSAGE_DEVICE,
    MESSAGE_END,
    MAX_DEVICES = 1024 /* of one backend: a driver gone mad */
};

/** What the child writes: plain memory, one program on both sides. */
struct message {
    int what;
    ridge_status status; /* MESSAGE_END */
    char text[1024];     /* MESSAGE_END: why there is nothing */
    struct rg_device_facts facts;
};

/** What the parent gathers of one backend. */
struct gathered {
    const struct ridge_context *context;
    struct rg_device_facts *facts;
    size_t count;
    size_t capacity;
    bool ended;         /* the child said its last word */
    bool out_of_memory; /* for facts */
    char reason[1280];
};

static void message_write(int to, const struct message *message)
{
    const char *at = (const char *)message;
    size_t left = sizeof *message;
    while (left > 0) {
        const ssize_t put = write(to, at, left);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return; /* the parent has gone or given up */
        }
        at += put;
        left -= (size_t)put;
    }
}

static void child_visit(void *user, const struct rg_device_facts *facts)
{
    const int *to = user;
    struct message message = {.what = MESSAGE_DEVICE, .facts = *facts};
    message_write(*to, &message);
}

/** The child's whole life. Drivers write what they like on standard output and error: nobody wants to see it. */
_Noreturn static void child_run(const struct rg_backend *backend, const struct ridge_context *context, int to)
{
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
    }
    struct ridge_context silent = *context;
    silent.log = NULL;
    struct ridge_error error = {0};
    struct message end = {.what = MESSAGE_END};
    end.status = backend->enumerate(&silent, child_visit, &to, &error);
    snprintf(end.text, sizeof end.text, "%s", error.message);
    message_write(to, &end);
    _exit(0);
}

/** Take in one message. \return false when there will be no more, or memory is out. */
static bool message_take(struct gathered *gathered, const struct message *message)
{
    if (message->what == MESSAGE_END) {
        gathered->ended = true;
        if (message->status != RIDGE_OK) {
            snprintf(gathered->reason, sizeof gathered->reason, "%s", message->text);
        }
        return false;
    }
    if (gathered->count >= MAX_DEVICES) {
        return true; /* read on to the end, and keep the first */
    }
    if (!rg_reserve(gathered->context, &gathered->facts, &gathered->capacity, gathered->count + 1,
                    sizeof *gathered->facts)) {
        gathered->out_of_memory = true;
        return false;
    }
    gathered->facts[gathered->count++] = message->facts;
    return true;
}

/** Read messages until the last, the pipe's end or the deadline. */
static void messages_read(struct gathered *gathered, int from, double until_s, double deadline_s)
{
    struct message message;
    size_t have = 0;
    for (;;) {
        const double left_s = until_s - rg_clock_s();
        struct pollfd ready = {.fd = from, .events = POLLIN};
        const double wait_s = left_s < max_poll_s ? left_s : max_poll_s;
        const int polled = left_s > 0 ? poll(&ready, 1, (int)(wait_s * 1e3) + 1) : 0;
        if (polled < 0 && errno == EINTR) {
            continue;
        }
        if (polled <= 0) {
            snprintf(gathered->reason, sizeof gathered->reason,
                     "its driver did not answer within %.3g s (is a device hung?)", deadline_s);
            return;
        }
        const ssize_t got = read(from, (char *)&message + have, sizeof message - have);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return;
        }
        have += (size_t)got;
        if (have == sizeof message) {
            have = 0;
            if (!message_take(gathered, &message)) {
                return;
            }
        }
    }
}

/** End the child, which is done, hung or in the middle of something, and find out how it died. */
static void child_end(struct gathered *gathered, pid_t child)
{
    if (gathered->ended || gathered->out_of_memory || gathered->reason[0] != '\0') {
        (void)kill(child, SIGKILL);
    }
    int state = 0;
    while (waitpid(child, &state, 0) < 0) {
        if (errno != EINTR) {
            return;
        }
    }
    if (gathered->ended || gathered->out_of_memory || gathered->reason[0] != '\0') {
        return;
    }
    if (WIFSIGNALED(state)) {
        snprintf(gathered->reason, sizeof gathered->reason,
                 "its driver crashed while looking for devices: signal %d, %s", WTERMSIG(state),
                 strsignal(WTERMSIG(state)));
    } else {
        snprintf(gathered->reason, sizeof gathered->reason,
                 "its driver ended the process while looking for devices (exit code %d)", WEXITSTATUS(state));
    }
}

static ridge_status gather(struct gathered *gathered, const struct rg_backend *backend, double deadline_s,
                           struct ridge_error *error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return rg_error_system(error, RIDGE_E_IO, errno, NULL, "cannot make a pipe");
    }
    const pid_t child = fork();
    if (child < 0) {
        const int code = errno;
        close(ends[0]);
        close(ends[1]);
        return rg_error_system(error, RIDGE_E_IO, code, NULL, "cannot make a process");
    }
    if (child == 0) {
        close(ends[0]);
        child_run(backend, gathered->context, ends[1]);
    }
    close(ends[1]);
    messages_read(gathered, ends[0], rg_clock_s() + deadline_s, deadline_s);
    close(ends[0]);
    child_end(gathered, child);
    return gathered->out_of_memory ? rg_error_memory(error, sizeof *gathered->facts) : RIDGE_OK;
}

/** Hand one backend over. */
static ridge_status hand_over(const struct gathered *gathered, const struct rg_backend *backend,
                              void (*visit)(void *user, const struct ridge_backend_line *backend), void *user,
                              struct ridge_error *error)
{
    const bool absent = gathered->reason[0] != '\0' || gathered->count == 0;
    struct ridge_backend_line line = {.name = backend->name};
    line.absent_reason = absent ? gathered->reason : NULL;
    if (absent) {
        visit(user, &line);
        return RIDGE_OK;
    }
    size_t bytes;
    struct ridge_device_line *devices =
        rg_multiply_size(gathered->count, sizeof *devices, &bytes) ? rg_alloc(gathered->context, bytes) : NULL;
    if (!devices) {
        return rg_error_memory(error, gathered->count);
    }
    for (size_t i = 0; i < gathered->count; i++) {
        const struct rg_device_facts *facts = &gathered->facts[i];
        devices[i] = (struct ridge_device_line){
            .selector = facts->selector,
            .name = facts->name,
            .platform = facts->platform,
            .driver = facts->driver,
            .version = facts->version,
            .kind = facts->kind,
            .compute_units = facts->compute_units,
            .memory_bytes = facts->memory_bytes,
            .max_allocation_bytes = facts->max_allocation_bytes,
            .local_memory_bytes = facts->local_memory_bytes,
            .max_block_threads = facts->max_block_threads,
            .note = facts->note,
        };
    }
    line.device_count = gathered->count;
    line.devices = devices;
    visit(user, &line);
    rg_free(gathered->context, devices, bytes);
    return RIDGE_OK;
}

ridge_status ridge_backend_each(const struct ridge_context *context,
                                void (*visit)(void *user, const struct ridge_backend_line *backend), void *user,
                                double deadline_s, struct ridge_error *error)
{
    ridge_status status = RIDGE_OK;
    const double allowed_s = deadline_s > 0 ? deadline_s : default_deadline_s;
    for (const struct rg_backend *const *backend = rg_backends; *backend && status == RIDGE_OK; backend++) {
        struct gathered gathered = {.context = context};
        status = gather(&gathered, *backend, allowed_s, error);
        if (status == RIDGE_OK) {
            status = hand_over(&gathered, *backend, visit, user, error);
        }
        rg_free(context, gathered.facts, gathered.capacity * sizeof *gathered.facts);
    }
    return status;
}
