/* SPDX-License-Identifier: MIT */
/** \file ridge occupancy --batch: CSV in, CSV out, streaming; a bad row is reported and the run goes on. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_occupancy.h"
#include "ridge/units.h"

enum {
    ROWS = 4096,        /* answered at once */
    LINE_BYTES = 65536, /* longest row */
    COLUMNS_MAX = 256,
    REPORTS_MAX = 100, /* bad rows reported one by one */
    WANTED = 4
};

static const char *const wanted[WANTED] = {"threads", "regs", "static_smem", "dynamic_smem"};

/** A CSV file being answered. */
struct batch {
    const struct occupancy_view *view;
    FILE *file;
    const char *path;
    uint64_t line; /* 1-based */
    char text[LINE_BYTES];
    bool was_cut;         /* the line has no end: the file stops in it */
    size_t place[WANTED]; /* which field each wanted column is */
    uint64_t bad;         /* rows */
    uint64_t rows;        /* with the bad ones */
    uint32_t max_warps;
    size_t pending; /* rows waiting in the arrays */
    bool is_bad[ROWS];
    uint32_t values[WANTED][ROWS];
    struct ridge_occupancy_cell cells[ROWS];
};

/** One field of a line. */
struct field {
    char *text;    /* NUL-terminated, without surrounding spaces and quotes */
    size_t column; /* 1-based, bytes */
};

/** What reading a line came to. */
enum got {
    GOT_LINE,
    GOT_LONG, /* it is too long; the rest of it was passed over */
    GOT_END
};

static enum got next_line(struct batch *batch)
{
    if (!fgets(batch->text, sizeof batch->text, batch->file)) {
        return GOT_END;
    }
    batch->line++;
    const size_t length = strlen(batch->text);
    batch->was_cut = length == 0 || batch->text[length - 1] != '\n';
    if (batch->was_cut && length + 1 == sizeof batch->text) {
        int byte = 0;
        while ((byte = getc(batch->file)) != EOF && byte != '\n') {
        }
        return GOT_LONG;
    }
    batch->text[strcspn(batch->text, "\r\n")] = '\0';
    return GOT_LINE;
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t")] == '\0';
}

/** Cut a line at its commas, in place. \return fields; at most `most` of them are stored. */
static size_t cut(char *line, struct field *fields, size_t most)
{
    size_t count = 0;
    char *at = line;
    for (bool more = true; more; count++) {
        char *end = at + strcspn(at, ",");
        more = *end == ',';
        *end = '\0';
        char *first = at + strspn(at, " \t\"");
        for (char *last = end; last > first && strchr(" \t\"", last[-1]); last--) {
            last[-1] = '\0';
        }
        if (count < most) {
            fields[count] = (struct field){first, (size_t)(first - line) + 1};
        }
        at = end + 1;
    }
    return count;
}

static void report(struct batch *batch, size_t column, const char *message)
{
    batch->bad++;
    if (batch->bad <= REPORTS_MAX) {
        fprintf(stderr, "ridge occupancy: %s:%" PRIu64 ":%zu: %s\n", batch->path, batch->line, column, message);
    } else if (batch->bad == REPORTS_MAX + 1) {
        fprintf(stderr, "ridge occupancy: %s: further bad rows are only counted\n", batch->path);
    }
}

/** Read the numbers of a row. \return false when it is bad; it has been reported. */
static bool read_row(struct batch *batch, uint32_t values[WANTED])
{
    struct field fields[COLUMNS_MAX];
    char message[512];
    const size_t length = strlen(batch->text);
    const size_t count = cut(batch->text, fields, COLUMNS_MAX);
    for (int i = 0; i < WANTED; i++) {
        uint64_t value = 0;
        struct ridge_error error = {0};
        if (batch->place[i] >= count) {
            snprintf(message, sizeof message, "the row has %zu fields and no %s (%zu fields%s)", count, wanted[i],
                     batch->place[i] + 1, batch->was_cut ? "; the file may have been cut off here" : "");
            report(batch, length + 1, message);
            return false;
        }
        const struct field *field = &fields[batch->place[i]];
        if (ridge_count_parse(field->text, UINT32_MAX, &value, &error) != RIDGE_OK) {
            snprintf(message, sizeof message, "%s: %.300s", wanted[i], error.message);
            report(batch, field->column, message);
            return false;
        }
        values[i] = (uint32_t)value;
    }
    return true;
}

/** Print the answers of the rows that wait. */
static void flush(struct batch *batch)
{
    const struct ridge_launch_columns columns = {batch->values[0], batch->values[1], batch->values[2],
                                                 batch->values[3]};
    ridge_occupancy_batch(batch->view->table, &columns, batch->pending, batch->cells);
    for (size_t i = 0; i < batch->pending; i++) {
        const struct ridge_occupancy_cell *cell = &batch->cells[i];
        char limiters[LIMITER_BYTES];
        char ratio[RIDGE_NUMBER_BYTES];
        if (batch->is_bad[i]) {
            puts(",,,,");
            continue;
        }
        occupancy_limiter_words(cell->limiters, "+", limiters);
        ridge_number_format((double)cell->warps / batch->max_warps, ratio);
        printf("%u,%u,%s,%s,%s\n", cell->blocks, cell->warps, ratio,
               cell->blocks ? limiters : ridge_launch_word((ridge_launch_rule)cell->rule), cell->blocks ? "yes" : "no");
    }
    batch->pending = 0;
}

static void run_rows(struct batch *batch)
{
    for (enum got got; (got = next_line(batch)) != GOT_END;) {
        uint32_t values[WANTED] = {0};
        bool is_bad = got == GOT_LONG;
        if (is_bad) {
            report(batch, LINE_BYTES, "the row is too long (at most 65534 bytes)");
        } else if (is_blank(batch->text)) {
            continue;
        } else {
            is_bad = !read_row(batch, values);
        }
        batch->rows++;
        batch->is_bad[batch->pending] = is_bad;
        for (int i = 0; i < WANTED; i++) {
            batch->values[i][batch->pending] = values[i];
        }
        if (++batch->pending == ROWS) {
            flush(batch);
        }
    }
    flush(batch);
}

/** Find the wanted columns in the header row. \return false with a message. */
static bool read_header(struct batch *batch)
{
    struct field fields[COLUMNS_MAX];
    const enum got got = next_line(batch);
    if (got == GOT_END && ferror(batch->file)) {
        fprintf(stderr, "ridge occupancy: %s cannot be read: %s\n", batch->path, strerror(errno));
        return false;
    }
    if (got != GOT_LINE) {
        fprintf(stderr, "ridge occupancy: %s:1: there is no header row (threads,regs,static_smem,dynamic_smem)\n",
                batch->path);
        return false;
    }
    char *text = batch->text;
    text += strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    const size_t count = cut(text, fields, COLUMNS_MAX);
    const size_t stored = count < COLUMNS_MAX ? count : COLUMNS_MAX;
    for (int i = 0; i < WANTED; i++) {
        const char *names[COLUMNS_MAX];
        bool found = false;
        for (size_t k = 0; k < stored; k++) {
            names[k] = fields[k].text;
            if (!found && strcmp(fields[k].text, wanted[i]) == 0) {
                batch->place[i] = k;
                found = true;
            }
        }
        if (!found) {
            const char *near = ridge_near_name(wanted[i], names, stored);
            fprintf(stderr,
                    "ridge occupancy: %s:1: column %s is missing%s%s%s (the header has "
                    "threads,regs,static_smem,dynamic_smem in any order)\n",
                    batch->path, wanted[i], near ? "; is '" : "", near ? near : "", near ? "' meant?" : "");
            return false;
        }
    }
    return true;
}

static int run(struct batch *batch)
{
    struct ridge_occupancy answer;
    ridge_occupancy_one(batch->view->table, &batch->view->launch, &answer);
    batch->max_warps = answer.max_warps;
    if (!read_header(batch)) {
        return EXIT_INPUT;
    }
    puts("blocks_per_sm,warps_per_sm,occupancy,limiter,launchable");
    run_rows(batch);
    if (ferror(batch->file)) {
        fprintf(stderr, "ridge occupancy: %s cannot be read to its end: %s\n", batch->path, strerror(errno));
        return EXIT_INPUT;
    }
    if (batch->bad) {
        fflush(stdout);
        fprintf(stderr, "ridge occupancy: %" PRIu64 " of %" PRIu64 " rows are bad; their answers are empty\n",
                batch->bad, batch->rows);
    }
    return batch->bad ? EXIT_NEGATIVE : EXIT_DONE;
}

int occupancy_run_batch(const struct occupancy_view *view)
{
    const char *path = view->question->batch;
    const bool is_stdin = strcmp(path, "-") == 0;
    struct batch *batch = calloc(1, sizeof *batch);
    if (!batch) {
        fprintf(stderr, "ridge occupancy: out of memory\n");
        return EXIT_INTERNAL;
    }
    batch->view = view;
    batch->path = is_stdin ? "standard input" : path;
    batch->file = is_stdin ? stdin : fopen(path, "r");
    int code = EXIT_INPUT;
    if (batch->file) {
        code = run(batch);
    } else {
        fprintf(stderr, "ridge occupancy: %s cannot be read: %s\n", path, strerror(errno));
    }
    if (batch->file && !is_stdin) {
        fclose(batch->file);
    }
    free(batch);
    return code;
}
