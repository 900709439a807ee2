/* State of the construction of a part, shared by the files part_*.c. */
#ifndef SEMLA_CUDA_PART_BUILD_H
#define SEMLA_CUDA_PART_BUILD_H

#include "cuda/data/device_matrix.h"
#include "cuda/operations/generator.h"
#include "cuda/runtime/sorting.h"
#include "cuda/search/part/part.h"

/* One construction. Everything but `part` is freed at its end. */
typedef struct {
    sl_context *ctx;
    const cuda_part_request *request;
    const sl_device_grid *grid;          /* of the request */
    const sl_device_grid_blocks *blocks; /* of the request */
    cuda_part *part;                     /* the result */
    const cuda_matrix *entries; /* rows: local rows; columns: local columns; NULL when released */
    cuda_matrix *made;          /* entries that had to be generated, or NULL */
    /* One dimension: tuples to generate the entries from, of an undirected graph; or NULL. */
    const sl_edge_generator *source;
    uint32_t i, j;          /* the position of this process in the part's R x C processes */
    uint64_t rows, cols;    /* local */
    uint64_t own_dead_ends; /* own vertices with one edge in an undirected graph */
    uint32_t longest;       /* with one column: the greatest in-degree */
    uint32_t *col_length;   /* device: entries of each local column */
    uint32_t *in, *out; /* device: degrees of own vertices; with one column `in` is col_length */
    uint32_t *out_bits; /* device, one dimension: bitmap of the local rows with out-edges */
    uint32_t *row_id, *col_id; /* device: the source of each local row, the target of each column */
    uint32_t *degree;          /* device, scratch: lengths by source or target; first sources */
    uint32_t *lines;    /* host, two dimensions: max(R, C) + 1 blocks of blocks->length numbers */
    sl_parcel *parcels; /* host: C sent, C received */
    cuda_arena arena;
} cuda_part_build;

static inline sl_status cuda_part_check(const cuda_part_build *m, const char *what,
                                        cudaError_t error)
{
    return sl_cuda_status(m->ctx, what, error);
}

static inline bool cuda_part_in_one_dimension(const cuda_part_build *m)
{
    return m->request->search_bytes != NULL;
}

#define PART_ALLOCATE(m, pointer, count)                                                           \
    CUDA_TRY(sl_cuda_alloc((m)->ctx, (void **)&(pointer), (uint64_t)(count) * sizeof *(pointer)))
#define PART_FREE(pointer) (sl_cuda_free(pointer), (pointer) = NULL)

/* Counts, and adds up degrees over the grid: m->in, and m->out or m->out_bits. Collective; the ranks agree. */
sl_status sl_cuda_part_degrees(cuda_part_build *m);
/* Assigns ids: the order, own_word_degree, stride and what follows from it, row_id, col_id, row_of_source.
 * Collective; the ranks agree. */
sl_status sl_cuda_part_ids(cuda_part_build *m);
/* Sorts the edges by target, and fills the slots; may release the entries. Not collective. */
sl_status sl_cuda_part_by_target(cuda_part_build *m);
/* Numbers the own vertices, and exchanges the first sources of targets with their owners (part_firsts.c). Collective;
 * the ranks agree. */
sl_status sl_cuda_part_firsts(cuda_part_build *m);
/* Sorts the edges by source. Not collective. */
sl_status sl_cuda_part_by_source(cuda_part_build *m);

#endif
