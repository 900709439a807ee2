/*
 * A rank's part of a graph as searches go through it: 32-bit local numbers, rows by source
 * and rows by target (the CSC of Bisson et al. 2014, section 3.1, and its transpose).
 *
 * Only vertices with edges have places, which a Kronecker graph has half as many of as of
 * vertices, so that all bitmaps are shorter. Every block of vertices gets `stride` places, a
 * multiple of 64, so that each begins at a word of a bitmap. On P(i,j) the vertex at `new_id` of
 * block j R + k is the source k stride + new_id, the same number on all of grid column j; the
 * vertex at `new_id` of block m R + i is the target m stride + new_id, the same on all of grid row
 * i. The offsets of vertices in their blocks are in `offset`. Places behind a block's last have no
 * edges.
 *
 * Places of a block go by falling in-degree (Kolganov 2018, 3.1: hubs lie together), or ascend with
 * the vertices. By degree a target's sources are ordered by new_id, then block: pulls meet the hubs
 * of all ranks first. What is found early is at low places and what is missing late at high ones,
 * so that differences of ids are smaller. For the least or the greatest parent sources
 * have to ascend.
 */
#ifndef SEMLA_DIST_BLOCKS_H
#define SEMLA_DIST_BLOCKS_H

#include "grid.h"
#include "ids.h"

typedef struct {
    sl_distribution distribution;
    uint32_t i, j;
    bool degree_order;        /* the order of places */
    uint64_t stride, words;   /* of a block: places, and words of a bitmap */
    uint64_t sources;         /* R stride */
    uint64_t targets;         /* C stride */
    uint64_t begin, own;      /* this rank's vertices: the first, and how many */
    uint64_t own_with_edges;  /* of these, those with edges: places 0 to own_with_edges - 1 */
    uint64_t block_length;    /* offsets of a block, a multiple of 64 */
    uint64_t vertices;        /* of the whole graph, with edges */
    uint64_t edges;           /* of the whole graph */
    uint32_t *offset;         /* sources: of the vertex at the new_id, in its block */
    uint64_t *out_start;      /* sources + 1 */
    uint32_t *out_index;      /* targets */
    uint64_t *in_start;       /* targets + 1; NULL until a pull needs them */
    uint32_t *in_index;       /* sources, for each target in the order above */
    uint64_t *has_in_edges;   /* targets, bits: those with edges here */
    uint64_t *unreachable;    /* own places, bits: no vertex, or one without in-edges at all */
    uint64_t *single_in_edge; /* targets, bits: those with one in-edge in the whole graph */
    uint64_t *single_parent;  /* own places: the vertex at the other end of that */
    void *scratch; /* a search's arrays, kept for the next: new pages cost as much as levels */
    uint64_t scratch_bytes;
    uint64_t *degree; /* own places: edges in the whole graph */
} sl_local_graph;

/*
 * Makes the rows by source from a rank's rows in the numbers of the distribution's shares:
 * as many as sl_local_row_blocks has, columns ascending in each. Collective, the ranks agree on the
 * result. Errors: SL_NO_MEMORY, SL_UNSUPPORTED (more than 2^32 places), SL_ENGINE_FAULT.
 */
sl_status sl_local_graph_make(sl_local_graph *blocks, sl_grid *grid, uint64_t vertices,
                              const sl_csr *rows, bool degree_order);
void sl_local_graph_free(sl_local_graph *blocks);

/* Makes the rows by target. Each rank by itself. SL_NO_MEMORY. */
sl_status sl_local_graph_transpose(sl_local_graph *blocks, sl_context *ctx);

/* A source of this rank's by its offset, as others can read it: k block_length + offset. */
static inline uint32_t sl_local_graph_column_offset(const sl_local_graph *b, uint32_t source)
{
    return source / (uint32_t)b->stride * (uint32_t)b->block_length + b->offset[source];
}

/* The vertex of such a number of grid column `column`. */
static inline uint64_t sl_local_graph_vertex(const sl_local_graph *b, uint32_t column,
                                             uint32_t number)
{
    const uint32_t block_length = (uint32_t)b->block_length;
    return sl_distribution_begin(&b->distribution,
                                 (uint64_t)column * b->distribution.rows + number / block_length) +
           number % block_length;
}

/* The offsets of this rank's own vertices, by their places. */
static inline const uint32_t *sl_local_graph_own_offsets(const sl_local_graph *b)
{
    return b->offset + b->i * b->stride;
}

#endif
