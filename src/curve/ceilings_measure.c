/* SPDX-License-Identifier: MIT */
#include "base/context.h"
#include "ridge/ceilings.h"

static const uint64_t least_curve_bytes = (uint64_t)1 << 20;
static const double curve_s = 5; /* to measure a curve: three may be needed, and somebody waits */
static const uint64_t most_curve_bytes = (uint64_t)1 << 30;

/** One curve, not beyond what the work needs. */
static ridge_status curve_measure(const struct ridge_context *context, const char *device, ridge_access access,
                                  bool warm, double bytes, struct ridge_curve_set **out, struct ridge_error *error)
{
    struct ridge_curve_request request = {.device = device,
                                          .access = access,
                                          .disciplines = 1U << RIDGE_DISCIPLINE_STREAM,
                                          .warm = warm,
                                          .max_seconds = curve_s};
    request.max_bytes = 2 * bytes < (double)most_curve_bytes ? 2 * (uint64_t)bytes : most_curve_bytes;
    request.max_bytes = request.max_bytes < least_curve_bytes ? least_curve_bytes : request.max_bytes;
    return ridge_curve_measure(context, &request, out, error);
}

ridge_status ridge_ceilings_measure(const struct ridge_context *context, const char *device, unsigned what, bool warm,
                                    const struct ridge_work *work, struct ridge_ceilings *out,
                                    struct ridge_error *error)
{
    static const struct {
        unsigned bit;
        ridge_access access;
    } rows[RIDGE_CEILING_CURVES] = {{RIDGE_CEILING_READ, RIDGE_ACCESS_READ},
                                    {RIDGE_CEILING_WRITE, RIDGE_ACCESS_WRITE},
                                    {RIDGE_CEILING_COPY, RIDGE_ACCESS_COPY}};
    ridge_status status = RIDGE_OK;
    *out = (struct ridge_ceilings){.kind = RIDGE_MEASURED};
    if (what & RIDGE_CEILING_PEAK) {
        const struct ridge_peak_request request = {.device = device, .without_latency = true};
        status = ridge_peak_measure(context, &request, &out->peak, error);
        out->has_peak = status == RIDGE_OK;
    }
    for (size_t i = 0; i < RIDGE_CEILING_CURVES && status == RIDGE_OK; i++) {
        if (what & rows[i].bit) {
            status =
                curve_measure(context, device, rows[i].access, warm, ridge_work_bytes(work), &out->curves[i], error);
        }
    }
    if (status != RIDGE_OK) {
        ridge_ceilings_fini(out);
    }
    return status;
}
