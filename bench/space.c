/* SPDX-License-Identifier: MIT */
/**
 * \file Spaces, from the file to the point where any configuration can be had by its index, and then all of them:
 * bench_space SPEC...
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "../cli/space_rows.h"
#include "base/clock.h"
#include "ridge/space.h"

enum {
    BUILDS = 15,
    MOST_LISTED = 20000000,
    MOST_IDS = 500000,
    LOOKUPS = 100000
};

/** Built space, with the best of some times. */
struct built {
    struct ridge_spec *spec;
    struct ridge_space *space;
    double load_s;
    double create_s;
};

static bool build_once(const struct ridge_context *context, const char *path, struct built *out)
{
    const double begin_s = rg_clock_s();
    if (ridge_spec_load(context, path, NULL, 0, &out->spec, NULL) != RIDGE_OK) {
        return false;
    }
    out->load_s = rg_clock_s() - begin_s;
    if (ridge_space_create(context, out->spec, &out->space, NULL) != RIDGE_OK) {
        ridge_spec_destroy(out->spec);
        return false;
    }
    out->create_s = rg_clock_s() - begin_s - out->load_s;
    return true;
}

static void destroy(struct built *built)
{
    ridge_space_destroy(built->space);
    ridge_spec_destroy(built->spec);
}

/** The first build of all is among them: a person has no warm caches either; the best is what the machine can do. */
static bool build(const struct ridge_context *context, const char *path, struct built *best)
{
    *best = (struct built){.load_s = 1e9, .create_s = 1e9};
    for (int i = 0; i < BUILDS; i++) {
        struct built built = {0};
        if (!build_once(context, path, &built)) {
            return false;
        }
        const double load_s = built.load_s < best->load_s ? built.load_s : best->load_s;
        const double create_s = built.create_s < best->create_s ? built.create_s : best->create_s;
        if (i > 0) {
            destroy(best);
        }
        *best = built;
        best->load_s = load_s;
        best->create_s = create_s;
    }
    return true;
}

static bool swallow(void *user, const char *bytes, size_t length)
{
    uint64_t *seen = user;
    *seen += length + (unsigned char)bytes[0];
    return true;
}

/** \return configurations a second; format -1: none, the cursor alone. */
static double list(const struct ridge_space *space, int format, uint64_t most)
{
    uint64_t seen = 0;
    uint64_t listed = 0;
    const struct ridge_sink sink = {swallow, &seen};
    struct ridge_space_cursor *cursor = NULL;
    struct rows *rows = format < 0 ? NULL : rows_begin(space, (enum rows_format)format, sink);
    const double begin_s = rg_clock_s();
    const uint32_t *choice = NULL;
    if (ridge_space_cursor_create(space, &cursor, NULL) != RIDGE_OK) {
        return 0;
    }
    while (listed < most && ridge_space_cursor_next(cursor, &choice, NULL) == RIDGE_OK && choice) {
        listed++;
        if (rows) {
            rows_put(rows, &(struct row){choice, cursor});
        }
    }
    rows_end(rows);
    ridge_space_cursor_destroy(cursor);
    return (double)listed / (rg_clock_s() - begin_s);
}

/** \return seconds a look-up by index and back. */
static double look_up(const struct ridge_space *space, uint64_t count)
{
    uint32_t choice[64];
    uint64_t index = 0;
    uint64_t wrong = 0;
    const double begin_s = rg_clock_s();
    for (uint64_t i = 0; i < LOOKUPS; i++) {
        const uint64_t wanted = i * UINT64_C(2654435761) % count;
        wrong += ridge_space_at(space, wanted, choice, NULL) != RIDGE_OK ||
                 ridge_space_index(space, choice, &index, NULL) != RIDGE_OK || index != wanted;
    }
    return wrong ? -1 : (rg_clock_s() - begin_s) / LOOKUPS;
}

int main(int argc, char **argv)
{
    struct ridge_context *context = NULL;
    double total_s = 0;
    double listing_s = 0;
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK) {
        return 1;
    }
    printf("%-16s %12s %9s %9s %9s %9s %8s %8s %8s %8s %9s\n", "space", "count", "parse ms", "build ms", "both ms",
           "bytes", "walk M/s", "csv M/s", "json M/s", "ids M/s", "index ns");
    for (int i = 1; i < argc; i++) {
        struct built built;
        uint64_t count = 0;
        if (!build(context, argv[i], &built)) {
            printf("%s cannot be built\n", argv[i]);
            return 1;
        }
        ridge_space_count(built.space, &count, NULL);
        const double csv = list(built.space, ROWS_CSV, MOST_LISTED);
        printf("%-16.16s %12" PRIu64 " %9.3f %9.3f %9.3f %9zu %8.1f %8.1f %8.1f %8.2f %9.0f\n",
               strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i], count, built.load_s * 1e3,
               built.create_s * 1e3, (built.load_s + built.create_s) * 1e3, ridge_space_bytes(built.space),
               list(built.space, -1, MOST_LISTED) / 1e6, csv / 1e6, list(built.space, ROWS_JSON, MOST_LISTED) / 1e6,
               list(built.space, ROWS_IDS, MOST_IDS) / 1e6, look_up(built.space, count) * 1e9);
        total_s += built.load_s + built.create_s;
        listing_s += (double)count / csv;
        destroy(&built);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("together: parse and build %.2f ms, writing all as CSV %.2f ms; peak memory %ld KiB\n", total_s * 1e3,
           listing_s * 1e3, usage.ru_maxrss);
    ridge_context_destroy(context);
    return 0;
}
