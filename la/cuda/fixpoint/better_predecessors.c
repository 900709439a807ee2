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
           call->a->type == semiring->result && call->a->nrows <= UINT32_MAX;
}

/* Over the sorted columns. */
static sl_status find_by_columns(cuda_scratch *s, cuda_better_predecessors *p,
                                 const cuda_lengths *columns)
{
    const sl_type type = columns->type;
    const unsigned processors = cuda_processors();
    const cuda_lengths *rows = cuda_lengths_of(cuda_matrix_of(s->call->a));
    p->index = rows->index;
    p->lengths = rows->length;
    p->col_start = columns->start;
    p->col_index = columns->index;
    p->col_lengths = columns->length;
    p->narrow = columns->narrow;
    CUDA_TRY(sl_cuda_scratch_take(s, &p->least, sizeof(uint64_t)));
    CUDA_TRY(cuda_launched(s, "kernel find_least_row",
                           sl_cuda_find_least_row(p, type, processors, cuda_stream())));
    CUDA_TRY(cuda_launched(s, "kernel find_early",
                           sl_cuda_find_early_predecessors(p, type, processors, cuda_stream())));
    return cuda_launched(s, "kernel pull_predecessors",
                         sl_cuda_pull_better_predecessors(p, type, processors, cuda_stream()));
}

static sl_status find(cuda_scratch *s, cuda_better_predecessors *p)
{
    const sl_call *call = s->call;
    const cuda_matrix *A = cuda_matrix_of(call->a);
    const cuda_lengths *rows = cuda_lengths_of(A), *columns = cuda_column_lengths_of(A);
    const sl_type type = call->semiring->result;
    if (p->nnz == 0)
        return SL_OK;
    return rows && rows->type == type && columns && columns->type == type
               ? find_by_columns(s, p, columns)
               : cuda_launched(
                     s, "kernel find_better",
                     sl_cuda_find_better_predecessors(p, type, cuda_processors(), cuda_stream()));
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
                                  .equal_too = call->equal_too};
    CUDA_TRY(sl_cuda_scratch_take(s, &p.best, n * sizeof *p.best));
    CUDA_TRY(cuda_launched(s, "memset", sl_cuda_begin_predecessors(p.best, n, cuda_stream())));
    CUDA_TRY(find(s, &p));
    CUDA_TRY(cuda_launched(s, "kernel take",
                           sl_cuda_take_better_predecessors(t.values, t.bits, p.best, NULL, n,
                                                            cuda_processors(), cuda_stream())));
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
