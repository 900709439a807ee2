/*
 * The pull of shortest paths on the block of a process: once the vertices beyond the limit have few edges, each takes the
 * least sum over its column, which ends where a length and the least value of all rows but the early ones
 * (early_rows.cuh) exceed the sum; the edges of early rows are pushed.
 */
#include "early_rows.cuh"
#include "grid_paths.cuh"

template <typename T>
__global__ static void adopt(const __grid_constant__ grid_paths g, const T *values, uint64_t first,
                             uint64_t count)
{
    T *const to = (T *)g.block.p.t_values + first;
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        if (values[k] < to[k]) /* false for NaN */
            to[k] = values[k];
}

cudaError_t sl_cuda_grid_paths_adopt(const grid_paths *g, const void *values, uint64_t first,
                                     uint64_t count, cudaStream_t stream)
{
    const unsigned blocks = grid_of(count, g->block.p.multiprocessors * CUDA_BLOCKS_PER_SM);
#define CALL(T) adopt<T><<<blocks, CUDA_THREADS, 0, stream>>>(*g, (const T *)values, first, count)
    WITH_SUM_TYPE(g->block.p.type, CALL)
#undef CALL
    return cudaGetLastError();
}

/* The least sum over edge e of a column, or `best`. */
template <typename T, typename W>
__device__ static T better_sum(const grid_paths &g, uint64_t e, T best)
{
    const T from = ((const T *)g.block.frontier_values)[g.col_index[e]];
    if (!(from < no_distance<T>()))
        return best;
    const T z = from + (T)((const W *)g.col_length)[e];
    return z < best ? z : best;
}

/* The values of the rows, without the rest of their state, and the least of those that are not early. */
template <typename T> __global__ static void list_values(const __grid_constant__ grid_paths g)
{
    find_least((T *)g.least, g.block.p.rows, [&](uint64_t u) {
        const paths_row<T> &row = rows_of<T>(g)[u];
        const T value = row.value;
        ((T *)g.block.frontier_values)[u] = value;
        return row.edges < EARLY_LONG_ROW ? no_distance<T>() : value;
    });
}

/* The edges of early rows that have not been relaxed. Benign race: as in push. */
template <typename T, typename W>
__global__ static void push_early(const __grid_constant__ grid_paths g)
{
    const uint64_t *const start = g.block.p.start;
    const T *const values = (const T *)g.block.frontier_values;
    walk_early_rows(
        *(const T *)g.least, start, g.block.p.rows, [&](uint64_t u) { return values[u]; },
        [&](uint64_t e, uint64_t u, T from) {
            if (e - start[u] >= rows_of<T>(g)[u].cursor)
                relax<T>(g, g.block.p.index[e], from + (T)((const W *)g.block.p.values)[e]);
        });
}

/* One warp per 32 columns, by turns. */
template <typename T, typename W> __global__ static void pull(const __grid_constant__ grid_paths g)
{
    const W *const length = (const W *)g.col_length;
    const T limit = limit_of<T>(g), least = *(const T *)g.least;
    FOR_EACH_WORD(g.block.n)
    {
        const T old = v < g.block.n ? *value_at<T>(g, (uint32_t)v) : no_distance<T>();
        const bool there = v < g.block.n && old > limit && least < no_distance<T>();
        const T best =
            least_sum<T>(length, there ? g.col_start[v] : 0, there ? g.col_start[v + 1] : 0, least,
                         old, [&](uint64_t e, T sum) { return better_sum<T, W>(g, e, sum); });
        if (there && best < old)
            relax<T>(g, (uint32_t)v, best);
    }
}

cudaError_t sl_cuda_grid_paths_pull(const grid_paths *g, cudaStream_t stream)
{
    const uint64_t rows = g->block.p.rows, longest = rows > g->block.n ? rows : g->block.n;
    const unsigned blocks = grid_of(longest, g->block.p.multiprocessors * CUDA_BLOCKS_PER_SM);
    const cudaError_t error = cudaMemsetAsync(&g->counts->open, 0, sizeof g->counts->open, stream);
    if (error != cudaSuccess)
        return error;
#define CALL(T, W)                                                                                 \
    do {                                                                                           \
        list_values<T><<<blocks, CUDA_THREADS, 0, stream>>>(*g);                                   \
        push_early<T, W><<<blocks, CUDA_THREADS, 0, stream>>>(*g);                                 \
        pull<T, W><<<blocks, CUDA_THREADS, 0, stream>>>(*g);                                       \
    } while (0)
    WITH_LENGTHS(g->block.p.type, g->narrow, CALL)
#undef CALL
    return cudaGetLastError();
}
