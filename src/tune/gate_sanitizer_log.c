/* SPDX-License-Identifier: MIT */
/* What compute-sanitizer writes down: lines behind "=========", a head at the margin and its details indented, and at the
 * end a summary. **Source**: the reports in NVIDIA's Compute Sanitizer manual (2025), and its older form, in which a
 * place is "at 0xOFFSET in FILE:LINE:FUNCTION", in public issues. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tune/gate_tool.h"

enum {
    LINE_BYTES = 320,
    LONGEST_LINE = 2048, /* what is longer is a name of C++, and cut */
    ACCESSES = 4         /* of a race that are told */
};

/** Heads of paragraphs, behind their severity. */
static const struct {
    const char *begins;
    const char *holds; /**< NULL: anything */
    rg_rule rule;
} heads[] = {
    {"Invalid __", NULL, RG_RULE_OUT_OF_BOUNDS},
    {"Potential invalid __", NULL, RG_RULE_SHARED_RACE}, /* of a block that may not be there */
    {"(Warp Level Programming) Potential ", " hazard ", RG_RULE_WARP_RACE},
    {"Potential ", " hazard ", RG_RULE_SHARED_RACE},
    {"Race reported between ", NULL, RG_RULE_SHARED_RACE},
    {"Uninitialized __", NULL, RG_RULE_UNINITIALISED},
    {"Barrier error", "nvalid arguments", RG_RULE_SHUFFLE}, /* a lane that is not in its own mask */
    {"Barrier error", NULL, RG_RULE_DIVERGENT_BARRIER},
};

enum {
    HEAD_COUNT = sizeof heads / sizeof heads[0]
};

/** A line of source. */
struct place {
    char file[RG_GATE_FILE]; /**< "": not told */
    uint32_t line;           /**< 0: not told */
    bool own;                /**< it is the kernel's own source */
};

/** One side of a race. */
struct access {
    bool write;
    char thread[64]; /**< " of thread (0,0,0)", or "" */
    struct place place;
};

/** A paragraph as far as it was read. */
struct paragraph {
    bool known;
    bool analysis; /**< it sums up hazards, each of which has its paragraph too */
    rg_rule rule;
    char text[LINE_BYTES]; /**< the head */
    char who[LINE_BYTES];  /**< the thread */
    char what[LINE_BYTES]; /**< the address */
    struct place place;
    struct access accesses[ACCESSES];
    size_t access_count;
};

struct reader {
    const char *source;
    struct rg_gate_slot *slot;
    struct rg_sanitizer_log *out;
    struct paragraph paragraph;
};

/** Whether a path is the spec's source. Stripped paths are names alone. */
static bool is_own(const char *source, const char *path)
{
    const char *slash = strrchr(source, '/');
    return strcmp(source, path) == 0 || rg_gate_own_name(source, path) == source ||
           (!strchr(path, '/') && strcmp(path, slash ? slash + 1 : source) == 0);
}

/** Read "FUNCTION+0xOFFSET in FILE:LINE", or the older "0xOFFSET in FILE:LINE:FUNCTION". */
static void place_read(const struct reader *reader, const char *text, struct place *out)
{
    memset(out, 0, sizeof *out);
    for (const char *at = strstr(text, " in "); at; at = strstr(at + 1, " in ")) {
        const char *file = at + strlen(" in ");
        const char *colon = file;
        while (*colon && !(colon[0] == ':' && colon[1] >= '0' && colon[1] <= '9')) {
            colon++;
        }
        const size_t length = (size_t)(colon - file);
        if (*colon == '\0' || length == 0 || length >= sizeof out->file) {
            continue;
        }
        snprintf(out->file, sizeof out->file, "%.*s", (int)length, file);
        out->line = (uint32_t)strtoul(colon + 1, NULL, 10);
        out->own = is_own(reader->source, out->file);
        if (out->own) {
            snprintf(out->file, sizeof out->file, "%s", reader->source);
        }
        return;
    }
}

/** Keep a place where it tells more than the one before: the instruction may lie in a header that the kernel calls. */
static void place_offer(struct place *best, const struct place *offered)
{
    if (offered->line > 0 && (best->line == 0 || (offered->own && !best->own))) {
        *best = *offered;
    }
}

/** Read "Write access at PLACE [N hazards]" or "Write Thread (0,0,0) at PLACE". */
static void access_read(const struct reader *reader, const char *text, struct paragraph *out)
{
    const bool write = rg_judge_after(text, "Write ") != NULL;
    const char *at = strstr(text, " at ");
    if ((!write && !rg_judge_after(text, "Read ")) || !at || out->access_count == ACCESSES) {
        return;
    }
    struct access *access = &out->accesses[out->access_count++];
    const char *thread = strstr(text, "Thread (");
    memset(access, 0, sizeof *access);
    access->write = write;
    if (thread && thread < at) {
        snprintf(access->thread, sizeof access->thread, " of thread %.*s", (int)strcspn(thread + 7, ")") + 1,
                 thread + 7);
    }
    place_read(reader, at, &access->place);
}

static bool summary_read(const char *line, struct rg_sanitizer_log *out)
{
    const char *number = rg_judge_after(line, "ERROR SUMMARY: ");
    number = number ? number : rg_judge_after(line, "RACECHECK SUMMARY: ");
    if (number && !strstr(number, "not printed") && *number >= '0' && *number <= '9') {
        out->whole = true;
        out->errors += strtoull(number, NULL, 10);
    }
    return number != NULL || rg_judge_after(line, "LEAK SUMMARY: ");
}

/** \return the head behind its severity, and whether that is only a warning. */
static const char *severity_skip(const char *line, bool *warning)
{
    static const struct {
        const char *word;
        bool warning;
    } rows[] = {{"Error:", false}, {"ERROR:", false}, {"Warning:", true}, {"WARNING:", true}, {"WARN:", true}};
    *warning = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *rest = rg_judge_after(line, rows[i].word);
        if (rest) {
            *warning = rows[i].warning;
            return rest + strspn(rest, " ");
        }
    }
    return line;
}

/** Keep the head, without a colon at its end. */
static void head_keep(const char *text, struct paragraph *out)
{
    size_t length = strlen(text);
    length -= length > 1 && strcmp(text + length - 2, " :") == 0 ? 2 : 0;
    snprintf(out->text, sizeof out->text, "%.*s", length < LINE_BYTES ? (int)length : LINE_BYTES - 1, text);
}

static void head_read(struct reader *reader, const char *line)
{
    struct paragraph *out = &reader->paragraph;
    bool warning = false;
    const char *text = severity_skip(line, &warning);
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < HEAD_COUNT && !out->known; i++) {
        out->known = rg_judge_after(text, heads[i].begins) && (!heads[i].holds || strstr(text, heads[i].holds));
        out->rule = heads[i].rule;
    }
    const bool banner = rg_judge_after(line, "COMPUTE-SANITIZER") != NULL;
    if (!out->known && !banner && !summary_read(line, reader->out) && reader->out->unknown[0] == '\0') {
        snprintf(reader->out->unknown, sizeof reader->out->unknown, "%s", line);
    }
    const char *first = rg_judge_after(text, "Race reported between ");
    if (first) { /* warnings are those of lanes of a warp: see the manual's severity levels */
        out->rule = warning ? RG_RULE_WARP_RACE : out->rule;
        out->analysis = true;
        access_read(reader, first, out);
    }
    head_keep(text, out);
}

static void detail_read(struct reader *reader, const char *line)
{
    static const char *const places[] = {"at ", "Device Frame:"};
    static const char *const addresses[] = {"Address ", "Access at ", "Access to ", "and is "};
    struct paragraph *out = &reader->paragraph;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (rg_judge_after(line, places[i])) {
            struct place place;
            place_read(reader, line, &place);
            place_offer(&out->place, &place);
        }
    }
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        const size_t used = strlen(out->what);
        if (rg_judge_after(line, addresses[i])) {
            snprintf(out->what + used, sizeof out->what - used, "%s%s", used > 0 ? " " : "", line);
        }
    }
    if (rg_judge_after(line, "by thread ")) {
        snprintf(out->who, sizeof out->who, "%s", line + strlen("by "));
    }
    if (out->rule == RG_RULE_OUT_OF_BOUNDS && strstr(line, " is misaligned")) {
        out->rule = RG_RULE_MISALIGNED;
    }
    access_read(reader, rg_judge_after(line, "and ") ? rg_judge_after(line, "and ") : line, out);
}

/** A race in words: its accesses with threads and lines. */
static void race_tell(const struct paragraph *paragraph, struct rg_gate_finding *out)
{
    snprintf(out->reason, sizeof out->reason, "%s", paragraph->analysis ? "" : paragraph->text);
    for (size_t i = 0; i < paragraph->access_count; i++) {
        const struct access *access = &paragraph->accesses[i];
        char line[32] = "an unknown line";
        if (access->place.line > 0) {
            snprintf(line, sizeof line, "line %u", access->place.line);
        }
        const size_t used = strlen(out->reason);
        snprintf(out->reason + used, sizeof out->reason - used, "%s%s%s at %s",
                 i > 0      ? " and "
                 : used > 0 ? ": "
                            : "",
                 access->write ? "write" : "read", access->thread, line);
    }
}

/** The paragraph is over: a new finding, or one more of a known. A race is told where it first writes. */
static void paragraph_end(struct reader *reader)
{
    struct paragraph *paragraph = &reader->paragraph;
    struct rg_gate_finding found = {.rule = paragraph->rule, .count = paragraph->analysis ? 0 : 1};
    if (!paragraph->known) {
        return;
    }
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < paragraph->access_count; i++) {
            const bool wanted = pass == 0 ? paragraph->accesses[i].write : !paragraph->accesses[i].write;
            if (wanted && paragraph->place.line == 0) {
                place_offer(&paragraph->place, &paragraph->accesses[i].place);
            }
        }
    }
    found.line = paragraph->place.line;
    snprintf(found.file, sizeof found.file, "%s", paragraph->place.line > 0 ? paragraph->place.file : reader->source);
    if (paragraph->access_count > 0) {
        race_tell(paragraph, &found);
    } else {
        snprintf(found.reason, sizeof found.reason, "%.250s%s%.200s%s%.300s", paragraph->text,
                 paragraph->who[0] ? "; " : "", paragraph->who, paragraph->what[0] ? "; " : "", paragraph->what);
    }
    rg_judge_add(reader->slot, &found);
    reader->out->findings++;
    paragraph->known = false;
}

/** \return what stands behind the "=========", or NULL where the line is not the tool's. \param[out] indent  its blanks */
static const char *line_text(const char *line, size_t *indent)
{
    static const size_t least_prefix = 8;
    const size_t prefix = strspn(line, "=");
    *indent = strspn(line + prefix, " ");
    return prefix < least_prefix ? NULL : line + prefix + *indent;
}

void rg_sanitizer_read_log(const char *log, const char *source, struct rg_gate_slot *slot, struct rg_sanitizer_log *out)
{
    struct reader reader = {.source = source, .slot = slot, .out = out};
    memset(out, 0, sizeof *out);
    while (*log) {
        char line[LONGEST_LINE];
        size_t indent = 0;
        const size_t length = strcspn(log, "\r\n");
        snprintf(line, sizeof line, "%.*s", length < LONGEST_LINE ? (int)length : LONGEST_LINE - 1, log);
        log += length + (log[length] != '\0');
        const char *text = line_text(line, &indent);
        if (text && *text && indent > 1) {
            detail_read(&reader, text);
        } else if (text && *text) {
            paragraph_end(&reader);
            head_read(&reader, text);
        }
    }
    paragraph_end(&reader);
    for (uint64_t i = 0; i < slot->finding_count; i++) {
        slot->findings[i].count += slot->findings[i].count == 0;
    }
}
