/* SPDX-License-Identifier: MIT */
/** \file What emitted headers have in common: their language and their comment. Thread rule: plain data. */
#ifndef RIDGE_HEADER_H
#define RIDGE_HEADER_H

/** What code is written as. */
typedef enum ridge_header {
    RIDGE_HEADER_C,   /**< a header for C and C++ */
    RIDGE_HEADER_CUDA /**< a header for C++11 and CUDA */
} ridge_header;

/** What stands in the comment of a header. */
struct ridge_header_about {
    const char *name;    /**< of what is defined; made into an identifier */
    const char *command; /**< that made it */
    const char *date;    /**< NULL: now */
};

#endif
