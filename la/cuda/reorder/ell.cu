/*
 * Kernels that copy the first neighbours of each vertex to ELL slots and to ell4 records. The
 * encodings are in graph_view.h.
 */
#include "cuda/reorder/columns.cuh"
#include "cuda/reorder/reorder_kernels.h"

struct slots {
    uint32_t *slot[ELL_SLOTS];
    uint32_t count_above[ELL_SLOTS + 1];
};

/* One thread per vertex copies its first neighbours. Vertices with more than k neighbours are a
 * prefix, so writes to slot[k] are coalesced. */
__global__ static void fill_slots(slots s, cuda_graph g)
{
    const uint64_t *start = (const uint64_t *)g.start;
    for (uint64_t v = first_thread(); v < s.count_above[0]; v += all_threads()) {
        uint64_t from = start[v];
        for (int k = 0; k < ELL_SLOTS && v < s.count_above[k]; k++)
            s.slot[k][v] = *column(g, g.index, from + k);
    }
}

cudaError_t sl_cuda_fill_slots(uint32_t *const slot[ELL_SLOTS],
                               const uint32_t count_above[ELL_SLOTS + 1], const cuda_graph *graph)
{
    slots s;
    for (int k = 0; k < ELL_SLOTS; k++)
        s.slot[k] = slot[k];
    for (int k = 0; k <= ELL_SLOTS; k++)
        s.count_above[k] = count_above[k];
    return launch(count_above[0], fill_slots, s, *graph);
}

/* The number of overflow records of a row of `length` neighbours: 4 fit into the last record, 3
 * into every other one. */
__device__ static uint32_t overflow_rows_of(uint64_t length)
{
    return length <= 4 ? 0 : (uint32_t)((length - 4 + 2) / 3);
}

/* The record for the neighbours from column e on, of which `length` remain: four of them, or three
 * and the index of the next record. */
__device__ static uint4 ell4_record(const cuda_graph &g, uint64_t e, uint64_t length, uint32_t next)
{
    uint32_t v[4];
    for (unsigned k = 0; k < 4; k++)
        v[k] = k < length ? *column(g, g.index, e + k) : CUDA_NO_VERTEX;
    return uint4{v[0], v[1], v[2], length > 4 ? ELL4_OVERFLOW | next : v[3]};
}

/* One thread per vertex reserves consecutive overflow records by an atomic addition and writes its
 * whole row. Their order differs from run to run, which no result depends on. */
__global__ static void fill_ell4(uint4 *ell4, uint32_t *overflow_rows, cuda_graph g)
{
    const uint64_t *start = (const uint64_t *)g.start;
    for (uint64_t v = first_thread(); v < g.n; v += all_threads()) {
        uint64_t e = start[v], length = start[v + 1] - e;
        uint32_t extra = overflow_rows_of(length),
                 next = g.n + (extra ? atomicAdd(overflow_rows, extra) : 0);
        if (!ell4)
            continue;
        ell4[v] = ell4_record(g, e, length, next);
        for (; length > 4; next++) {
            e += 3;
            length -= 3;
            ell4[next] = ell4_record(g, e, length, next + 1);
        }
    }
}

cudaError_t sl_cuda_fill_ell4(uint4 *ell4, uint32_t *overflow_rows, const cuda_graph *g)
{
    return launch(g->n, fill_ell4, ell4, overflow_rows, *g);
}
