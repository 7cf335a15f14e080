/* SPDX-License-Identifier: MIT */
/** \file A transform policy as text and as JSON. */
#include <inttypes.h>
#include <stdio.h>

#include "cmd_policy.h"
#include "ridge/json.h"
#include "ridge/units.h"

void policy_bytes(uint64_t number, char *out, size_t bytes)
{
    const bool kib = number % 1024 == 0 && number > 0;
    snprintf(out, bytes, "%" PRIu64 " %s", kib ? number / 1024 : number, kib ? "KiB" : "bytes");
}

static void print_kernels(const struct ridge_transform_policy *policy)
{
    const struct ridge_transform_staged *staged = &policy->async_copy;
    printf("  vectorized  %u threads, %u items a thread, vectors of %u\n", policy->vectorized.threads_per_block,
           policy->vectorized.items_per_thread, policy->vectorized.vec_size);
    printf("  prefetch    %u threads, %u to %u items a thread (%u without input), one prefetch each %u bytes\n",
           policy->prefetch.threads_per_block, policy->prefetch.min_items_per_thread,
           policy->prefetch.max_items_per_thread, policy->prefetch.items_per_thread_no_input,
           policy->prefetch.byte_stride);
    if (!staged->possible) {
        puts("  async copy  none");
        return;
    }
    printf("  async copy  %u threads, %u to %u items a thread, unroll %u, stores of %u, copies aligned to %u; at most "
           "%" PRIu64 " bytes staged\n",
           staged->threads_per_block, staged->min_items_per_thread, staged->max_items_per_thread, staged->unroll,
           staged->store_vec_size, staged->alignment_bytes, staged->tile_bytes);
}

static void print_facts(const struct ridge_transform_policy *policy)
{
    puts("\nFacts it rests on");
    for (size_t i = 0; i < policy->fact_count; i++) {
        const struct ridge_policy_fact *fact = &policy->facts[i];
        char number[RIDGE_NUMBER_BYTES];
        snprintf(number, sizeof number, fact->number < 1e15 && fact->number > 1 ? "%.0f" : "%.6g", fact->number);
        printf("  %-41s %-16s %-10s %s\n", fact->name, fact->text[0] ? fact->text : number, fact->kind, fact->source);
    }
}

void policy_print(const struct ridge_transform_policy *policy)
{
    char bytes[64];
    policy_bytes(policy->min_bytes_in_flight, bytes, sizeof bytes);
    printf("transform on %s (compute capability %s): %s\n", policy->target, policy->capability,
           ridge_transform_word(policy->algorithm));
    printf("  %s in flight a multiprocessor, %s: %s\n", bytes, policy->kind, policy->row);
    if (policy->note[0]) {
        printf("  note: %s\n", policy->note);
    }
    print_kernels(policy);
    puts("\nAlgorithms");
    for (int i = RIDGE_TRANSFORM_COUNT - 1; i >= 0; i--) {
        printf("  %-11s %s\n", ridge_transform_word((ridge_transform_algorithm)i), policy->reason[i]);
    }
    print_facts(policy);
}

static void json_prefetch(struct ridge_json *json, const struct ridge_transform_policy *policy)
{
    ridge_json_object_begin(json, "prefetch");
    ridge_json_u64(json, "threads_per_block", policy->prefetch.threads_per_block);
    ridge_json_u64(json, "items_per_thread_no_input", policy->prefetch.items_per_thread_no_input);
    ridge_json_u64(json, "min_items_per_thread", policy->prefetch.min_items_per_thread);
    ridge_json_u64(json, "max_items_per_thread", policy->prefetch.max_items_per_thread);
    ridge_json_u64(json, "byte_stride", policy->prefetch.byte_stride);
    ridge_json_object_end(json);
}

static void json_async_copy(struct ridge_json *json, const struct ridge_transform_staged *staged)
{
    if (!staged->possible) {
        ridge_json_null(json, "async_copy");
        return;
    }
    ridge_json_object_begin(json, "async_copy");
    ridge_json_u64(json, "threads_per_block", staged->threads_per_block);
    ridge_json_u64(json, "min_items_per_thread", staged->min_items_per_thread);
    ridge_json_u64(json, "max_items_per_thread", staged->max_items_per_thread);
    ridge_json_u64(json, "unroll", staged->unroll);
    ridge_json_u64(json, "alignment_bytes", staged->alignment_bytes);
    ridge_json_u64(json, "store_vec_size", staged->store_vec_size);
    ridge_json_u64(json, "tile_bytes", staged->tile_bytes);
    ridge_json_object_end(json);
}

static void json_facts(struct ridge_json *json, const struct ridge_transform_policy *policy)
{
    ridge_json_array_begin(json, "facts");
    for (size_t i = 0; i < policy->fact_count; i++) {
        const struct ridge_policy_fact *fact = &policy->facts[i];
        ridge_json_object_begin(json, NULL);
        ridge_json_text(json, "name", fact->name);
        if (fact->text[0]) {
            ridge_json_text(json, "value", fact->text);
        } else {
            ridge_json_double(json, "value", fact->number);
        }
        ridge_json_text(json, "kind", fact->kind);
        ridge_json_text(json, "source", fact->source);
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
}

int policy_print_json(const struct ridge_transform_policy *policy)
{
    struct ridge_json json;
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "schema", "ridge.policy/1");
    ridge_json_text(&json, "target", policy->target);
    ridge_json_text(&json, "compute_capability", policy->capability);
    ridge_json_text(&json, "algorithm", ridge_transform_word(policy->algorithm));
    ridge_json_object_begin(&json, "reasons");
    for (int i = 0; i < RIDGE_TRANSFORM_COUNT; i++) {
        ridge_json_text(&json, ridge_transform_word((ridge_transform_algorithm)i), policy->reason[i]);
    }
    ridge_json_object_end(&json);
    ridge_json_u64(&json, "min_bytes_in_flight", policy->min_bytes_in_flight);
    ridge_json_text(&json, "kind", policy->kind);
    ridge_json_text(&json, "row", policy->row);
    ridge_json_text(&json, "note", policy->note[0] ? policy->note : NULL);
    ridge_json_object_begin(&json, "vectorized");
    ridge_json_u64(&json, "threads_per_block", policy->vectorized.threads_per_block);
    ridge_json_u64(&json, "items_per_thread", policy->vectorized.items_per_thread);
    ridge_json_u64(&json, "vec_size", policy->vectorized.vec_size);
    ridge_json_object_end(&json);
    json_prefetch(&json, policy);
    json_async_copy(&json, &policy->async_copy);
    json_facts(&json, policy);
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? EXIT_DONE : EXIT_INPUT;
}
