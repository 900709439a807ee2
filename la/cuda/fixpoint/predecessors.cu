/*
 * The predecessors of shortest paths, from the distances: an edge (u, v) is tight if d(u) + length
 * = d(v). A vertex takes the least u with a smaller distance from which an edge is tight. Where
 * every edge has a mirror edge, a vertex looks at its own row, which is sorted by length, up to its
 * distance, except for the edges of early vertices, which are looked at in their rows; otherwise the rows of all vertices are looked at, with atomic minima.
 *
 * Tight edges between equal distances (length 0, or rounded) may form cycles. Vertices that only
 * such edges lead to are searched level by level, in one cooperative launch. Where every edge has a mirror edge, the
 * first level is a pull by these vertices, which are few: a push would look at the rows of all others.
 */
#include <cooperative_groups.h>

#include "lengths.cuh"
#include "predecessors_kernels.h"

enum {
    OWN_EDGES = 16 /* edges that a thread looks at by itself; longer rows are left to its warp */
};

/* The candidate of edge e of a row of distance `to`: its column u, if the mirror edge is tight and d(u) is smaller;
 * FLAT: if it is tight and u has a predecessor. The distance of a vertex that is not reached is not smaller (init_all_values). */
template <typename T, typename W, bool FLAT>
__device__ static uint32_t candidate_of(const cuda_predecessors &p, const length_rows<T, W> &rows,
                                        uint64_t e, T to)
{
    const uint32_t u = rows.index[e];
    const T from = rows.d[u];
    const bool may = FLAT ? from == to && p.best[u] != NO_PREDECESSOR : from < to;
    return may && rows.tight(from, e, to) ? u : NO_PREDECESSOR;
}

__device__ static uint32_t warp_min(uint32_t x)
{
    for (int offset = 16; offset > 0; offset /= 2)
        x = min(x, __shfl_xor_sync(full_warp, x, offset));
    return x;
}

/* One warp per 32 vertices, by turns: each lane looks at the first OWN_EDGES of its vertex's row,
 * then the warp at the rest of the longer rows. A row ends at the first length that is too great for
 * the least distance of vertices that are not early; FLAT: that is not 0 beside the vertex's distance. FLAT looks only at
 * vertices without a predecessor, and writes candidates. */
template <typename T, typename W, bool FLAT>
__global__ static void pull_predecessors(const cuda_predecessors p)
{
    const length_rows<T, W> rows(p.x);
    const uint64_t n = p.x.n;
    const unsigned lane = threadIdx.x % 32;
    const T least = p.early ? least_distance<T>(*p.early) : rows.d[p.source];
    count_t missing = 0;
    for (uint64_t first = first_thread() - lane; first < n; first += all_threads()) {
        const uint64_t v = first + lane;
        const bool there = v < n && bit_of(rows.bits, (uint32_t)v) &&
                           (FLAT ? p.best[v] == NO_PREDECESSOR : v != p.source);
        const T to = there ? rows.d[v] : (T)0;
        uint64_t at = there ? rows.start[v] : 0;
        const uint64_t end = there ? rows.start[v + 1] : 0;
        const uint64_t own_end = end - at < OWN_EDGES ? end : at + OWN_EDGES;
        uint32_t best = !FLAT && p.early && v < n ? p.best[v] : NO_PREDECESSOR;
        for (; at < own_end; at++) {
            if ((FLAT ? to : least) + (T)rows.length[at] > to)
                break;
            best = min(best, candidate_of<T, W, FLAT>(p, rows, at, to));
        }
        unsigned left = __ballot_sync(full_warp, at == own_end && at < end);
        for (; left; left &= left - 1) {
            const int of = __ffs(left) - 1;
            const uint64_t from = __shfl_sync(full_warp, at, of),
                           stop = __shfl_sync(full_warp, end, of);
            const T wanted = __shfl_sync(full_warp, to, of);
            uint32_t found = NO_PREDECESSOR;
            for (uint64_t base = from; base < stop; base += 32) {
                const uint64_t e = base + lane;
                const bool near = e < stop && (FLAT ? wanted : least) + (T)rows.length[e] <= wanted;
                if (near)
                    found = min(found, candidate_of<T, W, FLAT>(p, rows, e, wanted));
                if (!__any_sync(full_warp, near))
                    break;
            }
            found = warp_min(found);
            if (lane == (unsigned)of)
                best = min(best, found);
        }
        if (FLAT) {
            if (v < n)
                p.candidate[v] = best;
            continue;
        }
        if (v == p.source)
            best = (uint32_t)v;
        if (v < n)
            p.best[v] = best;
        missing += there && best == NO_PREDECESSOR;
    }
    missing = warp_sum(missing);
    if (lane == 0 && missing)
        atomicAdd((count_t *)p.missing, missing);
}

/* One warp per row, of the early vertices or of all. best is NO_PREDECESSOR everywhere before. */
template <typename T, typename W> __global__ static void push_better(const cuda_predecessors p)
{
    const length_rows<T, W> rows(p.x);
    const unsigned lane = threadIdx.x % 32;
    const uint64_t count = p.early ? p.early->count : p.x.n;
    for (uint64_t k = first_thread() / 32; k < count; k += all_threads() / 32) {
        const uint64_t u = p.early ? p.early_list[k] : k;
        if (!bit_of(rows.bits, (uint32_t)u))
            continue;
        const T from = rows.d[u];
        for (uint64_t e = rows.start[u] + lane; e < rows.start[u + 1]; e += 32) {
            const uint32_t v = rows.index[e];
            const T to = rows.d[v];
            if (from < to && rows.tight(from, e, to) && v != p.source)
                atomicMin(p.best + v, (uint32_t)u);
        }
    }
    if (first_thread() == 0)
        p.best[p.source] = (uint32_t)p.source;
}

__global__ static void count_missing(const cuda_predecessors p)
{
    count_t missing = 0;
    for (uint64_t v = first_thread(); v < p.x.n; v += all_threads())
        missing += bit_of(p.x.p.bits, (uint32_t)v) && p.best[v] == NO_PREDECESSOR;
    missing = warp_sum(missing);
    if (threadIdx.x % 32 == 0 && missing)
        atomicAdd((count_t *)p.missing, missing);
}

__global__ static void resolved_bits(const cuda_predecessors p, uint32_t *bits)
{
    FOR_EACH_WORD(p.x.n)
    {
        const bool is = v < p.x.n && p.best[v] != NO_PREDECESSOR;
        const unsigned word = __ballot_sync(full_warp, is);
        if (lane == 0)
            bits[w] = word & p.x.p.bits[w];
    }
}

/* The candidates become final; bits: the vertices that have one. */
__global__ static void take_candidates(const cuda_predecessors p, uint32_t *bits)
{
    FOR_EACH_WORD(p.x.n)
    {
        const uint32_t u = v < p.x.n ? p.candidate[v] : NO_PREDECESSOR;
        const unsigned word = __ballot_sync(full_warp, u != NO_PREDECESSOR);
        if (u != NO_PREDECESSOR)
            p.best[v] = u;
        if (lane == 0)
            bits[w] = word;
    }
}

__global__ static void write_parents(const cuda_predecessors p, cuda_integers parent)
{
    for (uint64_t v = first_thread(); v < p.x.n; v += all_threads())
        if (bit_of(p.x.p.bits, (uint32_t)v))
            put_integer(parent, v, (long long)p.best[v]);
}

/* A level: candidates are collected while best does not change, then they become final, between
 * barriers of the grid. One thread per edge, then one per vertex. */
template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS, FRONTIER_BLOCKS_PER_SM)
    flat_levels(const __grid_constant__ cuda_predecessors p)
{
    __shared__ found_queue found;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const length_rows<T, W> rows(p.x);
    const relax_params &x = p.x;
    relax_state *state = x.state;
    unsigned turn = 0;
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    for (;; turn ^= 1) {
        const frontier_size size = unpack(__ldcg(&state->next[turn]), x.edge_bits);
        if (size.vertices == 0)
            break;
        walk_frontier(
            x, turn, size,
            [&](uint64_t e, uint32_t u) {
                const uint32_t v = rows.index[e];
                const T to = rows.d[v];
                if (__ldcg(p.best + v) != NO_PREDECESSOR || rows.d[u] != to ||
                    !rows.tight(rows.d[u], e, to))
                    return;
                atomicMin(p.candidate + v, u);
                if (first_to_set(x.next_bits, v))
                    found_one(found, v);
            },
            [&] {
                flush(found, x.frontier[turn ^ 1], x.p.start, x.edge_bits, &state->next[turn ^ 1],
                      &state->tall[turn ^ 1]);
            });
        grid.sync();
        const frontier_size next = unpack(__ldcg(&state->next[turn ^ 1]), x.edge_bits);
        for (count_t k = first_thread(); k < next.vertices; k += all_threads()) {
            const uint32_t v = x.frontier[turn ^ 1].list[k];
            p.best[v] = __ldcg(p.candidate + v);
        }
        if (first_thread() == 0) {
            state->next[turn] = 0;
            state->tall[turn] = 0;
        }
        grid.sync();
    }
}

static unsigned blocks_of(const cuda_predecessors *p, uint64_t threads)
{
    return grid_of(threads, p->x.p.multiprocessors * CUDA_BLOCKS_PER_SM);
}

cudaError_t sl_cuda_predecessors_better(const cuda_predecessors *p, bool mirrored,
                                        cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    if (!mirrored || p->early) {
        const unsigned blocks = p->early ? p->x.p.multiprocessors : blocks_of(p, 32 * p->x.n);
        error = cudaMemsetAsync(p->best, 0xff, p->x.n * sizeof *p->best, stream);
        if (error != cudaSuccess)
            return error;
#define CALL(T, W) push_better<T, W><<<blocks, CUDA_THREADS, 0, stream>>>(*p)
        WITH_LENGTHS(p->x.p.type, p->narrow, CALL)
#undef CALL
        error = cudaGetLastError();
    }
    if (error != cudaSuccess || !mirrored)
        return error == cudaSuccess ? sl_cuda_predecessors_count(p, stream) : error;
#define CALL(T, W)                                                                                 \
    pull_predecessors<T, W, false><<<blocks_of(p, p->x.n), CUDA_THREADS, 0, stream>>>(*p)
    WITH_LENGTHS(p->x.p.type, p->narrow, CALL)
#undef CALL
    return cudaGetLastError();
}

static cudaError_t pull_first_level(const cuda_predecessors *p, uint32_t *bits, cudaStream_t stream)
{
    const unsigned blocks = blocks_of(p, p->x.n);
#define CALL(T, W) pull_predecessors<T, W, true><<<blocks, CUDA_THREADS, 0, stream>>>(*p)
    WITH_LENGTHS(p->x.p.type, p->narrow, CALL)
#undef CALL
    take_candidates<<<blocks, CUDA_THREADS, 0, stream>>>(*p, bits);
    return cudaGetLastError();
}

cudaError_t sl_cuda_predecessors_begin_flat(const cuda_predecessors *p, bool mirrored,
                                            uint32_t *bits, cudaStream_t stream)
{
    if (mirrored)
        return pull_first_level(p, bits, stream);
    resolved_bits<<<blocks_of(p, p->x.n), CUDA_THREADS, 0, stream>>>(*p, bits);
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess
               ? cudaMemsetAsync(p->candidate, 0xff, p->x.n * sizeof *p->candidate, stream)
               : error;
}

template <typename T, typename W>
static cudaError_t launch_flat(const cuda_predecessors *p, cudaStream_t stream)
{
    void (*const kernel)(cuda_predecessors) = flat_levels<T, W>;
    int blocks = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, FRONTIER_THREADS, 0);
    if (error != cudaSuccess)
        return error;
    void *arguments[] = {(void *)p};
    return cudaLaunchCooperativeKernel((const void *)kernel,
                                       dim3((unsigned)blocks * p->x.p.multiprocessors),
                                       dim3(FRONTIER_THREADS), arguments, 0, stream);
}

cudaError_t sl_cuda_predecessors_flat(const cuda_predecessors *p, cudaStream_t stream){
#define CALL(T, W) return launch_flat<T, W>(p, stream)
    WITH_LENGTHS(p->x.p.type, p->narrow, CALL)
#undef CALL
}

cudaError_t sl_cuda_predecessors_count(const cuda_predecessors *p, cudaStream_t stream)
{
    count_missing<<<blocks_of(p, p->x.n), CUDA_THREADS, 0, stream>>>(*p);
    return cudaGetLastError();
}

cudaError_t sl_cuda_predecessors_write(const cuda_predecessors *p, cuda_integers parent,
                                       cudaStream_t stream)
{
    write_parents<<<blocks_of(p, p->x.n), CUDA_THREADS, 0, stream>>>(*p, parent);
    return cudaGetLastError();
}
