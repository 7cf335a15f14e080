/* SPDX-License-Identifier: MIT */
/*
 * A ring of slots: [first, end) are images in the order in which they will be taken, of which those from `next` on are
 * not begun. Helpers, and the visit's own thread while it waits, begin them in that order. Memory is taken and given
 * back by the visit's thread only; a slot keeps its memory for the next image, since fresh pages cost as much as
 * unpacking into them.
 */
#include "binary/ahead.h"

#include <pthread.h>
#include <signal.h>

#include "base/cpus.h"

enum {
    THREADS_MOST = 16,
    SLOTS_MOST = 2 * THREADS_MOST,
    LEAST_BYTES = 1 << 14,
    SLOT_LEAST_BYTES = 1 << 16,
    BUDGET_BYTES = 1 << 25 /* 32 MiB in all slots: the goal is less than 100 MiB for the whole program */
};

struct slot {
    struct rg_packed packed;
    struct rg_unpacked unpacked;
    bool done; /* guarded by lock */
    bool fine;
};

struct rg_ahead {
    struct slot slots[SLOTS_MOST];
    uint64_t depth;           /* slots that are used */
    uint64_t first;           /* the visit's thread only */
    uint64_t next;            /* guarded by lock */
    uint64_t end;             /* guarded by lock */
    size_t capacity;          /* of all slots */
    bool taken;               /* the first one: by the visit */
    struct rg_unpacked alone; /* what was taken and had not been named */
    unsigned helpers_most, helpers;
    pthread_t threads[THREADS_MOST];
    bool ending; /* guarded by lock */
    pthread_mutex_t lock;
    pthread_cond_t more;
    pthread_cond_t done;
};

static struct slot *slot_at(struct rg_ahead *ahead, uint64_t number)
{
    return &ahead->slots[number % ahead->depth];
}

/** Unpack the next image that nobody has begun. Called with the lock held, which is given up meanwhile. */
static void unpack_next(struct rg_ahead *ahead, void **decoder)
{
    struct slot *slot = slot_at(ahead, ahead->next++);
    pthread_mutex_unlock(&ahead->lock);
    const bool fine = rg_unpack_run(decoder, &slot->packed, &slot->unpacked);
    pthread_mutex_lock(&ahead->lock);
    slot->fine = fine;
    slot->done = true;
    pthread_cond_signal(&ahead->done);
}

static void *help(void *argument)
{
    struct rg_ahead *ahead = argument;
    void *decoder = NULL;
    pthread_mutex_lock(&ahead->lock);
    while (!ahead->ending) {
        if (ahead->next < ahead->end) {
            unpack_next(ahead, &decoder);
        } else {
            pthread_cond_wait(&ahead->more, &ahead->lock);
        }
    }
    pthread_mutex_unlock(&ahead->lock);
    rg_unpack_decoder_free(decoder);
    return NULL;
}

/** Start a helper where there is work for one more. Signals stay with the threads of the caller. */
static void start_helper(struct rg_ahead *ahead)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&ahead->threads[ahead->helpers], NULL, help, ahead) == 0) {
        ahead->helpers++;
    } else {
        ahead->helpers_most = ahead->helpers; /* those that there are must do */
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static struct rg_ahead *ahead_get(struct rg_visit *visit)
{
    struct rg_ahead *ahead = visit->ahead ? visit->ahead : rg_alloc(visit->context, sizeof *ahead);
    if (visit->ahead || !ahead) {
        return ahead;
    }
    const unsigned wanted = visit->threads ? visit->threads : rg_usable_cpus();
    const unsigned threads = wanted < THREADS_MOST ? wanted : THREADS_MOST;
    ahead->depth = threads == 1 ? 1 : 2 * (uint64_t)threads;
    ahead->helpers_most = threads - 1;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->more, NULL);
    pthread_cond_init(&ahead->done, NULL);
    visit->ahead = ahead;
    return ahead;
}

static void slot_empty(struct rg_visit *visit, struct slot *slot)
{
    visit->ahead->capacity -= slot->unpacked.capacity;
    rg_unpacked_free(visit->context, &slot->unpacked);
}

/** Give the slot behind the last one the smallest memory of idle ones that fits; of several, what was used last. */
static void slot_choose(struct rg_ahead *ahead, uint64_t bytes)
{
    struct slot *slot = slot_at(ahead, ahead->end);
    struct slot *best = NULL;
    for (uint64_t i = ahead->end; i < ahead->first + ahead->depth; i++) {
        struct slot *idle = slot_at(ahead, i);
        const size_t capacity = idle->unpacked.capacity;
        best = capacity >= bytes && (!best || capacity <= best->unpacked.capacity) ? idle : best;
    }
    if (best) {
        const struct rg_unpacked own = slot->unpacked;
        slot->unpacked = best->unpacked;
        best->unpacked = own;
    }
}

/** \return how much memory is taken for an image: more than it needs, so that most of the next ones fit. */
static size_t generous(uint64_t bytes)
{
    size_t room = SLOT_LEAST_BYTES;
    while (room < bytes) {
        room *= 2;
    }
    return room;
}

/** Make room in the slot behind the last one. \return false: not now */
static bool slot_prepare(struct rg_visit *visit, uint64_t bytes)
{
    struct rg_ahead *ahead = visit->ahead;
    struct slot *slot = slot_at(ahead, ahead->end);
    slot_choose(ahead, bytes);
    if (slot->unpacked.capacity >= bytes) {
        return true;
    }
    const size_t room = generous(bytes);
    slot_empty(visit, slot);
    /* Memory that other idle slots keep goes before it stands in the way. */
    for (uint64_t i = ahead->end + 1; ahead->capacity + room > BUDGET_BYTES && i < ahead->first + ahead->depth; i++) {
        slot_empty(visit, slot_at(ahead, i));
    }
    if (ahead->capacity + room > BUDGET_BYTES) {
        return false;
    }
    slot->unpacked.memory = rg_resize(visit->context, NULL, 0, room);
    slot->unpacked.capacity = slot->unpacked.memory ? room : 0;
    ahead->capacity += slot->unpacked.capacity;
    return slot->unpacked.memory != NULL;
}

bool rg_ahead_suits(const struct rg_packed *packed)
{
    return packed->unpacked_bytes >= LEAST_BYTES && packed->unpacked_bytes <= RG_UNPACK_LARGE_BYTES;
}

bool rg_ahead_push(struct rg_visit *visit, const struct rg_packed *packed)
{
    const struct rg_image nowhere = {.file = "", .place = ""};
    struct rg_ahead *ahead = ahead_get(visit);
    if (!ahead || ahead->end - ahead->first == ahead->depth ||
        rg_unpack_check(visit, &nowhere, packed, NULL) != RIDGE_OK || !slot_prepare(visit, packed->unpacked_bytes)) {
        return false;
    }
    pthread_mutex_lock(&ahead->lock);
    struct slot *slot = slot_at(ahead, ahead->end++);
    slot->packed = *packed;
    slot->done = false;
    const uint64_t waiting = ahead->end - ahead->next;
    pthread_cond_signal(&ahead->more);
    pthread_mutex_unlock(&ahead->lock);
    if (waiting > 1 && ahead->helpers < ahead->helpers_most) {
        start_helper(ahead); /* this thread unpacks one itself when it comes to it */
    }
    return true;
}

/** Wait for the first image; unpack others meanwhile. */
static void wait_first(struct rg_visit *visit)
{
    struct rg_ahead *ahead = visit->ahead;
    const struct slot *slot = slot_at(ahead, ahead->first);
    pthread_mutex_lock(&ahead->lock);
    while (!slot->done) {
        if (ahead->next < ahead->end) {
            unpack_next(ahead, &visit->decoder);
        } else {
            pthread_cond_wait(&ahead->done, &ahead->lock);
        }
    }
    pthread_mutex_unlock(&ahead->lock);
}

static bool is_first(const struct rg_ahead *ahead, const struct rg_packed *packed)
{
    return ahead && ahead->first < ahead->end &&
           ahead->slots[ahead->first % ahead->depth].packed.bytes.at == packed->bytes.at;
}

ridge_status rg_ahead_take(struct rg_visit *visit, const struct rg_image *image, const struct rg_packed *packed,
                           struct rg_view *out, struct ridge_error *error)
{
    struct rg_ahead *ahead = ahead_get(visit);
    if (!ahead) {
        return rg_error_memory(error, sizeof *ahead);
    }
    if (is_first(ahead, packed)) {
        wait_first(visit);
        ahead->taken = true;
        const struct slot *slot = slot_at(ahead, ahead->first);
        const ridge_status status = rg_unpack_check(visit, image, packed, error);
        if (status != RIDGE_OK || slot->fine) {
            visit->unpack_left -= status == RIDGE_OK ? packed->unpacked_bytes : 0;
            *out = slot->unpacked.bytes;
            return status;
        }
    }
    const ridge_status status = rg_unpack(visit, image, packed, &ahead->alone, error);
    *out = ahead->alone.bytes;
    return status;
}

void rg_ahead_release(struct rg_visit *visit)
{
    struct rg_ahead *ahead = visit->ahead;
    if (!ahead) {
        return;
    }
    rg_unpacked_free(visit->context, &ahead->alone);
    if (ahead->taken) {
        ahead->first++;
        ahead->taken = false;
    }
}

void rg_ahead_clear(struct rg_visit *visit)
{
    struct rg_ahead *ahead = visit->ahead;
    if (!ahead) {
        return;
    }
    pthread_mutex_lock(&ahead->lock);
    ahead->end = ahead->next; /* those that nobody has begun */
    pthread_mutex_unlock(&ahead->lock);
    while (ahead->first < ahead->end) {
        wait_first(visit);
        ahead->taken = true;
        rg_ahead_release(visit);
    }
}

void rg_ahead_fini(struct rg_visit *visit)
{
    struct rg_ahead *ahead = visit->ahead;
    if (!ahead) {
        return;
    }
    rg_ahead_clear(visit);
    pthread_mutex_lock(&ahead->lock);
    ahead->ending = true;
    pthread_cond_broadcast(&ahead->more);
    pthread_mutex_unlock(&ahead->lock);
    for (unsigned i = 0; i < ahead->helpers; i++) {
        pthread_join(ahead->threads[i], NULL);
    }
    for (uint64_t i = 0; i < ahead->depth; i++) {
        slot_empty(visit, &ahead->slots[i]);
    }
    pthread_cond_destroy(&ahead->done);
    pthread_cond_destroy(&ahead->more);
    pthread_mutex_destroy(&ahead->lock);
    rg_free(visit->context, ahead, sizeof *ahead);
    visit->ahead = NULL;
}
