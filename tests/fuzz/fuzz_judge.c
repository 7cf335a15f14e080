/* SPDX-License-Identifier: MIT */
/** \file Any bytes as what other judges write: logs of oclgrind and compute-sanitizer, the order of a launch and its outcome. */
#include <stdlib.h>
#include <string.h>

#include "tune/gate_launch.h"
#include "tune/gate_tool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Findings name a rule and a file, and happened at least once. */
static void findings_check(const struct rg_gate_slot *slot)
{
    for (uint64_t i = 0; i < slot->finding_count; i++) {
        const struct rg_gate_finding *found = &slot->findings[i];
        if (found->rule >= RG_RULE_COUNT || found->file[0] == '\0' || found->count == 0) {
            abort();
        }
    }
}

static void logs_read(const char *text)
{
    static struct rg_gate_slot slot;
    struct rg_sanitizer_log log;
    memset(&slot, 0, sizeof slot);
    rg_sanitizer_read_log(text, "dir/kernel.cu", &slot, &log);
    if ((log.findings > 0) != (slot.finding_count > 0)) {
        abort();
    }
    findings_check(&slot);
    memset(&slot, 0, sizeof slot);
    rg_oclgrind_read_log(text, "dir/kernel.cl", &slot);
    findings_check(&slot);
}

/** An order that was read is written and read again. */
static void order_read(const struct ridge_context *context, const char *text, size_t length)
{
    struct rg_launch_order order;
    struct rg_launch_order again;
    struct ridge_error error = {0};
    struct rg_buffer written;
    if (rg_launch_order_read(text, length, &order, &error) != RIDGE_OK) {
        if (error.message[0] == '\0') {
            abort();
        }
        return;
    }
    rg_buffer_init(&written, context);
    if (rg_launch_order_write(&order, &written, NULL) != RIDGE_OK ||
        rg_launch_order_read(rg_buffer_text(&written), written.length, &again, NULL) != RIDGE_OK ||
        again.set_count != order.set_count || again.choice_count != order.choice_count ||
        again.seconds != order.seconds || strcmp(again.spec, order.spec) != 0) {
        abort();
    }
    rg_buffer_fini(&written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ridge_context *context = NULL;
    struct rg_launched launched;
    char *text = malloc(size + 1);
    if (text && ridge_context_create(NULL, &context, NULL) == RIDGE_OK) {
        memcpy(text, data, size);
        text[size] = '\0';
        logs_read(text);
        order_read(context, text, size);
        (void)rg_launched_read(text, &launched);
    }
    ridge_context_destroy(context);
    free(text);
    return 0;
}
