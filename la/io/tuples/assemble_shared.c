/*
 * Makes a matrix on a grid: each process has some of the tuples. Mirror entries are added here;
 * sl_matrix_build sends each entry to its owner.
 */
#include "assembly.h"

typedef struct {
    uint64_t *row, *col;
    word *values; /* NULL for a pattern */
    uint64_t count;
} entries;

static void append(entries *e, uint64_t row, uint64_t col, word value)
{
    e->row[e->count] = row;
    e->col[e->count] = col;
    if (e->values)
        e->values[e->count] = value;
    e->count++;
}

/* Appends a tuple and its mirror entry. */
static void append_tuple(entries *e, const assembly *a, uint64_t row, uint64_t col, word value)
{
    if (a->drop_loops && row == col)
        return;
    if (a->transposed)
        append(e, col, row, value);
    else
        append(e, row, col, value);
    if (a->mirror == SL_MIRROR_NONE || row == col)
        return;
    if (a->mirror == SL_MIRROR_NEGATED)
        value = negated(value, a->type);
    if (a->transposed)
        append(e, row, col, value);
    else
        append(e, col, row, value);
}

static sl_status make_entries(entries *e, const assembly *a)
{
    const uint64_t most = (a->mirror == SL_MIRROR_NONE ? 1 : 2) * a->count + 1;
    e->row = sl_malloc(most * sizeof *e->row);
    e->col = sl_malloc(most * sizeof *e->col);
    e->values = a->valued ? sl_malloc(most * sizeof *e->values) : NULL;
    if (!e->row || !e->col || (a->valued && !e->values))
        return sl_fail(a->ctx, SL_NO_MEMORY, "matrix_from_edges: no memory for %llu entries",
                       (unsigned long long)most);
    for (uint64_t i = 0; i < a->segment_count; i++) {
        const segment *s = &a->segments[i];
        const word *values = a->valued ? s->values : NULL;
        if (a->valued && s->count > 0 && !values)
            return sl_fail(a->ctx, SL_INVALID,
                           "matrix_from_edges: values is NULL, but other processes have values");
        for (uint64_t k = 0; k < s->count; k++)
            append_tuple(e, a, s->row[k], s->col[k], values ? values[k] : 0);
    }
    return SL_OK;
}

typedef struct {
    uint64_t row, col;
} position;

static bool is_before(position a, position b)
{
    return a.row < b.row || (a.row == b.row && a.col < b.col);
}

/* Finds the least entry that occurs more than once among those of all processes, by counting them. */
static sl_status find_repeated(position *least, const assembly *a, const entries *e)
{
    sl_context *ctx = a->ctx;
    sl_matrix *times = NULL;
    position *found = NULL;
    uint64_t all = 0;
    int64_t *ones = sl_malloc((e->count + 1) * sizeof *ones);
    for (uint64_t k = 0; ones && k < e->count; k++)
        ones[k] = 1;
    *least = (position){UINT64_MAX, UINT64_MAX};
    sl_status status =
        sl_agree(ctx, ones ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "matrix_from_edges: no memory"));
    if (status == SL_OK)
        status = sl_matrix_new(&times, ctx, SL_INT64, a->nrows, a->ncols);
    if (status == SL_OK)
        status = sl_matrix_build(times, e->row, e->col, ones, e->count, SL_PLUS_INT64);
    if (status == SL_OK)
        status =
            sl_matrix_select(times, NULL, NULL, SL_VALUEGT_INT64, times, sl_scalar_int64(1), NULL);
    if (status == SL_OK)
        status = sl_matrix_nvals(&all, times);
    uint64_t *row = sl_malloc((all + 1) * sizeof *row), *col = sl_malloc((all + 1) * sizeof *col);
    if (status == SL_OK)
        status = sl_agree(
            ctx, row && col ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "matrix_from_edges: no memory"));
    if (status == SL_OK)
        status = sl_matrix_extract_tuples(row, col, NULL, &all, times);
    for (uint64_t k = 0; k < all && status == SL_OK; k++)
        if (is_before((position){row[k], col[k]}, *least))
            *least = (position){row[k], col[k]};
    status = sl_gather(ctx, status, (void **)&found, NULL, least, sizeof *least);
    for (uint64_t k = 0; k < sl_context_processes(ctx) && status == SL_OK; k++)
        if (is_before(found[k], *least))
            *least = found[k];
    sl_free(found);
    sl_free(row);
    sl_free(col);
    sl_free(ones);
    sl_matrix_free(times);
    return status;
}

/* Reports the entry that occurs more than once. */
static sl_status fail_repeated(const assembly *a, const entries *e)
{
    position least;
    const sl_status status = find_repeated(&least, a, e);
    return status == SL_OK ? assembly_fail_repeated(a, least.row, least.col) : status;
}

sl_status assembly_make_shared(const assembly *a, sl_matrix **A)
{
    const sl_binary_op first = sl_binary_op_get(SL_BINARY_FIRST, a->type);
    const sl_binary_op dup = a->duplicates == SL_DUPLICATES_ERROR ? NULL
                             : a->valued                          ? a->combine
                                                                  : first;
    entries e = {0};
    sl_status status = sl_agree(a->ctx, make_entries(&e, a));
    if (status == SL_OK)
        status = sl_matrix_new(A, a->ctx, a->type, a->nrows, a->ncols);
    if (status == SL_OK)
        status = sl_matrix_build(*A, e.row, e.col, e.values, e.count, dup);
    if (status == SL_INVALID && !dup)
        status = fail_repeated(a, &e);
    if (status == SL_OK && a->mirror != SL_MIRROR_NONE)
        status = sl_matrix_promise_symmetric(*A);
    if (status != SL_OK) {
        sl_matrix_free(*A);
        *A = NULL;
    }
    sl_free(e.row);
    sl_free(e.col);
    sl_free(e.values);
    return status;
}
