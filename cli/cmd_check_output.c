/* SPDX-License-Identifier: MIT */
/** \file What ridge check says, for people and for programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_check.h"
#include "ridge/json.h"
#include "ridge/value.h"
#include "terminal.h"

/** A copy that is freed with the verdict. */
static const char *keep_text(struct check_kept *kept, size_t *used, const char *text)
{
    kept->texts[*used] = strdup(text);
    return kept->texts[(*used)++];
}

bool check_keep(struct check_kept *kept, const struct ridge_checked *checked)
{
    const size_t count = checked->finding_count;
    size_t used = 0;
    kept->findings = calloc(count + 1, sizeof *kept->findings);
    kept->texts = calloc(2 * count + 5, sizeof *kept->texts);
    if (!kept->findings || !kept->texts) {
        return false;
    }
    kept->known = true;
    kept->checked = *checked;
    kept->checked.reason = checked->reason ? keep_text(kept, &used, checked->reason) : NULL;
    kept->checked.compiler = keep_text(kept, &used, checked->compiler);
    kept->checked.other_entry = keep_text(kept, &used, checked->other_entry);
    kept->checked.place = keep_text(kept, &used, checked->place);
    for (size_t i = 0; i < count; i++) {
        kept->findings[i] = checked->findings[i];
        kept->findings[i].file = keep_text(kept, &used, checked->findings[i].file);
        kept->findings[i].reason = keep_text(kept, &used, checked->findings[i].reason);
    }
    kept->checked.findings = kept->findings;
    return kept->checked.compiler && kept->checked.other_entry && kept->checked.place;
}

void check_forget(struct check_kept *kept)
{
    for (size_t i = 0; kept->texts && kept->texts[i]; i++) {
        free(kept->texts[i]);
    }
    free((void *)kept->texts);
    free(kept->findings);
}

/** "stencil.cl:13", without a line where none is known. */
static void print_place(const struct ridge_finding *finding)
{
    terminal_text(finding->file);
    if (finding->line > 0) {
        printf(":%u", finding->line);
    }
}

static struct check_told *find_told(const struct check_view *view, const struct ridge_finding *finding)
{
    for (size_t i = 0; i < view->told_count; i++) {
        const struct ridge_finding *known = view->told[i].finding;
        if (known->line == finding->line && !strcmp(known->rule, finding->rule) &&
            !strcmp(known->file, finding->file)) {
            return &view->told[i];
        }
    }
    return NULL;
}

/** Remember that a configuration has a finding. \return whether another configuration had one of the rule there before */
static bool note_finding(struct check_view *view, uint64_t index, const struct ridge_finding *finding)
{
    struct check_told *told = find_told(view, finding);
    if (!told) {
        struct check_told *grown = realloc(view->told, (view->told_count + 1) * sizeof *grown);
        if (grown) {
            view->told = grown;
            view->told[view->told_count++] = (struct check_told){finding, index, index, 1};
        }
        return false;
    }
    told->configurations += told->last != index;
    told->last = index;
    return told->first != index;
}

/** What is found at a place is told in full once; the configurations after it name place and rule only, on one line. */
static void print_findings(struct check_view *view, uint64_t index)
{
    const struct ridge_checked *checked = &view->kept[index].checked;
    bool again = false;
    for (size_t i = 0; i < checked->finding_count; i++) {
        const struct ridge_finding *finding = &checked->findings[i];
        if (note_finding(view, index, finding)) {
            again = true;
            continue;
        }
        fputs("    ", stdout);
        print_place(finding);
        printf(": %s: ", finding->rule);
        terminal_text(finding->reason);
        putchar('\n');
    }
    const char *joint = "    as above: ";
    for (size_t i = 0; again && i < checked->finding_count; i++) {
        const struct check_told *told = find_told(view, &checked->findings[i]);
        if (told && told->first != index && told->finding != &checked->findings[i]) {
            fputs(joint, stdout);
            print_place(&checked->findings[i]);
            printf(" %s", checked->findings[i].rule);
            joint = ", ";
        }
    }
    fputs(again ? "\n" : "", stdout);
}

static void print_row(struct check_view *view, uint64_t index)
{
    const struct ridge_checked *checked = &view->kept[index].checked;
    const size_t width = ridge_space_dimension_count(view->space);
    printf("%s  %-7s ", checked->id, ridge_gate_verdict_word(checked->verdict));
    for (size_t i = 0; i < width; i++) {
        char text[64];
        const struct ridge_value *value = ridge_space_value(view->space, i, view->choices[index * width + i]);
        ridge_value_format(value, text, sizeof text);
        printf(" %s=%s", ridge_space_dimension_name(view->space, i), value->type == RIDGE_TEXT ? value->as.text : text);
    }
    putchar('\n');
    print_findings(view, index);
    if (checked->reason) {
        char first[512];
        snprintf(first, sizeof first, "%.*s", (int)strcspn(checked->reason, "\n"), checked->reason);
        fputs("    ", stdout);
        terminal_text(first);
        putchar('\n');
    }
}

void check_print_rows(struct check_view *view)
{
    while (view->printed < view->count && view->kept[view->printed].known) {
        print_row(view, view->printed++);
    }
    (void)fflush(stdout);
}

/** How what was run was run: as the last configuration that was says it. */
static void print_how(const struct check_view *view)
{
    bool compared = false;
    const struct ridge_checked *last = NULL;
    for (uint64_t i = 0; i < view->count; i++) {
        const struct ridge_checked *checked = &view->kept[i].checked;
        if (view->kept[i].known) {
            compared |= checked->compared;
            last = checked->verdict == RIDGE_GATE_NOT_RUN ? last : checked;
        }
    }
    const char *not_compared =
        view->counts[RIDGE_GATE_CLEAN] > 0 ? "not compared ([verify] names no reference)" : "not compared";
    if (last) {
        printf("Run: %s%s%s, every block, on %s; outputs %s.\n", last->language, last->compiler[0] ? " of " : "",
               last->compiler, last->place, compared ? "compared with the reference" : not_compared);
    }
    if (last && last->other_entry[0]) {
        printf("Kernel: %s, the only one of the file; the spec names another.\n", last->other_entry);
    }
}

/** Each place and rule once, with how many configurations have it: where to begin. */
static void print_places(const struct check_view *view)
{
    if (view->told_count > 0 && view->count > 1) {
        printf("\nFound, by place:\n");
    }
    for (size_t i = 0; view->count > 1 && i < view->told_count; i++) {
        const struct check_told *told = &view->told[i];
        fputs("  ", stdout);
        print_place(told->finding);
        printf(": %s: in %llu configuration%s, the first %s\n", told->finding->rule,
               (unsigned long long)told->configurations, told->configurations == 1 ? "" : "s",
               view->kept[told->first].checked.id);
    }
}

void check_print_sum(const struct check_view *view)
{
    print_places(view);
    const unsigned long long not_run = view->counts[RIDGE_GATE_NOT_RUN];
    printf("\n%llu configurations: %llu clean, %llu refused, %llu not run.\n", (unsigned long long)view->printed,
           (unsigned long long)view->counts[RIDGE_GATE_CLEAN], (unsigned long long)view->counts[RIDGE_GATE_REFUSED],
           not_run);
    print_how(view);
    printf("Clean means that nothing was found in what was run");
    if (not_run > 0) {
        printf("; of the %llu not run nothing is known", not_run);
    }
    printf(".\n");
}

/** The first line of why the first configuration was not run. */
static const char *first_reason(const struct check_view *view, char *out, size_t bytes)
{
    for (uint64_t i = 0; i < view->count; i++) {
        const struct ridge_checked *checked = &view->kept[i].checked;
        if (view->kept[i].known && checked->reason) {
            snprintf(out, bytes, "the first, %s: %.*s", checked->id, (int)strcspn(checked->reason, "\n"),
                     checked->reason);
            return out;
        }
    }
    return "there is no configuration";
}

bool check_nothing_run(const struct check_view *view)
{
    char reason[512];
    if (view->counts[RIDGE_GATE_CLEAN] + view->counts[RIDGE_GATE_REFUSED] > 0) {
        return false;
    }
    (void)fflush(stdout); /* the message comes last where both go to one place */
    fprintf(stderr, "ridge: nothing was run, so nothing was judged (%s)\n", first_reason(view, reason, sizeof reason));
    return true;
}

static void json_row(struct ridge_json *json, const struct check_view *view, uint64_t index)
{
    const struct ridge_checked *checked = &view->kept[index].checked;
    const size_t width = ridge_space_dimension_count(view->space);
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "id", checked->id);
    ridge_json_object_begin_compact(json, "config");
    for (size_t i = 0; i < width; i++) {
        ridge_json_value(json, ridge_space_dimension_name(view->space, i),
                         ridge_space_value(view->space, i, view->choices[index * width + i]));
    }
    ridge_json_object_end(json);
    ridge_json_text(json, "verdict", ridge_gate_verdict_word(checked->verdict));
    if (checked->verdict != RIDGE_GATE_NOT_RUN) {
        ridge_json_text(json, "language", checked->language);
        ridge_json_text(json, "compiler", checked->compiler[0] ? checked->compiler : NULL);
        ridge_json_text(json, "place", checked->place);
        ridge_json_bool(json, "compared", checked->compared);
    }
    if (checked->other_entry[0]) {
        ridge_json_text(json, "other_entry", checked->other_entry);
    }
    if (checked->reason) {
        ridge_json_text(json, "reason", checked->reason);
    }
    ridge_json_array_begin(json, "findings");
    for (size_t i = 0; i < checked->finding_count; i++) {
        const struct ridge_finding *finding = &checked->findings[i];
        ridge_json_object_begin_compact(json, NULL);
        ridge_json_text(json, "rule", finding->rule);
        ridge_json_text(json, "file", finding->file);
        ridge_json_u64(json, "line", finding->line);
        ridge_json_text(json, "reason", finding->reason);
        ridge_json_u64(json, "count", finding->count);
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
    ridge_json_object_end(json);
}

int check_print_json(const struct check_view *view)
{
    struct ridge_json json;
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "schema", "ridge.check/1");
    ridge_json_text(&json, "problem", ridge_gate_problem(view->gate));
    if (view->options.with) {
        ridge_json_text(&json, "judge", view->options.with);
    }
    ridge_json_array_begin(&json, "configurations");
    for (uint64_t i = 0; i < view->count; i++) {
        if (view->kept[i].known) {
            json_row(&json, view, i);
        }
    }
    ridge_json_array_end(&json);
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? EXIT_DONE : EXIT_INPUT;
}
