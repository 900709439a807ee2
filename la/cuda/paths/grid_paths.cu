/*
 * The kernels of shortest paths on the block of a process, for graphs of high degree (dense_paths.cu has
 * the method on one device). Rows are sorted by length: a bucket relaxes a prefix of a row, the edges whose
 * sums are within the limit, and the next bucket continues behind it.
 */
#include "cuda/paths/grid_paths.cuh"

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
    const bool apart = g.block.p.t_values != g.own.p.t_values;
    for (uint64_t v = first_thread(); apart && v < g.block.n; v += all_threads())
        ((T *)g.block.p.t_values)[v] = no_distance<T>();
    for (uint64_t v = first_thread(); v < g.own.n; v += all_threads())
        if (!bit_of(g.own.p.bits, (uint32_t)v))
            ((T *)g.own.p.t_values)[v] = no_distance<T>();
    if (first_thread() == 0)
        *(T *)g.least = no_distance<T>();
}

cudaError_t sl_cuda_grid_paths_begin(const grid_paths *g)
{
    const uint64_t rows = g->block.p.rows, longest = rows > g->block.n ? rows : g->block.n;
#define CALL(T) launch(longest, begin<T>, *g)
    WITH_SUM_TYPE(g->block.p.type, CALL);
#undef CALL
}

/* ---- pieces of rows ------------------------------------------------------------------------------ */

template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS,
                                         fitting_blocks(GRID_PATHS_BLOCKS_PER_SM, FRONTIER_THREADS))
    arrive(const __grid_constant__ grid_paths g, const __grid_constant__ grid_relax_messages all)
{
    const T limit = limit_of<T>(g.limit);
    count_t nearest = 0, edges = 0;
    for (unsigned m = 0; m < all.count; m++)
        arrive_from<T, W>(g, (count_t *)&g.block.state->next[0], all.of[m], limit, &nearest,
                          &edges);
    note_nearest(&g.counts->open, nearest);
    add_block_sum(&g.counts->settled_edges, edges);
}

cudaError_t sl_cuda_grid_paths_arrive(const grid_paths *g, const grid_relax_messages *messages)
{
    const unsigned blocks = cuda_processors() * GRID_PATHS_BLOCKS_PER_SM;
#define CALL(T, W) launch_blocks({blocks, FRONTIER_THREADS}, arrive<T, W>, *g, *messages)
    WITH_LENGTHS(g->block.p.type, g->narrow, CALL);
#undef CALL
}

template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS,
                                         fitting_blocks(GRID_PATHS_BLOCKS_PER_SM, FRONTIER_THREADS))
    continue_rows(const __grid_constant__ grid_paths g)
{
    __shared__ found_queue found;
    count_t nearest = 0;
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    continue_open<T, W>(g, (count_t *)&g.block.state->next[0], found, limit_of<T>(g.limit),
                        &nearest);
    note_nearest(&g.counts->open, nearest);
}

cudaError_t sl_cuda_grid_paths_continue(const grid_paths *g)
{
    const unsigned blocks = cuda_processors() * GRID_PATHS_BLOCKS_PER_SM;
    LAUNCH_TRY(cudaMemsetAsync(&g->counts->open, 0, sizeof g->counts->open, cuda_stream()));
#define CALL(T, W) launch_blocks({blocks, FRONTIER_THREADS}, continue_rows<T, W>, *g)
    WITH_LENGTHS(g->block.p.type, g->narrow, CALL);
#undef CALL
}

/* ---- push ---------------------------------------------------------------------------------------- */

template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS,
                                         fitting_blocks(GRID_PATHS_PUSHES_PER_SM, FRONTIER_THREADS))
    push(const __grid_constant__ grid_paths g)
{
    const frontier_size size = unpack(__ldcg(&g.block.state->next[0]), g.block.edge_bits);
    if (first_thread() == 0)
        g.counts->pieces = size.vertices;
    push_pieces<T, W>(g, size, g.defers);
}

cudaError_t sl_cuda_grid_paths_push(const grid_paths *g)
{
    const unsigned blocks = cuda_processors() * GRID_PATHS_PUSHES_PER_SM;
#define CALL(T, W) launch_blocks({blocks, FRONTIER_THREADS}, push<T, W>, *g)
    WITH_LENGTHS(g->block.p.type, g->narrow, CALL);
#undef CALL
}
