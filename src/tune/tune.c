/* SPDX-License-Identifier: MIT */
#include "ridge/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpus.h"
#include "base/error.h"
#include "base/file.h"
#include "base/temporary.h"
#include "space/space.h"
#include "tune/session.h"

static const double default_timeout_s = 30;
static const double default_precision_ratio = 0.01;

/** Candidates that fail to compile in one and the same way, with nothing else seen, before the run gives up. */
static const uint64_t same_failures_enough = 16;

static void options_complete(struct rg_tuning *tuning, const struct ridge_tune_options *options)
{
    tuning->options = *options;
    if (!(options->timeout_s > 0)) {
        tuning->options.timeout_s = default_timeout_s;
    }
    if (!(options->precision_ratio > 0)) {
        tuning->options.precision_ratio = default_precision_ratio;
    }
    if (options->workers == 0) {
        tuning->options.workers = rg_usable_cpus();
    }
    if (tuning->options.workers > RG_MAX_WORKERS) {
        tuning->options.workers = RG_MAX_WORKERS;
    }
    if (!options->work_root) {
        tuning->options.work_root = "/tmp";
    }
}

/** Read the source that the backend runs. \param[out] text  "" for a backend that needs none */
static ridge_status source_read(struct rg_tuning *tuning, const struct rg_backend *backend, const char **path,
                                const char **text, struct ridge_error *error)
{
    static const rg_language languages[] = {
        [RG_SOURCE_OPENCL] = RG_LANGUAGE_OPENCL, [RG_SOURCE_CUDA] = RG_LANGUAGE_CUDA, [RG_SOURCE_C] = RG_LANGUAGE_C};
    static const char *const words[] = {[RG_SOURCE_OPENCL] = "opencl", [RG_SOURCE_CUDA] = "cuda", [RG_SOURCE_C] = "c"};
    *path = "";
    *text = "";
    if (backend->language == RG_SOURCE_ANY) {
        return RIDGE_OK;
    }
    const rg_language language = languages[backend->language];
    const char *file = tuning->spec->sources[language];
    if (!file) {
        const struct rg_place place = {.file = tuning->spec->path};
        return rg_error_at(error, RIDGE_E_VALUE, &place,
                           "there is no source for --device %s (add %s = \"...\" to sources)", backend->name,
                           words[backend->language]);
    }
    char *read = NULL;
    struct ridge_error why = {0};
    const ridge_status status = rg_file_read(&tuning->arena, file, &read, NULL, &why);
    if (status != RIDGE_OK) {
        return rg_error_at(error, status, &tuning->spec->source_places[language], "%s: %s", file, why.message);
    }
    *path = file;
    *text = read;
    return RIDGE_OK;
}

static ridge_status setup_fill(struct rg_tuning *tuning, const char **source_text, struct ridge_error *error)
{
    struct rg_device_choice device;
    ridge_status status = rg_device_choose(tuning->options.device, &device, error);
    const char *path = NULL;
    if (status == RIDGE_OK) {
        status = source_read(tuning, device.backend, &path, source_text, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    const struct rg_recording *recording = NULL;
    if (device.file) {
        status = rg_recording_open(tuning, device.file, &recording, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    void *facts = mmap(NULL, sizeof *tuning->setup.facts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (facts == MAP_FAILED) {
        return rg_error_memory(error, sizeof *tuning->setup.facts);
    }
    tuning->setup = (struct rg_worker_setup){
        .space = tuning->space,
        .spec = tuning->spec,
        .workload = &tuning->workload,
        .backend = device.backend,
        .facts = facts,
        .session = {.context = tuning->context,
                    .platform_index = device.platform_index,
                    .device_index = device.device_index,
                    .entry = tuning->spec->entry,
                    .source_path = path,
                    .source_text = *source_text,
                    .source_folder = tuning->spec->folder,
                    .shapes = tuning->workload.shapes,
                    .shape_count = tuning->workload.count,
                    .cold = tuning->options.cold,
                    .recording = recording,
                    .cuda_path = tuning->options.cuda_path,
                    .artifact_folder = tuning->options.artifact_folder},
    };
    return RIDGE_OK;
}

static ridge_status pool_open(struct rg_tuning *tuning, struct ridge_error *error)
{
    char root[sizeof tuning->pool.root];
    const ridge_status status = rg_temporary_make(tuning->options.work_root, root, sizeof root, error);
    if (status != RIDGE_OK) {
        return status;
    }
    return rg_pool_init(&tuning->pool, tuning->context, &tuning->setup, tuning->options.workers,
                        tuning->options.timeout_s, tuning->options.stop, root, error);
}

/** Several workers hold the arguments several times: use one where they would crowd the device. */
static void workers_limit(struct rg_tuning *tuning)
{
    const uint64_t memory = tuning->setup.facts->memory_bytes;
    const uint64_t needed = rg_workload_bytes(&tuning->workload);
    while (tuning->pool.count > 1 && memory > 0 && needed > memory / 2 / tuning->pool.count) {
        tuning->pool.count--;
    }
}

/** Fill a batch with candidates that were not measured before. */
static ridge_status batch_fill(struct rg_tuning *tuning, struct rg_order *order, struct rg_batch *batch, size_t size,
                               struct ridge_error *error)
{
    const size_t row = ridge_space_dimension_count(tuning->space);
    batch->count = 0;
    while (batch->count < size && !rg_filter_is_full(tuning, batch->count)) {
        const uint32_t *choice = NULL;
        const ridge_status status = rg_order_next(order, &choice, error);
        if (status != RIDGE_OK || !choice) {
            return status;
        }
        if (rg_filter_drops(tuning, choice)) {
            continue;
        }
        struct rg_candidate *candidate = &batch->candidates[batch->count];
        memset(candidate, 0, sizeof *candidate);
        memcpy(candidate->choice, choice, row * sizeof *choice);
        ridge_space_id(tuning->space, choice, candidate->id);
        batch->count += !rg_run_has(tuning, candidate->id);
    }
    return RIDGE_OK;
}

/** As many as the budget has time for, going by those tried since `began_s`: what is built and not measured is lost. */
static size_t size_for_budget(const struct rg_tuning *tuning, size_t size, double began_s)
{
    const uint64_t tried = tuning->shown.done - tuning->done_count;
    if (tried == 0) {
        return size;
    }
    const double each_s = (rg_clock_s() - began_s) / (double)tried;
    const double fits = rg_seconds_left(tuning) / each_s;
    return fits < (double)size ? (size_t)fmax(fits, 1) : size;
}

/** Try candidates until there are no more, or the run is to end. \param[out] exhausted  there are no more */
static ridge_status candidates_run(struct rg_tuning *tuning, struct rg_order *order, bool *exhausted,
                                   struct ridge_error *error)
{
    struct rg_batch *batch = rg_alloc(tuning->context, sizeof *batch);
    if (!batch) {
        return rg_error_memory(error, sizeof *batch);
    }
    ridge_status status = RIDGE_OK;
    const double began_s = rg_clock_s();
    /* Batches grow: the first results come soon, and later the workers wait for each other less often. */
    for (size_t size = 4; !rg_should_end(tuning); size = size * 4 < RG_BATCH_MAX ? size * 4 : RG_BATCH_MAX) {
        status = batch_fill(tuning, order, batch, size_for_budget(tuning, size, began_s), error);
        *exhausted = status == RIDGE_OK && batch->count == 0;
        if (status != RIDGE_OK || *exhausted || tuning->same_failures >= same_failures_enough) {
            break;
        }
        status = rg_batch_gate(tuning, batch, error);
        status = status == RIDGE_OK ? rg_batch_run(tuning, batch, error) : status;
        if (status != RIDGE_OK) {
            break;
        }
    }
    rg_free(tuning->context, batch, sizeof *batch);
    return status;
}

/** Say when another tuner was at work. Drift needs no note: whoever reads the run sees the sentinel. */
static ridge_status contention_note(struct rg_tuning *tuning, struct ridge_error *error)
{
    char text[160];
    if (!(tuning->lock_wait_s > 0)) {
        return RIDGE_OK;
    }
    snprintf(text, sizeof text,
             "another tuner ran on this machine at the same time: the two took turns, and this one waited %.1f s",
             tuning->lock_wait_s);
    return rg_store_note_add(tuning->store, tuning->run, text, error);
}

/** Say when the machine did not keep quiet while times were taken. */
static ridge_status quiet_note(struct rg_tuning *tuning, struct ridge_error *error)
{
    char text[RG_QUIET_TEXT];
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    ridge_status status = RIDGE_OK;
    if (rg_quiet_clock_text(&tuning->quiet, text)) {
        status = rg_store_note_add(tuning->store, tuning->run, text, error);
    }
    if (status == RIDGE_OK && rg_quiet_load_text(&tuning->quiet, cpus > 0 ? (unsigned)cpus : 1, text)) {
        status = rg_store_note_add(tuning->store, tuning->run, text, error);
    }
    return status;
}

/** Say what there is to say of the device, such as where its driver and the device database disagree. */
static ridge_status device_note(struct rg_tuning *tuning, struct ridge_error *error)
{
    const char *note = tuning->setup.facts->note;
    return note[0] != '\0' ? rg_store_note_add(tuning->store, tuning->run, note, error) : RIDGE_OK;
}

/** Say when nothing passes the verification: then that is what to look at first. */
static ridge_status all_wrong_note(struct rg_tuning *tuning, struct ridge_error *error)
{
    static const char text[] =
        "the output of every configuration is wrong: look at the reference and at rel and abs of "
        "[verify] before the kernel";
    const bool all = tuning->wrong_count > 1 && tuning->wrong_count == tuning->shown.done;
    return all ? rg_store_note_add(tuning->store, tuning->run, text, error) : RIDGE_OK;
}

/** How the run ended, in a word and in words. */
static ridge_run_state end_state(const struct rg_tuning *tuning, bool exhausted, uint64_t space_count, char *text,
                                 size_t bytes)
{
    if (rg_stop_level(tuning) > 0) {
        snprintf(text, bytes, "stopped by the user");
        return RIDGE_RUN_STOPPED;
    }
    if (tuning->same_failures >= same_failures_enough) {
        snprintf(text, bytes, "given up: the first %llu configurations all fail to compile with the same error",
                 (unsigned long long)tuning->same_failures);
        return RIDGE_RUN_LIMITED;
    }
    if (tuning->reached[0]) {
        snprintf(text, bytes, "%s", tuning->reached);
        return RIDGE_RUN_LIMITED;
    }
    if (!exhausted) {
        snprintf(text, bytes, "the budget of %g s is used up", tuning->options.budget_s);
        return RIDGE_RUN_LIMITED;
    }
    const uint64_t left_out = tuning->filter.dropped - tuning->filter.checked;
    if (left_out > 0 && tuning->shown.done + left_out >= space_count) {
        snprintf(text, bytes, "every configuration was tried but for %llu that the filter left out",
                 (unsigned long long)left_out);
        return RIDGE_RUN_LIMITED;
    }
    if (tuning->shown.done < space_count) {
        const bool asked = tuning->options.max_configs > 0 || tuning->filter.most > 0;
        snprintf(text, bytes, "%s",
                 asked ? "the number of configurations asked for was reached"
                       : "as many configurations were tried as an order at random draws");
        return RIDGE_RUN_LIMITED;
    }
    snprintf(text, bytes, "every configuration of the space was tried");
    return RIDGE_RUN_COMPLETE;
}

/** Close the run in the store. A failure of the tool is kept there too; the first error is the one reported. */
static ridge_status run_end(struct rg_tuning *tuning, ridge_status status, bool exhausted, uint64_t space_count,
                            struct ridge_error *error)
{
    char text[512];
    ridge_run_state state = end_state(tuning, exhausted, space_count, text, sizeof text);
    if (status != RIDGE_OK) {
        state = RIDGE_RUN_FAILED;
        snprintf(text, sizeof text, "%.500s", error && error->status != RIDGE_OK ? error->message : "failed");
    }
    struct ridge_error later = {0};
    ridge_status ended = contention_note(tuning, &later);
    ended = ended == RIDGE_OK ? quiet_note(tuning, &later) : ended;
    ended = ended == RIDGE_OK ? device_note(tuning, &later) : ended;
    ended = ended == RIDGE_OK ? all_wrong_note(tuning, &later) : ended;
    tuning->seconds.total = rg_clock_s() - tuning->began_s;
    tuning->seconds.own =
        fmax(0, tuning->seconds.total - tuning->seconds.compile - tuning->seconds.run - tuning->lock_wait_s);
    if (ended == RIDGE_OK) {
        ended = rg_store_run_end(tuning->store, tuning->run, state, text, &tuning->seconds, &later);
    }
    if (status == RIDGE_OK && ended != RIDGE_OK && error) {
        *error = later;
    }
    return status != RIDGE_OK ? status : ended;
}

/** Make what is known before the first measurement: the identity, the arguments, the reference, the run. */
static ridge_status run_begin(struct rg_tuning *tuning, const char *source_text, const struct rg_order *order,
                              uint64_t space_count, struct ridge_error *error)
{
    ridge_status status = rg_identity_fill(tuning, source_text, order->text, space_count, error);
    if (status == RIDGE_OK) {
        status = rg_workload_fill(&tuning->workload, tuning->context, error);
    }
    if (status == RIDGE_OK) {
        status = rg_reference_run(tuning, error);
    }
    if (status == RIDGE_OK) {
        status = rg_ceilings_open(tuning, error);
    }
    return status == RIDGE_OK ? rg_run_begin_or_resume(tuning, error) : status;
}

/** Everything after the device is open and the order is known. */
static ridge_status run_in_order(struct rg_tuning *tuning, const char *source_text, struct rg_order *order,
                                 uint64_t space_count, struct ridge_error *error)
{
    ridge_status status = run_begin(tuning, source_text, order, space_count, error);
    if (status != RIDGE_OK) {
        return status;
    }
    bool exhausted = false;
    tuning->shown.total = order->most > tuning->shown.done ? order->most : tuning->shown.done;
    tuning->shown.space = space_count;
    tuning->shown.order = tuning->info.order;
    status = rg_ceilings_begin(tuning, error);
    if (status == RIDGE_OK) {
        status = candidates_run(tuning, order, &exhausted, error);
    }
    if (status == RIDGE_OK) {
        status = rg_filter_finish(tuning, error);
    }
    if (status == RIDGE_OK && rg_stop_level(tuning) == 0 && !rg_is_replay(tuning)) {
        status = rg_finals_run(tuning, error);
    }
    return run_end(tuning, status, exhausted, space_count, error);
}

static ridge_status run(struct rg_tuning *tuning, const char *source_text, uint64_t space_count,
                        struct ridge_error *error)
{
    struct rg_order order;
    ridge_status status = rg_filter_init(tuning, space_count, error);
    if (status != RIDGE_OK) {
        return status;
    }
    status = rg_order_init(&order, tuning, space_count, error);
    if (status == RIDGE_OK) {
        status = run_in_order(tuning, source_text, &order, space_count, error);
    }
    rg_order_fini(&order, tuning);
    return status;
}

/** Say which constraint removes how many. */
static ridge_status space_is_empty(const struct rg_tuning *tuning, struct ridge_error *error)
{
    const size_t count = ridge_space_constraint_count(tuning->space);
    const size_t bytes = (count + 1) * sizeof(struct ridge_constraint_effect);
    struct ridge_constraint_effect *effects = rg_alloc(tuning->context, bytes);
    if (!effects) {
        return rg_error_memory(error, bytes);
    }
    struct rg_buffer text;
    rg_buffer_init(&text, tuning->context);
    ridge_status status = ridge_space_explain(tuning->space, effects, error);
    for (size_t i = 0; i < count && status == RIDGE_OK; i++) {
        if (effects[i].removed > 0) {
            rg_buffer_printf(&text, "%s`%s` removes %llu", text.length > 0 ? ", " : "", effects[i].text,
                             (unsigned long long)effects[i].removed);
        }
    }
    if (status == RIDGE_OK) {
        const struct rg_place place = {.file = tuning->spec->path};
        status = rg_error_at(error, RIDGE_E_EMPTY, &place, "no configuration satisfies the constraints (%s)",
                             rg_buffer_text(&text));
    }
    rg_buffer_fini(&text);
    rg_free(tuning->context, effects, bytes);
    return status;
}

/** Count the space; refuse an empty one, and a file that describes nothing else where a kernel is to be run. */
static ridge_status space_check(const struct rg_tuning *tuning, uint64_t *count, struct ridge_error *error)
{
    const bool replays = tuning->options.device && strncmp(tuning->options.device, "replay:", 7) == 0;
    if (tuning->spec->format != RG_FORMAT_RIDGE && !replays) {
        return rg_error_set(error, RIDGE_E_VALUE,
                            "%s describes a space and no kernel that can be run (write a kernel.toml; recorded results "
                            "can be replayed without one: --device replay:FILE)",
                            tuning->spec->path);
    }
    const ridge_status status = ridge_space_count(tuning->space, count, error);
    return status == RIDGE_OK && *count == 0 ? space_is_empty(tuning, error) : status;
}

static void tuning_fini(struct rg_tuning *tuning)
{
    if (tuning->pool.context) {
        rg_pool_fini(&tuning->pool);
    }
    if (tuning->setup.facts) {
        munmap(tuning->setup.facts, sizeof *tuning->setup.facts);
    }
    rg_ceilings_close(tuning);
    rg_run_unlock(tuning);
    rg_machine_lock_close(tuning);
    rg_recording_close(tuning);
    rg_filter_fini(tuning);
    rg_workload_fini(&tuning->workload);
    rg_arena_fini(&tuning->arena);
    rg_free(tuning->context, tuning, sizeof *tuning);
}

ridge_status ridge_tune(const struct ridge_context *context, const struct ridge_space *space, struct ridge_store *store,
                        const struct ridge_tune_options *options, int64_t *run_id, struct ridge_error *error)
{
    struct rg_tuning *tuning = rg_alloc(context, sizeof *tuning);
    if (!tuning) {
        return rg_error_memory(error, sizeof *tuning);
    }
    tuning->context = context;
    tuning->space = space;
    tuning->spec = rg_space_spec(space);
    tuning->store = store;
    tuning->lock = -1;
    tuning->lock_turn = -1;
    tuning->run_lock = -1;
    tuning->began_s = rg_clock_s();
    rg_arena_init(&tuning->arena, context);
    options_complete(tuning, options);

    uint64_t space_count = 0;
    const char *source_text = NULL;
    ridge_status status = space_check(tuning, &space_count, error);
    if (status == RIDGE_OK && options->samples > RG_MAX_SAMPLES) {
        status = rg_error_set(error, RIDGE_E_ARGUMENT, "%llu samples are too many (at most %d)",
                              (unsigned long long)options->samples, RG_MAX_SAMPLES);
    }
    if (status == RIDGE_OK) {
        status = rg_workload_init(&tuning->workload, tuning->spec, error);
    }
    if (status == RIDGE_OK) {
        status = setup_fill(tuning, &source_text, error);
    }
    if (status == RIDGE_OK && tuning->setup.backend->computes) {
        status = rg_workload_check(&tuning->workload, tuning->setup.backend->language == RG_SOURCE_C, error);
    }
    if (status == RIDGE_OK) {
        status = pool_open(tuning, error);
    }
    if (status == RIDGE_OK) {
        status = rg_pool_start(&tuning->pool, 0, error);
    }
    if (status == RIDGE_OK) {
        workers_limit(tuning);
        if (!rg_is_replay(tuning)) {
            rg_machine_lock_open(tuning);
        }
        status = run(tuning, source_text, space_count, error);
    }
    *run_id = tuning->run;
    tuning_fini(tuning);
    return status;
}
