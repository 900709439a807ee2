/*
 * Dependencies, levels with few edges: the pairs of each level are in a list. A pair is a vertex and
 * a search. Many levels run in one cooperative launch, with one barrier per level, because in graphs
 * of large diameter the time of a level is that of its barrier and of a chain of dependent reads.
 *
 * Forward, a pair of the frontier adds up the paths to its predecessors, which are those of the
 * level before, and lists the successors that it reaches first, by compare-and-swap of their level.
 * In a symmetric graph one pass over the row does both. Backward, a pair adds up the flows of the
 * successors of the next level. So numbers are written by one thread each, without atomics, and in
 * every form; each sum is taken in a fixed order.
 *
 * Launch: cooperative, blocks of LISTED_THREADS threads. A row is read by params.group lanes; a row
 * with more than LISTED_LONG_ROW edges per lane by the whole block. Shared memory: a queue in which
 * the block collects pairs, and the long rows. The counters of three levels are used by turns: one
 * is read, one is added to, and one is cleared, which all blocks have read before the last barrier.
 */
#include <cooperative_groups.h>

#include "cuda/fixpoint/dependencies.cuh"
#include "cuda/fixpoint/fixpoint_tuning.h"

/* Edges that a thread reads at once, between two looks at the queue. */
static constexpr int edges_at_once = 4;
static constexpr unsigned warps = LISTED_THREADS / 32;

/* Pairs that a block has reached and not yet listed. */
struct pair_queue {
    uint32_t pair[2 * LISTED_THREADS * edges_at_once];
    unsigned count; /* 0 at first */
    uint32_t base;
};

/* Pairs of the block's piece of the frontier that have long rows. */
template <typename SUM> struct long_pairs {
    uint32_t pair[LISTED_THREADS / 4];
    unsigned count; /* 0 at first */
    SUM sum[warps];
};

/* The columns index[e], index[e + step], ... of a row that a thread visits, for one search. */
struct row_part {
    const uint32_t *index;
    uint64_t e, end;
    unsigned step;
    uint32_t search;
};

/* Calls visit(sum, pair, level) for the pairs of a part of a row, and done() now and then. By all
 * threads of the block. */
template <typename SUM, typename VISIT, typename DONE>
__device__ static void visit_row(const dependency_params &p, SUM &sum, const row_part &part,
                                 VISIT visit, DONE done)
{
    const uint32_t *index = part.index;
    const uint64_t end = part.end;
    const unsigned step = part.step;
    uint64_t e = part.e;
    do {
        uint32_t pair[edges_at_once], level[edges_at_once];
#pragma unroll
        for (int k = 0; k < edges_at_once; k++)
            if (e + k * step < end)
                pair[k] = (index[e + k * step] << p.shift) + part.search;
#pragma unroll
        for (int k = 0; k < edges_at_once; k++)
            if (e + k * step < end)
                level[k] = __ldcg(p.level + pair[k]);
#pragma unroll
        for (int k = 0; k < edges_at_once; k++)
            if (e + k * step < end)
                visit(sum, pair[k], level[k]);
        e += edges_at_once * (uint64_t)step;
        done();
    } while (__syncthreads_or(e < end));
}

/* The sum over the block, in its first thread. By all threads of the block. */
template <typename SUM> __device__ static void add_over_block(long_pairs<SUM> &rows, SUM &sum)
{
    for (int offset = 16; offset > 0; offset /= 2)
        sum.add(sum.of_lane_xor(offset));
    if (threadIdx.x % 32 == 0)
        rows.sum[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned w = 1; w < warps; w++)
            sum.add(rows.sum[w]);
    __syncthreads();
}

/* Pairs of order[begin] to order[end - 1], whose rows are read. */
struct listed_pairs {
    const dependency_rows &rows;
    uint32_t begin, end;
};

/* For each pair: sum = open(pair); visits its row; by one thread close(pair, sum). By all threads
 * of the grid. */
template <typename SUM, typename OPEN, typename VISIT, typename CLOSE, typename DONE>
__device__ static void visit_pairs(const dependency_params &p, const listed_pairs &pairs,
                                   long_pairs<SUM> &tall, OPEN open, VISIT visit, CLOSE close,
                                   DONE done)
{
    const dependency_rows &rows = pairs.rows;
    const uint32_t begin = pairs.begin, end = pairs.end;
    const unsigned lane = threadIdx.x % p.group, most = LISTED_THREADS / p.group;
    const uint32_t searches = (1u << p.shift) - 1, all = end - begin;
    const unsigned even = ((uint64_t)all + gridDim.x - 1) / gridDim.x;
    const unsigned piece = even < most ? even : most;
    for (uint64_t first = (uint64_t)blockIdx.x * piece; first < all;
         first += (uint64_t)gridDim.x * piece) {
        const unsigned k = threadIdx.x / p.group;
        const bool there = k < piece && first + k < all;
        const uint32_t pair = there ? __ldcg(p.order + begin + first + k) : 0;
        const dependency_row row = there ? row_at(p, rows, pair >> p.shift) : dependency_row{0, 0};
        const bool is_long = row.end - row.begin > LISTED_LONG_ROW * p.group;
        if (is_long && lane == 0)
            tall.pair[atomicAdd(&tall.count, 1u)] = pair;
        const bool any_long = __syncthreads_or(is_long);
        SUM sum = there ? open(pair) : SUM{};
        visit_row(
            p, sum,
            {rows.index, row.begin + lane, is_long ? row.begin : row.end, p.group, pair & searches},
            visit, done);
        for (unsigned offset = p.group / 2; offset > 0; offset /= 2)
            sum.add(sum.of_lane_xor((int)offset));
        if (there && !is_long && lane == 0)
            close(pair, sum);
        for (unsigned j = 0; any_long && j < tall.count; j++) {
            const uint32_t of = tall.pair[j];
            const dependency_row wide = row_at(p, rows, of >> p.shift);
            SUM part = open(of);
            visit_row(
                p, part,
                {rows.index, wide.begin + threadIdx.x, wide.end, LISTED_THREADS, of & searches},
                visit, done);
            add_over_block(tall, part);
            if (threadIdx.x == 0)
                close(of, part);
        }
        if (any_long) {
            __syncthreads(); /* all threads have read the pairs */
            if (threadIdx.x == 0)
                tall.count = 0;
            __syncthreads();
        }
    }
}

/* Lists the queue from order[begin] on if it could overflow, or if `now`. By all threads of the
 * block. */
__device__ static void flush(const dependency_params &p, pair_queue &queue, unsigned turn,
                             uint32_t begin, bool now)
{
    constexpr unsigned room = sizeof queue.pair / sizeof *queue.pair;
    __syncthreads();
    const unsigned all = queue.count;
    if (all == 0 || (!now && all + LISTED_THREADS * edges_at_once <= room))
        return;
    if (threadIdx.x == 0)
        queue.base = begin + atomicAdd(&p.state->pairs[turn], all);
    __syncthreads();
    count_t edges = 0;
    for (unsigned k = threadIdx.x; k < all; k += LISTED_THREADS) {
        const uint32_t pair = queue.pair[k];
        p.order[queue.base + k] = pair;
        edges += edges_of(p, pair >> p.shift);
    }
    edges = warp_sum(edges);
    if (threadIdx.x % 32 == 0 && edges)
        atomicAdd(&p.state->edges[turn], edges);
    __syncthreads();
    if (threadIdx.x == 0)
        queue.count = 0;
    __syncthreads();
}

/* All blocks take the same decisions from the same counters. */
template <bool Extended>
__global__ static void __launch_bounds__(LISTED_THREADS, LISTED_BLOCKS_PER_SM)
    count_listed(const __grid_constant__ dependency_params p, uint32_t level, uint32_t begin,
                 uint32_t count, uint32_t levels, count_t limit)
{
    typedef path_sum<Extended> sum_type;
    __shared__ pair_queue queue;
    __shared__ long_pairs<sum_type> tall;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    dependency_state *state = p.state;
    const bool first = first_thread() == 0;
    if (threadIdx.x == 0)
        queue.count = tall.count = 0;
    __syncthreads();
    for (uint32_t done = 1;; done++) {
        const unsigned turn = (level + 1) % 3, unused = (level + 2) % 3;
        const uint32_t end = begin + count;
        if (first) {
            p.begin[level] = begin;
            p.begin[level + 1] = end;
            state->pairs[unused] = state->large[unused] = 0;
            state->edges[unused] = 0;
        }
        const auto open = [](uint32_t) { return sum_type{0, 0}; };
        const auto reach = [&](uint32_t pair, uint32_t at) {
            if (at == DEPENDENCY_UNREACHED &&
                atomicCAS(p.level + pair, DEPENDENCY_UNREACHED, level + 1) == DEPENDENCY_UNREACHED)
                queue.pair[atomicAdd(&queue.count, 1u)] = pair;
        };
        const auto flush_full = [&] { flush(p, queue, turn, end, false); };
        visit_pairs(
            p, {p.in, begin, end}, tall, open,
            [&](sum_type &sum, uint32_t pair, uint32_t at) {
                if (level > 0 && at == level - 1)
                    sum.add(__ldcg(p.paths + pair), Extended ? __ldcg(p.exponent + pair) : 0);
                else if (p.mirrored)
                    reach(pair, at);
            },
            [&](uint32_t pair, const sum_type &sum) {
                if (level > 0 && put_paths(p, pair, sum))
                    state->large[turn] = 1;
            },
            flush_full);
        if (!p.mirrored)
            visit_pairs(
                p, {p.out, begin, end}, tall, open,
                [&](sum_type &, uint32_t pair, uint32_t at) { reach(pair, at); },
                [](uint32_t, const sum_type &) {}, flush_full);
        flush(p, queue, turn, end, true);
        grid.sync();
        begin = end;
        count = __ldcg(state->pairs + turn);
        const count_t edges = __ldcg(state->edges + turn);
        level++;
        if (count == 0 || edges > limit || done == levels || __ldcg(state->large + turn))
            break;
    }
    if (first) {
        state->begin = begin;
        state->level = level;
    }
}

template <bool Extended>
__global__ static void __launch_bounds__(LISTED_THREADS, LISTED_BLOCKS_PER_SM)
    sum_listed(const __grid_constant__ dependency_params p, uint32_t from, uint32_t to)
{
    typedef flow_sum<Extended> sum_type;
    __shared__ long_pairs<sum_type> tall;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    if (threadIdx.x == 0)
        tall.count = 0;
    __syncthreads();
    for (uint32_t level = from;; level--) {
        visit_pairs(
            p, {p.out, p.begin[level], p.begin[level + 1]}, tall,
            [&](uint32_t pair) {
                return sum_type{0, Extended ? p.exponent[pair] : 0};
            },
            [&](sum_type &sum, uint32_t pair, uint32_t at) {
                if (at == level + 1)
                    sum.add(__ldcg(p.flow + pair), Extended ? p.exponent[pair] : 0);
            },
            [&](uint32_t pair, const sum_type &sum) { put_dependency(p, pair, sum); }, [] {});
        if (level == to)
            break;
        grid.sync();
    }
}

cudaError_t sl_cuda_dependencies_count_listed(const dependency_params *p, uint32_t level,
                                              uint32_t begin, uint32_t count, uint32_t levels,
                                              uint64_t limit)
{
    return launch_resident({LISTED_THREADS, LISTED_BLOCKS_PER_SM},
                           p->exponent ? count_listed<true> : count_listed<false>, *p, level, begin,
                           count, levels, (count_t)limit);
}

cudaError_t sl_cuda_dependencies_sum_listed(const dependency_params *p, uint32_t from, uint32_t to)
{
    return launch_resident({LISTED_THREADS, LISTED_BLOCKS_PER_SM},
                           p->exponent ? sum_listed<true> : sum_listed<false>, *p, from, to);
}
