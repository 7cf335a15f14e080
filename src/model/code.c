/* SPDX-License-Identifier: MIT */
/**
 * \file What compiled code says of configurations (struct ridge_code): registers and shared memory in the place of the
 * spec's expressions, launch bounds, and code that is not there.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/model.h"

ridge_status rg_code_check(const struct ridge_rank_options *options, uint64_t rows, struct ridge_error *error)
{
    if (options->code && options->code_count != rows) {
        return rg_error_set(error, RIDGE_E_ARGUMENT,
                            "there are %llu rows of code for %llu configurations (one for each)",
                            (unsigned long long)options->code_count, (unsigned long long)rows);
    }
    return RIDGE_OK;
}

ridge_status rg_code_table(const struct ridge_context *context, const struct ridge_rank_options *options,
                           struct ridge_occupancy_table **out, struct ridge_error *error)
{
    const char *family = NULL;
    ridge_status status = ridge_match_family(options->device, &family, error);
    if (status != RIDGE_OK) {
        return status;
    }
    /* Whoever launches asks for the dynamic shared memory that a configuration needs. */
    const struct ridge_occupancy_options rules = {.opt_in = options->code && strcmp(family, "nvidia") == 0};
    return ridge_occupancy_table_create(context, options->device, &rules, out, error);
}

static uint32_t as_count(double value)
{
    return value >= 4294967295.0 ? UINT32_MAX : value > 0 ? (uint32_t)value : 0;
}

void rg_launch_columns(const struct rg_desk *desk, size_t count, struct rg_launches *out)
{
    const double(*cells)[RG_COLUMN_ROWS] = desk->cells;
    for (size_t i = 0; i < count; i++) {
        out->threads[i] = as_count(cells[RG_CELL_BLOCK_X][i] * cells[RG_CELL_BLOCK_Y][i] * cells[RG_CELL_BLOCK_Z][i]);
        out->registers[i] = as_count(cells[RG_WORK_REGISTERS][i]);
        out->smem_static[i] = as_count(cells[RG_CELL_SMEM][i]);
        out->smem_dynamic[i] = 0;
    }
    for (size_t i = 0; desk->code && i < count; i++) {
        const struct ridge_code *code = &desk->code[i];
        if (code->compiled) {
            out->registers[i] = code->registers;
            out->smem_static[i] = code->smem_static_bytes;
            out->smem_dynamic[i] = code->smem_dynamic_bytes;
        }
    }
}

void rg_launches_answer(const struct ridge_occupancy_table *table, const struct rg_desk *desk,
                        const struct rg_launches *launches, size_t count, struct ridge_occupancy_cell *out)
{
    const struct ridge_launch_columns asked = {.threads = launches->threads,
                                               .registers = launches->registers,
                                               .smem_static_bytes = launches->smem_static,
                                               .smem_dynamic_bytes = launches->smem_dynamic};
    ridge_occupancy_batch(table, &asked, count, out);
    for (size_t i = 0; desk->code && i < count; i++) {
        const struct ridge_code *code = &desk->code[i];
        if (code->failed) {
            out[i] = (struct ridge_occupancy_cell){.rule = RIDGE_LAUNCH_NO_CODE};
        } else if (code->compiled && code->max_threads > 0 && launches->threads[i] > code->max_threads) {
            out[i] = (struct ridge_occupancy_cell){.rule = RIDGE_LAUNCH_KERNEL_THREADS};
        }
    }
}

void rg_code_verdicts(const struct ridge_occupancy_table *table, const struct rg_desk *desk, size_t count,
                      struct ridge_estimate *estimates)
{
    struct rg_launches launches;
    struct ridge_occupancy_cell cells[RG_COLUMN_ROWS];
    rg_launch_columns(desk, count, &launches);
    rg_launches_answer(table, desk, &launches, count, cells);
    for (size_t i = 0; i < count; i++) {
        const struct ridge_code *code = &desk->code[i];
        if ((code->compiled || code->failed) && cells[i].blocks == 0) {
            estimates[i] = (struct ridge_estimate){.cost = (double)INFINITY,
                                                   .waves = (double)INFINITY,
                                                   .bound = (uint8_t)RIDGE_BOUND_UNLAUNCHABLE,
                                                   .rule = cells[i].rule};
        }
    }
}

/** Whether a count is known of any row. */
static bool is_counted(const struct ridge_rank_options *options, size_t which)
{
    for (uint64_t i = 0; options->code && i < options->code_count; i++) {
        const struct ridge_code *code = &options->code[i];
        if ((code->work && !isnan(code->work[which])) || (which == RG_WORK_REGISTERS && code->compiled)) {
            return true;
        }
    }
    return false;
}

void rg_code_counted(const struct ridge_rank_options *options, bool counted[RG_WORK_COUNT])
{
    for (size_t i = 0; i < RG_WORK_COUNT; i++) {
        counted[i] = is_counted(options, i);
    }
}

void rg_code_note(const struct ridge_rank_options *options, struct rg_notes *notes)
{
    uint64_t compiled = 0;
    uint64_t failed = 0;
    uint64_t spilling = 0;
    uint32_t most = 0;
    for (uint64_t i = 0; options->code && i < options->code_count; i++) {
        const struct ridge_code *code = &options->code[i];
        compiled += code->compiled;
        failed += code->failed;
        spilling += code->compiled && code->spill_bytes > 0;
        most = code->compiled && code->spill_bytes > most ? code->spill_bytes : most;
    }
    if (compiled > 0) {
        rg_note(notes, "registers and shared memory of %llu of %llu configurations are those of their compiled code",
                (unsigned long long)compiled, (unsigned long long)options->code_count);
    }
    if (failed > 0) {
        rg_note(notes, "%llu configurations do not compile: they cannot be launched", (unsigned long long)failed);
    }
    if (spilling > 0) {
        rg_note(notes, "%llu configurations spill registers, up to %u bytes a thread (the models do not count it)",
                (unsigned long long)spilling, most);
    }
}
