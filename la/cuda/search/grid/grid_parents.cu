/*
 * The passes that fetch parents when a search has ended.
 *
 * Most vertices have the first source of a grid column as parent. For them only a bit is read and
 * sent, and the parent is read from numbered_first, in the caller's order. The others are looked up
 * by gathers, and travel as local rows, which are the same on all processes of the grid column that
 * has their edges.
 */
#include "cuda/runtime/common.cuh"
#include "cuda/runtime/warp_places.cuh"
#include "cuda/search/grid/grid_bfs_kernels.h"
#include "cuda/search/grid/grid_own_parents.cuh"

/* ---- columns ----------------------------------------------------------------------------------- */

/* The own ids of word w that a column reached. */
__device__ static uint32_t reached_by(const grid_bfs &s, uint32_t column, uint64_t w)
{
    uint32_t ids = s.own_reached[w];
    for (unsigned b = 0; b < s.column_bits; b++) {
        const uint32_t bits = parents_of(s, w)[1 + b];
        ids &= column >> b & 1 ? bits : ~bits;
    }
    return ids;
}

/* ---- requests and answers ------------------------------------------------------------------------ */

/* One thread per word of each block. */
__global__ static void requests(grid_bfs s)
{
    for (uint64_t k = first_thread(); k < (uint64_t)s.cols * s.words; k += all_threads()) {
        const uint32_t column = (uint32_t)(k / s.words);
        s.found[k] = column == s.j ? 0 : reached_by(s, column, k % s.words);
    }
}

cudaError_t sl_cuda_grid_bfs_requests(const grid_bfs *s)
{
    return launch((uint64_t)s->cols * s->words, requests, *s);
}

/* A warp takes 32 words, one per lane; words are a multiple of 32. Requests come from other processes: for an id that
 * was not reached here, which a faulty one might ask for, the answer has some row. */
__global__ static void answer_requests(grid_bfs s, grid_answer answer, const uint32_t *asked,
                                       uint32_t slice)
{
    const uint32_t *parent_is_first = s.parent_is_first + (uint64_t)slice * s.words;
    const uint64_t target = (uint64_t)slice * s.stride;
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t first = first_thread() / 32 * 32; first < s.words; first += all_threads()) {
        const uint64_t w = first + lane;
        if (answer.parent_is_first)
            answer.parent_is_first[w] = parent_is_first[w];
        uint32_t others = asked[w] & ~(answer.parent_is_first ? parent_is_first[w] : 0);
        count_t at = places_of_warp(s.slice_counts + slice, __popc(others));
        if (lane == 0)
            answer.begin[first / 32] = (uint32_t)at;
        for (; others; others &= others - 1) {
            const uint64_t t = target + 32 * w + __ffs(others) - 1;
            const uint32_t u = parent_is_first[w] & others & -others ? s.slot[0][t] : s.parent[t];
            answer.parent[at++] = u < s.rows * s.stride ? s.row_of_source[u] : 0;
        }
    }
}

cudaError_t sl_cuda_grid_bfs_answer(const grid_bfs *s, const grid_answer *answer,
                                    const uint32_t *asked, uint32_t slice)
{
    return launch(s->words, answer_requests, *s, *answer, asked, slice);
}

/* As answer_requests. An answer that has too few parents is read up to its end. */
__global__ static void take_answer(grid_bfs s, grid_answer answer, uint32_t column)
{
    uint32_t *own = s.parent + (uint64_t)s.j * s.stride;
    for (uint64_t first = first_thread() / 32 * 32; first < s.words; first += all_threads()) {
        const uint64_t w = first + threadIdx.x % 32;
        const uint32_t asked = reached_by(s, column, w);
        const uint32_t parent_is_first =
            answer.parent_is_first ? answer.parent_is_first[w] & asked : 0;
        uint32_t others = asked & ~parent_is_first;
        const unsigned count = __popc(others);
        count_t at = answer.begin[first / 32] + warp_sum_up_to(count) - count;
        *parents_of(s, w) |= parent_is_first;
        for (; others; others &= others - 1, at++)
            own[32 * w + __ffs(others) - 1] = at < answer.room ? answer.parent[at] : 0;
    }
}

cudaError_t sl_cuda_grid_bfs_take_answer(const grid_bfs *s, const grid_answer *answer,
                                         uint32_t column)
{
    return launch(s->words, take_answer, *s, *answer, column);
}

/* One thread per word. */
__global__ static void take_own(grid_bfs s)
{
    const uint32_t *parent_is_first = s.parent_is_first + (uint64_t)s.j * s.words;
    for (uint64_t w = first_thread(); w < s.words; w += all_threads())
        *parents_of(s, w) |= parent_is_first[w] & reached_by(s, s.j, w);
}

cudaError_t sl_cuda_grid_bfs_take_own(const grid_bfs *s)
{
    return launch(s->words, take_own, *s);
}
