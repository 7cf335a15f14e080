/* SPDX-License-Identifier: MIT */
/*
 * Dedispersion: for each measure and sample the sum over all channels, each channel read so many samples later as the
 * measure delays it. Macros: block_size_x, block_size_y, tile_size_x, tile_size_y: their products are the samples and
 * measures of a tile.
 */
#define TILE_SAMPLES  (block_size_x * tile_size_x)
#define TILE_MEASURES (block_size_y * tile_size_y)

static void tile_compute(const unsigned char *restrict input, float *restrict output, const float *restrict delays,
                         int samples, int channels, int pitch, int measure, int count)
{
    float sum[TILE_SAMPLES] = {0};
    for (int channel = 0; channel < channels; channel++) {
        const float delay = (float)measure * delays[channel];
        const unsigned char *restrict line = input + (long)channel * pitch + (long)delay;
        for (int i = 0; i < count; i++)
            sum[i] += (float)line[i];
    }
    for (int i = 0; i < count; i++)
        output[(long)measure * samples + i] = sum[i];
}

void dedispersion(const unsigned char *input, float *output, const float *delays, int samples, int measures,
                  int channels, int pitch);

void dedispersion(const unsigned char *input, float *output, const float *delays, int samples, int measures,
                  int channels, int pitch)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (int row = 0; row < measures; row += TILE_MEASURES)
        for (int sample = 0; sample < samples; sample += TILE_SAMPLES)
            for (int i = row; i < measures && i < row + TILE_MEASURES; i++)
                tile_compute(input + sample, output + sample, delays, samples, channels, pitch, i,
                             samples - sample < TILE_SAMPLES ? samples - sample : TILE_SAMPLES);
}
