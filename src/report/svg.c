/* SPDX-License-Identifier: MIT */
#include "report/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ridge/units.h"
#include "text/utf8.h"

static void put(struct rg_svg *svg, const char *bytes, size_t length)
{
    if (!svg->failed && !svg->sink.write(svg->sink.user, bytes, length)) {
        svg->failed = true;
    }
}

void rg_svg_raw(struct rg_svg *svg, const char *text)
{
    put(svg, text, strlen(text));
}

void rg_svg_number(struct rg_svg *svg, double number)
{
    char text[RIDGE_NUMBER_BYTES];
    ridge_number_format(round(number * 100) / 100, text);
    rg_svg_raw(svg, text);
}

void rg_svg_escaped(struct rg_svg *svg, const char *text)
{
    static const struct {
        char byte;
        const char *entity;
    } entities[] = {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    while (*text) {
        const size_t width = rg_utf8_width(text);
        const char *entity = NULL;
        for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
            entity = *text == entities[i].byte ? entities[i].entity : entity;
        }
        if (entity) {
            rg_svg_raw(svg, entity);
        } else if (width == 0 || (unsigned char)*text < 0x20) {
            rg_svg_raw(svg, "\xEF\xBF\xBD");
        } else {
            put(svg, text, width);
        }
        text += width ? width : 1;
    }
}

/** Write ` name="number"`. */
static void attribute(struct rg_svg *svg, const char *name, double number)
{
    rg_svg_raw(svg, " ");
    rg_svg_raw(svg, name);
    rg_svg_raw(svg, "=\"");
    rg_svg_number(svg, number);
    rg_svg_raw(svg, "\"");
}

static void open_element(struct rg_svg *svg, const char *name, const char *css_class)
{
    rg_svg_raw(svg, "<");
    rg_svg_raw(svg, name);
    rg_svg_raw(svg, " class=\"");
    rg_svg_raw(svg, css_class);
    rg_svg_raw(svg, "\"");
}

void rg_svg_begin(struct rg_svg *svg, struct ridge_sink sink, double width, double height, const char *title,
                  const char *style)
{
    *svg = (struct rg_svg){.sink = sink};
    rg_svg_raw(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    attribute(svg, "width", width);
    attribute(svg, "height", height);
    rg_svg_raw(svg, " viewBox=\"0 0 ");
    rg_svg_number(svg, width);
    rg_svg_raw(svg, " ");
    rg_svg_number(svg, height);
    rg_svg_raw(svg, "\">\n<title>");
    rg_svg_escaped(svg, title);
    rg_svg_raw(svg, "</title>\n<style>\n");
    rg_svg_raw(svg, style);
    rg_svg_raw(svg, "</style>\n");
}

bool rg_svg_end(struct rg_svg *svg)
{
    rg_svg_raw(svg, "</svg>\n");
    return !svg->failed;
}

void rg_svg_rect(struct rg_svg *svg, const char *css_class, double x, double y, double width, double height,
                 const char *hint)
{
    open_element(svg, "rect", css_class);
    attribute(svg, "x", x);
    attribute(svg, "y", y);
    attribute(svg, "width", width);
    attribute(svg, "height", height);
    if (!hint) {
        rg_svg_raw(svg, "/>\n");
        return;
    }
    rg_svg_raw(svg, "><title>");
    rg_svg_escaped(svg, hint);
    rg_svg_raw(svg, "</title></rect>\n");
}

void rg_svg_line(struct rg_svg *svg, const char *css_class, double x1, double y1, double x2, double y2)
{
    open_element(svg, "line", css_class);
    attribute(svg, "x1", x1);
    attribute(svg, "y1", y1);
    attribute(svg, "x2", x2);
    attribute(svg, "y2", y2);
    rg_svg_raw(svg, "/>\n");
}

void rg_svg_text(struct rg_svg *svg, const char *css_class, double x, double y, const char *anchor, const char *text)
{
    open_element(svg, "text", css_class);
    attribute(svg, "x", x);
    attribute(svg, "y", y);
    rg_svg_raw(svg, " text-anchor=\"");
    rg_svg_raw(svg, anchor);
    rg_svg_raw(svg, "\">");
    rg_svg_escaped(svg, text);
    rg_svg_raw(svg, "</text>\n");
}

size_t rg_svg_letters(const char *text)
{
    size_t count = 0;
    for (; *text; text++) {
        count += ((unsigned char)*text & 0xC0U) != 0x80U;
    }
    return count;
}

unsigned rg_svg_wrapped(struct rg_svg *svg, const char *css_class, double top, double line, size_t most,
                        const char *text)
{
    unsigned lines = 0;
    char part[256];
    while (*text) {
        size_t length = strlen(text);
        if (length > most) {
            length = most;
            while (length > 0 && text[length] != ' ') {
                length--;
            }
            length = length ? length : strlen(text);
        }
        snprintf(part, sizeof part, "%.*s", (int)(length < 255 ? length : 255), text);
        if (svg) {
            rg_svg_text(svg, css_class, 16, top + lines * line, "start", part);
        }
        lines++;
        text += length;
        text += strspn(text, " ");
    }
    return lines;
}

void rg_svg_polyline(struct rg_svg *svg, const char *css_class, const double *xy, size_t count)
{
    open_element(svg, "polyline", css_class);
    rg_svg_raw(svg, " fill=\"none\" points=\"");
    for (size_t i = 0; i < count; i++) {
        rg_svg_number(svg, xy[2 * i]);
        rg_svg_raw(svg, ",");
        rg_svg_number(svg, xy[2 * i + 1]);
        rg_svg_raw(svg, i + 1 < count ? " " : "");
    }
    rg_svg_raw(svg, "\"/>\n");
}
