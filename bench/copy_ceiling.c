/* SPDX-License-Identifier: MIT */
/**
 * \file How fast this machine copies: copy_ceiling BYTES [SAMPLES]. BYTES are read and BYTES are written, by all
 * processors at once, with memcpy and with stores that pass by the caches. Prints the median rate of each in GB/s (bytes
 * read and written together), which is what a transform of as many bytes is held against.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__SSE2__)
#    include <emmintrin.h>
#endif

enum {
    MOST_THREADS = 256,
    MOST_SAMPLES = 1000
};

struct part {
    pthread_barrier_t *begin, *end;
    const char *from;
    char *to;
    size_t bytes;
    int samples;
    void (*copy)(char *to, const char *from, size_t bytes);
};

static void copy_plain(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

static void copy_past_caches(char *to, const char *from, size_t bytes)
{
#if defined(__SSE2__)
    for (size_t i = 0; i + 16 <= bytes; i += 16) {
        _mm_stream_si128((__m128i *)(void *)(to + i), _mm_load_si128((const __m128i *)(const void *)(from + i)));
    }
    _mm_sfence();
#else
    memcpy(to, from, bytes);
#endif
}

static void *work(void *user)
{
    const struct part *part = user;
    for (int i = 0; i < part->samples; i++) {
        pthread_barrier_wait(part->begin);
        part->copy(part->to, part->from, part->bytes);
        pthread_barrier_wait(part->end);
    }
    return NULL;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_s(const char *from, char *to, size_t bytes, int threads, int samples,
                       void (*copy)(char *, const char *, size_t))
{
    static pthread_t ids[MOST_THREADS];
    static struct part parts[MOST_THREADS];
    static double times[MOST_SAMPLES];
    pthread_barrier_t begin, end;
    const size_t each = bytes / (size_t)threads / 64 * 64;
    pthread_barrier_init(&begin, NULL, (unsigned)threads + 1);
    pthread_barrier_init(&end, NULL, (unsigned)threads + 1);
    for (int i = 0; i < threads; i++) {
        parts[i] = (struct part){&begin, &end, from + each * (size_t)i, to + each * (size_t)i, each, samples, copy};
        pthread_create(&ids[i], NULL, work, &parts[i]);
    }
    for (int i = 0; i < samples; i++) {
        pthread_barrier_wait(&begin);
        const double began_s = now_s();
        pthread_barrier_wait(&end);
        times[i] = now_s() - began_s;
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
    }
    pthread_barrier_destroy(&begin);
    pthread_barrier_destroy(&end);
    qsort(times, (size_t)samples, sizeof *times, ascending);
    return times[samples / 2];
}

int main(int argc, char **argv)
{
    const size_t bytes = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) / 64 * 64 : (size_t)256 << 20;
    const int wanted = argc > 2 ? atoi(argv[2]) : 21;
    const int samples = wanted < 1 ? 1 : wanted > MOST_SAMPLES ? MOST_SAMPLES : wanted;
    cpu_set_t set;
    const int usable = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    const int threads = usable > MOST_THREADS ? MOST_THREADS : usable;
    char *from = aligned_alloc(64, bytes);
    char *to = aligned_alloc(64, bytes);
    if (!from || !to || bytes == 0) {
        fprintf(stderr, "copy_ceiling: no memory for two buffers of %zu bytes\n", bytes);
        return 1;
    }
    memset(from, 1, bytes);
    memset(to, 2, bytes);
    const double plain_s = median_s(from, to, bytes, threads, samples, copy_plain);
    const double past_s = median_s(from, to, bytes, threads, samples, copy_past_caches);
    printf("memcpy %.3f GB/s\npast_caches %.3f GB/s\n", 2 * (double)bytes / plain_s / 1e9,
           2 * (double)bytes / past_s / 1e9);
    free(from);
    free(to);
    return 0;
}
