/* Kernels that divide blocks of matrices, cut columns out of them, join parts side by side, and number entries. Rows
 * take one thread each, entries too; a warp's entries are adjacent. */
#include "cuda/grid_matrices/grid_matrix_kernels.h"
#include "cuda/operations/entries.cuh"

__global__ static void measure_columns(uint64_t *length, uint64_t *first, cuda_part A,
                                       uint64_t begin, uint64_t end)
{
    for (uint64_t row = first_thread(); row < A.nrows; row += all_threads()) {
        const uint64_t low = A.start[row], high = A.start[row + 1];
        const uint64_t from = first_at(A.index, low, high, (uint32_t)begin);
        const uint64_t to = end > UINT32_MAX ? high : first_at(A.index, from, high, (uint32_t)end);
        first[row] = from;
        length[row] = to - from;
    }
}

cudaError_t sl_cuda_measure_columns(uint64_t *length, uint64_t *first, const cuda_part *A,
                                    uint64_t begin, uint64_t end)
{
    return launch(A->nrows, measure_columns, length, first, *A, begin, end);
}

template <typename V>
__global__ static void cut_columns(uint32_t *to_index, V *to_values, const uint64_t *to_start,
                                   uint64_t nnz, const uint64_t *first, cuda_part A, uint32_t begin)
{
    const V *values = (const V *)A.values;
    for (uint64_t e = first_thread(); e < nnz; e += all_threads()) {
        const uint64_t row = row_of_entry(to_start, A.nrows, e);
        const uint64_t from = first[row] + (e - to_start[row]);
        to_index[e] = A.index[from] - begin;
        if (to_values)
            to_values[e] = values[from];
    }
}

cudaError_t sl_cuda_cut_columns(const cuda_part_entries *to, const uint64_t *to_start, uint64_t nnz,
                                const uint64_t *first, const cuda_part *A, uint64_t begin)
{
#define CALL(V)                                                                                    \
    launch(nnz, cut_columns<V>, to->index, (V *)to->values, to_start, nnz, first, *A,              \
           (uint32_t)begin)
    WITH_SIZE(to->size, CALL);
#undef CALL
}

__global__ static void divide_rows(uint64_t *row, cuda_part A, uint64_t pieces)
{
    const double share = (double)(A.nnz + A.nrows) / (double)pieces;
    for (uint64_t p = first_thread(); p <= pieces; p += all_threads()) {
        uint64_t low = 0, high = A.nrows;
        while (low < high && p < pieces) {
            const uint64_t middle = low + (high - low) / 2;
            if ((double)(A.start[middle] + middle) < share * (double)p)
                low = middle + 1;
            else
                high = middle;
        }
        row[p] = p < pieces ? low : A.nrows;
    }
}

cudaError_t sl_cuda_divide_rows(uint64_t *row, const cuda_part *A, uint64_t pieces)
{
    return launch(pieces + 1, divide_rows, row, *A, pieces);
}

__device__ static inline uint64_t mapped(const cuda_row_map &map, uint64_t k)
{
    if (map.count == 0)
        return k;
    const uint64_t b = row_of(map.begin + 1, 0, map.count - 1, k);
    return map.first[b] + (k - map.begin[b]);
}

__global__ static void add_lengths(uint64_t *lengths, cuda_part part, cuda_row_map map)
{
    for (uint64_t row = first_thread(); row < part.nrows; row += all_threads())
        lengths[mapped(map, row)] += part.start[row + 1] - part.start[row];
}

cudaError_t sl_cuda_add_lengths(uint64_t *lengths, const cuda_part *part, const cuda_row_map *map)
{
    return launch(part->nrows, add_lengths, lengths, *part, *map);
}

template <typename V>
__global__ static void join_part(uint32_t *to_index, V *to_values, const uint64_t *next,
                                 cuda_part part, cuda_row_map map, uint32_t shift, V one)
{
    const V *values = (const V *)part.values;
    for (uint64_t e = first_thread(); e < part.nnz; e += all_threads()) {
        const uint64_t row = row_of_entry(part.start, part.nrows, e);
        const uint64_t to = next[mapped(map, row)] + (e - part.start[row]);
        to_index[to] = part.index[e] + shift;
        if (to_values)
            to_values[to] = values ? values[e] : one;
    }
}

cudaError_t sl_cuda_join_part(const cuda_part_entries *to, const uint64_t *next,
                              const cuda_part *part, const cuda_row_map *map, uint32_t shift,
                              uint64_t one)
{
#define CALL(V)                                                                                    \
    launch(part->nnz, join_part<V>, to->index, (V *)to->values, next, *part, *map, shift, (V)one)
    WITH_SIZE(to->size, CALL);
#undef CALL
}

__global__ static void global_columns(uint32_t *to, const uint32_t *from, uint64_t count,
                                      sl_local_blocks blocks)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = (uint32_t)sl_global_index(&blocks, from[k]);
}

cudaError_t sl_cuda_global_columns(uint32_t *to, const uint32_t *from, uint64_t count,
                                   const sl_local_blocks *blocks)
{
    return launch(count, global_columns, to, from, count, *blocks);
}

__global__ static void write_indices(int64_t *values, cuda_part A, bool of_rows, cuda_row_map map)
{
    for (uint64_t e = first_thread(); e < A.nnz; e += all_threads())
        values[e] = (int64_t)mapped(map, of_rows ? row_of_entry(A.start, A.nrows, e) : A.index[e]);
}

cudaError_t sl_cuda_write_indices(int64_t *values, const cuda_part *A, bool of_rows,
                                  const cuda_row_map *map)
{
    return launch(A->nnz, write_indices, values, *A, of_rows, *map);
}
