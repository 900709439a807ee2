/* Masked products over plus_pair, C<M> = A B', by counts of common columns. */
#include "pair_products.h"

#include "mxm_common.h"
#include "pair_counts.h"

bool sl_cuda_counts_pairs(const sl_call *call)
{
    const sl_semiring semiring = call->semiring;
    return call->mask && !(call->flags & SL_COMPLEMENT) && (call->flags & SL_TRANSPOSE_B) &&
           !semiring->multiply->user && semiring->multiply->code == SL_BINARY_PAIR &&
           !semiring->add->op->user && semiring->add->op->code == SL_BINARY_PLUS &&
           semiring->add->type != SL_BOOL;
}

/* Counts to `counts` and `found`, arrays of the scratch with an element per entry of the mask. */
static sl_status count(cuda_mxm *m, uint32_t **counts, bool **found)
{
    cuda_scratch *s = m->s;
    sl_context *ctx = s->call->ctx;
    const uint64_t nnz = m->mask.nnz, most = sl_cuda_most_pieces(m->mask.nrows, nnz);
    cuda_pair_counts p = {.nrows = m->mask.nrows,
                          .nnz = nnz,
                          .start = m->mask.start,
                          .index = m->mask.index,
                          .truth = m->mask.values,
                          .a_start = m->A.start,
                          .a_index = m->A.index,
                          .b_start = m->B.start,
                          .b_index = m->B.index};
    CUDA_TRY(sl_cuda_scratch_take(s, &p.count, nnz * sizeof *p.count));
    CUDA_TRY(sl_cuda_scratch_take(s, &p.found, nnz * sizeof *p.found));
    CUDA_TRY(sl_cuda_scratch_take(s, &p.pieces, (PAIR_KINDS + 1) * sizeof *p.pieces));
    for (int k = 0; k < PAIR_KINDS; k++)
        CUDA_TRY(sl_cuda_scratch_take(s, &p.piece[k], most * sizeof *p.piece[k]));
    p.taken = p.pieces + PAIR_KINDS;
    CUDA_TRY(sl_cuda_zero(ctx, p.count, nnz * sizeof *p.count));
    CUDA_TRY(sl_cuda_zero(ctx, p.found, nnz * sizeof *p.found));
    CUDA_TRY(sl_cuda_zero(ctx, p.pieces, (PAIR_KINDS + 1) * sizeof *p.pieces));
    *counts = p.count;
    *found = p.found;
    return cuda_launched(s, "kernel count_pairs",
                         sl_cuda_count_pairs(&p, cuda_processors(), cuda_stream()));
}

sl_status sl_cuda_pair_counts(cuda_mxm *m, cuda_rows *T)
{
    cuda_scratch *s = m->s;
    const sl_call *call = s->call;
    uint32_t *counts;
    bool *found;
    uint64_t *keep;
    CUDA_TRY(sl_cuda_rows_of(&m->A, call->a, call->flags & SL_TRANSPOSE_A));
    CUDA_TRY(sl_cuda_rows_of(&m->B, call->b, false));
    CUDA_TRY(sl_cuda_rows_mask(s, &m->mask));
    CUDA_TRY(count(m, &counts, &found));
    cuda_rows all = m->mask;
    all.type = SL_UINT32;
    all.values = counts;
    CUDA_TRY(sl_cuda_rows_cast(s, &all, m->semiring->add->type));
    CUDA_TRY(sl_cuda_scratch_take(s, &keep, all.nnz * sizeof *keep));
    CUDA_TRY(cuda_launched(
        s, "kernel keep_flagged",
        sl_cuda_keep_flagged(keep, found, all.nnz, cuda_processors(), cuda_stream())));
    return sl_cuda_rows_filter(s, T, &all, keep);
}
