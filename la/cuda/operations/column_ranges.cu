/* Kernels of select by columns. The columns of a row ascend, so the first or last ones are adjacent. */
#include "cuda/operations/entries.cuh"
#include "cuda/operations/matrix_kernels.h"

/* One thread per row. */
__global__ static void range_lengths(uint64_t *length, cuda_column_range r)
{
    for (uint64_t row = first_thread(); row < r.nrows; row += all_threads()) {
        const uint64_t begin = r.start[row], end = r.start[row + 1];
        const int64_t limit = r.limit + (r.diagonal ? (int64_t)row : 0);
        const uint64_t at = limit <= 0           ? begin
                            : limit > UINT32_MAX ? end
                                                 : first_at(r.index, begin, end, (uint32_t)limit);
        length[row] = r.last ? end - at : at - begin;
    }
}

cudaError_t sl_cuda_range_lengths(uint64_t *length, const cuda_column_range *r)
{
    return launch(r->nrows, range_lengths, length, *r);
}

/* One thread per entry of the result. */
template <typename V>
__global__ static void copy_range(uint32_t *to_index, V *to_values, const uint64_t *to_start,
                                  uint64_t nnz, cuda_column_range r, const V *values)
{
    for (uint64_t e = first_thread(); e < nnz; e += all_threads()) {
        const uint64_t row = row_of_entry(to_start, r.nrows, e);
        const uint64_t from = r.last ? r.start[row + 1] - (to_start[row + 1] - e)
                                     : r.start[row] + (e - to_start[row]);
        to_index[e] = r.index[from];
        if (values)
            to_values[e] = values[from];
    }
}

cudaError_t sl_cuda_copy_range(uint32_t *to_index, void *to_values, const uint64_t *to_start,
                               uint64_t nnz, const cuda_column_range *r, const void *values,
                               size_t size)
{
#define CALL(V)                                                                                    \
    launch(nnz, copy_range<V>, to_index, (V *)to_values, to_start, nnz, *r, (const V *)values)
    WITH_SIZE(size, CALL);
#undef CALL
}
