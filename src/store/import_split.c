/* SPDX-License-Identifier: MIT */
/* One pass over the text of a file of records: brackets, the list of records, and what must be mended for a parser. */
#include <string.h>

#include "base/ascii.h"
#include "store/import_text.h"

enum {
    MAX_DEPTH = 64,
    LIST_DEPTH = 2 /* brackets open inside the list of records: that of the document, that of the list */
};

struct splitter {
    struct rg_import_text *text;
    struct ridge_error *error;
    size_t at;
    char open[MAX_DEPTH]; /* the bracket that closes each open one */
    size_t depth;
    struct rg_span name; /* the last string in the outermost object */
    size_t record_begin;
    size_t last; /* the last byte that is no white space */
    bool listed; /* the list has begun */
    bool list_ended;
    bool ended; /* the document has */
};

/** The lists of records: name, bracket, format. */
struct list_row {
    const char *name;
    char bracket;
    rg_format format;
};

static const struct list_row list_rows[] = {
    {"cache", '{', RG_FORMAT_CACHE}, {"results", '[', RG_FORMAT_T4}, {"Results", '[', RG_FORMAT_KTT}};

static ridge_status wrong(const struct splitter *split, size_t offset, const char *what)
{
    const struct rg_place place = rg_import_place(split->text, offset);
    return rg_error_at(split->error, RIDGE_E_SYNTAX, &place, "%s (byte %zu)", what, offset);
}

static bool in_list(const struct splitter *split)
{
    return split->listed && !split->list_ended && split->depth == LIST_DEPTH;
}

/** Step over a string. Its end may be missing: then the text ends here. */
static void pass_string(struct splitter *split)
{
    const struct rg_import_text *text = split->text;
    const size_t begin = split->at + 1;
    size_t at = begin;
    while (at < text->length && text->text[at] != '"') {
        at += text->text[at] == '\\' ? 2 : 1;
    }
    split->at = at < text->length ? at + 1 : text->length;
    if (split->depth == 1) {
        split->name = (struct rg_span){begin, at < text->length ? at - begin : 0};
    }
}

static void list_begin(struct splitter *split, char bracket)
{
    struct rg_import_text *text = split->text;
    for (size_t i = 0; i < sizeof list_rows / sizeof list_rows[0] && !split->listed; i++) {
        const struct list_row *row = &list_rows[i];
        if (row->bracket == bracket && strlen(row->name) == split->name.length &&
            memcmp(text->text + split->name.offset, row->name, split->name.length) == 0) {
            text->format = row->format;
            text->content_begin = split->at + 1;
            split->listed = true;
        }
    }
}

static ridge_status open_bracket(struct splitter *split, char bracket)
{
    if (split->depth == MAX_DEPTH) {
        return wrong(split, split->at, "brackets are nested too deep");
    }
    if (in_list(split)) {
        if (bracket != '{') {
            return wrong(split, split->at, "a list stands where a record should");
        }
        split->record_begin = split->at;
    }
    if (split->depth == 1) {
        list_begin(split, bracket);
    }
    split->open[split->depth++] = bracket == '{' ? '}' : ']';
    return RIDGE_OK;
}

static ridge_status record_add(struct splitter *split)
{
    struct rg_import_text *text = split->text;
    if (!rg_reserve(text->context, (void *)&text->records, &text->record_capacity, text->record_count + 1,
                    sizeof *text->records)) {
        return rg_error_memory(split->error, text->record_capacity * sizeof *text->records);
    }
    text->records[text->record_count++] = (struct rg_span){split->record_begin, split->at + 1 - split->record_begin};
    return RIDGE_OK;
}

static ridge_status close_bracket(struct splitter *split, char bracket)
{
    if (split->depth == 0 || split->open[split->depth - 1] != bracket) {
        return wrong(split, split->at, "a closing bracket has no opening one");
    }
    if (split->text->text[split->last] == ',') {
        split->text->text[split->last] = ' ';
        split->text->commas++;
    }
    if (in_list(split)) {
        split->text->content_end = split->at;
        split->list_ended = true;
    }
    split->depth--;
    split->ended = split->depth == 0;
    return in_list(split) ? record_add(split) : RIDGE_OK;
}

/** A NaN or Infinity literal becomes a text of the same length. \return its bytes, or 0. */
static size_t mend_literal(struct splitter *split)
{
    static const char *const words[] = {"NaN", "nan", "Infinity", "inf"};
    char *begin = split->text->text + split->at;
    const size_t sign = *begin == '-' ? 1 : 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(words[i]);
        if (strncmp(begin + sign, words[i], length) != 0 || rg_is_word(begin[sign + length])) {
            continue;
        }
        memmove(begin + 1, begin, sign + length - 2);
        begin[0] = '"';
        begin[sign + length - 1] = '"';
        split->text->literals++;
        return sign + length;
    }
    return 0;
}

/** Anything that is no bracket, string or white space. */
static ridge_status pass_other(struct splitter *split)
{
    const char first = split->text->text[split->at];
    size_t length = 1;
    if (in_list(split) && first != ',' && first != ':') {
        return wrong(split, split->at, "something else stands where a record should");
    }
    if (first == '-' || rg_is_letter(first)) {
        const size_t mended = mend_literal(split);
        length = mended > 0 ? mended : 1;
    }
    /* Most of a file is digits. */
    const char *at = split->text->text + split->at + length;
    while ((*at >= '0' && *at <= '9') || *at == '.') {
        at++;
    }
    split->at = (size_t)(at - split->text->text);
    split->last = split->at - 1;
    return RIDGE_OK;
}

static ridge_status step(struct splitter *split)
{
    const char letter = split->text->text[split->at];
    ridge_status status = RIDGE_OK;
    if (split->ended) {
        return wrong(split, split->at, "something stands behind the end of the document");
    }
    if (split->depth == 0 && letter != '{') {
        return wrong(split, split->at, "the document is no object");
    }
    switch (letter) {
    case '"':
        if (in_list(split) && (split->open[1] == ']' || split->text->text[split->last] == ':')) {
            return wrong(split, split->at, "a text stands where a record should");
        }
        pass_string(split);
        split->last = split->at - 1;
        return RIDGE_OK;
    case '{':
    case '[': status = open_bracket(split, letter); break;
    case '}':
    case ']': status = close_bracket(split, letter); break;
    default: return pass_other(split);
    }
    split->last = split->at++;
    return status;
}

/** Cut what is left of an open file back to its last whole record. */
static void close_open(struct splitter *split)
{
    struct rg_import_text *text = split->text;
    text->open = true;
    if (split->list_ended || !split->listed) {
        return;
    }
    const struct rg_span *last = text->record_count > 0 ? &text->records[text->record_count - 1] : NULL;
    const size_t end = last ? last->offset + last->length : text->content_begin;
    text->partial = text->text[end + strspn(text->text + end, ", \t\r\n")] != '\0';
    text->content_end = text->length;
}

static ridge_status unknown(const struct rg_import_text *text, struct ridge_error *error)
{
    const struct rg_place place = {.file = text->path};
    if (text->length == strspn(text->text, " \t\r\n")) {
        return rg_error_at(error, RIDGE_E_VALUE, &place, "the file is empty: there are no results in it");
    }
    if (text->open) {
        return rg_error_at(error, RIDGE_E_VALUE, &place,
                           "the file ends before its first result: there are no results in it");
    }
    if (strstr(text->text, "\"ConfigurationSpace\"")) {
        return rg_error_at(error, RIDGE_E_VALUE, &place,
                           "a T1 file says what may be tuned and holds no results (it is a spec: ridge space, rank, "
                           "calibrate and tune --device replay:FILE take it in place of a kernel.toml)");
    }
    return rg_error_at(error, RIDGE_E_VALUE, &place,
                       "no kind of record file that is known (known are Kernel Tuner caches, T4, KTT results and CSV "
                       "as ridge show --csv writes it)");
}

ridge_status rg_import_text_split(struct rg_import_text *text, struct ridge_error *error)
{
    struct splitter split = {.text = text, .error = error};
    if (text->length >= 3 && memcmp(text->text, "\xEF\xBB\xBF", 3) == 0) {
        memset(text->text, ' ', 3);
    }
    const size_t first = strspn(text->text, " \t\r\n");
    if (strncmp(text->text + first, "id,", 3) == 0) {
        text->format = RG_FORMAT_CSV;
        return RIDGE_OK;
    }
    if (text->text[first] != '{') {
        return unknown(text, error);
    }
    ridge_status status = RIDGE_OK;
    while (status == RIDGE_OK && split.at < text->length) {
        const char letter = text->text[split.at];
        if (letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t') {
            split.at++;
            continue;
        }
        status = step(&split);
    }
    if (status == RIDGE_OK && !split.ended) {
        close_open(&split);
    }
    return status == RIDGE_OK && !split.listed ? unknown(text, error) : status;
}
