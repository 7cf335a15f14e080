/* SPDX-License-Identifier: MIT */
/** \file Whether a sanitizer is compiled in: it changes times, and needs address space of its own. */
#ifndef RG_SANITIZED_H
#define RG_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define RG_SANITIZED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#        define RG_SANITIZED 1
#    endif
#endif
#ifndef RG_SANITIZED
#    define RG_SANITIZED 0
#endif

#endif
