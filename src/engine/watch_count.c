/* SPDX-License-Identifier: MIT */
#include "engine/run.h"
ridge_status rg_tally_begin(struct rg_run *run, struct ridge_error *error)
{
    (void)run;
    (void)error;
    return RIDGE_OK;
}
void rg_tally_end(struct rg_run *run, struct rg_engine_counts *counts)
{
    (void)run;
    (void)counts;
}
void rg_tally_free(struct rg_run *run)
{
    (void)run;
}
void rg_tally_block_begin(struct rg_run *run)
{
    (void)run;
}
void rg_tally_block_end(struct rg_run *run)
{
    (void)run;
}
void rg_tally_op(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    (void)warp;
    (void)op;
    (void)mask;
}
void rg_tally_branch(struct rg_warp *warp, const struct rg_op *op, uint32_t mask, uint32_t taken)
{
    (void)warp;
    (void)op;
    (void)mask;
    (void)taken;
}
