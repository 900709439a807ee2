/* Layouts in contexts of one process: everything is on rank 0, in the caller's order, and what was
 * prepared of a matrix is told. On grids: dist.context. */
#include <semla/io.h>

#include "context.h"

static sl_matrix *generated(sl_context *on, sl_generator model)
{
    sl_edges edges;
    sl_matrix *A;
    OK(on, sl_generate(&edges, on, &model));
    OK(on, sl_matrix_from_edges(&A, on, &edges, &(sl_read_options){.flags = SL_READ_SYMMETRIC}));
    sl_edges_free(&edges);
    return A;
}

static void all_is_on_rank_0(void **unused)
{
    sl_matrix *A;
    sl_vector *v;
    sl_layout of_matrix, of_vector;
    uint64_t begin, count, nrows, ncols, row, col;
    int rank;
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP64, 20, 30));
    OK(ctx, sl_vector_new(&v, ctx, SL_FP64, 3000));
    OK(ctx, sl_matrix_layout(&of_matrix, A));
    OK(ctx, sl_vector_layout(&of_vector, v));
    assert_true(of_matrix.is_matrix && !of_vector.is_matrix);
    assert_int_equal(of_matrix.grid_rows * of_matrix.grid_cols, 1);
    assert_int_equal(of_vector.grid_rows * of_vector.grid_cols, 1);
    sl_layout_range(&of_vector, 0, &begin, &count);
    assert_int_equal(begin, 0);
    assert_int_equal(count, 3000);
    sl_layout_range(&of_vector, 1, &begin, &count);
    assert_int_equal(count, 0);
    sl_layout_shape(&of_matrix, 0, &nrows, &ncols);
    assert_int_equal(nrows, 20);
    assert_int_equal(ncols, 30);
    sl_layout_shape(&of_vector, 0, &nrows, &ncols);
    assert_int_equal(nrows, 3000);
    assert_int_equal(ncols, 1);
    OK(ctx, sl_layout_to_local(&of_matrix, 19, 29, &rank, &row, &col));
    assert_int_equal(rank, 0);
    assert_int_equal(row, 19);
    assert_int_equal(col, 29);
    OK(ctx, sl_layout_to_global(&of_matrix, 0, 7, 8, &row, &col));
    assert_int_equal(row, 7);
    assert_int_equal(col, 8);
    OK(ctx, sl_layout_to_global(&of_vector, 0, 2999, 0, &row, &col));
    assert_int_equal(row, 2999);
    sl_matrix_free(A);
    sl_vector_free(v);
}

static void what_is_wrong_is_refused(void **unused)
{
    sl_matrix *A;
    sl_layout layout;
    uint64_t row, col;
    int rank;
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP64, 20, 30));
    assert_int_equal(sl_matrix_layout(NULL, A), SL_INVALID);
    assert_int_equal(sl_matrix_layout(&layout, NULL), SL_INVALID);
    assert_int_equal(sl_vector_layout(&layout, NULL), SL_INVALID);
    assert_int_equal(layout.nrows, 0);
    OK(ctx, sl_matrix_layout(&layout, A));
    assert_int_equal(sl_layout_owner(&layout, 20, 0), -1);
    assert_int_equal(sl_layout_owner(NULL, 0, 0), -1);
    assert_int_equal(sl_layout_to_local(&layout, 0, 30, &rank, &row, &col), SL_OUT_OF_RANGE);
    assert_int_equal(sl_layout_to_local(&layout, 0, 0, NULL, &row, &col), SL_INVALID);
    assert_int_equal(sl_layout_to_global(&layout, 1, 0, 0, &row, &col), SL_OUT_OF_RANGE);
    assert_int_equal(sl_layout_to_global(&layout, -1, 0, 0, &row, &col), SL_OUT_OF_RANGE);
    assert_int_equal(sl_layout_to_global(&layout, 0, 20, 0, &row, &col), SL_OUT_OF_RANGE);
    assert_int_equal(sl_layout_to_global(NULL, 0, 0, 0, &row, &col), SL_INVALID);
    sl_matrix_free(A);
}

/* Vertices with edges; the pattern is symmetric. */
static uint64_t linked(const sl_matrix *A)
{
    sl_vector *degree;
    uint64_t count;
    OK(ctx, sl_vector_new(&degree, ctx, SL_INT64, sl_matrix_nrows(A)));
    OK(ctx, sl_matrix_reduce_rows(degree, NULL, NULL, SL_PLUS_MONOID_INT64, A, NULL));
    OK(ctx, sl_vector_nvals(&count, degree));
    sl_vector_free(degree);
    return count;
}

static void what_is_prepared_is_told(void **unused)
{
    sl_layout layout;
    sl_matrix *A = generated(
        ctx, (sl_generator){.model = SL_MODEL_KRONECKER, .scale = 9, .edge_factor = 4, .seed = 1});
    OK(ctx, sl_matrix_layout(&layout, A));
    assert_int_equal(layout.numbering, SL_NUMBERED_AS_IS);
    assert_int_equal(layout.searched, 512);
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    OK(ctx, sl_matrix_layout(&layout, A));
    assert_int_equal(layout.numbering, SL_NUMBERED_BY_DEGREE);
    assert_int_equal(layout.searched, linked(A));
    assert_true(layout.searched < 512);
    assert_int_equal(layout.pruned, 0);
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL | SL_PRUNED));
    OK(ctx, sl_matrix_layout(&layout, A));
    assert_int_equal(layout.numbering, SL_NUMBERED_BY_DEGREE);
    assert_true(layout.pruned > 0);
    assert_true(layout.searched + layout.pruned <= linked(A)); /* less: what is a tree alone */
    OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_bool(true)));
    OK(ctx, sl_matrix_layout(&layout, A));
    assert_int_equal(layout.numbering, SL_NUMBERED_AS_IS);
    assert_int_equal(layout.searched, 512);
    sl_matrix_free(A);
}

/* SuiteSparse alone prepares no order. */
static void an_engine_without_orders(void **unused)
{
    sl_context *plain;
    sl_layout layout;
    assert_int_equal(sl_context_create(&plain, SL_ENGINE_SUITESPARSE), SL_OK);
    sl_matrix *A =
        generated(plain, (sl_generator){.model = SL_MODEL_KRONECKER, .scale = 7, .seed = 1});
    OK(plain, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    OK(plain, sl_matrix_layout(&layout, A));
    assert_int_equal(layout.numbering, SL_NUMBERED_AS_IS);
    sl_matrix_free(A);
    sl_context_free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_on_rank_0),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(what_is_prepared_is_told),
        cmocka_unit_test(an_engine_without_orders),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
