/* The operation `components`: scratch, the kernels of components.cu, and the result as int64. */
#include "cuda/fixpoint/components_kernels.h"
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/vector_result.h"

static sl_status components(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const cuda_matrix *A = cuda_matrix_of(call->a);
    cuda_forest f = {.n = call->a->nrows, .start = A->start, .index = A->index};
    cuda_entries t;
    if (f.n == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &f.parent, f.n * sizeof *f.parent));
    CUDA_TRY(sl_cuda_scratch_take(s, &f.giant, sizeof *f.giant));
    CUDA_TRY(sl_cuda_new_full(s, &t, f.n, SL_INT64));
    CUDA_TRY(cuda_launched(s, "kernel components", sl_cuda_find_components(&f)));
    CUDA_TRY(cuda_launched(s, "kernel cast",
                           sl_cuda_cast(t.values, SL_INT64, f.parent, SL_UINT32, NULL, f.n)));
    sl_cuda_move_entries(s, cuda_vector_of(call->out), &t, f.n);
    return SL_OK;
}

sl_status sl_cuda_components(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = components(&s);
    sl_cuda_scratch_release(&s);
    return status;
}
