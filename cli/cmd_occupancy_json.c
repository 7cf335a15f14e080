/* SPDX-License-Identifier: MIT */
/** \file ridge occupancy --json: one launch. The names of members are those of the documentation (docs/occupancy.md). */
#include "cmd_occupancy.h"
#include "ridge/json.h"

static void write_device(struct ridge_json *json, const struct occupancy_view *view)
{
    const struct ridge_device *device = view->match.devices[0];
    ridge_json_object_begin(json, "device");
    ridge_json_text(json, "asked", view->match.asked);
    ridge_json_array_begin_compact(json, "fits");
    for (size_t i = 0; i < view->match.count; i++) {
        ridge_json_text(json, NULL, view->match.devices[i]->name);
    }
    ridge_json_array_end(json);
    ridge_json_text(json, "vendor", device->vendor);
    ridge_json_text(json, "architecture", device->architecture ? device->architecture->name : NULL);
    ridge_json_object_end(json);
    ridge_json_text(json, "kind", "stated");
}

static void write_launch(struct ridge_json *json, const char *key, const struct ridge_launch *launch)
{
    ridge_json_object_begin_compact(json, key);
    ridge_json_u64(json, "threads", launch->threads);
    ridge_json_u64(json, "registers", launch->registers);
    ridge_json_u64(json, "smem_static_bytes", launch->smem_static_bytes);
    ridge_json_u64(json, "smem_dynamic_bytes", launch->smem_dynamic_bytes);
    ridge_json_object_end(json);
}

static void write_limiters(struct ridge_json *json, uint32_t limiters)
{
    ridge_json_array_begin_compact(json, "limiters");
    for (int i = 0; i < RIDGE_RESOURCE_COUNT; i++) {
        if (limiters >> i & 1) {
            ridge_json_text(json, NULL, ridge_resource_word((ridge_resource)i));
        }
    }
    ridge_json_array_end(json);
}

static void write_limits(struct ridge_json *json, const struct occupancy_view *view,
                         const struct ridge_occupancy *answer)
{
    ridge_json_object_begin(json, "limits");
    for (int i = 0; i < RIDGE_RESOURCE_COUNT; i++) {
        uint64_t needed = 0;
        uint64_t available = 0;
        ridge_json_object_begin_compact(json, ridge_resource_word((ridge_resource)i));
        if (answer->limit[i] == RIDGE_NO_LIMIT) {
            ridge_json_null(json, "blocks");
        } else {
            ridge_json_u64(json, "blocks", answer->limit[i]);
        }
        if (ridge_occupancy_next_need(view->table, &view->launch, (ridge_resource)i, &needed, &available)) {
            ridge_json_u64(json, "next_block_needs", needed);
            ridge_json_u64(json, "available", available);
        }
        ridge_json_object_end(json);
    }
    ridge_json_object_end(json);
}

static void write_allocation(struct ridge_json *json, const struct ridge_occupancy *answer)
{
    ridge_json_object_begin(json, "allocation");
    ridge_json_u64(json, "registers_per_thread", answer->registers_per_thread_allocated);
    ridge_json_u64(json, "registers_per_block", answer->registers_per_block_allocated);
    ridge_json_u64(json, "registers_per_block_wasted", answer->registers_per_block_wasted);
    ridge_json_u64(json, "registers_per_sm", answer->registers_total);
    ridge_json_u64(json, "smem_per_block_bytes", answer->smem_per_block_allocated_bytes);
    ridge_json_u64(json, "smem_per_block_wasted_bytes", answer->smem_per_block_wasted_bytes);
    ridge_json_u64(json, "smem_reserved_per_block_bytes", answer->smem_reserved_bytes);
    ridge_json_u64(json, "smem_per_sm_bytes", answer->smem_total_bytes);
    ridge_json_u64(json, "idle_lanes_per_block", answer->idle_lanes);
    ridge_json_object_end(json);
}

static void write_advice(struct ridge_json *json, const struct occupancy_view *view)
{
    struct ridge_advice advice[RIDGE_ADVICE_MAX];
    const size_t count = ridge_occupancy_advise(view->table, &view->launch, advice);
    ridge_json_array_begin(json, "advice");
    for (size_t i = 0; i < count; i++) {
        ridge_json_object_begin(json, NULL);
        write_launch(json, "launch", &advice[i].launch);
        ridge_json_bool(json, "needs_opt_in", advice[i].changes_opt_in);
        ridge_json_u64(json, "blocks_per_sm", advice[i].to.blocks);
        ridge_json_u64(json, "warps_per_sm", advice[i].to.warps);
        ridge_json_double(json, "occupancy", occupancy_ratio(view, &advice[i].to));
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
}

static void write_grid(struct ridge_json *json, const struct occupancy_view *view)
{
    const struct ridge_grid_answer *grid = &view->grid_answer;
    if (view->has_grid) {
        ridge_json_object_begin(json, "grid");
        ridge_json_u64(json, "blocks", grid->blocks);
        ridge_json_u64(json, "multiprocessors", view->multiprocessors);
        ridge_json_u64(json, "blocks_per_wave", grid->blocks_per_wave);
        ridge_json_double(json, "waves", grid->waves);
        ridge_json_u64(json, "full_waves", grid->full_waves);
        ridge_json_u64(json, "tail_blocks", grid->tail_blocks);
        ridge_json_double(json, "tail_ratio", grid->tail_ratio);
        ridge_json_double(json, "efficiency", grid->efficiency);
        ridge_json_object_end(json);
    }
    if (view->question->persistent) {
        ridge_json_u64(json, "persistent_blocks", view->persistent_blocks);
    }
    if (view->question->cluster.given) {
        ridge_json_object_begin_compact(json, "cluster");
        ridge_json_u64(json, "blocks", view->question->cluster.value);
        ridge_json_bool(json, "needs_opt_in", view->cluster_needs_opt_in);
        ridge_json_object_end(json);
    }
}

static void write_sources(struct ridge_json *json, const struct occupancy_view *view)
{
    ridge_json_array_begin(json, "sources");
    for (int i = 0; i < RIDGE_RESOURCE_COUNT; i++) {
        ridge_fact fact = RIDGE_FACT_WARP_THREADS;
        for (size_t k = 0; occupancy_fact_of(view, (ridge_resource)i, k, &fact); k++) {
            const struct ridge_fact_value *value = &view->match.devices[0]->facts[fact];
            ridge_json_object_begin(json, NULL);
            ridge_json_text(json, "resource", ridge_resource_word((ridge_resource)i));
            ridge_json_text(json, "fact", ridge_fact_key(fact));
            ridge_json_double(json, "value", value->number);
            ridge_json_text(json, "source", value->source);
            ridge_json_text(json, "note", value->note);
            ridge_json_object_end(json);
        }
    }
    ridge_json_array_end(json);
}

int occupancy_print_json(const struct occupancy_view *view)
{
    struct ridge_json json;
    struct ridge_occupancy answer;
    const uint32_t simds = ridge_occupancy_simds(view->table);
    ridge_occupancy_one(view->table, &view->launch, &answer);
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    write_device(&json, view);
    write_launch(&json, "launch", &view->launch);
    ridge_json_bool(&json, "launchable", answer.blocks > 0);
    ridge_json_text(&json, "rule", ridge_launch_word(answer.rule));
    ridge_json_text(&json, "verdict", answer.verdict);
    ridge_json_u64(&json, "blocks_per_sm", answer.blocks);
    ridge_json_u64(&json, "warps_per_sm", answer.warps);
    ridge_json_u64(&json, "max_warps_per_sm", answer.max_warps);
    ridge_json_double(&json, "occupancy", answer.ratio);
    if (simds) {
        ridge_json_u64(&json, "simds", simds);
        ridge_json_bool(&json, "sm_is_work_group_processor", ridge_occupancy_counts_pairs(view->table));
    }
    write_limiters(&json, answer.limiters);
    write_limits(&json, view, &answer);
    write_allocation(&json, &answer);
    write_grid(&json, view);
    write_advice(&json, view);
    write_sources(&json, view);
    ridge_json_object_end(&json);
    const bool written = ridge_json_end(&json);
    return !written ? EXIT_INPUT : answer.blocks > 0 ? EXIT_DONE : EXIT_NEGATIVE;
}
