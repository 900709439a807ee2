/* The kernels of closures of several frontiers (as kernels.h): see closures.c. */
#ifndef SEMLA_CUDA_CLOSURES_KERNELS_H
#define SEMLA_CUDA_CLOSURES_KERNELS_H

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The level of a vertex that a search has not reached. */
#define CLOSURE_UNREACHED UINT32_MAX

/* Bit s: search s. */
typedef unsigned long long closure_word;

/* Rows of the graph. */
typedef struct {
    const void *start; /* n + 1 offsets, of 32 bits if closure_params.narrow, else of 64 */
    const uint32_t *index;
} closure_rows;

/* The size of a level. */
typedef struct {
    unsigned long long edges; /* of its vertices */
    closure_word live;        /* the searches that have a vertex in it */
    uint32_t members;         /* vertices */
    uint32_t long_rows;       /* not 0: one of them has more than long_row edges */
} closure_level;

/* State of the device: at most 64 bytes. */
typedef struct {
    closure_level size[2]; /* by level modulo 2 */
    uint32_t level;        /* the level that the next launch continues from */
} closure_state;

/* Up to 64 searches. Level and parent of vertex v by search s are number v * stride + s. */
typedef struct {
    uint64_t n;             /* vertices that the kernels traverse */
    uint64_t old_n;         /* vertices of the caller's matrix */
    unsigned searches;      /* their number */
    unsigned stride;        /* of level and parent */
    unsigned group;         /* lanes that read a row together: 4, 8, 16 or 32 */
    unsigned long_row;      /* edges of the longest row that a group or a warp reads */
    bool narrow;            /* offsets of 32 bits */
    closure_rows out, in;   /* successors and predecessors of each vertex */
    const uint32_t *old_id; /* [n]: the caller's vertex; NULL: ids are the caller's */
    const uint32_t *new_id; /* [old_n] CUDA_NO_VERTEX: the caller's vertex has no edges; NULL
                                 likewise */
    closure_word *seen;     /* [n] the searches that have reached a vertex */
    closure_word *words[2]; /* [n] by level modulo 2: those that reached it in this level */
    closure_word *own;      /* [old_n] the frontiers' vertices without edges; NULL without new_id */
    uint32_t *level;        /* NULL: not wanted */
    uint32_t *parent;       /* the caller's ids; NULL: not wanted */
    uint32_t *list[2];      /* [n] by level modulo 2: the vertices of a level that is listed */
    closure_state *state;
} closure_params;

/* The vertices of the frontiers, level 0: marks the entries of `searches` rows of a matrix from row
 * `first` on in words[0] and own. All are 0 before. */
cudaError_t sl_cuda_closures_begin(const closure_params *p, const uint64_t *start,
                                   const uint32_t *index, uint64_t first);

/* Lists the vertices of a level, and adds its size to the state. */
cudaError_t sl_cuda_closures_list(const closure_params *p, uint32_t level);

/*
 * Pushes from `level`, which is listed, and from the levels after it; cooperative. Ends after `levels`
 * levels, at level `last`, or before a level without vertices, with more than `limit` edges or with a
 * long row: p->state has its number and its size.
 */
cudaError_t sl_cuda_closures_push(const closure_params *p, uint32_t level, uint32_t levels,
                                  uint32_t last, uint64_t limit);

/* Pulls `level`: finds its vertices by the in-edges of all vertices, and adds its size to the state.
 * live: the searches of the level before. long_rows: the vertices with long rows of in-edges, which a
 * block takes each. */
cudaError_t sl_cuda_closures_pull(const closure_params *p, uint32_t level, closure_word live,
                                  const uint32_t *long_rows, uint32_t long_count);

/* Lists the vertices with long rows of in-edges, and adds their number to *count (device). */
cudaError_t sl_cuda_closures_list_long_rows(const closure_params *p, uint32_t *vertex,
                                            uint32_t *count);

/* Chooses a parent for each vertex and search from the levels. */
cudaError_t sl_cuda_closures_parents(const closure_params *p, cuda_choice choice,
                                     const uint32_t *long_rows, uint32_t long_count);

/* Vertices of the caller that a block counts or writes together. */
enum { CLOSURE_TILE = 256 };

/* counts[s * tiles + t]: the vertices of tile t that search s has reached. */
cudaError_t sl_cuda_closures_count(const closure_params *p, uint64_t *counts, uint64_t tiles);

/* Writes the entries of all searches: ends are the inclusive sums of the counts. Levels and parents may
 * be NULL. */
cudaError_t sl_cuda_closures_write(const closure_params *p, const uint64_t *ends, uint64_t tiles,
                                   uint32_t *index, cuda_integers levels, cuda_integers parents);

/* start[s] = base + the entries of the searches before s, for all searches and the end. */
cudaError_t sl_cuda_closures_starts(uint64_t *start, uint64_t base, const uint64_t *ends,
                                    uint64_t tiles, unsigned searches);

#ifdef __cplusplus
}
#endif
#endif
