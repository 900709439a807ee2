/* Private to part*.c: the making of a rank's part of a graph. */
#ifndef SEMLA_CUDA_PART_H
#define SEMLA_CUDA_PART_H

#include "generator.h"
#include "sorting.h"
#include "team.h"

/* What the making needs besides the part; all freed at its end. */
typedef struct {
    sl_context *ctx;
    const sl_device_group *team;
    cuda_part *part;
    const uint64_t *begin;
    /* Where entries come from: all vertices by own ones; or the tuples of an undirected model. */
    const cuda_matrix *entries;
    const sl_edge_generator *source;
    uint64_t n; /* callers in all */
    uint32_t own, kept, targets, ids;
    uint32_t more[SLOTS + 2];
    uint32_t *degree, *vertex, *used, *key, *sorted, *order, *counted, *all_ids;
    uint64_t *start, *out_start; /* the rows' beginnings, in 64 bits */
    cuda_arena arena;
} cuda_making;

static inline sl_status cuda_making_did(const cuda_making *m, const char *what, cudaError_t error)
{
    return sl_cuda_status(m->ctx, what, error);
}

#define ALLOCATE(m, pointer, count)                                                                \
    CUDA_TRY(sl_cuda_alloc((m)->ctx, (void **)&(pointer), (uint64_t)(count) * sizeof *(pointer)))

/* part_edges.c: m->degree, the own vertices' in-edges; m->used, which of all vertices have
 * out-edges, where that does not follow. The latter collective. */
sl_status sl_cuda_part_degrees(cuda_making *m);
sl_status sl_cuda_part_used(cuda_making *m);
/* The edges by their targets, and then by their sources. */
sl_status sl_cuda_part_columns(cuda_making *m);
sl_status sl_cuda_part_rows(cuda_making *m);

#endif
