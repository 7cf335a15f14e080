/* SPDX-License-Identifier: MIT */
#include "curve/probe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

const struct rg_probe *const rg_probes[] = {&rg_probe_host, &rg_probe_opencl, &rg_probe_cuda, NULL};

const struct rg_probe *rg_probe_find(const char *device)
{
    const size_t length = strcspn(device, ":");
    for (size_t i = 0; rg_probes[i]; i++) {
        if (strncmp(rg_probes[i]->backend, device, length) == 0 && rg_probes[i]->backend[length] == '\0') {
            return rg_probes[i];
        }
    }
    return NULL;
}

ridge_status rg_probe_ended(struct ridge_error *error)
{
    return rg_error_set(error, RIDGE_E_EMPTY, "stopped before anything was measured");
}

void rg_probe_note(struct rg_probe_facts *facts, const char *format, ...)
{
    if (facts->note_count == RG_PROBE_NOTES) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(facts->notes[facts->note_count++], RG_PROBE_TEXT_BYTES, format, arguments);
    va_end(arguments);
}
