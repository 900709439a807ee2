/* The kernels of a round on the own vertices of a process: which of them go into the frontier, and how
 * candidates improve them. One thread per vertex or per candidate, or one lane per word of a bitmap. */
#include "cuda/paths/grid_relax.cuh"

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

cudaError_t sl_cuda_grid_relax_begin(const grid_relax *g)
{
    const uint64_t longest = g->own.n > g->block.n ? g->own.n : g->block.n;
#define CALL(T) launch(longest, begin<T>, *g)
    WITH_TYPE(g->own.p.type, CALL);
#undef CALL
}

/* ---- the frontier ------------------------------------------------------------------------------ */

template <typename T>
__global__ static void take(const __grid_constant__ grid_relax g, const T *values, double limit,
                            char *middle)
{
    __shared__ take_scratch scratch[CUDA_THREADS / 32];
    take_waiting(g.own, g.counts, values, limit, middle, scratch[threadIdx.x / 32]);
}

cudaError_t sl_cuda_grid_relax_take(const grid_relax *g, const void *values, double limit,
                                    bool more, char *middle)
{
    const size_t first = more ? offsetof(grid_relax_counts, nearest) : 0;
    LAUNCH_TRY(cudaMemsetAsync((char *)g->counts + first, 0,
                               offsetof(grid_relax_counts, open) - first, cuda_stream()));
#define CALL(T) launch((g->own.n + 31) / 32, take<T>, *g, (const T *)values, limit, middle)
    WITH_TYPE(g->own.p.type, CALL);
#undef CALL
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
                                     long long number)
{
#define CALL(T) launch(g->own.n, merge<T>, g->own, *messages, number)
    WITH_TYPE(g->own.p.type, CALL);
#undef CALL
}
