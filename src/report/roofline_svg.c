/* SPDX-License-Identifier: MIT */
/**
 * \file The picture of a roofline: memory roofs by level, compute roofs, and the configurations of a run as points.
 * Without FLOP a configuration has no place in it: then its bandwidth is drawn on an axis of its own. Measures in
 * pixels.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/report_common.h"
#include "report/svg.h"
#include "ridge/chart.h"
#include "ridge/report.h"
#include "ridge/units.h"

enum {
    LEFT = 98,
    RIGHT = 20,
    LINE = 20,
    PLOT = 320,
    STRIP = 72, /* height of the axis of bandwidths */
    LETTER = 8, /* width of a letter, generously */
    SLOPES = 4, /* kinds of lines for levels of memory */
    ROOFS = 8,  /* at most */
    TEXT_BYTES = 256,
    SUBTITLE_BYTES = 3 * TEXT_BYTES
};

/* Colours of Okabe and Ito, as in chart.c. */
static const char style[] =
    "text { font: 13px system-ui, sans-serif; fill: #1f2328; }\n"
    ".title { font-weight: 600; font-size: 15px; }\n"
    ".soft { fill: #59636e; }\n"
    ".paper { fill: #ffffff; }\n"
    ".grid { stroke: #d8dee4; }\n"
    ".axis { stroke: #59636e; }\n"
    ".c0, .c1, .c2, .c3, .c4, .c5 { stroke-width: 2; }\n"
    ".c0 { stroke: #0072b2; } .c1 { stroke: #d55e00; stroke-dasharray: 7 4; }\n"
    ".c2 { stroke: #009e73; stroke-dasharray: 2 3; } .c3 { stroke: #a3508a; stroke-dasharray: 9 3 2 3; }\n"
    ".c4 { stroke: #1f2328; } .c5 { stroke: #1f2328; stroke-dasharray: 7 4; }\n"
    ".point { fill: #b8860b; fill-opacity: .8; } .best { fill: #d1242f; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "text { fill: #e6edf3; }\n"
    ".soft { fill: #9da7b3; }\n"
    ".paper { fill: #0d1117; }\n"
    ".grid { stroke: #2d333b; }\n"
    ".axis { stroke: #9da7b3; }\n"
    ".c0 { stroke: #3fa0db; } .c1 { stroke: #f08a3c; } .c2 { stroke: #2fc39a; } .c3 { stroke: #e39cc4; }\n"
    ".c4, .c5 { stroke: #e6edf3; }\n"
    ".point { fill: #e3b341; } .best { fill: #ff7b72; }\n"
    "}\n";

/** A roof: a slope of memory, or a ceiling of arithmetic. */
struct roof {
    char name[64];
    char css_class[8];
    bool memory;
    double per_s; /* bytes or FLOP */
};

/** A configuration where it is drawn. */
struct dot {
    const struct ridge_record *record;
    ridge_roofline_place place;
    double intensity;
    double flop_per_s;
    double bytes_per_s;
};

struct layout {
    const struct ridge_run *run;
    struct rg_svg svg;
    struct roof roofs[ROOFS];
    size_t roof_count;
    size_t counts[RIDGE_PLACE_NOWHERE + 1]; /* configurations, by place */
    double width, height;
    double left, right, top, bottom;         /* of the plot; no height where nothing computes */
    double strip_top, strip_bottom;          /* of the axis of bandwidths */
    double x_first, x_last, y_first, y_last; /* decades: FLOP a byte, FLOP a second */
    double b_first, b_last;                  /* decades: bytes a second */
};

static double share_of(double value, double first, double last)
{
    return fmin(fmax((log10(value) - first) / (last - first), 0), 1);
}

static double x_of(const struct layout *layout, double intensity)
{
    return layout->left + share_of(intensity, layout->x_first, layout->x_last) * (layout->right - layout->left);
}

static double y_of(const struct layout *layout, double flop_per_s)
{
    return layout->bottom - share_of(flop_per_s, layout->y_first, layout->y_last) * (layout->bottom - layout->top);
}

static double b_of(const struct layout *layout, double bytes_per_s)
{
    return layout->left + share_of(bytes_per_s, layout->b_first, layout->b_last) * (layout->right - layout->left);
}

/** \return where the record at a place of the ranking is drawn. */
static struct dot dot_of(const struct ridge_run *run, size_t place)
{
    struct dot dot = {.record = &run->records[run->ranked[place]], .place = RIDGE_PLACE_NOWHERE};
    const struct ridge_work *work = dot.record->work;
    if (!work) {
        return dot;
    }
    const double time_s = dot.record->summary.median_s;
    dot.place = ridge_roofline_place_of(ridge_work_flop(work), ridge_work_bytes(work), time_s, &dot.intensity);
    dot.flop_per_s = ridge_work_flop(work) / time_s;
    dot.bytes_per_s = ridge_work_bytes(work) / time_s;
    return dot;
}

static void roof_add(struct layout *layout, const char *css_class, bool memory, double per_s, const char *name)
{
    if (layout->roof_count == ROOFS || !(per_s > 0 && isfinite(per_s))) {
        return;
    }
    struct roof *roof = &layout->roofs[layout->roof_count++];
    char rate[RIDGE_NUMBER_BYTES];
    ridge_quantity_format(per_s, memory ? "B/s" : "FLOP/s", rate);
    snprintf(roof->name, sizeof roof->name, "%.24s %s", name, rate);
    snprintf(roof->css_class, sizeof roof->css_class, "%s", css_class);
    roof->memory = memory;
    roof->per_s = per_s;
}

/** Memory by level where levels were found, else by the largest working set. */
static void roofs_fill(struct layout *layout, const struct ridge_ceilings *ceilings)
{
    const struct ridge_curve *curve = ridge_ceilings_curve(ceilings, RIDGE_ACCESS_READ);
    curve = curve ? curve : ridge_ceilings_curve(ceilings, RIDGE_ACCESS_COPY);
    curve = curve ? curve : ridge_ceilings_curve(ceilings, RIDGE_ACCESS_WRITE);
    for (size_t i = 0; curve && i < curve->level_count; i++) {
        char css_class[8];
        snprintf(css_class, sizeof css_class, "c%zu", i % SLOPES);
        roof_add(layout, css_class, true, curve->levels[i].bytes_per_s, curve->levels[i].name);
    }
    if (curve && curve->level_count == 0 && curve->point_count > 0) {
        roof_add(layout, "c0", true, curve->points[curve->point_count - 1].bytes_per_s, "memory");
    }
    if (ceilings->has_peak && ceilings->peak.f32.n > 0) {
        roof_add(layout, "c4", false, ceilings->peak.f32.best_flop_per_s, "f32");
    }
    if (ceilings->has_peak && ceilings->peak.f64.n > 0) {
        roof_add(layout, "c5", false, ceilings->peak.f64.best_flop_per_s, "f64");
    }
}

/** Least and most of some values, of which there may be none. */
struct range {
    double least;
    double most;
};

static void range_add(struct range *range, double value)
{
    if (value > 0 && isfinite(value)) {
        range->least = fmin(range->least, value);
        range->most = fmax(range->most, value);
    }
}

/** Whole decades around a range. */
static void decades(const struct range *range, double *first, double *last)
{
    const bool any = range->most > 0;
    *first = any ? floor(log10(range->least)) : 0;
    *last = any ? fmax(ceil(log10(range->most)), *first + 1) : 1;
}

/** Axes that hold every point, and every ridge point: where a slope of memory meets a ceiling of arithmetic. */
static void axes_set(struct layout *layout)
{
    struct range x = {(double)INFINITY, 0};
    struct range y = x;
    struct range b = x;
    for (size_t i = 0; i < layout->run->ranked_count; i++) {
        const struct dot dot = dot_of(layout->run, i);
        layout->counts[dot.place]++;
        if (dot.place == RIDGE_PLACE_POINT) {
            range_add(&x, dot.intensity);
            range_add(&y, dot.flop_per_s);
        } else if (dot.place == RIDGE_PLACE_NO_OPERATION) {
            range_add(&b, dot.bytes_per_s);
        }
    }
    for (size_t i = 0; i < layout->roof_count; i++) {
        const struct roof *memory = &layout->roofs[i];
        range_add(memory->memory ? &b : &y, memory->per_s);
        for (size_t k = 0; memory->memory && k < layout->roof_count; k++) {
            if (!layout->roofs[k].memory) {
                range_add(&x, layout->roofs[k].per_s / memory->per_s);
            }
        }
    }
    range_add(&x, x.least / 3); /* room for the slopes left of the first ridge point */
    decades(&x, &layout->x_first, &layout->x_last);
    decades(&y, &layout->y_first, &layout->y_last);
    decades(&b, &layout->b_first, &layout->b_last);
}

/** Visit the legend's entries in lines as wide as the picture. \return lines. */
static unsigned legend(struct layout *layout, bool draw, double top)
{
    double x = 16;
    unsigned line = 0;
    for (size_t i = 0; i < layout->roof_count; i++) {
        const struct roof *roof = &layout->roofs[i];
        const double wide = 40 + (double)(LETTER * rg_svg_letters(roof->name)) + 14;
        if (x > 16 && x + wide > layout->width - RIGHT + 14) {
            x = 16;
            line++;
        }
        if (draw) {
            const double y = top + line * LINE - 4;
            rg_svg_line(&layout->svg, roof->css_class, x, y, x + 32, y);
            rg_svg_text(&layout->svg, "", x + 40, top + line * LINE, "start", roof->name);
        }
        x += wide;
    }
    return layout->roof_count > 0 ? line + 1 : 0;
}

/** A number of a decade: 1000, 0.01. */
static void decade_format(int power, const char *unit, char out[RIDGE_NUMBER_BYTES])
{
    if (unit) {
        ridge_quantity_format(pow(10, power), unit, out);
    } else {
        ridge_number_format(power < 0 ? 1 / pow(10, -power) : pow(10, power), out);
    }
}

static void draw_axes(struct layout *layout)
{
    char text[RIDGE_NUMBER_BYTES];
    for (int power = (int)layout->y_first; power <= (int)layout->y_last; power++) {
        const double at = y_of(layout, pow(10, power));
        decade_format(power, "FLOP/s", text);
        rg_svg_line(&layout->svg, "grid", layout->left, at, layout->right, at);
        rg_svg_text(&layout->svg, "soft", layout->left - 8, at + 4, "end", text);
    }
    const double decade = (layout->right - layout->left) / (layout->x_last - layout->x_first);
    const int step = (int)fmax(1, ceil(7.0 * LETTER / decade));
    for (int power = (int)layout->x_first; power <= (int)layout->x_last; power += step) {
        const double at = x_of(layout, pow(10, power));
        decade_format(power, NULL, text);
        rg_svg_line(&layout->svg, "axis", at, layout->bottom, at, layout->bottom + 4);
        rg_svg_text(&layout->svg, "soft", at, layout->bottom + 18, at + 4 * LETTER > layout->width ? "end" : "middle",
                    text);
    }
    rg_svg_line(&layout->svg, "axis", layout->left, layout->bottom, layout->right, layout->bottom);
    rg_svg_text(&layout->svg, "soft", (layout->left + layout->right) / 2, layout->bottom + 38, "middle",
                "FLOP a byte moved");
}

/** The highest ceiling of arithmetic; the top of the plot where none is known. */
static double highest(const struct layout *layout)
{
    double most = 0;
    for (size_t i = 0; i < layout->roof_count; i++) {
        most = layout->roofs[i].memory ? most : fmax(most, layout->roofs[i].per_s);
    }
    return most > 0 ? most : pow(10, layout->y_last);
}

/** The fastest memory; NaN where none is known. */
static double fastest(const struct layout *layout)
{
    double most = (double)NAN;
    for (size_t i = 0; i < layout->roof_count; i++) {
        most = layout->roofs[i].memory ? fmax(most, layout->roofs[i].per_s) : most;
    }
    return most;
}

/** A slope runs from the plot's edge to the highest ceiling; a ceiling from the fastest slope to the right. */
static void draw_roof(struct layout *layout, const struct roof *roof)
{
    if (!roof->memory) {
        const double from = roof->per_s / fastest(layout);
        const double y = y_of(layout, roof->per_s);
        rg_svg_line(&layout->svg, roof->css_class, isnan(from) ? layout->left : x_of(layout, from), y, layout->right,
                    y);
        return;
    }
    const double first = fmax(pow(10, layout->x_first), pow(10, layout->y_first) / roof->per_s);
    const double last = fmin(pow(10, layout->x_last), highest(layout) / roof->per_s);
    if (first < last) {
        rg_svg_line(&layout->svg, roof->css_class, x_of(layout, first), y_of(layout, first * roof->per_s),
                    x_of(layout, last), y_of(layout, last * roof->per_s));
    }
}

static void draw_dot(struct layout *layout, const struct dot *dot, bool best)
{
    char hint[TEXT_BYTES];
    char time[RIDGE_NUMBER_BYTES];
    const double half = best ? 5 : 2.5;
    ridge_duration_format(dot->record->summary.median_s, time);
    snprintf(hint, sizeof hint, "%s%s: %s, %s", best ? "best: " : "", dot->record->id, time,
             ridge_kind_word(dot->record->kind));
    if (dot->place == RIDGE_PLACE_POINT) {
        rg_svg_rect(&layout->svg, best ? "best" : "point", x_of(layout, dot->intensity) - half,
                    y_of(layout, dot->flop_per_s) - half, 2 * half, 2 * half, hint);
    } else if (dot->place == RIDGE_PLACE_NO_OPERATION) {
        rg_svg_rect(&layout->svg, best ? "best" : "point", b_of(layout, dot->bytes_per_s) - half,
                    (layout->strip_top + layout->strip_bottom) / 2 - 2 * half, 2 * half, 4 * half, hint);
    }
}

/** Bandwidths of what has no FLOP, against the roofs of memory. */
static void draw_strip(struct layout *layout)
{
    rg_svg_text(&layout->svg, "soft", 16, layout->strip_top - 10, "start", "no FLOP, bandwidth only: bytes a second");
    const double decade = (layout->right - layout->left) / (layout->b_last - layout->b_first);
    const int step = (int)fmax(1, ceil(13.0 * LETTER / decade));
    for (int power = (int)layout->b_first; power <= (int)layout->b_last; power += step) {
        char text[RIDGE_NUMBER_BYTES];
        const double at = b_of(layout, pow(10, power));
        decade_format(power, "B/s", text);
        rg_svg_line(&layout->svg, "grid", at, layout->strip_top, at, layout->strip_bottom);
        rg_svg_text(&layout->svg, "soft", at, layout->strip_bottom + 18,
                    at + 5 * LETTER > layout->width ? "end" : "middle", text);
    }
    rg_svg_line(&layout->svg, "axis", layout->left, layout->strip_bottom, layout->right, layout->strip_bottom);
    for (size_t i = 0; i < layout->roof_count; i++) {
        if (layout->roofs[i].memory) {
            const double at = b_of(layout, layout->roofs[i].per_s);
            rg_svg_line(&layout->svg, layout->roofs[i].css_class, at, layout->strip_top, at, layout->strip_bottom);
        }
    }
}

/** What stands under the title, and what cannot be drawn. */
static void words_fill(const struct layout *layout, const char *ceilings, char subtitle[SUBTITLE_BYTES],
                       char missing[TEXT_BYTES])
{
    const struct ridge_run *run = layout->run;
    const size_t lost = layout->counts[RIDGE_PLACE_NO_TRAFFIC];
    const size_t silent = layout->counts[RIDGE_PLACE_NOWHERE];
    snprintf(subtitle, SUBTITLE_BYTES, "run %lld of %s: %zu configurations (%s), the best is the large one; roofs: %s",
             (long long)run->id, rg_report_time(run), run->ranked_count,
             run->ranked_count > 0 ? ridge_kind_word(run->records[run->ranked[0]].kind) : "none",
             ceilings[0] ? ceilings : "none are saved (ridge peak --save, ridge curve --save)");
    missing[0] = '\0';
    if (lost > 0) {
        snprintf(missing, TEXT_BYTES, "%zu not drawn: no memory traffic measured", lost);
    } else if (silent > 0) {
        snprintf(missing, TEXT_BYTES, "%zu not drawn: [model] of the spec says neither FLOP nor bytes", silent);
    }
}

/** Lay out from top to bottom: words, legend, plot, strip. */
static void lay_out(struct layout *layout, unsigned words_lines, bool plot, bool strip)
{
    const double legend_top = 28 + words_lines * LINE + 6;
    layout->top = legend_top + legend(layout, false, 0) * LINE + 6;
    layout->bottom = layout->top + (plot ? PLOT : 0);
    layout->strip_top = layout->bottom + (plot ? 90 : 36);
    layout->strip_bottom = layout->strip_top + STRIP;
    layout->height = strip ? layout->strip_bottom + 36 : layout->bottom + 52;
}

static void draw(struct layout *layout, double legend_top, bool plot, bool strip)
{
    (void)legend(layout, true, legend_top);
    if (plot) {
        draw_axes(layout);
        for (size_t i = 0; i < layout->roof_count; i++) {
            draw_roof(layout, &layout->roofs[i]);
        }
    }
    if (strip) {
        draw_strip(layout);
    }
    for (size_t i = layout->run->ranked_count; i-- > 0;) {
        const struct dot dot = dot_of(layout->run, i);
        draw_dot(layout, &dot, i == 0);
    }
}

ridge_status ridge_roofline_picture(const struct ridge_run *run, const struct ridge_ceilings *ceilings,
                                    unsigned width_px, struct ridge_sink sink, struct ridge_error *error)
{
    struct layout layout = {.run = run, .width = width_px, .left = LEFT, .right = width_px - RIGHT};
    char title[TEXT_BYTES];
    char subtitle[SUBTITLE_BYTES];
    char missing[TEXT_BYTES];
    char words[RIDGE_CEILINGS_WORDS] = "";
    if (width_px < RIDGE_CHART_LEAST_WIDTH || width_px > RIDGE_CHART_MOST_WIDTH) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "a picture %u pixels wide cannot be (%d to %d)", width_px,
                            RIDGE_CHART_LEAST_WIDTH, RIDGE_CHART_MOST_WIDTH);
    }
    if (ceilings) {
        roofs_fill(&layout, ceilings);
        ridge_ceilings_words(ceilings, words);
    }
    axes_set(&layout);
    words_fill(&layout, words, subtitle, missing);
    snprintf(title, sizeof title, "%.100s on %.100s", run->info.kernel, run->info.device);
    const size_t most = (size_t)(layout.width - 32) / LETTER;
    const unsigned title_lines = rg_svg_wrapped(NULL, "", 0, LINE, most * 6 / 7, title);
    const unsigned subtitle_lines = rg_svg_wrapped(NULL, "", 0, LINE, most, subtitle);
    const unsigned lines = title_lines + subtitle_lines + rg_svg_wrapped(NULL, "", 0, LINE, most, missing);
    const bool strip = layout.counts[RIDGE_PLACE_NO_OPERATION] > 0;
    const bool plot = layout.counts[RIDGE_PLACE_POINT] > 0 || !strip;
    lay_out(&layout, lines, plot, strip);
    rg_svg_begin(&layout.svg, sink, layout.width, layout.height, title, style);
    rg_svg_rect(&layout.svg, "paper", 0, 0, layout.width, layout.height, NULL);
    (void)rg_svg_wrapped(&layout.svg, "title", 28, LINE, most * 6 / 7, title);
    (void)rg_svg_wrapped(&layout.svg, "soft", 28 + title_lines * LINE, LINE, most, subtitle);
    (void)rg_svg_wrapped(&layout.svg, "", 28 + (title_lines + subtitle_lines) * LINE, LINE, most, missing);
    draw(&layout, 28 + lines * LINE + 6, plot, strip);
    return rg_svg_end(&layout.svg) ? RIDGE_OK : rg_error_set(error, RIDGE_E_IO, "the picture could not be written");
}
