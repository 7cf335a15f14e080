/* SPDX-License-Identifier: MIT */
/**
 * \file Shared memory of a block: static variables, dynamic memory, then what OpenCL passes as local arguments. Checking
 * keeps them apart, so that an access beyond one of them does not fall into the next.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/run.h"

static const uint64_t most_shared = (uint64_t)1 << 24;
static const uint64_t checked_gap = 1024; /* a multiple of the banks' 128 bytes: wavefronts stay what they are */

/** What a person called a variable: `tile` of _ZZ6kernelPfE4tile (a static of a function in C++'s mangled names) and of
 * kernel_$_tile (clang's local variable of OpenCL C). Source: Itanium C++ ABI, 5.1.6 Scope Encoding: Z <encoding> E <source
 * name>, which is its length and the name. */
static const char *plain_name(struct rg_run *run, const char *name)
{
    const char *local = strstr(name, "_$_");
    if (local) {
        return local + 3;
    }
    for (const char *end = strncmp(name, "_ZZ", 3) == 0 ? strrchr(name, 'E') : NULL; end > name; end--) {
        char *text = NULL;
        const unsigned long length = *end == 'E' ? strtoul(end + 1, &text, 10) : 0;
        if (length > 0 && strlen(text) >= length) {
            return rg_arena_copy(&run->arena, text, length);
        }
    }
    return name;
}

static bool room_add(struct rg_run *run, const char *name, uint64_t start, uint64_t size)
{
    run->rooms[run->room_count++] = (struct rg_room){name, start, size};
    return name && start <= most_shared && size <= most_shared;
}

static bool rooms_of_variables(struct rg_run *run)
{
    bool fits = true;
    for (size_t v = 0; fits && v < run->ptx->variable_count; v++) {
        const struct rg_variable *variable = run->ptx->variables[v];
        if (variable->space == RG_SPACE_SHARED && run->entry->uses_variable[v] && variable->size > 0) {
            fits = room_add(run, plain_name(run, variable->name), run->variable_offsets[v], variable->size);
        }
    }
    return fits;
}

/** \param[in,out] end  where the rooms so far end */
static bool rooms_of_launch(struct rg_run *run, uint64_t gap, uint64_t *end)
{
    const struct rg_engine_run *request = run->request;
    bool fits =
        request->shared_dynamic_bytes == 0 || room_add(run, "dynamic memory", *end, request->shared_dynamic_bytes);
    *end += fits ? request->shared_dynamic_bytes : 0;
    for (size_t i = 0; fits && i < request->argument_count; i++) {
        if (request->arguments[i].kind == RG_ENGINE_LOCAL) {
            const uint64_t start = (*end + 15) / 16 * 16 + gap;
            fits =
                room_add(run, rg_arena_printf(&run->arena, "argument %zu", i + 1), start, request->arguments[i].size);
            *end = fits ? start + request->arguments[i].size : *end;
        }
    }
    return fits;
}

/** Without the gaps. */
static uint64_t bytes_used(const struct rg_run *run)
{
    const struct rg_engine_run *request = run->request;
    uint64_t end = rg_shared_layout(run->ptx, run->entry, 0, NULL) + request->shared_dynamic_bytes;
    for (size_t i = 0; i < request->argument_count; i++) {
        const bool local = request->arguments[i].kind == RG_ENGINE_LOCAL;
        end = local ? (end + 15) / 16 * 16 + request->arguments[i].size : end;
    }
    return end;
}

ridge_status rg_shared_make(struct rg_run *run, struct ridge_error *error)
{
    const struct rg_engine_run *request = run->request;
    const uint64_t gap = request->check ? checked_gap : 0;
    uint64_t end = rg_shared_layout(run->ptx, run->entry, gap, run->variable_offsets);
    const size_t most = run->ptx->variable_count + request->argument_count + 1;
    run->rooms = rg_arena_array(&run->arena, most, sizeof *run->rooms);
    if (!run->rooms) {
        return rg_error_memory(error, most * sizeof *run->rooms);
    }
    const bool fits = end <= most_shared && rooms_of_variables(run) && rooms_of_launch(run, gap, &end);
    if (!fits || end > most_shared) {
        return rg_error_set(error, RIDGE_E_LIMIT, "more than 16 MiB of shared memory a block");
    }
    uint8_t *bytes = rg_arena_alloc(&run->arena, end + 16);
    run->shared_total = end;
    run->shared_used = bytes_used(run);
    run->shared = (struct rg_region){"shared memory", bytes, end, true, false, NULL, NULL};
    return bytes ? RIDGE_OK : rg_error_memory(error, end);
}

/** The last room that begins at or before an address, or the first; NULL: there is none. */
static const struct rg_room *room_near(const struct rg_run *run, uint64_t address)
{
    const struct rg_room *near = run->room_count > 0 ? run->rooms : NULL;
    for (size_t i = 1; i < run->room_count; i++) {
        const struct rg_room *room = &run->rooms[i];
        near = room->start <= address && room->start >= near->start ? room : near;
    }
    return near;
}

void rg_shared_describe(const struct rg_run *run, uint64_t address, char *text, size_t size)
{
    const uint32_t before = (uint32_t)-address;
    const bool is_before = before > 0 && before < most_shared;
    const struct rg_room *room = room_near(run, is_before ? 0 : address);
    if (!room) {
        snprintf(text, size, "byte %llu of shared memory, of which the kernel has none", (unsigned long long)address);
    } else if (address < room->start || is_before) {
        snprintf(text, size, "%llu bytes before shared %s",
                 (unsigned long long)(is_before ? before + room->start : room->start - address), room->name);
    } else if (address - room->start < room->size) {
        snprintf(text, size, "byte %llu of shared %s", (unsigned long long)(address - room->start), room->name);
    } else {
        snprintf(text, size, "%llu bytes behind the end of shared %s (%llu bytes)",
                 (unsigned long long)(address - room->start - room->size), room->name, (unsigned long long)room->size);
    }
}
