/* SPDX-License-Identifier: MIT */
/* What the other judges have in common: which there are, a folder for each run, and findings that add up. */
#include "tune/gate_tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/temporary.h"

static const struct rg_judge *const judges[] = {&rg_judge_oclgrind, &rg_judge_sanitizer};

enum {
    JUDGE_COUNT = sizeof judges / sizeof judges[0]
};

static const double share_of_timeout = 0.9;

static ridge_status name_unknown(const char *name, struct ridge_error *error)
{
    char known[128] = "";
    for (size_t i = 0; i < JUDGE_COUNT; i++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", judges[i]->name);
    }
    return rg_error_set(error, RIDGE_E_VALUE, "there is no judge '%s' (%s)", name, known);
}

ridge_status rg_judge_find(struct ridge_gate *gate, struct ridge_error *error)
{
    if (!gate->options.with) {
        return RIDGE_OK;
    }
    for (size_t i = 0; i < JUDGE_COUNT && !gate->judge; i++) {
        gate->judge = strcmp(judges[i]->name, gate->options.with) == 0 ? judges[i] : NULL;
    }
    const struct rg_judge *judge = gate->judge;
    if (!judge) {
        return name_unknown(gate->options.with, error);
    }
    if (gate->sources.ptx_text || !gate->sources.texts[judge->language]) {
        const struct rg_place place = {.file = gate->spec->path};
        return rg_error_at(error, RIDGE_E_VALUE, &place, "%s runs %s only (a spec with such a source, without --ptx)",
                           judge->name, judge->language_name);
    }
    const ridge_status status = judge->find(gate, error);
    const char *root = gate->options.work_folder ? gate->options.work_folder : "/tmp";
    return status == RIDGE_OK ? rg_temporary_make(root, gate->judge_folder, sizeof gate->judge_folder, error) : status;
}

void rg_judge_close(struct ridge_gate *gate)
{
    if (gate->judge_folder[0] != '\0') {
        rg_temporary_remove(gate->judge_folder);
    }
}

ridge_status rg_judge_run(struct ridge_gate *gate, struct rg_judged *judged, struct ridge_error *error)
{
    char folder[sizeof gate->judge_folder + 8];
    struct rg_gate_slot *slot = judged->slot;
    snprintf(folder, sizeof folder, "%s/XXXXXX", gate->judge_folder);
    if (!mkdtemp(folder)) {
        return rg_error_system(error, RIDGE_E_IO, errno, gate->judge_folder, "cannot make a temporary folder");
    }
    judged->folder = folder;
    memcpy(slot->grid, judged->job->launch.grid, sizeof slot->grid);
    memcpy(slot->block, judged->job->launch.block, sizeof slot->block);
    snprintf(slot->compiler, sizeof slot->compiler, "%s%s%s", gate->judge->name, gate->judge_version[0] ? " " : "",
             gate->judge_version);
    rg_problem_reset(&gate->problem, true);
    const ridge_status status = gate->judge->run(gate, judged, error);
    rg_folder_remove(folder);
    return status;
}

double rg_judge_seconds(const struct ridge_gate *gate)
{
    return share_of_timeout * gate->options.timeout_s;
}

const char *rg_judge_file(struct rg_arena *arena, const char *folder, const char *name)
{
    char path[512];
    char *text = NULL;
    struct ridge_error ignored = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return rg_file_read(arena, path, &text, NULL, &ignored) == RIDGE_OK ? text : "";
}

void rg_judge_say(struct rg_gate_slot *slot, const char *format, ...)
{
    if (slot->text[0] != '\0') {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(slot->text, sizeof slot->text, format, arguments);
    va_end(arguments);
}

const char *rg_judge_after(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0 ? line + strlen(word) : NULL;
}

void rg_judge_add(struct rg_gate_slot *slot, const struct rg_gate_finding *finding)
{
    for (uint64_t i = 0; i < slot->finding_count; i++) {
        struct rg_gate_finding *known = &slot->findings[i];
        if (known->rule == finding->rule && known->line == finding->line && strcmp(known->file, finding->file) == 0) {
            known->count += finding->count;
            return;
        }
    }
    if (slot->finding_count < RG_GATE_FINDINGS) {
        slot->findings[slot->finding_count++] = *finding;
    }
}
