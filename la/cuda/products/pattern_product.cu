/*
 * Kernels of products over a pattern. Push examines the rows of a listed frontier, its edges
 * distributed evenly (frontier.cuh); a bitmap decides which of several terms is the first. Pull
 * takes a word of the mask per warp and a vertex per thread, which stops at its first in-edge from
 * the frontier. Both count their result with the lengths of its rows; the last block reports the
 * counts to the host.
 */
#include "cuda/data/entry_writes.cuh"
#include "cuda/data/frontier.cuh"
#include "cuda/products/pattern_product_kernels.h"

__device__ static bool lets_through(const cuda_pattern_params &s, uint32_t v)
{
    const bool written = s.written && bit_of(s.written, v);
    return !s.mask || (bit_of(s.mask, v) | written) != s.complement;
}

__device__ static void store(const cuda_pattern_params &s, void *to, uint64_t v, uint32_t parent)
{
    if (s.parents && s.size == sizeof(int))
        ((int *)to)[v] = (int)parent;
    else if (s.parents)
        ((long long *)to)[v] = parent;
    else
        memcpy((char *)to + v * s.size, &s.one, s.size);
}

/* ---- push ------------------------------------------------------------------------ */

/* Lets u compete for the least or greatest id. Initially all bits are set: greatest as unsigned,
 * least as signed. */
template <cuda_choice CHOICE, typename Signed, typename Unsigned>
__device__ static void compete(Signed *parent, Signed u)
{
    const Signed old = __ldcg(parent);
    if (CHOICE == CUDA_MIN && (Unsigned)u < (Unsigned)old)
        atomicMin((Unsigned *)parent, (Unsigned)u);
    if (CHOICE == CUDA_MAX && u > old)
        atomicMax(parent, u);
}

/*
 * Offers the term of edge e. For min and max all candidates compete. For any, the thread that sets
 * v's bit stores the value, in pi too if the product is that of an advance. Benign race: a thread
 * that reads v's bit of pi before another sets it fails to be the first to set v's bit in s.bits.
 */
template <cuda_choice CHOICE>
__device__ static void offer(const cuda_pattern_params &s, found_queue &found, uint64_t e,
                             uint32_t u)
{
    uint32_t v = s.index[e];
    if (s.parents && s.old_id)
        u = __ldg(s.old_id + u);
    const bool stores_pi = CHOICE == CUDA_ANY && s.pi_bits;
    if (stores_pi ? bit_now(s.pi_bits, v) : !lets_through(s, v))
        return;
    if (CHOICE != CUDA_ANY && s.size == sizeof(int))
        compete<CHOICE, int, unsigned>((int *)s.values + v, (int)u);
    else if (CHOICE != CUDA_ANY)
        compete<CHOICE, long long, count_t>((long long *)s.values + v, u);
    if (!first_to_set(s.bits, v))
        return;
    if (CHOICE == CUDA_ANY && s.parents)
        store(s, s.values, v, u);
    if (stores_pi) {
        store(s, s.pi_values, v, u);
        atomicOr(s.pi_bits + v / 32, (uint32_t)1 << (v % 32));
    }
    found_one(found, v);
}

/* Counts the block's queue and empties it. All threads of the block take part. */
__device__ static void count_found(const cuda_pattern_params &s, found_queue &found)
{
    __syncthreads();
    if (threadIdx.x == 0 && found.count > 0) {
        atomicAdd(&s.report.counter->next, (count_t)found.count << s.report.edge_bits);
        found.count = 0;
    }
    __syncthreads();
}

/* The value with which ids compete at v. */
__device__ static void set_all_bits(const cuda_pattern_params &s, uint32_t v)
{
    if (s.size == sizeof(int))
        ((int *)s.values)[v] = -1;
    else
        ((long long *)s.values)[v] = -1;
}

/* Clears the bits of the list's vertices, and of their neighbours in the words, which have no others. */
__device__ static void clear_bits(uint32_t *bits, const cuda_frontier &from, count_t vertices,
                                  count_t thread, count_t threads)
{
    for (count_t k = thread; k < vertices; k += threads)
        bits[from.list[k] / 32] = 0;
}

template <cuda_choice CHOICE, typename Offset>
__global__ static void __launch_bounds__(FRONTIER_THREADS, FRONTIER_BLOCKS_PER_SM)
    pattern_push(cuda_pattern_params s, cuda_frontier from, frontier_size size, bool tall,
                 cuda_frontier to)
{
    __shared__ found_queue found;
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    if (s.reads_counts) {
        size = {from.counts->vertices, from.counts->edges};
        tall = from.counts->tall;
    }
    if (s.clear && s.writes.count == 0)
        clear_bits(s.clear, from, size.vertices, first_thread(), all_threads());
    walk(
        from, row_starts<Offset>(s.start), size, tall,
        [&](uint64_t e, uint32_t u) { offer<CHOICE>(s, found, e, u); },
        [&] {
            if (s.rows.start)
                flush(found, to, row_starts<Offset>(s.rows), counts_of(s.report));
            else
                count_found(s, found);
        });
    const bool last = report(s.report);
    if (s.writes.count == 0)
        return;
    /* The host goes on meanwhile. No block reads the bitmap any more. */
    if (last && s.clear)
        clear_bits(s.clear, from, size.vertices, threadIdx.x, FRONTIER_THREADS);
    for (count_t k = first_thread(); k < size.vertices; k += all_threads()) {
        write_entries(s.writes, from.list[k]);
        if (CHOICE != CUDA_ANY && s.resets)
            set_all_bits(s, from.list[k]);
    }
}

cudaError_t sl_cuda_pattern_push(const cuda_pattern_params *s, cuda_frontier from,
                                 uint64_t vertices, uint64_t edges, bool tall, cuda_frontier to)
{
    uint64_t most = (uint64_t)cuda_processors() * FRONTIER_BLOCKS_PER_SM;
    uint64_t all = edges > vertices ? edges : vertices;
    uint64_t blocks = (all + FRONTIER_THREADS - 1) / FRONTIER_THREADS;
    blocks = blocks < 1 ? 1 : blocks < most && !s->reads_counts ? blocks : most;
    frontier_size size = {vertices, edges};
#define LAUNCH_AS(CHOICE, Offset)                                                                  \
    launch_blocks({(unsigned)blocks, FRONTIER_THREADS}, pattern_push<CHOICE, Offset>, *s, from,    \
                  size, tall, to)
#define LAUNCH(CHOICE)        LAUNCH_AS(CHOICE, uint64_t)
#define LAUNCH_NARROW(CHOICE) LAUNCH_AS(CHOICE, uint32_t)
    if (!s->start.wide)
        WITH_CHOICE(s->choice, LAUNCH_NARROW);
    WITH_CHOICE(s->choice, LAUNCH);
#undef LAUNCH
#undef LAUNCH_NARROW
#undef LAUNCH_AS
}

/* ---- pull ------------------------------------------------------------------------ */

/* The k-th in-edge of a column, from the end where the wanted ids are. */
__device__ static uint32_t in_edge(const cuda_pattern_params &s, uint64_t begin, uint64_t end,
                                   uint64_t k)
{
    return __ldg(s.index + (s.choice == CUDA_MAX ? end - 1 - k : begin + k));
}

/* The whole warp examines a column from in-edge k on; all lanes get the result. */
__device__ static bool examine_by_warp(const cuda_pattern_params &s, const uint32_t *frontier,
                                       uint64_t begin, uint64_t end, uint64_t k, uint32_t *parent,
                                       count_t *seen)
{
    unsigned lane = threadIdx.x % 32;
    for (; begin + k < end; k += 32) {
        bool is = begin + k + lane < end;
        uint32_t u = is ? in_edge(s, begin, end, k + lane) : 0;
        unsigned hits = __ballot_sync(full_warp, is && bit_of(frontier, u));
        *seen += is;
        if (hits) {
            *parent = __shfl_sync(full_warp, u, __ffs(hits) - 1);
            return true;
        }
    }
    return false;
}

/* Finds an in-edge of column v from the frontier, for the lanes with `wanted`: PULL_PER_THREAD
 * edges by the lane itself, the rest of long columns by the whole warp. */
__device__ static bool find_parent(const cuda_pattern_params &s, const uint32_t *frontier,
                                   bool wanted, uint64_t v, uint32_t *parent, count_t *seen)
{
    unsigned lane = threadIdx.x % 32;
    const uint64_t *start = (const uint64_t *)s.start.start;
    uint64_t begin = wanted ? start[v] : 0, end = wanted ? start[v + 1] : 0, k = 0;
    bool hit = false;
    for (; k < PULL_PER_THREAD && !hit && begin + k < end; k += PULL_BATCH) {
        uint32_t u[PULL_BATCH];
        unsigned hits = 0, now = (unsigned)min(end - begin - k, (uint64_t)PULL_BATCH);
        /* All loads come before what depends on them. */
#pragma unroll
        for (unsigned j = 0; j < PULL_BATCH; j++)
            u[j] = j < now ? in_edge(s, begin, end, k + j) : 0;
#pragma unroll
        for (unsigned j = 0; j < PULL_BATCH; j++)
            hits |= (unsigned)(j < now && bit_of(frontier, u[j])) << j;
        hit = hits != 0;
#pragma unroll
        for (unsigned j = PULL_BATCH; j-- > 0;)
            *parent = hits >> j & 1 ? u[j] : *parent;
        *seen += now;
    }
    for (unsigned rest = __ballot_sync(full_warp, !hit && begin + k < end); rest;
         rest &= rest - 1) {
        int helped = __ffs(rest) - 1;
        uint32_t u = 0;
        bool found =
            examine_by_warp(s, frontier, __shfl_sync(full_warp, begin, helped),
                            __shfl_sync(full_warp, end, helped), PULL_PER_THREAD, &u, seen);
        if (lane == helped && found) {
            hit = true;
            *parent = u;
        }
    }
    return hit;
}

template <typename Offset>
__global__ static void __launch_bounds__(CUDA_THREADS)
    pattern_pull(cuda_pattern_params s, const uint32_t *frontier)
{
    unsigned lane = threadIdx.x % 32;
    count_t counted = 0, seen = 0;
    bool tall = false;
    for (uint64_t w = first_thread() / 32; w < (s.n + 31) / 32; w += all_threads() / 32) {
        uint64_t v = 32 * w + lane;
        uint32_t mask = !s.mask ? full_warp : s.complement ? ~s.mask[w] : s.mask[w], parent = 0;
        bool hit =
            mask && find_parent(s, frontier, v < s.n && (mask >> lane & 1), v, &parent, &seen);
        if (hit) {
            count_t length = s.rows.start ? row_length(row_starts<Offset>(s.rows), (uint32_t)v) : 0;
            if (s.parents)
                store(s, s.values, v, parent);
            if (s.pi_bits)
                store(s, s.pi_values, v, parent);
            counted += ((count_t)1 << s.report.edge_bits) + length;
            tall |= length > FRONTIER_SHORT_ROW;
        }
        uint32_t hits = __ballot_sync(full_warp, hit);
        if (lane == 0) {
            s.bits[w] = hits;
            if (s.pi_bits && hits)
                s.pi_bits[w] |= hits;
        }
    }
    add_to_report(s.report, counted, tall);
    seen = warp_sum(seen);
    if (lane == 0 && seen)
        atomicAdd(&s.report.counter->seen, seen);
    report(s.report);
}

cudaError_t sl_cuda_pattern_pull(const cuda_pattern_params *s, const uint32_t *frontier)
{
    const bool narrow = s->rows.start && !s->rows.wide;
    return launch(s->n, narrow ? pattern_pull<uint32_t> : pattern_pull<uint64_t>, *s, frontier);
}

/* ---- lists ------------------------------------------------------------------------ */

__device__ static void count_mask(const uint32_t *mask, uint64_t words, const cuda_report &r)
{
    count_t wanted = 0;
    for (uint64_t w = first_thread(); mask && w < words; w += all_threads())
        wanted += __popc(mask[w]);
    wanted = warp_sum(wanted);
    if (threadIdx.x % 32 == 0 && wanted)
        atomicAdd(&r.counter->wanted, wanted);
}

/* A thread takes so many bits of a bitmap at once. */
enum { LISTED_BITS = 4 };

/* Its bits from v on, and the lengths of their rows. Returns the packed numbers of vertices and edges. */
template <typename Starts>
__device__ static count_t load_rows(uint32_t *own, count_t *length, const uint32_t *bits,
                                    uint64_t words, uint64_t v, Starts start, unsigned edge_bits)
{
    *own = v < 32 * words ? bits[v / 32] >> (v % 32) & ((1 << LISTED_BITS) - 1) : 0;
    count_t sum = (count_t)__popc(*own) << edge_bits;
#pragma unroll
    for (int k = 0; k < LISTED_BITS; k++) {
        length[k] = *own >> k & 1 ? row_length(start, (uint32_t)v + k) : 0;
        sum += length[k];
    }
    return sum;
}

__device__ static bool has_tall(const count_t *length)
{
    bool tall = false;
#pragma unroll
    for (int k = 0; k < LISTED_BITS; k++)
        tall |= length[k] > FRONTIER_SHORT_ROW;
    return tall;
}

/* Counts the set bits and the edges of their rows in one of FRONTIER_SAMPLE blocks of bits. */
template <typename Offset>
__global__ static void count_sample(const uint32_t *bits, uint64_t words, cuda_row_starts rows,
                                    const uint32_t *mask, uint64_t mask_words, cuda_report r)
{
    count_t length[LISTED_BITS], counted = 0;
    uint32_t own;
    for (uint64_t block = blockIdx.x * (uint64_t)FRONTIER_SAMPLE;
         block * CUDA_THREADS * LISTED_BITS < 32 * words;
         block += gridDim.x * (uint64_t)FRONTIER_SAMPLE)
        counted +=
            load_rows(&own, length, bits, words, (block * CUDA_THREADS + threadIdx.x) * LISTED_BITS,
                      row_starts<Offset>(rows), r.edge_bits);
    add_to_report(r, counted, false);
    count_mask(mask, mask_words, r);
    report(r);
}

/* Lists them: a block reserves the places of its threads' vertices with one atomic. */
template <typename Offset>
__global__ static void __launch_bounds__(CUDA_THREADS)
    list_frontier(cuda_frontier to, const uint32_t *bits, uint64_t words, cuda_row_starts rows,
                  const uint32_t *mask, uint64_t mask_words, cuda_report r)
{
    typedef cub::BlockScan<count_t, CUDA_THREADS> scan;
    __shared__ typename scan::TempStorage storage;
    __shared__ count_t base;
    bool tall = false;
    for (uint64_t first = (uint64_t)blockIdx.x * CUDA_THREADS; first * LISTED_BITS < 32 * words;
         first += all_threads()) {
        const uint64_t v = (first + threadIdx.x) * LISTED_BITS;
        count_t length[LISTED_BITS], before, all;
        uint32_t own;
        const count_t sum =
            load_rows(&own, length, bits, words, v, row_starts<Offset>(rows), r.edge_bits);
        if (!__syncthreads_or(own))
            continue;
        scan(storage).ExclusiveSum(sum, before, all);
        if (threadIdx.x == 0)
            base = atomicAdd(&r.counter->next, all);
        __syncthreads();
        frontier_size at = unpack(base + before, r.edge_bits);
#pragma unroll
        for (int k = 0; k < LISTED_BITS; k++) {
            if (!(own >> k & 1))
                continue;
            at.edges += length[k];
            to.list[at.vertices] = (uint32_t)v + k;
            to.ends[at.vertices++] = at.edges;
        }
        tall |= has_tall(length);
        __syncthreads(); /* before `base` and the scan's memory are written again */
    }
    if (__syncthreads_or(tall) && threadIdx.x == 0)
        r.counter->tall = 1;
    count_mask(mask, mask_words, r);
    report(r, to.counts);
}

/* Lists one with few bits, one thread per word. */
template <typename Offset>
__global__ static void list_few(cuda_frontier to, const uint32_t *bits, uint64_t words,
                                cuda_row_starts rows, const uint32_t *mask, uint64_t mask_words,
                                cuda_report r)
{
    list_bits(to, bits, words, row_starts<Offset>(rows), counts_of(r), [](uint32_t) {});
    count_mask(mask, mask_words, r);
    report(r, to.counts);
}

template <typename Offset>
static cudaError_t list_by(cuda_frontier to, const cuda_bit_array *u, const cuda_row_starts *rows,
                           bool sparse, const cuda_bit_array *mask, cuda_report report)
{
    const uint64_t words = (u->n + 31) / 32, mask_words = (mask->n + 31) / 32;
    return launch(sparse ? words : 32 / LISTED_BITS * words,
                  sparse ? list_few<Offset> : list_frontier<Offset>, to, u->bits, words, *rows,
                  mask->bits, mask_words, report);
}

cudaError_t sl_cuda_sample_frontier(const cuda_pattern_params *s, const uint32_t *u, uint64_t n,
                                    const cuda_row_starts *rows, cuda_report report)
{
    const uint64_t words = (n + 31) / 32, threads = 32 / LISTED_BITS * words / FRONTIER_SAMPLE;
    return launch(threads, rows->wide ? count_sample<uint64_t> : count_sample<uint32_t>, u, words,
                  *rows, s->mask, (s->n + 31) / 32, report);
}

cudaError_t sl_cuda_list_frontier(cuda_frontier to, const cuda_bit_array *u,
                                  const cuda_row_starts *rows, bool sparse,
                                  const cuda_bit_array *mask, cuda_report report)
{
    return (rows->wide ? list_by<uint64_t> : list_by<uint32_t>)(to, u, rows, sparse, mask, report);
}
