/* Private to the CUDA engine: products of matrices. */
#ifndef SEMLA_CUDA_MXM_H
#define SEMLA_CUDA_MXM_H

#include "rows.h"
#include "spgemm_kernels.h"

/* One product, as its call says. */
typedef struct {
    cuda_scratch *s;
    cuda_rows A, B, mask; /* values of the operands where they are read, of the operator's type */
    sl_semiring semiring;
    bool all_ones;  /* the result's values are 1 wherever it has an entry */
    cuda_sums sums; /* p and the positions; of the factors all but `ends` */
} cuda_mxm;

/* Numbers the products: fills in the factors' `ends`; how many they are. */
sl_status sl_cuda_count_products(cuda_mxm *m, uint64_t *products);

/* T = A B row by row, of so many products; only what the call's mask lets through. */
sl_status sl_cuda_spgemm(cuda_mxm *m, cuda_rows *T, uint64_t products);

/* Values of the result, if it needs any: unspecified. */
sl_status sl_cuda_take_values(cuda_mxm *m, cuda_rows *T);

/* No entries. */
sl_status sl_cuda_no_rows(cuda_mxm *m, cuda_rows *T);

#endif
