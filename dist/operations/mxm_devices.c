/* The exchange of a product of matrices from device to device, by the table sl_device_matrices. */
#include "summa.h"

static const sl_device_matrices *table_of(const summa *s)
{
    return s->grid->device_engine->device_matrices;
}

/* ---- the choice ------------------------------------------------------------------------------- */

/* Whether the matrices of all stages have 32-bit indices. The same on every rank. */
static bool fits(const summa *s)
{
    const uint64_t sizes[] = {s->m, s->k, s->n};
    const uint64_t longest =
        (uint64_t)(s->grid->rows > s->grid->cols ? s->grid->rows : s->grid->cols);
    for (int k = 0; k < 3; k++) {
        const sl_distribution p = sl_grid_distribution(s->grid, sizes[k]);
        if (sl_distribution_length(&p, 0) > UINT32_MAX / longest)
            return false;
    }
    return true;
}

static sl_status bring(summa *s, sl_object *block)
{
    SL_TRY_LOCAL(s->grid, sl_object_migrate(block, s->grid->device_engine->store));
    return SL_OK;
}

sl_status sl_summa_choose_devices(summa *s, sl_status status)
{
    uint64_t cannot = 0;
    if (!s->grid->by_devices || !table_of(s) || !fits(s))
        return sl_grid_agree(s->grid, status);
    if (status == SL_OK)
        status = bring(s, s->a);
    if (status == SL_OK)
        status = bring(s, s->b);
    if (status == SL_OK)
        cannot = !table_of(s)->can_send(s->a) || !table_of(s)->can_send(s->b);
    SL_TRY(sl_grid_agree_most(s->grid, status, &cannot));
    s->by_devices = !cannot;
    return SL_OK;
}

/* ---- factors ---------------------------------------------------------------------------------- */

static sl_status number(summa *s, sl_matrix *X, sl_row_values values, const sl_local_blocks *rows,
                        const sl_local_blocks *cols)
{
    const sl_local_blocks *blocks = values == SL_ROW_INDEX ? rows : cols;
    const uint32_t count = blocks->count;
    uint64_t *begin = sl_malloc((2 * (size_t)count + 1) * sizeof *begin), *first;
    if (!begin)
        return sl_fail(s->grid->ctx, SL_NO_MEMORY, "mxm: out of memory");
    first = begin + count + 1;
    for (uint32_t k = 0; k <= count; k++)
        begin[k] = sl_local_blocks_begin(blocks, k);
    for (uint32_t k = 0; k < count; k++)
        first[k] = sl_distribution_begin(&blocks->of, blocks->first + (uint64_t)k * blocks->stride);
    const sl_status status =
        table_of(s)->number(sl_object_of_matrix(X), values == SL_ROW_INDEX,
                            &(sl_device_numbers){.count = count, .begin = begin, .first = first});
    sl_free(begin);
    return status < 0 ? sl_grid_local_failed(s->grid, status) : status;
}

static sl_type type_of(sl_row_values values, const sl_object *block)
{
    return values == SL_ROW_VALUES ? block->type : values == SL_ROW_PATTERN ? SL_BOOL : SL_INT64;
}

/* A new matrix with a stage's part of a factor, whose rows and columns are those of `rows` and `cols`.
 */
static sl_status exchange(sl_matrix **X, summa *s, sl_row_values values,
                          const sl_local_blocks *rows, const sl_local_blocks *cols,
                          const sl_device_block_exchange *x, sl_status status)
{
    const sl_status made =
        sl_matrix_new(X, s->grid->local, type_of(values, x->mine), sl_local_blocks_length(rows),
                      sl_local_blocks_length(cols));
    if (made < 0)
        sl_grid_local_failed(s->grid, made);
    SL_TRY(sl_grid_agree(s->grid, made));
    status = table_of(s)->exchange(sl_object_of_matrix(*X), &s->grid->device_grid, x, status);
    if (status < 0)
        return sl_grid_local_failed(s->grid, status);
    return values == SL_ROW_INDEX || values == SL_ROW_COLUMN ? number(s, *X, values, rows, cols)
                                                             : SL_OK;
}

sl_status sl_summa_exchange_devices(sl_matrix **A, sl_matrix **B, summa *s, uint32_t stage,
                                    const sl_local_blocks *inner, sl_status status)
{
    const sl_grid *grid = s->grid;
    const uint32_t m = sl_summa_column(grid, stage);
    const sl_local_blocks rows = sl_grid_rows(grid, s->m), cols = sl_grid_columns(grid, s->n);
    status = exchange(A, s, s->of_a, &rows, inner,
                      &(sl_device_block_exchange){.line = SL_ALONG_COLUMN,
                                                  .mine = s->a,
                                                  .begin = s->cut[m],
                                                  .end = s->cut[m + 1],
                                                  .values = s->of_a == SL_ROW_VALUES,
                                                  .to = SL_ALL_MEMBERS,
                                                  .from = SL_ALL_MEMBERS,
                                                  .shift = s->shift},
                      status);
    if (stage == 0 && sl_summa_takes_own_b(s))
        return status;
    return exchange(B, s, s->of_b, inner, &cols,
                    &(sl_device_block_exchange){.line = SL_ALONG_ROW,
                                                .mine = s->b,
                                                .end = s->b->ncols,
                                                .values = s->of_b == SL_ROW_VALUES,
                                                .to = sl_summa_receiver(grid, stage),
                                                .from = m},
                    status);
}
