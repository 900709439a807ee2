/* Contexts of a grid: shapes, layouts, agreement on errors. */
#include "ranks.h"

static void every_grid(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        sl_grid_info info;
        assert_int_equal(
            sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE), SL_OK);
        assert_int_equal(sl_grid_describe(&info, ctx), SL_OK);
        assert_int_equal(info.rows, rows);
        assert_int_equal(info.cols, cols);
        assert_int_equal(info.rank, info.row * cols + info.col);
        assert_int_equal(info.rank, world_rank());
        assert_string_equal(sl_context_engine(ctx, 0), "grid");
        assert_null(sl_context_engine(ctx, 1));
        sl_context_free(ctx);
    }
}

static void default_grid(void **unused)
{
    sl_context *ctx;
    sl_grid_info info;
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, 0, 0, SL_ENGINE_AUTO), SL_OK);
    assert_int_equal(sl_grid_describe(&info, ctx), SL_OK);
    assert_int_equal(info.rows * info.cols, world_size());
    assert_int_equal(info.cols, 1); /* the tests have at most 8 ranks: see shape.c */
    sl_context_free(ctx);
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, 0, 1, SL_ENGINE_AUTO), SL_OK);
    assert_int_equal(sl_grid_describe(&info, ctx), SL_OK);
    assert_int_equal(info.rows, world_size());
    sl_context_free(ctx);
}

static void bad_arguments(void **unused)
{
    sl_context *ctx;
    const int n = world_size();
    assert_int_equal(sl_grid_context_create(NULL, MPI_COMM_WORLD, 0, 0, SL_ENGINE_AUTO),
                     SL_INVALID);
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_NULL, 0, 0, SL_ENGINE_AUTO), SL_INVALID);
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, n + 1, 1, SL_ENGINE_AUTO),
                     SL_INVALID);
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, -1, -n, SL_ENGINE_AUTO),
                     SL_INVALID);
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, 1, n, SL_ENGINE_COUNT),
                     SL_INVALID);
    assert_null(ctx);
    sl_grid_info info;
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_SUITESPARSE), SL_OK);
    assert_int_equal(sl_grid_describe(&info, ctx), SL_INVALID);
    assert_int_equal(sl_grid_describe(NULL, ctx), SL_INVALID);
    sl_context_free(ctx);
}

/* What one rank alone says wrong, all ranks hear. */
static void one_rank_is_wrong(void **unused)
{
    sl_context *ctx;
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, 0, 0, SL_ENGINE_SUITESPARSE),
                     SL_OK);
    for (int wrong = 0; wrong < world_size(); wrong++) {
        sl_vector *v;
        sl_type type = world_rank() == wrong ? SL_TYPE_COUNT : SL_INT64;
        assert_int_equal(sl_vector_new(&v, ctx, type, 10), SL_INVALID);
        assert_null(v);
        assert_non_null(strstr(sl_context_message(ctx), "there is no type number"));
        char rank[32];
        snprintf(rank, sizeof rank, "rank %d: ", wrong);
        if (world_size() > 1)
            assert_non_null(strstr(sl_context_message(ctx), rank));
        sl_status status = world_rank() == wrong ? sl_fail(ctx, SL_IO, "no file") : SL_OK;
        assert_int_equal(sl_agree(ctx, status), SL_IO);
        assert_non_null(strstr(sl_context_message(ctx), "no file"));
    }
    assert_int_equal(sl_agree(ctx, SL_OK), SL_OK);
    sl_context_free(ctx);
}

/* The shape is part of what has to be the same everywhere. */
static void ranks_that_differ(void **unused)
{
    sl_context *ctx;
    if (world_size() == 1)
        return;
    int rows = world_rank() == 0 ? 1 : world_size();
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, world_size() / rows,
                                            SL_ENGINE_SUITESPARSE),
                     SL_MISMATCH);
}

/* Two grids at once, over parts of the ranks and over all. */
static void parts_of_the_ranks(void **unused)
{
    MPI_Comm half;
    sl_context *own, *all;
    sl_vector *v, *w;
    sl_grid_info info;
    int even = world_rank() % 2;
    MPI_Comm_split(MPI_COMM_WORLD, even, -world_rank(), &half);
    assert_int_equal(sl_grid_context_create(&own, half, 0, 0, SL_ENGINE_SUITESPARSE), SL_OK);
    assert_int_equal(sl_grid_context_create(&all, MPI_COMM_WORLD, 0, 0, SL_ENGINE_SUITESPARSE),
                     SL_OK);
    MPI_Comm_free(&half); /* it was duplicated */
    assert_int_equal(sl_grid_describe(&info, own), SL_OK);
    assert_int_equal(info.size, (world_size() + !even) / 2);
    assert_ok(own, sl_vector_new(&v, own, SL_INT64, 100));
    assert_ok(all, sl_vector_new(&w, all, SL_INT64, 100));
    assert_ok(own,
              sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_int64(even + 1), SL_ALL, 0, NULL));
    assert_ok(all, sl_vector_assign_scalar(w, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, NULL));
    sl_scalar sum;
    assert_ok(own, sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, v));
    assert_int_equal(sum.as.int64_, 100 * (even + 1));
    assert_ok(all, sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, w));
    assert_int_equal(sum.as.int64_, 100);
    assert_int_equal(sl_vector_ewise_add(v, NULL, NULL, SL_PLUS_INT64, v, w, NULL), SL_MISMATCH);
    sl_vector_free(v);
    sl_vector_free(w);
    sl_context_free(own);
    sl_context_free(all);
}

/* Every entry is at one place of one rank, and back. */
static void check_map(const sl_layout *layout)
{
    uint64_t sum = 0;
    for (int rank = 0; rank < world_size(); rank++) {
        uint64_t nrows, ncols;
        sl_layout_shape(layout, rank, &nrows, &ncols);
        for (uint64_t i = 0; i < nrows; i++)
            for (uint64_t j = 0; j < ncols; j++) {
                uint64_t row, col, local_row, local_col;
                int owner;
                assert_int_equal(sl_layout_to_global(layout, rank, i, j, &row, &col), SL_OK);
                assert_int_equal(sl_layout_owner(layout, row, col), rank);
                assert_int_equal(
                    sl_layout_to_local(layout, row, col, &owner, &local_row, &local_col), SL_OK);
                assert_int_equal(owner, rank);
                assert_int_equal(local_row, i);
                assert_int_equal(local_col, j);
            }
        sum += nrows * ncols;
    }
    assert_int_equal(sum, layout->nrows * layout->ncols);
}

/* What sl_matrix_optimize prepares is told until the matrix is written. */
static void check_numbering(sl_context *ctx)
{
    sl_layout layout;
    sl_matrix *A;
    uint64_t row[40], col[40];
    for (uint64_t k = 0; k < 40; k++) {
        row[k] = k < 20 ? 0 : k;
        col[k] = k < 20 ? k + 20 : 0;
    }
    assert_ok(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 100, 100));
    assert_ok(ctx, sl_matrix_build(A, row, col, NULL, world_rank() == 0 ? 40 : 0, NULL));
    assert_int_equal(sl_matrix_layout(&layout, A), SL_OK);
    assert_int_equal(layout.numbering, SL_NUMBERED_AS_IS);
    assert_int_equal(layout.searched, 100);
    assert_ok(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    assert_int_equal(sl_matrix_layout(&layout, A), SL_OK);
    assert_int_equal(layout.numbering, SL_NUMBERED_BY_DEGREE);
    assert_int_equal(layout.searched, 21);
    assert_ok(ctx, sl_matrix_set(A, 3, 5, sl_scalar_bool(true)));
    assert_int_equal(sl_matrix_layout(&layout, A), SL_OK);
    assert_int_equal(layout.numbering, SL_NUMBERED_AS_IS);
    setenv("SEMLA_DIST", "noorder", 1);
    assert_ok(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    unsetenv("SEMLA_DIST");
    assert_int_equal(sl_matrix_layout(&layout, A), SL_OK);
    assert_int_equal(layout.numbering, SL_NUMBERED_AS_IS);
    assert_int_equal(layout.searched, 23);
    sl_matrix_free(A);
}

/* Layouts tell owners, and ranges that together are everything. */
static void layouts(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        sl_vector *v;
        sl_matrix *A;
        sl_layout layout;
        assert_int_equal(
            sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE), SL_OK);
        assert_ok(ctx, sl_vector_new(&v, ctx, SL_FP64, 1001));
        assert_int_equal(sl_vector_layout(&layout, v), SL_OK);
        uint64_t total = 0;
        for (int rank = 0; rank < world_size(); rank++) {
            uint64_t begin, count;
            sl_layout_range(&layout, rank, &begin, &count);
            for (uint64_t i = begin; i < begin + count; i++)
                assert_int_equal(sl_layout_owner(&layout, i, 0), rank);
            total += count;
        }
        assert_int_equal(total, 1001);
        assert_int_equal(sl_layout_owner(&layout, 1001, 0), -1);
        assert_ok(ctx, sl_matrix_new(&A, ctx, SL_FP64, 30, 70));
        assert_int_equal(sl_matrix_layout(&layout, A), SL_OK);
        for (uint64_t i = 0; i < 30; i++)
            for (uint64_t j = 0; j < 70; j++) {
                int owner = sl_layout_owner(&layout, i, j);
                assert_true(owner >= 0 && owner < world_size());
            }
        assert_int_equal(sl_layout_owner(&layout, 0, 70), -1);
        assert_int_equal(layout.grid_rows, rows);
        assert_int_equal(layout.grid_cols, cols);
        check_map(&layout);
        assert_int_equal(sl_vector_layout(&layout, v), SL_OK);
        check_map(&layout);
        check_numbering(ctx);
        sl_matrix_free(A);
        sl_vector_free(v);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_grid),         cmocka_unit_test(default_grid),
        cmocka_unit_test(bad_arguments),      cmocka_unit_test(one_rank_is_wrong),
        cmocka_unit_test(ranks_that_differ),  cmocka_unit_test(layouts),
        cmocka_unit_test(parts_of_the_ranks),
    };
    return run_ranks("context", tests, sizeof tests / sizeof *tests);
}
