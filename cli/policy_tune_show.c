/* SPDX-License-Identifier: MIT */
/** \file The variants of ridge policy tune as a table and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "policy_tune.h"
#include "ridge/json.h"
#include "ridge/units.h"

void elements_text(uint64_t elements, char *out, size_t bytes)
{
    static const char letters[] = "GMK";
    for (int i = 0; i < 3; i++) {
        const uint64_t unit = UINT64_C(1) << (30 - 10 * i);
        if (elements % unit == 0 && elements > 0) {
            snprintf(out, bytes, "%" PRIu64 "%c", elements / unit, letters[i]);
            return;
        }
    }
    snprintf(out, bytes, "%" PRIu64, elements);
}

/** "1.203 (1.190-1.215)" */
static void speed_up_text(const struct ridge_ratio *speed_up, char *out, size_t bytes)
{
    if (isnan(speed_up->value)) {
        snprintf(out, bytes, "-");
    } else if (isnan(speed_up->low)) {
        snprintf(out, bytes, "%.3f (unknown)", speed_up->value);
    } else {
        snprintf(out, bytes, "%.3f (%.3f-%.3f)", speed_up->value, speed_up->low, speed_up->high);
    }
}

static size_t name_width(const struct policy_tuned *tuned)
{
    size_t width = strlen("variant");
    for (size_t i = 0; i < tuned->variants->count; i++) {
        const size_t length = strlen(tuned->variants->items[i].name);
        width = length > width ? length : width;
    }
    return width;
}

static const struct ridge_record *record_of(const struct ridge_run *run, const char *id)
{
    for (size_t i = 0; i < run->record_count; i++) {
        if (strcmp(run->records[i].id, id) == 0) {
            return &run->records[i];
        }
    }
    return NULL;
}

static const struct ridge_variant *base_of(const struct ridge_variants *variants)
{
    for (size_t i = 0; i < variants->count; i++) {
        if (variants->items[i].is_base) {
            return &variants->items[i];
        }
    }
    return NULL;
}

static void print_head(const struct policy_tuned *tuned, size_t width)
{
    const struct ridge_run_info *info = &tuned->runs[0]->info;
    const struct ridge_variant *base = base_of(tuned->variants);
    printf("%s on %s (%s), measured\n", tuned->title, info->device, info->backend);
    printf("  %s\n", info->driver);
    printf("  %zu variants; base: %s\n\n", tuned->variants->count, base ? base->name : "none");
    printf("Speed-up over the base, with what the 95 %% intervals of both medians allow\n  %-*s", (int)width,
           "variant");
    for (size_t i = 0; i < tuned->count; i++) {
        char text[32];
        elements_text(tuned->elements[i], text, sizeof text);
        printf("  %-19s", text);
    }
    puts("  score");
}

static void print_variant(const struct policy_tuned *tuned, const struct ridge_variant *variant, size_t width)
{
    char text[64];
    printf("%c %-*s", variant->tied ? '=' : ' ', (int)width, variant->name);
    for (size_t i = 0; i < tuned->count; i++) {
        speed_up_text(&variant->sizes[i], text, sizeof text);
        printf("  %-19s", text);
    }
    speed_up_text(&variant->score, text, sizeof text);
    printf("  %s%s\n", text, variant->is_base ? "  base" : "");
}

static void print_best(const struct policy_tuned *tuned, size_t run)
{
    const struct ridge_variants *variants = tuned->variants;
    const size_t best = variants->best_of_run[run];
    char size[32];
    char time[RIDGE_NUMBER_BYTES];
    elements_text(tuned->elements[run], size, sizeof size);
    const struct ridge_record *record =
        best < variants->count ? record_of(tuned->runs[run], variants->items[best].id) : NULL;
    if (!record) {
        printf("  %-6s nothing was measured\n", size);
        return;
    }
    const double moved = (double)(tuned->elements[run] * tuned->bytes_each);
    ridge_duration_format(record->first.median_s, time);
    printf("  %-6s %s  %s  %.1f GB/s  run %lld\n", size, variants->items[best].name, time,
           moved / record->first.median_s / 1e9, (long long)tuned->runs[run]->id);
}

/** A score that ties is no order: then the run does not say which variant is best. */
static void print_overall(const struct policy_tuned *tuned)
{
    const struct ridge_variants *variants = tuned->variants;
    size_t tied = 0;
    for (size_t i = 0; i < variants->count; i++) {
        tied += variants->items[i].tied;
    }
    if (tied == 0) {
        puts("\nBest overall: none: no variant was measured at every size");
    } else if (tied == 1) {
        printf("\nBest overall: %s\n", variants->items[0].name);
    } else {
        printf(
            "\nBest overall: one of the variants marked =; their scores do not say which. The first of them:\n  %s\n",
            variants->items[0].name);
    }
}

void policy_tuned_print(const struct policy_tuned *tuned)
{
    const struct ridge_variants *variants = tuned->variants;
    const size_t width = name_width(tuned);
    size_t complete = 0;
    print_head(tuned, width);
    for (size_t i = 0; i < variants->count; i++) {
        complete += variants->items[i].complete;
        if (i < tuned->limit || variants->items[i].is_base) {
            print_variant(tuned, &variants->items[i], width);
        }
    }
    printf(
        "= its score cannot be told from the best one. %zu of %zu variants were measured at every size and have one.\n",
        complete, variants->count);
    puts("\nFastest at each size (measured, first pass)");
    for (size_t i = 0; i < tuned->count; i++) {
        print_best(tuned, i);
    }
    print_overall(tuned);
    printf("As code, the winner of a size: ridge apply RUN --db %s --format c-header\n", tuned->database);
}

static void json_speed_up(struct ridge_json *json, const char *key, const struct ridge_ratio *speed_up)
{
    ridge_json_object_begin_compact(json, key);
    ridge_json_double(json, "ratio", speed_up->value);
    ridge_json_double(json, "low", speed_up->low);
    ridge_json_double(json, "high", speed_up->high);
    ridge_json_object_end(json);
}

static void json_sizes(struct ridge_json *json, const struct policy_tuned *tuned)
{
    ridge_json_array_begin(json, "sizes");
    for (size_t i = 0; i < tuned->count; i++) {
        const size_t best = tuned->variants->best_of_run[i];
        const struct ridge_record *record =
            best < tuned->variants->count ? record_of(tuned->runs[i], tuned->variants->items[best].id) : NULL;
        ridge_json_object_begin(json, NULL);
        ridge_json_u64(json, "elements", tuned->elements[i]);
        ridge_json_i64(json, "run", tuned->runs[i]->id);
        ridge_json_text(json, "best", record ? tuned->variants->items[best].name : NULL);
        ridge_json_double(json, "best_median_s", record ? record->first.median_s : (double)NAN);
        ridge_json_double(json, "best_bytes_per_s",
                          record ? (double)(tuned->elements[i] * tuned->bytes_each) / record->first.median_s
                                 : (double)NAN);
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
}

int policy_tuned_print_json(const struct policy_tuned *tuned)
{
    struct ridge_json json;
    const struct ridge_variants *variants = tuned->variants;
    const struct ridge_variant *base = base_of(variants);
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "schema", "ridge.policy-tune/1");
    ridge_json_text(&json, "kernel", tuned->title);
    ridge_json_text(&json, "device", tuned->runs[0]->info.device);
    ridge_json_text(&json, "backend", tuned->runs[0]->info.backend);
    ridge_json_text(&json, "driver", tuned->runs[0]->info.driver);
    ridge_json_text(&json, "kind", ridge_kind_word(RIDGE_MEASURED));
    ridge_json_text(&json, "folder", tuned->folder);
    ridge_json_text(&json, "base", base ? base->name : NULL);
    ridge_json_text(&json, "best", variants->items[0].complete ? variants->items[0].name : NULL);
    json_sizes(&json, tuned);
    ridge_json_array_begin(&json, "variants");
    for (size_t i = 0; i < variants->count; i++) {
        const struct ridge_variant *variant = &variants->items[i];
        ridge_json_object_begin(&json, NULL);
        ridge_json_text(&json, "name", variant->name);
        ridge_json_text(&json, "id", variant->id);
        ridge_json_bool(&json, "tied_with_best", variant->tied);
        json_speed_up(&json, "score", &variant->score);
        ridge_json_array_begin(&json, "speed_up");
        for (size_t k = 0; k < tuned->count; k++) {
            json_speed_up(&json, NULL, &variant->sizes[k]);
        }
        ridge_json_array_end(&json);
        ridge_json_object_end(&json);
    }
    ridge_json_array_end(&json);
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? EXIT_DONE : EXIT_INPUT;
}
