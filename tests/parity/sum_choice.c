/*
 * The GPU's choice of sums over tiles for products of a matrix and a full vector over plus: on large matrices, after
 * writes, and without memory. Skipped without a GPU.
 */
#define _POSIX_C_SOURCE 200112L
#include "sum_products.h"
#include "try.h"

/* ---- the engine's choice ----------------------------------------------------------------------- */

static uint64_t device_bytes(const sl_matrix *A)
{
    sl_placement placement;
    OK(engine, sl_matrix_placement(&placement, A));
    return placement.device_bytes;
}

static void test_choice(void **unused)
{
    if (!counts_tiles())
        return;
    const product wanted = {.ring = SL_PLUS_SECOND_FP64, .type = SL_FP64, .full = true, .times = 3};
    tuples hubs = {.nrows = 40000, .ncols = 60000}, even = {.nrows = 1 << 17, .ncols = 1 << 18},
           small = {.nrows = 4000, .ncols = 6000};
    add_random(&hubs, 1200000, true, 6);
    for (uint64_t k = 0; k < 8 * even.nrows; k++) /* a row's columns are in different tiles */
        add(&even, k / 8, (k / 8 + (k % 8 << 15)) % even.ncols);
    add_random(&small, 100000, true, 8);
    sl_matrix *A = matrix_of(engine, &hubs), *right = matrix_of(host, &hubs);
    over_tiles = 0;
    setenv("SEMLA_TRAVERSAL", "notiles", 1);
    product twice = wanted;
    twice.times = 2;
    compare("without tiles", A, right, &twice);
    assert_int_equal(over_tiles, 0);
    unsetenv("SEMLA_TRAVERSAL");
    const uint64_t before = device_bytes(A);
    compare("with tiles from the second product on", A, right, &wanted);
    assert_int_equal(over_tiles, 2);
    const uint64_t with_tiles = device_bytes(A);
    assert_true(with_tiles > before + hubs.count);
    product onto = wanted;
    onto.accumulates = true;
    onto.times = 1;
    compare("onto a vector", A, right, &onto);
    assert_int_equal(over_tiles, 3);
    /* a matrix that is written is put in order again */
    OK(engine, sl_matrix_set(A, 5, 17, sl_scalar_bool(true)));
    OK(host, sl_matrix_set(right, 5, 17, sl_scalar_bool(true)));
    OK(engine, sl_matrix_remove(A, hubs.row[0], hubs.col[0]));
    OK(host, sl_matrix_remove(right, hubs.row[0], hubs.col[0]));
    over_tiles = 0;
    compare("after a write", A, right, &twice);
    assert_int_equal(over_tiles, 1);
    sl_matrix_free(A);
    sl_matrix_free(right);
    hubs.type = SL_FP32;
    A = matrix_of(engine, &hubs);
    right = matrix_of(host, &hubs);
    over_tiles = 0;
    compare("with values from the second product on", A, right,
            &(product){.ring = SL_PLUS_TIMES_FP32, .type = SL_FP32, .full = true, .times = 2});
    assert_int_equal(over_tiles, 1);
    sl_matrix_free(A);
    sl_matrix_free(right);
    free_tuples(&hubs);

    tuples *const others[] = {&even, &small};
    for (int k = 0; k < 2; k++) {
        A = matrix_of(engine, others[k]);
        right = matrix_of(host, others[k]);
        over_tiles = 0;
        compare("tiles that do not pay", A, right, &wanted);
        assert_int_equal(over_tiles, 0);
        sl_matrix_free(A);
        sl_matrix_free(right);
        free_tuples(others[k]);
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

/* A sum over tiles of a new matrix, with the values of t->type if it is fp64. */
static sl_status sum_once(void *of)
{
    const tuples *t = of;
    static const double values[500];
    const bool valued = t->type == SL_FP64;
    sl_matrix *A = NULL;
    sl_vector *u = NULL, *w = NULL;
    sl_status status;
    TRY_OR_OUT(sl_matrix_new(&A, engine, t->type, t->nrows, t->ncols));
    TRY_OR_OUT(sl_matrix_build(A, t->row, t->col, valued ? values : NULL, t->count,
                               valued ? SL_MAX_FP64 : SL_LOR_BOOL));
    TRY_OR_OUT(sl_vector_new(&u, engine, SL_FP64, t->ncols));
    TRY_OR_OUT(sl_vector_new(&w, engine, SL_FP64, t->nrows));
    TRY_OR_OUT(sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_fp64(2), SL_ALL, 0, NULL));
    TRY_OR_OUT(
        sl_mxv(w, NULL, NULL, valued ? SL_PLUS_TIMES_FP64 : SL_PLUS_SECOND_FP64, A, u, NULL));
    assert_true(engine->library && strcmp(engine->library, "tiles") == 0);
out:
    sl_matrix_free(A);
    sl_vector_free(u);
    sl_vector_free(w);
    return status;
}

/* Tiles that exist are not used while there is no memory for the sums of their chunks. */
static void check_room(bool prepared)
{
    const product wanted = {.ring = SL_PLUS_SECOND_FP64, .type = SL_FP64, .full = true, .times = 1};
    tuples t = {.nrows = 400, .ncols = 400, .symmetric = true};
    add_random(&t, 5000, true, 12);
    for (uint64_t k = 0; k < 5000; k++)
        add(&t, t.col[k], t.row[k]);
    sl_matrix *A = matrix_of(engine, &t), *right = matrix_of(host, &t);
    if (prepared)
        OK(engine, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    for (unsigned k = 0; k < 3; k++) {
        over_tiles = 0;
        setenv("SEMLA_CUDA_MEMORY", k == 1 ? "1" : "", 1);
        compare(prepared ? "little memory, prepared" : "little memory", A, right, &wanted);
        assert_int_equal(over_tiles, k != 1);
    }
    unsetenv("SEMLA_CUDA_MEMORY");
    sl_matrix_free(A);
    sl_matrix_free(right);
    free_tuples(&t);
}

static void test_room(void **unused)
{
    if (!counts_tiles())
        return;
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    check_room(false);
    check_room(true);
    unsetenv("SEMLA_TRAVERSAL");
}

static void test_memory(void **unused)
{
    if (!counts_tiles())
        return;
    tuples t = {.nrows = 30, .ncols = 40};
    add_random(&t, 500, true, 9);
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    for (int valued = 0; valued < 2; valued++) {
        t.type = valued ? SL_FP64 : SL_BOOL;
        OK(engine, sum_once(&t)); /* allocates what the process keeps */
        assert_true(allocator_fail_each(sum_once, &t) > 40);
    }
    unsetenv("SEMLA_TRAVERSAL");
    free_tuples(&t);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_memory),
    };
    return compare_engines(tests, sizeof tests / sizeof *tests, false);
}
