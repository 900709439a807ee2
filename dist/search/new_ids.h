/*
 * New ids of the vertices of a rank's part of a graph: degrees are summed over the grid, each rank
 * assigns ids to its own vertices, and the ranks of its row and column learn them. For
 * local_graph_build.c alone.
 */
#ifndef SEMLA_DIST_NEW_IDS_H
#define SEMLA_DIST_NEW_IDS_H

#include "dist/search/local_graph.h"

#define SL_NO_NEW_ID UINT32_MAX

/* Arrays by offset of the vertex in its block; each block has b->block_length offsets. */
typedef struct {
    uint32_t *sources; /* R blocks: new_id of each vertex of the grid column, or SL_NO_NEW_ID */
    uint32_t *targets; /* C blocks: new_id of each vertex of the grid row, or SL_NO_NEW_ID */
    uint64_t *out;     /* own block: out-degree in the whole graph */
    uint64_t *in;      /* own block: in-degree in the whole graph */
    uint64_t *scratch; /* max(R, C) blocks */
} sl_new_ids;

/* The block that contains a column of the local rows. The columns of a row mostly ascend, so that
 * the cursor moves forward. */
typedef struct {
    const sl_local_blocks *columns;
    uint32_t part;
    uint64_t begin, end;
} sl_cursor;

static inline sl_cursor sl_cursor_of(const sl_local_blocks *columns)
{
    return (sl_cursor){columns, 0, 0, sl_local_blocks_begin(columns, 1)};
}

/* Moves to a local column; returns block * block_length + its offset in the block. */
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
 * Assigns the new_ids and sets in b: own_with_edges, expanded, vertices, words, stride, sources, targets. b
 * must have its distribution, i, j, block_length and degree_order. Collective; the ranks agree.
 * SL_NO_MEMORY, SL_ENGINE_FAULT.
 */
sl_status sl_new_ids_make(sl_new_ids *new_ids, sl_local_graph *b, sl_grid *grid, const sl_csr *rows,
                          bool symmetric);
void sl_new_ids_free(sl_new_ids *new_ids);

#endif
