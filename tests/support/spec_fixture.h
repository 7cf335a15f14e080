/* SPDX-License-Identifier: MIT */
/** \file A spec from a text: written to a folder of its own, loaded, and removed again. */
#ifndef SPEC_FIXTURE_H
#define SPEC_FIXTURE_H

#include "folder.h"

#include "ridge/space.h"
#include "space/spec.h"

struct spec_fixture {
    struct ridge_context *context;
    struct ridge_spec *spec;
    struct ridge_space *space;
    struct ridge_error error;
    char folder[FOLDER_BYTES];
    char path[96];
};

static inline void fixture_write(struct spec_fixture *fixture, const char *text)
{
    memset(fixture, 0, sizeof *fixture);
    folder_make(fixture->folder, "a spec"); /* a blank, which paths may have */
    snprintf(fixture->path, sizeof fixture->path, "%s/kernel.toml", fixture->folder);
    write_text(fixture->path, text);
}

/** Load by folder. */
static inline ridge_status fixture_load(struct spec_fixture *fixture, const char *text, const char *const *set,
                                        size_t count)
{
    fixture_write(fixture, text);
    fixture->context = test_context();
    return ridge_spec_load(fixture->context, fixture->folder, set, count, &fixture->spec, &fixture->error);
}

/** Load a text that must be right, and make its space. */
static inline void fixture_open(struct spec_fixture *fixture, const char *text)
{
    assert_ok(fixture_load(fixture, text, NULL, 0), &fixture->error);
    assert_ok(ridge_space_create(fixture->context, fixture->spec, &fixture->space, &fixture->error), &fixture->error);
}

static inline void fixture_close(struct spec_fixture *fixture)
{
    ridge_space_destroy(fixture->space);
    ridge_spec_destroy(fixture->spec);
    ridge_context_destroy(fixture->context);
    if (fixture->folder[0] != '\0') { /* else: what was loaded lies elsewhere */
        folder_remove(fixture->folder);
    }
}

#endif
