/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/run.h"

const char *rg_rule_word(rg_rule rule)
{
    static const char *const words[] = {
#define RG_RULE_WORD(name, word) word,
        RG_RULE_LIST(RG_RULE_WORD)
#undef RG_RULE_WORD
    };
    return rule < RG_RULE_COUNT ? words[rule] : "";
}

const char *rg_class_word(rg_class class)
{
    static const char *const words[] = {
#define RG_CLASS_WORD(name, word) word,
        RG_CLASS_LIST(RG_CLASS_WORD)
#undef RG_CLASS_WORD
    };
    return class < RG_CLASS_COUNT ? words[class] : "";
}

static struct rg_finding_kept *find(const struct rg_run *run, const struct rg_op *op, rg_rule rule)
{
    const uint32_t index = op ? rg_op_index(run, op) : UINT32_MAX;
    for (size_t i = 0; i < run->finding_count; i++) {
        if (run->findings[i].op == index && run->findings[i].rule == rule) {
            return &run->findings[i];
        }
    }
    return NULL;
}

void rg_finding_sure(struct rg_run *run, const struct rg_op *op, rg_rule rule)
{
    struct rg_finding_kept *known = find(run, op, rule);
    if (known) {
        known->sure = true;
    }
}

bool rg_finding_new(struct rg_run *run, const struct rg_op *op, rg_rule rule)
{
    const bool is_new = rg_finding_doubtful(run, op, rule);
    rg_finding_sure(run, op, rule);
    return is_new;
}

bool rg_finding_doubtful(struct rg_run *run, const struct rg_op *op, rg_rule rule)
{
    const uint32_t index = op ? rg_op_index(run, op) : UINT32_MAX;
    struct rg_finding_kept *known = find(run, op, rule);
    if (known) {
        known->count++;
        return false;
    }
    if (!rg_reserve(run->context, &run->findings, &run->finding_capacity, run->finding_count + 1,
                    sizeof *run->findings)) {
        run->failed = true;
        return false;
    }
    run->findings[run->finding_count++] = (struct rg_finding_kept){.op = index, .rule = rule, .count = 1};
    return true;
}

void rg_finding_reason(struct rg_run *run, const char *format, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    run->findings[run->finding_count - 1].reason = rg_arena_strdup(&run->arena, text);
}

const char *rg_thread_text(const struct rg_warp *warp, unsigned lane, char *text, size_t size)
{
    const struct rg_run *run = warp->run;
    const uint64_t *block = run->request->block;
    const uint64_t linear = (uint64_t)warp->index * RG_LANES + lane;
    snprintf(text, size, "thread (%llu, %llu, %llu) of block (%llu, %llu, %llu)",
             (unsigned long long)(linear % block[0]), (unsigned long long)(linear / block[0] % block[1]),
             (unsigned long long)(linear / block[0] / block[1]), (unsigned long long)run->block_index[0],
             (unsigned long long)run->block_index[1], (unsigned long long)run->block_index[2]);
    return text;
}

/** The place of an operation in the file of its kernel: of a function that was inlined from another file, a header, the
 * place of the call. */
static struct rg_source_place place_of(const struct rg_ptx *ptx, const struct rg_op *op)
{
    struct rg_source_place place = {op->file, op->line, 0, op->inlined};
    uint32_t outermost = op->file;
    for (uint32_t at = op->inlined, steps = 0; at != 0 && steps < 64; at = ptx->places[at - 1].inlined, steps++) {
        outermost = ptx->places[at - 1].file;
    }
    for (uint32_t steps = 0; place.file != outermost && place.inlined != 0 && steps < 64; steps++) {
        place = ptx->places[place.inlined - 1];
    }
    return place;
}

uint32_t rg_op_line(const struct rg_ptx *ptx, const struct rg_op *op)
{
    return op->line > 0 ? place_of(ptx, op).line : op->ptx_line;
}

static const char *file_of(const struct rg_ptx *ptx, const struct rg_op *op)
{
    const uint32_t file = op && op->line > 0 ? place_of(ptx, op).file : UINT32_MAX;
    return file < ptx->file_count && ptx->files[file] ? ptx->files[file] : ptx->path;
}

void rg_findings_give(struct rg_run *run)
{
    const struct rg_engine_run *request = run->request;
    for (size_t i = 0; request->finding && i < run->finding_count; i++) {
        const struct rg_finding_kept *kept = &run->findings[i];
        const struct rg_op *op = kept->op == UINT32_MAX ? NULL : &run->ptx->ops[kept->op];
        const struct rg_engine_finding finding = {
            .rule = kept->rule,
            .file = file_of(run->ptx, op),
            .line = op ? rg_op_line(run->ptx, op) : 0,
            .ptx_line = op ? op->ptx_line : 0,
            .reason = kept->reason ? kept->reason : "",
            .count = kept->count,
        };
        request->finding(request->user, &finding);
    }
}

void rg_findings_free(struct rg_run *run)
{
    rg_free(run->context, run->findings, run->finding_capacity * sizeof *run->findings);
}
