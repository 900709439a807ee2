/* Statistics of the random models. */
#include <math.h>
#include <stdlib.h>

#include "io/generate/generate.h"
#include "models.h"

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
                 {1, 0.25, 1 /* 0.5 rounds up */}};
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
            const sl_scramble s = sl_scramble_make(sl_random_stream(key, 1), bits);
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

/*
 * With unscrambled labels, each bit of the two endpoints selects the quadrants with these
 * probabilities, independently of the other bits.
 */
static void assert_quadrants(const sl_generator *model, const double share[4])
{
    enum { SCALE = 13 };
    const uint64_t n = 1 << SCALE;
    static uint64_t label_of[1 << SCALE];
    const sl_scramble s = sl_scramble_make(sl_random_stream(3, 1), SCALE);
    for (uint64_t x = 0; x < n; x++)
        label_of[sl_scrambled(&s, x)] = x;
    sl_edges edges = generated((sl_generator){.model = SL_MODEL_KRONECKER,
                                              .seed = 3,
                                              .scale = SCALE,
                                              .edge_factor = 32,
                                              .a = model->a,
                                              .b = model->b,
                                              .c = model->c});
    const double count = (double)edges.count;
    for (unsigned bit = 0; bit < SCALE; bit++) {
        uint64_t hits[4] = {0},
                 follow[4] = {
                     0}; /* follow: quadrants of the next bit if this bit is in quadrant A */
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
            assert_true(fabs((double)hits[q] - share[q] * count) <=
                        5 * sqrt(count * share[q] * (1 - share[q])));
            double among = (double)hits[0];
            assert_true(fabs((double)follow[q] - share[q] * among) <=
                        5 * sqrt(among * share[q] * (1 - share[q])));
        }
    }
    sl_edges_free(&edges);
}

static void kronecker_quadrants(void **state)
{
    (void)state;
    static const double shares[][4] = {
        {.57, .19, .19, .05}, {.45, .15, .15, .25}, {.25, .25, .25, .25}, {.6, .3, .1, 0},
        {.5, 0, .5, 0},       {1, 0, 0, 0},         {.1, .7, .05, .15}};
    assert_quadrants(&(sl_generator){0}, shares[0]);
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
        assert_quadrants(&(sl_generator){.a = shares[k][0], .b = shares[k][1], .c = shares[k][2]},
                         shares[k]);
}

/* The probabilities of Graph500, given or not, make the same edges. */
static void default_quadrants(void **state)
{
    (void)state;
    sl_generator model = {.model = SL_MODEL_KRONECKER, .seed = 5, .scale = 12};
    sl_edges a = generated(model);
    model.a = 0.57;
    model.b = model.c = 0.19;
    sl_edges b = generated(model);
    assert_memory_equal(a.row, b.row, a.count * sizeof *a.row);
    assert_memory_equal(a.col, b.col, a.count * sizeof *a.col);
    sl_edges_free(&a);
    sl_edges_free(&b);
}

/*
 * The expected fraction of vertices without an edge to another vertex, in closed form: a vertex
 * with k ones in its label is the row of an edge with probability 0.76^(scale - k) 0.24^k, the same
 * for the column, and both (a self-loop) with probability 0.57^(scale - k) 0.05^k.
 */
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
    /* known values for large scales */
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

static void uniform_endpoints_are_uniform(void **state)
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
            assert_true(compare_pairs(pairs[e - 1], pairs[e]) < 0); /* no duplicates */
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

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kronecker_counts),    cmocka_unit_test(labels_are_a_bijection),
        cmocka_unit_test(kronecker_quadrants), cmocka_unit_test(default_quadrants),
        cmocka_unit_test(kronecker_degrees),   cmocka_unit_test(uniform_endpoints_are_uniform),
        cmocka_unit_test(road_network),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
