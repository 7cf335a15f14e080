/* SPDX-License-Identifier: MIT */
/** \file The picture of memory curves. Measures in pixels; each curve has a dash pattern and a mark beside its colour. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/svg.h"
#include "ridge/chart.h"
#include "ridge/curve.h"
#include "ridge/units.h"

enum {
    LEFT = 62,
    RIGHT = 20,
    LINE = 20,
    PLOT = 300,
    LETTER = 8, /* width of a letter, generously */
    CURVES = 4, /* kinds of lines */
    MOST_POINTS = 256,
    TEXT_BYTES = 256,
    SUBTITLE_BYTES = 512
};

/* Colours of Okabe and Ito, as in chart.c. */
static const char style[] =
    "text { font: 13px system-ui, sans-serif; fill: #1f2328; }\n"
    ".title { font-weight: 600; font-size: 15px; }\n"
    ".soft { fill: #59636e; }\n"
    ".paper { fill: #ffffff; }\n"
    ".band { fill: #f0f3f6; }\n"
    ".grid { stroke: #d8dee4; }\n"
    ".axis { stroke: #59636e; }\n"
    ".c0, .c1, .c2, .c3 { stroke-width: 2; stroke-linejoin: round; }\n"
    ".c0 { stroke: #0072b2; } .c1 { stroke: #d55e00; stroke-dasharray: 7 4; }\n"
    ".c2 { stroke: #009e73; stroke-dasharray: 2 3; } .c3 { stroke: #a3508a; stroke-dasharray: 9 3 2 3; }\n"
    ".e0, .e1, .e2, .e3 { stroke-width: 1.5; stroke-opacity: .6; }\n"
    ".e0 { stroke: #0072b2; } .e1 { stroke: #d55e00; } .e2 { stroke: #009e73; } .e3 { stroke: #a3508a; }\n"
    ".p0 { fill: #0072b2; } .p1 { fill: #d55e00; } .p2 { fill: #009e73; } .p3 { fill: #a3508a; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "text { fill: #e6edf3; }\n"
    ".soft { fill: #9da7b3; }\n"
    ".paper { fill: #0d1117; }\n"
    ".band { fill: #171d26; }\n"
    ".grid { stroke: #2d333b; }\n"
    ".axis { stroke: #9da7b3; }\n"
    ".c0, .e0 { stroke: #3fa0db; } .c1, .e1 { stroke: #f08a3c; }\n"
    ".c2, .e2 { stroke: #2fc39a; } .c3, .e3 { stroke: #e39cc4; }\n"
    ".p0 { fill: #3fa0db; } .p1 { fill: #f08a3c; } .p2 { fill: #2fc39a; } .p3 { fill: #e39cc4; }\n"
    "}\n";

/** Where things are. Axes are logarithms to base 2 of bytes, and to base 10 of bytes a second. */
struct layout {
    const struct ridge_curve *curves;
    size_t count;
    struct rg_svg svg;
    double width, height;
    double left, right, top, bottom;
    double x_first, x_last;
    double y_first, y_last;
    unsigned legend_lines;
};

static double x_of(const struct layout *layout, double bytes)
{
    const double share = (log2(bytes) - layout->x_first) / (layout->x_last - layout->x_first);
    return layout->left + fmin(fmax(share, 0), 1) * (layout->right - layout->left);
}

static double y_of(const struct layout *layout, double bytes_per_s)
{
    const double share = (log10(bytes_per_s) - layout->y_first) / (layout->y_last - layout->y_first);
    return layout->bottom - fmin(fmax(share, 0), 1) * (layout->bottom - layout->top);
}

/** Whole octaves along x, whole decades along y. */
static void set_axes(struct layout *layout)
{
    double least_bytes = (double)INFINITY;
    double most_bytes = 1;
    double least_rate = (double)INFINITY;
    double most_rate = 1;
    for (size_t i = 0; i < layout->count; i++) {
        for (size_t k = 0; k < layout->curves[i].point_count; k++) {
            const struct ridge_curve_point *point = &layout->curves[i].points[k];
            least_bytes = fmin(least_bytes, (double)point->bytes);
            most_bytes = fmax(most_bytes, (double)point->bytes);
            least_rate = fmin(least_rate, fmin(point->bytes_per_s, point->ci95.low));
            most_rate = fmax(most_rate, fmax(point->bytes_per_s, point->ci95.high));
        }
    }
    layout->x_first = floor(log2(least_bytes));
    layout->x_last = fmax(ceil(log2(most_bytes)), layout->x_first + 1);
    layout->y_first = floor(log10(least_rate));
    layout->y_last = fmax(ceil(log10(most_rate)), layout->y_first + 1);
}

static void curve_name(const struct ridge_curve *curve, char text[TEXT_BYTES])
{
    snprintf(text, TEXT_BYTES, "%s, %s", curve->warm ? "warm" : "cold", ridge_discipline_word(curve->discipline));
}

/** Visit the legend's entries in lines as wide as the picture. \return lines. */
static unsigned legend(struct layout *layout, bool draw, double top)
{
    double x = 16;
    unsigned line = 0;
    for (size_t i = 0; i < layout->count; i++) {
        char text[TEXT_BYTES];
        char css_class[8];
        curve_name(&layout->curves[i], text);
        const double wide = 40 + (double)(LETTER * rg_svg_letters(text)) + 14;
        if (x > 16 && x + wide > layout->width - RIGHT + 14) {
            x = 16;
            line++;
        }
        if (draw) {
            const double y = top + line * LINE - 4;
            snprintf(css_class, sizeof css_class, "c%zu", i % CURVES);
            rg_svg_line(&layout->svg, css_class, x, y, x + 32, y);
            rg_svg_text(&layout->svg, "", x + 40, top + line * LINE, "start", text);
        }
        x += wide;
    }
    return line + 1;
}

/** A shaded band for every second level, and the level's name above it. */
static void draw_levels(struct layout *layout)
{
    const struct ridge_curve *curve = &layout->curves[0];
    double from = layout->left;
    for (size_t i = 0; i < curve->level_count; i++) {
        const struct ridge_curve_level *level = &curve->levels[i];
        const double to = level->bytes > 0 ? x_of(layout, (double)level->bytes) : layout->right;
        if (i % 2 == 0) {
            rg_svg_rect(&layout->svg, "band", from, layout->top, to - from, layout->bottom - layout->top, NULL);
        }
        if (to - from > (double)(LETTER * strlen(level->name))) {
            rg_svg_text(&layout->svg, "soft", (from + to) / 2, layout->top + 16, "middle", level->name);
        }
        from = to;
    }
}

static void draw_x_axis(struct layout *layout)
{
    const double octave = (layout->right - layout->left) / (layout->x_last - layout->x_first);
    const int step = (int)fmax(1, ceil(9.0 * LETTER / octave));
    for (int power = (int)layout->x_first; power <= (int)layout->x_last; power += step) {
        char text[RIDGE_NUMBER_BYTES];
        const double at = x_of(layout, exp2(power));
        const bool last = at + 4 * LETTER > layout->width;
        ridge_size_format((uint64_t)exp2(power), text);
        rg_svg_line(&layout->svg, "axis", at, layout->bottom, at, layout->bottom + 4);
        rg_svg_text(&layout->svg, "soft", at, layout->bottom + 18, last ? "end" : "middle", text);
    }
    rg_svg_line(&layout->svg, "axis", layout->left, layout->bottom, layout->right, layout->bottom);
    rg_svg_text(&layout->svg, "soft", (layout->left + layout->right) / 2, layout->bottom + 38, "middle",
                "working set: bytes that a pass moves");
}

static void draw_y_axis(struct layout *layout)
{
    static const double parts[] = {1, 2, 5};
    const bool fine = layout->y_last - layout->y_first <= 3;
    for (int power = (int)layout->y_first; power <= (int)layout->y_last; power++) {
        for (size_t i = 0; i < (fine ? 3 : 1); i++) {
            char text[RIDGE_NUMBER_BYTES];
            const double rate = parts[i] * pow(10, power);
            if (log10(rate) > layout->y_last + 1e-9) {
                continue;
            }
            const double at = y_of(layout, rate);
            ridge_number_format(parts[i] * pow(10, power - 9), text);
            rg_svg_line(&layout->svg, "grid", layout->left, at, layout->right, at);
            rg_svg_text(&layout->svg, "soft", layout->left - 8, at + 4, "end", text);
        }
    }
}

static void draw_curve(struct layout *layout, size_t index)
{
    const struct ridge_curve *curve = &layout->curves[index];
    const size_t count = curve->point_count < MOST_POINTS ? curve->point_count : MOST_POINTS;
    double xy[2 * MOST_POINTS];
    char line_class[8];
    char bar_class[8];
    char mark_class[8];
    snprintf(line_class, sizeof line_class, "c%zu", index % CURVES);
    snprintf(bar_class, sizeof bar_class, "e%zu", index % CURVES);
    snprintf(mark_class, sizeof mark_class, "p%zu", index % CURVES);
    for (size_t i = 0; i < count; i++) {
        xy[2 * i] = x_of(layout, (double)curve->points[i].bytes);
        xy[2 * i + 1] = y_of(layout, curve->points[i].bytes_per_s);
    }
    rg_svg_polyline(&layout->svg, line_class, xy, count);
    for (size_t i = 0; i < count; i++) {
        const struct ridge_curve_point *point = &curve->points[i];
        char size[RIDGE_NUMBER_BYTES];
        char hint[TEXT_BYTES];
        char name[TEXT_BYTES];
        char rate[RIDGE_NUMBER_BYTES];
        curve_name(curve, name);
        ridge_size_format(point->bytes, size);
        ridge_number_format(round(point->bytes_per_s / 1e7) / 100, rate);
        snprintf(hint, sizeof hint, "%.60s: %s, %s GB/s", name, size, rate);
        if (isfinite(point->ci95.low) && isfinite(point->ci95.high)) {
            rg_svg_line(&layout->svg, bar_class, xy[2 * i], y_of(layout, point->ci95.low), xy[2 * i],
                        y_of(layout, point->ci95.high));
        }
        rg_svg_rect(&layout->svg, mark_class, xy[2 * i] - 2.5, xy[2 * i + 1] - 2.5, 5, 5, hint);
    }
}

static void texts_of(const struct ridge_curve *curve, char title[TEXT_BYTES], char subtitle[SUBTITLE_BYTES])
{
    snprintf(title, TEXT_BYTES, "Memory of %.80s: %s", curve->device ? curve->device : "a device",
             ridge_access_word(curve->access));
    snprintf(subtitle, SUBTITLE_BYTES,
             "measured %.32s, %u thread%s%s; medians with 95 %% intervals; bands are levels "
             "found from the warm curve",
             curve->made_at ? curve->made_at : "", curve->threads, curve->threads == 1 ? "" : "s",
             curve->stopped ? ", incomplete: it was interrupted" : "");
}

ridge_status ridge_curve_picture(const struct ridge_curve *curves, size_t count, unsigned width_px,
                                 struct ridge_sink sink, struct ridge_error *error)
{
    struct layout layout = {.curves = curves, .count = count, .width = width_px, .left = LEFT};
    char title[TEXT_BYTES];
    char subtitle[SUBTITLE_BYTES];
    if (width_px < RIDGE_CHART_LEAST_WIDTH || width_px > RIDGE_CHART_MOST_WIDTH) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "a picture %u pixels wide cannot be (%d to %d)", width_px,
                            RIDGE_CHART_LEAST_WIDTH, RIDGE_CHART_MOST_WIDTH);
    }
    if (count == 0 || curves[0].point_count == 0) {
        return rg_error_set(error, RIDGE_E_EMPTY, "there is no curve to draw (it has no points)");
    }
    set_axes(&layout);
    texts_of(&curves[0], title, subtitle);
    const size_t most = (size_t)(layout.width - 32) / LETTER;
    layout.right = layout.width - RIGHT;
    const unsigned title_lines = rg_svg_wrapped(NULL, "", 0, LINE, most * 6 / 7, title);
    const unsigned subtitle_lines = rg_svg_wrapped(NULL, "", 0, LINE, most, subtitle);
    layout.legend_lines = legend(&layout, false, 0);
    const double legend_top = 28 + (title_lines + subtitle_lines) * LINE + 6;
    const double y_label_top = legend_top + layout.legend_lines * LINE + 6;
    layout.top = y_label_top + 14;
    layout.bottom = layout.top + PLOT;
    layout.height = layout.bottom + 52;
    rg_svg_begin(&layout.svg, sink, layout.width, layout.height, title, style);
    rg_svg_rect(&layout.svg, "paper", 0, 0, layout.width, layout.height, NULL);
    (void)rg_svg_wrapped(&layout.svg, "title", 28, LINE, most * 6 / 7, title);
    (void)rg_svg_wrapped(&layout.svg, "soft", 28 + title_lines * LINE, LINE, most, subtitle);
    (void)legend(&layout, true, legend_top);
    rg_svg_text(&layout.svg, "soft", 16, y_label_top, "start", "GB/s (10^9 bytes a second)");
    draw_levels(&layout);
    draw_y_axis(&layout);
    for (size_t i = count; i-- > 0;) {
        draw_curve(&layout, i);
    }
    draw_x_axis(&layout);
    return rg_svg_end(&layout.svg) ? RIDGE_OK : rg_error_set(error, RIDGE_E_IO, "the picture could not be written");
}
