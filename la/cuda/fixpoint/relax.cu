/*
 * Advance and closure by push, as one cooperative launch for many steps: the grid
 * takes a frontier's edges, meets at a barrier, settles what they came to, and meets
 * again (Luo, Wong, Hwu, DAC 2010). A step reads the frontier's values as they were
 * when it began, so that steps are those of the loop of la/closure.c, however blocks
 * run. Entries compete by atomics on pi's values. The first to set a vertex's bit takes
 * it into the next frontier, by queues of the block and of the grid; one atomic gives a
 * block both its places there and where their edges stand, so that no scan is needed.
 */
#include <cooperative_groups.h>

#include "relax.cuh"

/* After a step: pi gains the entries, and their values are the next step's. */
template <typename T>
__device__ static void settle(const cuda_relax &x, unsigned turn, count_t vertices,
                              long long number, bool keeps)
{
    count_t added = 0, targets = 0;
    for (count_t k = first_thread(); k < vertices; k += all_threads()) {
        uint32_t v = x.frontier[turn].list[k], bit = (uint32_t)1 << (v % 32);
        if (x.news)
            ((T *)x.news)[v] = value_now((const T *)x.p.t_values + v);
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
            atomicAnd(x.fresh + v / 32, ~bit);
    }
    added = warp_sum(added);
    targets = warp_sum(targets);
    if (threadIdx.x % 32 == 0 && added)
        atomicAdd(&x.state->added, added);
    if (threadIdx.x % 32 == 0 && targets)
        atomicAdd(&x.state->targets, targets);
}

__device__ static count_t nanoseconds()
{
    count_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

template <typename R>
__global__ static void __launch_bounds__(RELAX_THREADS, RELAX_BLOCKS_PER_SM)
    relax(cuda_relax x, unsigned turn, long long number, count_t most, count_t targets,
          relax_params *steps)
{
    __shared__ found_queue found;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    relax_state *state = x.state;
    bool lone = first_thread() == 0;
    frontier_size size = unpack(__ldcg(&state->next[turn]), x.edge_bits);
    count_t done = 0, met = __ldcg(&state->targets);
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    if (x.prepares) {
        prepare<R>(x, turn, size);
        grid.sync();
    }
    while (done < most && size.vertices && !(targets && met >= targets)) {
        count_t began = nanoseconds();
        walk_frontier(
            x, turn, size, [&](uint64_t e, uint32_t inner) { offer_news<R>(x, found, e, inner); },
            [&] {
                flush(found, x.frontier[turn ^ 1], x.p.start, x.edge_bits, &state->next[turn ^ 1],
                      &state->tall[turn ^ 1]);
            });
        grid.sync();
        frontier_size next = unpack(__ldcg(&state->next[turn ^ 1]), x.edge_bits);
        settle<typename R::T>(x, turn ^ 1, next.vertices, number, x.keeps && done + 1 == most);
        if (lone) {
            state->next[turn] = 0; /* read by all; written next in the step to come */
            state->tall[turn] = 0;
            state->frontier = size.vertices;
            state->edges = size.edges;
            if (steps)
                steps[done] = relax_params{size.vertices, size.edges, nanoseconds() - began};
        }
        grid.sync();
        met = __ldcg(&state->targets);
        size = next;
        turn ^= 1;
        number++;
        done++;
    }
    if (lone)
        state->steps = done;
}

template <typename R>
static cudaError_t launch(const cuda_relax *x, unsigned turn, long long number, uint64_t most,
                          uint64_t targets, relax_params *steps, cudaStream_t stream)
{
    int blocks = 0;
    cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, (const void *)relax<R>, RELAX_THREADS, 0);
    if (error != cudaSuccess)
        return error;
    cuda_relax copy = *x;
    count_t bound = most, wanted = targets;
    void *arguments[] = {&copy, &turn, &number, &bound, &wanted, &steps};
    return cudaLaunchCooperativeKernel((const void *)relax<R>,
                                       dim3((unsigned)blocks * x->p.multiprocessors),
                                       dim3(RELAX_THREADS), arguments, 0, stream);
}

cudaError_t sl_cuda_relax_steps(const cuda_relax *x, unsigned turn, long long number, uint64_t most,
                                uint64_t targets, relax_params *steps, cudaStream_t stream)
{
    const cuda_product *p = &x->p;
#define LAUNCH(R) return launch<R>(x, turn, number, most, targets, steps, stream)
    PRECOMPILED_RELAX(RING_AHEAD)
    RING_OF_POSITIONS
    WITH_TYPE(p->type, RING_OF_TYPE)
#undef LAUNCH
    return cudaErrorInvalidValue;
}

/* ---- the beginning --------------------------------------------------------------------- */

template <typename T>
__global__ static void begin(cuda_relax x, const uint32_t *bits, const T *values)
{
    list_bits(x.frontier[0], bits, (x.n + 31) / 32, x.p.start, x.edge_bits, &x.state->next[0],
              &x.state->tall[0], [&](uint32_t v) {
                  if (x.news)
                      ((T *)x.news)[v] = values[v];
              });
}

cudaError_t sl_cuda_relax_begin(const cuda_relax *x, const uint32_t *bits, const void *values,
                                size_t size, cudaStream_t stream)
{
    unsigned blocks = grid_of((x->n + 31) / 32, x->p.multiprocessors * CUDA_BLOCKS_PER_SM);
#define LAUNCH(T)                                                                                  \
    begin<<<blocks, CUDA_THREADS, 0, stream>>>(*x, bits, (const T *)values)
    WITH_SIZE(size, LAUNCH)
#undef LAUNCH
    return cudaGetLastError();
}

template <typename T>
__global__ static void begin_listed(cuda_relax x, const T *values, count_t vertices, count_t edges,
                                    unsigned tall)
{
    for (count_t k = first_thread(); x.news && k < vertices; k += all_threads()) {
        uint32_t v = x.frontier[0].list[k];
        ((T *)x.news)[v] = values[v];
    }
    if (first_thread() == 0) {
        x.state->next[0] = (vertices << x.edge_bits) + edges;
        x.state->tall[0] = tall;
    }
}

cudaError_t sl_cuda_relax_begin_listed(const cuda_relax *x, const void *values, size_t size,
                                       uint64_t vertices, uint64_t edges, bool tall,
                                       cudaStream_t stream)
{
    unsigned blocks = grid_of(vertices, x->p.multiprocessors * CUDA_BLOCKS_PER_SM);
#define LAUNCH(T)                                                                                  \
    begin_listed<<<blocks, CUDA_THREADS, 0, stream>>>(*x, (const T *)values, vertices, edges,      \
                                                      tall)
    WITH_SIZE(size, LAUNCH)
#undef LAUNCH
    return cudaGetLastError();
}

__global__ static void count_met(cuda_relax x)
{
    count_t met = 0;
    for (uint64_t w = first_thread(); w < (x.n + 31) / 32; w += all_threads())
        met += __popc(x.targets[w] & x.p.bits[w]);
    met = warp_sum(met);
    if (threadIdx.x % 32 == 0 && met)
        atomicAdd(&x.state->targets, met);
}

cudaError_t sl_cuda_relax_met(const cuda_relax *x, cudaStream_t stream)
{
    unsigned blocks = grid_of((x->n + 31) / 32, x->p.multiprocessors * CUDA_BLOCKS_PER_SM);
    count_met<<<blocks, CUDA_THREADS, 0, stream>>>(*x);
    return cudaGetLastError();
}
