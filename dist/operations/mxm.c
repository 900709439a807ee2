/*
 * mxm: two-dimensional sparse SUMMA (Buluc and Gilbert, ICPP 2008) on any grid, in C stages for C
 * grid columns. The block of the result on P(i,j) is the sum, over the grid columns m, of the rows
 * of A on grid column j times the columns of B on grid row i, both restricted to the inner indices
 * in the blocks of grid column m. These columns of A are on the ranks of grid column j; these rows
 * of B are on P(i,m). Blocks travel as compressed rows (row_messages.h), those of a stage while the
 * stage before is multiplied (stages.h), or likewise from device to device (mxm_devices.c). Values travel only if
 * the multiplication reads them.
 */
#include "dist/grid_operations.h"

#include "dist/grid/dist_switches.h"
#include "dist/grid/user_operators.h"
#include "dist/operations/aligned.h"
#include "dist/operations/summa.h"

/* A positional product is the index of an entry of one factor: that factor gets indices as values.
 */
static sl_status settle_semiring(summa *s)
{
    sl_semiring asked = s->call->operators.semiring;
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

static sl_status encode_factors(summa *s)
{
    sl_grid *grid = s->grid;
    const uint32_t C = (uint32_t)grid->cols;
    SL_TRY(sl_row_messages_encode(&s->stages.a, grid, s->a, s->of_a == SL_ROW_VALUES, s->cut, C));
    const bool sent = C > 1 || !sl_summa_takes_own_b(s);
    return sl_row_messages_encode(&s->stages.b, grid, s->b, s->of_b == SL_ROW_VALUES,
                                  (uint64_t[]){0, s->b->ncols}, sent);
}

static sl_status open_summa(summa *s)
{
    const uint32_t C = (uint32_t)s->grid->cols;
    const sl_local_blocks inner = sl_grid_columns(s->grid, s->k);
    s->cut = sl_malloc(((size_t)C + 1) * sizeof *s->cut);
    s->shift = sl_malloc((size_t)s->grid->size * sizeof *s->shift);
    if (!s->cut || !s->shift)
        return sl_fail(s->grid->ctx, SL_NO_MEMORY, "mxm: out of memory");
    for (uint32_t m = 0; m <= C; m++)
        s->cut[m] = sl_local_blocks_begin(&inner, m);
    unsigned switches;
    SL_TRY(sl_grid_read_switches(&switches, s->grid, "mxm"));
    s->may_gather = !(switches & SL_DIST_STAGES);
    SL_TRY(settle_semiring(s));
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

/* A's part of a stage: rows of this rank, inner indices of the stage. */
static sl_status make_a(sl_matrix **A, summa *s, uint32_t stage, const sl_local_blocks *inner)
{
    const sl_local_blocks rows = sl_grid_rows(s->grid, s->m);
    for (uint32_t k = 0; k < inner->count; k++)
        s->shift[k] = sl_local_blocks_begin(inner, k);
    return sl_row_messages_decode(A, s->grid,
                                  &(sl_row_parts){.nrows = s->a->nrows,
                                                  .ncols = sl_local_blocks_length(inner),
                                                  .part = sl_stages_a(&s->stages, stage),
                                                  .shift = s->shift,
                                                  .count = inner->count,
                                                  .values = s->of_a,
                                                  .type = s->a->type,
                                                  .rows = &rows,
                                                  .cols = inner});
}

/* B's part of a stage: inner indices of the stage, columns of this rank. */
static sl_status make_b(sl_matrix **B, summa *s, uint32_t stage, const sl_local_blocks *inner)
{
    const sl_local_blocks cols = sl_grid_columns(s->grid, s->n);
    const uint32_t R = (uint32_t)s->grid->rows, parts = inner->count / R;
    for (uint32_t k = 0; k < parts; k++)
        s->shift[k] = sl_local_blocks_begin(inner, k * R);
    return sl_row_messages_decode(B, s->grid,
                                  &(sl_row_parts){.nrows = sl_local_blocks_length(inner),
                                                  .ncols = s->b->ncols,
                                                  .part = sl_stages_b(&s->stages, stage),
                                                  .row_shift = s->shift,
                                                  .count = parts,
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
                     .operators.semiring = s->semiring,
                     .a = (sl_object *)A,
                     .b = (sl_object *)B,
                     .flags = s->call->flags & (SL_COMPLEMENT | SL_STRUCTURE)};
    return sl_local_run(s->grid, &local);
}

/* The inner indices of a stage. */
static sl_local_blocks inner_of(const summa *s, uint32_t stage)
{
    const sl_distribution p = sl_grid_distribution(s->grid, s->k);
    if (s->gathered)
        return (sl_local_blocks){.of = p, .stride = 1, .count = sl_distribution_blocks(&p)};
    return sl_local_row_blocks(&p, sl_summa_column(s->grid, stage));
}

/* Makes the factors of a stage from messages. *A or *B stays NULL if this rank's block serves. */
static sl_status make_factors(sl_matrix **A, sl_matrix **B, summa *s, uint32_t stage)
{
    const sl_local_blocks inner = inner_of(s, stage);
    const bool own_a = s->grid->rows == 1 && s->gathered && sl_summa_takes_own_a(s),
               own_b =
                   stage == 0 && (s->grid->cols == 1 || !s->gathered) && sl_summa_takes_own_b(s);
    SL_TRY(sl_stages_end(&s->stages, stage));
    if (!own_a)
        SL_TRY(make_a(A, s, stage, &inner));
    return own_b ? SL_OK : make_b(B, s, stage, &inner);
}

/* Ends the exchange of a stage and begins the next one. A rank that has failed takes part in
 * the exchanges of all stages. */
static sl_status exchange(sl_matrix **A, sl_matrix **B, summa *s, uint32_t stage, uint32_t stages,
                          sl_status status)
{
    if (s->by_devices) {
        status = sl_summa_end_devices(A, B, s, stage, status);
        return stage + 1 < stages ? sl_summa_begin_devices(s, stage + 1, status) : status;
    }
    if (status == SL_OK)
        return make_factors(A, B, s, stage);
    sl_stages_end(&s->stages, stage);
    return status;
}

static sl_status run_stages(summa *s)
{
    const uint32_t stages = s->gathered ? 1 : (uint32_t)s->grid->cols;
    sl_status status =
        s->by_devices ? sl_summa_begin_devices(s, 0, SL_OK) : sl_stages_begin(&s->stages, 0);
    for (uint32_t stage = 0; stage < stages; stage++) {
        sl_matrix *A = NULL, *B = NULL;
        status = exchange(&A, &B, s, stage, stages, status);
        if (status == SL_OK)
            status = multiply(s, stage, A ? sl_object_of_matrix(A) : s->a,
                              B ? sl_object_of_matrix(B) : s->b);
        sl_matrix_free(A);
        sl_matrix_free(B);
    }
    if (s->by_devices)
        sl_grid_note_devices(s->grid, SL_PHASE_BLOCKS);
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

static sl_status run_product(sl_call *call, const sl_aligned *aligned)
{
    summa s = {.grid = sl_grid_of(call->ctx), .call = call};
    s.m = call->out->nrows;
    s.n = call->out->ncols;
    s.k = call->flags & SL_TRANSPOSE_A ? call->a->nrows : call->a->ncols;
    s.a = aligned->local.a;
    s.b = aligned->local.b;
    sl_status status = sl_summa_choose_devices(&s, open_summa(&s));
    if (status == SL_OK && !s.by_devices) {
        status = sl_stages_open(&s.stages, s.grid, s.may_gather, encode_factors(&s));
        s.gathered = s.stages.gathered;
    }
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
    bool is_short = false;
    SL_TRY(sl_aligned_open(&aligned, call));
    sl_status status = sl_summa_is_short(&is_short, call, &aligned.local);
    if (status == SL_OK)
        status = is_short ? sl_summa_short(call, &aligned.local) : run_product(call, &aligned);
    sl_aligned_close(&aligned);
    return status;
}
