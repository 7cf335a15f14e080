/* SPDX-License-Identifier: MIT */
#include "report/page.h"

#include <ctype.h>
#include <string.h>

#include "text/columns.h"

static const char ellipsis[] = "\xE2\x80\xA6";

void rg_page_init(struct rg_page *page, const struct ridge_context *context, unsigned width, bool colour)
{
    rg_buffer_init(&page->text, context);
    page->width = width == 0 ? RG_PAGE_WIDTH : width;
    page->width = page->width < RG_PAGE_LEAST_WIDTH ? RG_PAGE_LEAST_WIDTH : page->width;
    page->colour = colour;
}

void rg_page_fini(struct rg_page *page)
{
    rg_buffer_fini(&page->text);
}

void rg_page_spaces(struct rg_page *page, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rg_buffer_append(&page->text, " ", 1);
    }
}

static void begin_style(struct rg_page *page, rg_style style)
{
    static const char *const codes[] = {"", "\x1b[1m", "\x1b[1;32m", "\x1b[1;31m"};
    if (page->colour) {
        rg_buffer_puts(&page->text, codes[style]);
    }
}

static void end_style(struct rg_page *page, rg_style style)
{
    if (page->colour && style != RG_PLAIN) {
        rg_buffer_puts(&page->text, "\x1b[0m");
    }
}

/** Append the part of a text that fits in `columns`. \return the columns it took. */
static size_t put_fitting(struct rg_page *page, const char *text, size_t columns)
{
    size_t used = 0;
    for (struct rg_glyph glyph = rg_glyph_at(text); glyph.bytes > 0; glyph = rg_glyph_at(text)) {
        if (used + glyph.columns > columns) {
            break;
        }
        rg_buffer_append(&page->text, glyph.shown, glyph.shown_bytes);
        used += glyph.columns;
        text += glyph.bytes;
    }
    return used;
}

void rg_page_text(struct rg_page *page, rg_style style, const char *text)
{
    begin_style(page, style);
    put_fitting(page, text, SIZE_MAX);
    end_style(page, style);
}

/** As rg_page_cut, and say how many columns it took. */
static size_t put_cut(struct rg_page *page, const char *text, size_t columns)
{
    if (rg_columns(text) <= columns) {
        return put_fitting(page, text, columns);
    }
    if (columns == 0) {
        return 0;
    }
    const size_t used = put_fitting(page, text, columns - 1);
    rg_buffer_puts(&page->text, ellipsis);
    return used + 1;
}

void rg_page_cut(struct rg_page *page, const char *text, size_t columns)
{
    put_cut(page, text, columns);
}

void rg_page_cell(struct rg_page *page, rg_style style, const char *text, size_t columns, bool right)
{
    const size_t wide = rg_columns(text);
    const size_t before = right && wide < columns ? columns - wide : 0;
    rg_page_spaces(page, before);
    begin_style(page, style);
    const size_t used = before + put_cut(page, text, columns - before);
    end_style(page, style);
    rg_page_spaces(page, columns - used);
}

/** \return bytes of the word at `text`; a number and its unit are one word, so that no line ends between them. */
static size_t word_bytes(const char *text)
{
    static const char *const units[] = {"%", "ns", "us", "ms", "s"};
    const size_t bytes = strcspn(text, " \n");
    if (bytes == 0 || text[bytes] != ' ' || !isdigit((unsigned char)text[bytes - 1])) {
        return bytes;
    }
    const char *next = text + bytes + 1;
    const size_t next_bytes = strcspn(next, " \n,.:;)");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strlen(units[i]) == next_bytes && strncmp(next, units[i], next_bytes) == 0) {
            return bytes + 1 + strcspn(next, " \n");
        }
    }
    return bytes;
}

static size_t columns_of(const char *text, size_t bytes)
{
    size_t columns = 0;
    for (size_t i = 0; i < bytes;) {
        const struct rg_glyph glyph = rg_glyph_at(text + i);
        columns += glyph.columns;
        i += glyph.bytes;
    }
    return columns;
}

static void break_line(struct rg_page *page, size_t indent)
{
    rg_buffer_puts(&page->text, "\n");
    rg_page_spaces(page, indent);
}

void rg_page_wrap(struct rg_page *page, const char *text, size_t column, size_t indent)
{
    size_t at = column;
    bool line_begins = true;
    while (*text) {
        const size_t gap = strspn(text, " \n");
        const size_t bytes = word_bytes(text + gap);
        if (!line_begins && at + gap + columns_of(text + gap, bytes) > page->width) {
            break_line(page, indent);
            at = indent;
        } else if (bytes > 0) {
            rg_page_spaces(page, gap);
            at += gap;
        }
        text += gap;
        line_begins = false;
        for (const char *end = text + bytes; text < end;) {
            const struct rg_glyph glyph = rg_glyph_at(text);
            if (at + glyph.columns > page->width && at > indent) {
                break_line(page, indent);
                at = indent;
            }
            rg_buffer_append(&page->text, glyph.shown, glyph.shown_bytes);
            at += glyph.columns;
            text += glyph.bytes;
        }
    }
    rg_buffer_puts(&page->text, "\n");
}

void rg_page_block(struct rg_page *page, const char *text, size_t indent)
{
    bool line_begins = true;
    for (struct rg_glyph glyph = rg_glyph_at(text); glyph.bytes > 0; glyph = rg_glyph_at(text)) {
        if (*text == '\n') {
            rg_buffer_puts(&page->text, "\n");
            line_begins = true;
        } else if (*text != '\r') {
            rg_page_spaces(page, line_begins ? indent : 0);
            rg_buffer_append(&page->text, *text == '\t' ? text : glyph.shown, *text == '\t' ? 1 : glyph.shown_bytes);
            line_begins = false;
        }
        text += glyph.bytes;
    }
    rg_buffer_puts(&page->text, line_begins ? "" : "\n");
}

void rg_table_init(struct rg_table *table, struct rg_arena *arena, size_t rows, size_t columns)
{
    *table = (struct rg_table){.arena = arena, .column_count = columns, .row_count = rows};
    table->widths = rg_arena_array(arena, columns, sizeof *table->widths);
    table->right = rg_arena_array(arena, columns, sizeof *table->right);
    table->below = rg_arena_array(arena, rows, sizeof *table->below);
    const char **cells = rg_arena_array(arena, rows, columns * sizeof *cells);
    table->cells = cells;
    table->failed = !table->widths || !table->right || !table->below || !cells;
}

void rg_table_set(struct rg_table *table, size_t row, size_t column, const char *text)
{
    if (table->failed) {
        return;
    }
    const char *copy = rg_arena_strdup(table->arena, text);
    table->cells[row * table->column_count + column] = copy;
    table->failed = copy == NULL;
}

/** The text of a cell; one that was never set is empty. */
static const char *cell_at(const struct rg_table *table, size_t row, size_t column)
{
    const char *text = table->cells[row * table->column_count + column];
    return text ? text : "";
}

size_t rg_table_measure(struct rg_table *table)
{
    if (table->failed) {
        return 0;
    }
    size_t total = 0;
    for (size_t column = 0; column < table->column_count; column++) {
        table->widths[column] = 0;
        for (size_t row = 0; row < table->row_count; row++) {
            const size_t columns = rg_columns(cell_at(table, row, column));
            table->widths[column] = columns > table->widths[column] ? columns : table->widths[column];
        }
        total += table->widths[column] + (column > 0 ? 2 : 0);
    }
    return total;
}

static void write_row(const struct rg_table *table, struct rg_page *page, size_t row, size_t indent)
{
    size_t at = indent;
    rg_page_spaces(page, indent);
    for (size_t column = 0; column < table->column_count; column++) {
        const char *text = cell_at(table, row, column);
        const bool last = column + 1 == table->column_count;
        if (last && !table->right[column]) {
            rg_page_cut(page, text, at < page->width ? page->width - at : 1);
            break;
        }
        rg_page_cell(page, row == 0 ? RG_BOLD : RG_PLAIN, text, table->widths[column], table->right[column]);
        rg_page_spaces(page, last ? 0 : 2);
        at += table->widths[column] + 2;
    }
    rg_buffer_puts(&page->text, "\n");
}

void rg_table_write(const struct rg_table *table, struct rg_page *page, size_t indent)
{
    if (table->failed) {
        page->text.failed = true;
        return;
    }
    for (size_t row = 0; row < table->row_count; row++) {
        write_row(table, page, row, indent);
        if (table->below[row]) {
            const size_t deeper = indent + 4;
            rg_page_spaces(page, deeper);
            rg_page_wrap(page, table->below[row], deeper, deeper);
        }
    }
}
