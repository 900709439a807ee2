/*
 * Every algorithm on every engine that is present, on graphs of all models, on corner cases and on
 * random graphs; each result passes its check. SEMLA_TEST_SEED repeats one seed.
 */
#include "check_all.h"

#include <stdio.h>
#include <string.h>

static sl_context *generator; /* of the edges */

/* Checks a graph on each engine that is present. */
static void check_edges(const char *name, const sl_edges *edges, unsigned flags, uint64_t seed)
{
    sl_engine_info engine;
    for (size_t k = 0; next_engine(&engine, &k);) {
        subject s;
        subject_make(&s, name, engine.choice, edges, flags, seed);
        subject_check(&s);
        subject_free(&s);
    }
}

/* ---- models ------------------------------------------------------------- */

static void models(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        sl_generator model;
    } models[] = {
        {"kronecker:8", {.model = SL_MODEL_KRONECKER, .scale = 8}},
        {"kronecker:6,edgefactor=2", {.model = SL_MODEL_KRONECKER, .scale = 6, .edge_factor = 2}},
        {"uniform:300,375", {.model = SL_MODEL_UNIFORM, .vertices = 300, .edges = 375}},
        {"uniform:150,1700", {.model = SL_MODEL_UNIFORM, .vertices = 150, .edges = 1700}},
        {"grid:11x14", {.model = SL_MODEL_GRID, .side = {11, 14}}},
        {"grid:4x5x6", {.model = SL_MODEL_GRID, .side = {4, 5, 6}}},
        {"path:70", {.model = SL_MODEL_PATH, .vertices = 70}},
        {"star:99", {.model = SL_MODEL_STAR, .vertices = 99}},
        {"complete:30", {.model = SL_MODEL_COMPLETE, .vertices = 30}},
        {"road:16x16", {.model = SL_MODEL_ROAD, .side = {16, 16}}},
    };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (int directed = 0; directed < 2; directed++) {
            sl_generator model = models[k].model;
            sl_edges edges;
            model.seed = 10 + k;
            OK(generator, sl_generate(&edges, generator, &model));
            check_edges(models[k].name, &edges, directed ? 0 : SL_READ_SYMMETRIC, 77 * k + 1);
            sl_edges_free(&edges);
        }
}

/* ---- corner cases ------------------------------------------------------- */

/* Checks the graph of `count` pairs (from, to), directed and with mirror edges. */
static void check_pairs(const char *name, uint64_t n, const uint64_t *pairs, uint64_t count)
{
    sl_edges edges = {.nrows = n, .ncols = n, .count = count, .type = SL_BOOL};
    edges.row = sl_malloc((count + 1) * sizeof(uint64_t));
    edges.col = sl_malloc((count + 1) * sizeof(uint64_t));
    for (uint64_t k = 0; k < count; k++) {
        edges.row[k] = pairs[2 * k];
        edges.col[k] = pairs[2 * k + 1];
    }
    check_edges(name, &edges, 0, 3);
    check_edges(name, &edges, SL_READ_SYMMETRIC, 4);
    sl_edges_free(&edges);
}
#define CHECK_PAIRS(name, n, ...)                                                                  \
    check_pairs(name, n, (const uint64_t[]){__VA_ARGS__},                                          \
                sizeof((const uint64_t[]){__VA_ARGS__}) / 16)

static void shapes(void **state)
{
    (void)state;
    check_pairs("one vertex", 1, NULL, 0);
    check_pairs("two isolated", 2, NULL, 0);
    check_pairs("70 isolated", 70, NULL, 0);
    CHECK_PAIRS("a self-loop", 1, 0, 0);
    CHECK_PAIRS("self-loops only", 4, 0, 0, 1, 1, 3, 3);
    CHECK_PAIRS("an edge and an isolated vertex", 3, 2, 1);
    CHECK_PAIRS("an edge many times", 2, 0, 1, 0, 1, 1, 0, 0, 1);
    CHECK_PAIRS("a triangle with loops", 4, 0, 1, 1, 2, 2, 0, 0, 0, 2, 2);
    CHECK_PAIRS("an odd cycle far from 0", 9, 8, 7, 7, 6, 6, 5, 5, 4, 4, 8, 0, 1);
    CHECK_PAIRS("an even cycle, then a loop", 7, 0, 1, 1, 2, 2, 3, 3, 0, 3, 4, 4, 4, 5, 6);
    CHECK_PAIRS("edges to lower vertices", 6, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0);
    CHECK_PAIRS("in and out of a hub", 7, 6, 0, 6, 1, 2, 6, 3, 6, 4, 6, 6, 5);
    CHECK_PAIRS("two cliques and a bridge", 8, 0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3, 4, 5, 4, 6, 4, 7,
                5, 6, 5, 7, 6, 7, 3, 4);
}

/* A hub and a long rim: triangles with skewed degrees. */
static void wheel(void **state)
{
    (void)state;
    enum { N = 120, HUB = 60 };
    uint64_t pairs[4 * N], count = 0;
    for (uint64_t v = 0; v < N; v++) {
        const uint64_t next = v + 1 == HUB ? v + 2 : v + 1;
        if (v == HUB)
            continue;
        pairs[2 * count] = v;
        pairs[2 * count++ + 1] = HUB;
        if (next < N && v % 7 != 0) {
            pairs[2 * count] = v;
            pairs[2 * count++ + 1] = next;
        }
    }
    check_pairs("a wheel", N, pairs, count);
}

/* Many small random graphs, sparse and dense. */
static void small_random(void **state)
{
    (void)state;
    const test_seeds seeds = test_seeds_from(1, 60);
    for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
        uint64_t random = seed, pairs[2 * 60];
        uint64_t n = 1 + test_random(&random) % 12, count = test_random(&random) % 60;
        for (uint64_t k = 0; k < 2 * count; k++)
            pairs[k] = test_random(&random) % n;
        char name[60];
        snprintf(name, sizeof name, "SEMLA_TEST_SEED=%d", (int)seed);
        check_pairs(name, n, pairs, count);
    }
}

int main(void)
{
    if (sl_context_create(&generator, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(wheel),
        cmocka_unit_test(small_random),
        cmocka_unit_test(models),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(generator);
    return failed;
}
