/* SPDX-License-Identifier: MIT */
/** \file What is saved of a device, put together. The public side is ridge/ceilings.h. */
#include "base/error.h"
#include "ridge/ceilings.h"
#include "store/store_internal.h"

static const ridge_access accesses[RIDGE_CEILING_CURVES] = {RIDGE_ACCESS_READ, RIDGE_ACCESS_WRITE, RIDGE_ACCESS_COPY};

/** Load one curve: of the temperature that is wanted, else of the other. None is no error. */
static ridge_status curve_load(struct ridge_store *store, const char *device, const char *name, ridge_access access,
                               bool warm, struct ridge_curve_set **out, struct ridge_error *error)
{
    for (int other = 0; other < 2 && !*out; other++) {
        struct ridge_error why = {0};
        const struct ridge_curve_key key = {.device = device,
                                            .access = access,
                                            .discipline = RIDGE_DISCIPLINE_STREAM,
                                            .warm = other ? !warm : warm,
                                            .name = name};
        const ridge_status status = ridge_store_curve_find(store, &key, out, &why);
        if (status != RIDGE_OK && status != RIDGE_E_EMPTY) {
            if (error && error->status == RIDGE_OK) {
                *error = why;
            }
            return status;
        }
    }
    return RIDGE_OK;
}

static ridge_status peak_find(struct ridge_store *store, const char *device, const char *name,
                              struct ridge_ceilings *out, struct ridge_error *error)
{
    struct ridge_error why = {0};
    const ridge_status status = ridge_store_peak_find(store, device, name, &out->peak, &why);
    if (status != RIDGE_OK && status != RIDGE_E_EMPTY) {
        if (error && error->status == RIDGE_OK) {
            *error = why;
        }
        return status;
    }
    out->has_peak = status == RIDGE_OK;
    return RIDGE_OK;
}

ridge_status ridge_store_ceilings_load(struct ridge_store *store, const char *device, const char *name, bool warm,
                                       struct ridge_ceilings *out, struct ridge_error *error)
{
    *out = (struct ridge_ceilings){.kind = RIDGE_RECORDED};
    bool any = false;
    ridge_status status = peak_find(store, device, name, out, error);
    for (size_t i = 0; i < RIDGE_CEILING_CURVES && status == RIDGE_OK; i++) {
        status = curve_load(store, device, name, accesses[i], warm, &out->curves[i], error);
        any = any || out->curves[i];
    }
    if (status == RIDGE_OK && !any && !out->has_peak) {
        status = rg_error_set(error, RIDGE_E_EMPTY,
                              "no ceilings of %s are saved (ridge peak --device %s --save, ridge curve --device %s "
                              "--save)",
                              name ? name : device, device, device);
    }
    if (status != RIDGE_OK) {
        ridge_ceilings_fini(out);
    }
    return status;
}

ridge_status ridge_store_ceilings_put(struct ridge_store *store, const struct ridge_ceilings *ceilings,
                                      struct ridge_error *error)
{
    int64_t id = 0;
    ridge_status status = ceilings->has_peak ? ridge_store_peak_put(store, &ceilings->peak, &id, error) : RIDGE_OK;
    for (size_t i = 0; i < RIDGE_CEILING_CURVES && status == RIDGE_OK; i++) {
        if (ceilings->curves[i]) {
            status = ridge_store_curves_put(store, ceilings->curves[i], &id, error);
        }
    }
    return status;
}
