/* SPDX-License-Identifier: MIT */
/** \file What ridge predict and ridge calibrate footprint print alike: a calibration with its points. */
#ifndef CLI_FOOTPRINT_SHOW_H
#define CLI_FOOTPRINT_SHOW_H

#include "ridge/footprint.h"
#include "ridge/json.h"

/** Every point beside what the slope predicts for it. */
void footprint_points_print(const struct ridge_footprint *footprint);

/** Write the members `calibration`, `scope`, `source`, `evidence` and `wrong`; all null for NULL. */
void footprint_json(struct ridge_json *json, const struct ridge_footprint *footprint);

#endif
