/* Workflows of `semla run` that give every vertex a value. */
#include <math.h>
#include <string.h>

#include "output.h"
#include "run.h"

/* int64 values as doubles, for a ranking. */
static double *as_numbers(const int64_t *values, uint64_t count)
{
    double *numbers = sl_malloc((count + 1) * sizeof *numbers);
    if (!numbers)
        out_of_memory();
    for (uint64_t v = 0; v < count; v++)
        numbers[v] = (double)values[v];
    return numbers;
}

/* ---- components --------------------------------------------------------- */

/* The number of components, and a ranking of their sizes by the least vertex. */
static void report_sizes(run_job *job, const int64_t *component)
{
    const uint64_t n = job->g.nrows;
    int64_t *size = sl_calloc(n + 1, sizeof *size);
    uint64_t count = 0, alone = 0, largest = 0;
    if (!size)
        out_of_memory();
    for (uint64_t v = 0; v < n; v++)
        size[component[v]]++;
    for (uint64_t v = 0; v < n; v++) {
        count += size[v] > 0;
        alone += size[v] == 1;
        largest = size[v] > (int64_t)largest ? (uint64_t)size[v] : largest;
    }
    report_count(&job->r, job->symmetric ? "Components" : "Weak comps.", "components", count);
    report_count(&job->r, "Largest", "largest", largest);
    report_count(&job->r, "Alone", "alone", alone);
    double *sizes = as_numbers(size, n);
    for (uint64_t v = 0; v < n; v++)
        sizes[v] = size[v] > 0 ? sizes[v] : NAN;
    job_rank(job, "size of the component whose least vertex it is", sizes);
    sl_free(sizes);
    sl_free(size);
}

static sl_status components(run_job *job)
{
    sl_graph_view view;
    job_begin(job);
    sl_status status = job_end(job, sl_components(&job->out, job->g.A));
    job->out_is_vertices = true;
    if (status != SL_OK)
        return status;
    int64_t *component = job_values(&status, job->out);
    if (status == SL_OK && job_checks(job, &view, &status))
        status =
            job_checked(job, sl_check_components(&job->verdict, &view, component), "union-find");
    if (status == SL_OK && (!job->o->check || job->verdict.valid))
        report_sizes(job, component); /* which trusts the labels */
    sl_free(component);
    return status;
}

/* ---- sssp --------------------------------------------------------------- */

static sl_status check_sssp(run_job *job, const void *distance)
{
    int64_t *parent = NULL;
    sl_graph_view view;
    sl_status status = SL_OK;
    if (!job_checks(job, &view, &status))
        return status;
    status = sl_search_array(&parent, job->parents);
    if (status == SL_OK)
        status = sl_check_sssp(&job->verdict, &job->rows, job->sources.at[0], distance, parent);
    sl_free(parent);
    return job_checked(job, status, "all edges' and the tree's lengths");
}

static sl_status sssp(run_job *job)
{
    void *distance = NULL;
    uint64_t reached = 0;
    const bool tree = job->o->parents || job->o->check;
    job_begin(job);
    sl_status status =
        job_end(job, sl_sssp(&job->out, tree ? &job->parents : NULL, job->g.A, job->sources.at[0]));
    if (status == SL_OK)
        status = sl_distance_array(&distance, job->out);
    if (status == SL_OK)
        status = sl_vector_nvals(&reached, job->out);
    if (status == SL_OK) {
        const bool real = sl_vector_type(job->out) == SL_FP64;
        double *numbers = as_numbers(distance, job->g.nrows), farthest = -INFINITY;
        for (uint64_t v = 0; v < job->g.nrows; v++) {
            if (real)
                numbers[v] = ((double *)distance)[v];
            else if (((int64_t *)distance)[v] == INT64_MAX)
                numbers[v] = INFINITY;
            farthest = isfinite(numbers[v]) ? fmax(farthest, numbers[v]) : farthest;
        }
        report_count(&job->r, "Source", "source", job_id(job, job->sources.at[0]));
        report_text(&job->r, "Lengths", "lengths", sl_type_name(sl_matrix_type(job->g.A)));
        report_count(&job->r, "Reached", "reached", reached);
        report_number(&job->r, "Farthest", "farthest", farthest);
        job_rank(job, "distance", numbers);
        sl_free(numbers);
        status = check_sssp(job, distance);
    }
    sl_free(distance);
    return status;
}

/* ---- pagerank ----------------------------------------------------------- */

/* Jumps lead to the sources alone, if there are any: as a vector, and as an array. */
static sl_status personalise(run_job *job, sl_vector **weights, double **jump)
{
    const uint64_t n = job->g.nrows;
    double sum = 0;
    if (job->o->sources.count == 0)
        return SL_OK;
    *jump = sl_calloc(n + 1, sizeof **jump);
    if (!*jump)
        out_of_memory();
    sl_status status = sl_vector_new(weights, job->ctx, SL_FP64, n);
    for (size_t k = 0; status == SL_OK && k < job->sources.count; k++) {
        (*jump)[job->sources.at[k]] = 1;
        status = sl_vector_set(*weights, job->sources.at[k], sl_scalar_fp64(1));
    }
    for (uint64_t v = 0; v < n; v++)
        sum += (*jump)[v];
    for (uint64_t v = 0; v < n; v++)
        (*jump)[v] /= sum;
    return status;
}

static sl_status pagerank(run_job *job)
{
    sl_pagerank_options options = {.damping = job->o->damping,
                                   .tolerance = job->o->tolerance,
                                   .max_iterations = job->o->iterations};
    sl_pagerank_result result;
    sl_vector *weights = NULL;
    double *jump = NULL, *rank = NULL;
    sl_graph_view view;
    sl_status status = personalise(job, &weights, &jump);
    options.personalisation = weights;
    job_begin(job);
    if (status == SL_OK)
        status = sl_pagerank(&job->out, job->g.A, &options, &result);
    if (job_end(job, status) == SL_OK)
        rank = job_values(&status, job->out);
    if (status == SL_OK) {
        report_count(&job->r, "Iterations", "iterations", result.iterations);
        report_number(&job->r, "Residual", "residual", result.residual);
        report_bool(&job->r, "Converged", "converged", result.converged);
        job_rank(job, "rank", rank);
        if (job_checks(job, &view, &status))
            status = job_checked(job,
                                 sl_check_pagerank(&job->verdict, &view, rank, jump, &options,
                                                   result.residual + 1e-12),
                                 "a step in plain loops, which changes no more than the residual");
    }
    sl_vector_free(weights);
    sl_free(jump);
    sl_free(rank);
    return status;
}

/* ---- betweenness -------------------------------------------------------- */

static sl_status betweenness(run_job *job)
{
    const sl_betweenness_options options = {.batch = job->o->batch,
                                            .normalised = job->o->normalised};
    const uint64_t *sources = job->sources.count ? job->sources.at : SL_ALL;
    const double n = (double)job->g.nrows;
    const double count = sources ? (double)job->sources.count : n;
    double scale = job->symmetric ? 0.5 : 1;
    if (options.normalised)
        scale = n > 2 ? n / count / ((n - 1) * (n - 2)) : 1;
    sl_graph_view view;
    job_begin(job);
    sl_status status =
        job_end(job, sl_betweenness(&job->out, job->g.A, sources, job->sources.count, &options));
    if (status != SL_OK)
        return status;
    double *centrality = job_values(&status, job->out);
    if (status == SL_OK) {
        report_count(&job->r, "Sources", "sources", (uint64_t)count);
        report_bool(&job->r, "Normalised", "normalised", options.normalised);
        job_rank(job, "betweenness", centrality);
        if (job_checks(job, &view, &status))
            status = job_checked(job,
                                 sl_check_betweenness(&job->verdict, &view, sources,
                                                      job->sources.count, scale, centrality),
                                 "Brandes's algorithm with a queue");
    }
    sl_free(centrality);
    return status;
}

/* ---- triangles ---------------------------------------------------------- */

static sl_status triangles(run_job *job)
{
    uint64_t count = 0;
    sl_graph_view view;
    job_begin(job);
    sl_status status = job_end(job, sl_triangles(&count, &job->out, job->g.A));
    if (status != SL_OK)
        return status;
    int64_t *corners = job_values(&status, job->out);
    if (status == SL_OK) {
        double *numbers = as_numbers(corners, job->g.nrows);
        report_count(&job->r, "Triangles", "triangles", count);
        job_rank(job, "triangles", numbers);
        sl_free(numbers);
        if (job_checks(job, &view, &status))
            status = job_checked(job, sl_check_triangles(&job->verdict, &view, count, corners),
                                 "intersecting sorted rows");
    }
    sl_free(corners);
    return status;
}

const workflow value_workflows[] = {
    {"components", "connected components; weak ones of a directed graph", TAKES_TOP | TAKES_OUT,
     components},
    {"sssp", "shortest paths from one vertex by the edges' lengths",
     TAKES_SOURCE | TAKES_TOP | TAKES_OUT | TAKES_PARENTS | FROM_HUB, sssp},
    {"pagerank", "PageRank; with --source, jumps lead to these alone",
     TAKES_SOURCES | TAKES_WALK | TAKES_TOP | TAKES_OUT, pagerank},
    {"betweenness", "betweenness centrality, of all sources or some",
     TAKES_SOURCES | TAKES_SAMPLES | TAKES_BATCH | TAKES_NORMALISED | TAKES_TOP | TAKES_OUT,
     betweenness},
    {"triangles", "the number of triangles, and each vertex's", TAKES_TOP | TAKES_OUT, triangles},
    {0},
};
