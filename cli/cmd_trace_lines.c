/* SPDX-License-Identifier: MIT */
/** \file ridge trace --lines: the work of each line of the source, with the line itself where the file can be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_trace.h"
#include "terminal.h"

enum {
    SHOWN_LINES = 24,
    SHOWN_BYTES = 64, /* of the text of a line */
    LINE_BYTES = 4096
};

/** Write the text of a line without the blanks around it. \return whether the file has it */
static bool read_line(const char *path, unsigned number, char out[SHOWN_BYTES])
{
    char line[LINE_BYTES];
    FILE *file = number > 0 ? fopen(path, "r") : NULL;
    unsigned at = 0;
    bool whole = true; /* what was read last ended a line */
    while (file && at < number && fgets(line, sizeof line, file)) {
        at += whole;
        whole = strchr(line, '\n') != NULL;
    }
    if (file) {
        (void)fclose(file);
    }
    if (!file || at < number) {
        return false;
    }
    const char *text = line + strspn(line, " \t");
    const size_t length = strcspn(text, "\r\n");
    snprintf(out, SHOWN_BYTES, "%.*s%s", (int)(length < SHOWN_BYTES ? length : SHOWN_BYTES - 5), text,
             length < SHOWN_BYTES ? "" : " ...");
    return length > 0;
}

static void print_line(const struct ridge_trace_line *line, double counted)
{
    char text[SHOWN_BYTES];
    printf("  %16.0f  %5.1f %% %11.0f %11.0f %11.0f  ", line->warp_instructions,
           100 * line->warp_instructions / counted, line->shared_wavefronts, line->global_requests,
           line->global_sectors);
    if (!line->file[0]) {
        printf("(no source line)\n");
        return;
    }
    terminal_text(line->file);
    printf(":%u", line->line);
    if (read_line(line->file, line->line, text)) {
        fputs("  ", stdout);
        terminal_text(text);
    }
    putchar('\n');
}

void trace_print_lines(const struct ridge_trace *trace)
{
    double counted = 0;
    for (size_t i = 0; i < trace->line_count; i++) {
        counted += trace->lines[i].warp_instructions;
    }
    printf(
        "\nBy source line (of what was run)\n  warp instructions   share  wavefronts    requests     sectors  line\n");
    for (size_t i = 0; i < trace->line_count && i < SHOWN_LINES; i++) {
        print_line(&trace->lines[i], counted);
    }
    if (trace->line_count > SHOWN_LINES) {
        printf("  and %zu more (--json has them all)\n", trace->line_count - SHOWN_LINES);
    }
}
