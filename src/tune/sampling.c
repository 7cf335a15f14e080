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

/** For ranking: the middle, and where there are few blocks along the axis the last one, which may be cut off. */
static struct places quick_places(uint64_t blocks)
{
    enum {
        FEW = 16
    };
    const uint64_t middle = (blocks - 1) / 2;
    if (blocks == 1 || blocks >= FEW) {
        return (struct places){1, {middle}, {(double)blocks}};
    }
    return (struct places){2, {middle, blocks - 1}, {(double)blocks - 1, 1}};
}

static size_t choose_places(const struct rg_sampling *sampling, struct rg_sampled *out)
{
    struct places (*const along)(uint64_t) = sampling->quick ? quick_places : axis_places;
    const struct places x = along(sampling->active[0]);
    const struct places y = along(sampling->active[1]);
    const struct places z = along(sampling->active[2]);
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

/** The last block of all, for itself: it shows what is checked at the edges. */
static size_t add_last(const struct rg_sampling *sampling, struct rg_sampled *out, size_t count)
{
    const uint64_t *active = sampling->active;
    const uint64_t last = linear(sampling, active[0] - 1, active[1] - 1, active[2] - 1);
    if (out[count - 1].index == last || out[0].weight <= 1) {
        return count;
    }
    out[0].weight -= 1;
    out[count] = (struct rg_sampled){last, 1};
    return count + 1;
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
        const size_t count = choose_places(sampling, out);
        return sampling->quick ? add_last(sampling, out, count) : count;
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
