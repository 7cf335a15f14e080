/* SPDX-License-Identifier: MIT */
/** \file Loading a spec: the file and what kind it is; of a kernel.toml [kernel], [model], and the order of its parts. */
#include "space/spec.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "space/spec_read.h"
#include "text/gunzip.h"
#include "text/json_read.h"

static ridge_status read_name(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    for (const char *at = value->text; *at; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7F) {
            return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place,
                               "the name holds a control character (such as a line end; leave it out)");
        }
    }
    return rg_spec_read_text(reader, value, target);
}

static ridge_status read_domain(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    if (value->integer < 1 || value->integer > 3) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &value->place, "domain is %lld (1, 2 or 3 launch dimensions)",
                           (long long)value->integer);
    }
    *(unsigned *)target = (unsigned)value->integer;
    return RIDGE_OK;
}

static ridge_status read_source(struct rg_spec_reader *reader, const struct rg_toml *value, void *target)
{
    struct ridge_spec *spec = reader->spec;
    const char **path = target;
    spec->source_places[path - spec->sources] = value->place;
    return rg_spec_read_path(reader, value, target);
}

#define SOURCE_KEY(name, language, right)                                        \
    {                                                                            \
        name, RG_IS_TEXT, false, right, read_source, (language) * sizeof(char *) \
    }

static ridge_status read_sources(struct rg_spec_reader *reader, const struct rg_toml *table, void *target)
{
    static const struct rg_key source_keys[] = {
        SOURCE_KEY("opencl", RG_LANGUAGE_OPENCL, "\"matmul.cl\""),
        SOURCE_KEY("cuda", RG_LANGUAGE_CUDA, "\"matmul.cu\""),
        SOURCE_KEY("c", RG_LANGUAGE_C, "\"matmul.c\""),
    };
    static const struct rg_key_list keys = RG_KEY_LIST("sources", source_keys);
    return rg_spec_read_table(reader, &keys, table, target);
}

static ridge_status read_kernel(struct rg_spec_reader *reader, const struct rg_toml *table)
{
    static const struct rg_key kernel_keys[] = {
        {"name", RG_IS_TEXT, true, "\"matmul\"", read_name, offsetof(struct ridge_spec, kernel)},
        {"entry", RG_IS_TEXT, false, "\"matmul\"", read_name, offsetof(struct ridge_spec, entry)},
        {"domain", RG_IS_INT, false, "2", read_domain, offsetof(struct ridge_spec, domain)},
        {"sources", RG_IS_TABLE, false, "{ opencl = \"matmul.cl\" }", read_sources,
         offsetof(struct ridge_spec, sources)},
        {"needs_cc", RG_IS_TEXT, false, "\"8.0\"", NULL, 0}, /* older files; nothing depends on it */
    };
    static const struct rg_key_list keys = RG_KEY_LIST("[kernel]", kernel_keys);
    struct ridge_spec *spec = reader->spec;
    const ridge_status status = rg_spec_read_table(reader, &keys, table, spec);
    spec->entry = spec->entry ? spec->entry : spec->kernel;
    return status;
}

static ridge_status read_root(struct rg_spec_reader *reader, const struct rg_toml *root)
{
    static const struct rg_key root_keys[] = {
        {"kernel", RG_IS_TABLE, true, "[kernel] and below it name = \"matmul\"", NULL, 0},
        {"dims", RG_IS_TABLE, true, "[dims.tile] and below it values = [1, 2, 4]", NULL, 0},
        {"constraints", RG_IS_TABLE, false, "{ exprs = [\"tile <= 8\"] }", NULL, 0},
        {"bench", RG_IS_TABLE, false, "{ params = { n = 512 } }", NULL, 0},
        {"verify", RG_IS_TABLE, false, "{ rel = 1e-4 }", NULL, 0},
        {"model", RG_IS_TABLE, false, "{ smem_bytes = 0 }", NULL, 0},
        {"check", RG_IS_TABLE, false, "{ params = { n = 64 } }", NULL, 0},
        {"count", RG_IS_TABLE, false, "{ along = \"k\", at = [32, 64] }", NULL, 0},
    };
    static const struct rg_key_list keys = RG_KEY_LIST("the spec", root_keys);
    /* Later parts use what earlier ones define: dimensions, then params, then every expression. */
    static const struct {
        const char *table;
        ridge_status (*read)(struct rg_spec_reader *, const struct rg_toml *);
    } parts[] = {{"kernel", read_kernel},        {"dims", rg_spec_read_dimensions},
                 {"bench", rg_spec_read_params}, {"constraints", rg_spec_read_constraints},
                 {"bench", rg_spec_read_bench},  {"verify", rg_spec_read_verify},
                 {"model", rg_spec_read_model},  {"count", rg_spec_read_count_table}};
    reader->check_table = rg_toml_get(root, "check");
    ridge_status status = rg_spec_read_table(reader, &keys, root, NULL);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == RIDGE_OK; i++) {
        status = parts[i].read(reader, rg_toml_get(root, parts[i].table));
    }
    return status;
}

/** Find the file behind `path` and its folder. */
static ridge_status set_path(struct ridge_spec *spec, const char *path, struct ridge_error *error)
{
    struct stat facts;
    if (stat(path, &facts) != 0) {
        return rg_error_system(error, RIDGE_E_IO, errno, path, "cannot open the spec");
    }
    size_t length = strlen(path);
    if (S_ISDIR(facts.st_mode)) {
        while (length > 1 && path[length - 1] == '/') {
            length--;
        }
        const char *between = path[length - 1] == '/' ? "" : "/";
        spec->folder = rg_arena_copy(&spec->arena, path, length);
        spec->path = rg_arena_printf(&spec->arena, "%.*s%skernel.toml", (int)length, path, between);
    } else {
        const char *slash = strrchr(path, '/');
        const size_t folder_length = slash == path ? 1 : (size_t)(slash ? slash - path : 0);
        spec->folder = slash ? rg_arena_copy(&spec->arena, path, folder_length) : ".";
        spec->path = rg_arena_strdup(&spec->arena, path);
    }
    return spec->folder && spec->path ? RIDGE_OK : rg_error_memory(error, length);
}

/** Unpack what is packed. */
static ridge_status read_file(struct ridge_spec *spec, char **text, size_t *length, struct ridge_error *error)
{
    const ridge_status status = rg_file_read(&spec->arena, spec->path, text, length, error);
    if (status != RIDGE_OK || !rg_is_gzip(*text, *length)) {
        return status;
    }
    return rg_gunzip(&spec->arena, spec->path, *text, *length, text, length, error);
}

/** A TOML document cannot start with a brace, and a JSON one that is of use here must. */
static bool looks_like_json(const char *text)
{
    text += strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return text[strspn(text, " \t\r\n")] == '{';
}

static ridge_status load_json(struct rg_spec_reader *reader, const char *text, size_t length)
{
    static const struct rg_json_options options = {.skip = "cache"};
    const struct rg_toml *root = NULL;
    const ridge_status status =
        rg_json_read(reader->arena, reader->spec->path, text, length, &options, &root, reader->error);
    if (status != RIDGE_OK) {
        return status;
    }
    if (rg_toml_get(root, "ConfigurationSpace")) {
        return rg_spec_read_t1(reader, root);
    }
    if (rg_toml_get(root, "tune_params")) {
        return rg_spec_read_ktcache(reader, root);
    }
    return rg_error_at(reader->error, RIDGE_E_VALUE, &root->place,
                       "this JSON describes no space (a T1 file has `ConfigurationSpace`, a Kernel Tuner cache file "
                       "`tune_params`)");
}

static ridge_status load(struct rg_spec_reader *reader, const char *path)
{
    struct ridge_spec *spec = reader->spec;
    ridge_status status = set_path(spec, path, reader->error);
    char *text = NULL;
    size_t length = 0;
    if (status == RIDGE_OK) {
        status = read_file(spec, &text, &length, reader->error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    if (rg_is_source_name(spec->path)) {
        status = rg_spec_read_comments(reader, text);
    } else if (looks_like_json(text)) {
        status = load_json(reader, text, length);
    } else {
        const struct rg_toml *root = NULL;
        status = rg_toml_read(&spec->arena, spec->path, text, length, &root, reader->error);
        status = status == RIDGE_OK ? read_root(reader, root) : status;
    }
    if (status == RIDGE_OK) {
        rg_spec_hash(spec);
    }
    if (reader->without_work) {
        memset(spec->work, 0, sizeof spec->work);
        spec->let_count = 0;
    }
    return status;
}

ridge_status ridge_spec_load_with(const struct ridge_context *context, const char *path,
                                  const struct ridge_spec_options *options, struct ridge_spec **out,
                                  struct ridge_error *error)
{
    if (!context || !path || !options || !out || (options->set_count > 0 && !options->set)) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "context, path, options, set or out is NULL (give each)");
    }
    struct ridge_spec *spec = rg_alloc(context, sizeof *spec);
    if (!spec) {
        return rg_error_memory(error, sizeof *spec);
    }
    spec->context = context;
    rg_arena_init(&spec->arena, context);
    struct rg_spec_reader reader = {.spec = spec,
                                    .arena = &spec->arena,
                                    .set = options->set,
                                    .set_count = options->set_count,
                                    .no_block_limit = options->no_block_limit,
                                    .without_work = options->without_work,
                                    .check = options->check,
                                    .workload = options->workload,
                                    .error = error};
    const ridge_status status = load(&reader, path);
    if (status != RIDGE_OK) {
        ridge_spec_destroy(spec);
        return status;
    }
    *out = spec;
    return RIDGE_OK;
}

ridge_status ridge_spec_load(const struct ridge_context *context, const char *path, const char *const *set,
                             size_t count, struct ridge_spec **out, struct ridge_error *error)
{
    const struct ridge_spec_options options = {.set = set, .set_count = count};
    return ridge_spec_load_with(context, path, &options, out, error);
}

ridge_status rg_spec_add_note(struct rg_spec_reader *reader, const char *text)
{
    struct ridge_spec *spec = reader->spec;
    if (!text) {
        return rg_error_memory(reader->error, 1);
    }
    if (spec->note_count < RG_MAX_NOTES) {
        spec->notes[spec->note_count++] = text;
    }
    return RIDGE_OK;
}

const char *ridge_spec_note(const struct ridge_spec *spec, size_t index)
{
    return index < spec->note_count ? spec->notes[index] : NULL;
}

void ridge_spec_destroy(struct ridge_spec *spec)
{
    if (spec) {
        rg_arena_fini(&spec->arena);
        rg_free(spec->context, spec, sizeof *spec);
    }
}

bool ridge_spec_has_work(const struct ridge_spec *spec)
{
    for (size_t i = 0; i < RG_WORK_COUNT; i++) {
        if (spec->work[i]) {
            return true;
        }
    }
    return false;
}

bool ridge_spec_has_device_source(const struct ridge_spec *spec)
{
    return spec->sources[RG_LANGUAGE_OPENCL] || spec->sources[RG_LANGUAGE_CUDA];
}

const char *ridge_spec_kernel(const struct ridge_spec *spec)
{
    return spec->kernel;
}

const char *ridge_spec_folder(const struct ridge_spec *spec)
{
    return spec->folder;
}

const char *ridge_spec_path(const struct ridge_spec *spec)
{
    return spec->path;
}
