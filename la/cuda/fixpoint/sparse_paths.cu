/*
 * Shortest paths in graphs of short rows, such as road networks, whose searches have thousands of
 * iterations with few vertices: delta-stepping with a near and a far list (Davidson, Baxter, Garland,
 * Owens, IPDPS 2014) and one barrier per iteration, because the time of an iteration is that of its
 * barriers and of a chain of dependent reads.
 *
 * An iteration relaxes all edges of the frontier, one row per thread. A vertex that gets a better
 * value within the limit is appended to the next frontier at once, by the first thread that sets its
 * bit there. The bits of two frontiers alternate: a vertex clears its own bit of the frontier that
 * is read, so that the bitmap is 0 when the frontier after the next one uses it. A value that is
 * improved while it is read is found by the next iteration, whose frontier has the vertex again.
 * Vertices beyond the limit go to the far list. A vertex that enters a frontier later stays in that
 * list; its value is then within the old limit, by which it is recognised when the list is split.
 *
 * Launch: cooperative, at most SPARSE_BLOCKS blocks of FRONTIER_THREADS threads. Shared memory: two
 * queues, in which a block collects vertices. Counters are used by turns of three: one is read, one
 * is added to, and one is cleared that all blocks have read before the last barrier.
 */
#include <cooperative_groups.h>

#include "lengths.cuh"
#include "ordered_key.cuh"
#include "sparse_paths_kernels.h"

/* Edges that a thread relaxes before its block empties the queues. */
enum { EDGES_AT_ONCE = 4 };

/* Vertices that a block collects in shared memory. */
struct vertex_queue {
    uint32_t vertex[FRONTIER_THREADS * EDGES_AT_ONCE];
    unsigned count; /* 0 at first */
    count_t base;
};

__device__ static void enqueue(vertex_queue &queue, uint32_t v)
{
    queue.vertex[atomicAdd(&queue.count, 1u)] = v;
}

struct sparse_queues {
    vertex_queue near, far;
    count_t best; /* of the far vertices: an inverted key, see far_pile */
};

/* Where the vertices of an iteration go. */
struct sparse_lists {
    uint32_t *near, *far;
    count_t *near_count;
    far_pile *pile;
};

/* Appends both queues to their lists and empties them. By all threads of the block. */
__device__ static void flush(sparse_queues &q, const sparse_lists &to)
{
    __syncthreads();
    const unsigned near = q.near.count, far = q.far.count;
    if (threadIdx.x == 0 && near)
        q.near.base = atomicAdd(to.near_count, (count_t)near);
    if (threadIdx.x == 32 && far)
        q.far.base = atomicAdd((count_t *)&to.pile->count, (count_t)far);
    if (threadIdx.x == 64 && q.best) {
        atomicMax((count_t *)&to.pile->best, q.best);
        q.best = 0;
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < near; k += FRONTIER_THREADS)
        to.near[q.near.base + k] = q.near.vertex[k];
    for (unsigned k = threadIdx.x; k < far; k += FRONTIER_THREADS)
        to.far[q.far.base + k] = q.far.vertex[k];
    __syncthreads();
    if (threadIdx.x == 0)
        q.near.count = q.far.count = 0;
    __syncthreads();
}

/* The best of the far vertices, over the warp. By all threads of the warp. */
__device__ static void note_best(sparse_queues &q, count_t key)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        const count_t other = __shfl_xor_sync(full_warp, key, offset);
        key = other > key ? other : key;
    }
    if (threadIdx.x % 32 == 0 && key)
        atomicMax(&q.best, key);
}

/* Relaxes the rows of the frontier. `turn`: of the frontier that is read. */
template <typename T, typename W>
__device__ static void relax_rows(const sparse_paths_params &b, const length_rows<T, W> &rows,
                                  sparse_queues &q, const sparse_lists &to, unsigned turn,
                                  count_t count, T limit)
{
    const unsigned piece = items_per_block(count, FRONTIER_THREADS);
    for (count_t first = (count_t)blockIdx.x * piece; first < count;
         first += (count_t)gridDim.x * piece) {
        const count_t k = first + threadIdx.x;
        const bool there = threadIdx.x < piece && k < count;
        const uint32_t u = there ? __ldcg(b.near[turn] + k) : 0;
        uint64_t e = there ? rows.start[u] : 0;
        const uint64_t end = there ? rows.start[u + (uint64_t)1] : 0;
        const T from = there ? value_now(rows.d + u) : (T)0;
        if (there)
            atomicAnd(b.near_bits[turn] + u / 32, ~(1u << u % 32));
        do {
            const uint64_t stop = end - e < EDGES_AT_ONCE ? end : e + EDGES_AT_ONCE;
            count_t best = 0;
            for (; e < stop; e++) {
                const uint32_t v = rows.index[e];
                const T z = from + (T)rows.length[e];
                if (!(z < value_now(rows.d + v)))
                    continue;
                improve_value((T *)b.x.p.t_values + v, z, SL_BINARY_MIN);
                if (z <= limit) {
                    if (first_to_set(b.near_bits[turn ^ 1], v))
                        enqueue(q.near, v);
                    continue;
                }
                const count_t key = ~ordered_key((double)z);
                best = key > best ? key : best;
                if (first_to_set(b.far_bits, v))
                    enqueue(q.far, v);
            }
            note_best(q, best);
            flush(q, to);
        } while (__syncthreads_or(e < end));
    }
}

/* Splits the far list by the new limit: into the next frontier, the next far list, and vertices
 * within the old limit, which were in a frontier. */
template <typename T, typename W>
__device__ static void split_far(const sparse_paths_params &b, const length_rows<T, W> &rows,
                                 sparse_queues &q, const sparse_lists &to, const uint32_t *far,
                                 count_t count, T old_limit, T limit)
{
    const unsigned piece = items_per_block(count, FRONTIER_THREADS);
    for (count_t first = (count_t)blockIdx.x * piece; first < count;
         first += (count_t)gridDim.x * piece) {
        const count_t k = first + threadIdx.x;
        count_t best = 0;
        if (threadIdx.x < piece && k < count) {
            const uint32_t v = __ldcg(far + k);
            const T value = value_now(rows.d + v);
            if (value <= limit)
                atomicAnd(b.far_bits + v / 32, ~(1u << v % 32));
            if (value > limit) {
                enqueue(q.far, v);
                best = ~ordered_key((double)value);
            } else if (value > old_limit) {
                enqueue(q.near, v);
            }
        }
        note_best(q, best);
        flush(q, to);
    }
}

/* The next limit: delta beyond the best far value, or beyond the last limit if the vertex with that
 * value has left the list. */
template <typename T> __device__ static T limit_after(T limit, count_t best, double delta)
{
    const double next = fmax((double)limit, value_of_key(~best)) + delta;
    const double most = (double)no_distance<T>();
    const T rounded = next < most ? (T)next : no_distance<T>();
    return rounded > limit ? rounded : no_distance<T>();
}

/* All blocks take the same decisions from the same counters. */
template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS, FRONTIER_BLOCKS_PER_SM)
    sparse_paths(const __grid_constant__ sparse_paths_params b)
{
    __shared__ sparse_queues q;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const length_rows<T, W> rows(b.x);
    sparse_paths_state *state = b.state;
    const bool first = first_thread() == 0;
    T limit = rows.d[b.source];
    unsigned pass = 0, pile = 0;
    if (threadIdx.x == 0) {
        q.near.count = q.far.count = 0;
        q.best = 0;
    }
    for (uint64_t v = first_thread(); v < b.x.n; v += all_threads())
        if (v != b.source)
            ((T *)b.x.p.t_values)[v] = no_distance<T>();
    if (first) {
        b.near[0][0] = (uint32_t)b.source;
        state->near[0] = 1;
    }
    grid.sync();
    for (;; pass++) {
        const count_t count = __ldcg(&state->near[pass % 3]);
        sparse_lists to = {b.near[(pass + 1) % 2], b.far[pile % 2],
                           (count_t *)&state->near[(pass + 1) % 3], &state->far[pile % 3]};
        if (count > 0) {
            relax_rows(b, rows, q, to, pass % 2, count, limit);
        } else {
            const far_pile *from = &state->far[pile % 3];
            const count_t far = __ldcg(&from->count);
            if (far == 0)
                break;
            const T old_limit = limit;
            const uint32_t *list = to.far;
            limit = limit_after(limit, __ldcg(&from->best), b.delta);
            pile++;
            to.far = b.far[pile % 2];
            to.pile = &state->far[pile % 3];
            split_far(b, rows, q, to, list, far, old_limit, limit);
            if (first)
                state->far[(pile + 1) % 3] = far_pile{};
        }
        if (first)
            state->near[(pass + 2) % 3] = 0;
        grid.sync();
    }
    FOR_EACH_WORD(b.x.n)
    {
        const bool is = v < b.x.n && value_now(rows.d + v) < no_distance<T>();
        const unsigned word = __ballot_sync(full_warp, is);
        if (lane == 0)
            b.x.p.bits[w] = word;
    }
}

template <typename T, typename W>
static cudaError_t launch(const sparse_paths_params *b, cudaStream_t stream)
{
    void (*const kernel)(sparse_paths_params) = sparse_paths<T, W>;
    int per_processor = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, FRONTIER_THREADS, 0);
    if (error != cudaSuccess)
        return error;
    const unsigned fit = (unsigned)per_processor * b->x.p.multiprocessors;
    const unsigned blocks = fit < SPARSE_BLOCKS ? fit : SPARSE_BLOCKS;
    void *arguments[] = {(void *)b};
    return cudaLaunchCooperativeKernel((const void *)kernel, dim3(blocks), dim3(FRONTIER_THREADS),
                                       arguments, 0, stream);
}

cudaError_t sl_cuda_sparse_paths(const sparse_paths_params *b, cudaStream_t stream)
{
#define CALL(T, W) return launch<T, W>(b, stream)
    WITH_LENGTHS(b->x.p.type, b->narrow, CALL)
#undef CALL
}
