/* SPDX-License-Identifier: MIT */
/*
 * Dedispersion: for each measure and sample the sum over all channels, each channel read so many samples later as the
 * measure delays it. Macros: block_size_x, block_size_y, tile_size_x, tile_size_y (outputs of a thread), tile_stride_x,
 * tile_stride_y (1: they lie one block apart, 0: they are neighbours), loop_unroll_factor_channel (0: as the compiler
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

extern "C" __global__ void __launch_bounds__(block_size_x *block_size_y)
    dedispersion(const unsigned char *__restrict__ input, float *__restrict__ output, const float *__restrict__ delays,
                 int samples, int measures, int channels, int pitch)
{
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const int sample0 = static_cast<int>(blockIdx.x) * block_size_x * tile_size_x;
    const int measure0 = static_cast<int>(blockIdx.y) * block_size_y * tile_size_y;
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
            constexpr int at_once = loop_unroll_factor_channel; /* the pragma takes no macro */
#    pragma unroll at_once
#endif
            for (int channel = 0; channel < channels; channel++) {
                const int shift = static_cast<int>(static_cast<float>(measure) * delays[channel]);
                sum += static_cast<float>(input[channel * pitch + sample + shift]);
            }
            output[measure * samples + sample] = sum;
        }
}
