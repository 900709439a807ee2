/*
 * Makes a matrix by sl_matrix_build. Mirror entries are added here; on a grid, where each process has some of the
 * tuples, sl_matrix_build sends each entry to its owner.
 */
#include <math.h>

#include "io/tuples/assembly.h"

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

/* Finds the least entry of M that is above the limit on any process; UINT64_MAX: none. */
static sl_status find_above(position *least, sl_matrix *M, sl_index_op above, sl_scalar limit,
                            sl_context *ctx)
{
    position *found = NULL;
    uint64_t all = 0;
    *least = (position){UINT64_MAX, UINT64_MAX};
    sl_status status = sl_matrix_select(M, NULL, NULL, above, M, limit, NULL);
    if (status == SL_OK)
        status = sl_matrix_nvals(&all, M);
    uint64_t *row = sl_malloc((all + 1) * sizeof *row), *col = sl_malloc((all + 1) * sizeof *col);
    if (status == SL_OK)
        status = sl_agree(
            ctx, row && col ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "matrix_from_edges: no memory"));
    if (status == SL_OK)
        status = sl_matrix_extract_tuples(row, col, NULL, &all, M);
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
    return status;
}

/* Builds the matrix in which the entries with these values are added. */
static sl_status build_sum(sl_matrix **sum, const assembly *a, const entries *e, const word *values,
                           sl_type type)
{
    sl_status status = sl_agree(
        a->ctx, values ? SL_OK : sl_fail(a->ctx, SL_NO_MEMORY, "matrix_from_edges: no memory"));
    if (status == SL_OK)
        status = sl_matrix_new(sum, a->ctx, type, a->nrows, a->ncols);
    if (status == SL_OK)
        status = sl_matrix_build(*sum, e->row, e->col, values, e->count,
                                 sl_binary_op_get(SL_BINARY_PLUS, type));
    return status;
}

/* Reports the least entry that occurs more than once, by counting all entries. */
static sl_status fail_repeated(const assembly *a, const entries *e)
{
    sl_matrix *times = NULL;
    position least;
    word *ones = sl_malloc((e->count + 1) * sizeof *ones);
    for (uint64_t k = 0; ones && k < e->count; k++)
        ones[k] = 1;
    sl_status status = build_sum(&times, a, e, ones, SL_INT64);
    if (status == SL_OK)
        status = find_above(&least, times, SL_VALUEGT_INT64, sl_scalar_int64(1), a->ctx);
    sl_free(ones);
    sl_matrix_free(times);
    return status == SL_OK ? assembly_refuse(a, least.row, least.col) : status;
}

static double float_of(word value, sl_type type)
{
    return type == SL_UINT64 ? (double)value : (double)(int64_t)value;
}

/* Sets *reach to the sum of the absolute values on all processes, which bounds all sums. */
static sl_status sum_absolute(double *reach, const assembly *a, const entries *e)
{
    double own = 0, *all;
    for (uint64_t k = 0; k < e->count; k++)
        own += fabs(float_of(e->values[k], a->type));
    sl_status status = sl_gather(a->ctx, SL_OK, (void **)&all, NULL, &own, sizeof own);
    *reach = 0;
    for (uint64_t k = 0; status == SL_OK && k < sl_context_processes(a->ctx); k++)
        *reach += all[k];
    if (status == SL_OK)
        sl_free(all);
    return status;
}

/*
 * Refuses sums of integers that have wrapped: these differ from the sum of the floats by a multiple of
 * 2^64, and others by a rounding error.
 */
static sl_status check_sums(const assembly *a, const entries *e, const sl_matrix *A)
{
    const double far = 0x1p62;
    double reach;
    sl_matrix *about = NULL;
    position least = {UINT64_MAX, UINT64_MAX};
    sl_status status = sum_absolute(&reach, a, e);
    if (status != SL_OK || reach < far)
        return status;
    double *floats = sl_malloc((e->count + 1) * sizeof *floats);
    for (uint64_t k = 0; floats && k < e->count; k++)
        floats[k] = float_of(e->values[k], a->type);
    status = build_sum(&about, a, e, (const word *)floats, SL_FP64);
    if (status == SL_OK)
        status = sl_matrix_ewise_mult(about, NULL, NULL, SL_MINUS_FP64, about, A, NULL);
    if (status == SL_OK)
        status = sl_matrix_apply(about, NULL, NULL, SL_ABS_FP64, about, NULL);
    if (status == SL_OK)
        status = find_above(&least, about, SL_VALUEGT_FP64, sl_scalar_fp64(far), a->ctx);
    if (status == SL_OK && least.row != UINT64_MAX)
        status = assembly_refuse(a, least.row, least.col);
    sl_free(floats);
    sl_matrix_free(about);
    return status;
}

sl_status assembly_build(const assembly *a, sl_matrix **A)
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
    if (status == SL_OK && a->valued && a->duplicates == SL_DUPLICATES_SUM && a->type != SL_FP64)
        status = check_sums(a, &e, *A);
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
