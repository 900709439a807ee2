/* The files that `semla run` writes: a result as a vector or as a matrix. */
#include <stdlib.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/file_names.h"
#include "cli/labelled.h"
#include "cli/run.h"

bool run_is_matrix(sl_kind kind)
{
    return kind == SL_KIND_MATRIX || kind == SL_KIND_VERTEX_MATRIX || kind == SL_KIND_GRAPH;
}

/* True if --out can write this result. */
static bool is_main_result(const sl_result *result)
{
    const bool is_object = result->kind == SL_KIND_VECTOR ||
                           result->kind == SL_KIND_VERTEX_VECTOR || run_is_matrix(result->kind) ||
                           result->kind == SL_KIND_VERTICES;
    return is_object && !(result->flags & (SL_RESULT_FILE | SL_RESULT_SUMMARY));
}

int run_main_result(const sl_algorithm *algorithm)
{
    for (int k = 0; algorithm->results[k].name; k++)
        if (is_main_result(&algorithm->results[k]))
            return k;
    return -1;
}

/* A copy of a vector of vertices, with the ids of the vertices as values. */
static sl_status replace_by_ids(sl_vector **copy, const run_state *run, const sl_vector *v)
{
    uint64_t count = sl_vector_size(v);
    uint64_t *index = sl_malloc((count + 1) * sizeof *index);
    uint64_t *values = sl_malloc((count + 1) * sizeof *values);
    if (!index || !values)
        out_of_memory();
    const uint64_t n = run->g.nrows, *ids = run->g.ids;
    const bool large = ids && n > 0 && ids[n - 1] > INT64_MAX;
    sl_status status =
        sl_vector_new(copy, run->ctx, large ? SL_UINT64 : SL_INT64, sl_vector_size(v));
    if (status == SL_OK)
        status = sl_vector_extract_tuples(index, values, &count, v);
    if (status == SL_OK) {
        for (uint64_t k = 0; !ids && k < count; k++)
            values[k] = (uint64_t)strtoll(NAME_OF(&run->g.names, values[k]), NULL, 10);
        ids_replace(values, count, ids, ids ? n : 0);
        status = sl_vector_build(*copy, index, values, count, NULL);
    }
    sl_free(index);
    sl_free(values);
    return status;
}

/* A list of vertices as a vector; on a grid each process builds its range. */
static sl_status make_vector(sl_vector **v, const run_state *run, const sl_value *list)
{
    uint64_t begin, end;
    uint64_t *index = sl_malloc((list->count + 1) * sizeof *index);
    if (!index)
        out_of_memory();
    for (uint64_t k = 0; k < list->count; k++)
        index[k] = k;
    sl_context_local_range(run->ctx, list->count, &begin, &end);
    sl_status status = sl_vector_new(v, run->ctx, SL_INT64, list->count);
    if (status == SL_OK)
        status = sl_vector_build(*v, index + begin, list->list + begin, end - begin, NULL);
    sl_free(index);
    return status;
}

/* In text, positions and values that are vertices are written as ids; so are the values of a list
 * of vertices in any format, as their positions are no vertices. */
static int write_vector(const run_state *run, const sl_vector *v, sl_kind kind, const char *path)
{
    const vector_contents contents = kind == SL_KIND_VERTICES ? LIST_OF_VERTICES
                                     : kind == SL_KIND_VECTOR ? VALUES_OF_VERTICES
                                                              : VERTICES_OF_VERTICES;
    if (is_csv_file(path) || (run->g.names.labels && is_text_vector(path)))
        return labelled_write(v, &run->g.names, contents, path, run->o->graph.force);
    const bool list = kind == SL_KIND_VERTICES;
    const uint64_t *ids = list || is_text_vector(path) ? run->g.ids : NULL;
    const sl_vector_options options = {.ids = list ? NULL : ids,
                                       .no_overwrite = !run->o->graph.force};
    sl_vector *with_ids = NULL;
    sl_status status = SL_OK;
    if ((ids || (list && run->g.names.labels && run->g.names.labels_are_ids)) &&
        kind != SL_KIND_VECTOR)
        status = replace_by_ids(&with_ids, run, v);
    if (status == SL_OK)
        status = sl_vector_write_with(with_ids ? with_ids : v, path, &options);
    sl_vector_free(with_ids);
    return status == SL_OK ? EXIT_DONE : output_failed(run->ctx, status, path);
}

/* Writes a matrix with a column per vertex. As an edge list it has ids, as CSV labels. */
static sl_status write_matrix(const run_state *run, const sl_matrix *M, sl_kind kind,
                              const char *path)
{
    const sl_file_format format = sl_format_of_name(path);
    const bool text = format == SL_FORMAT_AUTO || format == SL_FORMAT_EDGE_LIST;
    const sl_write_options options = {.no_overwrite = !run->o->graph.force};
    const uint64_t n = run->g.nrows;
    if (format == SL_FORMAT_CSV && kind == SL_KIND_GRAPH && run->g.names.labels)
        return labelled_write_matrix(M, &run->g.labels, path, &options);
    if (!run->g.ids || !(text || format == SL_FORMAT_CSV) || n == 0)
        return sl_matrix_write_with(M, path, &options);
    sl_arrays slice;
    sl_status status = sl_matrix_copy_slice(&slice, M);
    if (status != SL_OK)
        return status;
    status = sl_agree(run->ctx, sl_arrays_expand(run->ctx, &slice));
    if (status == SL_OK) {
        ids_replace(slice.cols, slice.nvals, run->g.ids, n);
        if (kind == SL_KIND_GRAPH)
            ids_replace(slice.rows, slice.nvals, run->g.ids, n);
        if (kind == SL_KIND_VERTEX_MATRIX)
            ids_replace(slice.values, slice.nvals, run->g.ids, n);
        const uint64_t ncols = run->g.ids[n - 1] + 1;
        const sl_edges edges = {.nrows = kind == SL_KIND_GRAPH ? ncols : slice.nrows,
                                .ncols = ncols,
                                .count = slice.nvals,
                                .row = slice.rows,
                                .col = slice.cols,
                                .type = slice.type,
                                .values = slice.values};
        status = sl_edges_write(&edges, run->ctx, path, &options);
    }
    sl_arrays_free(&slice);
    return status;
}

static int exit_of(const run_state *run, sl_status status, const char *path)
{
    return status == SL_OK ? EXIT_DONE : output_failed(run->ctx, status, path);
}

/* True if a matrix is written as edges with ids that cannot be indices. */
static bool has_large_ids(const run_state *run, const char *path)
{
    const sl_file_format format = sl_format_of_name(path);
    const vertex_names *names = &run->g.names;
    return (names->ids || (names->labels && names->labels_are_ids)) && !names_are_indices(names) &&
           (format == SL_FORMAT_AUTO || format == SL_FORMAT_EDGE_LIST || format == SL_FORMAT_CSV);
}

static int write_result(const run_state *run, int k, const char *path)
{
    const sl_value *result = &run->call.results[k];
    const sl_kind kind = run->call.algorithm->results[k].kind;
    if (run_is_matrix(kind) && has_large_ids(run, path))
        return labelled_write_entries(result->matrix, &run->g.names, kind == SL_KIND_GRAPH,
                                      kind == SL_KIND_VERTEX_MATRIX, path, run->o->graph.force);
    if (run_is_matrix(kind))
        return exit_of(run, write_matrix(run, result->matrix, kind, path), path);
    if (kind != SL_KIND_VERTICES)
        return write_vector(run, result->vector, kind, path);
    sl_vector *list = NULL;
    int exit_status = exit_of(run, make_vector(&list, run, result), path);
    if (exit_status == EXIT_DONE)
        exit_status = write_vector(run, list, kind, path);
    sl_vector_free(list);
    return exit_status;
}

/* The main result that the call gave: of the sides and the odd cycle there is one. -1: none. */
static int given_result(const run_state *run)
{
    const sl_result *results = run->o->algorithm->results;
    for (int k = 0; results[k].name; k++)
        if (run->call.results[k].given && is_main_result(&results[k]))
            return k;
    return -1;
}

/* Writes a result, while the line of progress says so. */
static int write_shown(run_state *run, int k, const char *path)
{
    progress_writing(&run->o->common, path);
    const int exit_status = write_result(run, k, path);
    progress_end();
    return exit_status;
}

int run_write_files(run_state *run)
{
    const run_options *o = run->o;
    const int given = given_result(run);
    if (o->out && given < 0)
        return failed("%s is not written: there is no %s", o->out,
                      o->algorithm->results[run_main_result(o->algorithm)].name);
    int exit_status = o->out ? write_shown(run, given, o->out) : EXIT_DONE;
    for (int k = 0; exit_status == EXIT_DONE && k < SL_MAX_RESULTS; k++)
        if (o->paths[k])
            exit_status = write_shown(run, k, o->paths[k]);
    return exit_status;
}
