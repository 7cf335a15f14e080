/* SPDX-License-Identifier: MIT */
#include "tune/sampling.h"

double rg_sampling_active(const struct rg_sampling *sampling)
{
    return (double)sampling->active[0] * (double)sampling->active[1] * (double)sampling->active[2];
}

/** Places along one axis, and how many each stands for. */
struct places {
    size_t count;
    uint64_t at[3];
    double weight[3];
};

/** First, middle and last; the middle stands for all between. */
static struct places axis_places(uint64_t blocks)
{
    if (blocks == 1) {
        return (struct places){1, {0}, {1}};
    }
    if (blocks == 2) {
        return (struct places){2, {0, 1}, {1, 1}};
    }
    return (struct places){3, {0, blocks / 2, blocks - 1}, {1, (double)blocks - 2, 1}};
}

static uint64_t linear(const struct rg_sampling *sampling, uint64_t x, uint64_t y, uint64_t z)
{
    return (z * sampling->grid[1] + y) * sampling->grid[0] + x;
}

static size_t choose_places(const struct rg_sampling *sampling, struct rg_sampled *out)
{
    const struct places x = axis_places(sampling->active[0]);
    const struct places y = axis_places(sampling->active[1]);
    const struct places z = axis_places(sampling->active[2]);
    size_t count = 0;
    for (size_t k = 0; k < z.count; k++) {
        for (size_t j = 0; j < y.count; j++) {
            for (size_t i = 0; i < x.count; i++) {
                out[count++] = (struct rg_sampled){linear(sampling, x.at[i], y.at[j], z.at[k]),
                                                   x.weight[i] * y.weight[j] * z.weight[k]};
            }
        }
    }
    return count;
}

static size_t choose_quick(const struct rg_sampling *sampling, struct rg_sampled *out)
{
    const uint64_t *active = sampling->active;
    const double all = rg_sampling_active(sampling);
    out[0] = (struct rg_sampled){linear(sampling, active[0] / 2, active[1] / 2, active[2] / 2), all};
    out[1] = (struct rg_sampled){linear(sampling, active[0] - 1, active[1] - 1, active[2] - 1), 1};
    if (out[0].index == out[1].index) {
        return 1;
    }
    out[0].weight = all - 1;
    return 2;
}

/** Number `i` of `count` blocks of the active part, evenly spaced from the first to the last. */
static struct rg_sampled even(const struct rg_sampling *sampling, uint64_t i, uint64_t count, uint64_t all)
{
    const uint64_t at = count == 1 ? all / 2 : (uint64_t)((double)i * (double)(all - 1) / (double)(count - 1));
    const uint64_t x = at % sampling->active[0];
    const uint64_t y = at / sampling->active[0] % sampling->active[1];
    const uint64_t z = at / sampling->active[0] / sampling->active[1];
    return (struct rg_sampled){linear(sampling, x, y, z), (double)all / (double)count};
}

size_t rg_sampling_choose(const struct rg_sampling *sampling, struct rg_sampled *out)
{
    const double active = rg_sampling_active(sampling);
    if (!sampling->all && sampling->wanted == 0) {
        return sampling->quick ? choose_quick(sampling, out) : choose_places(sampling, out);
    }
    const double wanted = sampling->all || (double)sampling->wanted > active ? active : (double)sampling->wanted;
    if (wanted > RG_SAMPLE_MOST) {
        return 0;
    }
    for (uint64_t i = 0; i < (uint64_t)wanted; i++) {
        out[i] = even(sampling, i, (uint64_t)wanted, (uint64_t)active);
    }
    return (size_t)wanted;
}
