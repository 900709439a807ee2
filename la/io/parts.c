/* Matrices that several processes share: each brings its part of the tuples. */
#include <string.h>

#include "assembly.h"

enum { VALUE_BYTES = 8 };

typedef struct {
    uint64_t *row, *col;
    char *values; /* or NULL */
    uint64_t count;
} entries;

static void put(entries *e, uint64_t row, uint64_t col, const void *value)
{
    e->row[e->count] = row;
    e->col[e->count] = col;
    if (e->values)
        memcpy(e->values + VALUE_BYTES * e->count, value, VALUE_BYTES);
    e->count++;
}

static void negate(const assembly *p, void *value)
{
    if (p->type == SL_FP64) {
        double x;
        memcpy(&x, value, sizeof x);
        x = -x;
        memcpy(value, &x, sizeof x);
    } else {
        uint64_t x;
        memcpy(&x, value, sizeof x);
        x = -x;
        memcpy(value, &x, sizeof x);
    }
}

/* A tuple, and what else it stands for. */
static void add_tuple(entries *e, const assembly *p, uint64_t row, uint64_t col, const char *value)
{
    char mirrored[VALUE_BYTES];
    if (p->drop_loops && row == col)
        return;
    if (p->transposed) {
        uint64_t swap = row;
        row = col;
        col = swap;
    }
    put(e, row, col, value);
    if (p->mirror == SL_MIRROR_NONE || row == col)
        return;
    if (e->values) {
        memcpy(mirrored, value, VALUE_BYTES);
        if (p->mirror == SL_MIRROR_NEGATED)
            negate(p, mirrored);
    }
    put(e, col, row, mirrored);
}

static sl_status expand(entries *e, const assembly *p)
{
    const uint64_t most = (p->mirror == SL_MIRROR_NONE ? 1 : 2) * p->count + 1;
    e->row = sl_malloc(most * sizeof *e->row);
    e->col = sl_malloc(most * sizeof *e->col);
    e->values = p->valued ? sl_malloc(most * VALUE_BYTES) : NULL;
    if (!e->row || !e->col || (p->valued && !e->values))
        return sl_fail(p->ctx, SL_NO_MEMORY, "edges to matrix: no memory for %llu entries",
                       (unsigned long long)most);
    for (uint64_t s = 0; s < p->stretch_count; s++) {
        if (p->valued && p->stretches[s].count > 0 && !p->stretches[s].values)
            return sl_fail(p->ctx, SL_INVALID, "edges to matrix: no values here, but elsewhere");
        for (uint64_t k = 0; k < p->stretches[s].count; k++)
            add_tuple(e, p, p->stretches[s].row[k], p->stretches[s].col[k],
                      p->valued ? (const char *)p->stretches[s].values + VALUE_BYTES * k : NULL);
    }
    return SL_OK;
}

sl_status assembly_make_shared(const assembly *p, sl_matrix **A)
{
    const sl_binary_op first = sl_binary_op_get(SL_BINARY_FIRST, p->type);
    const sl_binary_op dup = p->duplicates == SL_DUPLICATES_ERROR ? NULL
                             : p->valued                          ? p->combine
                                                                  : first;
    entries e = {0};
    sl_status status = sl_agree(p->ctx, expand(&e, p));
    if (status == SL_OK)
        status = sl_matrix_new(A, p->ctx, p->type, p->nrows, p->ncols);
    if (status == SL_OK)
        status = sl_matrix_build(*A, e.row, e.col, e.values, e.count, dup);
    if (status == SL_INVALID && !dup)
        status = SL_SYNTAX; /* a duplicate, which the message names */
    if (status == SL_OK && p->mirror != SL_MIRROR_NONE)
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
