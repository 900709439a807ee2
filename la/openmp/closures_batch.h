/*
 * Closures of up to 64 rows at once: the state, and what its levels and its searches share. Private to the
 * OpenMP engine.
 */
#ifndef SEMLA_OPENMP_CLOSURES_BATCH_H
#define SEMLA_OPENMP_CLOSURES_BATCH_H

#include "openmp/ends.h"
#include "openmp/frontier_closures.h"
#include "openmp/pieces.h"

enum {
    SL_CLOSURE_LISTED = SL_SERIAL_EDGES, /* vertices and edges of a level that one thread takes */
    SL_CLOSURE_PIECE = 4096,             /* edges and vertices of a piece, at least */
    SL_CLOSURE_LANES = 8                 /* levels of a vector */
};

typedef uint16_t sl_closures_lanes
    __attribute__((vector_size(SL_CLOSURE_LANES * sizeof(uint16_t))));

/* Sums over the vertices of a level. */
typedef struct {
    uint64_t members, edges; /* vertices, and their out-edges */
    uint64_t reached;        /* pairs of a vertex and a search */
    uint64_t live;           /* the searches that have a vertex in the level */
} sl_closures_counts;

typedef struct {
    const sl_closures_call *call;
    uint64_t n, stride;               /* stride: searches, rounded up to a vector of levels */
    uint64_t *seen, *frontier, *next; /* [n]; `next` is 0 between levels */
    uint16_t *level;                  /* [n + 1][stride], or NULL */
    uint32_t *parent;                 /* [n + 1][stride], or NULL */
    uint32_t *list;      /* [SL_CLOSURE_LISTED] the vertices of the frontier, if `listed` */
    uint32_t *next_list; /* [SL_CLOSURE_LISTED] */
    bool listed;
    bool touched;            /* all pages of level and parent are in memory */
    sl_closures_counts last; /* counts of the frontier */
    uint64_t reached;        /* pairs of a vertex and a search */
    /* Out-edges of vertices that some search that went on had not reached when this was last counted. */
    uint64_t unfinished_edges;
    uint64_t pieces;
    sl_status *status; /* SL_OK until the call is cancelled */
} sl_closures_batch;

/* ---- levels and parents of a vertex --------------------------------------------------------- */

/* Writes the parent of v by the searches of a word. */
static inline void sl_closures_set_parent(const sl_closures_batch *b, uint64_t v, uint64_t searches,
                                          uint32_t parent)
{
    for (uint32_t *of = b->parent + v * b->stride; searches; searches &= searches - 1)
        of[__builtin_ctzll(searches)] = parent;
}

/* Writes the level of v by the searches of a word. */
static inline void sl_closures_set_level(const sl_closures_batch *b, uint64_t v, uint64_t searches,
                                         uint16_t number)
{
    static const sl_closures_lanes bit = {1, 2, 4, 8, 16, 32, 64, 128};
    sl_closures_lanes *of = (sl_closures_lanes *)(b->level + v * b->stride);
    const sl_closures_lanes value = (sl_closures_lanes){0} + number;
    for (; searches; searches >>= SL_CLOSURE_LANES, of++) {
        const sl_closures_lanes mask =
            (sl_closures_lanes)((((sl_closures_lanes){0} + (uint16_t)(searches & 0xff)) & bit) ==
                                bit);
        if (searches & 0xff)
            *of = (*of & ~mask) | (value & mask);
    }
}

/* The number of bits of a word. The compiler's own function is a call of a library on x86-64. */
static inline uint64_t sl_closures_count_bits(uint64_t x)
{
    const uint64_t pairs = x - (x >> 1 & UINT64_C(0x5555555555555555));
    const uint64_t fours =
        (pairs & UINT64_C(0x3333333333333333)) + (pairs >> 2 & UINT64_C(0x3333333333333333));
    return ((fours + (fours >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >>
           56;
}

/* Makes v a member of the level `number`. */
static inline void sl_closures_visit(const sl_closures_batch *b, sl_closures_counts *c, uint64_t v,
                                     uint64_t searches, uint16_t number)
{
    const sl_closures_call *call = b->call;
    b->seen[v] |= searches;
    if (b->level)
        sl_closures_set_level(b, v, searches, number);
    c->members++;
    c->edges += call->start[v + 1] - call->start[v];
    c->reached += sl_closures_count_bits(searches);
    c->live |= searches;
}

/* The frontier is now the level with these counts. */
static inline void sl_closures_complete(sl_closures_batch *b, const sl_closures_counts *c)
{
    uint64_t *old = b->frontier;
    b->frontier = b->next;
    b->next = old;
    b->last = *c;
    b->reached += c->reached;
}

/* Whether one thread takes the level. */
static inline bool sl_closures_is_small(const sl_closures_counts *c)
{
    return c->members + c->edges <= SL_CLOSURE_LISTED;
}

/* Whether the call is cancelled. */
static inline bool sl_closures_ends(const sl_closures_batch *b)
{
    return sl_openmp_ends(b->call->ctx, b->status, "closures");
}

/* Finds the level `number` from the frontier, by one thread or by all. SL_NO_MEMORY. */
sl_status sl_closures_run_level(sl_closures_batch *b, uint16_t number, sl_closures_call *c);

#endif
