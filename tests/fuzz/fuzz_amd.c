/* SPDX-License-Identifier: MIT */
/** \file Any bytes as an AMD code object. */
#include "fuzz_binary.h"
