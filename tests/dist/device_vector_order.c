/*
 * Vectors of a grid of ranks with devices that stay in the order of a rank's vertices from one product over a
 * symmetric pattern to the next: compared with SuiteSparse in one process, with operations between the products that
 * run in any order, that translate, or that leave the order. Skipped without a GPU.
 */
#include "cuda/data/device_vector.h"
#include "device_places.h"
#include "dist/grid/grid.h"
#include "same.h"

static sl_context *host;

enum { N = 700, PAIRS = 30 * N };

/* Vertices that 3 divides have no edges, and vertex 1 has an edge to itself. */
static sl_matrix *build(sl_context *ctx)
{
    static uint64_t rows[2 * PAIRS + 1], cols[2 * PAIRS + 1];
    uint64_t count = 0;
    bool symmetric;
    sl_matrix *A;
    for (uint64_t k = 0; k < PAIRS; k++) {
        const uint64_t u = k * 7919 % N, v = k * k % 499 * 7 / 5;
        if (u % 3 && v % 3) {
            rows[count] = cols[count + 1] = u;
            cols[count] = rows[count + 1] = v;
            count += 2;
        }
    }
    rows[count] = cols[count] = 1;
    assert_ok(ctx, sl_matrix_new(&A, ctx, SL_BOOL, N, N));
    assert_ok(ctx, sl_matrix_build(A, rows, cols, NULL,
                                   ctx == host || world_rank() == 0 ? count + 1 : 0, SL_LOR_BOOL));
    assert_ok(ctx, sl_matrix_is_symmetric(&symmetric, A));
    assert_true(symmetric);
    return A;
}

/* The values 1 to N, by index. */
static sl_vector *numbers(sl_context *ctx, sl_type type)
{
    sl_vector *v;
    assert_ok(ctx, sl_vector_new(&v, ctx, type, N));
    assert_ok(ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
    assert_ok(ctx,
              sl_vector_apply_index(v, NULL, NULL, SL_ROWINDEX_INT64, v, sl_scalar_int64(1), NULL));
    return v;
}

/* Objects of the grid and of the host. */
typedef struct {
    sl_context *ctx;
    sl_matrix *A;
    sl_vector *u, *w, *x;
} side;

static side begin(sl_context *ctx, sl_type type)
{
    side s = {.ctx = ctx, .A = build(ctx), .u = numbers(ctx, type), .x = numbers(ctx, type)};
    assert_ok(ctx, sl_vector_new(&s.w, ctx, type, N));
    return s;
}

static void end(side *s)
{
    sl_matrix_free(s->A);
    sl_vector_free(s->u);
    sl_vector_free(s->w);
    sl_vector_free(s->x);
}

/* w = the sums of u's values; by rows and by columns of the matrix. */
static void multiply(const side *s, bool by_rows)
{
    const sl_type type = sl_vector_type(s->u);
    if (by_rows)
        assert_ok(s->ctx, sl_vxm(s->w, NULL, NULL, sl_semiring_get(SL_SEMIRING_PLUS_FIRST, type),
                                 s->u, s->A, NULL));
    else
        assert_ok(s->ctx, sl_mxv(s->w, NULL, NULL, sl_semiring_get(SL_SEMIRING_PLUS_SECOND, type),
                                 s->A, s->u, NULL));
}

/* u = min(w, x): x has all entries, so u has them, and its values stay small integers. */
static void continue_with_least(const side *s)
{
    assert_ok(s->ctx, sl_vector_ewise_add(s->u, NULL, NULL,
                                          sl_binary_op_get(SL_BINARY_MIN, sl_vector_type(s->u)),
                                          s->w, s->x, NULL));
}

/* The order of this rank's part of a vector, or NULL. */
static const cuda_degree_order *order_of(const sl_vector *v)
{
    const sl_object *block = sl_grid_block(sl_object_of_vector(v));
    return block->held[SL_SLOT_CUDA] ? cuda_vector_of(block)->order : NULL;
}

/* Whether some rank's part is. */
static bool some_is_ordered(const sl_vector *v)
{
    int ordered = order_of(v) != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &ordered, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return ordered;
}

/* Operations that need the caller's order, translate, or run in any. None of them writes u or w. */
enum { OF_ONE, OF_ALL, OF_HALF, OF_SOME, LEVEL, MASKED, DIAGONAL, USES };

static sl_vector *part_of(const side *s, unsigned which)
{
    static const uint64_t half[] = {N / 2, N, 1}, some[] = {N - 1, 3, N / 2, 3};
    const sl_type type = sl_vector_type(s->u);
    sl_vector *part;
    assert_ok(s->ctx, sl_vector_new(&part, s->ctx, type,
                                    which == OF_HALF   ? N / 2
                                    : which == OF_SOME ? 4
                                                       : N));
    if (which == OF_HALF)
        assert_ok(s->ctx, sl_vector_extract(part, NULL, NULL, s->w, half, SL_RANGE, NULL));
    else if (which == OF_SOME)
        assert_ok(s->ctx, sl_vector_extract(part, NULL, NULL, s->u, some, 4, NULL));
    else if (which == LEVEL) /* the frontier and the mask are in the order */
        assert_ok(s->ctx, sl_vxm(part, s->w, NULL, sl_semiring_get(SL_SEMIRING_ANY_PAIR, type),
                                 s->u, s->A, sl_descriptor_get(SL_REPLACE | SL_STRUCTURE)));
    else if (which == MASKED)
        assert_ok(s->ctx,
                  sl_vector_ewise_mult(part, s->w, NULL, sl_binary_op_get(SL_BINARY_PLUS, type),
                                       s->u, s->x, sl_descriptor_get(SL_STRUCTURE)));
    return part;
}

static double use(const side *s, unsigned which)
{
    const sl_type type = sl_vector_type(s->u);
    const sl_monoid plus = sl_monoid_get(SL_MONOID_PLUS, type);
    sl_scalar value = {.type = type};
    if (which == OF_ONE) {
        assert_ok(s->ctx, sl_vector_get(&value, s->u, N / 3));
    } else if (which == OF_ALL) {
        assert_ok(s->ctx, sl_vector_reduce(&value, NULL, plus, s->w));
    } else if (which == DIAGONAL) { /* tuples of the entries travel */
        sl_matrix *diagonal;
        assert_ok(s->ctx, sl_matrix_diag(&diagonal, s->w, 1));
        assert_ok(s->ctx,
                  sl_matrix_reduce(&value, NULL, sl_monoid_get(SL_MONOID_MIN, type), diagonal));
        sl_matrix_free(diagonal);
    } else {
        sl_vector *part = part_of(s, which);
        assert_ok(s->ctx, sl_vector_reduce(&value, NULL, plus, part));
        sl_vector_free(part);
    }
    return sl_scalar_cast(value, SL_FP64).as.fp64_;
}

static void loop(sl_context *ctx, sl_type type, bool by_rows)
{
    side sides[] = {begin(ctx, type), begin(host, type)};
    unsigned ordered = 0;
    for (unsigned turn = 0; turn < 3 * USES; turn++) {
        double found[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            multiply(&sides[k], by_rows);
            if (turn % 3 == 2)
                found[k] = use(&sides[k], turn / 3);
        }
        assert_true(found[0] == found[1]);
        ordered += some_is_ordered(sides[0].w);
        for (int k = 0; k < 2; k++)
            continue_with_least(&sides[k]);
        if (turn % 4 == 3)
            assert_same_vectors(sides[0].w, sides[1].w, "result");
    }
    assert_same_vectors(sides[0].u, sides[1].u, "operand");
    assert_int_equal(ordered > 0, world_size() > 1);
    /* an entry less, and a matrix that has changed: no order */
    for (int k = 0; k < 2; k++) {
        assert_ok(sides[k].ctx, sl_vector_remove(sides[k].u, N / 2));
        multiply(&sides[k], by_rows);
    }
    assert_same_vectors(sides[0].w, sides[1].w, "result of a vector that is not full");
    for (int k = 0; k < 2; k++) {
        assert_ok(sides[k].ctx, sl_matrix_set(sides[k].A, 3, 5, sl_scalar_bool(true)));
        for (int more = 0; more < 3; more++) {
            continue_with_least(&sides[k]);
            multiply(&sides[k], by_rows);
        }
    }
    assert_same_vectors(sides[0].w, sides[1].w, "result of another matrix");
    for (int k = 0; k < 2; k++)
        end(&sides[k]);
}

/* Levels, by the partitions of a search, and sums have the same order of the rank's vertices, whichever makes it: a
 * vector moves between the orders of both no more than once. */
static void mix(sl_context *ctx, bool search_first)
{
    side s = begin(ctx, SL_FP64);
    uint64_t moved = 0;
    int shared = 0;
    if (search_first)
        assert_ok(ctx, sl_matrix_optimize(s.A, SL_FOR_TRAVERSAL));
    for (int turn = 0; turn < 3; turn++) {
        multiply(&s, true);
        continue_with_least(&s);
    }
    if (!search_first)
        assert_ok(ctx, sl_matrix_optimize(s.A, SL_FOR_TRAVERSAL));
    for (int turn = 0; turn < 3; turn++) {
        sl_vector *reached = part_of(&s, LEVEL);
        multiply(&s, true);
        const cuda_degree_order *order = order_of(s.w);
        if (order && order_of(reached)) {
            assert_ptr_equal(order, order_of(reached));
            shared++;
        }
        if (order && turn == 1)
            moved = atomic_load(&order->moved);
        else if (order && turn == 2)
            assert_int_equal(atomic_load(&order->moved), moved);
        sl_vector_free(reached);
    }
    MPI_Allreduce(MPI_IN_PLACE, &shared, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    assert_int_equal(shared > 0, world_size() > 1);
    end(&s);
}

static void test_mixed_loops(void **unused)
{
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    setenv("SEMLA_DIST", "1d", 1);
    for (int rows = 0, cols; next_grid(&rows, &cols);)
        for (int search_first = 0; search_first < 2; search_first++) {
            sl_context *ctx;
            assert_ok(NULL,
                      sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
            mix(ctx, search_first);
            sl_context_free(ctx);
        }
    unsetenv("SEMLA_DIST");
    unsetenv("SEMLA_TRAVERSAL");
}

static void test_loops(void **unused)
{
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        for (int by_rows = 0; by_rows < 2; by_rows++) {
            loop(ctx, SL_FP64, by_rows);
            loop(ctx, SL_FP32, by_rows);
        }
        sl_context_free(ctx);
    }
    unsetenv("SEMLA_TRAVERSAL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loops),
                                       cmocka_unit_test(test_mixed_loops)};
    if (!start_with_gpu())
        return 0;
    if (sl_context_create(&host, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    const int failures = run_ranks("device_vector_order", tests, sizeof tests / sizeof *tests);
    sl_context_free(host);
    return failures;
}
