/* SPDX-License-Identifier: MIT */
/*
 * The rules of a transform policy. Sources: the published table of policies after CUB's DeviceTransform (numbers of
 * threads, items and vector sizes), and CUB itself (NVIDIA/cccl tuning_transform.cuh @004ad198) for what decides between
 * the algorithms and for the padding of staged tiles.
 */
#include <stdio.h>

#include "policy/policy.h"

enum {
    THREADS = 256,
    LEAST_THREADS = 32, /* a warp */
    MOST_ITEMS = 32,
    VECTOR_BYTES = 16, /* the widest load */
    MOST_VECTOR = 16,
    LDGSTS_ALIGNMENT = 16,
    SMALL_BYTES = 4, /* below: the vectorized kernel is faster than staged copies, with several inputs */
    CC_LDGSTS = 80,
    CC_UBLKCP = 90,
    CC_LOOSE_BULK = 100 /* bulk copies need 128-byte alignment before, 16 from here on */
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static bool is_power_of_two(uint32_t number)
{
    return (number & (number - 1)) == 0;
}

/** \return the alignment of an element, which its size allows: at most that of the widest load. */
static uint32_t alignment_of(uint32_t element_bytes)
{
    return least(element_bytes & (~element_bytes + 1), VECTOR_BYTES);
}

static uint32_t smallest_element(const struct ridge_transform_request *request)
{
    uint32_t smallest = request->output_bytes;
    for (size_t i = 0; i < request->input_count; i++) {
        smallest = least(smallest, request->input_bytes[i]);
    }
    return smallest;
}

static void fill_vectorized(const struct ridge_transform_request *request, struct ridge_transform_policy *out)
{
    const uint32_t element = smallest_element(request);
    const uint32_t vector = most(1, least(VECTOR_BYTES / element, MOST_VECTOR));
    const uint64_t wanted = out->min_bytes_in_flight / ((uint64_t)THREADS * element);
    const uint32_t items = most(vector, wanted < MOST_ITEMS ? most(1, (uint32_t)wanted) : MOST_ITEMS);
    const uint32_t rounded = (items + vector - 1) / vector * vector;
    out->vectorized.threads_per_block = THREADS;
    out->vectorized.vec_size = vector;
    /* At most 32, and whole vectors: 30 for vectors of 5. */
    out->vectorized.items_per_thread = least(rounded, MOST_ITEMS / vector * vector);
}

static void fill_prefetch(struct ridge_transform_policy *out)
{
    out->prefetch.threads_per_block = THREADS;
    out->prefetch.items_per_thread_no_input = 2;
    out->prefetch.min_items_per_thread = 1;
    out->prefetch.max_items_per_thread = MOST_ITEMS;
    out->prefetch.byte_stride = 128;
}

/** A copy that goes through shared memory. */
struct copy {
    ridge_transform_algorithm algorithm;
    uint32_t alignment_bytes;
};

static struct copy copy_of(unsigned capability)
{
    if (capability >= CC_UBLKCP) {
        return (struct copy){RIDGE_TRANSFORM_UBLKCP, capability >= CC_LOOSE_BULK ? 16 : 128};
    }
    return (struct copy){RIDGE_TRANSFORM_LDGSTS, LDGSTS_ALIGNMENT};
}

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/** \return shared memory that the tiles of all inputs take, with the padding at their ends. */
static uint64_t staged_bytes(const struct ridge_transform_request *request, const struct copy *copy, uint64_t tile)
{
    uint64_t padding = copy->alignment_bytes;
    for (size_t i = 0; i < request->input_count; i++) {
        padding = most((uint32_t)padding, alignment_of(request->input_bytes[i]));
    }
    uint64_t bytes = copy->algorithm == RIDGE_TRANSFORM_UBLKCP ? padding : 0; /* the barrier */
    for (size_t i = 0; i < request->input_count; i++) {
        const uint64_t element = request->input_bytes[i];
        if (copy->algorithm == RIDGE_TRANSFORM_UBLKCP) {
            bytes += padding + element * tile;
        } else {
            /* A head and a tail that are not aligned, each of less than a copy. */
            const uint64_t ends = element < copy->alignment_bytes ? (copy->alignment_bytes - element) * 2 : 0;
            bytes = round_up(bytes, padding) + element * tile + ends;
        }
    }
    return bytes;
}

/** Whether a bulk copy of one tile after the other stays aligned, and enough threads copy the ends. */
static bool keeps_alignment(const struct ridge_transform_request *request, const struct copy *copy, uint32_t threads)
{
    if (copy->algorithm != RIDGE_TRANSFORM_UBLKCP) {
        return true;
    }
    for (size_t i = 0; i < request->input_count; i++) {
        if ((uint64_t)request->input_bytes[i] * threads % copy->alignment_bytes != 0) {
            return false;
        }
    }
    return threads >= copy->alignment_bytes;
}

/** Find the largest block, and then the most items, whose tiles fit. */
static void fill_staged(const struct ridge_transform_request *request, const struct copy *copy, uint64_t limit,
                        struct ridge_transform_staged *out)
{
    *out = (struct ridge_transform_staged){.possible = false};
    for (uint32_t threads = THREADS; threads >= LEAST_THREADS && request->input_count > 0; threads /= 2) {
        uint32_t items = MOST_ITEMS;
        while (items > 0 && staged_bytes(request, copy, (uint64_t)threads * items) > limit) {
            items--;
        }
        if (items == 0 || !keeps_alignment(request, copy, threads)) {
            continue;
        }
        *out = (struct ridge_transform_staged){
            .possible = true,
            .threads_per_block = threads,
            .min_items_per_thread = 1,
            .max_items_per_thread = items,
            .unroll = 1,
            .alignment_bytes = copy->alignment_bytes,
            .store_vec_size = most(1, VECTOR_BYTES / request->output_bytes),
            .tile_bytes = staged_bytes(request, copy, (uint64_t)threads * items),
        };
        return;
    }
}

/** \return why the vectorized kernel cannot be used, or NULL. */
static const char *against_vectorized(const struct ridge_transform_request *request)
{
    if (request->stable_address) {
        return "the function wants stable addresses";
    }
    if (request->not_contiguous) {
        return "an input is not contiguous, or not trivially relocatable";
    }
    bool powers = is_power_of_two(request->output_bytes);
    for (size_t i = 0; i < request->input_count; i++) {
        powers = powers && is_power_of_two(request->input_bytes[i]);
    }
    return powers ? NULL : "the size of an element is no power of two";
}

static bool all_small(const struct ridge_transform_request *request)
{
    bool small = request->output_bytes < SMALL_BYTES;
    for (size_t i = 0; i < request->input_count; i++) {
        small = small && request->input_bytes[i] < SMALL_BYTES;
    }
    return small;
}

/** \return why staged copies are not used, or NULL. The lowest capability that has the copy is 8.0 or 9.0. */
static const char *against_staged(const struct ridge_transform_request *request, unsigned capability,
                                  uint64_t smem_limit_bytes, const struct ridge_transform_policy *policy)
{
    if (request->stable_address) {
        return "the function wants stable addresses";
    }
    if (request->not_contiguous) {
        return "an input is not contiguous, or not trivially relocatable";
    }
    if (request->input_count == 0) {
        return "there is no input to stage";
    }
    if (smem_limit_bytes == 0) {
        return "no source says how much shared memory a block has (give --smem-limit)";
    }
    if (!policy->async_copy.possible) {
        return "no staging: not even one item a thread fits in shared memory, padding included";
    }
    if (capability < CC_LOOSE_BULK && request->input_count > 1 && all_small(request)) {
        return "with several inputs of 1 or 2 bytes the vectorized kernel is faster before cc 10.0";
    }
    return NULL;
}

static void say(struct ridge_transform_policy *policy, ridge_transform_algorithm algorithm, const char *verb,
                const char *reason)
{
    snprintf(policy->reason[algorithm], sizeof policy->reason[algorithm], "%s: %s", verb, reason);
}

/** Say of a staged copy that the chip does not have it, or that another is in its place. \return whether it is to be judged. */
static bool is_copy_of(unsigned capability, ridge_transform_algorithm algorithm, struct ridge_transform_policy *policy)
{
    const unsigned needed = algorithm == RIDGE_TRANSFORM_UBLKCP ? CC_UBLKCP : CC_LDGSTS;
    if (capability < needed) {
        char text[96];
        snprintf(text, sizeof text, "it needs compute capability %u.0 or later%s", needed / 10,
                 capability == 0 ? ", which is not known here" : "");
        say(policy, algorithm, "not", text);
        return false;
    }
    if (copy_of(capability).algorithm != algorithm) {
        say(policy, algorithm, "not", "from compute capability 9.0 on, ublkcp takes its place");
        return false;
    }
    return true;
}

void rg_transform_rules(const struct ridge_transform_request *request, unsigned capability, uint64_t smem_limit_bytes,
                        struct ridge_transform_policy *out)
{
    fill_vectorized(request, out);
    fill_prefetch(out);
    out->async_copy = (struct ridge_transform_staged){.possible = false};
    if (capability >= CC_LDGSTS) {
        const struct copy copy = copy_of(capability);
        fill_staged(request, &copy, smem_limit_bytes, &out->async_copy);
    }
    bool taken = false;
    for (int i = RIDGE_TRANSFORM_UBLKCP; i > RIDGE_TRANSFORM_PREFETCH; i--) {
        const ridge_transform_algorithm algorithm = (ridge_transform_algorithm)i;
        const bool staged = algorithm != RIDGE_TRANSFORM_VECTORIZED;
        if (staged && !is_copy_of(capability, algorithm, out)) {
            continue;
        }
        const char *against =
            staged ? against_staged(request, capability, smem_limit_bytes, out) : against_vectorized(request);
        if (against || taken) {
            say(out, algorithm, "not", against ? against : "a staged copy can be used");
            continue;
        }
        say(out, algorithm, "taken",
            staged ? "contiguous inputs, the chip has the copy, and the tiles fit"
                   : "contiguous inputs, no stable addresses, sizes are powers of two");
        out->algorithm = algorithm;
        taken = true;
    }
    if (!taken) {
        out->algorithm = RIDGE_TRANSFORM_PREFETCH;
    }
    say(out, RIDGE_TRANSFORM_PREFETCH, taken ? "not" : "taken",
        taken ? "it works everywhere, and another can be used" : "it works everywhere, and no other can be used");
}
