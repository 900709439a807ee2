/* Which vertices have places in a rank's part of a graph, and in which order. For blocks.c alone.
 */
#ifndef SEMLA_DIST_PLACES_H
#define SEMLA_DIST_PLACES_H

#include "blocks.h"

#define SL_NO_PLACE UINT32_MAX

/* By offset in their blocks, of which each has b->full. */
typedef struct {
    uint32_t *sources; /* R blocks: the place of a vertex in its block, or SL_NO_PLACE */
    uint32_t *targets; /* C blocks: the same */
    uint64_t *out;     /* own: edges from there in the whole graph, */
    uint64_t *in;      /* and edges to there */
    uint64_t *scratch; /* R or C blocks, whichever is more */
} sl_places;

/* A column of a rank's rows, block by block. The columns of a row ascend, as a rule, and the block
 * moves along with them. */
typedef struct {
    const sl_local_blocks *columns;
    uint32_t part;
    uint64_t begin, end;
} sl_cursor;

static inline sl_cursor sl_cursor_of(const sl_local_blocks *columns)
{
    return (sl_cursor){columns, 0, 0, sl_local_blocks_begin(columns, 1)};
}

/* The column's offset counted over all blocks of `full`. */
static inline uint64_t sl_cursor_seek(sl_cursor *c, uint64_t column, uint64_t full)
{
    if (column < c->begin)
        *c = sl_cursor_of(c->columns);
    while (column >= c->end) {
        c->begin = c->end;
        c->end = sl_local_blocks_begin(c->columns, ++c->part + 1);
    }
    return c->part * full + column - c->begin;
}

/*
 * Has the ranks find out who has a place, and tells b how many there are: linked, vertices, words,
 * stride, sources, targets. Needs its partition, i, j and full. Collective, the ranks agree on the
 * result. SL_NO_MEMORY, SL_ENGINE_FAULT.
 */
sl_status sl_places_make(sl_places *places, sl_blocks *b, sl_grid *grid, const sl_csr *rows);
void sl_places_free(sl_places *places);

#endif
