/* SPDX-License-Identifier: MIT */
/**
 * \file What a ranking depends on. A hash is SHA-256 over fields that each end in a zero byte, so that no content can
 * look like another; numbers are written as ridge_number_format writes them. Thread rule: pure; any thread.
 *
 * device:   name of the device; `key number...` for each fact that is known
 * evidence: the sorted hashes of the records that are ranked by: name of the device, then `id outcome median` of each
 *           result; nothing for a model that takes no evidence
 */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/hash.h"
#include "model/model.h"
#include "ridge/units.h"
#include "space/space.h"

/** To be raised whenever a change of formulas or constants can change a ranking. By model. */
static const unsigned versions[] = {
    [RIDGE_MODEL_AUTO] = 1, [RIDGE_MODEL_TRANSFER] = 1, [RIDGE_MODEL_WORK] = 1, [RIDGE_MODEL_OCCUPANCY_WAVES] = 1};

unsigned ridge_model_version(ridge_model model)
{
    return (size_t)model < sizeof versions / sizeof versions[0] ? versions[model] : 0;
}

static void put_text(struct rg_sha256 *hash, const char *text)
{
    rg_sha256_update(hash, text, strlen(text) + 1);
}

static void put_number(struct rg_sha256 *hash, double number)
{
    char text[RIDGE_NUMBER_BYTES];
    ridge_number_format(number, text);
    put_text(hash, text);
}

static void hash_device(const struct ridge_device *device, char out[65])
{
    struct rg_sha256 hash;
    rg_sha256_init(&hash);
    put_text(&hash, device->name);
    for (size_t i = 0; i < RIDGE_FACT_COUNT; i++) {
        const struct ridge_fact_value *value = &device->facts[i];
        if (!value->known) {
            continue;
        }
        put_text(&hash, ridge_fact_key((ridge_fact)i));
        put_number(&hash, value->number);
        for (size_t k = 0; k < value->list_count; k++) {
            put_number(&hash, value->list[k]);
        }
    }
    rg_sha256_final_hex(&hash, out);
}

/** \param devices  knows the device of the record: it has a weight */
static void hash_record(const struct ridge_device_db *devices, const struct ridge_evidence *evidence,
                        uint8_t out[RG_SHA256_BYTES])
{
    struct rg_sha256 hash;
    struct ridge_device_match match;
    struct ridge_error ignored = {0};
    const char *name = evidence->device ? evidence->device : evidence->run->info.device;
    const bool known = ridge_device_find(devices, name, &match, &ignored) == RIDGE_OK;
    rg_sha256_init(&hash);
    put_text(&hash, known ? match.devices[0]->name : name);
    for (size_t i = 0; i < evidence->run->record_count; i++) {
        const struct ridge_record *record = &evidence->run->records[i];
        put_text(&hash, record->id);
        put_text(&hash, ridge_outcome_word(record->outcome));
        put_number(&hash, rg_record_time(record));
    }
    rg_sha256_final(&hash, out);
}

static int compare_digests(const void *left, const void *right)
{
    return memcmp(left, right, RG_SHA256_BYTES);
}

static ridge_status hash_evidence(const struct ridge_context *context, const struct ridge_rank_options *options,
                                  char out[65], struct ridge_error *error)
{
    const bool takes = options->model == RIDGE_MODEL_AUTO || options->model == RIDGE_MODEL_TRANSFER;
    const size_t most = takes ? options->evidence_count : 0;
    uint8_t *digests = rg_alloc(context, (most + 1) * RG_SHA256_BYTES);
    if (!digests) {
        return rg_error_memory(error, (most + 1) * RG_SHA256_BYTES);
    }
    size_t count = 0;
    for (size_t i = 0; i < most; i++) {
        if (rg_evidence_weight(options, &options->evidence[i], NULL) > 0) {
            hash_record(options->devices, &options->evidence[i], digests + count++ * RG_SHA256_BYTES);
        }
    }
    qsort(digests, count, RG_SHA256_BYTES, compare_digests);
    struct rg_sha256 hash;
    rg_sha256_init(&hash);
    rg_sha256_update(&hash, digests, count * RG_SHA256_BYTES);
    rg_sha256_final_hex(&hash, out);
    rg_free(context, digests, (most + 1) * RG_SHA256_BYTES);
    return RIDGE_OK;
}

ridge_status ridge_rank_identify(const struct ridge_context *context, const struct ridge_space *space,
                                 const struct ridge_rank_options *options, struct ridge_rank_identity *out,
                                 struct ridge_error *error)
{
    if (!context || !space || !options || !options->device || options->device->count == 0 || !out) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "context, space, device or out is NULL (give each)");
    }
    const struct ridge_spec *spec = rg_space_spec(space);
    struct ridge_rank_identity made = {.model_version = ridge_model_version(options->model)};
    memcpy(made.space, spec->space_hash, sizeof made.space);
    memcpy(made.work, spec->model_hash, sizeof made.work);
    hash_device(options->device->devices[0], made.device);
    const ridge_status status = hash_evidence(context, options, made.evidence, error);
    if (status == RIDGE_OK) {
        *out = made;
    }
    return status;
}

const char *ridge_rank_difference(const struct ridge_rank_identity *left, const struct ridge_rank_identity *right)
{
    const struct {
        const char *left;
        const char *right;
        const char *words;
    } rows[] = {
        {left->space, right->space, "the dimensions or constraints of the spec are others"},
        {left->work, right->work, "the parameters, the launch dimensions or [model] of the spec are others"},
        {left->device, right->device, "the known facts of the device are others"},
        {left->evidence, right->evidence, "the evidence is another"},
    };
    if (left->model_version != right->model_version) {
        return "the model is of another version";
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].left, rows[i].right) != 0) {
            return rows[i].words;
        }
    }
    return NULL;
}
