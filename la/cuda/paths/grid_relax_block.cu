/*
 * The kernels of a round on the block of a process. The rows that arrive become a frontier list
 * (frontier.cuh), so that the edges are divided evenly over the threads however long the rows are.
 * Sums improve the values of own vertices at once. For the columns of other processes there are candidates, improved
 * by atomics, of which only those that are better than every earlier candidate of the process are collected, once for
 * each column.
 */
#include "cuda/paths/grid_relax.cuh"

/* ---- the frontier ------------------------------------------------------------------------------ */

/* Blocks of FRONTIER_THREADS threads take pieces of a message in turn, one vertex per thread. Shared
 * memory: a found_queue. */
template <typename T>
__global__ static void __launch_bounds__(FRONTIER_THREADS)
    arrive(const __grid_constant__ relax_params x, const __grid_constant__ grid_relax_messages all)
{
    __shared__ found_queue found;
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    for (unsigned m = 0; m < all.count; m++) {
        const grid_relax_message &from = all.of[m];
        const count_t count = length_of(from);
        const unsigned piece = items_per_block(count, FRONTIER_THREADS);
        for (count_t first = (count_t)blockIdx.x * piece; first < count;
             first += (count_t)gridDim.x * piece) {
            const count_t k = first + threadIdx.x;
            if (threadIdx.x < piece && k < count) {
                const uint32_t u = id_of(from, k);
                ((T *)x.frontier_values)[u] = value_of<T>(from, k);
                found_one(found, u);
            }
            flush(found, x.frontier[0], x.p.start,
                  {x.edge_bits, (count_t *)&x.state->next[0], &x.state->tall[0]});
        }
    }
}

cudaError_t sl_cuda_grid_relax_arrive(const grid_relax *g, const grid_relax_messages *messages)
{
    const unsigned blocks = cuda_processors() * FRONTIER_BLOCKS_PER_SM;
#define CALL(T) launch_blocks({blocks, FRONTIER_THREADS}, arrive<T>, g->block, *messages)
    WITH_TYPE(g->block.p.type, CALL);
#undef CALL
}

/* ---- edges --------------------------------------------------------------------------------------- */

/* Benign race: improves() may read a value that another thread is about to improve; the atomic update decides, and
 * the vertex may wait, or the column be collected, without need. The frontier's values are a copy, so that improved
 * values of own vertices count from the next round on. */
template <typename R>
__global__ static void __launch_bounds__(FRONTIER_THREADS, FRONTIER_BLOCKS_PER_SM)
    push(const __grid_constant__ grid_relax g, long long number)
{
    using T = typename R::T;
    const relax_params &x = g.block;
    const frontier_size size = unpack(__ldcg(&x.state->next[0]), x.edge_bits);
    walk_frontier(
        x, 0, size,
        [&](uint64_t e, uint32_t inner) {
            const uint32_t v = x.p.index[e];
            const T z = R::multiply(x.p, e, v, inner);
            const uint64_t own = v - g.own_begin;
            const bool is_own = own < g.own.n;
            const uint32_t at = is_own ? (uint32_t)own : v;
            T *const values = (T *)(is_own ? g.own.p.t_values : x.p.t_values);
            if (!improves<R>(x, values, is_own ? g.own.p.bits : x.p.bits, at, z))
                return;
            improve_value(values + at, z, R::add_code(x.p));
            if (is_own)
                note_own(g.own, at, number);
            else
                first_to_set(x.next_bits, v);
        },
        [] {});
}

cudaError_t sl_cuda_grid_relax_push(const grid_relax *g, long long number)
{
    const cuda_product *p = &g->block.p;
    const unsigned blocks = cuda_processors() * FRONTIER_BLOCKS_PER_SM;
#define LAUNCH(R) launch_blocks({blocks, FRONTIER_THREADS}, push<R>, *g, number)
    PRECOMPILED_DELTA_STEPPING(RING_AHEAD)
    RING_AHEAD(int64_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_FIRST)
    WITH_TYPE(p->type, RING_OF_TYPE);
#undef LAUNCH
}

/* ---- candidates ---------------------------------------------------------------------------------- */

/* The member whose block has a column. */
__device__ static uint32_t member_of(const grid_relax &g, uint64_t column)
{
    return (uint32_t)row_of(g.col_begin + 1, 0, g.members, column);
}

/* One warp per 32 words of the bitmap, whose columns it lists, so that its lanes read and write neighbours. If all
 * of the columns belong to one member, as they do except at the ends of blocks, one atomic addition takes
 * places for all of them. */
template <typename T>
__global__ static void collect(const __grid_constant__ grid_relax g, char *middle, uint64_t slot)
{
    __shared__ warp_bits lists[CUDA_THREADS / 32];
    warp_bits &improved = lists[threadIdx.x / 32];
    const relax_params &x = g.block;
    const uint64_t words = (x.n + 31) / 32;
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t first = first_thread() - lane; first < words; first += all_threads()) {
        const uint64_t w = first + lane;
        const uint32_t word = w < words ? x.next_bits[w] : 0;
        if (!__any_sync(full_warp, word != 0))
            continue;
        if (word) {
            x.next_bits[w] = 0;
            x.p.bits[w] |= word;
        }
        const unsigned count = list_warp_bits(improved, word);
        const uint64_t last = 32 * (first + 32) < x.n ? 32 * (first + 32) - 1 : x.n - 1;
        const uint32_t member = member_of(g, 32 * first);
        const bool together = member == member_of(g, last);
        count_t base = 0;
        if (lane == 0)
            atomicAdd(&g.counts->folded, (count_t)count);
        if (together && lane == 0)
            base = atomicAdd(&g.folded[member], (count_t)count);
        base = __shfl_sync(full_warp, base, 0);
        for (unsigned k = lane; k < count; k += 32) {
            const uint64_t v = 32 * first + improved.place[k];
            const uint32_t m = together ? member : member_of(g, v);
            const count_t at = together ? base + k : atomicAdd(&g.folded[m], (count_t)1);
            put(middle + m * slot, at, (uint32_t)(v - g.col_begin[m]),
                ((const T *)x.p.t_values)[v]);
        }
    }
}

cudaError_t sl_cuda_grid_relax_collect(const grid_relax *g, char *middle, uint64_t slot)
{
    const cudaError_t error =
        cudaMemsetAsync(g->folded, 0, g->members * sizeof *g->folded, cuda_stream());
    if (error != cudaSuccess || g->block.n == 0)
        return error;
#define CALL(T) launch((g->block.n + 31) / 32, collect<T>, *g, middle, slot)
    WITH_TYPE(g->block.p.type, CALL);
#undef CALL
}
