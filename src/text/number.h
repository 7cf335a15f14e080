/* SPDX-License-Identifier: MIT */
/** \file Scanning numbers inside longer text. The public side is ridge/units.h. Pure; any thread. */
#ifndef RG_TEXT_NUMBER_H
#define RG_TEXT_NUMBER_H

#include <stddef.h>

#include "ridge/units.h"

/**
 * Read a decimal number at the start of a text, with "." as the point whatever the locale.
 * \return bytes that belong to it; 0 when there is none (value untouched). Overflow gives an infinity.
 */
size_t rg_number_scan(const char *text, double *value);

/** Write a number rounded to so many decimals, without zeros at the end, with "." whatever the locale: 0.849. */
void rg_number_round(double value, int decimals, char out[RIDGE_NUMBER_BYTES]);

#endif
