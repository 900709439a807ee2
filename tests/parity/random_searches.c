/*
 * 200 seeded random searches, directed and undirected, from 1 to 2^22 vertices, of all generated
 * models, over the semirings of searches, with and without targets and bounds, on every engine that
 * is present, compared with SuiteSparse: levels and least and greatest parents bit for bit, other
 * parents by their edge and level.
 *
 * By default there are fewer and smaller ones. SEMLA_TEST_SEARCHES=n runs the first n at full size;
 * SEMLA_TEST_SEED=n runs search n only, at full size.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <semla/bfs.h>

#include "support.h"

enum { SEARCHES = 40, SCALE = 22, SMALL_SCALE = 12, MODELS = 7 };

/* One search, drawn from its seed. */
typedef struct {
    uint64_t seed, state;
    sl_generator model;
    bool undirected, prepared, leveled;
    sl_semiring semiring;
    sl_closure_options options;
} drawn;

typedef struct {
    int64_t *parent, *level; /* -1: not reached */
} outcome;

static uint64_t below(drawn *d, uint64_t bound)
{
    return test_random(&d->state) % bound;
}

/*
 * A random size of about 2^scale; at the greatest scale, any size up to 2^scale is equally likely.
 */
static uint64_t size(drawn *d, unsigned scale)
{
    uint64_t bits = below(d, scale + 1), low = (uint64_t)1 << bits;
    return bits == scale ? low : low + below(d, low);
}

static drawn draw(uint64_t seed, unsigned scale)
{
    static const sl_direction directions[] = {SL_AUTO, SL_AUTO, SL_PUSH, SL_PULL};
    drawn d = {.seed = seed, .state = seed};
    const sl_semiring semirings[] = {
        SL_ANY_SECONDI_INT64, SL_MIN_SECONDI_INT64, SL_MAX_SECONDI_INT64, SL_ANY_SECONDI_INT32,
        SL_MIN_SECONDI_INT32, SL_MAX_SECONDI_INT32, SL_ANY_PAIR_BOOL};
    uint64_t n = size(&d, scale), side = 1;
    sl_generator *g = &d.model;
    g->seed = seed;
    g->model = (sl_model)(seed % MODELS);
    while ((side + 1) * (side + 1) <= n)
        side++;
    g->vertices = n;
    if (g->model == SL_MODEL_COMPLETE)
        g->vertices = n % 2000 + 1;
    /* A path has as many levels as vertices, each of which is an iteration of SuiteSparse. */
    if (g->model == SL_MODEL_PATH)
        g->vertices = n % 3000 + 1;
    g->edges = below(&d, 8 * n + 1);
    g->edge_factor = 1 + below(&d, 16);
    while ((uint64_t)2 << g->scale <= n)
        g->scale++;
    g->side[0] = side > 800 ? 800 : side;
    g->side[1] = n / g->side[0] > 1000 ? 1000 : n / g->side[0];
    d.undirected = below(&d, 2);
    d.prepared = below(&d, 2);
    d.leveled = below(&d, 4) > 0;
    d.semiring = semirings[below(&d, sizeof semirings / sizeof *semirings)];
    d.options.direction = directions[below(&d, 4)];
    d.options.bounded = below(&d, 4) == 0;
    d.options.max_iterations = below(&d, 8);
    d.options.until = below(&d, 2) ? SL_UNTIL_ALL : SL_UNTIL_ANY;
    return d;
}

/* ---- one search on one engine ---------------------------------------------------- */

static int64_t *values_of(sl_context *ctx, const sl_vector *v, uint64_t n)
{
    uint64_t count;
    OK(ctx, sl_vector_nvals(&count, v));
    const sl_type type = sl_vector_type(v);
    uint64_t *index = sl_malloc((count + 1) * sizeof *index);
    char *values = sl_malloc((count + 1) * sl_type_size(type));
    int64_t *all = sl_malloc((n + 1) * sizeof *all);
    OK(ctx, sl_vector_extract_tuples(index, values, &count, v));
    for (uint64_t k = 0; k < n; k++)
        all[k] = -1;
    for (uint64_t k = 0; k < count; k++) {
        const sl_scalar value = sl_scalar_load(type, values + k * sl_type_size(type));
        all[index[k]] = sl_scalar_cast(value, SL_INT64).as.int64_;
    }
    sl_free(index);
    sl_free(values);
    return all;
}

static outcome search(drawn d, sl_context *ctx, sl_matrix *A)
{
    uint64_t n = sl_matrix_nrows(A), sources = below(&d, 8) ? 1 : 3;
    sl_vector *pi, *q, *level = NULL, *targets = NULL;
    OK(ctx, sl_vector_new(&pi, ctx, d.semiring->result, n));
    OK(ctx, sl_vector_new(&q, ctx, d.semiring->result, n));
    for (uint64_t k = 0; k < sources; k++) {
        uint64_t source = below(&d, n);
        OK(ctx, sl_vector_set(pi, source, sl_scalar_int64((int64_t)source)));
        OK(ctx, sl_vector_set(q, source, sl_scalar_int64((int64_t)source)));
    }
    if (d.leveled)
        OK(ctx, sl_vector_new(&level, ctx, d.seed % 3 ? SL_INT64 : SL_INT32, n));
    if (below(&d, 4) == 0) {
        OK(ctx, sl_vector_new(&targets, ctx, SL_BOOL, n));
        for (uint64_t k = 0, count = 1 + below(&d, 5); k < count; k++)
            OK(ctx, sl_vector_set(targets, below(&d, n), sl_scalar_bool(true)));
    }
    d.options.level = level;
    d.options.targets = targets;
    OK(ctx, sl_closure(pi, q, A, d.semiring, &d.options));
    outcome o = {.parent = values_of(ctx, pi, n)};
    if (level)
        o.level = values_of(ctx, level, n);
    sl_vector_free(pi);
    sl_vector_free(q);
    sl_vector_free(level);
    sl_vector_free(targets);
    return o;
}

static sl_matrix *matrix(const drawn *d, sl_context *ctx)
{
    sl_matrix *A;
    sl_edges edges;
    sl_read_options options = {.flags = d->undirected ? SL_READ_SYMMETRIC : 0};
    OK(ctx, sl_generate(&edges, ctx, &d->model));
    OK(ctx, sl_matrix_from_edges(&A, ctx, &edges, &options));
    sl_edges_free(&edges);
    return A;
}

/* ---- comparison ------------------------------------------------------------------ */

static bool has_edge(const sl_csr *rows, uint64_t u, uint64_t v)
{
    uint64_t low = rows->start[u], high = rows->start[u + 1];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (rows->index[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->start[u + 1] && rows->index[low] == v;
}

/* Whether the result at v is right. If any parent is allowed, the edge from it must exist and its
 * level must be one less. */
static bool is_right(const drawn *d, const outcome *right, const outcome *o, const sl_csr *rows,
                     uint64_t v)
{
    int64_t parent = o->parent[v];
    if (o->level && o->level[v] != right->level[v])
        return false;
    if (!d->semiring->add->any || !d->semiring->result_is_index || parent == right->parent[v])
        return parent == right->parent[v];
    if (parent < 0 || right->parent[v] < 0 || (uint64_t)parent >= rows->nrows)
        return false;
    if (!has_edge(rows, (uint64_t)parent, v))
        return false;
    if (!o->level)
        return true;
    int64_t above = o->level[parent] < 0 ? 0 : o->level[parent];
    return o->level[v] == above + 1;
}

static bool agrees(const drawn *d, const outcome *right, const outcome *o, const sl_csr *rows,
                   const char *engine)
{
    for (uint64_t v = 0; v < rows->nrows; v++)
        if (!is_right(d, right, o, rows, v)) {
            fprintf(stderr,
                    "SEMLA_TEST_SEED=%" PRIu64 " %s: model %d of %" PRIu64 " vertices, %s, %s: "
                    "vertex %" PRIu64 " has parent %" PRId64 ", not %" PRId64 "\n",
                    d->seed, engine, (int)d->model.model, rows->nrows, d->semiring->name,
                    sl_direction_name(d->options.direction), v, o->parent[v], right->parent[v]);
            return false;
        }
    return true;
}

static void outcome_free(outcome *o)
{
    sl_free(o->parent);
    sl_free(o->level);
}

/* Runs one search on all engines; returns the number of engines that differ. */
static int one_search(uint64_t seed, unsigned scale)
{
    drawn d = draw(seed, scale);
    int wrong = 0;
    sl_context *ctx;
    sl_engine_info engine;
    sl_csr rows;
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_SUITESPARSE), SL_OK);
    sl_matrix *A = matrix(&d, ctx);
    outcome right = search(d, ctx, A);
    OK(ctx, sl_matrix_copy_csr(&rows, A));
    sl_matrix_free(A);
    for (size_t k = 0; next_engine(&engine, &k);) {
        sl_context *other;
        if (engine.choice == SL_ENGINE_SUITESPARSE)
            continue;
        assert_int_equal(sl_context_create(&other, engine.choice), SL_OK);
        A = matrix(&d, other);
        if (d.prepared)
            OK(other, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
        outcome o = search(d, other, A);
        wrong += !agrees(&d, &right, &o, &rows, engine.name);
        outcome_free(&o);
        sl_matrix_free(A);
        sl_context_free(other);
    }
    outcome_free(&right);
    free_rows(&rows);
    sl_context_free(ctx);
    return wrong;
}

static void searches(void **state)
{
    (void)state;
    const bool large = getenv("SEMLA_TEST_SEARCHES") != NULL;
    const test_seeds seeds = test_seeds_from(0, test_number("SEMLA_TEST_SEARCHES", SEARCHES));
    int wrong = 0;
    for (uint64_t seed = seeds.first; seed < seeds.end && wrong < 10; seed++)
        wrong += one_search(seed, large ? SCALE : SMALL_SCALE);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(searches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
