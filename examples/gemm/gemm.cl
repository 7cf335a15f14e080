/* SPDX-License-Identifier: MIT */
/*
 * c = a b, of matrices stored by columns: a is m x k, b is stored transposed (n x k), c is m x n. A group computes
 * MWG x NWG of c with MDIMC x NDIMC work-items, KWG steps of k at a time.
 * Macros: MWG, NWG, KWG, MDIMC, NDIMC; MDIMA, NDIMB: how they stand when they copy a tile of a, of b; KWI: steps
 * unrolled; VWM, VWN: floats of a vector; STRM, STRN: 1: the vectors of a work-item lie a group's width apart, 0: they are
 * neighbours; SA, SB: 1: the tile of a, of b goes through local memory. m, n, k must be multiples of MWG, NWG, KWG.
 */
#define THREADS  (MDIMC * NDIMC)
#define MVECTORS (MWG / MDIMC / VWM) /* of a work-item */
#define NVECTORS (NWG / NDIMC / VWN)
#define MWIDE    (MWG / VWM) /* vectors in a line of a tile */
#define NWIDE    (NWG / VWN)
#define KDIMA    (THREADS / MDIMA) /* lines copied at once */
#define KDIMB    (THREADS / NDIMB)

/* Which vector of the group is number i of this work-item. */
#if STRM
#    define MPLACE(i) (x + (i)*MDIMC)
#else
#    define MPLACE(i) (x * MVECTORS + (i))
#endif
#if STRN
#    define NPLACE(i) (y + (i)*NDIMC)
#else
#    define NPLACE(i) (y * NVECTORS + (i))
#endif

/* A vector of one float is a float, and is no array. */
#define JOIN(a, b)   JOINED(a, b)
#define JOINED(a, b) a##b
#if VWM == 1
typedef float mvector;
#    define MLOAD(at, place)    *(at) = *(place)
#    define MSTORE(place, from) *(place) = *(from)
#else
typedef JOIN(float, VWM) mvector;
#    define MLOAD(at, place)    JOIN(vstore, VWM)(*(place), 0, at)
#    define MSTORE(place, from) *(place) = JOIN(vload, VWM)(0, from)
#endif
#if VWN == 1
typedef float nvector;
#    define NLOAD(at, place) *(at) = *(place)
#else
typedef JOIN(float, VWN) nvector;
#    define NLOAD(at, place) JOIN(vstore, VWN)(*(place), 0, at)
#endif

kernel __attribute__((reqd_work_group_size(MDIMC, NDIMC, 1))) void gemm(int m, int n, int k,
                                                                        global const mvector *restrict a,
                                                                        global const nvector *restrict b,
                                                                        global mvector *restrict c)
{
    const int x = (int)get_local_id(0);
    const int y = (int)get_local_id(1);
    const int mwide = m / VWM;
    const int nwide = n / VWN;
    a += (int)get_group_id(0) * MWIDE;
    b += (int)get_group_id(1) * NWIDE;
#if SA
    local mvector a_tile[KWG][MWIDE];
#endif
#if SB
    local nvector b_tile[KWG][NWIDE];
#endif
#if SA || SB
    const int lane = y * MDIMC + x;
#endif

    float sum[NVECTORS * VWN][MVECTORS * VWM];
#pragma unroll
    for (int j = 0; j < NVECTORS * VWN; j++)
#pragma unroll
        for (int i = 0; i < MVECTORS * VWM; i++)
            sum[j][i] = 0.0f;
    for (int k0 = 0; k0 < k; k0 += KWG) {
#if SA
#    pragma unroll
        for (int i = 0; i < KWG / KDIMA; i++)
#    pragma unroll
            for (int j = 0; j < MWIDE / MDIMA; j++) {
                const int line = lane / MDIMA + i * KDIMA;
                const int place = STRM ? lane % MDIMA + j * MDIMA : lane % MDIMA * (MWIDE / MDIMA) + j;
                a_tile[line][place] = a[(k0 + line) * mwide + place];
            }
#endif
#if SB
#    pragma unroll
        for (int i = 0; i < KWG / KDIMB; i++)
#    pragma unroll
            for (int j = 0; j < NWIDE / NDIMB; j++) {
                const int line = lane / NDIMB + i * KDIMB;
                const int place = STRN ? lane % NDIMB + j * NDIMB : lane % NDIMB * (NWIDE / NDIMB) + j;
                b_tile[line][place] = b[(k0 + line) * nwide + place];
            }
#endif
#if SA || SB
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        for (int k1 = 0; k1 < KWG; k1 += KWI) {
#pragma unroll
            for (int k2 = 0; k2 < KWI; k2++) {
                float a_part[MVECTORS * VWM];
                float b_part[NVECTORS * VWN];
#pragma unroll
                for (int i = 0; i < MVECTORS; i++)
#if SA
                    MLOAD(a_part + i * VWM, &a_tile[k1 + k2][MPLACE(i)]);
#else
                    MLOAD(a_part + i * VWM, &a[(k0 + k1 + k2) * mwide + MPLACE(i)]);
#endif
#pragma unroll
                for (int j = 0; j < NVECTORS; j++)
#if SB
                    NLOAD(b_part + j * VWN, &b_tile[k1 + k2][NPLACE(j)]);
#else
                    NLOAD(b_part + j * VWN, &b[(k0 + k1 + k2) * nwide + NPLACE(j)]);
#endif
#pragma unroll
                for (int j = 0; j < NVECTORS * VWN; j++)
#pragma unroll
                    for (int i = 0; i < MVECTORS * VWM; i++)
                        sum[j][i] += a_part[i] * b_part[j];
            }
        }
#if SA || SB
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }

#pragma unroll
    for (int j = 0; j < NVECTORS * VWN; j++)
#pragma unroll
        for (int i = 0; i < MVECTORS; i++) {
            const int column = (int)get_group_id(1) * NWG + NPLACE(j / VWN) * VWN + j % VWN;
            MSTORE(&c[column * mwide + (int)get_group_id(0) * MWIDE + MPLACE(i)], sum[j] + i * VWM);
        }
}
