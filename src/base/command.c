/* SPDX-License-Identifier: MIT */
#include "base/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/clock.h"
#include "base/error.h"

enum {
    MAX_OUTPUT_BYTES = 1 << 20
};

/** The environment of the child: ours, handed on, with messages in the C locale so that they can be read. */
struct environment {
    char **entries;
    size_t bytes;
};

static bool environment_make(const struct ridge_context *context, struct environment *made)
{
    static char locale[] = "LC_ALL=C";
    size_t count = 0;
    while (environ && environ[count]) {
        count++;
    }
    if (!rg_multiply_size(count + 2, sizeof *made->entries, &made->bytes)) {
        return false;
    }
    made->entries = rg_alloc(context, made->bytes);
    if (!made->entries) {
        return false;
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "LC_ALL=", 7) != 0) {
            made->entries[kept++] = environ[i];
        }
    }
    made->entries[kept] = locale;
    return true;
}

/** \param own_group  a process group of its own, so that all that it starts can be killed with it */
static int spawn(const char *const *argv, const struct environment *environment, int output, bool own_group,
                 pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) {
        return failed;
    }
    failed = posix_spawnattr_init(&attributes);
    if (failed) {
        posix_spawn_file_actions_destroy(&actions);
        return failed;
    }
    failed = own_group ? posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP) : 0;
    if (!failed) {
        failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    if (!failed) {
        failed = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    }
    if (!failed) {
        failed = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    }
    if (!failed) {
        char *const *words; /* posix_spawnp's type is from before const; it changes nothing */
        memcpy(&words, &argv, sizeof words);
        failed = posix_spawnp(child, argv[0], &actions, &attributes, words, environment->entries);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/** Wait until there is something to read. \return false at the deadline. */
static bool readable_wait(int from, double deadline_s)
{
    struct pollfd wanted = {.fd = from, .events = POLLIN};
    for (;;) {
        const double left_s = deadline_s - rg_clock_s();
        if (left_s <= 0) {
            return false;
        }
        const int ready = poll(&wanted, 1, left_s < 1000 ? (int)(left_s * 1000) + 1 : 1000000);
        if (ready > 0 || (ready < 0 && errno != EINTR)) {
            return true;
        }
    }
}

/** Read until the end. \return false when the deadline (0: none) passed before. */
static bool output_read(int from, double deadline_s, struct rg_buffer *output)
{
    char piece[4096];
    for (;;) {
        if (deadline_s > 0 && !readable_wait(from, deadline_s)) {
            return false;
        }
        const ssize_t got = read(from, piece, sizeof piece);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return true;
        }
        if (output->length < MAX_OUTPUT_BYTES) {
            rg_buffer_append(output, piece, (size_t)got);
        }
    }
}

static ridge_status wait_for(pid_t child, const char *name, struct rg_command_end *end, struct ridge_error *error)
{
    int state = 0;
    while (waitpid(child, &state, 0) < 0) {
        if (errno != EINTR) {
            return rg_error_system(error, RIDGE_E_IO, errno, NULL, "cannot wait for %s", name);
        }
    }
    end->signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    end->exit_code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    return RIDGE_OK;
}

ridge_status rg_command_run(const struct ridge_context *context, const char *const *argv, double timeout_s,
                            struct rg_buffer *output, struct rg_command_end *end, struct ridge_error *error)
{
    struct environment environment = {0};
    int ends[2];
    if (!environment_make(context, &environment)) {
        return rg_error_memory(error, environment.bytes);
    }
    if (pipe2(ends, O_CLOEXEC) != 0) {
        rg_free(context, environment.entries, environment.bytes);
        return rg_error_system(error, RIDGE_E_IO, errno, NULL, "cannot make a pipe");
    }
    pid_t child = -1;
    const int failed = spawn(argv, &environment, ends[1], timeout_s > 0, &child);
    close(ends[1]);
    rg_free(context, environment.entries, environment.bytes);
    if (failed) {
        close(ends[0]);
        const bool missing = failed == ENOENT || failed == EACCES || failed == ENOTDIR;
        return rg_error_system(error, missing ? RIDGE_E_UNAVAILABLE : RIDGE_E_IO, failed, NULL, "cannot run '%s'",
                               argv[0]);
    }
    end->timed_out = !output_read(ends[0], timeout_s > 0 ? rg_clock_s() + timeout_s : 0, output);
    close(ends[0]);
    if (end->timed_out) {
        kill(-child, SIGKILL);
    }
    const ridge_status status = wait_for(child, argv[0], end, error);
    return status == RIDGE_OK && output->failed ? rg_error_memory(error, output->length) : status;
}
