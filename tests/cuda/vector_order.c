/* When vectors are in the order of a matrix's reordered graph, when they leave it, when the graph is made for
 * products, and that other data of the matrix share the order. Results of such vectors: parity.product_loops. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include <semla/io.h>

#include "cuda/data/device_vector.h"
#include "cuda/paths/lengths.h"
#include "cuda/products/product_tuning.h"
#include "cuda/products/sum_order.h"
#include "cuda/reorder/reordered_graph.h"
#include "support.h"

enum { SCALE = 10, VERTICES = 1 << SCALE };

static sl_context *ctx;
static sl_matrix *A;
static sl_vector *visited, *frontier;

static const cuda_vector *on_device(const sl_vector *v)
{
    return cuda_vector_of(sl_object_of_vector(v));
}

static const cuda_degree_order *order_of_matrix(void)
{
    const cuda_matrix *M = cuda_matrix_of(sl_object_of_matrix(A));
    const cuda_reordered_graph *graph = M ? cuda_reordered_of(M) : NULL;
    return graph ? graph->order : NULL;
}

static void make_graph(void)
{
    const sl_generator kronecker = {
        .model = SL_MODEL_KRONECKER, .seed = 3, .scale = SCALE, .weighted = true};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC, .duplicates = SL_DUPLICATES_MIN};
    sl_edges edges;
    OK(ctx, sl_generate(&edges, ctx, &kronecker));
    OK(ctx, sl_matrix_from_edges(&A, ctx, &edges, &options));
    sl_edges_free(&edges);
}

/* A vertex with edges. */
static uint64_t some_vertex(void)
{
    uint64_t index[VERTICES], count = VERTICES;
    sl_vector *degrees;
    OK(ctx, sl_vector_new(&degrees, ctx, SL_INT64, VERTICES));
    OK(ctx, sl_matrix_reduce_rows(degrees, NULL, NULL, sl_monoid_get(SL_MONOID_PLUS, SL_INT64), A,
                                  NULL));
    OK(ctx, sl_vector_extract_tuples(index, NULL, &count, degrees));
    sl_vector_free(degrees);
    assert_true(count > 0);
    return index[count / 2];
}

static void begin_search(void)
{
    const uint64_t source = some_vertex();
    OK(ctx, sl_vector_new(&visited, ctx, SL_INT64, VERTICES));
    OK(ctx, sl_vector_new(&frontier, ctx, SL_INT64, VERTICES));
    OK(ctx, sl_vector_set(visited, source, sl_scalar_int64((int64_t)source)));
    OK(ctx, sl_vector_set(frontier, source, sl_scalar_int64((int64_t)source)));
}

static void multiply(void)
{
    OK(ctx, sl_vxm(frontier, visited, NULL, SL_ANY_SECONDI_INT64, frontier, A,
                   sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT)));
}

static void end_search(void)
{
    sl_vector_free(visited);
    sl_vector_free(frontier);
}

static void loops_stay_in_the_order(void **state)
{
    uint64_t count, entries = 1;
    (void)state;
    if (!ctx)
        skip();
    make_graph();
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    begin_search();
    for (int level = 0; level < 2; level++) {
        multiply();
        assert_ptr_equal(on_device(frontier)->order, order_of_matrix());
        assert_ptr_equal(on_device(visited)->order, order_of_matrix());
        OK(ctx, sl_vector_nvals(&count, frontier));
        assert_true(count > 0);
        OK(ctx, sl_vector_assign(visited, frontier, NULL, frontier, SL_ALL, 0,
                                 sl_descriptor_get(SL_STRUCTURE)));
        assert_ptr_equal(on_device(visited)->order, order_of_matrix());
        entries += count;
        assert_true(on_device(visited)->nvals == entries); /* known without a count */
    }
    sl_matrix_free(A); /* the vectors keep the order */
    OK(ctx, sl_vector_remove(visited, VERTICES - 1));
    end_search();
}

static void check_ids_of_neighbours(const sl_vector *v)
{
    uint64_t index[VERTICES], count = VERTICES;
    int64_t id[VERTICES];
    OK(ctx, sl_vector_extract_tuples(index, id, &count, v));
    assert_true(count > 0);
    for (uint64_t k = 0; k < count; k++) {
        sl_scalar entry;
        if (id[k] != (int64_t)index[k])
            OK(ctx, sl_matrix_get(&entry, A, (uint64_t)id[k], index[k]));
    }
}

/* The ids that a pull found are written to the vector that they are assigned to, and to their own once that is read. */
static void found_ids_are_written_once_they_are_read(void **state)
{
    sl_scalar value;
    (void)state;
    if (!ctx)
        skip();
    make_graph();
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    for (int reads_first = 0; reads_first < 2; reads_first++) {
        begin_search();
        OK(ctx, sl_vector_assign_scalar(frontier, NULL, NULL, sl_scalar_int64(0), SL_ALL, 0, NULL));
        multiply();
        assert_non_null(on_device(frontier)->found);
        assert_false(cuda_has_values(on_device(frontier)));
        if (reads_first)
            check_ids_of_neighbours(frontier);
        OK(ctx, sl_vector_assign(visited, frontier, NULL, frontier, SL_ALL, 0,
                                 sl_descriptor_get(SL_STRUCTURE)));
        assert_true((on_device(frontier)->found == NULL) == reads_first);
        check_ids_of_neighbours(visited);
        assert_true((on_device(frontier)->found == NULL) == reads_first);
        assert_true(sl_vector_get(&value, frontier, VERTICES - 1) <= SL_NO_VALUE);
        assert_null(on_device(frontier)->found);
        check_ids_of_neighbours(frontier);
        multiply();
        end_search();
    }
    sl_matrix_free(A);
}

static void expect_equal(const sl_vector *v, const sl_vector *wanted)
{
    uint64_t index[2][VERTICES], count[2] = {VERTICES, VERTICES};
    double value[2][VERTICES];
    OK(ctx, sl_vector_extract_tuples(index[0], value[0], &count[0], v));
    OK(ctx, sl_vector_extract_tuples(index[1], value[1], &count[1], wanted));
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(index[0], index[1], count[0] * sizeof *index[0]);
    assert_memory_equal(value[0], value[1], count[0] * sizeof *value[0]);
}

/* The sums of u over the rows of M, and 3 more at every vertex. */
static void sum_neighbours(sl_vector *sums[2], const sl_matrix *M, const sl_vector *u)
{
    for (int k = 0; k < 2; k++)
        OK(ctx, sl_vector_new(&sums[k], ctx, SL_FP64, VERTICES));
    OK(ctx, sl_vector_assign_scalar(sums[1], NULL, NULL, sl_scalar_fp64(3), SL_ALL, 0, NULL));
    OK(ctx, sl_mxv(sums[0], NULL, NULL, SL_PLUS_SECOND_FP64, M, u, NULL));
    OK(ctx, sl_vxm(sums[1], NULL, SL_PLUS_FP64, SL_PLUS_FIRST_FP64, u, M, NULL));
}

/* Sums of a full vector are in the order, with tiles and without, and the same as in the caller's. With tiles a matrix
 * without a reordered graph has an order, too. */
static void sums_stay_in_the_order(void **state)
{
    static const char *const tiles[] = {"tiles", "notiles"};
    sl_matrix *plain;
    sl_vector *u, *work, *sums[2], *wanted[2];
    sl_scalar total, wanted_total;
    (void)state;
    if (!ctx)
        skip();
    for (int t = 0; t < 2; t++) {
        setenv("SEMLA_TRAVERSAL", tiles[t], 1);
        make_graph();
        OK(ctx, sl_matrix_dup(&plain, A));
        OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
        OK(ctx, sl_vector_new(&u, ctx, SL_FP64, VERTICES));
        OK(ctx, sl_vector_new(&work, ctx, SL_FP64, VERTICES));
        OK(ctx, sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
        OK(ctx, sl_vector_apply_index(u, NULL, SL_PLUS_FP64, SL_ROWINDEX_INT64, u,
                                      sl_scalar_int64(0), NULL));
        sum_neighbours(wanted, plain, u);
        assert_null(on_device(wanted[0])->order); /* of the second, once there are tiles */
        assert_true((on_device(wanted[1])->order != NULL) == (t == 0));
        sum_neighbours(sums, A, u);
        for (int k = 0; k < 2; k++)
            assert_ptr_equal(on_device(sums[k])->order, order_of_matrix());
        OK(ctx, sl_vector_reduce_pair(&total, NULL, SL_PLUS_MONOID_FP64, NULL, SL_MINUS_FP64,
                                      sums[1], sums[0]));
        OK(ctx, sl_vector_reduce_pair(&wanted_total, NULL, SL_PLUS_MONOID_FP64, NULL, SL_MINUS_FP64,
                                      wanted[1], wanted[0]));
        assert_true(total.as.fp64_ == wanted_total.as.fp64_);
        /* u is known to stay full. */
        OK(ctx,
           sl_vector_assign(u, sums[0], NULL, sums[0], SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE)));
        OK(ctx, sl_mxv(work, NULL, NULL, SL_PLUS_SECOND_FP64, A, u, NULL));
        assert_ptr_equal(on_device(work)->order, order_of_matrix());
        for (int k = 0; k < 2; k++) {
            assert_ptr_equal(on_device(sums[k])->order, order_of_matrix());
            expect_equal(sums[k], wanted[k]);
            sl_vector_free(sums[k]);
            sl_vector_free(wanted[k]);
        }
        sl_vector_free(work);
        sl_vector_free(u);
        sl_matrix_free(plain);
        sl_matrix_free(A);
        unsetenv("SEMLA_TRAVERSAL");
    }
}

/* A matrix of the pattern of A, whose values are small integers. */
static sl_matrix *small_integers(void)
{
    uint64_t count;
    sl_matrix *M;
    bool symmetric;
    OK(ctx, sl_matrix_nvals(&count, A));
    uint64_t *rows = malloc(count * sizeof *rows), *cols = malloc(count * sizeof *cols);
    double *values = malloc(count * sizeof *values);
    OK(ctx, sl_matrix_extract_tuples(rows, cols, NULL, &count, A));
    for (uint64_t k = 0; k < count; k++)
        values[k] = (double)((2 * rows[k] + cols[k]) % 5);
    OK(ctx, sl_matrix_new(&M, ctx, SL_FP64, VERTICES, VERTICES));
    OK(ctx, sl_matrix_build(M, rows, cols, values, count, NULL));
    OK(ctx, sl_matrix_is_symmetric(&symmetric, M));
    assert_true(symmetric);
    free(rows);
    free(cols);
    free(values);
    return M;
}

/* *made: u after rounds of w = M u and u = min(w, x) over all indices, where x has the values 1 to VERTICES. Returns
 * how often w was in an order. */
static unsigned iterate(sl_vector **made, const sl_matrix *M)
{
    sl_vector *u, *w, *x;
    unsigned ordered = 0;
    OK(ctx, sl_vector_new(&x, ctx, SL_FP64, VERTICES));
    OK(ctx, sl_vector_new(&w, ctx, SL_FP64, VERTICES));
    OK(ctx, sl_vector_assign_scalar(x, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
    OK(ctx, sl_vector_apply_index(x, NULL, SL_PLUS_FP64, SL_ROWINDEX_INT64, x, sl_scalar_int64(0),
                                  NULL));
    OK(ctx, sl_vector_dup(&u, x));
    for (unsigned round = 0; round < 6; round++) {
        if (round < 5)
            OK(ctx, sl_mxv(w, NULL, NULL, SL_PLUS_TIMES_FP64, M, u, NULL));
        else /* reads the columns */
            OK(ctx, sl_vxm(w, NULL, NULL, SL_PLUS_TIMES_FP64, u, M, NULL));
        ordered += on_device(w)->order != NULL;
        OK(ctx, sl_vector_ewise_add(u, NULL, NULL, SL_MIN_FP64, w, x, NULL));
    }
    sl_vector_free(w);
    sl_vector_free(x);
    *made = u;
    return ordered;
}

/* Sums of products with a matrix's values are in the order once there are tiles, and the same as in the caller's. */
static void products_with_values_stay_in_the_order(void **state)
{
    static const char *const tiles[] = {"tiles", "notiles"};
    sl_vector *u[2];
    (void)state;
    if (!ctx)
        skip();
    make_graph();
    for (int t = 0; t < 2; t++) {
        setenv("SEMLA_TRAVERSAL", tiles[t], 1);
        sl_matrix *M = small_integers();
        const unsigned ordered = iterate(&u[t], M);
        assert_int_equal(ordered, t == 0 ? 4 : 0);
        sl_matrix_free(M);
        unsetenv("SEMLA_TRAVERSAL");
    }
    expect_equal(u[0], u[1]);
    sl_vector_free(u[0]);
    sl_vector_free(u[1]);
    sl_matrix_free(A);
}

/* A vector that is a list on the device comes to its places in the order, and back. */
static void lists_are_moved(void **state)
{
    enum { ENTRIES = 14, STEP = 67 };
    uint64_t index[ENTRIES], found_index[ENTRIES], count = ENTRIES;
    int64_t value[ENTRIES], found[ENTRIES];
    (void)state;
    if (!ctx)
        skip();
    make_graph();
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    begin_search();
    for (unsigned k = 0; k < ENTRIES; k++) {
        index[k] = 5 + STEP * k;
        value[k] = 1000 - (int64_t)k;
    }
    OK(ctx, sl_vector_clear(visited));
    OK(ctx, sl_vector_build(visited, index, value, ENTRIES, NULL));
    OK(ctx, sl_vector_nvals(&count, visited));
    multiply();
    assert_ptr_equal(on_device(visited)->order, order_of_matrix());
    OK(ctx, sl_vector_extract_tuples(found_index, found, &count, visited));
    assert_int_equal(count, ENTRIES);
    assert_memory_equal(found_index, index, sizeof index);
    assert_memory_equal(found, value, sizeof value);
    end_search();
    sl_matrix_free(A);
}

/* Arrays that are lent stay where they are, and in the caller's order, while the vector is only read. */
static void lent_arrays_stay(void **state)
{
    sl_vector_view view, again;
    (void)state;
    if (!ctx)
        skip();
    make_graph();
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    begin_search();
    multiply();
    OK(ctx, sl_vector_lend(&view, visited, SL_MEMORY_CUDA));
    assert_null(on_device(visited)->order);
    multiply();
    assert_null(on_device(visited)->order);
    OK(ctx, sl_vector_lend(&again, visited, SL_MEMORY_CUDA));
    assert_ptr_equal(again.values, view.values);
    assert_ptr_equal(again.present, view.present);
    OK(ctx, sl_vector_assign(visited, frontier, NULL, frontier, SL_ALL, 0,
                             sl_descriptor_get(SL_STRUCTURE)));
    multiply();
    assert_ptr_equal(on_device(visited)->order, order_of_matrix());
    end_search();
    sl_matrix_free(A);
}

static void many_pulls_make_the_order(void **state)
{
    sl_vector *all, *reached;
    (void)state;
    if (!ctx)
        skip();
    make_graph();
    OK(ctx, sl_vector_new(&all, ctx, SL_BOOL, VERTICES));
    OK(ctx, sl_vector_new(&reached, ctx, SL_BOOL, VERTICES));
    OK(ctx, sl_vector_assign_scalar(all, NULL, NULL, sl_scalar_bool(true), SL_ALL, 0, NULL));
    for (int k = 0; k <= PATTERN_PULLS_BEFORE_ORDER; k++) {
        assert_null(order_of_matrix());
        OK(ctx, sl_mxv(reached, NULL, NULL, SL_ANY_PAIR_BOOL, A, all, NULL));
    }
    assert_non_null(order_of_matrix());
    sl_vector_free(all);
    sl_vector_free(reached);
    sl_matrix_free(A);
}

/* A loop of short products between operations that want the caller's order. */
static void loops_leave_the_order(void **state)
{
    const uint64_t first_two[] = {1, 0};
    sl_vector *pair;
    int rounds = 0;
    (void)state;
    if (!ctx)
        skip();
    make_graph();
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    begin_search();
    OK(ctx, sl_vector_new(&pair, ctx, SL_INT64, 2));
    for (; rounds < 200; rounds++) {
        OK(ctx, sl_vector_clear(frontier));
        OK(ctx, sl_vector_set(frontier, VERTICES - 1, sl_scalar_int64(0)));
        multiply();
        if (!on_device(frontier)->order)
            break;
        OK(ctx, sl_vector_extract(pair, NULL, NULL, frontier, first_two, 2, NULL));
        OK(ctx, sl_vector_extract(pair, NULL, NULL, visited, first_two, 2, NULL));
    }
    assert_in_range(rounds, 2, 100);
    sl_vector_free(pair);
    end_search();
    sl_matrix_free(A);
}

/* ---- the order, shared ------------------------------------------------------------------------- */

static void sum_over_tiles(void)
{
    sl_vector *values, *sums;
    OK(ctx, sl_vector_new(&values, ctx, SL_FP64, VERTICES));
    OK(ctx, sl_vector_new(&sums, ctx, SL_FP64, VERTICES));
    OK(ctx, sl_vector_assign_scalar(values, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
    OK(ctx, sl_mxv(sums, NULL, NULL, SL_PLUS_SECOND_FP64, A, values, NULL));
    sl_vector_free(values);
    sl_vector_free(sums);
}

static void sort_paths(void)
{
    OK(ctx, sl_matrix_optimize(A, SL_FOR_PATHS));
}

static void reorder(void)
{
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
}

static uint64_t device_bytes(void)
{
    sl_placement placement;
    OK(ctx, sl_matrix_placement(&placement, A));
    return placement.device_bytes;
}

/* The device bytes that a matrix gains by what `make` derives from it. */
static uint64_t bytes_alone(void (*make)(void))
{
    make_graph();
    some_vertex(); /* brings the matrix to the device */
    const uint64_t before = device_bytes();
    make();
    const uint64_t gained = device_bytes() - before;
    sl_matrix_free(A);
    return gained;
}

static void the_order_is_shared(void **state)
{
    void (*const make[])(void) = {sum_over_tiles, sort_paths, reorder};
    const uint64_t order_bytes = 2 * sizeof(uint32_t) * VERTICES,
                   numbered_bytes = cuda_words(VERTICES) * sizeof(uint2);
    uint64_t alone[3];
    (void)state;
    if (!ctx)
        skip();
    setenv("SEMLA_TRAVERSAL", "tiles,degreeorder", 1);
    for (int k = 0; k < 3; k++)
        alone[k] = bytes_alone(make[k]);
    make_graph();
    some_vertex();
    const uint64_t before = device_bytes();
    for (int k = 0; k < 3; k++)
        make[k]();
    unsetenv("SEMLA_TRAVERSAL");
    const cuda_matrix *M = cuda_matrix_of(sl_object_of_matrix(A));
    const cuda_degree_order *order = order_of_matrix();
    assert_ptr_equal(sl_cuda_kept_sum_order(M)->row_order, order);
    assert_ptr_equal(sl_cuda_kept_sum_order(M)->column_order, order);
    assert_ptr_equal(cuda_lengths_of(M)->order.shared, order);
    assert_int_equal(device_bytes() - before,
                     alone[0] + alone[1] + alone[2] - 2 * order_bytes - numbered_bytes);
    OK(ctx, sl_matrix_clear(A)); /* drops it with all that was derived */
    assert_true(device_bytes() < before);
    sl_matrix_free(A);
}

/* Tiles with the values of a matrix serve sums of values alone, in place of the tiles of its reordered graph. */
static void tiles_are_made_once(void **state)
{
    sl_vector *u, *w, *sums[2];
    uint64_t bytes[2];
    (void)state;
    if (!ctx)
        skip();
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    make_graph();
    reorder();
    OK(ctx, sl_vector_new(&u, ctx, SL_FP64, VERTICES));
    OK(ctx, sl_vector_new(&w, ctx, SL_FP64, VERTICES));
    OK(ctx, sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
    for (int k = 0; k < 2; k++) {
        OK(ctx, sl_vector_new(&sums[k], ctx, SL_FP64, VERTICES));
        bytes[0] = device_bytes();
        OK(ctx, sl_mxv(sums[k], NULL, NULL, SL_PLUS_SECOND_FP64, A, u, NULL));
        bytes[1] = device_bytes();
        assert_true(k == 0 ? bytes[1] > bytes[0] : bytes[1] < bytes[0]);
        for (int times = 0; times < 2; times++) /* the second makes tiles */
            OK(ctx, sl_mxv(w, NULL, NULL, SL_PLUS_TIMES_FP64, A, u, NULL));
    }
    expect_equal(sums[0], sums[1]);
    for (int k = 0; k < 2; k++)
        sl_vector_free(sums[k]);
    sl_vector_free(u);
    sl_vector_free(w);
    sl_matrix_free(A);
    unsetenv("SEMLA_TRAVERSAL");
}

int main(void)
{
    if (sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK) {
        print_message("engine cuda skipped\n");
        ctx = NULL;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_stay_in_the_order),
        cmocka_unit_test(found_ids_are_written_once_they_are_read),
        cmocka_unit_test(sums_stay_in_the_order),
        cmocka_unit_test(products_with_values_stay_in_the_order),
        cmocka_unit_test(lists_are_moved),
        cmocka_unit_test(lent_arrays_stay),
        cmocka_unit_test(many_pulls_make_the_order),
        cmocka_unit_test(loops_leave_the_order),
        cmocka_unit_test(the_order_is_shared),
        cmocka_unit_test(tiles_are_made_once),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(ctx);
    return failed;
}
