/* SPDX-License-Identifier: MIT */
/**
 * \file Matrix instructions: mma.sync with the fragments of PTX's figures, wmma through memory (where its fragments lie is
 * open), ldmatrix. Values are whole numbers that every sum holds exactly. Source: PTX ISA, "Warp Level Matrix Instructions".
 */
#include <stdio.h>
#include <string.h>

#include "kernel.h"

enum {
    MOST = 32,
    LANES = 32,
    REGISTERS = 28
};

struct matrix {
    struct type type;
    unsigned rows;
    unsigned columns;
    s64 value[MOST][MOST];
};

struct product {
    const struct spelling *spelling;
    struct matrix d;
    struct matrix a;
    struct matrix b;
    struct matrix c;
};

static s64 small(int most)
{
    return (s64)(random_bits() % (u64)(2 * most + 1)) - most;
}

static void choose(struct matrix *matrix, int most)
{
    for (unsigned i = 0; i < matrix->rows; i++) {
        for (unsigned j = 0; j < matrix->columns; j++) {
            const s64 wide = matrix->type.bits == 8 ? (s64)number_of(matrix->type, random_bits())
                             : matrix->type.kind == 's'
                                 ? (s64)number_of(matrix->type, random_bits() & 7 ? random_bits() : 0x7fffff00)
                                 : small(most);
            matrix->value[i][j] = wide;
        }
    }
}

static void multiply(struct product *product)
{
    for (unsigned i = 0; i < product->d.rows; i++) {
        for (unsigned j = 0; j < product->d.columns; j++) {
            s64 sum = product->c.value[i][j];
            for (unsigned k = 0; k < product->a.columns; k++) {
                sum += product->a.value[i][k] * product->b.value[k][j];
            }
            if (has(product->spelling, "satfinite")) {
                sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            }
            product->d.value[i][j] = product->d.type.kind == 's' ? (s64)number_of(product->d.type, (u64)sum) : sum;
        }
    }
}

static u64 bits_of(struct type type, s64 value)
{
    if (type.kind == 'f') {
        return real_round(type.format, real_of_integer(value < 0, (u64)(value < 0 ? -value : value)), NEAREST);
    }
    return cut((u64)value, type.bits);
}

static void read_shape(struct product *product)
{
    static const struct {
        const char *word;
        unsigned m;
        unsigned n;
        unsigned k;
    } shapes[] = {{"m16n16k16", 16, 16, 16}, {"m32n8k16", 32, 8, 16}, {"m8n32k16", 8, 32, 16},
                  {"m16n16k8", 16, 16, 8},   {"m16n8k16", 16, 8, 16}, {"m16n8k8", 16, 8, 8},
                  {"m16n8k4", 16, 8, 4},     {"m16n8k32", 16, 8, 32}, {"m8n8k4", 8, 8, 4}};
    size_t i = 0;
    while (!has(product->spelling, shapes[i].word)) {
        i++;
    }
    product->d.rows = product->c.rows = product->a.rows = shapes[i].m;
    product->d.columns = product->c.columns = product->b.columns = shapes[i].n;
    product->a.columns = product->b.rows = shapes[i].k;
}

static void read_types(struct product *product)
{
    const struct spelling *s = product->spelling;
    const bool named = s->type_count == 4;
    product->d.type = s->types[0];
    product->a.type = named ? s->types[1] : type_of("f16");
    product->b.type = named ? s->types[2] : type_of("f16");
    product->c.type = s->types[s->type_count - 1];
}

static unsigned per_register(struct type type)
{
    return type.bits == 64 ? 1 : 32 / type.bits;
}

/** Where an element of a lane's fragment lies: which 'a', 'b' or 'c', its register and its part of that. */
static s64 *element(struct matrix *matrix, char which, unsigned lane, unsigned reg, unsigned part)
{
    const unsigned per = per_register(matrix->type);
    const unsigned group = lane >> 2;
    const unsigned within = lane & 3;
    const unsigned halves = matrix->rows == 16 ? 2 : 1; /* rows group and group + 8 */
    if (which == 'a') {
        return &matrix->value[group + 8 * (reg % halves)][within * per + part + 4 * per * (reg / halves)];
    }
    if (which == 'b') {
        return &matrix->value[within * per + part + 4 * per * reg][group];
    }
    const unsigned index = reg * per + part;
    return &matrix->value[group + 8 * (index >> 1)][within * 2 + (index & 1)];
}

static unsigned registers_of(const struct matrix *matrix)
{
    return matrix->rows * matrix->columns / LANES / per_register(matrix->type);
}

static void spread(struct matrix *matrix, char which, u64 (*cells)[LANES])
{
    const unsigned per = per_register(matrix->type);
    for (unsigned reg = 0; reg < registers_of(matrix); reg++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            cells[reg][lane] = 0;
            for (unsigned part = 0; part < per; part++) {
                cells[reg][lane] |= bits_of(matrix->type, *element(matrix, which, lane, reg, part))
                                    << (matrix->type.bits * part);
            }
        }
    }
}

static void add_fragment(struct text *text, const struct matrix *matrix, char which, unsigned first)
{
    const unsigned count = registers_of(matrix);
    const unsigned bits = matrix->type.bits == 64 ? 64 : 32;
    text_add(text, ".reg .b%u %%%c<8>;\n", bits, which);
    for (unsigned i = 0; i < count; i++) {
        text_add(text, "ld.b%u %%%c%u, [%%at+%u];\n", bits, which, i, (first + i) * LANES * 8);
    }
}

static void add_list(struct text *text, char which, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        text_add(text, "%s%%%c%u", i ? ", " : "{", which, i);
    }
    text_add(text, "}");
}

static void write_mma(struct text *text, const struct product *product)
{
    static const unsigned firsts[4] = {0, 8, 16, 20};
    const struct matrix *const parts[4] = {&product->d, &product->a, &product->b, &product->c};
    text_begin(text, "", "");
    for (unsigned i = 0; i < 4; i++) {
        add_fragment(text, parts[i], "dabc"[i], firsts[i]);
    }
    text_add(text, "%s ", product->spelling->text);
    for (unsigned i = 0; i < 4; i++) {
        add_list(text, "dabc"[i], registers_of(parts[i]));
        text_add(text, i < 3 ? ", " : ";\n");
    }
    for (unsigned i = 0; i < registers_of(&product->d); i++) {
        text_add(text, "st.b%u [%%at+%u], %%d%u;\n", product->d.type.bits == 64 ? 64 : 32, i * LANES * 8, i);
    }
    text_end(text);
}

unsigned check_mma(const struct row *row, const struct spelling *spelling)
{
    static struct text text;
    static struct product product;
    static u64 cells[REGISTERS][LANES];
    static u64 wanted[8][LANES];
    struct lane_table tables[3];
    const size_t count = lane_tables(tables);
    unsigned wrong = 0;
    (void)row;
    product.spelling = spelling;
    read_shape(&product);
    read_types(&product);
    write_mma(&text, &product);
    for (size_t i = 0; i < 8 * count; i++) {
        choose(&product.a, 7);
        choose(&product.b, 7);
        choose(&product.c, 99);
        multiply(&product);
        spread(&product.a, 'a', &cells[8]);
        spread(&product.b, 'b', &cells[16]);
        spread(&product.c, 'c', &cells[20]);
        spread(&product.d, 'c', wanted);
        const struct launch request = {.text = text.bytes,
                                       .grid = 1,
                                       .block = LANES,
                                       .bytes = cells,
                                       .size = sizeof cells,
                                       .table = &tables[i % count]};
        const bool ran = launch(&request);
        const bool same = memcmp(cells, wanted, registers_of(&product.d) * sizeof cells[0]) == 0;
        wrong += ran && same ? 0 : report(spelling, ran ? "gives another product" : "did not run");
    }
    return wrong;
}

/** wmma: matrices in memory with their leading dimension 16 longer than it must be. */
enum {
    PADDING = 16,
    MATRIX_BYTES = 16384
};

struct tile {
    struct matrix *matrix;
    char which;
    bool by_columns;
    char space[16];
    char text[160]; /* load or store */
    unsigned registers;
};

static unsigned leading(const struct tile *tile)
{
    return (tile->by_columns ? tile->matrix->rows : tile->matrix->columns) + PADDING;
}

static void lay_out(const struct tile *tile, uint8_t *bytes)
{
    const struct type type = tile->matrix->type;
    for (unsigned i = 0; i < tile->matrix->rows; i++) {
        for (unsigned j = 0; j < tile->matrix->columns; j++) {
            const u64 bits = bits_of(type, tile->matrix->value[i][j]);
            const unsigned at = tile->by_columns ? j * leading(tile) + i : i * leading(tile) + j;
            memcpy(bytes + (size_t)at * type.bits / 8, &bits, type.bits / 8);
        }
    }
}

/** Registers of a wmma fragment. Source: PTX ISA, table of wmma.load; halves of f16 are held twice. */
static unsigned wmma_registers(const struct tile *tile)
{
    const bool f16_input = tile->matrix->type.kind == 'f' && tile->matrix->type.format.fraction_bits == 10 &&
                           tile->matrix->type.bits == 16 && (tile->which == 'a' || tile->which == 'b');
    return f16_input ? 8 : registers_of(tile->matrix);
}

static const char *word_of_type(struct type type)
{
    static char word[8];
    const bool brain = type.kind == 'f' && type.format.exponent_bits == 8 && type.bits == 16;
    const bool tensor = type.format.unused_bits == 13;
    snprintf(word, sizeof word, "%s%c%u", brain ? "b" : tensor ? "t" : "", type.kind, type.bits);
    return word;
}

static const char *shape_of(const struct spelling *spelling)
{
    for (unsigned i = 0; i < spelling->word_count; i++) {
        if (spelling->words[i][0] == 'm' && strchr(spelling->words[i], 'k')) {
            return spelling->words[i];
        }
    }
    return "";
}

static void write_wmma(struct text *text, const struct tile tiles[4], const char *product)
{
    text_begin(text, "",
               ".reg .pred %p;\n.reg .b32 %stride, %off, %w;\n.reg .b64 %m, %n, %o;\n"
               ".shared .align 32 .b8 s[16384];\n");
    text_add(text, "mul.wide.u32 %%o, %%lane, 4;\n.reg .b%u %%d<8>;\n", tiles[0].matrix->type.bits == 64 ? 64 : 32);
    for (unsigned i = 1; i < 5; i++) {
        const struct tile *tile = &tiles[i % 4];
        const bool stores = i == 4;
        const bool shared = strstr(tile->space, "shared");
        const unsigned offset = (i % 4) * MATRIX_BYTES;
        if (stores) {
            text_add(text, "%s ", product);
            for (unsigned k = 0; k < 4; k++) {
                add_list(text, "dabc"[k], tiles[k].registers);
                text_add(text, k < 3 ? ", " : ";\n");
            }
        } else {
            text_add(text, ".reg .b%u %%%c<8>;\n", tile->matrix->type.bits == 64 ? 64 : 32, tile->which);
        }
        text_add(text, "add.u64 %%m, %%base, %u;\nmov.u32 %%stride, %u;\n", offset, leading(tile));
        if (shared) { /* the bytes of the tile, to shared memory and, after a store, back */
            text_add(
                text,
                "add.u64 %%n, %%m, %%o;\nmov.u64 %%m, s;\nadd.u64 %%m, %%m, %%o;\nmov.u32 %%off, 0;\nIN%u:\n"
                "ld.global.u32 %%w, [%%n];\nst.shared.u32 [%%m], %%w;\nadd.u64 %%n, %%n, 128;\nadd.u64 %%m, %%m, 128;\n"
                "add.u32 %%off, %%off, 1;\nsetp.lt.u32 %%p, %%off, 128;\n@%%p bra IN%u;\nmov.u64 %%m, s;\n",
                i, i);
        }
        text_add(text, "%s ", tile->text);
        if (stores) {
            text_add(text, "[%%m], ");
            add_list(text, tile->which, tile->registers);
            text_add(text, ", %%stride;\n");
        } else {
            add_list(text, tile->which, tile->registers);
            text_add(text, ", [%%m], %%stride;\n");
        }
        if (shared && stores) {
            text_add(
                text,
                "add.u64 %%m, %%base, %%o;\nmov.u64 %%n, s;\nadd.u64 %%n, %%n, %%o;\nmov.u32 %%off, 0;\nOUT:\n"
                "ld.shared.u32 %%w, [%%n];\nst.global.u32 [%%m], %%w;\nadd.u64 %%n, %%n, 128;\nadd.u64 %%m, %%m, 128;\n"
                "add.u32 %%off, %%off, 1;\nsetp.lt.u32 %%p, %%off, 128;\n@%%p bra OUT;\n");
        }
    }
    text_end(text);
}

static unsigned run_wmma(struct product *product, struct tile tiles[4], const char *text_of_product)
{
    static struct text text;
    static uint8_t bytes[4][MATRIX_BYTES];
    static uint8_t wanted[MATRIX_BYTES];
    struct lane_table tables[3];
    const size_t count = lane_tables(tables);
    unsigned wrong = 0;
    for (unsigned i = 0; i < 4; i++) {
        tiles[i].registers = wmma_registers(&tiles[i]);
    }
    tiles[0].registers = registers_of(tiles[0].matrix);
    write_wmma(&text, tiles, text_of_product);
    for (size_t i = 0; i < 2 * count; i++) {
        choose(&product->a, 7);
        choose(&product->b, 7);
        choose(&product->c, 99);
        multiply(product);
        memset(bytes, 0, sizeof bytes);
        memset(wanted, 0, sizeof wanted);
        for (unsigned k = 1; k < 4; k++) {
            lay_out(&tiles[k], bytes[k]);
        }
        lay_out(&tiles[0], wanted);
        const struct launch request = {.text = text.bytes,
                                       .grid = 1,
                                       .block = LANES,
                                       .bytes = bytes,
                                       .size = sizeof bytes,
                                       .table = &tables[i % count]};
        const bool ran = launch(&request);
        const bool same = memcmp(bytes[0], wanted, sizeof wanted) == 0;
        wrong += ran && same ? 0 : report(product->spelling, ran ? "gives another product" : "did not run");
    }
    return wrong;
}

static void set_tiles(struct product *product, struct tile tiles[4])
{
    struct matrix *const matrices[4] = {&product->d, &product->a, &product->b, &product->c};
    for (unsigned i = 0; i < 4; i++) {
        tiles[i].matrix = matrices[i];
        tiles[i].which = "dabc"[i];
        snprintf(tiles[i].space, sizeof tiles[i].space, "global");
        snprintf(tiles[i].text, sizeof tiles[i].text, "wmma.%s.%c.sync.aligned.%s.%s.global.%s", i ? "load" : "store",
                 "dabc"[i], tiles[i].by_columns ? "col" : "row", shape_of(product->spelling),
                 word_of_type(matrices[i]->type));
    }
}

unsigned check_wmma(const struct row *row, const struct spelling *spelling)
{
    static struct product product;
    struct tile tiles[4] = {{0}};
    unsigned seen = 0;
    (void)row;
    product.spelling = spelling;
    read_shape(&product);
    read_types(&product);
    for (unsigned i = 0; i < spelling->word_count; i++) {
        const bool row_word = strcmp(spelling->words[i], "row") == 0;
        if (row_word || strcmp(spelling->words[i], "col") == 0) {
            tiles[1 + seen++].by_columns = !row_word;
        }
    }
    tiles[3].by_columns = tiles[1].by_columns;
    set_tiles(&product, tiles);
    return run_wmma(&product, tiles, spelling->text);
}

/** The types of a product in which a fragment of this type takes part as d, a, b or c. */
static void choose_types(struct product *product, unsigned which)
{
    const struct type type = last_type(product->spelling);
    const bool small_input = type.bits == 8;
    const bool input = which == 1 || which == 2;
    const bool tensor = has(product->spelling, "m16n16k8");
    const struct type sum = type_of(type.bits == 64 ? "f64" : small_input || type.kind == 's' ? "s32" : "f32");
    const struct type factor = input              ? type
                               : type.bits == 64  ? type
                               : type.kind == 's' ? type_of("s8")
                               : tensor           ? type_of("tf32")
                                                  : type_of("f16");
    product->a.type = product->b.type = factor;
    product->d.type = which == 0 ? type : sum;
    product->c.type = which == 3 ? type : sum;
}

unsigned check_wmma_move(const struct row *row, const struct spelling *spelling)
{
    static struct product product;
    struct tile tiles[4] = {{0}};
    char text[160];
    const unsigned which = has(spelling, "store") ? 0 : has(spelling, "a") ? 1 : has(spelling, "b") ? 2 : 3;
    (void)row;
    product.spelling = spelling;
    read_shape(&product);
    choose_types(&product, which);
    tiles[which].by_columns = has(spelling, "col");
    set_tiles(&product, tiles);
    snprintf(tiles[which].text, sizeof tiles[which].text, "%s", spelling->text);
    snprintf(tiles[which].space, sizeof tiles[which].space, "%s",
             has(spelling, "global")                                   ? "global"
             : has(spelling, "shared") || has(spelling, "shared::cta") ? "shared"
                                                                       : "");
    const bool halves = product.a.type.kind == 'f' && strcmp(word_of_type(product.a.type), "f16") == 0;
    int at = snprintf(text, sizeof text, "wmma.mma.sync.aligned.%s.%s.%s.%s", tiles[1].by_columns ? "col" : "row",
                      tiles[2].by_columns ? "col" : "row", shape_of(spelling), word_of_type(product.d.type));
    for (unsigned i = 0; i < 2 && !halves; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, ".%s", word_of_type(product.a.type));
    }
    snprintf(text + at, sizeof text - (size_t)at, ".%s", word_of_type(product.c.type));
    return run_wmma(&product, tiles, text);
}

/** Rows of 8 halves of 1, 2 or 4 matrices; the address of row i comes from lane i. */
unsigned check_ldmatrix(const struct row *row, const struct spelling *spelling)
{
    static struct text text;
    static struct {
        u32 results[4][LANES];
        uint16_t rows[4][8][8];
    } cells;
    struct lane_table tables[3];
    const size_t count = lane_tables(tables);
    const unsigned matrices = has(spelling, "x4") ? 4 : has(spelling, "x2") ? 2 : 1;
    const bool generic = !has(spelling, "shared") && !has(spelling, "shared::cta");
    unsigned wrong = 0;
    (void)row;
    text_begin(&text, "", ".reg .b32 %w<4>;\n.reg .b64 %m, %n;\n.shared .align 16 .b8 s[512];\n");
    text_add(
        &text,
        "mul.wide.u32 %%n, %%lane, 16;\nmov.u64 %%m, s;\nadd.u64 %%m, %%m, %%n;\nadd.u64 %%n, %%n, %%base;\n"
        "ld.global.v4.u32 {%%w0, %%w1, %%w2, %%w3}, [%%n+512];\nst.shared.v4.u32 [%%m], {%%w0, %%w1, %%w2, %%w3};\n"
        "bar.warp.sync -1;\n%s%s ",
        generic ? "cvta.shared.u64 %m, %m;\n" : "", spelling->text);
    add_list(&text, 'w', matrices);
    text_add(&text, ", [%%m];\nmul.wide.u32 %%n, %%lane, 4;\nadd.u64 %%n, %%n, %%base;\n");
    for (unsigned i = 0; i < matrices; i++) {
        text_add(&text, "st.global.u32 [%%n+%u], %%w%u;\n", i * LANES * 4, i);
    }
    text_end(&text);
    for (size_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < 4 * 64; k++) {
            cells.rows[k / 64][k / 8 % 8][k % 8] = (uint16_t)random_bits();
        }
        const struct launch request = {
            .text = text.bytes, .grid = 1, .block = LANES, .bytes = &cells, .size = sizeof cells, .table = &tables[i]};
        wrong += launch(&request) ? 0 : report(spelling, "did not run");
        for (unsigned k = 0; k < matrices * LANES; k++) {
            const unsigned r = k % LANES / 4;
            const unsigned c = k % 4 * 2;
            uint16_t(*m)[8] = cells.rows[k / LANES];
            const u32 low = has(spelling, "trans") ? m[c][r] : m[r][c];
            const u32 high = has(spelling, "trans") ? m[c + 1][r] : m[r][c + 1];
            wrong +=
                cells.results[k / LANES][k % LANES] == (high << 16 | low) ? 0 : report(spelling, "gives other halves");
        }
    }
    return wrong;
}
