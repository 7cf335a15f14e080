/* SPDX-License-Identifier: MIT */
/** \file Asking facts of what a name fits: all candidates must agree, and what is not known is an error. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "device/device_db.h"
#include "ridge/units.h"

static bool same_value(const struct ridge_fact_value *a, const struct ridge_fact_value *b)
{
    if (a->known != b->known || a->list_count != b->list_count || a->number != b->number) {
        return false;
    }
    return a->list_count == 0 || memcmp(a->list, b->list, a->list_count * sizeof *a->list) == 0;
}

/** List the candidates with their values; what has no room is left out with "...". */
static void list_values(const struct ridge_device_match *match, ridge_fact fact, char *out, size_t bytes)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < match->count && used < bytes; i++) {
        const struct ridge_fact_value *value = &match->devices[i]->facts[fact];
        char number[RIDGE_NUMBER_BYTES] = "unknown";
        if (value->known) {
            ridge_number_format(value->number, number);
        }
        if (bytes - used < 120) {
            snprintf(out + used, bytes - used, ", ...");
            return;
        }
        used += (size_t)snprintf(out + used, bytes - used, "%s%s (%s)", i ? ", " : "", match->devices[i]->name, number);
    }
}

ridge_status ridge_match_fact(const struct ridge_device_match *match, ridge_fact fact,
                              const struct ridge_fact_value **out, struct ridge_error *error)
{
    const struct ridge_fact_value *first = &match->devices[0]->facts[fact];
    for (size_t i = 1; i < match->count; i++) {
        if (!same_value(first, &match->devices[i]->facts[fact])) {
            char list[700];
            list_values(match, fact, list, sizeof list);
            return rg_error_set(error, RIDGE_E_UNAVAILABLE, "'%s' fits %zu devices that differ in %s: %s (name one)",
                                match->asked, match->count, ridge_fact_key(fact), list);
        }
    }
    if (!first->known) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "no source states %s (%s) of %s (%s)", ridge_fact_key(fact),
                            ridge_fact_meaning(fact), match->devices[0]->name,
                            match->devices[0]->is_architecture && fact >= RIDGE_FACT_MULTIPROCESSORS
                                ? "name a product, such as A100"
                                : "a file of your own can: see ridge-devices(1)");
    }
    *out = first;
    return RIDGE_OK;
}

ridge_status ridge_match_count(const struct ridge_device_match *match, ridge_fact fact, uint32_t *out,
                               struct ridge_error *error)
{
    const struct ridge_fact_value *value = &match->devices[0]->facts[fact];
    const ridge_status status = ridge_match_fact(match, fact, &value, error);
    if (status != RIDGE_OK) {
        return status;
    }
    if (value->number < 0 || value->number > UINT32_MAX || value->number != (double)(uint32_t)value->number) {
        return rg_error_set(error, RIDGE_E_VALUE, "%s of %s is no whole number below 2^32", ridge_fact_key(fact),
                            value->of);
    }
    *out = (uint32_t)value->number;
    return RIDGE_OK;
}

/** Whether two texts, either of which may be NULL, say the same. */
static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

ridge_status ridge_match_family(const struct ridge_device_match *match, const char **out, struct ridge_error *error)
{
    const struct ridge_device *first = match->devices[0];
    for (size_t i = 1; i < match->count; i++) {
        if (!same_text(first->family, match->devices[i]->family)) {
            return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                                "'%s' fits devices with different occupancy rules: %s, %s (name one)", match->asked,
                                first->name, match->devices[i]->name);
        }
    }
    if (!first->family) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                            "no occupancy rules are known for %s of %s (docs/occupancy.md says what is covered)",
                            first->name, first->vendor);
    }
    *out = first->family;
    return RIDGE_OK;
}

/** The fewest blocks per multiprocessor that a truthful driver would report. */
static ridge_status known_blocks(const struct ridge_device_match *match, bool is_nvidia, uint32_t *out,
                                 struct ridge_error *error)
{
    return ridge_match_count(match, is_nvidia ? RIDGE_FACT_MAX_BLOCKS_PER_SM : RIDGE_FACT_GROUPS_PER_CU, out, error);
}

ridge_status ridge_device_reported_read(const struct ridge_device_match *match, uint64_t multiprocessors,
                                        uint64_t max_blocks, struct ridge_device_reported *out,
                                        struct ridge_error *error)
{
    enum {
        MOST = 65536
    };
    const char *family = "";
    uint32_t known = 0;
    ridge_status status = ridge_match_family(match, &family, error);
    status = status == RIDGE_OK ? known_blocks(match, strcmp(family, "nvidia") == 0, &known, error) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    if (multiprocessors == 0 || multiprocessors > MOST) {
        return rg_error_set(error, RIDGE_E_VALUE, "%llu multiprocessors cannot be (1 to %d)",
                            (unsigned long long)multiprocessors, MOST);
    }
    out->counted_in_pairs = strcmp(family, "rdna") == 0;
    out->compute_units = (uint32_t)multiprocessors * (out->counted_in_pairs ? 2 : 1);
    out->blocks_implausible = max_blocks > 0 && max_blocks < known;
    return RIDGE_OK;
}
