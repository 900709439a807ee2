/* Compares a matrix on a grid with one of a single process. */
#ifndef SEMLA_TESTS_DIST_SAME_H
#define SEMLA_TESTS_DIST_SAME_H

#include "ranks.h"

/* On rank 0 the gathered matrix equals the other, which is in a context of rank 0 alone. */
static inline void assert_same(const sl_matrix *A, const sl_matrix *right)
{
    sl_arrays got;
    sl_context *ctx = sl_matrix_context(A);
    assert_ok(ctx, sl_grid_gather_matrix(&got, A, 0));
    if (world_rank() == 0) {
        uint64_t count;
        sl_context *one = sl_matrix_context(right);
        assert_ok(one, sl_matrix_nvals(&count, right));
        uint64_t *rows = malloc((count + 1) * sizeof *rows);
        uint64_t *cols = malloc((count + 1) * sizeof *cols);
        char *values = malloc((count + 1) * 8);
        assert_ok(one, sl_matrix_extract_tuples(rows, cols, values, &count, right));
        assert_int_equal(got.nvals, count);
        assert_true(sl_matrix_type(A) == sl_matrix_type(right));
        assert_memory_equal(got.rows, rows, count * sizeof *rows);
        assert_memory_equal(got.cols, cols, count * sizeof *cols);
        assert_memory_equal(got.values, values, count * sl_type_size(sl_matrix_type(right)));
        free(rows);
        free(cols);
        free(values);
    }
    sl_arrays_free(&got);
}

#endif
