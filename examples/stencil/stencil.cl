/* SPDX-License-Identifier: MIT */
/* One step of a 5-point stencil. Macros: block_x, block_y, vector_width, work_y, use_local. */
#define TILE_ROWS    (block_y * work_y)
#define TILE_COLUMNS (block_x * vector_width)
#define LINES        (TILE_ROWS + 2)
#define LINE         (TILE_COLUMNS + 2)

/* Any point, the rim too, straight from global memory. */
float point_compute(global const float *restrict before, int width, int height, int row, int column, float centre,
                    float side)
{
    global const float *here = before + row * width + column;
    if (row == 0 || row == height - 1 || column == 0 || column == width - 1)
        return *here;
    return centre * here[0] + side * (here[-1] + here[1] + here[-width] + here[width]);
}

#if vector_width == 1
typedef float vector;
#    define LOAD(place)         (*(place))
#    define STORE(value, place) (*(place) = (value))
#elif vector_width == 2
typedef float2 vector;
#    define LOAD(place)         vload2(0, place)
#    define STORE(value, place) vstore2(value, 0, place)
#else
typedef float4 vector;
#    define LOAD(place)         vload4(0, place)
#    define STORE(value, place) vstore4(value, 0, place)
#endif

kernel void stencil(global const float *restrict before, global float *restrict after, int width, int height,
                    float centre, float side)
{
    const int x = (int)get_local_id(0);
    const int y = (int)get_local_id(1);
    const int row0 = (int)get_group_id(1) * TILE_ROWS;
    const int column0 = (int)get_group_id(0) * TILE_COLUMNS;
    const int first = row0 + y * work_y;
    const int end = min(first + work_y, height);
    const int column = column0 + x * vector_width;

#if use_local
    local float tile[LINES][LINE];
    for (int e = y * block_x + x; e < LINES * LINE; e += block_x * block_y) {
        const int from_row = clamp(row0 - 1 + e / LINE, 0, height - 1);
        const int from_column = clamp(column0 - 1 + e % LINE, 0, width - 1);
        tile[e / LINE][e % LINE] = before[from_row * width + from_column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#    define ROW(row) (&tile[(row)-row0 + 1][x * vector_width + 1])
#else
#    define ROW(row) (&before[(row)*width + column])
#endif

    /* Columns at or beyond the left and right rim: one by one. */
    if (column == 0 || column + vector_width >= width) {
        for (int row = first; row < end; row++)
            for (int j = column; j < min(column + vector_width, width); j++)
                after[row * width + j] = point_compute(before, width, height, row, j, centre, side);
        return;
    }

    if (first >= end)
        return;
    vector north = LOAD(ROW(max(first, 1) - 1));
    vector here = LOAD(ROW(first));
    for (int row = first; row < end; row++) {
        const vector south = LOAD(ROW(min(row + 1, height - 1)));
        vector next = here;
        if (row > 0 && row < height - 1)
            next = centre * here + side * (LOAD(ROW(row) - 1) + LOAD(ROW(row) + 1) + north + south);
        STORE(next, &after[row * width + column]);
        north = here;
        here = south;
    }
}
