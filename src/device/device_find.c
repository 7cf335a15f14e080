/* SPDX-License-Identifier: MIT */
/** \file From a name, as people, drivers and recorded files write it, to devices. Nothing is ever assumed. */
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "device/device_db.h"
#include "ridge/units.h"

enum {
    LEAST_PART_BYTES = 3, /* a part of a name is at least so long, or a letter and a digit */
    NEAR_MAX = 6
};

/** Words that say nothing but the vendor. "Quadro" is not here: a Quadro RTX 4000 is not an RTX 4000 Ada. */
static const struct {
    const char *word;
    const char *vendor;
} dropped[] = {
    {"nvidia", "NVIDIA"}, {"geforce", "NVIDIA"}, {"tesla", "NVIDIA"}, {"amd", "AMD"},     {"radeon", "AMD"},
    {"instinct", "AMD"},  {"ati", "AMD"},        {"intel", "Intel"},  {"apple", "Apple"}, {"corporation", NULL},
    {"graphics", NULL},   {"gpu", NULL},         {"r", NULL},         {"tm", NULL},       {"inc", NULL},
};

static bool is_word_byte(char byte)
{
    return rg_is_letter(byte) || rg_is_digit(byte) || (unsigned char)byte >= 0x80;
}

/** Take a finished word unless it says only the vendor. \return false: too many words. */
static bool keep_word(struct rg_folded *out, const char *word)
{
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++) {
        if (strcmp(word, dropped[i].word) == 0) {
            out->vendor = dropped[i].vendor ? dropped[i].vendor : out->vendor;
            return true;
        }
    }
    if (out->count == RG_FOLDED_WORDS) {
        return false;
    }
    out->words[out->count++] = word;
    return true;
}

bool rg_device_fold(const char *name, struct rg_folded *out)
{
    memset(out, 0, sizeof *out);
    if (strlen(name) >= RG_FOLDED_BYTES) {
        return false;
    }
    char *to = out->text;
    const char *word = to;
    for (const char *at = name;; at++) {
        if (is_word_byte(*at)) {
            *to++ = rg_small_letter(*at);
            continue;
        }
        if (to != word) {
            *to++ = '\0';
            if (!keep_word(out, word)) {
                return false;
            }
            word = to;
        }
        if (*at == '\0') {
            return true;
        }
    }
}

/** Skip one of the prefixes of compute capabilities. */
static const char *skip_prefix(const char *name, bool *is_target)
{
    static const char *const prefixes[] = {"compute_", "sm_", "sm", "cc:", "cc"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const size_t length = strlen(prefixes[i]);
        if (strncmp(name, prefixes[i], length) == 0) {
            *is_target = i < 3;
            name += length;
            break;
        }
    }
    return name + strspn(name, " ");
}

/** Read "8.6", "86" or, of a compile target, "90a" into major and minor. */
static bool read_capability(const char *text, bool is_target, unsigned *major, unsigned *minor)
{
    const size_t digits = strspn(text, "0123456789");
    unsigned whole = 0;
    if (digits == 0 || digits > 3) {
        return false;
    }
    for (size_t i = 0; i < digits; i++) {
        whole = whole * 10 + (unsigned)(text[i] - '0');
    }
    const char *rest = text + digits;
    if (rest[0] == '.' && rg_is_digit(rest[1]) && rest[2] == '\0') {
        *major = whole;
        *minor = (unsigned)(rest[1] - '0');
        return true;
    }
    const bool has_suffix = is_target && (rest[0] == 'a' || rest[0] == 'f') && rest[1] == '\0';
    if (digits < 2 || (rest[0] != '\0' && !has_suffix)) {
        return false;
    }
    *major = whole / 10;
    *minor = whole % 10;
    return true;
}

bool rg_device_architecture_name(const char *name, char *out, size_t bytes)
{
    char lower[32] = "";
    const size_t length = strlen(name);
    if (length == 0 || length >= sizeof lower) {
        return false;
    }
    for (size_t i = 0; i <= length; i++) {
        lower[i] = rg_small_letter(name[i]);
    }
    if (strncmp(lower, "gfx", 3) == 0 && rg_is_digit(lower[3])) {
        lower[strcspn(lower, ":")] = '\0'; /* gfx90a:sramecc+:xnack- */
        snprintf(out, bytes, "%s", lower);
        return true;
    }
    bool is_target = false;
    unsigned major = 0;
    unsigned minor = 0;
    const char *number = skip_prefix(lower, &is_target);
    if (!read_capability(number, is_target, &major, &minor)) {
        return false;
    }
    snprintf(out, bytes, "cc:%u.%u", major, minor);
    return true;
}

/** How well words fit a name. */
enum fit {
    FIT_NONE,
    FIT_PART,
    FIT_WHOLE
};

/** Whether `asked` (all its words run together) is made of whole words of `words`, in order, from `from` on. */
static bool made_of(const char *asked, const struct rg_folded *name, size_t from, size_t skipped, bool *whole)
{
    if (*asked == '\0') {
        *whole = *whole || (skipped == 0 && from == name->count);
        return true;
    }
    bool fits = false;
    for (size_t i = from; i < name->count; i++) {
        const size_t length = strlen(name->words[i]);
        if (strncmp(asked, name->words[i], length) == 0) {
            fits = made_of(asked + length, name, i + 1, skipped + (i - from), whole) || fits;
        }
    }
    return fits;
}

static enum fit fit_name(const char *asked, const char *name)
{
    struct rg_folded folded;
    bool whole = false;
    if (!rg_device_fold(name, &folded) || !made_of(asked, &folded, 0, 0, &whole)) {
        return FIT_NONE;
    }
    return whole ? FIT_WHOLE : FIT_PART;
}

static enum fit fit_device(const char *asked, const struct rg_folded *folded, const struct ridge_device *device)
{
    if (folded->vendor && strcmp(folded->vendor, device->vendor) != 0) {
        return FIT_NONE;
    }
    enum fit best = fit_name(asked, device->name);
    for (size_t i = 0; i < device->alias_count && best != FIT_WHOLE; i++) {
        const enum fit fit = fit_name(asked, device->alias[i]);
        best = fit > best ? fit : best;
    }
    return best;
}

/** Run the words together. */
static void join(const struct rg_folded *folded, char out[RG_FOLDED_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < folded->count; i++) {
        const size_t length = strlen(folded->words[i]);
        memcpy(out + used, folded->words[i], length);
        used += length;
    }
    out[used] = '\0';
}

struct rg_device_record *rg_device_record_find(const struct ridge_device_db *db, const char *name)
{
    for (size_t i = 0; i < db->count; i++) {
        const struct ridge_device *device = &db->slots[i].record->device;
        bool is_it = strcmp(device->name, name) == 0;
        for (size_t k = 0; k < device->alias_count && !is_it; k++) {
            is_it = strcmp(device->alias[k], name) == 0;
        }
        if (is_it) {
            return db->slots[i].record;
        }
    }
    return NULL;
}

/** Collect every record whose name fits at least so well; an architecture only by its whole name. \return how many, also beyond RIDGE_MATCH_MAX. */
static size_t collect(const struct ridge_device_db *db, const char *asked, const struct rg_folded *folded,
                      enum fit least, struct ridge_device_match *out)
{
    size_t found = 0;
    for (size_t i = 0; i < db->count; i++) {
        const struct ridge_device *device = &db->slots[i].record->device;
        const enum fit needed = device->is_architecture ? FIT_WHOLE : least;
        if (fit_device(asked, folded, device) >= needed) {
            if (found < RIDGE_MATCH_MAX) {
                out->devices[found] = device;
            }
            found++;
        }
    }
    out->count = found < RIDGE_MATCH_MAX ? found : RIDGE_MATCH_MAX;
    return found;
}

/** Append to a list "a, b, c"; what has no room is left out. */
static void append(char *list, size_t bytes, const char *name)
{
    const size_t used = strlen(list);
    if (used + strlen(name) + 3 < bytes) {
        snprintf(list + used, bytes - used, "%s%s", used ? ", " : "", name);
    }
}

/** List the known architectures whose name begins like the one asked for ("cc:" or "gfx"). */
static ridge_status unknown_architecture(const struct ridge_device_db *db, const char *name, const char *form,
                                         struct ridge_error *error)
{
    char known[600] = "";
    for (size_t i = 0; i < db->count; i++) {
        const struct ridge_device *device = &db->slots[i].record->device;
        if (device->is_architecture && device->name[0] == form[0]) {
            append(known, sizeof known, device->name);
        }
    }
    return rg_error_set(error, RIDGE_E_UNAVAILABLE, "%s is unknown and nothing is assumed about '%s' (known: %s)", form,
                        name, known);
}

/** Whether a word with a digit of one name is a word of the other; or, where that is enough, spelled nearly like one. */
static bool shares_word(const struct rg_folded *asked, const struct rg_folded *name, bool nearly)
{
    for (size_t i = 0; i < asked->count; i++) {
        const char *word = asked->words[i];
        for (size_t k = 0; k < name->count && strpbrk(word, "0123456789"); k++) {
            if (strcmp(word, name->words[k]) == 0 || (nearly && ridge_near_name(word, &name->words[k], 1))) {
                return true;
            }
        }
    }
    return false;
}

/** \return the product whose name is spelled most like the one asked for; NULL: none is near. */
static const char *nearest_name(const struct ridge_device_db *db, const char *name)
{
    enum {
        MOST = 1024
    };
    const char *names[MOST];
    size_t count = 0;
    for (size_t i = 0; i < db->count && count < MOST; i++) {
        names[count++] = db->slots[i].record->device.name;
    }
    return ridge_near_name(name, names, count);
}

/** List the products of the vendor asked for that share a word. \return how many. */
static size_t list_sharing(const struct ridge_device_db *db, const struct rg_folded *asked, bool nearly, char *list,
                           size_t bytes)
{
    size_t found = 0;
    for (size_t i = 0; i < db->count && found < NEAR_MAX; i++) {
        const struct ridge_device *device = &db->slots[i].record->device;
        struct rg_folded folded;
        const bool other_vendor = asked->vendor && strcmp(asked->vendor, device->vendor) != 0;
        if (!other_vendor && rg_device_fold(device->name, &folded) && shares_word(asked, &folded, nearly)) {
            append(list, bytes, device->name);
            found++;
        }
    }
    return found;
}

/** Say that a product is unknown, with those that share a word, or else are near in spelling, whole or in a word. */
static ridge_status unknown_device(const struct ridge_device_db *db, const char *name, const struct rg_folded *asked,
                                   struct ridge_error *error)
{
    char near[400] = "";
    if (list_sharing(db, asked, false, near, sizeof near) == 0 &&
        list_sharing(db, asked, true, near, sizeof near) == 0) {
        const char *nearest = nearest_name(db, name);
        if (nearest) {
            append(near, sizeof near, nearest);
        }
    }
    return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                        "there is no device '%s' (%s%s%sridge devices lists all %zu that are known; cc:8.6 or gfx90a "
                        "names limits)",
                        name, near[0] ? "near: " : "", near, near[0] ? "; " : "", db->count);
}

ridge_status ridge_device_find(const struct ridge_device_db *db, const char *name, struct ridge_device_match *out,
                               struct ridge_error *error)
{
    char form[32];
    const bool has_form = rg_device_architecture_name(name, form, sizeof form);
    struct ridge_device_match match = {.asked = name};
    const struct rg_device_record *record = has_form ? rg_device_record_find(db, form) : NULL;
    if (record) {
        match.count = 1;
        match.devices[0] = &record->device;
        *out = match;
        return RIDGE_OK;
    }
    struct rg_folded folded;
    if (!rg_device_fold(name, &folded)) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "there is no device with so long a name (at most %d bytes)",
                            RG_FOLDED_BYTES - 1);
    }
    char asked[RG_FOLDED_BYTES];
    join(&folded, asked);
    const bool may_be_part = strlen(asked) >= LEAST_PART_BYTES || (rg_is_letter(asked[0]) && rg_is_digit(asked[1]));
    size_t found = asked[0] ? collect(db, asked, &folded, FIT_WHOLE, &match) : 0;
    if (found == 0 && asked[0] && may_be_part && name[0] != '-') {
        found = collect(db, asked, &folded, FIT_PART, &match);
    }
    if (found > RIDGE_MATCH_MAX) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "'%s' fits %zu devices (say more of the name)", name, found);
    }
    if (found == 0) {
        return has_form ? unknown_architecture(db, name, form, error) : unknown_device(db, name, &folded, error);
    }
    *out = match;
    return RIDGE_OK;
}
