/* SPDX-License-Identifier: MIT */
void reference(const unsigned int *data, unsigned int *partials, unsigned int *finished, unsigned int *result,
               unsigned int n);

void reference(const unsigned int *data, unsigned int *partials, unsigned int *finished, unsigned int *result,
               unsigned int n)
{
    (void)partials;
    (void)finished;
    unsigned int sum = 0;
    for (unsigned int i = 0; i < n; i++)
        sum += data[i];
    *result = sum;
}
