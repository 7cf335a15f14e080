/* SPDX-License-Identifier: MIT */
/** \file ridge inspect: reading files, and judging kernels for a device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_inspect.h"

enum {
    TEXTS = 5
};

/** \return whether two texts are one: kernels of an image share its place and target, names that are C++'s differ. */
static bool is_text_of(const char *text, const char *other)
{
    return other && strcmp(text, other) == 0;
}

/**
 * Copy what is borrowed for a visit into one block. A text that the kernel before has too is shared with it: there are
 * tens of thousands of kernels in a library.
 */
static bool keep(struct kept_kernel *kept, const struct ridge_binary_kernel *kernel, const struct kept_kernel *before)
{
    struct ridge_binary_kernel *own = &kept->kernel;
    *own = *kernel;
    const struct ridge_binary_kernel none = {0};
    const struct ridge_binary_kernel *other = before ? &before->kernel : &none;
    const char **const texts[TEXTS] = {&own->target, &own->toolkit, &own->image, &own->name, &own->readable_name};
    const char *const others[TEXTS] = {other->target, other->toolkit, other->image, NULL, kernel->name};
    const size_t list_bytes = kernel->unknown_attributes * sizeof *kernel->attributes;
    size_t bytes = list_bytes;
    for (size_t i = 0; i < TEXTS; i++) {
        bytes += is_text_of(*texts[i], others[i]) ? 0 : strlen(*texts[i]) + 1;
    }
    struct ridge_binary_attribute *attributes = malloc(bytes);
    kept->block = attributes;
    if (!attributes) {
        return false;
    }
    char *at = (char *)attributes + list_bytes;
    for (uint32_t i = 0; i < kernel->unknown_attributes; i++) {
        attributes[i] = kernel->attributes[i];
        attributes[i].payload = NULL;
    }
    own->attributes = attributes;
    for (size_t i = 0; i < TEXTS; i++) {
        const bool is_shared = is_text_of(*texts[i], others[i]);
        const size_t length = strlen(*texts[i]) + 1;
        const char *source = *texts[i];
        *texts[i] = is_shared ? (i == TEXTS - 1 ? own->name : others[i]) : at;
        at = is_shared ? at : (char *)memcpy(at, source, length) + length;
    }
    return true;
}

/** Add a target to a list of them, once. */
static void add_target(char *list, size_t room, const char *target)
{
    const size_t length = strlen(target);
    for (const char *at = strstr(list, target); at; at = strstr(at + 1, target)) {
        const bool begins = at == list || at[-1] == ' ';
        if (begins && (at[length] == ',' || at[length] == '\0')) {
            return;
        }
    }
    const size_t used = strlen(list);
    if (used + length + 3 < room) {
        snprintf(list + used, room - used, "%s%s", used ? ", " : "", target);
    }
}

/** Whether every device that the name fits runs code for a target. No device: whatever it is. */
static bool device_runs(const struct judge *judge, const char *target)
{
    for (size_t i = 0; judge && i < judge->match.count; i++) {
        const struct ridge_device *architecture = judge->match.devices[i]->architecture;
        if (!architecture || !ridge_binary_target_runs(target, architecture->name)) {
            return false;
        }
    }
    return true;
}

static bool wants_target(void *user, const char *target)
{
    const struct inspection *inspection = user;
    return device_runs(inspection->judge, target);
}

static bool visit_kernel(void *user, const struct ridge_binary_kernel *kernel)
{
    struct inspection *inspection = user;
    if (inspection->wanted && !ridge_binary_kernel_is(kernel, inspection->wanted)) {
        inspection->others++;
        return true;
    }
    if (inspection->count == inspection->capacity) {
        const size_t capacity = inspection->capacity ? 2 * inspection->capacity : 64;
        struct kept_kernel *grown = realloc(inspection->kernels, capacity * sizeof *grown);
        inspection->failed = !grown;
        if (!grown) {
            return false;
        }
        inspection->kernels = grown;
        inspection->capacity = capacity;
    }
    struct kept_kernel *kept = &inspection->kernels[inspection->count++];
    memset(kept, 0, sizeof *kept);
    kept->number = inspection->count;
    kept->runs = true;
    inspection->failed = !keep(kept, kernel, kept > inspection->kernels ? kept - 1 : NULL);
    return !inspection->failed;
}

enum {
    KIND_MOST = 16
};

/** How many images there are of kinds that hold no kernels. */
struct other_images {
    struct inspection *inspection;
    size_t count;
    char kinds[KIND_MOST][32];
    uint64_t numbers[KIND_MOST];
};

static bool visit_image(void *user, const struct ridge_binary_image *image)
{
    struct other_images *others = user;
    struct inspection *inspection = others->inspection;
    size_t i = 0;
    inspection->objects = image->object > inspection->objects ? image->object : inspection->objects;
    if (strcmp(image->kind, "cubin") == 0 || strcmp(image->kind, "AMD code object") == 0) {
        add_target(inspection->targets, sizeof inspection->targets, image->target);
        inspection->left_out += !device_runs(inspection->judge, image->target);
        return true;
    }
    while (i < others->count && strcmp(others->kinds[i], image->kind) != 0) {
        i++;
    }
    if (i == others->count && i < KIND_MOST) {
        snprintf(others->kinds[others->count++], sizeof others->kinds[0], "%s", image->kind);
    }
    if (i < KIND_MOST) {
        others->numbers[i]++;
    }
    return true;
}

static void write_others(const struct other_images *others, char *out, size_t room)
{
    size_t used = 0;
    for (size_t i = 0; i < others->count && used < room; i++) {
        const int length = snprintf(out + used, room - used, "%s%llu %s", i ? ", " : "",
                                    (unsigned long long)others->numbers[i], others->kinds[i]);
        used += length > 0 ? (size_t)length : 0;
    }
}

/** Say that the wanted kernel is not there. */
static int no_such_kernel(const struct inspection *inspection)
{
    fprintf(stderr, "ridge: %s: no kernel is called '%s' (ridge inspect %s lists the %llu that there are)\n",
            inspection->path, inspection->wanted, inspection->path, (unsigned long long)inspection->others);
    return EXIT_INPUT;
}

int inspection_read(struct ridge_context *context, struct inspection *inspection)
{
    struct ridge_binary *binary = NULL;
    struct ridge_error error = {0};
    struct other_images others = {.inspection = inspection};
    const struct ridge_binary_visitor visitor = {.kernel = visit_kernel, .wants = wants_target, .user = inspection};
    ridge_status status = ridge_binary_open(context, inspection->path, &binary, &error);
    if (status == RIDGE_OK) {
        inspection->kind = ridge_binary_kind(binary);
        status = ridge_binary_visit(binary, &visitor, &inspection->skipped, &error);
    }
    if (status == RIDGE_OK) {
        status = ridge_binary_each_image(binary, visit_image, &others, &error);
        write_others(&others, inspection->images, sizeof inspection->images);
    }
    ridge_binary_close(binary);
    if (status != RIDGE_OK) {
        return report_error(&error);
    }
    if (inspection->failed) {
        fprintf(stderr, "ridge: out of memory\n");
        return EXIT_INTERNAL;
    }
    return inspection->count == 0 && inspection->others > 0 ? no_such_kernel(inspection) : EXIT_DONE;
}

void inspection_free(struct inspection *inspection)
{
    for (size_t i = 0; i < inspection->count; i++) {
        free(inspection->kernels[i].block);
        free(inspection->kernels[i].verdict);
    }
    free(inspection->kernels);
}

int inspection_order(const void *a, const void *b)
{
    const struct kept_kernel *left = a;
    const struct kept_kernel *right = b;
    const int names = strcmp(left->kernel.name, right->kernel.name);
    const int targets = names ? names : strcmp(left->kernel.target, right->kernel.target);
    return targets ? targets : (left->number > right->number) - (left->number < right->number);
}

const char *kernel_short_name(const struct ridge_binary_kernel *kernel, char out[SHORT_NAME_BYTES])
{
    if (ridge_binary_short_name(kernel->readable_name, out, SHORT_NAME_BYTES) >= SHORT_NAME_BYTES) {
        memcpy(out + SHORT_NAME_BYTES - 4, "...", 4);
    }
    return out;
}

int judge_open(struct judge *judge, const char *data)
{
    struct ridge_error error = {0};
    if (!judge->name) {
        return EXIT_DONE;
    }
    ridge_status status = ridge_device_db_create(judge->context, data, &judge->db, &error);
    status = status == RIDGE_OK ? ridge_device_find(judge->db, judge->name, &judge->match, &error) : status;
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

void judge_close(struct judge *judge)
{
    ridge_occupancy_table_destroy(judge->table);
    ridge_device_db_destroy(judge->db);
}

static uint32_t known(uint32_t value)
{
    return value == RIDGE_NOT_STATED ? 0 : value;
}

static uint64_t product(const uint32_t sides[3])
{
    return sides[0] == RIDGE_NOT_STATED ? 0 : (uint64_t)sides[0] * sides[1] * sides[2];
}

/** Whether two kernels ask for the same rules. */
static bool is_same(const struct ridge_occupancy_options *a, const struct ridge_occupancy_options *b)
{
    return a->opt_in == b->opt_in && a->barriers == b->barriers && a->kernel_max_threads == b->kernel_max_threads &&
           a->wave_threads == b->wave_threads && a->compute_unit_mode == b->compute_unit_mode &&
           a->scalar_registers == b->scalar_registers;
}

/**
 * The rules for a kernel: those of the kernel before, where they are the same. AMD's accumulation registers are not
 * given apart: .vgpr_count counts them already where they share the file (docs/inspect.md).
 */
static ridge_status judge_rules(struct judge *judge, const struct ridge_binary_kernel *kernel,
                                struct ridge_error *error)
{
    const uint64_t most = product(kernel->max_threads);
    const struct ridge_occupancy_options options = {
        .opt_in = strncmp(kernel->target, "sm_", 3) == 0,
        .barriers = known(kernel->barriers),
        .kernel_max_threads = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most,
        .wave_threads = known(kernel->wave_threads),
        .compute_unit_mode = kernel->compute_unit_mode,
        .scalar_registers = known(kernel->scalar_registers),
    };
    if (judge->table && is_same(&options, &judge->options)) {
        return RIDGE_OK;
    }
    ridge_occupancy_table_destroy(judge->table);
    judge->table = NULL;
    judge->options = options;
    ridge_status status = ridge_occupancy_table_create(judge->context, &judge->match, &options, &judge->table, error);
    if (status == RIDGE_E_UNAVAILABLE && options.barriers > 0) {
        struct ridge_occupancy_options fewer = options;
        fewer.barriers = 0;
        *error = (struct ridge_error){0};
        status = ridge_occupancy_table_create(judge->context, &judge->match, &fewer, &judge->table, error);
        judge->without_barriers = true;
    }
    return status;
}

int judge_kernel(struct judge *judge, struct kept_kernel *kept)
{
    const struct ridge_binary_kernel *kernel = &kept->kernel;
    struct ridge_error error = {0};
    kept->runs = device_runs(judge, kernel->target);
    if (!judge->name || !kept->runs || kernel->registers == RIDGE_NOT_STATED) {
        return EXIT_DONE;
    }
    if (judge_rules(judge, kernel, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    const struct ridge_launch launch = {judge->threads, kernel->registers, known(kernel->smem_static_bytes),
                                        judge->smem_dynamic_bytes};
    struct ridge_occupancy occupancy;
    ridge_occupancy_one(judge->table, &launch, &occupancy);
    const uint64_t required = product(kernel->required_threads);
    char exactly[RIDGE_VERDICT_BYTES];
    snprintf(exactly, sizeof exactly, "cannot launch: built for exactly %llu threads per block",
             (unsigned long long)required);
    const bool is_wrong_size = required != 0 && required != judge->threads;
    kept->judged = true;
    kept->launchable = !is_wrong_size && occupancy.rule == RIDGE_LAUNCH_OK;
    kept->blocks = occupancy.blocks;
    kept->warps = occupancy.warps;
    kept->max_warps = occupancy.max_warps;
    kept->occupancy = occupancy.ratio;
    kept->verdict = strdup(is_wrong_size ? exactly : occupancy.verdict);
    if (!kept->verdict) {
        fprintf(stderr, "ridge: out of memory\n");
        return EXIT_INTERNAL;
    }
    return EXIT_DONE;
}
