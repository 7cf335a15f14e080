/* SPDX-License-Identifier: MIT */
/**
 * \file An OpenCL device to measure with: buffers, kernels and timed launches, without a type of OpenCL. What is
 * measured with them is decided by src/curve. Thread rule: a device belongs to one thread; a driver may start threads,
 * so a process that will fork afterwards opens none.
 */
#ifndef RG_BACKEND_OPENCL_BENCH_H
#define RG_BACKEND_OPENCL_BENCH_H

#include "backend/backend.h"

enum {
    RG_CL_BUFFERS = 8, /**< at most, of a device */
    RG_CL_KERNELS = 16 /**< at most, of a device */
};

struct rg_cl;

/** What is known of the device beyond its facts. Numbers are 0 where the driver does not say. */
struct rg_cl_facts {
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
struct rg_cl_times {
    double device_s; /**< from the begin of the first to the end of the last, by events; NaN: none to be had */
    double wall_s;   /**< enqueued until known to be done, by the host's clock */
    double wait_s;   /**< one launch: from queued to begun; NaN: none to be had */
};

/** One argument of a kernel: a buffer, or bytes. */
struct rg_cl_argument {
    const void *value; /**< NULL: `buffer` */
    size_t bytes;
    size_t buffer; /**< number of a buffer */
};

/** A launch: one dimension. */
struct rg_cl_launch {
    size_t kernel; /**< number of a kernel */
    size_t global;
    size_t local; /**< 0: the driver chooses */
    const struct rg_cl_argument *arguments;
    size_t argument_count;
};

/** Open a device. \retval RIDGE_E_UNAVAILABLE no library, no such device */
ridge_status rg_cl_open(const struct ridge_context *context, unsigned platform_index, unsigned device_index,
                        struct rg_cl **out, struct ridge_error *error);
void rg_cl_close(struct rg_cl *cl); /**< NULL is fine */
const struct rg_cl_facts *rg_cl_facts_of(const struct rg_cl *cl);

/** Build a program of its own and take one kernel of it. The compiler's log is in the error. \param options  of the
 * compiler, "" for none \param[out] kernel  its number */
ridge_status rg_cl_kernel_build(struct rg_cl *cl, const char *source, const char *options, const char *name,
                                size_t *kernel, struct ridge_error *error);

/** Make a buffer. \retval RIDGE_E_LIMIT the device has not so much memory */
ridge_status rg_cl_buffer_make(struct rg_cl *cl, size_t bytes, size_t *buffer, struct ridge_error *error);
void rg_cl_buffer_free(struct rg_cl *cl, size_t buffer);
ridge_status rg_cl_write(struct rg_cl *cl, size_t buffer, size_t at, size_t bytes, const void *from,
                         struct ridge_error *error);
ridge_status rg_cl_read(struct rg_cl *cl, size_t buffer, size_t at, size_t bytes, void *to, struct ridge_error *error);

/** Launch once and wait. A failed launch is an error and no time. */
ridge_status rg_cl_launch_once(struct rg_cl *cl, const struct rg_cl_launch *launch, struct rg_cl_times *times,
                               struct ridge_error *error);

/** Enqueue a launch, so that several are in flight. `first` begins a row of them, which rg_cl_flight_end waits for. */
ridge_status rg_cl_flight_add(struct rg_cl *cl, const struct rg_cl_launch *launch, bool first,
                              struct ridge_error *error);
ridge_status rg_cl_flight_end(struct rg_cl *cl, struct rg_cl_times *times, struct ridge_error *error);

#endif
