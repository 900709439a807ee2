/*
 * mxm: two-dimensional sparse SUMMA (Buluc and Gilbert, ICPP 2008) on any grid, in C stages for C
 * grid columns. The block of the result on P(i,j) is the sum, over the grid columns m, of the rows
 * of A on grid column j times the columns of B on grid row i, both restricted to the inner indices
 * in the blocks of grid column m. These columns of A are on the ranks of grid column j; these rows
 * of B are on P(i,m). Blocks travel as compressed rows (row_messages.h), those of a stage while the
 * stage before is multiplied (stages.h). Values travel only if the multiplication reads them.
 */
#include "operations.h"

#include "aligned.h"
#include "stages.h"
#include "user_operators.h"

typedef struct {
    sl_grid *grid;
    const sl_call *call;
    uint64_t m, k, n;
    const sl_object *a, *b; /* this rank's blocks of the factors */
    sl_row_values of_a, of_b;
    sl_semiring semiring; /* in the local context */
    sl_semiring made;     /* the same if it was created here, else NULL */
    sl_stages stages;
    uint64_t *cut;   /* [C + 1]: A's local columns where the blocks of each grid column begin */
    uint64_t *shift; /* [R]: scratch of a stage */
    sl_matrix *sums;
} summa;

/* A positional product is the index of an entry of one factor: that factor gets indices as values.
 */
static sl_status settle_semiring(summa *s)
{
    sl_semiring asked = s->call->semiring;
    sl_binary_op multiply = asked->multiply;
    s->of_a = multiply->reads_x ? SL_ROW_VALUES : SL_ROW_PATTERN;
    s->of_b = multiply->reads_y ? SL_ROW_VALUES : SL_ROW_PATTERN;
    s->semiring = sl_local_semiring(asked);
    if (!multiply->positional)
        return SL_OK;
    bool first = multiply->code == SL_BINARY_FIRSTI;
    s->of_a = first ? SL_ROW_INDEX : SL_ROW_PATTERN;
    s->of_b = first                                 ? SL_ROW_PATTERN
              : multiply->code == SL_BINARY_SECONDJ ? SL_ROW_COLUMN
                                                    : SL_ROW_INDEX; /* firstj and secondi */
    SL_TRY_LOCAL(s->grid,
                 sl_semiring_new(
                     &s->made, s->grid->local, asked->name, sl_local_monoid(asked->add),
                     sl_binary_op_get(first ? SL_BINARY_FIRST : SL_BINARY_SECOND, asked->result)));
    s->semiring = s->made;
    return SL_OK;
}

/* Whether this rank's block of B serves as it is in the first stage. */
static bool takes_own_b(const summa *s)
{
    return s->of_b == SL_ROW_VALUES || s->of_b == SL_ROW_PATTERN;
}

static sl_status encode_factors(summa *s)
{
    sl_grid *grid = s->grid;
    const uint32_t C = (uint32_t)grid->cols;
    const sl_local_blocks inner = sl_grid_columns(grid, s->k);
    for (uint32_t m = 0; m <= C; m++)
        s->cut[m] = sl_local_blocks_begin(&inner, m);
    SL_TRY(sl_row_messages_encode(&s->stages.a, grid, s->a, s->of_a == SL_ROW_VALUES, s->cut, C));
    const bool sent = C > 1 || !takes_own_b(s);
    return sl_row_messages_encode(&s->stages.b, grid, s->b, s->of_b == SL_ROW_VALUES,
                                  (uint64_t[]){0, s->b->ncols}, sent);
}

static sl_status open_summa(summa *s)
{
    s->cut = sl_malloc(((size_t)s->grid->cols + 1) * sizeof *s->cut);
    s->shift = sl_malloc((size_t)s->grid->rows * sizeof *s->shift);
    if (!s->cut || !s->shift)
        return sl_fail(s->grid->ctx, SL_NO_MEMORY, "mxm: out of memory");
    SL_TRY(settle_semiring(s));
    SL_TRY(encode_factors(s));
    return sl_grid_block_new_matrix(&s->sums, s->grid, s->semiring->result, s->m, s->n);
}

static void close_summa(summa *s)
{
    sl_stages_close(&s->stages);
    sl_free(s->cut);
    sl_free(s->shift);
    sl_matrix_free(s->sums);
    sl_semiring_free(s->made);
}

/* A's part of a stage: rows of this rank, inner indices of grid column m. */
static sl_status make_a(sl_matrix **A, summa *s, uint32_t stage, const sl_local_blocks *inner)
{
    const sl_local_blocks rows = sl_grid_rows(s->grid, s->m);
    for (uint32_t r = 0; r < (uint32_t)s->grid->rows; r++)
        s->shift[r] = sl_local_blocks_begin(inner, r);
    return sl_row_messages_decode(A, s->grid,
                                  &(sl_row_parts){.nrows = s->a->nrows,
                                                  .ncols = sl_local_blocks_length(inner),
                                                  .part = sl_stages_a(&s->stages, stage),
                                                  .shift = s->shift,
                                                  .count = (uint32_t)s->grid->rows,
                                                  .values = s->of_a,
                                                  .type = s->a->type,
                                                  .rows = &rows,
                                                  .cols = inner});
}

/* B's part of a stage: inner indices of grid column m, columns of this rank. */
static sl_status make_b(sl_matrix **B, summa *s, uint32_t stage, const sl_local_blocks *inner)
{
    const sl_local_blocks cols = sl_grid_columns(s->grid, s->n);
    const uint8_t *part = sl_stages_b(&s->stages, stage);
    return sl_row_messages_decode(B, s->grid,
                                  &(sl_row_parts){.nrows = sl_local_blocks_length(inner),
                                                  .ncols = s->b->ncols,
                                                  .part = &part,
                                                  .shift = &(uint64_t){0},
                                                  .count = 1,
                                                  .values = s->of_b,
                                                  .type = s->b->type,
                                                  .rows = inner,
                                                  .cols = &cols});
}

/* sums<mask> += A B; in the first stage there are no sums yet. */
static sl_status multiply(const summa *s, uint32_t stage, const sl_object *A, const sl_object *B)
{
    sl_call local = {.op = SL_OP_MXM,
                     .ctx = s->grid->local,
                     .out = sl_object_of_matrix(s->sums),
                     .mask = sl_grid_block(s->call->mask),
                     .accum = stage > 0 ? s->semiring->add->op : NULL,
                     .semiring = s->semiring,
                     .a = (sl_object *)A,
                     .b = (sl_object *)B,
                     .flags = s->call->flags & (SL_COMPLEMENT | SL_STRUCTURE)};
    return sl_local_run(s->grid, &local);
}

static sl_status run_stage(summa *s, uint32_t stage)
{
    const sl_distribution p = sl_grid_distribution(s->grid, s->k);
    const sl_local_blocks inner = sl_local_row_blocks(&p, sl_stages_column(&s->stages, stage));
    const bool own_b = stage == 0 && takes_own_b(s);
    sl_matrix *A = NULL, *B = NULL;
    sl_status status = make_a(&A, s, stage, &inner);
    if (status == SL_OK && !own_b)
        status = make_b(&B, s, stage, &inner);
    if (status == SL_OK)
        status = multiply(s, stage, sl_object_of_matrix(A), own_b ? s->b : sl_object_of_matrix(B));
    sl_matrix_free(A);
    sl_matrix_free(B);
    return status;
}

/* A rank that fails takes part in the exchanges of all stages. */
static sl_status run_stages(summa *s)
{
    const uint32_t stages = (uint32_t)s->grid->cols;
    sl_status status = SL_OK;
    SL_TRY(sl_stages_begin(&s->stages, 0));
    for (uint32_t stage = 0; stage < stages; stage++) {
        SL_TRY(sl_stages_end(&s->stages, stage));
        if (stage + 1 < stages)
            SL_TRY(sl_stages_begin(&s->stages, stage + 1));
        if (status == SL_OK)
            status = run_stage(s, stage);
    }
    return sl_grid_agree(s->grid, status);
}

/* out<mask> = out accum sums. The sums, which are under the mask, become the output's block if
 * nothing of it is kept. A complement without a mask allows nothing. */
static sl_status write(summa *s)
{
    const sl_call *call = s->call;
    const bool all = call->mask ? call->flags & SL_REPLACE : !(call->flags & SL_COMPLEMENT);
    if (call->accum || !all || s->semiring->result != call->out->type)
        return sl_grid_block_write(call, sl_object_of_matrix(s->sums));
    sl_grid_block_replace(call->out, sl_object_of_matrix(s->sums));
    s->sums = NULL;
    return SL_OK;
}

static sl_status run(sl_call *call, const sl_aligned *aligned)
{
    summa s = {.grid = sl_grid_of(call->ctx), .call = call};
    s.m = call->out->nrows;
    s.n = call->out->ncols;
    s.k = call->flags & SL_TRANSPOSE_A ? call->a->nrows : call->a->ncols;
    s.a = aligned->local.a;
    s.b = aligned->local.b;
    sl_status status = sl_stages_open(&s.stages, s.grid, open_summa(&s));
    if (status == SL_OK)
        status = run_stages(&s);
    if (status == SL_OK)
        status = write(&s);
    close_summa(&s);
    return status;
}

sl_status sl_grid_mxm(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    if (grid->size == 1) {
        sl_call local = sl_local_call(call);
        return sl_local_run(grid, &local);
    }
    sl_aligned aligned;
    SL_TRY(sl_aligned_open(&aligned, call));
    const sl_status status = run(call, &aligned);
    sl_aligned_close(&aligned);
    return status;
}
