/*
 * Products of matrices: what is asked for, and which way it is computed. Under a mask that
 * has few entries, as dot products for these; with a B that is full, row by column; else
 * row by row (spgemm.c).
 */
#include <string.h>

#include "jit.h"
#include "mxm.h"

static cuda_product ring_of(sl_semiring semiring)
{
    cuda_product p = {.type = semiring->multiply->type,
                      .kind = semiring->multiply->positional ? CUDA_POSITION : CUDA_VALUES,
                      .add = (int)semiring->add->op->code,
                      .multiply = (int)semiring->multiply->code,
                      .ends = semiring->add->has_terminal && !semiring->add->any,
                      .any = semiring->add->any,
                      .matrix_first = true,
                      .multiprocessors = cuda_processors()};
    memcpy(&p.terminal, &semiring->add->terminal.as, sizeof p.terminal);
    memcpy(&p.identity, &semiring->add->identity.as, sizeof p.identity);
    return p;
}

/* Values where the multiplication reads them, in its type. */
static sl_status as_read(cuda_mxm *m, cuda_rows *X, bool reads, sl_type type)
{
    if (m->semiring->multiply->positional || !reads) {
        X->values = NULL;
        return SL_OK;
    }
    return sl_cuda_rows_cast(m->s, X, type);
}

/* Kernels for the semiring, if there is need for some. */
static sl_status make(cuda_mxm *m, cuda_made *made, cuda_program_kind kind, uint64_t entries)
{
    return sl_cuda_make_product(m->s->call->ctx, made, kind, m->semiring->add,
                                m->semiring->multiply, entries);
}

static sl_status prepare(cuda_mxm *m)
{
    const sl_call *call = m->s->call;
    sl_binary_op multiply = m->semiring->multiply;
    sl_monoid add = m->semiring->add;
    CUDA_TRY(sl_cuda_rows_of(&m->A, call->a, call->flags & SL_TRANSPOSE_A));
    CUDA_TRY(sl_cuda_rows_of(&m->B, call->b, call->flags & SL_TRANSPOSE_B));
    CUDA_TRY(as_read(m, &m->A, multiply->reads_x, multiply->type));
    CUDA_TRY(as_read(m, &m->B, multiply->reads_y, multiply->type_y));
    if (call->mask)
        CUDA_TRY(sl_cuda_rows_mask(m->s, &m->mask));
    m->all_ones =
        !multiply->user && multiply->code == SL_BINARY_PAIR && (add->any || add->idempotent);
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
              .b_index = m->B.index,
              .multiprocessors = cuda_processors()},
    };
    m->sums.p.values = m->A.values;
    m->sums.p.u_values = m->B.values;
    return SL_OK;
}

sl_status sl_cuda_take_values(cuda_mxm *m, cuda_rows *T)
{
    T->values = NULL;
    return m->all_ones ? SL_OK : sl_cuda_take(m->s, &T->values, T->nnz * sl_type_size(T->type));
}

sl_status sl_cuda_no_rows(cuda_mxm *m, cuda_rows *T)
{
    uint64_t bytes = (m->sums.f.nrows + 1) * sizeof *T->start;
    *T = (cuda_rows){.type = m->semiring->add->type, .nrows = m->sums.f.nrows};
    CUDA_TRY(sl_cuda_take(m->s, &T->start, bytes));
    CUDA_TRY(sl_cuda_take(m->s, &T->index, 0));
    return sl_cuda_zero(m->s->call->ctx, T->start, bytes);
}

/* ---- dot products under a mask ------------------------------------------------------ */

/* A's rows with B's columns, for the entries that the mask has. */
static sl_status dots(cuda_mxm *m, cuda_rows *T)
{
    cuda_scratch *s = m->s;
    const sl_call *call = s->call;
    sl_binary_op multiply = m->semiring->multiply;
    cuda_rows Bt, all = m->mask;
    uint64_t *keep;
    CUDA_TRY(sl_cuda_rows_of(&Bt, call->b, !(call->flags & SL_TRANSPOSE_B)));
    CUDA_TRY(as_read(m, &Bt, multiply->reads_y, multiply->type_y));
    all.type = m->semiring->add->type;
    CUDA_TRY(sl_cuda_take(s, &all.values, all.nnz * sl_type_size(all.type)));
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
    CUDA_TRY(make(m, &d.p.made, CUDA_PROGRAM_DOTS, m->A.nnz + m->B.nnz));
    CUDA_TRY(sl_cuda_take(s, &d.found, all.nnz * sizeof *d.found));
    CUDA_TRY(cuda_launched(s, "kernel dots", sl_cuda_dot(&d, cuda_stream())));
    CUDA_TRY(sl_cuda_take(s, &keep, all.nnz * sizeof *keep));
    CUDA_TRY(cuda_launched(
        s, "kernel keep_flagged",
        sl_cuda_keep_flagged(keep, d.found, all.nnz, cuda_processors(), cuda_stream())));
    return sl_cuda_rows_filter(s, T, &all, keep);
}

/* What dot products look at; b_start NULL: all of A's rows. */
static sl_status count_looks(cuda_mxm *m, const uint64_t *b_start, uint64_t *looks)
{
    cuda_scratch *s = m->s;
    unsigned long long *counter, counted;
    CUDA_TRY(sl_cuda_take(s, &counter, sizeof *counter));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, counter, sizeof *counter));
    CUDA_TRY(cuda_launched(s, "kernel count_dots",
                           sl_cuda_count_dots(counter, m->mask.start, m->mask.index, m->mask.nnz,
                                              m->mask.nrows, m->A.start, b_start, cuda_processors(),
                                              cuda_stream())));
    CUDA_TRY(sl_cuda_fetch(s->call->ctx, "kernel count_dots", &counted, counter, sizeof counted));
    *looks = counted;
    return SL_OK;
}

/* Whether dot products look at less than row by row multiplies. B's transpose, which they
 * need, is not made only to find out that they do not. */
static sl_status dots_are_less(cuda_mxm *m, uint64_t products, bool *less)
{
    const sl_call *call = m->s->call;
    uint64_t looks, worth = products / DOT_COST;
    cuda_rows Bt;
    *less = false;
    if (!call->mask || (call->flags & SL_COMPLEMENT) || m->mask.nnz > worth)
        return SL_OK;
    CUDA_TRY(count_looks(m, NULL, &looks));
    if (looks > worth) {
        CUDA_TRY(sl_cuda_rows_of(&Bt, call->b, !(call->flags & SL_TRANSPOSE_B)));
        CUDA_TRY(count_looks(m, Bt.start, &looks));
    }
    *less = looks <= worth;
    return SL_OK;
}

/* ---- a full B ------------------------------------------------------------------------- */

static sl_status full_pattern(cuda_mxm *m, cuda_rows *T)
{
    cuda_scratch *s = m->s;
    const cuda_factors *f = &m->sums.f;
    CUDA_TRY(sl_cuda_take(s, &T->start, (f->nrows + 1) * sizeof *T->start));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, T->start, sizeof *T->start));
    CUDA_TRY(cuda_launched(s, "kernel full_lengths",
                           sl_cuda_full_lengths(T->start + 1, f, cuda_stream())));
    CUDA_TRY(sl_cuda_sum(s, &T->nnz, T->start + 1, f->nrows));
    CUDA_TRY(sl_cuda_take(s, &T->index, T->nnz * sizeof *T->index));
    return cuda_launched(
        s, "kernel full_columns",
        sl_cuda_full_columns(T->index, f->ncols, T->nnz, cuda_processors(), cuda_stream()));
}

static sl_status by_full(cuda_mxm *m, cuda_rows *T)
{
    cuda_scratch *s = m->s;
    cuda_piece *pieces;
    unsigned long long *count;
    *T = (cuda_rows){.type = m->semiring->add->type, .nrows = m->sums.f.nrows};
    CUDA_TRY(full_pattern(m, T));
    CUDA_TRY(sl_cuda_take_values(m, T));
    if (!T->values)
        return SL_OK;
    CUDA_TRY(make(m, &m->sums.p.made, CUDA_PROGRAM_FULL, T->nnz));
    m->sums.c_start = T->start;
    m->sums.c_values = T->values;
    CUDA_TRY(sl_cuda_take(s, &pieces, (2 * m->A.nnz / SPMM_PIECE + 1) * sizeof *pieces));
    CUDA_TRY(sl_cuda_take(s, &count, sizeof *count));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, count, sizeof *count));
    return cuda_launched(s, "kernel full_rows",
                         sl_cuda_full_sums(&m->sums, pieces, count, cuda_stream()));
}

/* ---- which way -------------------------------------------------------------------------- */

static sl_status multiply(cuda_mxm *m, cuda_rows *T)
{
    const sl_call *call = m->s->call;
    uint64_t products;
    bool less;
    CUDA_TRY(prepare(m));
    if (m->A.nnz == 0 || m->B.nnz == 0 || (!call->mask && (call->flags & SL_COMPLEMENT)))
        return sl_cuda_no_rows(m, T);
    bool full = m->B.nnz == m->B.nrows * m->sums.f.ncols;
    if (full)
        products = m->A.nnz * m->sums.f.ncols;
    else
        CUDA_TRY(sl_cuda_count_products(m, &products));
    CUDA_TRY(dots_are_less(m, products, &less));
    if (less)
        return dots(m, T);
    if (full)
        return by_full(m, T);
    if (!m->all_ones)
        CUDA_TRY(make(m, &m->sums.p.made, CUDA_PROGRAM_SUMS, products));
    return sl_cuda_spgemm(m, T, products);
}

sl_status sl_cuda_mxm(sl_call *call)
{
    cuda_scratch s = {.call = call};
    cuda_mxm m = {.s = &s, .semiring = call->semiring};
    cuda_rows T;
    sl_status status = multiply(&m, &T);
    if (status == SL_OK)
        status = sl_cuda_rows_finish(&s, &T);
    sl_cuda_done(&s);
    return status;
}
