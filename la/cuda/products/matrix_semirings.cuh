/*
 * Semirings of matrix products, as semirings.cuh has them for vectors: one kernel per type looks
 * its operators up at run time; those of PRECOMPILED_MATRIX_PRODUCTS are compiled for their
 * semiring, others when they are needed.
 */
#ifndef SEMLA_CUDA_MATRIX_SEMIRINGS_CUH
#define SEMLA_CUDA_MATRIX_SEMIRINGS_CUH

#include "cuda/products/semirings.cuh"
#include "cuda/products/spgemm_kernels.h"

/* Product of A(row, k), entry e, and B(k, j), entry g. A positional product is k, row or j. */
template <typename R>
__device__ inline typename R::T multiply_entries(const cuda_sums &s, uint64_t e, uint64_t g,
                                                 uint64_t row)
{
    using T = typename R::T;
    if constexpr (R::positional)
        return (T)(s.inner_position ? s.f.a_index[e] : s.row_position ? row : s.f.b_index[g]);
    else
        return R::of_entries(s.p, e, g);
}

#ifndef __CUDACC_RTC__

/* Returns LAUNCH(R), a cudaError_t, with the semiring type of the product p, or with an arbitrary one if
 * kernels were compiled at run time. */
#define WITH_MATRIX_RING                                                                           \
    if (p->made.kernel[0]) {                                                                       \
        using R = ring<bool, CUDA_VALUES, SL_BINARY_LOR, SL_BINARY_LAND>;                          \
        return LAUNCH(R);                                                                          \
    }                                                                                              \
    PRECOMPILED_MATRIX_PRODUCTS(RING_AHEAD)                                                        \
    RING_OF_POSITIONS                                                                              \
    WITH_TYPE(p->type, RING_OF_TYPE)

#endif
#endif
