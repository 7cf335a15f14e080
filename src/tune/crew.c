/* SPDX-License-Identifier: MIT */
/* Workers are told a job's number through one pipe and say that it is done through another; the end of file of the
 * second is their death. */
#include "tune/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpus.h"
#include "base/error.h"

enum {
    MOST_WORKERS = 64
};

static const uint64_t no_job = UINT64_MAX;

struct member {
    pid_t pid; /* 0: none */
    int tell;  /* job numbers go here */
    int hear;  /* a byte comes when one is done */
    uint64_t job;
    double deadline_s;
    void *slot;
};

struct state {
    const struct rg_crew *crew;
    struct member members[MOST_WORKERS];
    size_t count;
    uint64_t jobs;
    uint64_t next;
    bool ending;
};

static _Noreturn void worker_live(const struct rg_crew *crew, int tell, int hear, void *slot, pid_t parent)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
    (void)setpgid(0, 0);
    uint64_t job = no_job;
    while (read(tell, &job, sizeof job) == (ssize_t)sizeof job && job != no_job) {
        memset(slot, 0, crew->slot_bytes);
        crew->work(crew->user, job, slot);
        if (write(hear, "d", 1) != 1) {
            break;
        }
    }
    if (crew->leave) {
        crew->leave(crew->user);
    }
    _exit(0);
}

static ridge_status member_start(struct state *state, struct member *member, struct ridge_error *error)
{
    int down[2];
    int up[2];
    if (pipe2(down, O_CLOEXEC) != 0) {
        return rg_error_system(error, RIDGE_E_INTERNAL, errno, NULL, "cannot make a pipe");
    }
    if (pipe2(up, O_CLOEXEC) != 0) {
        (void)close(down[0]);
        (void)close(down[1]);
        return rg_error_system(error, RIDGE_E_INTERNAL, errno, NULL, "cannot make a pipe");
    }
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
        (void)close(down[1]);
        (void)close(up[0]);
        worker_live(state->crew, down[0], up[1], member->slot, parent);
    }
    (void)close(down[0]);
    (void)close(up[1]);
    if (pid < 0) {
        (void)close(down[1]);
        (void)close(up[0]);
        return rg_error_system(error, RIDGE_E_INTERNAL, errno, NULL, "cannot fork a process");
    }
    (void)setpgid(pid, pid);
    *member = (struct member){.pid = pid, .tell = down[1], .hear = up[0], .job = no_job, .slot = member->slot};
    return RIDGE_OK;
}

/** End a worker. \return its wait status */
static int member_end(struct member *member, bool kill_it)
{
    int status = 0;
    if (kill_it) {
        (void)kill(-member->pid, SIGKILL);
    }
    (void)close(member->tell);
    (void)close(member->hear);
    while (waitpid(member->pid, &status, 0) < 0 && errno == EINTR) {
    }
    member->pid = 0;
    return status;
}

static bool member_tell(const struct member *member, uint64_t job)
{
    return write(member->tell, &job, sizeof job) == (ssize_t)sizeof job;
}

/** Give a worker its next job; starts one where there is none, or it died after its last job. */
static ridge_status member_feed(struct state *state, struct member *member, struct ridge_error *error)
{
    if (state->ending || state->next == state->jobs) {
        return RIDGE_OK;
    }
    const uint64_t job = state->next++;
    if (member->pid != 0 && !member_tell(member, job)) {
        (void)member_end(member, true);
    }
    if (member->pid == 0) {
        const ridge_status status = member_start(state, member, error);
        if (status != RIDGE_OK) {
            return status;
        }
        (void)member_tell(member, job); /* one that is gone already is seen when its answer is read */
    }
    member->job = job;
    member->deadline_s = state->crew->timeout_s > 0 ? rg_clock_s() + state->crew->timeout_s : (double)INFINITY;
    return RIDGE_OK;
}

static ridge_status member_finish(struct state *state, struct member *member, rg_crew_end end, int signal,
                                  struct ridge_error *error)
{
    const uint64_t job = member->job;
    member->job = no_job;
    if (!state->crew->done(state->crew->user, job, member->slot, end, signal)) {
        state->ending = true;
    }
    return member_feed(state, member, error);
}

/** Look at what a worker has said, or whether its time is over. */
static ridge_status member_look(struct state *state, struct member *member, short events, struct ridge_error *error)
{
    char byte;
    if (events & (POLLIN | POLLHUP | POLLERR)) {
        if (read(member->hear, &byte, 1) == 1) {
            return member_finish(state, member, RG_CREW_DONE, 0, error);
        }
        const int status = member_end(member, false);
        return member_finish(state, member, RG_CREW_CRASHED, WIFSIGNALED(status) ? WTERMSIG(status) : 0, error);
    }
    if (rg_clock_s() > member->deadline_s) {
        (void)member_end(member, true);
        return member_finish(state, member, RG_CREW_LATE, 0, error);
    }
    return RIDGE_OK;
}

/** Wait for any worker. \return false when none has a job */
static bool wait_any(struct state *state, struct pollfd *polled, size_t *at)
{
    size_t count = 0;
    for (size_t i = 0; i < state->count; i++) {
        if (state->members[i].pid != 0 && state->members[i].job != no_job) {
            polled[count] = (struct pollfd){.fd = state->members[i].hear, .events = POLLIN};
            at[count++] = i;
        }
    }
    if (count > 0) {
        (void)poll(polled, (nfds_t)count, 100);
    }
    at[count] = SIZE_MAX;
    return count > 0;
}

static ridge_status run(struct state *state, struct ridge_error *error)
{
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < state->count && status == RIDGE_OK; i++) {
        status = member_feed(state, &state->members[i], error);
    }
    struct pollfd polled[MOST_WORKERS];
    size_t at[MOST_WORKERS + 1];
    while (status == RIDGE_OK && !state->ending && wait_any(state, polled, at)) {
        for (size_t i = 0; at[i] != SIZE_MAX && status == RIDGE_OK && !state->ending; i++) {
            status = member_look(state, &state->members[at[i]], polled[i].revents, error);
        }
    }
    for (size_t i = 0; i < state->count; i++) {
        struct member *member = &state->members[i];
        if (member->pid != 0) {
            const bool idle = member->job == no_job && member_tell(member, no_job);
            (void)member_end(member, !idle);
        }
    }
    return status;
}

ridge_status rg_crew_run(const struct rg_crew *crew, uint64_t jobs, struct ridge_error *error)
{
    struct state state = {.crew = crew, .jobs = jobs};
    const size_t wanted = crew->workers > 0 ? crew->workers : rg_usable_cpus();
    state.count = wanted < MOST_WORKERS ? wanted : MOST_WORKERS;
    state.count = jobs < state.count ? (size_t)jobs : state.count;
    if (state.count == 0) {
        return RIDGE_OK;
    }
    const size_t bytes = state.count * crew->slot_bytes;
    char *slots = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (slots == MAP_FAILED) {
        return rg_error_memory(error, bytes);
    }
    for (size_t i = 0; i < state.count; i++) {
        state.members[i].slot = slots + i * crew->slot_bytes;
        state.members[i].job = no_job;
    }
    /* A worker that dies must not end this process when it is told its next job. */
    struct sigaction before;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGPIPE, &ignore, &before);
    const ridge_status status = run(&state, error);
    (void)sigaction(SIGPIPE, &before, NULL);
    (void)munmap(slots, bytes);
    return status;
}
