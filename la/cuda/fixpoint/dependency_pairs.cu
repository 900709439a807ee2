/*
 * Dependencies, between the levels: level 0, masks from levels, lists from masks, long rows, and the
 * sums over the searches. A thread per pair or per vertex; a warp handles pairs
 * of whole vertices, as a vertex has at most 32.
 */
#include "cuda/fixpoint/dependencies.cuh"
#include "cuda/fixpoint/fixpoint_tuning.h"
#include "cuda/reorder/graph_view.h"

/* One warp, a lane per source. */
__global__ static void begin_searches(const __grid_constant__ dependency_params p,
                                      const uint64_t *sources, unsigned count)
{
    const unsigned lane = threadIdx.x;
    uint32_t v = CUDA_NO_VERTEX;
    if (lane < count)
        v = p.new_id ? p.new_id[sources[lane]] : (uint32_t)sources[lane];
    const bool there = v != CUDA_NO_VERTEX;
    const unsigned all = __ballot_sync(full_warp, there);
    const count_t edges = warp_sum(there ? edges_of(p, v) : 0);
    if (there) {
        const uint32_t pair = (v << p.shift) + lane;
        p.level[pair] = 0;
        p.paths[pair] = 1;
        p.order[__popc(all & ((1u << lane) - 1))] = pair;
    }
    if (lane == 0) {
        p.state->pairs[0] += __popc(all);
        p.state->edges[0] += edges;
    }
}

/* A thread per pair; the numbers of pairs and of threads are such that warps are whole. */
__global__ static void mask_levels(const __grid_constant__ dependency_params p, uint32_t first,
                                   uint32_t last, uint32_t *mask)
{
    const uint64_t pairs = p.n << p.shift, rounded = (pairs + 31) / 32 * 32;
    const unsigned lane = threadIdx.x % 32, of_vertex = (1u << p.shift) - 1;
    for (uint64_t k = first_thread(); k < rounded; k += all_threads()) {
        const uint32_t level = k < pairs ? p.level[k] : DEPENDENCY_UNREACHED;
        const unsigned in = __ballot_sync(full_warp, level >= first && level <= last);
        if (k < pairs && (k & of_vertex) == 0)
            mask[k >> p.shift] = in >> lane & p.searches;
    }
}

/* A thread per vertex. */
__global__ static void measure(const __grid_constant__ dependency_params p, const uint32_t *mask)
{
    count_t pairs = 0, edges = 0;
    for (uint64_t v = first_thread(); v < p.n; v += all_threads()) {
        const unsigned own = __popc(mask[v]);
        pairs += own;
        edges += own ? own * edges_of(p, v) : 0;
    }
    pairs = warp_sum(pairs);
    edges = warp_sum(edges);
    if (threadIdx.x % 32 == 0 && pairs) {
        atomicAdd(p.state->pairs, (uint32_t)pairs);
        atomicAdd(p.state->edges, edges);
    }
}

/* A thread per vertex; a warp reserves room for its vertices together. */
__global__ static void list_mask(const __grid_constant__ dependency_params p, const uint32_t *mask)
{
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t first = first_thread() - lane; first < p.n; first += all_threads()) {
        const uint64_t v = first + lane;
        const uint32_t own = v < p.n ? mask[v] : 0;
        if (!__any_sync(full_warp, own != 0))
            continue;
        const unsigned pairs = __popc(own);
        unsigned upto = pairs;
        for (unsigned offset = 1; offset < 32; offset *= 2) {
            const unsigned other = __shfl_up_sync(full_warp, upto, offset);
            upto += lane >= offset ? other : 0;
        }
        uint32_t base = lane == 31 ? atomicAdd(&p.state->begin, upto) : 0;
        base = __shfl_sync(full_warp, base, 31) + upto - pairs;
        for (uint32_t left = own; left; left &= left - 1)
            p.order[base++] = ((uint32_t)v << p.shift) + __ffs(left) - 1;
    }
}

/* A thread per vertex reads its dependencies, which are contiguous. Sources have none. */
__global__ static void add_dependencies(const __grid_constant__ dependency_params p, double *sums)
{
    for (uint64_t v = first_thread(); v < p.n; v += all_threads()) {
        double sum = 0;
        for (uint64_t pair = v << p.shift; pair < (v + 1) << p.shift; pair++) {
            const uint32_t level = p.level[pair];
            if (level != 0 && level != DEPENDENCY_UNREACHED)
                sum += p.paths[pair];
        }
        sums[p.old_id ? p.old_id[v] : v] += sum;
    }
}

/* A thread per vertex. */
__global__ static void list_long_rows(const __grid_constant__ dependency_params p,
                                      dependency_rows rows, uint32_t *vertex, uint32_t *count)
{
    for (uint64_t v = first_thread(); v < p.n; v += all_threads()) {
        const dependency_row row = row_at(p, rows, v);
        if (row.end - row.begin > PASS_LONG_ROW)
            vertex[atomicAdd(count, 1u)] = (uint32_t)v;
    }
}

cudaError_t sl_cuda_dependencies_begin(const dependency_params *p, const uint64_t *sources,
                                       unsigned count)
{
    return launch_blocks({1, 32}, begin_searches, *p, sources, count);
}

cudaError_t sl_cuda_dependencies_mask(const dependency_params *p, uint32_t first, uint32_t last,
                                      uint32_t *mask)
{
    return launch(p->n << p->shift, mask_levels, *p, first, last, mask);
}

cudaError_t sl_cuda_dependencies_measure(const dependency_params *p, const uint32_t *mask)
{
    return launch(p->n, measure, *p, mask);
}

cudaError_t sl_cuda_dependencies_list(const dependency_params *p, const uint32_t *mask)
{
    return launch(p->n, list_mask, *p, mask);
}

cudaError_t sl_cuda_dependencies_add(const dependency_params *p, double *sums)
{
    return launch(p->n, add_dependencies, *p, sums);
}

cudaError_t sl_cuda_dependencies_list_long_rows(const dependency_params *p,
                                                const dependency_rows *rows, uint32_t *vertex,
                                                uint32_t *count)
{
    return launch(p->n, list_long_rows, *p, *rows, vertex, count);
}
