/* SPDX-License-Identifier: MIT */
/** \file The constants of backend/cuda_abi.h against those of cuda.h, where that is installed (else: skipped, 77). */
#include <stdio.h>

#include "backend/cuda_abi.h"

#ifdef RG_HAVE_CUDA_H
#    include <cuda.h>

static const struct {
    const char *name;
    int ours;
    int theirs;
} rows[] = {
#    define ROW(name, value) {#    name, RG_##name, (int)(name)},
    RG_CU_RESULT_LIST(ROW) RG_CU_ATTRIBUTE_LIST(ROW) RG_CU_FUNCTION_LIST(ROW)
#    undef ROW
};

int main(void)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].ours != rows[i].theirs) {
            printf("%s is %d here and %d in cuda.h\n", rows[i].name, rows[i].ours, rows[i].theirs);
            wrong++;
        }
    }
    wrong += sizeof(CUdeviceptr) != sizeof(rg_cu_pointer) || sizeof(CUdevice) != sizeof(rg_cu_device);
    return wrong > 0;
}
#else
int main(void)
{
    puts("cuda.h is not installed");
    return 77;
}
#endif
