/* SPDX-License-Identifier: MIT */
/** \file `ridge backends`: what can run kernels here, and what is missing. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "ridge/backend.h"
#include "ridge/json.h"
#include "terminal.h"

enum {
    MEMORY_BYTES = 32,
    NAME_COLUMN_BYTES = 40
};

static void json_device(struct ridge_json *json, const struct ridge_device_line *device)
{
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "selector", device->selector);
    ridge_json_text(json, "name", device->name);
    ridge_json_text(json, "platform", device->platform);
    ridge_json_text(json, "driver", device->driver);
    ridge_json_text(json, "version", device->version);
    ridge_json_text(json, "kind", device->kind);
    ridge_json_u64(json, "compute_units", device->compute_units);
    ridge_json_u64(json, "memory_bytes", device->memory_bytes);
    ridge_json_u64(json, "max_allocation_bytes", device->max_allocation_bytes);
    ridge_json_u64(json, "local_memory_bytes", device->local_memory_bytes);
    ridge_json_u64(json, "max_block_threads", device->max_block_threads);
    if (device->note[0] != '\0') {
        ridge_json_text(json, "note", device->note);
    }
    ridge_json_object_end(json);
}

static void json_backend(void *user, const struct ridge_backend_line *backend)
{
    struct ridge_json *json = user;
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "name", backend->name);
    ridge_json_text(json, "absent", backend->absent_reason);
    ridge_json_array_begin(json, "devices");
    for (size_t i = 0; i < backend->device_count; i++) {
        json_device(json, &backend->devices[i]);
    }
    ridge_json_array_end(json);
    ridge_json_object_end(json);
}

/** Print a text in a column: padded by characters, not bytes. */
static void print_column(const char *text, size_t width)
{
    size_t used = 0;
    for (const char *at = text; *at; at++) {
        used += ((unsigned char)*at & 0xC0U) != 0x80U;
    }
    terminal_text(text);
    for (; used < width + 2; used++) {
        putchar(' ');
    }
}

/** Memory for people, in binary units; "-" when unknown. */
static void memory_text(uint64_t bytes, char out[MEMORY_BYTES])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    uint64_t tenths = bytes > UINT64_MAX / 10 ? UINT64_MAX : bytes * 10;
    while (tenths >= 10240 && unit < 4) {
        tenths /= 1024;
        unit++;
    }
    if (bytes == 0) {
        snprintf(out, MEMORY_BYTES, "-");
    } else {
        snprintf(out, MEMORY_BYTES, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10, tenths % 10, units[unit]);
    }
}

static void print_row(const char *selector, const char *kind, const char *units, const char *memory, const char *name,
                      const char *driver)
{
    print_column(selector, 12);
    print_column(kind, 11);
    print_column(units, 5);
    print_column(memory, 10);
    print_column(name, NAME_COLUMN_BYTES);
    terminal_text(driver);
    putchar('\n');
}

static void print_backend(void *user, const struct ridge_backend_line *backend)
{
    (void)user;
    if (backend->absent_reason) {
        printf("%s: absent: ", backend->name);
        terminal_text(backend->absent_reason);
        putchar('\n');
    }
    for (size_t i = 0; i < backend->device_count; i++) {
        const struct ridge_device_line *device = &backend->devices[i];
        char memory[MEMORY_BYTES];
        char units[16];
        memory_text(device->memory_bytes, memory);
        snprintf(units, sizeof units, "%" PRIu32, device->compute_units);
        print_row(device->selector, device->kind, units, memory, device->name, device->driver);
        if (device->note[0] != '\0') {
            printf("%12s  note: ", "");
            terminal_text(device->note);
            putchar('\n');
        }
    }
}

int cmd_backends(struct ridge_context *context, int argc, char **argv)
{
    bool json = false;
    double deadline_s = 0;
    const struct option options[] = {
        {"json", OPTION_FLAG, &json, NULL, "print JSON", NULL},
        {"timeout", OPTION_DURATION, &deadline_s, "T", "give up on a backend's drivers after this time (30s)", NULL},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, NULL},
    };
    const enum parsed parsed = options_parse(command_find("backends"), options, argc, argv, NULL, 0, 0);
    if (parsed != PARSED_GO) {
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    }
    struct ridge_error error = {0};
    if (!json) {
        print_row("--device", "kind", "units", "memory", "name", "driver");
        fflush(stdout);
        const ridge_status status = ridge_backend_each(context, print_backend, NULL, deadline_s, &error);
        return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
    }
    struct ridge_json writer;
    ridge_json_begin(&writer, stdout_sink());
    ridge_json_object_begin(&writer, NULL);
    ridge_json_array_begin(&writer, "backends");
    const ridge_status status = ridge_backend_each(context, json_backend, &writer, deadline_s, &error);
    ridge_json_array_end(&writer);
    ridge_json_object_end(&writer);
    (void)ridge_json_end(&writer);
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}
