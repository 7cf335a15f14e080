/* SPDX-License-Identifier: MIT */
/** \file Where a number comes from: said in every table, picture and file. Thread rule: pure; any thread. */
#ifndef RIDGE_KIND_H
#define RIDGE_KIND_H

#include "ridge/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where a number comes from. */
typedef enum ridge_kind {
    RIDGE_MEASURED,  /**< in this run */
    RIDGE_RECORDED,  /**< measured before or elsewhere */
    RIDGE_ESTIMATED, /**< by a model */
    RIDGE_STATED     /**< by a vendor's document, or the person */
} ridge_kind;

RIDGE_API const char *ridge_kind_word(ridge_kind kind); /**< never NULL */

#ifdef __cplusplus
}
#endif
#endif
