/* SPDX-License-Identifier: MIT */
#include "backend/bench_device.h"

#include <math.h>
#include <string.h>

#include "backend/cuda.h"
#include "base/clock.h"
#include "base/error.h"

enum {
    VECTOR_BITS = 128, /* what one load of a thread moves at most */
    DEFAULT_LOCAL = 256,
    MOST_ARGUMENTS = 16
};

struct cuda_bench {
    struct rg_bench base;
    struct rg_cuda_api api;
    struct rg_compilers *compilers;
    rg_cu_device device;
    rg_cu_context cu_context;
    int capability;
    rg_cu_event begin;
    rg_cu_event end;
    rg_cu_pointer buffers[RG_BENCH_BUFFERS]; /* 0: free */
    rg_cu_module modules[RG_BENCH_KERNELS];
    rg_cu_function kernels[RG_BENCH_KERNELS];
    size_t kernel_count;
    uint64_t flight_began_ns;
};

/* What the probes use of OpenCL C, in CUDA C++: the vectors of CUDA have no operators. */
static const char prelude[] =
    "#define __kernel extern \"C\" __global__\n"
    "#define __global\n"
    "#define mad fma\n"
    "#define ulong unsigned long long\n"
    "#define uint unsigned int\n"
    "#define get_global_id(axis) ((ulong)blockIdx.x * blockDim.x + threadIdx.x)\n"
    "#define get_global_size(axis) ((ulong)gridDim.x * blockDim.x)\n"
    "template <class T, int N> struct alignas(sizeof(T) * N) rg_vector {\n"
    "    T at[N];\n"
    "    rg_vector() = default;\n"
    "    __device__ rg_vector(T all) { for (int i = 0; i < N; i++) at[i] = all; }\n"
    "    __device__ rg_vector &operator+=(const rg_vector &b) { for (int i = 0; i < N; i++) at[i] += b.at[i]; return *this; }\n"
    "};\n"
    "template <class T, int N> __device__ rg_vector<T, N> operator+(rg_vector<T, N> a, const rg_vector<T, N> &b)\n"
    "{ return a += b; }\n"
    "template <class T, int N> __device__ rg_vector<T, N> operator*(T scale, rg_vector<T, N> a)\n"
    "{ for (int i = 0; i < N; i++) a.at[i] *= scale; return a; }\n"
    "#define ulong2 rg_vector<ulong, 2>\n"
    "#define float4 rg_vector<float, 4>\n";

static void bench_close(struct rg_bench *bench)
{
    struct cuda_bench *cuda = (struct cuda_bench *)bench;
    const struct rg_cuda_api *api = &cuda->api;
    for (size_t i = 0; i < cuda->kernel_count; i++) {
        (void)api->cuModuleUnload(cuda->modules[i]);
    }
    for (size_t i = 0; i < RG_BENCH_BUFFERS; i++) {
        if (cuda->buffers[i]) {
            (void)api->cuMemFree_v2(cuda->buffers[i]);
        }
    }
    if (cuda->begin) {
        (void)api->cuEventDestroy_v2(cuda->begin);
    }
    if (cuda->end) {
        (void)api->cuEventDestroy_v2(cuda->end);
    }
    if (cuda->cu_context) {
        (void)api->cuDevicePrimaryCtxRelease_v2(cuda->device);
    }
    rg_compilers_close(cuda->compilers);
    rg_free(cuda->base.context, cuda, sizeof *cuda);
}

static ridge_status facts_fill(struct cuda_bench *cuda, unsigned index, struct ridge_error *error)
{
    struct rg_bench_facts *facts = &cuda->base.facts;
    struct rg_cuda_limits limits;
    rg_cuda_limits_get(&cuda->api, cuda->device, &limits);
    cuda->capability = limits.capability;
    facts->profiling = true;
    facts->f64 = true;
    facts->fma_f32 = true;
    facts->width_f32 = 1;
    facts->width_f64 = 1;
    facts->width_bits = VECTOR_BITS;
    return rg_bench_device_facts(cuda->base.context, &rg_backend_cuda, 0, index, &facts->device, error);
}

static ridge_status context_open(struct cuda_bench *cuda, struct ridge_error *error)
{
    const struct rg_cuda_api *api = &cuda->api;
    rg_cu_result code = api->cuDevicePrimaryCtxRetain(&cuda->cu_context, cuda->device);
    if (code != RG_CUDA_SUCCESS) {
        cuda->cu_context = NULL;
        return rg_cuda_failed(api, error, code, "cuDevicePrimaryCtxRetain");
    }
    code = api->cuCtxSetCurrent(cuda->cu_context);
    code = code == RG_CUDA_SUCCESS ? api->cuEventCreate(&cuda->begin, RG_CU_EVENT_DEFAULT) : code;
    code = code == RG_CUDA_SUCCESS ? api->cuEventCreate(&cuda->end, RG_CU_EVENT_DEFAULT) : code;
    return code == RG_CUDA_SUCCESS ? RIDGE_OK : rg_cuda_failed(api, error, code, "opening the device");
}

static ridge_status bench_open(const struct ridge_context *context, const struct rg_device_choice *choice,
                               struct rg_bench **out, struct ridge_error *error)
{
    struct cuda_bench *cuda = rg_alloc(context, sizeof *cuda);
    if (!cuda) {
        return rg_error_memory(error, sizeof *cuda);
    }
    cuda->base.context = context;
    ridge_status status = rg_cuda_load(&cuda->api, error);
    if (status == RIDGE_OK) {
        status = rg_cuda_find(&cuda->api, choice->device_index, &cuda->device, error);
    }
    if (status == RIDGE_OK) {
        status = facts_fill(cuda, choice->device_index, error);
    }
    if (status == RIDGE_OK) {
        status = context_open(cuda, error);
    }
    if (status == RIDGE_OK) {
        status = rg_compilers_open(context, NULL, &cuda->compilers, error);
    }
    if (status != RIDGE_OK) {
        bench_close(&cuda->base);
        return status;
    }
    *out = &cuda->base;
    return RIDGE_OK;
}

/** Write options, all of the form -DNAME or -DNAME=VALUE, as lines of the source: NVRTC's own headers come before it, and
 * would trip over a macro with a short name. */
static void macros_append(struct rg_buffer *text, const char *options)
{
    while (*(options += strspn(options, " ")) != '\0') {
        const size_t length = strcspn(options, " ");
        const char *name = options + strlen("-D");
        const size_t name_length = strcspn(name, "= ");
        rg_buffer_printf(text, "#define %.*s ", (int)name_length, name);
        const char *value = name + name_length + (name[name_length] == '=');
        rg_buffer_append(text, value, (size_t)(options + length - value));
        rg_buffer_puts(text, "\n");
        options += length;
    }
}

static ridge_status compile(struct cuda_bench *cuda, const char *source, const char *options, const char *name,
                            struct rg_artifact *out, struct ridge_error *error)
{
    struct rg_buffer text;
    rg_buffer_init(&text, cuda->base.context);
    rg_buffer_puts(&text, prelude);
    macros_append(&text, options);
    rg_buffer_puts(&text, source);
    struct rg_compile_job job = {.language = RG_SOURCE_CUDA, .path = "probe.cu", .entry = name};
    job.text = rg_buffer_text(&text);
    const ridge_status status = text.failed ? rg_error_memory(error, text.length)
                                            : rg_cuda_compile(cuda->compilers, cuda->capability, &job, out, error);
    rg_buffer_fini(&text);
    return status;
}

static ridge_status bench_kernel_build(struct rg_bench *bench, const char *source, const char *options,
                                       const char *name, size_t *kernel, struct ridge_error *error)
{
    struct cuda_bench *cuda = (struct cuda_bench *)bench;
    struct rg_artifact artifact = {0};
    const size_t at = cuda->kernel_count;
    if (at == RG_BENCH_KERNELS) {
        return rg_error_set(error, RIDGE_E_LIMIT, "a device has at most %d probes", RG_BENCH_KERNELS);
    }
    ridge_status status = compile(cuda, source, options, name, &artifact, error);
    if (status != RIDGE_OK) {
        return status;
    }
    if (artifact.failed) {
        status = rg_error_set(error, RIDGE_E_DEVICE, "the probe '%s' does not compile for %s: %.512s", name,
                              bench->facts.device.name, artifact.log);
        rg_artifact_fini(&artifact);
        return status;
    }
    rg_cu_result code = cuda->api.cuModuleLoadData(&cuda->modules[at], artifact.bytes);
    if (code == RG_CUDA_SUCCESS) {
        cuda->kernel_count++;
        code = cuda->api.cuModuleGetFunction(&cuda->kernels[at], cuda->modules[at], artifact.entry);
    }
    rg_artifact_fini(&artifact);
    *kernel = at;
    return code == RG_CUDA_SUCCESS ? RIDGE_OK : rg_cuda_failed(&cuda->api, error, code, "loading a probe");
}

static ridge_status bench_buffer_make(struct rg_bench *bench, size_t bytes, size_t *buffer, struct ridge_error *error)
{
    struct cuda_bench *cuda = (struct cuda_bench *)bench;
    size_t at = 0;
    while (at < RG_BENCH_BUFFERS && cuda->buffers[at]) {
        at++;
    }
    if (at == RG_BENCH_BUFFERS) {
        return rg_error_set(error, RIDGE_E_LIMIT, "a device has at most %d buffers", RG_BENCH_BUFFERS);
    }
    const rg_cu_result code = cuda->api.cuMemAlloc_v2(&cuda->buffers[at], bytes);
    if (code != RG_CUDA_SUCCESS) {
        char text[256];
        cuda->buffers[at] = 0;
        return rg_error_set(error, RIDGE_E_LIMIT, "%s gives no buffer of %zu bytes: %s", bench->facts.device.name,
                            bytes, rg_cuda_error_text(&cuda->api, code, text, sizeof text));
    }
    *buffer = at;
    return RIDGE_OK;
}

static ridge_status bench_write(struct rg_bench *bench, size_t buffer, size_t at, size_t bytes, const void *from,
                                struct ridge_error *error)
{
    struct cuda_bench *cuda = (struct cuda_bench *)bench;
    const rg_cu_result code = cuda->api.cuMemcpyHtoD_v2(cuda->buffers[buffer] + at, from, bytes);
    return code == RG_CUDA_SUCCESS ? RIDGE_OK : rg_cuda_failed(&cuda->api, error, code, "cuMemcpyHtoD");
}

static ridge_status bench_read(struct rg_bench *bench, size_t buffer, size_t at, size_t bytes, void *to,
                               struct ridge_error *error)
{
    struct cuda_bench *cuda = (struct cuda_bench *)bench;
    const rg_cu_result code = cuda->api.cuMemcpyDtoH_v2(to, cuda->buffers[buffer] + at, bytes);
    return code == RG_CUDA_SUCCESS ? RIDGE_OK : rg_cuda_failed(&cuda->api, error, code, "cuMemcpyDtoH");
}

static rg_cu_result launch(struct cuda_bench *cuda, const struct rg_bench_launch *launch)
{
    void *parameters[MOST_ARGUMENTS];
    unsigned char values[MOST_ARGUMENTS][sizeof(uint64_t)];
    for (size_t i = 0; i < launch->argument_count && i < MOST_ARGUMENTS; i++) {
        const struct rg_bench_argument *argument = &launch->arguments[i];
        if (argument->value) {
            memcpy(values[i], argument->value, argument->bytes);
        }
        parameters[i] = argument->value ? (void *)values[i] : (void *)&cuda->buffers[argument->buffer];
    }
    const size_t wanted = launch->local > 0 ? launch->local : DEFAULT_LOCAL;
    const size_t local = launch->global % wanted == 0 ? wanted : 1;
    return cuda->api.cuLaunchKernel(cuda->kernels[launch->kernel], (unsigned)(launch->global / local), 1, 1,
                                    (unsigned)local, 1, 1, 0, NULL, parameters, NULL);
}

static ridge_status bench_flight_add(struct rg_bench *bench, const struct rg_bench_launch *what, bool first,
                                     struct ridge_error *error)
{
    struct cuda_bench *cuda = (struct cuda_bench *)bench;
    rg_cu_result code = RG_CUDA_SUCCESS;
    if (first) {
        cuda->flight_began_ns = rg_clock_ns();
        code = cuda->api.cuEventRecord(cuda->begin, NULL);
    }
    code = code == RG_CUDA_SUCCESS ? launch(cuda, what) : code;
    return code == RG_CUDA_SUCCESS ? RIDGE_OK : rg_cuda_failed(&cuda->api, error, code, "cuLaunchKernel");
}

static ridge_status bench_flight_end(struct rg_bench *bench, struct rg_bench_times *times, struct ridge_error *error)
{
    struct cuda_bench *cuda = (struct cuda_bench *)bench;
    float milliseconds = 0;
    rg_cu_result code = cuda->api.cuEventRecord(cuda->end, NULL);
    code = code == RG_CUDA_SUCCESS ? cuda->api.cuEventSynchronize(cuda->end) : code;
    const uint64_t ended_ns = rg_clock_ns();
    code = code == RG_CUDA_SUCCESS ? cuda->api.cuEventElapsedTime(&milliseconds, cuda->begin, cuda->end) : code;
    if (code != RG_CUDA_SUCCESS) {
        return rg_cuda_failed(&cuda->api, error, code, "a launch of a probe");
    }
    times->device_s = milliseconds > 0 ? (double)milliseconds * 1e-3 : (double)NAN;
    times->wall_s = (double)(ended_ns - cuda->flight_began_ns) * 1e-9;
    times->wait_s = (double)NAN;
    return RIDGE_OK;
}

const struct rg_bench_ops rg_bench_cuda = {
    .backend = &rg_backend_cuda,
    .open = bench_open,
    .close = bench_close,
    .kernel_build = bench_kernel_build,
    .buffer_make = bench_buffer_make,
    .write = bench_write,
    .read = bench_read,
    .flight_add = bench_flight_add,
    .flight_end = bench_flight_end,
};
