/* Launch functions, as kernels.h, of the passes of a two-dimensional search. part.h describes
 * ids and layouts. */
#ifndef SEMLA_CUDA_GRID_BFS_KERNELS_H
#define SEMLA_CUDA_GRID_BFS_KERNELS_H

#include "cuda/data/frontier_kernels.h"
#include "cuda/search/device/bfs_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sums over a process in one level. */
typedef struct {
    bfs_counts pull;             /* of a pull: `examined` */
    unsigned long long next;     /* frontier list: vertices << edge_bits | edges */
    unsigned long long vertices; /* new vertices that this process owns; at first: of q */
    unsigned long long edges;    /* the sum of their out-degrees */
    unsigned long long expanded; /* those that are sent: with ids below `expanded`; at first all */
    unsigned long long settled, settled_edges, isolated; /* at first: of pi; of q without edges */
    unsigned tall; /* the frontier has a row of more than FRONTIER_SHORT_ROW edges */
} grid_bfs_counts;

/* The graph and the arrays of a search. Bitmaps are indexed by ids. */
typedef struct {
    uint32_t rows, cols, i, j;
    uint32_t stride, words, own_n, own_with_edges;
    uint32_t expanded; /* own ids from here on are not sent: dead ends */
    const uint64_t *out_start, *in_start;
    const uint32_t *out_index, *in_index, *has_in_edges, *row_of_source;
    const uint32_t *own_word_degree, *numbered_id, *numbered_first;
    const uint2 *numbered;
    const uint32_t *slot[ELL_SLOTS], *word_degree; /* slot[0] NULL: slots are switched off */
    uint32_t slot_count[ELL_SLOTS + 1];            /* with one column; part.h */
    unsigned edge_bits;
    uint32_t hub_words; /* first words of the frontier's bitmap kept in shared memory by a pull */
    uint32_t *frontier; /* bitmap of sources; if `rows` is 1, `own_next` of the level before */
    uint32_t *visited;  /* bitmap of targets: visited, or without in-edges here */
    uint32_t *previous; /* bitmap of targets: scratch of a pull */
    uint32_t *found;    /* bitmap of targets: reached in this level by this process */
    uint32_t *parent_is_first; /* bitmap of targets: reached by a pull from the first source */
    /* max(rows, cols) bitmaps of one block, to which messages received are decoded; NULL without messages. */
    uint32_t *arrived;
    /* targets: the source from which this process reached it, unless it is in `parent_is_first`; of an own id that
     * another column reached, after the end, a local row of that column. NULL: parents are not recorded. */
    uint32_t *parent;
    uint32_t *own_visited, *own_next; /* bitmaps of own ids */
    uint32_t *own_reached;            /* bitmap of own ids: visited by this search */
    uint32_t *own_depth;              /* own ids: the level; NULL: not recorded */
    /* For each word of own ids, 1 + column_bits words about the vertices that this search visits. The first word: whose
     * parent is the first source of the column that reached it, set at the end. The others: the bits of the number
     * of this column. */
    uint32_t *own_parents;
    unsigned column_bits;         /* of the numbers of columns */
    const uint64_t *first_vertex; /* cols: the global index of local row 0 of each grid column */
    uint32_t *list;               /* sources: the frontier */
    uint64_t *ends;               /* sources: prefix sums of the degrees of the frontier */
    grid_bfs_counts *counts, *next_counts; /* of this level, and of the next one */
    /* cols: set bits of each block of `found`, or the parents in an answer */
    unsigned long long *slice_counts;
} grid_bfs;

/* An answer to a process that asks for the parents of ids of a block, in words of 32 bits: */
typedef struct {
    uint32_t *parent_is_first; /* the block's part of it; NULL: few ids are asked for */
    uint32_t *begin;           /* for each 32 words of ids: where their parents begin */
    uint32_t *parent; /* of the ids that have no bit there, in ascending order: local rows */
    uint64_t room;    /* of an answer received: the number of parents */
} grid_answer;

/* The vectors of the caller, indexed by own vertices. */
typedef struct {
    bool whole;              /* pi and level are written whole, and q is not read */
    uint64_t source;         /* if whole: the own vertex that is the source, or UINT64_MAX */
    long long source_parent; /* which it gets */
    uint32_t *pi;            /* bitmap */
    const uint32_t *q;       /* bitmap */
    cuda_integers parent;    /* values of pi, or none */
    uint8_t *reached;        /* values of pi if they are bool, or NULL */
    uint32_t *level_bits;    /* or NULL */
    cuda_integers level;
} grid_bfs_vectors;

/* All arrays at the beginning of a search; own_visited, visited, own_next and the first counts, from pi and q. */
cudaError_t sl_cuda_grid_bfs_begin(const grid_bfs *s, const grid_bfs_vectors *v);
/* `sets`, here and below, is an array in host memory: for each process of a line a bitmap of one
 * block in memory that the device can read, or NULL, which is an empty set. That of this process is
 * not read. */

/* frontier: own_next and the sets of the column, of which the first `words` words are read, with their lines
 * interleaved. */
cudaError_t sl_cuda_grid_bfs_spread(const grid_bfs *s, const uint32_t **sets, uint32_t words);
/* visited: the sets of the row, of which the first `words` words are read, and, with `found`, what this process found
 * in other columns' blocks. */
cudaError_t sl_cuda_grid_bfs_share(const grid_bfs *s, const uint32_t **sets, uint32_t words,
                                   bool found);
/* A push: lists the frontier, empties `found`, and follows the frontier's out-edges. */
cudaError_t sl_cuda_grid_bfs_push(const grid_bfs *s);
/* A pull of the targets that are not visited. */
cudaError_t sl_cuda_grid_bfs_pull(const grid_bfs *s);
/* For each block of another column: visited |= found; slice_counts: the bits of the block of `found`, added. */
cudaError_t sl_cuda_grid_bfs_take_found(const grid_bfs *s);
/* The owner's new vertices, of its own block of `found` and of the sets of the row: own_next, own_visited, own_reached,
 * own_depth = level, own_parents, counts. Of several columns that reached a vertex the first from this one on has it.
 * next_counts: zeros. */
cudaError_t sl_cuda_grid_bfs_settle(const grid_bfs *s, const uint32_t **sets, uint32_t level);

/* ---- parents, at the end ---- */

/* `found`: for each other column the own vertices that it reached. */
cudaError_t sl_cuda_grid_bfs_requests(const grid_bfs *s);
/* The answer to the ids `asked` of block `slice`; slice_counts[slice], zero before: the parents in it. */
cudaError_t sl_cuda_grid_bfs_answer(const grid_bfs *s, const grid_answer *answer,
                                    const uint32_t *asked, uint32_t slice);
/* own_parents and `parent` of the own ids that column `column` reached, from its answer. */
cudaError_t sl_cuda_grid_bfs_take_answer(const grid_bfs *s, const grid_answer *answer,
                                         uint32_t column);
/* own_parents of the own ids that this column reached. */
cudaError_t sl_cuda_grid_bfs_take_own(const grid_bfs *s);
/* Entries, parents and levels of the vertices reached. */
cudaError_t sl_cuda_grid_bfs_results(const grid_bfs *s, const grid_bfs_vectors *v);

#ifdef __cplusplus
}
#endif
#endif
