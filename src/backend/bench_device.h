/* SPDX-License-Identifier: MIT */
/**
 * \file A device to measure with: buffers, kernels and timed launches, without a type of a vendor. Kernels are written in
 * OpenCL C; what of it the probes use means the same on CUDA (cuda_bench.c). What is measured is decided by src/curve.
 * Thread rule: a device belongs to one thread; a driver may start threads, so a process that will fork afterwards opens
 * none.
 */
#ifndef RG_BACKEND_BENCH_DEVICE_H
#define RG_BACKEND_BENCH_DEVICE_H

#include "backend/backend.h"

enum {
    RG_BENCH_BUFFERS = 8, /**< at most, of a device */
    RG_BENCH_KERNELS = 16 /**< at most, of a device */
};

struct rg_bench;

/** What is known of the device beyond its facts. Numbers are 0 where the driver does not say. */
struct rg_bench_facts {
    struct rg_device_facts device;
    bool cpu;            /**< a processor: each work-item should walk memory of its own */
    bool profiling;      /**< device times are to be had */
    bool f64;            /**< it computes with doubles */
    bool fma_f32;        /**< fma() is an instruction */
    unsigned width_f32;  /**< preferred elements of a vector */
    unsigned width_f64;  /**< 0: no doubles */
    unsigned width_bits; /**< of a preferred vector of 32-bit integers */
};

/** Times of launches. */
struct rg_bench_times {
    double device_s; /**< from the begin of the first to the end of the last, by events; NaN: none to be had */
    double wall_s;   /**< enqueued until known to be done, by the host's clock */
    double wait_s;   /**< one launch: from queued to begun; NaN: none to be had */
};

/** One argument of a kernel: a buffer, or bytes. */
struct rg_bench_argument {
    const void *value; /**< NULL: `buffer` */
    size_t bytes;
    size_t buffer; /**< number of a buffer */
};

/** A launch: one dimension. */
struct rg_bench_launch {
    size_t kernel; /**< number of a kernel */
    size_t global;
    size_t local; /**< 0: the driver chooses */
    const struct rg_bench_argument *arguments;
    size_t argument_count;
};

struct rg_bench_ops;

/** An opened device; each backend's own struct begins with it. */
struct rg_bench {
    const struct rg_bench_ops *ops;
    const struct ridge_context *context;
    struct rg_bench_facts facts;
};

/** What a backend does for the calls below. */
struct rg_bench_ops {
    const struct rg_backend *backend;
    ridge_status (*open)(const struct ridge_context *context, const struct rg_device_choice *choice,
                         struct rg_bench **out, struct ridge_error *error);
    void (*close)(struct rg_bench *bench);
    ridge_status (*kernel_build)(struct rg_bench *bench, const char *source, const char *options, const char *name,
                                 size_t *kernel, struct ridge_error *error);
    ridge_status (*buffer_make)(struct rg_bench *bench, size_t bytes, size_t *buffer, struct ridge_error *error);
    ridge_status (*write)(struct rg_bench *bench, size_t buffer, size_t at, size_t bytes, const void *from,
                          struct ridge_error *error);
    ridge_status (*read)(struct rg_bench *bench, size_t buffer, size_t at, size_t bytes, void *to,
                         struct ridge_error *error);
    ridge_status (*flight_add)(struct rg_bench *bench, const struct rg_bench_launch *launch, bool first,
                               struct ridge_error *error);
    ridge_status (*flight_end)(struct rg_bench *bench, struct rg_bench_times *times, struct ridge_error *error);
};

/** For the backends: the facts of one device, as enumerating tells them; where it is not told, its selector only. */
ridge_status rg_bench_device_facts(const struct ridge_context *context, const struct rg_backend *backend,
                                   unsigned platform_index, unsigned device_index, struct rg_device_facts *out,
                                   struct ridge_error *error);

extern const struct rg_bench_ops rg_bench_opencl;
extern const struct rg_bench_ops rg_bench_cuda;

/** Open a device. \retval RIDGE_E_UNAVAILABLE no library, no such device */
ridge_status rg_bench_open(const struct ridge_context *context, const struct rg_device_choice *choice,
                           struct rg_bench **out, struct ridge_error *error);
void rg_bench_close(struct rg_bench *bench); /**< NULL is fine */
const struct rg_bench_facts *rg_bench_facts_of(const struct rg_bench *bench);

/** Build a program of its own and take one kernel of it. The compiler's log is in the error. \param options  of the
 * compiler, "" for none \param[out] kernel  its number */
ridge_status rg_bench_kernel_build(struct rg_bench *bench, const char *source, const char *options, const char *name,
                                   size_t *kernel, struct ridge_error *error);

/** Make a buffer. \retval RIDGE_E_LIMIT the device has not so much memory */
ridge_status rg_bench_buffer_make(struct rg_bench *bench, size_t bytes, size_t *buffer, struct ridge_error *error);
ridge_status rg_bench_write(struct rg_bench *bench, size_t buffer, size_t at, size_t bytes, const void *from,
                            struct ridge_error *error);
ridge_status rg_bench_read(struct rg_bench *bench, size_t buffer, size_t at, size_t bytes, void *to,
                           struct ridge_error *error);

/** Launch once and wait. A failed launch is an error and no time. */
ridge_status rg_bench_launch_once(struct rg_bench *bench, const struct rg_bench_launch *launch,
                                  struct rg_bench_times *times, struct ridge_error *error);

/** Enqueue a launch, so that several are in flight. `first` begins a row of them, which rg_bench_flight_end waits for. */
ridge_status rg_bench_flight_add(struct rg_bench *bench, const struct rg_bench_launch *launch, bool first,
                                 struct ridge_error *error);
ridge_status rg_bench_flight_end(struct rg_bench *bench, struct rg_bench_times *times, struct ridge_error *error);

#endif
