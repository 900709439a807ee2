/*
 * Counts of common columns, by sets of columns in shared memory: bitmaps, or hash tables (as in
 * Pandey et al., "TRUST: Triangle Counting Reloaded on GPUs", IEEE TPDS 2021).
 *
 * A row of the mask is divided into pieces of PAIR_PIECE entries. A warp or a block enters the
 * columns of A's row into a set, then tests the columns of B's rows, of which only those between the
 * first and the last column of the set are read. A warp takes 32 entries of the mask at a time: each
 * lane finds the bounds of one row of B; then the warp reads long rows one after the other, and
 * short ones four at a time. If B's row is much longer than A's, A's columns are searched in it by
 * bisection instead. Rows with little work are counted by a thread each.
 *
 * A row of A that is too long for a set is entered in parts, one after the other, without the columns that
 * are before or behind all columns of the piece's rows of B. A part is a bitmap, if that holds more columns
 * than a hash table, because they are close together, as the columns of hubs in degree order are. Cost: for
 * each entry of the mask and each part the columns of a row of B between the part's bounds, or the columns of
 * A's row times a logarithm.
 */
#include "cuda/operations/entries.cuh"
#include "cuda/products/pair_counts.h"

static constexpr uint32_t empty = UINT32_MAX;

/* ---- rows with little work, and pieces of others ------------------------------------------------ */

/* A row of few entries and columns. By a thread. */
__device__ static void count_few(const cuda_pair_counts &p, uint64_t row)
{
    const uint64_t a_begin = p.a_start[row], a_end = p.a_start[row + 1], end = p.start[row + 1];
    for (uint64_t e = p.start[row]; e < end; e++) {
        if (p.truth && !p.truth[e])
            continue;
        const uint32_t j = p.index[e];
        const uint64_t b_end = p.b_start[j + (uint64_t)1];
        uint64_t b = p.b_start[j];
        uint32_t common = 0;
        for (uint64_t a = a_begin; a < a_end && b < b_end; a++) {
            const uint32_t column = p.a_index[a];
            b = first_at(p.b_index, b, b_end, column);
            common += b < b_end && p.b_index[b] == column;
        }
        if (common)
            p.count[e] = common;
    }
}

/* One thread per row of the mask; a warp reserves room for its pieces by one addition per kind. */
__global__ static void count_few_and_list(cuda_pair_counts p)
{
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t base = first_thread() - lane; base < p.nrows; base += all_threads()) {
        const uint64_t row = base + lane;
        const bool mine = row < p.nrows;
        const uint64_t entries = mine ? p.start[row + 1] - p.start[row] : 0;
        const uint64_t columns = entries ? p.a_start[row + 1] - p.a_start[row] : 0;
        const bool few = entries <= PAIR_THREAD_WORK && entries * columns <= PAIR_THREAD_WORK;
        const unsigned pieces =
            columns && !few ? (unsigned)((entries + PAIR_PIECE - 1) / PAIR_PIECE) : 0;
        const int kind = columns <= PAIR_FEW ? PAIR_BY_WARP : PAIR_BY_BLOCK;
        for (int k = 0; k < PAIR_KINDS; k++) {
            unsigned own = kind == k ? pieces : 0, sum = own;
            for (int offset = 1; offset < 32; offset *= 2) {
                const unsigned before = __shfl_up_sync(full_warp, sum, offset);
                sum += lane >= offset ? before : 0;
            }
            count_t first = 0;
            if (lane == 31 && sum)
                first = atomicAdd(p.rows->pieces + k, (count_t)sum);
            first = __shfl_sync(full_warp, first, 31) + sum - own;
            for (unsigned n = 0; n < own; n++)
                p.piece[k][first + n] = {(uint32_t)row, n};
        }
        if (columns && few)
            count_few(p, row);
        __syncwarp();
    }
}

/* One thread per row of B. */
__global__ static void find_longest(cuda_pair_counts p)
{
    count_t longest = 0;
    for (uint64_t row = first_thread(); row < p.b_rows; row += all_threads())
        longest = max(longest, (count_t)(p.b_start[row + 1] - p.b_start[row]));
    for (int offset = 16; offset > 0; offset /= 2)
        longest = max(longest, __shfl_xor_sync(full_warp, longest, offset));
    if (threadIdx.x % 32 == 0)
        atomicMax(&p.rows->longest, longest);
}

/* ---- sets of columns ------------------------------------------------------------------------ */

/* A part of a row of A. */
struct part {
    const uint32_t *column;
    uint32_t columns, first, last; /* the number of columns; the least and the greatest */
    bool later;                    /* other parts are before it */
};

/* A set by open addressing with linear probing. */
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
    /* By `step` threads, of which this one is number `first`. */
    __device__ void clear(unsigned first, unsigned step)
    {
        for (uint32_t at = first; at <= last; at += step)
            slot[at] = empty;
    }
};

/* At least four slots for each of `columns`. */
__device__ static uint32_t last_slot(uint32_t columns)
{
    return columns < 8 ? 31u : (1u << (34 - __clz(columns - 1))) - 1;
}

/* A set of columns from `base` on, a bit for each. */
struct column_bitmap {
    uint32_t *word;
    uint32_t base, words;

    __device__ void enter(uint32_t column)
    {
        atomicOr(word + (column - base) / 32, 1u << (column - base) % 32);
    }
    __device__ bool has(uint32_t column) const
    {
        return word[(column - base) / 32] >> (column - base) % 32 & 1;
    }
    __device__ void clear(unsigned first, unsigned step)
    {
        for (uint32_t at = first; at < words; at += step)
            word[at] = 0;
    }
};

/* ---- counting ------------------------------------------------------------------------------- */

/* The columns of the part that are among `length` ascending ones. By a warp; every lane gets the
 * sum. */
__device__ static unsigned count_searched(const part &A, const uint32_t *row, uint32_t length)
{
    unsigned own = 0;
    for (uint32_t k = threadIdx.x % 32; k < A.columns; k += 32) {
        const uint32_t column = A.column[k];
        const uint64_t at = first_at(row, 0, length, column);
        own += at < length && row[at] == column;
    }
    return sum_of_warp(own);
}

/* The columns of a row that the set has. By a warp; every lane gets the sum. */
template <typename set>
__device__ static unsigned count_long(const set &columns, const uint32_t *row, uint32_t length)
{
    uint32_t k = threadIdx.x % 32;
    unsigned own = 0;
    for (; k + 96 < length; k += 128) {
        uint32_t column[4];
        for (int i = 0; i < 4; i++)
            column[i] = row[k + 32 * i];
        for (int i = 0; i < 4; i++)
            own += columns.has(column[i]);
    }
    for (; k < length; k += 32)
        own += columns.has(row[k]);
    return sum_of_warp(own);
}

/* Lanes 8 g to 8 g + 7 count in the row of the g-th of the lanes `which`: a lane that is among the
 * first four of them gets the sum of its row, others get 0. */
template <typename set>
__device__ static unsigned count_short(const set &columns, const cuda_pair_counts &p,
                                       unsigned which, uint64_t from, uint32_t length)
{
    const unsigned lane = threadIdx.x % 32;
    unsigned left = which;
    for (unsigned g = 0; g < lane / 8; g++)
        left &= left - 1;
    const int lane_of_row = left ? __ffs((int)left) - 1 : 0;
    const uint32_t *row = p.b_index + __shfl_sync(full_warp, from, lane_of_row);
    const uint32_t end = __shfl_sync(full_warp, length, lane_of_row);
    unsigned own = 0;
    for (uint32_t k = lane % 8; left && k < end; k += 8)
        own += columns.has(row[k]);
    __syncwarp();
    for (int offset = 4; offset > 0; offset /= 2)
        own += __shfl_xor_sync(full_warp, own, offset);
    const unsigned place = (unsigned)__popc(which & ((1u << lane) - 1));
    const unsigned sum = __shfl_sync(full_warp, own, (int)(8 * place % 32));
    return which >> lane & 1 && place < 4 ? sum : 0;
}

/* Adds the common columns of a part of A's row, which the set has, and of B's rows for the entries
 * begin to end - 1 of the mask, at most 32. By a warp. */
template <typename set>
__device__ static void count_entries(const cuda_pair_counts &p, const set &columns, const part &A,
                                     uint64_t begin, uint64_t end)
{
    const unsigned lane = threadIdx.x % 32;
    const uint64_t e = begin + lane;
    uint64_t from = 0;
    uint32_t length = 0;
    unsigned count = 0;
    if (e < end && (!p.truth || p.truth[e])) {
        const uint32_t j = p.index[e];
        const uint64_t b_begin = p.b_start[j], b_end = p.b_start[j + (uint64_t)1];
        if (!A.later || (b_begin < b_end && p.b_index[b_end - 1] >= A.first))
            from = first_at(p.b_index, b_begin, b_end, A.first);
        else
            from = b_end;
        if (from < b_end && p.b_index[b_end - 1] <= A.last)
            length = (uint32_t)(b_end - from);
        else
            length = (uint32_t)(first_at(p.b_index, from, b_end, A.last + 1) - from);
    }
    __syncwarp();
    const unsigned is_long = __ballot_sync(full_warp, length > PAIR_SHORT);
    for (unsigned left = is_long; left; left &= left - 1) {
        const int k = __ffs((int)left) - 1;
        const uint32_t *row = p.b_index + __shfl_sync(full_warp, from, k);
        const uint32_t columns_of_row = __shfl_sync(full_warp, length, k);
        const unsigned sum = columns_of_row > (uint64_t)PAIR_SEARCH * A.columns
                                 ? count_searched(A, row, columns_of_row)
                                 : count_long(columns, row, columns_of_row);
        if (lane == (unsigned)k)
            count = sum;
    }
    unsigned is_short = __ballot_sync(full_warp, length > 0) & ~is_long;
    while (is_short) {
        count += count_short(columns, p, is_short, from, length);
        for (int k = 0; k < 4; k++)
            is_short &= is_short - 1;
    }
    if (count)
        p.count[e] += count;
}

__device__ static part part_of(const cuda_pair_counts &p, uint64_t begin, uint32_t columns)
{
    const uint32_t *column = p.a_index + begin;
    return {column, columns, column[0], column[columns - 1], false};
}

/* The number of the next piece, for a warp. */
__device__ static count_t take_by_warp(count_t *taken)
{
    count_t now = 0;
    if (threadIdx.x % 32 == 0)
        now = atomicAdd(taken, 1ull);
    return __shfl_sync(full_warp, now, 0);
}

/* A warp per piece. Shared memory: a table of 4 PAIR_FEW slots for each warp. */
__global__ static void __launch_bounds__(CUDA_THREADS)
    count_by_warp(cuda_pair_counts p, uint64_t end_piece)
{
    __shared__ uint32_t slots[CUDA_THREADS / 32][4 * PAIR_FEW];
    const unsigned lane = threadIdx.x % 32;
    for (;;) {
        const count_t now = take_by_warp(p.taken + PAIR_BY_WARP);
        if (now >= end_piece)
            return;
        const cuda_piece piece = p.piece[PAIR_BY_WARP][now];
        const uint64_t row = piece.row, a_begin = p.a_start[row];
        const uint64_t begin = p.start[row] + (uint64_t)piece.number * PAIR_PIECE;
        const uint64_t end = min(p.start[row + 1], begin + PAIR_PIECE);
        const part A = part_of(p, a_begin, (uint32_t)(p.a_start[row + 1] - a_begin));
        column_table table = {slots[threadIdx.x / 32], last_slot(A.columns)};
        table.clear(lane, 32);
        __syncwarp();
        for (uint32_t c = lane; c < A.columns; c += 32)
            table.enter(A.column[c]);
        __syncwarp();
        for (uint64_t e = begin; e < end; e += 32)
            count_entries(p, table, A, e, end);
        __syncwarp();
    }
}

/* Enters a part of A's row into a set and counts for the entries begin to end - 1. By a block. */
template <typename set>
__device__ static void count_part(const cuda_pair_counts &p, set columns, const part &A,
                                  uint64_t begin, uint64_t end)
{
    columns.clear(threadIdx.x, CUDA_THREADS);
    __syncthreads();
    for (uint32_t c = threadIdx.x; c < A.columns; c += CUDA_THREADS)
        columns.enter(A.column[c]);
    __syncthreads();
    for (uint64_t e = begin + threadIdx.x / 32 * 32; e < end; e += CUDA_THREADS)
        count_entries(p, columns, A, e, end);
    __syncthreads();
}

/* *least, *greatest: of the columns of B's rows for the entries begin to end - 1 of the mask. By a block. */
__device__ static void find_bounds(const cuda_pair_counts &p, uint64_t begin, uint64_t end,
                                   uint32_t *least, uint32_t *greatest)
{
    __shared__ uint32_t low, high;
    if (threadIdx.x == 0) {
        low = UINT32_MAX;
        high = 0;
    }
    __syncthreads();
    uint32_t own_low = UINT32_MAX, own_high = 0;
    for (uint64_t e = begin + threadIdx.x; e < end; e += CUDA_THREADS) {
        const uint32_t j = p.index[e];
        const uint64_t b_begin = p.b_start[j], b_end = p.b_start[j + (uint64_t)1];
        if (b_begin == b_end)
            continue;
        own_low = min(own_low, p.b_index[b_begin]);
        own_high = max(own_high, p.b_index[b_end - 1]);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        own_low = min(own_low, __shfl_xor_sync(full_warp, own_low, offset));
        own_high = max(own_high, __shfl_xor_sync(full_warp, own_high, offset));
    }
    if (threadIdx.x % 32 == 0) {
        atomicMin(&low, own_low);
        atomicMax(&high, own_high);
    }
    __syncthreads();
    *least = low;
    *greatest = high;
}

/* The end of the columns from `a` on that a bitmap holds. */
__device__ static uint64_t end_of_bitmap(const uint32_t *index, uint64_t a, uint64_t end)
{
    constexpr uint32_t range = 32 * 4 * PAIR_MANY;
    const uint32_t base = index[a] / 32 * 32;
    return index[end - 1] - base < range ? end : first_at(index, a, end, base + range);
}

/* A block per piece. Shared memory: 4 PAIR_MANY slots of a table, or words of a bitmap. */
__global__ static void __launch_bounds__(CUDA_THREADS)
    count_by_block(cuda_pair_counts p, uint64_t end_piece)
{
    __shared__ uint32_t slots[4 * PAIR_MANY];
    __shared__ count_t now;
    for (;;) {
        if (threadIdx.x == 0)
            now = atomicAdd(p.taken + PAIR_BY_BLOCK, 1ull);
        __syncthreads();
        if (now >= end_piece)
            return;
        const cuda_piece piece = p.piece[PAIR_BY_BLOCK][now];
        const uint64_t row = piece.row;
        const uint64_t begin = p.start[row] + (uint64_t)piece.number * PAIR_PIECE;
        const uint64_t end = min(p.start[row + 1], begin + PAIR_PIECE);
        uint64_t a = p.a_start[row], a_end = p.a_start[row + 1];
        if (a_end - a > PAIR_MANY && end_of_bitmap(p.a_index, a, a_end) < a_end) {
            uint32_t least, greatest;
            find_bounds(p, begin, end, &least, &greatest);
            a = first_at(p.a_index, a, a_end, least);
            a_end = first_at(p.a_index, a, a_end, greatest + 1);
        }
        for (bool later = false; a < a_end; later = true) {
            const uint64_t of_table = min(a_end, a + PAIR_MANY),
                           of_bitmap = end_of_bitmap(p.a_index, a, a_end);
            const uint32_t base = p.a_index[a] / 32 * 32,
                           words = (p.a_index[of_bitmap - 1] - base) / 32 + 1;
            const bool dense =
                of_bitmap >= of_table && words <= 4 * (of_bitmap - a) + PAIR_WORDS * (end - begin);
            part A = part_of(p, a, (uint32_t)((dense ? of_bitmap : of_table) - a));
            A.later = later;
            if (dense)
                count_part(p, column_bitmap{slots, base, words}, A, begin, end);
            else
                count_part(p, column_table{slots, last_slot(A.columns)}, A, begin, end);
            a += A.columns;
        }
    }
}

/* ---- launches ------------------------------------------------------------------- */

uint64_t sl_cuda_most_pieces(uint64_t nrows, uint64_t nnz)
{
    return nrows + nnz / PAIR_PIECE + 1;
}

cudaError_t sl_cuda_count_few_pairs(const cuda_pair_counts *p)
{
    const unsigned most = cuda_processors() * CUDA_BLOCKS_PER_SM;
    LAUNCH_TRY(launch_blocks({grid_of(p->nrows, most)}, count_few_and_list, *p));
    return launch_blocks({grid_of(p->b_rows, most)}, find_longest, *p);
}

cudaError_t sl_cuda_count_pairs(const cuda_pair_counts *p, int kind, uint64_t end)
{
    return launch_blocks({cuda_processors() * CUDA_BLOCKS_PER_SM},
                         kind == PAIR_BY_BLOCK ? count_by_block : count_by_warp, *p, end);
}

__global__ static void keep_counted(cuda_kept kept, const uint32_t *count, uint64_t nnz)
{
    FOR_EACH_WORD(nnz)
    {
        keep_entry(kept, w, v < nnz && count[v] != 0);
    }
}

cudaError_t sl_cuda_keep_counted(const cuda_kept *kept, const uint32_t *count, uint64_t nnz)
{
    return launch(nnz, keep_counted, *kept, count, nnz);
}
