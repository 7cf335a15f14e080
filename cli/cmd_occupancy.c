/* SPDX-License-Identifier: MIT */
/** \file ridge occupancy: reads the question, finds the device and hands over to the view that was asked for. */
#include "cmd_occupancy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ridge/units.h"

static ridge_status wrong(struct ridge_error *error, const char *message)
{
    error->status = RIDGE_E_ARGUMENT;
    snprintf(error->message, sizeof error->message, "%s", message);
    return RIDGE_E_ARGUMENT;
}

/** Read up to three numbers with one of `separators` between them. */
static ridge_status parse_sides(const char *option, const char *text, char separator, uint64_t maximum, uint64_t out[3],
                                struct ridge_error *error)
{
    char part[32];
    size_t count = 0;
    const char *at = text;
    for (; count < 3; count++) {
        const size_t length = strcspn(at, (const char[]){separator, '\0'});
        if (length >= sizeof part) {
            return wrong(error, "a number is too long");
        }
        memcpy(part, at, length);
        part[length] = '\0';
        const ridge_status status = ridge_count_parse(part, maximum, &out[count], error);
        if (status != RIDGE_OK) {
            char message[512];
            snprintf(message, sizeof message, "--%s: %.400s", option, error->message);
            return wrong(error, message);
        }
        at += length;
        if (*at == '\0') {
            return RIDGE_OK;
        }
        at++;
    }
    snprintf(error->message, sizeof error->message, "--%s '%s' has more than three sides (such as 32%c8%c1)", option,
             text, separator, separator);
    error->status = RIDGE_E_ARGUMENT;
    return RIDGE_E_ARGUMENT;
}

/** Check a block's side along z: the one limit that the number of threads does not imply. */
static ridge_status check_depth(const struct ridge_device_match *match, uint64_t depth, struct ridge_error *error)
{
    uint32_t most = 0;
    if (ridge_match_count(match, RIDGE_FACT_MAX_BLOCK_Z, &most, NULL) != RIDGE_OK || depth <= most) {
        return RIDGE_OK;
    }
    snprintf(error->message, sizeof error->message,
             "cannot launch: %llu threads along z are above the limit of a block, %u", (unsigned long long)depth, most);
    error->status = RIDGE_E_EMPTY;
    return RIDGE_E_EMPTY;
}

/** Read --threads 256 or 32x8x1. */
static ridge_status read_threads(struct occupancy_view *view, struct ridge_error *error)
{
    uint64_t sides[3] = {1, 1, 1};
    const char *text = view->question->threads;
    if (!text) {
        return RIDGE_OK;
    }
    ridge_status status = parse_sides("threads", text, 'x', UINT32_MAX, sides, error);
    status = status == RIDGE_OK ? check_depth(&view->match, sides[2], error) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    uint64_t product = 0;
    if (__builtin_mul_overflow(sides[0], sides[1], &product) || __builtin_mul_overflow(product, sides[2], &product) ||
        product > UINT32_MAX) {
        return wrong(error, "--threads is absurd (a block has at most 1024 threads)");
    }
    if (product == 0) {
        return wrong(error, "--threads: a block of 0 threads makes no sense (1 to 1024)");
    }
    view->launch.threads = (uint32_t)product;
    return RIDGE_OK;
}

/** Read a carve-out: "100" is KiB, "40%" a share. */
static ridge_status read_carveout(const char *text, struct ridge_occupancy_options *options, struct ridge_error *error)
{
    char number[32];
    uint64_t value = 0;
    if (!text) {
        return RIDGE_OK;
    }
    const size_t length = strlen(text);
    const bool is_percent = length > 0 && text[length - 1] == '%';
    snprintf(number, sizeof number, "%.*s", (int)(length - is_percent), text);
    if (length >= sizeof number || ridge_count_parse(number, 1048576, &value, error) != RIDGE_OK) {
        return wrong(error, "--carveout is no carve-out (KiB such as 100, or a share such as 40%)");
    }
    options->carveout = is_percent ? RIDGE_CARVEOUT_PERCENT : RIDGE_CARVEOUT_KIB;
    options->carveout_value = (uint32_t)value;
    return RIDGE_OK;
}

/** Copy a count that must fit 32 bits. */
static ridge_status take(const char *name, const struct option_optional *from, uint32_t *to, struct ridge_error *error)
{
    if (from->value > UINT32_MAX - 1) {
        snprintf(error->message, sizeof error->message, "--%s %llu is absurd (at most 4294967294)", name,
                 (unsigned long long)from->value);
        error->status = RIDGE_E_ARGUMENT;
        return RIDGE_E_ARGUMENT;
    }
    if (from->given) {
        *to = (uint32_t)from->value;
    }
    return RIDGE_OK;
}

static ridge_status read_counts(struct occupancy_view *view, struct ridge_occupancy_options *options,
                                struct ridge_error *error)
{
    const struct question *question = view->question;
    const struct {
        const char *name;
        const struct option_optional *from;
        uint32_t *to;
    } counts[] = {
        {"regs", &question->registers, &view->launch.registers},
        {"smem", &question->smem_static, &view->launch.smem_static_bytes},
        {"dynamic-smem", &question->smem_dynamic, &view->launch.smem_dynamic_bytes},
        {"multiprocessors", &question->multiprocessors, &view->multiprocessors},
        {"barriers", &question->barriers, &options->barriers},
        {"virtual-resources", &question->virtual_resources, &options->virtual_resources},
        {"max-threads", &question->max_threads, &options->kernel_max_threads},
        {"wave", &question->wave, &options->wave_threads},
        {"agprs", &question->agprs, &options->accumulation_registers},
        {"sgprs", &question->sgprs, &options->scalar_registers},
        {"max-dynamic-smem", &question->smem_dynamic_max, &options->smem_dynamic_max_bytes},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const ridge_status status = take(counts[i].name, counts[i].from, counts[i].to, error);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    options->opt_in = question->opt_in || question->smem_dynamic_max.given;
    options->compute_unit_mode = question->cu_mode;
    return read_carveout(question->carveout, options, error);
}

/** Which grid was asked about: its sides, or one thread an element. */
static ridge_status read_grid(struct occupancy_view *view, struct ridge_error *error)
{
    const struct question *question = view->question;
    view->grid[0] = view->grid[1] = view->grid[2] = 1;
    view->has_grid = question->grid || question->elements.given;
    if (question->grid && question->elements.given) {
        return wrong(error, "--grid and --elements exclude each other");
    }
    if (question->elements.given) {
        return ridge_grid_for_elements(question->elements.value, view->launch.threads, &view->grid[0], error);
    }
    return question->grid ? parse_sides("grid", question->grid, ',', UINT64_MAX, view->grid, error) : RIDGE_OK;
}

/** Answer what needs the number of multiprocessors. */
static ridge_status answer_grid(struct occupancy_view *view, struct ridge_error *error)
{
    struct ridge_occupancy answer;
    ridge_occupancy_one(view->table, &view->launch, &answer);
    if (!view->has_grid && !view->question->persistent) {
        return RIDGE_OK;
    }
    ridge_status status = RIDGE_OK;
    if (!view->question->multiprocessors.given) {
        status = ridge_match_count(&view->match, RIDGE_FACT_MULTIPROCESSORS, &view->multiprocessors, error);
    }
    if (status == RIDGE_OK && view->has_grid) {
        status = ridge_occupancy_grid(view->table, &view->launch, view->grid, view->multiprocessors, &view->grid_answer,
                                      error);
    }
    if (status == RIDGE_OK && view->question->persistent) {
        status =
            ridge_grid_persistent(view->table, &view->launch, view->multiprocessors, &view->persistent_blocks, error);
    }
    return status;
}

static ridge_status check_cluster(struct occupancy_view *view, struct ridge_error *error)
{
    const struct option_optional *cluster = &view->question->cluster;
    if (!cluster->given) {
        return RIDGE_OK;
    }
    const uint32_t blocks = cluster->value > UINT32_MAX ? UINT32_MAX : (uint32_t)cluster->value;
    const ridge_status status = ridge_cluster_check(&view->match, blocks, &view->cluster_needs_opt_in, error);
    if (status == RIDGE_OK && view->has_grid && view->grid_answer.blocks % blocks != 0) {
        snprintf(error->message, sizeof error->message,
                 "a grid of %llu blocks cannot be cut into clusters of %u (a multiple of %u)",
                 (unsigned long long)view->grid_answer.blocks, blocks, blocks);
        error->status = RIDGE_E_VALUE;
        return RIDGE_E_VALUE;
    }
    return status;
}

static int show(struct ridge_context *context, struct occupancy_view *view, struct ridge_error *error)
{
    const struct question *question = view->question;
    if (question->batch) {
        return occupancy_run_batch(view);
    }
    if (question->sweep) {
        return occupancy_print_sweep(context, view);
    }
    if (question->suggest) {
        return occupancy_print_suggestions(view);
    }
    ridge_status status = read_grid(view, error);
    status = status == RIDGE_OK ? answer_grid(view, error) : status;
    status = status == RIDGE_OK ? check_cluster(view, error) : status;
    if (status != RIDGE_OK) {
        return report_error(error);
    }
    return question->json ? occupancy_print_json(view) : occupancy_print_text(view);
}

/** Check that what was asked for goes together. */
static ridge_status check_question(const struct question *question, struct ridge_error *error)
{
    const int modes = (question->batch != NULL) + (question->sweep != NULL) + question->suggest;
    if (!question->device) {
        return wrong(error, "--device is missing (a GPU's name, cc:8.6 or gfx90a; see ridge devices)");
    }
    if (modes > 1) {
        return wrong(error, "--batch, --sweep and --suggest exclude each other");
    }
    if (question->svg && !question->sweep) {
        return wrong(error, "--svg draws a sweep (add --sweep threads, regs or smem)");
    }
    if (question->smem_per_thread.given && !question->suggest) {
        return wrong(error, "--smem-per-thread belongs to --suggest");
    }
    const bool needs_threads = modes == 0 || (question->sweep && strcmp(question->sweep, "threads") != 0);
    if (needs_threads && !question->threads) {
        return wrong(error, "--threads is missing (threads per block, such as 256)");
    }
    return RIDGE_OK;
}

static int run(struct ridge_context *context, const struct question *question)
{
    struct ridge_error error = {0};
    struct ridge_device_db *db = NULL;
    struct ridge_occupancy_table *table = NULL;
    struct ridge_occupancy_options options = {0};
    struct occupancy_view view = {.question = question};
    ridge_status status = check_question(question, &error);
    status = status == RIDGE_OK ? ridge_device_db_create(context, question->data, &db, &error) : status;
    status = status == RIDGE_OK ? ridge_device_find(db, question->device, &view.match, &error) : status;
    status = status == RIDGE_OK ? read_counts(&view, &options, &error) : status;
    status = status == RIDGE_OK ? ridge_occupancy_table_create(context, &view.match, &options, &table, &error) : status;
    status = status == RIDGE_OK ? read_threads(&view, &error) : status;
    view.db = db;
    view.table = table;
    const int code = status == RIDGE_OK ? show(context, &view, &error) : report_error(&error);
    ridge_occupancy_table_destroy(table);
    ridge_device_db_destroy(db);
    return code;
}

int cmd_occupancy(struct ridge_context *context, int argc, char **argv)
{
    struct question question = {.svg_width = 720};
    const struct option options[] = {
        {"device", OPTION_TEXT, &question.device, "NAME", "a GPU, cc:8.6 or gfx90a", NULL},
        {"threads", OPTION_TEXT, &question.threads, "N", "threads per block: 256, or 32x8", NULL},
        {"regs", OPTION_OPTIONAL, &question.registers, "N", "registers per thread (AMD: VGPRs); none: not counted",
         NULL},
        {"smem", OPTION_OPTIONAL, &question.smem_static, "BYTES", "static shared memory per block (AMD: LDS)", NULL},
        {"dynamic-smem", OPTION_OPTIONAL, &question.smem_dynamic, "BYTES", "dynamic shared memory per block", NULL},
        {"opt-in", OPTION_FLAG, &question.opt_in, NULL,
         "the kernel opts in to more dynamic shared memory than the default", NULL},
        {"max-dynamic-smem", OPTION_OPTIONAL, &question.smem_dynamic_max, "BYTES",
         "how much it opted in to (none: as needed)", NULL},
        {"carveout", OPTION_TEXT, &question.carveout, "KIB",
         "shared memory of a multiprocessor in KiB, or a share such as 40%", NULL},
        {"cluster", OPTION_OPTIONAL, &question.cluster, "N", "blocks of a cluster", NULL},
        {"barriers", OPTION_OPTIONAL, &question.barriers, "N", "block barriers of the kernel; none: not counted", NULL},
        {"virtual-resources", OPTION_OPTIONAL, &question.virtual_resources, "N", "virtual resources of the kernel",
         NULL},
        {"max-threads", OPTION_OPTIONAL, &question.max_threads, "N", "threads per block the kernel was built for",
         NULL},
        {"wave", OPTION_OPTIONAL, &question.wave, "N",
         "AMD: threads of a wave, 32 or 64; Intel: of a subgroup, 16 or 32", NULL},
        {"cu-mode", OPTION_FLAG, &question.cu_mode, NULL, "RDNA: one compute unit a workgroup", NULL},
        {"agprs", OPTION_OPTIONAL, &question.agprs, "N", "AMD: accumulation registers per thread", NULL},
        {"sgprs", OPTION_OPTIONAL, &question.sgprs, "N", "AMD: scalar registers per wave; none: not counted", NULL},
        {"grid", OPTION_TEXT, &question.grid, "X[,Y[,Z]]", "blocks of the grid: says waves and tail", NULL},
        {"elements", OPTION_OPTIONAL, &question.elements, "N", "as --grid, for one thread an element", NULL},
        {"persistent", OPTION_FLAG, &question.persistent, NULL, "how many blocks fill the device once", NULL},
        {"multiprocessors", OPTION_OPTIONAL, &question.multiprocessors, "N",
         "of the device, instead of the known number", NULL},
        {"sweep", OPTION_TEXT, &question.sweep, "WHAT", "vary threads, regs or smem", "threads|regs|smem"},
        {"svg", OPTION_TEXT, &question.svg, "FILE", "draw the sweep", NULL},
        {"svg-width", OPTION_COUNT, &question.svg_width, "PIXELS", "width of the picture (720)", NULL},
        {"suggest", OPTION_FLAG, &question.suggest, NULL, "rank block sizes", NULL},
        {"smem-per-thread", OPTION_OPTIONAL, &question.smem_per_thread, "BYTES",
         "with --suggest: shared memory that grows with the block", NULL},
        {"batch", OPTION_TEXT, &question.batch, "FILE",
         "CSV with threads,regs,static_smem,dynamic_smem; - is standard input", NULL},
        {"data", OPTION_TEXT, &question.data, "FOLDER", "device files over those compiled in", NULL},
        {"json", OPTION_FLAG, &question.json, NULL, "print JSON", NULL},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, NULL},
    };
    const char *positional[1] = {NULL};
    switch (options_parse(command_find("occupancy"), options, argc, argv, positional, 0, 0)) {
    case PARSED_GO: return run(context, &question);
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: break;
    }
    return EXIT_USAGE;
}
