/*
 * mxm: two-dimensional sparse SUMMA (Buluc and Gilbert, ICPP 2008) on any grid, in C stages for C
 * grid columns. The block of the result on P(i,j) is the sum, over the grid columns m, of the rows
 * of A on grid column j times the columns of B on grid row i, both restricted to the inner indices
 * in the blocks of grid column m. These columns of A are gathered along grid column j, whose ranks
 * have one block each; these rows of B are on P(i,m), which broadcasts them along grid row i.
 */
#include "operations.h"

#include "aligned.h"
#include "user_operators.h"

#include <string.h>

/* The values of a factor, if the multiplication is positional. */
typedef enum { OWN, NOT_READ, ROW_INDEX, COLUMN_INDEX } factor_values;

typedef struct {
    sl_grid *grid;
    const sl_call *call;
    uint64_t m, k, n;
    sl_tuples a, b; /* this rank's entries of the factors */
    factor_values of_a, of_b;
    sl_semiring semiring; /* in the local context */
    sl_semiring made;     /* the same if it was created here, else NULL */
    sl_matrix *sums;
} summa;

/* A positional product is the index of an entry of one factor: that factor gets indices as values.
 */
static sl_status settle_semiring(summa *s)
{
    sl_semiring asked = s->call->semiring;
    sl_binary_op multiply = asked->multiply;
    s->of_a = multiply->reads_x ? OWN : NOT_READ;
    s->of_b = multiply->reads_y ? OWN : NOT_READ;
    s->semiring = sl_local_semiring(asked);
    if (!multiply->positional)
        return SL_OK;
    bool first = multiply->code == SL_BINARY_FIRSTI;
    s->of_a = first ? ROW_INDEX : NOT_READ;
    s->of_b = first                                 ? NOT_READ
              : multiply->code == SL_BINARY_SECONDJ ? COLUMN_INDEX
                                                    : ROW_INDEX; /* firstj and secondi */
    SL_TRY_LOCAL(s->grid,
                 sl_semiring_new(
                     &s->made, s->grid->local, asked->name, sl_local_monoid(asked->add),
                     sl_binary_op_get(first ? SL_BINARY_FIRST : SL_BINARY_SECOND, asked->result)));
    s->semiring = s->made;
    return SL_OK;
}

/* The entries of a factor, with local indices and the values that are read. */
static sl_status open_factor(sl_tuples *t, const summa *s, const sl_object *block,
                             factor_values values, const sl_local_blocks *rows,
                             const sl_local_blocks *cols)
{
    if (values == OWN)
        return sl_tuples_of(t, s->grid, block);
    SL_TRY(sl_tuples_of_pattern(t, s->grid, block));
    t->type = SL_BOOL;
    if (values == NOT_READ)
        return SL_OK;
    const sl_local_blocks *blocks = values == ROW_INDEX ? rows : cols;
    uint64_t *indices = sl_malloc((t->count + 1) * sizeof *indices);
    if (!indices)
        return sl_fail(s->grid->ctx, SL_NO_MEMORY, "mxm: out of memory");
    memcpy(indices, values == ROW_INDEX ? t->rows : t->cols, t->count * sizeof *indices);
    sl_indices_to_global(indices, t->count, blocks);
    t->type = SL_INT64;
    t->values = indices;
    return SL_OK;
}

static sl_status open_summa(summa *s, const sl_aligned *aligned)
{
    sl_grid *grid = s->grid;
    sl_local_blocks rows = sl_grid_rows(grid, s->m), inner_cols = sl_grid_columns(grid, s->k),
                    inner_rows = sl_grid_rows(grid, s->k), cols = sl_grid_columns(grid, s->n);
    SL_TRY(settle_semiring(s));
    SL_TRY(open_factor(&s->a, s, aligned->local.a, s->of_a, &rows, &inner_cols));
    SL_TRY(open_factor(&s->b, s, aligned->local.b, s->of_b, &inner_rows, &cols));
    return sl_grid_block_new_matrix(&s->sums, grid, s->semiring->result, s->m, s->n);
}

static void close_summa(summa *s)
{
    sl_tuples_free(&s->a);
    sl_tuples_free(&s->b);
    sl_matrix_free(s->sums);
    sl_semiring_free(s->made);
}

/* The entries of A with columns in this rank's block of stage m, and with column indices of that
 * stage. */
static sl_status cut_columns(sl_tuples *t, const summa *s, uint32_t m, const sl_local_blocks *stage)
{
    const sl_tuples *a = &s->a;
    sl_local_blocks cols = sl_grid_columns(s->grid, s->k);
    uint64_t begin = sl_local_blocks_begin(&cols, m), end = sl_local_blocks_begin(&cols, m + 1),
             kept = 0;
    uint64_t shift = sl_local_blocks_begin(stage, (uint32_t)s->grid->i);
    size_t size = sl_type_size(a->type);
    SL_TRY(sl_tuples_allocate(t, s->grid, a->type, a->count, true, a->values != NULL));
    for (uint64_t k = 0; k < a->count; k++) {
        if (a->cols[k] < begin || a->cols[k] >= end)
            continue;
        t->rows[kept] = a->rows[k];
        t->cols[kept] = a->cols[k] - begin + shift;
        if (a->values)
            memcpy((char *)t->values + kept * size, (const char *)a->values + k * size, size);
        kept++;
    }
    t->count = kept;
    return SL_OK;
}

static sl_status matrix_of(sl_matrix **A, sl_grid *grid, const sl_tuples *t, uint64_t nrows,
                           uint64_t ncols)
{
    SL_TRY_LOCAL(grid, sl_matrix_new(A, grid->local, t->type, nrows, ncols));
    return sl_tuples_build(grid, sl_object_of_matrix(*A), t, NULL);
}

/* A's part of a stage: rows of this rank, inner indices of grid column m. */
static sl_status gather_a(sl_matrix **A, const summa *s, uint32_t m, const sl_local_blocks *stage)
{
    sl_tuples own = {.type = s->a.type}, all;
    sl_local_blocks rows = sl_grid_rows(s->grid, s->m);
    uint64_t *begin = sl_malloc(((size_t)s->grid->rows + 1) * sizeof *begin);
    sl_status status = begin ? cut_columns(&own, s, m, stage)
                             : sl_fail(s->grid->ctx, SL_NO_MEMORY, "mxm: out of memory");
    status = sl_tuples_share(&all, begin, s->grid, s->grid->column, &own, status);
    if (status == SL_OK)
        status = matrix_of(A, s->grid, &all, sl_local_blocks_length(&rows),
                           sl_local_blocks_length(stage));
    sl_tuples_free(&own);
    sl_tuples_free(&all);
    sl_free(begin);
    return status;
}

/* B's part of a stage: inner indices of grid column m, columns of this rank. */
static sl_status broadcast_b(sl_matrix **B, const summa *s, uint32_t m,
                             const sl_local_blocks *stage, sl_status status)
{
    sl_tuples all;
    sl_local_blocks cols = sl_grid_columns(s->grid, s->n);
    status = sl_tuples_broadcast(&all, s->grid, s->grid->row, (int)m, &s->b, status);
    if (status == SL_OK)
        status = matrix_of(B, s->grid, &all, sl_local_blocks_length(stage),
                           sl_local_blocks_length(&cols));
    sl_tuples_free(&all);
    return status;
}

static sl_status multiply(const summa *s, sl_matrix *A, sl_matrix *B)
{
    sl_call local = {.op = SL_OP_MXM,
                     .ctx = s->grid->local,
                     .out = sl_object_of_matrix(s->sums),
                     .mask = sl_grid_block(s->call->mask),
                     .accum = s->semiring->add->op,
                     .semiring = s->semiring,
                     .a = sl_object_of_matrix(A),
                     .b = sl_object_of_matrix(B),
                     .flags = s->call->flags & (SL_COMPLEMENT | SL_STRUCTURE)};
    return sl_local_run(s->grid, &local);
}

static sl_status run_stage(const summa *s, uint32_t m)
{
    sl_distribution inner = sl_grid_distribution(s->grid, s->k);
    sl_local_blocks stage = sl_local_row_blocks(&inner, m);
    sl_matrix *A = NULL, *B = NULL;
    sl_status status = gather_a(&A, s, m, &stage);
    status = broadcast_b(&B, s, m, &stage, status);
    if (status == SL_OK)
        status = multiply(s, A, B);
    sl_matrix_free(A);
    sl_matrix_free(B);
    return sl_grid_agree(s->grid, status);
}

sl_status sl_grid_mxm(sl_call *call)
{
    sl_aligned aligned;
    summa s = {.grid = sl_grid_of(call->ctx), .call = call};
    s.m = call->out->nrows;
    s.n = call->out->ncols;
    s.k = call->flags & SL_TRANSPOSE_A ? call->a->nrows : call->a->ncols;
    SL_TRY(sl_aligned_open(&aligned, call));
    sl_status status = sl_grid_agree(s.grid, open_summa(&s, &aligned));
    sl_aligned_close(&aligned);
    for (uint32_t m = 0; m < (uint32_t)s.grid->cols && status == SL_OK; m++)
        status = run_stage(&s, m);
    if (status == SL_OK)
        status = sl_grid_block_write(call, sl_object_of_matrix(s.sums));
    close_summa(&s);
    return status;
}
