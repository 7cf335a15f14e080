/* SPDX-License-Identifier: MIT */
/** \file ridge policy table: the policy of every compute capability from 5.0 to 12.1, as docs/policies.md. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd_policy.h"

/** A transform that the table is printed for. */
struct shape {
    const char *title;
    struct ridge_transform_request request;
};

static const struct shape shapes[] = {
    {"One f32 input, f32 output", {.input_count = 1, .input_bytes = {4}, .output_bytes = 4}},
    {"Two f16 inputs, f16 output", {.input_count = 2, .input_bytes = {2, 2}, .output_bytes = 2}},
    {"No input, f32 output (fill)", {.input_count = 0, .output_bytes = 4}},
};

struct table {
    const struct ridge_policy_table *policies;
    const struct ridge_device_db *devices;
};

static void print_row(void *user, const struct ridge_transform_policy *policy)
{
    char bytes[64];
    (void)user;
    policy_bytes(policy->min_bytes_in_flight, bytes, sizeof bytes);
    printf("| %s | %s | %s | %s | %s | %u / %u / %u |", policy->capability, policy->row, bytes, policy->kind,
           ridge_transform_word(policy->algorithm), policy->vectorized.threads_per_block,
           policy->vectorized.items_per_thread, policy->vectorized.vec_size);
    if (policy->async_copy.possible) {
        printf(" %u / 1 to %u, %" PRIu64 " bytes |\n", policy->async_copy.threads_per_block,
               policy->async_copy.max_items_per_thread, policy->async_copy.tile_bytes);
    } else {
        puts(" none |");
    }
}

/** Call for each compute capability of the devices, in order, with its policy. */
static ridge_status policy_each(const struct table *table, const struct ridge_transform_request *asked,
                                void (*visit)(void *user, const struct ridge_transform_policy *policy), void *user,
                                struct ridge_error *error)
{
    for (size_t i = 0; i < ridge_device_count(table->devices); i++) {
        const struct ridge_device *device = ridge_device_at(table->devices, i);
        if (!device->is_architecture || strncmp(device->name, "cc:", 3) != 0) {
            continue;
        }
        struct ridge_transform_request request = *asked;
        struct ridge_transform_policy policy;
        request.capability = device->name;
        const ridge_status status =
            ridge_transform_policy_find(table->policies, table->devices, &request, &policy, error);
        if (status != RIDGE_OK) {
            return status;
        }
        visit(user, &policy);
    }
    return RIDGE_OK;
}

static ridge_status print_shape(const struct table *table, const struct shape *shape, struct ridge_error *error)
{
    printf("\n## %s\n\n"
           "| cc | row | in flight a multiprocessor | kind | algorithm | vectorized: threads / items / vector | "
           "staged: threads / items, shared memory |\n|---|---|---|---|---|---|---|\n",
           shape->title);
    return policy_each(table, &shape->request, print_row, NULL, error);
}

/** Print where the bytes in flight of a row come from, each row once. \param user  the last row */
static void print_source(void *user, const struct ridge_transform_policy *policy)
{
    char *last = user;
    if (strcmp(last, policy->row) != 0) {
        printf("| %s | %s | %s |\n", policy->row, policy->facts[0].source, policy->note);
        snprintf(last, RIDGE_POLICY_TEXT_BYTES, "%s", policy->row);
    }
}

static ridge_status print_sources(const struct table *table, struct ridge_error *error)
{
    char last[RIDGE_POLICY_TEXT_BYTES] = "";
    puts("\n## Sources\n\n| row | bytes in flight from | note |\n|---|---|---|");
    return policy_each(table, &shapes[0].request, print_source, last, error);
}

static ridge_status print_all(const struct table *table, struct ridge_error *error)
{
    puts("# Transform policies by compute capability\n\n"
         "Made by `ridge policy table > docs/policies.md`; what the columns mean is in [policy.md](policy.md).\n"
         "A row covers a closed range: a capability that is not listed has no policy, and Ridge says so.");
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0] && status == RIDGE_OK; i++) {
        status = print_shape(table, &shapes[i], error);
    }
    return status == RIDGE_OK ? print_sources(table, error) : status;
}

int cmd_policy_table(struct ridge_context *context, int argc, char **argv)
{
    static const struct command command = {"policy table", "", "print the policy of every compute capability", NULL};
    const char *devices = NULL;
    const char *policies = NULL;
    const struct option options[] = {
        {"data", OPTION_TEXT, &devices, "PATH", "device files over those compiled in", NULL},
        {"policies", OPTION_TEXT, &policies, "PATH", "policy files over those compiled in", NULL},
        {0},
    };
    const char *none[1];
    switch (options_parse(&command, options, argc, argv, none, 0, 0)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    struct ridge_error error = {0};
    struct ridge_device_db *db = NULL;
    struct ridge_policy_table *rows = NULL;
    ridge_status status = ridge_device_db_create(context, devices, &db, &error);
    status = status == RIDGE_OK ? ridge_policy_table_create(context, policies, &rows, &error) : status;
    if (status == RIDGE_OK) {
        const struct table table = {rows, db};
        status = print_all(&table, &error);
    }
    const int code = status == RIDGE_OK ? EXIT_DONE : report_error(&error);
    ridge_policy_table_destroy(rows);
    ridge_device_db_destroy(db);
    return code;
}
