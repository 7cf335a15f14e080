/* SPDX-License-Identifier: MIT */
/** \file PTX modules of the stand-in CUDA driver, run by the engine. Thread rule: one thread. */
#ifndef FAKE_CUDA_PTX_H
#define FAKE_CUDA_PTX_H

#include <stdbool.h>
#include <stddef.h>

struct fake_ptx;

/** A piece of device memory; `bytes` NULL: none. */
struct fake_memory {
    void *bytes;
    size_t size;
};

/** \return NULL when it cannot be read. */
struct fake_ptx *fake_ptx_open(const char *text);
void fake_ptx_close(struct fake_ptx *ptx); /**< NULL is fine */
bool fake_ptx_find(const struct fake_ptx *ptx, const char *name, size_t *entry);
/** Size of a parameter. \return false when there is none */
bool fake_ptx_parameter(const struct fake_ptx *ptx, size_t entry, size_t index, size_t *bytes);
/**
 * Run all blocks. A parameter of 8 bytes that points into one of the 256 memories is a pointer.
 * \return false when an access went astray, which it says on standard error
 */
bool fake_ptx_run(const struct fake_ptx *ptx, size_t entry, const unsigned grid[3], const unsigned block[3],
                  unsigned shared_bytes, void **parameters, const struct fake_memory *memories, double *seconds);

#endif
