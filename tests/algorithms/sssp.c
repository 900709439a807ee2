/*
 * Shortest paths: lengths of every type, negative lengths, negative cycles, lengths that are not
 * finite, and sums that exceed the range of the type.
 */
#include "check_all.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static sl_context *ctx;

/* A graph with `m` edges (from, to, length) and values of `type`. */
static sl_matrix *graph(sl_type type, uint64_t n, uint64_t m, const double edges[][3])
{
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, type, n, n));
    for (uint64_t k = 0; k < m; k++)
        OK(ctx, sl_matrix_set(A, (uint64_t)edges[k][0], (uint64_t)edges[k][1],
                              sl_scalar_fp64(edges[k][2])));
    return A;
}
#define GRAPH(type, n, ...)                                                                        \
    graph(type, n, sizeof((const double[][3]){__VA_ARGS__}) / 24, (const double[][3]){__VA_ARGS__})

static void expect_distances(sl_matrix *A, uint64_t source, const double *expected)
{
    sl_vector *distance, *parent;
    OK(ctx, sl_sssp(&distance, &parent, A, source));
    for (uint64_t v = 0; v < sl_matrix_nrows(A); v++) {
        sl_scalar d;
        sl_status status = sl_vector_get(&d, distance, v);
        assert_int_equal(status, isnan(expected[v]) ? SL_NO_VALUE : SL_OK);
        if (status == SL_OK)
            assert_true(sl_scalar_cast(d, SL_FP64).as.fp64_ == expected[v]);
        assert_int_equal(sl_vector_get(&d, parent, v), status);
    }
    sl_vector_free(distance);
    sl_vector_free(parent);
}

/* sl_sssp fails with `status` and a message that contains `part`. Frees A. */
static void expect_failure(sl_matrix *A, uint64_t source, sl_status status, const char *part)
{
    sl_vector *distance = (sl_vector *)1, *parent = (sl_vector *)1;
    sl_status got = sl_sssp(&distance, &parent, A, source);
    if (got != status || !strstr(sl_context_message(ctx), part))
        fail_msg("status %d (%s), not %d (%s)", got, sl_context_message(ctx), status, part);
    assert_null(distance);
    assert_null(parent);
    sl_matrix_free(A);
}

static void lengths(void **state)
{
    (void)state;
    const double expected[] = {0, 5, 2, 6, NAN};
    for (int type = SL_INT8; type < SL_TYPE_COUNT; type++) {
        sl_matrix *A = GRAPH((sl_type)type, 5, {0, 1, 7}, {0, 2, 2}, {2, 1, 3}, {1, 3, 1},
                             {2, 3, 9}, {3, 0, 1}, {4, 0, 1});
        sl_vector *distance;
        expect_distances(A, 0, expected);
        OK(ctx, sl_sssp(&distance, NULL, A, 0));
        assert_int_equal(sl_vector_type(distance), type >= SL_FP32 ? SL_FP64 : SL_INT64);
        sl_vector_free(distance);
        sl_matrix_free(A);
    }
    /* Every edge of a bool matrix has length 1, whether true or false. */
    sl_matrix *A = GRAPH(SL_BOOL, 4, {0, 1, 0}, {1, 2, 1}, {0, 2, 0}, {2, 3, 0});
    expect_distances(A, 0, (const double[]){0, 1, 1, 2});
    sl_matrix_free(A);
    A = GRAPH(SL_FP64, 3, {0, 1, 0.1}, {1, 2, 0.2}, {0, 2, 0.4});
    expect_distances(A, 0, (const double[]){0, 0.1, 0.1 + 0.2});
    sl_matrix_free(A);
}

/* The tree has the fewest edges and the least parents; lengths of 0 do not make a cycle. */
static void tree(void **state)
{
    (void)state;
    sl_matrix *A = GRAPH(SL_INT16, 6, {0, 1, 0}, {1, 0, 0}, {1, 2, 0}, {2, 1, 0}, {0, 3, 0},
                         {3, 2, 0}, {2, 4, 5}, {4, 2, 5}, {0, 4, 5}, {4, 5, 0}, {5, 4, 0});
    sl_vector *distance, *parent;
    const int64_t expected[] = {0, 0, 1, 0, 0, 4};
    OK(ctx, sl_sssp(&distance, &parent, A, 0));
    for (uint64_t v = 0; v < 6; v++) {
        sl_scalar p;
        OK(ctx, sl_vector_get(&p, parent, v));
        assert_int_equal(p.as.int64_, expected[v]);
    }
    sl_vector_free(distance);
    sl_vector_free(parent);
    sl_matrix_free(A);
}

static void negative_lengths(void **state)
{
    (void)state;
    sl_matrix *A =
        GRAPH(SL_INT8, 4, {0, 1, 4}, {0, 2, 1}, {1, 2, -5}, {2, 3, 2}, {3, 1, 3}, {1, 3, 0});
    expect_distances(A, 0, (const double[]){0, 4, -1, 1});
    sl_matrix_free(A);
    /* negative cycles that the source does not reach */
    A = GRAPH(SL_FP32, 4, {0, 1, 1}, {2, 3, -1}, {3, 2, 0}, {2, 0, 1}, {2, 2, -1});
    expect_distances(A, 0, (const double[]){0, 1, NAN, NAN});
    sl_matrix_free(A);

    expect_failure(GRAPH(SL_INT8, 2, {0, 0, -1}), 0, SL_INVALID, "through vertex 0");
    expect_failure(GRAPH(SL_INT8, 3, {0, 1, 1}, {1, 1, -1}), 0, SL_INVALID, "through vertex 1");
    expect_failure(GRAPH(SL_FP64, 2, {0, 1, -0.5}, {1, 0, -0.5}), 0, SL_INVALID, "through vertex");
    expect_failure(GRAPH(SL_INT64, 4, {0, 1, 9}, {1, 2, 5}, {2, 1, -6}, {2, 3, 0}), 0, SL_INVALID,
                   "sssp: a cycle of negative length leads through vertex");
}

/* A long path to a long cycle of length -1 with large lengths: found in far fewer iterations than
 * there are vertices. */
static void far_cycle(void **state)
{
    (void)state;
    enum { PATH = 120, CYCLE = 80, REST = 20000 };
    const uint64_t n = PATH + CYCLE + REST;
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, SL_INT64, n, n));
    for (uint64_t v = 0; v + 1 < PATH + CYCLE; v++)
        OK(ctx, sl_matrix_set(A, v, v + 1, sl_scalar_int64(1000)));
    OK(ctx, sl_matrix_set(A, PATH + CYCLE - 1, PATH, sl_scalar_int64(-1000 * (CYCLE - 1) - 1)));
    expect_failure(A, 0, SL_INVALID, "through vertex");
}

/* Sums of floating-point lengths are rounded. */
static void rounded(void **state)
{
    (void)state;
    const double far = 1e16 + 2; /* the next fp64 numbers are 2 away */
    /* each round of the cycle, of length 0.1, improves the rounded distances by 2 */
    expect_failure(GRAPH(SL_FP64, 30, {0, 1, far}, {1, 2, 0.9}, {2, 3, 0.9}, {3, 1, -1.7}), 0,
                   SL_INVALID, "a cycle of negative length leads to vertex");
    /* one round improves them, no further one does: then no tight edge leads to the cycle */
    expect_failure(GRAPH(SL_FP64, 30, {0, 1, far}, {1, 2, 0.6}, {2, 3, 0.6}, {3, 1, -1.0}), 0,
                   SL_OUT_OF_RANGE,
                   "closure: the values differ too much in size for fp64: 3 entries");
}

static void not_finite(void **state)
{
    (void)state;
    expect_failure(GRAPH(SL_FP64, 3, {0, 1, 1}, {1, 2, NAN}), 0, SL_INVALID,
                   "sssp: the edge from 1 to 2 has the length nan");
    expect_failure(GRAPH(SL_FP32, 3, {0, 1, INFINITY}, {1, 2, 1}), 0, SL_INVALID,
                   "the edge from 0 to 1 has the length inf");
    expect_failure(GRAPH(SL_FP64, 3, {0, 1, INFINITY}, {2, 2, -INFINITY}), 0, SL_INVALID,
                   "the edge from 0 to 1 has the length inf");
    expect_failure(GRAPH(SL_FP64, 3, {0, 1, 1}, {2, 2, -INFINITY}), 0, SL_INVALID,
                   "the edge from 2 to 2 has the length -inf");
}

/* The result passes sl_check_sssp. */
static void expect_valid(const sl_matrix *A)
{
    sl_vector *distance, *parent;
    int64_t *tree;
    void *distances;
    sl_csr rows;
    sl_check_result result;
    OK(ctx, sl_sssp(&distance, &parent, A, 0));
    OK(ctx, sl_distance_array(&distances, distance));
    OK(ctx, sl_search_array(&tree, parent));
    OK(ctx, sl_matrix_copy_csr(&rows, A));
    assert_int_equal(sl_check_sssp(&result, &rows, 0, distances, tree), SL_OK);
    if (!result.valid)
        fail_msg("%s: %s", sl_type_name(sl_matrix_type(A)), result.reason);
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    sl_free(tree);
    sl_free(distances);
    sl_vector_free(distance);
    sl_vector_free(parent);
}

/* A graph whose distances are in range although sums of its lengths are not. Lengths are
 * given in units of `scale`. */
static void expect_distances_in_range(sl_type type, uint64_t n, double scale, uint64_t m,
                                      const double edges[][3])
{
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, type, n, n));
    for (uint64_t k = 0; k < m; k++)
        OK(ctx, sl_matrix_set(A, (uint64_t)edges[k][0], (uint64_t)edges[k][1],
                              sl_scalar_fp64(scale * edges[k][2])));
    expect_valid(A);
    sl_matrix_free(A);
}
#define IN_RANGE(type, n, scale, ...)                                                              \
    expect_distances_in_range(type, n, scale, sizeof((const double[][3]){__VA_ARGS__}) / 24,       \
                              (const double[][3]){__VA_ARGS__})

/* Only a distance out of range is an error; the greatest distances in range are exact. */
static void large_numbers(void **state)
{
    (void)state;
    const double int_unit = 1152921504606846976.0; /* 2^60: distances are below 8 of these */
    const double fp_unit = ldexp(1, 1021);         /* the same for fp64 */
    const sl_type types[] = {SL_INT64, SL_UINT64, SL_FP64};
    for (size_t k = 0; k < 3; k++) {
        const double unit = types[k] == SL_FP64 ? fp_unit : int_unit;
        const char *above = types[k] == SL_FP64 ? "vertex 2 is above the range of fp64"
                                                : "vertex 2 is above the range of int64";
        IN_RANGE(types[k], 3, unit, {0, 1, 4}, {1, 2, 3.5});
        IN_RANGE(types[k], 2, unit, {0, 1, 7}, {1, 0, 7});
        /* sums out of range beside a shorter path, and on a path that the source does not reach */
        IN_RANGE(types[k], 5, unit, {0, 1, 7}, {1, 2, 7}, {0, 2, 1}, {2, 1, 7}, {3, 4, 7},
                 {4, 3, 7}, {3, 0, 7});
        expect_failure(GRAPH(types[k], 4, {0, 1, 4 * unit}, {1, 2, 4 * unit}, {2, 3, 1}), 0,
                       SL_OUT_OF_RANGE, above);
    }
    /* uint64 lengths that int64 does not have: on an edge of no shortest path, and on one */
    IN_RANGE(SL_UINT64, 3, int_unit, {0, 1, 15}, {0, 2, 1}, {2, 1, 1}, {1, 2, 15});
    expect_failure(GRAPH(SL_UINT64, 2, {0, 1, 1.7e19}), 0, SL_OUT_OF_RANGE, "vertex 1");

    sl_matrix *A; /* the greatest distance, and one more */
    OK(ctx, sl_matrix_new(&A, ctx, SL_INT64, 3, 3));
    OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_int64(INT64_MAX - 1)));
    OK(ctx, sl_matrix_set(A, 1, 2, sl_scalar_int64(0)));
    expect_valid(A);
    OK(ctx, sl_matrix_set(A, 1, 2, sl_scalar_int64(1)));
    expect_failure(A, 0, SL_OUT_OF_RANGE, "vertex 2 is above the range of int64");
}

/* The same with negative lengths. */
static void large_negative_numbers(void **state)
{
    (void)state;
    const double int_unit = 1152921504606846976.0, fp_unit = ldexp(1, 1021);
    const sl_type types[] = {SL_INT64, SL_FP64};
    for (size_t k = 0; k < 2; k++) {
        const double unit = types[k] == SL_FP64 ? fp_unit : int_unit;
        IN_RANGE(types[k], 3, unit, {0, 1, -4}, {1, 2, -3.5});
        IN_RANGE(types[k], 4, unit, {0, 1, 7}, {1, 2, -7}, {2, 3, 7}, {3, 1, 1});
        /* a sum above the range stays above it when a negative length follows */
        IN_RANGE(types[k], 5, unit, {0, 1, 7}, {1, 2, 7}, {2, 3, -6}, {0, 2, -1}, {3, 4, 1});
        expect_failure(GRAPH(types[k], 3, {0, 1, -5 * unit}, {1, 2, -5 * unit}), 0, SL_OUT_OF_RANGE,
                       "vertex 2 is below the range");
        expect_failure(GRAPH(types[k], 4, {0, 1, 5 * unit}, {1, 2, 5 * unit}, {2, 3, -5 * unit}), 0,
                       SL_OUT_OF_RANGE, "vertex 2 is above the range");
        expect_failure(GRAPH(types[k], 2, {0, 1, -7 * unit}, {1, 0, -7 * unit}), 0, SL_INVALID,
                       "through vertex");
        expect_failure(
            GRAPH(types[k], 40, {0, 1, -7 * unit}, {1, 2, 6 * unit}, {2, 1, -6.5 * unit}), 0,
            SL_OUT_OF_RANGE, "or a cycle of negative length leads to it");
    }
    expect_failure(GRAPH(SL_INT64, 3, {0, 1, -9223372036854775808.0}), 0, SL_OUT_OF_RANGE, "int64");
    expect_failure(GRAPH(SL_INT64, 40, {0, 1, 7 * int_unit}, {1, 2, 7}, {2, 1, -8}), 0, SL_INVALID,
                   "through vertex");
}

/* Long paths, so that delta-stepping is used, with lengths of every size: 0, the smallest, the
 * greatest that are allowed. */
static void long_paths(void **state)
{
    (void)state;
    enum { N = 200 };
    const struct {
        sl_type type;
        double length;
    } cases[] = {{SL_INT64, 0},     {SL_INT64, 1},  {SL_INT64, 4e16}, {SL_UINT8, 255}, {SL_FP64, 0},
                 {SL_FP64, 1e-300}, {SL_FP64, 0.1}, {SL_FP64, 8e305}, {SL_FP32, 1e-45}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const sl_scalar length = sl_scalar_fp64(cases[k].length);
        sl_matrix *A;
        OK(ctx, sl_matrix_new(&A, ctx, cases[k].type, N, N));
        for (uint64_t v = 0; v + 1 < N; v++) {
            OK(ctx, sl_matrix_set(A, v, v + 1, length));
            if (v % 3 == 0 && v + 2 < N) /* a short cut, and an edge back to the start */
                OK(ctx, sl_matrix_set(A, v, v + 2, length));
            OK(ctx, sl_matrix_set(A, v, 0, sl_scalar_fp64(0)));
        }
        expect_valid(A);
        sl_matrix_free(A);
    }
}

/* ---- random graphs, compared with Floyd and Warshall ---------------------------- */

enum { MAX_VERTICES = 9, NO_PATH = 1000000 };

typedef struct {
    uint64_t n;
    int length[MAX_VERTICES][MAX_VERTICES]; /* NO_PATH: no edge */
    int distance[MAX_VERTICES]
                [MAX_VERTICES]; /* the least length of a walk; below 0 on the diagonal: a cycle */
} table;

static void close_distances(table *t)
{
    memcpy(t->distance, t->length, sizeof t->distance);
    for (uint64_t v = 0; v < t->n; v++)
        t->distance[v][v] = t->distance[v][v] < 0 ? t->distance[v][v] : 0;
    for (uint64_t k = 0; k < t->n; k++)
        for (uint64_t i = 0; i < t->n; i++)
            for (uint64_t j = 0; j < t->n; j++)
                if (t->distance[i][k] != NO_PATH && t->distance[k][j] != NO_PATH &&
                    t->distance[i][k] + t->distance[k][j] < t->distance[i][j])
                    t->distance[i][j] = t->distance[i][k] + t->distance[k][j] < -10000
                                            ? -10000
                                            : t->distance[i][k] + t->distance[k][j];
}

/* Whether the source reaches a negative cycle that reaches v or (`through`) contains v. */
static bool is_below_cycle(const table *t, uint64_t source, uint64_t v, bool through)
{
    for (uint64_t c = 0; c < t->n; c++)
        if (t->distance[c][c] < 0 && t->distance[source][c] != NO_PATH &&
            t->distance[c][v] != NO_PATH && (!through || t->distance[v][c] != NO_PATH))
            return true;
    return false;
}

static void check_table(table *t, uint64_t source, uint64_t seed)
{
    sl_matrix *A;
    sl_vector *distance;
    bool negative = false;
    OK(ctx, sl_matrix_new(&A, ctx, seed % 2 ? SL_INT32 : SL_FP64, t->n, t->n));
    for (uint64_t i = 0; i < t->n; i++)
        for (uint64_t j = 0; j < t->n; j++)
            if (t->length[i][j] != NO_PATH)
                OK(ctx, sl_matrix_set(A, i, j, sl_scalar_int64(t->length[i][j])));
    close_distances(t);
    for (uint64_t v = 0; v < t->n; v++)
        negative |= is_below_cycle(t, source, v, false);
    sl_status status = sl_sssp(&distance, NULL, A, source);
    if (status != (negative ? SL_INVALID : SL_OK))
        fail_msg("seed %d: status %d (%s)", (int)seed, status, sl_context_message(ctx));
    const char *message = sl_context_message(ctx), *through = strstr(message, "through vertex ");
    const char *to = strstr(message, "to vertex ");
    for (uint64_t v = 0; status == SL_OK && v < t->n; v++) {
        sl_scalar d;
        bool has_entry = sl_vector_get(&d, distance, v) == SL_OK;
        assert_true(has_entry == (t->distance[source][v] != NO_PATH));
        if (has_entry && sl_scalar_cast(d, SL_INT64).as.int64_ != t->distance[source][v])
            fail_msg("seed %d: distance of %d", (int)seed, (int)v);
    }
    if (negative) {
        uint64_t named = (uint64_t)atoi(through ? through + 15 : to + 10);
        if (!is_below_cycle(t, source, named, through != NULL))
            fail_msg("seed %d: %s", (int)seed, message);
    }
    sl_vector_free(distance);
    sl_matrix_free(A);
}

static void random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        uint64_t random = seed;
        table t = {.n = 1 + test_random(&random) % MAX_VERTICES};
        const uint64_t density = 5 + test_random(&random) % 60, below = test_random(&random) % 6;
        for (uint64_t i = 0; i < t.n; i++)
            for (uint64_t j = 0; j < t.n; j++)
                t.length[i][j] = test_random(&random) % 100 < density
                                     ? (int)(test_random(&random) % 20) - (int)below
                                     : NO_PATH;
        check_table(&t, test_random(&random) % t.n, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths),          cmocka_unit_test(tree),
        cmocka_unit_test(negative_lengths), cmocka_unit_test(far_cycle),
        cmocka_unit_test(rounded),          cmocka_unit_test(not_finite),
        cmocka_unit_test(large_numbers),    cmocka_unit_test(large_negative_numbers),
        cmocka_unit_test(long_paths),       cmocka_unit_test(random_graphs),
    };
    if (sl_context_create(&ctx, SL_ENGINE_AUTO) != SL_OK)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(ctx);
    return failed;
}
