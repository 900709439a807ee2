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

/* The bytes of a block on a device. */
static sl_status measure(uint64_t *bytes, const summa *s, const sl_object *block)
{
    uint64_t entries;
    SL_TRY_LOCAL(s->grid, sl_matrix_nvals(&entries, (const sl_matrix *)block));
    *bytes =
        block->nrows * sizeof(uint64_t) + entries * (sizeof(uint32_t) + sl_type_size(block->type));
    return SL_OK;
}

/* How blocks travel; the greatest of the ranks' answers counts. */
enum { GATHERED, IN_STAGES, BY_HOSTS };

/* What this rank can do. All factors are gathered if there is room for blocks as large as its own. */
static sl_status choose(uint64_t *way, summa *s)
{
    uint64_t a = 0, b = 0;
    SL_TRY(bring(s, s->a));
    SL_TRY(bring(s, s->b));
    SL_TRY(measure(&a, s, s->a));
    SL_TRY(measure(&b, s, s->b));
    const bool room =
        a * (uint64_t)s->grid->rows + b * (uint64_t)s->grid->cols <= table_of(s)->room();
    *way = !table_of(s)->can_send(s->a) || !table_of(s)->can_send(s->b) ? BY_HOSTS
           : room && s->k <= UINT32_MAX && s->may_gather                ? GATHERED
                                                                        : IN_STAGES;
    return SL_OK;
}

sl_status sl_summa_choose_devices(summa *s, sl_status status)
{
    uint64_t way = BY_HOSTS;
    if (!s->grid->by_devices || !table_of(s) || !fits(s))
        return sl_grid_agree(s->grid, status);
    if (status == SL_OK)
        status = choose(&way, s);
    SL_TRY(sl_grid_agree_most(s->grid, status, &way));
    s->by_devices = way != BY_HOSTS;
    s->gathered = way == GATHERED;
    return SL_OK;
}

/* ---- indices ---------------------------------------------------------------------------------- */

/* The message is in the local context, from where the agreements of devices take it. */
static sl_status no_memory(sl_grid *grid)
{
    return sl_grid_local_failed(
        grid, sl_fail(grid->local, SL_NO_MEMORY, "mxm: out of memory for indices"));
}

/* An array of `count` numbers and one more, and one of `count`, both in one allocation. */
typedef struct {
    uint64_t *begin, *first;
    uint32_t count;
} numbers;

static sl_status new_numbers(numbers *n, const summa *s, uint32_t count)
{
    *n = (numbers){.count = count};
    n->begin = sl_malloc((2 * (size_t)count + 1) * sizeof *n->begin);
    if (!n->begin)
        return no_memory(s->grid);
    n->first = n->begin + count + 1;
    return SL_OK;
}

static sl_device_numbers view_of(const numbers *n)
{
    return (sl_device_numbers){.count = n->count, .begin = n->begin, .first = n->first};
}

/* The indices in the whole object of the rows or columns of a rank. */
static sl_status number_blocks(numbers *n, const summa *s, const sl_local_blocks *blocks)
{
    SL_TRY(new_numbers(n, s, blocks->count));
    for (uint32_t k = 0; k <= blocks->count; k++)
        n->begin[k] = sl_local_blocks_begin(blocks, k);
    for (uint32_t k = 0; k < blocks->count; k++)
        n->first[k] =
            sl_distribution_begin(&blocks->of, blocks->first + (uint64_t)k * blocks->stride);
    return SL_OK;
}

/* The inner indices of gathered factors are in the order of A's columns: those of grid row 0, then those
 * of grid row 1, ... */
static sl_status number_inner(numbers *n, const summa *s)
{
    const sl_distribution p = sl_grid_distribution(s->grid, s->k);
    const uint32_t R = p.rows, C = p.cols;
    SL_TRY(new_numbers(n, s, R * C));
    n->begin[0] = 0;
    for (uint32_t k = 0; k < R * C; k++) {
        const uint64_t block = (uint64_t)(k % C) * R + k / C;
        n->first[k] = sl_distribution_begin(&p, block);
        n->begin[k + 1] = n->begin[k] + sl_distribution_length(&p, block);
    }
    return SL_OK;
}

/* Where the rows of the blocks of B are among the gathered inner indices: [C]. */
static sl_status map_rows(numbers *map, const summa *s, const numbers *inner)
{
    const sl_distribution p = sl_grid_distribution(s->grid, s->k);
    for (uint32_t m = 0; m < p.cols; m++) {
        const sl_local_blocks rows = sl_local_row_blocks(&p, m);
        SL_TRY(number_blocks(&map[m], s, &rows));
        for (uint32_t r = 0; r < p.rows; r++)
            map[m].first[r] = inner->begin[r * p.cols + m];
    }
    return SL_OK;
}

/* ---- factors ---------------------------------------------------------------------------------- */

/* A factor that is made by an exchange. */
typedef struct {
    sl_matrix **matrix;
    uint64_t nrows, ncols;
    sl_row_values values;
    const numbers *indices; /* of SL_ROW_INDEX and SL_ROW_COLUMN: of its rows, or columns */
} factor;

static sl_status exchange(const factor *f, summa *s, const sl_device_block_exchange *x,
                          sl_status status)
{
    const sl_type type = f->values == SL_ROW_VALUES    ? x->mine->type
                         : f->values == SL_ROW_PATTERN ? SL_BOOL
                                                       : SL_INT64;
    const sl_status made = sl_matrix_new(f->matrix, s->grid->local, type, f->nrows, f->ncols);
    if (made < 0)
        sl_grid_local_failed(s->grid, made);
    SL_TRY(sl_grid_agree(s->grid, made));
    status =
        table_of(s)->exchange(sl_object_of_matrix(*f->matrix), &s->grid->device_grid, x, status);
    if (status == SL_OK && (f->values == SL_ROW_INDEX || f->values == SL_ROW_COLUMN)) {
        const sl_device_numbers n = view_of(f->indices);
        status =
            table_of(s)->number(sl_object_of_matrix(*f->matrix), f->values == SL_ROW_INDEX, &n);
    }
    return status < 0 ? sl_grid_local_failed(s->grid, status) : status;
}

sl_status sl_summa_exchange_devices(sl_matrix **A, sl_matrix **B, summa *s, uint32_t stage,
                                    sl_status status)
{
    const sl_grid *grid = s->grid;
    const uint32_t m = sl_summa_column(grid, stage);
    const sl_distribution p = sl_grid_distribution(grid, s->k);
    const sl_local_blocks inner = sl_local_row_blocks(&p, m);
    const sl_local_blocks rows = sl_grid_rows(grid, s->m), cols = sl_grid_columns(grid, s->n);
    const uint64_t length = sl_local_blocks_length(&inner);
    for (uint32_t r = 0; r < (uint32_t)grid->rows; r++)
        s->shift[r] = sl_local_blocks_begin(&inner, r);
    numbers of_a = {0}, of_b = {0};
    if (status == SL_OK)
        status = number_blocks(&of_a, s, &rows);
    if (status == SL_OK)
        status = number_blocks(&of_b, s, s->of_b == SL_ROW_COLUMN ? &cols : &inner);
    status = exchange(&(factor){A, s->a->nrows, length, s->of_a, &of_a}, s,
                      &(sl_device_block_exchange){.line = SL_ALONG_COLUMN,
                                                  .mine = s->a,
                                                  .begin = s->cut[m],
                                                  .end = s->cut[m + 1],
                                                  .values = s->of_a == SL_ROW_VALUES,
                                                  .to = SL_ALL_MEMBERS,
                                                  .from = SL_ALL_MEMBERS,
                                                  .shift = s->shift},
                      status);
    if (stage > 0 || !sl_summa_takes_own_b(s))
        status = exchange(&(factor){B, length, s->b->ncols, s->of_b, &of_b}, s,
                          &(sl_device_block_exchange){.line = SL_ALONG_ROW,
                                                      .mine = s->b,
                                                      .end = s->b->ncols,
                                                      .values = s->of_b == SL_ROW_VALUES,
                                                      .to = sl_summa_receiver(grid, stage),
                                                      .from = m},
                          status);
    sl_free(of_a.begin);
    sl_free(of_b.begin);
    return status;
}

/* The blocks of A of the grid column side by side. */
static sl_status gather_a(sl_matrix **A, summa *s, const numbers *inner, sl_status status)
{
    const sl_local_blocks rows = sl_grid_rows(s->grid, s->m);
    const uint32_t R = (uint32_t)s->grid->rows, C = (uint32_t)s->grid->cols;
    numbers indices = {0};
    if (status == SL_OK)
        status = number_blocks(&indices, s, &rows);
    for (uint32_t r = 0; r < R && status == SL_OK; r++)
        s->shift[r] = inner->begin[r * C];
    status = exchange(&(factor){A, s->a->nrows, s->k, s->of_a, &indices}, s,
                      &(sl_device_block_exchange){.line = SL_ALONG_COLUMN,
                                                  .mine = s->a,
                                                  .end = s->a->ncols,
                                                  .values = s->of_a == SL_ROW_VALUES,
                                                  .to = SL_ALL_MEMBERS,
                                                  .from = SL_ALL_MEMBERS,
                                                  .shift = s->shift},
                      status);
    sl_free(indices.begin);
    return status;
}

/* The blocks of B of the grid row, with their rows in the order of A's columns. */
static sl_status gather_b(sl_matrix **B, summa *s, const numbers *inner, sl_status status)
{
    const sl_local_blocks cols = sl_grid_columns(s->grid, s->n);
    const uint32_t C = (uint32_t)s->grid->cols;
    numbers indices = {0}, *map = sl_calloc(C, sizeof *map);
    sl_device_numbers *maps = sl_calloc(C, sizeof *maps);
    if (status == SL_OK && (!map || !maps))
        status = no_memory(s->grid);
    if (status == SL_OK)
        status = number_blocks(&indices, s, &cols);
    if (status == SL_OK)
        status = map_rows(map, s, inner);
    for (uint32_t m = 0; m < C && status == SL_OK; m++)
        maps[m] = view_of(&map[m]);
    status = exchange(
        &(factor){B, s->k, s->b->ncols, s->of_b, s->of_b == SL_ROW_COLUMN ? &indices : inner}, s,
        &(sl_device_block_exchange){.line = SL_ALONG_ROW,
                                    .mine = s->b,
                                    .end = s->b->ncols,
                                    .values = s->of_b == SL_ROW_VALUES,
                                    .to = SL_ALL_MEMBERS,
                                    .from = SL_ALL_MEMBERS,
                                    .rows = maps},
        status);
    for (uint32_t m = 0; map && m < C; m++)
        sl_free(map[m].begin);
    sl_free(map);
    sl_free(maps);
    sl_free(indices.begin);
    return status;
}

sl_status sl_summa_gather_devices(sl_matrix **A, sl_matrix **B, summa *s, sl_status status)
{
    numbers inner = {0};
    if (status == SL_OK)
        status = number_inner(&inner, s);
    if (s->grid->rows > 1 || !sl_summa_takes_own_a(s))
        status = gather_a(A, s, &inner, status);
    if (s->grid->cols > 1 || !sl_summa_takes_own_b(s))
        status = gather_b(B, s, &inner, status);
    sl_free(inner.begin);
    return status;
}
