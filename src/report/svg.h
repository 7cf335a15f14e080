/* SPDX-License-Identifier: MIT */
/** \file Writing SVG elements into a sink. Failures are remembered; check `failed` once. Thread rule: one thread a writer. */
#ifndef RG_REPORT_SVG_H
#define RG_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "ridge/sink.h"

struct rg_svg {
    struct ridge_sink sink;
    bool failed; /**< the sink refused bytes */
};

/** Begin a picture of so many pixels, with a title for readers that do not see it. `style` is CSS. */
void rg_svg_begin(struct rg_svg *svg, struct ridge_sink sink, double width, double height, const char *title,
                  const char *style);

/** End it. \return false when anything failed on the way. */
bool rg_svg_end(struct rg_svg *svg);

/** Write pieces of SVG as they are: numbers are locale-independent only through rg_svg_number. */
void rg_svg_raw(struct rg_svg *svg, const char *text);

/** Write a number with at most two decimals. */
void rg_svg_number(struct rg_svg *svg, double number);

/** Write text with <, >, & and quotes escaped, and what is not UTF-8 replaced. */
void rg_svg_escaped(struct rg_svg *svg, const char *text);

/** A rectangle; `hint` (may be NULL) is shown when one points at it. */
void rg_svg_rect(struct rg_svg *svg, const char *css_class, double x, double y, double width, double height,
                 const char *hint);
void rg_svg_line(struct rg_svg *svg, const char *css_class, double x1, double y1, double x2, double y2);

/** Text at a baseline. `anchor`: "start", "middle", "end". */
void rg_svg_text(struct rg_svg *svg, const char *css_class, double x, double y, const char *anchor, const char *text);

/** \return letters of a text, so that its width can be guessed. */
size_t rg_svg_letters(const char *text);

/**
 * Break a text at spaces into lines of at most `most` letters, and write them from x 16 on.
 * \param svg   NULL: only count
 * \param top   baseline of the first line; `line` is the distance to the next
 * \return lines
 */
unsigned rg_svg_wrapped(struct rg_svg *svg, const char *css_class, double top, double line, size_t most,
                        const char *text);

/** A line through points: `xy` has x and y of each. It is not filled. */
void rg_svg_polyline(struct rg_svg *svg, const char *css_class, const double *xy, size_t count);

#endif
