/* The search of `semla bfs`: loads and prepares the graph, searches, measures and validates. */
#include "cli/bfs_search.h"

#include "cli/command_output.h"

/* Translates the source and the targets from ids to indices. */
static int find_vertices(search_result *r, const bfs_options *o, const int64_t *degrees)
{
    const graph *g = &r->g;
    if (!o->source)
        r->source = greatest_degree(degrees, g->nrows);
    else if (find_vertex(&r->source, &g->names, o->source, "source") != EXIT_DONE)
        return EXIT_FAILED;
    r->source_degree = degrees[r->source];
    for (size_t i = 0; i < o->targets.count; i++) {
        uint64_t target;
        if (find_vertex(&target, &g->names, o->targets.at[i], "target") != EXIT_DONE)
            return EXIT_FAILED;
        vertex_list_append(&r->targets, target);
    }
    return EXIT_DONE;
}

/* Runs and times a search, and copies the result of the last one to r->t. */
static sl_status search(search_result *r, const bfs_options *o, bool last)
{
    sl_vector *parent = NULL, *level = NULL;
    sl_bfs_options options = o->search;
    options.targets = r->targets.at;
    options.ntargets = r->targets.count;
    options.log = &r->log;
    sl_context_counts before, after;
    sl_context_get_counts(r->ctx, &before);
    double start = seconds_now();
    sl_status status = o->plain
                           ? sl_bfs_plain(&parent, &level, r->g.A, r->source, options.deterministic)
                           : sl_bfs(&parent, &level, r->g.A, r->source, &options);
    times_add(&r->times, seconds_now() - start);
    sl_context_get_counts(r->ctx, &after);
    r->operations = after.operations - before.operations;
    r->fallbacks = after.fallbacks - before.fallbacks;
    if (status == SL_OK && last)
        status = tree_of_vectors(&r->t, parent, level);
    sl_vector_free(parent);
    sl_vector_free(level);
    return status;
}

static sl_status search_repeatedly(search_result *r, const bfs_options *o)
{
    sl_status status = SL_OK;
    for (uint64_t k = 1; status == SL_OK && k <= o->repeat; k++) {
        sl_iteration_log_clear(&r->log);
        if (o->repeat > 1)
            progress(&o->common, "searching %s: run %llu of %llu", r->g.name, (unsigned long long)k,
                     (unsigned long long)o->repeat);
        status = search(r, o, k == o->repeat);
    }
    if (status == SL_OK)
        times_spread(&r->times);
    return status;
}

static sl_status prepare(search_result *r, const bfs_options *o)
{
    double start = seconds_now();
    sl_status status = sl_matrix_optimize(r->g.A, SL_FOR_TRAVERSAL | (o->prune ? SL_PRUNED : 0));
    r->prepare_seconds = seconds_now() - start;
    if (status == SL_OK)
        status = sl_matrix_placement(&r->placement, r->g.A);
    return status == SL_OK ? sl_matrix_is_symmetric(&r->symmetric, r->g.A) : status;
}

static bool targets_met(const search_result *r, sl_until until)
{
    size_t met = 0;
    for (size_t i = 0; i < r->targets.count; i++)
        met += r->t.level[r->targets.at[i]] != SL_UNREACHED;
    return until == SL_UNTIL_ANY ? met > 0 : met == r->targets.count;
}

/* Computes the facts about the search that are printed. */
static void measure(search_result *r, const bfs_options *o, const int64_t *degrees)
{
    r->bound_met = o->search.bounded && (uint64_t)r->t.depth >= o->search.max_depth;
    r->targets_met = r->targets.count && targets_met(r, o->search.until);
    double entries = 0;
    for (uint64_t v = 0; v < r->t.vertices; v++)
        if (r->t.level[v] != SL_UNREACHED)
            entries += (double)degrees[v];
    r->component_edges = r->symmetric ? entries / 2 : entries;
}

static sl_status validate(search_result *r)
{
    double start = seconds_now();
    int64_t max_depth = r->bound_met || r->targets_met ? r->t.depth : -1;
    sl_status status = tree_validate(&r->verdict, &r->t, r->g.A, r->source, max_depth);
    r->validate_seconds = seconds_now() - start;
    return status;
}

int search_run(search_result *r, const bfs_options *o)
{
    const common_options *common = &o->common;
    int64_t *degrees = NULL;
    *r = (search_result){0};
    if (grid_context_open(&r->ctx, common) != EXIT_DONE)
        return EXIT_FAILED;
    int exit_status = grid_exit(r->ctx, output_check(o->output, o->graph.name, o->graph.force));
    if (exit_status == EXIT_DONE)
        exit_status = graph_load(&r->g, r->ctx, &o->graph, common);
    if (exit_status == EXIT_DONE)
        exit_status = graph_check_searchable(r->g.name, r->g.nrows, r->g.ncols);
    if (exit_status != EXIT_DONE)
        return exit_status;

    sl_status status = graph_warn_sparse(&r->g, &o->graph, common);
    progress(common, "preparing %s", r->g.name);
    if (status == SL_OK)
        status = prepare(r, o);
    show_placement(common, &r->placement);
    if (status == SL_OK)
        status = graph_degrees(&degrees, r->g.A, false);
    if (status == SL_OK)
        exit_status = find_vertices(r, o, degrees);
    if (status == SL_OK && exit_status == EXIT_DONE) {
        progress(common, "searching %s", r->g.name);
        status = search_repeatedly(r, o);
        if (status == SL_OK)
            measure(r, o, degrees);
        if (status == SL_OK && o->validate) {
            progress(common, "validating the tree");
            status = validate(r);
        }
    }
    progress_end();
    sl_free(degrees);
    return status == SL_OK ? exit_status : failed_status(r->ctx, status);
}

void search_free(search_result *r)
{
    sl_iteration_log_clear(&r->log);
    times_free(&r->times);
    tree_free(&r->t);
    vertex_list_free(&r->targets);
    graph_free(&r->g);
    sl_context_free(r->ctx);
    *r = (search_result){0};
}
