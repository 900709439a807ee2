/* Compares a matrix on a grid with one of a single process. */
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

#endif
