/* SPDX-License-Identifier: MIT */
/** \file ridge inspect: the table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_inspect.h"
#include "terminal.h"

enum {
    CELL_BYTES = 320
};

/** What a column shows of a kernel. */
struct column {
    const char *title;
    void (*write)(const struct kept_kernel *kept, char out[CELL_BYTES]);
    bool is_text; /* to the left */
};

static void put(uint32_t value, char out[CELL_BYTES])
{
    if (value == RIDGE_NOT_STATED) {
        snprintf(out, CELL_BYTES, "-");
    } else {
        snprintf(out, CELL_BYTES, "%u", value);
    }
}

static void put_pair(uint32_t first, uint32_t second, char out[CELL_BYTES])
{
    if (first == RIDGE_NOT_STATED || second == RIDGE_NOT_STATED) {
        snprintf(out, CELL_BYTES, "-");
    } else {
        snprintf(out, CELL_BYTES, first || second ? "%u/%u" : "0", first, second);
    }
}

#define NUMBER_CELL(field)                                                         \
    static void cell_##field(const struct kept_kernel *kept, char out[CELL_BYTES]) \
    {                                                                              \
        put(kept->kernel.field, out);                                              \
    }
NUMBER_CELL(registers)
NUMBER_CELL(accumulation_registers)
NUMBER_CELL(scalar_registers)
NUMBER_CELL(smem_static_bytes)
NUMBER_CELL(smem_reserved_bytes)
NUMBER_CELL(barriers)
NUMBER_CELL(parameter_bytes)
NUMBER_CELL(wave_threads)
NUMBER_CELL(stack_bytes)

/** The frame, and the sum with what is called where that is another one. */
static void cell_stack(const struct kept_kernel *kept, char out[CELL_BYTES])
{
    const struct ridge_binary_kernel *kernel = &kept->kernel;
    put(kernel->stack_bytes, out);
    const bool differs =
        kernel->cumulative_stack_bytes != RIDGE_NOT_STATED && kernel->cumulative_stack_bytes != kernel->stack_bytes;
    if (differs) {
        const size_t used = strlen(out);
        snprintf(out + used, CELL_BYTES - used, " of %u", kernel->cumulative_stack_bytes);
    }
}

static void cell_spills(const struct kept_kernel *kept, char out[CELL_BYTES])
{
    put_pair(kept->kernel.spill_store_bytes, kept->kernel.spill_load_bytes, out);
}

static void cell_spilled(const struct kept_kernel *kept, char out[CELL_BYTES])
{
    put_pair(kept->kernel.vgpr_spills, kept->kernel.sgpr_spills, out);
}

static void put_sides(const char *word, const uint32_t sides[3], char out[CELL_BYTES])
{
    if (sides[1] == 1 && sides[2] == 1) {
        snprintf(out, CELL_BYTES, "%s %u", word, sides[0]);
    } else {
        snprintf(out, CELL_BYTES, "%s %ux%ux%u", word, sides[0], sides[1], sides[2]);
    }
}

static void cell_bounds(const struct kept_kernel *kept, char out[CELL_BYTES])
{
    if (kept->kernel.required_threads[0] != RIDGE_NOT_STATED) {
        put_sides("=", kept->kernel.required_threads, out);
    } else if (kept->kernel.max_threads[0] != RIDGE_NOT_STATED) {
        put_sides("<=", kept->kernel.max_threads, out);
    } else {
        snprintf(out, CELL_BYTES, "-");
    }
}

static void cell_warps(const struct kept_kernel *kept, char out[CELL_BYTES])
{
    if (kept->judged && kept->launchable) {
        snprintf(out, CELL_BYTES, "%u of %u", kept->warps, kept->max_warps);
    } else {
        snprintf(out, CELL_BYTES, kept->judged ? "none" : "-");
    }
}

static void cell_name(const struct kept_kernel *kept, char out[CELL_BYTES])
{
    char name[SHORT_NAME_BYTES];
    snprintf(out, CELL_BYTES, "%.300s", kernel_short_name(&kept->kernel, name));
}

static const struct column nvidia_columns[] = {
    {"registers", cell_registers, false},
    {"shared", cell_smem_static_bytes, false},
    {"reserve", cell_smem_reserved_bytes, false},
    {"stack", cell_stack, false},
    {"spills", cell_spills, false},
    {"barriers", cell_barriers, false},
    {"parameters", cell_parameter_bytes, false},
    {"threads", cell_bounds, true},
    {"warps", cell_warps, true},
    {"kernel", cell_name, true},
};

static const struct column amd_columns[] = {
    {"VGPRs", cell_registers, false},
    {"AGPRs", cell_accumulation_registers, false},
    {"SGPRs", cell_scalar_registers, false},
    {"LDS", cell_smem_static_bytes, false},
    {"scratch", cell_stack_bytes, false},
    {"spills", cell_spilled, false},
    {"parameters", cell_parameter_bytes, false},
    {"wave", cell_wave_threads, false},
    {"threads", cell_bounds, true},
    {"warps", cell_warps, true},
    {"kernel", cell_name, true},
};

enum {
    COLUMNS_MOST = 16,
    INDENT = 4,
    NAME_LEAST = 30 /* columns that a name gets on a terminal; where they are not left, it has a line of its own */
};

/** Kernels of one target, with the columns that suit them. */
struct group {
    const struct kept_kernel *kernels;
    size_t count;
    const struct column *columns;
    size_t column_count;
    size_t widths[COLUMNS_MOST]; /* 0: nothing is stated there, the column is left out */
    size_t used;                 /* by all columns but the last, which is the name */
    size_t spilling;
    size_t stating; /* kernels that say whether they spill */
};

/** Find how wide the columns are. */
static void group_measure(struct group *group)
{
    char cell[CELL_BYTES];
    for (size_t i = 0; i < group->column_count; i++) {
        const struct column *column = &group->columns[i];
        bool any = false;
        size_t width = strlen(column->title);
        for (size_t k = 0; k < group->count; k++) {
            column->write(&group->kernels[k], cell);
            const size_t length = strlen(cell);
            any = any || strcmp(cell, "-") != 0;
            width = length > width ? length : width;
        }
        const bool is_last = i + 1 == group->column_count;
        group->widths[i] = any ? width : 0;
        group->used += any && !is_last ? width + 2 : 0;
    }
}

/** Count a kernel by its spills: bytes that are moved (NVIDIA), or registers (AMD). */
static void count_spills(struct group *group, const struct ridge_binary_kernel *kernel)
{
    const uint32_t counts[] = {kernel->spill_store_bytes, kernel->spill_load_bytes, kernel->vgpr_spills,
                               kernel->sgpr_spills};
    bool states = false;
    bool spills = false;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        states = states || counts[i] != RIDGE_NOT_STATED;
        spills = spills || (counts[i] != RIDGE_NOT_STATED && counts[i] > 0);
    }
    group->stating += states;
    group->spilling += spills;
}

static struct group group_begin(const struct inspection *inspection, size_t first)
{
    const struct ridge_binary_kernel *kernel = &inspection->kernels[first].kernel;
    const bool is_nvidia = strncmp(kernel->target, "sm_", 3) == 0;
    struct group group = {.kernels = &inspection->kernels[first]};
    group.columns = is_nvidia ? nvidia_columns : amd_columns;
    group.column_count =
        is_nvidia ? sizeof nvidia_columns / sizeof nvidia_columns[0] : sizeof amd_columns / sizeof amd_columns[0];
    while (first + group.count < inspection->count) {
        const struct ridge_binary_kernel *next = &inspection->kernels[first + group.count].kernel;
        if (strcmp(next->target, kernel->target) != 0 || strcmp(next->toolkit, kernel->toolkit) != 0) {
            break;
        }
        group.count++;
        count_spills(&group, next);
    }
    group_measure(&group);
    return group;
}

/** Cut a text to so many bytes, between characters. */
static void cut(char *text, size_t most)
{
    if (strlen(text) > most) {
        size_t end = most - 3;
        while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80) {
            end--;
        }
        memcpy(text + end, "...", 4);
    }
}

/** How names are printed, by the width of the terminal. */
struct naming {
    size_t most;   /* columns; 0: as many as there are */
    bool is_below; /* on a line of its own */
};

static struct naming naming_of(const struct group *group, size_t terminal)
{
    if (terminal == 0 || group->used + group->widths[group->column_count - 1] <= terminal) {
        return (struct naming){0};
    }
    const bool is_below = terminal < group->used + NAME_LEAST;
    const size_t most = terminal - (is_below ? INDENT : group->used);
    return (struct naming){.most = terminal < NAME_LEAST ? NAME_LEAST : most, .is_below = is_below};
}

/** Print a kernel, or the titles. */
static void print_row(const struct group *group, const struct kept_kernel *kept, const struct naming *naming)
{
    const size_t last = group->column_count - 1;
    char cell[CELL_BYTES];
    for (size_t i = 0; i < group->column_count; i++) {
        const struct column *column = &group->columns[i];
        if (group->widths[i] == 0) {
            continue;
        }
        snprintf(cell, sizeof cell, "%s", column->title);
        if (kept) {
            column->write(kept, cell);
        }
        if (i != last) {
            printf(column->is_text ? "%-*s  " : "%*s  ", (int)group->widths[i], cell);
        }
    }
    if (naming->is_below) {
        printf("\n%*s", INDENT, "");
    }
    if (naming->most > 0) {
        cut(cell, naming->most);
    }
    terminal_text(cell);
    printf("\n");
}

static void print_group(const struct group *group, size_t terminal)
{
    const struct naming naming = naming_of(group, terminal);
    const struct ridge_binary_kernel *first = &group->kernels[0].kernel;
    printf("\n");
    terminal_text(first->target[0] ? first->target : "target not stated");
    printf("%s%s, %zu kernel%s", first->toolkit[0] ? ", CUDA " : "", first->toolkit, group->count,
           group->count == 1 ? "" : "s");
    if (group->stating > 0) {
        printf(group->spilling ? ", %zu with spills" : ", none with spills", group->spilling);
    }
    printf("\n");
    print_row(group, NULL, &naming);
    for (size_t k = 0; k < group->count; k++) {
        print_row(group, &group->kernels[k], &naming);
    }
}

/** By target, then in the order of the file. Shorter first: sm_90 before sm_120. */
static int compare_targets(const void *a, const void *b)
{
    const struct kept_kernel *left = a;
    const struct kept_kernel *right = b;
    const size_t left_length = strcspn(left->kernel.target, "af");
    const size_t right_length = strcspn(right->kernel.target, "af");
    const bool is_same_length = left_length == right_length;
    const int lengths = left_length < right_length ? -1 : 1;
    const int targets = is_same_length ? strcmp(left->kernel.target, right->kernel.target) : lengths;
    const int toolkits = targets ? targets : strcmp(left->kernel.toolkit, right->kernel.toolkit);
    return toolkits ? toolkits : (left->number > right->number) - (left->number < right->number);
}

/** With --kernel: every name that fits, whole, so that a person can choose. */
static void print_names(const struct inspection *inspection)
{
    size_t different = 0;
    for (size_t i = 0; i < inspection->count; i++) {
        different += i == 0 || strcmp(inspection->kernels[i].kernel.name, inspection->kernels[i - 1].kernel.name) != 0;
    }
    printf("\n'");
    terminal_text(inspection->wanted);
    printf(different == 1 ? "' fits one kernel:\n" : "' fits %zu kernels:\n", different);
    for (size_t i = 0; i < inspection->count; i++) {
        const struct ridge_binary_kernel *kernel = &inspection->kernels[i].kernel;
        if (i > 0 && strcmp(kernel->name, inspection->kernels[i - 1].kernel.name) == 0) {
            continue;
        }
        printf("  ");
        terminal_text(kernel->readable_name);
        if (strcmp(kernel->readable_name, kernel->name) != 0) {
            printf("\n    ");
            terminal_text(kernel->name);
        }
        printf("\n");
    }
}

/** Why kernels cannot be launched. */
static void print_refused(const struct inspection *shown)
{
    bool any = false;
    for (size_t i = 0; i < shown->count; i++) {
        const struct kept_kernel *kept = &shown->kernels[i];
        char name[SHORT_NAME_BYTES];
        if (!kept->judged || kept->launchable) {
            continue;
        }
        printf(any ? "  " : "\n  ");
        terminal_text(kernel_short_name(&kept->kernel, name));
        printf(" (");
        terminal_text(kept->kernel.target);
        printf("): %s\n", kept->verdict);
        any = true;
    }
}

/** What a person must know to read the numbers right. */
static void print_notes(const struct inspection *inspection, const struct judge *judge)
{
    size_t relocatable = 0;
    for (size_t i = 0; i < inspection->count; i++) {
        relocatable += inspection->kernels[i].kernel.relocatable;
    }
    if (relocatable > 0) {
        printf("\nnote: %zu kernel%s relocatable code: registers and stack may still grow when it is linked\n",
               relocatable, relocatable == 1 ? " is" : "s are");
    }
    if (judge->without_barriers) {
        printf("\nnote: block barriers are not counted: no source states how many %s has\n", judge->name);
    }
    if (inspection->left_out > 0) {
        printf("\nnote: %llu image%s left out: %s does not run their targets (there are: %s)\n",
               (unsigned long long)inspection->left_out, inspection->left_out == 1 ? " is" : "s are", judge->name,
               inspection->targets);
    }
    if (inspection->objects > 1) {
        printf("\nnote: %u objects stand one behind the other in the file: all were read\n", inspection->objects);
    }
    if (inspection->images[0]) {
        printf("\nnote: it also holds %s: no machine code of a device, not read\n", inspection->images);
    }
    if (inspection->skipped > 0) {
        printf("\nnote: %llu image%s could not be read\n", (unsigned long long)inspection->skipped,
               inspection->skipped == 1 ? "" : "s");
    }
}

static int print_none(const struct inspection *inspection)
{
    if (inspection->skipped > 0) {
        fprintf(stderr, "ridge: %s: no kernel was found, and %llu image%s could not be read\n", inspection->path,
                (unsigned long long)inspection->skipped, inspection->skipped == 1 ? "" : "s");
        return EXIT_INPUT;
    }
    printf("%s: %s without kernels%s%s\n", inspection->path, inspection->kind,
           inspection->images[0] ? "; it holds " : "", inspection->images);
    return finish_output(EXIT_NEGATIVE);
}

int inspect_print_text(const struct inspection *inspection, const struct judge *judge)
{
    const size_t width = terminal_options().width;
    bool all_launch = true;
    if (inspection->count == 0 && inspection->left_out == 0) {
        return print_none(inspection);
    }
    if (inspection->count > 0) {
        qsort(inspection->kernels, inspection->count, sizeof *inspection->kernels, compare_targets);
    }
    printf("%s: %s\nkind stated: the compiler wrote these numbers; - is what the file does not say\n", inspection->path,
           inspection->kind);
    if (judge->name) {
        printf("judged for %s with %u threads a block and %u bytes of dynamic shared memory\n", judge->name,
               judge->threads, judge->smem_dynamic_bytes);
    }
    for (size_t i = 0; i < inspection->count;) {
        const struct group group = group_begin(inspection, i);
        print_group(&group, width);
        i += group.count;
    }
    for (size_t i = 0; i < inspection->count; i++) {
        all_launch = all_launch && (!inspection->kernels[i].judged || inspection->kernels[i].launchable);
    }
    print_refused(inspection);
    print_notes(inspection, judge);
    if (inspection->wanted && inspection->count > 0) {
        qsort(inspection->kernels, inspection->count, sizeof *inspection->kernels, inspection_order);
        print_names(inspection);
    }
    return finish_output(all_launch && inspection->count > 0 ? EXIT_DONE : EXIT_NEGATIVE);
}
