/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "backend/opencl.h"
#include "base/checked.h"
#include "base/error.h"

enum {
    TYPE_BYTES = 128
};

/** Scalar types of OpenCL C; types with the same size and class fit each other: int and uint. */
struct type_row {
    const char *name;
    unsigned bytes;
    bool floating;
};

static const struct type_row types[] = {
    {"char", 1, false},           {"uchar", 1, false}, {"unsigned char", 1, false}, {"short", 2, false},
    {"ushort", 2, false},         {"half", 2, true},   {"int", 4, false},           {"uint", 4, false},
    {"unsigned short", 2, false}, {"float", 4, true},  {"unsigned int", 4, false},  {"long", 8, false},
    {"ulong", 8, false},          {"double", 8, true}, {"unsigned long", 8, false},
};

static const struct type_row *type_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0) {
            return &types[i];
        }
    }
    return NULL;
}

/** Split "float4*" into its element type, NULL when that is no scalar (a structure, an image), and what follows. */
static const struct type_row *type_split(const char *text, bool *vector, bool *pointer)
{
    size_t length = strlen(text);
    *pointer = length > 0 && text[length - 1] == '*';
    while (length > 0 && (text[length - 1] == '*' || text[length - 1] == ' ')) {
        length--;
    }
    const size_t whole = length;
    while (length > 0 && text[length - 1] >= '0' && text[length - 1] <= '9') {
        length--;
    }
    *vector = length < whole;
    return type_find(text, length);
}

/** What the kernel says of one argument. */
struct argument_facts {
    char type[TYPE_BYTES];
    cl_kernel_arg_address_qualifier address;
};

/** \return false when the driver does not tell. */
static bool argument_facts_get(const struct rg_session *session, cl_kernel kernel, cl_uint argument,
                               struct argument_facts *facts)
{
    if (!session->api.clGetKernelArgInfo) {
        return false;
    }
    memset(facts, 0, sizeof *facts);
    const cl_int typed = session->api.clGetKernelArgInfo(kernel, argument, CL_KERNEL_ARG_TYPE_NAME,
                                                         sizeof facts->type - 1, facts->type, NULL);
    const cl_int addressed = session->api.clGetKernelArgInfo(kernel, argument, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                                                             sizeof facts->address, &facts->address, NULL);
    return typed == CL_SUCCESS && addressed == CL_SUCCESS && facts->type[0] != '\0';
}

static const char *address_word(cl_kernel_arg_address_qualifier address)
{
    switch (address) {
    case CL_KERNEL_ARG_ADDRESS_GLOBAL: return "__global ";
    case CL_KERNEL_ARG_ADDRESS_LOCAL: return "__local ";
    case CL_KERNEL_ARG_ADDRESS_CONSTANT: return "__constant ";
    default: return "";
    }
}

static bool address_fits(rg_shape_kind kind, cl_kernel_arg_address_qualifier address)
{
    switch (kind) {
    case RG_SHAPE_BUFFER: return address == CL_KERNEL_ARG_ADDRESS_GLOBAL || address == CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case RG_SHAPE_LOCAL: return address == CL_KERNEL_ARG_ADDRESS_LOCAL;
    case RG_SHAPE_SCALAR:
    default: return address == CL_KERNEL_ARG_ADDRESS_PRIVATE;
    }
}

static bool type_fits(const struct rg_shape *shape, const char *name)
{
    bool vector;
    bool pointer;
    const struct type_row *there = type_split(name, &vector, &pointer);
    const struct type_row *ours = shape->cl_type ? type_find(shape->cl_type, strlen(shape->cl_type)) : NULL;
    if (shape->kind == RG_SHAPE_LOCAL || !there || !ours) {
        return true; /* local memory is bytes; a structure or typedef cannot be judged from here */
    }
    if (shape->kind == RG_SHAPE_SCALAR && (vector || pointer)) {
        return false;
    }
    return there->bytes == ours->bytes && there->floating == ours->floating;
}

static ridge_status argument_check(const struct rg_session *session, cl_kernel kernel, size_t argument,
                                   struct ridge_error *error)
{
    struct argument_facts facts;
    const struct rg_shape *shape = &session->request.shapes[argument];
    if (!argument_facts_get(session, kernel, (cl_uint)argument, &facts) ||
        (address_fits(shape->kind, facts.address) && type_fits(shape, facts.type))) {
        return RIDGE_OK;
    }
    const struct rg_place place = {.file = session->request.source_path};
    const char *const address = address_word(facts.address);
    const char *const type = shape->cl_type ? shape->cl_type : "";
    const char *const entry = session->request.entry;
    if (shape->kind == RG_SHAPE_LOCAL) {
        return rg_error_at(error, RIDGE_E_VALUE, &place,
                           "argument %zu of '%s' is %s%s, but the spec gives it local memory ('%s')", argument + 1,
                           entry, address, facts.type, shape->name);
    }
    return rg_error_at(error, RIDGE_E_VALUE, &place, "argument %zu of '%s' is %s%s, but the spec gives it %s%s ('%s')",
                       argument + 1, entry, address, facts.type,
                       shape->kind == RG_SHAPE_BUFFER ? "a buffer of " : "the scalar ", type, shape->name);
}

ridge_status rg_opencl_arguments_check(const struct rg_session *session, cl_kernel kernel, struct ridge_error *error)
{
    cl_uint count = 0;
    const cl_int code = session->api.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    if (code != CL_SUCCESS) {
        return rg_opencl_failed(error, code, "clGetKernelInfo");
    }
    if (count != session->request.shape_count) {
        const struct rg_place place = {.file = session->request.source_path};
        return rg_error_at(error, RIDGE_E_VALUE, &place, "'%s' takes %u arguments, but the spec gives it %zu",
                           session->request.entry, count, session->request.shape_count);
    }
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < count && status == RIDGE_OK; i++) {
        status = argument_check(session, kernel, i, error);
    }
    return status;
}

ridge_status rg_opencl_kernel_limits(const struct rg_session *session, struct rg_kernel *kernel,
                                     struct ridge_error *error)
{
    size_t most = 0;
    size_t wanted[3] = {0};
    cl_ulong local = 0;
    const struct {
        cl_kernel_work_group_info what;
        size_t bytes;
        void *to;
    } rows[] = {{CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most},
                {CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof wanted, wanted},
                {CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cl_int code = session->api.clGetKernelWorkGroupInfo(kernel->kernel, session->device, rows[i].what,
                                                                  rows[i].bytes, rows[i].to, NULL);
        if (code != CL_SUCCESS) {
            return rg_opencl_failed(error, code, "clGetKernelWorkGroupInfo");
        }
    }
    kernel->max_block_threads = most;
    kernel->local_bytes = local;
    for (size_t i = 0; i < 3; i++) {
        kernel->wanted_block[i] = wanted[i];
    }
    return RIDGE_OK;
}

static bool global_fits(const struct rg_session *session, const struct rg_launch *launch, struct rg_trouble *trouble)
{
    static const char axes[] = "xyz";
    const unsigned bits = session->limits.address_bits;
    const uint64_t most = bits > 0 && bits < 64 ? ((uint64_t)1 << bits) - 1 : SIZE_MAX;
    /* No device counts further in one dimension: CUDA's limit for x, and where PoCL 3.1 overflows. */
    static const uint64_t most_blocks = INT32_MAX;
    for (unsigned i = 0; i < launch->dimensions; i++) {
        uint64_t global;
        if (!rg_multiply_u64(launch->grid[i], launch->block[i], &global) || global > most) {
            rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE,
                           "%" PRIu64 " blocks of %" PRIu64
                           " threads in %c are more than the device can count (%" PRIu64 ")",
                           launch->grid[i], launch->block[i], axes[i], most);
            return false;
        }
        if (launch->grid[i] > most_blocks) {
            rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE, "grid_%c is %" PRIu64 " blocks (at most %" PRIu64 ")",
                           axes[i], launch->grid[i], most_blocks);
            return false;
        }
    }
    return true;
}

static bool block_fits(const struct rg_session *session, const struct rg_kernel *kernel, const struct rg_launch *launch,
                       struct rg_trouble *trouble)
{
    static const char axes[] = "xyz";
    const struct rg_opencl_limits *limits = &session->limits;
    uint64_t threads = 1;
    for (unsigned i = 0; i < launch->dimensions; i++) {
        if (limits->max_block[i] > 0 && launch->block[i] > limits->max_block[i]) {
            rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE,
                           "block_%c is %" PRIu64 " threads (the device's limit is %" PRIu64 ")", axes[i],
                           launch->block[i], limits->max_block[i]);
            return false;
        }
        if (!rg_multiply_u64(threads, launch->block[i], &threads)) {
            threads = UINT64_MAX;
        }
    }
    const bool kernels = kernel->max_block_threads > 0 &&
                         (limits->max_block_threads == 0 || kernel->max_block_threads < limits->max_block_threads);
    const uint64_t most = kernels ? kernel->max_block_threads : limits->max_block_threads;
    if (most > 0 && threads > most) {
        rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE,
                       "the block has %" PRIu64 " threads (the %s limit is %" PRIu64 ")", threads,
                       kernels ? "kernel's" : "device's", most);
        return false;
    }
    return true;
}

/** reqd_work_group_size. */
static bool wanted_fits(const struct rg_kernel *kernel, const struct rg_launch *launch, struct rg_trouble *trouble)
{
    const uint64_t *wanted = kernel->wanted_block;
    uint64_t block[3] = {1, 1, 1};
    for (unsigned i = 0; i < launch->dimensions; i++) {
        block[i] = launch->block[i];
    }
    if ((wanted[0] | wanted[1] | wanted[2]) == 0 || memcmp(wanted, block, sizeof block) == 0) {
        return true;
    }
    rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE,
                   "the block is %" PRIu64 " x %" PRIu64 " x %" PRIu64 " threads (the kernel's reqd_work_group_size is "
                   "%" PRIu64 " x %" PRIu64 " x %" PRIu64 ")",
                   block[0], block[1], block[2], wanted[0], wanted[1], wanted[2]);
    return false;
}

static bool local_fits(const struct rg_session *session, const struct rg_kernel *kernel, const struct rg_launch *launch,
                       struct rg_trouble *trouble)
{
    uint64_t sum = kernel->local_bytes;
    for (size_t i = 0; i < session->request.shape_count; i++) {
        if (session->request.shapes[i].kind != RG_SHAPE_LOCAL) {
            continue;
        }
        if (launch->scalars[i] == 0) {
            rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE, "the local memory '%s' is 0 bytes (at least 1)",
                           session->request.shapes[i].name);
            return false;
        }
        if (__builtin_add_overflow(sum, launch->scalars[i], &sum)) {
            sum = UINT64_MAX;
        }
    }
    if (session->limits.local_bytes > 0 && sum > session->limits.local_bytes) {
        rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE,
                       "the block needs %" PRIu64 " bytes of local memory, %" PRIu64
                       " of them declared in the kernel (the device's limit is %" PRIu64 ")",
                       sum, kernel->local_bytes, session->limits.local_bytes);
        return false;
    }
    return true;
}

bool rg_opencl_launchable(const struct rg_session *session, const struct rg_kernel *kernel,
                          const struct rg_launch *launch, struct rg_trouble *trouble)
{
    return rg_launch_is_positive(launch, trouble) && global_fits(session, launch, trouble) &&
           block_fits(session, kernel, launch, trouble) && wanted_fits(kernel, launch, trouble) &&
           local_fits(session, kernel, launch, trouble);
}
