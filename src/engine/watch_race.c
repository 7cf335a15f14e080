/* SPDX-License-Identifier: MIT */
#include "engine/run.h"
ridge_status rg_judge_begin(struct rg_run *run, struct ridge_error *error)
{
    (void)run;
    (void)error;
    return RIDGE_OK;
}
void rg_judge_free(struct rg_run *run)
{
    (void)run;
}
void rg_judge_block_begin(struct rg_run *run)
{
    (void)run;
}
void rg_judge_op(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    (void)warp;
    (void)op;
    (void)mask;
}
void rg_judge_warp_sync(struct rg_warp *warp, uint32_t mask)
{
    (void)warp;
    (void)mask;
}
void rg_judge_barrier(struct rg_run *run, const uint32_t *warp_masks, const bool *only_arrive)
{
    (void)run;
    (void)warp_masks;
    (void)only_arrive;
}
void rg_judge_copy(struct rg_warp *warp, const struct rg_op *op, const struct rg_pending *pending)
{
    (void)warp;
    (void)op;
    (void)pending;
}
