/* SPDX-License-Identifier: MIT */
/** \file The picture of a calibration: predicted rank against measured time, both readable without colour. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "report/svg.h"
#include "ridge/calibrate.h"
#include "ridge/units.h"

enum {
    WIDTH = 800,
    HEIGHT = 500,
    LEFT = 80,
    TOP = 60,
    RIGHT = 20,
    BOTTOM = 50
};

static const char style[] =
    "text{font:12px sans-serif;fill:#222}.axis{stroke:#888}.point{fill:#1f6fb2;fill-opacity:.45}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.point{fill:#7ab8ee}}";

struct scale {
    double first; /* log10 of the fastest */
    double span;  /* of the slowest, above it; above 0 */
};

static struct scale time_scale(const struct ridge_calibration_point *points, uint64_t count)
{
    double fastest = (double)INFINITY;
    double slowest = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (isfinite(points[i].time_s)) {
            fastest = points[i].time_s < fastest ? points[i].time_s : fastest;
            slowest = points[i].time_s > slowest ? points[i].time_s : slowest;
        }
    }
    if (slowest <= 0) {
        return (struct scale){0, 1}; /* nothing was measured */
    }
    const double span = log10(slowest) - log10(fastest);
    return (struct scale){log10(fastest), span > 1e-9 ? span : 1};
}

static void draw_axes(struct rg_svg *svg, const struct scale *scale, uint64_t count)
{
    rg_svg_line(svg, "axis", LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM);
    rg_svg_line(svg, "axis", LEFT, TOP, LEFT, HEIGHT - BOTTOM);
    for (int i = 0; i <= 4; i++) {
        char text[RIDGE_NUMBER_BYTES];
        const double y = HEIGHT - BOTTOM - i * (HEIGHT - TOP - BOTTOM) / 4.0;
        ridge_duration_format(pow(10, scale->first + scale->span * i / 4), text);
        rg_svg_text(svg, "", LEFT - 6, y + 4, "end", text);
        snprintf(text, sizeof text, "%.0f", (double)count * i / 4);
        rg_svg_text(svg, "", LEFT + i * (WIDTH - LEFT - RIGHT) / 4.0, HEIGHT - BOTTOM + 18, i == 4 ? "end" : "middle",
                    text);
    }
    rg_svg_text(svg, "", (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", "predicted rank (1: fastest)");
    rg_svg_text(svg, "", LEFT, TOP - 8, "middle", "measured");
}

ridge_status ridge_calibration_picture(const struct ridge_calibration_point *points, uint64_t count, const char *title,
                                       const char *subtitle, struct ridge_sink sink, struct ridge_error *error)
{
    if (!points || !title || !subtitle || count == 0) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "there is nothing to draw (give points and a title)");
    }
    struct rg_svg svg;
    const struct scale scale = time_scale(points, count);
    rg_svg_begin(&svg, sink, WIDTH, HEIGHT, title, style);
    rg_svg_text(&svg, "", LEFT, 20, "start", title);
    rg_svg_text(&svg, "", LEFT, 38, "start", subtitle);
    draw_axes(&svg, &scale, count);
    for (uint64_t i = 0; i < count; i++) {
        if (!isfinite(points[i].time_s)) {
            continue;
        }
        const double x = LEFT + points[i].estimated_rank / (double)count * (WIDTH - LEFT - RIGHT);
        const double y =
            HEIGHT - BOTTOM - (log10(points[i].time_s) - scale.first) / scale.span * (HEIGHT - TOP - BOTTOM);
        rg_svg_rect(&svg, "point", x - 1, y - 1, 2, 2, NULL);
    }
    return rg_svg_end(&svg) ? RIDGE_OK : rg_error_set(error, RIDGE_E_IO, "the picture could not be written");
}
