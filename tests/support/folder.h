/* SPDX-License-Identifier: MIT */
/** \file A folder of a test's own under /tmp, and files with a text. Any failure fails the test. */
#ifndef RG_FOLDER_H
#define RG_FOLDER_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rg_test.h"

enum {
    FOLDER_BYTES = 64
};

/** Make a folder. \param name  part of its name, at most 40 bytes */
static inline void folder_make(char folder[FOLDER_BYTES], const char *name)
{
    snprintf(folder, FOLDER_BYTES, "/tmp/ridge-%s-XXXXXX", name);
    assert_non_null(mkdtemp(folder));
}

static inline int folder_remove_one(const char *path, const struct stat *facts, int kind, struct FTW *where)
{
    (void)facts;
    (void)kind;
    return where->level > 0 ? remove(path) : 0;
}

/** Remove everything in the folder. */
static inline void folder_clear(const char *folder)
{
    assert_int_equal(nftw(folder, folder_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static inline void folder_remove(const char *folder)
{
    folder_clear(folder);
    assert_int_equal(rmdir(folder), 0);
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/** Write a file in a folder. \return its path, which the next call overwrites. */
static inline const char *folder_write(const char *folder, const char *name, const char *text)
{
    static char path[256];
    assert_in_range(snprintf(path, sizeof path, "%s/%s", folder, name), 1, sizeof path - 1);
    write_text(path, text);
    return path;
}

/** \return how many lines a file has; 0: there is none. */
static inline size_t count_lines(const char *path)
{
    size_t lines = 0;
    FILE *file = fopen(path, "rb");
    for (int c = file ? getc(file) : EOF; c != EOF; c = getc(file)) {
        lines += c == '\n';
    }
    if (file) {
        fclose(file);
    }
    return lines;
}

#endif
