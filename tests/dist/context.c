/* Contexts on a grid of ranks: shapes, owners of entries, agreement on errors. */
#include <unistd.h>

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
        assert_string_equal(sl_context_engine(ctx, 1), "suitesparse");
        assert_null(sl_context_engine(ctx, 2));
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
    assert_int_equal(info.cols, 1); /* the tests have at most 8 ranks; see shape.c */
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

/* An invalid argument on one rank is an error on all. */
static void invalid_argument_on_one_rank(void **unused)
{
    sl_context *ctx;
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, 0, 0, SL_ENGINE_SUITESPARSE),
                     SL_OK);
    for (int wrong = 0; wrong < world_size(); wrong++) {
        sl_vector *v;
        sl_type type = world_rank() == wrong ? SL_TYPE_COUNT : SL_INT64;
        assert_int_equal(sl_vector_new(&v, ctx, type, 10), SL_INVALID);
        assert_null(v);
        assert_non_null(strstr(sl_context_message(ctx), "unknown type"));
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

/* Ranks that call an operation with different shapes. */
static void ranks_pass_different_shapes(void **unused)
{
    sl_context *ctx;
    if (world_size() == 1)
        return;
    int rows = world_rank() == 0 ? 1 : world_size();
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, world_size() / rows,
                                            SL_ENGINE_SUITESPARSE),
                     SL_MISMATCH);
}

/* Two grids at once: on part of the ranks and on all. */
static void grids_on_parts_of_the_ranks(void **unused)
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
    MPI_Comm_free(&half); /* the context has a duplicate */
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

/* Each position of a matrix has one owner: in the grid column of its row and in the grid row of its
 * column. */
static void check_matrix_owners(sl_context *ctx, const sl_grid_info *grid)
{
    enum { ROWS = 30, COLS = 70 };
    sl_matrix *A;
    int rank, column_of_row[ROWS], row_of_column[COLS];
    assert_ok(ctx, sl_matrix_new(&A, ctx, SL_FP64, ROWS, COLS));
    for (uint64_t i = 0; i < ROWS; i++)
        for (uint64_t j = 0; j < COLS; j++) {
            assert_int_equal(sl_grid_matrix_owner(&rank, A, i, j), SL_OK);
            assert_true(rank >= 0 && rank < grid->size);
            if (j == 0)
                column_of_row[i] = rank % grid->cols;
            if (i == 0)
                row_of_column[j] = rank / grid->cols;
            assert_int_equal(rank % grid->cols, column_of_row[i]);
            assert_int_equal(rank / grid->cols, row_of_column[j]);
        }
    for (uint64_t i = 1; i < ROWS; i++)
        assert_true(column_of_row[i - 1] <= column_of_row[i]);
    rank = -7;
    assert_int_equal(sl_grid_matrix_owner(&rank, A, 0, COLS), SL_OUT_OF_RANGE);
    assert_int_equal(sl_grid_matrix_owner(&rank, A, ROWS, 0), SL_OUT_OF_RANGE);
    assert_int_equal(sl_grid_matrix_owner(&rank, NULL, 0, 0), SL_INVALID);
    assert_int_equal(sl_grid_matrix_owner(NULL, A, 0, 0), SL_INVALID);
    assert_int_equal(rank, -7);
    sl_matrix_free(A);
}

/* The ranges of all ranks together are all indices; each index is in the range of its owner. */
static void check_vector_owners(sl_context *ctx, uint64_t size)
{
    sl_vector *v;
    uint64_t total = 0, begin, end;
    int rank;
    assert_ok(ctx, sl_vector_new(&v, ctx, SL_FP64, size));
    for (int r = 0; r < world_size(); r++) {
        assert_int_equal(sl_grid_vector_range(&begin, &end, v, r), SL_OK);
        for (uint64_t i = begin; i < end; i++) {
            assert_int_equal(sl_grid_vector_owner(&rank, v, i), SL_OK);
            assert_int_equal(rank, r);
        }
        total += end - begin;
    }
    assert_int_equal(total, size);
    assert_int_equal(sl_grid_vector_owner(&rank, v, size), SL_OUT_OF_RANGE);
    assert_int_equal(sl_grid_vector_range(&begin, &end, v, world_size()), SL_OUT_OF_RANGE);
    assert_int_equal(sl_grid_vector_range(&begin, &end, v, -1), SL_OUT_OF_RANGE);
    assert_int_equal(sl_grid_vector_range(&begin, NULL, v, 0), SL_INVALID);
    assert_int_equal(sl_grid_vector_range(NULL, &end, v, 0), SL_INVALID);
    sl_vector_free(v);
}

/* A rank extracts the entries that it owns, and all of them together. */
static void check_owners_of_entries(sl_context *ctx)
{
    sl_vector *v;
    uint64_t index[64], count = 64, all = 0;
    assert_ok(ctx, sl_vector_new(&v, ctx, SL_INT64, 64));
    assert_ok(ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, NULL));
    assert_ok(ctx, sl_vector_extract_tuples(index, NULL, &count, v));
    for (uint64_t k = 0; k < count; k++) {
        int rank;
        assert_int_equal(sl_grid_vector_owner(&rank, v, index[k]), SL_OK);
        assert_int_equal(rank, world_rank());
    }
    MPI_Allreduce(&count, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    assert_int_equal(all, 64);
    sl_vector_free(v);
}

static void owners_and_ranges(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        sl_grid_info info;
        assert_int_equal(
            sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE), SL_OK);
        assert_int_equal(sl_grid_describe(&info, ctx), SL_OK);
        check_matrix_owners(ctx, &info);
        check_vector_owners(ctx, 1001);
        check_vector_owners(ctx, 3);
        check_owners_of_entries(ctx);
        sl_context_free(ctx);
    }
}

/* A context of one process has no grid. */
static void functions_without_a_grid(void **unused)
{
    sl_context *ctx;
    sl_vector *v;
    sl_matrix *A;
    uint64_t begin, end;
    int rank;
    sl_arrays arrays = {.values = &rank};
    sl_grid_info info = {.size = 1};
    sl_grid_traffic traffic = {.bytes = 1};
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_SUITESPARSE), SL_OK);
    assert_ok(ctx, sl_vector_new(&v, ctx, SL_FP64, 5));
    assert_ok(ctx, sl_matrix_new(&A, ctx, SL_FP64, 5, 5));
    assert_int_equal(sl_grid_vector_owner(&rank, v, 0), SL_INVALID);
    assert_int_equal(sl_grid_matrix_owner(&rank, A, 0, 0), SL_INVALID);
    assert_int_equal(sl_grid_vector_range(&begin, &end, v, 0), SL_INVALID);
    assert_non_null(strstr(sl_context_message(ctx), "no grid"));
    assert_int_equal(sl_grid_vector_range(&begin, &end, NULL, 0), SL_INVALID);
    assert_int_equal(sl_grid_gather_matrix(&arrays, A, 0), SL_INVALID);
    assert_int_equal(sl_grid_gather_vector(&arrays, v, 0), SL_INVALID);
    assert_null(arrays.values);
    assert_int_equal(sl_grid_describe(&info, ctx), SL_INVALID);
    assert_int_equal(info.size, 0);
    assert_int_equal(sl_grid_get_traffic(&traffic, ctx, 0), SL_INVALID);
    assert_int_equal(traffic.bytes, 0);
    assert_int_equal(sl_grid_reset_traffic(ctx), SL_INVALID);
    sl_matrix_free(A);
    sl_vector_free(v);
    sl_context_free(ctx);
}

/* Searches reject unknown words of SEMLA_TRAVERSAL and SEMLA_DIST, like the other engines. */
static void mpi_is_described(void **unused)
{
    sl_mpi_info info;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(library, &length);
    assert_int_equal(sl_mpi_describe(NULL), SL_INVALID);
    assert_int_equal(sl_mpi_describe(&info), SL_OK);
    assert_true(info.present && strlen(info.library) > 4);
    assert_memory_equal(info.library, library, strlen(info.library));
    assert_null(info.unavailable_reason);
}

static void unknown_words_of_the_environment(void **unused)
{
    static const char *const variables[] = {"SEMLA_TRAVERSAL", "SEMLA_DIST"};
    sl_context *ctx;
    sl_matrix *A;
    sl_vector *pi, *q;
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, 0, 0, SL_ENGINE_SUITESPARSE),
                     SL_OK);
    assert_ok(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 9, 9));
    assert_ok(ctx, sl_matrix_set(A, 1, 2, sl_scalar_bool(true)));
    assert_ok(ctx, sl_vector_new(&pi, ctx, SL_INT64, 9));
    assert_ok(ctx, sl_vector_new(&q, ctx, SL_INT64, 9));
    assert_ok(ctx, sl_vector_set(pi, 1, sl_scalar_int64(1)));
    assert_ok(ctx, sl_vector_set(q, 1, sl_scalar_int64(1)));
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++) {
        setenv(variables[k], "bogus", 1);
        assert_int_equal(sl_closure(pi, q, A, SL_ANY_SECONDI_INT64, NULL), SL_INVALID);
        assert_non_null(strstr(sl_context_message(ctx), "bogus"));
        assert_int_equal(sl_matrix_optimize(A, SL_FOR_TRAVERSAL), SL_INVALID);
        unsetenv(variables[k]);
    }
    /* also closures that are no searches, and words that differ between ranks */
    setenv("SEMLA_TRAVERSAL", "bogus", 1);
    assert_int_equal(sl_closure(pi, q, A, SL_MIN_PLUS_INT64, NULL), SL_INVALID);
    if (world_rank() == 0)
        unsetenv("SEMLA_TRAVERSAL");
    else
        setenv("SEMLA_TRAVERSAL", "nodelta", 1);
    assert_int_equal(sl_closure(pi, q, A, SL_MIN_PLUS_INT64, NULL),
                     world_size() > 1 ? SL_MISMATCH : SL_OK);
    if (world_size() > 1)
        assert_non_null(strstr(sl_context_message(ctx), "argument SEMLA_TRAVERSAL is 'nodelta'"));
    setenv("SEMLA_TRAVERSAL", "nopruning,alpha=10", 1);
    assert_ok(ctx, sl_closure(pi, q, A, SL_ANY_SECONDI_INT64, NULL));
    unsetenv("SEMLA_TRAVERSAL");
    sl_grid_info info;
    assert_int_equal(sl_grid_describe(&info, ctx), SL_OK);
    assert_string_equal(info.transport, "processors"); /* the ranks have no GPU engine */
    sl_vector_free(pi);
    sl_vector_free(q);
    sl_matrix_free(A);
    sl_context_free(ctx);
}

static unsigned observed_fallbacks;

static void observe(void *unused, const sl_operation_record *record)
{
    assert_int_equal(record->fell_back, *record->reason != '\0');
    observed_fallbacks += record->fell_back;
}

/* The product of a vector and a matrix. *shown: the line of the operation on the grid in the trace. */
static sl_context_counts counts_of_product(sl_engine_choice choice, char *shown, size_t size)
{
    sl_context *ctx;
    sl_matrix *A;
    sl_vector *v;
    sl_context_counts before, after;
    const uint64_t row[] = {0, 1, 2}, col[] = {1, 2, 0};
    const uint64_t count = world_rank() == 0 ? 3 : 0;
    setenv("SEMLA_TRACE", "dispatch", 1);
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, 0, 0, choice), SL_OK);
    unsetenv("SEMLA_TRACE");
    assert_ok(ctx, sl_matrix_new(&A, ctx, SL_INT64, 3, 3));
    assert_ok(ctx, sl_matrix_build(A, row, col, NULL, count, NULL));
    assert_ok(ctx, sl_vector_new(&v, ctx, SL_INT64, 3));
    assert_ok(ctx, sl_vector_build(v, row, NULL, count, NULL));
    sl_context_get_counts(ctx, &before);
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    const int saved = dup(STDERR_FILENO);
    assert_true(saved >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    observed_fallbacks = 0;
    sl_context_set_observer(ctx, observe, NULL);
    const sl_status status = sl_vxm(v, NULL, NULL, SL_PLUS_MIN_INT64, v, A, NULL);
    sl_context_set_observer(ctx, NULL, NULL);
    fflush(stderr);
    assert_true(dup2(saved, STDERR_FILENO) >= 0);
    close(saved);
    assert_ok(ctx, status);
    sl_context_get_counts(ctx, &after);
    rewind(file);
    *shown = '\0';
    for (char line[512]; fgets(line, sizeof line, file);)
        if (strstr(line, ": grid,"))
            snprintf(shown, size, "%s", line);
    fclose(file);
    sl_matrix_free(A);
    sl_vector_free(v);
    sl_context_free(ctx);
    after.operations -= before.operations;
    after.fallbacks -= before.fallbacks;
    return after;
}

/* Operations of the ranks' engines are counted and traced by the grid's context. */
static void local_fallbacks(void **unused)
{
    char shown[512], expected[64];
    sl_context_counts counts = counts_of_product(SL_ENGINE_SUITESPARSE, shown, sizeof shown);
    assert_int_equal(counts.operations, 1);
    assert_int_equal(counts.fallbacks, 0);
    assert_int_equal(observed_fallbacks, 0);
    assert_non_null(strstr(shown, "local operations, of which 0 fell back"));
    snprintf(expected, sizeof expected, "; on rank %d ", world_rank());
    assert_non_null(strstr(shown, expected));

    /* OpenMP has no plus_min: SuiteSparse multiplies. */
    counts = counts_of_product(SL_ENGINE_OPENMP, shown, sizeof shown);
    assert_int_equal(counts.operations, 1);
    assert_int_equal(counts.fallbacks, 1);
    assert_int_equal(observed_fallbacks, 1);
    assert_non_null(strstr(shown, "local operations, of which "));
    assert_null(strstr(shown, "of which 0 fell back"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_without_a_grid), /* before the module for MPI is loaded */
        cmocka_unit_test(mpi_is_described),
        cmocka_unit_test(every_grid),
        cmocka_unit_test(default_grid),
        cmocka_unit_test(local_fallbacks),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(invalid_argument_on_one_rank),
        cmocka_unit_test(ranks_pass_different_shapes),
        cmocka_unit_test(owners_and_ranges),
        cmocka_unit_test(functions_without_a_grid),
        cmocka_unit_test(unknown_words_of_the_environment),
        cmocka_unit_test(grids_on_parts_of_the_ranks),
    };
    return run_ranks("context", tests, sizeof tests / sizeof *tests);
}
