/* Functions shared by the algorithms for products of matrices. */
#include "cuda/products/mxm_common.h"

bool sl_cuda_is_plus_times(sl_semiring semiring)
{
    sl_binary_code multiply = semiring->multiply->code;
    return !sl_semiring_is_user_defined(semiring) && semiring->add->op->code == SL_BINARY_PLUS &&
           (multiply == SL_BINARY_TIMES || multiply == SL_BINARY_FIRST ||
            multiply == SL_BINARY_SECOND);
}

sl_status sl_cuda_compile_mxm(cuda_mxm *m, cuda_compiled *made, cuda_program_kind kind,
                              uint64_t entries)
{
    const sl_semiring semiring = m->semiring;
    const cuda_product p = cuda_product_over(semiring->add, semiring->multiply);
    return sl_cuda_compile_product(m->s->call->ctx, made, kind, semiring->add, semiring->multiply,
                                   sl_cuda_mxm_is_precompiled(&p), entries);
}

sl_status sl_cuda_take_values(cuda_mxm *m, cuda_rows *T)
{
    T->values = NULL;
    return m->all_ones ? SL_OK
                       : sl_cuda_scratch_take(m->s, &T->values, T->nnz * sl_type_size(T->type));
}

sl_status sl_cuda_no_rows(cuda_mxm *m, cuda_rows *T)
{
    uint64_t nrows = m->s->call->out->nrows, bytes = (nrows + 1) * sizeof *T->start;
    *T = (cuda_rows){.type = m->semiring->add->type, .nrows = nrows};
    CUDA_TRY(sl_cuda_scratch_take(m->s, &T->start, bytes));
    CUDA_TRY(sl_cuda_scratch_take(m->s, &T->index, 0));
    return sl_cuda_zero(m->s->call->ctx, T->start, bytes);
}
