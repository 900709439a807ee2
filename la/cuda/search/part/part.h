/*
 * A part: the edges of a graph that one process searches, in new ids. Searches in two dimensions and in one have the
 * same parts: the processes of a search in one dimension are a grid of one column. Private to the CUDA engine.
 *
 * Process P(i,j) of an R x C grid has the edges from the vertices of blocks j R ... j R + R - 1, its sources, to the
 * vertices of blocks i, R + i, ..., (C - 1) R + i, its targets (Bisson et al. 2014, section 3.1). It owns the
 * vertices of block j R + i, which are both.
 *
 * Ids. Vertices with edges have ids 0, 1, ... within their block, by falling in-degree, so that hubs come first, and
 * vertices without in-edges last; each block has room for `stride` of them, a multiple of GROUP_LINE. With id k of its
 * block a vertex is
 *
 *     the source (k / GROUP_LINE * R + p) * GROUP_LINE + k % GROUP_LINE    in block p of the column,
 *     the target m * stride + k                                           in block m of the row.
 *
 *     sources of R = 2    | block 0: 0-1023 | block 1: 0-1023 | block 0: 1024-2047 | block 1: ...
 *
 * Lines of the blocks of a column alternate, so that the hubs of all blocks are the first words of a
 * frontier's bitmap; the targets of each owner are consecutive, as messages need them. Local ids
 * have 32 bits; a vertex of the whole graph is a grid column and a local row, which its owner turns
 * into a global index of 64 bits.
 *
 * Dead ends. A vertex with one edge in an undirected graph leads only to the vertex from which it is reached. Dead ends
 * have the greatest ids, and after the first level their bits are not sent to other processes: these have no edges into
 * them.
 */
#ifndef SEMLA_CUDA_PART_H
#define SEMLA_CUDA_PART_H

#include "cuda/links/links.h"
#include "cuda/reorder/reordered_graph.h"
#include "cuda/runtime/arena.h"
#include "cuda/search/part/part_kernels.h"

/* Rows of local ids, in device memory. */
typedef struct {
    uint64_t *start;
    uint32_t *index;
} cuda_part_rows;

/* The own vertices with edges, numbered in the caller's order, in device memory. In one dimension: with in-edges. */
typedef struct {
    uint2 *words; /* per word of own vertices: which they are, and the number of the first */
    uint32_t *id; /* by number; three zeros follow */
    /* C arrays by number: the local row of the first source in each grid column, or CUDA_NO_VERTEX. Three zeros follow.
     */
    uint32_t *first;
} cuda_numbered_own;

/* Over all processes. */
typedef struct {
    uint64_t vertices, edges; /* vertices with edges */
    uint64_t targets;         /* vertices with in-edges on their owner */
} cuda_part_totals;

typedef struct {
    const sl_device_grid *grid; /* borrowed */
    cuda_grid_links *links;     /* borrowed */
    uint32_t rows, cols;        /* R, C */
    uint32_t stride, words;     /* ids of a block; words of its bitmap */
    uint32_t sources, targets;  /* R stride, C stride */
    uint32_t own_n;             /* vertices that this process owns */
    uint32_t own_with_edges;    /* own vertices with edges: their ids are below this */
    uint32_t own_targets;       /* with in-edges: their ids are below this */
    /* Ids from here on are of dead ends, on every process; a multiple of GROUP_LINE. */
    uint32_t expanded;
    uint64_t edges; /* edges of this process */
    cuda_part_totals all;
    /* Device. */
    cuda_part_rows in; /* sources by target, ascending */
    /* Targets by source, ascending: index, and pinned if the device has too little memory (column_storage.h). */
    cuda_reordered_graph out;
    uint64_t *out_start;
    uint32_t *slot[ELL_SLOTS]; /* slot_count[k] each: the first sources, or CUDA_NO_VERTEX */
    /* All targets; with one column: how many targets have more than k in-edges. */
    uint32_t slot_count[ELL_SLOTS + 1];
    uint32_t *word_degree;    /* per word of targets: in-edges here of its first target */
    uint32_t *row_of_source;  /* sources: the local row, or CUDA_NO_VERTEX */
    cuda_degree_order *order; /* the own vertices by their ids; those without edges follow */
    uint32_t *
        own_word_degree; /* two dimensions. Per word of own ids: the mean out-degree in the whole graph */
    cuda_numbered_own numbered;
    cuda_arena workspace; /* memory of searches */
} cuda_part;

/* own_n: the id of each own vertex, or CUDA_NO_VERTEX; NULL if there is no order. */
static inline uint32_t *cuda_part_own_id(const cuda_part *part)
{
    return part->order ? part->order->new_id : NULL;
}

/* What a part is made from. */
typedef struct {
    const sl_device_part_request *from;
    /* The lines of from->grid that are the columns and rows of the part's R x C processes. */
    sl_grid_line column, row;
    /* For a search in one dimension: the part has all edges into the own vertices. The device bytes that a search with
     * the part needs; where they and the out-edges have no room on the device, some of the out-edges are in pinned
     * memory. NULL: a search in two dimensions, which needs all edges on the device. */
    uint64_t (*search_bytes)(const cuda_part *part);
} cuda_part_request;

/*
 * *part: a new part, without links. SL_UNSUPPORTED: ids do not fit in 32 bits, or the entries exist only in reordered
 * form; SL_NO_MEMORY; SL_ENGINE_FAULT. Collective; all processes return one status. Cost: radix sorts of all edges, by
 * target and by source, in segments.
 */
sl_status sl_cuda_part_create(cuda_part **part, const cuda_part_request *request);
void sl_cuda_part_free(cuda_part *part);

/* Adds the memory of a part to `placement`. */
void sl_cuda_part_describe(sl_placement *placement, const cuda_part *part);

#endif
