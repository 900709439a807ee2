/* Whether every entry (u, v) of a square matrix has a mirror entry (v, u), of the same value: one thread per entry. */
#include "cuda/operations/entries.cuh"

/* Whether entry (u, v) is looked up in row v, which is the shorter one of rows u and v. */
__device__ static bool is_looked_up(const cuda_matrix_rows &A, uint32_t u, uint32_t v)
{
    const uint64_t of_u = A.start[u + (uint64_t)1] - A.start[u];
    const uint64_t of_v = A.start[v + (uint64_t)1] - A.start[v];
    return of_v < of_u || (of_v == of_u && v < u);
}

/* Whether row v has an entry in column u with the value of entry e. */
template <typename T>
__device__ static bool has_mirror(const cuda_matrix_rows &A, uint64_t e, uint32_t u, uint32_t v)
{
    const T *values = (const T *)A.values;
    const uint64_t end = A.start[v + (uint64_t)1], at = first_at(A.index, A.start[v], end, u);
    return at < end && A.index[at] == u && (!values || values[at] == values[e]);
}

/* Looks up the mirror entries of half of the entries, in the shorter rows. No two of them have the
 * same mirror entry, and mirror entries are in the other half: if all are found and both halves have
 * the same number of entries, then every entry has a mirror entry. */
template <typename T>
__global__ static void compare_mirrors(cuda_matrix_rows A, cuda_mirrors *found)
{
    count_t own = 0;
    for (uint64_t first = first_thread() - threadIdx.x % 32; first < A.nnz;
         first += all_threads()) {
        const uint64_t e = first + threadIdx.x % 32;
        if (*(volatile unsigned *)&found->differs)
            break;
        if (e >= A.nnz)
            continue;
        const uint32_t u = (uint32_t)row_of_entry(A.start, A.nrows, e), v = A.index[e];
        if (u == v)
            continue;
        if (!is_looked_up(A, u, v)) {
            own--;
            continue;
        }
        own++;
        if (!has_mirror<T>(A, e, u, v))
            found->differs = 1;
    }
    own = warp_sum(own);
    if (threadIdx.x % 32 == 0 && own)
        atomicAdd((count_t *)&found->balance, own);
}

cudaError_t sl_cuda_compare_mirrors(const cuda_matrix_rows *A, sl_type type, cuda_mirrors *found)
{
    if (type == SL_FP32)
        return launch(A->nnz, compare_mirrors<float>, *A, found);
    if (type == SL_FP64)
        return launch(A->nnz, compare_mirrors<double>, *A, found);
    switch (A->values ? A->size : 1) {
    case 1:
        return launch(A->nnz, compare_mirrors<uint8_t>, *A, found);
    case 2:
        return launch(A->nnz, compare_mirrors<uint16_t>, *A, found);
    case 4:
        return launch(A->nnz, compare_mirrors<uint32_t>, *A, found);
    case 8:
        return launch(A->nnz, compare_mirrors<uint64_t>, *A, found);
    default:
        return cudaErrorInvalidValue;
    }
}
