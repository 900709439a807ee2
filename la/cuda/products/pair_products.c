/* Masked products over plus_pair by counts of columns that rows of A and of B, or of its transpose, have in common. */
#include "cuda/products/pair_products.h"

#include "cuda/products/mxm_common.h"
#include "cuda/products/pair_counts.h"

bool sl_cuda_counts_pairs(const sl_call *call)
{
    const sl_semiring semiring = call->operators.semiring;
    return call->mask && !(call->flags & SL_COMPLEMENT) && !semiring->multiply->user &&
           semiring->multiply->code == SL_BINARY_PAIR && !semiring->add->op->user &&
           semiring->add->op->code == SL_BINARY_PLUS && semiring->add->type != SL_BOOL;
}

static sl_status launched(cuda_scratch *s, cudaError_t error)
{
    return cuda_launched(s, "kernel count_pairs", error);
}

/* Counts the pieces of a kind in launches of less than a second; between them the call may be
 * cancelled. */
static sl_status count_pieces(cuda_scratch *s, const cuda_pair_counts *p, int kind,
                              const cuda_pair_rows *rows)
{
    const uint64_t tests = PAIR_PIECE * (rows->longest + 1), pieces = rows->pieces[kind];
    const uint64_t at_once = ((uint64_t)1 << PAIR_LAUNCH) / tests + 1;
    for (uint64_t begin = 0; begin < pieces; begin += at_once) {
        const uint64_t end = begin + at_once < pieces ? begin + at_once : pieces;
        if (begin > 0) {
            CUDA_TRY(sl_cuda_wait(s->call->ctx, "kernel count_pairs"));
            CUDA_TRY(sl_interrupted(s->call->ctx, "mxm"));
            CUDA_TRY(sl_cuda_upload(s->call->ctx, p->taken + kind, &begin, sizeof begin));
        }
        CUDA_TRY(launched(s, sl_cuda_count_pairs(p, kind, end)));
    }
    return SL_OK;
}

/* Counts to *counts, an array of the scratch with an element per entry of the mask. */
static sl_status count(cuda_mxm *m, uint32_t **counts)
{
    cuda_scratch *s = m->s;
    sl_context *ctx = s->call->ctx;
    const uint64_t nnz = m->mask.nnz, most = sl_cuda_most_pieces(m->mask.nrows, nnz);
    cuda_pair_counts p = {.nrows = m->mask.nrows,
                          .nnz = nnz,
                          .b_rows = m->B.nrows,
                          .start = m->mask.start,
                          .index = m->mask.index,
                          .truth = m->mask.values,
                          .a_start = m->A.start,
                          .a_index = m->A.index,
                          .b_start = m->B.start,
                          .b_index = m->B.index};
    cuda_pair_rows rows;
    CUDA_TRY(sl_cuda_scratch_take(s, &p.count, nnz * sizeof *p.count));
    CUDA_TRY(sl_cuda_scratch_take(s, &p.rows, sizeof *p.rows));
    CUDA_TRY(sl_cuda_scratch_take(s, &p.taken, PAIR_KINDS * sizeof *p.taken));
    for (int k = 0; k < PAIR_KINDS; k++)
        CUDA_TRY(sl_cuda_scratch_take(s, &p.piece[k], most * sizeof *p.piece[k]));
    CUDA_TRY(sl_cuda_zero(ctx, p.count, nnz * sizeof *p.count));
    CUDA_TRY(sl_cuda_zero(ctx, p.rows, sizeof *p.rows));
    CUDA_TRY(sl_cuda_zero(ctx, p.taken, PAIR_KINDS * sizeof *p.taken));
    *counts = p.count;
    CUDA_TRY(launched(s, sl_cuda_count_few_pairs(&p)));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel count_pairs", &rows, p.rows, sizeof rows));
    CUDA_TRY(count_pieces(s, &p, PAIR_BY_BLOCK, &rows));
    return count_pieces(s, &p, PAIR_BY_WARP, &rows);
}

sl_status sl_cuda_pair_counts(cuda_mxm *m, cuda_rows *T)
{
    cuda_scratch *s = m->s;
    const sl_call *call = s->call;
    uint32_t *counts;
    cuda_kept kept;
    CUDA_TRY(sl_cuda_rows_of(&m->A, call->a, call->flags & SL_TRANSPOSE_A));
    CUDA_TRY(sl_cuda_rows_of(&m->B, call->b, !(call->flags & SL_TRANSPOSE_B)));
    CUDA_TRY(sl_cuda_rows_mask(s, &m->mask));
    CUDA_TRY(count(m, &counts));
    CUDA_TRY(sl_cuda_take_kept(s, &kept, m->mask.nnz));
    CUDA_TRY(
        cuda_launched(s, "kernel keep_counted", sl_cuda_keep_counted(&kept, counts, m->mask.nnz)));
    cuda_rows all = m->mask;
    all.type = SL_UINT32;
    all.values = counts;
    all.allowed = true;
    CUDA_TRY(sl_cuda_rows_filter(s, T, &all, &kept));
    return sl_cuda_rows_cast(s, T, m->semiring->add->type);
}
