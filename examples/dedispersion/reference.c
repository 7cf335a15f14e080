/* SPDX-License-Identifier: MIT */
void reference(const unsigned char *input, float *output, const float *delays, int samples, int measures, int channels,
               int pitch);

void reference(const unsigned char *input, float *output, const float *delays, int samples, int measures, int channels,
               int pitch)
{
    for (long measure = 0; measure < measures; measure++)
        for (long sample = 0; sample < samples; sample++) {
            double sum = 0.0;
            for (long channel = 0; channel < channels; channel++) {
                const float delay = (float)measure * delays[channel];
                sum += input[channel * pitch + sample + (long)delay];
            }
            output[measure * samples + sample] = (float)sum;
        }
}
