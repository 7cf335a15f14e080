/* SPDX-License-Identifier: MIT */
/** \file Lines through a curve: a fixed cost and a rate, and the envelope that never goes the wrong way. All of it is pure. */
#include <math.h>

#include "curve/curve_rules.h"

/** Sums over the points of u = 1 / seconds and v = bytes / seconds: the relative residual is fixed_s u + v / rate - 1. */
struct sums {
    double u, v, uu, uv, vv;
    size_t count;
};

static struct sums sums_of(const struct ridge_curve *curve)
{
    struct sums sums = {0};
    for (; sums.count < curve->point_count && curve->points[sums.count].bytes <= RG_RAMP_END_BYTES; sums.count++) {
        const struct ridge_curve_point *point = &curve->points[sums.count];
        const double v = point->bytes_per_s;
        const double u = v / (double)point->bytes;
        sums.u += u;
        sums.v += v;
        sums.uu += u * u;
        sums.uv += u * v;
        sums.vv += v * v;
    }
    return sums;
}

bool ridge_curve_fit_ramp(const struct ridge_curve *curve, struct ridge_curve_fit *out)
{
    enum {
        LEAST_POINTS = 3
    };
    const struct sums sums = sums_of(curve);
    *out = (struct ridge_curve_fit){0};
    if (curve->warm || sums.count < LEAST_POINTS) {
        return false;
    }
    const double determinant = sums.uu * sums.vv - sums.uv * sums.uv;
    double fixed_s = (sums.u * sums.vv - sums.v * sums.uv) / determinant;
    double per_byte_s = (sums.v * sums.uu - sums.u * sums.uv) / determinant;
    if (!(fixed_s > 0)) { /* a flat curve: nothing can cost less than nothing */
        fixed_s = 0;
        per_byte_s = sums.v / sums.vv;
    }
    if (!(per_byte_s > 0)) {
        return false; /* more bytes took no more time: there is no rate to speak of */
    }
    for (size_t i = 0; i < sums.count; i++) {
        const struct ridge_curve_point *point = &curve->points[i];
        const double seconds = (double)point->bytes / point->bytes_per_s;
        const double off = fabs((fixed_s + (double)point->bytes * per_byte_s) / seconds - 1);
        out->worst_ratio = fmax(out->worst_ratio, off);
    }
    out->fixed_s = fixed_s;
    out->bytes_per_s = 1 / per_byte_s;
    out->half_bytes = fixed_s / per_byte_s;
    out->last_bytes = curve->points[sums.count - 1].bytes;
    return true;
}

/** Pool adjacent violators: neighbours that go the wrong way share their mean, until none does. */
void ridge_curve_envelope(const struct ridge_curve *curve, double *rates)
{
    const double way = curve->warm ? -1 : 1;
    for (size_t i = 0; i < curve->point_count; i++) {
        double sum = curve->points[i].bytes_per_s;
        size_t begin = i;
        /* rates[begin - 1] stands for all before it that are equal to it. */
        while (begin > 0 && way * (sum / (double)(i - begin + 1) - rates[begin - 1]) < 0) {
            const double mean = rates[begin - 1];
            while (begin > 0 && rates[begin - 1] == mean) {
                sum += mean;
                begin--;
            }
        }
        for (size_t k = begin; k <= i; k++) {
            rates[k] = sum / (double)(i - begin + 1);
        }
    }
}
