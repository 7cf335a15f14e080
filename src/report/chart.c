/* SPDX-License-Identifier: MIT */
/** \file A chart of ranges with a height. Measures in pixels; the text is 13 px, about 7 px a letter. */
#include "ridge/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/svg.h"
#include "ridge/units.h"

enum {
    LEFT = 56,
    RIGHT = 20,
    LINE = 20, /* height of a line of text */
    PLOT = 240,
    LETTER = 8 /* width of a letter, generously */
};

/* Colours of Okabe and Ito, told apart by people with colour blindness; darker on light paper, lighter on dark. */
static const char style[] =
    "text { font: 13px system-ui, sans-serif; fill: #1f2328; }\n"
    ".title { font-weight: 600; font-size: 15px; }\n"
    ".soft { fill: #59636e; }\n"
    ".paper { fill: #ffffff; }\n"
    ".grid { stroke: #d8dee4; }\n"
    ".axis { stroke: #59636e; }\n"
    ".mark { stroke: #1f2328; stroke-width: 1.5; stroke-dasharray: 5 4; }\n"
    ".k0 { fill: #0072b2; } .k1 { fill: #d55e00; } .k2 { fill: #009e73; } .k3 { fill: #cc79a7; }\n"
    ".k4 { fill: #b8860b; } .k5 { fill: #56b4e9; } .k6 { fill: #6f42c1; } .k7 { fill: #8c959f; }\n"
    ".halo { stroke: #ffffff; stroke-width: 4; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    ".halo { stroke: #0d1117; }\n"
    "text { fill: #e6edf3; }\n"
    ".soft { fill: #9da7b3; }\n"
    ".paper { fill: #0d1117; }\n"
    ".grid { stroke: #2d333b; }\n"
    ".axis { stroke: #9da7b3; }\n"
    ".mark { stroke: #e6edf3; }\n"
    ".k0 { fill: #3fa0db; } .k1 { fill: #f08a3c; } .k2 { fill: #2fc39a; } .k3 { fill: #e39cc4; }\n"
    ".k4 { fill: #e3b341; } .k5 { fill: #8ccff2; } .k6 { fill: #a78bfa; } .k7 { fill: #8b949e; }\n"
    "}\n";

/** Where things are. */
struct layout {
    const struct ridge_chart *chart;
    struct rg_svg svg;
    double width, height;
    double plot_top, plot_bottom, plot_left, plot_right;
    unsigned legend_lines;
};

static double x_of(const struct layout *layout, double x)
{
    const struct ridge_chart *chart = layout->chart;
    const double share = (x - chart->x_first) / (chart->x_last - chart->x_first);
    return layout->plot_left + share * (layout->plot_right - layout->plot_left);
}

static double y_of(const struct layout *layout, double y)
{
    return layout->plot_bottom - y * (layout->plot_bottom - layout->plot_top);
}

/** Visit the legend's entries in lines as wide as the picture. \return lines. */
static unsigned legend(struct layout *layout, bool draw, double top)
{
    const struct ridge_chart *chart = layout->chart;
    double x = layout->plot_left;
    unsigned line = 0;
    for (unsigned i = 0; i < RIDGE_CHART_KINDS; i++) {
        if (!chart->kinds[i]) {
            continue;
        }
        const double wide = 18 + (double)(LETTER * rg_svg_letters(chart->kinds[i])) + 14;
        if (x > layout->plot_left && x + wide > layout->width - RIGHT + 14) {
            x = layout->plot_left;
            line++;
        }
        if (draw) {
            char css_class[8];
            snprintf(css_class, sizeof css_class, "k%u", i);
            rg_svg_rect(&layout->svg, css_class, x, top + line * LINE - 10, 12, 12, NULL);
            rg_svg_text(&layout->svg, "", x + 18, top + line * LINE, "start", chart->kinds[i]);
        }
        x += wide;
    }
    return line + 1;
}

/** A round distance of at least `least`: 1, 2 or 5 times a power of ten. */
static double round_distance(double least)
{
    const double power = pow(10, floor(log10(least)));
    const double part = least / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static void draw_x_axis(struct layout *layout)
{
    const struct ridge_chart *chart = layout->chart;
    char text[RIDGE_NUMBER_BYTES];
    ridge_number_format(chart->x_last, text);
    const double wide = (double)(LETTER * (strlen(text) + 2));
    const double least = (chart->x_last - chart->x_first) * wide / (layout->plot_right - layout->plot_left);
    const double doublings = chart->x_tick > 0 ? ceil(log2(least / chart->x_tick)) : 0;
    const double step = chart->x_tick > 0 ? chart->x_tick * exp2(fmax(doublings, 0)) : round_distance(least);
    const double begin = ceil(chart->x_first / step);
    const int ticks = (int)(floor(chart->x_last / step) - begin);
    for (int i = 0; i <= ticks; i++) {
        const double x = (begin + i) * step;
        const double at = x_of(layout, x);
        rg_svg_line(&layout->svg, "axis", at, layout->plot_bottom, at, layout->plot_bottom + 4);
        ridge_number_format(x, text);
        rg_svg_text(&layout->svg, "soft", at, layout->plot_bottom + 18, "middle", text);
    }
    rg_svg_line(&layout->svg, "axis", layout->plot_left, layout->plot_bottom, layout->plot_right, layout->plot_bottom);
    rg_svg_text(&layout->svg, "soft", (layout->plot_left + layout->plot_right) / 2, layout->plot_bottom + 38, "middle",
                chart->x_label);
}

static void draw_y_axis(struct layout *layout)
{
    static const char *const texts[] = {"0 %", "25 %", "50 %", "75 %", "100 %"};
    for (int i = 0; i < 5; i++) {
        const double at = y_of(layout, i / 4.0);
        if (i > 0) {
            rg_svg_line(&layout->svg, "grid", layout->plot_left, at, layout->plot_right, at);
        }
        rg_svg_text(&layout->svg, "soft", layout->plot_left - 8, at + 4, "end", texts[i]);
    }
}

static void draw_bars(struct layout *layout)
{
    const struct ridge_chart *chart = layout->chart;
    for (size_t i = 0; i < chart->count; i++) {
        const struct ridge_chart_bar *bar = &chart->bars[i];
        char css_class[8];
        const double from = x_of(layout, bar->first);
        const double to = x_of(layout, bar->last);
        const double gap = to - from > 3 ? 1 : 0;
        snprintf(css_class, sizeof css_class, "k%u", bar->kind % RIDGE_CHART_KINDS);
        rg_svg_rect(&layout->svg, css_class, from, y_of(layout, bar->height), fmax(to - from - gap, 0.5),
                    layout->plot_bottom - y_of(layout, bar->height), bar->text);
    }
}

static void draw_mark(struct layout *layout)
{
    const struct ridge_chart *chart = layout->chart;
    if (!(chart->mark >= chart->x_first && chart->mark <= chart->x_last)) {
        return;
    }
    const double at = x_of(layout, chart->mark);
    const bool on_left = at > (layout->plot_left + layout->plot_right) / 2;
    rg_svg_line(&layout->svg, "halo", at, layout->plot_top - 14, at, layout->plot_bottom);
    rg_svg_line(&layout->svg, "mark", at, layout->plot_top - 14, at, layout->plot_bottom);
    if (chart->mark_label) {
        rg_svg_text(&layout->svg, "", at + (on_left ? -6 : 6), layout->plot_top - 8, on_left ? "end" : "start",
                    chart->mark_label);
    }
}

ridge_status ridge_chart_write(const struct ridge_chart *chart, struct ridge_sink sink, struct ridge_error *error)
{
    struct layout layout = {.chart = chart, .width = chart->width_px, .plot_left = LEFT};
    if (chart->width_px < RIDGE_CHART_LEAST_WIDTH || chart->width_px > RIDGE_CHART_MOST_WIDTH) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "a picture %u pixels wide cannot be (%d to %d)", chart->width_px,
                            RIDGE_CHART_LEAST_WIDTH, RIDGE_CHART_MOST_WIDTH);
    }
    if (!(chart->x_first < chart->x_last) || !isfinite(chart->x_last - chart->x_first)) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "the x axis has no length (its end is above its beginning)");
    }
    const size_t most = (size_t)(layout.width - 32) / LETTER;
    layout.plot_right = layout.width - RIGHT;
    const unsigned title_lines = rg_svg_wrapped(NULL, "", 0, LINE, most * 6 / 7, chart->title);
    const unsigned subtitle_lines = rg_svg_wrapped(NULL, "", 0, LINE, most, chart->subtitle);
    layout.legend_lines = legend(&layout, false, 0);
    const double legend_top = 28 + (title_lines + subtitle_lines) * LINE + 6;
    const double y_label_top = legend_top + layout.legend_lines * LINE + 6;
    layout.plot_top = y_label_top + 28;
    layout.plot_bottom = layout.plot_top + PLOT;
    layout.height = layout.plot_bottom + 52;
    rg_svg_begin(&layout.svg, sink, layout.width, layout.height, chart->title, style);
    rg_svg_rect(&layout.svg, "paper", 0, 0, layout.width, layout.height, NULL);
    (void)rg_svg_wrapped(&layout.svg, "title", 28, LINE, most * 6 / 7, chart->title);
    (void)rg_svg_wrapped(&layout.svg, "soft", 28 + title_lines * LINE, LINE, most, chart->subtitle);
    (void)legend(&layout, true, legend_top);
    rg_svg_text(&layout.svg, "soft", 16, y_label_top, "start", chart->y_label);
    draw_y_axis(&layout);
    draw_bars(&layout);
    draw_x_axis(&layout);
    draw_mark(&layout);
    return rg_svg_end(&layout.svg) ? RIDGE_OK : rg_error_set(error, RIDGE_E_IO, "the picture could not be written");
}
