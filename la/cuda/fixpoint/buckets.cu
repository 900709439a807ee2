/*
 * A closure in the order of its values: of what waits for its turn only that takes a step whose
 * value is near the best one, so that few are bettered again (Davidson, Baxter, Garland, Owens,
 * "Work-Efficient Parallel GPU Methods for Single-Source Shortest Paths", IPDPS 2014: near and
 * far). One cooperative launch, as in relax.cu. Who finds a new or better value is listed; after a
 * barrier the list is parted into the next frontier and what waits, and when no frontier is left,
 * what waits is, by a new limit. As values only get better and limits further, who was in a
 * frontier never waits again, so that a bit of each vertex tells which entries of the list still
 * count.
 */
#include <cooperative_groups.h>

#include "relax.cuh"

/* ---- values as numbers --------------------------------------------------------------------- */

/* Ascends as x does; 0 is below all of them. */
__device__ static count_t ordered(double x)
{
    const count_t bits = (count_t)__double_as_longlong(x), sign = (count_t)1 << 63;
    return bits & sign ? ~bits : bits | sign;
}

/* The number that it is made of. */
__host__ __device__ static double unordered(count_t key)
{
    const count_t sign = (count_t)1 << 63, bits = key & sign ? key & ~sign : ~key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The better a value is, the lower. */
template <typename R, typename T> __device__ static double rank_of(const cuda_relax &x, T value)
{
    return R::add_code(x.p) == SL_BINARY_MAX ? -(double)value : (double)value;
}

/* ---- parting -------------------------------------------------------------------------------- */

/* Puts what the block found behind a list. */
__device__ static void flush_list(found_queue &found, uint32_t *list, count_t *count)
{
    __syncthreads();
    const unsigned all = found.count;
    if (all > 0 && threadIdx.x == 0)
        found.new_id = atomicAdd(count, (count_t)all);
    __syncthreads();
    for (unsigned k = threadIdx.x; k < all; k += RELAX_THREADS)
        list[found.new_id + k] = found.vertex[k];
    __syncthreads();
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
}

/* A warp's vertices behind a list. */
__device__ static void append(uint32_t *list, count_t *count, bool is, uint32_t v)
{
    const unsigned who = __ballot_sync(full_warp, is), lane = threadIdx.x % 32;
    count_t new_id = 0;
    if (!who)
        return;
    if (lane == 0)
        new_id = atomicAdd(count, (count_t)__popc(who));
    new_id = __shfl_sync(full_warp, new_id, 0) + __popc(who & ((1u << lane) - 1));
    if (is)
        list[new_id] = v;
}

/* v has a new value: it is an entry of pi now, and may find better ones again. */
__device__ static bool enter(const cuda_relax &x, uint32_t v)
{
    const uint32_t bit = 1u << v % 32;
    atomicAnd(x.fresh + v / 32, ~bit);
    return !bit_now(x.p.bits, v) && !(atomicOr(x.p.bits + v / 32, bit) & bit);
}

/*
 * Of a list of vertices those within the limit become frontier[turn], and the others wait. The list
 * is of those that were found; or (WAITED) of those that have waited, of which some have been in a
 * frontier since.
 */
template <typename R, bool WAITED>
__device__ static void part(const cuda_relax &x, const delta_stepping_params &b, found_queue &found,
                            const uint32_t *list, count_t count, double limit, unsigned turn,
                            uint32_t *waiting, cuda_waiting *after)
{
    using T = typename R::T;
    const unsigned piece = share_of(count, RELAX_THREADS);
    count_t added = 0, first_key = 0;
    for (count_t first = (count_t)blockIdx.x * piece; first < count;
         first += (count_t)gridDim.x * piece) {
        const count_t k = first + threadIdx.x;
        bool there = threadIdx.x < piece && k < count, waits = false;
        const uint32_t v = there ? __ldcg(list + k) : 0, bit = 1u << v % 32;
        const bool waited = there && bit_now(b.waits, v);
        if (!WAITED && there)
            added += enter(x, v);
        if (WAITED)
            there = waited;
        if (there) {
            const T value = value_now((const T *)x.p.t_values + v);
            const double rank = rank_of<R>(x, value);
            waits = rank > limit; /* NaN does not */
            if (waits) {
                const count_t key = ~ordered(rank);
                first_key = key > first_key ? key : first_key;
                if (!waited)
                    atomicOr(b.waits + v / 32, bit);
            } else {
                if (waited)
                    atomicAnd(b.waits + v / 32, ~bit);
                ((T *)x.news)[v] = value;
                found_one(found, v);
            }
        }
        append(waiting, &after->count, waits && (WAITED || !waited), v);
        flush(found, x.frontier[turn], x.p.start, x.edge_bits, &x.state->next[turn],
              &x.state->tall[turn]);
    }
    added = warp_sum(added);
    for (int offset = 16; offset > 0; offset /= 2) {
        const count_t other = __shfl_xor_sync(full_warp, first_key, offset);
        first_key = other > first_key ? other : first_key;
    }
    if (threadIdx.x % 32 != 0)
        return;
    if (added)
        atomicAdd(&x.state->added, added);
    if (first_key > __ldcg(&after->first))
        atomicMax(&after->first, first_key);
}

/* ---- the steps ------------------------------------------------------------------------------ */

/* All blocks decide alike, by counts that nobody changes before all have read them: what waits
 * is counted in three turns, and who is found in two, of which one is emptied meanwhile. */
template <typename R>
__global__ static void __launch_bounds__(RELAX_THREADS, RELAX_BLOCKS_PER_SM)
    buckets(const __grid_constant__ cuda_relax x, const __grid_constant__ delta_stepping_params b)
{
    __shared__ found_queue found;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    relax_state *state = x.state;
    cuda_waiting *waiting = b.state->waiting;
    const bool lone = first_thread() == 0;
    frontier_size size = unpack(__ldcg(&state->next[0]), x.edge_bits);
    double limit = -INFINITY;
    unsigned turn = 0, pass = 0;
    count_t done = 0;
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    prepare<R>(x, turn, size);
    grid.sync();
    for (;; turn ^= 1, size = unpack(__ldcg(&state->next[turn]), x.edge_bits)) {
        if (size.vertices == 0) {
            const count_t count = __ldcg(&waiting[pass % 3].count);
            if (count == 0)
                break;
            limit = unordered(~__ldcg(&waiting[pass % 3].first)) + b.width;
            part<R, true>(x, b, found, b.waiting[pass % 2], count, limit, turn ^ 1,
                          b.waiting[(pass + 1) % 2], &waiting[(pass + 1) % 3]);
            pass++;
            if (lone)
                waiting[(pass + 1) % 3] = cuda_waiting{};
            grid.sync();
            continue;
        }
        count_t *now = &b.state->found[done % 2];
        walk_frontier(
            x, turn, size, [&](uint64_t e, uint32_t inner) { offer_news<R>(x, found, e, inner); },
            [&] { flush_list(found, b.found, now); });
        grid.sync();
        part<R, false>(x, b, found, b.found, __ldcg(now), limit, turn ^ 1, b.waiting[pass % 2],
                       &waiting[pass % 3]);
        done++;
        if (lone) {
            state->next[turn] = 0;
            state->tall[turn] = 0;
            b.state->found[done % 2] = 0;
        }
        grid.sync();
    }
    if (lone)
        state->steps = done;
}

template <typename R>
static cudaError_t launch(const cuda_relax *x, const delta_stepping_params *b, cudaStream_t stream)
{
    void (*const kernel)(cuda_relax, delta_stepping_params) = buckets<R>;
    int blocks = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, RELAX_THREADS, 0);
    if (error != cudaSuccess)
        return error;
    void *arguments[] = {(void *)x, (void *)b};
    return cudaLaunchCooperativeKernel((const void *)kernel,
                                       dim3((unsigned)blocks * x->p.multiprocessors),
                                       dim3(RELAX_THREADS), arguments, 0, stream);
}

cudaError_t sl_cuda_delta_stepping_launch(const cuda_relax *x, const delta_stepping_params *b, cudaStream_t stream)
{
    const cuda_product *p = &x->p;
#define LAUNCH(R) return launch<R>(x, b, stream)
    PRECOMPILED_DELTA_STEPPING(RING_AHEAD)
    WITH_TYPE(p->type, RING_OF_TYPE)
#undef LAUNCH
    return cudaErrorInvalidValue;
}

/* ---- weights --------------------------------------------------------------------------------- */

template <typename T>
__global__ static void weigh(cuda_weights *weights, const uint32_t *bits, const T *values,
                             uint64_t n)
{
    count_t least = 0, greatest = 0;
    double sum = 0;
    for (uint64_t k = first_thread(); k < n; k += all_threads()) {
        if (bits && !bit_of(bits, (uint32_t)k))
            continue;
        const double value = (double)values[k];
        const count_t key = ordered(value);
        least = ~key > least ? ~key : least;
        greatest = key > greatest ? key : greatest;
        sum += fabs(value);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        const count_t low = __shfl_xor_sync(full_warp, least, offset);
        const count_t high = __shfl_xor_sync(full_warp, greatest, offset);
        least = low > least ? low : least;
        greatest = high > greatest ? high : greatest;
        sum += __shfl_xor_sync(full_warp, sum, offset);
    }
    if (threadIdx.x % 32 != 0 || greatest == 0)
        return;
    atomicMax(&weights->least, least);
    atomicMax(&weights->greatest, greatest);
    atomicAdd(&weights->sum, sum);
}

cudaError_t sl_cuda_weigh(cuda_weights *weights, const uint32_t *bits, const void *values,
                          sl_type type, uint64_t n, unsigned multiprocessors, cudaStream_t stream)
{
    const unsigned blocks = grid_of(n, multiprocessors * CUDA_BLOCKS_PER_SM);
#define CALL(T)                                                                                    \
    do {                                                                                           \
        weigh<<<blocks, CUDA_THREADS, 0, stream>>>(weights, bits, (const T *)values, n);           \
        return cudaGetLastError();                                                                 \
    } while (0)
    WITH_TYPE(type, CALL)
#undef CALL
    return cudaErrorInvalidValue;
}

double sl_cuda_least_weight(const cuda_weights *weights)
{
    return weights->greatest ? unordered(~weights->least) : NAN;
}

double sl_cuda_greatest_weight(const cuda_weights *weights)
{
    return weights->greatest ? unordered(weights->greatest) : NAN;
}
