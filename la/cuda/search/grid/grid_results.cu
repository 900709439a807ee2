/*
 * The pass that writes the results of a search into the caller's vectors, in the caller's order.
 *
 * A block of threads takes a chunk of the caller's bitmap. The own vertices with edges are numbered
 * in the caller's order: for those of the chunk it reads ids and first sources in order, and
 * gathers one bit for each, which says whether the parent is the first source of the column that
 * reached the vertex. The others, a few per cent on one column, are listed in shared memory and
 * looked up by further gathers, so that threads wait for them together. Parents reach the threads
 * that write the caller's words through shared memory.
 */
#include "cuda/runtime/common.cuh"
#include "cuda/search/grid/grid_bfs_kernels.h"
#include "cuda/search/grid/grid_own_parents.cuh"
#include "cuda/search/grid/grid_tuning.h"

enum {
    WORDS = GRID_RESULT_WORDS,
    WARPS = CUDA_THREADS / 32,
    WARP_WORDS = WORDS / WARPS, /* a warp writes so many consecutive words */
    AT_ONCE = 4                 /* vertices that a thread looks up at once */
};
static_assert(WORDS % WARPS == 0 && WARP_WORDS <= 32, "a lane has a word of its warp");

/* In shared memory. T: the type of the parents. Vertex k is the k-th one with edges in the chunk. */
template <typename T> struct chunk_results {
    T parent[32 * WORDS]; /* the global index of the parent; -1: not visited by this search */
    uint16_t others[32 * WORDS]; /* vertices with another parent than a first source, or none */
    unsigned other_count;
};

/* The vertices of a chunk that have edges: `count` from number `begin` on. */
struct numbered_chunk {
    uint32_t begin, count;
};

/* The global index of a local row of a grid column. */
template <typename T> __device__ static T index_of(const grid_bfs &s, uint32_t column, uint32_t row)
{
    return (T)(s.first_vertex[column] + row);
}

/* All threads of a warp call this: appends k to the list if `is`. */
template <typename T>
__device__ static void list_other(chunk_results<T> &chunk, unsigned k, bool is)
{
    const unsigned lane = threadIdx.x % 32, all = __ballot_sync(full_warp, is);
    unsigned at = 0;
    if (lane == 0 && all)
        at = atomicAdd(&chunk.other_count, __popc(all));
    at = __shfl_sync(full_warp, at, 0);
    if (is)
        chunk.others[at + __popc(all & ((1u << lane) - 1))] = (uint16_t)k;
}

/* The parents that are first sources; without parents, 0 for each vertex that was visited. */
template <typename T>
__device__ static void look_up_firsts(const grid_bfs &s, const numbered_chunk &c,
                                      chunk_results<T> &chunk)
{
    const uint32_t *bits = s.own_parents ? s.own_parents : s.own_reached;
    const unsigned step = 1 + s.column_bits;
    for (unsigned base = 0; base < c.count; base += AT_ONCE * CUDA_THREADS) {
        uint32_t id[AT_ONCE], row[AT_ONCE], column[AT_ONCE];
        bool is[AT_ONCE];
#pragma unroll
        for (int r = 0; r < AT_ONCE; r++) {
            const unsigned k = base + r * CUDA_THREADS + threadIdx.x;
            id[r] = k < c.count ? __ldcs(s.numbered_id + c.begin + k) : 0;
            row[r] = s.column_bits == 0 && s.own_parents && k < c.count
                         ? __ldcs(s.numbered_first + c.begin + k)
                         : 0;
        }
#pragma unroll
        for (int r = 0; r < AT_ONCE; r++) {
            const unsigned k = base + r * CUDA_THREADS + threadIdx.x;
            is[r] = k < c.count && bits[(uint64_t)(id[r] / 32) * step] >> id[r] % 32 & 1;
            column[r] = is[r] ? column_of(s, id[r]) : 0;
        }
        if (s.column_bits) {
#pragma unroll
            for (int r = 0; r < AT_ONCE; r++) {
                const uint64_t k = c.begin + base + r * CUDA_THREADS + threadIdx.x;
                row[r] = is[r] ? s.numbered_first[(uint64_t)column[r] * s.own_with_edges + k] : 0;
            }
        }
#pragma unroll
        for (int r = 0; r < AT_ONCE; r++) {
            const unsigned k = base + r * CUDA_THREADS + threadIdx.x;
            if (is[r])
                chunk.parent[k] = s.own_parents ? index_of<T>(s, column[r], row[r]) : 0;
            list_other(chunk, k, k < c.count && !is[r]);
        }
    }
}

template <typename T>
__device__ static void look_up_others(const grid_bfs &s, const numbered_chunk &c,
                                      chunk_results<T> &chunk)
{
    for (unsigned e = threadIdx.x; e < chunk.other_count; e += CUDA_THREADS) {
        const unsigned k = chunk.others[e];
        const uint32_t id = s.numbered_id[c.begin + k];
        T parent = -1;
        if (s.own_parents && bit_of(s.own_reached, id)) {
            const uint32_t column = column_of(s, id);
            const uint32_t found = s.parent[(uint64_t)s.j * s.stride + id];
            parent = index_of<T>(s, column, column == s.j ? s.row_of_source[found] : found);
        }
        chunk.parent[k] = parent;
    }
}

/* The words of a warp, from number `first` on. Lane k has the k-th, if it owns one. */
struct warp_words {
    uint64_t first;
    bool owns;
    uint2 numbered; /* of s.numbered */
    uint32_t old;   /* bits of the entries so far */
};

/* Writes the entries of a warp's words. It also overwrites places that have no entry, so that whole lines are
 * written. */
template <typename T>
__device__ static void write_words(const grid_bfs &s, const grid_bfs_vectors &v,
                                   const numbered_chunk &c, const chunk_results<T> &chunk,
                                   const warp_words &words)
{
    const unsigned lane = threadIdx.x % 32;
    uint32_t fresh = 0;
    for (int k = 0; k < WARP_WORDS; k++) {
        const uint32_t has = __shfl_sync(full_warp, words.numbered.x, k);
        const uint32_t number =
            __shfl_sync(full_warp, words.numbered.y, k) + __popc(has & ((1u << lane) - 1));
        const uint32_t before = __shfl_sync(full_warp, words.old, k);
        const uint64_t at = 32 * (words.first + k) + lane;
        const bool is_source = v.whole && at == v.source;
        const T parent = is_source         ? (T)v.source_parent
                         : has >> lane & 1 ? chunk.parent[number - c.begin]
                                           : -1;
        const bool hit = parent >= 0;
        const unsigned word = __ballot_sync(full_warp, hit);
        if (!word)
            continue;
        if (lane == (unsigned)k)
            fresh = word;
        if (v.parent.values && (hit || !(before >> lane & 1)) && at < s.own_n)
            __stcs((T *)v.parent.values + at, parent);
        if (hit && v.reached)
            v.reached[at] = 1;
        if (hit && v.level_bits)
            put_integer(v.level, at, is_source ? 0 : s.own_depth[s.numbered_id[number]]);
    }
    if (!words.owns || !(fresh || v.whole))
        return;
    const uint64_t own = words.first + lane;
    v.pi[own] = words.old | fresh;
    if (v.level_bits)
        v.level_bits[own] = fresh | (v.whole ? 0 : v.level_bits[own]);
}

template <typename T>
__global__ static void __launch_bounds__(CUDA_THREADS,
                                         fitting_blocks(GRID_RESULT_BLOCKS_PER_SM, CUDA_THREADS))
    results(const __grid_constant__ grid_bfs s, const __grid_constant__ grid_bfs_vectors v)
{
    __shared__ chunk_results<T> chunk;
    const uint64_t words = (s.own_n + 31) / 32, begin = (uint64_t)blockIdx.x * WORDS;
    const uint64_t end = begin + WORDS < words ? begin + WORDS : words;
    const uint64_t first = begin + threadIdx.x / 32 * WARP_WORDS, w = first + threadIdx.x % 32;
    const bool owns = threadIdx.x % 32 < WARP_WORDS && w < end;
    const uint2 numbered = owns ? s.numbered[w] : uint2{0, 0}, last = s.numbered[end - 1];
    const uint32_t old = owns && !v.whole ? v.pi[w] : 0;
    numbered_chunk c = {s.numbered[begin].y, 0};
    c.count = last.y + __popc(last.x) - c.begin;
    if (threadIdx.x == 0)
        chunk.other_count = 0;
    __syncthreads();
    look_up_firsts(s, c, chunk);
    __syncthreads();
    look_up_others(s, c, chunk);
    __syncthreads();
    write_words(s, v, c, chunk, {first, owns, numbered, old});
}

cudaError_t sl_cuda_grid_bfs_results(const grid_bfs *s, const grid_bfs_vectors *v)
{
    const uint64_t words = ((uint64_t)s->own_n + 31) / 32;
    const unsigned blocks = (unsigned)((words + WORDS - 1) / WORDS);
    if (blocks == 0)
        return cudaSuccess;
    const auto kernel = v->parent.values && !v->parent.int32 ? results<long long> : results<int>;
    return launch_blocks({blocks}, kernel, *s, *v);
}
