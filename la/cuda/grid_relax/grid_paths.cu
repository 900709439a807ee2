/*
 * The kernels of shortest paths on the block of a process, for graphs of high degree (dense_paths.cu has
 * the method on one device). Rows are sorted by length: a bucket relaxes a prefix of a row, the edges whose
 * sums are within the limit, and the next bucket continues behind it. Once the vertices beyond the limit
 * have few edges, each takes the least sum over its column, which ends where a length and the least value of
 * all rows but the early ones (early_rows.cuh) exceed the sum; the edges of early rows are pushed.
 */
#include "early_rows.cuh"
#include "grid_paths_kernels.h"
#include "grid_relax.cuh"
#include "grid_relax_tuning.h"

/* The limit in the type of the sums. */
template <typename T> __device__ static T limit_of(const grid_paths &g)
{
    return g.limit < (double)no_distance<T>() ? (T)g.limit : no_distance<T>();
}

/* The rows with the values that have arrived. */
template <typename T, typename W> __device__ static length_rows<T, W> rows_of(const grid_paths &g)
{
    length_rows<T, W> rows(g.block);
    rows.d = (const T *)g.block.frontier_values;
    return rows;
}

/* ---- the beginning ----------------------------------------------------------------------------- */

template <typename T> __global__ static void begin(const __grid_constant__ grid_paths g)
{
    const uint64_t rows = g.block.p.rows;
    for (uint64_t u = first_thread(); u < rows; u += all_threads()) {
        ((T *)g.block.frontier_values)[u] = no_distance<T>();
        ((T *)g.next)[u] = no_distance<T>();
    }
    for (uint64_t v = first_thread(); v < g.block.n; v += all_threads())
        ((T *)g.block.p.t_values)[v] = no_distance<T>();
    if (first_thread() == 0)
        *(T *)g.least = no_distance<T>();
}

cudaError_t sl_cuda_grid_paths_begin(const grid_paths *g, cudaStream_t stream)
{
    const uint64_t rows = g->block.p.rows, longest = rows > g->block.n ? rows : g->block.n;
    const unsigned blocks = grid_of(longest, g->block.p.multiprocessors * CUDA_BLOCKS_PER_SM);
#define CALL(T) begin<T><<<blocks, CUDA_THREADS, 0, stream>>>(*g)
    WITH_SUM_TYPE(g->block.p.type, CALL)
#undef CALL
    return cudaGetLastError();
}

/* ---- parts of rows ------------------------------------------------------------------------------- */

/* Appends the parts of the rows in the block's queue that are within the limit and have not been relaxed,
 * and empties the queue. Returns the least sum beyond the limit of this thread's rows: an inverted key, 0
 * if there is none. By all threads of the block. */
template <typename T, typename W>
__device__ static count_t append_parts(const grid_paths &g, const length_rows<T, W> &rows,
                                       found_queue &found, T limit)
{
    count_t nearest = 0;
    __syncthreads();
    const unsigned all = found.count;
    __syncthreads(); /* all threads have read the count before it changes */
    for (unsigned first = 0; first < all; first += FRONTIER_THREADS) {
        const unsigned k = first + threadIdx.x, now = min(all - first, (unsigned)FRONTIER_THREADS);
        const bool there = k < all;
        const uint32_t u = there ? found.vertex[k] : 0;
        count_t length = 0, end, edges;
        uint64_t begin = 0;
        if (there) {
            const uint64_t start = rows.start[u], stop = rows.start[u + (uint64_t)1];
            const T from = rows.d[u];
            begin = start + g.cursor[u];
            const uint64_t cut = first_beyond(rows, from, limit, begin, stop);
            const T next = cut < stop ? (T)(from + (T)rows.length[cut]) : no_distance<T>();
            g.cursor[u] = (uint32_t)(cut - start);
            ((T *)g.next)[u] = next;
            length = cut - begin;
            if (cut < stop)
                nearest = max(nearest, ~ordered_key((double)next));
        }
        frontier_scan(found.scan).InclusiveSum(length, end, edges);
        if (threadIdx.x == 0)
            found.base = atomicAdd((count_t *)&g.block.state->next[0],
                                   ((count_t)now << g.block.edge_bits) + edges);
        __syncthreads();
        if (there) {
            const frontier_size before = unpack(found.base, g.block.edge_bits);
            const count_t at = before.vertices + threadIdx.x;
            g.block.frontier[0].list[at] = u;
            g.block.frontier[0].ends[at] = before.edges + end;
            g.begin[at] = begin;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    return nearest;
}

/* Blocks take pieces of a message in turn, one vertex per thread. Shared memory: a found_queue. */
template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS,
                                         fitting_blocks(GRID_PATHS_BLOCKS_PER_SM, FRONTIER_THREADS))
    arrive(const __grid_constant__ grid_paths g, const __grid_constant__ grid_relax_messages all)
{
    __shared__ found_queue found;
    const length_rows<T, W> rows = rows_of<T, W>(g);
    const T limit = limit_of<T>(g);
    count_t nearest = 0, edges = 0;
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
                T *const at = (T *)g.block.frontier_values + u;
                if (*at == no_distance<T>())
                    edges += rows.start[u + (uint64_t)1] - rows.start[u];
                *at = value_of<T>(from, k);
                g.cursor[u] = 0;
                found_one(found, u);
            }
            nearest = max(nearest, append_parts(g, rows, found, limit));
        }
    }
    note_nearest(&g.counts->open, nearest);
    edges = warp_sum(edges);
    if (threadIdx.x % 32 == 0 && edges)
        atomicAdd(&g.counts->settled_edges, edges);
}

cudaError_t sl_cuda_grid_paths_arrive(const grid_paths *g, const grid_relax_messages *messages,
                                      cudaStream_t stream)
{
    const unsigned blocks = g->block.p.multiprocessors * GRID_PATHS_BLOCKS_PER_SM;
#define CALL(T, W) arrive<T, W><<<blocks, FRONTIER_THREADS, 0, stream>>>(*g, *messages)
    WITH_LENGTHS(g->block.p.type, g->narrow, CALL)
#undef CALL
    return cudaGetLastError();
}

/* Blocks take FRONTIER_THREADS rows in turn, one per thread. Rows that arrived in this round have no next
 * sum within the limit. */
template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS,
                                         fitting_blocks(GRID_PATHS_BLOCKS_PER_SM, FRONTIER_THREADS))
    continue_rows(const __grid_constant__ grid_paths g)
{
    __shared__ found_queue found;
    const length_rows<T, W> rows = rows_of<T, W>(g);
    const T limit = limit_of<T>(g);
    count_t nearest = 0;
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    for (uint64_t first = (uint64_t)blockIdx.x * FRONTIER_THREADS; first < g.block.p.rows;
         first += (uint64_t)gridDim.x * FRONTIER_THREADS) {
        const uint64_t u = first + threadIdx.x;
        const T next = u < g.block.p.rows ? ((const T *)g.next)[u] : no_distance<T>();
        if (next < no_distance<T>()) {
            if (next > limit)
                nearest = max(nearest, ~ordered_key((double)next));
            else
                found_one(found, (uint32_t)u);
        }
        if (__syncthreads_or(next <= limit && next < no_distance<T>()))
            nearest = max(nearest, append_parts(g, rows, found, limit));
    }
    note_nearest(&g.counts->open, nearest);
}

cudaError_t sl_cuda_grid_paths_continue(const grid_paths *g, cudaStream_t stream)
{
    const unsigned blocks = g->block.p.multiprocessors * GRID_PATHS_BLOCKS_PER_SM;
    const cudaError_t error = cudaMemsetAsync(&g->counts->open, 0, sizeof g->counts->open, stream);
    if (error != cudaSuccess)
        return error;
#define CALL(T, W) continue_rows<T, W><<<blocks, FRONTIER_THREADS, 0, stream>>>(*g)
    WITH_LENGTHS(g->block.p.type, g->narrow, CALL)
#undef CALL
    return cudaGetLastError();
}

/* ---- push ---------------------------------------------------------------------------------------- */

/* Benign race: the candidate may be improved between the comparison and the atomic minimum, which
 * decides. */
template <typename T> __device__ static void relax(const grid_paths &g, uint32_t v, T z)
{
    T *const to = (T *)g.block.p.t_values + v;
    if (!(z < value_now(to)))
        return;
    improve_value(to, z, SL_BINARY_MIN);
    first_to_set(g.block.next_bits, v);
}

/* Blocks take tiles of equally many edges, one thread per edge. */
template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS,
                                         fitting_blocks(GRID_PATHS_PUSHES_PER_SM, FRONTIER_THREADS))
    push(const __grid_constant__ grid_paths g)
{
    __shared__ uint64_t first_row, last_row;
    const length_rows<T, W> rows = rows_of<T, W>(g);
    const cuda_frontier &parts = g.block.frontier[0];
    const frontier_size size = unpack(__ldcg(&g.block.state->next[0]), g.block.edge_bits);
    const unsigned tile = items_per_block(size.edges, FRONTIER_TILE);
    for (count_t first = (count_t)blockIdx.x * tile; first < size.edges;
         first += (count_t)gridDim.x * tile) {
        const count_t stop = first + tile < size.edges ? first + tile : size.edges;
        if (threadIdx.x == 0)
            first_row = row_of(parts.ends, 0, size.vertices, first);
        if (threadIdx.x == 32)
            last_row = row_of(parts.ends, 0, size.vertices, stop - 1);
        __syncthreads();
        for (count_t at = first + threadIdx.x; at < stop; at += FRONTIER_THREADS) {
            const uint64_t k = row_of(parts.ends, first_row, last_row, at);
            const uint64_t e = g.begin[k] + at - (k ? parts.ends[k - 1] : 0);
            const uint32_t v = rows.index[e];
            relax<T>(g, v, rows.d[parts.list[k]] + (T)rows.length[e]);
        }
        __syncthreads(); /* before first_row and last_row of the next tile are written */
    }
}

cudaError_t sl_cuda_grid_paths_push(const grid_paths *g, cudaStream_t stream)
{
    const unsigned blocks = g->block.p.multiprocessors * GRID_PATHS_PUSHES_PER_SM;
#define CALL(T, W) push<T, W><<<blocks, FRONTIER_THREADS, 0, stream>>>(*g)
    WITH_LENGTHS(g->block.p.type, g->narrow, CALL)
#undef CALL
    return cudaGetLastError();
}

/* ---- pull ---------------------------------------------------------------------------------------- */

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

template <typename T> __global__ static void find_least_row(const __grid_constant__ grid_paths g)
{
    find_least((T *)g.least, g.block.p.start, g.block.p.rows,
               [&](uint64_t u) { return ((const T *)g.block.frontier_values)[u]; });
}

/* The edges of early rows that have not been relaxed. Benign race: as in push. */
template <typename T, typename W>
__global__ static void push_early(const __grid_constant__ grid_paths g)
{
    const length_rows<T, W> rows = rows_of<T, W>(g);
    walk_early_rows(
        *(const T *)g.least, rows.start, g.block.p.rows, [&](uint64_t u) { return rows.d[u]; },
        [&](uint64_t e, uint64_t u, T from) {
            if (e - rows.start[u] >= g.cursor[u])
                relax<T>(g, rows.index[e], from + (T)rows.length[e]);
        });
}

/* One warp per 32 columns, by turns: each lane looks at the first PULL_PER_THREAD edges of its column, then
 * the warp at the rest of the longer ones. */
template <typename T, typename W> __global__ static void pull(const __grid_constant__ grid_paths g)
{
    const W *const length = (const W *)g.col_length;
    const T limit = limit_of<T>(g), least = *(const T *)g.least;
    for (uint64_t u = first_thread(); u < g.block.p.rows; u += all_threads())
        ((T *)g.next)[u] = no_distance<T>();
    FOR_EACH_WORD(g.block.n)
    {
        const T old = v < g.block.n ? ((const T *)g.block.p.t_values)[v] : no_distance<T>();
        const bool there = v < g.block.n && old > limit && least < no_distance<T>();
        T best = old;
        uint64_t at = there ? g.col_start[v] : 0;
        const uint64_t end = there ? g.col_start[v + 1] : 0;
        const uint64_t own_end = end - at < PULL_PER_THREAD ? end : at + PULL_PER_THREAD;
        while (at < own_end && least + (T)length[at] < best)
            best = better_sum<T, W>(g, at++, best);
        unsigned left = __ballot_sync(full_warp, at == own_end && at < end);
        for (; left; left &= left - 1) {
            const int of = __ffs(left) - 1;
            const uint64_t from = __shfl_sync(full_warp, at, of);
            const uint64_t stop = __shfl_sync(full_warp, end, of);
            T found = __shfl_sync(full_warp, best, of);
            for (uint64_t base = from; base < stop; base += 32) {
                const uint64_t e = base + lane;
                const bool near = e < stop && least + (T)length[e] < found;
                if (!__any_sync(full_warp, near))
                    break;
                found = least_of_warp(near ? better_sum<T, W>(g, e, found) : found);
            }
            if (lane == (uint64_t)of)
                best = found;
        }
        if (there && best < old)
            ((T *)g.block.p.t_values)[v] = best;
        const unsigned word = __ballot_sync(full_warp, there && best < old);
        if (lane == 0 && word)
            g.block.next_bits[w] |= word;
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
        find_least_row<T><<<blocks, CUDA_THREADS, 0, stream>>>(*g);                                \
        push_early<T, W><<<blocks, CUDA_THREADS, 0, stream>>>(*g);                                 \
        pull<T, W><<<blocks, CUDA_THREADS, 0, stream>>>(*g);                                       \
    } while (0)
    WITH_LENGTHS(g->block.p.type, g->narrow, CALL)
#undef CALL
    return cudaGetLastError();
}
