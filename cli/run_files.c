/* The files that `semla run` writes: a result as a vector or as a matrix. */
#include <string.h>

#include "output.h"
#include "run.h"

/* True if --out can write this result. */
static bool is_main_result(const sl_result *result)
{
    const bool is_object = result->kind == SL_KIND_VECTOR ||
                           result->kind == SL_KIND_VERTEX_VECTOR ||
                           result->kind == SL_KIND_MATRIX || result->kind == SL_KIND_VERTICES;
    return is_object && !(result->flags & (SL_RESULT_FILE | SL_RESULT_SUMMARY));
}

int run_main_result(const sl_algorithm *algorithm)
{
    for (int k = 0; algorithm->results[k].name; k++)
        if (is_main_result(&algorithm->results[k]))
            return k;
    return -1;
}

static bool ends_in(const char *path, size_t length, const char *suffix)
{
    size_t size = strlen(suffix);
    return length >= size && strncmp(path + length - size, suffix, size) == 0;
}

/* True if a vector of that file name is written as text, in which vertices are ids. */
static bool is_text(const char *path)
{
    size_t length = strlen(path);
    if (ends_in(path, length, ".gz"))
        length -= 3;
    else if (ends_in(path, length, ".zst"))
        length -= 4;
    return !ends_in(path, length, ".mtx") && !ends_in(path, length, ".npy");
}

/* A copy of a vector of vertices, with the ids of the vertices as values. */
static sl_status replace_by_ids(sl_vector **copy, const run_state *run, const sl_vector *v)
{
    uint64_t count = sl_vector_size(v);
    uint64_t *index = sl_malloc((count + 1) * sizeof *index);
    uint64_t *values = sl_malloc((count + 1) * sizeof *values);
    if (!index || !values)
        out_of_memory();
    sl_status status = sl_vector_new(copy, run->ctx, SL_INT64, sl_vector_size(v));
    if (status == SL_OK)
        status = sl_vector_extract_tuples(index, values, &count, v);
    for (uint64_t k = 0; status == SL_OK && k < count; k++)
        if (values[k] < run->g.nrows) /* a result that is not valid is written as it is */
            values[k] = graph_id(run->g.ids, values[k]);
    if (status == SL_OK)
        status = sl_vector_build(*copy, index, values, count, NULL);
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

/* Indices are written as ids if the vector has an element per vertex. */
static sl_status write_vector(const run_state *run, const sl_vector *v, sl_kind kind,
                              const char *path)
{
    const uint64_t *ids = is_text(path) ? run->g.ids : NULL;
    const sl_vector_options options = {.ids = kind == SL_KIND_VERTICES ? NULL : ids,
                                       .no_overwrite = !run->o->force};
    sl_vector *with_ids = NULL;
    sl_status status = SL_OK;
    if (ids && kind != SL_KIND_VECTOR)
        status = replace_by_ids(&with_ids, run, v);
    if (status == SL_OK)
        status = sl_vector_write_with(with_ids ? with_ids : v, path, &options);
    sl_vector_free(with_ids);
    return status;
}

static sl_status write_result(const run_state *run, int k, const char *path)
{
    const sl_value *result = &run->call.results[k];
    const sl_kind kind = run->call.algorithm->results[k].kind;
    if (kind == SL_KIND_MATRIX)
        return sl_matrix_write_with(result->matrix, path,
                                    &(sl_write_options){.no_overwrite = !run->o->force});
    if (kind != SL_KIND_VERTICES)
        return write_vector(run, result->vector, kind, path);
    sl_vector *list = NULL;
    sl_status status = make_vector(&list, run, result);
    if (status == SL_OK)
        status = write_vector(run, list, kind, path);
    sl_vector_free(list);
    return status;
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

int run_write_files(run_state *run)
{
    const run_options *o = run->o;
    sl_status status = SL_OK;
    const int given = given_result(run);
    if (o->out && given < 0)
        return failed("%s is not written: there is no %s", o->out,
                      o->algorithm->results[run_main_result(o->algorithm)].name);
    const char *path = o->out;
    if (o->out)
        status = write_result(run, given, path);
    for (int k = 0; status == SL_OK && k < SL_MAX_RESULTS; k++)
        if (o->paths[k])
            status = write_result(run, k, path = o->paths[k]);
    return status == SL_OK ? EXIT_DONE : output_failed(run->ctx, status, path);
}
