/* SPDX-License-Identifier: MIT */
/** \file Any bytes as a fat binary, alone or in a host file. */
#include "fuzz_binary.h"
