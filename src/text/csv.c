/* SPDX-License-Identifier: MIT */
/* Source of the form: RFC 4180, with any of LF, CR LF and CR as line ends. */
#include "text/csv.h"

#include <string.h>

void rg_csv_init(struct rg_csv *csv, const struct ridge_context *context, char *text)
{
    *csv = (struct rg_csv){.context = context};
    csv->text = text;
    csv->at = text;
}

void rg_csv_fini(struct rg_csv *csv)
{
    rg_free(csv->context, (void *)csv->fields, csv->capacity * sizeof *csv->fields);
    rg_free(csv->context, csv->offsets, csv->offset_capacity * sizeof *csv->offsets);
}

/** Read a field in place: its end is set to NUL. \return false when a quote is not closed. */
static bool next_field(struct rg_csv *csv, char **field, char *ended_by)
{
    char *to = csv->at;
    const bool quoted = *csv->at == '"';
    *field = to;
    char *from = csv->at + (quoted ? 1 : 0);
    while (quoted && *from && !(from[0] == '"' && from[1] != '"')) {
        from += from[0] == '"' ? 1 : 0;
        *to++ = *from++;
    }
    if (quoted && *from != '"') {
        return false;
    }
    from += quoted ? 1 : 0;
    while (!strchr(",\r\n", *from)) {
        *to++ = *from++;
    }
    *ended_by = *from;
    from += *from != '\0';
    if (*ended_by == '\r' && *from == '\n') {
        from++;
    }
    csv->cut_at = to;
    csv->cut = *to;
    *to = '\0';
    csv->at = from;
    return true;
}

ridge_status rg_csv_next(struct rg_csv *csv, bool *more)
{
    if (csv->cut_at) {
        *csv->cut_at = csv->cut;
    }
    csv->count = 0;
    csv->offset = (size_t)(csv->at - csv->text);
    *more = *csv->at != '\0';
    char ended_by = ',';
    while (*more && ended_by == ',') {
        char *field = NULL;
        if (!next_field(csv, &field, &ended_by)) {
            return RIDGE_E_SYNTAX;
        }
        if (!rg_reserve(csv->context, (void *)&csv->fields, &csv->capacity, csv->count + 1, sizeof *csv->fields) ||
            !rg_reserve(csv->context, &csv->offsets, &csv->offset_capacity, csv->count + 1, sizeof *csv->offsets)) {
            return RIDGE_E_MEMORY;
        }
        csv->offsets[csv->count] = (size_t)(field - csv->text);
        csv->fields[csv->count++] = field;
    }
    return RIDGE_OK;
}
