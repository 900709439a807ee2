/*
 * A part: one process's block of a matrix, as a two-dimensional search reads it. Private to the CUDA
 * engine.
 *
 * Process P(i,j) of an R x C grid has the edges from the vertices of blocks j R ... j R + R - 1, its sources, to the
 * vertices of blocks i, R + i, ..., (C - 1) R + i, its targets (Bisson et al. 2014, section 3.1). It owns the
 * vertices of block j R + i, which are both.
 *
 * Ids. Vertices with edges have ids 0, 1, ... within their block, by falling degree, so that hubs
 * come first; each block has room for `stride` of them, a multiple of GROUP_LINE. With id k of its
 * block a vertex is
 *
 *     the source (k / GROUP_LINE * R + p) * GROUP_LINE + k % GROUP_LINE    in block p of the column,
 *     the target m * stride + k                                           in block m of the row.
 *
 * Dead ends. A vertex with one edge in an undirected graph leads only to the vertex from which it is reached. Dead ends
 * have the greatest ids, and after the first level their bits are not sent to other processes: these have no edges into
 * them.
 *
 * Lines of the blocks of a column alternate, so that the hubs of all blocks are the first words of a
 * frontier's bitmap; the targets of each owner are consecutive, as messages need them. Local ids
 * have 32 bits; a vertex of the whole graph is a grid column and a local row, which its owner turns
 * into a global index of 64 bits.
 */
#ifndef SEMLA_CUDA_GRID_PART_H
#define SEMLA_CUDA_GRID_PART_H

#include "cuda/links/links.h"
#include "cuda/search/grid/grid_bfs_kernels.h"
#include "cuda/search/grid/grid_part_kernels.h"
#include "cuda/search/grid/set_messages.h"

/* Counts of a search as the host reads them. */
typedef struct {
    grid_bfs_counts level;
    unsigned long long slice[]; /* C */
} cuda_grid_counts;

/* Rows of local ids, in device memory. */
typedef struct {
    uint64_t *start;
    uint32_t *index;
} cuda_grid_rows;

/* The own vertices with edges, numbered in the caller's order, in device memory. */
typedef struct {
    uint2 *
        words; /* per word of own vertices: which they are, and the number of the first; a multiple of
                     GRID_RESULT_WORDS */
    uint32_t *id; /* by number */
    /* C arrays by number: the local row of the first source in each grid column, or CUDA_NO_VERTEX. */
    uint32_t *first;
} cuda_numbered_own;

typedef struct {
    const sl_device_grid *grid; /* borrowed */
    cuda_grid_links *links;     /* borrowed */
    uint32_t stride, words;     /* ids of a block; words of its bitmap */
    uint32_t sources, targets;  /* R stride, C stride */
    uint32_t own_n;             /* vertices that this process owns */
    uint32_t own_with_edges;    /* own vertices with edges: their ids are below this */
    uint32_t
        expanded; /* ids from here on are of dead ends, on every process; a multiple of GROUP_LINE */
    uint64_t edges;                   /* edges of this process */
    uint64_t all_vertices, all_edges; /* of all processes; vertices with edges */
    /* Device. */
    cuda_grid_rows out;        /* targets by source, ascending */
    cuda_grid_rows in;         /* sources by target, ascending */
    uint32_t *slot[ELL_SLOTS]; /* targets each: the first sources, or CUDA_NO_VERTEX */
    uint32_t *word_degree;     /* per word of targets: in-edges here of its first target */
    uint64_t *first_vertex;    /* C: the global index of local row 0 of each grid column */
    uint32_t *no_in_edges;     /* bitmap of targets: without in-edges on this process */
    uint32_t *row_of_source;   /* sources: the local row */
    uint32_t *
        own_word_degree; /* per word of own ids: the mean of their out-degrees in the whole graph */
    cuda_numbered_own numbered;
    cuda_arena workspace; /* memory of searches */
    cuda_set_workspace coder;
    cuda_grid_counts *counts; /* pinned: copies of counts on the device */
    struct {
        cuda_parcel *parcels;  /* of a swap: sent, received */
        cuda_parcel *asked;    /* C: requests for parents */
        const uint32_t **sets; /* max(R, C): of a search */
    } scratch;                 /* in host memory */
} cuda_grid_part;

/* Offsets of the regions of an outbox, and the bytes of the boxes. Where sets travel as bitmaps,
 * arrays of the search are there (grid_bitmaps.c). */
typedef struct {
    uint64_t slot;    /* bytes for a set */
    uint64_t set[2];  /* messages of expand and share; or own_next of even and of odd levels */
    uint64_t visited; /* own_visited */
    uint64_t fold;    /* C slots: a message to each column; or `found` */
    uint64_t values, outbox, inbox;
} cuda_grid_boxes;

cuda_grid_boxes sl_cuda_grid_boxes(const cuda_grid_part *part);

/* The bytes of an answer to a process that asks for parents (grid_answer), for a block of so many words: with bits or
 * not, and so many parents. */
static inline uint64_t sl_cuda_grid_answer_bytes(uint32_t words, bool bits, uint64_t parents)
{
    return sizeof(uint32_t) * ((bits ? words : 0) + words / 32 + parents);
}

/* The members of sl_device_grid_search (la/engine). */
sl_status sl_cuda_grid_part_create(void **part, sl_object *block, const sl_device_grid *grid,
                                   const sl_device_grid_blocks *blocks);
void sl_cuda_grid_part_free(void *part);
sl_status sl_cuda_grid_part_search(void *part, sl_call *call, sl_device_grid_report *report);

#endif
