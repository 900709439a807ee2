/* Generators: exact small graphs, independence of the number of threads, invalid sizes. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "models.h"

/* Checks that the model has exactly these edges, given as pairs. */
static void assert_edges(sl_generator model, uint64_t vertices, uint64_t count,
                         const uint64_t *pairs)
{
    sl_edges edges = generated(model);
    assert_int_equal(edges.nrows, vertices);
    assert_int_equal(edges.count, count);
    for (uint64_t e = 0; e < count; e++) {
        assert_int_equal(edges.row[e], pairs[2 * e]);
        assert_int_equal(edges.col[e], pairs[2 * e + 1]);
    }
    sl_edges_free(&edges);
}

#define EDGES(...)                                                                                 \
    sizeof((uint64_t[]){__VA_ARGS__}) / (2 * sizeof(uint64_t)), (uint64_t[])                       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static void small_graphs(void **state)
{
    (void)state;
    assert_edges((sl_generator){.model = SL_MODEL_PATH, .vertices = 4}, 4, EDGES(0, 1, 1, 2, 2, 3));
    assert_edges((sl_generator){.model = SL_MODEL_STAR, .vertices = 4}, 4, EDGES(0, 1, 0, 2, 0, 3));
    assert_edges((sl_generator){.model = SL_MODEL_COMPLETE, .vertices = 4}, 4,
                 EDGES(0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3));
    /*  0 - 1 - 2
     *  |   |   |
     *  3 - 4 - 5  */
    assert_edges((sl_generator){.model = SL_MODEL_GRID, .side = {2, 3}}, 6,
                 EDGES(0, 1, 1, 2, 3, 4, 4, 5, 0, 3, 1, 4, 2, 5));
    assert_edges((sl_generator){.model = SL_MODEL_GRID, .side = {2, 2, 2}}, 8,
                 EDGES(0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7));
    assert_edges((sl_generator){.model = SL_MODEL_GRID, .side = {1, 3, 1}}, 3, EDGES(0, 1, 1, 2));
    assert_edges((sl_generator){.model = SL_MODEL_GRID, .side = {3, 1}}, 3, EDGES(0, 1, 1, 2));
}

static void single_vertices(void **state)
{
    (void)state;
    assert_edges((sl_generator){.model = SL_MODEL_PATH, .vertices = 1}, 1, 0, NULL);
    assert_edges((sl_generator){.model = SL_MODEL_STAR, .vertices = 1}, 1, 0, NULL);
    assert_edges((sl_generator){.model = SL_MODEL_COMPLETE, .vertices = 1}, 1, 0, NULL);
    assert_edges((sl_generator){.model = SL_MODEL_GRID, .side = {1, 1, 1}}, 1, 0, NULL);
    assert_edges((sl_generator){.model = SL_MODEL_ROAD, .side = {1, 1}}, 1, 0, NULL);
    assert_edges((sl_generator){.model = SL_MODEL_UNIFORM, .vertices = 3}, 3, 0, NULL);
    assert_edges((sl_generator){.model = SL_MODEL_UNIFORM, .vertices = 1, .edges = 2}, 1,
                 EDGES(0, 0, 0, 0));
    assert_edges((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 0, .edge_factor = 2}, 1,
                 EDGES(0, 0, 0, 0));
}

/* Each pair of lattice neighbours occurs once, with sides of different lengths. */
static void grid_in_three_dimensions(void **state)
{
    (void)state;
    sl_edges edges = generated((sl_generator){.model = SL_MODEL_GRID, .side = {3, 4, 5}});
    assert_int_equal(edges.nrows, 60);
    assert_int_equal(edges.count, 2 * 4 * 5 + 3 * 3 * 5 + 3 * 4 * 4);
    static bool seen[60][60];
    memset(seen, 0, sizeof seen);
    for (uint64_t e = 0; e < edges.count; e++) {
        uint64_t u = edges.row[e], v = edges.col[e];
        assert_true(u < v && !seen[u][v]);
        seen[u][v] = true;
        int down = abs((int)(v / 20) - (int)(u / 20));
        int along = abs((int)(v / 5 % 4) - (int)(u / 5 % 4));
        int across = abs((int)(v % 5) - (int)(u % 5));
        assert_int_equal(down + along + across, 1);
    }
    sl_edges_free(&edges);
}

static void complete_graph_has_each_pair_once(void **state)
{
    (void)state;
    sl_edges edges = generated((sl_generator){.model = SL_MODEL_COMPLETE, .vertices = 100});
    assert_int_equal(edges.count, 4950);
    uint64_t e = 0;
    for (uint64_t i = 0; i < 100; i++)
        for (uint64_t j = i + 1; j < 100; j++, e++) {
            assert_int_equal(edges.row[e], i);
            assert_int_equal(edges.col[e], j);
        }
    sl_edges_free(&edges);
}

static bool same(const sl_edges *a, const sl_edges *b)
{
    if (a->values && memcmp(a->values, b->values, a->count * sizeof(double)) != 0)
        return false;
    return a->count == b->count && a->nrows == b->nrows &&
           memcmp(a->row, b->row, a->count * sizeof *a->row) == 0 &&
           memcmp(a->col, b->col, a->count * sizeof *a->col) == 0;
}

static void same_for_any_number_of_threads(void **state)
{
    (void)state;
    const int threads[] = {2, 3, 7};
    int before = omp_get_max_threads();
    for (int m = 0; m < MODELS; m++) {
        omp_set_num_threads(1);
        sl_edges one = generated(ALL_MODELS[m]);
        for (size_t t = 0; t < 3; t++) {
            omp_set_num_threads(threads[t]);
            sl_edges many = generated(ALL_MODELS[m]);
            if (!same(&one, &many))
                fail_msg("model %d differs with %d threads", m, threads[t]);
            sl_edges_free(&many);
        }
        sl_edges_free(&one);
    }
    omp_set_num_threads(before);
}

static void seed_determines_graph(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        sl_generator other = ALL_MODELS[m];
        sl_edges a = generated(other);
        sl_edges again = generated(other);
        other.seed += 1;
        sl_edges b = generated(other);
        assert_true(same(&a, &again));
        bool random = other.model == SL_MODEL_KRONECKER || other.model == SL_MODEL_UNIFORM ||
                      other.model == SL_MODEL_ROAD;
        assert_int_equal(same(&a, &b), !random);
        sl_edges_free(&a);
        sl_edges_free(&again);
        sl_edges_free(&b);
    }
}

/* Weights change neither edges nor order; they are multiples of 2^-24 in [0, 1), uniform by the
 * moments of their distribution, and the same for any number of threads. */
static void weights(void **state)
{
    (void)state;
    const sl_generator plain[] = {
        {.model = SL_MODEL_KRONECKER, .seed = 3, .scale = 12},
        {.model = SL_MODEL_UNIFORM, .seed = 3, .vertices = 500, .edges = 65536},
    };
    const int before = omp_get_max_threads();
    for (int m = 0; m < 2; m++) {
        sl_generator model = plain[m];
        sl_edges bare = generated(model);
        model.weighted = true;
        assert_false(sl_generator_supported(ctx, &model));
        omp_set_num_threads(1);
        sl_edges edges = generated(model);
        omp_set_num_threads(7);
        sl_edges again = generated(model);
        omp_set_num_threads(before);
        model.seed++;
        sl_edges other = generated(model);
        assert_true(same(&bare, &edges) && same(&edges, &again));
        assert_true(bare.values == NULL && edges.type == SL_FP64);
        const double *w = edges.values, n = (double)edges.count;
        assert_memory_not_equal(w, other.values, edges.count * sizeof *w);
        double sum = 0, squares = 0, neighbours = 0;
        for (uint64_t e = 0; e < edges.count; e++) {
            const double steps = w[e] * 0x1p24;
            assert_true(w[e] >= 0 && w[e] < 1 && steps == floor(steps));
            sum += w[e];
            squares += w[e] * w[e];
            neighbours += w[e] * w[(e + 1) % edges.count];
        }
        assert_true(fabs(sum / n - 1. / 2) < 0.01 && fabs(squares / n - 1. / 3) < 0.01 &&
                    fabs(neighbours / n - 1. / 4) < 0.01);
        sl_edges_free(&bare);
        sl_edges_free(&edges);
        sl_edges_free(&again);
        sl_edges_free(&other);
    }
}

/* The matrix of an undirected weighted graph is symmetric and has the least weight of duplicates. */
static void weighted_matrix(void **state)
{
    (void)state;
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 5, .weighted = true};
    const sl_read_options least = {.flags = SL_READ_SYMMETRIC, .duplicates = SL_DUPLICATES_MIN};
    double right[32][32];
    sl_edges edges = generated(model);
    sl_matrix *A;
    for (int i = 0; i < 32 * 32; i++)
        right[i / 32][i % 32] = INFINITY;
    for (uint64_t e = 0; e < edges.count; e++) {
        const double w = ((const double *)edges.values)[e];
        const uint64_t u = edges.row[e], v = edges.col[e];
        right[u][v] = right[v][u] = fmin(w, right[u][v]);
    }
    OK(ctx, sl_matrix_generate(&A, ctx, &model, &least));
    for (uint64_t u = 0; u < 32; u++)
        for (uint64_t v = 0; v < 32; v++) {
            sl_scalar w = sl_scalar_fp64(INFINITY);
            const sl_status status = sl_matrix_get(&w, A, u, v);
            assert_true(status == SL_OK || status == SL_NO_VALUE);
            assert_true(w.as.fp64_ == right[u][v]);
        }
    sl_matrix_free(A);
    sl_edges_free(&edges);
}

static void expect_invalid(sl_generator model, const char *message)
{
    sl_edges edges;
    memset(&edges, 0xff, sizeof edges);
    assert_int_equal(sl_generate(&edges, ctx, &model), SL_INVALID);
    assert_string_equal(sl_context_message(ctx), message);
    const sl_edges zero = {0};
    assert_memory_equal(&edges, &zero, sizeof edges);
}

static void invalid_sizes(void **state)
{
    (void)state;
    const uint64_t big = UINT64_C(1) << 32;
    expect_invalid((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 41},
                   "generate: scale 41 is above the limit 40");
    expect_invalid((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 4, .edge_factor = -1},
                   "generate: edge factor is -1; must be a positive number");
    expect_invalid((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 4, .edge_factor = NAN},
                   "generate: edge factor is nan; must be a positive number");
    expect_invalid((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 4, .edge_factor = INFINITY},
                   "generate: edge factor is inf; must be a positive number");
    expect_invalid(
        (sl_generator){.model = SL_MODEL_KRONECKER, .scale = 40, .edge_factor = 1e9},
        "generate: 1.09951e+21 edges (edge factor 1e+09, scale 40) are above the limit 2^60");
    expect_invalid((sl_generator){.model = SL_MODEL_UNIFORM, .edges = 3},
                   "generate: a uniform graph needs at least 1 vertex");
    expect_invalid((sl_generator){.model = SL_MODEL_UNIFORM, .vertices = 3, .edges = UINT64_MAX},
                   "generate: 18446744073709551615 edges are above the limit 2^60");
    expect_invalid((sl_generator){.model = SL_MODEL_UNIFORM, .vertices = UINT64_MAX},
                   "generate: 18446744073709551615 vertices are above the limit 2^60");
    expect_invalid(
        (sl_generator){.model = SL_MODEL_KRONECKER, .scale = 4, .a = .5, .b = .6},
        "generate: the probabilities of quadrants are a = 0.5, b = 0.6, c = 0; a must be "
        "above 0, b and c at least 0, and their sum at most 1");
    expect_invalid((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 4, .b = .6},
                   "generate: the probabilities of quadrants are a = 0, b = 0.6, c = 0; a must be "
                   "above 0, b and c at least 0, and their sum at most 1");
    expect_invalid((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 4, .a = .6, .c = -.1},
                   "generate: the probabilities of quadrants are a = 0.6, b = 0, c = -0.1; a must "
                   "be above 0, b and c at least 0, and their sum at most 1");
    expect_invalid((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 4, .a = NAN},
                   "generate: the probabilities of quadrants are a = nan, b = 0, c = 0; a must be "
                   "above 0, b and c at least 0, and their sum at most 1");
    expect_invalid((sl_generator){.model = SL_MODEL_PATH},
                   "generate: a path needs at least 1 vertex");
    expect_invalid((sl_generator){.model = SL_MODEL_PATH, .vertices = (UINT64_C(1) << 60) + 1},
                   "generate: 1152921504606846977 vertices are above the limit 2^60");
    expect_invalid((sl_generator){.model = SL_MODEL_STAR},
                   "generate: a star needs at least 1 vertex");
    expect_invalid((sl_generator){.model = SL_MODEL_COMPLETE},
                   "generate: a complete graph needs at least 1 vertex");
    expect_invalid((sl_generator){.model = SL_MODEL_COMPLETE, .vertices = big},
                   "generate: a complete graph of 4294967296 vertices has more edges than the "
                   "limit, 2^60");
    expect_invalid((sl_generator){.model = SL_MODEL_COMPLETE, .vertices = UINT64_MAX},
                   "generate: a complete graph of 18446744073709551615 vertices has more edges "
                   "than the limit, 2^60");
    expect_invalid((sl_generator){.model = SL_MODEL_GRID, .side = {0, 3}},
                   "generate: side 0 of the grid is 0; must be at least 1");
    expect_invalid((sl_generator){.model = SL_MODEL_GRID, .side = {3, 0}},
                   "generate: side 1 of the grid is 0; must be at least 1");
    expect_invalid((sl_generator){.model = SL_MODEL_GRID, .side = {big, big}},
                   "generate: a grid of 4294967296 x 4294967296 x 1 has more vertices than the "
                   "limit, 2^60");
    expect_invalid((sl_generator){.model = SL_MODEL_GRID, .side = {1 << 20, 1 << 20, 1 << 21}},
                   "generate: a grid of 1048576 x 1048576 x 2097152 has more vertices than the "
                   "limit, 2^60");
    /* 2^60 vertices are allowed, 3 * 2^60 edges are not */
    expect_invalid((sl_generator){.model = SL_MODEL_GRID, .side = {1 << 20, 1 << 20, 1 << 20}},
                   "generate: 3458761215285657600 edges are above the limit 2^60");
    expect_invalid((sl_generator){.model = SL_MODEL_ROAD, .side = {0, 3}},
                   "generate: side 0 of the road network is 0; must be at least 1");
    expect_invalid((sl_generator){.model = SL_MODEL_ROAD, .side = {3, 0}},
                   "generate: side 1 of the road network is 0; must be at least 1");
    expect_invalid((sl_generator){.model = SL_MODEL_ROAD, .side = {3, 3, 3}},
                   "generate: a road network has two sides; the third is 3");
    expect_invalid((sl_generator){.model = SL_MODEL_ROAD, .side = {big, big}},
                   "generate: a road network of 4294967296 x 4294967296 vertices may have more "
                   "edges than the limit, 2^60");
    expect_invalid((sl_generator){.model = (sl_model)99}, "generate: unknown model 99");
}

static void null_arguments(void **state)
{
    (void)state;
    const sl_generator path = {.model = SL_MODEL_PATH, .vertices = 3};
    sl_edges edges;
    assert_int_equal(sl_generate(NULL, ctx, &path), SL_INVALID);
    assert_string_equal(sl_context_message(ctx), "generate: edges is NULL");
    assert_int_equal(sl_generate(&edges, ctx, NULL), SL_INVALID);
    assert_string_equal(sl_context_message(ctx), "generate: model is NULL");
    assert_int_equal(sl_generate(&edges, NULL, &path), SL_INVALID);
}

/* A list that is larger than the memory is refused before it is allocated; the message has both
 * numbers. */
static void more_than_the_memory(void **state)
{
    (void)state;
    const uint64_t edges = UINT64_C(1) << 50;
    const sl_generator huge = {.model = SL_MODEL_UNIFORM, .vertices = 1 << 20, .edges = edges};
    const sl_edges zero = {0};
    sl_edges list;
    sl_matrix *A;
    unsigned long long count, needed, present;
    for (int as_matrix = 0; as_matrix < 2; as_matrix++) {
        const sl_status status =
            as_matrix ? sl_matrix_generate(&A, ctx, &huge, NULL) : sl_generate(&list, ctx, &huge);
        assert_int_equal(status, SL_NO_MEMORY);
        assert_int_equal(sscanf(sl_context_message(ctx),
                                "generate: no memory for %llu edges: their list needs %llu bytes, "
                                "and %llu bytes are present",
                                &count, &needed, &present),
                         3);
        assert_int_equal(count, edges);
        assert_int_equal(needed, 16 * edges);
        assert_true(present > 0 && present < needed);
    }
    assert_null(A);
    assert_memory_equal(&list, &zero, sizeof list);
}

static sl_status generate_and_free(void *data)
{
    sl_edges edges;
    sl_status status = sl_generate(&edges, ctx, data);
    if (status != SL_OK) {
        const sl_edges zero = {0};
        assert_memory_equal(&edges, &zero, sizeof edges);
        assert_non_null(strstr(sl_context_message(ctx), "generate: no memory for "));
    }
    sl_edges_free(&edges);
    return status;
}

static void allocation_failures(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        sl_generator model = ALL_MODELS[m];
        assert_true(allocator_fail_each(generate_and_free, &model) >= 2);
    }
    sl_generator weighted = {.model = SL_MODEL_KRONECKER, .scale = 4, .weighted = true};
    assert_true(allocator_fail_each(generate_and_free, &weighted) >= 3);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),
        cmocka_unit_test(single_vertices),
        cmocka_unit_test(grid_in_three_dimensions),
        cmocka_unit_test(complete_graph_has_each_pair_once),
        cmocka_unit_test(same_for_any_number_of_threads),
        cmocka_unit_test(seed_determines_graph),
        cmocka_unit_test(weights),
        cmocka_unit_test(weighted_matrix),
        cmocka_unit_test(invalid_sizes),
        cmocka_unit_test(more_than_the_memory),
        cmocka_unit_test(null_arguments),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, make_host_context, free_context);
}
