/*
 * A program of the operations that send entries to other ranks, on grids whose ranks have devices, by
 * every transport that is available, compared with SuiteSparse in one process. Its data must not pass
 * through the hosts. Also matrices that devices generated, bytes, and errors. Ranks may share a device.
 */
#include <inttypes.h>

#include "device_moves.h"

sl_context *local;

/* ---- the program ------------------------------------------------------------------------------- */

static void compare_programs(const char *where, const program *got, const program *right)
{
    for (int k = 0; k < VECTORS; k++)
        compare(where, k, false, got->v[k], right->v[k]);
    for (int k = 0; k < MATRICES; k++)
        compare(where, VECTORS + k, true, got->M[k], right->M[k]);
}

static void try_program(sl_context *ctx, const char *where, uint64_t n, const program *right,
                        bool hosts)
{
    program p;
    sl_context_counts before, after;
    open_program(&p, ctx, n);
    place(sl_object_of_vector(p.full));
    place(sl_object_of_vector(p.some));
    place(sl_object_of_vector(p.index));
    place(sl_object_of_matrix(p.A));
    place(sl_object_of_matrix(p.few));
    assert_ok(ctx, sl_grid_reset_traffic(ctx));
    sl_context_get_counts(ctx, &before);
    run_program(&p);
    sl_context_get_counts(ctx, &after);
    check_traffic(where, ctx, hosts, after.bytes_copied - before.bytes_copied);
    assert_int_equal(tuple_bytes(ctx) > 0, world_size() > 1);
    compare_programs(where, &p, right);
    close_program(&p);
}

static void test_program(void **unused)
{
    enum { SIZES = 2 };
    static const uint64_t sizes[SIZES] = {40, 5000};
    program right[SIZES];
    for (size_t s = 0; s < SIZES; s++) {
        open_program(&right[s], local, sizes[s]);
        run_program(&right[s]);
    }
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        for (size_t k = 0; k < TRANSPORTS; k++) {
            char where[64];
            snprintf(where, sizeof where, "grid %dx%d by %s", rows, cols, transports[k].words);
            if (!is_available(ctx, k))
                continue;
            for (size_t s = 0; s < SIZES; s++)
                try_program(ctx, where, sizes[s], &right[s], transports[k].hosts);
        }
        unsetenv("SEMLA_DIST");
        sl_context_free(ctx);
    }
    for (size_t s = 0; s < SIZES; s++)
        close_program(&right[s]);
}

/* ---- generated matrices ------------------------------------------------------------------------- */

/* A matrix that the devices generate, and of which they keep the generator alone if memory is short. */
static void test_generated(void **unused)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 13, .seed = 5};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    const uint64_t n = UINT64_C(1) << model.scale;
    sl_matrix *right, *A, *T;
    sl_edges edges;
    assert_ok(local, sl_generate(&edges, local, &model));
    assert_ok(local, sl_matrix_from_edges(&A, local, &edges, &options));
    sl_edges_free(&edges);
    assert_ok(local, sl_matrix_new(&right, local, SL_INT64, n, n));
    assert_ok(local, sl_transpose(right, NULL, NULL, A, NULL));
    sl_matrix_free(A);
    for (int rows = 0, cols; next_grid(&rows, &cols);)
        for (int little = 0; little < 2; little++) {
            sl_context *ctx;
            assert_ok(NULL,
                      sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
            setenv("SEMLA_CUDA_MEMORY", little ? "1M" : "100G", 1);
            assert_ok(ctx, sl_matrix_generate(&A, ctx, &model, &options));
            unsetenv("SEMLA_CUDA_MEMORY");
            assert_ok(ctx, sl_matrix_new(&T, ctx, SL_INT64, n, n));
            assert_ok(ctx, sl_transpose(T, NULL, NULL, A, NULL));
            compare(little ? "generated, little memory" : "generated", rows, true, T, right);
            sl_matrix_free(A);
            sl_matrix_free(T);
            sl_context_free(ctx);
        }
    sl_matrix_free(right);
}

/* ---- bytes -------------------------------------------------------------------------------------- */

/* The entries of this rank whose mirror entries other ranks own, or the indices whose entries of a vector
 * of as many entries others own. */
static uint64_t count_moving(const sl_matrix *A, const sl_vector *index)
{
    sl_context *ctx = A ? sl_matrix_context(A) : sl_vector_context(index);
    uint64_t count, moving = 0;
    if (A)
        assert_ok(ctx, sl_matrix_nvals(&count, A));
    else
        assert_ok(ctx, sl_vector_nvals(&count, index));
    uint64_t *row = malloc((count + 1) * sizeof *row), *col = malloc((count + 1) * sizeof *col);
    int64_t *value = malloc((count + 1) * sizeof *value);
    if (A)
        assert_ok(ctx, sl_matrix_extract_tuples(row, col, value, &count, A));
    else
        assert_ok(ctx, sl_vector_extract_tuples(row, value, &count, index));
    for (uint64_t k = 0; k < count; k++) {
        int owner;
        if (A)
            assert_ok(ctx, sl_grid_matrix_owner(&owner, A, col[k], row[k]));
        else
            assert_ok(ctx, sl_grid_vector_owner(&owner, index, (uint64_t)value[k]));
        moving += owner != world_rank();
    }
    free(row);
    free(col);
    free(value);
    return sum(moving);
}

/* The tuples received since traffic was reset took so many bytes, and padding to 8 bytes of each array. */
static void check_bytes(const sl_context *ctx, const char *what, uint64_t bytes)
{
    const sl_traffic *t = &sl_grid_of(ctx)->traffic;
    const uint64_t got = tuple_bytes(ctx), messages = sum(t->messages[SL_PHASE_TUPLES]);
    if (got < bytes || got > bytes + 8 * messages)
        fail_msg("%s: %" PRIu64 " bytes in %" PRIu64 " messages, not %" PRIu64, what, got, messages,
                 bytes);
}

/* Indices travel with 32 bits: an int64 entry of a matrix takes 16 bytes and not 24, a request of a
 * gather 8 and not 16, the answer 12 and not 16. */
static void test_bytes(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        program p;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        open_program(&p, ctx, 5000);
        const uint64_t entries = count_moving(p.A, NULL), requests = count_moving(NULL, p.index);
        place(sl_object_of_matrix(p.A));
        place(sl_object_of_vector(p.full));
        place(sl_object_of_vector(p.index));
        assert_ok(ctx, sl_grid_reset_traffic(ctx));
        assert_ok(ctx, sl_transpose(p.M[0], NULL, NULL, p.A, NULL));
        check_bytes(ctx, "transpose", 16 * entries);
        assert_ok(ctx, sl_grid_reset_traffic(ctx));
        assert_ok(ctx, sl_vector_gather(p.v[0], NULL, NULL, p.full, p.index, NULL));
        check_bytes(ctx, "gather", 20 * requests);
        close_program(&p);
        sl_context_free(ctx);
    }
}

/* ---- errors -------------------------------------------------------------------------------------- */

/* An index out of range, and equal indices without an operator, on one rank: all ranks fail alike. */
static void test_errors(void **unused)
{
    enum { SIZE = 100 };
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        sl_vector *u, *index, *w;
        const uint64_t at[] = {1, 99, 1};
        const int64_t value[] = {5, 100, 7};
        const uint64_t passes = world_rank() == 0 ? 2 : 0;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        assert_ok(ctx, sl_vector_new(&u, ctx, SL_INT64, SIZE));
        assert_ok(ctx, sl_vector_new(&index, ctx, SL_INT64, SIZE));
        assert_ok(ctx, sl_vector_new(&w, ctx, SL_INT64, SIZE));
        assert_ok(ctx, sl_vector_build(index, at, value, passes, NULL));
        place(sl_object_of_vector(index));
        assert_int_equal(sl_vector_gather(w, NULL, NULL, u, index, NULL), SL_OUT_OF_RANGE);
        assert_non_null(strstr(sl_context_message(ctx), "index 100 at position 99"));
        assert_int_equal(sl_vector_scatter(w, NULL, NULL, NULL, u, index, NULL), SL_OUT_OF_RANGE);
        assert_int_equal(sl_vector_build(w, at, value, passes + passes / 2, NULL), SL_INVALID);
        assert_non_null(strstr(sl_context_message(ctx), "same index"));
        sl_vector_free(u);
        sl_vector_free(index);
        sl_vector_free(w);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program), cmocka_unit_test(test_generated),
        cmocka_unit_test(test_bytes),   cmocka_unit_test(test_sources),
        cmocka_unit_test(test_errors),
    };
    if (!start_with_gpu())
        return 0;
    if (sl_context_create(&local, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    int failures = run_ranks("device_moves", tests, sizeof tests / sizeof *tests);
    sl_context_free(local);
    return failures;
}
