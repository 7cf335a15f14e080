/* SPDX-License-Identifier: MIT */
#include "space/space_id.h"

#include "space/run.h"

void rg_id_maker_init(struct rg_id_maker *maker, const struct ridge_spec *spec)
{
    maker->spec = spec;
    maker->known = 0;
    rg_id_begin(&maker->states[0], spec->kernel);
}

void rg_id_maker_next(struct rg_id_maker *maker, const uint32_t *choice, char out[RIDGE_ID_BYTES])
{
    const struct ridge_spec *spec = maker->spec;
    for (size_t i = maker->known; i < spec->dimension_count; i++) {
        maker->states[i + 1] = maker->states[i];
        rg_id_value(&maker->states[i + 1], spec->dimensions[i].name, &spec->dimensions[i].values[choice[i]]);
    }
    maker->known = spec->dimension_count;
    struct rg_sha256 hash = maker->states[spec->dimension_count];
    rg_id_end(&hash, out);
}

void ridge_space_id(const struct ridge_space *space, const uint32_t *choice, char out[RIDGE_ID_BYTES])
{
    struct rg_id_maker maker;
    rg_id_maker_init(&maker, rg_space_spec(space));
    rg_id_maker_next(&maker, choice, out);
}
