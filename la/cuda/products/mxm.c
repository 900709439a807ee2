/*
 * Products of matrices: chooses the algorithm. C<M> = A B' over plus_pair by counts of common
 * columns (pair_products.c); tiny matrices in one launch (tiny_product.cu); under a mask with few entries, dot products
 * (dots.cu), or such counts; with a full factor, a product with a dense matrix (full_matrix.c); with short rows,
 * cuSPARSE if it is faster (cusparse_spgemm.c); else row by row (spgemm.c). Products of few long rows
 * by a large matrix are in few_rows.c.
 */
#include <string.h>

#include "cuda/operations/cuda_operations.h"
#include "cuda/products/cusparse_products.h"
#include "cuda/products/full_matrix.h"
#include "cuda/products/pair_products.h"
#include "cuda/products/tiny_product.h"

static cuda_product ring_of(sl_semiring semiring)
{
    cuda_product p = {.type = semiring->multiply->type,
                      .kind = semiring->multiply->positional ? CUDA_POSITION : CUDA_VALUES,
                      .add = (int)semiring->add->op->code,
                      .multiply = (int)semiring->multiply->code,
                      .ends = semiring->add->has_terminal && !semiring->add->any,
                      .any = semiring->add->any,
                      .matrix_first = true};
    memcpy(&p.terminal, &semiring->add->terminal.as, sizeof p.terminal);
    const sl_scalar neutral = sl_cuda_neutral_value(semiring->add);
    memcpy(&p.neutral, &neutral.as, sizeof p.neutral);
    return p;
}

/* Casts values to the operator's type if the operator reads them. */
static sl_status cast_operand(cuda_mxm *m, cuda_rows *X, bool reads, sl_type type)
{
    if (m->semiring->multiply->positional || !reads) {
        X->values = NULL;
        return SL_OK;
    }
    return sl_cuda_rows_cast(m->s, X, type);
}

/* A full B needs only its values, which are transposed if requested, unless the operator is
 * positional. */
static sl_status take_second(cuda_mxm *m, bool full)
{
    cuda_scratch *s = m->s;
    const sl_object *b = s->call->b;
    bool turned = s->call->flags & SL_TRANSPOSE_B;
    full = full && !m->semiring->multiply->positional;
    CUDA_TRY(sl_cuda_rows_of(&m->B, s->call->b, turned && !full));
    CUDA_TRY(cast_operand(m, &m->B, m->semiring->multiply->reads_y, m->semiring->multiply->type_y));
    if (!turned || !full || !m->B.values)
        return SL_OK;
    const void *values = m->B.values;
    CUDA_TRY(sl_cuda_scratch_take(s, &m->B.values, m->B.nnz * sl_type_size(m->B.type)));
    return sl_cuda_transpose_values(s, m->B.values, values, b->nrows, b->ncols, m->B.type);
}

/* The rows of both factors, and the parts of the sums that every algorithm needs. */
static sl_status take_factors(cuda_mxm *m, bool full_second)
{
    const sl_call *call = m->s->call;
    sl_binary_op multiply = m->semiring->multiply;
    CUDA_TRY(sl_cuda_rows_of(&m->A, call->a, call->flags & SL_TRANSPOSE_A));
    CUDA_TRY(cast_operand(m, &m->A, multiply->reads_x, multiply->type));
    CUDA_TRY(take_second(m, full_second));
    m->sums = (cuda_sums){
        .p = ring_of(m->semiring),
        .inner_position = multiply->code == SL_BINARY_FIRSTJ || multiply->code == SL_BINARY_SECONDI,
        .row_position = multiply->code == SL_BINARY_FIRSTI,
        .f = {.nrows = call->out->nrows,
              .ncols = call->out->ncols,
              .a_nnz = m->A.nnz,
              .a_start = m->A.start,
              .a_index = m->A.index,
              .b_start = m->B.start,
              .b_index = m->B.index},
    };
    m->sums.p.values = m->A.values;
    m->sums.p.u_values = m->B.values;
    return SL_OK;
}

/* ---- dot products under a mask ------------------------------------------------------ */

/* Dot products of A's rows and B's columns for the entries of the mask. */
static sl_status dots(cuda_mxm *m, cuda_rows *T)
{
    cuda_scratch *s = m->s;
    const sl_call *call = s->call;
    sl_binary_op multiply = m->semiring->multiply;
    cuda_rows Bt, all = m->mask;
    CUDA_TRY(sl_cuda_rows_of(&Bt, call->b, !(call->flags & SL_TRANSPOSE_B)));
    CUDA_TRY(cast_operand(m, &Bt, multiply->reads_y, multiply->type_y));
    all.type = m->semiring->add->type;
    all.allowed = true;
    CUDA_TRY(sl_cuda_scratch_take(s, &all.values, all.nnz * sl_type_size(all.type)));
    cuda_dots d = {.p = m->sums.p,
                   .inner_position = m->sums.inner_position,
                   .row_position = m->sums.row_position,
                   .nrows = m->mask.nrows,
                   .nnz = m->mask.nnz,
                   .start = m->mask.start,
                   .index = m->mask.index,
                   .truth = m->mask.values,
                   .a_start = m->A.start,
                   .a_index = m->A.index,
                   .b_start = Bt.start,
                   .b_index = Bt.index,
                   .values = all.values};
    d.p.u_values = Bt.values;
    CUDA_TRY(sl_cuda_compile_mxm(m, &d.p.made, CUDA_PROGRAM_DOTS, m->A.nnz + m->B.nnz));
    CUDA_TRY(sl_cuda_scratch_take(s, &d.found, all.nnz * sizeof *d.found));
    CUDA_TRY(cuda_launched(s, "kernel dots", sl_cuda_dot(&d)));
    return sl_cuda_rows_keep_flagged(s, T, &all, d.found);
}

/* Number of entries that dot products examine; b_start NULL: as if B's columns were A's rows. Waits. */
static sl_status count_examined(cuda_mxm *m, const uint64_t *b_start, uint64_t *examined)
{
    cuda_scratch *s = m->s;
    unsigned long long *counter, counted;
    CUDA_TRY(sl_cuda_scratch_take(s, &counter, sizeof *counter));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, counter, sizeof *counter));
    CUDA_TRY(cuda_launched(s, "kernel count_dots",
                           sl_cuda_count_dots(counter, m->mask.start, m->mask.index, m->mask.nnz,
                                              m->mask.nrows, m->A.start, b_start)));
    CUDA_TRY(sl_cuda_fetch(s->call->ctx, "kernel count_dots", &counted, counter, sizeof counted));
    *examined = counted;
    return SL_OK;
}

static bool may_be_dots(const sl_call *call)
{
    return call->mask && !(call->flags & SL_COMPLEMENT);
}

/* Where each column of B begins, if its transpose is there; NULL: it would have to be made. */
static const uint64_t *columns_of_b(const sl_call *call)
{
    const cuda_matrix *B = cuda_matrix_of(call->b);
    const cuda_matrix *columns = call->flags & SL_TRANSPOSE_B ? B : sl_cuda_kept_transposed(B);
    return columns ? columns->start : NULL;
}

/* Whether dot products, or counts of pairs, take less time than row-by-row products. A bound is tried first if the
 * exact number of what they examine needs B's transpose. */
static sl_status dots_take_less(cuda_mxm *m, uint64_t products, bool *less)
{
    const sl_call *call = m->s->call;
    const uint64_t *columns = columns_of_b(call);
    const uint64_t few = columns ? DOTS_FEW : 0,
                   dots = products / DOT_COST > few ? products / DOT_COST : few,
                   worth = sl_cuda_counts_pairs(call) ? PAIR_GAIN * products : dots;
    uint64_t examined;
    cuda_rows Bt;
    *less = false;
    if (!may_be_dots(call) || m->mask.nnz > worth)
        return SL_OK;
    CUDA_TRY(count_examined(m, columns, &examined));
    if (examined > worth && !columns) {
        CUDA_TRY(sl_cuda_rows_of(&Bt, call->b, !(call->flags & SL_TRANSPOSE_B)));
        CUDA_TRY(count_examined(m, Bt.start, &examined));
    }
    *less = examined <= worth;
    return SL_OK;
}

/* ---- tiny matrices ------------------------------------------------------------------ */

static bool is_tiny(const sl_call *call)
{
    const sl_semiring ring = call->operators.semiring;
    const uint64_t inner = call->flags & SL_TRANSPOSE_A ? call->a->nrows : call->a->ncols;
    return !call->mask && call->out->nrows <= TINY_SIDE && call->out->ncols <= TINY_SIDE &&
           inner <= TINY_SIDE && !sl_semiring_is_user_defined(ring) &&
           cuda_kind_of(ring->multiply) == CUDA_VALUES &&
           cuda_kind_of(ring->add->op) == CUDA_VALUES;
}

static sl_status multiply_tiny(cuda_mxm *m, cuda_rows *T)
{
    cuda_scratch *s = m->s;
    const sl_call *call = s->call;
    *T = (cuda_rows){.type = m->semiring->add->type,
                     .nrows = call->out->nrows,
                     .nnz = call->out->nrows * call->out->ncols};
    CUDA_TRY(take_factors(m, false));
    CUDA_TRY(sl_cuda_scratch_take(s, &T->start, (T->nrows + 1) * sizeof *T->start));
    CUDA_TRY(sl_cuda_scratch_take(s, &T->index, T->nnz * sizeof *T->index));
    CUDA_TRY(sl_cuda_take_values(m, T));
    CUDA_TRY(cuda_launched(s, "kernel tiny_product",
                           sl_cuda_tiny_product(&m->sums, T->start, T->index, T->values)));
    return sl_cuda_fetch(call->ctx, "kernel tiny_product", &T->nnz, T->start + T->nrows,
                         sizeof T->nnz);
}

/* ---- choice of the algorithm ------------------------------------------------------------ */

/* Without a mask a full factor goes to cuSPARSE before the factors are prepared, so its
 * transpose is not computed. */
static sl_status multiply(cuda_mxm *m, cuda_rows *T)
{
    const sl_call *call = m->s->call;
    bool masked = may_be_dots(call), less, done = false;
    uint64_t products;
    if (cuda_matrix_of(call->a)->nnz == 0 || cuda_matrix_of(call->b)->nnz == 0 ||
        (!call->mask && (call->flags & SL_COMPLEMENT)))
        return sl_cuda_no_rows(m, T);
    if (sl_cuda_counts_pairs(call) && call->flags & SL_TRANSPOSE_B)
        return sl_cuda_pair_counts(m, T);
    if (is_tiny(call))
        return multiply_tiny(m, T);
    cuda_which_full full = sl_cuda_which_full(m);
    if (!masked)
        CUDA_TRY(sl_cuda_full_by_cusparse(m, full, T, &done));
    if (done)
        return SL_OK;
    CUDA_TRY(take_factors(m, full == CUDA_SECOND_FULL));
    if (call->mask)
        CUDA_TRY(sl_cuda_rows_mask(m->s, &m->mask));
    else if (full != CUDA_SECOND_FULL)
        CUDA_TRY(sl_cuda_cusparse_spgemm(m, T, &done));
    if (done)
        return SL_OK;
    if (full == CUDA_SECOND_FULL)
        products = m->A.nnz * m->sums.f.ncols;
    else
        CUDA_TRY(sl_cuda_count_products(m, &products));
    CUDA_TRY(dots_take_less(m, products, &less));
    if (less)
        return sl_cuda_counts_pairs(call) ? sl_cuda_pair_counts(m, T) : dots(m, T);
    if (masked)
        CUDA_TRY(sl_cuda_full_by_cusparse(m, full, T, &done));
    if (done)
        return SL_OK;
    if (full == CUDA_SECOND_FULL)
        return sl_cuda_full_by_kernels(m, T);
    if (!m->all_ones)
        CUDA_TRY(sl_cuda_compile_mxm(m, &m->sums.p.made, CUDA_PROGRAM_SUMS, products));
    return sl_cuda_spgemm(m, T, products);
}

sl_status sl_cuda_mxm(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_semiring semiring = call->operators.semiring;
    sl_monoid add = semiring->add;
    bool pair = !semiring->multiply->user && semiring->multiply->code == SL_BINARY_PAIR;
    cuda_mxm m = {.s = &s, .semiring = semiring, .all_ones = pair && (add->any || add->idempotent)};
    cuda_rows T = {0};
    sl_status status = multiply(&m, &T);
    if (status == SL_OK && !m.written)
        status = sl_cuda_write_rows(&s, &T);
    sl_cuda_scratch_release(&s);
    return status;
}
