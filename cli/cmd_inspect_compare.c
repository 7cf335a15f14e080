/* SPDX-License-Identifier: MIT */
/** \file ridge inspect --compare: what a change did to the kernels of a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_inspect.h"
#include "ridge/json.h"
#include "terminal.h"

/** A number of a kernel that is compared; false when it is not known. */
typedef bool (*value_fn)(const struct kept_kernel *kept, uint64_t *out);

static bool sum(uint32_t first, uint32_t second, uint64_t *out)
{
    *out = (first == RIDGE_NOT_STATED ? 0 : (uint64_t)first) + (second == RIDGE_NOT_STATED ? 0 : second);
    return first != RIDGE_NOT_STATED || second != RIDGE_NOT_STATED;
}

static bool registers_of(const struct kept_kernel *kept, uint64_t *out)
{
    return sum(kept->kernel.registers, RIDGE_NOT_STATED, out);
}

/** Bytes moved by spills (NVIDIA), or spilled registers (AMD). */
static bool spills_of(const struct kept_kernel *kept, uint64_t *out)
{
    const struct ridge_binary_kernel *kernel = &kept->kernel;
    return sum(kernel->spill_store_bytes, kernel->spill_load_bytes, out) ||
           sum(kernel->vgpr_spills, kernel->sgpr_spills, out);
}

static bool shared_of(const struct kept_kernel *kept, uint64_t *out)
{
    return sum(kept->kernel.smem_static_bytes, RIDGE_NOT_STATED, out);
}

static bool stack_of(const struct kept_kernel *kept, uint64_t *out)
{
    return sum(kept->kernel.stack_bytes, RIDGE_NOT_STATED, out);
}

static bool warps_of(const struct kept_kernel *kept, uint64_t *out)
{
    *out = kept->launchable ? kept->warps : 0;
    return kept->judged;
}

static const struct {
    const char *word;
    const char *unit;
    value_fn value;
    bool less_is_worse;
} measures[MEASURE_COUNT + 1] = {
    [MEASURE_REGISTERS] = {"registers", "registers", registers_of, false},
    [MEASURE_SPILLS] = {"spills", "spills", spills_of, false},
    [MEASURE_SHARED] = {"shared", "bytes shared", shared_of, false},
    [MEASURE_OCCUPANCY] = {"occupancy", "resident warps", warps_of, true},
    [MEASURE_STACK] = {"stack", "bytes stack", stack_of, false},
};

const char *measure_word(unsigned measure)
{
    return measure < MEASURE_COUNT ? measures[measure].word : NULL;
}

/** One kernel in both files, or in one of them. */
struct pair {
    const struct kept_kernel *before;
    const struct kept_kernel *after;
};

struct comparison {
    const struct judge *judge;
    unsigned fail_on;
    bool named; /* --fail-on was given */
    uint64_t same, changed, appeared, vanished, regressions;
    uint64_t known[MEASURE_COUNT]; /* kernels of which both files say it */
};

/** What became of a measure. */
struct change {
    bool known; /* in both files */
    bool differs;
    bool worse;
    uint64_t before, after;
};

static struct change change_of(const struct pair *pair, unsigned measure)
{
    struct change change = {0};
    change.known =
        measures[measure].value(pair->before, &change.before) && measures[measure].value(pair->after, &change.after);
    change.differs = change.known && change.before != change.after;
    change.worse = change.differs &&
                   (measures[measure].less_is_worse ? change.after < change.before : change.after > change.before);
    return change;
}

static bool is_regression(const struct comparison *comparison, unsigned measure, const struct change *change)
{
    return change->worse && (comparison->fail_on >> measure & 1);
}

/** The name that pairs kernels. nvcc puts a hash of the source's path into anonymous namespaces: another folder, another
 * mangled name of the same kernel. */
static const char *pairing_name(const struct ridge_binary_kernel *kernel)
{
    return strstr(kernel->name, "_GLOBAL__N__") ? kernel->readable_name : kernel->name;
}

/** What is the same kernel in two files: name, then target. */
static int pairing(const struct ridge_binary_kernel *left, const struct ridge_binary_kernel *right)
{
    const int names = strcmp(pairing_name(left), pairing_name(right));
    return names ? names : strcmp(left->target, right->target);
}

/** Those that are the same stand together, what was linked before what is still to be: that is what runs. */
static int pairing_order(const void *a, const void *b)
{
    const struct kept_kernel *left = a;
    const struct kept_kernel *right = b;
    const int pairs = pairing(&left->kernel, &right->kernel);
    const int linked = pairs ? pairs : (int)left->kernel.relocatable - (int)right->kernel.relocatable;
    return linked ? linked : (left->number > right->number) - (left->number < right->number);
}

static void sort(struct inspection *inspection)
{
    if (inspection->count > 0) {
        qsort(inspection->kernels, inspection->count, sizeof *inspection->kernels, pairing_order);
    }
}

/** Walk two sorted lists side by side. */
static void walk(const struct inspection *before, const struct inspection *after, void *user,
                 void (*visit)(void *user, const struct pair *pair))
{
    size_t b = 0;
    size_t a = 0;
    while (b < before->count || a < after->count) {
        const struct kept_kernel *left = b < before->count ? &before->kernels[b] : NULL;
        const struct kept_kernel *right = a < after->count ? &after->kernels[a] : NULL;
        const int only = left ? -1 : 1;
        const int order = left && right ? pairing(&left->kernel, &right->kernel) : only;
        const struct pair pair = {order <= 0 ? left : NULL, order >= 0 ? right : NULL};
        visit(user, &pair);
        b += order <= 0;
        a += order >= 0;
    }
}

static void count_pair(void *user, const struct pair *pair)
{
    struct comparison *comparison = user;
    bool differs = false;
    if (!pair->before || !pair->after) {
        comparison->appeared += !pair->before;
        comparison->vanished += !pair->after;
        return;
    }
    bool regressed = false;
    for (unsigned measure = 0; measure < MEASURE_COUNT; measure++) {
        const struct change change = change_of(pair, measure);
        comparison->known[measure] += change.known;
        differs = differs || change.differs;
        regressed = regressed || is_regression(comparison, measure, &change);
    }
    comparison->changed += differs;
    comparison->same += !differs;
    comparison->regressions += regressed;
}

static void print_name(const struct kept_kernel *kept)
{
    char name[SHORT_NAME_BYTES];
    printf("  ");
    terminal_text(kept->kernel.target);
    printf("  ");
    terminal_text(kernel_short_name(&kept->kernel, name));
    printf("\n");
}

static void print_pair(void *user, const struct pair *pair)
{
    const struct comparison *comparison = user;
    bool named = false;
    if (!pair->before || !pair->after) {
        printf("%s", pair->before ? "vanished" : "appeared");
        print_name(pair->before ? pair->before : pair->after);
        return;
    }
    for (unsigned measure = 0; measure < MEASURE_COUNT; measure++) {
        const struct change change = change_of(pair, measure);
        if (!change.differs) {
            continue;
        }
        if (!named) {
            printf("changed ");
            print_name(pair->after);
            named = true;
        }
        const bool fails = is_regression(comparison, measure, &change);
        printf("            %-14s  %6llu -> %-6llu  %s\n", measures[measure].unit, (unsigned long long)change.before,
               (unsigned long long)change.after,
               fails          ? "REGRESSION"
               : change.worse ? "worse"
                              : "better");
        if (measure == MEASURE_OCCUPANCY && !pair->after->launchable) {
            printf("            %s\n", pair->after->verdict);
        }
    }
}

/** Kernels that cannot launch so at all are no change when they never could: say it, it is hardly what was meant. */
static void print_unlaunchable(const struct inspection *after)
{
    const struct kept_kernel *first = NULL;
    uint64_t count = 0;
    for (size_t i = 0; i < after->count; i++) {
        if (after->kernels[i].judged && !after->kernels[i].launchable) {
            first = first ? first : &after->kernels[i];
            count++;
        }
    }
    if (first) {
        printf("note: %llu of %llu kernels of %s do not launch so; the first: %s\n", (unsigned long long)count,
               (unsigned long long)after->count, after->path, first->verdict);
    }
}

/** What only one of the files says of a kernel, or none, was not compared. */
static void print_unknown(const struct comparison *comparison)
{
    const uint64_t common = comparison->same + comparison->changed;
    for (unsigned measure = 0; measure < MEASURE_COUNT; measure++) {
        const uint64_t unknown = common - comparison->known[measure];
        if ((comparison->fail_on >> measure & 1) && unknown > 0) {
            printf("note: not compared, for it is not known in both files: %s of %llu of %llu kernels\n",
                   measures[measure].word, (unsigned long long)unknown, (unsigned long long)common);
        }
    }
}

/** \return whether something that was to be compared is known of no kernel: said, for such a gate must not pass. */
static bool is_nothing_known(const struct comparison *comparison)
{
    bool any = false;
    for (unsigned measure = 0; measure < MEASURE_COUNT; measure++) {
        const bool asked = comparison->named || measure == MEASURE_OCCUPANCY;
        if (asked && (comparison->fail_on >> measure & 1) && comparison->known[measure] == 0) {
            fprintf(stderr, "ridge: no kernel has its %s known in both files%s%s: nothing of it was compared\n",
                    measures[measure].word, measure == MEASURE_OCCUPANCY ? ", for " : "",
                    measure == MEASURE_OCCUPANCY ? comparison->judge->name : "");
            any = true;
        }
    }
    return any;
}

/** What could not be read was not compared. */
static void print_skipped(const struct inspection *inspection)
{
    if (inspection->skipped > 0) {
        printf("note: %llu image%s of %s could not be read: kernels there were not compared\n",
               (unsigned long long)inspection->skipped, inspection->skipped == 1 ? "" : "s", inspection->path);
    }
}

static void print_text(const struct comparison *comparison, const struct inspection *before,
                       const struct inspection *after)
{
    struct comparison copy = *comparison;
    printf("%s -> %s; kind stated: the compiler wrote these numbers\n", before->path, after->path);
    if (comparison->judge->name) {
        printf("judged for %s with %u threads a block and %u bytes of dynamic shared memory\n", comparison->judge->name,
               comparison->judge->threads, comparison->judge->smem_dynamic_bytes);
    }
    walk(before, after, &copy, print_pair);
    printf("%llu the same, %llu changed, %llu appeared, %llu vanished; %llu kernel%s worse in ",
           (unsigned long long)comparison->same, (unsigned long long)comparison->changed,
           (unsigned long long)comparison->appeared, (unsigned long long)comparison->vanished,
           (unsigned long long)comparison->regressions, comparison->regressions == 1 ? "" : "s");
    const char *joint = "";
    for (unsigned measure = 0; measure < MEASURE_COUNT; measure++) {
        if (comparison->fail_on >> measure & 1) {
            printf("%s%s", joint, measures[measure].word);
            joint = ", ";
        }
    }
    printf("\n");
    print_unlaunchable(after);
    print_unknown(comparison);
    print_skipped(before);
    print_skipped(after);
}

/** What the writer of a pair needs. */
struct json_view {
    struct comparison *comparison;
    struct ridge_json *json;
};

static void write_change(const struct json_view *view, const struct pair *pair, unsigned measure)
{
    const struct change change = change_of(pair, measure);
    if (!change.known) {
        return;
    }
    ridge_json_object_begin_compact(view->json, measures[measure].word);
    ridge_json_u64(view->json, "before", change.before);
    ridge_json_u64(view->json, "after", change.after);
    ridge_json_bool(view->json, "regression", is_regression(view->comparison, measure, &change));
    ridge_json_object_end(view->json);
}

static void write_pair(void *user, const struct pair *pair)
{
    const struct json_view *view = user;
    const struct ridge_binary_kernel *kernel = pair->after ? &pair->after->kernel : &pair->before->kernel;
    bool differs = !pair->before || !pair->after;
    for (unsigned measure = 0; !differs && measure < MEASURE_COUNT; measure++) {
        differs = change_of(pair, measure).differs;
    }
    if (!differs) {
        return;
    }
    ridge_json_object_begin(view->json, NULL);
    ridge_json_text(view->json, "name", kernel->name);
    ridge_json_text(view->json, "readable_name", kernel->readable_name);
    ridge_json_text(view->json, "target", kernel->target);
    ridge_json_text(view->json, "what", !pair->before ? "appeared" : !pair->after ? "vanished" : "changed");
    for (unsigned measure = 0; pair->before && pair->after && measure < MEASURE_COUNT; measure++) {
        write_change(view, pair, measure);
    }
    ridge_json_object_end(view->json);
}

static bool write_json(struct comparison *comparison, const struct inspection *before, const struct inspection *after)
{
    struct ridge_json json;
    struct json_view view = {comparison, &json};
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "before", before->path);
    ridge_json_text(&json, "after", after->path);
    ridge_json_text(&json, "kind", "stated");
    ridge_json_text(&json, "device", comparison->judge->name);
    ridge_json_u64(&json, "same", comparison->same);
    ridge_json_u64(&json, "changed", comparison->changed);
    ridge_json_u64(&json, "appeared", comparison->appeared);
    ridge_json_u64(&json, "vanished", comparison->vanished);
    ridge_json_u64(&json, "regressions", comparison->regressions);
    ridge_json_u64(&json, "before_images_skipped", before->skipped);
    ridge_json_u64(&json, "after_images_skipped", after->skipped);
    ridge_json_array_begin(&json, "kernels");
    walk(before, after, &view, write_pair);
    ridge_json_array_end(&json);
    ridge_json_object_end(&json);
    return ridge_json_end(&json);
}

int inspect_compare(struct inspection *before, struct inspection *after, const struct judge *judge,
                    const struct gate *gate, bool json)
{
    struct comparison comparison = {.judge = judge, .fail_on = gate->fail_on, .named = gate->named};
    sort(before);
    sort(after);
    walk(before, after, &comparison, count_pair);
    if (json && !write_json(&comparison, before, after)) {
        return EXIT_INPUT;
    }
    if (!json) {
        print_text(&comparison, before, after);
    }
    bool nothing = comparison.same + comparison.changed == 0;
    if (nothing) {
        fprintf(stderr, "ridge: no kernel is in both files for the same target: nothing was compared\n");
    } else {
        nothing = is_nothing_known(&comparison);
    }
    /* More that cannot be read than before: a gate that cannot see does not open. */
    const bool is_blind = after->skipped > before->skipped;
    return finish_output(comparison.regressions > 0 || nothing || is_blind ? EXIT_NEGATIVE : EXIT_DONE);
}
