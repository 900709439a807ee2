/* Generated graphs, files and the benchmark on grids: the graph is the same on every grid. */
#include "ranks.h"
#include "same.h"

#include <unistd.h>

static const sl_generator models[] = {
    {.model = SL_MODEL_KRONECKER, .seed = 3, .scale = 7},
    {.model = SL_MODEL_KRONECKER, .seed = 4, .scale = 3, .edge_factor = 0.3},
    {.model = SL_MODEL_UNIFORM, .seed = 5, .vertices = 100, .edges = 700},
    {.model = SL_MODEL_KRONECKER, .seed = 3, .scale = 6, .weighted = true},
    {.model = SL_MODEL_KRONECKER, .seed = 3, .scale = 6, .a = .3, .b = .3, .c = .2},
    {.model = SL_MODEL_UNIFORM,
     .vertices = 40,
     .edges = 300,
     .weighted = true,
     .integer_weights = true,
     .least_weight = -9,
     .greatest_weight = 9},
    {.model = SL_MODEL_GRID, .side = {7, 5}, .weighted = true, .greatest_weight = 3},
    {.model = SL_MODEL_ROAD,
     .side = {50, 40},
     .weighted = true,
     .integer_weights = true,
     .least_weight = 1,
     .greatest_weight = 255},
    {.model = SL_MODEL_UNIFORM, .vertices = 3, .edges = 0},
    {.model = SL_MODEL_PATH, .vertices = 50},
    {.model = SL_MODEL_PATH, .vertices = 1},
    {.model = SL_MODEL_STAR, .vertices = 33},
    {.model = SL_MODEL_COMPLETE, .vertices = 19},
    {.model = SL_MODEL_GRID, .side = {7, 9}},
    {.model = SL_MODEL_GRID, .side = {3, 4, 5}},
    {.model = SL_MODEL_GRID, .side = {1, 1}},
    {.model = SL_MODEL_ROAD, .seed = 6, .side = {150, 130}},
};
enum { MODELS = sizeof models / sizeof *models };

static const sl_read_options readings[] = {
    {0},
    {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS},
    {.flags = SL_READ_TRANSPOSED, .duplicates = SL_DUPLICATES_SUM},
};
enum { READINGS = sizeof readings / sizeof *readings };

static void test_models(void **state)
{
    (void)state;
    sl_context *one;
    assert_ok(NULL, sl_context_create(&one, SL_ENGINE_SUITESPARSE));
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL,
                  sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE));
        for (int m = 0; m < MODELS; m++)
            for (int r = 0; r < READINGS; r++) {
                sl_edges part, all;
                sl_matrix *A, *right;
                assert_ok(ctx, sl_generate(&part, ctx, &models[m]));
                assert_ok(one, sl_generate(&all, one, &models[m]));
                assert_in_range(part.count, all.count / (uint64_t)world_size(),
                                all.count / (uint64_t)world_size() + 1);
                assert_ok(ctx, sl_matrix_from_edges(&A, ctx, &part, &readings[r]));
                assert_ok(one, sl_matrix_from_edges(&right, one, &all, &readings[r]));
                assert_same(A, right);
                sl_matrix_free(right);
                sl_matrix_free(A);
                sl_edges_free(&all);
                sl_edges_free(&part);
            }
        sl_context_free(ctx);
    }
    sl_context_free(one);
}

/* Rank 0 writes a file and all ranks read it. */
static void write_file(char *path, size_t room, const char *text)
{
    snprintf(path, room, "/tmp/semla_grid_%d.mtx", (int)getppid());
    MPI_Bcast(path, (int)room, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (world_rank() == 0) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(text, file);
        assert_int_equal(fclose(file), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void remove_file(const char *path)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0)
        remove(path);
}

static const char *const files[] = {
    ("%%MatrixMarket matrix coordinate real general\n4 5 6\n"
     "1 1 0.5\n4 5 2\n2 3 -1\n3 1 7\n1 5 4\n2 2 9\n"),
    "%%MatrixMarket matrix coordinate integer skew-symmetric\n4 4 3\n2 1 5\n4 3 -6\n3 1 2\n",
    "%%MatrixMarket matrix coordinate pattern symmetric\n6 6 4\n2 1\n4 4\n6 3\n5 1\n",
    "%%MatrixMarket matrix coordinate pattern general\n3 3 0\n",
};

static void test_files(void **state)
{
    (void)state;
    sl_context *one;
    assert_ok(NULL, sl_context_create(&one, SL_ENGINE_SUITESPARSE));
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL,
                  sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE));
        for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
            char path[256];
            sl_matrix *A, *right;
            write_file(path, sizeof path, files[f]);
            assert_ok(ctx, sl_matrix_read(&A, ctx, path, 0));
            assert_ok(one, sl_matrix_read(&right, one, path, 0));
            assert_same(A, right);
            sl_matrix_free(right);
            sl_matrix_free(A);
            remove_file(path);
        }
        sl_context_free(ctx);
    }
    sl_context_free(one);
}

/* An invalid file is an error on every rank, and nothing leaks. */
static void test_bad_files(void **state)
{
    (void)state;
    sl_context *ctx;
    char path[256];
    sl_matrix *A;
    assert_ok(NULL,
              sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE));
    assert_int_equal(sl_matrix_read(&A, ctx, "/nowhere/graph.mtx", 0), SL_IO);
    assert_null(A);
    write_file(path, sizeof path, "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n");
    assert_int_equal(sl_matrix_read(&A, ctx, path, 0), SL_OUT_OF_RANGE);
    assert_null(A);
    assert_non_null(strstr(sl_context_message(ctx), ":3:"));
    remove_file(path);
    write_file(path, sizeof path,
               "%%MatrixMarket matrix coordinate real general\n2 2 3\n2 1 1\n1 1 1\n2 1 3\n");
    assert_int_equal(sl_matrix_read_with(&A, NULL, ctx, path,
                                         &(sl_read_options){.duplicates = SL_DUPLICATES_ERROR}),
                     SL_SYNTAX);
    assert_null(A);
    assert_non_null(
        strstr(sl_context_message(ctx), "entry (1, 0), 0-based, occurs more than once"));
    remove_file(path);
    write_file(
        path, sizeof path,
        "%%MatrixMarket matrix coordinate integer general\n2 2 5\n2 1 9223372036854775807\n1 2 "
        "9223372036854775807\n1 1 1\n1 2 0\n2 1 1\n");
    assert_int_equal(sl_matrix_read_with(&A, NULL, ctx, path,
                                         &(sl_read_options){.duplicates = SL_DUPLICATES_SUM}),
                     SL_OUT_OF_RANGE);
    assert_null(A);
    assert_non_null(
        strstr(sl_context_message(ctx), "entry (1, 0), 0-based, has duplicates whose sum"));
    remove_file(path);
    write_file(
        path, sizeof path,
        "%%MatrixMarket matrix coordinate integer general\n2 2 4\n2 1 9223372036854775807\n2 1 "
        "-1\n2 1 1\n1 1 1\n");
    sl_scalar sum;
    assert_ok(ctx, sl_matrix_read_with(&A, NULL, ctx, path,
                                       &(sl_read_options){.duplicates = SL_DUPLICATES_SUM}));
    assert_ok(ctx, sl_matrix_get(&sum, A, 1, 0));
    assert_true(sum.as.int64_ == INT64_MAX);
    sl_matrix_free(A);
    remove_file(path);
    sl_edges edges;
    assert_int_equal(sl_generate(&edges, ctx, &(sl_generator){.model = SL_MODEL_PATH}), SL_INVALID);
    assert_null(edges.row);
    sl_context_free(ctx);
}

/* The roots and components are the same on every grid, and all trees are valid. */
static void test_graph500(void **state)
{
    (void)state;
    sl_context *one;
    sl_graph500_report right, r;
    const sl_graph500_options options = {.scale = 8, .roots = 12, .seed = 2};
    assert_ok(NULL, sl_context_create(&one, SL_ENGINE_SUITESPARSE));
    assert_ok(one, sl_graph500(&right, one, &options));
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL,
                  sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE));
        assert_ok(ctx, sl_graph500(&r, ctx, &options));
        assert_string_equal(r.failure.reason, "");
        assert_int_equal(r.roots, 12);
        assert_int_equal(r.valid, 12);
        assert_int_equal(r.input_edges, right.input_edges);
        assert_memory_equal(&r.edges, &right.edges, sizeof r.edges);
        sl_context_free(ctx);
    }
    sl_context_free(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_graph500),
    };
    return run_ranks("models", tests, sizeof tests / sizeof *tests);
}
