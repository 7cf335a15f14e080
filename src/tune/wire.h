/* SPDX-License-Identifier: MIT */
/** \file Whole structs over a socket between the tuner and a worker. Thread rule: one thread a socket and direction. */
#ifndef RG_TUNE_WIRE_H
#define RG_TUNE_WIRE_H

#include <stdbool.h>
#include <stddef.h>

/** Send all bytes. Never raises SIGPIPE. \return false when the other side is gone. */
bool rg_wire_send(int socket, const void *bytes, size_t length);

/** Receive exactly `length` bytes. \return false when the other side is gone before they are there. */
bool rg_wire_receive(int socket, void *bytes, size_t length);

#endif
