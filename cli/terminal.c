/* SPDX-License-Identifier: MIT */
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "options.h"

struct ridge_report_options terminal_options(void)
{
    struct ridge_report_options options = {0};
    if (!isatty(STDOUT_FILENO)) {
        return options;
    }
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        options.width = size.ws_col;
    }
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    options.colour = !(no_colour && no_colour[0]) && terminal && strcmp(terminal, "dumb") != 0;
    return options;
}

int report_exit(ridge_status status, const struct ridge_error *error)
{
    if (status == RIDGE_OK) {
        return EXIT_DONE;
    }
    return ferror(stdout) ? EXIT_INPUT : report_error(error);
}

void terminal_text(const char *text)
{
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        putchar(byte < 0x20 || byte == 0x7F ? '?' : byte);
    }
}
