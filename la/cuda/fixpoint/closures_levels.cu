/*
 * Closures of several frontiers: the levels. A word per vertex has a bit per search (Then et al., "The
 * More the Merrier: Efficient Multi-Source Graph Traversal", VLDB 2014), so that one read of an edge
 * serves all searches.
 *
 * Levels with few edges are lists of vertices, and many of them run in one cooperative launch with two
 * barriers each: vertices push their words to their successors by atomic or, and whoever sets the first
 * bit of a vertex lists it; then the listed vertices are recorded and the words of the old level cleared.
 * Rows are read by params.group lanes. Levels with many edges or with a long row are pulled: each vertex
 * reads the words of its predecessors until all searches that go on are found. A warp takes 32 vertices,
 * each lane one if all rows are short, else one after the other; a block takes a long row.
 *
 * Benign races: seen is read while no thread writes it in a push, and in a pull by its own vertex only.
 */
#include <cooperative_groups.h>

#include "cuda/fixpoint/closures.cuh"
#include "cuda/fixpoint/fixpoint_tuning.h"
#include "cuda/reorder/graph_view.h"

/* ---- level 0, lists ----------------------------------------------------------------- */

/* A row of the grid of blocks per row of the matrix, a thread per entry. */
__global__ static void mark_frontiers(const __grid_constant__ closure_params p,
                                      const uint64_t *start, const uint32_t *index, uint64_t first)
{
    const unsigned s = blockIdx.y;
    for (uint64_t e = start[first + s] + first_thread(); e < start[first + s + 1];
         e += all_threads()) {
        const uint32_t own = index[e], v = p.new_id ? p.new_id[own] : own;
        if (v == CUDA_NO_VERTEX) {
            atomicOr(p.own + own, 1ull << s);
            continue;
        }
        atomicOr(p.words[0] + v, 1ull << s);
        if (p.level)
            p.level[(uint64_t)v * p.stride + s] = 0;
        if (p.parent)
            p.parent[(uint64_t)v * p.stride + s] = own;
    }
}

/* A thread per vertex. */
__global__ static void list_level(const __grid_constant__ closure_params p, uint32_t level)
{
    const unsigned lane = threadIdx.x % 32, turn = level % 2;
    level_part part = {};
    for (uint64_t first = first_thread() - lane; first < p.n; first += all_threads()) {
        const uint64_t v = first + lane;
        const closure_word searches = v < p.n ? p.words[turn][v] : 0;
        const unsigned in = __ballot_sync(full_warp, searches != 0);
        if (!in)
            continue;
        if (searches)
            part.add(p, v, searches);
        uint32_t base = lane == 0 ? atomicAdd(&p.state->size[turn].members, __popc(in)) : 0;
        base = __shfl_sync(full_warp, base, 0);
        if (searches)
            p.list[turn][base + __popc(in & ((1u << lane) - 1))] = (uint32_t)v;
    }
    part.members = 0; /* counted by the list */
    const count_t edges = warp_sum(part.edges);
    const closure_word live = or_of_warp(part.live);
    const bool long_row = __any_sync(full_warp, part.long_row);
    if (lane == 0 && live) {
        atomicAdd(&p.state->size[turn].edges, edges);
        atomicOr(&p.state->size[turn].live, live);
        if (long_row)
            p.state->size[turn].long_rows = 1;
    }
}

__global__ static void list_long_rows(const __grid_constant__ closure_params p, uint32_t *vertex,
                                      uint32_t *count)
{
    for (uint64_t v = first_thread(); v < p.n; v += all_threads()) {
        const closure_row row = row_at(p, p.in, v);
        if (row.end - row.begin > p.long_row)
            vertex[atomicAdd(count, 1u)] = (uint32_t)v;
    }
}

/* ---- push --------------------------------------------------------------------------- */

/* Lists a vertex: the lanes that call it together reserve their places together. */
__device__ static void append(uint32_t *list, uint32_t *count, uint32_t v)
{
    const unsigned callers = __activemask(), lane = threadIdx.x % 32;
    const int leader = __ffs(callers) - 1;
    uint32_t base = 0;
    if (lane == (unsigned)leader)
        base = atomicAdd(count, __popc(callers));
    base = __shfl_sync(callers, base, leader);
    list[base + __popc(callers & ((1u << lane) - 1))] = v;
}

__device__ static void push_rows(const closure_params &p, unsigned turn, uint32_t count)
{
    const closure_word *frontier = p.words[turn];
    closure_word *next = p.words[1 - turn];
    uint32_t *list = p.list[1 - turn], *listed = &p.state->size[1 - turn].members;
    const unsigned lane = threadIdx.x % p.group;
    for (uint64_t k = first_thread() / p.group; k < count; k += all_threads() / p.group) {
        const uint32_t u = __ldcg(p.list[turn] + k);
        const closure_word searches = __ldcg(frontier + u);
        const closure_row row = row_at(p, p.out, u);
        for (uint64_t e = row.begin + lane; e < row.end; e += p.group) {
            const uint32_t v = p.out.index[e];
            const closure_word added = searches & ~__ldcg(p.seen + v);
            if (added && atomicOr(next + v, added) == 0)
                append(list, listed, v);
        }
    }
}

/* Records the vertices of `level`, which are listed, and clears the words of the level before. */
__device__ static void visit_listed(const closure_params &p, uint32_t level, uint32_t before)
{
    const unsigned turn = level % 2;
    const uint32_t count = __ldcg(&p.state->size[turn].members);
    level_part part = {};
    for (uint64_t k = first_thread(); k < before; k += all_threads())
        p.words[1 - turn][__ldcg(p.list[1 - turn] + k)] = 0;
    for (uint64_t k = first_thread(); k < count; k += all_threads()) {
        const uint32_t v = __ldcg(p.list[turn] + k);
        const closure_word searches = __ldcg(p.words[turn] + v);
        p.seen[v] |= searches;
        part.add(p, v, searches);
        if (p.level)
            for (closure_word left = searches; left; left &= left - 1)
                p.level[(uint64_t)v * p.stride + __ffsll(left) - 1] = level;
    }
    part.members = 0;
    const count_t edges = warp_sum(part.edges);
    const closure_word live = or_of_warp(part.live);
    const bool long_row = __any_sync(full_warp, part.long_row);
    if (threadIdx.x % 32 == 0 && live) {
        atomicAdd(&p.state->size[turn].edges, edges);
        atomicOr(&p.state->size[turn].live, live);
        if (long_row)
            p.state->size[turn].long_rows = 1;
    }
}

/* All blocks take the same decisions from the same counters. */
__global__ static void __launch_bounds__(LISTED_THREADS, LISTED_BLOCKS_PER_SM)
    push_levels(const __grid_constant__ closure_params p, uint32_t level, uint32_t levels,
                uint32_t last, count_t limit)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const bool first = first_thread() == 0;
    for (uint32_t done = 1;; done++) {
        closure_level *now = &p.state->size[level % 2];
        const uint32_t count = __ldcg(&now->members);
        push_rows(p, level % 2, count);
        grid.sync();
        if (first)
            *now = {};
        level++;
        visit_listed(p, level, count);
        grid.sync();
        closure_level *next = &p.state->size[level % 2];
        if (__ldcg(&next->members) == 0 || __ldcg(&next->edges) > limit ||
            __ldcg(&next->long_rows) || done == levels || level == last)
            break;
    }
    if (first)
        p.state->level = level;
}

/* ---- pull --------------------------------------------------------------------------- */

/* Records vertices first + lane that were found, one after the other, so that levels are written
 * together. By all lanes. */
__device__ static void record(const closure_params &p, uint64_t first, closure_word found,
                              uint32_t level)
{
    const unsigned lane = threadIdx.x % 32;
    for (unsigned left = __ballot_sync(full_warp, found != 0); left; left &= left - 1) {
        const int k = __ffs(left) - 1;
        const closure_word searches = __shfl_sync(full_warp, found, k);
        uint32_t *to = p.level + (first + k) * p.stride;
        if (searches >> lane & 1)
            to[lane] = level;
        if (searches >> (lane + 32) & 1)
            to[lane + 32] = level;
    }
}

/* The searches that the predecessors in columns begin, begin + step, ... have, by the calling lanes of
 * a warp; ends when all of `wanted` are found. By all lanes. */
__device__ static closure_word pull_by_warp(const closure_params &p, const closure_word *frontier,
                                            uint64_t begin, uint64_t end, unsigned step,
                                            closure_word wanted)
{
    closure_word found = 0;
    for (uint64_t base = begin; base < end; base += 4 * (uint64_t)step) {
        closure_word mine = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const uint64_t e = base + k * (uint64_t)step + threadIdx.x % 32;
            if (e < end)
                mine |= frontier[p.in.index[e]];
        }
        found |= or_of_warp(mine) & wanted;
        if (found == wanted)
            break;
    }
    return found;
}

/* Vertices first to first + 31, those with long rows left out, by one warp. */
__device__ static void pull_vertices(const closure_params &p, uint32_t level, uint64_t first,
                                     closure_word live, level_part &part)
{
    const closure_word *frontier = p.words[1 - level % 2];
    const unsigned lane = threadIdx.x % 32;
    const uint64_t v = first + lane;
    closure_row row = {0, 0};
    closure_word wanted = 0, found = 0;
    bool mine = v < p.n;
    if (mine) {
        row = row_at(p, p.in, v);
        mine = row.end - row.begin <= p.long_row;
        wanted = mine ? live & ~p.seen[v] : 0;
    }
    const bool tall = row.end - row.begin > PULLED_BY_LANE;
    if (wanted && !tall)
        for (uint64_t e = row.begin; e < row.end && found != wanted; e++)
            found |= frontier[p.in.index[e]] & wanted;
    for (unsigned left = __ballot_sync(full_warp, wanted && tall); left; left &= left - 1) {
        const int k = __ffs(left) - 1;
        const closure_word all =
            pull_by_warp(p, frontier, __shfl_sync(full_warp, row.begin, k),
                         __shfl_sync(full_warp, row.end, k), 32, __shfl_sync(full_warp, wanted, k));
        found = lane == (unsigned)k ? all : found;
    }
    if (mine) {
        p.words[level % 2][v] = found;
        if (found) {
            p.seen[v] |= found;
            part.add(p, v, found);
        }
    }
    if (p.level)
        record(p, first, found, level);
}

/* One long row, by all threads of the block. */
__device__ static void pull_long_row(const closure_params &p, uint32_t level, uint64_t v,
                                     closure_word live, level_part &part)
{
    __shared__ closure_word parts[PASS_THREADS / 32];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const closure_row row = row_at(p, p.in, v);
    const closure_word wanted = live & ~p.seen[v];
    const closure_word own = wanted ? pull_by_warp(p, p.words[1 - level % 2], row.begin + warp * 32,
                                                   row.end, PASS_THREADS, wanted)
                                    : 0;
    if (lane == 0)
        parts[warp] = own;
    __syncthreads();
    if (warp > 0)
        return;
    const closure_word found = or_of_warp(lane < PASS_THREADS / 32 ? parts[lane] : 0);
    if (lane == 0) {
        p.words[level % 2][v] = found;
        p.seen[v] |= found;
        if (found)
            part.add(p, v, found);
    }
    if (p.level)
        record(p, v, lane == 0 ? found : 0, level);
}

/* The first blocks take a long row each, the warps of the others 32 vertices each. */
__global__ static void __launch_bounds__(PASS_THREADS)
    pull_level(const __grid_constant__ closure_params p, uint32_t level, closure_word live,
               const uint32_t *long_rows, uint32_t long_count)
{
    level_part part = {};
    if (blockIdx.x < long_count)
        pull_long_row(p, level, long_rows[blockIdx.x], live, part);
    else
        pull_vertices(p, level,
                      (uint64_t)(blockIdx.x - long_count) * PASS_THREADS + threadIdx.x / 32 * 32,
                      live, part);
    add_parts(&p.state->size[level % 2], part);
}

/* ---- launches ----------------------------------------------------------------------- */

cudaError_t sl_cuda_closures_begin(const closure_params *p, const uint64_t *start,
                                   const uint32_t *index, uint64_t first)
{
    return launch_blocks({dim3(cuda_processors(), p->searches)}, mark_frontiers, *p, start, index,
                         first);
}

cudaError_t sl_cuda_closures_list(const closure_params *p, uint32_t level)
{
    return launch(p->n, list_level, *p, level);
}

cudaError_t sl_cuda_closures_list_long_rows(const closure_params *p, uint32_t *vertex,
                                            uint32_t *count)
{
    return launch(p->n, list_long_rows, *p, vertex, count);
}

cudaError_t sl_cuda_closures_push(const closure_params *p, uint32_t level, uint32_t levels,
                                  uint32_t last, uint64_t limit)
{
    return launch_resident({LISTED_THREADS, LISTED_BLOCKS_PER_SM}, push_levels, *p, level, levels,
                           last, (count_t)limit);
}

cudaError_t sl_cuda_closures_pull(const closure_params *p, uint32_t level, closure_word live,
                                  const uint32_t *long_rows, uint32_t long_count)
{
    const unsigned blocks = long_count + (unsigned)((p->n + PASS_THREADS - 1) / PASS_THREADS);
    return launch_blocks({blocks, PASS_THREADS}, pull_level, *p, level, live, long_rows,
                         long_count);
}
