/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/opencl.h"
#include "base/error.h"
#include "compile/source_text.h"
#include "ridge/units.h"

enum {
    MAX_KERNELS_NAMED = 64
};

/** What the compiler is handed for one configuration. */
struct build_text {
    struct rg_buffer options;
    struct rg_buffer prelude; /**< in front of the source: macros that options cannot carry, then #line */
};

/** Whether an option can carry it whatever the driver's splitting and quoting rules are. */
static bool is_plain(const char *text, const char *more)
{
    for (; *text; text++) {
        const char c = *text;
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && !strchr(more, c)) {
            return false;
        }
    }
    return true;
}

ridge_status rg_opencl_include_folder(struct rg_session *session, struct ridge_error *error)
{
    const struct rg_session_request *request = &session->request;
    session->include_folder[0] = '\0';
    if (!rg_source_includes(request->source_text)) {
        return RIDGE_OK;
    }
    char *folder = realpath(request->source_folder, NULL);
    if (!folder) {
        return rg_error_system(error, RIDGE_E_IO, errno, request->source_folder, "cannot find the source's folder");
    }
    char link[RG_OPENCL_FOLDER_BYTES];
    const char *name = folder;
    bool fine = is_plain(name, "_.+-/");
    if (!fine) {
        const int length = snprintf(link, sizeof link, "%s/include", request->work_folder);
        name = link;
        fine = length > 0 && (size_t)length < sizeof link && is_plain(link, "_.+-/") &&
               (symlink(folder, link) == 0 || errno == EEXIST);
    }
    if (fine && strlen(name) < sizeof session->include_folder) {
        memcpy(session->include_folder, name, strlen(name) + 1);
    }
    free(folder);
    if (session->include_folder[0] == '\0') {
        const struct rg_place place = {.file = request->source_path};
        return rg_error_at(error, RIDGE_E_VALUE, &place,
                           "it includes files, and OpenCL's options cannot name its folder (move it to a path of "
                           "letters, digits and _.+-/)");
    }
    return RIDGE_OK;
}

/** Whether a launch dimension can make no difference to the program: nothing names it, nothing hides a name. */
static bool is_unused(const struct rg_session *session, const struct rg_macro *macros, size_t macro_count, size_t at)
{
    const char *source = session->request.source_text;
    return macros[at].launch && !rg_source_includes(source) && !rg_macro_may_matter(source, macros, macro_count, at);
}

/** \return false with trouble set when a value cannot be the body of a macro. */
static bool macro_append(struct build_text *text, const struct rg_macro *macro, struct rg_trouble *trouble)
{
    if (!rg_macro_is_possible(macro)) {
        rg_trouble_set(trouble, RIDGE_OUTCOME_COMPILE, "the value of %s cannot be a macro: it has a line break",
                       macro->name);
        return false;
    }
    if (macro->value[0] != '\0' && is_plain(macro->value, "_.+-")) {
        rg_buffer_printf(&text->options, "-D%s=%s ", macro->name, macro->value);
    } else {
        rg_buffer_printf(&text->prelude, "#define %s %s\n", macro->name, macro->value);
    }
    return true;
}

static bool text_make(const struct rg_session *session, const struct rg_macro *macros, size_t macro_count,
                      struct build_text *text, struct rg_trouble *trouble)
{
    for (size_t i = 0; i < macro_count; i++) {
        if (!is_unused(session, macros, macro_count, i) && !macro_append(text, &macros[i], trouble)) {
            return false;
        }
    }
    if (session->include_folder[0] != '\0') {
        rg_buffer_printf(&text->options, "-I %s ", session->include_folder);
    }
    rg_buffer_puts(&text->options, "-cl-kernel-arg-info");
    /* The log then speaks of the file that the person wrote, at its own lines. */
    rg_buffer_puts(&text->prelude, "#line 1 ");
    rg_source_quote(&text->prelude, session->request.source_path);
    rg_buffer_puts(&text->prelude, "\n");
    return true;
}

/** Fetch the build log behind what `log` already holds. */
static void log_get(const struct rg_session *session, cl_program program, struct rg_buffer *log)
{
    size_t bytes = 0;
    const cl_int code =
        session->api.clGetProgramBuildInfo(program, session->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    if (code != CL_SUCCESS || bytes <= 1) {
        return;
    }
    char *text = rg_alloc(session->request.context, bytes + 1);
    if (!text) {
        log->failed = true;
        return;
    }
    if (session->api.clGetProgramBuildInfo(program, session->device, CL_PROGRAM_BUILD_LOG, bytes, text, NULL) ==
        CL_SUCCESS) {
        rg_buffer_puts(log, text);
    }
    rg_free(session->request.context, text, bytes + 1);
}

static ridge_status build_failed(const struct rg_session *session, cl_program program, cl_int code,
                                 struct rg_trouble *trouble, struct ridge_error *error)
{
    if (code == CL_COMPILER_NOT_AVAILABLE) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                            "the device's OpenCL driver has no compiler (another device or driver is needed)");
    }
    if (code != CL_BUILD_PROGRAM_FAILURE && code != CL_INVALID_BUILD_OPTIONS) {
        return rg_opencl_failed(error, code, "clBuildProgram");
    }
    struct rg_buffer log;
    rg_buffer_init(&log, session->request.context);
    log_get(session, program, &log);
    if (log.length == 0) {
        rg_buffer_printf(&log, "the OpenCL compiler failed and left no log: %s", rg_opencl_error_name(code));
    }
    ridge_status status = log.failed ? rg_error_memory(error, log.length) : RIDGE_OK;
    if (status == RIDGE_OK && rg_log_disk_full(rg_buffer_text(&log))) {
        status = rg_error_set(error, RIDGE_E_IO, "the OpenCL compiler finds no space left on the device for its files");
    }
    rg_trouble_log(trouble, RIDGE_OUTCOME_COMPILE, &log);
    rg_buffer_fini(&log);
    return status;
}

/** Compile. `*program` stays NULL with trouble set when the source does not compile. */
static ridge_status program_compile(const struct rg_session *session, const struct build_text *text,
                                    cl_program *program, struct rg_trouble *trouble, struct ridge_error *error)
{
    const char *sources[] = {rg_buffer_text(&text->prelude), session->request.source_text};
    cl_int code = CL_SUCCESS;
    cl_program made = session->api.clCreateProgramWithSource(session->context, 2, sources, NULL, &code);
    if (!made) {
        return rg_opencl_failed(error, code, "clCreateProgramWithSource");
    }
    code = session->api.clBuildProgram(made, 1, &session->device, rg_buffer_text(&text->options), NULL, NULL);
    if (code == CL_SUCCESS) {
        *program = made;
        return RIDGE_OK;
    }
    const ridge_status status = build_failed(session, made, code, trouble, error);
    session->api.clReleaseProgram(made);
    return status;
}

static void program_forget(const struct rg_session *session, struct rg_opencl_program *slot)
{
    if (slot->program) {
        session->api.clReleaseProgram(slot->program);
        slot->program = NULL;
    }
    rg_buffer_fini(&slot->key);
}

void rg_opencl_programs_close(struct rg_session *session)
{
    for (size_t i = 0; i < RG_OPENCL_PROGRAMS; i++) {
        if (session->programs[i].program) {
            program_forget(session, &session->programs[i]);
        }
    }
}

/** \return the slot with that key, or else the one to overwrite: a free or the longest unused one. */
static struct rg_opencl_program *slot_find(struct rg_session *session, const struct rg_buffer *key)
{
    struct rg_opencl_program *oldest = &session->programs[0];
    for (size_t i = 0; i < RG_OPENCL_PROGRAMS; i++) {
        struct rg_opencl_program *slot = &session->programs[i];
        if (slot->program && strcmp(rg_buffer_text(&slot->key), rg_buffer_text(key)) == 0) {
            return slot;
        }
        if (slot->used_at < oldest->used_at) {
            oldest = slot;
        }
    }
    program_forget(session, oldest);
    return oldest;
}

/** Find the program in the session's few, or compile it. */
static ridge_status program_get(struct rg_session *session, const struct build_text *text, cl_program *program,
                                struct rg_trouble *trouble, struct ridge_error *error)
{
    struct rg_buffer key;
    rg_buffer_init(&key, session->request.context);
    rg_buffer_printf(&key, "%s\n%s", rg_buffer_text(&text->options), rg_buffer_text(&text->prelude));
    if (text->options.failed || text->prelude.failed || key.failed) {
        rg_buffer_fini(&key);
        return rg_error_memory(error, text->options.length + text->prelude.length);
    }
    struct rg_opencl_program *slot = slot_find(session, &key);
    ridge_status status = RIDGE_OK;
    if (slot->program) {
        rg_buffer_fini(&key);
    } else {
        status = program_compile(session, text, &slot->program, trouble, error);
        slot->key = key;
        if (!slot->program) {
            program_forget(session, slot);
        }
    }
    slot->used_at = slot->program ? ++session->tick : 0;
    *program = slot->program;
    return status;
}

/** The entry is not in the program: say what is. */
static ridge_status no_entry(const struct rg_session *session, cl_program program, struct ridge_error *error)
{
    char list[768] = "";
    const char *entry = session->request.entry;
    const struct rg_place place = {.file = session->request.source_path};
    if (session->api.clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof list, list, NULL) != CL_SUCCESS ||
        list[0] == '\0') {
        return rg_error_at(error, RIDGE_E_NAME, &place, "there is no kernel '%s' in it", entry);
    }
    list[sizeof list - 1] = '\0';
    char split[sizeof list];
    memcpy(split, list, sizeof list);
    const char *names[MAX_KERNELS_NAMED];
    size_t count = 0;
    char *rest = split;
    while (rest && count < MAX_KERNELS_NAMED) {
        names[count++] = strsep(&rest, ";");
    }
    const char *near = ridge_near_name(entry, names, count);
    if (near) {
        return rg_error_at(error, RIDGE_E_NAME, &place, "there is no kernel '%s' in it (did you mean %s? it has %s)",
                           entry, near, list);
    }
    return rg_error_at(error, RIDGE_E_NAME, &place, "there is no kernel '%s' in it (it has %s)", entry, list);
}

static ridge_status kernel_create(struct rg_session *session, cl_program program, const struct rg_launch *launch,
                                  struct rg_kernel **out, struct rg_trouble *trouble, struct ridge_error *error)
{
    cl_int code = CL_SUCCESS;
    struct rg_kernel made = {.kernel = session->api.clCreateKernel(program, session->request.entry, &code)};
    if (!made.kernel) {
        return code == CL_INVALID_KERNEL_NAME ? no_entry(session, program, error)
                                              : rg_opencl_failed(error, code, "clCreateKernel");
    }
    ridge_status status = rg_opencl_arguments_check(session, made.kernel, error);
    if (status == RIDGE_OK) {
        status = rg_opencl_kernel_limits(session, &made, error);
    }
    struct rg_kernel *kernel = NULL;
    if (status == RIDGE_OK && rg_opencl_launchable(session, &made, launch, trouble)) {
        kernel = rg_alloc(session->request.context, sizeof *kernel);
        status = kernel ? RIDGE_OK : rg_error_memory(error, sizeof *kernel);
    }
    if (!kernel) {
        session->api.clReleaseKernel(made.kernel);
        return status;
    }
    *kernel = made;
    *out = kernel;
    return RIDGE_OK;
}

ridge_status rg_opencl_build(struct rg_session *session, const struct rg_macro *macros, size_t macro_count,
                             const struct rg_launch *launch, struct rg_kernel **out, struct rg_trouble *trouble,
                             struct ridge_error *error)
{
    struct build_text text;
    rg_buffer_init(&text.options, session->request.context);
    rg_buffer_init(&text.prelude, session->request.context);
    cl_program program = NULL;
    ridge_status status = RIDGE_OK;
    if (text_make(session, macros, macro_count, &text, trouble)) {
        status = program_get(session, &text, &program, trouble, error);
    }
    if (status == RIDGE_OK && program) {
        status = kernel_create(session, program, launch, out, trouble, error);
    }
    rg_buffer_fini(&text.options);
    rg_buffer_fini(&text.prelude);
    return status;
}

void rg_opencl_kernel_destroy(struct rg_session *session, struct rg_kernel *kernel)
{
    if (kernel) {
        session->api.clReleaseKernel(kernel->kernel);
        rg_free(session->request.context, kernel, sizeof *kernel);
    }
}
