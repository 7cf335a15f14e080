/* SPDX-License-Identifier: MIT */
#include "backend/bench_device.h"

#include <string.h>

#include "base/error.h"

/** Keep the facts of the device whose selector is the wanted one. */
static void facts_visit(void *user, const struct rg_device_facts *facts)
{
    struct rg_device_facts *wanted = user;
    if (strcmp(facts->selector, wanted->selector) == 0) {
        *wanted = *facts;
    }
}

ridge_status rg_bench_device_facts(const struct ridge_context *context, const struct rg_backend *backend,
                                   unsigned platform_index, unsigned device_index, struct rg_device_facts *out,
                                   struct ridge_error *error)
{
    memset(out, 0, sizeof *out);
    rg_device_selector(backend, platform_index, device_index, out->selector, sizeof out->selector);
    return backend->enumerate(context, facts_visit, out, error);
}

ridge_status rg_bench_open(const struct ridge_context *context, const struct rg_device_choice *choice,
                           struct rg_bench **out, struct ridge_error *error)
{
    static const struct rg_bench_ops *const all[] = {&rg_bench_opencl, &rg_bench_cuda};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i]->backend == choice->backend) {
            const ridge_status status = all[i]->open(context, choice, out, error);
            if (status == RIDGE_OK) {
                (*out)->ops = all[i];
            }
            return status;
        }
    }
    return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                        "%s has no device that kernels can be timed on (opencl and cuda have)", choice->backend->name);
}

void rg_bench_close(struct rg_bench *bench)
{
    if (bench) {
        bench->ops->close(bench);
    }
}

const struct rg_bench_facts *rg_bench_facts_of(const struct rg_bench *bench)
{
    return &bench->facts;
}

ridge_status rg_bench_kernel_build(struct rg_bench *bench, const char *source, const char *options, const char *name,
                                   size_t *kernel, struct ridge_error *error)
{
    return bench->ops->kernel_build(bench, source, options, name, kernel, error);
}

ridge_status rg_bench_buffer_make(struct rg_bench *bench, size_t bytes, size_t *buffer, struct ridge_error *error)
{
    return bench->ops->buffer_make(bench, bytes, buffer, error);
}

ridge_status rg_bench_write(struct rg_bench *bench, size_t buffer, size_t at, size_t bytes, const void *from,
                            struct ridge_error *error)
{
    return bench->ops->write(bench, buffer, at, bytes, from, error);
}

ridge_status rg_bench_read(struct rg_bench *bench, size_t buffer, size_t at, size_t bytes, void *to,
                           struct ridge_error *error)
{
    return bench->ops->read(bench, buffer, at, bytes, to, error);
}

ridge_status rg_bench_flight_add(struct rg_bench *bench, const struct rg_bench_launch *launch, bool first,
                                 struct ridge_error *error)
{
    return bench->ops->flight_add(bench, launch, first, error);
}

ridge_status rg_bench_flight_end(struct rg_bench *bench, struct rg_bench_times *times, struct ridge_error *error)
{
    return bench->ops->flight_end(bench, times, error);
}

ridge_status rg_bench_launch_once(struct rg_bench *bench, const struct rg_bench_launch *launch,
                                  struct rg_bench_times *times, struct ridge_error *error)
{
    const ridge_status status = rg_bench_flight_add(bench, launch, true, error);
    return status == RIDGE_OK ? rg_bench_flight_end(bench, times, error) : status;
}
