/* The operation `predecessors` for min_plus: the kernels of better_predecessors.cu, over the sorted columns if
 * a closure on a grid has made them. */
#include "better_predecessors_kernels.h"
#include "lengths.h"
#include "operations.h"
#include "vector_result.h"

bool sl_cuda_has_predecessors(const sl_call *call)
{
    const sl_semiring semiring = call->semiring;
    return !sl_semiring_is_user_defined(semiring) && semiring->code == SL_SEMIRING_MIN_PLUS &&
           call->a->type == semiring->result;
}

static sl_status predecessors(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const cuda_matrix *A = cuda_matrix_of(call->a);
    const cuda_vector *from = cuda_vector_of(call->b), *to = cuda_vector_of(call->mask);
    const uint64_t n = call->a->ncols;
    cuda_entries t;
    if (n == 0 || call->a->nrows == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_new_entries(s, &t, n, SL_INT64));
    const cuda_lengths *columns =
        A->column_lengths && A->column_lengths->type == call->semiring->result ? A->column_lengths
                                                                               : NULL;
    cuda_better_predecessors p = {.nrows = call->a->nrows,
                                  .ncols = n,
                                  .nnz = A->nnz,
                                  .start = A->start,
                                  .index = A->index,
                                  .lengths = A->values,
                                  .from_bits = from->bits,
                                  .to_bits = to->bits,
                                  .from = from->values,
                                  .to = to->values,
                                  .equal_too = call->equal_too,
                                  .best = t.values};
    if (columns) {
        p.col_start = columns->start;
        p.col_index = columns->index;
        p.col_lengths = columns->length;
        p.narrow = columns->narrow;
        CUDA_TRY(sl_cuda_scratch_take(s, &p.least, sizeof(uint64_t)));
    }
    CUDA_TRY(cuda_launched(
        s, "kernel predecessors",
        (columns ? sl_cuda_pull_better_predecessors : sl_cuda_find_better_predecessors)(
            &p, call->semiring->result, cuda_processors(), cuda_stream())));
    CUDA_TRY(cuda_launched(
        s, "kernel predecessors",
        sl_cuda_mark_better_predecessors(t.bits, &p, cuda_processors(), cuda_stream())));
    sl_cuda_move_entries(s, cuda_vector_of(call->out), &t, n);
    return SL_OK;
}

sl_status sl_cuda_predecessors(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = predecessors(&s);
    sl_cuda_scratch_release(&s);
    return status;
}
