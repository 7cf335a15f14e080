/* SPDX-License-Identifier: MIT */
/** \file ridge inspect --json. The names of members are those of the documentation (docs/inspect.md). */
#include <stdio.h>

#include "cmd_inspect.h"
#include "ridge/json.h"

/** A number that the file may not state: null then. */
static void write_number(struct ridge_json *json, const char *key, uint32_t value)
{
    if (value == RIDGE_NOT_STATED) {
        ridge_json_null(json, key);
    } else {
        ridge_json_u64(json, key, value);
    }
}

static void write_sides(struct ridge_json *json, const char *key, const uint32_t sides[3])
{
    if (sides[0] == RIDGE_NOT_STATED) {
        ridge_json_null(json, key);
        return;
    }
    ridge_json_array_begin_compact(json, key);
    for (size_t i = 0; i < 3; i++) {
        ridge_json_u64(json, NULL, sides[i]);
    }
    ridge_json_array_end(json);
}

static void write_unknown(struct ridge_json *json, const struct ridge_binary_kernel *kernel)
{
    ridge_json_array_begin_compact(json, "unknown_attributes");
    for (uint32_t i = 0; i < kernel->unknown_attributes; i++) {
        char code[8];
        snprintf(code, sizeof code, "0x%02x", kernel->attributes[i].code);
        ridge_json_text(json, NULL, code);
    }
    ridge_json_array_end(json);
}

static void write_verdict(struct ridge_json *json, const struct kept_kernel *kept)
{
    ridge_json_object_begin(json, "judged");
    ridge_json_bool(json, "target_runs", kept->runs);
    if (kept->judged) {
        ridge_json_bool(json, "launchable", kept->launchable);
        ridge_json_text(json, "verdict", kept->verdict);
        ridge_json_u64(json, "blocks_per_sm", kept->launchable ? kept->blocks : 0);
        ridge_json_u64(json, "warps_per_sm", kept->launchable ? kept->warps : 0);
        ridge_json_double(json, "occupancy", kept->launchable ? kept->occupancy : 0);
    }
    ridge_json_object_end(json);
}

static void write_kernel(struct ridge_json *json, const struct kept_kernel *kept, bool judged)
{
    const struct ridge_binary_kernel *kernel = &kept->kernel;
    const struct {
        const char *key;
        uint32_t value;
    } numbers[] = {
        {"registers", kernel->registers},
        {"accumulation_registers", kernel->accumulation_registers},
        {"scalar_registers", kernel->scalar_registers},
        {"smem_static_bytes", kernel->smem_static_bytes},
        {"smem_reserved_bytes", kernel->smem_reserved_bytes},
        {"stack_bytes", kernel->stack_bytes},
        {"cumulative_stack_bytes", kernel->cumulative_stack_bytes},
        {"spill_store_bytes", kernel->spill_store_bytes},
        {"spill_load_bytes", kernel->spill_load_bytes},
        {"vgpr_spills", kernel->vgpr_spills},
        {"sgpr_spills", kernel->sgpr_spills},
        {"barriers", kernel->barriers},
        {"parameter_bytes", kernel->parameter_bytes},
        {"wave_threads", kernel->wave_threads},
        {"code_bytes", kernel->code_bytes},
    };
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "name", kernel->name);
    ridge_json_text(json, "readable_name", kernel->readable_name);
    ridge_json_text(json, "target", kernel->target[0] ? kernel->target : NULL);
    ridge_json_text(json, "toolkit", kernel->toolkit[0] ? kernel->toolkit : NULL);
    ridge_json_text(json, "image", kernel->image);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        write_number(json, numbers[i].key, numbers[i].value);
    }
    write_sides(json, "max_threads", kernel->max_threads);
    write_sides(json, "required_threads", kernel->required_threads);
    ridge_json_bool(json, "relocatable", kernel->relocatable);
    write_unknown(json, kernel);
    if (judged) {
        write_verdict(json, kept);
    }
    ridge_json_object_end(json);
}

int inspect_print_json(const struct inspection *inspection, const struct judge *judge)
{
    struct ridge_json json;
    bool good = inspection->count > 0;
    size_t running = 0;
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "file", inspection->path);
    ridge_json_text(&json, "file_kind", inspection->kind);
    ridge_json_text(&json, "kind", "stated");
    ridge_json_u64(&json, "objects", inspection->objects);
    ridge_json_u64(&json, "images_skipped", inspection->skipped);
    ridge_json_text(&json, "other_images", inspection->images);
    if (judge->name) {
        ridge_json_text(&json, "device", judge->name);
        ridge_json_u64(&json, "threads", judge->threads);
        ridge_json_u64(&json, "smem_dynamic_bytes", judge->smem_dynamic_bytes);
        ridge_json_bool(&json, "barriers_counted", !judge->without_barriers);
    }
    ridge_json_array_begin(&json, "kernels");
    for (size_t i = 0; i < inspection->count; i++) {
        const struct kept_kernel *kept = &inspection->kernels[i];
        write_kernel(&json, kept, judge->name != NULL);
        running += kept->runs;
        good = good && (!kept->judged || kept->launchable);
    }
    ridge_json_array_end(&json);
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? finish_output(good && running > 0 ? EXIT_DONE : EXIT_NEGATIVE) : EXIT_INPUT;
}
