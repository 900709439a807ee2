/* The exchange of a product of matrices from device to device, by the table sl_device_matrices. */
#include "dist/operations/summa.h"

static const sl_device_matrices *table_of(const summa *s)
{
    return s->grid->device_engine->devices.matrices;
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

static sl_status new_numbers(summa_numbers *n, const summa *s, uint32_t count)
{
    *n = (summa_numbers){.count = count};
    n->begin = sl_malloc((2 * (size_t)count + 1) * sizeof *n->begin);
    if (!n->begin)
        return no_memory(s->grid);
    n->first = n->begin + count + 1;
    return SL_OK;
}

static sl_device_numbers view_of(const summa_numbers *n)
{
    return (sl_device_numbers){.count = n->count, .begin = n->begin, .first = n->first};
}

/* The indices in the whole object of the rows or columns of a rank. */
static sl_status number_blocks(summa_numbers *n, const summa *s, const sl_local_blocks *blocks)
{
    SL_TRY(new_numbers(n, s, blocks->count));
    for (uint32_t k = 0; k <= blocks->count; k++)
        n->begin[k] = sl_local_blocks_begin(blocks, k);
    for (uint32_t k = 0; k < blocks->count; k++)
        n->first[k] =
            sl_distribution_begin(&blocks->of, blocks->first + (uint64_t)k * blocks->stride);
    return SL_OK;
}

/* The inner indices of gathered factors are in the order of A's columns: the indices of grid row 0, then of
 * grid row 1, ... */
static sl_status number_inner(summa_numbers *n, const summa *s)
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
static sl_status map_rows(summa_numbers *map, const summa *s, const summa_numbers *inner)
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

/* ---- the exchange of a stage -------------------------------------------------------------------- */

/* The exchange of A's columns `begin` to `end` - 1 along grid columns; they are joined to `ncols` columns. */
static sl_status describe_a(summa *s, uint64_t ncols, uint64_t begin, uint64_t end)
{
    summa_moving *v = &s->moving;
    const sl_local_blocks rows = sl_grid_rows(s->grid, s->m);
    v->factor[v->count] = (summa_factor){.nrows = s->a->nrows,
                                         .ncols = ncols,
                                         .values = s->of_a,
                                         .type = s->a->type,
                                         .indices = &v->of_a};
    v->exchange[v->count++] = (sl_device_block_exchange){.line = SL_ALONG_COLUMN,
                                                         .mine = s->a,
                                                         .begin = begin,
                                                         .end = end,
                                                         .values = s->of_a == SL_ROW_VALUES,
                                                         .to = SL_ALL_MEMBERS,
                                                         .from = SL_ALL_MEMBERS,
                                                         .shift = s->shift};
    return number_blocks(&v->of_a, s, &rows);
}

/* The exchange of B's block along grid rows, from one member to one, or of all. */
static void describe_b(summa *s, uint64_t nrows, uint32_t to, uint32_t from,
                       const summa_numbers *rows)
{
    summa_moving *v = &s->moving;
    v->factor[v->count] = (summa_factor){.of_b = true,
                                         .nrows = nrows,
                                         .ncols = s->b->ncols,
                                         .values = s->of_b,
                                         .type = s->b->type,
                                         .indices = s->of_b == SL_ROW_COLUMN ? &v->of_b : rows};
    v->exchange[v->count++] = (sl_device_block_exchange){.line = SL_ALONG_ROW,
                                                         .mine = s->b,
                                                         .end = s->b->ncols,
                                                         .values = s->of_b == SL_ROW_VALUES,
                                                         .to = to,
                                                         .from = from,
                                                         .rows = v->maps};
}

/* The inner indices of one grid column: columns of the blocks of A of this grid column, and one block
 * of B. */
static sl_status describe_stage(summa *s, uint32_t stage)
{
    summa_moving *v = &s->moving;
    const uint32_t m = sl_summa_column(s->grid, stage);
    const sl_distribution p = sl_grid_distribution(s->grid, s->k);
    const sl_local_blocks inner = sl_local_row_blocks(&p, m), cols = sl_grid_columns(s->grid, s->n);
    const uint64_t length = sl_local_blocks_length(&inner);
    for (uint32_t r = 0; r < p.rows; r++)
        s->shift[r] = sl_local_blocks_begin(&inner, r);
    SL_TRY(describe_a(s, length, s->cut[m], s->cut[m + 1]));
    if (stage == 0 && sl_summa_takes_own_b(s))
        return SL_OK;
    describe_b(s, length, sl_summa_receiver(s->grid, stage), m, &v->inner);
    SL_TRY(number_blocks(&v->inner, s, &inner));
    return number_blocks(&v->of_b, s, &cols);
}

/* All inner indices: the blocks of A of the grid column side by side, and the blocks of B of the grid
 * row, with their rows in the order of A's columns. */
static sl_status describe_gathered(summa *s)
{
    summa_moving *v = &s->moving;
    const uint32_t R = (uint32_t)s->grid->rows, C = (uint32_t)s->grid->cols;
    const sl_local_blocks cols = sl_grid_columns(s->grid, s->n);
    SL_TRY(number_inner(&v->inner, s));
    for (uint32_t r = 0; r < R; r++)
        s->shift[r] = v->inner.begin[r * C];
    if (R > 1 || !sl_summa_takes_own_a(s))
        SL_TRY(describe_a(s, s->k, 0, s->a->ncols));
    if (C == 1 && sl_summa_takes_own_b(s))
        return SL_OK;
    v->map = sl_calloc(C, sizeof *v->map);
    v->maps = sl_calloc(C, sizeof *v->maps);
    if (!v->map || !v->maps)
        return no_memory(s->grid);
    SL_TRY(map_rows(v->map, s, &v->inner));
    for (uint32_t m = 0; m < C; m++)
        v->maps[m] = view_of(&v->map[m]);
    describe_b(s, s->k, SL_ALL_MEMBERS, SL_ALL_MEMBERS, &v->inner);
    return number_blocks(&v->of_b, s, &cols);
}

static void close_moving(summa *s)
{
    summa_moving *v = &s->moving;
    for (int m = 0; v->map && m < s->grid->cols; m++)
        sl_free(v->map[m].begin);
    sl_free(v->map);
    sl_free(v->maps);
    sl_free(v->inner.begin);
    sl_free(v->of_a.begin);
    sl_free(v->of_b.begin);
    *v = (summa_moving){0};
}

sl_status sl_summa_begin_devices(summa *s, uint32_t stage, sl_status status)
{
    summa_moving *v = &s->moving;
    if (status == SL_OK)
        status = s->gathered ? describe_gathered(s) : describe_stage(s, stage);
    status = table_of(s)->begin(&v->exchanges, s->grid->local, &s->grid->devices.grid, v->exchange,
                                v->count, status);
    return status < 0 ? sl_grid_local_failed(s->grid, status) : status;
}

/* ---- factors ---------------------------------------------------------------------------------- */

static sl_type type_of(const summa_factor *f)
{
    return f->values == SL_ROW_VALUES ? f->type : f->values == SL_ROW_PATTERN ? SL_BOOL : SL_INT64;
}

/* Gives a factor the indices that are its values. */
static sl_status number(const summa *s, const summa_factor *f, sl_object *made)
{
    const sl_device_numbers n = view_of(f->indices);
    return f->values == SL_ROW_INDEX || f->values == SL_ROW_COLUMN
               ? table_of(s)->number(made, f->values == SL_ROW_INDEX, &n)
               : SL_OK;
}

sl_status sl_summa_end_devices(sl_matrix **A, sl_matrix **B, summa *s, uint32_t stage,
                               sl_status status)
{
    summa_moving *v = &s->moving;
    sl_grid *grid = s->grid;
    sl_object *made[SL_BLOCK_EXCHANGES] = {NULL};
    const uint64_t before = grid->device_traffic.bytes;
    for (unsigned k = 0; k < v->count && status == SL_OK; k++) {
        const summa_factor *f = &v->factor[k];
        sl_matrix **to = f->of_b ? B : A;
        status = sl_matrix_new(to, grid->local, type_of(f), f->nrows, f->ncols);
        made[k] = status == SL_OK ? sl_object_of_matrix(*to) : NULL;
    }
    status = table_of(s)->end(v->exchanges, made, status);
    for (unsigned k = 0; k < v->count && status == SL_OK; k++)
        status = number(s, &v->factor[k], made[k]);
    if (stage > 0)
        grid->traffic.overlapped_bytes[SL_PHASE_BLOCKS] += grid->device_traffic.bytes - before;
    close_moving(s);
    return status < 0 ? sl_grid_local_failed(grid, status) : status;
}
