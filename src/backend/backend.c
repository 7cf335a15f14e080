/* SPDX-License-Identifier: MIT */
#include "backend/backend.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "compile/source_text.h"
#include "ridge/units.h"

const struct rg_backend *const rg_backends[] = {&rg_backend_opencl, &rg_backend_cuda, &rg_backend_host,
                                                &rg_backend_null, NULL};

static const char known_backends[] = "opencl, opencl:PLATFORM, opencl:PLATFORM:DEVICE, cuda, cuda:DEVICE, host, null, "
                                     "replay:FILE";

void rg_trouble_set(struct rg_trouble *trouble, ridge_outcome outcome, const char *format, ...)
{
    if (!trouble || trouble->outcome != RIDGE_OUTCOME_OK) {
        return;
    }
    trouble->outcome = outcome;
    if (!trouble->text) {
        return;
    }
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rg_buffer_puts(trouble->text, text);
}

void rg_trouble_log(struct rg_trouble *trouble, ridge_outcome outcome, const struct rg_buffer *log)
{
    if (!trouble || trouble->outcome != RIDGE_OUTCOME_OK) {
        return;
    }
    trouble->outcome = outcome;
    if (!trouble->text) {
        return;
    }
    rg_log_append(trouble->text, rg_buffer_text(log));
}

const struct rg_backend *rg_backend_find(const char *name, size_t length)
{
    for (const struct rg_backend *const *backend = rg_backends; *backend; backend++) {
        if (strlen((*backend)->name) == length && memcmp((*backend)->name, name, length) == 0) {
            return *backend;
        }
    }
    return NULL;
}

bool rg_launch_is_positive(const struct rg_launch *launch, struct rg_trouble *trouble)
{
    static const char axes[] = "xyz";
    for (unsigned i = 0; i < launch->dimensions; i++) {
        if (launch->grid[i] == 0) {
            rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE, "grid_%c is 0 blocks (at least 1)", axes[i]);
            return false;
        }
        if (launch->block[i] == 0) {
            rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE, "block_%c is 0 threads (at least 1)", axes[i]);
            return false;
        }
    }
    return true;
}

void rg_device_selector(const struct rg_backend *backend, unsigned platform_index, unsigned device_index, char *out,
                        size_t bytes)
{
    switch (backend->numbers) {
    case 2: snprintf(out, bytes, "%s:%u:%u", backend->name, platform_index, device_index); break;
    case 1: snprintf(out, bytes, "%s:%u", backend->name, device_index); break;
    default: snprintf(out, bytes, "%s", backend->name); break;
    }
}

static ridge_status unknown_backend(const char *text, size_t length, struct ridge_error *error)
{
    char name[65];
    const size_t kept = length < sizeof name ? length : sizeof name - 1;
    memcpy(name, text, kept);
    name[kept] = '\0';
    const char *names[8];
    size_t count = 0;
    for (const struct rg_backend *const *backend = rg_backends; *backend && count < 8; backend++) {
        names[count++] = (*backend)->name;
    }
    const char *near = ridge_near_name(name, names, count);
    return rg_error_set(error, RIDGE_E_UNAVAILABLE, "there is no device '%.200s' (%s%s%s)", text,
                        near ? "did you mean " : "", near ? near : known_backends, near ? "?" : "");
}

/** Read one number up to the next colon or the end, and step over the colon. */
static bool read_index(const char **at, unsigned *out)
{
    char digits[16];
    const size_t length = strcspn(*at, ":");
    if (length == 0 || length >= sizeof digits) {
        return false;
    }
    memcpy(digits, *at, length);
    digits[length] = '\0';
    uint64_t value;
    if (strspn(digits, "0123456789") != length || ridge_count_parse(digits, 65535, &value, NULL) != RIDGE_OK) {
        return false;
    }
    *out = (unsigned)value;
    *at += length;
    return true;
}

ridge_status rg_device_choose(const char *text, struct rg_device_choice *out, struct ridge_error *error)
{
    const size_t length = strcspn(text, ":");
    if (strncmp(text, "replay:", 7) == 0 && text[7] != '\0') {
        *out = (struct rg_device_choice){.backend = &rg_backend_replay, .file = text + 7};
        return RIDGE_OK;
    }
    struct rg_device_choice made = {.backend = rg_backend_find(text, length)};
    if (!made.backend) {
        return unknown_backend(text, length, error);
    }
    const char *at = text + length;
    if (*at == ':' && made.backend->numbers == 0) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "there is no device '%.200s' (%s is one device: no number)",
                            text, made.backend->name);
    }
    unsigned *const indices[] = {&made.platform_index, &made.device_index};
    for (size_t i = 2 - made.backend->numbers; i < 2 && *at == ':'; i++) {
        at++;
        if (!read_index(&at, indices[i])) {
            return rg_error_set(error, RIDGE_E_UNAVAILABLE, "there is no device '%.200s' (%s)", text, known_backends);
        }
    }
    if (*at != '\0') {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "there is no device '%.200s' (%s)", text, known_backends);
    }
    *out = made;
    return RIDGE_OK;
}
