/*
 * Dependencies, levels with many edges: a pass over the rows of all vertices serves all searches.
 * Masks, a word per vertex with a bit per search, say which searches have a vertex in a level.
 *
 * A warp reads the masks of up to 128 neighbours of a vertex, keeps the neighbours of which some
 * search needs the number, and then reads these numbers: those of one neighbour are contiguous, and
 * of 2^shift lanes each reads the number of one search. So each number is gathered once for each
 * edge between two levels, and what lies in the same level costs a mask only.
 *
 * Launch: blocks of PASS_THREADS threads. The first blocks take a long row each. The warps of the
 * others take 32 vertices each, one row after the other. Numbers are written by one thread each,
 * without atomics, and sums are taken in a fixed order. Benign race: `visited` is changed for its
 * own vertex only, and no other vertex reads it.
 */
#include "cuda/fixpoint/dependencies.cuh"
#include "cuda/fixpoint/fixpoint_tuning.h"

static constexpr unsigned warps = PASS_THREADS / 32;
static constexpr int batches = 4; /* of 32 neighbours, that a warp reads at once */
static constexpr int gathers = 4; /* numbers that a lane reads at once */

/* A neighbour, and the searches that need its number. */
struct wanted_pairs {
    uint32_t vertex, searches;
};

/*
 * A pass is described by a struct:
 *
 *   rows, masks         the rows to read; the masks of the neighbours, NULL: no neighbour counts
 *   numbers             by pair, the number that a neighbour adds; extended: it has an exponent
 *   wanted(v)           the searches that v takes part in
 *   open(pair)          the sum's first value
 *   close(pair, sum)    stores the sum of a pair that v takes part in; true if it is a new pair
 *   store(v, found)     stores the mask of the new pairs of v, for all vertices
 */

/* Forward: paths to the pairs of the next level. */
template <bool Extended> struct count_step {
    typedef path_sum<Extended> sum_type;
    static constexpr bool extended = Extended;
    const dependency_params &p;
    const dependency_rows &rows;
    const uint32_t *masks;
    const double *numbers;
    uint32_t *visited, *found;
    uint32_t level;

    __device__ uint32_t wanted(uint64_t v) const
    {
        return p.searches & ~visited[v];
    }
    __device__ sum_type open(uint32_t) const
    {
        return {0, 0};
    }
    __device__ bool close(uint32_t pair, const sum_type &sum) const
    {
        if (sum.x == 0)
            return false;
        p.level[pair] = level;
        if (put_paths(p, pair, sum))
            p.state->large[0] = 1;
        return true;
    }
    __device__ void store(uint64_t v, uint32_t mask) const
    {
        found[v] = mask;
        if (mask)
            visited[v] |= mask;
    }
};

/* Backward: dependencies of the pairs of a level. */
template <bool Extended> struct sum_step {
    typedef flow_sum<Extended> sum_type;
    static constexpr bool extended = Extended;
    const dependency_params &p;
    const dependency_rows &rows;
    const uint32_t *masks;
    const double *numbers;
    const uint32_t *own;

    __device__ uint32_t wanted(uint64_t v) const
    {
        return own[v];
    }
    __device__ sum_type open(uint32_t pair) const
    {
        return {0, Extended ? p.exponent[pair] : 0};
    }
    __device__ bool close(uint32_t pair, const sum_type &sum) const
    {
        put_dependency(p, pair, sum);
        return true;
    }
    __device__ void store(uint64_t, uint32_t) const
    {
    }
};

/* Adds the numbers of neighbours first, first + together, ... of the list, `gathers` of them, the
 * lane's search only. The reads do not depend on each other. */
template <typename STEP>
__device__ static void gather(const STEP &step, typename STEP::sum_type &sum, unsigned first,
                              unsigned count, const wanted_pairs *list)
{
    const unsigned shift = step.p.shift, together = 32u >> shift;
    const unsigned search = threadIdx.x % 32 & ((1u << shift) - 1);
    double number[gathers];
    int exponent[gathers];
#pragma unroll
    for (int k = 0; k < gathers; k++) {
        const unsigned at = first + k * together;
        const wanted_pairs of = at < count ? list[at] : wanted_pairs{0, 0};
        const uint32_t pair = (of.vertex << shift) + search;
        const bool taken = of.searches >> search & 1;
        number[k] = taken ? step.numbers[pair] : 0;
        exponent[k] = STEP::extended && taken ? step.p.exponent[pair] : 0;
    }
#pragma unroll
    for (int k = 0; k < gathers; k++)
        if (!STEP::extended || number[k] != 0)
            sum.add(number[k], exponent[k]);
}

/* Adds the numbers of the neighbours in columns [begin, end), the lane's search only; of every
 * `stride` columns the first 128. The lanes of one search have parts of the sum. By all lanes of a
 * warp; `list` is the warp's. */
template <typename STEP>
__device__ static void add_row(const STEP &step, typename STEP::sum_type &sum, uint64_t begin,
                               uint64_t end, uint64_t stride, uint32_t wanted, wanted_pairs *list)
{
    const unsigned lane = threadIdx.x % 32, shift = step.p.shift, together = 32u >> shift;
    for (uint64_t base = begin; base < end; base += stride) {
        uint32_t vertex[batches], searches[batches];
#pragma unroll
        for (int k = 0; k < batches; k++) {
            const uint64_t e = base + 32 * k + lane;
            vertex[k] = e < end ? __ldcs(step.rows.index + e) : UINT32_MAX;
        }
#pragma unroll
        for (int k = 0; k < batches; k++) {
            const bool there = base + 32 * k + lane < end;
            searches[k] = there ? __ldg(step.masks + vertex[k]) & wanted : 0;
        }
        unsigned count = 0;
#pragma unroll
        for (int k = 0; k < batches; k++) {
            const unsigned kept = __ballot_sync(full_warp, searches[k] != 0);
            if (searches[k])
                list[count + __popc(kept & ((1u << lane) - 1))] = {vertex[k], searches[k]};
            count += __popc(kept);
        }
        __syncwarp();
        for (unsigned first = lane >> shift; first < count; first += gathers * together)
            gather(step, sum, first, count, list);
        __syncwarp();
    }
}

/* The sum of the lanes of each search, in all of them. */
template <typename SUM> __device__ static void add_lanes(SUM &sum, unsigned shift)
{
    for (int offset = 16; offset >= 1 << shift; offset /= 2)
        sum.add(sum.of_lane_xor(offset));
}

/* Stores the sums of vertex v, one in each of the first lanes. Returns the mask of new pairs. */
template <typename STEP>
__device__ static uint32_t close_row(const STEP &step, uint64_t v, uint32_t wanted,
                                     const typename STEP::sum_type &sum)
{
    const unsigned lane = threadIdx.x % 32, shift = step.p.shift;
    const bool mine = lane < 1u << shift && wanted >> lane & 1;
    return __ballot_sync(full_warp, mine && step.close((uint32_t)(v << shift) + lane, sum));
}

/* The first sum of the lane's pair of vertex v. */
template <typename STEP>
__device__ static typename STEP::sum_type open_row(const STEP &step, uint64_t v, uint32_t wanted)
{
    const unsigned shift = step.p.shift, search = threadIdx.x % 32 & ((1u << shift) - 1);
    return wanted >> search & 1 ? step.open((uint32_t)(v << shift) + search)
                                : typename STEP::sum_type{0, 0};
}

/* One long row, by all threads of the block. */
template <typename STEP>
__device__ static void take_long_row(const STEP &step, uint64_t v, wanted_pairs *list)
{
    __shared__ typename STEP::sum_type parts[warps][32];
    const uint32_t wanted = step.wanted(v);
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const dependency_row row = row_at(step.p, step.rows, v);
    if (wanted && step.masks) {
        typename STEP::sum_type sum = open_row(step, v, wanted);
        add_row(step, sum, row.begin + warp * 32 * batches, row.end, PASS_THREADS * batches, wanted,
                list);
        add_lanes(sum, step.p.shift);
        parts[warp][lane] = sum;
    }
    __syncthreads();
    if (warp > 0)
        return;
    uint32_t found = 0;
    if (wanted) {
        typename STEP::sum_type sum = step.masks ? parts[0][lane] : open_row(step, v, wanted);
        for (unsigned w = 1; w < warps && step.masks; w++)
            sum.add(parts[w][lane]);
        found = close_row(step, v, wanted, sum);
    }
    if (lane == 0)
        step.store(v, found);
}

/* Vertices first to first + 31, those with long rows left out, by one warp. */
template <typename STEP>
__device__ static void take_rows(const STEP &step, uint64_t first, wanted_pairs *list)
{
    const unsigned lane = threadIdx.x % 32;
    const uint64_t v = first + lane;
    dependency_row row = {0, 0};
    uint32_t wanted = 0, found = 0;
    bool mine = v < step.p.n;
    if (mine) {
        row = row_at(step.p, step.rows, v);
        mine = row.end - row.begin <= PASS_LONG_ROW;
        wanted = mine ? step.wanted(v) : 0;
    }
    for (unsigned left = __ballot_sync(full_warp, wanted != 0); left; left &= left - 1) {
        const int k = __ffs(left) - 1;
        const uint32_t of = __shfl_sync(full_warp, wanted, k);
        const uint64_t begin = __shfl_sync(full_warp, row.begin, k);
        const uint64_t end = __shfl_sync(full_warp, row.end, k);
        typename STEP::sum_type sum = open_row(step, first + k, of);
        if (step.masks)
            add_row(step, sum, begin, end, 32 * batches, of, list);
        add_lanes(sum, step.p.shift);
        const uint32_t pairs = close_row(step, first + k, of, sum);
        found = lane == (unsigned)k ? pairs : found;
    }
    if (mine)
        step.store(v, found);
}

template <typename STEP>
__device__ static void run_pass(const STEP &step, const dependency_long_rows &long_rows)
{
    __shared__ wanted_pairs lists[warps][32 * batches];
    wanted_pairs *list = lists[threadIdx.x / 32];
    if (blockIdx.x < long_rows.count)
        take_long_row(step, long_rows.vertex[blockIdx.x], list);
    else
        take_rows(step,
                  (uint64_t)(blockIdx.x - long_rows.count) * PASS_THREADS + threadIdx.x / 32 * 32,
                  list);
}

template <bool Extended>
__global__ static void __launch_bounds__(PASS_THREADS)
    count_pass(const __grid_constant__ dependency_params p, dependency_long_rows long_rows,
               uint32_t level, const uint32_t *frontier, uint32_t *visited, uint32_t *found)
{
    run_pass(count_step<Extended>{p, p.in, frontier, p.paths, visited, found, level}, long_rows);
}

template <bool Extended>
__global__ static void __launch_bounds__(PASS_THREADS)
    sum_pass(const __grid_constant__ dependency_params p, dependency_long_rows long_rows,
             const uint32_t *own, const uint32_t *successors)
{
    run_pass(sum_step<Extended>{p, p.out, successors, p.flow, own}, long_rows);
}

static unsigned blocks_of(const dependency_params *p, const dependency_long_rows *long_rows)
{
    return long_rows->count + (unsigned)((p->n + PASS_THREADS - 1) / PASS_THREADS);
}

cudaError_t sl_cuda_dependencies_count_pass(const dependency_params *p,
                                            const dependency_long_rows *long_rows, uint32_t level,
                                            const uint32_t *frontier, uint32_t *visited,
                                            uint32_t *found)
{
    const auto kernel = p->exponent ? count_pass<true> : count_pass<false>;
    return launch_blocks({blocks_of(p, long_rows), PASS_THREADS}, kernel, *p, *long_rows, level,
                         frontier, visited, found);
}

cudaError_t sl_cuda_dependencies_sum_pass(const dependency_params *p,
                                          const dependency_long_rows *long_rows,
                                          const uint32_t *own, const uint32_t *successors)
{
    const auto kernel = p->exponent ? sum_pass<true> : sum_pass<false>;
    return launch_blocks({blocks_of(p, long_rows), PASS_THREADS}, kernel, *p, *long_rows, own,
                         successors);
}
