/* Compares objects on a grid with those of a single process. */
#ifndef SEMLA_TESTS_DIST_SAME_H
#define SEMLA_TESTS_DIST_SAME_H

#include "ranks.h"

/* Whether arrays in the format COO have the entries of the matrix, which is in a context of one
 * process. */
static inline bool same_entries(const sl_arrays *got, const sl_matrix *right)
{
    uint64_t count;
    sl_context *one = sl_matrix_context(right);
    assert_ok(one, sl_matrix_nvals(&count, right));
    uint64_t *rows = malloc((count + 1) * sizeof *rows);
    uint64_t *cols = malloc((count + 1) * sizeof *cols);
    char *values = malloc((count + 1) * 8);
    assert_ok(one, sl_matrix_extract_tuples(rows, cols, values, &count, right));
    const bool equal =
        got->nvals == count && got->type == sl_matrix_type(right) &&
        (count == 0 || (memcmp(got->rows, rows, count * sizeof *rows) == 0 &&
                        memcmp(got->cols, cols, count * sizeof *cols) == 0 &&
                        memcmp(got->values, values, count * sl_type_size(got->type)) == 0));
    free(rows);
    free(cols);
    free(values);
    return equal;
}

/* Whether on rank 0 the gathered matrix equals the other, which is in a context of rank 0 alone; true on
 * the other ranks. Collective. */
static inline bool same(const sl_matrix *A, const sl_matrix *right)
{
    sl_arrays got;
    assert_ok(sl_matrix_context(A), sl_grid_gather_matrix(&got, A, 0));
    const bool equal = world_rank() > 0 || same_entries(&got, right);
    sl_arrays_free(&got);
    return equal;
}

static inline void assert_same(const sl_matrix *A, const sl_matrix *right)
{
    assert_true(same(A, right));
}

/* The same of vectors; the message of a failure begins with `what`. */
static inline void assert_same_vectors(const sl_vector *v, const sl_vector *right, const char *what)
{
    sl_arrays mine, theirs;
    assert_ok(sl_vector_context(v), sl_grid_gather_vector(&mine, v, 0));
    if (world_rank() == 0) {
        sl_context *one = sl_vector_context(right);
        assert_ok(one, sl_vector_copy_out(&theirs, right, SL_FORMAT_LIST));
        assert_ok(one, sl_arrays_expand(one, &theirs));
        if (mine.nvals != theirs.nvals)
            fail_msg("%s: %d entries, not %d", what, (int)mine.nvals, (int)theirs.nvals);
        if (memcmp(mine.rows, theirs.rows, mine.nvals * sizeof *mine.rows) != 0)
            fail_msg("%s: other indices", what);
        if (memcmp(mine.values, theirs.values, mine.nvals * sl_type_size(theirs.type)) != 0)
            fail_msg("%s: other values", what);
        sl_arrays_free(&theirs);
    }
    sl_arrays_free(&mine);
}

#endif
