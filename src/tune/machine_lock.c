/* SPDX-License-Identifier: MIT */
/*
 * Two tuners on one machine spoil each other's times. All of them share one lock file: building takes it shared,
 * timing takes it alone, so that no tuner builds while another one times.
 */
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "tune/session.h"

static const char lock_path[] = "/tmp/ridge-machine.lock";

void rg_machine_lock_open(struct rg_tuning *tuning)
{
    if (!tuning->setup.backend->computes) {
        return; /* nothing runs, so that nothing is disturbed */
    }
    /* Another user may have made it: systems that protect /tmp then refuse O_CREAT but allow a plain open. */
    tuning->lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (tuning->lock < 0) {
        tuning->lock = open(lock_path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    }
}

/** Take the lock, coming back to look at the stop flag. */
static void lock_take(struct rg_tuning *tuning, int operation)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    if (tuning->lock < 0) {
        return;
    }
    while (flock(tuning->lock, operation | LOCK_NB) != 0 && rg_stop_level(tuning) == 0) {
        nanosleep(&pause, NULL);
        tuning->lock_wait_s += 0.005;
    }
}

void rg_machine_lock_share(struct rg_tuning *tuning)
{
    lock_take(tuning, LOCK_SH);
}

void rg_machine_lock_alone(struct rg_tuning *tuning)
{
    lock_take(tuning, LOCK_EX);
}

void rg_machine_lock_close(struct rg_tuning *tuning)
{
    if (tuning->lock >= 0) {
        close(tuning->lock);
        tuning->lock = -1;
    }
}
