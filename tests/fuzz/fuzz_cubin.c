/* SPDX-License-Identifier: MIT */
/** \file Any bytes as a cubin. */
#include "fuzz_binary.h"
