/* SPDX-License-Identifier: MIT */
/** \file SHA-256, for configuration ids and content keys. Source: FIPS 180-4. Pure; one thread a state. */
#ifndef RG_BASE_HASH_H
#define RG_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

enum {
    RG_SHA256_BYTES = 32,
    RG_SHA256_HEX_BYTES = 65
};

struct rg_sha256 {
    uint32_t state[8];
    uint64_t length_bytes;
    uint8_t block[64];
};

void rg_sha256_init(struct rg_sha256 *hash);
void rg_sha256_update(struct rg_sha256 *hash, const void *bytes, size_t length);
void rg_sha256_final(struct rg_sha256 *hash, uint8_t digest[RG_SHA256_BYTES]);

/** Write the digest as 64 lower-case hex digits and a terminator. */
void rg_sha256_final_hex(struct rg_sha256 *hash, char hex[RG_SHA256_HEX_BYTES]);

#endif
