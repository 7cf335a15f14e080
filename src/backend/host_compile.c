/* SPDX-License-Identifier: MIT */
#include "backend/host_compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/command.h"
#include "base/error.h"
#include "base/file.h"
#include "compile/source_text.h"

static const char compiler[] = "cc";
static const char call_symbol[] = "ridge_call_";
/* What the shim's own lines are called in the compiler's messages: a fault there is one of the spec, not of the source. */
static const char entry_place[] = "ridge-entry";
static const char call_place[] = "ridge-call";

static const char *const flags[] = {
    "-std=gnu17",
    "-O3",
    "-march=native",
    "-fopenmp",
    "-fPIC",
    "-shared",
    "-fdiagnostics-color=never",
    "-Werror=implicit-function-declaration",
    "-Werror=incompatible-pointer-types",
    "-Werror=int-conversion",
};

enum {
    FLAG_COUNT = sizeof flags / sizeof flags[0],
    MORE_ARGUMENTS = 8 /* compiler, -I, folder, -o, object, shim, -lm, NULL */
};

/** Files of one compilation. */
struct files {
    const char *source; /**< absolute, and fit for an #include line */
    const char *folder; /**< of the source: for #include */
    const char *shim;
    const char *object;
};

static ridge_status no_compiler(struct ridge_error *error)
{
    return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                        "there is no C compiler: '%s' is not on the PATH (install one, such as the package gcc)",
                        compiler);
}

/** A quoted #include has no escapes: a path with a quote or a line break is reached through a link. */
static const char *include_path(struct rg_arena *arena, const struct rg_host_source *source, const char *absolute)
{
    if (!strpbrk(absolute, "\"\n\r")) {
        return rg_arena_strdup(arena, absolute);
    }
    char *link = rg_arena_printf(arena, "%s/ridge-%u-source.c", source->work_folder, source->number);
    return link && symlink(absolute, link) == 0 ? link : NULL;
}

static ridge_status files_name(struct rg_arena *arena, const struct rg_host_source *source, struct files *files,
                               struct ridge_error *error)
{
    char absolute[PATH_MAX];
    if (!realpath(source->path, absolute)) {
        return rg_error_system(error, RIDGE_E_IO, errno, source->path, "cannot find the source");
    }
    files->source = include_path(arena, source, absolute);
    files->folder = rg_arena_copy(arena, absolute, (size_t)(strrchr(absolute, '/') - absolute));
    files->shim = rg_arena_printf(arena, "%s/ridge-%u.c", source->work_folder, source->number);
    files->object = rg_arena_printf(arena, "%s/ridge-%u.so", source->work_folder, source->number);
    if (!files->source || !files->folder || !files->shim || !files->object) {
        return rg_error_memory(error, PATH_MAX);
    }
    return RIDGE_OK;
}

/** The wrapper: calls the entry with the C types of the shapes, so that the compiler checks them. */
static void shim_write(const struct rg_host_source *source, const struct files *files, struct rg_buffer *out)
{
    rg_buffer_printf(out, "#include \"%s\"\n", files->source);
    /* A scalar is passed by value: without these a float given for an int would be converted in silence. */
    rg_buffer_puts(out, "#pragma GCC diagnostic error \"-Wconversion\"\n"
                        "#pragma GCC diagnostic error \"-Wfloat-conversion\"\n"
                        "#pragma GCC diagnostic ignored \"-Wsign-conversion\"\n");
    rg_buffer_printf(out, "#line 1 \"%s\"\ntypedef __typeof__(&%s) ridge_entry_;\n", entry_place, source->entry);
    rg_buffer_printf(out,
                     "#line 1 \"%s\"\nvoid %s(void *const *ridge_pointers_);\nvoid %s(void *const *ridge_pointers_)"
                     " { (void)ridge_pointers_; %s(",
                     call_place, call_symbol, call_symbol, source->entry);
    const char *comma = "";
    for (size_t i = 0; i < source->shape_count; i++) {
        const struct rg_shape *shape = &source->shapes[i];
        if (shape->kind == RG_SHAPE_LOCAL) {
            continue;
        }
        const bool scalar = shape->kind == RG_SHAPE_SCALAR;
        /* long, long long and int64_t are one thing in memory and three to the compiler: any pointer is taken. */
        const bool wide = !scalar && strstr(shape->c_type, "long long");
        rg_buffer_printf(out, "%s%s(%s%s *)ridge_pointers_[%zu]", comma, scalar ? "*" : "", scalar ? "const " : "",
                         wide ? "void" : shape->c_type, i);
        comma = ", ";
    }
    rg_buffer_puts(out, "); }\n");
}

/** \return the compiler's arguments, NULL-ended, or NULL when memory is out. */
static const char *const *arguments_make(struct rg_arena *arena, const struct rg_host_source *source,
                                         const struct files *files)
{
    const char **argv = rg_arena_array(arena, FLAG_COUNT + MORE_ARGUMENTS + source->macro_count, sizeof *argv);
    if (!argv) {
        return NULL;
    }
    size_t count = 0;
    argv[count++] = compiler;
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        argv[count++] = flags[i];
    }
    for (size_t i = 0; i < source->macro_count; i++) {
        argv[count] = rg_arena_printf(arena, "-D%s=%s", source->macros[i].name, source->macros[i].value);
        if (!argv[count++]) {
            return NULL;
        }
    }
    const char *const rest[] = {"-I", files->folder, "-o", files->object, files->shim, "-lm"};
    memcpy(argv + count, rest, sizeof rest);
    return argv;
}

/** Whether a line of the log is about one of the shim's own lines. */
static bool is_about(const char *line, const char *place)
{
    const size_t length = strlen(place);
    return strncmp(line, place, length) == 0 && line[length] == ':';
}

/** The compiler refused: is it the source, or how the spec says to call it? */
static ridge_status refused(const struct rg_host_source *source, const struct rg_buffer *log,
                            struct rg_trouble *trouble, struct ridge_error *error)
{
    size_t length;
    const char *reason = rg_log_reason(rg_buffer_text(log), &length);
    const int shown = length < 600 ? (int)length : 600;
    const struct rg_place place = {.file = source->path};
    if (rg_log_disk_full(rg_buffer_text(log))) {
        return rg_error_set(error, RIDGE_E_IO,
                            "%s: no space left on the device for the files of the compiler (make some, or name another "
                            "folder in TMPDIR)",
                            source->work_folder);
    }
    if (is_about(reason, entry_place)) {
        return rg_error_at(error, RIDGE_E_NAME, &place, "there is no function '%s' in it: %.*s", source->entry, shown,
                           reason);
    }
    if (is_about(reason, call_place)) {
        return rg_error_at(error, RIDGE_E_VALUE, &place,
                           "'%s' takes other arguments than the spec gives it (the compiler says %.*s)", source->entry,
                           shown, reason);
    }
    rg_trouble_log(trouble, RIDGE_OUTCOME_COMPILE, log);
    return RIDGE_OK;
}

/** `dlclose` would take the OpenMP runtime along while its threads still wait in it: keep the runtime. */
static void openmp_keep(void)
{
    static const char *const runtimes[] = {"libgomp.so.1", "libomp.so.5", "libomp.so"};
    for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++) {
        void *runtime = dlopen(runtimes[i], RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
        if (runtime) {
            dlclose(runtime);
        }
    }
}

static ridge_status load(const struct files *files, struct rg_host_program *out, struct rg_trouble *trouble)
{
    struct rg_host_program made = {.library = dlopen(files->object, RTLD_NOW | RTLD_LOCAL)};
    if (!made.library) {
        rg_trouble_set(trouble, RIDGE_OUTCOME_COMPILE, "the compiled source cannot be loaded: %s", dlerror());
        return RIDGE_OK;
    }
    openmp_keep();
    void *symbol = dlsym(made.library, call_symbol);
    if (!symbol) {
        rg_trouble_set(trouble, RIDGE_OUTCOME_COMPILE,
                       "the compiled source has no wrapper (does it change the visibility of symbols?)");
        dlclose(made.library);
        return RIDGE_OK;
    }
    memcpy(&made.call, &symbol, sizeof symbol);
    *out = made;
    return RIDGE_OK;
}

static ridge_status compile(const struct rg_host_source *source, const struct files *files, struct rg_arena *arena,
                            struct rg_buffer *log, struct rg_host_program *out, struct rg_trouble *trouble,
                            struct ridge_error *error)
{
    const char *const *argv = arguments_make(arena, source, files);
    if (!argv) {
        return rg_error_memory(error, (FLAG_COUNT + MORE_ARGUMENTS) * sizeof *argv);
    }
    struct rg_command_end end;
    struct ridge_error failure = {0};
    const ridge_status status = rg_command_run(source->context, argv, 0, log, &end, &failure);
    if (status == RIDGE_E_UNAVAILABLE) {
        return no_compiler(error);
    }
    if (status != RIDGE_OK) {
        return rg_error_set(error, status, "%s", failure.message);
    }
    if (end.signal != 0) {
        rg_trouble_set(trouble, RIDGE_OUTCOME_COMPILE, "the compiler was ended by signal %d (out of memory?)",
                       end.signal);
        return RIDGE_OK;
    }
    return end.exit_code == 0 ? load(files, out, trouble) : refused(source, log, trouble, error);
}

static ridge_status compile_with_files(const struct rg_host_source *source, struct rg_arena *arena,
                                       struct rg_host_program *out, struct rg_trouble *trouble,
                                       struct ridge_error *error)
{
    struct files files = {0};
    ridge_status status = files_name(arena, source, &files, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct rg_buffer text;
    rg_buffer_init(&text, source->context);
    shim_write(source, &files, &text);
    status = text.failed ? rg_error_memory(error, text.length)
                         : rg_file_write(files.shim, rg_buffer_text(&text), text.length, error);
    rg_buffer_clear(&text);
    if (status == RIDGE_OK) {
        status = compile(source, &files, arena, &text, out, trouble, error);
    }
    rg_buffer_fini(&text);
    unlink(files.shim);
    unlink(files.object); /* once loaded it needs no name */
    return status;
}

ridge_status rg_host_compile(const struct rg_host_source *source, struct rg_host_program *out,
                             struct rg_trouble *trouble, struct ridge_error *error)
{
    struct rg_arena arena;
    rg_arena_init(&arena, source->context);
    const ridge_status status = compile_with_files(source, &arena, out, trouble, error);
    rg_arena_fini(&arena);
    return status;
}

void rg_host_program_fini(struct rg_host_program *program)
{
    if (program->library) {
        dlclose(program->library);
    }
    *program = (struct rg_host_program){0};
}

ridge_status rg_host_compiler_name(const struct ridge_context *context, char *out, size_t room,
                                   struct ridge_error *error)
{
    const char *const argv[] = {compiler, "--version", NULL};
    struct rg_buffer text;
    struct rg_command_end end;
    rg_buffer_init(&text, context);
    ridge_status status = rg_command_run(context, argv, 0, &text, &end, NULL);
    if (status == RIDGE_E_UNAVAILABLE) {
        status = no_compiler(error);
    } else if (status != RIDGE_OK || end.exit_code != 0) {
        status =
            rg_error_set(error, RIDGE_E_UNAVAILABLE, "the C compiler does not work: '%s --version' failed", compiler);
    } else {
        const char *line = rg_buffer_text(&text);
        snprintf(out, room, "%.*s", (int)strcspn(line, "\r\n"), line);
    }
    rg_buffer_fini(&text);
    return status;
}

/** Turn trouble with the reference into an error: without it nothing can be verified. */
static ridge_status reference_refused(const struct rg_host_source *source, const struct rg_trouble *trouble,
                                      struct ridge_error *error)
{
    size_t length;
    const char *reason = rg_log_reason(rg_buffer_text(trouble->text), &length);
    const struct rg_place place = {.file = source->path};
    return rg_error_at(error, RIDGE_E_VALUE, &place, "it does not compile: %.*s", length < 600 ? (int)length : 600,
                       reason);
}

ridge_status rg_host_function_run(const struct rg_host_source *source, const uint64_t *scalars, void *const *buffers,
                                  struct ridge_error *error)
{
    struct rg_buffer text;
    rg_buffer_init(&text, source->context);
    struct rg_trouble trouble = {.outcome = RIDGE_OUTCOME_OK, .text = &text};
    struct rg_host_program program = {0};
    struct rg_arena arena;
    rg_arena_init(&arena, source->context);
    ridge_status status = rg_host_compile(source, &program, &trouble, error);
    if (status == RIDGE_OK && trouble.outcome != RIDGE_OUTCOME_OK) {
        status = reference_refused(source, &trouble, error);
    }
    void **pointers = rg_arena_array(&arena, source->shape_count + 1, sizeof *pointers);
    uint64_t *values = rg_arena_array(&arena, source->shape_count + 1, sizeof *values);
    if (status == RIDGE_OK && (!pointers || !values)) {
        status = rg_error_memory(error, source->shape_count * sizeof *pointers);
    }
    if (status == RIDGE_OK) {
        for (size_t i = 0; i < source->shape_count; i++) {
            values[i] = scalars[i];
            pointers[i] = source->shapes[i].kind == RG_SHAPE_BUFFER ? buffers[i] : &values[i];
        }
        program.call(pointers);
    }
    rg_host_program_fini(&program);
    rg_arena_fini(&arena);
    rg_buffer_fini(&text);
    return status;
}
