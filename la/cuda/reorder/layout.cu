/* The kernels that renumber a matrix by falling degree. */
#include "column.cuh"
#include "common.cuh"
#include "layout_kernels.h"

static unsigned grid_on(unsigned multiprocessors, uint64_t threads)
{
    return grid_of(threads, multiprocessors * CUDA_BLOCKS_PER_SM);
}

__global__ static void row_degrees(uint32_t *degree, uint32_t *vertex, const uint64_t *start,
                                   uint32_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads()) {
        degree[v] = (uint32_t)(start[v + 1] - start[v]);
        vertex[v] = (uint32_t)v;
    }
}

cudaError_t sl_cuda_row_degrees(uint32_t *degree, uint32_t *vertex, const uint64_t *start,
                                uint32_t n, unsigned multiprocessors, cudaStream_t stream)
{
    row_degrees<<<grid_on(multiprocessors, n), CUDA_THREADS, 0, stream>>>(degree, vertex, start, n);
    return cudaGetLastError();
}

__global__ static void count_degrees(uint32_t *more, const uint32_t *degree, uint32_t n)
{
    uint32_t k = threadIdx.x, low = 0, high = n;
    if (k == SLOTS + 1)
        more[k] = n ? degree[0] : 0;
    if (k > SLOTS)
        return;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (degree[middle] > k)
            low = middle + 1;
        else
            high = middle;
    }
    more[k] = low;
}

cudaError_t sl_cuda_count_degrees(uint32_t *more, const uint32_t *degree, uint32_t n,
                                  cudaStream_t stream)
{
    count_degrees<<<1, SLOTS + 2, 0, stream>>>(more, degree, n);
    return cudaGetLastError();
}

__global__ static void degrees_of(uint32_t *degree, const uint32_t *old_id, const uint64_t *start,
                                  uint32_t n)
{
    for (uint64_t k = first_thread(); k < n; k += all_threads()) {
        uint64_t v = old_id[k];
        degree[k] = (uint32_t)(start[v + 1] - start[v]);
    }
}

cudaError_t sl_cuda_degrees_of(uint32_t *degree, const uint32_t *old_id, const uint64_t *start,
                               uint32_t n, unsigned multiprocessors, cudaStream_t stream)
{
    degrees_of<<<grid_on(multiprocessors, n), CUDA_THREADS, 0, stream>>>(degree, old_id, start, n);
    return cudaGetLastError();
}

__global__ static void set_places(uint32_t *new_id, uint32_t *word_degree, const uint32_t *old_id,
                                  const uint32_t *degree, uint32_t n)
{
    for (uint64_t k = first_thread(); k < n; k += all_threads()) {
        new_id[old_id[k]] = (uint32_t)k;
        if (k % 32 == 0)
            word_degree[k / 32] = degree[k];
    }
}

cudaError_t sl_cuda_set_new_ids(uint32_t *new_id, uint32_t *word_degree, const uint32_t *old_id,
                               const uint32_t *degree, uint32_t n, unsigned multiprocessors,
                               cudaStream_t stream)
{
    set_places<<<grid_on(multiprocessors, n), CUDA_THREADS, 0, stream>>>(new_id, word_degree, old_id,
                                                                         degree, n);
    return cudaGetLastError();
}

__global__ static void mark_kept(uint2 *kept, uint32_t *counts, const uint32_t *new_id,
                                 uint32_t callers)
{
    FOR_EACH_WORD(callers)
    {
        uint32_t bits = __ballot_sync(full_warp, v < callers && new_id[v] != CUDA_NO_VERTEX);
        if (lane == 0) {
            kept[w].x = bits;
            counts[w] = __popc(bits);
        }
    }
}

cudaError_t sl_cuda_mark_kept(uint2 *kept, uint32_t *counts, const uint32_t *new_id,
                              uint32_t callers, unsigned multiprocessors, cudaStream_t stream)
{
    mark_kept<<<grid_on(multiprocessors, callers), CUDA_THREADS, 0, stream>>>(kept, counts, new_id,
                                                                              callers);
    return cudaGetLastError();
}

__global__ static void fill_kept(uint2 *kept, uint32_t *kept_new_id, uint32_t *kept_first,
                                 const uint32_t *sums, const uint32_t *new_id, const uint32_t *slot,
                                 const uint32_t *old_id, const uint32_t *tree_parent, uint32_t callers)
{
    FOR_EACH_WORD(callers)
    {
        uint32_t bits = kept[w].x, at = sums[w] + __popc(bits & ((1u << lane) - 1));
        if (lane == 0)
            kept[w].y = sums[w];
        if (!(bits >> lane & 1))
            continue;
        uint32_t p = new_id[v];
        kept_new_id[at] = p;
        if (slot)
            kept_first[at] = tree_parent && p & CUDA_IN_TREE ? tree_parent[v] : old_id[slot[p]];
    }
}

cudaError_t sl_cuda_fill_kept(uint2 *kept, uint32_t *kept_new_id, uint32_t *kept_first,
                              const uint32_t *sums, const uint32_t *new_id, const uint32_t *slot,
                              const uint32_t *old_id, const uint32_t *tree_parent, uint32_t callers,
                              unsigned multiprocessors, cudaStream_t stream)
{
    fill_kept<<<grid_on(multiprocessors, callers), CUDA_THREADS, 0, stream>>>(
        kept, kept_new_id, kept_first, sums, new_id, slot, old_id, tree_parent, callers);
    return cudaGetLastError();
}

__global__ static void rows_within(uint32_t *last, const uint64_t *start, uint32_t first,
                                   uint32_t n, uint64_t most)
{
    uint32_t low = first, high = n; /* start[low] - start[first] <= most */
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if (start[middle] - start[first] <= most)
            low = middle;
        else
            high = middle - 1;
    }
    *last = low;
}

cudaError_t sl_cuda_rows_within(uint32_t *last, const uint64_t *start, uint32_t first, uint32_t n,
                                uint64_t most, cudaStream_t stream)
{
    rows_within<<<1, 1, 0, stream>>>(last, start, first, n, most);
    return cudaGetLastError();
}

__global__ static void __launch_bounds__(CUDA_THREADS)
    renumber_rows(uint64_t *keys, const uint64_t *start, const uint32_t *old_id,
                  const uint32_t *new_id, const uint64_t *from_start, const uint32_t *from_index,
                  uint32_t first, uint32_t last, uint64_t edges, unsigned bits, bool pruned)
{
    __shared__ uint64_t first_row, last_row;
    const uint64_t *ends = start + 1;
    uint64_t base = start[first];
    for (uint64_t tile = (uint64_t)blockIdx.x * PUSH_TILE; tile < edges;
         tile += (uint64_t)gridDim.x * PUSH_TILE) {
        uint64_t stop = tile + PUSH_TILE < edges ? tile + PUSH_TILE : edges;
        if (threadIdx.x == 0)
            first_row = row_of(ends, first, last, base + tile);
        if (threadIdx.x == 32)
            last_row = row_of(ends, first, last, base + stop - 1);
        __syncthreads();
        for (uint64_t e = tile + threadIdx.x; e < stop; e += CUDA_THREADS) {
            uint64_t row = row_of(ends, first_row, last_row, base + e);
            uint32_t to = from_index[from_start[old_id[row]] + (base + e - start[row])];
            uint32_t p = new_id[to];
            keys[e] = pruned && p & CUDA_IN_TREE ? ~(uint64_t)0 : (row - first) << bits | p;
        }
        __syncthreads(); /* before the rows of the next tile are noted */
    }
}

cudaError_t sl_cuda_renumber_rows(uint64_t *keys, const uint64_t *start, const uint32_t *old_id,
                                  const uint32_t *new_id, const uint64_t *from_start,
                                  const uint32_t *from_index, uint32_t first, uint32_t last,
                                  uint64_t edges, unsigned bits, bool pruned,
                                  unsigned multiprocessors, cudaStream_t stream)
{
    uint64_t tiles = (edges + PUSH_TILE - 1) / PUSH_TILE;
    renumber_rows<<<grid_on(multiprocessors, tiles * CUDA_THREADS), CUDA_THREADS, 0, stream>>>(
        keys, start, old_id, new_id, from_start, from_index, first, last, edges, bits, pruned);
    return cudaGetLastError();
}

struct slots {
    uint32_t *slot[SLOTS];
    uint32_t more[SLOTS + 1];
};

__global__ static void fill_slots(slots s, cuda_graph g)
{
    const uint64_t *start = (const uint64_t *)g.start;
    for (uint64_t v = first_thread(); v < s.more[0]; v += all_threads()) {
        uint64_t from = start[v];
        for (int k = 0; k < SLOTS && v < s.more[k]; k++)
            s.slot[k][v] = *column(g, g.index, from + k);
    }
}

cudaError_t sl_cuda_fill_slots(uint32_t *const slot[SLOTS], const uint32_t more[SLOTS + 1],
                               const cuda_graph *graph, unsigned multiprocessors,
                               cudaStream_t stream)
{
    slots s;
    for (int k = 0; k < SLOTS; k++)
        s.slot[k] = slot[k];
    for (int k = 0; k <= SLOTS; k++)
        s.more[k] = more[k];
    fill_slots<<<grid_on(multiprocessors, more[0]), CUDA_THREADS, 0, stream>>>(s, *graph);
    return cudaGetLastError();
}

/* How many fours hold what of a row of `length` does not stand in the first. */
__device__ static uint32_t rests_of(uint64_t length)
{
    return length <= 4 ? 0 : (uint32_t)((length - 4 + 2) / 3);
}

/* Four of `length` neighbours, or three and where the next ones are. */
__device__ static uint4 four_of(const cuda_graph &g, uint64_t e, uint64_t length, uint32_t next)
{
    uint32_t v[4];
    for (unsigned k = 0; k < 4; k++)
        v[k] = k < length ? *column(g, g.index, e + k) : CUDA_NO_VERTEX;
    return uint4{v[0], v[1], v[2], length > 4 ? ELL4_OVERFLOW | next : v[3]};
}

__global__ static void fill_fours(uint4 *ell4, uint32_t *rests, cuda_graph g)
{
    const uint64_t *start = (const uint64_t *)g.start;
    for (uint64_t v = first_thread(); v < g.n; v += all_threads()) {
        uint64_t e = start[v], length = start[v + 1] - e;
        uint32_t more = rests_of(length), next = g.n + (more ? atomicAdd(rests, more) : 0);
        if (!ell4)
            continue;
        ell4[v] = four_of(g, e, length, next);
        for (; length > 4; next++) {
            e += 3;
            length -= 3;
            ell4[next] = four_of(g, e, length, next + 1);
        }
    }
}

cudaError_t sl_cuda_fill_ell4(uint4 *ell4, uint32_t *rests, const cuda_graph *g,
                               unsigned multiprocessors, cudaStream_t stream)
{
    fill_fours<<<grid_on(multiprocessors, g->n), CUDA_THREADS, 0, stream>>>(ell4, rests, *g);
    return cudaGetLastError();
}
