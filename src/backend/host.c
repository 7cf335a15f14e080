/* SPDX-License-Identifier: MIT */
/**
 * \file The host backend: C functions on this machine's processors. A launch is one call; grid and block are the
 * source's business (as macros). Buffers end at memory that may not be touched, so that a far write past them
 * crashes and a near one damages a pattern.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/guard.h"
#include "backend/host_compile.h"
#include "base/checked.h"
#include "base/clock.h"
#include "base/error.h"

enum {
    DATA_ALIGNMENT = 64,
    FENCE_BYTES = 1 << 20 /* on each side; a multiple of every page size. Address space only */
};

static const size_t least_scratch_bytes = (size_t)64 << 20;
static const size_t usual_scratch_bytes = (size_t)256 << 20;
static const size_t max_scratch_bytes = (size_t)512 << 20;

/** Pages between two fences that may not be touched; the data lies at their end, the rest holds the pattern. */
struct host_buffer {
    unsigned char *mapping; /**< NULL: none */
    size_t mapping_bytes;
    unsigned char *pages;
    size_t before; /**< pattern bytes in front of the data */
    size_t bytes;
    size_t behind;
};

struct rg_session {
    struct rg_session_request request;
    struct host_buffer *buffers; /**< one a shape */
    void **pointers;             /**< what the wrapper takes, one a shape */
    uint64_t *values;            /**< scalars of the launch */
    unsigned char *scratch;
    size_t scratch_bytes;
    unsigned char round;
    unsigned builds; /**< numbers the programs */
};

struct rg_kernel {
    struct rg_host_program program;
};

static uint64_t memory_bytes(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

/** Processors this process may run on: what an OpenMP kernel will use. */
static uint32_t processor_count(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return (uint32_t)CPU_COUNT(&set);
    }
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 0;
}

/** The processor's name from /proc/cpuinfo, exactly as it stands there. */
static void processor_name(char *out, size_t room)
{
    snprintf(out, room, "processor");
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file) {
        return;
    }
    char line[512];
    while (fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) {
            continue;
        }
        const char *name = colon + strspn(colon, ": \t");
        snprintf(out, room, "%.*s", (int)strcspn(name, "\n"), name);
        break;
    }
    fclose(file);
}

static ridge_status enumerate(const struct ridge_context *context,
                              void (*visit)(void *user, const struct rg_device_facts *facts), void *user,
                              struct ridge_error *error)
{
    struct rg_device_facts facts = {.kind = "cpu", .selector = "host"};
    const ridge_status status = rg_host_compiler_name(context, facts.driver, sizeof facts.driver, error);
    if (status != RIDGE_OK) {
        return status;
    }
    processor_name(facts.name, sizeof facts.name);
    facts.compute_units = processor_count();
    facts.memory_bytes = memory_bytes();
    facts.max_allocation_bytes = facts.memory_bytes;
    visit(user, &facts);
    return RIDGE_OK;
}

static void buffer_close(struct host_buffer *buffer)
{
    if (buffer->mapping) {
        munmap(buffer->mapping, buffer->mapping_bytes);
    }
}

static void close_session(struct rg_session *session)
{
    if (!session) {
        return;
    }
    const struct ridge_context *context = session->request.context;
    const size_t count = session->request.shape_count;
    for (size_t i = 0; session->buffers && i < count; i++) {
        buffer_close(&session->buffers[i]);
    }
    if (session->scratch) {
        munmap(session->scratch, session->scratch_bytes);
    }
    rg_free(context, session->buffers, (count + 1) * sizeof *session->buffers);
    rg_free(context, session->pointers, (count + 1) * sizeof *session->pointers);
    rg_free(context, session->values, (count + 1) * sizeof *session->values);
    rg_free(context, session, sizeof *session);
}

static ridge_status too_large(const struct rg_shape *shape, int errno_value, struct ridge_error *error)
{
    return rg_error_set(error, RIDGE_E_LIMIT, "no memory for '%s': %llu bytes (the machine has %llu in all): %s",
                        shape->name, (unsigned long long)shape->bytes, (unsigned long long)memory_bytes(),
                        strerror(errno_value));
}

static ridge_status buffer_open(struct host_buffer *buffer, const struct rg_shape *shape, struct ridge_error *error)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t padded;
    if (shape->bytes > SIZE_MAX / 2 || !rg_add_size((size_t)shape->bytes, (2 * (size_t)FENCE_BYTES) + page, &padded)) {
        return too_large(shape, ENOMEM, error);
    }
    buffer->bytes = (size_t)shape->bytes;
    const size_t inner = (buffer->bytes + page - 1) / page * page;
    const size_t mapping_bytes = inner + (2 * (size_t)FENCE_BYTES);
    unsigned char *mapping = mmap(NULL, mapping_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) {
        return too_large(shape, errno, error);
    }
    buffer->mapping = mapping;
    buffer->mapping_bytes = mapping_bytes;
    buffer->pages = mapping + FENCE_BYTES;
    if (mprotect(buffer->pages, inner, PROT_READ | PROT_WRITE) != 0) {
        return too_large(shape, errno, error);
    }
    buffer->before = (inner - buffer->bytes) / DATA_ALIGNMENT * DATA_ALIGNMENT;
    buffer->behind = inner - buffer->bytes - buffer->before;
    rg_guard_fill(buffer->pages, buffer->before);
    rg_guard_fill(buffer->pages + buffer->before + buffer->bytes, buffer->behind);
    return RIDGE_OK;
}

static ridge_status buffers_open(struct rg_session *session, struct ridge_error *error)
{
    const uint64_t have = memory_bytes();
    uint64_t sum = 0;
    for (size_t i = 0; i < session->request.shape_count; i++) {
        const struct rg_shape *shape = &session->request.shapes[i];
        if (shape->kind == RG_SHAPE_BUFFER && __builtin_add_overflow(sum, shape->bytes, &sum)) {
            sum = UINT64_MAX;
        }
    }
    if (have > 0 && sum > have) {
        return rg_error_set(error, RIDGE_E_LIMIT, "the buffers have %llu bytes together, more than the machine (%llu)",
                            (unsigned long long)sum, (unsigned long long)have);
    }
    for (size_t i = 0; i < session->request.shape_count; i++) {
        struct host_buffer *buffer = &session->buffers[i];
        if (session->request.shapes[i].kind != RG_SHAPE_BUFFER) {
            session->pointers[i] = &session->values[i];
            continue;
        }
        const ridge_status status = buffer_open(buffer, &session->request.shapes[i], error);
        if (status != RIDGE_OK) {
            return status;
        }
        session->pointers[i] = buffer->pages + buffer->before;
    }
    return RIDGE_OK;
}

/** Memory to write through: twice the last-level cache, within reason. */
static ridge_status scratch_open(struct rg_session *session, struct ridge_error *error)
{
    const long cache_bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    size_t bytes = cache_bytes > 0 ? 2 * (size_t)cache_bytes : usual_scratch_bytes;
    bytes = bytes < least_scratch_bytes ? least_scratch_bytes : bytes;
    bytes = bytes > max_scratch_bytes ? max_scratch_bytes : bytes;
    void *mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) {
        return rg_error_system(error, RIDGE_E_LIMIT, errno, NULL,
                               "no memory to drive the caches out: %zu bytes (measure warm)", bytes);
    }
    session->scratch = mapping;
    session->scratch_bytes = bytes;
    return RIDGE_OK;
}

static ridge_status open_session(const struct rg_session_request *request, struct rg_session **out,
                                 struct ridge_error *error)
{
    struct rg_session *session = rg_alloc(request->context, sizeof *session);
    if (!session) {
        return rg_error_memory(error, sizeof *session);
    }
    session->request = *request;
    const size_t count = request->shape_count + 1; /* a spec may have no arguments */
    session->buffers = rg_alloc(request->context, count * sizeof *session->buffers);
    session->pointers = rg_alloc(request->context, count * sizeof *session->pointers);
    session->values = rg_alloc(request->context, count * sizeof *session->values);
    if (!session->buffers || !session->pointers || !session->values) {
        close_session(session);
        return rg_error_memory(error, count * sizeof *session->buffers);
    }
    ridge_status status = buffers_open(session, error);
    if (status == RIDGE_OK && request->cold) {
        status = scratch_open(session, error);
    }
    if (status != RIDGE_OK) {
        close_session(session);
        return status;
    }
    *out = session;
    return RIDGE_OK;
}

static ridge_status buffer_write(struct rg_session *session, size_t argument, const void *from,
                                 struct ridge_error *error)
{
    (void)error;
    memcpy(session->pointers[argument], from, session->buffers[argument].bytes);
    return RIDGE_OK;
}

static ridge_status buffer_read(struct rg_session *session, size_t argument, void *to, struct ridge_error *error)
{
    (void)error;
    memcpy(to, session->pointers[argument], session->buffers[argument].bytes);
    return RIDGE_OK;
}

static ridge_status guards_check(struct rg_session *session, struct rg_trouble *trouble, struct ridge_error *error)
{
    (void)error;
    for (size_t i = 0; i < session->request.shape_count; i++) {
        const struct rg_shape *shape = &session->request.shapes[i];
        struct host_buffer *buffer = &session->buffers[i];
        unsigned char *behind = buffer->pages + buffer->before + buffer->bytes;
        if (shape->kind != RG_SHAPE_BUFFER) {
            continue;
        }
        if (rg_guard_damaged(buffer->pages, buffer->before, RG_GUARD_BEFORE, shape, trouble)) {
            rg_guard_fill(buffer->pages, buffer->before);
        }
        if (rg_guard_damaged(behind, buffer->behind, RG_GUARD_BEHIND, shape, trouble)) {
            rg_guard_fill(behind, buffer->behind);
        }
    }
    return RIDGE_OK;
}

static ridge_status build(struct rg_session *session, const struct rg_macro *macros, size_t macro_count,
                          const struct rg_launch *launch, struct rg_kernel **out, struct rg_trouble *trouble,
                          struct ridge_error *error)
{
    if (!rg_launch_is_positive(launch, trouble)) {
        return RIDGE_OK;
    }
    const struct rg_session_request *request = &session->request;
    const struct rg_host_source source = {
        .context = request->context,
        .work_folder = request->work_folder,
        .number = session->builds++,
        .path = request->source_path,
        .entry = request->entry,
        .shapes = request->shapes,
        .shape_count = request->shape_count,
        .macros = macros,
        .macro_count = macro_count,
    };
    struct rg_kernel *kernel = rg_alloc(request->context, sizeof *kernel);
    if (!kernel) {
        return rg_error_memory(error, sizeof *kernel);
    }
    const ridge_status status = rg_host_compile(&source, &kernel->program, trouble, error);
    if (!kernel->program.library) {
        rg_free(request->context, kernel, sizeof *kernel);
        return status;
    }
    *out = kernel;
    return RIDGE_OK;
}

static void kernel_destroy(struct rg_session *session, struct rg_kernel *kernel)
{
    if (kernel) {
        rg_host_program_fini(&kernel->program);
        rg_free(session->request.context, kernel, sizeof *kernel);
    }
}

static ridge_status launch_once(struct rg_session *session, struct rg_kernel *kernel, const struct rg_launch *launch,
                                double *seconds, struct rg_trouble *trouble, struct ridge_error *error)
{
    (void)error;
    if (!rg_launch_is_positive(launch, trouble)) {
        return RIDGE_OK;
    }
    for (size_t i = 0; i < session->request.shape_count; i++) {
        if (session->request.shapes[i].kind != RG_SHAPE_BUFFER) {
            session->values[i] = launch->scalars[i];
        }
    }
    const uint64_t begin_ns = rg_clock_ns();
    kernel->program.call(session->pointers);
    *seconds = (double)(rg_clock_ns() - begin_ns) * 1e-9;
    return RIDGE_OK;
}

static ridge_status evict(struct rg_session *session, struct ridge_error *error)
{
    if (!session->scratch) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "evict was called on a session that was not opened cold");
    }
    session->round++;
    memset(session->scratch, session->round, session->scratch_bytes);
    __asm__ volatile("" ::"r"(session->scratch) : "memory"); /* nobody reads it: keep the writes */
    return RIDGE_OK;
}

const struct rg_backend rg_backend_host = {
    .name = "host",
    .language = RG_SOURCE_C,
    .computes = true,
    .enumerate = enumerate,
    .open = open_session,
    .close = close_session,
    .buffer_write = buffer_write,
    .buffer_read = buffer_read,
    .guards_check = guards_check,
    .build = build,
    .kernel_destroy = kernel_destroy,
    .launch = launch_once,
    .evict = evict,
};
