/* Which vertices have places in a rank's part of a graph, and in which order. For blocks.c alone.
 */
#ifndef SEMLA_DIST_PLACES_H
#define SEMLA_DIST_PLACES_H

#include "local_graph.h"

#define SL_NO_NEW_ID UINT32_MAX

/* By offset in their blocks, of which each has b->block_length. */
typedef struct {
    uint32_t *sources; /* R blocks: the new_id of a vertex in its block, or SL_NO_NEW_ID */
    uint32_t *targets; /* C blocks: the same */
    uint64_t *out;     /* own: edges from there in the whole graph, */
    uint64_t *in;      /* and edges to there */
    uint64_t *scratch; /* R or C blocks, whichever is more */
} sl_new_ids;

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

/* The column's offset counted over all blocks of `block_length`. */
static inline uint64_t sl_cursor_seek(sl_cursor *c, uint64_t column, uint64_t block_length)
{
    if (column < c->begin)
        *c = sl_cursor_of(c->columns);
    while (column >= c->end) {
        c->begin = c->end;
        c->end = sl_local_blocks_begin(c->columns, ++c->part + 1);
    }
    return c->part * block_length + column - c->begin;
}

/*
 * Has the ranks find out who has a new_id, and tells b how many there are: own_with_edges,
 * vertices, words, stride, sources, targets. Needs its distribution, i, j and block_length.
 * Collective, the ranks agree on the result. SL_NO_MEMORY, SL_ENGINE_FAULT.
 */
sl_status sl_new_ids_make(sl_new_ids *places, sl_local_graph *b, sl_grid *grid, const sl_csr *rows);
void sl_new_ids_free(sl_new_ids *places);

#endif
