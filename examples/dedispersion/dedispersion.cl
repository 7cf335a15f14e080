/* SPDX-License-Identifier: MIT */
/*
 * Dedispersion: for each measure and sample the sum over all channels, each channel read so many samples later as the
 * measure delays it. Macros: block_size_x, block_size_y, tile_size_x, tile_size_y (outputs of a work-item), tile_stride_x,
 * tile_stride_y (1: they lie one group apart, 0: they are neighbours), loop_unroll_factor_channel (0: as the compiler
 * likes).
 */
#if tile_stride_x
#    define SAMPLE(i) (x + (i)*block_size_x)
#else
#    define SAMPLE(i) (x * tile_size_x + (i))
#endif
#if tile_stride_y
#    define MEASURE(i) (y + (i)*block_size_y)
#else
#    define MEASURE(i) (y * tile_size_y + (i))
#endif

kernel __attribute__((reqd_work_group_size(block_size_x, block_size_y, 1))) void
dedispersion(global const uchar *restrict input, global float *restrict output, global const float *restrict delays,
             int samples, int measures, int channels, int pitch)
{
    const int x = (int)get_local_id(0);
    const int y = (int)get_local_id(1);
    const int sample0 = (int)get_group_id(0) * block_size_x * tile_size_x;
    const int measure0 = (int)get_group_id(1) * block_size_y * tile_size_y;
    if (sample0 + SAMPLE(0) >= samples || measure0 + MEASURE(0) >= measures)
        return;

    for (int i = 0; i < tile_size_y; i++)
        for (int j = 0; j < tile_size_x; j++) {
            const int measure = measure0 + MEASURE(i);
            const int sample = sample0 + SAMPLE(j);
            if (tile_size_x * tile_size_y > 1 && (measure >= measures || sample >= samples))
                continue;
            float sum = 0.0f;
#if loop_unroll_factor_channel > 0
#    pragma unroll loop_unroll_factor_channel
#endif
            for (int channel = 0; channel < channels; channel++) {
                const int shift = (int)((float)measure * delays[channel]);
                sum += (float)input[channel * pitch + sample + shift];
            }
            output[measure * samples + sample] = sum;
        }
}
