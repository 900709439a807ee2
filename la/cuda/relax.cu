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
#include <cub/block/block_scan.cuh>

#include "offer.cuh"
#include "relax_kernels.h"

typedef cub::BlockScan<count_t, RELAX_THREADS> relax_scan;

/* What a block found and has not yet put into the grid's queue. */
struct found_queue {
    uint32_t vertex[RELAX_TILE];
    unsigned count;
    count_t place;
    typename relax_scan::TempStorage scan;
};

/* A frontier's vertices and edges, from where they are counted in one number. */
struct frontier_size {
    count_t vertices, edges;
};

__device__ static frontier_size unpack(const cuda_relax &x, count_t packed)
{
    return {packed >> x.edge_bits, packed & (((count_t)1 << x.edge_bits) - 1)};
}

/* The start of what a pi without an entry holds: any sum with it is the other term. Of
 * floats that is NaN, which min and max pass over, as a NaN may be all there is. */
template <typename T> __device__ static T nothing(const cuda_relax &x)
{
    if constexpr (is_float<T>)
        return (T)NAN;
    T identity;
    memcpy(&identity, &x.p.identity, sizeof identity);
    return identity;
}

/* ---- one edge ------------------------------------------------------------------- */

__device__ static bool first_to_set(uint32_t *bits, uint32_t v)
{
    uint32_t bit = (uint32_t)1 << (v % 32);
    return !bit_now(bits, v) && !(atomicOr(bits + v / 32, bit) & bit);
}

template <typename T> __device__ static T value_now(const T *at)
{
    if constexpr (std::is_same_v<T, bool>)
        return *(const volatile bool *)at;
    else
        return __ldcg(at);
}

/* Would z change what pi has of v? An entry that is not there yet is news whatever it is. */
template <typename R>
__device__ static bool is_news(const cuda_relax &x, uint32_t v, typename R::T z)
{
    using T = typename R::T;
    T old = value_now((const T *)x.p.t_values + v);
    if (!(binary(R::add_code(x.p), old, z) == old))
        return true;
    return old == nothing<T>(x) && !bit_now(x.p.bits, v);
}

template <typename R>
__device__ static void offer_news(const cuda_relax &x, found_queue &found, uint64_t e,
                                  uint32_t inner)
{
    using T = typename R::T;
    uint32_t v = x.p.index[e];
    T *at = (T *)x.p.t_values + v;
    if (x.settles && bit_now(x.p.bits, v))
        return;
    if (R::any || x.p.any) {
        if (!first_to_set(x.fresh, v))
            return;
        *at = R::multiply(x.p, e, v, inner);
    } else {
        T z = R::multiply(x.p, e, v, inner);
        if (!x.settles && !is_news<R>(x, v, z))
            return;
        combine(at, z, R::add_code(x.p));
        if (!first_to_set(x.fresh, v))
            return;
    }
    found.vertex[atomicAdd(&found.count, 1u)] = v;
}

/* ---- the edges of a frontier ------------------------------------------------------ */

__device__ static unsigned share_of(count_t all, unsigned unit, unsigned most)
{
    count_t share = (all + gridDim.x - 1) / gridDim.x;
    share = (share + unit - 1) / unit * unit;
    return share < most ? (unsigned)share : most;
}

/*
 * Calls visit(edge, row) for all edges and done() at the end of each piece of at most
 * RELAX_TILE of them. Short rows are a thread's each; among others the edges are shared
 * evenly, and each finds its row by binary search (Bisson and others 2016).
 */
template <typename VISIT, typename DONE>
__device__ static void walk_rows(const cuda_relax &x, const cuda_frontier &f, count_t vertices,
                                 VISIT visit, DONE done)
{
    unsigned piece = share_of(vertices, 32, RELAX_THREADS);
    for (count_t first = (count_t)blockIdx.x * piece; first < vertices;
         first += (count_t)gridDim.x * piece) {
        count_t k = first + threadIdx.x;
        if (threadIdx.x < piece && k < vertices) {
            uint32_t u = f.list[k];
            uint64_t end = x.p.start[u + (uint64_t)1];
            for (uint64_t e = x.p.start[u]; e < end; e++)
                visit(e, u);
        }
        done();
    }
}

template <typename VISIT, typename DONE>
__device__ static void walk_edges(const cuda_relax &x, const cuda_frontier &f, frontier_size size,
                                  VISIT visit, DONE done)
{
    __shared__ uint64_t first_row, last_row;
    unsigned tile = share_of(size.edges, 32, RELAX_TILE);
    for (count_t first = (count_t)blockIdx.x * tile; first < size.edges;
         first += (count_t)gridDim.x * tile) {
        count_t stop = first + tile < size.edges ? first + tile : size.edges;
        if (threadIdx.x == 0)
            first_row = row_of(f.ends, 0, size.vertices, first);
        if (threadIdx.x == 32)
            last_row = row_of(f.ends, 0, size.vertices, stop - 1);
        __syncthreads();
        for (count_t at = first + threadIdx.x; at < stop; at += RELAX_THREADS) {
            uint64_t k = row_of(f.ends, first_row, last_row, at);
            uint32_t u = f.list[k];
            visit(x.p.start[u] + at - (k ? f.ends[k - 1] : 0), u);
        }
        done();
        __syncthreads(); /* before the rows of the next tile are noted */
    }
}

template <typename VISIT, typename DONE>
__device__ static void walk(const cuda_relax &x, unsigned turn, count_t packed, VISIT visit,
                            DONE done)
{
    frontier_size size = unpack(x, packed);
    if (__ldcg(&x.state->tall[turn]))
        walk_edges(x, x.frontier[turn], size, visit, done);
    else
        walk_rows(x, x.frontier[turn], size.vertices, visit, done);
}

/* ---- the next frontier ------------------------------------------------------------- */

/* Puts what the block found behind the grid's queue. */
__device__ static void flush(const cuda_relax &x, found_queue &found, unsigned turn)
{
    __syncthreads();
    unsigned all = found.count;
    for (unsigned first = 0; first < all; first += RELAX_THREADS) {
        unsigned k = first + threadIdx.x, now = min(all - first, (unsigned)RELAX_THREADS);
        uint32_t v = k < all ? found.vertex[k] : 0;
        count_t length = k < all ? x.p.start[v + (uint64_t)1] - x.p.start[v] : 0, end, edges;
        relax_scan(found.scan).InclusiveSum(length, end, edges);
        if (threadIdx.x == 0)
            found.place =
                atomicAdd(&x.state->next[turn], ((count_t)now << x.edge_bits) + edges);
        __syncthreads();
        if (k < all) {
            frontier_size before = unpack(x, found.place);
            x.frontier[turn].list[before.vertices + threadIdx.x] = v;
            x.frontier[turn].ends[before.vertices + threadIdx.x] = before.edges + end;
            if (length > RELAX_ALONE)
                x.state->tall[turn] = 1;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
}

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
        if (x.level) {
            x.level[v] = number;
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

/* ---- the steps ----------------------------------------------------------------------- */

__device__ static count_t nanoseconds()
{
    count_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* Values that pi lacks: all, or for one step of few edges those at their ends. */
template <typename R>
__device__ static void prepare(const cuda_relax &x, unsigned turn, count_t packed, bool all)
{
    using T = typename R::T;
    if (all)
        for (uint64_t v = first_thread(); v < x.n; v += all_threads()) {
            if (!bit_now(x.p.bits, (uint32_t)v))
                ((T *)x.p.t_values)[v] = nothing<T>(x);
        }
    else
        walk(
            x, turn, packed,
            [&](uint64_t e, uint32_t) {
                uint32_t v = x.p.index[e];
                if (!bit_now(x.p.bits, v))
                    ((T *)x.p.t_values)[v] = nothing<T>(x);
            },
            [] {});
}

template <typename R>
__global__ static void __launch_bounds__(RELAX_THREADS, RELAX_BLOCKS_PER_SM)
    relax(cuda_relax x, unsigned turn, long long number, count_t most, count_t targets,
          cuda_small_step *steps)
{
    __shared__ found_queue found;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    cuda_relax_state *state = x.state;
    bool lone = first_thread() == 0;
    count_t packed = __ldcg(&state->next[turn]), done = 0, met = __ldcg(&state->targets);
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    if (x.prepares) {
        prepare<R>(x, turn, packed,
                   most > 1 || unpack(x, packed).edges > x.n / RELAX_PREPARE_SHARE);
        grid.sync();
    }
    while (done < most && packed && !(targets && met >= targets)) {
        count_t began = nanoseconds();
        frontier_size size = unpack(x, packed);
        walk(
            x, turn, packed,
            [&](uint64_t e, uint32_t inner) { offer_news<R>(x, found, e, inner); },
            [&] { flush(x, found, turn ^ 1); });
        grid.sync();
        packed = __ldcg(&state->next[turn ^ 1]);
        settle<typename R::T>(x, turn ^ 1, unpack(x, packed).vertices, number,
                              x.keeps && done + 1 == most);
        if (lone) {
            state->next[turn] = 0; /* read by all; written next in the step to come */
            state->tall[turn] = 0;
            state->frontier = size.vertices;
            state->edges = size.edges;
            if (steps)
                steps[done] = cuda_small_step{size.vertices, size.edges, nanoseconds() - began};
        }
        grid.sync();
        met = __ldcg(&state->targets);
        turn ^= 1;
        number++;
        done++;
    }
    if (lone)
        state->steps = done;
}

template <typename R>
static cudaError_t launch(const cuda_relax *x, unsigned turn, long long number, uint64_t most,
                          uint64_t targets, cuda_small_step *steps, cudaStream_t stream)
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

/* What is compiled for its semiring; others look their operators up while they run. */
#define RELAX_AHEAD(X)                                                                             \
    X(float, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                           \
    X(double, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                          \
    X(int32_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                         \
    X(int64_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                         \
    X(int64_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_FIRST)                                        \
    X(bool, CUDA_VALUES, SL_BINARY_LOR, SL_BINARY_LAND)                                            \
    X(int64_t, CUDA_POSITION, SL_BINARY_ANY, -1)

cudaError_t sl_cuda_relax_steps(const cuda_relax *x, unsigned turn, long long number,
                                uint64_t most, uint64_t targets, cuda_small_step *steps,
                                cudaStream_t stream)
{
    const cuda_product *p = &x->p;
#define LAUNCH(R) return launch<R>(x, turn, number, most, targets, steps, stream)
    RELAX_AHEAD(RING_AHEAD)
    if (p->kind == CUDA_POSITION) {
        using R = ring<int64_t, CUDA_POSITION, -1, -1>;
        LAUNCH(R);
    }
    WITH_TYPE(p->type, RING_OF_TYPE)
#undef LAUNCH
    return cudaErrorInvalidValue;
}

/* ---- the beginning --------------------------------------------------------------------- */

/* A word of bits to a thread: a warp's vertices take one stretch of the queue. */
template <typename T>
__global__ static void begin(cuda_relax x, const uint32_t *bits, const T *values)
{
    unsigned lane = threadIdx.x % 32;
    uint64_t words = (x.n + 31) / 32;
    bool tall = false;
    for (uint64_t first = first_thread() - lane; first < words; first += all_threads()) {
        uint64_t w = first + lane;
        uint32_t word = w < words ? bits[w] : 0;
        count_t own = (count_t)__popc(word) << x.edge_bits;
        for (uint32_t left = word; left; left &= left - 1) {
            uint64_t v = 32 * w + __ffs(left) - 1;
            own += x.p.start[v + 1] - x.p.start[v];
        }
        count_t upto = own, place = 0;
        for (unsigned offset = 1; offset < 32; offset *= 2) {
            count_t other = __shfl_up_sync(full_warp, upto, offset);
            upto += lane >= offset ? other : 0;
        }
        if (lane == 31 && upto)
            place = atomicAdd(&x.state->next[0], upto);
        frontier_size at = unpack(x, __shfl_sync(full_warp, place, 31) + upto - own);
        for (uint32_t left = word; left; left &= left - 1) {
            uint32_t v = (uint32_t)(32 * w) + __ffs(left) - 1;
            count_t length = x.p.start[v + (uint64_t)1] - x.p.start[v];
            at.edges += length;
            tall |= length > RELAX_ALONE;
            x.frontier[0].list[at.vertices] = v;
            x.frontier[0].ends[at.vertices++] = at.edges;
            if (x.news)
                ((T *)x.news)[v] = values[v];
        }
    }
    if (tall)
        x.state->tall[0] = 1;
}

cudaError_t sl_cuda_relax_begin(const cuda_relax *x, const uint32_t *bits, const void *values,
                                size_t size, cudaStream_t stream)
{
    unsigned blocks =
        grid_of((x->n + 31) / 32, x->p.multiprocessors * CUDA_BLOCKS_PER_SM);
#define LAUNCH(T)                                                                                  \
    begin<<<blocks, CUDA_THREADS, 0, stream>>>(*x, bits, (const T *)values);                       \
    break
    switch (size) {
    case 1:
        LAUNCH(uint8_t);
    case 2:
        LAUNCH(uint16_t);
    case 4:
        LAUNCH(uint32_t);
    case 8:
        LAUNCH(uint64_t);
    default:
        return cudaErrorInvalidValue;
    }
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
