/* SPDX-License-Identifier: MIT */
/**
 * \file A way to run and time kernels. All instances are static const and listed in rg_backends[] (backend.c).
 *
 * A tool failing and a configuration failing are two things: a hook returns a status other than RIDGE_OK only when the
 * tool itself cannot go on (device lost, entry not in the source, argument that does not fit the kernel in any
 * configuration); what is wrong with one configuration is told in struct rg_trouble with RIDGE_OK returned.
 * Thread rule: a session belongs to one thread; the hooks of a session are called in a worker process.
 */
#ifndef RG_BACKEND_BACKEND_H
#define RG_BACKEND_BACKEND_H

#include "backend/launch.h"
#include "base/buffer.h"

/** What a device is, as its driver says. Unknown numbers are 0. */
struct rg_device_facts {
    char name[256];
    char platform[256]; /**< OpenCL platform name; "" elsewhere */
    char driver[256];   /**< driver and version; compiler and version for the host */
    char version[128];  /**< such as "OpenCL 3.0 PoCL ..." */
    char kind[16];      /**< "cpu", "gpu", "accelerator" */
    char selector[32];  /**< what --device takes for it, such as "opencl:0:0" */
    uint32_t compute_units;
    uint64_t memory_bytes;
    uint64_t max_allocation_bytes;
    uint64_t local_memory_bytes;
    uint64_t max_block_threads;
    uint64_t max_block[3];
    char note[1024]; /**< such as where the driver and the device database disagree; "" when nothing is to be said */
};

/** What a configuration came to when it was not well. */
struct rg_trouble {
    ridge_outcome outcome;  /**< RIDGE_OUTCOME_OK: no trouble */
    struct rg_buffer *text; /**< why: first line is the reason; the whole log behind it. Owned by the caller */
    bool spoilt;            /**< the session can do nothing more: its process is not to be used again */
};

/** Set a trouble: outcome and formatted text. The first wins. `trouble` and its text may be NULL. */
void rg_trouble_set(struct rg_trouble *trouble, ridge_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Set trouble from a compiler's log: its reason as the first line, the whole log behind it. */
void rg_trouble_log(struct rg_trouble *trouble, ridge_outcome outcome, const struct rg_buffer *log);

/** What became of a configuration when it was recorded. Borrowed. */
struct rg_recorded {
    ridge_outcome outcome;
    const char *text; /**< why it failed; NULL when it did not */
    const double *samples_s;
    uint64_t sample_count; /**< at least 1 when the outcome is ok */
};

/** Recorded results as a device (--device replay:FILE): backends may not read files of records, so whoever opens the
 * session reads them and answers for each configuration. */
struct rg_recording {
    const char *device; /**< that it was recorded on */
    const char *driver; /**< what the file is, with its hash: another file is another driver */
    /** \return what was recorded, or NULL. Macros are in the order of the spec's dimensions. */
    const struct rg_recorded *(*find)(const struct rg_recording *recording, const struct rg_macro *macros,
                                      size_t macro_count);
};

struct rg_session; /**< each backend's own */
struct rg_kernel;  /**< a built configuration, each backend's own */

/** How to open a device. Everything is borrowed and outlives the session. */
struct rg_session_request {
    const struct ridge_context *context;
    unsigned platform_index; /**< OpenCL platform; 0 elsewhere */
    unsigned device_index;
    const char *entry;       /**< function to launch */
    const char *source_path; /**< as shown in messages */
    const char *source_text;
    const char *source_folder;     /**< for #include */
    const struct rg_shape *shapes; /**< the arguments */
    size_t shape_count;
    const char *work_folder;              /**< a private folder for temporary files; the caller removes it */
    bool cold;                            /**< `evict` will be called: make what it needs */
    const struct rg_recording *recording; /**< replay: the results; NULL elsewhere */
    const char *cuda_path;                /**< cuda: a toolkit's folder or an NVRTC library; NULL: looked for */
    const char *artifact_folder;          /**< cuda: compiled kernels are kept here; NULL: not kept */
    bool bare; /**< cuda: for a judge beside it: buffers are allocated as large as they are, without guard zones that
                  would hide a stray access, and the code names its lines */
};

struct rg_backend {
    const char *name;            /**< unique; what --device takes */
    rg_source_language language; /**< which source of the spec it runs */
    unsigned numbers;            /**< --device takes so many behind its name: 0, 1 (device), 2 (platform and device) */
    bool computes;               /**< false: it runs nothing and outputs mean nothing: nothing to verify */

    /**
     * Visit the devices that are here, with everything known about them. Required.
     * \retval RIDGE_E_UNAVAILABLE  with the reason (no library, no platform, no device, no compiler)
     */
    ridge_status (*enumerate)(const struct ridge_context *context,
                              void (*visit)(void *user, const struct rg_device_facts *facts), void *user,
                              struct ridge_error *error);

    /** Open a device and make the argument buffers, unfilled, with guard zones around them. Required. */
    ridge_status (*open)(const struct rg_session_request *request, struct rg_session **out, struct ridge_error *error);
    void (*close)(struct rg_session *session); /**< NULL is fine. Required. */

    /** Copy into (`from`) or out of (`to`) the buffer of argument number `argument`, whole. Required. */
    ridge_status (*buffer_write)(struct rg_session *session, size_t argument, const void *from,
                                 struct ridge_error *error);
    ridge_status (*buffer_read)(struct rg_session *session, size_t argument, void *to, struct ridge_error *error);

    /** Look at the guard zones of all buffers; damage is trouble (RIDGE_OUTCOME_WRONG) that names argument and side. */
    ridge_status (*guards_check)(struct rg_session *session, struct rg_trouble *trouble, struct ridge_error *error);

    /** Build one configuration. Trouble: RIDGE_OUTCOME_COMPILE with the log, RIDGE_OUTCOME_UNLAUNCHABLE. Required. */
    ridge_status (*build)(struct rg_session *session, const struct rg_macro *macros, size_t macro_count,
                          const struct rg_launch *launch, struct rg_kernel **out, struct rg_trouble *trouble,
                          struct ridge_error *error);
    void (*kernel_destroy)(struct rg_session *session, struct rg_kernel *kernel); /**< NULL kernel is fine. Required. */

    /**
     * Launch once, wait, and say how long the device took (event time where there is one). Required.
     * Trouble: RIDGE_OUTCOME_UNLAUNCHABLE, RIDGE_OUTCOME_LAUNCH.
     */
    ridge_status (*launch)(struct rg_session *session, struct rg_kernel *kernel, const struct rg_launch *launch,
                           double *seconds, struct rg_trouble *trouble, struct ridge_error *error);

    /** Say how many launches of a kernel give times of their own: recorded ones. NULL: any number. The times are taken
     * once each, without warming up, and are not measured again later. */
    uint64_t (*sample_count)(const struct rg_kernel *kernel);

    /** Drive the argument buffers out of the device's caches. Required. */
    ridge_status (*evict)(struct rg_session *session, struct ridge_error *error);
};

/** Every backend, ended by NULL. */
extern const struct rg_backend *const rg_backends[];

extern const struct rg_backend rg_backend_opencl; /**< OpenCL devices */
extern const struct rg_backend rg_backend_cuda;   /**< NVIDIA GPUs, through the driver API */
extern const struct rg_backend rg_backend_host;   /**< C functions on this machine's processors */
extern const struct rg_backend rg_backend_null;   /**< invented times: tests of all that is not a backend */
extern const struct rg_backend
    rg_backend_replay; /**< recorded times; not in rg_backends: it is no device of a machine */

/** Write what is known of the device of a recording. */
void rg_recording_facts(const struct rg_recording *recording, struct rg_device_facts *out);

/** \return the backend whose name is the first `length` bytes of `name`, or NULL. */
const struct rg_backend *rg_backend_find(const char *name, size_t length);

/** Whether no dimension of a launch is 0; if one is, set trouble (RIDGE_OUTCOME_UNLAUNCHABLE). */
bool rg_launch_is_positive(const struct rg_launch *launch, struct rg_trouble *trouble);

/** A device as --device names it: "opencl", "opencl:1" (platform), "opencl:0:1" (and device), "cuda",
 * "cuda:1", "host", "null", "replay:FILE". */
struct rg_device_choice {
    const struct rg_backend *backend;
    unsigned platform_index;
    unsigned device_index;
    const char *file; /**< replay: borrowed from the text; NULL elsewhere */
};

/** Write what --device takes for a device, such as "opencl:0:1". */
void rg_device_selector(const struct rg_backend *backend, unsigned platform_index, unsigned device_index, char *out,
                        size_t bytes);

/** Read a --device text. \retval RIDGE_E_UNAVAILABLE unknown backend (the known ones are listed), or bad numbers. */
ridge_status rg_device_choose(const char *text, struct rg_device_choice *out, struct ridge_error *error);

#endif
