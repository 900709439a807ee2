/* Private to the CUDA engine: the state of a product of matrices, and what its algorithms share. */
#ifndef SEMLA_CUDA_MXM_COMMON_H
#define SEMLA_CUDA_MXM_COMMON_H

#include "jit.h"
#include "rows.h"
#include "program.h"
#include "spgemm_kernels.h"

/* A product of which only the semiring is set, to ask whether kernels are compiled for it. */
static inline cuda_product cuda_product_over(sl_monoid add, sl_binary_op multiply)
{
    return (cuda_product){.type = multiply->type,
                          .kind = multiply->positional ? CUDA_POSITION : CUDA_VALUES,
                          .add = (int)add->op->code,
                          .multiply = (int)multiply->code};
}

/* One product, as its call says. */
typedef struct {
    cuda_scratch *s;
    cuda_rows A, B, mask; /* values of the operands where they are read, of the operator's type */
    sl_semiring semiring;
    bool all_ones;  /* the result's values are 1 wherever it has an entry */
    bool written;   /* the output is, and there is no result to be written to it */
    cuda_sums sums; /* p and the positions; of the factors all but `ends` */
} cuda_mxm;

/* Kernels for the semiring, if there is need for some. */
sl_status sl_cuda_make_mxm(cuda_mxm *m, cuda_made *made, cuda_program_kind kind, uint64_t entries);

/* Numbers the products: fills in the factors' `ends`; how many they are. */
sl_status sl_cuda_count_products(cuda_mxm *m, uint64_t *products);

/* T = A B row by row, of so many products; only what the call's mask lets through. */
sl_status sl_cuda_spgemm(cuda_mxm *m, cuda_rows *T, uint64_t products);

/* Values of the result, if it needs any: unspecified. */
sl_status sl_cuda_take_values(cuda_mxm *m, cuda_rows *T);

/* Sums of products, one or both of whose factors may be taken to be 1. */
bool sl_cuda_is_plus_times(sl_semiring semiring);

/* No entries. */
sl_status sl_cuda_no_rows(cuda_mxm *m, cuda_rows *T);

#endif
