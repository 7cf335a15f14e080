/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/ptx_code.h"

ridge_status rg_read_next(struct rg_reader *reader)
{
    return rg_ptx_lexer_next(&reader->lexer, reader->error);
}

bool rg_read_at(const struct rg_reader *reader, const char *text)
{
    return rg_word_is(&reader->lexer.word, text);
}

ridge_status rg_read_fail(struct rg_reader *reader, const struct rg_word *word, ridge_status status, const char *format,
                          ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return rg_ptx_lexer_fail(&reader->lexer, word, status, reader->error, "%s", message);
}

ridge_status rg_read_memory(struct rg_reader *reader)
{
    return rg_error_memory(reader->error, 0);
}

ridge_status rg_read_take(struct rg_reader *reader, const char *text)
{
    if (!rg_read_at(reader, text)) {
        const struct rg_word *word = &reader->lexer.word;
        if (word->kind == RG_WORD_END) {
            return rg_read_fail(reader, word, RIDGE_E_SYNTAX, "the text ends here (\"%s\" is still to come)", text);
        }
        return rg_read_fail(reader, word, RIDGE_E_SYNTAX, "\"%.*s\" where \"%s\" should be", (int)word->length,
                            word->text, text);
    }
    return rg_read_next(reader);
}

ridge_status rg_read_integer(struct rg_reader *reader, uint64_t *value)
{
    if (reader->lexer.word.kind != RG_WORD_INTEGER) {
        return rg_read_fail(reader, &reader->lexer.word, RIDGE_E_SYNTAX, "a whole number should be here");
    }
    *value = reader->lexer.word.bits;
    return rg_read_next(reader);
}

/** What a letter behind a backslash stands for. */
static char escaped(char letter)
{
    switch (letter) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'f': return '\f';
    default: return letter;
    }
}

/** What a string means: compilers put a backslash before quotes, and write other bytes as octal digits. NULL: no memory. */
static const char *string_text(struct rg_reader *reader, const struct rg_word *word)
{
    char *made = rg_arena_copy(&reader->ptx->arena, word->text, word->length);
    char *to = made;
    for (const char *at = word->text; made && at < word->text + word->length; at++) {
        if (*at != '\\') {
            *to++ = *at;
            continue;
        }
        unsigned octal = 0;
        int digits = 0;
        for (at++; digits < 3 && at[digits] >= '0' && at[digits] <= '7'; digits++) {
            octal = octal * 8 + (unsigned)(at[digits] - '0');
        }
        *to++ = (char)(digits > 0 ? (unsigned char)octal : (unsigned char)escaped(*at));
        at += digits > 0 ? digits - 1 : 0;
    }
    if (made) {
        *to = '\0';
    }
    return made;
}

/** .file 1 "path" [, time, size], or "folder" "name": the number and path. */
ridge_status rg_read_file(struct rg_reader *reader)
{
    struct rg_ptx *ptx = reader->ptx;
    uint64_t number = 0;
    ridge_status status = rg_read_next(reader);
    status = status ? status : rg_read_integer(reader, &number);
    if (status) {
        return status;
    }
    const struct rg_word path = reader->lexer.word;
    if (path.kind != RG_WORD_STRING || number > UINT16_MAX) {
        return rg_read_fail(reader, &path, RIDGE_E_SYNTAX, "the name of a file should be here, between quotes");
    }
    if (!rg_reserve(ptx->context, &ptx->files, &ptx->file_capacity, number + 1, sizeof *ptx->files)) {
        return rg_read_memory(reader);
    }
    for (; ptx->file_count <= number; ptx->file_count++) {
        ptx->files[ptx->file_count] = NULL;
    }
    const char *name = string_text(reader, &path);
    status = name ? rg_read_next(reader) : rg_read_memory(reader);
    const struct rg_word second = reader->lexer.word;
    if (!status && second.kind == RG_WORD_STRING) {
        const char *inner = string_text(reader, &second);
        name = !inner || inner[0] == '/' ? inner : rg_arena_printf(&ptx->arena, "%s/%s", name, inner);
        status = name ? rg_read_next(reader) : rg_read_memory(reader);
    }
    ptx->files[number] = name;
    while (!status && rg_read_at(reader, ",")) {
        status = rg_read_next(reader);
        uint64_t ignored;
        status = status ? status : rg_read_integer(reader, &ignored);
    }
    return status;
}

static ridge_status read_version(struct rg_reader *reader)
{
    ridge_status status = rg_read_next(reader);
    const struct rg_word word = reader->lexer.word;
    if (status) {
        return status;
    }
    if (word.kind != RG_WORD_FLOAT) {
        return rg_read_fail(reader, &word, RIDGE_E_SYNTAX, "a version should be here, such as 8.0");
    }
    if (!(word.number >= 1.0 && word.number < 10.0)) {
        return rg_read_fail(reader, &word, RIDGE_E_UNAVAILABLE, "PTX version %.*s is not known here (1.0 to 9.x are)",
                            (int)word.length, word.text);
    }
    return rg_read_next(reader);
}

/** \return whether a target is one of those that there are. Source: PTX ISA 9.0, ".target". */
static bool is_known_target(uint32_t target)
{
    static const uint8_t known[] = {20, 21, 30, 32, 35, 37, 50, 52,  53,  60,  61,  62,  70, 72,
                                    75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i] == target) {
            return true;
        }
    }
    return false;
}

/** Code for a target that is newer than this table still is PTX: it is read, and what it was made for is said. */
static void warn_of_target(const struct rg_reader *reader, const struct rg_word *word)
{
    const struct rg_ptx *ptx = reader->ptx;
    if (!is_known_target(ptx->target)) {
        rg_log(
            ptx->context, RIDGE_LOG_WARNING,
            "%s:%u: target %.*s is not known here (sm_20 to sm_121 are): its instructions are taken to mean what they "
            "mean for those",
            ptx->path, word->line, (int)word->length, word->text);
    }
}

static ridge_status read_target(struct rg_reader *reader)
{
    ridge_status status = rg_read_next(reader);
    const struct rg_word word = reader->lexer.word;
    if (status) {
        return status;
    }
    if (word.length < 5 || memcmp(word.text, "sm_", 3) != 0) {
        return rg_read_fail(reader, &word, RIDGE_E_UNAVAILABLE, "target %.*s is not known here (sm_20 and newer are)",
                            (int)word.length, word.text);
    }
    for (uint32_t i = 3; i < word.length && word.text[i] >= '0' && word.text[i] <= '9' && reader->ptx->target < 10000;
         i++) {
        reader->ptx->target = reader->ptx->target * 10 + (uint32_t)(word.text[i] - '0');
    }
    warn_of_target(reader, &word);
    status = rg_read_next(reader);
    while (!status && rg_read_at(reader, ",")) {
        status = rg_read_next(reader);
        status = status ? status : rg_read_next(reader);
    }
    return status;
}

static ridge_status read_address_size(struct rg_reader *reader)
{
    ridge_status status = rg_read_next(reader);
    const struct rg_word word = reader->lexer.word;
    if (!status && (word.kind != RG_WORD_INTEGER || word.bits != 64)) {
        return rg_read_fail(reader, &word, RIDGE_E_UNAVAILABLE, "addresses of %.*s bits are not known here (64 are)",
                            (int)word.length, word.text);
    }
    return status ? status : rg_read_next(reader);
}

/** .section name { anything }: debugging information. */
static ridge_status skip_section(struct rg_reader *reader)
{
    ridge_status status = RIDGE_OK;
    while (!status && !rg_read_at(reader, "{") && reader->lexer.word.kind != RG_WORD_END) {
        status = rg_read_next(reader);
    }
    status = status ? status : rg_read_take(reader, "{");
    for (unsigned depth = 1; !status && depth > 0;) {
        if (reader->lexer.word.kind == RG_WORD_END) {
            return rg_read_take(reader, "}");
        }
        depth += rg_read_at(reader, "{");
        depth -= rg_read_at(reader, "}");
        status = rg_read_next(reader);
    }
    return status;
}

static ridge_status skip_to_semicolon(struct rg_reader *reader)
{
    ridge_status status = RIDGE_OK;
    while (!status && !rg_read_at(reader, ";") && reader->lexer.word.kind != RG_WORD_END) {
        status = rg_read_next(reader);
    }
    return status ? status : rg_read_take(reader, ";");
}

/** Parameters between parentheses, into an array of the arena. */
static ridge_status read_parameters(struct rg_reader *reader, bool kernel, struct rg_parameter **out, uint32_t *count)
{
    enum {
        MOST = 1024
    };
    struct rg_parameter *list = NULL;
    uint32_t have = 0;
    uint32_t capacity = 0;
    ridge_status status = rg_read_take(reader, "(");
    while (!status && !rg_read_at(reader, ")")) {
        if (have == capacity) {
            capacity = capacity ? capacity * 2 : 8;
            struct rg_parameter *grown = rg_arena_array(&reader->ptx->arena, capacity, sizeof *grown);
            if (!grown) {
                return rg_read_memory(reader);
            }
            if (have) {
                memcpy(grown, list, have * sizeof *grown);
            }
            list = grown;
        }
        const bool is_register = rg_read_at(reader, ".reg");
        if (have >= MOST || (!is_register && !rg_read_at(reader, ".param"))) {
            return rg_read_fail(reader, &reader->lexer.word, RIDGE_E_SYNTAX,
                                "a parameter should be here (.param, .reg)");
        }
        status = rg_read_next(reader);
        status = status ? status : rg_read_parameter(reader, &list[have++], kernel, is_register);
        if (!status && !rg_read_at(reader, ")")) {
            status = rg_read_take(reader, ",");
        }
    }
    *out = list;
    *count = have;
    return status ? status : rg_read_take(reader, ")");
}

static struct rg_function *find_function(const struct rg_ptx *ptx, const struct rg_word *name)
{
    for (struct rg_function *function = ptx->functions; function; function = function->next) {
        if (strlen(function->name) == name->length && memcmp(function->name, name->text, name->length) == 0) {
            return function;
        }
    }
    return NULL;
}

static ridge_status make_function(struct rg_reader *reader, const struct rg_word *name, bool entry,
                                  struct rg_function **out)
{
    struct rg_ptx *ptx = reader->ptx;
    struct rg_function *function = find_function(ptx, name);
    if (function && (function->defined || function->entry != entry)) {
        return rg_read_fail(reader, name, RIDGE_E_SYNTAX, "function %s stands twice", function->name);
    }
    if (!function) {
        if (rg_symbol_find(reader, name->text, name->length)) {
            return rg_read_fail(reader, name, RIDGE_E_SYNTAX, "the name %.*s stands twice", (int)name->length,
                                name->text);
        }
        function = rg_arena_alloc(&ptx->arena, sizeof *function);
        struct rg_symbol *symbol = rg_symbol_add(reader, name, RG_SYMBOL_FUNCTION);
        if (!function || !symbol) {
            return rg_read_memory(reader);
        }
        function->name = rg_arena_copy(&ptx->arena, name->text, name->length);
        function->entry = entry;
        function->return_slot = rg_slot_new(reader, 4);
        struct rg_function **end = &ptx->functions;
        while (*end) {
            end = &(*end)->next;
        }
        *end = function;
        symbol->function = function;
        if (!function->name || function->return_slot == RG_NO_SLOT) {
            return rg_read_memory(reader);
        }
    }
    function->line = name->line;
    function->column = name->column;
    *out = function;
    return RIDGE_OK;
}

static ridge_status read_three(struct rg_reader *reader, uint32_t numbers[3])
{
    uint64_t value = 0;
    ridge_status status = rg_read_next(reader);
    for (int i = 0; !status && i < 3; i++) {
        status = rg_read_integer(reader, &value);
        numbers[i] = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
        if (status || !rg_read_at(reader, ",")) {
            for (int k = i + 1; k < 3; k++) {
                numbers[k] = 1;
            }
            return status;
        }
        status = rg_read_next(reader);
    }
    return status;
}

/** What stands between a function's head and its body. */
static ridge_status read_directives(struct rg_reader *reader, struct rg_ptx_entry *entry)
{
    static const char *const ignored[] = {".minnctapersm", ".maxnreg",      ".maxnctapersm",        ".noreturn",
                                          ".pragma",       ".abi_preserve", ".abi_preserve_control"};
    for (;;) {
        ridge_status status = RIDGE_OK;
        const struct rg_word word = reader->lexer.word;
        bool known = false;
        for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
            known |= rg_word_is(&word, ignored[i]);
        }
        if (rg_word_is(&word, ".maxntid") && entry) {
            status = read_three(reader, entry->max_threads);
        } else if (rg_word_is(&word, ".reqntid") && entry) {
            status = read_three(reader, entry->required_threads);
        } else if (known) {
            status = rg_read_next(reader);
            while (!status && (reader->lexer.word.kind == RG_WORD_INTEGER || rg_read_at(reader, ",") ||
                               reader->lexer.word.kind == RG_WORD_STRING)) {
                status = rg_read_next(reader);
            }
            if (!status && rg_word_is(&word, ".pragma")) {
                status = rg_read_take(reader, ";");
            }
        } else if (word.kind == RG_WORD_DOT) {
            return rg_read_fail(reader, &word, RIDGE_E_UNAVAILABLE, "the directive %.*s is not known here",
                                (int)word.length, word.text);
        } else {
            return RIDGE_OK;
        }
        if (status) {
            return status;
        }
    }
}

static ridge_status add_entry(struct rg_reader *reader, struct rg_function *function, struct rg_ptx_entry entry)
{
    struct rg_ptx *ptx = reader->ptx;
    uint32_t *bytes = rg_arena_array(&ptx->arena, function->parameter_count + 1, sizeof *bytes);
    if (!bytes ||
        !rg_reserve(ptx->context, &ptx->entries, &ptx->entry_capacity, ptx->entry_count + 1, sizeof *ptx->entries) ||
        !rg_reserve(ptx->context, &ptx->entry_functions, &ptx->entry_function_capacity, ptx->entry_count + 1,
                    sizeof(struct rg_function *))) {
        return rg_read_memory(reader);
    }
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        bytes[i] = function->parameters[i].bytes;
    }
    entry.name = function->name;
    entry.parameter_count = function->parameter_count;
    entry.parameter_bytes = bytes;
    entry.instructions = function->op_count;
    function->index = (uint32_t)ptx->entry_count;
    ptx->entries[ptx->entry_count] = entry;
    ptx->entry_functions[ptx->entry_count++] = function;
    return RIDGE_OK;
}

/** Parameters by name inside the body. */
static ridge_status declare_parameters(struct rg_reader *reader, struct rg_parameter *list, uint32_t count, bool kernel)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct rg_word word = {.text = list[i].name, .length = (uint32_t)strlen(list[i].name)};
        const bool is_register = list[i].slot != RG_NO_SLOT;
        struct rg_symbol *symbol = rg_symbol_add(reader, &word, is_register ? RG_SYMBOL_REGISTER : RG_SYMBOL_PARAMETER);
        if (!symbol) {
            return RIDGE_E_MEMORY;
        }
        symbol->type = list[i].type;
        symbol->parameter = &list[i];
        symbol->kernel_parameter = kernel;
        symbol->slots = &list[i].slot;
    }
    return RIDGE_OK;
}

/** A function that was declared before is defined: callers already use the declared places. */
static ridge_status keep_places(struct rg_reader *reader, const struct rg_word *name,
                                const struct rg_parameter *declared, uint32_t declared_count,
                                struct rg_parameter *defined, uint32_t count)
{
    if (declared_count != count) {
        return rg_read_fail(reader, name, RIDGE_E_SYNTAX, "%.*s was declared with %u parameters or results, not %u",
                            (int)name->length, name->text, declared_count, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (declared[i].bytes != defined[i].bytes ||
            (declared[i].slot == RG_NO_SLOT) != (defined[i].slot == RG_NO_SLOT)) {
            return rg_read_fail(reader, name, RIDGE_E_SYNTAX, "%.*s was declared with another parameter %s",
                                (int)name->length, name->text, defined[i].name);
        }
        defined[i].offset = declared[i].offset;
        defined[i].slot = declared[i].slot;
    }
    return RIDGE_OK;
}

static ridge_status read_function(struct rg_reader *reader, bool entry)
{
    struct rg_parameter *results = NULL;
    uint32_t result_count = 0;
    struct rg_function *function = NULL;
    struct rg_ptx_entry facts = {0};
    const uint32_t slot_start = reader->slot_next;
    ridge_status status = rg_read_next(reader);
    while (!status && !entry && (rg_read_at(reader, ".noreturn") || rg_read_at(reader, ".attribute"))) {
        status = rg_read_next(reader);
    }
    if (!status && !entry && rg_read_at(reader, "(")) {
        status = read_parameters(reader, false, &results, &result_count);
    }
    if (!status && reader->lexer.word.kind != RG_WORD_NAME) {
        return rg_read_fail(reader, &reader->lexer.word, RIDGE_E_SYNTAX, "the name of a function should be here");
    }
    const struct rg_word name = reader->lexer.word;
    status = status ? status : make_function(reader, &name, entry, &function);
    status = status ? status : rg_read_next(reader);
    if (status || !function) {
        return status ? status : rg_read_memory(reader);
    }
    reader->kernel_param_end = 0;
    const struct rg_function before = *function;
    function->slot_start = slot_start;
    function->results = results;
    function->result_count = result_count;
    function->parameters = NULL;
    function->parameter_count = 0;
    if (rg_read_at(reader, "(")) {
        status = read_parameters(reader, entry, &function->parameters, &function->parameter_count);
    }
    if (!status && before.declared && !entry) {
        status = keep_places(reader, &name, before.parameters, before.parameter_count, function->parameters,
                             function->parameter_count);
        status =
            status ? status : keep_places(reader, &name, before.results, before.result_count, results, result_count);
    }
    function->declared = true;
    status = status ? status : read_directives(reader, &facts);
    if (status) {
        return status;
    }
    function->kernel_param_bytes = reader->kernel_param_end;
    if (rg_read_at(reader, ";")) {
        function->slot_end = reader->slot_next;
        return rg_read_next(reader);
    }
    const size_t scope = reader->symbol_count;
    status = declare_parameters(reader, function->parameters, function->parameter_count, entry);
    status = status ? status : declare_parameters(reader, function->results, function->result_count, false);
    status = status ? status : rg_read_body(reader, function);
    rg_symbol_cut(reader, scope);
    function->slot_end = reader->slot_next;
    function->defined = true;
    return status || !entry ? status : add_entry(reader, function, facts);
}

static ridge_status read_item(struct rg_reader *reader)
{
    static const struct {
        const char *word;
        rg_space space;
    } spaces[] = {{".global", RG_SPACE_GLOBAL}, {".const", RG_SPACE_CONST}, {".shared", RG_SPACE_SHARED}};
    ridge_status status = RIDGE_OK;
    bool external = false;
    while (!status && (rg_read_at(reader, ".extern") || rg_read_at(reader, ".visible") || rg_read_at(reader, ".weak") ||
                       rg_read_at(reader, ".common"))) {
        external |= rg_read_at(reader, ".extern");
        status = rg_read_next(reader);
    }
    if (status) {
        return status;
    }
    if (rg_read_at(reader, ".entry") || rg_read_at(reader, ".func")) {
        return read_function(reader, rg_read_at(reader, ".entry"));
    }
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        if (rg_read_at(reader, spaces[i].word)) {
            status = rg_read_next(reader);
            return status ? status : rg_read_variables(reader, spaces[i].space, external);
        }
    }
    if (rg_read_at(reader, ".file")) {
        return rg_read_file(reader);
    }
    if (rg_read_at(reader, ".section")) {
        return skip_section(reader);
    }
    if (rg_read_at(reader, ".pragma")) {
        return skip_to_semicolon(reader);
    }
    const struct rg_word *word = &reader->lexer.word;
    if (word->kind == RG_WORD_DOT) {
        return rg_read_fail(reader, word, RIDGE_E_UNAVAILABLE, "the directive %.*s is not known here%s",
                            (int)word->length, word->text, rg_word_is(word, ".tex") ? ": textures are refused" : "");
    }
    return rg_read_fail(reader, word, RIDGE_E_SYNTAX, "\"%.*s\" where a directive should be (.entry, .func, .global)",
                        (int)word->length, word->text);
}

static ridge_status read_module(struct rg_reader *reader)
{
    ridge_status status = rg_read_next(reader);
    if (!status && !rg_read_at(reader, ".version")) {
        return rg_read_fail(reader, &reader->lexer.word, RIDGE_E_SYNTAX, "not PTX (it begins with .version)");
    }
    while (!status && reader->lexer.word.kind != RG_WORD_END) {
        if (rg_read_at(reader, ".version")) {
            status = read_version(reader);
        } else if (rg_read_at(reader, ".target")) {
            status = read_target(reader);
        } else if (rg_read_at(reader, ".address_size")) {
            status = read_address_size(reader);
        } else {
            status = read_item(reader);
        }
    }
    return status;
}

ridge_status rg_ptx_read(const struct ridge_context *context, const char *text, size_t size, const char *path,
                         struct rg_ptx **out, struct ridge_error *error)
{
    struct ridge_error own = {0};
    struct rg_ptx *ptx = rg_alloc(context, sizeof *ptx);
    struct rg_reader *reader = rg_alloc(context, sizeof *reader);
    ridge_status status = RIDGE_E_MEMORY;
    if (ptx) {
        ptx->context = context;
        rg_arena_init(&ptx->arena, context);
    }
    if (ptx && reader) {
        ptx->path = rg_arena_strdup(&ptx->arena, path);
        const char *copy = rg_arena_copy(&ptx->arena, text, size);
        *reader = (struct rg_reader){.ptx = ptx, .error = error ? error : &own, .slot_next = RG_SLOT_UNIT};
        rg_code_index(reader->codes);
        if (copy && ptx->path) {
            rg_ptx_lexer_init(&reader->lexer, copy, ptx->path);
            status = read_module(reader);
            status = status ? status : rg_ptx_finish(reader);
        }
    }
    if (status == RIDGE_E_MEMORY) {
        rg_error_memory(error, sizeof *reader);
    }
    if (reader) {
        rg_free(context, reader->symbols, reader->symbol_capacity * sizeof *reader->symbols);
        rg_free(context, reader->fixups, reader->fixup_capacity * sizeof *reader->fixups);
        rg_free(context, reader->places, reader->place_capacity * sizeof *reader->places);
        rg_free(context, reader, sizeof *reader);
    }
    if (status) {
        rg_ptx_destroy(ptx);
        return status;
    }
    *out = ptx;
    return RIDGE_OK;
}
