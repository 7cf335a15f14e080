/* SPDX-License-Identifier: MIT */
#include "rank_count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_cache.h"
#include "progress.h"

/** The compilers' name of an NVIDIA GPU: "cc:8.6" is sm_86. \return NULL: it is none */
static const char *machine_of(const struct ridge_device_match *device, char *out, size_t bytes)
{
    const struct ridge_device *architecture = device->devices[0]->architecture;
    int major = 0;
    int minor = 0;
    const bool nvidia = architecture && sscanf(architecture->name, "cc:%d.%d", &major, &minor) == 2; /* NOLINT */
    snprintf(out, bytes, "sm_%d%d", major, minor);
    return nvidia ? out : NULL;
}

static void say(struct rank_count *count)
{
    const struct ridge_counted *counted = &count->counted;
    size_t used = (size_t)snprintf(count->words, sizeof count->words, "%llu of %llu configurations counted",
                                   (unsigned long long)counted->counted, (unsigned long long)counted->configurations);
    if (counted->drawn > 0) {
        used += (size_t)snprintf(count->words + used, sizeof count->words - used,
                                 " (%llu drawn at random, then neighbours of the best; the others are last)",
                                 (unsigned long long)counted->drawn);
    }
    used += (size_t)snprintf(count->words + used, sizeof count->words - used, ", in code of %s, %s; %.3g ms to run one",
                             counted->language, counted->compiler, 1e3 * counted->median_run_s);
    if (counted->median_compile_s > 0) {
        used += (size_t)snprintf(count->words + used, sizeof count->words - used,
                                 " and %.3g ms to compile one (medians)", 1e3 * counted->median_compile_s);
    }
    snprintf(count->words + used, sizeof count->words - used, "; registers %s",
             counted->registers > 0 ? "of compiled code" : "not known: they limit nothing here");
}

bool rank_count_is_needed(const struct ranker *ranker)
{
    const bool by_work = ranker->model == RIDGE_MODEL_AUTO || ranker->model == RIDGE_MODEL_WORK;
    return by_work && ranker->evidence_count == 0 && !ridge_spec_has_work(ranker->spec) &&
           ridge_spec_has_device_source(ranker->spec);
}

int rank_count_open(struct rank_count *count, const struct ranker *ranker, const char *cuda_path, bool show)
{
    static char words[] = "configurations counted";
    char cache[CACHE_PATH_BYTES];
    char machine[32];
    struct ridge_error error = {0};
    struct ridge_tracer *tracer = NULL;
    const struct ridge_trace_options options = {.set = ranker->set.items,
                                                .set_count = ranker->set.count,
                                                .machine = machine_of(&ranker->device, machine, sizeof machine),
                                                .quick = true,
                                                .cuda_path = cuda_path,
                                                .cache_folder = code_cache_path(ranker->spec_path, cache, sizeof cache),
                                                .work_folder = getenv("TMPDIR")};
    const struct ridge_count_options how = {.device = &ranker->device,
                                            .limit = count->limit.value,
                                            .seed = count->seed,
                                            .progress = show ? progress_count : NULL,
                                            .user = words};
    /* What the name does not say, the ranking refuses: before minutes of counting, not after them. */
    uint32_t multiprocessors = 0;
    ridge_status status = ridge_match_count(&ranker->device, RIDGE_FACT_MULTIPROCESSORS, &multiprocessors, &error);
    if (status == RIDGE_OK) {
        status = ridge_tracer_open(ranker->context, ranker->spec_path, &options, &tracer, &error);
    }
    if (status == RIDGE_OK) {
        status = ridge_count_space(tracer, &how, &count->counted, &error);
    }
    ridge_tracer_close(tracer);
    if (status != RIDGE_OK) {
        progress_clear();
        return report_error(&error);
    }
    say(count);
    return EXIT_DONE;
}

void rank_count_close(struct rank_count *count)
{
    ridge_counted_fini(&count->counted);
}
