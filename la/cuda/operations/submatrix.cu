/* Kernels of extract and assign on matrices, one thread per entry or list item. */
#include "cuda/operations/entries.cuh"
#include "cuda/operations/entry_kernels.h"

/* ---- lists ---------------------------------------------------------------------- */

__global__ static void range(uint64_t *to, uint64_t begin, uint64_t step, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = begin + k * step;
}

cudaError_t sl_cuda_range(uint64_t *to, uint64_t begin, uint64_t step, uint64_t count)
{
    return launch(count, range, to, begin, step, count);
}

__global__ static void mark(uint32_t *bits, const uint64_t *list, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        atomicOr(bits + list[k] / 32, (uint32_t)1 << (list[k] % 32));
}

cudaError_t sl_cuda_mark(uint32_t *bits, const uint64_t *list, uint64_t count)
{
    return launch(count, mark, bits, list, count);
}

/* Item k of a list; a NULL list is 0, 1, 2, ... */
__device__ static uint64_t item(const uint64_t *list, uint64_t k)
{
    return list ? list[k] : k;
}

/* ---- extract ------------------------------------------------------------------------ */

__global__ static void listed_lengths(uint64_t *to, const uint64_t *start, const uint64_t *list,
                                      uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads()) {
        uint64_t row = item(list, k);
        to[k] = start[row + 1] - start[row];
    }
}

cudaError_t sl_cuda_listed_lengths(uint64_t *to, const uint64_t *start, const uint64_t *list,
                                   uint64_t count)
{
    return launch(count, listed_lengths, to, start, list, count);
}

__global__ static void listed_entries(uint64_t *entry, const uint64_t *start, const uint64_t *list,
                                      const uint64_t *ends, uint64_t rows, uint64_t count)
{
    for (uint64_t e = first_thread(); e < count; e += all_threads()) {
        uint64_t row = row_of_lane(ends, rows, e);
        entry[e] = start[item(list, row)] + (e - before(ends, row));
    }
}

cudaError_t sl_cuda_listed_entries(uint64_t *entry, const uint64_t *start, const uint64_t *list,
                                   const uint64_t *ends, uint64_t rows, uint64_t count)
{
    return launch(count, listed_entries, entry, start, list, ends, rows, count);
}

__global__ static void invert_list(uint32_t *place, const uint64_t *list, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        place[list[k]] = (uint32_t)k;
}

/* Of two equal items one has lost its place. */
__global__ static void find_repeats(unsigned *repeats, const uint32_t *place, const uint64_t *list,
                                    uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        if (place[list[k]] != k)
            *repeats = 1;
}

cudaError_t sl_cuda_invert_list(uint32_t *place, unsigned *repeats, const uint64_t *list,
                                uint64_t count)
{
    LAUNCH_TRY(launch(count, invert_list, place, list, count));
    return launch(count, find_repeats, repeats, place, list, count);
}

__global__ static void occurrences(uint64_t *times, const uint64_t *entry, const uint32_t *index,
                                   const uint64_t *sorted, uint64_t length, uint64_t count)
{
    for (uint64_t e = first_thread(); e < count; e += all_threads()) {
        uint64_t column = index[entry[e]], from = first_at(sorted, 0, length, column);
        times[e] = first_at(sorted, from, length, column + 1) - from;
    }
}

cudaError_t sl_cuda_occurrences(uint64_t *times, const uint64_t *entry, const uint32_t *index,
                                const uint64_t *sorted, uint64_t length, uint64_t count)
{
    return launch(count, occurrences, times, entry, index, sorted, length, count);
}

__global__ static void submatrix(cuda_submatrix m)
{
    for (uint64_t k = first_thread(); k < m.made; k += all_threads()) {
        uint64_t e = m.times ? row_of_lane(m.times, m.count, k) : k;
        uint64_t row = row_of_lane(m.row_ends, m.rows, e);
        uint64_t origin =
            m.entry ? m.entry[e] : m.start[item(m.row_list, row)] + (e - before(m.row_ends, row));
        uint64_t column = m.index[origin];
        if (m.times)
            column =
                item(m.position, first_at(m.sorted, 0, m.length, column) + k - before(m.times, e));
        else if (m.place)
            column = m.place[column];
        m.key[k] = m.by_columns ? column << m.shift | row : row << m.shift | column;
        if (m.origin)
            m.origin[k] = origin;
    }
}

cudaError_t sl_cuda_submatrix(const cuda_submatrix *m)
{
    return launch(m->made, submatrix, *m);
}

/* ---- assign ------------------------------------------------------------------------- */

__global__ static void moved_keys(uint64_t *key, cuda_matrix_rows from, const uint64_t *rows,
                                  const uint64_t *cols, unsigned shift)
{
    for (uint64_t e = first_thread(); e < from.nnz; e += all_threads())
        key[e] = item(rows, row_of_entry(from.start, from.nrows, e)) << shift |
                 item(cols, from.index[e]);
}

cudaError_t sl_cuda_moved_keys(uint64_t *key, const cuda_matrix_rows *from, const uint64_t *rows,
                               const uint64_t *cols, unsigned shift)
{
    return launch(from->nnz, moved_keys, key, *from, rows, cols, shift);
}

__global__ static void keep_region(cuda_kept kept, cuda_matrix_rows from, const bool *truth,
                                   const uint32_t *rows, const uint32_t *cols, bool outside)
{
    FOR_EACH_WORD(from.nnz)
    {
        bool in = v < from.nnz && (!cols || bit_of(cols, from.index[v]));
        if (in && rows)
            in = bit_of(rows, (uint32_t)row_of_entry(from.start, from.nrows, v));
        keep_entry(kept, w, v < from.nnz && in != outside && (!truth || truth[v]));
    }
}

cudaError_t sl_cuda_keep_region(const cuda_kept *kept, const cuda_matrix_rows *from,
                                const bool *truth, const uint32_t *rows, const uint32_t *cols,
                                bool outside)
{
    return launch(from->nnz, keep_region, *kept, *from, truth, rows, cols, outside);
}

__global__ static void block(uint64_t *start, uint32_t *index, const uint64_t *rows,
                             uint64_t row_count, const uint64_t *cols, uint64_t col_count,
                             uint64_t nrows)
{
    for (uint64_t e = first_thread(); e < row_count * col_count; e += all_threads())
        index[e] = (uint32_t)item(cols, e % col_count);
    for (uint64_t row = first_thread(); row <= nrows; row += all_threads())
        start[row] = col_count * (rows ? first_at(rows, 0, row_count, row) : row);
}

cudaError_t sl_cuda_block(uint64_t *start, uint32_t *index, const uint64_t *rows,
                          uint64_t row_count, const uint64_t *cols, uint64_t col_count,
                          uint64_t nrows)
{
    uint64_t count = row_count * col_count;
    return launch(count > nrows ? count : nrows + 1, block, start, index, rows, row_count, cols,
                  col_count, nrows);
}

__global__ static void keep_corner(cuda_kept kept, const uint64_t *start, const uint32_t *index,
                                   uint64_t nrows, uint64_t ncols, uint64_t nnz, uint64_t rows)
{
    FOR_EACH_WORD(nnz)
    {
        keep_entry(kept, w, v < nnz && index[v] < ncols && row_of_entry(start, rows, v) < nrows);
    }
}

cudaError_t sl_cuda_keep_corner(const cuda_kept *kept, const uint64_t *start, const uint32_t *index,
                                uint64_t nrows, uint64_t ncols, uint64_t nnz, uint64_t rows)
{
    return launch(nnz, keep_corner, *kept, start, index, nrows, ncols, nnz, rows);
}
