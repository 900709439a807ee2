/* Device functions that list pieces of rows and walk over their edges, by blocks of FRONTIER_THREADS threads. */
#ifndef SEMLA_CUDA_ROW_PIECES_CUH
#define SEMLA_CUDA_ROW_PIECES_CUH

#include "cuda/data/frontier.cuh"
#include "cuda/paths/row_pieces.h"
#include "cuda/runtime/warp_places.cuh"

/* A piece: its first edge, and how many it has. */
struct row_piece {
    uint64_t begin;
    count_t edges;
};

/* Appends the piece of each lane, if it has edges. note(k): its place in the list. *packed counts
 * the pieces and edges of the list. By all threads of the warp: one atomic addition for each. */
template <typename NOTE>
__device__ inline void append_pieces(const row_pieces &to, unsigned edge_bits, count_t *packed,
                                     row_piece piece, NOTE note)
{
    const count_t own = piece.edges ? ((count_t)1 << edge_bits) + piece.edges : 0;
    if (!__any_sync(full_warp, own != 0))
        return;
    const frontier_size before = unpack(places_of_warp(packed, own), edge_bits);
    if (own) {
        to.begin[before.vertices] = piece.begin;
        to.ends[before.vertices] = before.edges + piece.edges;
        note(before.vertices);
    }
}

/* Where pieces begin among the edges of a tile: a bit for each edge, and the pieces that begin before each word. */
struct piece_marks {
    static constexpr unsigned words = FRONTIER_TILE / 32;
    uint32_t begins[words];
    unsigned before[words];
};

/* before[w]: the bits of the words before w. By the first warp. */
__device__ inline void count_marks(piece_marks &marks)
{
    constexpr unsigned own = piece_marks::words / 32;
    const unsigned first = threadIdx.x * own;
    unsigned sum = 0;
    for (unsigned k = 0; k < own; k++)
        sum += __popc(marks.begins[first + k]);
    unsigned before = (unsigned)warp_sum_up_to(sum) - sum;
    for (unsigned k = 0; k < own; k++) {
        marks.before[first + k] = before;
        before += __popc(marks.begins[first + k]);
    }
}

/*
 * Calls visit(e, k) for the edges e of all pieces k, one edge per thread, and done() after each tile, by all threads of
 * the block. Each block has an equal part of the edges and walks it by tiles. The pieces that begin
 * in a tile are marked in a bitmap, so that an edge finds its piece by counting bits.
 */
template <typename VISIT, typename DONE>
__device__ inline void walk_pieces(const row_pieces &from, frontier_size size, VISIT visit,
                                   DONE done)
{
    __shared__ piece_marks marks;
    __shared__ uint64_t found;
    const count_t part = ((size.edges + gridDim.x - 1) / gridDim.x + 31) / 32 * 32;
    const count_t first = blockIdx.x * part;
    const count_t stop = first + part < size.edges ? first + part : size.edges;
    if (first >= size.edges)
        return;
    if (threadIdx.x == 0)
        found = row_of(from.ends, 0, size.vertices, first);
    __syncthreads();
    uint64_t piece = found; /* of the tile's first edge, or the last piece before */
    for (count_t tile = first; tile < stop; tile += FRONTIER_TILE) {
        const unsigned edges =
            stop - tile < FRONTIER_TILE ? (unsigned)(stop - tile) : (unsigned)FRONTIER_TILE;
        for (unsigned w = threadIdx.x; w < piece_marks::words; w += FRONTIER_THREADS)
            marks.begins[w] = 0;
        __syncthreads();
        for (uint64_t k = piece + 1 + threadIdx.x; k < size.vertices; k += FRONTIER_THREADS) {
            const count_t at = from.ends[k - 1];
            if (at >= tile + edges)
                break;
            const unsigned place = (unsigned)(at - tile);
            atomicOr(&marks.begins[place / 32], 1u << place % 32);
        }
        __syncthreads();
        if (threadIdx.x < 32)
            count_marks(marks);
        __syncthreads();
        for (unsigned place = threadIdx.x; place < edges; place += FRONTIER_THREADS) {
            const uint32_t upto = marks.begins[place / 32] << (31 - place % 32);
            const uint64_t k = piece + marks.before[place / 32] + __popc(upto);
            visit(from.begin[k] + (tile + place - (k ? from.ends[k - 1] : 0)), k);
        }
        const unsigned last = edges - 1;
        piece += marks.before[last / 32] + __popc(marks.begins[last / 32]);
        done();
        __syncthreads(); /* before the marks of the next tile are written */
    }
}

#endif
