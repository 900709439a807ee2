/* The kernels of a round on the own vertices of a process: which of them go into the frontier, and how
 * candidates improve them. One thread per vertex or per candidate, or one lane per word of a bitmap. */
#include "grid_relax.cuh"

/* ---- the beginning ----------------------------------------------------------------------------- */

/* Atomics on values of less than 4 bytes work on whole words, so that the rest of the last word is
 * written, too; allocations are multiples of a word. */
template <typename T> __device__ static uint64_t whole_words(uint64_t n)
{
    constexpr uint64_t per_word = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
    return (n + per_word - 1) / per_word * per_word;
}

template <typename T> __global__ static void begin(const __grid_constant__ grid_relax g)
{
    const T unset = unset_value<T>(g.own);
    const uint64_t own = whole_words<T>(g.own.n), columns = whole_words<T>(g.block.n);
    for (uint64_t v = first_thread(); v < own; v += all_threads())
        if (v >= g.own.n || !bit_now(g.own.p.bits, (uint32_t)v))
            ((T *)g.own.p.t_values)[v] = unset;
    for (uint64_t v = first_thread(); v < columns; v += all_threads())
        ((T *)g.block.p.t_values)[v] = unset;
}

cudaError_t sl_cuda_grid_relax_begin(const grid_relax *g, cudaStream_t stream)
{
    const uint64_t longest = g->own.n > g->block.n ? g->own.n : g->block.n;
    const unsigned blocks = grid_of(longest, g->own.p.multiprocessors * CUDA_BLOCKS_PER_SM);
#define CALL(T) begin<T><<<blocks, CUDA_THREADS, 0, stream>>>(*g)
    WITH_TYPE(g->own.p.type, CALL)
#undef CALL
    return cudaGetLastError();
}

/* ---- the frontier ------------------------------------------------------------------------------ */

/* One warp per 32 words of the bitmap, whose vertices it lists, so that its lanes read and write neighbours. Those within
 * the limit move to the front of the list. */
template <typename T>
__global__ static void take(const __grid_constant__ grid_relax g, const T *values, double limit,
                            char *middle)
{
    __shared__ warp_bits lists[CUDA_THREADS / 32];
    __shared__ uint32_t stop_waiting[CUDA_THREADS];
    warp_bits &waiting = lists[threadIdx.x / 32];
    uint32_t *const stops = stop_waiting + threadIdx.x / 32 * 32;
    const relax_params &x = g.own;
    const uint64_t words = (x.n + 31) / 32;
    const unsigned lane = threadIdx.x % 32;
    count_t nearest = 0, targets = 0;
    for (uint64_t first = first_thread() - lane; first < words; first += all_threads()) {
        const uint64_t w = first + lane;
        const uint32_t word = w < words ? x.next_bits[w] : 0;
        if (w < words && x.targets)
            targets += __popc(x.targets[w] & x.p.bits[w]);
        if (!__any_sync(full_warp, word != 0))
            continue;
        stops[lane] = 0;
        const unsigned count = list_warp_bits(waiting, word);
        unsigned near = 0;
        for (unsigned begin = 0; begin < count; begin += 32) {
            const unsigned place = begin + lane < count ? waiting.place[begin + lane] : 0;
            bool is_near = false;
            if (begin + lane < count) {
                const double value = (double)values[32 * first + place];
                is_near = !(value > limit); /* true for NaN */
                if (!is_near)
                    nearest = max(nearest, (count_t)~ordered_key(value));
            }
            const unsigned votes = __ballot_sync(full_warp, is_near);
            __syncwarp(); /* all have read their places */
            if (is_near) {
                waiting.place[near + __popc(votes & ((1u << lane) - 1))] = (uint16_t)place;
                atomicOr(&stops[place / 32], 1u << place % 32);
            }
            near += __popc(votes);
            __syncwarp();
        }
        if (near == 0)
            continue;
        if (stops[lane])
            x.next_bits[w] = word & ~stops[lane];
        count_t base = 0;
        if (lane == 0)
            base = atomicAdd(&g.counts->taken, (count_t)near);
        base = __shfl_sync(full_warp, base, 0);
        for (unsigned k = lane; k < near; k += 32) {
            const uint32_t v = (uint32_t)(32 * first) + waiting.place[k];
            put(middle, base + k, v, values[v]);
        }
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        const count_t other = __shfl_xor_sync(full_warp, nearest, offset);
        nearest = other > nearest ? other : nearest;
    }
    targets = warp_sum(targets);
    if (lane == 0 && nearest)
        atomicMax(&g.counts->nearest, nearest);
    if (lane == 0 && targets)
        atomicAdd(&g.counts->targets, targets);
}

cudaError_t sl_cuda_grid_relax_take(const grid_relax *g, const void *values, double limit,
                                    bool more, char *middle, cudaStream_t stream)
{
    const unsigned blocks =
        grid_of((g->own.n + 31) / 32, g->own.p.multiprocessors * CUDA_BLOCKS_PER_SM);
    const size_t first = more ? offsetof(grid_relax_counts, nearest) : 0;
    const cudaError_t error = cudaMemsetAsync((char *)g->counts + first, 0,
                                              offsetof(grid_relax_counts, open) - first, stream);
    if (error != cudaSuccess)
        return error;
#define CALL(T) take<T><<<blocks, CUDA_THREADS, 0, stream>>>(*g, (const T *)values, limit, middle)
    WITH_TYPE(g->own.p.type, CALL)
#undef CALL
    return cudaGetLastError();
}

/* ---- candidates -------------------------------------------------------------------------------- */

/* Several candidates of one vertex may be merged at once: the atomic update decides. */
template <typename T>
__global__ static void merge(const __grid_constant__ relax_params x,
                             const __grid_constant__ grid_relax_messages all, long long number)
{
    using R = ring<T, CUDA_VALUES, -1, -1>;
    for (unsigned m = 0; m < all.count; m++) {
        const grid_relax_message &from = all.of[m];
        const count_t count = length_of(from);
        for (count_t k = first_thread(); k < count; k += all_threads()) {
            const uint32_t v = id_of(from, k);
            const T z = value_of<T>(from, k);
            if (!improves<R>(x, v, z))
                continue;
            improve_value((T *)x.p.t_values + v, z, R::add_code(x.p));
            note_own(x, v, number);
        }
    }
}

cudaError_t sl_cuda_grid_relax_merge(const grid_relax *g, const grid_relax_messages *messages,
                                     long long number, cudaStream_t stream)
{
    const unsigned blocks = grid_of(g->own.n, g->own.p.multiprocessors * CUDA_BLOCKS_PER_SM);
#define CALL(T) merge<T><<<blocks, CUDA_THREADS, 0, stream>>>(g->own, *messages, number)
    WITH_TYPE(g->own.p.type, CALL)
#undef CALL
    return cudaGetLastError();
}
