/* Products of matrices row by row: first the pattern, then the values. Rows are sorted into
 * kinds by their number of products, and each kind has a kernel (spgemm_kernels.h). */
#include "cuda/products/mxm_common.h"

sl_status sl_cuda_count_products(cuda_mxm *m, uint64_t *products)
{
    cuda_factors *f = &m->sums.f;
    uint64_t *ends;
    CUDA_TRY(sl_cuda_scratch_take(m->s, &ends, f->a_nnz * sizeof *ends));
    CUDA_TRY(cuda_launched(m->s, "kernel product_lengths", sl_cuda_product_lengths(ends, f)));
    f->ends = ends;
    return sl_cuda_sum(m->s, products, ends, f->a_nnz);
}

/* Frees memory of the scratch before the end of the call. */
static void release_early(cuda_scratch *s, void *memory)
{
    if (sl_cuda_scratch_detach(s, memory))
        sl_cuda_free(memory);
}

/* Bytes for optional memory: an eighth of the free memory, at most SPGEMM_ROOM columns. */
static uint64_t room(uint64_t wanted)
{
    const uint64_t most = SPGEMM_ROOM * sizeof(uint32_t), little = most / 64;
    if (wanted <= little)
        return little;
    uint64_t eighth = sl_cuda_free_bytes() / 8;
    return eighth < most ? eighth : most;
}

/* ---- rows by kind ----------------------------------------------------------------- */

typedef struct {
    uint32_t *list; /* all rows that have products, by kind */
    cuda_row_counts count, first;
} sorted_rows;

/* Rows for a block each become giant rows if they are few, as most of the device would wait for them. */
static void spread_few_rows(sorted_rows *rows, uint64_t words)
{
    unsigned long long *count = rows->count.rows, *first = rows->first.rows;
    const unsigned long long few = count[CUDA_ROW_HASH] + count[CUDA_ROW_BITMAP];
    if (few > GIANT_FEW_ROWS || few * words > GIANT_FEW_WORDS)
        return;
    first[CUDA_ROW_GIANT] = first[CUDA_ROW_HASH];
    count[CUDA_ROW_GIANT] += few;
    count[CUDA_ROW_HASH] = count[CUDA_ROW_BITMAP] = 0;
}

static sl_status sort_rows(cuda_mxm *m, sorted_rows *rows, const uint64_t *c_start)
{
    cuda_scratch *s = m->s;
    sl_context *ctx = s->call->ctx;
    cuda_row_counts *counts;
    unsigned long long all = 0;
    rows->first = (cuda_row_counts){{0}};
    CUDA_TRY(sl_cuda_scratch_take(s, &counts, sizeof *counts));
    CUDA_TRY(sl_cuda_zero(ctx, counts, sizeof *counts));
    CUDA_TRY(cuda_launched(s, "kernel sort_rows",
                           sl_cuda_sort_rows(NULL, counts, &rows->first, &m->sums.f, c_start)));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel sort_rows", &rows->count, counts, sizeof rows->count));
    for (int kind = 0; kind < CUDA_ROW_KINDS; kind++) {
        rows->first.rows[kind] = all;
        all += rows->count.rows[kind];
    }
    CUDA_TRY(sl_cuda_scratch_take(s, &rows->list, all * sizeof *rows->list));
    CUDA_TRY(sl_cuda_zero(ctx, counts, sizeof *counts));
    CUDA_TRY(
        cuda_launched(s, "kernel sort_rows",
                      sl_cuda_sort_rows(rows->list, counts, &rows->first, &m->sums.f, c_start)));
    spread_few_rows(rows, cuda_words(m->sums.f.ncols));
    return SL_OK;
}

/* ---- giant rows, as many at a time as there is memory for their tables ---------------- */

typedef struct {
    cuda_giants g;
    uint64_t all, bytes; /* number of rows; bytes of one table */
    uint64_t at_once;    /* as many tables as there are */
} giants;

static sl_status prepare_giants(cuda_mxm *m, giants *these, const sorted_rows *rows, size_t word,
                                uint64_t products)
{
    cuda_scratch *s = m->s;
    uint64_t *tiles, count = rows->count.rows[CUDA_ROW_GIANT];
    const uint32_t *list = rows->list + rows->first.rows[CUDA_ROW_GIANT];
    uint64_t words = cuda_words(m->sums.f.ncols);
    *these = (giants){.g = {.list = list,
                            .tile = products < GIANT_MANY_PRODUCTS ? GIANT_SMALL_TILE : GIANT_TILE,
                            .words = words,
                            .chunks = (words + GIANT_WORDS - 1) / GIANT_WORDS},
                      .all = count,
                      .bytes = words * word};
    if (count == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &tiles, count * sizeof *tiles));
    CUDA_TRY(cuda_launched(s, "kernel giant_tiles",
                           sl_cuda_giant_tiles(tiles, &m->sums.f, &these->g, count)));
    CUDA_TRY(sl_cuda_sum_ends(s->call->ctx, &s->arena, tiles, count));
    these->g.ends = tiles;
    uint64_t fit = room(count * these->bytes) / these->bytes;
    these->at_once = fit < 1 ? 1 : fit < count ? fit : count;
    return sl_cuda_scratch_take(s, &these->g.tables, these->at_once * these->bytes);
}

/* From row number `first` on: the next giant rows; false if there are none left. */
static bool next_giants(giants *these, uint64_t first)
{
    these->g.first = first;
    these->g.count = these->at_once < these->all - first ? these->at_once : these->all - first;
    return these->g.count > 0;
}

static sl_status empty_tables(cuda_mxm *m, giants *these)
{
    return sl_cuda_zero(m->s->call->ctx, these->g.tables, these->g.count * these->bytes);
}

/* ---- the pattern ------------------------------------------------------------------------- */

static sl_status mark_giants(cuda_mxm *m, const cuda_pattern *t, giants *these)
{
    cuda_scratch *s = m->s;
    const uint64_t chunks = these->g.count * these->g.chunks;
    if (!these->g.sums)
        CUDA_TRY(sl_cuda_scratch_take(s, &these->g.sums, chunks * sizeof *these->g.sums));
    CUDA_TRY(empty_tables(m, these));
    CUDA_TRY(cuda_launched(s, "kernel mark_giants", sl_cuda_mark_giants(t, &these->g)));
    return sl_cuda_sum_ends(s->call->ctx, &s->arena, these->g.sums, chunks);
}

/* marked: the bits of all giant rows are set. */
static sl_status find_pattern(cuda_mxm *m, const cuda_pattern *t, const sorted_rows *rows,
                              giants *these, bool marked)
{
    cuda_scratch *s = m->s;
    for (int kind = 0; kind < CUDA_ROW_GIANT; kind++)
        if (rows->count.rows[kind] > 0)
            CUDA_TRY(cuda_launched(s, "kernel of a product's pattern",
                                   sl_cuda_pattern(t, (cuda_row_kind)kind,
                                                   rows->list + rows->first.rows[kind],
                                                   rows->count.rows[kind])));
    for (uint64_t first = 0; next_giants(these, first); first += these->g.count) {
        if (!marked)
            CUDA_TRY(mark_giants(m, t, these));
        CUDA_TRY(cuda_launched(s, "kernel emit_giants", sl_cuda_emit_giants(t, &these->g)));
    }
    return SL_OK;
}

/* In one pass if there is memory for a column per product, else in two. */
static sl_status pattern(cuda_mxm *m, cuda_rows *T, uint64_t products)
{
    cuda_scratch *s = m->s;
    sl_context *ctx = s->call->ctx;
    uint64_t rows_bytes = (T->nrows + 1) * sizeof *T->start;
    uint32_t *found = NULL;
    sorted_rows rows;
    giants these;
    cuda_pattern t = {.f = m->sums.f,
                      .mask_start = m->mask.start,
                      .mask_index = m->mask.index,
                      .truth = m->mask.values,
                      .complement = s->call->flags & SL_COMPLEMENT};
    bool once = products <= room(products * sizeof *found) / sizeof *found;
    CUDA_TRY(sl_cuda_scratch_take(s, &T->start, rows_bytes));
    CUDA_TRY(sl_cuda_zero(ctx, T->start, rows_bytes));
    CUDA_TRY(sort_rows(m, &rows, NULL));
    if (once)
        CUDA_TRY(sl_cuda_scratch_take(s, &found, products * sizeof *found));
    t.counts = T->start + 1;
    t.to = found;
    CUDA_TRY(prepare_giants(m, &these, &rows, sizeof(uint32_t), products));
    CUDA_TRY(find_pattern(m, &t, &rows, &these, false));
    CUDA_TRY(sl_cuda_sum(s, &T->nnz, T->start + 1, T->nrows));
    CUDA_TRY(sl_cuda_scratch_take(s, &T->index, T->nnz * sizeof *T->index));
    if (once) {
        CUDA_TRY(cuda_launched(s, "kernel gather_rows",
                               sl_cuda_gather_rows(T->index, T->start, found, &m->sums.f, T->nnz)));
        release_early(s, found);
        release_early(s, these.g.tables);
        return SL_OK;
    }
    t.counts = NULL;
    t.to = T->index;
    t.first = T->start;
    CUDA_TRY(find_pattern(m, &t, &rows, &these, these.at_once == these.all));
    release_early(s, these.g.tables);
    return SL_OK;
}

/* ---- the values ----------------------------------------------------------------------------- */

static sl_status sum_giants(cuda_mxm *m, const sorted_rows *rows, uint64_t products)
{
    cuda_scratch *s = m->s;
    giants these;
    CUDA_TRY(prepare_giants(m, &these, rows, 2 * sizeof(uint32_t), products));
    for (uint64_t first = 0; next_giants(&these, first); first += these.g.count) {
        CUDA_TRY(empty_tables(m, &these));
        CUDA_TRY(cuda_launched(s, "kernel sum_giants", sl_cuda_giant_sums(&m->sums, &these.g)));
    }
    release_early(s, these.g.tables);
    return SL_OK;
}

static sl_status values(cuda_mxm *m, cuda_rows *T, uint64_t products)
{
    cuda_scratch *s = m->s;
    sorted_rows rows;
    CUDA_TRY(sl_cuda_take_values(m, T));
    if (!T->values || T->nnz == 0)
        return SL_OK;
    m->sums.c_start = T->start;
    m->sums.c_index = T->index;
    m->sums.c_values = T->values;
    CUDA_TRY(sort_rows(m, &rows, T->start));
    if (rows.count.rows[CUDA_ROW_GIANT] > 0)
        CUDA_TRY(cuda_launched(
            s, "kernel fill",
            sl_cuda_fill(T->values, &m->sums.p.neutral, sl_type_size(T->type), T->nnz)));
    for (int kind = 0; kind < CUDA_ROW_GIANT; kind++)
        if (rows.count.rows[kind] > 0)
            CUDA_TRY(cuda_launched(s, "kernel of a product's sums",
                                   sl_cuda_sums(&m->sums, (cuda_row_kind)kind,
                                                rows.list + rows.first.rows[kind],
                                                rows.count.rows[kind])));
    return sum_giants(m, &rows, products);
}

sl_status sl_cuda_spgemm(cuda_mxm *m, cuda_rows *T, uint64_t products)
{
    if (products == 0)
        return sl_cuda_no_rows(m, T);
    *T = (cuda_rows){
        .type = m->semiring->add->type, .nrows = m->sums.f.nrows, .allowed = m->mask.start != NULL};
    CUDA_TRY(pattern(m, T, products));
    return values(m, T, products);
}
