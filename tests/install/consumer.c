/* SPDX-License-Identifier: MIT */
/**
 * \file A program of somebody else: it includes installed headers only, uses a locale with decimal commas when it is
 * told one, tunes a spec on the null backend and prints the result as JSON.
 *
 * Usage: consumer SPEC DATABASE [LOCALE]
 */
#include <locale.h>
#include <stdio.h>

#include <ridge/report.h>
#include <ridge/tune.h>

static bool print(void *user, const char *bytes, size_t length)
{
    (void)user;
    return fwrite(bytes, 1, length, stdout) == length;
}

static int fail(const struct ridge_error *error)
{
    char text[4096];
    ridge_error_format(error, text, sizeof text);
    fprintf(stderr, "consumer: %s\n", text);
    return 1;
}

int main(int argc, char **argv)
{
    struct ridge_error error = {0};
    struct ridge_context *context = NULL;
    struct ridge_spec *spec = NULL;
    struct ridge_space *space = NULL;
    struct ridge_store *store = NULL;
    struct ridge_run *run = NULL;
    int64_t id = 0;
    if (argc < 3) {
        return 2;
    }
    if (argc > 3 && !setlocale(LC_ALL, argv[3])) {
        return 77;
    }
    const struct ridge_tune_options options = {.device = "null", .max_configs = 30};
    const struct ridge_sink sink = {print, NULL};
    if (ridge_context_create(NULL, &context, &error) != RIDGE_OK ||
        ridge_spec_load(context, argv[1], NULL, 0, &spec, &error) != RIDGE_OK ||
        ridge_space_create(context, spec, &space, &error) != RIDGE_OK ||
        ridge_store_open(context, argv[2], RIDGE_STORE_WRITE, &store, &error) != RIDGE_OK ||
        ridge_tune(context, space, store, &options, &id, &error) != RIDGE_OK ||
        ridge_store_run_load(store, id, &run, &error) != RIDGE_OK ||
        ridge_report_csv(run, 0, sink, &error) != RIDGE_OK) {
        return fail(&error);
    }
    ridge_run_destroy(run);
    ridge_store_close(store);
    ridge_space_destroy(space);
    ridge_spec_destroy(spec);
    ridge_context_destroy(context);
    return 0;
}
