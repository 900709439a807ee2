/* semla run: any of the workflows on a graph. */
#include "run.h"

#include <string.h>

#include "grid.h"
#include "output.h"

/* ---- sources ------------------------------------------------------------ */

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014) */
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Distinct random vertices, all if there are not so many: the first steps of a
 * shuffle (Fisher, Yates). */
static void draw_samples(run_job *job)
{
    uint64_t n = job->g.nrows, state = job->o->seed;
    uint64_t *vertices = sl_malloc((n + 1) * sizeof *vertices);
    if (!vertices)
        out_of_memory();
    for (uint64_t v = 0; v < n; v++)
        vertices[v] = v;
    for (uint64_t left = n; left > 0 && n - left < job->o->samples; left--) {
        uint64_t *chosen = &vertices[random_next(&state) % left];
        vertex_list_append(&job->sources, *chosen);
        *chosen = vertices[left - 1];
    }
    sl_free(vertices);
}

static int find_vertices(run_job *job)
{
    const run_options *o = job->o;
    const graph *g = &job->g;
    for (size_t k = 0; k < o->sources.count; k++) {
        uint64_t source;
        if (graph_index(&source, g->ids, g->nrows, o->sources.at[k], "source") != EXIT_DONE)
            return EXIT_FAILED;
        vertex_list_append(&job->sources, source);
    }
    if (o->given & TAKES_TARGET &&
        graph_index(&job->target, g->ids, g->nrows, o->target, "target") != EXIT_DONE)
        return EXIT_FAILED;
    if (o->given & TAKES_SAMPLES)
        draw_samples(job);
    if (job->sources.count > 0 || !(o->workflow->takes & FROM_HUB))
        return EXIT_DONE;
    int64_t *degrees;
    sl_status status = graph_degrees(&degrees, g->A, false);
    if (status != SL_OK)
        return failed_status(job->ctx, status);
    vertex_list_append(&job->sources, greatest_degree(degrees, g->nrows));
    sl_free(degrees);
    return EXIT_DONE;
}

/* ---- the run ------------------------------------------------------------ */

static void report_graph(run_job *job)
{
    const graph *g = &job->g;
    char text[400], engines[200] = "";
    size_t used = 0;
    const char *name;
    snprintf(text, sizeof text, "%s: %s vertices, %s edges%s; %s in %s", g->name,
             text_of_count(g->nrows).text, text_of_count(g->entries).text,
             job->symmetric ? " (each undirected edge counted twice)" : " (directed)",
             job->o->graph.is_model ? "made" : "read", text_of_seconds(g->seconds).text);
    for (size_t i = 0; (name = sl_context_engine(job->ctx, i)) && used < sizeof engines; i++)
        used += (size_t)snprintf(engines + used, sizeof engines - used, "%s%s", i ? ", then " : "",
                                 name);
    report *r = &job->r;
    report_text(r, "Graph", NULL, text);
    report_text(r, "Engine", NULL, engines);
    report_text(r, NULL, "workflow", job->o->workflow->name);
    report_text(r, NULL, "graph", g->name);
    report_count(r, NULL, "vertices", g->nrows);
    report_count(r, NULL, "edges", g->entries);
    report_bool(r, NULL, "symmetric", job->symmetric);
    report_text(r, NULL, "engine", sl_context_engine(job->ctx, 0));
}

static void report_end(run_job *job)
{
    report *r = &job->r;
    char text[240];
    snprintf(text, sizeof text, "%s; %s of %s operations passed on by the first engine",
             text_of_seconds(job->seconds).text, text_of_count(job->fallbacks).text,
             text_of_count(job->operations).text);
    report_text(r, "Time", NULL, text);
    report_seconds(r, NULL, "seconds", job->seconds);
    report_seconds(r, NULL, "read_seconds", job->g.seconds);
    report_count(r, NULL, "operations", job->operations);
    report_count(r, NULL, "fallbacks", job->fallbacks);
    if (!job->o->check)
        return;
    if (job->verdict.valid)
        snprintf(text, sizeof text, "ok, by %s (%s)", job->checked_by,
                 text_of_seconds(job->check_seconds).text);
    else
        snprintf(text, sizeof text, "NOT VALID: %s", job->verdict.reason);
    report_text(r, "Check", NULL, text);
    report_bool(r, NULL, "valid", job->verdict.valid);
    report_seconds(r, NULL, "check_seconds", job->check_seconds);
    if (!job->verdict.valid)
        report_text(r, NULL, "reason", job->verdict.reason);
}

static int check_files(const run_options *o)
{
    int exit_status = output_check(o->out, o->graph.name);
    return exit_status == EXIT_DONE ? output_check(o->parents, o->graph.name) : exit_status;
}

static int run(run_job *job)
{
    const run_options *o = job->o;
    if (grid_context_open(&job->ctx, &o->common.grid, o->common.engine) != EXIT_DONE)
        return EXIT_FAILED;
    int exit_status = grid_exit(job->ctx, check_files(o));
    if (exit_status == EXIT_DONE)
        exit_status = graph_load(&job->g, job->ctx, &o->graph, &o->common);
    if (exit_status == EXIT_DONE && job->g.nrows != job->g.ncols)
        exit_status =
            failed("%s: a workflow needs a square matrix, and this is %llu x %llu", job->g.name,
                   (unsigned long long)job->g.nrows, (unsigned long long)job->g.ncols);
    if (exit_status == EXIT_DONE && o->workflow->takes & FROM_HUB)
        exit_status = graph_check_searchable(job->g.name, job->g.nrows, job->g.ncols);
    if (exit_status == EXIT_DONE)
        exit_status = find_vertices(job);
    if (exit_status != EXIT_DONE)
        return exit_status;
    progress(&o->common, "%s of %s", o->workflow->name, job->g.name);
    sl_status status = sl_matrix_is_symmetric(&job->symmetric, job->g.A);
    if (status == SL_OK) {
        report_graph(job);
        status = o->workflow->run(job);
    }
    sl_placement placement;
    if (status == SL_OK && sl_matrix_placement(&placement, job->g.A) == SL_OK)
        show_placement(&o->common, &placement);
    progress_end();
    if (status != SL_OK)
        return failed_status(job->ctx, status);
    report_end(job);
    return EXIT_DONE;
}

static void job_free(run_job *job)
{
    report_free(&job->r);
    vertex_list_free(&job->sources);
    sl_free(job->rows.start);
    sl_free(job->rows.index);
    sl_free(job->rows.values);
    sl_vector_free(job->out);
    sl_vector_free(job->parents);
    sl_matrix_free(job->out_rows);
    sl_matrix_free(job->parent_rows);
    graph_free(&job->g);
    sl_context_free(job->ctx);
}

int run_run(int argc, char **argv)
{
    run_options o = {.common = {.command = "semla run"}, .top = 10};
    run_job job = {.o = &o};
    int exit_status = options_parse(&run_argp, argc, argv, &o.common, &o);
    if (exit_status == EXIT_DONE)
        exit_status = run(&job);
    if (exit_status == EXIT_DONE)
        exit_status = job_write(&job);
    if (exit_status == EXIT_DONE) {
        if (o.common.json)
            report_print_json(&job.r);
        else if (!o.out || strcmp(o.out, "-") != 0)
            report_print(&job.r);
        if (o.check && !job.verdict.valid)
            exit_status = failed("the result is not valid: %s", job.verdict.reason);
    }
    job_free(&job);
    vertex_list_free(&o.sources);
    return exit_status;
}
