/* SPDX-License-Identifier: MIT */
#include "tune/workload.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/checked.h"
#include "base/file.h"
#include "base/rng.h"

/** \return shared zeroed memory, or NULL. */
static void *shared_alloc(uint64_t bytes)
{
    void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

struct element_row {
    const char *c_type;
    const char *cl_type;
};

static const struct element_row element_rows[] = {
#define ELEMENT_ROW(name, word, bytes, c_type, cl_type) [name] = {c_type, cl_type},
    RG_ELEMENT_LIST(ELEMENT_ROW)
#undef ELEMENT_ROW
};

/** Store `value`, converted, as element number `index` of an array. Out of range wraps as unsigned arithmetic does. */
static void element_store(void *array, rg_element element, uint64_t index, double value)
{
    switch (element) {
    case RG_F32: ((float *)array)[index] = (float)value; break;
    case RG_F64: ((double *)array)[index] = value; break;
    case RG_I8:
    case RG_U8: ((uint8_t *)array)[index] = (uint8_t)(int64_t)value; break;
    case RG_I16:
    case RG_U16: ((uint16_t *)array)[index] = (uint16_t)(int64_t)value; break;
    case RG_I32:
    case RG_U32: ((uint32_t *)array)[index] = (uint32_t)(int64_t)value; break;
    case RG_I64:
    case RG_U64: ((uint64_t *)array)[index] = (uint64_t)(int64_t)value; break;
    }
}

static double normal_draw(struct rg_rng *rng)
{
    /* Box and Muller 1958; 1 - u keeps the logarithm's argument above 0. */
    const double radius = sqrt(-2.0 * log(1.0 - rg_rng_unit(rng)));
    return radius * cos(2.0 * M_PI * rg_rng_unit(rng));
}

static bool is_float(rg_element element)
{
    return element == RG_F32 || element == RG_F64;
}

/** One drawn value. Uniform integers are whole numbers below the upper end (by default 256, as bytes are used). */
static double fill_value(const struct rg_argument *argument, struct rg_rng *rng, uint64_t index)
{
    switch (argument->fill) {
    case RG_FILL_CONSTANT: return argument->fill_value;
    case RG_FILL_IOTA: return (double)index;
    case RG_FILL_NORMAL: return normal_draw(rng) * (argument->fill_value != 0 ? argument->fill_value : 1.0);
    case RG_FILL_UNIFORM:
    case RG_FILL_FILE: break;
    }
    const double upper = argument->fill_value;
    const double unit = rg_rng_unit(rng);
    const double drawn = argument->fill_signed ? (2.0 * unit - 1.0) * upper : unit * upper;
    return is_float(argument->element) ? drawn : floor(drawn);
}

static ridge_status fill_from_file(const struct ridge_context *context, const struct rg_argument *argument,
                                   void *memory, uint64_t bytes, struct ridge_error *error)
{
    struct rg_arena arena;
    rg_arena_init(&arena, context);
    char *text = NULL;
    size_t length = 0;
    ridge_status status = rg_file_read(&arena, argument->fill_file, &text, &length, error);
    if (status == RIDGE_OK && length != bytes) {
        status = rg_error_at(error, RIDGE_E_VALUE, &argument->place, "%s holds %zu bytes (%s needs %llu)",
                             argument->fill_file, length, argument->name, (unsigned long long)bytes);
    }
    if (status == RIDGE_OK) {
        memcpy(memory, text, length);
    }
    rg_arena_fini(&arena);
    return status;
}

/** Fill a buffer; argument number `index` draws from a sequence of its own. */
static ridge_status buffer_fill(const struct ridge_context *context, const struct rg_argument *argument, size_t index,
                                void *memory, uint64_t bytes, struct ridge_error *error)
{
    if (argument->access == RG_ACCESS_OUT) {
        memset(memory, RG_POISON_BYTE, (size_t)bytes);
        return RIDGE_OK;
    }
    if (argument->fill == RG_FILL_FILE) {
        return fill_from_file(context, argument, memory, bytes, error);
    }
    struct rg_rng rng;
    rg_rng_init(&rng, argument->seed + index);
    const uint64_t count = bytes / rg_element_bytes(argument->element);
    for (uint64_t element = 0; element < count; element++) {
        element_store(memory, argument->element, element, fill_value(argument, &rng, element));
    }
    return RIDGE_OK;
}

/** Work out how many bytes a buffer has. */
static ridge_status buffer_bytes(const struct rg_argument *argument, uint64_t *bytes, struct ridge_error *error)
{
    struct ridge_value length;
    if (!rg_expr_constant(argument->length, &length)) {
        struct rg_fault fault;
        if (!rg_expr_eval(argument->length, NULL, &length, &fault)) {
            return rg_expr_fault_error(argument->length, "len", NULL, 0, NULL, &fault, error);
        }
    }
    if (length.type != RIDGE_INT || length.as.integer <= 0 ||
        !rg_multiply_u64((uint64_t)length.as.integer, rg_element_bytes(argument->element), bytes)) {
        char text[RIDGE_ID_BYTES + 32];
        ridge_value_format(&length, text, sizeof text);
        return rg_error_at(error, RIDGE_E_VALUE, &argument->place, "len of %s is %s (a whole number above 0)",
                           argument->name, text);
    }
    return RIDGE_OK;
}

static void shape_describe(struct rg_shape *shape, const struct rg_argument *argument)
{
    static const rg_shape_kind kinds[] = {
        [RG_ACCESS_IN] = RG_SHAPE_BUFFER,     [RG_ACCESS_OUT] = RG_SHAPE_BUFFER,  [RG_ACCESS_INOUT] = RG_SHAPE_BUFFER,
        [RG_ACCESS_SCALAR] = RG_SHAPE_SCALAR, [RG_ACCESS_LOCAL] = RG_SHAPE_LOCAL,
    };
    shape->kind = kinds[argument->access];
    shape->name = argument->name;
    shape->read = argument->access == RG_ACCESS_IN || argument->access == RG_ACCESS_INOUT;
    shape->written = argument->access == RG_ACCESS_OUT || argument->access == RG_ACCESS_INOUT;
    if (argument->access != RG_ACCESS_LOCAL) {
        shape->element_bytes = rg_element_bytes(argument->element);
        shape->c_type = element_rows[argument->element].c_type;
        shape->cl_type = element_rows[argument->element].cl_type;
    }
    shape->by_value = argument->by_value;
}

static ridge_status memory_reserve(const struct rg_argument *argument, uint64_t bytes, void **out,
                                   struct ridge_error *error)
{
    *out = shared_alloc(bytes);
    if (*out) {
        return RIDGE_OK;
    }
    return rg_error_at(error, RIDGE_E_LIMIT, &argument->place, "%s needs %llu bytes, more than this machine gives",
                       argument->name, (unsigned long long)bytes);
}

/** Reserve what one argument needs. */
static ridge_status buffer_make(struct rg_workload *workload, size_t index, struct ridge_error *error)
{
    const struct rg_argument *argument = &workload->spec->arguments[index];
    struct rg_shape *shape = &workload->shapes[index];
    ridge_status status = buffer_bytes(argument, &shape->bytes, error);
    if (status == RIDGE_OK) {
        status = memory_reserve(argument, shape->bytes, &workload->initial[index], error);
    }
    if (status == RIDGE_OK && shape->written && workload->spec->verify.reference != RG_REFERENCE_NONE) {
        status = memory_reserve(argument, shape->bytes, &workload->expected[index], error);
    }
    return status;
}

ridge_status rg_workload_init(struct rg_workload *workload, const struct ridge_spec *spec, struct ridge_error *error)
{
    memset(workload, 0, sizeof *workload);
    workload->spec = spec;
    workload->count = spec->argument_count;
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < workload->count && status == RIDGE_OK; i++) {
        shape_describe(&workload->shapes[i], &spec->arguments[i]);
        if (workload->shapes[i].kind == RG_SHAPE_BUFFER) {
            status = buffer_make(workload, i, error);
        }
    }
    if (status != RIDGE_OK) {
        rg_workload_fini(workload);
    }
    return status;
}

/** Fill, or with `inputs` only what is read: outputs then stay untouched memory. */
static ridge_status fill(struct rg_workload *workload, const struct ridge_context *context, bool inputs,
                         struct ridge_error *error)
{
    for (size_t i = 0; i < workload->count; i++) {
        const uint64_t bytes = workload->shapes[i].bytes;
        if (!workload->initial[i] || (inputs && !workload->shapes[i].read)) {
            continue;
        }
        const ridge_status status =
            buffer_fill(context, &workload->spec->arguments[i], i, workload->initial[i], bytes, error);
        if (status != RIDGE_OK) {
            return status;
        }
        if (workload->expected[i]) {
            memcpy(workload->expected[i], workload->initial[i], (size_t)bytes);
        }
    }
    return RIDGE_OK;
}

ridge_status rg_workload_fill(struct rg_workload *workload, const struct ridge_context *context,
                              struct ridge_error *error)
{
    return fill(workload, context, false, error);
}

ridge_status rg_workload_fill_inputs(struct rg_workload *workload, const struct ridge_context *context,
                                     struct ridge_error *error)
{
    return fill(workload, context, true, error);
}

void rg_workload_fini(struct rg_workload *workload)
{
    for (size_t i = 0; i < workload->count; i++) {
        if (workload->initial[i]) {
            munmap(workload->initial[i], (size_t)workload->shapes[i].bytes);
        }
        if (workload->expected[i]) {
            munmap(workload->expected[i], (size_t)workload->shapes[i].bytes);
        }
    }
    memset(workload, 0, sizeof *workload);
}

void rg_workload_protect(struct rg_workload *workload)
{
    for (size_t i = 0; i < workload->count; i++) {
        if (workload->initial[i]) {
            (void)mprotect(workload->initial[i], (size_t)workload->shapes[i].bytes, PROT_READ);
        }
        if (workload->expected[i]) {
            (void)mprotect(workload->expected[i], (size_t)workload->shapes[i].bytes, PROT_READ);
        }
    }
}

/** \return bytes of memory that can be had without swapping; UINT64_MAX when the system does not tell. */
static uint64_t memory_available(void)
{
    static const char label[] = "MemAvailable:";
    char line[256];
    unsigned long long kib = 0;
    FILE *facts = fopen("/proc/meminfo", "re");
    bool found = false;
    while (facts && !found && fgets(line, sizeof line, facts)) {
        found = strncmp(line, label, sizeof label - 1) == 0;
        kib = found ? strtoull(line + sizeof label - 1, NULL, 10) : 0;
    }
    if (facts) {
        fclose(facts);
    }
    return found ? (uint64_t)kib * 1024 : UINT64_MAX;
}

ridge_status rg_workload_check(const struct rg_workload *workload, bool on_host, struct ridge_error *error)
{
    uint64_t needed = on_host ? rg_workload_bytes(workload) : 0;
    for (size_t i = 0; i < workload->count; i++) {
        needed += workload->initial[i] ? workload->shapes[i].bytes : 0;
        needed += workload->expected[i] ? workload->shapes[i].bytes : 0;
    }
    const uint64_t available = memory_available();
    if (needed <= available) {
        return RIDGE_OK;
    }
    const struct rg_place place = {.file = workload->spec->path};
    return rg_error_at(
        error, RIDGE_E_LIMIT, &place,
        "the arguments need %llu bytes with their copies, and %llu are available (make them smaller, for "
        "example with --set)",
        (unsigned long long)needed, (unsigned long long)available);
}

uint64_t rg_workload_bytes(const struct rg_workload *workload)
{
    uint64_t total = 0;
    for (size_t i = 0; i < workload->count; i++) {
        total += workload->shapes[i].bytes;
    }
    return total;
}
