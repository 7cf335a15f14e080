/* SPDX-License-Identifier: MIT */
/** \file Reading the facts that a family of rules needs: all that are missing are named at once. */
#include <stdio.h>
#include <string.h>

#include "occupancy/occupancy_table.h"

/** Append the keys of those that no source states to the message of the first one. */
static void name_missing(const struct ridge_device *device, const struct rg_wanted_fact *wanted, size_t count,
                         struct ridge_error *error)
{
    const char *joint = "; these are missing too: ";
    size_t used = strlen(error->message);
    for (size_t i = 0; i < count && used < sizeof error->message; i++) {
        if (!device->facts[wanted[i].fact].known) {
            used += (size_t)snprintf(error->message + used, sizeof error->message - used, "%s%s", joint,
                                     ridge_fact_key(wanted[i].fact));
            joint = ", ";
        }
    }
}

ridge_status rg_occupancy_facts(const struct ridge_device_match *match, const struct rg_wanted_fact *wanted,
                                size_t count, struct ridge_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const ridge_status status = ridge_match_count(match, wanted[i].fact, wanted[i].to, error);
        if (status == RIDGE_E_UNAVAILABLE && match->count == 1 && error) {
            name_missing(match->devices[0], wanted + i + 1, count - i - 1, error);
        }
        if (status != RIDGE_OK) {
            return status;
        }
    }
    return RIDGE_OK;
}
