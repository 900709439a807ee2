/*
 * Products with a full matrix. The result has full rows (or columns) where the other factor has
 * entries, so its pattern is known in advance, and its values are a dense matrix if empty rows are
 * left out. The sparse factor without empty rows ("packed") is computed once and kept with the
 * matrix.
 */
#include "cuda/products/full_matrix.h"

#include "cuda/products/cusparse_products.h"

/* Kept with a matrix. */
typedef struct {
    cuda_packed_rows rows;
    void *memory;
    uint64_t bytes;
} nonempty_rows;

static void release(void *data)
{
    nonempty_rows *rows = data;
    sl_cuda_free(rows->memory);
    sl_free(rows);
}

static void place(sl_placement *placement, const void *data)
{
    placement->device_bytes += ((const nonempty_rows *)data)->bytes;
}

static const cuda_derived_kind nonempty_kind = {
    .name = "rows with entries", .release = release, .place = place};

static sl_status fill_nonempty_rows(cuda_scratch *s, nonempty_rows *to, const cuda_matrix *M,
                                    uint64_t nrows)
{
    uint64_t *there;
    cuda_packed_rows *rows = &to->rows;
    to->bytes = (3 * nrows + 2) * sizeof *rows->list;
    CUDA_TRY(sl_cuda_alloc(s->call->ctx, &to->memory, to->bytes));
    rows->list = to->memory;
    rows->before = rows->list + nrows;
    rows->start = rows->before + nrows + 1;
    CUDA_TRY(sl_cuda_scratch_take(s, &there, nrows * sizeof *there));
    CUDA_TRY(
        cuda_launched(s, "kernel rows_not_empty", sl_cuda_rows_not_empty(there, M->start, nrows)));
    CUDA_TRY(sl_cuda_sum(s, &rows->count, there, nrows));
    return cuda_launched(s, "kernel pack_rows", sl_cuda_pack_rows(rows, there, M->start, nrows));
}

static sl_status pack(cuda_scratch *s, const cuda_packed_rows **rows, cuda_matrix *M,
                      uint64_t nrows)
{
    nonempty_rows *kept = cuda_find_derived(M->derived, &nonempty_kind);
    if (!kept) {
        kept = sl_calloc(1, sizeof *kept);
        if (!kept)
            return cuda_no_host_memory(s->call->ctx);
        const sl_status status = fill_nonempty_rows(s, kept, M, nrows);
        if (status != SL_OK) {
            release(kept);
            return status;
        }
        CUDA_TRY(sl_cuda_keep_derived(s->call->ctx, &M->derived, &nonempty_kind, kept));
    }
    *rows = &kept->rows;
    return SL_OK;
}

/* ---- dense values -------------------------------------------------------------------- */

sl_status sl_cuda_transpose_values(cuda_scratch *s, void *to, const void *from, uint64_t rows,
                                   uint64_t columns, sl_type type)
{
    return cuda_launched(s, "kernel turn_dense",
                         sl_cuda_transpose_dense(to, from, rows, columns, sl_type_size(type)));
}

/* ---- the pattern -------------------------------------------------------------------- */

static sl_status fill_pattern(cuda_scratch *s, cuda_rows *T, const cuda_full_shape *shape)
{
    cuda_full_shape f = *shape;
    CUDA_TRY(sl_cuda_scratch_take(s, &T->start, (T->nrows + 1) * sizeof *T->start));
    CUDA_TRY(sl_cuda_scratch_take(s, &T->index, T->nnz * sizeof *T->index));
    f.start = T->start;
    f.index = T->index;
    f.nrows = T->nrows;
    f.nnz = T->nnz;
    return cuda_launched(s, "kernel full_pattern", sl_cuda_full_pattern(&f));
}

/* Of A B with a full B: the rows where A has entries. */
static sl_status pattern_of_rows(cuda_scratch *s, cuda_rows *T, const cuda_packed_rows *rows,
                                 uint64_t ncols)
{
    T->nnz = rows->count * ncols;
    return fill_pattern(s, T, &(cuda_full_shape){.width = ncols, .before = rows->before});
}

/* Of A B with a full A: the columns where B has entries. */
static sl_status pattern_of_columns(cuda_scratch *s, cuda_rows *T, const cuda_packed_rows *columns)
{
    T->nnz = T->nrows * columns->count;
    return fill_pattern(s, T,
                        &(cuda_full_shape){.width = columns->count, .columns = columns->list});
}

/* ---- by cuSPARSE --------------------------------------------------------------------- */

cuda_which_full sl_cuda_which_full(const cuda_mxm *m)
{
    const sl_object *a = m->s->call->a, *b = m->s->call->b;
    if (cuda_matrix_of(b)->nnz == b->nrows * b->ncols)
        return CUDA_SECOND_FULL;
    return cuda_matrix_of(a)->nnz == a->nrows * a->ncols ? CUDA_FIRST_FULL : CUDA_NONE_FULL;
}

/* A product as cuSPARSE computes it: the sparse factor, or its transpose, times the full one. If
 * the full factor is the first, the result is computed transposed. */
typedef struct {
    cuda_mxm *m;
    bool first; /* the first factor is the full one */
    sl_object *sparse, *dense;
    bool sparse_turned, dense_turned;
    bool reads_sparse, reads_dense;
    const cuda_packed_rows *packed;
    cuda_dense_product p;
} full_product;

static void describe(full_product *r)
{
    const sl_call *call = r->m->s->call;
    sl_binary_op multiply = r->m->semiring->multiply;
    bool turned_a = call->flags & SL_TRANSPOSE_A, turned_b = call->flags & SL_TRANSPOSE_B;
    r->sparse = r->first ? call->b : call->a;
    r->dense = r->first ? call->a : call->b;
    r->sparse_turned = r->first ? !turned_b : turned_a;
    r->dense_turned = r->first ? !turned_a : turned_b;
    r->reads_sparse = r->first ? multiply->reads_y : multiply->reads_x;
    r->reads_dense = r->first ? multiply->reads_x : multiply->reads_y;
    r->p = (cuda_dense_product){.type = multiply->type,
                                .rows = r->first ? call->out->ncols : call->out->nrows,
                                .inner = r->sparse_turned ? r->sparse->nrows : r->sparse->ncols,
                                .columns = r->first ? call->out->nrows : call->out->ncols,
                                .nnz = cuda_matrix_of(r->sparse)->nnz};
}

/* The values of a matrix in the product's type; 1 if there are none or the operator does not
 * read them. */
static sl_status values_of(full_product *r, const void **values, const sl_object *object,
                           const cuda_matrix *M, bool read)
{
    cuda_rows rows = {.type = object->type, .nnz = M->nnz, .values = read ? M->values : NULL};
    CUDA_TRY(sl_cuda_rows_cast(r->m->s, &rows, r->p.type));
    CUDA_TRY(sl_cuda_rows_fill(r->m->s, &rows));
    *values = rows.values;
    return SL_OK;
}

static sl_status take_dense(full_product *r)
{
    cuda_scratch *s = r->m->s;
    const cuda_matrix *D = cuda_matrix_of(r->dense);
    void *turned;
    CUDA_TRY(values_of(r, &r->p.dense, r->dense, D, r->reads_dense));
    if (!r->dense_turned || !r->reads_dense || !D->values)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &turned, D->nnz * sl_type_size(r->p.type)));
    CUDA_TRY(sl_cuda_transpose_values(s, turned, r->p.dense, r->p.columns, r->p.inner, r->p.type));
    r->p.dense = turned;
    return SL_OK;
}

static sl_status take_factors(full_product *r)
{
    cuda_matrix *S = cuda_matrix_of(r->sparse);
    if (r->sparse_turned)
        CUDA_TRY(sl_cuda_transposed(&S, r->sparse, S));
    CUDA_TRY(pack(r->m->s, &r->packed, S, r->p.rows));
    r->p.rows = r->packed->count;
    r->p.start = r->packed->start;
    r->p.index = S->index;
    CUDA_TRY(values_of(r, &r->p.values, r->sparse, S, r->reads_sparse));
    return take_dense(r);
}

/* True for C += A B with a full B if both C and the product are full: the sums start from C's
 * values. */
static bool adds_in_place(const full_product *r)
{
    const sl_call *call = r->m->s->call;
    const sl_object *out = call->out;
    const cuda_matrix *C = cuda_matrix_of(out);
    sl_binary_op accum = call->accum;
    bool plus = accum && !accum->user && accum->code == SL_BINARY_PLUS && accum->type == r->p.type;
    return plus && out->type == r->p.type && !call->mask && !(call->flags & SL_COMPLEMENT) &&
           out != call->a && out != call->b && C->values && C->nnz == out->nrows * out->ncols &&
           !r->first && r->packed->count == out->nrows;
}

static sl_status add_in_place(full_product *r)
{
    cuda_matrix *C = cuda_matrix_of(r->m->s->call->out);
    sl_cuda_drop_all_derived(&C->derived);
    r->p.adds = true;
    r->p.result = C->values;
    return sl_cuda_cusparse_spmm(r->m->s, &r->p);
}

static sl_status compute(full_product *r, cuda_rows *T)
{
    cuda_mxm *m = r->m;
    const sl_object *out = m->s->call->out;
    *T = (cuda_rows){.type = r->p.type, .nrows = out->nrows};
    CUDA_TRY(r->first ? pattern_of_columns(m->s, T, r->packed)
                      : pattern_of_rows(m->s, T, r->packed, out->ncols));
    CUDA_TRY(sl_cuda_take_values(m, T));
    r->p.result = T->values;
    if (r->first)
        CUDA_TRY(sl_cuda_scratch_take(m->s, &r->p.result, T->nnz * sl_type_size(T->type)));
    CUDA_TRY(sl_cuda_cusparse_spmm(m->s, &r->p));
    return r->first ? sl_cuda_transpose_values(m->s, T->values, r->p.result, r->p.rows,
                                               r->p.columns, T->type)
                    : SL_OK;
}

sl_status sl_cuda_full_by_cusparse(cuda_mxm *m, cuda_which_full which, cuda_rows *T, bool *done)
{
    full_product r = {.m = m, .first = which == CUDA_FIRST_FULL};
    *done = false;
    if (which == CUDA_NONE_FULL || !sl_cuda_is_plus_times(m->semiring))
        return SL_OK;
    describe(&r);
    if (!sl_cuda_cusparse_supports_dense(&r.p))
        return SL_OK;
    *done = true;
    CUDA_TRY(take_factors(&r));
    m->written = adds_in_place(&r);
    return m->written ? add_in_place(&r) : compute(&r, T);
}

/* ---- by kernels ----------------------------------------------------------------------- */

sl_status sl_cuda_full_by_kernels(cuda_mxm *m, cuda_rows *T)
{
    cuda_scratch *s = m->s;
    sl_call *call = s->call;
    cuda_matrix *A = cuda_matrix_of(call->a);
    const cuda_packed_rows *rows = NULL;
    cuda_piece *pieces;
    unsigned long long *count;
    if (call->flags & SL_TRANSPOSE_A)
        CUDA_TRY(sl_cuda_transposed(&A, call->a, A));
    *T = (cuda_rows){.type = m->semiring->add->type, .nrows = m->sums.f.nrows};
    CUDA_TRY(pack(s, &rows, A, T->nrows));
    CUDA_TRY(pattern_of_rows(s, T, rows, m->sums.f.ncols));
    CUDA_TRY(sl_cuda_take_values(m, T));
    if (!T->values)
        return SL_OK;
    CUDA_TRY(sl_cuda_compile_mxm(m, &m->sums.p.made, CUDA_PROGRAM_FULL, T->nnz));
    m->sums.c_start = T->start;
    m->sums.c_values = T->values;
    CUDA_TRY(sl_cuda_scratch_take(s, &pieces, (2 * m->A.nnz / SPMM_PIECE + 1) * sizeof *pieces));
    CUDA_TRY(sl_cuda_scratch_take(s, &count, sizeof *count));
    CUDA_TRY(sl_cuda_zero(call->ctx, count, sizeof *count));
    return cuda_launched(s, "kernel full_rows", sl_cuda_full_sums(&m->sums, pieces, count));
}
