/*
 * Iterations of advance and of closures by push, many in one cooperative launch: the grid relaxes
 * the frontier's edges, meets at a barrier, updates the vertices that changed, and meets again (one
 * launch for many levels with a barrier of the grid, as Luo, Wong, Hwu, "An Effective GPU
 * Implementation of Breadth-First Search", DAC 2010).
 *
 * An iteration reads the frontier's values as they were when it began, so that iterations are those
 * of the loop in la/traversal/closure.c whatever the order in which blocks run. Concurrent
 * relaxations of one entry are resolved by atomics on pi's values. The first thread to set a
 * vertex's bit in next_bits appends it to the next frontier, through a queue in shared memory; one
 * atomic addition gives a block both its places in the list and the running sum of the edges, so
 * that no scan is needed.
 *
 * Launch: as many blocks of FRONTIER_THREADS threads as fit on the device. Shared memory: a
 * found_queue. Cost: O(edges relaxed) and two barriers per iteration.
 */
#include <cooperative_groups.h>

#include "cuda/paths/relax.cuh"

/* Ends an iteration for the vertices of its new frontier: they become entries of pi, their values
 * are copied for the next iteration, and their levels are written. One vertex per thread. */
template <typename T>
__device__ static void settle(const relax_params &x, unsigned turn, count_t vertices,
                              long long number, bool keeps)
{
    count_t added = 0, targets = 0;
    for (count_t k = first_thread(); k < vertices; k += all_threads()) {
        uint32_t v = x.frontier[turn].list[k], bit = (uint32_t)1 << (v % 32);
        if (x.frontier_values)
            ((T *)x.frontier_values)[v] = value_now((const T *)x.p.t_values + v);
        if (!bit_now(x.p.bits, v) && !(atomicOr(x.p.bits + v / 32, bit) & bit)) {
            added++;
            targets += x.targets && bit_of(x.targets, v);
        }
        if (x.level.values) {
            put_integer(x.level, v, number);
            if (!bit_now(x.level_bits, v))
                atomicOr(x.level_bits + v / 32, bit);
        }
        if (!keeps)
            atomicAnd(x.next_bits + v / 32, ~bit);
    }
    added = warp_sum(added);
    targets = warp_sum(targets);
    if (threadIdx.x % 32 == 0 && added)
        atomicAdd(&x.state->added, added);
    if (threadIdx.x % 32 == 0 && targets)
        atomicAdd(&x.state->targets_met, targets);
}

__device__ static count_t nanoseconds()
{
    count_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

template <typename R>
__global__ static void __launch_bounds__(FRONTIER_THREADS, FRONTIER_BLOCKS_PER_SM)
    relax(relax_params x, unsigned turn, long long number, count_t most, count_t targets,
          relax_iteration *log)
{
    __shared__ found_queue found;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    relax_state *state = x.state;
    bool first = first_thread() == 0;
    frontier_size size = unpack(__ldcg(&state->next[turn]), x.edge_bits);
    count_t done = 0, targets_met = __ldcg(&state->targets_met);
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    if (x.init_values) {
        init_unset_values<R>(x, turn, size);
        grid.sync();
    }
    while (done < most && size.vertices && !(targets && targets_met >= targets)) {
        count_t began = nanoseconds();
        walk_frontier(
            x, turn, size, [&](uint64_t e, uint32_t inner) { relax_edge<R>(x, found, e, inner); },
            [&] {
                flush(found, x.frontier[turn ^ 1], x.p.start,
                      {x.edge_bits, &state->next[turn ^ 1], &state->tall[turn ^ 1]});
            });
        grid.sync();
        frontier_size next = unpack(__ldcg(&state->next[turn ^ 1]), x.edge_bits);
        settle<typename R::T>(x, turn ^ 1, next.vertices, number, x.keep_bits && done + 1 == most);
        if (first) {
            state->next[turn] = 0; /* all blocks have read it; the next iteration writes it */
            state->tall[turn] = 0;
            state->frontier = size.vertices;
            state->edges = size.edges;
            if (log)
                log[done] = relax_iteration{size.vertices, size.edges, nanoseconds() - began};
        }
        grid.sync();
        targets_met = __ldcg(&state->targets_met);
        size = next;
        turn ^= 1;
        number++;
        done++;
    }
    if (first)
        state->iterations = done;
}

cudaError_t sl_cuda_relax_iterate(const relax_params *x, unsigned turn, long long number,
                                  uint64_t most, uint64_t targets, relax_iteration *log)
{
    const cuda_product *p = &x->p;
#define LAUNCH(R)                                                                                  \
    launch_resident({FRONTIER_THREADS}, relax<R>, *x, turn, number, most, targets, log)
    PRECOMPILED_RELAX(RING_AHEAD)
    RING_OF_POSITIONS
    WITH_TYPE(p->type, RING_OF_TYPE);
#undef LAUNCH
}

/* ---- the first frontier --------------------------------------------------------------------- */

template <typename T>
__global__ static void begin(relax_params x, const uint32_t *bits, const T *values)
{
    list_bits(x.frontier[0], bits, (x.n + 31) / 32, x.p.start,
              {x.edge_bits, &x.state->next[0], &x.state->tall[0]}, [&](uint32_t v) {
                  if (x.frontier_values)
                      ((T *)x.frontier_values)[v] = values[v];
              });
}

cudaError_t sl_cuda_relax_begin(const relax_params *x, const uint32_t *bits, const void *values,
                                size_t size)
{
#define LAUNCH(T) launch((x->n + 31) / 32, begin<T>, *x, bits, (const T *)values)
    WITH_SIZE(size, LAUNCH);
#undef LAUNCH
}

template <typename T>
__global__ static void begin_listed(relax_params x, const T *values, count_t vertices,
                                    count_t edges, unsigned tall)
{
    for (count_t k = first_thread(); x.frontier_values && k < vertices; k += all_threads()) {
        uint32_t v = x.frontier[0].list[k];
        ((T *)x.frontier_values)[v] = values[v];
    }
    if (first_thread() == 0) {
        x.state->next[0] = (vertices << x.edge_bits) + edges;
        x.state->tall[0] = tall;
    }
}

cudaError_t sl_cuda_relax_begin_listed(const relax_params *x, const void *values, size_t size,
                                       uint64_t vertices, uint64_t edges, bool tall)
{
#define LAUNCH(T) launch(vertices, begin_listed<T>, *x, (const T *)values, vertices, edges, tall)
    WITH_SIZE(size, LAUNCH);
#undef LAUNCH
}

__global__ static void count_targets(relax_params x)
{
    count_t targets_met = 0;
    for (uint64_t w = first_thread(); w < (x.n + 31) / 32; w += all_threads())
        targets_met += __popc(x.targets[w] & x.p.bits[w]);
    targets_met = warp_sum(targets_met);
    if (threadIdx.x % 32 == 0 && targets_met)
        atomicAdd(&x.state->targets_met, targets_met);
}

cudaError_t sl_cuda_relax_count_targets(const relax_params *x)
{
    return launch((x->n + 31) / 32, count_targets, *x);
}
