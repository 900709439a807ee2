/*
 * Counts of common columns, by hash tables in shared memory (as in Pandey et al., "TRUST: Triangle
 * Counting Reloaded on GPUs", IEEE TPDS 2021).
 *
 * A row of the mask is divided into pieces of PAIR_PIECE entries. A warp or a block enters the
 * columns of A's row into a table, then tests the columns of B's rows, a warp per entry of the
 * mask. If B's row is much longer than A's, A's columns are searched in it by bisection instead. A
 * row of A that is longer than the table is entered in parts, one after the other. Cost: for each
 * entry of the mask the length of a row of B, or that of A's row times a logarithm.
 */
#include "common.cuh"
#include "pair_counts.h"

static constexpr uint32_t empty = UINT32_MAX;

/* ---- pieces --------------------------------------------------------------------- */

/* One thread per row of the mask; a warp reserves room for its pieces by one addition per kind. */
__global__ static void list_pieces(cuda_pair_counts p)
{
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t base = first_thread() - lane; base < p.nrows; base += all_threads()) {
        const uint64_t row = base + lane;
        const bool mine = row < p.nrows;
        const uint64_t entries = mine ? p.start[row + 1] - p.start[row] : 0;
        const uint64_t columns = mine ? p.a_start[row + 1] - p.a_start[row] : 0;
        const unsigned pieces = columns ? (unsigned)((entries + PAIR_PIECE - 1) / PAIR_PIECE) : 0;
        const int kind = columns <= PAIR_FEW ? PAIR_BY_WARP : PAIR_BY_BLOCK;
        for (int k = 0; k < PAIR_KINDS; k++) {
            unsigned own = kind == k ? pieces : 0, sum = own;
            for (int offset = 1; offset < 32; offset *= 2) {
                const unsigned before = __shfl_up_sync(full_warp, sum, offset);
                sum += lane >= offset ? before : 0;
            }
            count_t first = 0;
            if (lane == 31 && sum)
                first = atomicAdd(p.pieces + k, (count_t)sum);
            first = __shfl_sync(full_warp, first, 31) + sum - own;
            for (unsigned n = 0; n < own; n++)
                p.piece[k][first + n] = {(uint32_t)row, n};
        }
    }
}

/* ---- tables --------------------------------------------------------------------- */

/* A set of columns by open addressing with linear probing. */
struct column_table {
    uint32_t *slot;
    uint32_t last; /* slots, a power of two, less 1 */

    __device__ uint32_t first_of(uint32_t column) const
    {
        return (column * 2654435769u >> 12) & last;
    }
    __device__ void enter(uint32_t column)
    {
        for (uint32_t at = first_of(column); atomicCAS(slot + at, empty, column) != empty;)
            at = (at + 1) & last;
    }
    __device__ bool has(uint32_t column) const
    {
        for (uint32_t at = first_of(column);; at = (at + 1) & last) {
            const uint32_t there = slot[at];
            if (there == column || there == empty)
                return there == column;
        }
    }
};

/* At least four slots for each of `columns`. */
__device__ static uint32_t last_slot(uint32_t columns)
{
    return columns < 8 ? 31u : (1u << (34 - __clz(columns - 1))) - 1;
}

/* ---- counting ------------------------------------------------------------------- */

/* The columns at `few` that are among `many` ascending ones, counted by a warp in lane parts. */
__device__ static uint32_t count_searched(const uint32_t *few, uint32_t few_count,
                                          const uint32_t *many, uint64_t many_count)
{
    uint32_t own = 0;
    for (uint32_t k = threadIdx.x % 32; k < few_count; k += 32) {
        const uint32_t column = few[k];
        uint64_t low = 0, high = many_count;
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (many[middle] < column)
                low = middle + 1;
            else
                high = middle;
        }
        own += low < many_count && many[low] == column;
    }
    return own;
}

/* Adds the common columns of a part of A's row, which the table holds, and of B's row for entry e
 * of the mask. By a warp. */
__device__ static void count_entry(const cuda_pair_counts &p, const column_table &table,
                                   const uint32_t *part, uint32_t columns, uint64_t e)
{
    const unsigned lane = threadIdx.x % 32;
    if (p.truth && !p.truth[e])
        return;
    const uint32_t j = p.index[e];
    const uint32_t *row = p.b_index + p.b_start[j];
    const uint64_t length = p.b_start[j + (uint64_t)1] - p.b_start[j];
    uint32_t own = 0;
    if (length > (uint64_t)PAIR_SEARCH * columns)
        own = count_searched(part, columns, row, length);
    else
        for (uint64_t k = lane; k < length; k += 32)
            own += table.has(row[k]);
    own = sum_of_warp(own);
    if (lane == 0 && own) {
        p.count[e] += own;
        p.found[e] = true;
    }
}

__device__ static void clear(const column_table &table, unsigned first, unsigned step)
{
    for (unsigned at = first; at <= table.last; at += step)
        table.slot[at] = empty;
}

__global__ static void __launch_bounds__(CUDA_THREADS) count_by_warp(cuda_pair_counts p)
{
    __shared__ uint32_t slots[CUDA_THREADS / 32][4 * PAIR_FEW];
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t k = first_thread() / 32; k < p.pieces[PAIR_BY_WARP]; k += all_threads() / 32) {
        const cuda_piece piece = p.piece[PAIR_BY_WARP][k];
        const uint64_t begin = p.start[piece.row] + (uint64_t)piece.number * PAIR_PIECE;
        const uint64_t end = min(p.start[piece.row + (uint64_t)1], begin + PAIR_PIECE);
        const uint32_t *part = p.a_index + p.a_start[piece.row];
        const uint32_t columns =
            (uint32_t)(p.a_start[piece.row + (uint64_t)1] - p.a_start[piece.row]);
        column_table table = {slots[threadIdx.x / 32], last_slot(columns)};
        clear(table, lane, 32);
        __syncwarp();
        for (uint32_t c = lane; c < columns; c += 32)
            table.enter(part[c]);
        __syncwarp();
        for (uint64_t e = begin; e < end; e++)
            count_entry(p, table, part, columns, e);
        __syncwarp();
    }
}

__global__ static void __launch_bounds__(CUDA_THREADS) count_by_block(cuda_pair_counts p)
{
    __shared__ uint32_t slots[4 * PAIR_MANY];
    __shared__ count_t now;
    for (;;) {
        if (threadIdx.x == 0)
            now = atomicAdd(p.taken, 1ull);
        __syncthreads();
        if (now >= p.pieces[PAIR_BY_BLOCK])
            return;
        const cuda_piece piece = p.piece[PAIR_BY_BLOCK][now];
        const uint64_t begin = p.start[piece.row] + (uint64_t)piece.number * PAIR_PIECE;
        const uint64_t end = min(p.start[piece.row + (uint64_t)1], begin + PAIR_PIECE);
        const uint64_t a_end = p.a_start[piece.row + (uint64_t)1];
        for (uint64_t a = p.a_start[piece.row]; a < a_end; a += PAIR_MANY) {
            const uint32_t columns = (uint32_t)min((uint64_t)PAIR_MANY, a_end - a);
            column_table table = {slots, last_slot(columns)};
            clear(table, threadIdx.x, CUDA_THREADS);
            __syncthreads();
            for (uint32_t c = threadIdx.x; c < columns; c += CUDA_THREADS)
                table.enter(p.a_index[a + c]);
            __syncthreads();
            for (uint64_t e = begin + threadIdx.x / 32; e < end; e += CUDA_THREADS / 32)
                count_entry(p, table, p.a_index + a, columns, e);
            __syncthreads();
        }
    }
}

/* ---- launches ------------------------------------------------------------------- */

uint64_t sl_cuda_most_pieces(uint64_t nrows, uint64_t nnz)
{
    return nrows + nnz / PAIR_PIECE + 1;
}

cudaError_t sl_cuda_count_pairs(const cuda_pair_counts *p, unsigned multiprocessors,
                                cudaStream_t stream)
{
    const unsigned most = multiprocessors * CUDA_BLOCKS_PER_SM;
    list_pieces<<<grid_of(p->nrows, most), CUDA_THREADS, 0, stream>>>(*p);
    count_by_block<<<most, CUDA_THREADS, 0, stream>>>(*p);
    count_by_warp<<<most, CUDA_THREADS, 0, stream>>>(*p);
    return cudaGetLastError();
}
