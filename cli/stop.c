/* SPDX-License-Identifier: MIT */
#include "stop.h"

#include <stddef.h>

/** How often the person asked to stop. */
static volatile sig_atomic_t stop_level;

static void on_signal(int number)
{
    (void)number;
    stop_level = stop_level < 2 ? stop_level + 1 : 2;
}

const volatile sig_atomic_t *stop_catch(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* A reader of the output that leaves must not end the run. */
    (void)signal(SIGPIPE, SIG_IGN);
    return &stop_level;
}
