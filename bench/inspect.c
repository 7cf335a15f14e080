/* SPDX-License-Identifier: MIT */
/*
 * How fast compiled code is read: bench_inspect FILE... visits every kernel of each file, on all processors and on one,
 * and prints kernels a second beside the floor: what libraries of zstd and LZ4 alone need to unpack the same images. Raw files
 * (bench/inspect_raw.py makes one) are told apart from packed ones. Ends with the attributes that are not known.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cpus.h"
#include "binary/elf64.h"
#include "binary/fatbin.h"
#include "cost.h"
#include "ridge/binary.h"

enum {
    THREADS_MOST = 64
};

struct tally {
    uint64_t kernels;
    uint64_t mangled_left; /* names that begin as C++ names do and were not demangled */
    uint64_t without_registers;
    uint64_t spilling;
    uint64_t unknown[256];
};

/** The packed images of files, and what unpacking them takes. Shared with the process that does it. */
struct floor {
    uint64_t images, stored_bytes, unpacked_bytes, failed;
    struct cost one, all;
};

/** Files that hold packed images, or none. */
struct group {
    const char *name;
    int files, failed;
    struct tally tally;
    struct cost one, all;
};

struct images {
    struct rg_packed *list;
    size_t count, capacity;
    uint64_t largest_bytes;
    atomic_size_t next;
    atomic_size_t failed;
};

/** Add what has been spent since. */
static void cost_add(struct cost *to, const struct cost *began)
{
    const struct cost now = cost_now(false);
    const struct cost spent = cost_between(began, &now);
    to->clock_s += spent.clock_s;
    to->cpu_s += spent.cpu_s;
}

static bool count(void *user, const struct ridge_binary_kernel *kernel)
{
    struct tally *tally = user;
    tally->kernels++;
    tally->mangled_left += kernel->readable_name[0] == '_' && kernel->readable_name[1] == 'Z';
    tally->without_registers += kernel->registers == RIDGE_NOT_STATED;
    tally->spilling += kernel->spill_store_bytes != RIDGE_NOT_STATED && kernel->spill_store_bytes > 0;
    for (uint32_t i = 0; i < kernel->unknown_attributes; i++) {
        tally->unknown[kernel->attributes[i].code]++;
    }
    return true;
}

static void log_line(void *user, ridge_log_level level, const char *message)
{
    (void)user;
    (void)level;
    fprintf(stderr, "warning: %s\n", message);
}

static void collect(struct images *images, struct rg_view bytes)
{
    const struct rg_image image = {.bytes = bytes, .file = "", .place = ""};
    struct rg_fatbin_walk walk = {.bytes = bytes};
    struct rg_fatbin_entry entry;
    while (rg_fatbin_next(&walk, &image, &entry, NULL)) {
        if (entry.kind != RG_FATBIN_CUBIN || !rg_fatbin_is_packed(&entry)) {
            continue;
        }
        if (images->count == images->capacity) {
            images->capacity = images->capacity ? 2 * images->capacity : 1024;
            images->list = realloc(images->list, images->capacity * sizeof *images->list);
            if (!images->list) {
                abort();
            }
        }
        images->list[images->count++] = rg_fatbin_packed(&entry);
        images->largest_bytes =
            entry.unpacked_bytes > images->largest_bytes ? entry.unpacked_bytes : images->largest_bytes;
    }
}

/** Find the packed images of a host library or a bare fat binary. */
static void collect_file(struct images *images, const char *path)
{
    struct rg_mapping mapping;
    struct rg_elf elf;
    if (rg_mapping_open(path, &mapping, NULL) != RIDGE_OK) {
        return; /* it is told when it is read */
    }
    const struct rg_image image = {
        .bytes = {mapping.memory, mapping.size}, .file = path, .place = "", .below = RG_RANK_ANY};
    if (rg_is_fatbin(image.bytes)) {
        collect(images, image.bytes);
    } else if (rg_elf_open(&image, &elf, NULL) == RIDGE_OK) {
        for (size_t i = 1; i < elf.section_count; i++) {
            const struct rg_section section = rg_elf_section(&elf, i);
            const bool holds = strcmp(section.name, ".nv_fatbin") == 0 || strcmp(section.name, "__nv_relfatbin") == 0;
            if (holds) {
                collect(images, rg_elf_bytes(&elf, &section));
            }
        }
    }
}

/** Unpack images until there are no more, into one buffer. */
static void *unpack_some(void *argument)
{
    struct images *images = argument;
    struct rg_unpacked to = {.memory = malloc(images->largest_bytes), .capacity = images->largest_bytes};
    void *decoder = NULL;
    for (size_t i = atomic_fetch_add(&images->next, 1); to.memory && i < images->count;
         i = atomic_fetch_add(&images->next, 1)) {
        if (!rg_unpack_run(&decoder, &images->list[i], &to)) {
            atomic_fetch_add(&images->failed, 1);
        }
    }
    rg_unpack_decoder_free(decoder);
    free(to.memory);
    return NULL;
}

static void unpack_all(struct images *images, unsigned threads, struct cost *cost)
{
    pthread_t others[THREADS_MOST];
    const struct cost began = cost_now(false);
    unsigned started = 0;
    atomic_store(&images->next, 0);
    while (started + 1 < threads && started < THREADS_MOST &&
           pthread_create(&others[started], NULL, unpack_some, images) == 0) {
        started++;
    }
    unpack_some(images);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(others[i], NULL);
    }
    cost_add(cost, &began);
}

/** Measure the floor of one file in a process of its own: its memory is not to be counted, and the file is then cached. */
static void measure_floor(const char *path, struct floor *out)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        struct images images = {0};
        collect_file(&images, path);
        for (size_t i = 0; i < images.count; i++) {
            out->stored_bytes += images.list[i].bytes.size;
            out->unpacked_bytes += images.list[i].unpacked_bytes;
        }
        out->images += images.count;
        if (images.count > 0) {
            struct cost ignored = {0};
            unpack_all(&images, rg_usable_cpus(), &ignored); /* reads the file */
            unpack_all(&images, rg_usable_cpus(), &out->all);
            unpack_all(&images, 1, &out->one);
        }
        out->failed += images.failed;
        _exit(0);
    }
    int status = 0;
    out->failed += child < 0 || waitpid(child, &status, 0) < 0 || status != 0;
}

/** \return whether all of a file could be read. */
static bool read_file(const struct ridge_context *context, const char *path, unsigned threads, struct tally *tally,
                      struct cost *cost)
{
    const struct ridge_binary_visitor visitor = {.kernel = count, .user = tally, .threads = threads};
    struct ridge_binary *binary = NULL;
    struct ridge_error error = {0};
    uint64_t skipped = 0;
    const struct cost began = cost_now(false);
    ridge_status status = ridge_binary_open(context, path, &binary, &error);
    status = status == RIDGE_OK ? ridge_binary_visit(binary, &visitor, &skipped, &error) : status;
    cost_add(cost, &began);
    if (status != RIDGE_OK) {
        char text[2048];
        ridge_error_format(&error, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    ridge_binary_close(binary);
    return status == RIDGE_OK && skipped == 0;
}

static void tally_add(struct tally *to, const struct tally *from)
{
    to->kernels += from->kernels;
    to->mangled_left += from->mangled_left;
    to->without_registers += from->without_registers;
    to->spilling += from->spilling;
    for (size_t i = 0; i < 256; i++) {
        to->unknown[i] += from->unknown[i];
    }
}

static double mib(uint64_t bytes)
{
    return (double)bytes / 1048576;
}

static double peak_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void measure(const struct ridge_context *context, const char *path, struct group groups[2], struct floor *floor)
{
    struct tally tally = {0};
    struct tally again = {0};
    const struct floor before = *floor;
    measure_floor(path, floor);
    const uint64_t unpacked_bytes = floor->unpacked_bytes - before.unpacked_bytes;
    struct group *group = &groups[unpacked_bytes == 0];
    const struct group was = *group;
    const bool fine =
        read_file(context, path, 0, &tally, &group->all) && read_file(context, path, 1, &again, &group->one);
    group->files++;
    group->failed += !fine;
    printf("%8" PRIu64 " %9.1f %9.1f %9.1f %9.1f %9.1f  %s\n", tally.kernels, mib(unpacked_bytes),
           1e3 * (group->all.clock_s - was.all.clock_s), 1e3 * (floor->all.clock_s - before.all.clock_s),
           1e3 * (group->one.clock_s - was.one.clock_s), 1e3 * (floor->one.clock_s - before.one.clock_s), path);
    tally_add(&group->tally, &tally);
}

static void print_cost(const char *name, const struct cost *cost, uint64_t kernels, uint64_t bytes)
{
    printf("  %-26s %8.2f %8.2f %10.0f", name, cost->clock_s, cost->cpu_s, (double)kernels / cost->clock_s);
    if (bytes > 0) {
        printf(" %9.2f", 1e-9 * (double)bytes / cost->clock_s);
    }
    printf("\n");
}

static void print_group(const struct group *group, const struct floor *floor)
{
    const uint64_t kernels = group->tally.kernels;
    const uint64_t bytes = floor ? floor->unpacked_bytes : 0;
    if (group->files == 0) {
        return;
    }
    printf("%s: %d files, %d failed, %" PRIu64 " kernels (goal: 200,000/s)\n", group->name, group->files, group->failed,
           kernels);
    if (floor) {
        printf("%" PRIu64 " images of %.0f MiB, unpacked %.0f MiB; not unpacked %" PRIu64 "\n", floor->images,
               mib(floor->stored_bytes), mib(bytes), floor->failed);
    }
    printf("  %-26s %8s %8s %10s %9s\n", "", "clock s", "CPU s", "kernels/s", floor ? "GB/s" : "");
    print_cost("read, all processors", &group->all, kernels, bytes);
    if (floor) {
        print_cost("unpacked only: the floor", &floor->all, kernels, bytes);
    }
    print_cost("read, one thread", &group->one, kernels, bytes);
    if (floor) {
        print_cost("unpacked only: the floor", &floor->one, kernels, bytes);
    }
}

static void print_tally(const struct tally *tally)
{
    printf("without registers %" PRIu64 ", spilling %" PRIu64 ", names not demangled %" PRIu64
           "; attributes not known:",
           tally->without_registers, tally->spilling, tally->mangled_left);
    for (size_t i = 0; i < 256; i++) {
        if (tally->unknown[i]) {
            printf(" 0x%02zx (%" PRIu64 ")", i, tally->unknown[i]);
        }
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    const struct ridge_context_options options = {.log = log_line};
    struct ridge_context *context = NULL;
    struct group groups[2] = {{.name = "packed"}, {.name = "raw"}};
    struct floor *floor = mmap(NULL, sizeof *floor, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc < 2 || floor == MAP_FAILED || ridge_context_create(&options, &context, NULL) != RIDGE_OK) {
        fprintf(stderr, "usage: bench_inspect FILE...\n");
        return 2;
    }
    printf("%8s %9s %9s %9s %9s %9s\n", "kernels", "MiB", "ms", "floor ms", "one ms", "floor ms");
    for (int i = 1; i < argc; i++) {
        measure(context, argv[i], groups, floor);
    }
    print_group(&groups[0], floor);
    print_group(&groups[1], NULL);
    printf("peak memory %.1f MiB; goal: below 100\n", peak_mib());
    tally_add(&groups[0].tally, &groups[1].tally);
    print_tally(&groups[0].tally);
    ridge_context_destroy(context);
    return groups[0].failed + groups[1].failed > 0;
}
