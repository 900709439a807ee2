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
        status = SL_SYNTAX; /* a duplicate; the message names it */
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
