/* Lists the pairs of entries of a Kronecker product, one thread per entry. */
#include "cuda/operations/entries.cuh"
#include "cuda/operations/entry_kernels.h"

/*
 * Row (i, k) of the product consists of the entries of A's row i, each with all entries of B's row
 * k. Before it come all rows i' < i, with (entries of A before row i) x nnz(B) entries, and the
 * rows (i, k') with k' < k. So a row is found by binary search, without sums of lengths.
 */
__global__ static void kronecker(cuda_kronecker k)
{
    uint64_t nnz = k.a_nnz * k.b_nnz, rows = k.a_rows * k.b_rows;
    for (uint64_t e = first_thread(); e < nnz; e += all_threads()) {
        uint64_t a_row = row_of_entry(k.a_start, k.a_rows, e / k.b_nnz);
        uint64_t a_length = k.a_start[a_row + 1] - k.a_start[a_row];
        uint64_t rest = e - k.a_start[a_row] * k.b_nnz;
        uint64_t b_row = row_of(k.b_start + 1, 0, k.b_rows, rest / a_length);
        uint64_t b_length = k.b_start[b_row + 1] - k.b_start[b_row];
        rest -= a_length * k.b_start[b_row];
        uint64_t a = k.a_start[a_row] + rest / b_length, b = k.b_start[b_row] + rest % b_length;
        k.index[e] = (uint32_t)(k.a_index[a] * k.b_cols + k.b_index[b]);
        k.a_entry[e] = a;
        k.b_entry[e] = b;
    }
    for (uint64_t row = first_thread(); row < rows; row += all_threads()) {
        uint64_t a_row = row / k.b_rows, b_row = row % k.b_rows;
        k.start[row] = k.a_start[a_row] * k.b_nnz +
                       (k.a_start[a_row + 1] - k.a_start[a_row]) * k.b_start[b_row];
    }
    if (first_thread() == 0)
        k.start[rows] = nnz;
}

cudaError_t sl_cuda_kronecker_entries(const cuda_kronecker *k)
{
    uint64_t nnz = k->a_nnz * k->b_nnz, rows = k->a_rows * k->b_rows;
    return launch(nnz > rows ? nnz : rows, kronecker, *k);
}
