/* Generators: exact small graphs, sameness for any number of threads, and the
 * statistics of the random models. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include <semla/io.h>

#include "context.h"
#include "generate.h"

static sl_edges generated(sl_generator model)
{
    sl_edges edges;
    memset(&edges, 0xff, sizeof edges); /* what was there before must not matter */
    OK(ctx, sl_generate(&edges, ctx, &model));
    assert_int_equal(edges.nrows, edges.ncols);
    assert_int_equal(edges.type, SL_BOOL);
    assert_null(edges.values);
    assert_null(edges.ids);
    assert_int_equal(edges.mirror, SL_MIRROR_NONE);
    for (uint64_t e = 0; e < edges.count; e++)
        if (edges.row[e] >= edges.nrows || edges.col[e] >= edges.ncols)
            fail_msg("edge %llu leaves the graph", (unsigned long long)e);
    return edges;
}

/* The model is exactly these edges, given as pairs. */
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

/* Every pair of lattice neighbours once and nothing else, sides not alike. */
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

static const sl_generator ALL_MODELS[] = {
    {.model = SL_MODEL_KRONECKER, .seed = 7, .scale = 11, .edge_factor = 5.5},
    {.model = SL_MODEL_KRONECKER, .seed = 7, .scale = 12},
    {.model = SL_MODEL_UNIFORM, .seed = 7, .vertices = 1000, .edges = 10007},
    {.model = SL_MODEL_GRID, .side = {30, 41, 3}},
    {.model = SL_MODEL_PATH, .vertices = 5003},
    {.model = SL_MODEL_STAR, .vertices = 5003},
    {.model = SL_MODEL_COMPLETE, .vertices = 131},
    {.model = SL_MODEL_ROAD, .seed = 7, .side = {300, 200}},
};
enum { MODELS = sizeof ALL_MODELS / sizeof *ALL_MODELS };

static bool same(const sl_edges *a, const sl_edges *b)
{
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

static void seeds_make_graphs(void **state)
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

static void kronecker_counts(void **state)
{
    (void)state;
    const struct {
        unsigned scale;
        double factor;
        uint64_t edges;
    } cases[] = {{0, 0, 16},
                 {3, 0, 128},
                 {5, 2.5, 80},
                 {3, 0.3, 2},
                 {10, 1, 1024},
                 {4, 0.01, 0},
                 {1, 0.25, 1 /* .5 rounds up */}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sl_edges edges = generated((sl_generator){
            .model = SL_MODEL_KRONECKER, .scale = cases[i].scale, .edge_factor = cases[i].factor});
        assert_int_equal(edges.nrows, UINT64_C(1) << cases[i].scale);
        assert_int_equal(edges.count, cases[i].edges);
        sl_edges_free(&edges);
    }
}

static void labels_are_a_bijection(void **state)
{
    (void)state;
    static uint8_t seen[1 << 16];
    for (unsigned bits = 0; bits <= 16; bits++) {
        for (uint64_t key = 0; key < 5; key++) {
            const sl_scramble s = sl_scramble_make(sl_stream(key, 1), bits);
            uint64_t moved = 0;
            memset(seen, 0, sizeof seen);
            for (uint64_t x = 0; x < UINT64_C(1) << bits; x++) {
                uint64_t y = sl_scrambled(&s, x);
                assert_true(y < UINT64_C(1) << bits);
                assert_false(seen[y]);
                seen[y] = 1;
                moved += x != y;
            }
            if (bits >= 4)
                assert_true(moved > (UINT64_C(1) << bits) / 2);
        }
    }
}

/* Where labels are undone, each bit of the two ends falls into the quadrants
 * with the shares .57, .19, .19, .05, and the bits do so independently. */
static void kronecker_quadrants(void **state)
{
    (void)state;
    enum { SCALE = 13 };
    const uint64_t n = 1 << SCALE;
    static uint64_t label_of[1 << SCALE];
    const sl_scramble s = sl_scramble_make(sl_stream(3, 1), SCALE);
    for (uint64_t x = 0; x < n; x++)
        label_of[sl_scrambled(&s, x)] = x;
    sl_edges edges = generated(
        (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 3, .scale = SCALE, .edge_factor = 32});

    const double share[4] = {.57, .19, .19, .05}, count = (double)edges.count;
    for (unsigned bit = 0; bit < SCALE; bit++) {
        uint64_t hits[4] = {0}, follow[4] = {0}; /* follow: A at this bit, and at the next */
        for (uint64_t e = 0; e < edges.count; e++) {
            uint64_t row = label_of[edges.row[e]], col = label_of[edges.col[e]];
            unsigned next = (bit + 1) % SCALE;
            unsigned here = 2 * (row >> bit & 1) + (col >> bit & 1);
            hits[here]++;
            if (here == 0)
                follow[2 * (row >> next & 1) + (col >> next & 1)]++;
        }
        for (int q = 0; q < 4; q++) {
            /* five standard deviations of a binomial count */
            assert_true(fabs((double)hits[q] - share[q] * count) <
                        5 * sqrt(count * share[q] * (1 - share[q])));
            double among = (double)hits[0];
            assert_true(fabs((double)follow[q] - share[q] * among) <
                        5 * sqrt(among * share[q] * (1 - share[q])));
        }
    }
    sl_edges_free(&edges);
}

/* The expected share of vertices without an edge to another, in closed form: a
 * vertex whose label has k ones is the row of an edge with chance
 * .76^(scale - k) .24^k, the column alike, both (a loop) with .57^(scale-k) .05^k. */
static double expected_isolated(unsigned scale)
{
    const double edges = 16 * pow(2, scale);
    double share = 0, choose = pow(.5, scale);
    for (unsigned k = 0; k <= scale; k++) {
        double end = pow(.76, scale - k) * pow(.24, k), loop = pow(.57, scale - k) * pow(.05, k);
        share += choose * exp(edges * log1p(-2 * (end - loop)));
        choose = choose * (scale - k) / (k + 1);
    }
    return share;
}

static void kronecker_degrees(void **state)
{
    (void)state;
    /* the closed form gives the figures known for large scales */
    assert_true(fabs(expected_isolated(22) - .429) < .0006);
    assert_true(fabs(expected_isolated(26) - .511) < .0006);
    for (unsigned scale = 14; scale <= 16; scale++) {
        sl_edges edges =
            generated((sl_generator){.model = SL_MODEL_KRONECKER, .seed = 5, .scale = scale});
        uint64_t *degree = test_calloc(edges.nrows, sizeof *degree), isolated = 0, most = 0;
        uint64_t loops = 0;
        for (uint64_t e = 0; e < edges.count; e++) {
            bool loop = edges.row[e] == edges.col[e];
            loops += loop;
            degree[edges.row[e]] += !loop;
            degree[edges.col[e]] += !loop;
        }
        for (uint64_t v = 0; v < edges.nrows; v++) {
            isolated += degree[v] == 0;
            most = degree[v] > most ? degree[v] : most;
        }
        double share = (double)isolated / (double)edges.nrows;
        double hub = 2 * (double)edges.count * (pow(.76, scale) - pow(.57, scale));
        assert_true(fabs(share / expected_isolated(scale) - 1) < .03);
        assert_true(fabs((double)most / hub - 1) < .05);
        assert_true(loops > 0);
        test_free(degree);
        sl_edges_free(&edges);
    }
}

static void uniform_ends_are_uniform(void **state)
{
    (void)state;
    enum { N = 10 };
    const uint64_t count = 100000;
    sl_edges edges =
        generated((sl_generator){.model = SL_MODEL_UNIFORM, .vertices = N, .edges = count});
    assert_int_equal(edges.count, count);
    uint64_t hits[N][N] = {{0}};
    for (uint64_t e = 0; e < count; e++)
        hits[edges.row[e]][edges.col[e]]++;
    double chi = 0, expected = (double)count / (N * N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            chi += pow((double)hits[i][j] - expected, 2) / expected;
    /* 99 degrees of freedom: mean 99, standard deviation 14 */
    assert_true(chi > 50 && chi < 170);
    sl_edges_free(&edges);
}

static uint64_t find(uint64_t *up, uint64_t v)
{
    for (; up[v] != v; v = up[v])
        up[v] = up[up[v]];
    return v;
}

static int compare_pairs(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static void road_network(void **state)
{
    (void)state;
    const uint64_t side[][2] = {{200, 300}, {1, 50}, {50, 1}, {9, 9}, {2, 500}};
    for (size_t i = 0; i < sizeof side / sizeof *side; i++) {
        const uint64_t n = side[i][0] * side[i][1], width = side[i][1];
        sl_edges edges = generated(
            (sl_generator){.model = SL_MODEL_ROAD, .seed = 11, .side = {side[i][0], width}});
        assert_int_equal(edges.nrows, n);
        uint64_t *up = test_calloc(n, sizeof *up), parts = n, far = 0;
        uint64_t(*pairs)[2] = test_calloc(edges.count, sizeof *pairs);
        for (uint64_t v = 0; v < n; v++)
            up[v] = v;
        for (uint64_t e = 0; e < edges.count; e++) {
            uint64_t u = edges.row[e], v = edges.col[e];
            assert_true(u < v);
            long long down = (long long)(v / width) - (long long)(u / width);
            long long aside = (long long)(v % width) - (long long)(u % width);
            assert_true(down <= 8 && aside >= -8 && aside <= 8);
            far += down + llabs(aside) > 1;
            if (down < 2)
                assert_int_equal(down + llabs(aside), 1);
            uint64_t a = find(up, u), b = find(up, v);
            parts -= a != b;
            up[a] = b;
            pairs[e][0] = u;
            pairs[e][1] = v;
        }
        assert_int_equal(parts, 1); /* connected */
        qsort(pairs, edges.count, sizeof *pairs, compare_pairs);
        for (uint64_t e = 1; e < edges.count; e++)
            assert_true(compare_pairs(pairs[e - 1], pairs[e]) < 0); /* each once */
        if (n > 10000) {
            double degree = 2 * (double)edges.count / (double)n;
            assert_true(degree > 2.4 && degree < 2.8);
            assert_true(far > n / 512 && far < n / 128);
        }
        test_free(pairs);
        test_free(up);
        sl_edges_free(&edges);
    }
}

static void assert_refused(sl_generator model, const char *message)
{
    sl_edges edges;
    memset(&edges, 0xff, sizeof edges);
    assert_int_equal(sl_generate(&edges, ctx, &model), SL_INVALID);
    assert_string_equal(sl_context_message(ctx), message);
    const sl_edges zero = {0};
    assert_memory_equal(&edges, &zero, sizeof edges);
}

static void wrong_sizes(void **state)
{
    (void)state;
    const uint64_t big = UINT64_C(1) << 32;
    assert_refused((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 41},
                   "generate: scale 41, the limit is 40");
    assert_refused((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 4, .edge_factor = -1},
                   "generate: edge factor -1 is not a positive number");
    assert_refused((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 4, .edge_factor = NAN},
                   "generate: edge factor nan is not a positive number");
    assert_refused((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 4, .edge_factor = INFINITY},
                   "generate: edge factor inf is not a positive number");
    assert_refused((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 40, .edge_factor = 1e9},
                   "generate: 1.09951e+21 edges (edge factor 1e+09, scale 40), the limit is 2^60");
    assert_refused((sl_generator){.model = SL_MODEL_UNIFORM, .edges = 3},
                   "generate: a uniform graph needs at least 1 vertex");
    assert_refused((sl_generator){.model = SL_MODEL_UNIFORM, .vertices = 3, .edges = UINT64_MAX},
                   "generate: 18446744073709551615 edges, the limit is 2^60");
    assert_refused((sl_generator){.model = SL_MODEL_UNIFORM, .vertices = UINT64_MAX},
                   "generate: 18446744073709551615 vertices, the limit is 2^60");
    assert_refused((sl_generator){.model = SL_MODEL_PATH},
                   "generate: a path needs at least 1 vertex");
    assert_refused((sl_generator){.model = SL_MODEL_PATH, .vertices = (UINT64_C(1) << 60) + 1},
                   "generate: 1152921504606846977 vertices, the limit is 2^60");
    assert_refused((sl_generator){.model = SL_MODEL_STAR},
                   "generate: a star needs at least 1 vertex");
    assert_refused((sl_generator){.model = SL_MODEL_COMPLETE},
                   "generate: a complete graph needs at least 1 vertex");
    assert_refused((sl_generator){.model = SL_MODEL_COMPLETE, .vertices = big},
                   "generate: a complete graph of 4294967296 vertices has more edges than the "
                   "limit, 2^60");
    assert_refused((sl_generator){.model = SL_MODEL_COMPLETE, .vertices = UINT64_MAX},
                   "generate: a complete graph of 18446744073709551615 vertices has more edges "
                   "than the limit, 2^60");
    assert_refused((sl_generator){.model = SL_MODEL_GRID, .side = {0, 3}},
                   "generate: side 0 of the grid is 0");
    assert_refused((sl_generator){.model = SL_MODEL_GRID, .side = {3, 0}},
                   "generate: side 1 of the grid is 0");
    assert_refused((sl_generator){.model = SL_MODEL_GRID, .side = {big, big}},
                   "generate: a grid of 4294967296 x 4294967296 x 1 has more vertices than the "
                   "limit, 2^60");
    assert_refused((sl_generator){.model = SL_MODEL_GRID, .side = {1 << 20, 1 << 20, 1 << 21}},
                   "generate: a grid of 1048576 x 1048576 x 2097152 has more vertices than the "
                   "limit, 2^60");
    /* 2^60 vertices would do, but not the 3 * 2^60 edges */
    assert_refused((sl_generator){.model = SL_MODEL_GRID, .side = {1 << 20, 1 << 20, 1 << 20}},
                   "generate: 3458761215285657600 edges, the limit is 2^60");
    assert_refused((sl_generator){.model = SL_MODEL_ROAD, .side = {0, 3}},
                   "generate: side 0 of the road network is 0");
    assert_refused((sl_generator){.model = SL_MODEL_ROAD, .side = {3, 0}},
                   "generate: side 1 of the road network is 0");
    assert_refused((sl_generator){.model = SL_MODEL_ROAD, .side = {3, 3, 3}},
                   "generate: a road network has two sides; the third is 3");
    assert_refused((sl_generator){.model = SL_MODEL_ROAD, .side = {big, big}},
                   "generate: a road network of 4294967296 x 4294967296 vertices may have more "
                   "edges than the limit, 2^60");
    assert_refused((sl_generator){.model = (sl_model)99}, "generate: 99 is not a model");
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

static void memory_runs_out(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        sl_generator model = ALL_MODELS[m];
        assert_true(allocator_fail_each(generate_and_free, &model) >= 2);
    }
}

/* ---- matrices ------------------------------------------------------------------- */

static void assert_same_matrix(const sl_generator *model, const sl_read_options *options)
{
    sl_edges edges;
    sl_matrix *A, *B;
    bool same, symmetric = false;
    OK(ctx, sl_generate(&edges, ctx, model));
    OK(ctx, sl_matrix_from_edges(&A, ctx, &edges, options));
    OK(ctx, sl_matrix_generate(&B, ctx, model, options));
    OK(ctx, sl_matrix_equal(&same, A, B));
    assert_true(same);
    OK(ctx, sl_matrix_is_symmetric(&symmetric, B));
    assert_true(symmetric || !options || !(options->flags & SL_READ_SYMMETRIC));
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_edges_free(&edges);
}

static void matrices_of_models(void **state)
{
    (void)state;
    static const unsigned flags[] = {0, SL_READ_SYMMETRIC, SL_READ_SYMMETRIC | SL_READ_NO_LOOPS,
                                     SL_READ_TRANSPOSED};
    for (int m = 0; m < MODELS; m++) {
        assert_same_matrix(&ALL_MODELS[m], NULL);
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
            assert_same_matrix(&ALL_MODELS[m], &(sl_read_options){.flags = flags[f]});
    }
}

static void refused_matrices(void **state)
{
    (void)state;
    const sl_generator path = {.model = SL_MODEL_PATH, .vertices = 3},
                       loops = {.model = SL_MODEL_UNIFORM, .vertices = 1, .edges = 2},
                       huge = {.model = SL_MODEL_KRONECKER, .scale = 41};
    sl_matrix *A;
    sl_vector *ends, *joined;
    assert_int_equal(sl_matrix_generate(NULL, ctx, &path, NULL), SL_INVALID);
    assert_int_equal(sl_matrix_generate(&A, ctx, NULL, NULL), SL_INVALID);
    assert_null(A);
    assert_int_equal(sl_matrix_generate(&A, ctx, &huge, NULL), SL_INVALID);
    assert_null(A);
    assert_non_null(strstr(sl_context_message(ctx), "scale 41"));
    const sl_read_options once = {.duplicates = SL_DUPLICATES_ERROR};
    assert_int_equal(sl_matrix_generate(&A, ctx, &loops, &once), SL_SYNTAX);
    assert_null(A);
    /* A path's tuples are nobody's to make one by one. */
    assert_false(sl_generates(ctx, &path));
    assert_false(sl_generates(NULL, &path));
    assert_false(sl_generates(ctx, &huge));
    assert_int_equal(sl_generator_ends(&ends, &joined, ctx, &path), SL_UNSUPPORTED);
    assert_null(ends);
    assert_null(joined);
    assert_int_equal(sl_generator_ends(&ends, &joined, ctx, &huge), SL_INVALID);
    assert_int_equal(sl_generator_ends(NULL, &joined, ctx, &path), SL_INVALID);
    assert_int_equal(sl_generator_check_tree(NULL, NULL, &path, 0), SL_INVALID);
}

static sl_status matrix_and_free(void *data)
{
    sl_matrix *A;
    sl_status status = sl_matrix_generate(&A, ctx, data, NULL);
    sl_matrix_free(A);
    return status;
}

static void matrices_without_memory(void **state)
{
    (void)state;
    sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 5};
    assert_true(allocator_fail_each(matrix_and_free, &model) >= 2);
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
        cmocka_unit_test(seeds_make_graphs),
        cmocka_unit_test(kronecker_counts),
        cmocka_unit_test(labels_are_a_bijection),
        cmocka_unit_test(kronecker_quadrants),
        cmocka_unit_test(kronecker_degrees),
        cmocka_unit_test(uniform_ends_are_uniform),
        cmocka_unit_test(road_network),
        cmocka_unit_test(wrong_sizes),
        cmocka_unit_test(null_arguments),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(matrices_of_models),
        cmocka_unit_test(refused_matrices),
        cmocka_unit_test(matrices_without_memory),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
