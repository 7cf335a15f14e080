/* SPDX-License-Identifier: MIT */
/*
 * Convolution with a wide filter of an image that comes with its margin. A group computes a tile of the result; each
 * work-item has tile_size_x * tile_size_y pixels of it, one group apart.
 * Macros: block_size_x, block_size_y, tile_size_x, tile_size_y, use_read_only, and where given: use_shmem (1), use_padding
 * (0), filter_width and filter_height (15), image_width and image_height: a size that tiles fill needs no checks.
 */
#ifndef use_shmem
#    define use_shmem 1
#endif
#ifndef use_padding
#    define use_padding 0
#endif
#ifndef filter_width
#    define filter_width 15
#endif
#ifndef filter_height
#    define filter_height 15
#endif

#define TILE_COLUMNS (block_size_x * tile_size_x)
#define TILE_ROWS    (block_size_y * tile_size_y)
#define LINE         (TILE_COLUMNS + filter_width - 1)
#define LINES        (TILE_ROWS + filter_height - 1)
/* What of the image a thread reads: outputs that lie closer than the filter is wide share it. */
#if block_size_x < filter_width
#    define COLUMNS          ((tile_size_x - 1) * block_size_x + filter_width)
#    define COLUMN_AT(c)     (c)
#    define COLUMN_OF(j, dx) ((j)*block_size_x + (dx))
#else
#    define COLUMNS          (tile_size_x * filter_width)
#    define COLUMN_AT(c)     ((c) / filter_width * block_size_x + (c) % filter_width)
#    define COLUMN_OF(j, dx) ((j)*filter_width + (dx))
#endif
#if block_size_y < filter_height
#    define ROWS         ((tile_size_y - 1) * block_size_y + filter_height)
#    define ROW_AT(r)    (r)
#    define ROW_OF(i, r) ((r) - (i)*block_size_y) /* the line of the filter that meets row r at output i */
#else
#    define ROWS         (tile_size_y * filter_height)
#    define ROW_AT(r)    ((r) / filter_height * block_size_y + (r) % filter_height)
#    define ROW_OF(i, r) ((r) - (i)*filter_height)
#endif
/* So many floats more in a line that rows of a warp lie in other banks. */
#define PADDING (use_padding && block_size_x % 32 != 0 ? (32 - (LINE - block_size_x) % 32) % 32 : 0)

#if defined(image_width) && defined(image_height)
#    define CHECKED (image_width % TILE_COLUMNS != 0 || image_height % TILE_ROWS != 0)
#else
#    define CHECKED 1
#endif

/* A pointer that nothing else writes through may be read through the texture path. */
#if use_read_only
#    define IMAGE const float *restrict
#else
#    define IMAGE float *
#endif

kernel __attribute__((reqd_work_group_size(block_size_x, block_size_y, 1))) void
wide_convolution(global float *result, global IMAGE image, constant float *weights, int width, int height)
{
    const int pitch = width + filter_width - 1;
    const int x = (int)get_local_id(0);
    const int y = (int)get_local_id(1);
    const int row0 = (int)get_group_id(1) * TILE_ROWS;
    const int column0 = (int)get_group_id(0) * TILE_COLUMNS;

#if use_shmem
    local float tile[LINES][LINE + PADDING];
    for (int i = y; i < LINES; i += block_size_y)
        for (int j = x; j < LINE; j += block_size_x)
            if (!CHECKED || (row0 + i < height + filter_height - 1 && column0 + j < pitch))
                tile[i][j] = image[(row0 + i) * pitch + column0 + j];
            else
                tile[i][j] = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
#endif

    float sum[tile_size_y][tile_size_x];
#pragma unroll
    for (int i = 0; i < tile_size_y; i++)
#pragma unroll
        for (int j = 0; j < tile_size_x; j++)
            sum[i][j] = 0.0f;
#if use_shmem || !CHECKED
#    pragma unroll
    for (int r = 0; r < ROWS; r++) {
        float line[COLUMNS];
#    pragma unroll
        for (int c = 0; c < COLUMNS; c++)
#    if use_shmem
            line[c] = tile[y + ROW_AT(r)][x + COLUMN_AT(c)];
#    else
            line[c] = image[(row0 + y + ROW_AT(r)) * pitch + column0 + x + COLUMN_AT(c)];
#    endif
#    pragma unroll
        for (int i = 0; i < tile_size_y; i++) {
            const int dy = ROW_OF(i, r);
            if (dy < 0 || dy >= filter_height)
                continue;
#    pragma unroll
            for (int dx = 0; dx < filter_width; dx++)
#    pragma unroll
                for (int j = 0; j < tile_size_x; j++)
                    sum[i][j] += line[COLUMN_OF(j, dx)] * weights[dy * filter_width + dx];
        }
    }
#else
            /* What each output may read is checked by itself, so nothing is shared. */
#    pragma unroll
    for (int dy = 0; dy < filter_height; dy++)
#    pragma unroll
        for (int dx = 0; dx < filter_width; dx++)
#    pragma unroll
            for (int i = 0; i < tile_size_y; i++)
#    pragma unroll
                for (int j = 0; j < tile_size_x; j++) {
                    const int row = row0 + y + i * block_size_y;
                    const int column = column0 + x + j * block_size_x;
                    if (row < height && column < width)
                        sum[i][j] += image[(row + dy) * pitch + column + dx] * weights[dy * filter_width + dx];
                }
#endif

#pragma unroll
    for (int i = 0; i < tile_size_y; i++)
#pragma unroll
        for (int j = 0; j < tile_size_x; j++) {
            const int row = row0 + y + i * block_size_y;
            const int column = column0 + x + j * block_size_x;
            if (!CHECKED || (row < height && column < width))
                result[row * width + column] = sum[i][j];
        }
}
