/* What the workflows of `semla run` share: times, checks, rankings, files. */
#include <math.h>
#include <string.h>

#include "output.h"
#include "run.h"

void job_begin(run_job *job)
{
    sl_context_get_counts(job->ctx, &job->before);
    job->started = seconds_now();
}

sl_status job_end(run_job *job, sl_status status)
{
    sl_context_counts after;
    job->seconds = seconds_now() - job->started;
    sl_context_get_counts(job->ctx, &after);
    job->operations = after.operations - job->before.operations;
    job->fallbacks = after.fallbacks - job->before.fallbacks;
    return status;
}

bool job_checks(run_job *job, sl_graph_view *view, sl_status *status)
{
    if (!job->o->check)
        return false;
    progress(&job->o->common, "checking the result");
    job->started = seconds_now();
    *status = graph_rows(&job->rows, job->g.A);
    *view = (sl_graph_view){job->rows.nrows, job->rows.start, job->rows.index};
    return *status == SL_OK;
}

sl_status job_checked(run_job *job, sl_status status, const char *by)
{
    job->check_seconds = seconds_now() - job->started;
    job->checked_by = by;
    return status;
}

void *job_values(sl_status *status, const sl_vector *v)
{
    sl_arrays all;
    *status = sl_vector_copy_whole(&all, v);
    void *values = all.values;
    all.values = NULL;
    sl_arrays_free(&all);
    return values;
}

uint64_t job_id(const run_job *job, uint64_t vertex)
{
    return vertex < job->g.nrows ? graph_id(job->g.ids, vertex) : vertex; /* not valid: as it is */
}

void job_ids(const run_job *job, uint64_t *vertices, size_t count)
{
    for (size_t k = 0; k < count; k++)
        vertices[k] = job_id(job, vertices[k]);
}

void job_rank(run_job *job, const char *title, const double *values)
{
    const uint64_t n = job->g.nrows, most = job->o->top < n ? job->o->top : n;
    ranked *rows = sl_malloc((most + 1) * sizeof *rows);
    uint64_t count = 0;
    if (!rows)
        out_of_memory();
    for (uint64_t v = 0; v < n; v++) {
        if (!isfinite(values[v]) ||
            (count == most && (most == 0 || values[v] <= rows[most - 1].value)))
            continue;
        uint64_t at = count < most ? count++ : most - 1;
        for (; at > 0 && rows[at - 1].value < values[v]; at--)
            rows[at] = rows[at - 1];
        rows[at] = (ranked){v, values[v]};
    }
    for (uint64_t k = 0; k < count; k++)
        rows[k].vertex = job_id(job, rows[k].vertex);
    report_ranking(&job->r, title, "top", rows, count);
    sl_free(rows);
}

/* ---- files -------------------------------------------------------------- */

static bool ends_in(const char *path, size_t length, const char *suffix)
{
    size_t size = strlen(suffix);
    return length >= size && strncmp(path + length - size, suffix, size) == 0;
}

/* True if a vector of that name is written as text, which can have ids. */
static bool is_text(const char *path)
{
    size_t length = strlen(path);
    if (ends_in(path, length, ".gz"))
        length -= 3;
    else if (ends_in(path, length, ".zst"))
        length -= 4;
    return !ends_in(path, length, ".mtx") && !ends_in(path, length, ".npy");
}

/* A copy of a vector of vertices with their ids for values. */
static sl_status with_ids(sl_vector **copy, const run_job *job, const sl_vector *v)
{
    uint64_t count = sl_vector_size(v);
    uint64_t *index = sl_malloc((count + 1) * sizeof *index);
    uint64_t *values = sl_malloc((count + 1) * sizeof *values);
    if (!index || !values)
        out_of_memory();
    sl_status status = sl_vector_new(copy, job->ctx, SL_INT64, sl_vector_size(v));
    if (status == SL_OK)
        status = sl_vector_extract_tuples(index, values, &count, v);
    if (status == SL_OK) {
        job_ids(job, values, count);
        status = sl_vector_build(*copy, index, values, count, NULL);
    }
    sl_free(index);
    sl_free(values);
    return status;
}

/* In texts vertices stand as their ids; paths and cycles are not by vertex. */
static sl_status write_vector(const run_job *job, const sl_vector *v, bool of_vertices,
                              const char *path)
{
    const uint64_t *ids = is_text(path) ? job->g.ids : NULL;
    sl_vector_options options = {.ids = sl_vector_size(v) == job->g.nrows ? ids : NULL};
    sl_vector *named = NULL;
    sl_status status = ids && of_vertices ? with_ids(&named, job, v) : SL_OK;
    if (status == SL_OK)
        status = sl_vector_write_with(named ? named : v, path, &options);
    sl_vector_free(named);
    return status;
}

int job_write(run_job *job)
{
    const run_options *o = job->o;
    sl_status status = SL_OK;
    if (o->out && !job->out && !job->out_rows)
        return failed("%s is not written: there is no path", o->out);
    if (o->out)
        status = job->out ? write_vector(job, job->out, job->out_is_vertices, o->out)
                          : sl_matrix_write(job->out_rows, o->out, SL_FORMAT_AUTO);
    if (status == SL_OK && o->parents)
        status = job->parents ? write_vector(job, job->parents, true, o->parents)
                              : sl_matrix_write(job->parent_rows, o->parents, SL_FORMAT_AUTO);
    return status == SL_OK ? EXIT_DONE : failed_status(job->ctx, status);
}
