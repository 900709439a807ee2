/*
 * Products of a vector and a matrix on every grid of the ranks, under every mask and descriptor,
 * compared with SuiteSparse in one process; and what ranks receive for them.
 */
#include "product_cases.h"
#include "ranks.h"

#include "exchanges.h"

/* The entries on rank 0. */
static sl_status fetch(sl_arrays *list, const sl_vector *v)
{
    return sl_grid_gather_vector(list, v, 0);
}

static void products_on_every_grid(void **unused)
{
    sl_context *host;
    assert_ok(NULL, sl_context_create(&host, SL_ENGINE_SUITESPARSE));
    for (int rows = 0, cols, grid = 0; next_grid(&rows, &cols); grid++) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols,
                                               grid % 2 ? SL_ENGINE_SUITESPARSE : SL_ENGINE_AUTO));
        check_products(&(product_test){.tested = ctx,
                                       .host = host,
                                       .rank = world_rank(),
                                       .fetch = fetch,
                                       .checks = world_rank() == 0,
                                       .every = 97});
        sl_context_free(ctx);
    }
    sl_context_free(host);
}

/* What this rank received in a phase, in all encodings or in one. */
static uint64_t received(const sl_context *ctx, const char *phase, const char *codec)
{
    sl_grid_traffic t;
    uint64_t bytes = 0;
    for (size_t k = 0; sl_grid_get_traffic(&t, ctx, k) == SL_OK; k++)
        if (strcmp(t.phase, phase) == 0 && (!codec || strcmp(t.codec, codec) == 0))
            bytes += t.bytes;
    return bytes;
}

static uint64_t most(uint64_t mine)
{
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return mine;
}

enum { SIDE = 1 << 14 };

/* A vector with every `step`-th entry. */
static sl_vector *every(sl_context *ctx, sl_type type, uint64_t step)
{
    sl_vector *v;
    uint64_t *index = malloc(SIDE * sizeof *index), count = 0;
    for (uint64_t k = 0; world_rank() == 0 && k < SIDE; k += step)
        index[count++] = k;
    assert_ok(ctx, sl_vector_new(&v, ctx, type, SIDE));
    assert_ok(ctx, sl_vector_build(v, index, NULL, count, NULL));
    free(index);
    return v;
}

/* Vectors travel as bitmaps, lists or differences, values as they are; a mask travels only if the
 * product is large enough. */
static void vectors_travel_encoded(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        sl_matrix *A;
        sl_vector *w;
        assert_ok(NULL,
                  sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE));
        const sl_generator model = {
            .model = SL_MODEL_UNIFORM, .vertices = SIDE, .edges = 8 * SIDE, .seed = 1};
        assert_ok(ctx, sl_matrix_generate(&A, ctx, &model, NULL));
        assert_ok(ctx, sl_vector_new(&w, ctx, SL_BOOL, SIDE));
        sl_vector *full = every(ctx, SL_BOOL, 1), *half = every(ctx, SL_BOOL, 2),
                  *few = every(ctx, SL_BOOL, 4096), *none = every(ctx, SL_BOOL, 1 << 20);
        const sl_descriptor under = sl_descriptor_get(SL_STRUCTURE | SL_REPLACE),
                            not_under =
                                sl_descriptor_get(SL_STRUCTURE | SL_REPLACE | SL_COMPLEMENT);
        const uint64_t bitmap = SIDE / 8 / (uint64_t)world_size() + 64, expand = (uint64_t)rows - 1,
                       fold = (uint64_t)cols - 1;

        assert_ok(ctx, sl_grid_reset_traffic(ctx));
        assert_ok(ctx, sl_vxm(w, NULL, NULL, SL_ANY_PAIR_BOOL, full, A, NULL));
        assert_true(received(ctx, "operand", NULL) <= expand * bitmap);
        assert_true(received(ctx, "result", NULL) <= fold * bitmap);
        assert_int_equal(received(ctx, "operand", "values"), 0);
        assert_int_equal(received(ctx, "mask", NULL), 0);
        assert_true(most(received(ctx, "operand", "bitmap")) > 0 || rows == 1);

        /* A mask of half of the indices. */
        assert_ok(ctx, sl_grid_reset_traffic(ctx));
        assert_ok(ctx, sl_vxm(w, half, NULL, SL_ANY_PAIR_BOOL, full, A, not_under));
        assert_true(most(received(ctx, "mask", NULL)) > 0 || cols == 1);
        assert_true(received(ctx, "mask", NULL) <= fold * bitmap);

        /* Under a mask that allows nothing nothing travels, and there is no result. */
        uint64_t count;
        assert_ok(ctx, sl_grid_reset_traffic(ctx));
        assert_ok(ctx, sl_vxm(w, full, NULL, SL_ANY_PAIR_BOOL, full, A, not_under));
        assert_int_equal(received(ctx, "operand", NULL), 0);
        assert_int_equal(received(ctx, "mask", NULL), 0);
        assert_int_equal(received(ctx, "result", NULL), 0);
        assert_ok(ctx, sl_vector_nvals(&count, w));
        assert_int_equal(count, 0);

        /* Few products: the mask stays where it is. */
        assert_ok(ctx, sl_grid_reset_traffic(ctx));
        assert_ok(ctx, sl_vxm(w, full, NULL, SL_ANY_PAIR_BOOL, few, A, under));
        assert_int_equal(received(ctx, "mask", NULL), 0);
        assert_true(received(ctx, "operand", NULL) <= expand * 64);
        assert_ok(ctx, sl_vector_nvals(&count, w));
        assert_true(count > 0);

        /* Nothing travels but heads of messages. */
        assert_ok(ctx, sl_grid_reset_traffic(ctx));
        assert_ok(ctx, sl_vxm(w, NULL, NULL, SL_ANY_PAIR_BOOL, none, A, NULL));
        assert_true(received(ctx, "operand", NULL) <= expand * 16);

        sl_vector_free(full);
        sl_vector_free(half);
        sl_vector_free(few);
        sl_vector_free(none);
        sl_vector_free(w);
        sl_matrix_free(A);
        sl_context_free(ctx);
    }
}

/* The second level of a search: the first one makes room for messages. */
static void a_level_needs_few_exchanges(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        sl_matrix *A;
        sl_vector *level;
        assert_ok(NULL,
                  sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE));
        const sl_generator model = {
            .model = SL_MODEL_UNIFORM, .vertices = SIDE, .edges = 8 * SIDE, .seed = 1};
        assert_ok(ctx, sl_matrix_generate(&A, ctx, &model, NULL));
        assert_ok(ctx, sl_vector_new(&level, ctx, SL_INT64, SIDE));
        sl_vector *q = every(ctx, SL_BOOL, 64);
        assert_ok(ctx, sl_vxm(q, level, NULL, SL_ANY_PAIR_BOOL, q, A,
                              sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT)));
        assert_exchanges_of_level(level, q, A, rows, cols, false);
        sl_vector_free(level);
        sl_vector_free(q);
        sl_matrix_free(A);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_on_every_grid),
                                       cmocka_unit_test(vectors_travel_encoded),
                                       cmocka_unit_test(a_level_needs_few_exchanges)};
    return run_ranks("products", tests, sizeof tests / sizeof *tests);
}
