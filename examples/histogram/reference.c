/* SPDX-License-Identifier: MIT */
void reference(const unsigned char *data, unsigned int *bins, unsigned int n);

void reference(const unsigned char *data, unsigned int *bins, unsigned int n)
{
    for (unsigned int i = 0; i < n; i++)
        bins[data[i]]++;
}
