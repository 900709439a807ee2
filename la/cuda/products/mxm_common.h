/* Private to the CUDA engine: the state of a matrix product, and what its algorithms share. */
#ifndef SEMLA_CUDA_MXM_COMMON_H
#define SEMLA_CUDA_MXM_COMMON_H

#include "cuda/jit/jit.h"
#include "cuda/jit/program.h"
#include "cuda/operations/matrix_rows.h"
#include "cuda/products/spgemm_kernels.h"

/* A product with the semiring alone, to ask whether kernels are precompiled for it. */
static inline cuda_product cuda_product_over(sl_monoid add, sl_binary_op multiply)
{
    return (cuda_product){.type = multiply->type,
                          .kind = multiply->positional ? CUDA_POSITION : CUDA_VALUES,
                          .add = (int)add->op->code,
                          .multiply = (int)multiply->code};
}

/* One product. */
typedef struct {
    cuda_scratch *s;
    cuda_rows A, B, mask; /* operands; values that the operator reads are cast to its types */
    sl_semiring semiring;
    bool all_ones;  /* every value of the result is 1 */
    bool written;   /* the output has been written, T is not used */
    cuda_sums sums; /* p, positions, and the factors without `ends` */
} cuda_mxm;

/* Kernels compiled at run time for the semiring, if needed. */
sl_status sl_cuda_compile_mxm(cuda_mxm *m, cuda_compiled *made, cuda_program_kind kind,
                              uint64_t entries);

/* Sets the factors' `ends`; *products: the number of products. */
sl_status sl_cuda_count_products(cuda_mxm *m, uint64_t *products);

/* T = A B row by row; only entries that the call's mask allows. */
sl_status sl_cuda_spgemm(cuda_mxm *m, cuda_rows *T, uint64_t products);

/* Allocates values of the result if it needs any; contents unspecified. */
sl_status sl_cuda_take_values(cuda_mxm *m, cuda_rows *T);

/* True for sums of products where one or both factors may count as 1. */
bool sl_cuda_is_plus_times(sl_semiring semiring);

/* T without entries. */
sl_status sl_cuda_no_rows(cuda_mxm *m, cuda_rows *T);

#endif
