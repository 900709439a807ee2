/* The numbers of entries of all rows. */
#include "cuda/operations/algebra.cuh"
#include "cuda/products/product_kernels.h"

/* One thread per row; a warp per word of bits. */
template <typename T>
__global__ static void row_counts(uint32_t *bits, T *t, const uint64_t *start, uint64_t rows)
{
    FOR_EACH_WORD(rows)
    {
        const uint64_t length = v < rows ? start[v + 1] - start[v] : 0;
        if (length)
            t[v] = (T)length;
        const unsigned word = __ballot_sync(full_warp, length > 0);
        if (bits && lane == 0)
            bits[w] = word;
    }
}

cudaError_t sl_cuda_row_counts(uint32_t *bits, void *t, sl_type type, const uint64_t *start,
                               uint64_t rows)
{
#define CALL(T) launch(rows, row_counts<T>, bits, (T *)t, start, rows)
    WITH_TYPE(type, CALL);
#undef CALL
}
