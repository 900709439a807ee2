/* The passes that fetch parents when a search has ended, and write the results. A parent travels as
 * its local row, which is the same on all processes of the grid column that has its edges. */
#include "common.cuh"
#include "graph_view.h"
#include "grid_bfs_kernels.h"
#include "grid_stride.cuh"

/* One thread per own id. */
__global__ static void requests(grid_bfs s)
{
    for (uint64_t id = first_thread(); id < s.own_with_edges; id += all_threads()) {
        const uint32_t c = s.own_column[id];
        if (s.own_depth[id] == CUDA_NO_VERTEX || c == s.j)
            continue;
        atomicOr(s.arrived + (uint64_t)c * s.words + id / 32, 1u << id % 32);
    }
}

cudaError_t sl_cuda_grid_bfs_requests(const grid_bfs *s, unsigned multiprocessors,
                                      cudaStream_t stream)
{
    requests<<<grid_on(multiprocessors, s->own_with_edges), CUDA_THREADS, 0, stream>>>(*s);
    return cudaGetLastError();
}

__global__ static void replies(grid_bfs s, uint32_t *values, uint64_t count, uint32_t first)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        values[k] = s.row_of_source[s.parent[first + s.list[k]]];
}

cudaError_t sl_cuda_grid_bfs_replies(const grid_bfs *s, uint32_t *values, uint64_t count,
                                     uint32_t first, unsigned multiprocessors, cudaStream_t stream)
{
    replies<<<grid_on(multiprocessors, count), CUDA_THREADS, 0, stream>>>(*s, values, count, first);
    return cudaGetLastError();
}

__global__ static void take_replies(grid_bfs s, grid_bfs_vectors v, const uint32_t *values,
                                    uint64_t count, uint64_t first_vertex)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        put_integer(v.parent, s.own_offset[s.list[k]], (long long)(first_vertex + values[k]));
}

cudaError_t sl_cuda_grid_bfs_take_replies(const grid_bfs *s, const grid_bfs_vectors *v,
                                          const uint32_t *values, uint64_t count,
                                          uint64_t first_vertex, unsigned multiprocessors,
                                          cudaStream_t stream)
{
    take_replies<<<grid_on(multiprocessors, count), CUDA_THREADS, 0, stream>>>(*s, *v, values,
                                                                               count, first_vertex);
    return cudaGetLastError();
}

/* One thread per own id. Own ids of one word of the caller's bitmap are written by several threads.
 */
__global__ static void results(grid_bfs s, grid_bfs_vectors v, uint64_t first_vertex)
{
    for (uint64_t id = first_thread(); id < s.own_with_edges; id += all_threads()) {
        const uint32_t depth = s.own_depth[id], at = s.own_offset[id];
        if (depth == CUDA_NO_VERTEX)
            continue;
        atomicOr(v.pi + at / 32, 1u << at % 32);
        if (v.reached)
            v.reached[at] = 1;
        if (v.level_bits) {
            atomicOr(v.level_bits + at / 32, 1u << at % 32);
            put_integer(v.level, at, depth);
        }
        if (v.parent.values && s.own_column[id] == s.j) {
            const uint32_t u = s.parent[(uint64_t)s.j * s.stride + id];
            put_integer(v.parent, at, (long long)(first_vertex + s.row_of_source[u]));
        }
    }
}

cudaError_t sl_cuda_grid_bfs_results(const grid_bfs *s, const grid_bfs_vectors *v,
                                     uint64_t first_vertex, unsigned multiprocessors,
                                     cudaStream_t stream)
{
    results<<<grid_on(multiprocessors, s->own_with_edges), CUDA_THREADS, 0, stream>>>(*s, *v,
                                                                                      first_vertex);
    return cudaGetLastError();
}
