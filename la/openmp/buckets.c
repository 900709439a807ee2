/* Buckets as lists of chunks from a pool that only grows, so that adding a vertex rarely allocates
 * and emptying a bucket never frees. */
#include "openmp/buckets.h"

#include <string.h>

enum { FIRST_CHUNKS = 64 };

bool sl_buckets_open(sl_buckets *b)
{
    *b = (sl_buckets){.room = FIRST_CHUNKS, .pool = sl_malloc(FIRST_CHUNKS * sizeof *b->pool)};
    return b->pool;
}

void sl_buckets_close(sl_buckets *b)
{
    sl_free(b->pool);
}

/* The number of an unused chunk, plus 1; 0: no memory. */
static uint32_t new_chunk(sl_buckets *b)
{
    if (b->unused) {
        const uint32_t c = b->unused;
        b->unused = b->pool[c - 1].next;
        return c;
    }
    if (b->used == b->room) {
        const uint32_t room = 2 * b->room;
        sl_chunk *pool = room > b->room ? sl_realloc(b->pool, room * sizeof *pool) : NULL;
        if (!pool)
            return 0;
        b->pool = pool;
        b->room = room;
    }
    return ++b->used;
}

sl_chunk *sl_buckets_grow(sl_buckets *b, unsigned bucket)
{
    const uint32_t number = new_chunk(b);
    if (!number) {
        b->failed = true;
        return NULL;
    }
    sl_chunk *c = &b->pool[number - 1];
    c->count = 0;
    c->next = b->head[bucket];
    b->head[bucket] = number;
    if (bucket < BUCKETS)
        b->occupied[bucket / 64] |= (uint64_t)1 << bucket % 64;
    return c;
}

unsigned sl_buckets_take(sl_buckets *b, unsigned bucket, uint32_t *to)
{
    const uint32_t number = b->head[bucket];
    if (!number)
        return 0;
    sl_chunk *c = &b->pool[number - 1];
    const unsigned count = c->count;
    memcpy(to, c->vertex, count * sizeof *to);
    b->head[bucket] = c->next;
    c->next = b->unused;
    b->unused = number;
    if (!b->head[bucket] && bucket < BUCKETS)
        b->occupied[bucket / 64] &= ~((uint64_t)1 << bucket % 64);
    return count;
}

bool sl_buckets_has_few(const sl_buckets *b, unsigned bucket, unsigned most)
{
    uint32_t list = b->head[bucket];
    for (unsigned k = 0; list && k < most; k++)
        list = b->pool[list - 1].next;
    return !list;
}

uint32_t sl_buckets_detach(sl_buckets *b, unsigned bucket)
{
    const uint32_t list = b->head[bucket];
    b->head[bucket] = 0;
    if (bucket < BUCKETS)
        b->occupied[bucket / 64] &= ~((uint64_t)1 << bucket % 64);
    return list;
}

unsigned sl_buckets_next(const sl_buckets *b, unsigned first)
{
    if (first >= BUCKETS)
        return NO_BUCKET;
    uint64_t word = b->occupied[first / 64] >> first % 64;
    if (word)
        return first + (unsigned)__builtin_ctzll(word);
    for (unsigned w = first / 64 + 1; w < BUCKETS / 64; w++)
        if (b->occupied[w])
            return 64 * w + (unsigned)__builtin_ctzll(b->occupied[w]);
    return NO_BUCKET;
}
