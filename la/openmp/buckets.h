/* The buckets of one thread in delta-stepping. Private to the OpenMP engine. */
#ifndef SEMLA_OPENMP_BUCKETS_H
#define SEMLA_OPENMP_BUCKETS_H

#include <semla/engine.h>

enum {
    BUCKETS = 1024,       /* of the window of values that are handled next */
    BUCKET_FAR = BUCKETS, /* vertices beyond the window */
    NO_BUCKET = BUCKETS + 1,
    CHUNK = 62 /* vertices */
};

/* A piece of a bucket; 256 bytes. Chunks refer to each other by number + 1; 0 ends a list. */
typedef struct {
    uint32_t next, count;
    uint32_t vertex[CHUNK];
} sl_chunk;

/* Buckets of vertices in no order. A vertex may be in several, and several times. */
typedef struct {
    sl_chunk *pool; /* owned */
    uint32_t room, used;
    uint32_t unused; /* list of chunks that were emptied */
    uint32_t head[BUCKETS + 1];
    uint64_t
        occupied[BUCKETS / 64]; /* bitmap of the buckets that are not empty, without the last */
    uint64_t relaxed; /* vertices whose edges were relaxed, and not yet counted as progress */
    bool failed;      /* no memory: vertices were lost */
} sl_buckets;

/* Allocates the first chunks. False: no memory. */
bool sl_buckets_open(sl_buckets *b);
void sl_buckets_close(sl_buckets *b);

/* A new first chunk for a bucket whose first chunk is full; NULL: no memory, b->failed is set. */
sl_chunk *sl_buckets_grow(sl_buckets *b, unsigned bucket);

static inline void sl_buckets_put(sl_buckets *b, unsigned bucket, uint32_t v)
{
    sl_chunk *c = b->head[bucket] ? &b->pool[b->head[bucket] - 1] : NULL;
    if (!c || c->count == CHUNK)
        c = sl_buckets_grow(b, bucket);
    if (c)
        c->vertex[c->count++] = v;
}

/* True if the bucket has at most `most` chunks. */
bool sl_buckets_has_few(const sl_buckets *b, unsigned bucket, unsigned most);

/* Empties a bucket and returns the list of its chunks, which sl_buckets_release goes through. */
uint32_t sl_buckets_detach(sl_buckets *b, unsigned bucket);

/* A copy of the first chunk of such a list, which is not empty. The chunk can be used again; *list
 * becomes the rest. */
static inline sl_chunk sl_buckets_release(sl_buckets *b, uint32_t *list)
{
    sl_chunk *first = &b->pool[*list - 1];
    const sl_chunk copy = *first;
    first->next = b->unused;
    b->unused = *list;
    *list = copy.next;
    return copy;
}

/* Moves the vertices of the first chunk of a bucket to `to`, an array of CHUNK, and returns their
 * number; 0 if the bucket is empty. */
unsigned sl_buckets_take(sl_buckets *b, unsigned bucket, uint32_t *to);

/* The first bucket that is not empty, from `first` on; NO_BUCKET if there is none. The last, of
 * vertices beyond the window, does not count. */
unsigned sl_buckets_next(const sl_buckets *b, unsigned first);

#endif
