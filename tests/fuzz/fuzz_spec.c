/* SPDX-License-Identifier: MIT */
/** \file fuzz_load.h from a corpus of kernel.toml files. */
#include "fuzz_load.h"
