/* SPDX-License-Identifier: MIT */
/* The two files between a judge and the program beneath it: the order, and what became of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tune/gate_launch.h"

static const char key_choice[] = "choice";
static const char key_seconds[] = "seconds";
static const char key_set[] = "set";

/** The keys that have one text. */
static const struct {
    const char *name;
    size_t offset;
    bool required;
} texts[] = {
    {"spec", offsetof(struct rg_launch_order, spec), true},
    {"outcome", offsetof(struct rg_launch_order, outcome), true},
    {"outputs", offsetof(struct rg_launch_order, outputs), false},
    {"cuda-path", offsetof(struct rg_launch_order, cuda_path), false},
    {"cache-folder", offsetof(struct rg_launch_order, cache_folder), false},
};

enum {
    TEXT_COUNT = sizeof texts / sizeof texts[0]
};

static const char **text_at(struct rg_launch_order *order, size_t which)
{
    return (const char **)(void *)((char *)order + texts[which].offset);
}

static void pair_write(struct rg_buffer *out, const char *key, const char *value)
{
    rg_buffer_printf(out, "%s=%s", key, value);
    rg_buffer_append(out, "", 1);
}

static void number_write(struct rg_buffer *out, const char *key, unsigned long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lu", value);
    pair_write(out, key, text);
}

ridge_status rg_launch_order_write(const struct rg_launch_order *order, struct rg_buffer *out,
                                   struct ridge_error *error)
{
    struct rg_launch_order copy = *order;
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        if (*text_at(&copy, i)) {
            pair_write(out, texts[i].name, *text_at(&copy, i));
        }
    }
    for (size_t i = 0; i < order->set_count; i++) {
        pair_write(out, key_set, order->set[i]);
    }
    for (size_t i = 0; i < order->choice_count; i++) {
        number_write(out, key_choice, order->choice[i]);
    }
    number_write(out, key_seconds, order->seconds);
    return out->failed ? rg_error_memory(error, out->length) : RIDGE_OK;
}

static bool number_read(const char *text, unsigned long most, unsigned long *out)
{
    const size_t digits = strspn(text, "0123456789");
    *out = digits > 0 && digits < 11 ? strtoul(text, NULL, 10) : 0;
    return digits > 0 && digits < 11 && text[digits] == '\0' && *out <= most;
}

/** Take in one pair. \return false when there is no such key, it comes too often, or its value is none */
static bool pair_read(const char *key, const char *value, struct rg_launch_order *out)
{
    unsigned long number = 0;
    if (strcmp(key, key_set) == 0 && out->set_count < RG_LAUNCH_ORDER_SETS) {
        out->set[out->set_count++] = value;
        return true;
    }
    if (strcmp(key, key_choice) == 0 && out->choice_count < RG_MAX_DIMENSIONS &&
        number_read(value, UINT32_MAX, &number)) {
        out->choice[out->choice_count++] = (uint32_t)number;
        return true;
    }
    if (strcmp(key, key_seconds) == 0 && number_read(value, UINT32_MAX, &number)) {
        out->seconds = (unsigned)number;
        return true;
    }
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        if (strcmp(key, texts[i].name) == 0) {
            *text_at(out, i) = value;
            return true;
        }
    }
    return false;
}

/** Split one text at its first `=` and take it in. */
static bool text_read(const char *text, struct rg_launch_order *out)
{
    char key[32];
    const char *equals = strchr(text, '=');
    if (!equals || (size_t)(equals - text) >= sizeof key) {
        return false;
    }
    snprintf(key, sizeof key, "%.*s", (int)(equals - text), text);
    return pair_read(key, equals + 1, out);
}

ridge_status rg_launch_order_read(const char *text, size_t length, struct rg_launch_order *out,
                                  struct ridge_error *error)
{
    struct rg_launch_order order = {.spec = NULL};
    for (size_t at = 0; at < length; at += strlen(text + at) + 1) {
        if (!memchr(text + at, '\0', length - at)) {
            return rg_error_set(error, RIDGE_E_SYNTAX, "the order is cut short (ridge check writes it)");
        }
        if (!text_read(text + at, &order)) {
            return rg_error_set(error, RIDGE_E_SYNTAX,
                                "the order has '%.60s', which means nothing (ridge check writes it)", text + at);
        }
    }
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        if (texts[i].required && !*text_at(&order, i)) {
            return rg_error_set(error, RIDGE_E_SYNTAX, "the order has no %s (ridge check writes it)", texts[i].name);
        }
    }
    *out = order;
    return RIDGE_OK;
}

void rg_launched_write(const struct rg_launched *launched, struct rg_buffer *out)
{
    rg_buffer_printf(out, "%d %d %s\n%s", (int)launched->status, (int)launched->outcome, launched->device,
                     launched->text);
}

bool rg_launched_read(const char *text, struct rg_launched *out)
{
    char *at = NULL;
    const unsigned long status = strtoul(text, &at, 10);
    const bool spaced = at != text && *at == ' ';
    const char *second = at;
    const unsigned long outcome = spaced ? strtoul(second, &at, 10) : 0;
    if (!spaced || at == second || *at != ' ' || status > RIDGE_E_INTERNAL || outcome >= RIDGE_OUTCOME_COUNT) {
        return false;
    }
    const size_t length = strcspn(++at, "\n");
    if (at[length] != '\n') {
        return false;
    }
    out->status = (ridge_status)status;
    out->outcome = (ridge_outcome)outcome;
    snprintf(out->device, sizeof out->device, "%.*s",
             (int)(length < sizeof out->device ? length : sizeof out->device - 1), at);
    out->text = at + length + 1;
    return true;
}
