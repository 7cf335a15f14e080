/* SPDX-License-Identifier: MIT */
#include "tune/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "tune/wire.h"

enum {
    POLL_MS = 50,
    OPEN_TIMEOUT_S = 60,
    REPLY_TIMEOUT_S = 20, /* a reply is sent whole: longer than this for its rest, and it is none */
    TEXT_ROOM = RG_MAX_REPLY_TEXT + 1
};

static const char *const stage_words[] = {
    [RG_STAGE_IDLE] = "between two steps", [RG_STAGE_OPEN] = "opening the device",
    [RG_STAGE_BUILD] = "compiling",        [RG_STAGE_FIRST_LAUNCH] = "running for the first time",
    [RG_STAGE_LAUNCH] = "running",
};

/** \return what a worker is doing. The kernel it runs may have written over the page that says so. */
static int stage_get(const struct rg_pool *pool, size_t index)
{
    const int stage = atomic_load(&pool->pages[index].stage);
    return stage >= RG_STAGE_IDLE && stage <= RG_STAGE_LAUNCH ? stage : RG_STAGE_LAUNCH;
}

ridge_status rg_pool_init(struct rg_pool *pool, const struct ridge_context *context,
                          const struct rg_worker_setup *setup, size_t count, double timeout_s,
                          const volatile sig_atomic_t *stop, const char *root, struct ridge_error *error)
{
    memset(pool, 0, sizeof *pool);
    pool->context = context;
    pool->setup = setup;
    pool->count = count;
    pool->timeout_s = timeout_s;
    pool->stop = stop;
    snprintf(pool->root, sizeof pool->root, "%s", root);
    pool->samples = rg_alloc(context, (size_t)2 * RG_MAX_SAMPLES * sizeof(double));
    pool->text = rg_alloc(context, TEXT_ROOM);
    void *pages =
        mmap(NULL, count * sizeof(struct rg_worker_page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pool->pages = pages == MAP_FAILED ? NULL : pages;
    if (!pool->samples || !pool->text || !pool->pages) {
        rg_pool_fini(pool);
        return rg_error_memory(error, TEXT_ROOM);
    }
    return RIDGE_OK;
}

void rg_pool_fini(struct rg_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++) {
        rg_pool_kill(pool, i);
        if (pool->workers[i].folder[0]) {
            rg_folder_remove(pool->workers[i].folder);
        }
    }
    if (pool->pages) {
        munmap(pool->pages, pool->count * sizeof(struct rg_worker_page));
    }
    rg_free(pool->context, pool->samples, (size_t)2 * RG_MAX_SAMPLES * sizeof(double));
    rg_free(pool->context, pool->text, TEXT_ROOM);
    (void)rmdir(pool->root);
    memset(pool, 0, sizeof *pool);
}

static void output_path(const struct rg_worker *worker, char *out, size_t bytes)
{
    snprintf(out, bytes, "%s/output", worker->folder);
}

/** What drivers, compilers and kernels print goes into a file of the worker: it explains a death. */
static void output_redirect(const struct rg_worker *worker)
{
    char path[sizeof worker->folder + 16];
    output_path(worker, path, sizeof path);
    const int input = open("/dev/null", O_RDONLY);
    const int output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    if (input >= 0) {
        (void)dup2(input, STDIN_FILENO);
    }
    if (output >= 0) {
        (void)dup2(output, STDOUT_FILENO);
        (void)dup2(output, STDERR_FILENO);
    }
}

/** Append the last of what a worker printed to a text. */
static void output_append(const struct rg_worker *worker, char *text, size_t room)
{
    enum {
        TAIL_BYTES = 2000
    };
    char path[sizeof worker->folder + 16];
    char tail[TAIL_BYTES + 1];
    output_path(worker, path, sizeof path);
    const int output = open(path, O_RDONLY | O_CLOEXEC);
    if (output < 0) {
        return;
    }
    const off_t size = lseek(output, 0, SEEK_END);
    const off_t from = size > TAIL_BYTES ? size - TAIL_BYTES : 0;
    const ssize_t got = pread(output, tail, TAIL_BYTES, from);
    close(output);
    if (got > 0) {
        tail[got] = '\0';
        const size_t used = strlen(text);
        snprintf(text + used, room - used, "\nThe last that it printed:\n%s", tail);
    }
}

/** The child's side of the fork. */
static _Noreturn void child_begin(const struct rg_pool *pool, size_t worker, int socket, pid_t parent)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
    /* A group of its own: Ctrl-C at the terminal is the parent's to handle, and its compilers die with it. */
    (void)setpgid(0, 0);
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGTERM, SIG_DFL);
    (void)signal(SIGPIPE, SIG_IGN);
    output_redirect(&pool->workers[worker]);
    rg_descriptors_close(socket);
    struct rg_worker_setup setup = *pool->setup;
    setup.session.work_folder = pool->workers[worker].folder;
    rg_worker_main(&setup, socket, &pool->pages[worker]);
}

static ridge_status worker_fork(struct rg_pool *pool, size_t index, struct ridge_error *error)
{
    struct rg_worker *worker = &pool->workers[index];
    if (!worker->folder[0]) {
        snprintf(worker->folder, sizeof worker->folder, "%s/%zu", pool->root, index);
        if (mkdir(worker->folder, 0700) != 0 && errno != EEXIST) {
            return rg_error_system(error, RIDGE_E_IO, errno, worker->folder, "cannot make a temporary folder");
        }
    }
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return rg_error_system(error, RIDGE_E_INTERNAL, errno, NULL, "cannot make a socket pair");
    }
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) {
        const int why = errno;
        close(pair[0]);
        close(pair[1]);
        return rg_error_system(error, RIDGE_E_INTERNAL, why, NULL, "cannot fork a worker process");
    }
    if (pid == 0) {
        close(pair[0]);
        child_begin(pool, index, pair[1], parent);
    }
    close(pair[1]);
    const struct timeval patience = {.tv_sec = REPLY_TIMEOUT_S};
    (void)setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    /* Both sides set the group, so that it exists before either goes on. */
    (void)setpgid(pid, pid);
    worker->pid = pid;
    worker->socket = pair[0];
    worker->busy = true; /* it owes the greeting */
    worker->fresh = true;
    return RIDGE_OK;
}

/** Reap a worker; its whole group is killed first. \return the wait status. */
static int worker_reap(struct rg_pool *pool, size_t index)
{
    struct rg_worker *worker = &pool->workers[index];
    int status = 0;
    (void)kill(-worker->pid, SIGKILL);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(worker->socket);
    worker->pid = 0;
    worker->socket = -1;
    worker->busy = false;
    return status;
}

void rg_pool_kill(struct rg_pool *pool, size_t index)
{
    if (pool->workers[index].pid > 0) {
        (void)worker_reap(pool, index);
    }
}

void rg_pool_send(struct rg_pool *pool, size_t index, const struct rg_request *request)
{
    struct rg_worker *worker = &pool->workers[index];
    (void)rg_wire_send(worker->socket, request, sizeof *request); /* a worker that is gone is seen by the next wait */
    worker->busy = request->kind != RG_REQUEST_RELEASE;
}

/** How reading a reply went. */
typedef enum receipt {
    RECEIPT_WHOLE,
    RECEIPT_CUT,    /* the worker died before or in the middle of it */
    RECEIPT_STRANGE /* it is no reply */
} receipt;

static bool reply_sound(const struct rg_reply *reply)
{
    return reply->mark == RG_REPLY_MARK && reply->outcome <= RIDGE_OUTCOME_SKIPPED &&
           reply->sample_count <= RG_MAX_SAMPLES && reply->text_bytes <= RG_MAX_REPLY_TEXT;
}

/** Read a whole reply. */
static receipt receive_reply(struct rg_pool *pool, int socket, struct rg_event *event)
{
    struct rg_reply *reply = &event->reply;
    if (!rg_wire_receive(socket, reply, sizeof *reply)) {
        return errno == EAGAIN ? RECEIPT_STRANGE : RECEIPT_CUT;
    }
    if (!reply_sound(reply)) {
        return RECEIPT_STRANGE;
    }
    pool->text[reply->text_bytes] = '\0';
    double *clocks_hz = pool->samples + RG_MAX_SAMPLES;
    event->samples = pool->samples;
    event->clocks_hz = clocks_hz;
    event->text = pool->text;
    const bool whole = rg_wire_receive(socket, pool->samples, (size_t)reply->sample_count * sizeof(double)) &&
                       rg_wire_receive(socket, clocks_hz, (size_t)reply->sample_count * sizeof(double)) &&
                       rg_wire_receive(socket, pool->text, reply->text_bytes);
    return whole ? RECEIPT_WHOLE : RECEIPT_CUT;
}

static void event_died(struct rg_pool *pool, size_t index, receipt got, struct rg_event *event)
{
    const char *doing = stage_words[stage_get(pool, index)];
    const int status = worker_reap(pool, index);
    memset(event, 0, sizeof *event); /* what was read of a reply counts for nothing */
    event->kind = RG_EVENT_DIED;
    event->worker = index;
    event->text = pool->text;
    if (got == RECEIPT_STRANGE) {
        snprintf(pool->text, TEXT_ROOM,
                 "its process was killed %s: something wrote into its connection with Ridge (the kernel may write only "
                 "to files that it opened itself)",
                 doing);
    } else if (WIFSIGNALED(status)) {
        snprintf(pool->text, TEXT_ROOM, "its process died %s: signal %d (%s)", doing, WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else {
        snprintf(pool->text, TEXT_ROOM, "its process ended %s: exit code %d", doing, WEXITSTATUS(status));
    }
    output_append(&pool->workers[index], pool->text, TEXT_ROOM);
}

static void event_read(struct rg_pool *pool, size_t index, struct rg_event *event)
{
    struct rg_worker *worker = &pool->workers[index];
    const receipt got = receive_reply(pool, worker->socket, event);
    if (got != RECEIPT_WHOLE) {
        event_died(pool, index, got, event);
        return;
    }
    event->kind = RG_EVENT_REPLY;
    event->worker = index;
    worker->busy = false;
}

/** A request went to a worker that is not running: there is nothing to wait for. */
static bool absent_check(struct rg_pool *pool, struct rg_event *event)
{
    for (size_t i = 0; i < pool->count; i++) {
        if (pool->workers[i].busy && pool->workers[i].pid == 0) {
            pool->workers[i].busy = false;
            event->kind = RG_EVENT_DIED;
            event->worker = i;
            event->text = "its process was gone before it began";
            return true;
        }
    }
    return false;
}

/** Find a busy worker that has ended although its connection is open: a process that its kernel left holds it. */
static bool ended_check(struct rg_pool *pool, struct rg_event *event)
{
    for (size_t i = 0; i < pool->count; i++) {
        siginfo_t end = {0};
        if (pool->workers[i].busy &&
            waitid(P_PID, (id_t)pool->workers[i].pid, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid != 0) {
            event_died(pool, i, RECEIPT_CUT, event);
            return true;
        }
    }
    return false;
}

/** Kill the first busy worker whose step has lasted too long. */
static bool deadline_check(struct rg_pool *pool, struct rg_event *event)
{
    const uint64_t now = rg_clock_ns();
    for (size_t i = 0; i < pool->count; i++) {
        const int stage = stage_get(pool, i);
        const uint64_t since = atomic_load(&pool->pages[i].since_ns);
        if (!pool->workers[i].busy || stage == RG_STAGE_IDLE || now < since ||
            (double)(now - since) * 1e-9 < pool->timeout_s) {
            continue;
        }
        (void)worker_reap(pool, i);
        event->kind = RG_EVENT_TIMEOUT;
        event->worker = i;
        event->text = pool->text;
        snprintf(pool->text, TEXT_ROOM, "not done after %g s of %s", pool->timeout_s, stage_words[stage]);
        return true;
    }
    return false;
}

ridge_status rg_pool_wait(struct rg_pool *pool, int stop_level, struct rg_event *event, struct ridge_error *error)
{
    memset(event, 0, sizeof *event);
    event->text = "";
    for (;;) {
        if (pool->stop && *pool->stop >= stop_level) {
            event->kind = RG_EVENT_STOP;
            return RIDGE_OK;
        }
        if (absent_check(pool, event)) {
            return RIDGE_OK;
        }
        struct pollfd waiting[RG_MAX_WORKERS];
        size_t owner[RG_MAX_WORKERS];
        nfds_t count = 0;
        for (size_t i = 0; i < pool->count; i++) {
            if (pool->workers[i].busy) {
                owner[count] = i;
                waiting[count++] = (struct pollfd){.fd = pool->workers[i].socket, .events = POLLIN};
            }
        }
        if (count == 0) {
            return rg_error_set(error, RIDGE_E_INTERNAL, "waiting for workers that have nothing to do");
        }
        if (poll(waiting, count, POLL_MS) < 0 && errno != EINTR) {
            return rg_error_system(error, RIDGE_E_INTERNAL, errno, NULL, "cannot wait for workers");
        }
        for (nfds_t i = 0; i < count; i++) {
            if (waiting[i].revents) {
                event_read(pool, owner[i], event);
                return RIDGE_OK;
            }
        }
        if (ended_check(pool, event) || deadline_check(pool, event)) {
            return RIDGE_OK;
        }
    }
}

/** Read the greeting of a worker that was just forked. */
static ridge_status greeting_read(struct rg_pool *pool, size_t index, struct ridge_error *error)
{
    struct rg_event event = {0};
    event_read(pool, index, &event);
    if (event.kind == RG_EVENT_DIED) {
        return rg_error_set(error, RIDGE_E_DEVICE, "the device could not be opened: %s", event.text);
    }
    if (event.reply.status == RIDGE_OK) {
        return RIDGE_OK;
    }
    rg_pool_kill(pool, index);
    if (error && error->status == RIDGE_OK) {
        *error = event.reply.error;
    }
    return event.reply.status;
}

ridge_status rg_pool_start(struct rg_pool *pool, size_t index, struct ridge_error *error)
{
    if (pool->workers[index].pid > 0) {
        return RIDGE_OK;
    }
    atomic_store(&pool->pages[index].stage, RG_STAGE_IDLE);
    const ridge_status status = worker_fork(pool, index, error);
    if (status != RIDGE_OK) {
        return status;
    }
    /* The others may be busy: only this one's greeting is waited for. */
    struct pollfd waiting = {.fd = pool->workers[index].socket, .events = POLLIN};
    const double end_s = rg_clock_s() + OPEN_TIMEOUT_S;
    while (poll(&waiting, 1, POLL_MS) <= 0) {
        const bool stopped = pool->stop && *pool->stop >= 2;
        if (!stopped && rg_clock_s() < end_s) {
            continue;
        }
        rg_pool_kill(pool, index);
        return stopped ? rg_error_set(error, RIDGE_E_MEASURE, "stopped while the device was being opened")
                       : rg_error_set(error, RIDGE_E_DEVICE, "the device could not be opened in %d s", OPEN_TIMEOUT_S);
    }
    return greeting_read(pool, index, error);
}
