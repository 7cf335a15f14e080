/* SPDX-License-Identifier: MIT */
/** \file fuzz_load.h from a corpus of T1 and Kernel Tuner cache files. */
#include "fuzz_load.h"
