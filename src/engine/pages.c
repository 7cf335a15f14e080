/* SPDX-License-Identifier: MIT */
/** \file Records by index, in pages that are made when first touched. */
#include "engine/run.h"

enum {
    PAGE_BITS = 8,
    PAGE_RECORDS = 1 << PAGE_BITS
};

struct rg_pages {
    const struct ridge_context *context;
    uint64_t count; /**< pages */
    uint32_t record_bytes;
    uint8_t **pages;
};

struct rg_pages *rg_pages_new(const struct ridge_context *context, uint64_t records, uint32_t record_bytes)
{
    struct rg_pages *pages = rg_alloc(context, sizeof *pages);
    if (!pages) {
        return NULL;
    }
    *pages = (struct rg_pages){context, (records >> PAGE_BITS) + 1, record_bytes, NULL};
    pages->pages = rg_alloc(context, pages->count * sizeof *pages->pages);
    if (!pages->pages) {
        rg_free(context, pages, sizeof *pages);
        return NULL;
    }
    return pages;
}

void rg_pages_free(struct rg_pages *pages)
{
    if (!pages) {
        return;
    }
    for (uint64_t i = 0; i < pages->count; i++) {
        rg_free(pages->context, pages->pages[i], (size_t)PAGE_RECORDS * pages->record_bytes);
    }
    rg_free(pages->context, pages->pages, pages->count * sizeof *pages->pages);
    rg_free(pages->context, pages, sizeof *pages);
}

void *rg_pages_at(struct rg_pages *pages, uint64_t index)
{
    uint8_t **page = &pages->pages[index >> PAGE_BITS];
    if (!*page) {
        *page = rg_alloc(pages->context, (size_t)PAGE_RECORDS * pages->record_bytes);
        if (!*page) {
            return NULL;
        }
    }
    return *page + (size_t)(index & (PAGE_RECORDS - 1)) * pages->record_bytes;
}
