/* SPDX-License-Identifier: MIT */
/*
 * c = a b, of matrices stored by columns: a is m x k, b is stored transposed (n x k), c is m x n. A block computes
 * MWG x NWG of c with MDIMC x NDIMC threads, KWG steps of k at a time.
 * Macros: MWG, NWG, KWG, MDIMC, NDIMC; MDIMA, NDIMB: how the threads stand when they copy a tile of a, of b; KWI: steps
 * unrolled; VWM, VWN: floats of a vector; STRM, STRN: 1: the vectors of a thread lie a block's width apart, 0: they are
 * neighbours; SA, SB: 1: the tile of a, of b goes through shared memory. m, n, k must be multiples of MWG, NWG, KWG.
 */
#define THREADS  (MDIMC * NDIMC)
#define MVECTORS (MWG / MDIMC / VWM) /* of a thread */
#define NVECTORS (NWG / NDIMC / VWN)
#define MWIDE    (MWG / VWM) /* vectors in a line of a tile */
#define NWIDE    (NWG / VWN)
#define KDIMA    (THREADS / MDIMA) /* lines copied at once */
#define KDIMB    (THREADS / NDIMB)

/* Which vector of the block is number i of this thread. */
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

template <int width> struct __align__(width < 4 ? width * 4 : 16) vector
{
    float lane[width];
};
typedef vector<VWM> mvector;
typedef vector<VWN> nvector;

extern "C" __global__ void __launch_bounds__(THREADS)
    gemm(int m, int n, int k, const mvector *__restrict__ a, const nvector *__restrict__ b, mvector *__restrict__ c)
{
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const int mwide = m / VWM;
    const int nwide = n / VWN;
    a += static_cast<int>(blockIdx.x) * MWIDE;
    b += static_cast<int>(blockIdx.y) * NWIDE;
#if SA
    __shared__ mvector a_tile[KWG][MWIDE];
#endif
#if SB
    __shared__ nvector b_tile[KWG][NWIDE];
#endif
#if SA || SB
    const int lane = y * MDIMC + x;
#endif

    float sum[NVECTORS * VWN][MVECTORS * VWM] = {};
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
        __syncthreads();
#endif
        for (int k1 = 0; k1 < KWG; k1 += KWI) {
#pragma unroll
            for (int k2 = 0; k2 < KWI; k2++) {
                mvector a_part[MVECTORS];
                nvector b_part[NVECTORS];
#pragma unroll
                for (int i = 0; i < MVECTORS; i++)
#if SA
                    a_part[i] = a_tile[k1 + k2][MPLACE(i)];
#else
                    a_part[i] = a[(k0 + k1 + k2) * mwide + MPLACE(i)];
#endif
#pragma unroll
                for (int j = 0; j < NVECTORS; j++)
#if SB
                    b_part[j] = b_tile[k1 + k2][NPLACE(j)];
#else
                    b_part[j] = b[(k0 + k1 + k2) * nwide + NPLACE(j)];
#endif
#pragma unroll
                for (int j = 0; j < NVECTORS * VWN; j++)
#pragma unroll
                    for (int i = 0; i < MVECTORS * VWM; i++)
                        sum[j][i] += a_part[i / VWM].lane[i % VWM] * b_part[j / VWN].lane[j % VWN];
            }
        }
#if SA || SB
        __syncthreads();
#endif
    }

#pragma unroll
    for (int j = 0; j < NVECTORS * VWN; j++)
#pragma unroll
        for (int i = 0; i < MVECTORS; i++) {
            const int column = static_cast<int>(blockIdx.y) * NWG + NPLACE(j / VWN) * VWN + j % VWN;
            mvector part;
#pragma unroll
            for (int lane_of = 0; lane_of < VWM; lane_of++)
                part.lane[lane_of] = sum[j][i * VWM + lane_of];
            c[column * mwide + static_cast<int>(blockIdx.x) * MWIDE + MPLACE(i)] = part;
        }
}
