/* SPDX-License-Identifier: MIT */
/* From a device or a compute capability to the facts of a transform policy; nothing is ever assumed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_db.h"
#include "policy/policy.h"
#include "ridge/units.h"

/* A device's bandwidth and that of its row agree when they are this near: sources round. */
static const double same_bandwidth_ratio = 1.1;

enum {
    MOST_IN_FLIGHT = 1 << 30
};

static const char given[] = "given by the caller";

struct find {
    const struct ridge_policy_table *table;
    const struct ridge_device_db *devices;
    const struct ridge_transform_request *request;
    struct ridge_transform_policy *out;
    struct ridge_error *error;
    struct ridge_device_match match; /* count 0: no device is known */
    unsigned capability;             /* 0: none, or unknown */
    const struct rg_policy_row *row; /* NULL: none */
    uint64_t smem_limit_bytes;
};

const char *ridge_transform_word(ridge_transform_algorithm algorithm)
{
    static const char *const words[] = {
#define WORD(name, word, needs) word,
        RIDGE_TRANSFORM_LIST(WORD)
#undef WORD
    };
    return (unsigned)algorithm < RIDGE_TRANSFORM_COUNT ? words[algorithm] : "?";
}

ridge_status ridge_element_parse(const char *text, uint32_t *bytes, struct ridge_error *error)
{
    static const struct {
        const char *word;
        uint32_t bytes;
    } rows[] = {{"i8", 1},  {"u8", 1},  {"f16", 2}, {"bf16", 2}, {"i16", 2}, {"u16", 2},
                {"i32", 4}, {"u32", 4}, {"f32", 4}, {"i64", 8},  {"u64", 8}, {"f64", 8}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(text, rows[i].word) == 0) {
            *bytes = rows[i].bytes;
            return RIDGE_OK;
        }
    }
    uint64_t count = 0;
    if (ridge_count_parse(text, RIDGE_TRANSFORM_ELEMENT_BYTES, &count, NULL) == RIDGE_OK && count > 0) {
        *bytes = (uint32_t)count;
        return RIDGE_OK;
    }
    return rg_error_set(
        error, RIDGE_E_VALUE,
        "'%.40s' is no element (f16, bf16, f32, f64, i8 to i64, u8 to u64, or a number of bytes, 1 to %d)", text,
        RIDGE_TRANSFORM_ELEMENT_BYTES);
}

static void add_fact(struct find *find, const char *name, double number, const char *kind, const char *source)
{
    struct ridge_transform_policy *out = find->out;
    if (out->fact_count < RIDGE_POLICY_FACTS) {
        out->facts[out->fact_count++] = (struct ridge_policy_fact){name, "", number, kind, source};
    }
}

/** \return the fact that all that the name fits agree in, or NULL. */
static const struct ridge_fact_value *fact_of(const struct find *find, ridge_fact fact)
{
    const struct ridge_fact_value *value = NULL;
    const bool known = find->match.count > 0 && ridge_match_fact(&find->match, fact, &value, NULL) == RIDGE_OK;
    return known ? value : NULL;
}

/** \return the compute capability of one device; 0: it has none. */
static unsigned capability_of(const struct ridge_device *device)
{
    const char *name = device->architecture ? device->architecture->name : "";
    return strncmp(name, "cc:", 3) == 0 ? rg_capability_number(name + 3) : 0;
}

static ridge_status device_find(struct find *find)
{
    const struct ridge_transform_request *request = find->request;
    const ridge_status status = ridge_device_find(find->devices, request->device, &find->match, find->error);
    if (status != RIDGE_OK) {
        return status;
    }
    find->capability = capability_of(find->match.devices[0]);
    for (size_t i = 1; i < find->match.count; i++) {
        if (capability_of(find->match.devices[i]) != find->capability) {
            return rg_error_set(find->error, RIDGE_E_UNAVAILABLE,
                                "'%.60s' fits devices of different compute capabilities: %s and %s (name one of them)",
                                request->device, find->match.devices[0]->name, find->match.devices[i]->name);
        }
    }
    snprintf(find->out->target, sizeof find->out->target, "%s",
             find->match.count == 1 ? find->match.devices[0]->name : request->device);
    return RIDGE_OK;
}

/** Read the capability that was given, and hold it against that of the device. */
static ridge_status capability_take(struct find *find)
{
    const struct ridge_transform_request *request = find->request;
    char name[32];
    if (strcmp(request->capability, "unknown") == 0) {
        return RIDGE_OK;
    }
    const unsigned number =
        rg_device_architecture_name(request->capability, name, sizeof name) && strncmp(name, "cc:", 3) == 0
            ? rg_capability_number(name + 3)
            : 0;
    if (number == 0) {
        return rg_error_set(find->error, RIDGE_E_VALUE, "'%.40s' is no compute capability (such as 8.6, or unknown)",
                            request->capability);
    }
    if (request->device && find->capability != 0 && find->capability != number) {
        return rg_error_set(find->error, RIDGE_E_VALUE,
                            "compute capability %u.%u was given and %s has %u.%u (leave one of the two out)",
                            number / 10, number % 10, find->out->target, find->capability / 10, find->capability % 10);
    }
    find->capability = number;
    if (!request->device && ridge_device_find(find->devices, request->capability, &find->match, NULL) != RIDGE_OK) {
        find->match.count = 0;
    }
    return RIDGE_OK;
}

static ridge_status target_find(struct find *find)
{
    const struct ridge_transform_request *request = find->request;
    struct ridge_transform_policy *out = find->out;
    if (!request->device && !request->capability) {
        return rg_error_set(find->error, RIDGE_E_ARGUMENT, "neither a device nor a compute capability is given");
    }
    ridge_status status = request->device ? device_find(find) : RIDGE_OK;
    if (status == RIDGE_OK && request->capability) {
        status = capability_take(find);
    }
    if (find->capability > 0) {
        snprintf(out->capability, sizeof out->capability, "%u.%u", find->capability / 10, find->capability % 10);
    } else {
        snprintf(out->capability, sizeof out->capability, "unknown");
    }
    if (!request->device) {
        snprintf(out->target, sizeof out->target, "cc %s", out->capability);
    }
    return status;
}

/** A row for the device itself goes before one for its capability; later files go before earlier ones. */
static void row_find(struct find *find)
{
    const struct ridge_policy_table *table = find->table;
    for (size_t i = table->count; i-- > 0 && !find->row;) {
        const struct rg_policy_row *row = table->rows[i];
        const bool one = find->request->device && find->match.count == 1;
        find->row = one && row->device && strcmp(row->device, find->match.devices[0]->name) == 0 ? row : NULL;
    }
    unsigned file = 0;
    for (size_t i = table->count; i-- > 0 && (!find->row || !find->row->device);) {
        const struct rg_policy_row *row = table->rows[i];
        const bool covers = !row->device && find->capability >= row->cc_from && find->capability <= row->cc_to;
        if (covers && (!find->row || row->file > file)) {
            find->row = row;
            file = row->file;
        }
    }
}

/** What a row says of its device must be what the device's own record says. */
static ridge_status row_check(const struct find *find)
{
    const struct rg_policy_row *row = find->row;
    if (!row || !row->device) {
        return RIDGE_OK;
    }
    const struct ridge_fact_value *count = fact_of(find, RIDGE_FACT_MULTIPROCESSORS);
    if (row->multiprocessors > 0 && count && fabs(count->number - (double)row->multiprocessors) > 0) {
        return rg_error_at(
            find->error, RIDGE_E_VALUE, &row->multiprocessors_place,
            "multiprocessors of the row '%.60s' is %llu, and the record of the device '%.60s' states %.0f "
            "(from: %.120s; one of the two is wrong)",
            row->name, (unsigned long long)row->multiprocessors, count->of, count->number, count->source);
    }
    const struct ridge_fact_value *bandwidth = fact_of(find, RIDGE_FACT_BANDWIDTH);
    if (!bandwidth || !(row->bandwidth_bytes_per_s > 0)) {
        return RIDGE_OK;
    }
    const double ratio = bandwidth->number / row->bandwidth_bytes_per_s;
    if (ratio > same_bandwidth_ratio || ratio < 1 / same_bandwidth_ratio) {
        return rg_error_at(
            find->error, RIDGE_E_VALUE, &row->bandwidth_place,
            "bandwidth_bytes_per_s of the row '%.60s' is %.3g, and the record of the device '%.60s' states "
            "%.3g (from: %.120s; one of the two is wrong)",
            row->name, row->bandwidth_bytes_per_s, bandwidth->of, bandwidth->number, bandwidth->source);
    }
    return RIDGE_OK;
}

/** \return where the record of the one device stands; no place where a name fits several, or none. */
static struct rg_place record_place(const struct find *find)
{
    const struct rg_device_record *record =
        find->match.count == 1 ? rg_device_record_find(find->devices, find->match.devices[0]->name) : NULL;
    return record ? record->place : (struct rg_place){.file = NULL};
}

/** The facts of Little's law, and what is missing of them. */
static ridge_status law_take(struct find *find)
{
    struct ridge_transform_policy *out = find->out;
    const struct ridge_fact_value *bandwidth = fact_of(find, RIDGE_FACT_BANDWIDTH);
    const struct ridge_fact_value *count = fact_of(find, RIDGE_FACT_MULTIPROCESSORS);
    const struct ridge_fact_value *latency = fact_of(find, RIDGE_FACT_LATENCY);
    const double latency_s = find->request->memory_latency_s > 0 ? find->request->memory_latency_s
                             : latency                           ? latency->number
                                                                 : 0;
    const bool counted = count && count->number >= 1;
    if (!bandwidth || !counted || !(latency_s > 0)) {
        char missing[128];
        const int used = snprintf(missing, sizeof missing, "%s%s%s", bandwidth ? "" : "bandwidth_bytes_per_s, ",
                                  counted ? "" : "multiprocessors, ", latency_s > 0 ? "" : "memory_latency_s, ");
        const struct rg_place place = record_place(find);
        return rg_error_at(find->error, RIDGE_E_UNAVAILABLE, &place,
                           "nothing says how many bytes %s needs in flight: no row of the policies covers it (compute "
                           "capability %s), and no source is known for %.*s (give --bytes-in-flight, or a device file "
                           "that states them)",
                           out->target, out->capability, used - 2, missing);
    }
    const double bytes = ceil(bandwidth->number / count->number * latency_s);
    if (!(bytes <= MOST_IN_FLIGHT)) {
        const struct rg_place place = latency ? record_place(find) : (struct rg_place){.file = NULL};
        return rg_error_at(find->error, RIDGE_E_VALUE, &place,
                           "%.3g bytes in flight come of bandwidth_bytes_per_s %.4g / multiprocessors %.0f * "
                           "memory_latency_s %.4g of %s (at most %d; one of the three is wrong)",
                           bytes, bandwidth->number, count->number, latency_s, out->target, MOST_IN_FLIGHT);
    }
    out->min_bytes_in_flight = (uint64_t)bytes;
    out->kind = "estimated";
    snprintf(out->row, sizeof out->row, "no row: bandwidth a multiprocessor x latency (Little's law)");
    return RIDGE_OK;
}

static void row_say(const struct rg_policy_row *row, struct ridge_transform_policy *out)
{
    if (row->device) {
        snprintf(out->row, sizeof out->row, "%s", row->name);
    } else if (row->cc_from == row->cc_to) {
        snprintf(out->row, sizeof out->row, "%s (cc %s)", row->name, row->from_text);
    } else {
        snprintf(out->row, sizeof out->row, "%s (cc %s to %s)", row->name, row->from_text, row->to_text);
    }
}

static ridge_status bytes_take(struct find *find)
{
    struct ridge_transform_policy *out = find->out;
    const char *source = "Little's law over the facts below";
    if (find->request->bytes_in_flight > 0) {
        out->min_bytes_in_flight = find->request->bytes_in_flight;
        out->kind = "stated";
        source = given;
        snprintf(out->row, sizeof out->row, "no row: %s", given);
    } else if (find->row) {
        out->min_bytes_in_flight = find->row->min_bytes_in_flight;
        out->kind = find->row->kind;
        source = find->row->source;
        row_say(find->row, out);
        snprintf(out->note, sizeof out->note, "%s", find->row->note ? find->row->note : "");
    } else {
        const ridge_status status = law_take(find);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    add_fact(find, "min_bytes_in_flight", (double)out->min_bytes_in_flight, out->kind, source);
    return RIDGE_OK;
}

/** Add a fact of the device, else of its row. \return its value, or 0 */
static double device_fact(struct find *find, ridge_fact fact, double of_row)
{
    const struct ridge_fact_value *value = fact_of(find, fact);
    if (value) {
        add_fact(find, ridge_fact_key(fact), value->number, "stated", value->source);
        return value->number;
    }
    if (find->row && find->row->device && of_row > 0) {
        add_fact(find, ridge_fact_key(fact), of_row, find->row->kind, find->row->source);
        return of_row;
    }
    return 0;
}

static void facts_add(struct find *find)
{
    struct ridge_transform_policy *out = find->out;
    const struct rg_policy_row *row = find->row;
    if (find->capability > 0) {
        struct ridge_policy_fact *capability = &out->facts[out->fact_count++];
        *capability = (struct ridge_policy_fact){.name = "compute_capability", .kind = "stated"};
        capability->source = find->request->capability ? given : "the record of the device";
        memcpy(capability->text, out->capability, sizeof capability->text);
    }
    const double count = device_fact(find, RIDGE_FACT_MULTIPROCESSORS, row ? (double)row->multiprocessors : 0);
    const double bandwidth = device_fact(find, RIDGE_FACT_BANDWIDTH, row ? row->bandwidth_bytes_per_s : 0);
    if (count > 0 && bandwidth > 0) {
        add_fact(find, "bandwidth_bytes_per_s_per_multiprocessor", bandwidth / count, "estimated",
                 "the quotient of the two above");
    }
    if (find->request->memory_latency_s > 0) {
        add_fact(find, ridge_fact_key(RIDGE_FACT_LATENCY), find->request->memory_latency_s, "stated", given);
    } else {
        (void)device_fact(find, RIDGE_FACT_LATENCY, row ? row->memory_latency_s : 0);
    }
}

/** How much shared memory a block may have: as asked for, else what the row or the device states without opt-in. */
static ridge_status smem_take(struct find *find)
{
    const struct ridge_fact_value *stated = fact_of(find, RIDGE_FACT_SMEM_PER_BLOCK);
    const struct ridge_fact_value *opt_in = fact_of(find, RIDGE_FACT_SMEM_OPT_IN);
    const struct ridge_fact_value *largest = opt_in ? opt_in : stated;
    const uint64_t wanted = find->request->smem_limit_bytes;
    if (wanted > 0 && largest && (double)wanted > largest->number) {
        return rg_error_set(find->error, RIDGE_E_VALUE,
                            "%llu bytes of shared memory are more than a block of %s may have (%.0f; from: %.200s)",
                            (unsigned long long)wanted, find->out->target, largest->number, largest->source);
    }
    if (wanted > 0) {
        find->smem_limit_bytes = wanted;
        add_fact(find, "smem_limit_bytes", (double)wanted, "stated", given);
    } else if (find->row && find->row->smem_limit_bytes > 0) {
        find->smem_limit_bytes = find->row->smem_limit_bytes;
        add_fact(find, "smem_limit_bytes", (double)find->smem_limit_bytes, find->row->kind, find->row->source);
    } else if (stated) {
        find->smem_limit_bytes = (uint64_t)stated->number;
        add_fact(find, "smem_limit_bytes", stated->number, "stated", stated->source);
    }
    return RIDGE_OK;
}

static ridge_status request_check(const struct ridge_transform_request *request, struct ridge_error *error)
{
    if (request->bytes_in_flight > MOST_IN_FLIGHT) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "%llu bytes in flight are too many (at most %d)",
                            (unsigned long long)request->bytes_in_flight, MOST_IN_FLIGHT);
    }
    bool good = request->output_bytes > 0 && request->output_bytes <= RIDGE_TRANSFORM_ELEMENT_BYTES &&
                request->input_count <= RIDGE_TRANSFORM_INPUTS;
    for (size_t i = 0; good && i < request->input_count; i++) {
        good = request->input_bytes[i] > 0 && request->input_bytes[i] <= RIDGE_TRANSFORM_ELEMENT_BYTES;
    }
    return good ? RIDGE_OK
                : rg_error_set(error, RIDGE_E_ARGUMENT, "elements have 1 to %d bytes, and there are at most %d inputs",
                               RIDGE_TRANSFORM_ELEMENT_BYTES, RIDGE_TRANSFORM_INPUTS);
}

ridge_status ridge_transform_policy_find(const struct ridge_policy_table *table, const struct ridge_device_db *devices,
                                         const struct ridge_transform_request *request,
                                         struct ridge_transform_policy *out, struct ridge_error *error)
{
    struct ridge_transform_policy policy = {.fact_count = 0};
    struct find find = {.table = table, .devices = devices, .request = request, .out = &policy, .error = error};
    ridge_status status = request_check(request, error);
    status = status == RIDGE_OK ? target_find(&find) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    row_find(&find);
    status = row_check(&find);
    status = status == RIDGE_OK ? bytes_take(&find) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    facts_add(&find);
    status = smem_take(&find);
    if (status == RIDGE_OK) {
        rg_transform_rules(request, find.capability, find.smem_limit_bytes, &policy);
        *out = policy;
    }
    return status;
}
