/* State of the construction of a partition, shared by partition_build.c and partition_edges.c. */
#ifndef SEMLA_CUDA_PARTITION_BUILD_H
#define SEMLA_CUDA_PARTITION_BUILD_H

#include "cuda/operations/generator.h"
#include "cuda/runtime/sorting.h"
#include "cuda/search/row/partition.h"

/* One construction. Everything but `partition` is freed at its end. Arrays are in device memory. */
typedef struct {
    sl_context *ctx;
    const sl_device_grid *row;        /* all processes */
    const sl_device_group *processes; /* the same */
    cuda_partition *partition;        /* the result */
    const uint64_t *begin;      /* size + 1: rank q owns vertices begin[q] ... begin[q + 1] - 1 */
    const cuda_matrix *entries; /* rows: all vertices; columns: own vertices */
    sl_object *temporary;       /* that has these entries, which nothing else needs; or NULL */
    const sl_edge_generator *source; /* tuples to generate the entries from (undirected); or NULL */
    uint64_t n;                      /* vertices of all ranks */
    uint32_t own_n;                  /* own vertices */
    uint32_t with_edges;             /* of these, with in- or out-edges */
    uint32_t targets;                /* of these, with in-edges */
    uint32_t source_count;           /* source ids of all ranks */
    uint32_t count_above[ELL_SLOTS + 2];
    uint32_t *degree, *vertex, *degree_key, *sorted_degree, *order; /* own_n each */
    uint32_t *has_out_edges;     /* bitmap over all vertices; NULL: the graph is undirected */
    uint32_t *counters;          /* ELL_SLOTS + 2 */
    uint32_t *all_source_ids;    /* n: the source ids of all ranks' vertices */
    uint64_t *start, *out_start; /* offsets by target id and by source id, in 64 bits */
    cuda_arena arena;
} cuda_partition_build;

static inline sl_status cuda_partition_check(const cuda_partition_build *m, const char *what,
                                             cudaError_t error)
{
    return sl_cuda_status(m->ctx, what, error);
}

#define ALLOCATE(m, pointer, count)                                                                \
    CUDA_TRY(sl_cuda_alloc((m)->ctx, (void **)&(pointer), (uint64_t)(count) * sizeof *(pointer)))

/* partition_edges.c, in the order of their use: */

/* Counts the in-edges of own vertices: m->degree. */
sl_status sl_cuda_partition_degrees(cuda_partition_build *m);
/* Marks the vertices with out-edges, of all ranks: m->has_out_edges. Collective. */
sl_status sl_cuda_partition_out_degrees(cuda_partition_build *m);
/* Fills the in-edges and the slots of the partition; releases the entries that are temporary. */
sl_status sl_cuda_partition_in_edges(cuda_partition_build *m);
/* Fills the out-edges, by transposing the in-edges. */
sl_status sl_cuda_partition_out_edges(cuda_partition_build *m);

#endif
