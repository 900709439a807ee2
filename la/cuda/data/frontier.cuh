/*
 * Private to the kernels: frontier lists. A list has the vertices of a frontier and the inclusive
 * prefix sum of their degrees (cuda_frontier). The whole grid walks the edges of one list and
 * appends new vertices to the next: each block collects them in a queue in shared memory and copies
 * the queue to the list. One atomic addition on a packed counter gives the block both its positions
 * in the list and the sum of the degrees before them, so that no scan is needed between two levels.
 */
#ifndef SEMLA_CUDA_FRONTIER_CUH
#define SEMLA_CUDA_FRONTIER_CUH

#include <cub/block/block_scan.cuh>

#include "cuda/data/frontier_kernels.h"
#include "cuda/runtime/common.cuh"

/* A frontier's vertices and edges, which are packed in one 64-bit counter. */
struct frontier_size {
    count_t vertices, edges;
};

__device__ inline frontier_size unpack(count_t packed, unsigned edge_bits)
{
    return {packed >> edge_bits, packed & (((count_t)1 << edge_bits) - 1)};
}

typedef cub::BlockScan<count_t, FRONTIER_THREADS> frontier_scan;

/* cuda_row_starts with offsets of one type. The functions below take these, or an array that has a row for every
 * vertex. */
template <typename Offset> struct row_starts {
    const Offset *start;
    uint64_t rows;
    __device__ explicit row_starts(const cuda_row_starts &from)
        : start((const Offset *)from.start), rows(from.rows)
    {
    }
};

__device__ inline count_t row_begin(const uint64_t *start, uint32_t v)
{
    return start[v];
}
__device__ inline count_t row_length(const uint64_t *start, uint32_t v)
{
    return start[v + (uint64_t)1] - start[v];
}
template <typename Offset> __device__ inline count_t row_begin(row_starts<Offset> of, uint32_t v)
{
    return of.start[v];
}
template <typename Offset> __device__ inline count_t row_length(row_starts<Offset> of, uint32_t v)
{
    return v < of.rows ? of.start[v + (uint64_t)1] - of.start[v] : 0;
}

/* In shared memory: vertices that a block has found and not yet appended to the list. */
struct found_queue {
    uint32_t vertex[FRONTIER_TILE];
    unsigned count; /* 0 at first */
    count_t base;   /* packed counter before the vertices that are appended */
    typename frontier_scan::TempStorage scan;
};

__device__ inline void found_one(found_queue &found, uint32_t v)
{
    found.vertex[atomicAdd(&found.count, 1u)] = v;
}

__device__ inline bool first_to_set(uint32_t *bits, uint32_t v)
{
    uint32_t bit = (uint32_t)1 << (v % 32);
    return !bit_now(bits, v) && !(atomicOr(bits + v / 32, bit) & bit);
}

/* ---- walking ---------------------------------------------------------------------- */

/* Items that a block takes at once of `all`: an equal part, a multiple of 32, at most `most`. */
__device__ inline unsigned items_per_block(count_t all, unsigned most)
{
    count_t items = (all + gridDim.x - 1) / gridDim.x;
    items = (items + 31) / 32 * 32;
    return items < most ? (unsigned)items : most;
}

/* Rows of at most FRONTIER_SHORT_ROW edges: one thread per row, or one per edge where threads would be idle,
 * so that the loads of a row's edges do not follow each other. */
template <typename Starts, typename VISIT, typename DONE>
__device__ void walk_rows(const cuda_frontier &f, Starts start, count_t vertices, VISIT visit,
                          DONE done)
{
    const unsigned piece = items_per_block(vertices, FRONTIER_THREADS);
    const unsigned share = piece * FRONTIER_SHORT_ROW <= FRONTIER_THREADS ? FRONTIER_SHORT_ROW : 1;
    for (count_t first = (count_t)blockIdx.x * piece; first < vertices;
         first += (count_t)gridDim.x * piece) {
        const count_t k = first + threadIdx.x / share;
        if (threadIdx.x / share < piece && k < vertices) {
            uint32_t u = f.list[k];
            const count_t length = row_length(start, u),
                          first_edge = length ? row_begin(start, u) : 0;
            for (count_t e = threadIdx.x % share; e < length; e += share)
                visit(first_edge + e, u);
        }
        done();
    }
}

/* Blocks take tiles of equally many edges, one thread per edge, which finds its row by binary
 * search in the prefix sums (Bisson, Bernaschi, Mastrostefano 2016). */
template <typename Starts, typename VISIT, typename DONE>
__device__ void walk_edges(const cuda_frontier &f, Starts start, frontier_size size, VISIT visit,
                           DONE done)
{
    __shared__ uint64_t first_row, last_row;
    unsigned tile = items_per_block(size.edges, FRONTIER_TILE);
    for (count_t first = (count_t)blockIdx.x * tile; first < size.edges;
         first += (count_t)gridDim.x * tile) {
        count_t stop = first + tile < size.edges ? first + tile : size.edges;
        if (threadIdx.x == 0)
            first_row = row_of(f.ends, 0, size.vertices, first);
        if (threadIdx.x == 32)
            last_row = row_of(f.ends, 0, size.vertices, stop - 1);
        __syncthreads();
        for (count_t at = first + threadIdx.x; at < stop; at += FRONTIER_THREADS) {
            uint64_t k = row_of(f.ends, first_row, last_row, at);
            uint32_t u = f.list[k];
            visit(row_begin(start, u) + at - (k ? f.ends[k - 1] : 0), u);
        }
        done();
        __syncthreads(); /* before first_row and last_row of the next tile are written */
    }
}

/*
 * Calls visit(edge, row) for all edges of the frontier. All threads of a block call done() at the
 * end of each tile of at most FRONTIER_TILE edges. tall: some row has more than FRONTIER_SHORT_ROW
 * edges.
 */
template <typename Starts, typename VISIT, typename DONE>
__device__ void walk(const cuda_frontier &f, Starts start, frontier_size size, bool tall,
                     VISIT visit, DONE done)
{
    if (tall)
        walk_edges(f, start, size, visit, done);
    else
        walk_rows(f, start, size.vertices, visit, done);
}

/* ---- appending --------------------------------------------------------------------- */

/* Counters of a list: the packed vertices and edges, and a flag that is set if a vertex has more than
 * FRONTIER_SHORT_ROW edges. */
struct list_counts {
    unsigned edge_bits;
    count_t *next;
    unsigned *tall;
};

/* Appends the block's queue to the list `to` and empties it. All threads of the block take part. */
template <typename Starts>
__device__ inline void flush(found_queue &found, const cuda_frontier &to, Starts start,
                             const list_counts &counts)
{
    __syncthreads();
    unsigned all = found.count;
    __syncthreads(); /* all threads have read the count before it changes */
    if (all == 0)
        return;
    for (unsigned first = 0; first < all; first += FRONTIER_THREADS) {
        unsigned k = first + threadIdx.x, now = min(all - first, (unsigned)FRONTIER_THREADS);
        uint32_t v = k < all ? found.vertex[k] : 0;
        count_t length = k < all ? row_length(start, v) : 0, end, edges;
        frontier_scan(found.scan).InclusiveSum(length, end, edges);
        if (threadIdx.x == 0)
            found.base = atomicAdd(counts.next, ((count_t)now << counts.edge_bits) + edges);
        if (__syncthreads_or(length > FRONTIER_SHORT_ROW) && threadIdx.x == 0)
            *counts.tall = 1;
        if (k < all) {
            frontier_size before = unpack(found.base, counts.edge_bits);
            to.list[before.vertices + threadIdx.x] = v;
            to.ends[before.vertices + threadIdx.x] = before.edges + end;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
}

/*
 * Appends the set bits of a bitmap to the list `to`, one word per thread; the vertices of a warp
 * are contiguous in the list. Calls each(v) for every vertex.
 */
template <typename Starts, typename EACH>
__device__ void list_bits(const cuda_frontier &to, const uint32_t *bits, uint64_t words,
                          Starts start, const list_counts &counts, EACH each)
{
    unsigned lane = threadIdx.x % 32;
    bool is_tall = false;
    for (uint64_t first = first_thread() - lane; first < words; first += all_threads()) {
        uint64_t w = first + lane;
        uint32_t word = w < words ? bits[w] : 0;
        if (!__any_sync(full_warp, word != 0))
            continue;
        count_t own = (count_t)__popc(word) << counts.edge_bits;
        for (uint32_t left = word; left; left &= left - 1)
            own += row_length(start, (uint32_t)(32 * w) + __ffs(left) - 1);
        count_t upto = own, base = 0;
        for (unsigned offset = 1; offset < 32; offset *= 2) {
            count_t other = __shfl_up_sync(full_warp, upto, offset);
            upto += lane >= offset ? other : 0;
        }
        if (lane == 31)
            base = atomicAdd(counts.next, upto);
        frontier_size at = unpack(__shfl_sync(full_warp, base, 31) + upto - own, counts.edge_bits);
        for (uint32_t left = word; left; left &= left - 1) {
            uint32_t v = (uint32_t)(32 * w) + __ffs(left) - 1;
            count_t length = row_length(start, v);
            at.edges += length;
            is_tall |= length > FRONTIER_SHORT_ROW;
            to.list[at.vertices] = v;
            to.ends[at.vertices++] = at.edges;
            each(v);
        }
    }
    if (is_tall)
        *counts.tall = 1;
}

/* ---- counts for the host -------------------------------------------------------------- */

__device__ inline list_counts counts_of(const cuda_report &r)
{
    return {r.edge_bits, &r.counter->next, &r.counter->tall};
}

/* Adds the packed counts of a block's threads by one atomic. All threads of the block take part. */
__device__ inline void add_to_report(const cuda_report &r, count_t counted, bool tall)
{
    __shared__ count_t of_block;
    if (threadIdx.x == 0)
        of_block = 0;
    const bool some_tall = __syncthreads_or(tall);
    counted = warp_sum(counted);
    if (threadIdx.x % 32 == 0 && counted)
        atomicAdd(&of_block, counted);
    __syncthreads();
    if (threadIdx.x == 0 && of_block)
        atomicAdd(&r.counter->next, of_block);
    if (threadIdx.x == 0 && some_tall)
        r.counter->tall = 1;
}

/* True in the block that ends last, to which all writes of the others are visible. All threads of
 * the block take part. The ticket is 0 before and after the kernel. */
__device__ inline bool is_last_block(unsigned *ticket)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        if (last)
            *ticket = 0;
    }
    __syncthreads();
    return last;
}

/* What a kernel reports: as cuda_frontier_counts. */
struct reported_counts {
    frontier_size size;
    count_t tall, wanted, seen;
};

/* Writes the counts to pinned memory of the host, then the stamp. By one thread of the last block. */
__device__ inline void send_counts(const cuda_report &r, const reported_counts &counts)
{
    r.counts->vertices = counts.size.vertices;
    r.counts->edges = counts.size.edges;
    r.counts->tall = counts.tall;
    r.counts->wanted = counts.wanted;
    r.counts->seen = counts.seen;
    __threadfence_system();
    r.counts->stamp = r.stamp;
}

/* The last block sends the counts, also to `listed` if it is not NULL, and resets the counter on the device to 0. All
 * threads of all blocks take part. True in the last block. */
__device__ inline bool report(const cuda_report &r, cuda_listed_counts *listed = nullptr)
{
    const bool last = is_last_block(&r.counter->ticket);
    if (!last || threadIdx.x != 0)
        return last;
    cuda_frontier_counter *c = r.counter;
    const reported_counts counts = {unpack(__ldcg(&c->next), r.edge_bits), __ldcg(&c->tall),
                                    __ldcg(&c->wanted), __ldcg(&c->seen)};
    c->next = c->wanted = c->seen = 0;
    c->tall = 0;
    if (listed)
        *listed = {counts.size.vertices, counts.size.edges, counts.tall};
    send_counts(r, counts);
    return true;
}

#endif
