/* SPDX-License-Identifier: MIT */
/*
 * Which process tunes a run: a lock file beside the database, with the process's number in it. The system releases the
 * lock when the process ends, however it ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "tune/session.h"

/** Say who holds the run. */
static ridge_status lock_refuse(const struct rg_tuning *tuning, int descriptor, int64_t run, struct ridge_error *error)
{
    char owner[32] = "";
    const ssize_t got = pread(descriptor, owner, sizeof owner - 1, 0);
    owner[got > 0 ? strcspn(owner, "\n") : 0] = '\0';
    const struct rg_place place = {.file = rg_store_path(tuning->store)};
    return rg_error_at(error, RIDGE_E_STORE, &place,
                       "run %lld is being tuned by process %s (wait for it, or leave out --resume)", (long long)run,
                       owner[0] ? owner : "?");
}

ridge_status rg_run_lock(struct rg_tuning *tuning, int64_t run, struct ridge_error *error)
{
    tuning->run_lock_path =
        rg_arena_printf(&tuning->arena, "%s-run%lld.lock", rg_store_path(tuning->store), (long long)run);
    if (!tuning->run_lock_path) {
        return rg_error_memory(error, 0);
    }
    const int descriptor = open(tuning->run_lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) {
        return rg_error_system(error, RIDGE_E_IO, errno, tuning->run_lock_path, "cannot make the lock of the run");
    }
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        const ridge_status status = lock_refuse(tuning, descriptor, run, error);
        close(descriptor);
        return status;
    }
    char owner[32];
    const int length = snprintf(owner, sizeof owner, "%d\n", (int)getpid());
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, owner, (size_t)length, 0) != length) {
        rg_log(tuning->context, RIDGE_LOG_DEBUG, "%s cannot be written", tuning->run_lock_path);
    }
    tuning->run_lock = descriptor;
    return RIDGE_OK;
}

void rg_run_unlock(struct rg_tuning *tuning)
{
    if (tuning->run_lock >= 0) {
        (void)unlink(tuning->run_lock_path);
        close(tuning->run_lock);
        tuning->run_lock = -1;
    }
}
