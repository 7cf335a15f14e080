/* SPDX-License-Identifier: MIT */
/** \file What the tests of the backends share: a session on a source given as text, in a folder of its own. */
#ifndef RG_BACKEND_TEST_H
#define RG_BACKEND_TEST_H

#include "folder.h"

#include "backend/backend.h"

/** An opened session. */
struct bench {
    struct ridge_context *context;
    const struct rg_backend *backend;
    struct rg_session *session;
    struct rg_session_request request;
    struct rg_buffer text;
    struct rg_trouble trouble;
    struct ridge_error error;
    char folder[FOLDER_BYTES];
    char path[96];
};

static inline struct rg_shape buffer_shape(const char *name, const char *c_type, const char *cl_type,
                                           size_t element_bytes, uint64_t count)
{
    return (struct rg_shape){.kind = RG_SHAPE_BUFFER,
                             .name = name,
                             .read = true,
                             .written = true,
                             .element_bytes = element_bytes,
                             .c_type = c_type,
                             .cl_type = cl_type,
                             .bytes = element_bytes * count};
}

static inline struct rg_shape scalar_shape(const char *name, const char *c_type, const char *cl_type,
                                           size_t element_bytes)
{
    return (struct rg_shape){
        .kind = RG_SHAPE_SCALAR, .name = name, .element_bytes = element_bytes, .c_type = c_type, .cl_type = cl_type};
}

/** Make everything but the session. */
static inline void bench_init(struct bench *bench, const struct rg_backend *backend, const char *source,
                              const char *entry, const struct rg_shape *shapes, size_t shape_count)
{
    memset(bench, 0, sizeof *bench);
    bench->context = test_context();
    bench->backend = backend;
    folder_make(bench->folder, "backend");
    snprintf(bench->path, sizeof bench->path, "%s/kernel source.c", bench->folder);
    write_text(bench->path, source);
    rg_buffer_init(&bench->text, bench->context);
    bench->trouble.text = &bench->text;
    bench->request = (struct rg_session_request){
        .context = bench->context,
        .entry = entry,
        .source_path = bench->path,
        .source_text = source,
        .source_folder = bench->folder,
        .shapes = shapes,
        .shape_count = shape_count,
        .work_folder = bench->folder,
    };
}

static inline void bench_open(struct bench *bench, const struct rg_backend *backend, const char *source,
                              const char *entry, const struct rg_shape *shapes, size_t shape_count)
{
    bench_init(bench, backend, source, entry, shapes, shape_count);
    assert_ok(backend->open(&bench->request, &bench->session, &bench->error), &bench->error);
}

/** Forget the last trouble and error. */
static inline void bench_calm(struct bench *bench)
{
    rg_buffer_clear(&bench->text);
    bench->trouble.outcome = RIDGE_OUTCOME_OK;
    bench->error = (struct ridge_error){0};
}

static inline void bench_close(struct bench *bench)
{
    bench->backend->close(bench->session);
    rg_buffer_fini(&bench->text);
    ridge_context_destroy(bench->context);
    folder_remove(bench->folder);
}

/** Build; `kernel` NULL when it did not come to one. */
static inline ridge_status bench_build(struct bench *bench, const struct rg_macro *macros, size_t macro_count,
                                       const struct rg_launch *launch, struct rg_kernel **kernel)
{
    *kernel = NULL;
    bench_calm(bench);
    return bench->backend->build(bench->session, macros, macro_count, launch, kernel, &bench->trouble, &bench->error);
}

static inline double bench_launch(struct bench *bench, struct rg_kernel *kernel, const struct rg_launch *launch)
{
    double seconds = -1;
    bench_calm(bench);
    assert_ok(bench->backend->launch(bench->session, kernel, launch, &seconds, &bench->trouble, &bench->error),
              &bench->error);
    return seconds;
}

/** Evicting needs a session that was opened cold: such a one stays open, and has evicted twice. */
static inline void bench_evict_twice(struct bench *bench, const struct rg_backend *backend, const char *source,
                                     const char *entry)
{
    bench_open(bench, backend, source, entry, NULL, 0);
    assert_int_equal(backend->evict(bench->session, &bench->error), RIDGE_E_ARGUMENT);
    backend->close(bench->session);
    bench->request.cold = true;
    bench_calm(bench);
    assert_ok(backend->open(&bench->request, &bench->session, &bench->error), &bench->error);
    assert_ok(backend->evict(bench->session, &bench->error), &bench->error);
    assert_ok(backend->evict(bench->session, &bench->error), &bench->error);
}

/** Fail unless the trouble is this one and its text has that piece. */
static inline void assert_trouble(const struct bench *bench, ridge_outcome outcome, const char *piece)
{
    if (bench->trouble.outcome != outcome || !strstr(rg_buffer_text(&bench->text), piece)) {
        fail_msg("trouble is %d: %s\nnot %d with: %s", (int)bench->trouble.outcome, rg_buffer_text(&bench->text),
                 (int)outcome, piece);
    }
}

/** Look at the guard zones: damage is told once, in words that hold `says`, and repaired. \param says  NULL: no damage */
static inline void assert_guards(struct bench *bench, const char *says)
{
    assert_ok(bench->backend->guards_check(bench->session, &bench->trouble, &bench->error), &bench->error);
    if (says) {
        assert_trouble(bench, RIDGE_OUTCOME_WRONG, says);
        bench_calm(bench);
        assert_ok(bench->backend->guards_check(bench->session, &bench->trouble, &bench->error), &bench->error);
    }
    assert_int_equal(bench->trouble.outcome, RIDGE_OUTCOME_OK);
}

/** Fail unless the error's whole text has that piece. */
static inline void assert_error_says(const struct ridge_error *error, const char *piece)
{
    char text[4096];
    ridge_error_format(error, text, sizeof text);
    if (!strstr(text, piece)) {
        fail_msg("error is: %s\nwithout: %s", text, piece);
    }
}

#endif
