/* Private to the CUDA engine: the order in which a matrix is searched. */
#ifndef SEMLA_CUDA_LAYOUT_H
#define SEMLA_CUDA_LAYOUT_H

#include "device.h"
#include "layout_kernels.h"

/* The arrays behind an adjacency that was made; of what is the matrix's own it has none. */
typedef struct cuda_layout {
    cuda_adjacency graph;
    uint32_t *label, *place, *index, *word_degree;
    void *start;
    uint32_t *slot[SLOTS];
    uint4 *four;
    uint2 *kept;
    uint32_t *kept_place, *kept_first;
    void *scratch; /* of the last search, for the next, of so many bytes */
    uint64_t scratch_bytes;
    struct cuda_ahead *ahead; /* of products that are steps of a search (ahead.h), or NULL */
    struct cuda_unfinished *unfinished; /* the last search, if it was lazy (search.h), or NULL */
} cuda_layout;

/* A's layout, for a matrix whose pattern is symmetric; made by the first who asks and
 * kept with A. */
sl_status sl_cuda_make_layout(const sl_object *object, cuda_matrix *A);
/* NULL is allowed. */
void sl_cuda_free_layout(cuda_layout *layout);

#endif
