/* SPDX-License-Identifier: MIT */
/** \file Any bytes as an offload bundle, plain or packed. */
#include "fuzz_binary.h"
