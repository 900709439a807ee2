/*
 * semla report: measures a graph, searches it level by level and from several roots on each engine,
 * validates every tree, and writes one HTML page with charts of the results.
 */
#include "cli/page.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/command_output.h"
#include "cli/grid_ranks.h"
#include "cli/roots.h"

static void add_heading(cJSON *root, const page_options *o)
{
    char date[32];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    json_text(root, "format", "semla report");
    json_count(root, "version", 1);
    json_text(root, "command", o->command_line);
    json_text(root, "created", date);
}

/* ---- measuring ---------------------------------------------------------------- */

enum { MOST_COMPARED = 8 };

/* One run of the command. */
typedef struct {
    const page_options *o;
    page_graph g;
    cJSON *root;
    cJSON *engines; /* a member of root */
    timeline t;
    double bytes_per_second; /* of the memory that the engine reads */
    bool invalid;            /* the tree of the search by level is not valid */
    page_searches searches[MOST_COMPARED];
    size_t count; /* number of searches */
} page_run;

static int load(page_run *r, sl_matrix **A, sl_context *ctx)
{
    const page_options *o = r->o;
    page_graph *g = &r->g;
    const double start = seconds_now();
    int exit_status = graph_edges(&g->edges, ctx, &o->graph, &o->common);
    g->read_seconds = seconds_now() - start;
    if (exit_status == EXIT_DONE)
        exit_status = graph_matrix(A, ctx, &g->edges, &o->graph);
    if (exit_status == EXIT_DONE)
        exit_status =
            graph_check_searchable(o->graph.name, sl_matrix_nrows(*A), sl_matrix_ncols(*A));
    return exit_status;
}

/* Copies the graph to arrays and finds its degrees and the roots. */
static int examine(page_run *r, const sl_matrix *A)
{
    const page_options *o = r->o;
    page_graph *g = &r->g;
    sl_status status = graph_rows(&g->rows, A);
    if (status == SL_OK)
        status = graph_degrees(&g->out, A, false);
    if (status == SL_OK)
        status = graph_degrees(&g->in, A, true);
    if (status == SL_OK)
        status = sl_matrix_is_symmetric(&g->symmetric, A);
    if (status != SL_OK)
        return failed_status(sl_matrix_context(A), status);
    g->rows.ids = g->edges.ids;
    g->names = names_of_edges(&g->edges, &o->graph);
    g->source = greatest_degree(g->out, g->rows.nrows);
    if (o->source && find_vertex(&g->source, &g->names, o->source, "source") != EXIT_DONE)
        return EXIT_FAILED;
    const sl_graph_view view = sl_view_of(&g->rows);
    vertex_list_append(&g->roots, g->source);
    roots_add_random(&g->roots, &view, o->roots - 1, o->seed);
    return EXIT_DONE;
}

/* The engine that searched: that of the last closure, or the first of the context. */
static const char *searching_engine(const page_run *r, const sl_context *ctx)
{
    for (size_t k = r->t.count; k-- > 0;)
        if (strcmp(r->t.events[k].operation, "closure") == 0)
            return r->t.events[k].engine;
    return sl_context_engine(ctx, 0);
}

/* Everything but the searches of the other engines. */
static sl_status measure(page_run *r, const sl_matrix *A)
{
    const page_options *o = r->o;
    sl_context *ctx = sl_matrix_context(A);
    page_add_machine(r->root);
    progress(&o->common, "measuring the structure of %s", o->graph.name);
    page_add_structure(r->root, &r->g, o->graph.name);
    timeline_phase(&r->t, "components");
    sl_status status = page_add_components(r->root, A);
    timeline_phase(&r->t, "prepare");
    const double start = seconds_now();
    if (status == SL_OK)
        status = sl_matrix_optimize(A, SL_FOR_TRAVERSAL);
    json_number(r->root, "prepare_seconds", seconds_now() - start);
    timeline_phase(&r->t, "search");
    progress(&o->common, "searching %s", o->graph.name);
    if (status == SL_OK)
        status = page_add_search(r->root, &r->invalid, A, &r->g, o, r->bytes_per_second);
    timeline_end(ctx);
    progress_end();
    return status;
}

/* The searches of one engine from all roots. */
static sl_status search_all(page_run *r, const char *engine, const sl_matrix *A)
{
    page_searches *next = &r->searches[r->count++];
    snprintf(next->engine, sizeof next->engine, "%s", engine);
    return page_add_engine(r->engines, next, A, &r->g, r->o);
}

/* The searches of the first engine, with the traffic of a grid. */
static sl_status search_first(page_run *r, const sl_matrix *A)
{
    sl_context *ctx = sl_matrix_context(A);
    const char *engine = searching_engine(r, ctx);
    json_text(cJSON_GetObjectItem(r->root, "search"), "engine", engine);
    r->engines = json_array(r->root, "engines");
    sl_status status = search_all(r, engine, A);
    if (status == SL_OK)
        status = page_add_grid(r->root, ctx, r->searches[0].seconds);
    return status;
}

static int run_first(page_run *r, sl_context *ctx)
{
    sl_matrix *A = NULL;
    progress(&r->o->common, "measuring the memory");
    const sl_status status = page_add_bandwidth(r->root, &r->bytes_per_second, ctx);
    if (status != SL_OK)
        return failed_status(ctx, status);
    timeline_begin(&r->t, ctx);
    timeline_phase(&r->t, "build");
    int exit_status = load(r, &A, ctx);
    if (exit_status == EXIT_DONE) {
        timeline_phase(&r->t, "examine");
        exit_status = grid_exit(ctx, examine(r, A));
    }
    if (exit_status == EXIT_DONE) {
        sl_status measured = measure(r, A);
        if (measured == SL_OK)
            measured = search_first(r, A);
        if (measured != SL_OK)
            exit_status = failed_status(ctx, measured);
    }
    timeline_end(ctx);
    sl_matrix_free(A);
    return exit_status;
}

static int run_other(page_run *r, const sl_engine_info *engine)
{
    common_options common = r->o->common;
    sl_context *ctx;
    sl_matrix *A = NULL;
    common.engine = engine->choice;
    if (grid_context_open(&ctx, &common) != EXIT_DONE)
        return EXIT_FAILED;
    int exit_status = graph_matrix(&A, ctx, &r->g.edges, &r->o->graph);
    if (exit_status == EXIT_DONE) {
        sl_status status = sl_matrix_optimize(A, SL_FOR_TRAVERSAL);
        if (status == SL_OK)
            status = search_all(r, engine->name, A);
        if (status != SL_OK)
            exit_status = failed_status(ctx, status);
    }
    sl_matrix_free(A);
    sl_context_free(ctx);
    return exit_status;
}

/* Whether the searches of an engine are compared: not on a grid, nor if one engine was chosen. */
static bool is_compared(const page_run *r, const sl_engine_info *engine)
{
    const char *forced = getenv("SEMLA_ENGINE");
    return engine->present && r->o->common.engine == SL_ENGINE_AUTO && !r->o->common.grid.given &&
           !(forced && *forced) && strcmp(r->searches[0].engine, engine->name) != 0 &&
           r->count < MOST_COMPARED;
}

/* ---- the end ---------------------------------------------------------------------- */

static int write_trace(const page_run *r, sl_context *ctx)
{
    output_file file;
    if (output_open(&file, ctx, r->o->trace, r->o->graph.force) != EXIT_DONE)
        return EXIT_FAILED;
    cJSON *trace = timeline_chrome_trace(&r->t);
    char *text = cJSON_PrintUnformatted(trace);
    if (!text)
        out_of_memory();
    fprintf(file.stream, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(trace);
    return output_close(&file);
}

static void print_summary(const page_run *r)
{
    for (size_t k = 0; k < r->count; k++)
        printf("%-12s %s of %s trees valid\n", r->searches[k].engine,
               text_of_count(r->searches[k].valid).text,
               text_of_count(r->searches[k].searched).text);
    printf("Page         %s\n", shown(r->o->output));
}

static bool all_valid(const page_run *r)
{
    bool valid = !r->invalid;
    for (size_t k = 0; k < r->count; k++)
        valid = valid && r->searches[k].valid == r->searches[k].searched;
    return valid;
}

static int finish(page_run *r, sl_context *ctx, const cJSON *other)
{
    const page_options *o = r->o;
    timeline_json(r->root, &r->t);
    int exit_status = page_write(r->root, other, ctx, o->output, o->graph.force);
    if (exit_status == EXIT_DONE && o->trace)
        exit_status = write_trace(r, ctx);
    exit_status = grid_exit(ctx, exit_status);
    if (exit_status != EXIT_DONE)
        return exit_status;
    if (o->common.json) {
        json_print(r->root);
        r->root = NULL;
    } else if (strcmp(o->output, "-") != 0) {
        print_summary(r);
    }
    return all_valid(r) ? EXIT_DONE : failed("a tree is not valid; the page names the first fault");
}

static int run_page(page_run *r)
{
    sl_context *ctx;
    cJSON *other = NULL;
    sl_engine_info engine;
    const page_options *o = r->o;
    if (grid_context_open(&ctx, &o->common) != EXIT_DONE)
        return EXIT_FAILED;
    int exit_status = output_check(o->output, o->graph.name, o->graph.force);
    if (exit_status == EXIT_DONE && o->trace)
        exit_status = output_check(o->trace, o->graph.name, o->graph.force);
    if (exit_status == EXIT_DONE && o->against)
        exit_status = page_read(&other, o->against);
    exit_status = grid_exit(ctx, exit_status);
    if (exit_status == EXIT_DONE)
        exit_status = run_first(r, ctx);
    for (size_t k = 0; exit_status == EXIT_DONE && sl_engine_describe(k, &engine) == SL_OK; k++)
        if (is_compared(r, &engine))
            exit_status = run_other(r, &engine);
    if (exit_status == EXIT_DONE)
        exit_status = finish(r, ctx, other);
    sl_edges_free(&r->g.edges);
    sl_free(r->g.rows.start);
    sl_free(r->g.rows.index);
    sl_free(r->g.rows.values);
    sl_free(r->g.out);
    sl_free(r->g.in);
    vertex_list_free(&r->g.roots);
    cJSON_Delete(other);
    sl_context_free(ctx);
    return exit_status;
}

int run_report(int argc, char **argv)
{
    page_options o;
    page_run r = {.o = &o};
    int exit_status = page_parse(&o, argc, argv);
    if (exit_status == EXIT_DONE) {
        r.root = json_object(NULL, NULL);
        add_heading(r.root, &o);
        exit_status = run_page(&r);
    }
    timeline_free(&r.t);
    cJSON_Delete(r.root);
    free(o.command_line);
    return exit_status;
}
