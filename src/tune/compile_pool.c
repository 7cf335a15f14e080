/* SPDX-License-Identifier: MIT */
#include "tune/compile_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "compile/artifact.h"
#include "tune/wire.h"

enum {
    MAX_WORKERS = 64,
    POLL_MS = 50
};

/** What a worker sends back; the texts, each with its terminator, and the bytes follow. */
struct reply {
    ridge_status status;
    struct ridge_error error;
    rg_failure failure;
    bool cached;
    bool damaged;
    double seconds;
    uint64_t entry_bytes; /**< 0: none */
    uint64_t compiler_bytes;
    uint64_t log_bytes;
    uint64_t size;
};

struct worker {
    pid_t pid; /**< 0: not running */
    int socket;
    bool busy;
    uint64_t job;
    double began_s;
};

struct pool {
    const struct rg_compile_run *run;
    size_t count;
    struct worker workers[MAX_WORKERS];
    bool exhausted; /**< there is no next job */
};

static uint64_t text_bytes(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

static bool reply_send(int socket, const struct reply *reply, const struct rg_artifact *artifact)
{
    return rg_wire_send(socket, reply, sizeof *reply) && rg_wire_send(socket, artifact->entry, reply->entry_bytes) &&
           rg_wire_send(socket, artifact->compiler, reply->compiler_bytes) &&
           rg_wire_send(socket, artifact->log, reply->log_bytes) && rg_wire_send(socket, artifact->bytes, reply->size);
}

/** Serve jobs until the parent is gone. */
static void serve(const struct rg_compile_run *run, int socket)
{
    uint64_t job;
    bool fine = true;
    while (fine && rg_wire_receive(socket, &job, sizeof job)) {
        struct rg_artifact artifact = {.context = run->context};
        struct reply reply = {0};
        const double began = rg_clock_s();
        reply.status = run->compile(run->user, job, &artifact, &reply.error);
        reply.seconds = rg_clock_s() - began;
        reply.failure = artifact.failed ? artifact.failure : RG_FAILURE_NONE;
        reply.cached = artifact.cached;
        reply.damaged = artifact.damaged;
        reply.entry_bytes = text_bytes(artifact.entry);
        reply.compiler_bytes = text_bytes(artifact.compiler);
        reply.log_bytes = text_bytes(artifact.log);
        reply.size = artifact.bytes ? artifact.size : 0;
        fine = reply_send(socket, &reply, &artifact);
        rg_artifact_fini(&artifact);
    }
}

/** The child's side of the fork. */
static _Noreturn void child_begin(const struct pool *pool, int socket, pid_t parent)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
    /* A group of its own: Ctrl-C at the terminal is the parent's to handle. */
    (void)setpgid(0, 0);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int stream = STDIN_FILENO; nothing >= 0 && stream <= STDERR_FILENO; stream++) {
        (void)dup2(nothing, stream);
    }
    serve(pool->run, socket);
    _exit(0);
}

static ridge_status worker_fork(struct pool *pool, struct worker *worker, struct ridge_error *error)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return rg_error_system(error, RIDGE_E_INTERNAL, errno, NULL, "cannot make a socket pair");
    }
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
        close(pair[0]);
        child_begin(pool, pair[1], parent);
    }
    const int why = errno;
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return rg_error_system(error, RIDGE_E_INTERNAL, why, NULL, "cannot fork a worker process");
    }
    (void)setpgid(pid, pid);
    *worker = (struct worker){.pid = pid, .socket = pair[0]};
    return RIDGE_OK;
}

/** Kill a worker and all in its group. \return the wait status. */
static int worker_reap(struct worker *worker)
{
    int status = 0;
    (void)kill(-worker->pid, SIGKILL);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(worker->socket);
    *worker = (struct worker){0};
    return status;
}

/** Give a free worker the next job. */
static ridge_status worker_feed(struct pool *pool, struct worker *worker, struct ridge_error *error)
{
    const uint64_t job = pool->exhausted ? UINT64_MAX : pool->run->next(pool->run->user);
    pool->exhausted = job == UINT64_MAX;
    if (pool->exhausted) {
        return RIDGE_OK;
    }
    const ridge_status status = worker->pid > 0 ? RIDGE_OK : worker_fork(pool, worker, error);
    if (status == RIDGE_OK) {
        worker->job = job;
        worker->busy = true;
        worker->began_s = rg_clock_s();
        (void)rg_wire_send(worker->socket, &job, sizeof job); /* one that is gone is seen when its answer is read */
    }
    return status;
}

/** Receive a text of so many bytes, 0 for none. */
static bool text_receive(const struct pool *pool, int socket, uint64_t bytes, char **out)
{
    if (bytes == 0) {
        return true;
    }
    char *text = bytes < SIZE_MAX ? rg_alloc(pool->run->context, bytes) : NULL;
    if (!text || !rg_wire_receive(socket, text, bytes) || text[bytes - 1] != '\0') {
        rg_free(pool->run->context, text, bytes);
        return false;
    }
    *out = text;
    return true;
}

static const ridge_outcome outcomes[] = {
    [RG_FAILURE_NONE] = RIDGE_OUTCOME_OK,
    [RG_FAILURE_SOURCE] = RIDGE_OUTCOME_COMPILE,
    [RG_FAILURE_CRASH] = RIDGE_OUTCOME_CRASHED,
    [RG_FAILURE_TIMEOUT] = RIDGE_OUTCOME_TIMEOUT,
};

/** Receive a whole answer. \return false when the worker died in the middle of it. */
static bool answer_receive(const struct pool *pool, const struct worker *worker, struct rg_compile_answer *answer)
{
    struct reply reply;
    struct rg_artifact *artifact = answer->artifact;
    if (!rg_wire_receive(worker->socket, &reply, sizeof reply) ||
        !text_receive(pool, worker->socket, reply.entry_bytes, &artifact->entry) ||
        !text_receive(pool, worker->socket, reply.compiler_bytes, &artifact->compiler) ||
        !text_receive(pool, worker->socket, reply.log_bytes, &artifact->log)) {
        return false;
    }
    if (reply.size > 0) {
        artifact->bytes = reply.size < SIZE_MAX ? rg_alloc(pool->run->context, reply.size + 1) : NULL;
        artifact->size = reply.size;
        if (!artifact->bytes || !rg_wire_receive(worker->socket, artifact->bytes, reply.size)) {
            return false;
        }
    }
    artifact->failure = reply.failure;
    artifact->failed = reply.failure != RG_FAILURE_NONE;
    artifact->cached = reply.cached;
    artifact->damaged = reply.damaged;
    answer->outcome = outcomes[reply.failure];
    answer->status = reply.status;
    answer->error = reply.error;
    answer->seconds = reply.cached ? 0 : reply.seconds;
    return true;
}

/** A worker has answered, or died. */
static ridge_status worker_read(struct pool *pool, struct worker *worker, struct ridge_error *error)
{
    const uint64_t job = worker->job;
    struct rg_artifact artifact = {.context = pool->run->context};
    struct rg_compile_answer answer = {.artifact = &artifact, .seconds = rg_clock_s() - worker->began_s};
    ridge_status status = RIDGE_OK;
    if (answer_receive(pool, worker, &answer)) {
        worker->busy = false;
        status = worker_feed(pool, worker, error); /* it goes on while the answer is looked at */
    } else {
        rg_artifact_fini(&artifact);
        artifact.context = pool->run->context;
        const int end = worker_reap(worker);
        answer.outcome = RIDGE_OUTCOME_CRASHED;
        status = WIFSIGNALED(end) ? rg_artifact_fail(&artifact, error, "the compiler crashed: signal %d (%s)",
                                                     WTERMSIG(end), strsignal(WTERMSIG(end)))
                                  : rg_artifact_fail(&artifact, error, "the compiler ended its process: exit code %d",
                                                     WEXITSTATUS(end));
    }
    status = status == RIDGE_OK ? pool->run->done(pool->run->user, job, &answer, error) : status;
    rg_artifact_fini(&artifact);
    return status;
}

/** Kill the workers whose compile has lasted too long. */
static ridge_status deadlines_check(struct pool *pool, struct ridge_error *error)
{
    static const double grace_s = 1; /* a compiler that is a program has the same deadline, and says more */
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < pool->count && status == RIDGE_OK; i++) {
        struct worker *worker = &pool->workers[i];
        const double seconds = rg_clock_s() - worker->began_s;
        if (!worker->busy || seconds < pool->run->timeout_s + grace_s) {
            continue;
        }
        const uint64_t job = worker->job;
        struct rg_artifact artifact = {.context = pool->run->context};
        struct rg_compile_answer answer = {.artifact = &artifact, .outcome = RIDGE_OUTCOME_TIMEOUT, .seconds = seconds};
        (void)worker_reap(worker);
        status = rg_artifact_fail(&artifact, error, "the compiler was killed: it had not ended after %g s",
                                  pool->run->timeout_s);
        status = status == RIDGE_OK ? pool->run->done(pool->run->user, job, &answer, error) : status;
        rg_artifact_fini(&artifact);
    }
    return status;
}

/** Wait for answers and read them. */
static ridge_status answers_wait(struct pool *pool, struct ridge_error *error)
{
    struct pollfd waiting[MAX_WORKERS];
    struct worker *owner[MAX_WORKERS];
    nfds_t count = 0;
    for (size_t i = 0; i < pool->count; i++) {
        if (pool->workers[i].busy) {
            owner[count] = &pool->workers[i];
            waiting[count++] = (struct pollfd){.fd = pool->workers[i].socket, .events = POLLIN};
        }
    }
    if (poll(waiting, count, POLL_MS) < 0 && errno != EINTR) {
        return rg_error_system(error, RIDGE_E_INTERNAL, errno, NULL, "cannot wait for workers");
    }
    ridge_status status = RIDGE_OK;
    for (nfds_t i = 0; i < count && status == RIDGE_OK; i++) {
        status = waiting[i].revents ? worker_read(pool, owner[i], error) : RIDGE_OK;
    }
    return status == RIDGE_OK ? deadlines_check(pool, error) : status;
}

ridge_status rg_compile_run_all(const struct rg_compile_run *run, struct ridge_error *error)
{
    struct pool pool = {.run = run, .count = run->workers < MAX_WORKERS ? run->workers : MAX_WORKERS};
    ridge_status status = RIDGE_OK;
    bool busy = true;
    while (status == RIDGE_OK && busy && !(run->stop && *run->stop)) {
        busy = false;
        for (size_t i = 0; i < pool.count && status == RIDGE_OK; i++) {
            if (!pool.workers[i].busy) {
                status = worker_feed(&pool, &pool.workers[i], error);
            }
            busy = busy || pool.workers[i].busy;
        }
        if (status == RIDGE_OK && busy) {
            status = answers_wait(&pool, error);
        }
    }
    for (size_t i = 0; i < pool.count; i++) {
        if (pool.workers[i].pid > 0) {
            (void)worker_reap(&pool.workers[i]);
        }
    }
    return status;
}
