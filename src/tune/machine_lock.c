/* SPDX-License-Identifier: MIT */
/*
 * Two tuners on one machine spoil each other's times. All of them share one lock file: building takes it shared,
 * timing takes it alone, so that no tuner builds while another one times. Whoever waits holds a second file, the turn,
 * so that nobody who comes later gets in before: else tuners that build would keep one that wants to time waiting for
 * as long as they overlap. Nobody waits for the turn while holding the lock.
 */
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "tune/session.h"

static const char lock_path[] = "/tmp/ridge-machine.lock";
static const char turn_path[] = "/tmp/ridge-machine.turn";

/** \return a file to lock, or -1. Another user may have made it: systems that protect /tmp then refuse O_CREAT but
 * allow a plain open. */
static int lock_file_open(const char *path)
{
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    return file >= 0 ? file : open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

void rg_machine_lock_open(struct rg_tuning *tuning)
{
    if (!tuning->setup.backend->computes) {
        return; /* nothing runs, so that nothing is disturbed */
    }
    tuning->lock = lock_file_open(lock_path);
    tuning->lock_turn = lock_file_open(turn_path);
}

/** Wait for one of the files, coming back to look at the stop flag, and saying so when it takes long. */
static void file_take(struct rg_tuning *tuning, int file, int operation)
{
    static const double tell_every_s = 1;
    const struct timespec pause = {.tv_nsec = 5000000};
    double waited_s = 0;
    while (flock(file, operation | LOCK_NB) != 0 && rg_stop_level(tuning) == 0) {
        nanosleep(&pause, NULL);
        waited_s += 0.005;
        tuning->lock_wait_s += 0.005;
        if (waited_s >= tuning->shown.waiting_s + tell_every_s) {
            tuning->shown.waiting_s = waited_s;
            rg_show(tuning, NULL, RIDGE_OUTCOME_OK, NULL, NULL);
        }
    }
    tuning->shown.waiting_s = 0;
}

static void lock_take(struct rg_tuning *tuning, int operation)
{
    if (tuning->lock < 0 || tuning->lock_turn < 0) {
        return;
    }
    (void)flock(tuning->lock, LOCK_UN);
    file_take(tuning, tuning->lock_turn, LOCK_EX);
    file_take(tuning, tuning->lock, operation);
    (void)flock(tuning->lock_turn, LOCK_UN);
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
    int *const files[] = {&tuning->lock, &tuning->lock_turn};
    for (size_t i = 0; i < 2; i++) {
        if (*files[i] >= 0) {
            close(*files[i]);
            *files[i] = -1;
        }
    }
}
