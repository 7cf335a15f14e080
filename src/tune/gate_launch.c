/* SPDX-License-Identifier: MIT */
/* The program beneath compute-sanitizer: one configuration, launched once through the CUDA backend. Whatever becomes of
 * it is written into a file, and the process ends well: the judge reads the file, and the tool has nothing to say of the
 * process. */
#include "tune/gate_launch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "space/space.h"

/** Everything that a launch needs. All zero before. */
struct launch {
    const struct ridge_context *context;
    struct rg_launch_order order;
    struct ridge_spec *spec; /**< with its real params: the space is of them */
    struct ridge_space *space;
    struct rg_sources sources;
    struct rg_problem problem;
    struct rg_job job;
    struct rg_session *session;
    struct rg_kernel *kernel;
};

static const struct rg_backend *const backend = &rg_backend_cuda;

static ridge_status choice_check(const struct launch *launch, struct ridge_error *error)
{
    const size_t count = ridge_space_dimension_count(launch->space);
    bool fits = launch->order.choice_count == count;
    for (size_t i = 0; i < count && fits; i++) {
        fits = launch->order.choice[i] < ridge_space_dimension_size(launch->space, i);
    }
    return fits ? RIDGE_OK
                : rg_error_set(error, RIDGE_E_VALUE, "the order names no configuration of '%s' (was the spec changed?)",
                               launch->order.spec);
}

static ridge_status spec_open(struct launch *launch, struct ridge_error *error)
{
    const struct rg_launch_order *order = &launch->order;
    const struct rg_problem_source source = {
        .path = order->spec, .set = order->set, .set_count = order->set_count, .check = true};
    ridge_status status =
        ridge_spec_load(launch->context, order->spec, order->set, order->set_count, &launch->spec, error);
    status = status == RIDGE_OK ? ridge_space_create(launch->context, launch->spec, &launch->space, error) : status;
    status = status == RIDGE_OK ? choice_check(launch, error) : status;
    status =
        status == RIDGE_OK ? rg_sources_open(launch->context, launch->spec, NULL, &launch->sources, error) : status;
    status = status == RIDGE_OK ? rg_problem_open(launch->context, &source, &launch->problem, error) : status;
    if (status == RIDGE_OK && !launch->sources.texts[RG_LANGUAGE_CUDA]) {
        return rg_error_set(error, RIDGE_E_VALUE, "'%s' has no CUDA source", order->spec);
    }
    return status;
}

static ridge_status session_open(struct launch *launch, struct ridge_error *error)
{
    const struct rg_session_request request = {
        .context = launch->context,
        .entry = launch->spec->entry,
        .source_path = launch->spec->sources[RG_LANGUAGE_CUDA],
        .source_text = launch->sources.texts[RG_LANGUAGE_CUDA],
        .source_folder = launch->sources.folders[RG_LANGUAGE_CUDA],
        .shapes = launch->problem.workload.shapes,
        .shape_count = launch->problem.workload.count,
        .cuda_path = launch->order.cuda_path,
        .artifact_folder = launch->order.cache_folder,
        .bare = true,
    };
    return backend->open(&request, &launch->session, error);
}

/** Fill what the kernel reads; and the outputs with poison where they are wanted back. */
static ridge_status buffers_fill(struct launch *launch, struct ridge_error *error)
{
    const struct rg_workload *workload = &launch->problem.workload;
    rg_problem_reset(&launch->problem, true);
    for (size_t i = 0; i < workload->count; i++) {
        const struct rg_shape *shape = &workload->shapes[i];
        if (shape->kind != RG_SHAPE_BUFFER || (!shape->read && !launch->order.outputs)) {
            continue;
        }
        const void *from = launch->problem.written[i] ? launch->problem.written[i] : workload->initial[i];
        const ridge_status status = backend->buffer_write(launch->session, i, from, error);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    return RIDGE_OK;
}

/** Read the outputs back and write them into their file, one behind the other. A context that the tool has ended says so
 * here: that is the launch's trouble. */
static ridge_status outputs_keep(struct launch *launch, struct rg_trouble *trouble, struct ridge_error *error)
{
    struct rg_buffer bytes;
    struct ridge_error why = {0};
    rg_buffer_init(&bytes, launch->context);
    for (size_t i = 0; i < launch->problem.workload.count; i++) {
        void *memory = launch->problem.written[i];
        if (!memory) {
            continue;
        }
        if (backend->buffer_read(launch->session, i, memory, &why) != RIDGE_OK) {
            rg_trouble_set(trouble, RIDGE_OUTCOME_LAUNCH, "%s", why.message);
            break;
        }
        rg_buffer_append(&bytes, memory, (size_t)launch->problem.workload.shapes[i].bytes);
    }
    ridge_status status = bytes.failed ? rg_error_memory(error, bytes.length) : RIDGE_OK;
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK) {
        status = rg_file_write_soon(launch->order.outputs, rg_buffer_text(&bytes), bytes.length, error);
    }
    rg_buffer_fini(&bytes);
    return status;
}

static ridge_status launch_once(struct launch *launch, struct rg_trouble *trouble, struct ridge_error *error)
{
    double seconds = 0;
    struct ridge_value values[RG_MAX_DIMENSIONS];
    rg_space_choice_values(launch->space, launch->order.choice, values);
    ridge_status status = rg_job_init(&launch->job, launch->problem.spec, values, trouble, error);
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK) {
        status = backend->build(launch->session, launch->job.macros, launch->job.macro_count, &launch->job.launch,
                                &launch->kernel, trouble, error);
    }
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK) {
        status = buffers_fill(launch, error);
    }
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK) {
        status = backend->launch(launch->session, launch->kernel, &launch->job.launch, &seconds, trouble, error);
    }
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK && launch->order.outputs) {
        status = outputs_keep(launch, trouble, error);
    }
    return status;
}

static void launch_close(struct launch *launch)
{
    if (launch->session) {
        backend->kernel_destroy(launch->session, launch->kernel);
    }
    backend->close(launch->session);
    rg_job_fini(&launch->job);
    rg_problem_close(&launch->problem);
    rg_sources_close(&launch->sources);
    ridge_space_destroy(launch->space);
    ridge_spec_destroy(launch->spec);
}

static void device_seen(void *user, const struct rg_device_facts *facts)
{
    struct rg_launched *launched = user;
    if (launched->device[0] == '\0') {
        snprintf(launched->device, sizeof launched->device, "%s", facts->name);
    }
}

/** Do what the order says. */
static void obey(struct launch *launch, struct rg_launched *launched, struct rg_buffer *text)
{
    struct rg_trouble trouble = {.outcome = RIDGE_OUTCOME_OK, .text = text};
    struct ridge_error error = {0};
    launched->status = spec_open(launch, &error);
    if (launched->status == RIDGE_OK) {
        launched->status = backend->enumerate(launch->context, device_seen, launched, &error);
    }
    if (launched->status == RIDGE_OK) {
        launched->status = session_open(launch, &error);
    }
    if (launched->status == RIDGE_OK) {
        launched->status = launch_once(launch, &trouble, &error);
    }
    launched->outcome = trouble.outcome;
    if (launched->status != RIDGE_OK) {
        rg_buffer_clear(text);
        rg_buffer_puts(text, error.message);
    }
    launched->text = rg_buffer_text(text);
    launch_close(launch);
}

static ridge_status outcome_write(const struct ridge_context *context, const char *path,
                                  const struct rg_launched *launched, struct ridge_error *error)
{
    struct rg_buffer out;
    rg_buffer_init(&out, context);
    rg_launched_write(launched, &out);
    const ridge_status status = out.failed ? rg_error_memory(error, out.length)
                                           : rg_file_write_soon(path, rg_buffer_text(&out), out.length, error);
    rg_buffer_fini(&out);
    return status;
}

ridge_status ridge_check_launch(const struct ridge_context *context, const char *file, struct ridge_error *error)
{
    if (!context || !file) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "context or file is NULL (give both)");
    }
    struct launch launch = {.context = context};
    struct rg_launched launched = {.status = RIDGE_OK};
    struct rg_arena arena;
    struct rg_buffer text;
    char *order = NULL;
    size_t length = 0;
    rg_arena_init(&arena, context);
    rg_buffer_init(&text, context);
    ridge_status status = rg_file_read(&arena, file, &order, &length, error);
    status = status == RIDGE_OK ? rg_launch_order_read(order, length, &launch.order, error) : status;
    if (status == RIDGE_OK) {
        (void)alarm(launch.order.seconds);
        obey(&launch, &launched, &text);
        status = outcome_write(context, launch.order.outcome, &launched, error);
    }
    rg_buffer_fini(&text);
    rg_arena_fini(&arena);
    return status;
}
