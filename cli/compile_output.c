/* SPDX-License-Identifier: MIT */
#include "compile_output.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "ridge/json.h"

static void range_add(struct compile_range *range, uint32_t value)
{
    if (value == RIDGE_NOT_STATED) {
        return;
    }
    range->low = !range->any || value < range->low ? value : range->low;
    range->high = !range->any || value > range->high ? value : range->high;
    range->any = true;
}

static uint32_t clipped(uint64_t value)
{
    return value < RIDGE_NOT_STATED ? (uint32_t)value : RIDGE_NOT_STATED - 1;
}

/** Spilled bytes; for AMD, whose files say it so, spilled registers. */
static uint32_t spills(const struct ridge_binary_kernel *kernel)
{
    if (kernel->spill_store_bytes != RIDGE_NOT_STATED) {
        return kernel->spill_store_bytes + kernel->spill_load_bytes;
    }
    if (kernel->vgpr_spills == RIDGE_NOT_STATED) {
        return RIDGE_NOT_STATED;
    }
    return kernel->vgpr_spills + (kernel->sgpr_spills == RIDGE_NOT_STATED ? 0 : kernel->sgpr_spills);
}

static void sum_add(struct compile_sum *sum, const struct ridge_compiled_binary *binary)
{
    const bool ok = binary->outcome == RIDGE_OUTCOME_OK;
    const bool skipped = binary->outcome == RIDGE_OUTCOME_SKIPPED;
    sum->skipped += skipped;
    sum->failed += !ok && !skipped;
    sum->cached += binary->cached;
    sum->seconds += binary->seconds;
    sum->compiler = sum->compiler[0] == '\0' ? binary->compiler : sum->compiler;
    range_add(&sum->sharing, clipped(binary->configurations));
    if (ok) {
        range_add(&sum->size, clipped(binary->size));
    }
    if (binary->known) {
        const struct ridge_binary_kernel *kernel = &binary->kernel;
        range_add(&sum->registers, kernel->registers);
        range_add(&sum->accumulation_registers, kernel->accumulation_registers);
        range_add(&sum->scalar_registers, kernel->scalar_registers);
        range_add(&sum->smem, kernel->smem_static_bytes);
        range_add(&sum->stack, kernel->stack_bytes);
        range_add(&sum->spills, spills(kernel));
    }
}

struct compile_sum compile_sum_of(const struct ridge_compiled *compiled, size_t target)
{
    struct compile_sum sum = {.compiler = ""};
    for (uint64_t i = 0; i < ridge_compiled_count(compiled, target); i++) {
        sum_add(&sum, ridge_compiled_at(compiled, target, i));
    }
    return sum;
}

int compile_reason_length(const struct ridge_compiled_binary *binary)
{
    return (int)strcspn(binary->log, "\r\n");
}

/** What the files of a target are called. */
static const char *suffix(const char *target)
{
    return strncmp(target, "gfx", 3) == 0 ? "co" : strncmp(target, "compute_", 8) == 0 ? "ptx" : "cubin";
}

static void json_number(struct ridge_json *json, const char *key, uint32_t value)
{
    if (value != RIDGE_NOT_STATED) {
        ridge_json_u64(json, key, value);
    }
}

static void json_kernel(struct ridge_json *json, const struct ridge_binary_kernel *kernel)
{
    ridge_json_text(json, "kind", "stated");
    json_number(json, "registers", kernel->registers);
    json_number(json, "accumulation_registers", kernel->accumulation_registers);
    json_number(json, "scalar_registers", kernel->scalar_registers);
    json_number(json, "smem_static_bytes", kernel->smem_static_bytes);
    json_number(json, "stack_bytes", kernel->stack_bytes);
    json_number(json, "spill_store_bytes", kernel->spill_store_bytes);
    json_number(json, "spill_load_bytes", kernel->spill_load_bytes);
    json_number(json, "vgpr_spills", kernel->vgpr_spills);
    json_number(json, "sgpr_spills", kernel->sgpr_spills);
    json_number(json, "barriers", kernel->barriers);
    json_number(json, "parameter_bytes", kernel->parameter_bytes);
    json_number(json, "max_threads_x", kernel->max_threads[0]);
    json_number(json, "max_threads_y", kernel->max_threads[1]);
    json_number(json, "max_threads_z", kernel->max_threads[2]);
    json_number(json, "wave_threads", kernel->wave_threads);
    json_number(json, "code_bytes", kernel->code_bytes);
}

/** The configurations that share a specialisation, by id. */
static ridge_status json_sharers(struct ridge_json *json, const struct ridge_compiled *compiled,
                                 const struct ridge_space *space, size_t target,
                                 const struct ridge_compiled_binary *binary)
{
    uint64_t left = binary->configurations;
    ridge_json_array_begin_compact(json, "configurations");
    for (uint64_t i = binary->first; left > 0; i++) {
        uint32_t choice[256];
        char id[RIDGE_ID_BYTES];
        if (ridge_compiled_of(compiled, target, i) != binary) {
            continue;
        }
        const ridge_status status = ridge_space_at(space, i, choice, NULL);
        if (status != RIDGE_OK) {
            return status;
        }
        ridge_space_id(space, choice, id);
        ridge_json_text(json, NULL, id);
        left--;
    }
    ridge_json_array_end(json);
    return RIDGE_OK;
}

static ridge_status json_binary(struct ridge_json *json, const struct ridge_compiled *compiled,
                                const struct ridge_space *space, size_t target,
                                const struct ridge_compiled_binary *binary, bool files)
{
    const char *name = ridge_compiled_target_at(compiled, target)->name;
    const bool ok = binary->outcome == RIDGE_OUTCOME_OK;
    char text[512];
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "key", binary->key);
    if (files && ok) {
        snprintf(text, sizeof text, "%.200s/%s.%s", name, binary->key, suffix(name));
        ridge_json_text(json, "file", text);
    }
    ridge_json_text(json, "outcome", ridge_outcome_word(binary->outcome));
    if (ok) {
        ridge_json_text(json, "entry", binary->entry);
        ridge_json_u64(json, "bytes", binary->size);
    } else {
        snprintf(text, sizeof text, "%.*s", compile_reason_length(binary), binary->log);
        ridge_json_text(json, "reason", text);
    }
    ridge_json_text(json, "log", binary->log);
    ridge_json_text(json, "compiler", binary->compiler);
    ridge_json_bool(json, "cached", binary->cached);
    ridge_json_double(json, "compile_s", binary->seconds);
    if (binary->known) {
        ridge_json_object_begin_compact(json, "code");
        json_kernel(json, &binary->kernel);
        ridge_json_object_end(json);
    }
    const ridge_status status = json_sharers(json, compiled, space, target, binary);
    ridge_json_object_end(json);
    return status;
}

static ridge_status json_target(struct ridge_json *json, const struct ridge_compiled *compiled,
                                const struct ridge_space *space, size_t target, bool files)
{
    const struct ridge_compiled_target *shown = ridge_compiled_target_at(compiled, target);
    ridge_status status = RIDGE_OK;
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "target", shown->name);
    ridge_json_text(json, "source", shown->source);
    ridge_json_text(json, "unavailable", shown->unavailable);
    ridge_json_u64(json, "specialisations", ridge_compiled_count(compiled, target));
    ridge_json_u64(json, "failed", compile_sum_of(compiled, target).failed);
    ridge_json_array_begin(json, "binaries");
    for (uint64_t i = 0; !shown->unavailable && i < ridge_compiled_count(compiled, target) && status == RIDGE_OK; i++) {
        status = json_binary(json, compiled, space, target, ridge_compiled_at(compiled, target, i), files);
    }
    ridge_json_array_end(json);
    ridge_json_object_end(json);
    return status;
}

ridge_status compile_json(const struct ridge_compiled *compiled, const struct ridge_space *space, const char *kernel,
                          bool files, struct ridge_sink sink)
{
    struct ridge_json json;
    ridge_status status = RIDGE_OK;
    ridge_json_begin(&json, sink);
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "kernel", kernel);
    ridge_json_u64(&json, "configurations", ridge_compiled_configurations(compiled));
    ridge_json_array_begin(&json, "targets");
    for (size_t i = 0; i < ridge_compiled_target_count(compiled) && status == RIDGE_OK; i++) {
        status = json_target(&json, compiled, space, i, files);
    }
    ridge_json_array_end(&json);
    ridge_json_object_end(&json);
    return !ridge_json_end(&json) && status == RIDGE_OK ? RIDGE_E_IO : status;
}

/** What a file is filled with. */
struct filling {
    const struct ridge_compiled *compiled;
    const struct ridge_space *space;
    const char *kernel;
    const struct ridge_compiled_binary *binary;
};

static ridge_status fill_index(void *user, struct ridge_sink sink, struct ridge_error *error)
{
    const struct filling *filling = user;
    (void)error;
    return compile_json(filling->compiled, filling->space, filling->kernel, true, sink);
}

static ridge_status fill_binary(void *user, struct ridge_sink sink, struct ridge_error *error)
{
    const struct ridge_compiled_binary *binary = ((const struct filling *)user)->binary;
    (void)error;
    return sink.write(sink.user, (const char *)binary->bytes, binary->size) ? RIDGE_OK : RIDGE_E_IO;
}

static ridge_status folder_make(const char *path, struct ridge_error *error)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST) {
        return RIDGE_OK;
    }
    *error = (struct ridge_error){.status = RIDGE_E_IO, .native = errno};
    snprintf(error->file, sizeof error->file, "%s", path);
    snprintf(error->message, sizeof error->message, "cannot make the folder: %s", strerror(errno));
    return RIDGE_E_IO;
}

static ridge_status target_write(const struct ridge_context *context, struct filling *filling, size_t target,
                                 const char *folder, struct ridge_error *error)
{
    const char *name = ridge_compiled_target_at(filling->compiled, target)->name;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ridge_status status = folder_make(path, error);
    for (uint64_t i = 0; i < ridge_compiled_count(filling->compiled, target) && status == RIDGE_OK; i++) {
        filling->binary = ridge_compiled_at(filling->compiled, target, i);
        if (filling->binary->bytes) {
            snprintf(path, sizeof path, "%s/%s/%s.%s", folder, name, filling->binary->key, suffix(name));
            status = ridge_file_fill(context, path, fill_binary, filling, error);
        }
    }
    return status;
}

ridge_status compile_folder_check(const char *folder, struct ridge_error *error)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/index.json", folder);
    const ridge_status status = folder_make(folder, error);
    return status == RIDGE_OK ? ridge_file_check(path, error) : status;
}

ridge_status compile_folder_write(const struct ridge_context *context, const struct ridge_compiled *compiled,
                                  const struct ridge_space *space, const char *kernel, const char *folder,
                                  struct ridge_error *error)
{
    struct filling filling = {.compiled = compiled, .space = space, .kernel = kernel};
    char path[PATH_MAX];
    ridge_status status = folder_make(folder, error);
    for (size_t i = 0; i < ridge_compiled_target_count(compiled) && status == RIDGE_OK; i++) {
        if (!ridge_compiled_target_at(compiled, i)->unavailable) {
            status = target_write(context, &filling, i, folder, error);
        }
    }
    if (status == RIDGE_OK) {
        snprintf(path, sizeof path, "%s/index.json", folder);
        status = ridge_file_fill(context, path, fill_index, &filling, error);
    }
    return status;
}
