/*
 * The kernels of shortest paths on the block of a process, for graphs of high degree (dense_paths.cu has
 * the method on one device). Rows are sorted by length: a bucket relaxes a prefix of a row, the edges whose
 * sums are within the limit, and the next bucket continues behind it.
 */
#include "grid_paths.cuh"
#include "ordered_key.cuh"
#include "row_pieces.cuh"

/* ---- the beginning ----------------------------------------------------------------------------- */

/* Two threads write a row, half of it each, so that a warp writes neighbours. */
template <typename T> __global__ static void begin(const __grid_constant__ grid_paths g)
{
    const uint64_t *start = g.block.p.start;
    for (uint64_t k = first_thread(); k < 2 * g.block.p.rows; k += all_threads()) {
        const uint64_t u = k / 2;
        const paths_row<T> row = {no_distance<T>(), no_distance<T>(), start[u],
                                  (uint32_t)(start[u + 1] - start[u]), 0};
        uint4 halves[2];
        static_assert(sizeof halves == sizeof row, "a row has two halves");
        memcpy(halves, &row, sizeof row);
        ((uint4 *)g.rows)[k] = k % 2 ? halves[1] : halves[0];
    }
    for (uint64_t v = first_thread(); v < g.block.n; v += all_threads())
        ((T *)g.block.p.t_values)[v] = no_distance<T>();
    for (uint64_t v = first_thread(); v < g.own.n; v += all_threads())
        if (!bit_of(g.own.p.bits, (uint32_t)v))
            ((T *)g.own.p.t_values)[v] = no_distance<T>();
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

/* ---- pieces of rows ------------------------------------------------------------------------------ */

/* The piece of row u that is within the limit and has not been relaxed. Writes the row. *nearest: at least the sum over its
 * next edge, an inverted key. */
template <typename T, typename W>
__device__ static row_piece cut_row(const grid_paths &g, uint32_t u, paths_row<T> row, T limit,
                                    count_t *nearest)
{
    const W *const length = (const W *)g.block.p.values;
    const uint64_t begin = row.start + row.cursor, stop = row.start + row.edges;
    const uint64_t cut =
        limit == no_distance<T>() ? stop : first_beyond(length, row.value, limit, begin, stop);
    const bool was_open = row.next < no_distance<T>();
    row.next = cut < stop ? (T)(row.value + (T)length[cut]) : no_distance<T>();
    const bool is_open = row.next < no_distance<T>(); /* lengths may be infinite */
    row.cursor = (uint32_t)(cut - row.start);
    rows_of<T>(g)[u] = row;
    if (is_open)
        *nearest = max(*nearest, (count_t)~ordered_key((double)row.next));
    if (is_open != was_open)
        atomicXor(g.open_bits + u / 32, 1u << u % 32);
    return {begin, cut - begin};
}

/* Appends a piece for each lane, with its row's value. By all threads of the warp. */
template <typename T> __device__ static void append(const grid_paths &g, row_piece piece, T value)
{
    append_pieces(g.pieces, g.block.edge_bits, (count_t *)&g.block.state->next[0], piece,
                  [&](count_t at) { ((T *)g.block.frontier_values)[at] = value; });
}

/* Warps take 32 vertices of a message in turn, one per lane. */
template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS,
                                         fitting_blocks(GRID_PATHS_BLOCKS_PER_SM, FRONTIER_THREADS))
    arrive(const __grid_constant__ grid_paths g, const __grid_constant__ grid_relax_messages all)
{
    const T limit = limit_of<T>(g);
    const unsigned lane = threadIdx.x % 32;
    count_t nearest = 0, edges = 0;
    for (unsigned m = 0; m < all.count; m++) {
        const grid_relax_message &from = all.of[m];
        const count_t count = length_of(from);
        for (count_t first = first_thread() - lane; first < count; first += all_threads()) {
            const count_t k = first + lane;
            row_piece piece = {0, 0};
            T value = no_distance<T>();
            if (k < count) {
                const uint32_t u = id_of(from, k);
                paths_row<T> row = rows_of<T>(g)[u];
                edges += row.value == no_distance<T>() ? row.edges : 0;
                row.value = value = value_of<T>(from, k);
                row.cursor = 0;
                piece = cut_row<T, W>(g, u, row, limit, &nearest);
            }
            append(g, piece, value);
        }
    }
    note_nearest(&g.counts->open, nearest);
    add_block_sum(&g.counts->settled_edges, edges);
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

/* Appends the pieces of queued rows, one per thread, as long as there is a row for each thread; of `all` rows
 * at the end. By all threads of the block. */
template <typename T, typename W>
__device__ static void continue_queued(const grid_paths &g, found_queue &found, bool all, T limit,
                                       count_t *nearest)
{
    __syncthreads();
    unsigned left = found.count;
    while (left >= (all ? 1 : FRONTIER_THREADS)) {
        const unsigned now = min(left, (unsigned)FRONTIER_THREADS);
        row_piece piece = {0, 0};
        T value = no_distance<T>();
        left -= now;
        if (threadIdx.x < now) {
            const uint32_t u = found.vertex[left + threadIdx.x];
            const paths_row<T> row = rows_of<T>(g)[u];
            value = row.value;
            piece = cut_row<T, W>(g, u, row, limit, nearest);
        }
        append(g, piece, value);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        found.count = left;
    __syncthreads();
}

/* Blocks look at FRONTIER_THREADS rows in turn, one per thread, and queue those with a next sum within the limit, until
 * there is one for each thread. Rows that arrived in this round have none. */
template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS,
                                         fitting_blocks(GRID_PATHS_BLOCKS_PER_SM, FRONTIER_THREADS))
    continue_rows(const __grid_constant__ grid_paths g)
{
    __shared__ found_queue found;
    const T limit = limit_of<T>(g);
    count_t nearest = 0;
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    for (uint64_t first = (uint64_t)blockIdx.x * FRONTIER_THREADS; first < g.block.p.rows;
         first += (uint64_t)gridDim.x * FRONTIER_THREADS) {
        const uint64_t u = first + threadIdx.x;
        const T next = u < g.block.p.rows && bit_now(g.open_bits, (uint32_t)u)
                           ? rows_of<T>(g)[u].next
                           : no_distance<T>();
        if (next < no_distance<T>() && next > limit)
            nearest = max(nearest, (count_t)~ordered_key((double)next));
        else if (next < no_distance<T>())
            found_one(found, (uint32_t)u);
        continue_queued<T, W>(g, found, false, limit, &nearest);
    }
    continue_queued<T, W>(g, found, true, limit, &nearest);
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

template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS,
                                         fitting_blocks(GRID_PATHS_PUSHES_PER_SM, FRONTIER_THREADS))
    push(const __grid_constant__ grid_paths g)
{
    const T *const values = (const T *)g.block.frontier_values;
    const W *const length = (const W *)g.block.p.values;
    const frontier_size size = unpack(__ldcg(&g.block.state->next[0]), g.block.edge_bits);
    if (first_thread() == 0)
        g.counts->pieces = size.vertices;
    walk_pieces(
        g.pieces, size,
        [&](uint64_t e, uint64_t k) { relax<T>(g, g.block.p.index[e], values[k] + (T)length[e]); },
        [] {});
}

cudaError_t sl_cuda_grid_paths_push(const grid_paths *g, cudaStream_t stream)
{
    const unsigned blocks = g->block.p.multiprocessors * GRID_PATHS_PUSHES_PER_SM;
#define CALL(T, W) push<T, W><<<blocks, FRONTIER_THREADS, 0, stream>>>(*g)
    WITH_LENGTHS(g->block.p.type, g->narrow, CALL)
#undef CALL
    return cudaGetLastError();
}
