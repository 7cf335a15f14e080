/* SPDX-License-Identifier: MIT */
/**
 * \file Runs a fuzz target over the files named on the command line, and over all files of a folder named there: what a
 * build without libFuzzer tests.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MOST_BYTES = 1 << 20
};

static bool replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = file ? malloc(MOST_BYTES) : NULL;
    if (!bytes) {
        perror(path);
        if (file) {
            fclose(file);
        }
        return false;
    }
    const size_t size = fread(bytes, 1, MOST_BYTES, file);
    fclose(file);
    /* In a block of its exact size, so that a read behind the end is seen. */
    uint8_t *exact = realloc(bytes, size ? size : 1);
    if (exact) {
        LLVMFuzzerTestOneInput(exact, size);
    }
    free(exact ? exact : bytes);
    return exact != NULL;
}

/** \return inputs replayed; 0 when one failed, or when there were none. */
static unsigned replay(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) {
        return replay_file(path);
    }
    unsigned count = 0;
    bool good = true;
    for (const struct dirent *entry = readdir(folder); entry && good; entry = readdir(folder)) {
        char name[4096];
        const int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.') {
            good = length > 0 && (size_t)length < sizeof name && replay_file(name);
            count++;
        }
    }
    closedir(folder);
    return good ? count : 0;
}

int main(int count, char **arguments)
{
    bool good = count > 1;
    unsigned inputs = 0;
    for (int i = 1; i < count; i++) {
        const unsigned more = replay(arguments[i]);
        good = good && more > 0;
        inputs += more;
    }
    printf("%u inputs replayed\n", inputs);
    return good ? 0 : 1;
}
