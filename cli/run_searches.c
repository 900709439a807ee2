/* Workflows of `semla run` that are made of searches. */
#include <inttypes.h>

#include "output.h"
#include "run.h"

/* A list of vertices as a fact, by their ids. */
static sl_status report_vertices(run_job *job, const char *label, const char *name,
                                 const sl_vector *v)
{
    sl_status status = SL_OK;
    int64_t *values = job_values(&status, v);
    if (status == SL_OK) {
        job_ids(job, (uint64_t *)values, sl_vector_size(v));
        report_list(&job->r, label, name, (uint64_t *)values, sl_vector_size(v));
    }
    sl_free(values);
    return status;
}

static void report_sources(run_job *job)
{
    uint64_t *ids = sl_malloc((job->sources.count + 1) * sizeof *ids);
    if (!ids)
        out_of_memory();
    for (size_t k = 0; k < job->sources.count; k++)
        ids[k] = job_id(job, job->sources.at[k]);
    report_list(&job->r, job->sources.count == 1 ? "Source" : "Sources", "sources", ids,
                job->sources.count);
    sl_free(ids);
}

/* ---- multi-source ------------------------------------------------------- */

static sl_status report_rows(run_job *job, const int64_t *level)
{
    const uint64_t n = job->g.nrows;
    uint64_t *reached = sl_calloc(2 * job->sources.count + 1, sizeof *reached);
    if (!reached)
        out_of_memory();
    uint64_t *depth = reached + job->sources.count;
    for (size_t s = 0; s < job->sources.count; s++)
        for (uint64_t v = 0; v < n; v++) {
            const int64_t l = level[s * n + v];
            reached[s] += l != SL_UNREACHED;
            depth[s] = l > (int64_t)depth[s] ? (uint64_t)l : depth[s];
        }
    report_sources(job);
    report_list(&job->r, "Reached", "reached", reached, job->sources.count);
    report_list(&job->r, "Depths", "depths", depth, job->sources.count);
    sl_free(reached);
    return SL_OK;
}

static sl_status multi_source(run_job *job)
{
    const run_options *o = job->o;
    const sl_multi_source_options options = {.deterministic = o->deterministic,
                                             .bounded = o->given & TAKES_DEPTH,
                                             .max_depth = o->depth};
    int64_t *parent = NULL, *level = NULL;
    sl_graph_view view;
    job_begin(job);
    sl_status status =
        job_end(job, sl_multi_source_bfs(&job->parent_rows, &job->out_rows, job->g.A,
                                         job->sources.at, job->sources.count, &options));
    if (status == SL_OK)
        status = sl_search_table(&level, job->out_rows);
    if (status == SL_OK)
        status = report_rows(job, level);
    if (status == SL_OK && job_checks(job, &view, &status)) {
        status = sl_search_table(&parent, job->parent_rows);
        if (status == SL_OK)
            status = sl_check_multi_source(&job->verdict, &view, job->sources.at,
                                           job->sources.count, parent, level,
                                           options.bounded ? (int64_t)options.max_depth : -1);
        status = job_checked(job, status, "the rules of Graph500, row by row");
    }
    sl_free(parent);
    sl_free(level);
    return status;
}

/* ---- khop --------------------------------------------------------------- */

static sl_status khop(run_job *job)
{
    const uint64_t hops = job->o->given & TAKES_HOPS ? job->o->hops : 2;
    int64_t *level = NULL;
    uint64_t within = 0, depth = 0;
    sl_graph_view view;
    job_begin(job);
    sl_status status =
        job_end(job, sl_khop(&job->out, job->g.A, job->sources.at, job->sources.count, hops));
    if (status == SL_OK)
        status = sl_search_array(&level, job->out);
    if (status != SL_OK)
        return status;
    for (uint64_t v = 0; v < job->g.nrows; v++) {
        within += level[v] != SL_UNREACHED;
        depth = level[v] > (int64_t)depth ? (uint64_t)level[v] : depth;
    }
    uint64_t *at = sl_calloc(depth + 1, sizeof *at);
    if (!at)
        out_of_memory();
    for (uint64_t v = 0; v < job->g.nrows; v++)
        if (level[v] != SL_UNREACHED)
            at[level[v]]++;
    report_sources(job);
    report_count(&job->r, "Hops", "hops", hops);
    report_count(&job->r, "Within", "within", within);
    report_list(&job->r, "By distance", "by_distance", at, depth + 1);
    if (job_checks(job, &view, &status))
        status = job_checked(
            job,
            sl_check_khop(&job->verdict, &view, job->sources.at, job->sources.count, hops, level),
            "a search by queue");
    sl_free(at);
    sl_free(level);
    return status;
}

/* ---- st ----------------------------------------------------------------- */

static sl_status st_connected(run_job *job)
{
    const uint64_t s = job->sources.at[0], t = job->target;
    bool connected = false;
    uint64_t distance = 0;
    sl_graph_view view;
    job_begin(job);
    sl_status status =
        job_end(job, sl_st_connected(&connected, &distance, &job->out, job->g.A, s, t));
    job->out_is_vertices = true;
    if (status != SL_OK)
        return status;
    report_bool(&job->r, "Connected", "connected", connected);
    if (connected) {
        report_count(&job->r, "Distance", "distance", distance);
        status = report_vertices(job, "Path", "path", job->out);
    }
    if (status == SL_OK && job_checks(job, &view, &status)) {
        int64_t *path = connected ? job_values(&status, job->out) : NULL;
        if (status == SL_OK)
            status = sl_check_st_connected(&job->verdict, &view, s, t, connected, distance, path);
        status = job_checked(job, status, "a search by queue, and the path's edges");
        sl_free(path);
    }
    return status;
}

/* ---- diameter ----------------------------------------------------------- */

static sl_status diameter(run_job *job)
{
    const uint64_t searches = job->o->given & TAKES_SEARCHES ? job->o->searches : 16;
    uint64_t *searched = sl_malloc((searches + 1) * sizeof *searched);
    if (!searched)
        out_of_memory();
    const bool has_start = job->sources.count > 0;
    const sl_diameter_options options = {.has_start = has_start,
                                         .start = has_start ? job->sources.at[0] : 0,
                                         .max_searches = searches,
                                         .searched = searched};
    sl_diameter d;
    sl_graph_view view;
    job_begin(job);
    sl_status status = job_end(job, sl_pseudo_diameter(&d, job->g.A, &options));
    if (status == SL_OK) {
        uint64_t ends[] = {job_id(job, d.ends[0]), job_id(job, d.ends[1])};
        char text[80];
        if (d.lower == d.upper)
            snprintf(text, sizeof text, "%" PRIu64, d.lower);
        else
            snprintf(text, sizeof text, "from %" PRIu64 " to %" PRIu64, d.lower, d.upper);
        report_text(&job->r, "Diameter", NULL, text);
        report_count(&job->r, NULL, "lower", d.lower);
        report_count(&job->r, NULL, "upper", d.upper);
        report_list(&job->r, "Ends", "ends", ends, 2);
        report_count(&job->r, "Searches", "searches", d.searches);
        if (job_checks(job, &view, &status))
            status = job_checked(job, sl_check_diameter(&job->verdict, &view, &d, searched),
                                 "searches by queue from the same vertices");
    }
    sl_free(searched);
    return status;
}

/* ---- bipartite ---------------------------------------------------------- */

static sl_status check_bipartite(run_job *job, bool bipartite, const bool *side)
{
    sl_graph_view view;
    sl_status status = SL_OK;
    if (!job_checks(job, &view, &status))
        return status;
    int64_t *cycle = bipartite ? NULL : job_values(&status, job->out);
    if (status == SL_OK)
        status = sl_check_bipartite(&job->verdict, &view, bipartite, side, cycle,
                                    bipartite ? 0 : sl_vector_size(job->out));
    sl_free(cycle);
    return job_checked(job, status,
                       bipartite ? "the sides of each edge's ends" : "the cycle's edges");
}

static sl_status bipartite(run_job *job)
{
    bool is = false, *side = NULL;
    sl_vector *sides = NULL, *cycle = NULL;
    job_begin(job);
    sl_status status = job_end(job, sl_bipartite(&is, &sides, &cycle, job->g.A));
    job->out = is ? sides : cycle;
    job->out_is_vertices = !is;
    if (status != SL_OK)
        return status;
    report_bool(&job->r, "Bipartite", "bipartite", is);
    if (is) {
        uint64_t count[2] = {0, 0};
        side = job_values(&status, sides);
        for (uint64_t v = 0; status == SL_OK && v < job->g.nrows; v++)
            count[side[v]]++;
        report_list(&job->r, "Sides", "sides", count, 2);
    } else {
        report_count(&job->r, "Odd cycle", "cycle_length", sl_vector_size(cycle));
        status = report_vertices(job, "Its vertices", "cycle", cycle);
    }
    if (status == SL_OK)
        status = check_bipartite(job, is, side);
    sl_free(side);
    return status;
}

const workflow search_workflows[] = {
    {"multi-source", "breadth-first searches from several vertices at once",
     TAKES_SOURCES | TAKES_DEPTH | TAKES_DETERMINISTIC | TAKES_PARENTS | TAKES_OUT | FROM_HUB,
     multi_source},
    {"khop", "the vertices within a number of edges of the sources",
     TAKES_SOURCES | TAKES_HOPS | TAKES_OUT | FROM_HUB, khop},
    {"st", "is there a path, and a shortest one",
     TAKES_SOURCE | TAKES_TARGET | TAKES_OUT | NEEDS_ENDS, st_connected},
    {"diameter", "bounds of the diameter, with two vertices that far apart",
     TAKES_SOURCE | TAKES_SEARCHES, diameter},
    {"bipartite", "two sides, or an odd cycle", TAKES_OUT, bipartite},
    {0},
};
