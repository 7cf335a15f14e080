/* SPDX-License-Identifier: MIT */
/** \file ridge devices: what is known about devices, with sources; checks a person's own file. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "ridge/device.h"
#include "ridge/json.h"
#include "ridge/units.h"

struct arguments {
    const char *name, *data, *check;
    struct option_optional multiprocessors, blocks;
    bool json;
};

static void write_facts(struct ridge_json *json, const struct ridge_device *device)
{
    ridge_json_object_begin(json, "facts");
    for (int i = 0; i < RIDGE_FACT_COUNT; i++) {
        const struct ridge_fact_value *value = &device->facts[i];
        if (!value->known) {
            continue;
        }
        ridge_json_object_begin_compact(json, ridge_fact_key((ridge_fact)i));
        if (value->list) {
            ridge_json_array_begin_compact(json, "value");
            for (size_t k = 0; k < value->list_count; k++) {
                ridge_json_double(json, NULL, value->list[k]);
            }
            ridge_json_array_end(json);
        } else {
            ridge_json_double(json, "value", value->number);
        }
        ridge_json_text(json, "of", value->of);
        ridge_json_text(json, "source", value->source);
        ridge_json_text(json, "note", value->note);
        ridge_json_object_end(json);
    }
    ridge_json_object_end(json);
}

static void write_device(struct ridge_json *json, const struct ridge_device *device)
{
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "name", device->name);
    ridge_json_array_begin_compact(json, "alias");
    for (size_t i = 0; i < device->alias_count; i++) {
        ridge_json_text(json, NULL, device->alias[i]);
    }
    ridge_json_array_end(json);
    ridge_json_text(json, "vendor", device->vendor);
    ridge_json_text(json, "title", device->title);
    ridge_json_text(json, "architecture", device->architecture ? device->architecture->name : NULL);
    ridge_json_text(json, "occupancy_rules", device->family);
    ridge_json_text(json, "note", device->note);
    ridge_json_text(json, "kind", "stated");
    write_facts(json, device);
    ridge_json_object_end(json);
}

static int print_json(const struct ridge_device *const *devices, size_t count)
{
    struct ridge_json json;
    ridge_json_begin(&json, stdout_sink());
    ridge_json_array_begin(&json, NULL);
    for (size_t i = 0; i < count; i++) {
        write_device(&json, devices[i]);
    }
    ridge_json_array_end(&json);
    return ridge_json_end(&json) ? EXIT_DONE : EXIT_INPUT;
}

/** Write a value as people read it: a list with commas, whole numbers in full. */
static void value_text(const struct ridge_fact_value *value, char *out, size_t bytes)
{
    size_t used = 0;
    const size_t count = value->list ? value->list_count : 1;
    for (size_t i = 0; i < count && used < bytes; i++) {
        char number[RIDGE_NUMBER_BYTES];
        ridge_number_format(value->list ? value->list[i] : value->number, number);
        used += (size_t)snprintf(out + used, bytes - used, "%s%s", i ? ", " : "", number);
    }
}

/** Sources as they are first needed, so that each is printed once. */
struct footnotes {
    const char *texts[RIDGE_FACT_COUNT];
    size_t count;
};

static size_t footnote(struct footnotes *notes, const char *text)
{
    for (size_t i = 0; i < notes->count; i++) {
        if (strcmp(notes->texts[i], text) == 0) {
            return i + 1;
        }
    }
    notes->texts[notes->count++] = text;
    return notes->count;
}

static void print_facts(const struct ridge_device *device)
{
    struct footnotes notes = {.count = 0};
    for (int i = 0; i < RIDGE_FACT_COUNT; i++) {
        const struct ridge_fact_value *value = &device->facts[i];
        char text[160] = "";
        if (!value->known) {
            continue;
        }
        value_text(value, text, sizeof text);
        printf("  %-36s %s  [%zu]\n", ridge_fact_key((ridge_fact)i), text, footnote(&notes, value->source));
        if (value->note) {
            printf("  %-36s %s\n", "", value->note);
        }
    }
    for (size_t i = 0; i < notes.count; i++) {
        printf("  [%zu] %s\n", i + 1, notes.texts[i]);
    }
}

static void print_device(const struct ridge_device *device)
{
    printf("%s\n  vendor        %s %s\n", device->name, device->vendor, device->title);
    if (device->architecture && device->architecture != device) {
        printf("  architecture  %s %s\n", device->architecture->name, device->architecture->title);
    }
    for (size_t i = 0; i < device->alias_count; i++) {
        printf("  also          %s\n", device->alias[i]);
    }
    printf("  occupancy     %s\n", device->family ? device->family : "no rules are known");
    if (device->note) {
        printf("  note          %s\n", device->note);
    }
    puts("  kind          stated");
    print_facts(device);
}

/** One cell of the list: a number scaled, or "-". */
static void list_cell(const struct ridge_device *device, ridge_fact fact, double scale, char out[RIDGE_NUMBER_BYTES])
{
    const struct ridge_fact_value *value = &device->facts[fact];
    if (value->known) {
        snprintf(out, RIDGE_NUMBER_BYTES, "%.0f", value->number / scale);
    } else {
        snprintf(out, RIDGE_NUMBER_BYTES, "-");
    }
}

static void print_list(const struct ridge_device_db *db)
{
    puts("name                                vendor    architecture     SM/CU  clock MHz  memory GB   GB/s");
    for (size_t i = 0; i < ridge_device_count(db); i++) {
        const struct ridge_device *device = ridge_device_at(db, i);
        char units[RIDGE_NUMBER_BYTES], clock[RIDGE_NUMBER_BYTES], memory[RIDGE_NUMBER_BYTES], rate[RIDGE_NUMBER_BYTES];
        list_cell(device, RIDGE_FACT_MULTIPROCESSORS, 1, units);
        list_cell(device, RIDGE_FACT_BOOST_CLOCK, 1e6, clock);
        list_cell(device, RIDGE_FACT_MEMORY, 1, memory);
        list_cell(device, RIDGE_FACT_BANDWIDTH, 1e9, rate);
        if (device->is_architecture) {
            printf("%-35s %-9s %s\n", device->name, device->vendor, device->title);
        } else {
            printf("%-35s %-9s %-15s %6s %10s %10s %6s\n", device->name, device->vendor,
                   device->architecture ? device->architecture->name : "-", units, clock, memory, rate);
        }
    }
    puts(
        "\nStated: data sheets and vendors' documents, not measured. ridge devices NAME says where each value comes from.");
}

static int print_reported(const struct ridge_device_match *match, const struct arguments *arguments)
{
    struct ridge_error error = {0};
    struct ridge_device_reported read = {0};
    if (ridge_device_reported_read(match, arguments->multiprocessors.value, arguments->blocks.value, &read, &error) !=
        RIDGE_OK) {
        return report_error(&error);
    }
    if (read.counted_in_pairs) {
        printf("%s: %" PRIu64 " reported are work-group processors: %u compute units\n", match->devices[0]->name,
               arguments->multiprocessors.value, read.compute_units);
    } else {
        printf("%s: %u multiprocessors\n", match->devices[0]->name, read.compute_units);
    }
    if (read.blocks_implausible) {
        printf("%s: %" PRIu64
               " blocks per multiprocessor are implausible (more are known to run): not used as a limit\n",
               match->devices[0]->name, arguments->blocks.value);
    }
    return EXIT_DONE;
}

static int show_all(const struct ridge_device_db *db, const struct arguments *arguments)
{
    const struct ridge_device *devices[1024];
    const size_t count = ridge_device_count(db);
    if (!arguments->json) {
        print_list(db);
        return EXIT_DONE;
    }
    size_t used = 0;
    for (; used < count && used < sizeof devices / sizeof devices[0]; used++) {
        devices[used] = ridge_device_at(db, used);
    }
    return print_json(devices, used);
}

static int show(const struct ridge_device_db *db, const struct arguments *arguments)
{
    struct ridge_error error = {0};
    struct ridge_device_match match;
    if (!arguments->name) {
        return show_all(db, arguments);
    }
    if (ridge_device_find(db, arguments->name, &match, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    if (arguments->multiprocessors.given || arguments->blocks.given) {
        return print_reported(&match, arguments);
    }
    if (arguments->json) {
        return print_json(match.devices, match.count);
    }
    for (size_t i = 0; i < match.count; i++) {
        print_device(match.devices[i]);
    }
    return EXIT_DONE;
}

int cmd_devices(struct ridge_context *context, int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct option options[] = {
        {"data", OPTION_TEXT, &arguments.data, "FOLDER", "device files over those compiled in", NULL},
        {"check", OPTION_TEXT, &arguments.check, "FILE", "check a device file of your own", NULL},
        {"reported-multiprocessors", OPTION_OPTIONAL, &arguments.multiprocessors, "N",
         "what a driver reports, read rightly", NULL},
        {"reported-blocks", OPTION_OPTIONAL, &arguments.blocks, "N", "blocks per multiprocessor a driver reports",
         NULL},
        {"json", OPTION_FLAG, &arguments.json, NULL, "print JSON", NULL},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, NULL},
    };
    struct ridge_error error = {0};
    struct ridge_device_db *db = NULL;
    const enum parsed parsed = options_parse(command_find("devices"), options, argc, argv, &arguments.name, 0, 1);
    if (parsed != PARSED_GO) {
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    }
    if ((arguments.multiprocessors.given || arguments.blocks.given) && !arguments.name) {
        fprintf(stderr, "ridge devices: what a driver reports is read for one device (name it, as in ridge devices "
                        "gfx1100 --reported-multiprocessors 30)\n");
        return EXIT_USAGE;
    }
    const ridge_status status = arguments.check
                                    ? ridge_device_db_create_with_file(context, arguments.check, &db, &error)
                                    : ridge_device_db_create(context, arguments.data, &db, &error);
    if (status != RIDGE_OK) {
        return report_error(&error);
    }
    int code = EXIT_DONE;
    if (arguments.check && !arguments.name) {
        printf("%s: good; %zu records with those compiled in\n", arguments.check, ridge_device_count(db));
    } else {
        code = show(db, &arguments);
    }
    ridge_device_db_destroy(db);
    return code;
}
