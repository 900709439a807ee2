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
        if (!bit_of(s.own_reached, (uint32_t)id))
            continue;
        const uint32_t c = s.own_column[id];
        if (c == s.j)
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

/* The requests were not checked yet: ids that no process should ask for are answered by 0. */
__global__ static void replies(grid_bfs s, uint32_t *values, uint64_t count, uint32_t first)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads()) {
        const uint32_t id = s.list[k];
        const uint32_t u = id < s.stride ? s.parent[first + id] : CUDA_NO_VERTEX;
        values[k] = u < s.rows * s.stride ? s.row_of_source[u] : 0;
    }
}

cudaError_t sl_cuda_grid_bfs_replies(const grid_bfs *s, uint32_t *values, uint64_t count,
                                     uint32_t first, unsigned multiprocessors, cudaStream_t stream)
{
    replies<<<grid_on(multiprocessors, count), CUDA_THREADS, 0, stream>>>(*s, values, count, first);
    return cudaGetLastError();
}

__global__ static void take_replies(grid_bfs s, const uint32_t *values, uint64_t count)
{
    uint32_t *own = s.parent + (uint64_t)s.j * s.stride;
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        own[s.list[k]] = values[k];
}

cudaError_t sl_cuda_grid_bfs_take_replies(const grid_bfs *s, const uint32_t *values, uint64_t count,
                                          unsigned multiprocessors, cudaStream_t stream)
{
    take_replies<<<grid_on(multiprocessors, count), CUDA_THREADS, 0, stream>>>(*s, values, count);
    return cudaGetLastError();
}

/* The global index of the parent of an own id. */
__device__ static long long parent_of(const grid_bfs &s, uint32_t id)
{
    const uint32_t u = s.parent[(uint64_t)s.j * s.stride + id];
    const uint32_t c = s.own_column ? s.own_column[id] : s.j;
    return (long long)(s.first_vertex[c] + (c == s.j ? s.row_of_source[u] : u));
}

/* A warp takes 32 own vertices in the caller's order, so that it writes whole words and lines; ids
 * are looked up at random. */
__global__ static void results(grid_bfs s, grid_bfs_vectors v)
{
    for (uint64_t w = first_thread() / 32; w < (s.own_n + 31) / 32; w += all_threads() / 32) {
        const uint64_t at = 32 * w + threadIdx.x % 32;
        const uint32_t id = at < s.own_n ? s.own_id[at] : CUDA_NO_VERTEX;
        const bool hit = id != CUDA_NO_VERTEX && bit_of(s.own_reached, id);
        const unsigned word = __ballot_sync(full_warp, hit);
        if (!word)
            continue;
        if (threadIdx.x % 32 == 0) {
            v.pi[w] |= word;
            if (v.level_bits)
                v.level_bits[w] |= word;
        }
        if (hit && v.reached)
            v.reached[at] = 1;
        if (hit && v.level_bits)
            put_integer(v.level, at, s.own_depth[id]);
        if (hit && v.parent.values)
            put_integer(v.parent, at, parent_of(s, id));
    }
}

cudaError_t sl_cuda_grid_bfs_results(const grid_bfs *s, const grid_bfs_vectors *v,
                                     unsigned multiprocessors, cudaStream_t stream)
{
    results<<<grid_on(multiprocessors, s->own_n), CUDA_THREADS, 0, stream>>>(*s, *v);
    return cudaGetLastError();
}
