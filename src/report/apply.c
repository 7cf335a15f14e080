/* SPDX-License-Identifier: MIT */
/* The winner of a run, or of a group of runs, as a header or JSON. */
#include "ridge/apply.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "report/report_common.h"
#include "ridge/json.h"
#include "ridge/units.h"
#include "text/c_write.h"

enum {
    MOST_TIED = 16 /* others that the comment of a header names */
};

struct writer {
    struct rg_buffer text;
    const struct ridge_run *run;
    const struct ridge_record *best;
    char name[RG_C_NAME_BYTES];
    char macro[RG_C_NAME_BYTES];
    char now[RG_TIMESTAMP_BYTES];
};

/** \return whether another of the first `count` dimensions has that identifier, as macros have it: "Tile" is "tile". */
static bool is_taken(const struct ridge_run *run, size_t count, size_t dimension, const char *name)
{
    char upper[RG_C_NAME_BYTES];
    rg_c_macro(name, upper);
    for (size_t i = 0; i < count; i++) {
        char other[RG_C_NAME_BYTES];
        char other_upper[RG_C_NAME_BYTES];
        rg_c_name(run->dimension_names[i], other);
        rg_c_macro(other, other_upper);
        if (i != dimension && strcmp(upper, other_upper) == 0) {
            return true;
        }
    }
    return false;
}

/** Make the name of a dimension unlike those before it, and what is made up unlike all that were given. */
static void dimension_name(const struct ridge_run *run, size_t dimension, char out[RG_C_NAME_BYTES])
{
    enum {
        ROOM = 16 /* for a number and underscores */
    };
    rg_c_name(run->dimension_names[dimension], out);
    if (!is_taken(run, dimension, dimension, out)) {
        return;
    }
    size_t length = strlen(out) < RG_C_NAME_BYTES - ROOM ? strlen(out) : RG_C_NAME_BYTES - ROOM;
    length += (size_t)snprintf(out + length, ROOM, "_%u", (unsigned)dimension % 100000);
    while (is_taken(run, run->dimension_count, dimension, out) && length + 1 < RG_C_NAME_BYTES) {
        out[length++] = '_';
        out[length] = '\0';
    }
}

static const char *type_of(const struct ridge_value *value)
{
    static const char *const types[] = {
        [RIDGE_INT] = "long long ", [RIDGE_FLOAT] = "double ", [RIDGE_BOOL] = "int ", [RIDGE_TEXT] = "const char *"};
    return types[value->type];
}

static void write_value(struct rg_buffer *text, const struct ridge_value *value)
{
    char number[64];
    switch (value->type) {
    case RIDGE_INT:
        if (value->as.integer == INT64_MIN) {
            rg_buffer_puts(text, "(-9223372036854775807LL - 1)"); /* its digits alone are no literal */
        } else {
            const bool wide = value->as.integer > INT32_MAX || value->as.integer < -INT32_MAX;
            rg_buffer_printf(text, value->as.integer < 0 ? "(%lld%s)" : "%lld%s", (long long)value->as.integer,
                             wide ? "LL" : "");
        }
        break;
    case RIDGE_FLOAT:
        ridge_value_format(value, number, sizeof number);
        rg_buffer_printf(text, value->as.number < 0 ? "(%s)" : "%s", number);
        break;
    case RIDGE_BOOL: rg_buffer_puts(text, value->as.truth ? "1" : "0"); break;
    case RIDGE_TEXT: rg_c_string(text, value->as.text); break;
    }
}

static void write_c(struct writer *writer)
{
    struct rg_buffer *text = &writer->text;
    const struct ridge_run *run = writer->run;
    char name[RG_C_NAME_BYTES];
    rg_buffer_printf(text, "#ifndef RIDGE_GUARD_%s\n#define RIDGE_GUARD_%s\n\nstruct %s_configuration {\n",
                     writer->macro, writer->macro, writer->name);
    for (size_t i = 0; i < run->dimension_count; i++) {
        dimension_name(run, i, name);
        rg_buffer_printf(text, "    %s%s;\n", type_of(&writer->best->values[i]), name);
    }
    rg_buffer_puts(text, "};\n\n");
    for (size_t i = 0; i < run->dimension_count; i++) {
        char macro[RG_C_NAME_BYTES];
        dimension_name(run, i, name);
        rg_c_macro(name, macro);
        rg_buffer_printf(text, "#define %s_%s ", writer->macro, macro);
        write_value(text, &writer->best->values[i]);
        rg_buffer_puts(text, "\n");
    }
    rg_buffer_printf(text, "\nstatic const struct %s_configuration %s = {", writer->name, writer->name);
    for (size_t i = 0; i < run->dimension_count; i++) {
        dimension_name(run, i, name);
        rg_buffer_puts(text, i > 0 ? ",\n    " : "\n    ");
        write_value(text, &writer->best->values[i]);
        rg_buffer_printf(text, " /* %s */", name);
    }
    rg_buffer_puts(text, "\n};\n\n#endif\n");
}

static void write_cuda(struct writer *writer)
{
    struct rg_buffer *text = &writer->text;
    const struct ridge_run *run = writer->run;
    rg_buffer_printf(text,
                     "#ifndef RIDGE_GUARD_%s\n#define RIDGE_GUARD_%s\n\nnamespace %s {\n\n"
                     "/* Usable on the host and in kernels: static members of a type, so that it can be a template "
                     "argument. */\nstruct configuration {\n",
                     writer->macro, writer->macro, writer->name);
    for (size_t i = 0; i < run->dimension_count; i++) {
        char name[RG_C_NAME_BYTES];
        dimension_name(run, i, name);
        rg_buffer_printf(text, "    static constexpr %s%s = ", type_of(&writer->best->values[i]), name);
        write_value(text, &writer->best->values[i]);
        rg_buffer_puts(text, ";\n");
    }
    rg_buffer_printf(text, "};\n\n} /* namespace %s */\n\n#endif\n", writer->name);
}

static void comment_configuration(struct writer *writer, const char *label, const struct ridge_record *record)
{
    struct rg_buffer words;
    rg_buffer_init(&words, writer->text.context);
    rg_buffer_printf(&words, "%s ", record->id);
    rg_report_configuration(writer->run, record, &words);
    rg_c_comment(&writer->text, label, rg_buffer_text(&words));
    writer->text.failed = writer->text.failed || words.failed;
    rg_buffer_fini(&words);
}

static void comment_tied(struct writer *writer)
{
    const struct ridge_run *run = writer->run;
    char line[128];
    if (run->tied_count < 2) {
        rg_c_comment(&writer->text, "indistinguishable from it", "none");
        return;
    }
    snprintf(line, sizeof line, "%zu other configurations; the run does not say which is fastest", run->tied_count - 1);
    rg_c_comment(&writer->text, "indistinguishable from it", line);
    for (size_t i = 1; i < run->tied_count && i <= MOST_TIED; i++) {
        comment_configuration(writer, "or", &run->records[run->ranked[i]]);
    }
    if (run->tied_count - 1 > MOST_TIED) {
        snprintf(line, sizeof line, "  and %zu more", run->tied_count - 1 - MOST_TIED);
        rg_c_comment(&writer->text, "", line);
    }
}

/** Begin the comment. \param what  "the fastest configuration of a tuned run" */
static void about_begin(struct writer *writer, const char *what)
{
    const struct ridge_run_info *info = &writer->run->info;
    struct rg_buffer *text = &writer->text;
    rg_buffer_printf(text, "/* %s: %s, written by ridge %s.\n", writer->name, what, ridge_version());
    rg_c_comment(text, "kernel", info->kernel);
    rg_c_comment(text, "device", info->device);
    rg_c_comment(text, "backend", info->backend);
    rg_c_comment(text, "driver", info->driver);
}

static void about_end(struct writer *writer, const struct ridge_header_about *about)
{
    rg_c_comment(&writer->text, "date", about->date ? about->date : writer->now);
    rg_c_comment(&writer->text, "command", about->command);
    rg_buffer_puts(&writer->text, " */\n");
}

/** "median 0.001 s, 95 % interval 0.0009 to 0.0011 s, n = 9" */
static void time_text(const struct ridge_summary *summary, char *line, size_t bytes)
{
    char numbers[3][RIDGE_NUMBER_BYTES];
    ridge_number_format(summary->median_s, numbers[0]);
    ridge_number_format(summary->ci95_low_s, numbers[1]);
    ridge_number_format(summary->ci95_high_s, numbers[2]);
    if (isnan(summary->ci95_low_s)) {
        snprintf(line, bytes, "median %s s, interval unknown, n = %llu", numbers[0], (unsigned long long)summary->n);
    } else {
        snprintf(line, bytes, "median %s s, 95 %% interval %s to %s s, n = %llu", numbers[0], numbers[1], numbers[2],
                 (unsigned long long)summary->n);
    }
}

static void write_about(struct writer *writer, const struct ridge_header_about *about)
{
    const struct ridge_run *run = writer->run;
    struct rg_buffer *text = &writer->text;
    char line[256];
    about_begin(writer, "the fastest configuration of a tuned run");
    rg_c_comment(text, "parameters", run->info.parameters[0] ? run->info.parameters : "none");
    rg_c_comment(text, "kind", ridge_kind_word(writer->best->kind));
    snprintf(line, sizeof line, "%lld of %s, %s", (long long)run->id, rg_report_time(run),
             ridge_run_state_word(run->state));
    rg_c_comment(text, "run", line);
    time_text(&writer->best->summary, line, sizeof line);
    rg_c_comment(text, "time", line);
    comment_configuration(writer, "configuration", writer->best);
    comment_tied(writer);
    about_end(writer, about);
}

/** What the winner is tied with over all workloads. */
static void comment_group_tied(struct writer *writer, const struct ridge_group *group)
{
    char line[128];
    if (group->tied_count < 2) {
        rg_c_comment(&writer->text, "indistinguishable from it", "none");
        return;
    }
    snprintf(line, sizeof line, "%zu other configurations; the runs do not say which is best", group->tied_count - 1);
    rg_c_comment(&writer->text, "indistinguishable from it", line);
    for (size_t i = 1; i < group->tied_count && i <= MOST_TIED; i++) {
        comment_configuration(writer, "or", group->entries[i].records[0]);
    }
    if (group->tied_count - 1 > MOST_TIED) {
        snprintf(line, sizeof line, "  and %zu more", group->tied_count - 1 - MOST_TIED);
        rg_c_comment(&writer->text, "", line);
    }
}

static void write_group_about(struct writer *writer, const struct ridge_group *group,
                              const struct ridge_header_about *about)
{
    const struct ridge_group_entry *winner = ridge_group_winner(group);
    struct rg_buffer *text = &writer->text;
    struct rg_buffer words;
    char line[256];
    about_begin(writer, "the best configuration over several workloads");
    rg_c_comment(text, "kind", ridge_kind_word(writer->best->kind));
    snprintf(line, sizeof line, "g%lld of %s", (long long)group->id, rg_report_time(group->members[0].run));
    rg_c_comment(text, "group", line);
    rg_buffer_init(&words, text->context);
    for (size_t i = 0; i < group->member_count; i++) {
        const struct ridge_group_member *member = &group->members[i];
        time_text(&winner->records[i]->first, line, sizeof line);
        rg_buffer_clear(&words);
        rg_buffer_printf(&words, "%s (%s, weight %g, run %lld): %s", member->name, member->run->info.parameters,
                         member->weight, (long long)member->run->id, line);
        rg_c_comment(text, "workload", rg_buffer_text(&words));
    }
    text->failed = text->failed || words.failed;
    rg_buffer_fini(&words);
    snprintf(line, sizeof line, "%.3f (%.3f to %.3f); 1 is the fastest with every workload", winner->score.value,
             winner->score.low, winner->score.high);
    rg_c_comment(text, "score", line);
    comment_configuration(writer, "configuration", writer->best);
    comment_group_tied(writer, group);
    about_end(writer, about);
}

static ridge_status find_best(const struct ridge_run *run, const struct ridge_record **best, struct ridge_error *error)
{
    *best = rg_report_best(run);
    return *best ? RIDGE_OK
                 : rg_error_set(error, RIDGE_E_EMPTY,
                                "nothing of run %lld was measured: it has no winner (see ridge show "
                                "%lld --failed)",
                                (long long)run->id, (long long)run->id);
}

/** Write the header of the writer's best: `group` NULL: of a run. */
static ridge_status write_header(struct writer *writer, const struct ridge_context *context,
                                 const struct ridge_group *group, ridge_header code,
                                 const struct ridge_header_about *about, struct ridge_sink sink,
                                 struct ridge_error *error)
{
    rg_buffer_init(&writer->text, context);
    rg_c_name(about->name, writer->name);
    rg_c_macro(about->name, writer->macro);
    rg_clock_timestamp(writer->now);
    if (group) {
        write_group_about(writer, group, about);
    } else {
        write_about(writer, about);
    }
    if (code == RIDGE_HEADER_CUDA) {
        write_cuda(writer);
    } else {
        write_c(writer);
    }
    const ridge_status status = rg_report_emit(&writer->text, sink, error);
    rg_buffer_fini(&writer->text);
    return status;
}

ridge_status ridge_apply_header(const struct ridge_context *context, const struct ridge_run *run, ridge_header code,
                                const struct ridge_header_about *about, struct ridge_sink sink,
                                struct ridge_error *error)
{
    struct writer writer = {.run = run};
    const ridge_status status = find_best(run, &writer.best, error);
    return status == RIDGE_OK ? write_header(&writer, context, NULL, code, about, sink, error) : status;
}

static ridge_status find_winner(const struct ridge_group *group, const struct ridge_group_entry **winner,
                                struct ridge_error *error)
{
    *winner = ridge_group_winner(group);
    return *winner ? RIDGE_OK
                   : rg_error_set(error, RIDGE_E_EMPTY,
                                  "no configuration of group g%lld was measured with every workload: it has no winner "
                                  "(see ridge show g%lld)",
                                  (long long)group->id, (long long)group->id);
}

ridge_status ridge_apply_group_header(const struct ridge_context *context, const struct ridge_group *group,
                                      ridge_header code, const struct ridge_header_about *about, struct ridge_sink sink,
                                      struct ridge_error *error)
{
    const struct ridge_group_entry *winner = NULL;
    const ridge_status status = find_winner(group, &winner, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct writer writer = {.run = group->members[0].run, .best = winner->records[0]};
    return write_header(&writer, context, group, code, about, sink, error);
}

static void json_values(struct ridge_json *json, const struct ridge_run *run, const struct ridge_record *record)
{
    ridge_json_object_begin_compact(json, "configuration");
    for (size_t i = 0; i < run->dimension_count; i++) {
        ridge_json_value(json, run->dimension_names[i], &record->values[i]);
    }
    ridge_json_object_end(json);
}

static void json_configuration(struct ridge_json *json, const struct ridge_run *run, const struct ridge_record *record)
{
    ridge_json_text(json, "id", record->id);
    json_values(json, run, record);
    ridge_json_double(json, "median_s", record->summary.median_s);
    ridge_json_double(json, "ci95_low_s", record->summary.ci95_low_s);
    ridge_json_double(json, "ci95_high_s", record->summary.ci95_high_s);
    ridge_json_u64(json, "n", record->summary.n);
}

ridge_status ridge_apply_json(const struct ridge_run *run, const struct ridge_header_about *about,
                              struct ridge_sink sink, struct ridge_error *error)
{
    const struct ridge_record *best = NULL;
    const ridge_status status = find_best(run, &best, error);
    struct ridge_json json;
    char now[RG_TIMESTAMP_BYTES];
    if (status != RIDGE_OK) {
        return status;
    }
    rg_clock_timestamp(now);
    ridge_json_begin(&json, sink);
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "schema", "ridge.apply/1");
    ridge_json_text(&json, "kernel", run->info.kernel);
    ridge_json_text(&json, "device", run->info.device);
    ridge_json_text(&json, "backend", run->info.backend);
    ridge_json_text(&json, "driver", run->info.driver);
    ridge_json_text(&json, "parameters", run->info.parameters);
    ridge_json_text(&json, "kind", ridge_kind_word(best->kind));
    ridge_json_i64(&json, "run", run->id);
    ridge_json_text(&json, "state", ridge_run_state_word(run->state));
    json_configuration(&json, run, best);
    ridge_json_array_begin(&json, "indistinguishable");
    for (size_t i = 1; i < run->tied_count; i++) {
        ridge_json_object_begin(&json, NULL);
        json_configuration(&json, run, &run->records[run->ranked[i]]);
        ridge_json_object_end(&json);
    }
    ridge_json_array_end(&json);
    ridge_json_text(&json, "date", about->date ? about->date : now);
    ridge_json_text(&json, "command", about->command);
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? RIDGE_OK : rg_report_refused(error);
}

ridge_status ridge_apply_group_json(const struct ridge_group *group, const struct ridge_header_about *about,
                                    struct ridge_sink sink, struct ridge_error *error)
{
    const struct ridge_group_entry *winner = NULL;
    const ridge_status status = find_winner(group, &winner, error);
    if (status != RIDGE_OK) {
        return status;
    }
    const struct ridge_run *run = group->members[0].run;
    struct ridge_json json;
    char now[RG_TIMESTAMP_BYTES];
    rg_clock_timestamp(now);
    ridge_json_begin(&json, sink);
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "schema", "ridge.apply-group/1");
    ridge_json_text(&json, "kernel", run->info.kernel);
    ridge_json_text(&json, "device", run->info.device);
    ridge_json_text(&json, "backend", run->info.backend);
    ridge_json_text(&json, "driver", run->info.driver);
    ridge_json_text(&json, "kind", ridge_kind_word(winner->records[0]->kind));
    ridge_json_i64(&json, "group", group->id);
    ridge_json_text(&json, "id", winner->id);
    json_values(&json, run, winner->records[0]);
    ridge_json_double(&json, "score", winner->score.value);
    ridge_json_double(&json, "score_low", winner->score.low);
    ridge_json_double(&json, "score_high", winner->score.high);
    ridge_json_array_begin(&json, "indistinguishable");
    for (size_t i = 1; i < group->tied_count; i++) {
        ridge_json_object_begin(&json, NULL);
        ridge_json_text(&json, "id", group->entries[i].id);
        json_values(&json, run, group->entries[i].records[0]);
        ridge_json_object_end(&json);
    }
    ridge_json_array_end(&json);
    ridge_json_text(&json, "date", about->date ? about->date : now);
    ridge_json_text(&json, "command", about->command);
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? RIDGE_OK : rg_report_refused(error);
}
