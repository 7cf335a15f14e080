/* SPDX-License-Identifier: MIT */
/** \file ridge policy: how to run a standard kernel on a chip that nobody tuned it for. */
#include <stdio.h>
#include <string.h>

#include "cmd_policy.h"
#include "command_text.h"

struct transform {
    struct ridge_context *context;
    struct ridge_transform_request request;
    const char *in, *out, *emit, *name, *output, *devices, *policies;
    struct option_optional bytes_in_flight, smem_limit;
    bool no_input, json;
    char command[1024];
};

static const char *mistake(const struct transform *transform)
{
    if (!transform->request.device && !transform->request.capability) {
        return "--device or --cc is missing (name the chip; --cc unknown when nothing is known of it)";
    }
    if (!transform->out) {
        return "--out is missing (the element that is written, such as f16)";
    }
    if (transform->no_input == (transform->in != NULL)) {
        return transform->in ? "--in and --no-input contradict each other (leave one out)"
                             : "--in is missing (the elements that are read, such as f16,f16; or --no-input)";
    }
    if (transform->json && transform->emit) {
        return "--json and --emit say two things (give one)";
    }
    if (transform->bytes_in_flight.given && transform->bytes_in_flight.value == 0) {
        return "--bytes-in-flight is 0 (at least 1; leave it out to take what the facts say)";
    }
    if (transform->smem_limit.given && transform->smem_limit.value == 0) {
        return "--smem-limit is 0 (at least 1; leave it out to take what the facts say)";
    }
    if (!transform->emit && (transform->name || transform->output)) {
        return "--name and --output belong to --emit (give that too)";
    }
    return NULL;
}

static int complain(const char *what)
{
    fprintf(stderr, "ridge policy transform: %s\n", what);
    return EXIT_USAGE;
}

/** Read "f16,f16,4" into the inputs. \return false with a message */
static bool inputs_take(struct transform *transform)
{
    struct ridge_transform_request *request = &transform->request;
    struct ridge_error error = {0};
    const char *at = transform->in;
    while (at) {
        char word[32];
        const size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), at);
        if (request->input_count == RIDGE_TRANSFORM_INPUTS) {
            fprintf(stderr, "ridge policy transform: --in names too many inputs (at most %d)\n",
                    RIDGE_TRANSFORM_INPUTS);
            return false;
        }
        if (ridge_element_parse(word, &request->input_bytes[request->input_count++], &error) != RIDGE_OK) {
            fprintf(stderr, "ridge policy transform: --in: %s\n", error.message);
            return false;
        }
        at = at[length] ? at + length + 1 : NULL;
    }
    if (ridge_element_parse(transform->out, &request->output_bytes, &error) != RIDGE_OK) {
        fprintf(stderr, "ridge policy transform: --out: %s\n", error.message);
        return false;
    }
    return true;
}

struct emit {
    const struct transform *transform;
    const struct ridge_transform_policy *policy;
};

static ridge_status fill(void *user, struct ridge_sink sink, struct ridge_error *error)
{
    const struct emit *emit = user;
    const struct transform *transform = emit->transform;
    const ridge_header code = strcmp(transform->emit, "cuda") == 0 ? RIDGE_HEADER_CUDA : RIDGE_HEADER_C;
    const struct ridge_header_about about = {transform->name ? transform->name : "ridge_transform", transform->command,
                                             NULL};
    return ridge_transform_policy_write(transform->context, emit->policy, code, &about, sink, error);
}

static int show(const struct transform *transform, const struct ridge_transform_policy *policy)
{
    struct ridge_error error = {0};
    struct emit emit = {transform, policy};
    if (transform->json) {
        return policy_print_json(policy);
    }
    if (!transform->emit) {
        policy_print(policy);
        return EXIT_DONE;
    }
    const ridge_status status = transform->output
                                    ? ridge_file_fill(transform->context, transform->output, fill, &emit, &error)
                                    : fill(&emit, stdout_sink(), &error);
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

static int find(const struct transform *transform)
{
    struct ridge_error error = {0};
    struct ridge_device_db *devices = NULL;
    struct ridge_policy_table *table = NULL;
    struct ridge_transform_policy policy;
    ridge_status status = ridge_device_db_create(transform->context, transform->devices, &devices, &error);
    if (status == RIDGE_OK) {
        status = ridge_policy_table_create(transform->context, transform->policies, &table, &error);
    }
    if (status == RIDGE_OK) {
        status = ridge_transform_policy_find(table, devices, &transform->request, &policy, &error);
    }
    const int code = status == RIDGE_OK ? show(transform, &policy) : report_error(&error);
    ridge_policy_table_destroy(table);
    ridge_device_db_destroy(devices);
    return code;
}

int cmd_policy_transform(struct ridge_context *context, int argc, char **argv)
{
    static const struct command command = {
        "policy transform", "",
        "find a policy for out[i] = f(in1[i], ...) on a chip, with the facts it rests "
        "on",
        NULL};
    struct transform transform = {.context = context};
    struct ridge_transform_request *request = &transform.request;
    const struct option options[] = {
        {"device", OPTION_TEXT, &request->device, "NAME", "the device (see ridge devices)", NULL},
        {"cc", OPTION_TEXT, &request->capability, "X.Y", "its compute capability, when the device is not known", NULL},
        {"in", OPTION_TEXT, &transform.in, "ELEMENTS", "what is read: f16,f32,... or bytes of an element", NULL},
        {"out", OPTION_TEXT, &transform.out, "ELEMENT", "what is written", NULL},
        {"no-input", OPTION_FLAG, &transform.no_input, NULL, "nothing is read: it only fills", NULL},
        {"stable-address", OPTION_FLAG, &request->stable_address, NULL,
         "the function uses the addresses of its arguments", NULL},
        {"not-contiguous", OPTION_FLAG, &request->not_contiguous, NULL,
         "an input is not contiguous, or not trivially relocatable", NULL},
        {"bytes-in-flight", OPTION_OPTIONAL, &transform.bytes_in_flight, "N", "instead of what the facts say", NULL},
        {"smem-limit", OPTION_OPTIONAL, &transform.smem_limit, "N", "shared memory that a block may use, bytes", NULL},
        {"latency", OPTION_DURATION, &request->memory_latency_s, "TIME",
         "of memory, where no fact says it, such as 800ns", NULL},
        {"data", OPTION_TEXT, &transform.devices, "PATH", "device files over those compiled in", NULL},
        {"policies", OPTION_TEXT, &transform.policies, "PATH", "policy files over those compiled in", NULL},
        {"emit", OPTION_TEXT, &transform.emit, "LANGUAGE", "write a header: c (for C and C++) or cuda", "c|cuda"},
        {"name", OPTION_TEXT, &transform.name, "NAME", "what the header defines (default ridge_transform)", NULL},
        {"output", OPTION_TEXT, &transform.output, "FILE", "-o: where the header goes (default: standard output)",
         NULL},
        {"json", OPTION_FLAG, &transform.json, NULL, "print JSON (ridge.policy/1)", NULL},
        {0},
    };
    const char *none[1];
    command_text("policy transform", argc, argv, transform.command, sizeof transform.command);
    switch (options_parse(&command, options, argc, argv, none, 0, 0)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    const char *what = mistake(&transform);
    if (what) {
        return complain(what);
    }
    request->bytes_in_flight = transform.bytes_in_flight.value;
    request->smem_limit_bytes = transform.smem_limit.value;
    return inputs_take(&transform) ? find(&transform) : EXIT_USAGE;
}

static const struct command below[] = {
    {"transform", "", "find a policy for a chip", cmd_policy_transform},
    {"table", "", "print the policy of every compute capability, with sources, as Markdown", cmd_policy_table},
    {"tune", "transform", "measure a generated transform on the device at hand, at several sizes", cmd_policy_tune},
    {NULL, NULL, NULL, NULL},
};

int cmd_policy(struct ridge_context *context, int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    for (const struct command *command = below; command->name; command++) {
        if (strcmp(word, command->name) == 0) {
            return command->run(context, argc - 1, argv + 1);
        }
    }
    const bool help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    FILE *to = help ? stdout : stderr;
    if (!help) {
        fprintf(to, "ridge policy: there is no command '%s' (one of those below)\n", word);
    }
    for (const struct command *command = below; command->name; command++) {
        fprintf(to, "  ridge policy %-12s %s\n", command->name, command->summary);
    }
    return help ? EXIT_DONE : EXIT_USAGE;
}
