/* The distribution of random weights, and the ranges that are rejected. */
#include <math.h>
#include <omp.h>

#include "models.h"

/* Every weight of a range occurs about equally often, on every model. */
static void integers_are_uniform(void **state)
{
    (void)state;
    enum { LEAST = -3, VALUES = 10 };
    for (int m = 0; m < MODELS; m++) {
        sl_generator model = ALL_MODELS[m];
        model.weighted = model.integer_weights = true;
        model.least_weight = LEAST;
        model.greatest_weight = LEAST + VALUES - 1;
        sl_edges edges = generated(model);
        const int64_t *w = edges.values;
        double hits[VALUES] = {0}, chi = 0;
        const double expected = (double)edges.count / VALUES;
        for (uint64_t e = 0; e < edges.count; e++) {
            assert_true(w[e] >= LEAST && w[e] < LEAST + VALUES);
            hits[w[e] - LEAST]++;
        }
        for (int k = 0; k < VALUES; k++)
            chi += (hits[k] - expected) * (hits[k] - expected) / expected;
        assert_true(chi < 40); /* 9 degrees of freedom: mean 9, standard deviation 4.2 */
        sl_edges_free(&edges);
    }
}

/* The moments of the distribution of reals, and the independence of neighbours. */
static void reals_are_uniform(void **state)
{
    (void)state;
    const double least = -2.5, span = 4;
    for (int m = 0; m < MODELS; m++) {
        sl_generator model = ALL_MODELS[m];
        model.weighted = true;
        model.least_weight = least;
        model.greatest_weight = least + span;
        sl_edges edges = generated(model);
        const double *w = edges.values, n = (double)edges.count;
        double sum = 0, squares = 0, neighbours = 0;
        for (uint64_t e = 0; e < edges.count; e++) {
            assert_true(w[e] >= least && w[e] < least + span);
            const double x = (w[e] - least) / span;
            const double y = (w[(e + 1) % edges.count] - least) / span;
            sum += x;
            squares += x * x;
            neighbours += x * y;
        }
        /* five standard deviations of a mean of n numbers of [0, 1) */
        assert_true(fabs(sum / n - 1. / 2) < 5 * 0.29 / sqrt(n));
        assert_true(fabs(squares / n - 1. / 3) < 5 * 0.30 / sqrt(n));
        assert_true(fabs(neighbours / n - 1. / 4) < 5 * 0.25 / sqrt(n));
        sl_edges_free(&edges);
    }
}

/* The edges are those without weights; the weights depend on the seed, not on the number of
 * threads. */
static void same_edges_and_weights(void **state)
{
    (void)state;
    const int before = omp_get_max_threads();
    for (int m = 0; m < MODELS; m++) {
        sl_generator model = ALL_MODELS[m];
        sl_edges bare = generated(model);
        model.weighted = model.integer_weights = true;
        model.greatest_weight = 1e6;
        omp_set_num_threads(1);
        sl_edges one = generated(model);
        omp_set_num_threads(5);
        sl_edges five = generated(model);
        omp_set_num_threads(before);
        model.seed++;
        sl_edges other = generated(model);
        const uint64_t bytes = bare.count * 8;
        assert_int_equal(one.count, bare.count);
        assert_memory_equal(one.row, bare.row, bytes);
        assert_memory_equal(one.col, bare.col, bytes);
        assert_memory_equal(one.values, five.values, bytes);
        assert_memory_not_equal(one.values, other.values, bytes);
        sl_edges_free(&bare);
        sl_edges_free(&one);
        sl_edges_free(&five);
        sl_edges_free(&other);
    }
}

/* A single weight, the widest ranges, and the bounds themselves. */
static void extreme_ranges(void **state)
{
    (void)state;
    static const double ranges[][2] = {{7, 7}, {-0x1p53, 0x1p53}, {-0x1p53, -0x1p53}, {0, 1}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        sl_edges edges = generated((sl_generator){.model = SL_MODEL_UNIFORM,
                                                  .vertices = 9,
                                                  .edges = 1000,
                                                  .weighted = true,
                                                  .integer_weights = true,
                                                  .least_weight = ranges[k][0],
                                                  .greatest_weight = ranges[k][1]});
        const int64_t *w = edges.values;
        int64_t least = w[0], greatest = w[0];
        for (uint64_t e = 0; e < edges.count; e++) {
            least = w[e] < least ? w[e] : least;
            greatest = w[e] > greatest ? w[e] : greatest;
        }
        assert_true((double)least >= ranges[k][0] && (double)greatest <= ranges[k][1]);
        const double width = ranges[k][1] - ranges[k][0];
        assert_true((double)greatest - (double)least >= (width <= 1 ? width : 0.9 * width));
        sl_edges_free(&edges);
    }
    const double tiny = 0x1p-1060; /* a subnormal number of the range */
    sl_edges edges = generated((sl_generator){
        .model = SL_MODEL_PATH, .vertices = 100, .weighted = true, .greatest_weight = tiny});
    for (uint64_t e = 0; e < edges.count; e++)
        assert_true(((double *)edges.values)[e] >= 0 && ((double *)edges.values)[e] <= tiny);
    sl_edges_free(&edges);
}

static void expect_invalid(bool integers, double least, double greatest, const char *message)
{
    const sl_model models[] = {SL_MODEL_KRONECKER, SL_MODEL_PATH};
    for (int m = 0; m < 2; m++) {
        const sl_generator model = {.model = models[m],
                                    .scale = 3,
                                    .vertices = 4,
                                    .weighted = true,
                                    .integer_weights = integers,
                                    .least_weight = least,
                                    .greatest_weight = greatest};
        sl_edges edges;
        assert_int_equal(sl_generate(&edges, ctx, &model), SL_INVALID);
        assert_string_equal(sl_context_message(ctx), message);
    }
}

static void invalid_ranges(void **state)
{
    (void)state;
    expect_invalid(false, 2, 1,
                   "generate: the weights are from 2 to 1; the second number must be above the "
                   "first, and both finite");
    expect_invalid(false, 3, 3,
                   "generate: the weights are from 3 to 3; the second number must be above the "
                   "first, and both finite");
    expect_invalid(false, 0, INFINITY,
                   "generate: the weights are from 0 to inf; the second number must be above the "
                   "first, and both finite");
    expect_invalid(false, -1e308, 1e308,
                   "generate: the weights are from -1e+308 to 1e+308; the second number must be "
                   "above the first, and both finite");
    expect_invalid(true, 0.5, 2,
                   "generate: the integer weights are from 0.5 to 2; both must be whole numbers "
                   "from -2^53 to 2^53, the first not above the second");
    expect_invalid(true, 1, 0x1p54,
                   "generate: the integer weights are from 1 to 18014398509481984; both must be "
                   "whole numbers from -2^53 to 2^53, the first not above the second");
    expect_invalid(true, 2, 1,
                   "generate: the integer weights are from 2 to 1; both must be whole numbers "
                   "from -2^53 to 2^53, the first not above the second");
    expect_invalid(true, NAN, 1,
                   "generate: the integer weights are from nan to 1; both must be whole numbers "
                   "from -2^53 to 2^53, the first not above the second");
}

/* An undirected graph has the same weight in both directions. */
static void mirror_entries_have_the_same_weight(void **state)
{
    (void)state;
    const sl_generator model = {.model = SL_MODEL_ROAD,
                                .side = {30, 20},
                                .weighted = true,
                                .integer_weights = true,
                                .least_weight = 1,
                                .greatest_weight = 255};
    const sl_read_options both = {.flags = SL_READ_SYMMETRIC};
    sl_matrix *A, *At;
    bool same = false;
    OK(ctx, sl_matrix_generate(&A, ctx, &model, &both));
    assert_int_equal(sl_matrix_type(A), SL_INT64);
    OK(ctx, sl_matrix_new(&At, ctx, SL_INT64, 600, 600));
    OK(ctx, sl_transpose(At, NULL, NULL, A, NULL));
    OK(ctx, sl_matrix_equal(&same, A, At));
    assert_true(same);
    sl_matrix_free(At);
    sl_matrix_free(A);
}

static sl_status generate_and_free(void *data)
{
    sl_edges edges;
    sl_status status = sl_generate(&edges, ctx, data);
    sl_edges_free(&edges);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    sl_generator grid = {.model = SL_MODEL_GRID, .side = {4, 4}, .weighted = true};
    assert_true(allocator_fail_each(generate_and_free, &grid) >= 3);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_uniform),
        cmocka_unit_test(reals_are_uniform),
        cmocka_unit_test(same_edges_and_weights),
        cmocka_unit_test(extreme_ranges),
        cmocka_unit_test(invalid_ranges),
        cmocka_unit_test(mirror_entries_have_the_same_weight),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
