/* Private to layout.c and layout_order.c: the making of a layout. */
#ifndef SEMLA_CUDA_LAYOUT_MAKING_H
#define SEMLA_CUDA_LAYOUT_MAKING_H

#include "layout.h"
#include "sorting.h"

/* What the making needs besides the layout; all freed at its end. */
typedef struct {
    sl_context *ctx;
    cuda_reordered_graph *made;
    cuda_matrix *A;
    uint32_t n;                 /* rows of A */
    uint64_t edges;             /* that searches see */
    uint32_t *degree, *vertex;  /* of A's rows */
    uint32_t *sorted, *counted; /* degrees in order; SLOTS + 2 counts, and one more */
    uint64_t *start;            /* in 64 bits */
    uint64_t *whole;            /* the same with edges to trees, or NULL: there are none */
    cuda_arena arena;
    uint32_t more[SLOTS + 2];
    bool narrow;               /* rows are short: searches go through many small steps */
    cuda_generator *collector; /* where A's entries come from; NULL: from A */
} cuda_ordering;

static inline sl_status cuda_ordering_did(const cuda_ordering *m, const char *what,
                                          cudaError_t error)
{
    return sl_cuda_status(m->ctx, what, error);
}

#define ALLOCATE(m, pointer, count)                                                                \
    CUDA_TRY(sl_cuda_alloc((m)->ctx, (void **)&(pointer), (count) * sizeof *(pointer)))

/* Which vertices searches see, and in which order: made->old_id, sorted, more. */
sl_status sl_cuda_order_vertices(cuda_ordering *m);
/* By that order: where vertices are, and where their rows begin. */
sl_status sl_cuda_assign_new_ids(cuda_ordering *m);

#endif
