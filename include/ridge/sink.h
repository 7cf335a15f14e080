/* SPDX-License-Identifier: MIT */
/** \file Where text goes that the library makes: the library itself never prints. Thread rule: one thread a sink. */
#ifndef RIDGE_SINK_H
#define RIDGE_SINK_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Receives pieces of text in order. */
struct ridge_sink {
    /** \return false when the bytes could not be taken (a full disk); the writer then stops and says so. */
    bool (*write)(void *user, const char *bytes, size_t length);
    void *user; /**< handed to `write` */
};

#ifdef __cplusplus
}
#endif
#endif
