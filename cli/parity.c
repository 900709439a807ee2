/*
 * semla parity: runs the same searches with every engine, form and direction, and compares them
 * with a queue-based search.
 */
#include "cli/parity.h"

#include <stdlib.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/grid_ranks.h"
#include "cli/roots.h"

enum { KEY_SEARCHES = 0x300, KEY_SEED, KEY_SECONDS };

typedef struct {
    common_options common;
    graph_options graph;
    name_list sources;
    uint64_t searches, seed;
    double seconds; /* 0: no limit */
} parity_options;

static error_t parse(int key, char *argument, struct argp_state *state)
{
    parity_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->graph;
        state->child_inputs[1] = &o->common;
        return 0;
    case 'S':
        name_list_append(&o->sources, argument);
        return 0;
    case ARGP_KEY_END:
        return option_vertices(&o->graph, "source", &o->sources);
    case KEY_SEARCHES:
        return option_count(&o->searches, "searches", argument);
    case KEY_SECONDS:
        return option_number(&o->seconds, "seconds", argument);
    case KEY_SEED:
        return option_count(&o->seed, "seed", argument);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The searches:", 2},
            {"source", 'S', "VERTEX", 0,
             "A vertex to start from; may be repeated (default: the first vertex of greatest "
             "out-degree)",
             0},
            {"searches", KEY_SEARCHES, "N", 0, "Search also from N random vertices that have edges",
             0},
            {"seed", KEY_SEED, "N", 0, "Seed for the choice of random vertices (default 0)", 0},
            {"seconds", KEY_SECONDS, "S", 0,
             "Skip the remaining searches of a row of the table once it has taken S seconds", 0},
            {0}},
    .parser = parse,
    .help_filter = help_filter,
    .args_doc = "GRAPH",
    .doc = "Runs the same searches on every available engine, with the directions push, pull and "
           "auto, with sl_bfs and with a loop of vxm and assign, and compares them with a "
           "queue-based search: levels must be equal, parents must be equal with min_secondi, and "
           "trees must be valid with any_secondi.\v" GRAPH_HELP "\n\n"
           "With --seconds each row of the table runs at least one search; the table shows how "
           "many.\n\n"
           "On MPI ranks, --grid auto compares every grid shape that the number of ranks allows. "
           "The exit status is 1 if anything differs; the first differences are printed.\n\n"
           "Examples:\n"
           "  semla parity karate.mtx\n"
           "  semla parity kronecker:scale=14 --searches 8 --seed 5\n"
           "  semla parity wiki-Vote.txt.gz --renumber --source 30 --json\n"
           "  mpirun -n 6 semla parity kronecker:scale=12 --grid auto",
    .children = (const struct argp_child[]){{&graph_argp, 0, NULL, 0},
                                            {&common_argp_without_engine, 0, NULL, 0},
                                            {0}},
};

/* ---- sources ------------------------------------------------------------ */

static uint64_t max_degree_vertex(const sl_graph_view *view)
{
    uint64_t best = 0, max = 0;
    for (uint64_t v = 0; v < view->vertices; v++)
        if (view->start[v + 1] - view->start[v] > max) {
            max = view->start[v + 1] - view->start[v];
            best = v;
        }
    return best;
}

static int choose_sources(vertex_list *sources, const sl_graph_view *view,
                          const vertex_names *names, const parity_options *o)
{
    for (size_t i = 0; i < o->sources.count; i++) {
        uint64_t source;
        if (find_vertex(&source, names, o->sources.at[i], "source") != EXIT_DONE)
            return EXIT_FAILED;
        vertex_list_append(sources, source);
    }
    roots_add_random(sources, view, o->searches, o->seed);
    if (sources->count == 0)
        vertex_list_append(sources, max_degree_vertex(view));
    return EXIT_DONE;
}

/* ---- running ------------------------------------------------------------ */

/* Whether to compare an engine: all available ones, or only the one that SEMLA_ENGINE names. */
static bool is_compared(const sl_engine_info *engine)
{
    const char *forced = getenv("SEMLA_ENGINE");
    return engine->present && (!forced || !*forced || strcmp(forced, engine->name) == 0);
}

/* Appends the rows of one engine to the report: push, pull, auto, and the loop of vxm and assign.
 */
static parity_row *add_rows(parity_report *r, const char *engine, const grid_options *grid,
                            size_t *count)
{
    static const sl_direction directions[] = {SL_PUSH, SL_PULL, SL_AUTO, SL_PUSH};
    *count = sizeof directions / sizeof directions[0];
    parity_row *rows = sl_realloc(r->rows, (r->nrows + *count) * sizeof *rows);
    if (!rows)
        out_of_memory();
    r->rows = rows;
    for (size_t i = 0; i < *count; i++)
        rows[r->nrows + i] = (parity_row){.engine = engine,
                                          .grid = *grid,
                                          .plain = i + 1 == *count,
                                          .direction = directions[i],
                                          .levels = true,
                                          .parents = true,
                                          .trees = true};
    r->nrows += *count;
    return rows + r->nrows - *count;
}

/* Fills in all rows of one engine, from every source. A is the matrix in its context. */
static sl_status compare_engine(parity_report *r, const char *engine, const grid_options *grid,
                                const sl_matrix *A, const sl_graph_view *view,
                                const parity_options *o)
{
    size_t count;
    parity_row *rows = add_rows(r, engine, grid, &count);
    size_t size = view->vertices * sizeof(int64_t);
    reference ref = {view, 0, sl_malloc(size), sl_malloc(size)};
    sl_status status =
        sl_agree(sl_matrix_context(A), ref.level && ref.parent ? SL_OK : SL_NO_MEMORY);
    if (status == SL_OK)
        status = sl_matrix_optimize(A, SL_FOR_TRAVERSAL);
    for (size_t s = 0; status == SL_OK && s < r->sources.count; s++) {
        progress(&o->common, "%s: source %zu of %zu", engine, s + 1, r->sources.count);
        progress_part(s, r->sources.count);
        ref.source = r->sources.at[s];
        status = sl_agree(sl_matrix_context(A),
                          sl_queue_search(ref.level, ref.parent, view, ref.source));
        for (size_t i = 0; status == SL_OK && i < count; i++)
            status = parity_compare(&rows[i], A, &ref, o->seconds);
    }
    progress_end();
    sl_free(ref.level);
    sl_free(ref.parent);
    return status;
}

/* With the first engine: copies the matrix to host arrays and chooses the sources. */
static int prepare_reference(parity_report *r, sl_csr *csr, const sl_matrix *A,
                             const parity_options *o)
{
    if (csr->start)
        return EXIT_DONE;
    if (graph_check_searchable(o->graph.name, sl_matrix_nrows(A), sl_matrix_ncols(A)) != EXIT_DONE)
        return EXIT_FAILED;
    sl_status status = graph_rows(csr, A);
    if (status != SL_OK)
        return failed_status(sl_matrix_context(A), status);
    r->vertices = csr->nrows;
    r->entries = csr->start[csr->nrows];
    sl_graph_view view = sl_view_of(csr);
    return choose_sources(&r->sources, &view, &r->names, o);
}

static int run_engine(parity_report *r, sl_csr *csr, sl_edges *edges, const sl_engine_info *engine,
                      const grid_options *grid, const parity_options *o)
{
    sl_context *ctx;
    sl_matrix *A = NULL;
    common_options common = o->common;
    common.grid = *grid;
    common.engine = engine->choice;
    if (grid_context_open(&ctx, &common) != EXIT_DONE)
        return EXIT_FAILED;
    int exit_status = EXIT_DONE;
    if (!csr->start) {
        exit_status = graph_edges(edges, ctx, &o->graph, &o->common);
        r->names = names_of_edges(edges, &o->graph);
    }
    if (exit_status == EXIT_DONE)
        exit_status = graph_matrix(&A, ctx, edges, &o->graph);
    if (exit_status == EXIT_DONE)
        exit_status = prepare_reference(r, csr, A, o);
    if (exit_status == EXIT_DONE) {
        sl_graph_view view = sl_view_of(csr);
        sl_status status = compare_engine(r, engine->name, grid, A, &view, o);
        if (status != SL_OK)
            exit_status = failed_status(ctx, status);
    }
    sl_matrix_free(A);
    sl_context_free(ctx);
    return exit_status;
}

/* Compares an engine on one process, on the grid of --grid, or with `auto` on every grid shape. */
static int run_grids(parity_report *r, sl_csr *csr, sl_edges *edges, const sl_engine_info *engine,
                     const parity_options *o)
{
    grid_options grid = o->common.grid;
    if (!grid.given || grid.rows > 0)
        return run_engine(r, csr, edges, engine, &grid, o);
    int exit_status = EXIT_DONE;
    while (exit_status == EXIT_DONE && grid_next(&grid))
        exit_status = run_engine(r, csr, edges, engine, &grid, o);
    return exit_status;
}

int run_parity(int argc, char **argv)
{
    parity_options o = {.common = {.command = "semla parity"}};
    parity_report r = {.graph = &o.graph};
    sl_edges edges = {0};
    sl_csr csr = {0};
    int exit_status = options_parse(&argp, argc, argv, &o.common, &o);
    sl_engine_info engine;
    for (size_t i = 0; exit_status == EXIT_DONE && sl_engine_describe(i, &engine) == SL_OK; i++)
        if (is_compared(&engine))
            exit_status = run_grids(&r, &csr, &edges, &engine, &o);
    if (exit_status == EXIT_DONE && r.nrows == 0)
        exit_status = failed("SEMLA_ENGINE names no available engine: there is nothing to compare");
    if (exit_status == EXIT_DONE) {
        (o.common.json ? parity_print_json : parity_print)(&r);
        exit_status = parity_agrees(&r) ? EXIT_DONE : EXIT_FAILED;
    }
    sl_free(r.rows);
    vertex_list_free(&r.sources);
    name_list_free(&o.sources);
    sl_free(csr.start);
    sl_free(csr.index);
    sl_free(csr.values);
    sl_edges_free(&edges);
    return exit_status;
}
