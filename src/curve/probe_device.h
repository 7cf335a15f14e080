/* SPDX-License-Identifier: MIT */
/** \file The source of the memory probe of OpenCL and CUDA devices. Unchanging text; any thread. */
#ifndef RG_CURVE_PROBE_DEVICE_H
#define RG_CURVE_PROBE_DEVICE_H

/**
 * Kernels `fill`, `read`, `write`, `copy`, `triad` and `nothing`. Macros: V (a vector of ulong), F (one of float, of
 * the same size), WORDS (ulongs in a V), BLOCKED (1: each work-item walks a part of its own; 0: neighbours take
 * neighbouring vectors).
 */
extern const char rg_probe_device_source[];

#endif
