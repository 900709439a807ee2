/*
 * Searches on every grid of the ranks, with every switch, compared with SuiteSparse on one rank.
 * Every rank has the whole graph for the comparison.
 */
#include "dist/grid/dist_switches.h"
#include "dist/search/processor_search.h"
#include "ranks.h"
#include "rows.h"

static sl_context *one; /* a context of one rank */

/* A graph. */
typedef struct {
    sl_matrix *A;
    sl_csr rows;
    uint64_t n;
} graph;

static graph graph_of_edges(sl_edges *edges, unsigned flags)
{
    graph g = {.n = edges->nrows};
    assert_ok(one, sl_matrix_from_edges(&g.A, one, edges, &(sl_read_options){.flags = flags}));
    assert_ok(one, sl_matrix_copy_csr(&g.rows, g.A));
    sl_edges_free(edges);
    return g;
}

static graph graph_of_model(sl_generator model, unsigned flags)
{
    sl_edges edges;
    assert_ok(one, sl_generate(&edges, one, &model));
    return graph_of_edges(&edges, flags);
}

static void graph_free(graph *g)
{
    sl_matrix_free(g->A);
    sl_free(g->rows.start);
    sl_free(g->rows.index);
    sl_free(g->rows.values);
}

/* The parameters of a search, with vertices of the whole graph. */
typedef struct {
    uint64_t sources[3], source_count;
    bool settled_only; /* pi has entries that are not in q: every 7th vertex */
    bool bounded;
    uint64_t max_iterations;
    uint64_t targets[2], target_count;
    sl_until until;
    sl_direction direction;
} query;

/* ---- expected results, by SuiteSparse ------------------------------------------------- */

typedef struct {
    int64_t *parent, *level; /* -1: not reached */
    uint64_t steps;
} answer;

static void put(sl_vector *v, uint64_t at, int64_t value)
{
    assert_ok(one, sl_vector_set(v, at, sl_scalar_int64(value)));
}

static int64_t *array_of(const sl_vector *v, uint64_t n)
{
    int64_t *array = malloc((n + 1) * sizeof *array), *values = malloc((n + 1) * sizeof *values);
    uint64_t *index = malloc((n + 1) * sizeof *index), count = n;
    assert_ok(one, sl_vector_extract_tuples(index, values, &count, v));
    for (uint64_t k = 0; k < n; k++)
        array[k] = -1;
    for (uint64_t k = 0; k < count; k++)
        array[index[k]] = values[k];
    free(index);
    free(values);
    return array;
}

static answer expected(const graph *g, const query *ask, sl_semiring semiring)
{
    sl_vector *pi, *q, *level, *targets = NULL;
    sl_iteration_log log = {0};
    assert_ok(one, sl_vector_new(&pi, one, SL_INT64, g->n));
    assert_ok(one, sl_vector_new(&q, one, SL_INT64, g->n));
    assert_ok(one, sl_vector_new(&level, one, SL_INT64, g->n));
    for (uint64_t k = 0; k < ask->source_count; k++) {
        put(q, ask->sources[k], (int64_t)ask->sources[k]);
        put(pi, ask->sources[k], (int64_t)ask->sources[k]);
    }
    for (uint64_t v = 0; ask->settled_only && v < g->n; v += 7)
        put(pi, v, (int64_t)v);
    sl_closure_options options = {.direction = ask->direction,
                                  .bounded = ask->bounded,
                                  .max_iterations = ask->max_iterations,
                                  .until = ask->until,
                                  .level = level,
                                  .log = &log};
    if (ask->target_count) {
        assert_ok(one, sl_vector_new(&targets, one, SL_INT64, g->n));
        for (uint64_t k = 0; k < ask->target_count; k++)
            put(targets, ask->targets[k], 1);
        options.targets = targets;
    }
    assert_ok(one, sl_closure(pi, q, g->A, semiring, &options));
    answer a = {.parent = array_of(pi, g->n), .level = array_of(level, g->n), .steps = log.count};
    sl_iteration_log_clear(&log);
    sl_vector_free(pi);
    sl_vector_free(q);
    sl_vector_free(level);
    sl_vector_free(targets);
    return a;
}

static void answer_free(answer *a)
{
    free(a->parent);
    free(a->level);
}

/* ---- on the grid --------------------------------------------------------------------- */

static bool has_edge(const graph *g, uint64_t u, uint64_t v)
{
    for (uint64_t e = g->rows.start[u]; e < g->rows.start[u + 1]; e++)
        if (g->rows.index[e] == v)
            return true;
    return false;
}

static void compare(const graph *g, const sl_search_task *task, const answer *right,
                    const char *what)
{
    const sl_local_graph *b = task->graph;
    for (uint64_t k = 0; k < b->own; k++) {
        uint64_t v = b->begin + k;
        bool found = sl_bit_test(task->reached, k);
        int64_t level = found ? sl_integers_get(task->level, k) : -1;
        if (level != right->level[v])
            fail_msg("%s: rank %d: vertex %u: level %d, not %d", what, world_rank(), (unsigned)v,
                     (int)level, (int)right->level[v]);
        if (!found || !task->parent.values)
            continue;
        int64_t u = sl_integers_get(task->parent, k);
        if (task->choice != SL_MONOID_ANY) {
            if (u != right->parent[v])
                fail_msg("%s: rank %d: vertex %u: parent %d, not %d", what, world_rank(),
                         (unsigned)v, (int)u, (int)right->parent[v]);
            continue;
        }
        assert_in_range(u, 0, g->n - 1);
        int64_t above = right->level[u];
        if (!has_edge(g, (uint64_t)u, v) || (above >= 0 ? above != level - 1 : level != 1))
            fail_msg("%s: rank %d: vertex %u of level %d: %d is no parent", what, world_rank(),
                     (unsigned)v, (int)level, (int)u);
    }
}

static void set_own(uint64_t *bits, const sl_local_graph *b, uint64_t v)
{
    if (v >= b->begin && v - b->begin < b->own)
        sl_bit_set(bits, v - b->begin);
}

static void search_once(const graph *g, sl_grid *grid, sl_local_graph *b, const query *ask,
                        const answer *right, sl_monoid_code choice, bool parents, unsigned switches,
                        const char *what)
{
    uint64_t *bits = calloc(4 * b->block_length / 64, sizeof *bits);
    sl_iteration_log log = {0};
    const bool narrow = ask->sources[0] % 2;
    const size_t size = narrow ? sizeof(int32_t) : sizeof(int64_t);
    sl_search_task task = {.grid = grid,
                           .graph = b,
                           .threads = 1 + (int)(switches & 1),
                           .switches = switches,
                           .choice = choice,
                           .direction = ask->direction,
                           .bounded = ask->bounded,
                           .max_iterations = ask->max_iterations,
                           .has_targets = ask->target_count > 0,
                           .until = ask->until,
                           .visited = bits,
                           .frontier = bits + b->block_length / 64,
                           .targets = bits + 2 * b->block_length / 64,
                           .reached = bits + 3 * b->block_length / 64,
                           .parents = parents,
                           .parent = {parents ? malloc(b->block_length * size) : NULL, narrow},
                           .level = {malloc(b->block_length * size), narrow},
                           .log = &log};
    for (uint64_t k = 0; k < ask->source_count; k++) {
        set_own(bits, b, ask->sources[k]);
        set_own(bits + b->block_length / 64, b, ask->sources[k]);
    }
    for (uint64_t v = 0; ask->settled_only && v < g->n; v += 7)
        set_own(bits, b, v);
    for (uint64_t k = 0; k < ask->target_count; k++)
        set_own(bits + 2 * b->block_length / 64, b, ask->targets[k]);
    assert_ok(grid->ctx, sl_search_run(&task));
    compare(g, &task, right, what);
    if (log.count != right->steps)
        fail_msg("%s: %u steps, not %u", what, (unsigned)log.count, (unsigned)right->steps);
    sl_iteration_log_clear(&log);
    free(task.parent.values);
    free(task.level.values);
    free(bits);
}

/* One graph and one search: all grids, semirings and switches. */
enum { NO_ORDER = 8 }; /* stands for SL_DIST_NOORDER among the bits of the loop */

/* Vertices with an edge in either direction: these have new_ids. */
static uint64_t vertices_with_edges(const sl_csr *rows)
{
    bool *own_with_edges = calloc(rows->nrows + 1, sizeof *own_with_edges);
    uint64_t count = 0;
    for (uint64_t u = 0; u < rows->nrows; u++)
        for (uint64_t e = rows->start[u]; e < rows->start[u + 1]; e++)
            own_with_edges[u] = own_with_edges[rows->index[e]] = true;
    for (uint64_t v = 0; v < rows->nrows; v++)
        count += own_with_edges[v];
    free(own_with_edges);
    return count;
}

static bool has_entry(const sl_csr *rows, uint64_t u, uint64_t v)
{
    uint64_t e = rows->start[u];
    while (e < rows->start[u + 1] && rows->index[e] != v)
        e++;
    return e < rows->start[u + 1];
}

static bool is_symmetric(const sl_csr *rows)
{
    for (uint64_t u = 0; u < rows->nrows; u++)
        for (uint64_t e = rows->start[u]; e < rows->start[u + 1]; e++)
            if (!has_entry(rows, rows->index[e], u))
                return false;
    return true;
}

static void search_all_ways(const graph *g, const query *ask, const char *name)
{
    static const struct {
        sl_monoid_code choice;
        bool parents;
    } ways[] = {{SL_MONOID_MIN, true},
                {SL_MONOID_MAX, true},
                {SL_MONOID_ANY, true},
                {SL_MONOID_ANY, false}};
    answer least = expected(g, ask, SL_MIN_SECONDI_INT64);
    answer most = expected(g, ask, SL_MAX_SECONDI_INT64);
    const bool symmetric = is_symmetric(&g->rows);
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_int_equal(
            sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE), SL_OK);
        sl_grid *grid = sl_grid_of(ctx);
        sl_csr rows_here = rows_of(grid, &g->rows);
        sl_local_graph ascending, degree_order;
        assert_ok(ctx, sl_local_graph_make(&ascending, grid, g->n, &rows_here, false, false));
        assert_ok(ctx, sl_local_graph_make(&degree_order, grid, g->n, &rows_here, symmetric, true));
        const uint64_t with_edges = vertices_with_edges(&g->rows);
        assert_int_equal(ascending.vertices, with_edges);
        assert_int_equal(degree_order.vertices, with_edges);
        /* With several ranks a sample of the combinations, another one on each grid. */
        const unsigned stride = world_size() == 1 ? 1 : world_size() < 4 ? 3 : 7;
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            for (unsigned k = (unsigned)(rows + (int)w) % stride;
                 k < (ways[w].choice == SL_MONOID_ANY ? 2 * NO_ORDER : NO_ORDER); k += stride) {
                const bool ordered = ways[w].choice == SL_MONOID_ANY && !(k & NO_ORDER);
                const unsigned switches = k % NO_ORDER;
                query each = *ask;
                char what[200];
                each.direction = (sl_direction)((switches + w) % 3);
                snprintf(what, sizeof what, "%s, %d x %d, way %u, switches %u, %s%s", name, rows,
                         cols, (unsigned)w, switches, ordered ? "by degree, " : "",
                         sl_direction_name(each.direction));
                search_once(g, grid, ordered ? &degree_order : &ascending, &each,
                            ways[w].choice == SL_MONOID_MAX ? &most : &least, ways[w].choice,
                            ways[w].parents, switches, what);
            }
        sl_local_graph_free(&ascending);
        sl_local_graph_free(&degree_order);
        sl_free(rows_here.start);
        sl_free(rows_here.index);
        sl_context_free(ctx);
    }
    answer_free(&least);
    answer_free(&most);
}

static void search_graph(graph g, uint64_t source, const char *name)
{
    search_all_ways(&g, &(query){.sources = {source}, .source_count = 1}, name);
    graph_free(&g);
}

/* ---- graphs -------------------------------------------------------------------------- */

static void test_models(void **unused)
{
    search_graph(graph_of_model((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 10, .seed = 1},
                                SL_READ_SYMMETRIC),
                 5, "kronecker");
    search_graph(
        graph_of_model(
            (sl_generator){.model = SL_MODEL_UNIFORM, .vertices = 700, .edges = 2500, .seed = 2},
            0),
        3, "uniform, directed");
    search_graph(
        graph_of_model((sl_generator){.model = SL_MODEL_GRID, .side = {17, 13}}, SL_READ_SYMMETRIC),
        100, "grid");
    search_graph(graph_of_model((sl_generator){.model = SL_MODEL_ROAD, .side = {13, 13}, .seed = 3},
                                SL_READ_SYMMETRIC),
                 1, "road");
}

static void test_hostile(void **unused)
{
    search_graph(
        graph_of_model((sl_generator){.model = SL_MODEL_PATH, .vertices = 40}, SL_READ_SYMMETRIC),
        35, "path");
    search_graph(
        graph_of_model((sl_generator){.model = SL_MODEL_STAR, .vertices = 300}, SL_READ_SYMMETRIC),
        299, "star");
    search_graph(graph_of_model((sl_generator){.model = SL_MODEL_COMPLETE, .vertices = 130},
                                SL_READ_SYMMETRIC),
                 64, "complete");
    search_graph(
        graph_of_model((sl_generator){.model = SL_MODEL_UNIFORM, .vertices = 1, .edges = 1}, 0), 0,
        "one vertex with a loop");
    search_graph(graph_of_model((sl_generator){.model = SL_MODEL_PATH, .vertices = 3}, 0), 0,
                 "three vertices, directed");
    search_graph(
        graph_of_model((sl_generator){.model = SL_MODEL_UNIFORM, .vertices = 200, .edges = 0}, 0),
        7, "isolated");
}

static void test_questions(void **unused)
{
    graph g = graph_of_model(
        (sl_generator){.model = SL_MODEL_UNIFORM, .vertices = 900, .edges = 1500, .seed = 9},
        SL_READ_SYMMETRIC);
    search_all_ways(&g, &(query){0}, "no source");
    search_all_ways(&g, &(query){.sources = {3, 500, 899}, .source_count = 3}, "three sources");
    search_all_ways(&g, &(query){.sources = {3}, .source_count = 1, .settled_only = true},
                    "with settled vertices");
    search_all_ways(
        &g, &(query){.sources = {3}, .source_count = 1, .bounded = true, .max_iterations = 3},
        "bounded");
    search_all_ways(&g, &(query){.sources = {3}, .source_count = 1, .bounded = true}, "no step");
    search_all_ways(&g,
                    &(query){.sources = {3},
                             .source_count = 1,
                             .targets = {700, 20},
                             .target_count = 2,
                             .until = SL_UNTIL_ANY},
                    "any target");
    search_all_ways(&g,
                    &(query){.sources = {3},
                             .source_count = 1,
                             .targets = {3, 701},
                             .target_count = 2,
                             .until = SL_UNTIL_ALL},
                    "all targets");
    graph_free(&g);
}

static void test_switches(void **unused)
{
    unsigned switches;
    const char *bad, *transport;
    assert_int_equal(sl_dist_switches_parse(&switches, &transport, NULL, &bad), SL_OK);
    assert_int_equal(switches, 0);
    assert_int_equal(sl_dist_switches_parse(&switches, &transport, "", &bad), SL_OK);
    assert_int_equal(switches, 0);
    assert_int_equal(sl_dist_switches_parse(&switches, &transport, "nodeferred,nocodecs", &bad),
                     SL_OK);
    assert_int_equal(switches, SL_DIST_NODEFERRED | SL_DIST_NOCODECS);
    assert_int_equal(sl_dist_switches_parse(&switches, &transport, "noorder", &bad), SL_OK);
    assert_int_equal(switches, SL_DIST_NOORDER);
    assert_int_equal(sl_dist_switches_parse(&switches, &transport, "novisited", &bad), SL_OK);
    assert_int_equal(switches, SL_DIST_NOVISITED);
    assert_null(transport);
    assert_int_equal(sl_dist_switches_parse(&switches, &transport, "nodevices,hosts", &bad), SL_OK);
    assert_int_equal(switches, SL_DIST_NODEVICES);
    assert_string_equal(transport, "hosts");
    assert_int_equal(sl_dist_switches_parse(&switches, &transport, "stages,2d", &bad), SL_OK);
    assert_int_equal(switches, SL_DIST_STAGES | SL_DIST_2D);
    assert_int_equal(sl_dist_switches_parse(&switches, &transport, "novisited,nocodec,", &bad),
                     SL_INVALID);
    assert_string_equal(bad, "nocodec,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_questions),
        cmocka_unit_test(test_switches),
    };
    assert_int_equal(sl_context_create(&one, SL_ENGINE_SUITESPARSE), SL_OK);
    int failures = run_ranks("search", tests, sizeof tests / sizeof *tests);
    sl_context_free(one);
    return failures;
}
