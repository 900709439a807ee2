/* Resize of matrices and vectors. */
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/entry_kernels.h"
#include "cuda/operations/matrix_rows.h"

/* The starts of fewer rows, or of more rows, which are empty. */
static sl_status resize_starts(cuda_scratch *s, cuda_rows *rows, uint64_t nrows)
{
    uint64_t old = rows->nrows, stay = nrows < old ? nrows : old, *start;
    CUDA_TRY(sl_cuda_scratch_take(s, &start, (nrows + 1) * sizeof *start));
    CUDA_TRY(sl_cuda_copy(s->call->ctx, start, rows->start, (stay + 1) * sizeof *start));
    if (nrows > old)
        CUDA_TRY(cuda_launched(
            s, "kernel fill",
            sl_cuda_fill(start + old + 1, &rows->nnz, sizeof rows->nnz, nrows - old)));
    rows->start = start;
    rows->nrows = nrows;
    return SL_OK;
}

static sl_status resize_matrix(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const sl_object *out = call->out;
    cuda_rows C, Z;
    cuda_kept kept;
    CUDA_TRY(sl_cuda_rows_of(&C, call->out, false));
    Z = C;
    if (call->rows.count < out->nrows || call->cols.count < out->ncols) {
        CUDA_TRY(sl_cuda_take_kept(s, &kept, C.nnz));
        CUDA_TRY(cuda_launched(s, "kernel keep_corner",
                               sl_cuda_keep_corner(&kept, C.start, C.index, call->rows.count,
                                                   call->cols.count, C.nnz, C.nrows)));
        CUDA_TRY(sl_cuda_rows_filter(s, &Z, &C, &kept));
    }
    CUDA_TRY(resize_starts(s, &Z, call->rows.count));
    return sl_cuda_replace_rows(s, &Z);
}

static sl_status resize_vector(cuda_scratch *s)
{
    const sl_call *call = s->call;
    sl_type type = call->out->type;
    cuda_vector *v = cuda_vector_of(call->out);
    uint64_t n = call->out->nrows, now = call->rows.count, stay = now < n ? now : n;
    cuda_entries e;
    if (cuda_is_list(v) && now >= n) /* unchanged */
        return SL_OK;
    CUDA_TRY(sl_cuda_make_bitmap(call->out, v));
    CUDA_TRY(sl_cuda_new_entries(s, &e, now, type));
    CUDA_TRY(sl_cuda_zero(call->ctx, e.bits, cuda_words(now) * sizeof *e.bits));
    CUDA_TRY(cuda_launched(s, "kernel mask", /* clears the bits behind its end */
                           sl_cuda_mask(e.bits, v->bits, NULL, type, false, stay)));
    CUDA_TRY(cuda_launched(s, "kernel cast",
                           sl_cuda_cast(e.values, type, v->values, type, e.bits, stay)));
    sl_cuda_move_entries(s, v, &e, now);
    return SL_OK;
}

sl_status sl_cuda_resize(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = call->out->is_matrix ? resize_matrix(&s) : resize_vector(&s);
    sl_cuda_scratch_release(&s);
    return status;
}
