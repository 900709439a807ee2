/* State of the construction of a part, shared by grid_part_ids.c, grid_part_edges.c and
 * grid_part_build.c. */
#ifndef SEMLA_CUDA_GRID_PART_BUILD_H
#define SEMLA_CUDA_GRID_PART_BUILD_H

#include "cuda/data/device_matrix.h"
#include "cuda/runtime/sorting.h"
#include "cuda/search/grid/grid_part.h"

/* One construction. Everything but `part` is freed at its end. */
typedef struct {
    sl_context *ctx;
    const sl_device_grid *grid;
    const sl_device_grid_blocks *blocks;
    cuda_grid_part *part;       /* the result */
    const cuda_matrix *entries; /* rows: local rows; columns: local columns */
    uint64_t rows, cols;        /* local */
    uint64_t own_dead_ends;     /* own vertices with one edge in an undirected graph */
    /* Device. */
    uint32_t *row_length, *col_length; /* entries of each local row and column */
    uint32_t *row_id, *col_id;         /* the source of each local row, the target of each column */
    uint32_t *degree;                  /* scratch: lengths by source or target; first sources */
    uint32_t *order;                   /* own vertices by falling degree */
    uint32_t *own_id;                  /* the id of each own vertex, or CUDA_NO_VERTEX */
    /* Host, blocks of blocks->length numbers. */
    uint32_t *out,
        *in;         /* own vertices: degrees in the whole graph; then first sources that travel */
    uint32_t *lines; /* max(R, C) blocks */
    sl_parcel *parcels; /* C sent, C received */
    cuda_arena arena;
} cuda_grid_build;

#define GRID_ALLOCATE(m, pointer, count)                                                           \
    CUDA_TRY(sl_cuda_alloc((m)->ctx, (void **)&(pointer), (uint64_t)(count) * sizeof *(pointer)))

/* Adds up degrees over the grid: m->out and m->in. Collective; the ranks agree. */
sl_status sl_cuda_grid_degrees(cuda_grid_build *m);
/* Assigns ids: own_id, own_word_degree, numbered, stride and what follows from it, row_id, col_id.
 * Collective; the ranks agree. */
sl_status sl_cuda_grid_ids(cuda_grid_build *m);
/* Sorts the edges by target and by source. Not collective. */
sl_status sl_cuda_grid_edges(cuda_grid_build *m);
/* Exchanges the first sources of targets with their owners: numbered_first (grid_part_firsts.c). Collective; the
 * ranks agree. */
sl_status sl_cuda_grid_firsts(cuda_grid_build *m);

#endif
