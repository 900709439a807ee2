/*
 * A rank's part of a graph for searches: 32-bit ids, rows by source and rows by target (the CSC of
 * Bisson et al. 2014, section 3.1, and its transpose).
 *
 * Ids. Only vertices with edges have new_ids, which makes bitmaps shorter: half of the vertices of
 * a Kronecker graph have none. The new_ids of a block are 0, 1, ..., and every block has room for
 * `stride` of them, a multiple of 64. On P(i,j) the vertex with new_id x of block j R + k is the
 * source k stride + x, the same on all of grid column j; the vertex with new_id x of block m R + i
 * is the target m stride + x, the same on all of grid row i. Ids without a vertex have no edges.
 *
 * Order. New_ids follow falling in-degree within a block (Kolganov 2018, section 3.1), so that hubs
 * are together; vertices reached early have small ids and missing ones great ids, so differences of
 * ids are small, too. The sources of a target are then ordered by new_id, then block, so that a
 * pull tests the hubs of all ranks first. Searches for the least or the greatest parent need
 * sources that ascend; for these new_ids follow the order of the vertices.
 *
 * Dead ends. A vertex with one edge in an undirected graph leads only to the vertex from which it is reached. In
 * degree order dead ends have the greatest new_ids. They take no part in frontiers after the first.
 */
#ifndef SEMLA_DIST_LOCAL_GRAPH_H
#define SEMLA_DIST_LOCAL_GRAPH_H

#include "dist/codecs/ids.h"
#include "dist/grid/grid.h"

/* Lists of local ids: of row v, index[start[v]] to index[start[v + 1] - 1]. */
typedef struct {
    uint64_t *start;
    uint32_t *index;
} sl_local_rows;

typedef struct {
    sl_distribution distribution;
    uint32_t i, j;
    bool degree_order;       /* order of the new_ids: by falling in-degree, or ascending */
    uint64_t stride, words;  /* ids of a block; words of its bitmap */
    uint64_t sources;        /* R stride */
    uint64_t targets;        /* C stride */
    uint64_t begin, own;     /* this rank's vertices: the first, and their number */
    uint64_t own_with_edges; /* own vertices with edges; their new_ids are below this */
    uint64_t expanded; /* new_ids from here on are of dead ends, on every rank; a multiple of 64 */
    uint64_t block_length; /* greatest number of vertices of a block, rounded up to 64 */
    uint64_t vertices;     /* vertices with edges in the whole graph */
    uint64_t edges;        /* edges of the whole graph */
    uint32_t *offset;      /* [sources] offset of the vertex in its block (its old id) */
    sl_local_rows out;     /* the targets of each source, ascending */
    sl_local_rows
        in; /* the sources of each target, in the order above; NULL until a pull needs them */
    uint64_t *has_in_edges;   /* bitmap: targets with in-edges on this rank */
    uint64_t *unreachable;    /* bitmap of own ids: no vertex, or one without any in-edge */
    uint64_t *single_in_edge; /* bitmap: targets with one in-edge in the whole graph */
    uint64_t *single_parent;  /* [own ids] for these, the source of that edge, a global index */
    void *scratch; /* arrays of a search, kept for the next: new pages cost as much as levels */
    uint64_t scratch_bytes;
    uint64_t *degree; /* [own ids] out-degree in the whole graph */
} sl_local_graph;

/*
 * Builds the graph of a rank from its block of a matrix, whose rows and columns are local indices
 * (sl_local_row_blocks, sl_local_column_blocks); the columns of a row ascend. `symmetric`: the
 * whole matrix is, and this is the same on every rank. Collective; the ranks agree. Errors:
 * SL_NO_MEMORY, SL_UNSUPPORTED (more than 2^32 ids), SL_ENGINE_FAULT.
 */
sl_status sl_local_graph_make(sl_local_graph *graph, sl_grid *grid, uint64_t vertices,
                              const sl_csr *rows, bool symmetric, bool degree_order);
void sl_local_graph_free(sl_local_graph *graph);

/* Builds in_start and in_index, if they are missing. Not collective. SL_NO_MEMORY. */
sl_status sl_local_graph_transpose(sl_local_graph *graph, sl_context *ctx);

/* The offset of a source among the vertices of its grid column, which other ranks understand. */
static inline uint32_t sl_local_graph_column_offset(const sl_local_graph *b, uint32_t source)
{
    return source / (uint32_t)b->stride * (uint32_t)b->block_length + b->offset[source];
}

/* The global index of the vertex with that offset in grid column `column`. */
static inline uint64_t sl_local_graph_vertex(const sl_local_graph *b, uint32_t column,
                                             uint32_t number)
{
    const uint32_t block_length = (uint32_t)b->block_length;
    return sl_distribution_begin(&b->distribution,
                                 (uint64_t)column * b->distribution.rows + number / block_length) +
           number % block_length;
}

/* The offsets of this rank's own vertices in its block, by new_id. */
static inline const uint32_t *sl_local_graph_own_offsets(const sl_local_graph *b)
{
    return b->offset + b->i * b->stride;
}

#endif
