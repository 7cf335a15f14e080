/* SPDX-License-Identifier: MIT */
/** \file How many processors there are to use. Pure read of the system; any thread. */
#ifndef RG_BASE_CPUS_H
#define RG_BASE_CPUS_H

/** \return the processors that this thread may run on: at least 1. */
unsigned rg_usable_cpus(void);

#endif
