/*
 * The least predecessors of better values, for min_plus: an entry (u, v) is tight if from(u) + length
 * = to(v), and v takes the least u with from(u) < to(v), or with from(u) <= to(v).
 *
 * Each warp examines TILE entries in their order, so that rows of any length are divided evenly. It
 * searches the first and the last row of its tile once, and each lane the row of its entry between
 * them. Tight entries are few: columns take their least row by atomics.
 *
 * Over sorted columns, a column ends at the first length that is too long for its value, so that few entries
 * are examined; the edges of early rows (early_rows.cuh) are examined by row.
 */
#include "algebra.cuh"
#include "better_predecessors_kernels.h"
#include "early_rows.cuh"

enum { TILE = 1024 };

cudaError_t sl_cuda_begin_predecessors(uint32_t *best, uint64_t n, cudaStream_t stream)
{
    return cudaMemsetAsync(best, 0xff, n * sizeof *best, stream);
}

/* Whether a tight entry from value x counts. */
template <typename T> __device__ static bool counts(const cuda_better_predecessors &p, T x, T value)
{
    return x < value || (p.equal_too && x == value);
}

/* Whether row or column k has a value. */
template <typename T>
__device__ static bool has_value(const uint32_t *bits, const void *values, uint32_t k)
{
    return bits ? bit_of(bits, k) : ((const T *)values)[k] < no_distance<T>();
}

template <typename T> __global__ static void find_better(const cuda_better_predecessors p)
{
    const T *lengths = (const T *)p.lengths, *from = (const T *)p.from, *to = (const T *)p.to;
    const uint64_t tiles = (p.nnz + TILE - 1) / TILE;
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t tile = first_thread() / 32; tile < tiles; tile += all_threads() / 32) {
        const uint64_t first = tile * TILE;
        const uint64_t end = first + TILE < p.nnz ? first + TILE : p.nnz;
        uint64_t low = row_of(p.start + 1, 0, p.nrows, first);
        const uint64_t high = row_of(p.start + 1, low, p.nrows, end - 1);
        for (uint64_t e = first + lane; e < end; e += 32) {
            const uint32_t v = p.index[e];
            low = row_of(p.start + 1, low, high, e);
            if (!bit_of(p.from_bits, (uint32_t)low) || !bit_of(p.to_bits, v))
                continue;
            const T x = from[low], value = to[v];
            const T sum = (T)(x + (lengths ? lengths[e] : (T)1));
            if (sum == value && counts(p, x, value))
                atomicMin(&p.best[v], (uint32_t)low);
        }
    }
}

/* ---- over sorted columns -------------------------------------------------------------------------- */

template <typename T>
__device__ static T value_of_row(const cuda_better_predecessors &p, uint64_t u)
{
    return has_value<T>(p.from_bits, p.from, (uint32_t)u) ? ((const T *)p.from)[u]
                                                          : no_distance<T>();
}

template <typename T> __global__ static void begin_least(const cuda_better_predecessors p)
{
    *(T *)p.least = no_distance<T>();
}

template <typename T> __global__ static void find_least_row(const cuda_better_predecessors p)
{
    find_least((T *)p.least, p.nrows, [&](uint64_t u) {
        return p.start[u + 1] - p.start[u] < EARLY_LONG_ROW ? no_distance<T>()
                                                            : value_of_row<T>(p, u);
    });
}

/* The name of row number u. */
__device__ static uint32_t name_of(const cuda_better_predecessors &p, uint32_t u)
{
    return p.old_id ? p.old_id[u] : u;
}

template <typename T, typename W>
__global__ static void find_early(const cuda_better_predecessors p)
{
    const T *to = (const T *)p.to, least = *(const T *)p.least;
    const W *lengths = (const W *)p.lengths;
    walk_early_rows(
        least, p.start, p.nrows, [&](uint64_t u) { return value_of_row<T>(p, u); },
        [&](uint64_t e, uint64_t u, T x) {
            const uint32_t v = p.index[e];
            if (!has_value<T>(p.to_bits, to, v) || (T)(x + (T)lengths[e]) != to[v] ||
                !counts(p, x, to[v]))
                return;
            atomicMin(&p.best[v], name_of(p, p.first_row + (uint32_t)u));
            if (p.marks)
                first_to_set(p.marks, v);
        });
}

/* The row of entry e of a column with this value if that is tight and less than `best`; else `best`. */
template <typename T, typename W>
__device__ static uint32_t tight_row(const cuda_better_predecessors &p, uint64_t e, T value,
                                     uint32_t best)
{
    const uint32_t u = p.col_index[e];
    if ((!p.old_id && u >= best) || !has_value<T>(p.from_bits, p.from, u))
        return best;
    const T x = ((const T *)p.from)[u];
    const bool tight = (T)(x + (T)((const W *)p.col_lengths)[e]) == value && counts(p, x, value);
    return tight ? min(best, name_of(p, u)) : best;
}

/* One warp per 32 columns, by turns: each lane looks at the first PULL_PER_THREAD entries of its column,
 * then the warp at the rest of the longer ones. */
template <typename T, typename W> __global__ static void pull(const cuda_better_predecessors p)
{
    const W *const length = (const W *)p.col_lengths;
    const T least = *(const T *)p.least;
    if (!(least < no_distance<T>())) /* all rows are early */
        return;
    FOR_EACH_WORD(p.ncols)
    {
        const bool there = v < p.ncols && has_value<T>(p.to_bits, p.to, (uint32_t)v);
        const T value = there ? ((const T *)p.to)[v] : T(0);
        uint32_t best = there ? p.best[v] : 0;
        uint64_t at = there ? p.col_start[v] : 0;
        const uint64_t end = there ? p.col_start[v + 1] : 0;
        const uint64_t own_end = end - at < PULL_PER_THREAD ? end : at + PULL_PER_THREAD;
        while (at < own_end && least + (T)length[at] <= value)
            best = tight_row<T, W>(p, at++, value, best);
        unsigned left = __ballot_sync(full_warp, at == own_end && at < end);
        for (; left; left &= left - 1) {
            const int of = __ffs(left) - 1;
            const uint64_t from = __shfl_sync(full_warp, at, of);
            const uint64_t stop = __shfl_sync(full_warp, end, of);
            const T to = __shfl_sync(full_warp, value, of);
            uint32_t found = __shfl_sync(full_warp, best, of);
            for (uint64_t base = from; base < stop; base += 32) {
                const uint64_t e = base + lane;
                const bool near = e < stop && least + (T)length[e] <= to;
                if (!__any_sync(full_warp, near))
                    break;
                found = near ? tight_row<T, W>(p, e, to, found) : found;
            }
            found = least_of_warp(found);
            if (lane == (uint64_t)of)
                best = found;
        }
        if (there)
            p.best[v] = best;
    }
}

cudaError_t sl_cuda_find_least_row(const cuda_better_predecessors *p, sl_type type,
                                   unsigned multiprocessors, cudaStream_t stream)
{
    const unsigned blocks = grid_of(p->nrows, multiprocessors * CUDA_BLOCKS_PER_SM);
#define CALL(T)                                                                                    \
    do {                                                                                           \
        begin_least<T><<<1, 1, 0, stream>>>(*p);                                                   \
        find_least_row<T><<<blocks, CUDA_THREADS, 0, stream>>>(*p);                                \
    } while (0)
    WITH_SUM_TYPE(type, CALL)
#undef CALL
    return cudaGetLastError();
}

cudaError_t sl_cuda_find_early_predecessors(const cuda_better_predecessors *p, sl_type type,
                                            unsigned multiprocessors, cudaStream_t stream)
{
    const unsigned blocks = grid_of(p->nrows, multiprocessors * CUDA_BLOCKS_PER_SM);
#define CALL(T, W) find_early<T, W><<<blocks, CUDA_THREADS, 0, stream>>>(*p)
    WITH_LENGTHS(type, p->narrow, CALL)
#undef CALL
    return cudaGetLastError();
}

cudaError_t sl_cuda_pull_better_predecessors(const cuda_better_predecessors *p, sl_type type,
                                             unsigned multiprocessors, cudaStream_t stream)
{
    const unsigned blocks = grid_of(p->ncols, multiprocessors * CUDA_BLOCKS_PER_SM);
#define CALL(T, W) pull<T, W><<<blocks, CUDA_THREADS, 0, stream>>>(*p)
    WITH_LENGTHS(type, p->narrow, CALL)
#undef CALL
    return cudaGetLastError();
}

cudaError_t sl_cuda_find_better_predecessors(const cuda_better_predecessors *p, sl_type type,
                                             unsigned multiprocessors, cudaStream_t stream)
{
    const unsigned blocks = grid_of(p->nnz, multiprocessors * CUDA_BLOCKS_PER_SM);
#define CALL(T)                                                                                    \
    do {                                                                                           \
        find_better<T><<<blocks, CUDA_THREADS, 0, stream>>>(*p);                                   \
        return cudaGetLastError();                                                                 \
    } while (0)
    WITH_TYPE(type, CALL)
#undef CALL
    return cudaErrorInvalidValue;
}

/* ---- vectors ------------------------------------------------------------------------------------ */

__global__ static void take(long long *values, uint32_t *bits, const uint32_t *best,
                            const uint32_t *new_id, uint64_t n)
{
    FOR_EACH_WORD(n)
    {
        const uint32_t row = v < n ? best[new_id ? new_id[v] : v] : UINT32_MAX;
        const unsigned word = __ballot_sync(full_warp, row != UINT32_MAX);
        if (v < n)
            __stcs(values + v, (long long)row);
        if (lane == 0)
            bits[w] = word;
    }
}

cudaError_t sl_cuda_take_better_predecessors(long long *values, uint32_t *bits,
                                             const uint32_t *best, const uint32_t *new_id,
                                             uint64_t n, unsigned multiprocessors,
                                             cudaStream_t stream)
{
    const unsigned blocks = grid_of(n, multiprocessors * CUDA_BLOCKS_PER_SM);
    take<<<blocks, CUDA_THREADS, 0, stream>>>(values, bits, best, new_id, n);
    return cudaGetLastError();
}
