/*
 * Shortest paths in graphs of high degree, such as Kronecker graphs, whose distances are so small
 * that most edges are longer than any of them and need not be looked at. Rows are sorted by length.
 *
 * Push: buckets of width delta. In the bucket that ends at `limit`, only edges with d(u) + length <=
 * limit are relaxed: a prefix of u's row, of which the part up to the last limit has been done (the
 * `cursor` of a settled vertex). So each edge is relaxed about once, when its bucket comes. Vertices
 * that the bucket improves are relaxed in further iterations; all of them are settled at its end.
 * The next bucket begins at the least sum beyond the limit, so that no bucket is empty.
 *
 * Pull: once the vertices that are not settled have few edges, each of them takes the least sum over
 * its own row, which ends where a length and the least distance of its neighbours exceed the sum. The
 * few vertices that are settled before the first hub would make that distance small; their edges are
 * pushed. Distances may still improve through each other: the pull is repeated, and delta_stepping.cu
 * continues from the vertices that the last one changed. (Pushing short edges by buckets and pulling
 * long ones: Chakaravarthy, Checconi, Murali, Petrini, Sabharwal, "Scalable Single Source Shortest
 * Path Algorithms for Massively Parallel Systems", IEEE TPDS 28, 2017.)
 *
 * Push is one cooperative launch of as many blocks of FRONTIER_THREADS threads as fit. A pass ends
 * with a barrier of the grid; it reads one list of row pieces and fills the next. Pass number k
 * reads counter pieces[k % 3], adds to the next and clears the third, which all blocks have read
 * before the last barrier. Cost: O(edges relaxed), and two barriers per iteration.
 */
#include <cooperative_groups.h>

#include "cuda/operations/ordered_key.cuh"
#include "cuda/paths/dense_paths_kernels.h"
#include "cuda/paths/lengths.cuh"
#include "cuda/paths/row_pieces.cuh"

/* The list of pieces that is filled in a pass. */
struct pieces_to_fill {
    row_pieces pieces;
    uint32_t *vertex;
    count_t *packed;
};

/* Appends the pieces of the rows of the vertices in the queue that are within the limit: from the
 * row's begin, or (CONTINUE) from the cursor. Sets the cursors and empties the queue. Returns the
 * least sum beyond the limit of this thread's vertices: an inverted key (ordered_key.cuh), 0 if
 * there is none. */
template <typename T, typename W, bool CONTINUE>
__device__ static count_t append_within(const dense_paths_params &b, const length_rows<T, W> &rows,
                                        found_queue &found, const pieces_to_fill &to, T limit)
{
    count_t nearest = 0;
    __syncthreads();
    const unsigned all = found.count;
    for (unsigned first = 0; first < all; first += FRONTIER_THREADS) {
        const unsigned k = first + threadIdx.x;
        const uint32_t v = k < all ? found.vertex[k] : 0;
        row_piece piece = {0, 0};
        if (k < all) {
            const uint64_t stop = rows.start[v + (uint64_t)1];
            const T from = value_now(rows.d + v);
            piece.begin = CONTINUE ? b.cursor[v] : rows.start[v];
            const uint64_t cut = first_beyond(rows.length, from, limit, piece.begin, stop);
            piece.edges = cut - piece.begin;
            b.cursor[v] = cut;
            if (cut < stop)
                nearest = max(nearest, ~ordered_key((double)(from + (T)rows.length[cut])));
        }
        append_pieces(to.pieces, b.x.edge_bits, to.packed, piece,
                      [&](count_t at) { to.vertex[at] = v; });
    }
    __syncthreads();
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    return nearest;
}

/* Relaxes the edges of the pieces. Improved vertices are listed once, by the first thread that sets
 * their bit. Benign race: a value may be improved between the comparison and the atomic minimum, which
 * decides. */
template <typename T, typename W>
__device__ static void relax_pieces(const dense_paths_params &b, const length_rows<T, W> &rows,
                                    found_queue &found, unsigned turn, frontier_size size,
                                    count_t *improved)
{
    const uint32_t *const vertex = b.vertex[turn];
    walk_pieces(
        b.pieces[turn], size,
        [&](uint64_t e, uint64_t k) {
            const uint32_t v = rows.index[e];
            const T z = value_now(rows.d + vertex[k]) + (T)rows.length[e];
            if (!(z < value_now(rows.d + v)))
                return;
            take_extreme((T *)b.x.p.t_values + v, z, true);
            if (first_to_set(b.x.next_bits, v))
                found_one(found, v);
        },
        [&] { flush_improved(found, b.improved, improved); });
}

/* The improved vertices become entries of pi and settled, and their pieces are listed. */
template <typename T, typename W>
__device__ static void settle_improved(const dense_paths_params &b, const length_rows<T, W> &rows,
                                       found_queue &found, count_t count, const pieces_to_fill &to,
                                       T limit, count_t *nearest)
{
    const unsigned piece = items_per_block(count, FRONTIER_THREADS);
    count_t edges = 0, key = 0;
    for (count_t first = (count_t)blockIdx.x * piece; first < count;
         first += (count_t)gridDim.x * piece) {
        const count_t k = first + threadIdx.x;
        const bool there = threadIdx.x < piece && k < count;
        const uint32_t v = there ? __ldcg(b.improved + k) : 0;
        bool is_new = false;
        if (there) {
            mark_present(b.x, v);
            is_new = first_to_set(b.settled_bits, v);
            edges += is_new ? rows.start[v + (uint64_t)1] - rows.start[v] : 0;
            found_one(found, v);
        }
        append(b.settled, (count_t *)&b.state->settled, is_new, v);
        key = max(key, append_within<T, W, false>(b, rows, found, to, limit));
    }
    note_nearest(nearest, key);
    add_block_sum((count_t *)&b.state->settled_edges, edges);
}

/* The pieces of the settled vertices between the last limit and this one. */
template <typename T, typename W>
__device__ static void continue_settled(const dense_paths_params &b, const length_rows<T, W> &rows,
                                        found_queue &found, count_t count, const pieces_to_fill &to,
                                        T limit, count_t *nearest)
{
    const unsigned piece = items_per_block(count, FRONTIER_THREADS);
    count_t key = 0;
    for (count_t first = (count_t)blockIdx.x * piece; first < count;
         first += (count_t)gridDim.x * piece) {
        const count_t k = first + threadIdx.x;
        if (threadIdx.x < piece && k < count) {
            const uint32_t v = __ldcg(b.settled + k);
            if (b.cursor[v] < rows.start[v + (uint64_t)1])
                found_one(found, v);
        }
        key = max(key, append_within<T, W, true>(b, rows, found, to, limit));
    }
    note_nearest(nearest, key);
}

/* Delta beyond the least sum that exceeds the limit. The sum may be out of date and too small, or
 * rounded. */
template <typename T> __device__ static T next_limit(T limit, count_t nearest, double delta)
{
    const double next = fmax((double)limit, value_of_key(~nearest)) + delta;
    const T rounded = next < (double)no_distance<T>() ? (T)next : no_distance<T>();
    return rounded > limit ? rounded : limit;
}

/* The distances of all vertices but the source are unknown. */
template <typename T> __device__ static void clear_distances(const dense_paths_params &b)
{
    for (uint64_t v = first_thread(); v < b.x.n; v += all_threads())
        if (v != b.source)
            ((T *)b.x.p.t_values)[v] = no_distance<T>();
}

/* The vertices that are settled are the early ones. `nearest`: the least sum beyond the limit, or 0;
 * as a double it is exact for integers below 2^53. */
template <typename T>
__device__ static void note_early(dense_paths_state *state, count_t settled, T limit,
                                  count_t nearest)
{
    const double next = nearest ? value_of_key(~nearest) : 0;
    const T least = next > (double)limit && next < 0x1p53 ? (T)next : limit;
    state->early.count = settled;
    memcpy(&state->early.least, &least, sizeof least);
}

/* All blocks take the same decisions from the same counters. */
template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS, FRONTIER_BLOCKS_PER_SM)
    push(const __grid_constant__ dense_paths_params b)
{
    __shared__ found_queue found;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const length_rows<T, W> rows(b.x);
    dense_paths_state *state = b.state;
    const bool first = first_thread() == 0;
    const double at_source = (double)rows.d[b.source];
    T limit = rows.d[b.source];
    unsigned pass = 0, iteration = 0, bucket = 0;
    if (threadIdx.x == 0)
        found.count = 0;
    clear_distances<T>(b);
    if (first) {
        b.settled[0] = (uint32_t)b.source;
        b.settled_bits[b.source / 32] = 1u << b.source % 32;
        b.cursor[b.source] = rows.start[b.source];
        state->settled = 1;
        state->nearest[0] = ~ordered_key(at_source);
        state->settled_edges = rows.start[b.source + 1] - rows.start[b.source];
        note_early(state, 0, limit, 0);
    }
    grid.sync();
    for (;;) {
        const frontier_size size = unpack(__ldcg(&state->pieces[pass % 3]), b.x.edge_bits);
        const unsigned turn = pass % 2;
        const pieces_to_fill to = {b.pieces[turn ^ 1], b.vertex[turn ^ 1],
                                   (count_t *)&state->pieces[(pass + 1) % 3]};
        count_t *nearest = (count_t *)&state->nearest[bucket % 3];
        if (size.edges > 0) {
            count_t *improved = (count_t *)&state->improved[iteration % 2];
            relax_pieces(b, rows, found, turn, size, improved);
            grid.sync();
            settle_improved(b, rows, found, __ldcg(improved), to, limit, nearest);
            iteration++;
            if (first)
                state->improved[iteration % 2] = 0;
        } else {
            const count_t settled = __ldcg(&state->settled), edges = __ldcg(&state->settled_edges);
            const count_t key = __ldcg(nearest);
            if (first && edges <= DENSE_EARLY)
                note_early(state, settled, limit, key);
            if (key == 0 && first)
                state->complete = 1;
            if (key == 0 || bucket == DENSE_BUCKETS ||
                (b.x.p.nnz - edges) * DENSE_SHARE <= b.x.p.nnz)
                break;
            limit = next_limit(limit, key, b.delta);
            bucket++;
            continue_settled(b, rows, found, settled, to, limit,
                             (count_t *)&state->nearest[bucket % 3]);
            if (first)
                state->nearest[(bucket + 1) % 3] = 0;
        }
        if (first)
            state->pieces[(pass + 2) % 3] = 0;
        grid.sync();
        pass++;
    }
}

/* One warp per early vertex, by turns. */
template <typename T, typename W> __global__ static void push_early(dense_paths_params b)
{
    const length_rows<T, W> rows(b.x);
    for (uint64_t k = first_thread() / 32; k < b.state->early.count; k += all_threads() / 32) {
        const uint32_t u = b.settled[k];
        const T from = value_now(rows.d + u);
        for (uint64_t e = rows.start[u] + threadIdx.x % 32; e < rows.start[u + (uint64_t)1];
             e += 32) {
            const uint32_t v = rows.index[e];
            const T z = from + (T)rows.length[e];
            if (!(z < value_now(rows.d + v)))
                continue;
            take_extreme((T *)b.x.p.t_values + v, z, true);
            first_to_set(b.x.p.bits, v);
        }
    }
}

/* The least sum over edge e of v's row, or `best`. A vertex without a distance gives none. */
template <typename T, typename W>
__device__ static T better_sum(const length_rows<T, W> &rows, uint64_t e, T best)
{
    const T from = value_now(rows.d + rows.index[e]);
    if (!(from < no_distance<T>()))
        return best;
    const T z = from + (T)rows.length[e];
    return z < best ? z : best;
}

/* One warp per 32 vertices, by turns. Benign race: a distance that is read may be replaced by a smaller
 * one at the same time; delta-stepping follows. */
template <typename T, typename W>
__global__ static void pull(const __grid_constant__ dense_paths_params b, uint32_t *changed)
{
    const length_rows<T, W> rows(b.x);
    const T least = least_distance<T>(b.state->early);
    const bool complete = b.state->complete;
    FOR_EACH_WORD(b.x.n)
    {
        const bool there = v < b.x.n && !complete && !bit_of(b.settled_bits, (uint32_t)v);
        const T old = there ? value_now(rows.d + v) : no_distance<T>();
        const T best =
            least_sum<T>(rows.length, there ? rows.start[v] : 0, there ? rows.start[v + 1] : 0,
                         least, old, [&](uint64_t e, T sum) { return better_sum(rows, e, sum); });
        const bool better = there && best < old;
        if (better)
            ((T *)b.x.p.t_values)[v] = best;
        const unsigned word = __ballot_sync(full_warp, better);
        if (lane == 0) {
            changed[w] = word;
            b.x.p.bits[w] |= word;
        }
    }
}

cudaError_t sl_cuda_dense_paths_push(const dense_paths_params *b)
{
#define CALL(T, W) launch_resident({FRONTIER_THREADS}, push<T, W>, *b)
    WITH_LENGTHS(b->x.p.type, b->narrow, CALL);
#undef CALL
}

cudaError_t sl_cuda_dense_paths_push_early(const dense_paths_params *b)
{
#define CALL(T, W) launch_blocks({cuda_processors()}, push_early<T, W>, *b)
    WITH_LENGTHS(b->x.p.type, b->narrow, CALL);
#undef CALL
}

cudaError_t sl_cuda_dense_paths_pull(const dense_paths_params *b, uint32_t *changed)
{
#define CALL(T, W) launch(b->x.n, pull<T, W>, *b, changed)
    WITH_LENGTHS(b->x.p.type, b->narrow, CALL);
#undef CALL
}
