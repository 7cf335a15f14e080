/* SPDX-License-Identifier: MIT */
/* What oclgrind writes down: paragraphs, each with a head, lines that begin with a tab, and "At line N". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tune/gate_tool.h"

/** Heads of paragraphs. **Source**: what oclgrind 21.10 of Debian writes for the planted faults of tests/fixtures. */
static const struct {
    const char *begins;
    const char *holds; /**< NULL: anything */
    rg_rule rule;
} heads[] = {
    {"Read-write data race at", "local memory", RG_RULE_SHARED_RACE},
    {"Write-write data race at", "local memory", RG_RULE_SHARED_RACE},
    {"Read-write data race at", NULL, RG_RULE_GLOBAL_RACE},
    {"Write-write data race at", NULL, RG_RULE_GLOBAL_RACE},
    {"Work-group divergence detected", NULL, RG_RULE_DIVERGENT_BARRIER},
    {"Uninitialized ", NULL, RG_RULE_UNINITIALISED},
    {"Invalid memory ", "not aligned", RG_RULE_MISALIGNED},
    {"Invalid read ", NULL, RG_RULE_OUT_OF_BOUNDS},
    {"Invalid write ", NULL, RG_RULE_OUT_OF_BOUNDS},
};

enum {
    HEAD_COUNT = sizeof heads / sizeof heads[0],
    HEAD_BYTES = 320
};

/** A paragraph as far as it was read. */
struct paragraph {
    bool known;
    rg_rule rule;
    char text[HEAD_BYTES]; /**< the head */
    char who[HEAD_BYTES];  /**< the first work-item, or how many */
    char other[HEAD_BYTES];
    char file[RG_GATE_FILE]; /**< "": the kernel's own */
    unsigned line;
};

static void head_read(const char *line, struct paragraph *out)
{
    memset(out, 0, sizeof *out);
    snprintf(out->text, sizeof out->text, "%s", line);
    for (size_t i = 0; i < HEAD_COUNT && !out->known; i++) {
        out->known = rg_judge_after(line, heads[i].begins) && (!heads[i].holds || strstr(line, heads[i].holds));
        out->rule = heads[i].rule;
    }
}

/** "At line 5 (column 10) of FILE:". The kernel itself is called input.cl; others are those that it includes. */
static void file_read(const char *line, struct paragraph *out)
{
    const char *file = strstr(line, ") of ");
    const size_t length = file ? strcspn(file += strlen(") of "), "\n") : 0;
    if (length > 1 && length < sizeof out->file && strncmp(file, "input.cl", 8) != 0) {
        snprintf(out->file, sizeof out->file, "%.*s", (int)(length - 1), file);
    }
}

static void detail_read(const char *line, struct paragraph *out)
{
    static const char *const who[] = {"Entity: ", "First entity:  ", "Only "};
    for (size_t i = 0; i < sizeof who / sizeof who[0]; i++) {
        if (rg_judge_after(line, who[i])) {
            snprintf(out->who, sizeof out->who, "%s", i < 2 ? rg_judge_after(line, who[i]) : line);
        }
    }
    if (rg_judge_after(line, "Second entity: ")) {
        snprintf(out->other, sizeof out->other, "%s", rg_judge_after(line, "Second entity: "));
    }
    if (rg_judge_after(line, "At line ") && out->line == 0) {
        out->line = (unsigned)strtoul(rg_judge_after(line, "At line "), NULL, 10);
        file_read(line, out);
    }
}

/** The paragraph is over: a new finding, or one more of a known. */
static void paragraph_end(const struct paragraph *paragraph, const char *source, struct rg_gate_slot *slot)
{
    if (!paragraph->known) {
        return;
    }
    struct rg_gate_finding found = {.rule = paragraph->rule, .line = paragraph->line, .count = 1};
    snprintf(found.file, sizeof found.file, "%s", paragraph->file[0] ? paragraph->file : source);
    snprintf(found.reason, sizeof found.reason, "%.250s%s%.200s%s%.200s", paragraph->text,
             paragraph->who[0] ? "; " : "", paragraph->who, paragraph->other[0] ? " and " : "", paragraph->other);
    rg_judge_add(slot, &found);
}

void rg_oclgrind_read_log(const char *log, const char *source, struct rg_gate_slot *slot)
{
    struct paragraph paragraph = {.known = false};
    while (*log) {
        char line[HEAD_BYTES];
        const size_t length = strcspn(log, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, log);
        log += length + (log[length] == '\n');
        if (line[0] == '\t') {
            detail_read(line + 1, &paragraph);
        } else if (line[0] != '\0') {
            paragraph_end(&paragraph, source, slot);
            head_read(line, &paragraph);
        }
    }
    paragraph_end(&paragraph, source, slot);
}
