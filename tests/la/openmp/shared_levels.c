/*
 * Searches of large diameter, most levels of which threads share in one parallel region: every
 * search is validated, on one thread and on several, prepared and not, also when it is bounded,
 * logged, cancelled in the middle or runs out of memory.
 */
#include <semla/bfs.h>
#include <semla/progress.h>
#include <string.h>

#include "support.h"

enum { SIDE = 260, SOURCE = 3 * SIDE + 5 };

static sl_context *ctx;

/* ---- graphs ------------------------------------------------------------------------------ */

typedef struct {
    const char *name;
    sl_matrix *A;
    sl_csr rows;
} graph;

static graph graph_of(const char *name, const sl_edges *edges, unsigned flags)
{
    graph g = {.name = name};
    OK(ctx, sl_matrix_from_edges(&g.A, ctx, edges, &(sl_read_options){.flags = flags}));
    OK(ctx, sl_matrix_copy_csr(&g.rows, g.A));
    return g;
}

static graph generated(const char *name, sl_model model)
{
    const sl_generator generator = {.model = model, .seed = 2, .side = {SIDE, SIDE}};
    sl_edges edges;
    OK(ctx, sl_generate(&edges, ctx, &generator));
    const graph g = graph_of(name, &edges, SL_READ_SYMMETRIC);
    sl_edges_free(&edges);
    return g;
}

/* A directed grid: edges to the right, down, and from every third vertex to the left; every fifth
 * vertex has a loop, and the middle row's edges to a hub, which has edges to all of that row. */
static graph directed(void)
{
    enum { N = SIDE * SIDE + 1, HUB = SIDE * SIDE };
    uint64_t *row = sl_malloc(5 * N * sizeof *row), *col = sl_malloc(5 * N * sizeof *col);
    sl_edges edges = {.nrows = N, .ncols = N, .row = row, .col = col};
    for (uint64_t v = 0; v < HUB; v++) {
        const bool ends[] = {v % SIDE + 1 < SIDE, v + SIDE<HUB, v % SIDE> 0 && v % 3 == 0,
                             v % 5 == 0};
        const uint64_t to[] = {v + 1, v + SIDE, v - 1, v};
        for (int k = 0; k < 4; k++)
            if (ends[k]) {
                row[edges.count] = v;
                col[edges.count++] = to[k];
            }
        if (v / SIDE == SIDE / 2) {
            row[edges.count] = v;
            col[edges.count++] = HUB;
            row[edges.count] = HUB;
            col[edges.count++] = v;
        }
    }
    const graph g = graph_of("directed grid with a hub", &edges, 0);
    sl_free(row);
    sl_free(col);
    return g;
}

static void free_graph(graph *g)
{
    sl_matrix_free(g->A);
    free_rows(&g->rows);
}

/* ---- searches ---------------------------------------------------------------------------- */

static void validate(const graph *g, sl_vector *parent, sl_vector *level, int64_t depth)
{
    const sl_graph_view view = sl_view_of(&g->rows);
    sl_check_result verdict;
    int64_t *parents, *levels;
    OK(ctx, sl_search_array(&parents, parent));
    OK(ctx, sl_search_array(&levels, level));
    OK(ctx, sl_validate_search(&verdict, &view, SOURCE, parents, levels, depth));
    if (!verdict.valid)
        fail_msg("%s: %s", g->name, verdict.reason);
    sl_free(parents);
    sl_free(levels);
    sl_vector_free(parent);
    sl_vector_free(level);
}

/* The log has all levels, in which the vertices reached were the frontier once each. */
static void check_log(const graph *g, const sl_iteration_log *log, const sl_vector *level)
{
    int64_t *levels, deepest = 0;
    uint64_t reached = 0, logged = 0;
    OK(ctx, sl_search_array(&levels, level));
    for (uint64_t v = 0; v < g->rows.nrows; v++) {
        reached += levels[v] >= 0;
        deepest = levels[v] > deepest ? levels[v] : deepest;
    }
    assert_int_equal(log->count, deepest + 1);
    for (size_t k = 0; k < log->count; k++) {
        uint64_t edges = 0, vertices = 0;
        logged += log->iterations[k].frontier;
        if (k % 64)
            continue;
        for (uint64_t v = 0; v < g->rows.nrows; v++)
            if (levels[v] == (int64_t)k) {
                vertices++;
                edges += g->rows.start[v + 1] - g->rows.start[v];
            }
        assert_int_equal(log->iterations[k].frontier, vertices);
        assert_int_equal(log->iterations[k].edges, edges);
    }
    assert_int_equal(logged, reached);
    sl_free(levels);
}

static void check_graph(graph g)
{
    const int threads[] = {1, 2, 5};
    for (unsigned how = 0; how < 6; how++) {
        sl_iteration_log log = {0};
        sl_bfs_options options = {.direction = SL_PUSH, .log = &log, .int32 = how % 2};
        sl_vector *parent, *level;
        if (how == 3)
            OK(ctx, sl_matrix_optimize(g.A, SL_FOR_TRAVERSAL));
        OK(ctx, sl_context_set_threads(ctx, threads[how % 3]));
        OK(ctx, sl_bfs(&parent, &level, g.A, SOURCE, &options));
        check_log(&g, &log, level);
        validate(&g, parent, level, -1);
        options = (sl_bfs_options){.bounded = true, .max_depth = SIDE / 2 + 3};
        OK(ctx, sl_bfs(&parent, &level, g.A, SOURCE, &options));
        validate(&g, parent, level, SIDE / 2 + 3);
        sl_iteration_log_clear(&log);
    }
    OK(ctx, sl_context_set_threads(ctx, 0));
    free_graph(&g);
}

static void searches_are_valid(void **unused)
{
    (void)unused;
    check_graph(generated("grid", SL_MODEL_GRID));
    check_graph(generated("road", SL_MODEL_ROAD));
    check_graph(directed());
}

/* ---- failures ---------------------------------------------------------------------------- */

typedef struct {
    sl_matrix *A;
    long questions; /* the progress function cancels at this one */
} failing;

static sl_status search_with_log(void *data)
{
    const failing *f = data;
    sl_iteration_log log = {0};
    sl_vector *parent, *level;
    const sl_bfs_options options = {.direction = SL_PUSH, .log = &log};
    const sl_status status = sl_bfs(&parent, &level, f->A, SOURCE, &options);
    sl_vector_free(parent);
    sl_vector_free(level);
    sl_iteration_log_clear(&log);
    return status;
}

static void without_memory(void **unused)
{
    (void)unused;
    graph g = generated("grid", SL_MODEL_GRID);
    failing f = {.A = g.A};
    OK(ctx, sl_context_set_threads(ctx, 2));
    OK(ctx, search_with_log(&f)); /* makes what is kept with the matrix */
    assert_true(allocator_fail_each(search_with_log, &f) > 4);
    OK(ctx, sl_context_set_threads(ctx, 0));
    free_graph(&g);
}

static int cancel_at(void *data, const sl_progress *progress)
{
    (void)progress;
    failing *f = data;
    return f->questions-- == 0;
}

static void cancelled(void **unused)
{
    (void)unused;
    graph g = generated("grid", SL_MODEL_GRID);
    OK(ctx, sl_context_set_threads(ctx, 2));
    for (long question = 0; question < SIDE; question += 7) {
        failing f = {.A = g.A, .questions = question};
        OK(ctx, sl_context_set_progress(ctx, cancel_at, &f, 0));
        assert_int_equal(search_with_log(&f), SL_CANCELLED);
        OK(ctx, sl_context_set_progress(ctx, NULL, NULL, 0));
        OK(ctx, search_with_log(&f));
    }
    OK(ctx, sl_context_set_threads(ctx, 0));
    free_graph(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_are_valid),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(cancelled),
    };
    allocator_install();
    OK(NULL, sl_context_create(&ctx, SL_ENGINE_OPENMP));
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(ctx);
    return failed;
}
