/*
 * Dependencies of a batch of sources, for graphs of few levels: all threads search from up to 16
 * sources at once, so that an edge is read once for all of them (Then et al., "The More the Merrier:
 * Efficient Multi-Source Graph Traversal", VLDB 2014, for the levels; Brandes 2001 for the numbers).
 *
 *   1. Levels: bit s of members[d][v] says that v is in level d of the search from source s. A level
 *      is found by push or by pull, whichever examines fewer edges.
 *   2. Forward, level by level, the members of a level sum the numbers of paths of their in-neighbours
 *      in the level before it. values[v] has a lane for each source; a row is at most two cache lines.
 *   3. Backward, the members of a level sum the shares of their out-neighbours in the next level;
 *      share = (1 + dependency) / paths then takes the place of the number of paths.
 *
 * There are at most MAX_LEVELS levels, so that numbers of paths are in the range of fp64: with w[d]
 * members, there are at most w[1] w[2] ... w[MAX_LEVELS - 1] paths, and as the w are at most n < 2^32
 * together, these are less than (2^32 / 31)^31 < 2^840. Deeper searches are left to
 * dependency_single.c, and so are those that have reached little after EARLY_LEVELS: their frontiers
 * have little in common.
 *
 * In a row the lanes of a level are written by one thread while others read the whole row; they
 * ignore these lanes, so the race is benign. O(edges) for each level that a vertex has, often 2 for 16
 * sources; 8 bytes for each vertex and source, and 2 for each vertex and level.
 */
#include <string.h>

#include "openmp/ends.h"
#include "openmp/path_dependencies.h"
#include "openmp/pieces.h"

enum {
    MAX_LEVELS = 32,
    EARLY_LEVELS = 8,
    EARLY_PART = 8, /* of the vertices of all searches that must be reached by then: 1 / 8 */
    PIECES = 64,    /* of the vertices, for each thread, at most, */
    PIECE = 4096,   /* and with so many edges and vertices at least */
    BLOCK = 32,     /* edges whose values are prefetched together */
    LINE = 64,      /* bytes of a cache line */
    PAIR = 2        /* lanes of a vector */
};

typedef double pair __attribute__((vector_size(PAIR * sizeof(double))));
typedef int64_t pair_mask __attribute__((vector_size(PAIR * sizeof(int64_t))));
typedef uint16_t lanes; /* a bit for each source */

/* What one pass over a new level counts. */
typedef struct {
    uint64_t members, member_edges; /* vertices of the level, and their out-edges */
    uint64_t reached;               /* lanes of these vertices */
    uint64_t unfinished_edges;      /* in-edges of vertices that some search has not reached */
} counts;

typedef struct {
    const sl_dependency_call *call;
    uint64_t n;
    unsigned pairs; /* of a row of values */
    lanes all;      /* the lanes in use */
    unsigned levels;
    lanes *members[MAX_LEVELS]; /* [n] each */
    lanes *seen;                /* [n] the searches that have reached a vertex */
    pair *values;               /* [n * pairs] */
    void *allocated;            /* `values` before alignment */
    uint64_t pieces;
    sl_status *status; /* SL_OK until the call is cancelled */
} batch;

/* ---- division of vertices among threads --------------------------------------------------- */

/* Whether the call is cancelled. */
static bool ends(const batch *b)
{
    return sl_openmp_ends(b->call->ctx, b->status, "dependencies");
}

/* ---- levels ------------------------------------------------------------------------------- */

static void push(const batch *b, const lanes *frontier, lanes *next)
{
    const sl_dependency_call *d = b->call;
    memset(next, 0, b->n * sizeof *next);
#pragma omp parallel for num_threads(d->threads) schedule(dynamic, 1)
    SL_FOR_PIECES(b, d->start, u, ends)
    if (frontier[u])
        for (uint64_t e = d->start[u]; e < d->start[u + 1]; e++) {
            const uint32_t v = d->index[e];
            const lanes added = (lanes)(frontier[u] & ~b->seen[v]);
            if (added & ~__atomic_load_n(&next[v], __ATOMIC_RELAXED))
                __atomic_fetch_or(&next[v], added, __ATOMIC_RELAXED);
        }
}

static void pull(const batch *b, const lanes *frontier, lanes *next)
{
    const sl_dependency_call *d = b->call;
#pragma omp parallel for num_threads(d->threads) schedule(dynamic, 1)
    SL_FOR_PIECES(b, d->in_start, v, ends)
    {
        const lanes missing = (lanes)(b->all & ~b->seen[v]);
        lanes found = 0;
        for (uint64_t e = d->in_start[v]; e < d->in_start[v + 1] && found != missing; e++)
            found |= (lanes)(frontier[d->in_index[e]] & missing);
        next[v] = found;
    }
}

/* Marks the members of a level as seen, and counts. */
static counts see(const batch *b, const lanes *level)
{
    const sl_dependency_call *d = b->call;
    uint64_t members = 0, member_edges = 0, reached = 0, unfinished_edges = 0;
#pragma omp parallel for num_threads(d->threads)                                                   \
    reduction(+ : members, member_edges, reached, unfinished_edges) if (b->n > SL_SERIAL_EDGES)
    for (uint64_t v = 0; v < b->n; v++) {
        if (level[v]) {
            b->seen[v] |= level[v];
            members++;
            member_edges += d->start[v + 1] - d->start[v];
            reached += (uint64_t)__builtin_popcount(level[v]);
        }
        if (b->seen[v] != b->all)
            unfinished_edges += d->in_start[v + 1] - d->in_start[v];
    }
    return (counts){members, member_edges, reached, unfinished_edges};
}

static bool add_level(batch *b)
{
    if (!b->members[b->levels])
        b->members[b->levels] = sl_malloc(b->n * sizeof(lanes));
    return b->members[b->levels];
}

/* Finds all levels. *deep: there are too many for this kernel. */
static sl_status find_levels(batch *b, const uint32_t *source, uint64_t count, bool *deep)
{
    if (!add_level(b))
        return SL_NO_MEMORY;
    memset(b->members[0], 0, b->n * sizeof(lanes));
    memset(b->seen, 0, b->n * sizeof(lanes));
    for (uint64_t s = 0; s < count; s++)
        b->members[0][source[s]] |= (lanes)(1 << s);
    counts c = see(b, b->members[0]);
    uint64_t reached = c.reached;
    for (b->levels = 1; c.members > 0; b->levels++) {
        *deep = b->levels == MAX_LEVELS ||
                (b->levels == EARLY_LEVELS && reached < b->n / EARLY_PART * count);
        if (*deep || ends(b))
            return *b->status;
        if (!add_level(b))
            return SL_NO_MEMORY;
        (c.member_edges < c.unfinished_edges / 2 ? push : pull)(b, b->members[b->levels - 1],
                                                                b->members[b->levels]);
        c = see(b, b->members[b->levels]);
        reached += c.reached;
    }
    b->levels--; /* the last one is empty */
    return *b->status;
}

/* ---- numbers of paths, dependencies ------------------------------------------------------- */

/* The lanes of a pair that have a bit. */
static inline pair_mask mask_of(unsigned bits)
{
    return (pair_mask){-(int64_t)(bits & 1), -(int64_t)(bits >> 1 & 1)};
}

static inline pair only(pair value, pair_mask mask)
{
    return (pair)((pair_mask)value & mask);
}

/* Sums the values of the neighbours of a vertex, which `row` lists, of the lanes `wanted` that `level` has at them. */
static inline __attribute__((always_inline)) void sum_row(pair *sum, unsigned pairs,
                                                          const pair *values, const lanes *level,
                                                          lanes wanted, const uint32_t *row,
                                                          uint64_t length)
{
    static const pair_mask masks[] = {{0, 0}, {-1, 0}, {0, -1}, {-1, -1}};
    uint32_t vertex[BLOCK];
    lanes common[BLOCK];
    for (unsigned p = 0; p < pairs; p++)
        sum[p] = (pair){0};
    for (uint64_t e = 0; e < length; e += BLOCK) {
        const unsigned count = length - e < BLOCK ? (unsigned)(length - e) : BLOCK;
        unsigned found = 0;
        for (unsigned k = 0; k < count; k++) {
            const uint32_t u = row[e + k];
            vertex[found] = u;
            common[found] = level[u] & wanted;
            found += common[found] != 0;
        }
        for (unsigned k = 0; k < found; k++)
            for (unsigned p = 0; p < pairs; p += LINE / sizeof(pair))
                __builtin_prefetch(&values[vertex[k] * (uint64_t)pairs + p]);
        for (unsigned k = 0; k < found; k++)
            for (unsigned p = 0; p < pairs; p++)
                sum[p] +=
                    only(values[vertex[k] * (uint64_t)pairs + p], masks[common[k] >> PAIR * p & 3]);
    }
}

/* Writes the lanes of a mask. */
static inline void blend(pair *to, pair value, pair_mask mask)
{
    *to = (pair)(((pair_mask)*to & ~mask) | ((pair_mask)value & mask));
}

static inline __attribute__((always_inline)) void count_paths_of(const batch *b, unsigned pairs,
                                                                 unsigned level)
{
    const sl_dependency_call *d = b->call;
    const lanes *members = b->members[level], *before = b->members[level - 1];
#pragma omp parallel for num_threads(d->threads) schedule(dynamic, 1)
    SL_FOR_PIECES(b, d->in_start, v, ends)
    if (members[v]) {
        pair sum[SL_BATCH_SOURCES / PAIR];
        sum_row(sum, pairs, b->values, before, members[v], d->in_index + d->in_start[v],
                d->in_start[v + 1] - d->in_start[v]);
        for (unsigned p = 0; p < pairs; p++)
            blend(&b->values[v * pairs + p], sum[p], mask_of(members[v] >> PAIR * p));
    }
}

static inline __attribute__((always_inline)) void
add_dependencies_of(const batch *b, unsigned pairs, unsigned level)
{
    static const lanes none;
    const sl_dependency_call *d = b->call;
    const bool last = level + 1 == b->levels;
    const lanes *members = b->members[level], *next = last ? &none : b->members[level + 1];
#pragma omp parallel for num_threads(d->threads) schedule(dynamic, 1)
    SL_FOR_PIECES(b, d->start, u, ends)
    if (members[u]) {
        pair sum[SL_BATCH_SOURCES / PAIR], total = {0};
        sum_row(sum, pairs, b->values, next, members[u], d->index + d->start[u],
                last ? 0 : d->start[u + 1] - d->start[u]);
        for (unsigned p = 0; p < pairs; p++) {
            pair *value = &b->values[u * pairs + p];
            const pair_mask mask = mask_of(members[u] >> PAIR * p);
            const pair dependency = only(*value * sum[p], mask);
            total += dependency;
            blend(value, (1 + dependency) / *value, mask);
        }
        d->sum[u] += total[0] + total[1];
    }
}

/* The same with the number of pairs as a constant. */
static void count_paths(const batch *b, unsigned level)
{
    if (b->pairs == 2)
        count_paths_of(b, 2, level);
    else if (b->pairs == 4)
        count_paths_of(b, 4, level);
    else
        count_paths_of(b, 8, level);
}

static void add_dependencies(const batch *b, unsigned level)
{
    if (b->pairs == 2)
        add_dependencies_of(b, 2, level);
    else if (b->pairs == 4)
        add_dependencies_of(b, 4, level);
    else
        add_dependencies_of(b, 8, level);
}

static sl_status sum_up(batch *b, const uint32_t *source, uint64_t count)
{
    for (uint64_t s = 0; s < count; s++)
        blend(&b->values[source[s] * (uint64_t)b->pairs + s / PAIR], (pair){1, 1},
              mask_of(1u << s % PAIR));
    for (unsigned level = 1; level < b->levels && !ends(b); level++)
        count_paths(b, level);
    for (unsigned level = b->levels; level-- > 1 && !ends(b);)
        add_dependencies(b, level);
    return *b->status;
}

/* ---- the batch ---------------------------------------------------------------------------- */

static void *aligned(void *memory, size_t to)
{
    return (void *)(((uintptr_t)memory + to - 1) / to * to);
}

sl_status sl_openmp_batch_dependencies(const sl_dependency_call *d, uint64_t first, uint64_t count,
                                       bool *deep)
{
    const uint64_t pieces = 1 + (d->n + d->start[d->n]) / PIECE;
    const uint64_t most = (uint64_t)d->threads * PIECES;
    sl_status interrupted = SL_OK;
    batch b = {.call = d,
               .n = d->n,
               .pairs = count <= SL_LEAST_BATCH ? 2
                        : count <= 8            ? 4
                                                : 8,
               .all = (lanes)((1u << count) - 1),
               .seen = sl_malloc(d->n * sizeof(lanes)),
               .pieces = pieces < most ? pieces : most,
               .status = &interrupted};
    sl_status status = b.seen ? find_levels(&b, d->source + first, count, deep) : SL_NO_MEMORY;
    if (status == SL_OK && !*deep) {
        /* Zeros: the arithmetic runs on whole pairs, and a lane that a search has not reached is then
         * masked. Memory checkers would follow undefined lanes into the results. */
        b.allocated = sl_calloc(d->n * b.pairs + LINE / sizeof *b.values, sizeof *b.values);
        b.values = aligned(b.allocated, LINE);
        status = b.allocated ? sum_up(&b, d->source + first, count) : SL_NO_MEMORY;
    }
    if (status == SL_NO_MEMORY)
        status = sl_fail(d->ctx, SL_NO_MEMORY, "dependencies: out of memory");
    for (unsigned k = 0; k < MAX_LEVELS; k++)
        sl_free(b.members[k]);
    sl_free(b.seen);
    sl_free(b.allocated);
    return status;
}
