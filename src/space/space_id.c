/* SPDX-License-Identifier: MIT */
#include "space/space_id.h"

#include <string.h>

#include "ridge/value.h"

static void put_dimension(struct rg_sha256 *hash, const struct rg_dimension *dimension, uint32_t choice)
{
    const struct ridge_value *value = &dimension->values[choice];
    char number[64];
    const char *text = value->type == RIDGE_TEXT ? value->as.text : number;
    if (value->type != RIDGE_TEXT) {
        ridge_value_format(value, number, sizeof number);
    }
    rg_sha256_update(hash, dimension->name, strlen(dimension->name));
    rg_sha256_update(hash, "=", 1);
    rg_sha256_update(hash, text, strlen(text));
    rg_sha256_update(hash, "\n", 1);
}

void rg_id_maker_init(struct rg_id_maker *maker, const struct ridge_spec *spec)
{
    static const char domain[] = "launchbound.config.v1"; /* with its terminator, so that ids match other records */
    maker->spec = spec;
    maker->known = 0;
    rg_sha256_init(&maker->states[0]);
    rg_sha256_update(&maker->states[0], domain, sizeof domain);
    rg_sha256_update(&maker->states[0], spec->kernel, strlen(spec->kernel) + 1);
}

void rg_id_maker_next(struct rg_id_maker *maker, const uint32_t *choice, char out[RIDGE_ID_BYTES])
{
    const struct ridge_spec *spec = maker->spec;
    for (size_t i = maker->known; i < spec->dimension_count; i++) {
        maker->states[i + 1] = maker->states[i];
        put_dimension(&maker->states[i + 1], &spec->dimensions[i], choice[i]);
    }
    maker->known = spec->dimension_count;
    struct rg_sha256 hash = maker->states[spec->dimension_count];
    char hex[RG_SHA256_HEX_BYTES];
    rg_sha256_final_hex(&hash, hex);
    memcpy(out, "c1-", 3);
    memcpy(out + 3, hex, 16);
    out[RIDGE_ID_BYTES - 1] = '\0';
}

void ridge_space_id(const struct ridge_space *space, const uint32_t *choice, char out[RIDGE_ID_BYTES])
{
    struct rg_id_maker maker;
    rg_id_maker_init(&maker, rg_space_spec(space));
    rg_id_maker_next(&maker, choice, out);
}
