/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <string.h>

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate_right(uint32_t bits, unsigned by)
{
    return (bits >> by) | (bits << (32U - by));
}

static uint32_t load_big_endian(const uint8_t *bytes)
{
    return ((uint32_t)bytes[0] << 24) | ((uint32_t)bytes[1] << 16) | ((uint32_t)bytes[2] << 8) | bytes[3];
}

static void compress(uint32_t state[8], const uint8_t block[64])
{
    uint32_t w[64];
    for (unsigned i = 0; i < 16; i++) {
        w[i] = load_big_endian(block + (size_t)4 * i);
    }
    for (unsigned i = 16; i < 64; i++) {
        const uint32_t s0 = rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ (w[i - 15] >> 3);
        const uint32_t s1 = rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t v[8];
    memcpy(v, state, sizeof v);
    for (unsigned i = 0; i < 64; i++) {
        const uint32_t big1 = rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25);
        const uint32_t choose = (v[4] & v[5]) ^ (~v[4] & v[6]);
        const uint32_t first = v[7] + big1 + choose + round_constants[i] + w[i];
        const uint32_t big0 = rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22);
        const uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += first;
        v[0] = first + big0 + majority;
    }
    for (unsigned i = 0; i < 8; i++) {
        state[i] += v[i];
    }
}

void rg_sha256_init(struct rg_sha256 *hash)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memset(hash, 0, sizeof *hash);
    memcpy(hash->state, start, sizeof start);
}

void rg_sha256_update(struct rg_sha256 *hash, const void *bytes, size_t length)
{
    const uint8_t *from = bytes;
    while (length > 0) {
        const size_t held = (size_t)(hash->length_bytes % 64U);
        const size_t take = length < 64 - held ? length : 64 - held;
        memcpy(hash->block + held, from, take);
        hash->length_bytes += take;
        from += take;
        length -= take;
        if (held + take == 64) {
            compress(hash->state, hash->block);
        }
    }
}

void rg_sha256_final(struct rg_sha256 *hash, uint8_t digest[RG_SHA256_BYTES])
{
    const uint64_t bits = hash->length_bytes * 8U;
    static const uint8_t padding[64] = {0x80};
    const size_t held = (size_t)(hash->length_bytes % 64U);
    rg_sha256_update(hash, padding, held < 56 ? 56 - held : 120 - held);
    uint8_t tail[8];
    for (unsigned i = 0; i < 8; i++) {
        tail[i] = (uint8_t)(bits >> (56U - 8U * i));
    }
    rg_sha256_update(hash, tail, sizeof tail);
    for (unsigned i = 0; i < RG_SHA256_BYTES; i++) {
        digest[i] = (uint8_t)(hash->state[i / 4] >> (24U - 8U * (i % 4)));
    }
}

void rg_sha256_final_hex(struct rg_sha256 *hash, char hex[RG_SHA256_HEX_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[RG_SHA256_BYTES];
    rg_sha256_final(hash, digest);
    for (size_t i = 0; i < RG_SHA256_BYTES; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15U];
    }
    hex[2 * (size_t)RG_SHA256_BYTES] = '\0';
}
